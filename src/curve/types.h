/* Points of BLS12-381. C and C++ (CUDA) may both include this header.
 *
 * G1: y^2 = x^3 + 4 over Fp.  G2: y^2 = x^3 + 4(1 + u) over Fp2.
 * Affine points store infinity as (0, 0), which is on neither curve. Jacobian (X, Y, Z) means
 * (X/Z^2, Y/Z^3); infinity is Z = 0.
 */
#ifndef WEIR_CURVE_TYPES_H
#define WEIR_CURVE_TYPES_H

#include "field/types.h"

typedef struct weir_g1_affine {
    weir_fp x, y;
} weir_g1_affine;

typedef struct weir_g2_affine {
    weir_fp2 x, y;
} weir_g2_affine;

typedef struct weir_g1 {
    weir_fp x, y, z;
} weir_g1;

typedef struct weir_g2 {
    weir_fp2 x, y, z;
} weir_g2;

#endif
