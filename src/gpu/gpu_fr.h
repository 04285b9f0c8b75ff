/* Fr of BLS12-381 in kernels: 8 limbs of 32 bits, Montgomery form. C and C++ (CUDA) both include this header.
 *
 * R = 2^256 is only 2.2 r, so elements are kept below r: a sum of two values below 2r would not fit. Same bytes as weir_fr.
 *
 * r ends in the words 0xffffffff, 1, which the reduction uses: a product is 112 multiply instructions where the general form has
 * 136, and 2^256 - r ends in 0, 0xffffffff, so that a step of the reduction has the word it clears as its factor.
 */
#ifndef WEIR_GPU_FR_H
#define WEIR_GPU_FR_H

#include "gpu/gpu_limbs.h"
#include "gpu/gpu_params.h"
#include "gpu/gpu_types.h"

#define D_(name)     dfr_##name
#define D_T          weir_dfr
#define D_N          WEIR_DFR_N
#define D_MODULUS    WEIR_FR_MODULUS_32
#define D_CEIL       WEIR_FR_MODULUS_32
#define D_ONE        WEIR_FR_ONE_32
#define D_N0         WEIR_FR_N0_32
#define D_LOW_IS_ONE 1
#define D_SIGNED
#include "gpu/gpu_mont.inc.h"
#define D_L          9
#define D_BITS       255
#define D_MODULUS_30 WEIR_FR_MODULUS_30
#define D_R2_30      WEIR_FR_R2_30
#define D_INV_30     WEIR_FR_INV_30
#include "gpu/gpu_divsteps.inc.h"
#undef D_
#undef D_T
#undef D_N
#undef D_MODULUS
#undef D_CEIL
#undef D_ONE
#undef D_N0
#undef D_LOW_IS_ONE
#undef D_SIGNED
#undef D_L
#undef D_BITS
#undef D_MODULUS_30
#undef D_R2_30
#undef D_INV_30

/* r = a mod r. In: a < 2r. */
WEIR_HD void dfr_reduce(weir_dfr *r, const weir_dfr *a)
{
    const uint32_t p[WEIR_DFR_N] = WEIR_FR_MODULUS_32;
    dfr_drop_once(r, a, p);
}

WEIR_HD bool dfr_is_zero(const weir_dfr *a)
{
    return dfr_limbs_are_zero(a);
}

WEIR_HD bool dfr_eq(const weir_dfr *a, const weir_dfr *b)
{
    uint32_t t = 0;
    WEIR_UNROLL
    for (int i = 0; i < WEIR_DFR_N; i++) t |= a->l[i] ^ b->l[i];
    return t == 0;
}

/* r = a b. In: a < r (a twiddle factor, say); b any 8 words. Out: < r. */
WEIR_HD void dfr_mul(weir_dfr *r, const weir_dfr *a, const weir_dfr *b)
{
    dfr_mul_signed(r, a, b);
    dfr_lift(r);
}

WEIR_HD void dfr_sqr(weir_dfr *r, const weir_dfr *a)
{
    dfr_mul(r, a, a);
}

/* r = a / 2^256: Montgomery form to standard form. Out: < r. */
WEIR_HD void dfr_from_mont(weir_dfr *r, const weir_dfr *a)
{
    weir_dfr one;
    dfr_set_zero(&one);
    one.l[0] = 1;
    dfr_mul(r, &one, a);
}

/* Standard form (any 256-bit integer) to Montgomery form. Out: < r. */
WEIR_HD void dfr_to_mont(weir_dfr *r, const weir_dfr *a)
{
    const uint32_t r2[WEIR_DFR_N] = WEIR_FR_R2_32;
    weir_dfr t;
    WEIR_UNROLL
    for (int i = 0; i < WEIR_DFR_N; i++) t.l[i] = r2[i];
    dfr_mul(r, &t, a);
}

/* r = 1/a, 0 for 0. Out: < r. Variable time. Cost: see gpu_divsteps.inc.h. */
WEIR_HD_CALL void dfr_inv(weir_dfr *r, const weir_dfr *a)
{
    weir_dfr t = *a;
    dfr_invert(r, &t);
}

#endif
