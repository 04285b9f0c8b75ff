/* What the fuzz targets share. */
#ifndef WEIR_FUZZ_COMMON_H
#define WEIR_FUZZ_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A property that must hold for every input. */
static inline void must(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "violated: %s\n", what);
    abort();
}

/* What holds of every answer: success, or one of the codes for data, with a sentence. */
static inline bool answered(weir_err err, const weir_errinfo *ei)
{
    if (err == WEIR_OK) return true;
    must(weir_err_exit_code(err) == WEIR_EXIT_DATA || err == WEIR_E_UNSUPPORTED,
         "the code is one for bad data");
    must(ei->code == err, "the code is in the errinfo");
    must(ei->text[0] && memchr(ei->text, 0, sizeof ei->text), "there is a sentence");
    return false;
}

#endif
