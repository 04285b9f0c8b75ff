/* Fr, eight elements at once; contract and bounds in mont52.inc.h. R = 2^260, SHIFT = 4. */
#ifndef WEIR_FIELD_FR_X8_H
#define WEIR_FIELD_FR_X8_H

#include "field/params_bls12_381.h"
#include "field/types.h"
#include "field/x8.h"

typedef struct weir_fr_x8 {
    weir_v8 l[5];
} weir_fr_x8;

#define X_(name)  fr_x8_##name
#define X_T       weir_fr_x8
#define X_N       5
#define X_WORDS   4
#define X_MODULUS WEIR_FR_MODULUS_52_LIMBS
#define X_ONE     WEIR_FR_ONE_52_LIMBS
#define X_N0      WEIR_FR_N0_52
#include "field/mont52.inc.h"
#undef X_
#undef X_T
#undef X_N
#undef X_WORDS
#undef X_MODULUS
#undef X_ONE
#undef X_N0

#endif
