/* The sums in G1: instances of the templates, one for each instruction path. */
#include "base/alloc.h"
#include "curve/g1.h"
#include "msm/msm_digits.h"
#include "msm/msm_ops.h"
#include "msm/msm_plan.h"
#include "msm/msm_sort.h"

#include <string.h>

#define K_(name) msm_g1_##name
#define E_(name) g1_##name
#define F_(name) fp_##name
#define F_INV    weir_fp_inv
#define K_FIELD  weir_fp
#define K_AFF    weir_g1_affine
#define K_JAC    weir_g1
#define K_SIZES  weir_msm_sizes_g1
#define K_MUL    WEIR_ISA_NAME(weir_curve_ops).g1_mul
#define K_FIXED  weir_fixed_g1
#define K_FREE   weir_fixed_g1_free
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
