/* Entry functions: they pick the instruction path. */
#include "msm/msm.h"

#include "base/alloc.h"
#include "msm/msm_internal.h"
#include "msm/msm_ops.h"
#include "msm/msm_plan.h"

/* 32 windows of them are numbered in 31 bits. */
enum { SHIFTED_MAX_POINTS = 1 << 26 };

static weir_err check_window(unsigned window, weir_errinfo *ei)
{
    if (window >= WEIR_MSM_MIN_WINDOW && window <= WEIR_MSM_MAX_WINDOW) return WEIR_OK;
    return weir_fail(ei, WEIR_E_RANGE, "a window of %u bits: %d to %d are possible", window,
                     WEIR_MSM_MIN_WINDOW, WEIR_MSM_MAX_WINDOW);
}

static uint64_t scratch_bytes(size_t n, const weir_msm_sizes *sizes, const weir_exec *x)
{
    weir_msm_plan p;
    if (n > WEIR_MSM_MAX_POINTS) return 0;
    weir_msm_plan_make(&p, n, weir_pool_threads(x->pool), sizes, 0);
    return p.total_bytes;
}

/* Each thread's arrays, and a sum for each task. */
static uint64_t sum_bits_bytes(const weir_msm_sizes *sizes, const weir_exec *x)
{
    weir_msm_worker_layout layout;
    weir_msm_worker_layout_make(&layout, sizes->chunk_max, sizes);
    return weir_pool_threads(x->pool) * (layout.bytes + WEIR_MSM_TASKS_PER_THREAD * sizes->affine);
}

uint64_t weir_sum_bits_g1_scratch_bytes(const weir_exec *x)
{
    return sum_bits_bytes(&weir_msm_sizes_g1, x);
}

uint64_t weir_sum_bits_g2_scratch_bytes(const weir_exec *x)
{
    return sum_bits_bytes(&weir_msm_sizes_g2, x);
}

/* ---- G1 */

static const weir_msm_g1_ops *g1_ops(const weir_exec *x)
{
    return WEIR_ISA_PICK_IFMA(x->isa, weir_msm_g1_ops);
}

weir_err weir_msm_g1(weir_g1 *out, const weir_g1_affine *points, const weir_scalar *scalars,
                     size_t n, const weir_exec *x, weir_errinfo *ei)
{
    return g1_ops(x)->msm(out, points, scalars, n, 0, x, ei);
}

weir_err weir_msm_g1_window(weir_g1 *out, const weir_g1_affine *points, const weir_scalar *scalars,
                            size_t n, unsigned window, const weir_exec *x, weir_errinfo *ei)
{
    WEIR_TRY(check_window(window, ei));
    return g1_ops(x)->msm(out, points, scalars, n, window, x, ei);
}

uint64_t weir_msm_g1_scratch_bytes(size_t n, const weir_exec *x)
{
    return scratch_bytes(n, &weir_msm_sizes_g1, x);
}

weir_err weir_sum_bits_g1(weir_g1 *out, const weir_g1_affine *points, const uint64_t *bits,
                          size_t n, const weir_exec *x, weir_errinfo *ei)
{
    return g1_ops(x)->sum_bits(out, points, bits, n, x, ei);
}

weir_err weir_fixed_g1_new_window(weir_fixed_g1 **out, const weir_g1_affine *base, unsigned window,
                                  const weir_exec *x, weir_errinfo *ei)
{
    *out = NULL;
    WEIR_TRY(check_window(window, ei));
    return g1_ops(x)->fixed_new(out, base, window, x, ei);
}

weir_err weir_fixed_g1_new(weir_fixed_g1 **out, const weir_g1_affine *base, size_t expected_n,
                           const weir_exec *x, weir_errinfo *ei)
{
    return g1_ops(x)->fixed_new(out, base, weir_msm_fixed_window(expected_n), x, ei);
}

