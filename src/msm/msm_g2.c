/* The sums in G2: instances of the templates, one for each instruction path. */
#include "base/alloc.h"
#include "curve/g2.h"
#include "field/fp2_x8.h"
#include "msm/msm_digits.h"
#include "msm/msm_ops.h"
#include "msm/msm_plan.h"
#include "msm/msm_sort.h"

#include <string.h>

#define K_(name) msm_g2_##name
#define E_(name) g2_##name
#define F_(name) fp2_##name
#define F_INV    fp2_inv
#define F_INVS   fp2s_inv
#define K_FIELD  weir_fp2
#define K_AFF    weir_g2_affine
#define K_JAC    weir_g2
#define K_SIZES  weir_msm_sizes_g2
#define K_MUL    WEIR_ISA_SCALAR_NAME(weir_curve_ops).g2_mul
#define K_FIXED  weir_fixed_g2
#define K_FREE   weir_fixed_g2_free
#define K_GENERATOR weir_g2_generator
#ifdef WEIR_ISA_IS_ifma
/* Not inlined: a product is 8 KB of code, and a level of additions has five. b <= 2^33 or 2^35; a <= 2^2. With the chains'
 * factors below 2^33, products stay below 1.7, slopes below 4. */
static __attribute__((noinline)) void mul_33(weir_fp2_x8 *r, const weir_fp2_x8 *a,
                                             const weir_fp2_x8 *b)
{
    fp2_x8_mul(r, a, b, 33);
}

static __attribute__((noinline)) void mul_35(weir_fp2_x8 *r, const weir_fp2_x8 *a,
                                             const weir_fp2_x8 *b)
{
    fp2_x8_mul(r, a, b, 35);
}

static __attribute__((noinline)) void sqr(weir_fp2_x8 *r, const weir_fp2_x8 *a)
{
    fp2_x8_sqr(r, a, 2);
}
#endif

#define V_(name)           fp2_x8_##name
#define V_FIELD            weir_fp2_x8
#define V_MUL(r, a, b, kb) ((kb) <= 33 ? mul_33(r, a, b) : mul_35(r, a, b))
#define V_SQR(r, a)        sqr(r, a)
/* a product has two chains already: those of its coordinates */
#define V_MUL2(r0, a0, b0, r1, a1, b1, kb) (V_MUL(r0, a0, b0, kb), V_MUL(r1, a1, b1, kb))
#define V_SQR2(r0, a0, r1, a1)             (sqr(r0, a0), sqr(r1, a1))
#include "msm/msm_batch.inc.h"
#include "msm/msm_dense.inc.h"
#include "msm/msm_fixed.inc.h"
#include "msm/msm_sumbits.inc.h"

const weir_msm_g2_ops WEIR_ISA_NAME(weir_msm_g2_ops) = {
    .msm = msm_g2_dense,
    .sum_bits = msm_g2_sum_bits,
    .fixed_new = msm_g2_fixed_new,
    .fixed_mul = msm_g2_fixed_mul,
};
