/* Fp of BLS12-381 in kernels: 12 limbs of 32 bits, Montgomery form. C and C++ (CUDA) both include this header.
 *
 * R = 2^384 is 9.84 p. Elements are below 2p, and all routines keep them there, so that no product ends in a subtraction.
 * Bound of a product: a b R^-1 < p + a b / R, hence with a < k p, b < l p it is below (1 + k l / 9.84) p: below 2p as
 * long as k l <= 9.8. Formulas that leave a sum uncorrected (dfp_add_plain, dfp_complement) count on that.
 * Same bytes as weir_fp for values below p.
 *
 * Cost in multiply instructions (docs/gpu.md has the measured ones): mul 300, sqr 234, mul_sub 444, wide_mul 144,
 * wide_sqr 78, wide_reduce 156.
 */
#ifndef WEIR_GPU_FP_H
#define WEIR_GPU_FP_H

#include "gpu/gpu_limbs.h"
#include "gpu/gpu_params.h"
#include "gpu/gpu_types.h"

#define D_(name)     dfp_##name
#define D_T          weir_dfp
#define D_W          weir_dfp_wide
#define D_N          WEIR_DFP_N
#define D_MODULUS    WEIR_FP_MODULUS_32
#define D_CEIL       WEIR_FP_TWICE_32
#define D_ONE        WEIR_FP_ONE_32
#define D_N0         WEIR_FP_N0_32
#define D_LOW_IS_ONE 0
#include "gpu/gpu_mont.inc.h"
#include "gpu/gpu_wide.inc.h"
#define D_L          13
#define D_BITS       381
#define D_MODULUS_30 WEIR_FP_MODULUS_30
#define D_R2_30      WEIR_FP_R2_30
#define D_INV_30     WEIR_FP_INV_30
#include "gpu/gpu_divsteps.inc.h"
#undef D_
#undef D_T
#undef D_W
#undef D_N
#undef D_MODULUS
#undef D_CEIL
#undef D_ONE
#undef D_N0
#undef D_LOW_IS_ONE
#undef D_L
#undef D_BITS
#undef D_MODULUS_30
#undef D_R2_30
#undef D_INV_30

/* r = a mod p, the one representation below p. In: a < 2p. */
WEIR_HD void dfp_reduce(weir_dfp *r, const weir_dfp *a)
{
    const uint32_t p[WEIR_DFP_N] = WEIR_FP_MODULUS_32;
    dfp_drop_once(r, a, p);
}

/* In: a < 2p. 0 and p are zero; the lowest limb settles nearly every other case. */
WEIR_HD bool dfp_is_zero(const weir_dfp *a)
{
    const uint32_t p[WEIR_DFP_N] = WEIR_FP_MODULUS_32;
    if (a->l[0] != 0 && a->l[0] != p[0]) return false;
    return dfp_limbs_are_zero(a) || dfp_is_modulus(a);
}

/* In: a, b < 2p. */
WEIR_HD bool dfp_eq(const weir_dfp *a, const weir_dfp *b)
{
    weir_dfp d;
    dfp_sub(&d, a, b);
    return dfp_is_zero(&d);
}

/* r = a b. In: < 2p, or any bounds k p, l p with k l <= 9.8, k <= 8. Out: < 2p. */
WEIR_HD void dfp_mul(weir_dfp *r, const weir_dfp *a, const weir_dfp *b)
{
    dfp_mul_plain(r, a, b);
}

/* r = a^2. In: a < 3.1 p. Out: < 2p. */
WEIR_HD void dfp_sqr(weir_dfp *r, const weir_dfp *a)
{
    weir_dfp_wide w;
    dfp_wide_sqr(&w, a);
    dfp_wide_reduce(r, &w);
}

/* r = a b - c d with one reduction, as a b + (2p - c) d. In: < 2p. Out: < (1 + 8/9.84) p. */
WEIR_HD void dfp_mul_sub(weir_dfp *r, const weir_dfp *a, const weir_dfp *b, const weir_dfp *c,
                         const weir_dfp *d)
{
    weir_dfp n;
    dfp_complement(&n, c);
    dfp_mul_sum_plain(r, a, b, &n, d);
}

/* r = 3 a. In and out: < 2p. */
WEIR_HD void dfp_triple(weir_dfp *r, const weir_dfp *a)
{
    weir_dfp t;
    dfp_dbl(&t, a);
    dfp_add(r, &t, a);
}

/* r = 1/a, 0 for 0. In: a < 2p. Out: < p. Variable time. Cost: see gpu_divsteps.inc.h. */
WEIR_HD_CALL void dfp_inv(weir_dfp *r, const weir_dfp *a)
{
    weir_dfp t;
    dfp_reduce(&t, a);
    dfp_invert(r, &t);
}

#endif
