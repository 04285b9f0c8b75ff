/* Additions of XYZZ points as calls, for kernels in which they are the smaller part: inlined, each is 60 KB in G1. C and
 * C++ (CUDA) both include this header. */
#ifndef WEIR_GPU_EC_CALL_H
#define WEIR_GPU_EC_CALL_H

#include "gpu/gpu_ec.h"

/* r = p + q. Operands are copied first, so that products work on registers. */
WEIR_HD_CALL void dg1_add_call(weir_dg1_xyzz *r, const weir_dg1_xyzz *p, const weir_dg1_xyzz *q)
{
    weir_dg1_xyzz a = *p, b = *q, sum;
    dg1_add(&sum, &a, &b);
    *r = sum;
}

/* r = p + q. Products are calls that copy their own operands, and two points are more than registers hold. */
WEIR_HD_CALL void dg2_add_call(weir_dg2_xyzz *r, const weir_dg2_xyzz *p, const weir_dg2_xyzz *q)
{
    dg2_add(r, p, q);
}

#endif
