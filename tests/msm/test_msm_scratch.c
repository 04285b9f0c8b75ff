/* The memory that a dense sum takes is the memory that it stated; no memory is an error, not a crash. The linker
 * puts the functions below in place of base/alloc.h's. */
#include "base/alloc.h"
#include "curve/curve.h"
#include "msm/msm.h"
#include "msm/msm_internal.h"
#include "testkit.h"

#include <stdlib.h>
#include <string.h>

void *__real_weir_big_alloc(size_t n, size_t size);
void __real_weir_big_free(void *p, size_t n, size_t size);
void *__real_weir_scratch_alloc(size_t bytes);
void __real_weir_scratch_free(void *p, size_t bytes);
void *__real_weir_malloc(size_t n, size_t size);
void *__real_weir_calloc(size_t n, size_t size);
void *__wrap_weir_big_alloc(size_t n, size_t size);
void __wrap_weir_big_free(void *p, size_t n, size_t size);
void *__wrap_weir_scratch_alloc(size_t bytes);
void __wrap_weir_scratch_free(void *p, size_t bytes);
void *__wrap_weir_malloc(size_t n, size_t size);
void *__wrap_weir_calloc(size_t n, size_t size);

static struct {
    uint64_t live, peak, requests, small;
} seen;

static void *took(void *p, size_t bytes)
{
    seen.requests++;
    if (p) seen.live += bytes;
    if (seen.live > seen.peak) seen.peak = seen.live;
    return p;
}

void *__wrap_weir_big_alloc(size_t n, size_t size)
{
    return took(__real_weir_big_alloc(n, size), n * size);
}

void __wrap_weir_big_free(void *p, size_t n, size_t size)
{
    if (p) seen.live -= n * size;
    __real_weir_big_free(p, n, size);
}

void *__wrap_weir_scratch_alloc(size_t bytes)
{
    return took(__real_weir_scratch_alloc(bytes), bytes);
}

void __wrap_weir_scratch_free(void *p, size_t bytes)
{
    if (p) seen.live -= bytes;
    __real_weir_scratch_free(p, bytes);
}

void *__wrap_weir_malloc(size_t n, size_t size)
{
    seen.small++;
    return __real_weir_malloc(n, size);
}

void *__wrap_weir_calloc(size_t n, size_t size)
{
    seen.small++;
    return __real_weir_calloc(n, size);
}

enum { N = 20000 };

typedef struct inputs {
    weir_g1_affine *g1;
    weir_g2_affine *g2;
    weir_scalar *k;
} inputs;

static inputs make_inputs(void)
{
    inputs in = {malloc(N * sizeof *in.g1), malloc(N * sizeof *in.g2), malloc(N * sizeof *in.k)};
    tk_rng g = tk_rng_new();
    for (size_t i = 0; i < N; i++) {
        in.g1[i] = *weir_g1_generator();
        in.g2[i] = *weir_g2_generator();
        tk_scalar(&g, &in.k[i]);
    }
    return in;
}

static void free_inputs(inputs *in)
{
    free(in->g1);
    free(in->g2);
    free(in->k);
}

static void test_takes_what_it_states(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 7, 8, 9, 100, 1000, 4097, N};
    inputs in = make_inputs();
    weir_errinfo ei = {0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned threads = 1; threads <= 3; threads++) {
            weir_exec x = {.pool = threads == 1 ? NULL : tk_pool(threads), .isa = weir_isa_best()};
            weir_g1 s1;
            weir_g2 s2;
            memset(&seen, 0, sizeof seen);
            assert_int_equal(weir_msm_g1(&s1, in.g1, in.k, sizes[i], &x, &ei), WEIR_OK);
            assert_int_equal(seen.peak, weir_msm_g1_scratch_bytes(sizes[i], &x));
            assert_true(seen.live == 0 && seen.small == 0 && seen.requests <= 1);
            memset(&seen, 0, sizeof seen);
            assert_int_equal(weir_msm_g2(&s2, in.g2, in.k, sizes[i], &x, &ei), WEIR_OK);
            assert_int_equal(seen.peak, weir_msm_g2_scratch_bytes(sizes[i], &x));
            assert_true(seen.live == 0 && seen.small == 0 && seen.requests <= 1);
        }
    free_inputs(&in);
}

