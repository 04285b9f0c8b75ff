/* One kernel an operation, so that tools/sass_count can count its machine instructions. They are compiled, never run. */
#include "gpu/gpu_ec.h"
#include "gpu/gpu_fr.h"

#define BINARY(name, TYPE, op)                                                                     \
    extern "C" __global__ void sass_##name(TYPE *r, const TYPE *a)                                 \
    {                                                                                              \
        TYPE x = a[0], y = a[1], z;                                                                \
        op(&z, &x, &y);                                                                            \
        r[0] = z;                                                                                  \
    }
#define UNARY(name, TYPE, op)                                                                      \
    extern "C" __global__ void sass_##name(TYPE *r, const TYPE *a)                                 \
    {                                                                                              \
        TYPE x = a[0], z;                                                                          \
        op(&z, &x);                                                                                \
        r[0] = z;                                                                                  \
    }
BINARY(fp_add, weir_dfp, dfp_add)
BINARY(fp_sub, weir_dfp, dfp_sub)
BINARY(fp_mul, weir_dfp, dfp_mul)
UNARY(fp_sqr, weir_dfp, dfp_sqr)
BINARY(fr_add, weir_dfr, dfr_add)
BINARY(fr_sub, weir_dfr, dfr_sub)
BINARY(fr_mul, weir_dfr, dfr_mul)
BINARY(fp2_mul, weir_dfp2, dfp2_mul_inline)

extern "C" __global__ void sass_fp_mul_sub(weir_dfp *r, const weir_dfp *a)
{
    weir_dfp x = a[0], y = a[1], u = a[2], v = a[3], z;
    dfp_mul_sub(&z, &x, &y, &u, &v);
    r[0] = z;
}

/* The loop of a sum over points; the doubling is a call and counts for the kernel. */
extern "C" __global__ void __launch_bounds__(128, 3)
    sass_g1_madd(weir_dg1_xyzz *r, const weir_dg1_affine *a, int n)
{
    weir_dg1_xyzz x = *r;
    for (int i = 0; i < n; i++) {
        weir_dg1_affine y = a[i];
        dg1_madd(&x, &x, &y);
    }
    *r = x;
}
