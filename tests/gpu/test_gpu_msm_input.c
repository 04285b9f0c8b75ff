/* The inputs of gpu_msm_check: the points' kernel run on the host, and closed forms of sums over them, against src/msm. */
#include "msm_host.h"
#include "msm_input.h"
#include "testkit.h"

#include <stdlib.h>
#include <string.h>

WEIR_HOST_RUN(run_dg1_points, dg1_points)
WEIR_HOST_RUN(run_dg2_points, dg2_points)

enum { N = 40001, LOW = 1 << MSM_INPUT_LOG, HIGH = (N >> MSM_INPUT_LOG) + 1 };

static void make_points(const host_form *f, bool g2, unsigned char *points)
{
    enum { EACH = MSM_INPUT_THREADS * BATCH_INV_EACH, BLOCKS = (N + EACH - 1) / EACH };
    size_t bytes = g2 ? sizeof(weir_g2_affine) : sizeof(weir_g1_affine);
    unsigned char *low = aligned_alloc(16, LOW * bytes), *high = aligned_alloc(16, HIGH * bytes);
    void *shared = aligned_alloc(16, sizeof(dg2_points_shared));
    void *own = aligned_alloc(16, MSM_INPUT_THREADS * sizeof(dg2_points_own));
    uint32_t order[MSM_INPUT_THREADS];
    weir_errinfo ei = {0};
    assert_true(low && high && shared && own);
    assert_int_equal(host_form_table(f, g2, true, low, LOW, &ei), WEIR_OK);
    assert_int_equal(host_form_table(f, g2, false, high, HIGH, &ei), WEIR_OK);
    for (uint32_t i = 0; i < MSM_INPUT_THREADS; i++) order[i] = i ^ 21;
    const msm_input_args a = {points, low, high, N};
    if (g2)
        run_dg2_points(&a, shared, own, BLOCKS, MSM_INPUT_THREADS, order);
    else
        run_dg1_points(&a, shared, own, BLOCKS, MSM_INPUT_THREADS, order);
    free(own);
    free(shared);
    free(high);
    free(low);
}

/* In two steps, as sums of growing length are made. */
static void check_scalars(const host_form *f, bool g2, const void *points, int kind, uint64_t seed)
{
    host_sums s = {{{0}}, {{0}}, {{0}}, 0};
    weir_g2_affine want = {{{{0}}, {{0}}}, {{{0}}, {{0}}}}, got = want;
    weir_errinfo ei = {0};
    weir_scalar *k = calloc(N, sizeof *k);
    assert_non_null(k);
    for (uint64_t i = 0; i < N; i++) msm_input_scalar((uint32_t *)(void *)k[i].l, kind, seed, i);
    host_sums_scalars(&s, kind, seed, N / 3);
    host_sums_scalars(&s, kind, seed, N);
    host_form_sum(f, g2, &got, &s);
    assert_int_equal(host_msm(g2, &want, points, k, N, &ei), WEIR_OK);
    assert_memory_equal(&got, &want, sizeof want);
    free(k);
}

static void check_bits(const host_form *f, bool g2, const void *points, uint64_t seed)
{
    host_sums s = {{{0}}, {{0}}, {{0}}, 0};
    weir_g2_affine want = {{{{0}}, {{0}}}, {{{0}}, {{0}}}}, got = want;
    weir_errinfo ei = {0};
    uint64_t bits[N / 64 + 1];
    for (uint64_t i = 0; i <= N / 64; i++) bits[i] = msm_input_hash(seed, i);
    host_sums_bits(&s, seed, N);
    host_form_sum(f, g2, &got, &s);
    assert_int_equal(host_sum_bits(g2, &want, points, bits, N, &ei), WEIR_OK);
    assert_memory_equal(&got, &want, sizeof want);
}

static void test_closed_form(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (int g2 = 0; g2 < 2; g2++) {
        host_form f;
        unsigned char *points = aligned_alloc(16, N * sizeof(weir_g2_affine));
        assert_non_null(points);
        host_form_init(&f, tk_u64(&g));
        make_points(&f, g2, points);
        for (int kind = MSM_INPUT_RANDOM; kind <= MSM_INPUT_SMALL; kind++)
            check_scalars(&f, g2, points, kind, tk_u64(&g));
        check_bits(&f, g2, points, tk_u64(&g));
        free(points);
    }
}

/* A sum of one window is itself; two windows are joined by c doublings; kinds of points and scalars are there. */
static void test_host(void **state)
{
    (void)state;
    enum { SMALL = 400 };
    weir_g1_affine *p = calloc(SMALL, sizeof *p), want, got;
    weir_scalar k[SMALL];
    weir_errinfo ei = {0};
    size_t infinite = 0, equal = 0;
    assert_non_null(p);
    assert_int_equal(host_points(false, p, SMALL, 5, NULL, &ei), WEIR_OK);
    for (int i = 0; i < SMALL; i++) {
        weir_g1_affine zero = {{{0}}, {{0}}};
        infinite += memcmp(&p[i], &zero, sizeof zero) == 0;
        equal += i > 0 && memcmp(&p[i].x, &p[i - 1].x, sizeof p[i].x) == 0;
    }
    assert_true(infinite > 0 && equal > 0);
    for (int kind = 0; kind < HOST_SCALAR_KINDS; kind++) host_scalars(k, SMALL, kind, 7);
    k[0] = (weir_scalar){{(1 << 5) + 1}};
    assert_int_equal(host_msm(false, &want, &p[9], k, 1, &ei), WEIR_OK);
    weir_g1 sums[2];
    for (int i = 0; i < 2; i++) {
        sums[i].x = p[9].x;
        sums[i].y = p[9].y;
        memset(&sums[i].z, 0, sizeof sums[i].z);
        const uint32_t one[WEIR_DFP_N] = WEIR_FP_ONE_32;
        memcpy(&sums[i].z, one, sizeof one);
    }
    host_join(false, &got, sums, 2, 5);
    assert_memory_equal(&got, &want, sizeof want);
    free(p);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_closed_form),
                                       cmocka_unit_test(test_host)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
