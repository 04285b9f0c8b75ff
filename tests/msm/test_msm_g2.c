/* Sums of points of G2. */
#include "curve/curve.h"
#include "field/fr.h"
#include "msm/msm.h"
#include "msm/msm_internal.h"
#include "testkit.h"

#include <stdlib.h>
#include <string.h>

#define T_(name)           g2_##name
#define T_JAC              weir_g2
#define T_AFF              weir_g2_affine
#define T_COORD            weir_fp2
#define T_MSM              weir_msm_g2
#define T_MSM_WINDOW       weir_msm_g2_window
#define T_SUM_BITS         weir_sum_bits_g2
#define T_FIXED            weir_fixed_g2
#define T_FIXED_NEW        weir_fixed_g2_new
#define T_FIXED_NEW_WINDOW weir_fixed_g2_new_window
#define T_FIXED_MUL        weir_fixed_g2_mul
#define T_FIXED_FREE       weir_fixed_g2_free
#define T_ADD              g2_add
#define T_MUL              g2_mul
#define T_TO_AFFINE        g2s_to_affine
#define T_DECODE           g2s_decode
#define T_GENERATOR        weir_g2_generator
#define T_BYTES            WEIR_G2_BYTES
#define T_NAME             "g2"
#define T_BIG_WINDOW       14
#include "msm_cases.inc.h"
