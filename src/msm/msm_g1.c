/* The sums in G1: instances of the templates, one for each instruction path. */
#include "base/alloc.h"
#include "curve/g1.h"
#include "field/fp_x8.h"
#include "msm/msm_digits.h"
#include "msm/msm_ops.h"
#include "msm/msm_plan.h"
#include "msm/msm_sort.h"

#include <string.h>

#define K_(name)       msm_g1_##name
#define E_(name)       g1_##name
#define F_(name)       fp_##name
#define F_INV          weir_fp_inv
#define F_INVS         fps_inv
#define K_FIELD        weir_fp
#define K_AFF          weir_g1_affine
#define K_JAC          weir_g1
#define K_SIZES        weir_msm_sizes_g1
#define K_MUL          WEIR_ISA_SCALAR_NAME(weir_curve_ops).g1_mul
#define K_FIXED        weir_fixed_g1
#define K_FREE         weir_fixed_g1_free
#define K_GENERATOR    weir_g1_generator
#define K_SHIFTED      weir_shifted_g1
#define K_SHIFTED_FREE weir_shifted_g1_free
#define K_TO_AFFINE    WEIR_ISA_NAME(weir_curve_ops).g1s_to_affine
#define K_DOUBLES      WEIR_ISA_NAME(weir_curve_ops).g1s_double
#ifdef WEIR_ISA_IS_ifma
/* Not inlined: a pair of products is 6 KB of code, and a level of additions has five. */
static __attribute__((noinline)) void mul(weir_fp_x8 *r, const weir_fp_x8 *a, const weir_fp_x8 *b)
{
    fp_x8_mul(r, a, b);
}

static __attribute__((noinline)) void sqr(weir_fp_x8 *r, const weir_fp_x8 *a)
{
    fp_x8_sqr(r, a);
}

static __attribute__((noinline)) void mul2(weir_fp_x8 *r0, const weir_fp_x8 *a0,
                                           const weir_fp_x8 *b0, weir_fp_x8 *r1,
                                           const weir_fp_x8 *a1, const weir_fp_x8 *b1)
{
    fp_x8_mul2((weir_fp_x8 *const[]){r0, r1}, (const weir_fp_x8 *const[]){a0, a1},
               (const weir_fp_x8 *const[]){b0, b1});
}

static __attribute__((noinline)) void sqr2(weir_fp_x8 *r0, const weir_fp_x8 *a0, weir_fp_x8 *r1,
                                           const weir_fp_x8 *a1)
{
    fp_x8_sqr2((weir_fp_x8 *const[]){r0, r1}, (const weir_fp_x8 *const[]){a0, a1});
}
#endif

#define V_(name)                           fp_x8_##name
#define V_FIELD                            weir_fp_x8
#define V_MUL(r, a, b, kb)                 mul(r, a, b)
#define V_SQR(r, a)                        sqr(r, a)
#define V_MUL2(r0, a0, b0, r1, a1, b1, kb) mul2(r0, a0, b0, r1, a1, b1)
#define V_SQR2(r0, a0, r1, a1)             sqr2(r0, a0, r1, a1)
#include "msm/msm_batch.inc.h"
#include "msm/msm_dense.inc.h"
#include "msm/msm_fixed.inc.h"
#include "msm/msm_shifted.inc.h"
#include "msm/msm_sumbits.inc.h"

const weir_msm_g1_ops WEIR_ISA_NAME(weir_msm_g1_ops) = {
    .msm = msm_g1_dense,
    .sum_bits = msm_g1_sum_bits,
    .fixed_new = msm_g1_fixed_new,
    .fixed_mul = msm_g1_fixed_mul,
    .shifted_new = msm_g1_shifted_new,
    .shifted_msm = msm_g1_shifted_msm,
};
