/* G1 and G2 in kernels (contract in gpu_ec.inc.h). C and C++ (CUDA) both include this header. */
#ifndef WEIR_GPU_EC_H
#define WEIR_GPU_EC_H

#include "gpu/gpu_fp2.h"

/* What a sum of two affine points is. */
enum weir_pair {
    WEIR_PAIR_ADD = 0,
    WEIR_PAIR_DOUBLE = 1,
    WEIR_PAIR_TAKE_P = 2, /* q is infinity */
    WEIR_PAIR_TAKE_Q = 3, /* p is infinity */
    WEIR_PAIR_INFINITY = 4
};

#define G_(name) dg1_##name
#define F_(name) dfp_##name
#define G_FIELD  weir_dfp
#define G_AFF    weir_dg1_affine
#define G_XYZZ   weir_dg1_xyzz
#include "gpu/gpu_ec.inc.h"
#undef G_
#undef F_
#undef G_FIELD
#undef G_AFF
#undef G_XYZZ

#define G_(name) dg2_##name
#define F_(name) dfp2_##name
#define G_FIELD  weir_dfp2
#define G_AFF    weir_dg2_affine
#define G_XYZZ   weir_dg2_xyzz
#include "gpu/gpu_ec.inc.h"
#undef G_
#undef F_
#undef G_FIELD
#undef G_AFF
#undef G_XYZZ

#endif
