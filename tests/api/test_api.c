/* The public interface: options, structs of other versions, keys, and what is refused. */
#include "api_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void test_version(void **state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", LIBWEIR_VERSION_MAJOR, LIBWEIR_VERSION_MINOR,
             LIBWEIR_VERSION_PATCH);
    assert_string_equal(libweir_version_text(), text); /* the project's, of CMakeLists.txt */
    assert_int_equal(libweir_version(), LIBWEIR_VERSION);
    assert_string_equal(libweir_error_name(LIBWEIR_OK), "LIBWEIR_OK");
    assert_string_equal(libweir_error_name(LIBWEIR_E_BAD_PROOF), "LIBWEIR_E_BAD_PROOF");
    assert_string_equal(libweir_error_name(LIBWEIR_E_BUSY), "LIBWEIR_E_BUSY");
    assert_string_equal(libweir_error_name(LIBWEIR_E_TIMEOUT), "LIBWEIR_E_TIMEOUT");
    assert_string_equal(libweir_error_name((libweir_code)-5), "LIBWEIR_E_UNKNOWN");
}

/* ---- opening */

static void refused(const libweir_options *o, libweir_code want, const char *part)
{
    libweir_error error;
    libweir_engine *e = (libweir_engine *)&error;
    libweir_code code = libweir_open(&e, o, &error);
    kit_fails(code, &error, want, part);
    assert_null(e);
    assert_int_equal(libweir_open(&e, o, NULL), want);
}

static void test_options(void **state)
{
    (void)state;
    libweir_options o;
    memset(&o, 0, sizeof o);
    refused(&o, LIBWEIR_E_USAGE, "libweir_options_init");
    libweir_options_init(&o);
    o.device = "tpu";
    refused(&o, LIBWEIR_E_USAGE, "tpu");
    o.device = "gpu:x";
    refused(&o, LIBWEIR_E_USAGE, "gpu:x");
    o.device = "gpu:";
    refused(&o, LIBWEIR_E_USAGE, "gpu:");
    o.device = "cpu";
    o.device_bytes = 1 << 20;
    refused(&o, LIBWEIR_E_USAGE, "device_bytes");
    o.device_bytes = 0;
    o.fill_threads = 100000;
    refused(&o, LIBWEIR_E_USAGE, "fill_threads 100000");
    o.fill_threads = 0;
    o.trace_spans = UINT32_MAX;
    refused(&o, LIBWEIR_E_USAGE, "trace_spans");
    libweir_close(NULL);
}

/* A machine without a GPU, or a build without CUDA: said, not passed over. */
static void test_no_gpu(void **state)
{
    (void)state;
    libweir_options o;
    libweir_error error;
    libweir_engine *e;
    libweir_options_init(&o);
    o.device = "gpu:250";
    libweir_code code = libweir_open(&e, &o, &error);
    assert_true(code == LIBWEIR_E_UNSUPPORTED || code == LIBWEIR_E_DEVICE ||
                code == LIBWEIR_E_USAGE);
    assert_true(strstr(error.text, "CUDA") || strstr(error.text, "GPU"));
    assert_null(e);
}

/* Options of a program that knows fewer, or more. */
static void test_other_versions(void **state)
{
    (void)state;
    struct {
        libweir_options o;
        uint64_t more;
    } newer = {.more = 0};
    libweir_options older;
    libweir_error error;
    libweir_engine *e;
    libweir_options_init(&newer.o);
    newer.o.size = sizeof newer;
    newer.o.device = "cpu";
    kit_ok(libweir_open(&e, &newer.o, &error), &error);
    libweir_close(e);
    newer.more = 1;
    refused(&newer.o, LIBWEIR_E_UNSUPPORTED, "newer");
    memset(&older, 0xff, sizeof older); /* what it does not have is not looked at */
    older.size = offsetof(libweir_options, memory_bytes);
    older.device = "cpu";
    kit_ok(libweir_open(&e, &older, &error), &error);
    /* reports the other way */
    struct {
        libweir_memory_report m;
        uint64_t more;
    } larger = {.more = 7};
    libweir_memory_report smaller;
    libweir_memory_report_init(&larger.m);
    larger.m.size = sizeof larger;
    kit_ok(libweir_memory(e, &larger.m, &error), &error);
    assert_true(larger.m.limit_bytes > 0 && larger.more == 7 && larger.m.size == sizeof larger);
    memset(&smaller, 0xee, sizeof smaller);
    smaller.size = offsetof(libweir_memory_report, used_bytes);
    kit_ok(libweir_memory(e, &smaller, &error), &error);
    assert_int_equal(smaller.limit_bytes, larger.m.limit_bytes);
    assert_int_equal(smaller.used_bytes, UINT64_C(0xeeeeeeeeeeeeeeee));
    smaller.size = 0;
    kit_fails(libweir_memory(e, &smaller, &error), &error, LIBWEIR_E_USAGE,
              "libweir_memory_report_init");
    libweir_close(e);
}

/* ---- keys */

static void note(void *ctx, libweir_log_level level, const char *text)
{
    (void)level;
    assert_true(strlen(text) > 0);
    ++*(unsigned *)ctx;
}

static void load_fails(libweir_engine *e, const libweir_key_options *o, libweir_code want,
                       const char *part)
{
    libweir_error error;
    libweir_key key = 5;
    kit_fails(libweir_key_load(e, &key, o, &error), &error, want, part);
    assert_int_equal(key, 0);
}