/* Grows with n, but for large n by little more than the digits and indices of one window. */
static void test_statement_is_bounded(void **state)
{
    (void)state;
    weir_exec x = {.isa = weir_isa_best()};
    uint64_t before = 0;
    for (unsigned log2 = 3; log2 <= 27; log2++) {
        uint64_t bytes = weir_msm_g1_scratch_bytes((size_t)1 << log2, &x);
        assert_true(bytes > before / 2);
        if (log2 >= 16) assert_true(bytes < ((uint64_t)192 << 20) + ((uint64_t)10 << log2));
        before = bytes;
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    inputs in = make_inputs();
    weir_exec x = {.isa = weir_isa_best()};
    weir_errinfo ei = {0};
    weir_g1 s1;
    weir_g2 s2;
    weir_fixed_g1 *t1;
    weir_fixed_g2 *t2;
    memset(&seen, 0, sizeof seen);
    weir_alloc_fail_nth(1, 0);
    assert_int_equal(weir_msm_g1(&s1, in.g1, in.k, 100, &x, &ei), WEIR_E_NOMEM);
    weir_alloc_fail_nth(1, 0);
    assert_int_equal(weir_msm_g2(&s2, in.g2, in.k, 100, &x, &ei), WEIR_E_NOMEM);
    weir_alloc_fail_nth(1, 0);
    assert_int_equal(weir_sum_bits_g1(&s1, in.g1, in.k->l, 100, &x, &ei), WEIR_E_NOMEM);
    weir_alloc_fail_nth(1, 0);
    assert_int_equal(weir_sum_bits_g2(&s2, in.g2, in.k->l, 100, &x, &ei), WEIR_E_NOMEM);
    for (uint64_t nth = 1; nth <= 3; nth++) {
        weir_alloc_fail_nth(nth, 0);
        assert_int_equal(weir_fixed_g1_new(&t1, in.g1, 100, &x, &ei), WEIR_E_NOMEM);
        assert_null(t1);
        weir_alloc_fail_nth(nth, 0);
        assert_int_equal(weir_fixed_g2_new(&t2, in.g2, 100, &x, &ei), WEIR_E_NOMEM);
        assert_null(t2);
    }
    weir_alloc_fail_nth(0, 0);
    assert_int_equal(weir_fixed_g1_new(&t1, in.g1, 100, &x, &ei), WEIR_OK);
    assert_int_equal(weir_fixed_g2_new(&t2, in.g2, 100, &x, &ei), WEIR_OK);
    weir_alloc_fail_nth(1, 0);
    assert_int_equal(weir_fixed_g1_mul(t1, in.g1, in.k, 100, &x, &ei), WEIR_E_NOMEM);
    weir_alloc_fail_nth(1, 0);
    assert_int_equal(weir_fixed_g2_mul(t2, in.g2, in.k, 100, &x, &ei), WEIR_E_NOMEM);
    weir_alloc_fail_nth(0, 0);
    weir_fixed_g1_free(t1);
    weir_fixed_g2_free(t2);
    assert_int_equal(seen.live, 0);
    free_inputs(&in);
}

static void test_too_many_points(void **state)
{
    (void)state;
    weir_exec x = {.isa = weir_isa_best()};
    weir_errinfo ei = {0};
    weir_g1 s1;
    weir_scalar k = {{1}};
    assert_int_equal(weir_msm_g1(&s1, weir_g1_generator(), &k, (size_t)1 << 31, &x, &ei),
                     WEIR_E_RANGE);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_takes_what_it_states),
        cmocka_unit_test(test_statement_is_bounded),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_too_many_points),
    };
    tk_init(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
