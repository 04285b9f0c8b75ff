/* Sums of points of G2 on a device, run on the host. */
#include "msm_twin.h"

#include "curve/curve.h"
#include "field/params_bls12_381.h"
#include "gpu/gpu_msm_join.h"
#include "msm/msm.h"
#include "testkit.h"

#include <stdlib.h>
#include <string.h>

#define T_(name)     g2_##name
#define T_JAC        weir_g2
#define T_AFF        weir_g2_affine
#define T_COORD      weir_fp2
#define T_IS_G2      1
#define T_MSM        weir_msm_g2
#define T_SUM_BITS   weir_sum_bits_g2
#define T_FIXED      weir_fixed_g2
#define T_FIXED_NEW  weir_fixed_g2_new
#define T_FIXED_MUL  weir_fixed_g2_mul
#define T_FIXED_FREE weir_fixed_g2_free
#define T_JOIN       weir_dmsm_join_g2
#define T_TO_AFFINE  g2s_to_affine
#define T_GENERATOR  weir_g2_generator
#define T_SIZES      weir_dmsm_sizes_g2
#include "msm_device_cases.inc.h"
