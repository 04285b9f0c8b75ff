/* What the tests of formats share. */
#ifndef WEIR_TEST_FORMATS_COMMON_H
#define WEIR_TEST_FORMATS_COMMON_H

#include "formats/c1.h"
#include "testkit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file name of this process in the current folder. */
static inline const char *temp_name(void)
{
    static char name[64];
    if (!name[0]) snprintf(name, sizeof name, "formats-test-%ld.tmp", (long)getpid());
    return name;
}

static inline uint8_t *read_and_remove(const char *path, size_t *n)
{
    weir_errinfo ei = {0};
    weir_mapfile file;
    assert_int_equal(weir_mapfile_open(&file, path, &ei), WEIR_OK);
    uint8_t *copy = malloc(file.size_bytes + 1);
    assert_non_null(copy);
    if (file.size_bytes) memcpy(copy, file.data, file.size_bytes);
    copy[file.size_bytes] = 0;
    *n = file.size_bytes;
    weir_mapfile_close(&file);
    unlink(path);
    return copy;
}

/* The bytes that a writer makes. Free with free(). */
static inline uint8_t *written_c1(const weir_porep_input *in, weir_c1_kind kind,
                                  uint64_t sector_number, size_t *n)
{
    weir_errinfo ei = {0};
    weir_outfile out;
    weir_c1_info info = {.sector_number = sector_number};
    assert_int_equal(weir_outfile_open(&out, temp_name(), &ei), WEIR_OK);
    weir_err err = kind == WEIR_C1_BINCODE ? weir_c1_write_bincode(&out, in, &ei)
                                           : weir_c1_write_json(&out, in, kind, &info, &ei);
    if (err != WEIR_OK) fail_msg("%s", ei.text);
    assert_int_equal(weir_outfile_commit(&out, &ei), WEIR_OK);
    return read_and_remove(temp_name(), n);
}

static inline weir_porep_input *read_c1(const void *data, size_t n, const weir_c1_opts *opts)
{
    weir_errinfo ei = {0};
    weir_porep_input *in;
    if (weir_c1_read(&in, data, n, opts, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    assert_non_null(in);
    return in;
}

/* Reading must fail with this code, leave no input and say something that contains `text`. */
static inline void refuse_c1_opts(const void *data, size_t n, const weir_c1_opts *opts,
                                  weir_err want, const char *text)
{
    weir_errinfo ei = {0};
    weir_porep_input *in = (weir_porep_input *)&ei;
    weir_err err = weir_c1_read(&in, data, n, opts, &ei);
    if (err != want) {
        fail_msg("%s instead of %s, wanted text \"%s\": %s", weir_err_name(err),
                 weir_err_name(want), text, ei.text);
    }
    assert_null(in);
    assert_int_equal(ei.code, want);
    if (!strstr(ei.text, text)) fail_msg("\"%s\" does not contain \"%s\"", ei.text, text);
    assert_int_equal(weir_c1_read(&in, data, n, opts, NULL), want);
}

static inline void refuse_c1(const void *data, size_t n, weir_err want, const char *text)
{
    refuse_c1_opts(data, n, NULL, want, text);
}

#endif
