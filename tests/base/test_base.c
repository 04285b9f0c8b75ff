/* The small parts of base: errors, memory, random bytes, integers in bytes, clocks, instruction paths. */
#include "base/alloc.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/exec.h"
#include "base/fault.h"
#include "base/rng.h"
#include "testkit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- err */

typedef struct err_row {
    weir_err code;
    const char *name, *text;
    int exit_code;
} err_row;

static const err_row all[] = {
#define ROW(name, value, exit_code, text) {name, #name, text, exit_code},
    WEIR_ERR_LIST(ROW)
#undef ROW
};
enum { ALL = sizeof all / sizeof *all };

static void test_err_list(void **state)
{
    (void)state;
    for (size_t i = 0; i < ALL; i++) {
        assert_string_equal(weir_err_name(all[i].code), all[i].name);
        assert_string_equal(weir_err_text(all[i].code), all[i].text);
        assert_int_equal(weir_err_exit_code(all[i].code), all[i].exit_code);
        /* only success ends with 0, and 1 is the answer "no", not an error */
        assert_true((all[i].exit_code == WEIR_EXIT_OK) == (all[i].code == WEIR_OK));
        assert_int_not_equal(all[i].exit_code, WEIR_EXIT_NO);
        assert_true(all[i].code <= 0);
        for (size_t j = 0; j < i; j++) {
            assert_int_not_equal(all[i].code, all[j].code);
            assert_string_not_equal(all[i].text, all[j].text);
        }
    }
    assert_string_equal(weir_err_name((weir_err)-999), "WEIR_E_UNKNOWN");
    assert_string_equal(weir_err_text((weir_err)-999), "unknown error");
    assert_int_equal(weir_err_exit_code((weir_err)-999), WEIR_EXIT_INTERNAL);
}

