/* From .params to a native key: the same points, everything wrong refused, and nothing left behind. */
#include "base/alloc.h"
#include "formats/key_import.h"
#include "formats/native_layout.h"
#include "formats/published_keys.h"
#include "formats_common.h"
#include "hash/blake2b.h"
#include "native_kit.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

typedef struct import {
    weir_key_import job;
    weir_params *params;
    weir_point_check check;
    weir_exec x;
    uint8_t source[WEIR_SOURCE_DIGEST_BYTES];
} import;

static void import_init(import *im, const weir_relation *rel, const weir_exec *x)
{
    weir_errinfo ei = {0};
    memset(im, 0, sizeof *im);
    im->x = *x;
    weir_point_check_cpu(&im->check, &im->x);
    if (weir_params_open(&im->params, native_params_name(), &ei) != WEIR_OK)
        fail_msg("%s", ei.text);
    im->job = (weir_key_import){.params = im->params,
                                .rel = rel,
                                .circuit = "test-circuit",
                                .out_path = native_name(),
                                .check = &im->check};
}

static weir_err import_run(import *im, weir_errinfo *ei)
{
    weir_err err = weir_key_import_run(im->source, &im->job, &im->x, ei);
    weir_params_close(im->params);
    return err;
}

static weir_err import_all(const weir_relation *rel, weir_errinfo *ei)
{
import im;
    const weir_exec x = {.isa = weir_isa_best(), .pool = tk_pool(2)};
    import_init(&im, rel, &x);
    return import_run(&im, ei);
}

static void the_same_key(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    unsigned i = 0;
    for (weir_isa isa = 0; tk_next_path(&isa); isa++)
        for (unsigned threads = 1; threads < 4; threads++, i++) {
            const weir_exec x = {.isa = isa, .pool = threads > 1 ? tk_pool(threads) : NULL};
            native_case c;
import im;
            weir_errinfo ei = {0};
            weir_key_points points;
            uint8_t want[WEIR_SOURCE_DIGEST_BYTES];
            size_t n, m, params_bytes;
            native_case_init(&c, &g, 1 + i % 3);
            native_write_params(&c);
            uint8_t *params = native_bytes(native_params_name(), &params_bytes);
            weir_blake2b(want, sizeof want, params, params_bytes, NULL, 0);
            free(params);
            import_init(&im, c.rel, &x);
            im.job.digest = want;
            im.job.digest_bytes = threads == 1 ? 16 : 64;
            if (import_run(&im, &ei) != WEIR_OK) fail_msg("%s", ei.text);
            assert_memory_equal(im.source, want, sizeof want);
            weir_native_key *k = native_open(c.rel);
            weir_native_key_points(&points, k);
            native_compare(&points, c.rel, &c.mem, &g);
            assert_int_equal(weir_native_key_header(k)->source_bytes, params_bytes);
            assert_memory_equal(weir_native_key_header(k)->source, want, sizeof want);
            weir_native_key_close(k);
            /* all but the header is what a key maker would have written */
            uint8_t *a = native_bytes(native_name(), &n);
            assert_int_equal(native_write(&c, 1000, &ei), WEIR_OK);
            uint8_t *b = native_bytes(native_name(), &m);
            assert_int_equal(n, m);
            assert_memory_equal(a + WEIR_NATIVE_PAGE, b + WEIR_NATIVE_PAGE, n - WEIR_NATIVE_PAGE);
            free(a);
            free(b);
            native_case_clear(&c);
            native_clean();
        }
}

/* ---- refused */

