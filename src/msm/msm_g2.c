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
#define V_(name)               fp2_x8_##name
#define V_FIELD                weir_fp2_x8
#define V_MUL(r, a, b, kb)     fp2_x8_mul(r, a, b, kb)
#define V_SQR(r, a, ka)        fp2_x8_sqr(r, a, ka)
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