/* The exit codes are part of the command's interface: written out here, so that a change is seen. */
static void test_exit_codes(void **state)
{
    (void)state;
    static const struct {
        weir_err err;
        int exit_code;
    } want[] = {
        {WEIR_OK, 0},          {WEIR_E_USAGE, 2},    {WEIR_E_UNSUPPORTED, 2}, {WEIR_E_TRUNCATED, 3},
        {WEIR_E_ENCODING, 3},  {WEIR_E_NOMEM, 4},    {WEIR_E_DEVICE, 5},      {WEIR_E_IO, 6},
        {WEIR_E_BAD_PROOF, 7}, {WEIR_E_INTERNAL, 7}, {WEIR_E_CANCELLED, 130},
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        assert_int_equal(weir_err_exit_code(want[i].err), want[i].exit_code);
}

static void test_fail_text(void **state)
{
    (void)state;
    weir_errinfo ei = {0};
    assert_int_equal(weir_fail(NULL, WEIR_E_RANGE, "%d", 1), WEIR_E_RANGE);
    assert_int_equal(weir_fail(&ei, WEIR_E_RANGE, "row %d of %s", 7, "x"), WEIR_E_RANGE);
    assert_int_equal(ei.code, WEIR_E_RANGE);
    assert_string_equal(ei.text, "row 7 of x");
    weir_errinfo_prefix(&ei, "file %s: ", "f");
    assert_string_equal(ei.text, "file f: row 7 of x");
    assert_int_equal(ei.code, WEIR_E_RANGE);
    weir_errinfo_prefix(NULL, "x");
    /* the old text as an argument of the new one */
    weir_fail(&ei, WEIR_E_IO, "partition 3: %s", ei.text);
    assert_string_equal(ei.text, "partition 3: file f: row 7 of x");
    assert_int_equal(ei.code, WEIR_E_IO);
}

static void test_fail_long_text(void **state)
{
    (void)state;
    struct {
        weir_errinfo ei;
        uint8_t guard[16];
    } s;
    char big[3 * sizeof s.ei.text];
    memset(big, 'x', sizeof big);
    big[sizeof big - 1] = 0;
    memset(&s, 0xee, sizeof s);
    s.ei = (weir_errinfo){0};
    weir_fail(&s.ei, WEIR_E_IO, "%s", big);
    assert_int_equal(strlen(s.ei.text), sizeof s.ei.text - 1);
    weir_errinfo_prefix(&s.ei, "front: ");
    assert_int_equal(strlen(s.ei.text), sizeof s.ei.text - 1);
    assert_memory_equal(s.ei.text, "front: xxx", 10);
    weir_errinfo_prefix(&s.ei, "%s", big + 1);
    assert_int_equal(strlen(s.ei.text), sizeof s.ei.text - 1);
    for (size_t i = 0; i < sizeof s.guard; i++) assert_int_equal(s.guard[i], 0xee);
}

static weir_err try_twice(int *steps, weir_err first)
{
    WEIR_TRY(first);
    ++*steps;
    weir_err err;
    WEIR_TRY_GOTO(WEIR_OK);
    ++*steps;
    WEIR_TRY_GOTO(WEIR_E_FORMAT);
    ++*steps;
out:
    return err;
}

static void test_try(void **state)
{
    (void)state;
    int steps = 0;
    assert_int_equal(try_twice(&steps, WEIR_E_IO), WEIR_E_IO);
    assert_int_equal(steps, 0);
    assert_int_equal(try_twice(&steps, WEIR_OK), WEIR_E_FORMAT);
    assert_int_equal(steps, 2);
}

/* ---- alloc */

/* Of some threads' faults the one of the lowest task. */
static void test_faults(void **state)
{
    (void)state;
    weir_fault f[3] = {{.task = 0}, {.task = 9}, {.task = 4}};
    weir_errinfo ei = {0};
    assert_int_equal(weir_fault_first(f, 3, &ei), WEIR_OK);
    f[1].err = weir_fail(&f[1].info, WEIR_E_RANGE, "nine");
    assert_int_equal(weir_fault_first(f, 3, &ei), WEIR_E_RANGE);
    f[2].err = weir_fail(&f[2].info, WEIR_E_FORMAT, "four");
    assert_int_equal(weir_fault_first(f, 3, &ei), WEIR_E_FORMAT);
    assert_string_equal(ei.text, "four");
    assert_int_equal(weir_fault_first(f, 2, &ei), WEIR_E_RANGE);
    assert_string_equal(ei.text, "nine");
}

static void test_alloc_overflow(void **state)
{
    (void)state;
    assert_null(weir_malloc(SIZE_MAX / 8 + 1, 8));
    assert_null(weir_calloc(SIZE_MAX / 8 + 1, 8));
    assert_null(weir_big_alloc(SIZE_MAX / 8 + 1, 8));
    char *p = weir_malloc(4, 1);
    assert_null(weir_realloc(p, SIZE_MAX / 2 + 1, 2));
    assert_null(weir_big_alloc(SIZE_MAX / 2, 1));
    weir_free(p);
    weir_free(NULL);
    weir_big_free(NULL, 5, 5);
}

static void test_alloc_works(void **state)
{
    (void)state;
    uint8_t *z = weir_calloc(1000, 3);
    for (size_t i = 0; i < 3000; i++) assert_int_equal(z[i], 0);
    z[0] = 9;
    z = weir_realloc(z, 100000, 1);
    assert_int_equal(z[0], 9);
    weir_free(z);
    void *none[] = {weir_malloc(0, 8), weir_calloc(8, 0), weir_realloc(NULL, 0, 0),
                    weir_big_alloc(0, 4)};
    for (size_t i = 0; i < 4; i++) assert_non_null(none[i]);
    for (size_t i = 0; i < 3; i++) weir_free(none[i]);
    weir_big_free(none[3], 0, 4);
    for (size_t n = 1; n < 10000000; n = n * 5 + 1) {
        uint8_t *b = weir_big_alloc(n, 2);
        assert_non_null(b);
        assert_int_equal((uintptr_t)b % (uintptr_t)sysconf(_SC_PAGESIZE), 0);
        assert_int_equal(b[0] | b[n] | b[2 * n - 1], 0);
        b[0] = b[2 * n - 1] = 1;
        weir_big_free(b, n, 2);
    }
    char *s = weir_strdup("hello");
    assert_string_equal(s, "hello");
    weir_wipe(s, 5);
    assert_memory_equal(s, "\0\0\0\0\0", 6);
    weir_free(s);
    assert_true(weir_peak_rss_bytes() > 1 << 20);
}

/* Pages of this process's address space. */
static long mapped_pages(void)
{
    char text[200] = "";
    int fd = open("/proc/self/statm", O_RDONLY);
    assert_true(fd >= 0);
    assert_true(read(fd, text, sizeof text - 1) > 0);
    close(fd);
    return strtol(text, NULL, 10);
}

/* At a huge page's boundary, and not a page more is mapped than was asked for. */
static void test_alloc_huge(void **state)
{
    (void)state;
    enum { N = 6 };
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), huge = WEIR_HUGE_PAGE_BYTES;
    const size_t bytes[N] = {huge - 1,        huge,        huge + 1, 3 * huge - page,
                             3 * huge + page, 7 * huge + 5};
    void *p[N];
    for (int i = 0; i < N; i++) {
        long before = mapped_pages();
        p[i] = weir_big_alloc(bytes[i], 1);
        assert_non_null(p[i]);
        assert_int_equal(mapped_pages() - before, (bytes[i] + page - 1) / page);
        if (bytes[i] >= huge) assert_int_equal((uintptr_t)p[i] % huge, 0);
        memset(p[i], 1, bytes[i]);
    }
    for (int i = 0; i < N; i++) {
        long before = mapped_pages();
        weir_big_free(p[i], bytes[i], 1);
        assert_int_equal(before - mapped_pages(), (bytes[i] + page - 1) / page);
    }
}