static void wrong_digest(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    const weir_exec x = {.isa = weir_isa_best()};
    native_case c;
import im;
    weir_errinfo ei = {0};
    uint8_t wrong[WEIR_SOURCE_DIGEST_BYTES];
    native_case_init(&c, &g, 3);
    native_write_params(&c);
    assert_int_equal(import_all(c.rel, &ei), WEIR_OK);
    size_t n, m;
    uint8_t *old = native_bytes(native_name(), &n);
    weir_native_key *k = native_open(c.rel);
    memcpy(wrong, weir_native_key_header(k)->source, sizeof wrong);
    weir_native_key_close(k);
    wrong[15] ^= 1;
    for (int i = 0; i < 2; i++) { /* with and without a file that is there */
        import_init(&im, c.rel, &x);
        im.job.digest = wrong;
        im.job.digest_bytes = 16;
        assert_int_equal(import_run(&im, &ei), WEIR_E_MISMATCH);
        assert_non_null(strstr(ei.text, native_params_name()));
        assert_non_null(strstr(ei.text, "its digest is "));
        assert_int_equal(im.source[15] ^ 1, wrong[15]);
        assert_int_equal(native_files(), 1 - i);
        if (i == 0) {
            uint8_t *now = native_bytes(native_name(), &m);
            assert_int_equal(m, n);
            assert_memory_equal(now, old, n);
            free(now);
            unlink(native_name());
        }
    }
    free(old);
    native_case_clear(&c);
    native_clean();
}

static void bad_points(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    native_case c;
    size_t n, vk;
    static const struct {
        weir_err err;
        uint8_t first, last; /* put over the first byte, added to the last */
    } damage[] = {{WEIR_E_NOT_ON_CURVE, 0, 1},
                  {WEIR_E_ENCODING, 0x80, 0},
                  {WEIR_E_ENCODING, 0x1f, 0},
                  {WEIR_E_INFINITY, 0x40, 0}};
    native_case_init(&c, &g, 3);
    uint8_t *bytes = tk_mem_key_params(&c.mem, &n, &vk);
    native_write_params(&c);
    for (int s = 0; s < WEIR_KEY_SECTIONS; s++)
        for (unsigned d = 0; d < 4; d++) {
            weir_params *p;
            weir_errinfo ei = {0};
            size_t each = s == WEIR_KEY_B_G2 ? 192 : 96;
            assert_int_equal(weir_params_open_memory(&p, bytes, n, "x", &ei), WEIR_OK);
            uint64_t count = p->section[s].count, offset = p->section[s].offset;
            weir_params_close(p);
            if (count == 0) continue;
            uint64_t i = tk_below(&g, count), at = offset + i * each;
            uint8_t *bad = malloc(n);
            memcpy(bad, bytes, n);
            if (damage[d].first) bad[at] = damage[d].first;
            if (damage[d].err == WEIR_E_INFINITY) memset(bad + at + 1, 0, each - 1);
            bad[at + each - 1] ^= damage[d].last;
            native_put(native_params_name(), bad, n);
            free(bad);
            weir_err err = import_all(c.rel, &ei);
            char place[100];
            snprintf(place, sizeof place, "%s: byte %" PRIu64 ", section %s, point %" PRIu64 ": ",
                     native_params_name(), at, weir_key_section_names[s], i);
            if (err != damage[d].err || strncmp(ei.text, place, strlen(place)) != 0)
                fail_msg("%s: %s", weir_err_name(err), ei.text);
            assert_int_equal(native_files(), 0);
        }
    free(bytes);
    native_case_clear(&c);
    native_clean();
}

/* A point of the curve that is not in the subgroup, in place of one of l. */
static void outside_the_subgroup(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    native_case c;
    weir_errinfo ei = {0};
    weir_g1_affine *victim;
    native_case_init(&c, &g, 3);
    victim = &c.mem.g1[WEIR_KEY_L][c.mem.count[WEIR_KEY_L] - 1];
    for (uint8_t x = 1; x < 100; x++) {
        uint8_t bytes[48] = {0x80};
        bytes[47] = x;
        if (ops->g1_decompress(victim, bytes, 0) == WEIR_OK && !ops->g1_in_subgroup(victim)) break;
    }
    native_write_params(&c);
    assert_int_equal(import_all(c.rel, &ei), WEIR_E_NOT_IN_SUBGROUP);
    assert_non_null(strstr(ei.text, "section l, point "));
    assert_int_equal(native_files(), 0);
    native_case_clear(&c);
    native_clean();
}

