#include "bench/sums.h"

#include "base/alloc.h"
#include "bench/rand.h"
#include "curve/curve.h"
#include "field/fr.h"
#include "msm/msm_internal.h"

#include <string.h>

static size_t words(size_t n)
{
    return n / 64 + 1;
}

uint64_t weir_bench_sum_bytes(bool g2, size_t n, const weir_exec *x)
{
    const uint64_t table = UINT64_C(128) << 20; /* of multiples, and its scratch */
    return n * (2 * sizeof(weir_scalar) + (g2 ? sizeof(weir_g2_affine) : sizeof(weir_g1_affine))) +
           (g2 ? weir_msm_g2_scratch_bytes(n, x) : weir_msm_g1_scratch_bytes(n, x)) + table;
}

/* ---- inputs */

static weir_err take_memory(weir_bench_sum *b, weir_errinfo *ei)
{
    b->k = weir_big_alloc(b->n, sizeof *b->k);
    b->s = weir_big_alloc(b->n, sizeof *b->s);
    b->bits = weir_big_alloc(words(b->n), sizeof *b->bits);
    if (b->g2)
        b->points2 = weir_big_alloc(b->n, sizeof *b->points2);
    else
        b->points1 = weir_big_alloc(b->n, sizeof *b->points1);
    if (b->k && b->s && b->bits && (b->points1 || b->points2)) return WEIR_OK;
    return weir_fail(ei, WEIR_E_NOMEM, "no memory for %zu points", b->n);
}

static weir_err make_table(weir_bench_sum *b, unsigned window, const weir_exec *x, weir_errinfo *ei)
{
    const weir_g1_affine *g1 = weir_g1_generator();
    const weir_g2_affine *g2 = weir_g2_generator();
    if (b->g2)
        return window ? weir_fixed_g2_new_window(&b->table2, g2, window, x, ei)
                      : weir_fixed_g2_new(&b->table2, g2, b->n, x, ei);
    return window ? weir_fixed_g1_new_window(&b->table1, g1, window, x, ei)
                  : weir_fixed_g1_new(&b->table1, g1, b->n, x, ei);
}

static weir_err make_points(weir_bench_sum *b, const weir_exec *x, weir_errinfo *ei)
{
    return b->g2 ? weir_fixed_g2_mul(b->table2, b->points2, b->k, b->n, x, ei)
                 : weir_fixed_g1_mul(b->table1, b->points1, b->k, b->n, x, ei);
}

static void drop_table(weir_bench_sum *b)
{
    weir_fixed_g1_free(b->table1);
    weir_fixed_g2_free(b->table2);
    b->table1 = NULL;
    b->table2 = NULL;
}

weir_err weir_bench_sum_init(weir_bench_sum *b, const weir_exec *x, weir_errinfo *ei)
{
    weir_bench_rand g = {1};
    WEIR_TRY(take_memory(b, ei));
    weir_bench_rand_scalars(&g, b->k, b->n);
    weir_bench_rand_scalars(&g, b->s, b->n);
    for (size_t i = 0; i < words(b->n); i++) b->bits[i] = weir_bench_rand_u64(&g);
    WEIR_TRY(make_table(b, b->kind == WEIR_BENCH_FIXED ? b->window : 0, x, ei));
    if (b->kind == WEIR_BENCH_FIXED) return WEIR_OK;
    WEIR_TRY(make_points(b, x, ei));
    drop_table(b);
    return WEIR_OK;
}

void weir_bench_sum_clear(weir_bench_sum *b)
{
    weir_big_free(b->k, b->n, sizeof *b->k);
    weir_big_free(b->s, b->n, sizeof *b->s);
    weir_big_free(b->bits, words(b->n), sizeof *b->bits);
    weir_big_free(b->points1, b->n, sizeof *b->points1);
    weir_big_free(b->points2, b->n, sizeof *b->points2);
    drop_table(b);
}

/* ---- sums */

static weir_err dense(weir_bench_sum *b, const weir_exec *x, weir_errinfo *ei)
{
    const unsigned window = b->kind == WEIR_BENCH_DENSE ? b->window : 0;
    if (b->g2)
        return window ? weir_msm_g2_window(&b->sum2, b->points2, b->s, b->n, window, x, ei)
                      : weir_msm_g2(&b->sum2, b->points2, b->s, b->n, x, ei);
    return window ? weir_msm_g1_window(&b->sum1, b->points1, b->s, b->n, window, x, ei)
                  : weir_msm_g1(&b->sum1, b->points1, b->s, b->n, x, ei);
}

weir_err weir_bench_sum_run(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    weir_bench_sum *b = ctx;
    switch (b->kind) {
    case WEIR_BENCH_FIXED:
        return make_points(b, x, ei);
    case WEIR_BENCH_BITS:
        return b->g2 ? weir_sum_bits_g2(&b->sum2, b->points2, b->bits, b->n, x, ei)
                     : weir_sum_bits_g1(&b->sum1, b->points1, b->bits, b->n, x, ei);
    case WEIR_BENCH_DENSE:
    default:
        return dense(b, x, ei);
    }
}

/* ---- the check */

/* The multiple of G that the sum is. */
static void expected(weir_scalar *out, const weir_bench_sum *b)
{
    weir_fr sum, k, s;
    fr_set_zero(&sum);
    for (size_t i = 0; i < b->n; i++) {
        fr_from_scalar(&k, &b->k[i]);
        if (b->kind == WEIR_BENCH_BITS) {
            if (!((b->bits[i / 64] >> (i % 64)) & 1)) continue;
        } else {
            fr_from_scalar(&s, &b->s[i]);
            fr_mul(&k, &k, &s);
        }
        fr_add(&sum, &sum, &k);
    }
    fr_to_scalar(out, &sum);
}

weir_err weir_bench_sum_check(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    weir_bench_sum *b = ctx;
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    weir_scalar e;
    if (b->kind == WEIR_BENCH_FIXED) WEIR_TRY(dense(b, x, ei));
    expected(&e, b);
    if (b->g2) {
        weir_g2 pair[2] = {b->sum2};
        weir_g2_affine flat[2];
        weir_fp2 scratch[2];
        ops->g2_mul(&pair[1], weir_g2_generator(), &e);
        ops->g2s_to_affine(flat, pair, 2, scratch);
        *right = memcmp(&flat[0], &flat[1], sizeof flat[0]) == 0;
    } else {
        weir_g1 pair[2] = {b->sum1};
        weir_g1_affine flat[2];
        weir_fp scratch[2];
        ops->g1_mul(&pair[1], weir_g1_generator(), &e);
        ops->g1s_to_affine(flat, pair, 2, scratch);
        *right = memcmp(&flat[0], &flat[1], sizeof flat[0]) == 0;
    }
    return WEIR_OK;
}