static void *request(unsigned kind)
{
    switch (kind % 5) {
    case 0:
        return weir_malloc(1, 1);
    case 1:
        return weir_calloc(1, 1);
    case 2:
        return weir_realloc(NULL, 1, 1);
    case 3:
        return weir_strdup("");
    }
    void *p = weir_big_alloc(1, 1);
    weir_big_free(p, 1, 1);
    return p ? weir_malloc(1, 1) : NULL;
}

static void test_alloc_faults(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 5; kind++) {
        for (unsigned nth = 1; nth < 4; nth++) {
            for (int keep = 0; keep < 2; keep++) {
                weir_alloc_fail_nth(nth, keep);
                for (unsigned i = 1; i < 8; i++) {
                    void *p = i < nth    ? weir_malloc(1, 1)
                              : i == nth ? request(kind)
                                         : weir_malloc(1, 1);
                    bool fails = keep ? i >= nth : i == nth;
                    assert_true(fails == (p == NULL));
                    weir_free(p);
                }
                weir_alloc_fail_nth(0, 0);
                void *p = weir_malloc(1, 1);
                assert_non_null(p);
                weir_free(p);
            }
        }
    }
}

static void other_thread_task(void *ctx, size_t task, unsigned worker)
{
    (void)task;
    void **got = ctx;
    if (worker == 0) {
        while (!__atomic_load_n(&got[1], __ATOMIC_ACQUIRE)) continue;
        return;
    }
    void *p = weir_malloc(1, 1);
    __atomic_store_n(&got[1], p ? p : (void *)got, __ATOMIC_RELEASE);
    got[0] = p;
}

/* A fault asked for on this thread does not reach a pool's thread. */
static void test_alloc_faults_per_thread(void **state)
{
    (void)state;
    weir_pool *pool = tk_pool(2);
    void *got[2] = {NULL, NULL};
    weir_alloc_fail_nth(1, 1);
    weir_pool_run(pool, 2, other_thread_task, got);
    weir_alloc_fail_nth(0, 0);
    assert_non_null(got[0]);
    weir_free(got[0]);
}

/* ---- rng */

static void test_rng(void **state)
{
    (void)state;
    enum { N = 5000 };
    static uint8_t a[N + 8], b[N + 8];
    weir_errinfo ei = {0};
    memset(a, 0x11, sizeof a);
    assert_int_equal(weir_rng_bytes(a, 0, &ei), WEIR_OK);
    assert_int_equal(a[0], 0x11);
    assert_int_equal(weir_rng_bytes(a, N, &ei), WEIR_OK);
    assert_int_equal(weir_rng_bytes(b, N, &ei), WEIR_OK);
    for (size_t i = N; i < N + 8; i++) assert_int_equal(a[i], 0x11);
    /* no block of 16 bytes is repeated or left as it was: by chance below 2^-100 */
    for (size_t i = 0; i + 16 <= N; i += 16) {
        assert_memory_not_equal(a + i, b + i, 16);
        if (i) assert_memory_not_equal(a + i, a + i - 16, 16);
    }
    /* the bits are balanced: 40000 fair coins stray 1200 from the half once in 10^32 */
    long ones = 0;
    for (size_t i = 0; i < N; i++) ones += __builtin_popcount(a[i]);
    assert_true(labs(ones - 4 * N) < 1200);
}

/* ---- bytes, clock, isa, exec */

