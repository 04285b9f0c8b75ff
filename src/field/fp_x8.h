/* Fp, eight elements at once; contract and bounds in mont52.inc.h. R = 2^416, SHIFT = 32. */
#ifndef WEIR_FIELD_FP_X8_H
#define WEIR_FIELD_FP_X8_H

#include "field/params_bls12_381.h"
#include "field/types.h"
#include "field/x8.h"

typedef struct weir_fp_x8 {
    weir_v8 l[8];
} weir_fp_x8;

#define X_(name)  fp_x8_##name
#define X_T       weir_fp_x8
#define X_N       8
#define X_WORDS   6
#define X_MODULUS WEIR_FP_MODULUS_52_LIMBS
#define X_ONE     WEIR_FP_ONE_52_LIMBS
#define X_N0      WEIR_FP_N0_52
#define X_RECIPROCAL WEIR_FP_RECIPROCAL_52
#include "field/mont52.inc.h"
#undef X_
#undef X_T
#undef X_N
#undef X_WORDS
#undef X_MODULUS
#undef X_ONE
#undef X_N0
#undef X_RECIPROCAL

#endif
