/* Field elements and points as kernels hold them. C and C++ (CUDA) both include this header.
 *
 * The bytes are those of the types of field/types.h and curve/types.h (same R, little-endian), so an array goes to the device
 * and back as it is. Two differences: limbs have 32 bits, and a value of Fp may be anything below 2p, so that one element
 * has up to two representations. What leaves a kernel for the host is reduced first (dfp_reduce). Elements of Fr are
 * always below r.
 *
 * XYZZ: x = X/ZZ, y = Y/ZZZ with ZZ^3 = ZZZ^2; infinity has all limbs of ZZ zero, and ZZ is never p. Affine infinity is
 * (0, 0) with all limbs zero.
 * Alignment: 16 bytes, so that an element moves in three (two) 128-bit accesses.
 */
#ifndef WEIR_GPU_TYPES_H
#define WEIR_GPU_TYPES_H

#include "gpu/gpu_hd.h"

enum { WEIR_DFP_N = 12, WEIR_DFR_N = 8 };

typedef struct WEIR_ALIGN(16) weir_dfp {
    uint32_t l[WEIR_DFP_N];
} weir_dfp;

typedef struct WEIR_ALIGN(16) weir_dfr {
    uint32_t l[WEIR_DFR_N];
} weir_dfr;

/* c0 + c1 u with u^2 = -1 */
typedef struct weir_dfp2 {
    weir_dfp c0, c1;
} weir_dfp2;

typedef struct weir_dg1_affine {
    weir_dfp x, y;
} weir_dg1_affine;

typedef struct weir_dg2_affine {
    weir_dfp2 x, y;
} weir_dg2_affine;

typedef struct weir_dg1_xyzz {
    weir_dfp x, y, zz, zzz;
} weir_dg1_xyzz;

typedef struct weir_dg2_xyzz {
    weir_dfp2 x, y, zz, zzz;
} weir_dg2_xyzz;

/* A double-width sum of products in Fp, before its reduction. */
typedef struct weir_dfp_wide {
    uint32_t l[2 * WEIR_DFP_N];
} weir_dfp_wide;

#endif