static void test_bytes(void **state)
{
    (void)state;
    const uint8_t b[9] = {0xff, 1, 2, 3, 4, 5, 6, 7, 8};
    uint8_t o[9];
    assert_int_equal(weir_load_le16(b + 1), 0x0201);
    assert_int_equal(weir_load_le32(b + 1), 0x04030201);
    assert_int_equal(weir_load_be32(b + 1), 0x01020304);
    assert_true(weir_load_le64(b + 1) == 0x0807060504030201u);
    assert_true(weir_load_be64(b + 1) == 0x0102030405060708u);
    memset(o, 0xff, sizeof o);
    weir_store_le64(o + 1, 0x0807060504030201u);
    assert_memory_equal(o, b, 9);
    weir_store_be64(o + 1, 0x0102030405060708u);
    assert_memory_equal(o, b, 9);
    memset(o + 1, 0, 8);
    weir_store_be32(o + 1, 0x01020304);
    weir_store_le32(o + 5, 0x08070605);
    assert_memory_equal(o, b, 9);
    weir_store_le16(o + 1, 0xbbaa);
    assert_int_equal(o[1], 0xaa);
    assert_int_equal(o[2], 0xbb);
    assert_int_equal(o[3], 3);
}

/* The clocks are not read at one moment, and a system may count processor time in ticks. */
static void test_clock(void **state)
{
    (void)state;
    const uint64_t tick = 10000000;
    uint64_t t0 = weir_now_ns(), c0 = weir_cpu_ns(), h0 = weir_thread_cpu_ns(), cpu = 0, thread = 0;
    while (thread < 2 * tick && weir_now_ns() - t0 < 1000 * tick) {
        thread = weir_thread_cpu_ns() - h0;
        cpu = weir_cpu_ns() - c0;
    }
    uint64_t wall = weir_now_ns() - t0;
    assert_true(thread >= 2 * tick && cpu + tick >= thread);
    assert_true(thread <= wall + tick);
}

static void test_isa(void **state)
{
    (void)state;
    assert_true(weir_isa_supported(WEIR_ISA_PORTABLE));
    assert_false(weir_isa_supported(WEIR_ISA_COUNT));
    assert_true(weir_isa_supported(weir_isa_best()));
    assert_string_equal(weir_isa_name(WEIR_ISA_PORTABLE), "portable");
    assert_string_equal(weir_isa_name(WEIR_ISA_ADX), "adx");
    assert_string_equal(weir_isa_name(WEIR_ISA_IFMA), "ifma");
    if (weir_isa_supported(WEIR_ISA_IFMA)) assert_true(weir_isa_supported(WEIR_ISA_ADX));
    if (weir_isa_supported(WEIR_ISA_ADX)) assert_true(weir_cpu_has_bmi2());
    size_t paths = 0;
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) paths++;
    assert_true(paths >= 1 && paths <= WEIR_ISA_COUNT);
    char brand[49];
    memset(brand, 'x', sizeof brand);
    weir_cpu_brand(brand);
    assert_true(strlen(brand) < 49);
}

static void note(void *ctx, const char *stage, uint64_t done, uint64_t total)
{
    assert_string_equal(stage, "fill");
    *(uint64_t *)ctx = done * 100 + total;
}

static void test_exec(void **state)
{
    (void)state;
    uint64_t seen = 0;
    volatile int cancel = 0;
    weir_watch watch = {.progress = note, .ctx = &seen, .cancel = &cancel}, deaf = {0};
    weir_exec alone = {0}, watched = {.watch = &watch}, unheard = {.watch = &deaf};
    weir_exec_progress(&alone, "fill", 1, 2);
    weir_exec_progress(&unheard, "fill", 1, 2);
    assert_int_equal(seen, 0);
    weir_exec_progress(&watched, "fill", 3, 4);
    assert_int_equal(seen, 304);
    assert_false(weir_exec_cancelled(&watched));
    cancel = 1;
    assert_true(weir_exec_cancelled(&watched));
    assert_false(weir_exec_cancelled(&alone));
    assert_false(weir_exec_cancelled(&unheard));
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_err_list),
        cmocka_unit_test(test_exit_codes),
        cmocka_unit_test(test_fail_text),
        cmocka_unit_test(test_fail_long_text),
        cmocka_unit_test(test_try),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_alloc_overflow),
        cmocka_unit_test(test_alloc_works),
        cmocka_unit_test(test_alloc_huge),
        cmocka_unit_test(test_alloc_faults),
        cmocka_unit_test(test_alloc_faults_per_thread),
        cmocka_unit_test(test_rng),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_isa),
        cmocka_unit_test(test_exec),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