static void another_circuit(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    const weir_exec x = {.isa = weir_isa_best()};
    native_case c, other;
import im;
    weir_errinfo ei = {0};
    native_case_init(&c, &g, 3);
    native_case_init(&other, &g, 2);
    native_write_params(&c);
    import_init(&im, other.rel, &x);
    im.job.out_path = "no/such/folder/x"; /* it does not come to that */
    assert_int_equal(import_run(&im, &ei), WEIR_E_MISMATCH);
    assert_non_null(strstr(ei.text, "another circuit"));
    import_init(&im, c.rel, &x);
    im.job.out_path = "no/such/folder/x";
    assert_int_equal(import_run(&im, &ei), WEIR_E_IO);
    native_case_clear(&c);
    native_case_clear(&other);
    native_clean();
}

/* Between its opening and its reading. */
static void changed_meanwhile(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    const weir_exec x = {.isa = weir_isa_best()};
    native_case c;
    size_t n, vk;
    native_case_init(&c, &g, 3);
    uint8_t *bytes = tk_mem_key_params(&c.mem, &n, &vk);
    const size_t at[] = {0, vk - 1, vk + 3};
    for (int i = 0; i < 4; i++) {
import im;
        weir_errinfo ei = {0};
        native_write_params(&c);
        import_init(&im, c.rel, &x);
        uint8_t *other = malloc(n);
        memcpy(other, bytes, n);
        if (i < 3) other[at[i]] ^= 1;
        unlink(native_params_name()); /* what is mapped stays */
        native_put(native_params_name(), other, i < 3 ? n : n - 1);
        free(other);
        assert_int_equal(import_run(&im, &ei), WEIR_E_MISMATCH);
        assert_non_null(strstr(ei.text, "changed while it was read"));
        assert_int_equal(native_files(), 0);
    }
    free(bytes);
    native_case_clear(&c);
    native_clean();
}

/* ---- stopped */

typedef struct stopper {
    volatile int cancel;
    int after, calls;
    uint64_t done, total;
} stopper;

static void stop_after(void *ctx, const char *stage, uint64_t done, uint64_t total)
{
    stopper *s = ctx;
    assert_string_equal(stage, "points");
    assert_true(done > s->done && done <= total);
    s->done = done;
    s->total = total;
    if (++s->calls == s->after) s->cancel = 1;
}

static void cancelled(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    native_case c;
    native_case_init(&c, &g, 3);
    native_write_params(&c);
    for (int after = 1; after <= 7; after++) {
        stopper s = {.after = after};
        const weir_watch watch = {.progress = stop_after, .ctx = &s, .cancel = &s.cancel};
        const weir_exec x = {.isa = weir_isa_best(), .watch = &watch};
import im;
        weir_errinfo ei = {0};
        import_init(&im, c.rel, &x);
        uint64_t bytes = im.params->size_bytes;
        weir_err err = import_run(&im, &ei);
        /* the verifying key and five sections: six pieces, and after the last nothing is left to stop */
        assert_int_equal(err, after < 6 ? WEIR_E_CANCELLED : WEIR_OK);
        if (err == WEIR_OK) assert_int_equal(s.done, bytes);
        assert_int_equal(native_files(), err == WEIR_OK);
        unlink(native_name());
    }
    native_case_clear(&c);
    native_clean();
}

static weir_err broken_check(void *ctx, const weir_g1_affine *points, size_t n, size_t *bad,
                             weir_errinfo *ei)
{
    (void)ctx, (void)points, (void)n, (void)bad;
    return weir_fail(ei, WEIR_E_DEVICE, "the device is gone");
}

static void check_fails(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    const weir_exec x = {.isa = weir_isa_best()};
    native_case c;
import im;
    weir_errinfo ei = {0};
    native_case_init(&c, &g, 1);
    native_write_params(&c);
    import_init(&im, c.rel, &x);
    im.check.g1 = broken_check;
    assert_int_equal(import_run(&im, &ei), WEIR_E_DEVICE);
    assert_string_equal(ei.text, "the device is gone");
    assert_int_equal(native_files(), 0);
    for (uint64_t nth = 1;; nth++) {
        import_init(&im, c.rel, &x);
        weir_alloc_fail_nth(nth, 0);
        weir_err err = import_run(&im, &ei);
        weir_alloc_fail_nth(0, 0);
        if (err == WEIR_OK) break;
        assert_int_equal(err, WEIR_E_NOMEM);
        assert_int_equal(native_files(), 0);
    }
    native_case_clear(&c);
    native_clean();
}