void weir_fixed_g1_free(weir_fixed_g1 *t)
{
    if (!t) return;
    weir_big_free(t->table, t->windows * t->multiples, sizeof *t->table);
    weir_free(t);
}

weir_err weir_fixed_g1_mul(const weir_fixed_g1 *t, weir_g1_affine *out, const weir_scalar *k,
                           size_t n, const weir_exec *x, weir_errinfo *ei)
{
    return g1_ops(x)->fixed_mul(t, out, k, n, x, ei);
}

weir_err weir_shifted_g1_new(weir_shifted_g1 **out, const weir_g1_affine *points, size_t n,
                             weir_isa isa, weir_errinfo *ei)
{
    *out = NULL;
    if (n > SHIFTED_MAX_POINTS)
        return weir_fail(ei, WEIR_E_RANGE, "a table of the multiples of %zu points: at most %d", n,
                         SHIFTED_MAX_POINTS);
    return WEIR_ISA_PICK_IFMA(isa, weir_msm_g1_ops)->shifted_new(out, points, n, ei);
}

void weir_shifted_g1_free(weir_shifted_g1 *t)
{
    if (!t) return;
    weir_free(t->table);
    weir_free(t);
}

weir_err weir_shifted_g1_msm(weir_g1 *out, const weir_shifted_g1 *t, const weir_scalar *k,
                             weir_isa isa, weir_errinfo *ei)
{
    return WEIR_ISA_PICK_IFMA(isa, weir_msm_g1_ops)->shifted_msm(out, t, k, ei);
}

/* ---- G2 */

static const weir_msm_g2_ops *g2_ops(const weir_exec *x)
{
    return WEIR_ISA_PICK_IFMA(x->isa, weir_msm_g2_ops);
}

weir_err weir_msm_g2(weir_g2 *out, const weir_g2_affine *points, const weir_scalar *scalars,
                     size_t n, const weir_exec *x, weir_errinfo *ei)
{
    return g2_ops(x)->msm(out, points, scalars, n, 0, x, ei);
}

weir_err weir_msm_g2_window(weir_g2 *out, const weir_g2_affine *points, const weir_scalar *scalars,
                            size_t n, unsigned window, const weir_exec *x, weir_errinfo *ei)
{
    WEIR_TRY(check_window(window, ei));
    return g2_ops(x)->msm(out, points, scalars, n, window, x, ei);
}

uint64_t weir_msm_g2_scratch_bytes(size_t n, const weir_exec *x)
{
    return scratch_bytes(n, &weir_msm_sizes_g2, x);
}

weir_err weir_sum_bits_g2(weir_g2 *out, const weir_g2_affine *points, const uint64_t *bits,
                          size_t n, const weir_exec *x, weir_errinfo *ei)
{
    return g2_ops(x)->sum_bits(out, points, bits, n, x, ei);
}

weir_err weir_fixed_g2_new_window(weir_fixed_g2 **out, const weir_g2_affine *base, unsigned window,
                                  const weir_exec *x, weir_errinfo *ei)
{
    *out = NULL;
    WEIR_TRY(check_window(window, ei));
    return g2_ops(x)->fixed_new(out, base, window, x, ei);
}

weir_err weir_fixed_g2_new(weir_fixed_g2 **out, const weir_g2_affine *base, size_t expected_n,
                           const weir_exec *x, weir_errinfo *ei)
{
    return g2_ops(x)->fixed_new(out, base, weir_msm_fixed_window(expected_n), x, ei);
}

void weir_fixed_g2_free(weir_fixed_g2 *t)
{
    if (!t) return;
    weir_big_free(t->table, t->windows * t->multiples, sizeof *t->table);
    weir_free(t);
}

weir_err weir_fixed_g2_mul(const weir_fixed_g2 *t, weir_g2_affine *out, const weir_scalar *k,
                           size_t n, const weir_exec *x, weir_errinfo *ei)
{
    return g2_ops(x)->fixed_mul(t, out, k, n, x, ei);
}