static void test_keys(void **state)
{
    (void)state;
    char path[] = "/tmp/weir-test-api-XXXXXX";
    static const char garbage[5000] = "no key";
    libweir_error error;
    libweir_engine *e;
    libweir_options o;
    libweir_key_options k;
    unsigned notes = 0;
    libweir_options_init(&o);
    o.device = "auto";
    o.log = note;
    o.log_ctx = &notes;
    kit_ok(libweir_open(&e, &o, &error), &error);
    memset(&k, 0, sizeof k);
    load_fails(e, &k, LIBWEIR_E_USAGE, "libweir_key_options_init");
    libweir_key_options_init(&k);
    k.sector_bytes = 4095;
    k.params_path = "/nowhere/key.params";
    load_fails(e, &k, LIBWEIR_E_USAGE, "4095");
    k.sector_bytes = 2048;
    load_fails(e, &k, LIBWEIR_E_IO, "/nowhere/key.params");
    k.params_path = NULL;
    load_fails(e, &k, LIBWEIR_E_USAGE, "params_path");
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, garbage, sizeof garbage) == sizeof garbage);
    close(fd);
    k.params_path = path;
    libweir_key key;
    libweir_code code = libweir_key_load(e, &key, &k, &error);
    assert_true(code <= LIBWEIR_E_TRUNCATED && code > LIBWEIR_E_NOMEM); /* bad data */
    assert_non_null(strstr(error.text, path));
    unlink(path);
    /* a native key is taken for what it is */
    k.params_path = WEIR_VECTORS "/../../fuzz/corpus/native_key/mini.weirkey";
    load_fails(e, &k, LIBWEIR_E_MISMATCH, "not of porep-2KiB");
    k.params_path = WEIR_VECTORS "/../../fuzz/corpus/native_key/table-damaged";
    load_fails(e, &k, LIBWEIR_E_MISMATCH, "section digests");
    kit_fails(libweir_key_unload(e, 1, &error), &error, LIBWEIR_E_USAGE, "no key 1");
    libweir_close(e);
}

static void test_unload(void **state)
{
    (void)state;
    kit k;
    kit_job j;
    libweir_error error;
    libweir_job id;
    libweir_key second;
    kit_open(&k, 0);
    uint64_t used = kit_used(&k);
    kit_add_key(&k, &second);
    assert_true(second != k.key && kit_used(&k) > used);
    kit_ok(libweir_key_unload(k.e, second, &error), &error);
    assert_int_equal(kit_used(&k), used);
    kit_submit(&k, &j, 1, true, NULL);
    kit_fails(libweir_key_unload(k.e, k.key, &error), &error, LIBWEIR_E_BUSY, "1 job");
    atomic_store(&k.go, true);
    assert_int_equal(kit_end(&k, j.id).state, LIBWEIR_DONE);
    kit_ok(libweir_key_unload(k.e, k.key, &error), &error);
    assert_int_equal(kit_used(&k), 0);
    assert_true(kit_accepted(&k, &j)); /* the proof is the job's */
    kit_fails(libweir_submit_porep(k.e, &id, k.key, "{}", 2, NULL, &error), &error, LIBWEIR_E_USAGE,
              "no key");
    kit_job_clear(&j);
    kit_close(&k);
}

/* ---- figures */

static void test_figures(void **state)
{
    (void)state;
    kit k;
    kit_job j;
    libweir_error error;
    libweir_device_report d;
    char path[] = "/tmp/weir-test-api-XXXXXX", head[8];
    kit_open(&k, 1 << 30);
    kit_submit(&k, &j, 1, false, NULL);
    assert_int_equal(kit_end(&k, j.id).state, LIBWEIR_DONE);
    libweir_device_report_init(&d);
    assert_int_equal(libweir_devices(k.e), 1);
    kit_ok(libweir_device(k.e, &d, 0, &error), &error);
    assert_string_equal(d.name, "CPU");
    assert_true(d.in_service == 1 && d.aside == 0 && d.runs == 1 && d.failures == 0);
    kit_fails(libweir_device(k.e, &d, 1, &error), &error, LIBWEIR_E_USAGE, "device 1");
    libweir_memory_report m;
    libweir_memory_report_init(&m);
    kit_ok(libweir_memory(k.e, &m, &error), &error);
    assert_true(m.limit_bytes == 1 << 30 && m.most_bytes > m.used_bytes);
    close(mkstemp(path));
    kit_ok(libweir_trace_save(k.e, path, &error), &error);
    FILE *f = fopen(path, "rb");
    assert_int_equal(fread(head, 1, sizeof head, f), sizeof head);
    assert_memory_equal(head, "weirtrce", sizeof head);
    fclose(f);
    unlink(path);
    kit_fails(libweir_trace_save(k.e, "/nowhere/trace", &error), &error, LIBWEIR_E_IO, "/nowhere");
    kit_fails(libweir_trace_save(k.e, NULL, &error), &error, LIBWEIR_E_USAGE, "path");
    kit_job_clear(&j);
    kit_close(&k);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version), cmocka_unit_test(test_options),
        cmocka_unit_test(test_no_gpu),  cmocka_unit_test(test_other_versions),
        cmocka_unit_test(test_keys),    cmocka_unit_test(test_unload),
        cmocka_unit_test(test_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
