/* Entries in bucket order: every digit that is not zero is there once, in its bucket, in the order of the points. */
#include "base/alloc.h"
#include "msm/msm_sort.h"
#include "testkit.h"

#include <stdlib.h>

typedef struct sorted {
    weir_msm_plan p;
    weir_msm_recode recode;
    const weir_scalar *k;
    unsigned first, count;
    size_t entries;
    const uint32_t *index, *starts;
} sorted;

static void check_bucket(const sorted *s, size_t id)
{
    const unsigned window = s->first + (unsigned)(id / s->p.buckets);
    uint32_t last = 0;
    assert_true(s->starts[id] <= s->starts[id + 1]);
    for (uint32_t e = s->starts[id]; e < s->starts[id + 1]; e++) {
        const uint32_t point = s->index[e] & INT32_MAX, sign = s->index[e] >> WEIR_MSM_SIGN_SHIFT;
        weir_msm_recoded r;
        assert_true(point < s->p.n && (e == s->starts[id] || point > last));
        last = point;
        weir_msm_recode_scalar(&r, &s->recode, &s->k[point]);
        assert_int_equal(weir_msm_digit(&r, &s->recode, window),
                         (id % s->p.buckets + 1) << 1 | sign);
    }
}

static size_t digits_not_zero(const sorted *s)
{
    size_t digits = 0;
    for (size_t i = 0; i < s->p.n; i++) {
        weir_msm_recoded r;
        weir_msm_recode_scalar(&r, &s->recode, &s->k[i]);
        for (unsigned w = 0; w < s->count; w++)
            digits += weir_msm_digit(&r, &s->recode, s->first + w) != 0;
    }
    return digits;
}

static void check(const weir_scalar *k, size_t n, unsigned window, unsigned threads)
{
    const weir_exec x = {.pool = threads == 1 ? NULL : tk_pool(threads), .isa = weir_isa_best()};
    weir_msm_stop stop = {.x = &x};
    sorted s = {.k = k};
    weir_msm_plan_make(&s.p, n, threads, &weir_msm_sizes_g1, window);
    weir_msm_recode_init(&s.recode, window);
    unsigned char *scratch = weir_big_alloc(s.p.total_bytes, 1);
    assert_non_null(scratch);
    s.index = (const uint32_t *)(void *)(scratch + s.p.index);
    s.starts = (const uint32_t *)(void *)(scratch + s.p.starts);
    for (; s.first < s.p.windows; s.first += s.p.group) {
        s.count = s.p.windows - s.first < s.p.group ? s.p.windows - s.first : s.p.group;
        s.entries = weir_msm_sort(&s.p, scratch, &s.recode, k, s.first, s.count, &stop);
        const size_t ids = s.count * s.p.buckets;
        assert_int_equal(s.starts[0], 0);
        assert_int_equal(s.starts[ids], s.entries);
        assert_int_equal(s.entries, digits_not_zero(&s));
        for (size_t id = 0; id < ids; id++) check_bucket(&s, id);
    }
    weir_big_free(scratch, s.p.total_bytes, 1);
}

static void check_all(const weir_scalar *k, size_t n)
{
    static const unsigned windows[] = {2, 9, 10, 17};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        check(k, n, windows[i], 1);
        check(k, n, windows[i], 3);
    }
}

static void test_random(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 7, 255, 256, 257, 5000};
    weir_scalar k[5000];
    tk_rng g = tk_rng_new();
    for (size_t i = 0; i < 5000; i++) tk_scalar(&g, &k[i]);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) check_all(k, sizes[i]);
}

/* Parts of several pieces: most digits are equal. */
static void test_long_parts(void **state)
{
    (void)state;
    const size_t n = 3 * WEIR_MSM_SORT_PIECE;
    weir_scalar *k = malloc(n * sizeof *k), equal;
    tk_rng g = tk_rng_new();
    tk_scalar(&g, &equal);
    for (size_t i = 0; i < n; i++)
        if (i % 8)
            k[i] = equal;
        else
            tk_scalar(&g, &k[i]);
    check(k, n, 12, 1);
    check(k, n, 12, 3);
    for (size_t i = 0; i < n; i++) k[i] = equal;
    check(k, n, 12, 3); /* pieces end with the part */
    free(k);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_long_parts),
    };
    tk_init(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
