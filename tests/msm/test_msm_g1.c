/* Sums of points of G1. */
#include "base/alloc.h"
#include "curve/curve.h"
#include "field/fr.h"
#include "msm/msm.h"
#include "msm/msm_internal.h"
#include "testkit.h"

#include <stdlib.h>
#include <string.h>

#define T_(name)           g1_##name
#define T_JAC              weir_g1
#define T_AFF              weir_g1_affine
#define T_COORD            weir_fp
#define T_MSM              weir_msm_g1
#define T_MSM_WINDOW       weir_msm_g1_window
#define T_SUM_BITS         weir_sum_bits_g1
#define T_FIXED            weir_fixed_g1
#define T_FIXED_NEW        weir_fixed_g1_new
#define T_FIXED_NEW_WINDOW weir_fixed_g1_new_window
#define T_FIXED_MUL        weir_fixed_g1_mul
#define T_FIXED_FREE       weir_fixed_g1_free
#define T_SHIFTED          weir_shifted_g1
#define T_SHIFTED_NEW      weir_shifted_g1_new
#define T_SHIFTED_MSM      weir_shifted_g1_msm
#define T_SHIFTED_FREE     weir_shifted_g1_free
#define T_ADD              g1_add
#define T_MUL              g1_mul
#define T_TO_AFFINE        g1s_to_affine
#define T_DECODE           g1s_decode
#define T_GENERATOR        weir_g1_generator
#define T_BYTES            WEIR_G1_BYTES
#define T_NAME             "g1"
#define T_BIG_WINDOW       20
#include "msm_cases.inc.h"