/* From the first check on no byte beyond the first page can be written. */
static weir_err full_disk(void *ctx, const weir_g1_affine *points, size_t n, size_t *bad,
                          weir_errinfo *ei)
{
    const struct rlimit *limit = ctx;
    (void)points, (void)n, (void)bad, (void)ei;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, limit), 0);
    return WEIR_OK;
}

/* The thread that writes fails: the import does, and leaves nothing. */
static void cannot_be_written(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    const weir_exec x = {.isa = weir_isa_best()};
    struct rlimit before, small;
    native_case c;
import im;
    weir_errinfo ei = {0};
    native_case_init(&c, &g, 2);
    native_write_params(&c);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = WEIR_NATIVE_PAGE;
    signal(SIGXFSZ, SIG_IGN);
    import_init(&im, c.rel, &x);
    im.check = (weir_point_check){.ctx = &small, .g1 = full_disk, .g2 = im.check.g2};
    weir_err err = import_run(&im, &ei);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(err, WEIR_E_IO);
    assert_non_null(strstr(ei.text, native_name()));
    assert_int_equal(native_files(), 0);
    native_case_clear(&c);
    native_clean();
}

/* Killed after a random time: there is no file, or the whole file. */
static void killed(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    native_case c;
    weir_errinfo ei = {0};
    unsigned none = 0;
    native_case_init(&c, &g, 3);
    native_write_params(&c);
    for (int i = 0; i < 25; i++) {
        int status;
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
import im;
            const weir_exec x = {.isa = weir_isa_best()};
            import_init(&im, c.rel, &x);
            _exit(import_run(&im, NULL) == WEIR_OK ? 0 : 1);
        }
        const struct timespec wait = {.tv_nsec = (long)tk_below(&g, 40000000)};
        nanosleep(&wait, NULL);
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        if (access(native_name(), F_OK) != 0)
            none++;
        else if (native_try(c.rel, &ei) != WEIR_OK)
            fail_msg("%s", ei.text);
        native_write_params(&c);
        unlink(native_name());
    }
    print_message("%u of 25 without a file\n", none);
    native_case_clear(&c);
    native_clean();
}

static void published(void **state)
{
    (void)state;
    json_t *all = tk_json("parameters.json");
    const char *name;
    json_t *entry;
    unsigned n = 0;
    json_object_foreach(all, name, entry)
    {
        char stem[256];
        uint8_t digest[WEIR_PUBLISHED_DIGEST_BYTES];
        const char *end = strstr(name, ".params");
        if (!end) continue;
        snprintf(stem, sizeof stem, "%.*s", (int)(end - name), name);
        tk_hex_bytes(tk_str(entry, "digest"), digest, sizeof digest);
        const weir_published_key *k = weir_published_by_name(stem);
        assert_non_null(k);
        assert_memory_equal(k->digest, digest, sizeof digest);
        assert_int_equal(k->sector_bytes, json_integer_value(tk_get(entry, "sector_size")));
        assert_ptr_equal(weir_published_by_digest(digest), k);
        n++;
    }
    assert_int_equal(n, 22);
    assert_null(weir_published_by_name("x"));
    assert_null(weir_published_by_digest((const uint8_t *)"0123456789abcdef"));
    json_decref(all);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_key),    cmocka_unit_test(wrong_digest),
        cmocka_unit_test(bad_points),      cmocka_unit_test(outside_the_subgroup),
        cmocka_unit_test(another_circuit), cmocka_unit_test(changed_meanwhile),
        cmocka_unit_test(cancelled),       cmocka_unit_test(check_fails),
        cmocka_unit_test(cannot_be_written),
        cmocka_unit_test(killed),          cmocka_unit_test(published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
