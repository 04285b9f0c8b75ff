/* The sums in G1: instances of the templates, one for each instruction path. */
#include "base/alloc.h"
#include "curve/g1.h"
#include "field/fp_x8.h"
#include "msm/msm_digits.h"
#include "msm/msm_ops.h"
#include "msm/msm_plan.h"
#include "msm/msm_sort.h"

#include <string.h>

#define K_(name) msm_g1_##name
#define E_(name) g1_##name
#define F_(name) fp_##name
#define F_INV    weir_fp_inv
#define F_INVS   fps_inv
#define K_FIELD  weir_fp
#define K_AFF    weir_g1_affine
#define K_JAC    weir_g1
#define K_SIZES  weir_msm_sizes_g1
#define K_MUL    WEIR_ISA_SCALAR_NAME(weir_curve_ops).g1_mul
#define K_FIXED  weir_fixed_g1
#define K_FREE   weir_fixed_g1_free
#define V_(name)               fp_x8_##name
#define V_FIELD                weir_fp_x8
#define V_MUL(r, a, b, kb)     fp_x8_mul(r, a, b)
#define V_SQR(r, a, ka)        fp_x8_sqr(r, a)
#include "msm/msm_batch.inc.h"
#include "msm/msm_dense.inc.h"
#include "msm/msm_fixed.inc.h"
#include "msm/msm_sumbits.inc.h"

const weir_msm_g1_ops WEIR_ISA_NAME(weir_msm_g1_ops) = {
    .msm = msm_g1_dense,
    .sum_bits = msm_g1_sum_bits,
    .fixed_new = msm_g1_fixed_new,
    .fixed_mul = msm_g1_fixed_mul,
};
