/* Inner loops that bench_kernels.cu times: one thread's work each. C and C++ (CUDA) both include this header.
 *
 * bench_OP(out, in, n): n rounds on one thread's input from registers, then one output. Inputs are any values that meet
 * the bounds; the results of points mean nothing where they are not on a curve, but device and host agree on
 * them bit by bit.
 */
#ifndef WEIR_GPU_BENCH_OPS_H
#define WEIR_GPU_BENCH_OPS_H

#include "gpu/gpu_ec.h"
#include "gpu/gpu_fr.h"

/* X(name, input type, output type, operations a round, what one operation is) */
#define WEIR_BENCH_OPS(X)                                                                          \
    X(fp_mul, bench_fp_pair, weir_dfp, 2, "Fp products")                                           \
    X(fp_sqr, weir_dfp, weir_dfp, 2, "Fp squares")                                                 \
    X(fp_add, bench_fp_pair, weir_dfp, 2, "Fp sums")                                               \
    X(fr_mul, bench_fr_pair, weir_dfr, 2, "Fr products")                                           \
    X(fp2_mul, bench_fp2_pair, weir_dfp2, 2, "Fp2 products")                                       \
    X(fp2_call, bench_fp2_pair, weir_dfp2, 2, "Fp2 products by calls")                             \
    X(g1_madd, bench_g1_madd_in, weir_dg1_xyzz, 1, "G1 XYZZ mixed additions")                      \
    X(g2_madd, bench_g2_madd_in, weir_dg2_xyzz, 1, "G2 XYZZ mixed additions")                      \
    X(g1_pair, bench_g1_pair_in, weir_dg1_affine, 1,                                               \
      "G1 affine additions of a batch, without the inversion")                                     \
    X(g2_pair, bench_g2_pair_in, weir_dg2_affine, 1,                                               \
      "G2 affine additions of a batch, without the inversion")

typedef struct bench_fp_pair {
    weir_dfp a, b;
} bench_fp_pair;
typedef struct bench_fr_pair {
    weir_dfr a, b;
} bench_fr_pair;
typedef struct bench_fp2_pair {
    weir_dfp2 a, b;
} bench_fp2_pair;
typedef struct bench_g1_madd_in {
    weir_dg1_xyzz p;
    weir_dg1_affine q[2];
} bench_g1_madd_in;
typedef struct bench_g2_madd_in {
    weir_dg2_xyzz p;
    weir_dg2_affine q[2];
} bench_g2_madd_in;
typedef struct bench_g1_pair_in {
    weir_dg1_affine p, q[2];
    weir_dfp inv;
} bench_g1_pair_in;
typedef struct bench_g2_pair_in {
    weir_dg2_affine p, q[2];
    weir_dfp2 inv;
} bench_g2_pair_in;

/* a = a b, b = b a, ... */
#define WEIR_BENCH_BINARY(name, TYPE, op, reduce)                                                  \
    WEIR_HD void bench_##name(TYPE *out, const bench_##name##_in *in, uint32_t n)                  \
    {                                                                                              \
        TYPE a = in->a, b = in->b;                                                                 \
        WEIR_NO_UNROLL                                                                             \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            op(&a, &a, &b);                                                                        \
            op(&b, &b, &a);                                                                        \
        }                                                                                          \
        reduce(out, &b);                                                                           \
    }
typedef bench_fp_pair bench_fp_mul_in;
typedef bench_fp_pair bench_fp_add_in;
typedef bench_fr_pair bench_fr_mul_in;
typedef bench_fp2_pair bench_fp2_mul_in;
typedef bench_fp2_pair bench_fp2_call_in;
WEIR_BENCH_BINARY(fp_mul, weir_dfp, dfp_mul, dfp_reduce)
WEIR_BENCH_BINARY(fp_add, weir_dfp, dfp_add, dfp_reduce)
WEIR_BENCH_BINARY(fr_mul, weir_dfr, dfr_mul, dfr_reduce)
WEIR_BENCH_BINARY(fp2_mul, weir_dfp2, dfp2_mul_inline, dfp2_reduce)
WEIR_BENCH_BINARY(fp2_call, weir_dfp2, dfp2_mul, dfp2_reduce)
#undef WEIR_BENCH_BINARY

WEIR_HD void bench_fp_sqr(weir_dfp *out, const weir_dfp *in, uint32_t n)
{
    weir_dfp a = *in;
    WEIR_NO_UNROLL
    for (uint32_t i = 0; i < n; i++) {
        dfp_sqr(&a, &a);
        dfp_sqr(&a, &a);
    }
    dfp_reduce(out, &a);
}

/* p = p + q0, p + q1, p + q0, ...: the point is loaded, as in a sum over points. */
#define WEIR_BENCH_MADD(g)                                                                         \
    WEIR_HD void bench_##g##_madd(weir_d##g##_xyzz *out, const bench_##g##_madd_in *in,            \
                                  uint32_t n)                                                      \
    {                                                                                              \
        weir_d##g##_xyzz p = in->p;                                                                \
        WEIR_NO_UNROLL                                                                             \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            weir_d##g##_affine q = in->q[i % 2];                                                   \
            d##g##_madd(&p, &p, &q);                                                               \
        }                                                                                          \
        *out = p;                                                                                  \
    }
WEIR_BENCH_MADD(g1)
WEIR_BENCH_MADD(g2)
#undef WEIR_BENCH_MADD

/* The products of one addition in a batch: the denominator into the running product, the inverse out of the product
 * before it, the denominator off the running inverse, and the end: 5M + 1S. The running inverse is no true one. */
#define WEIR_BENCH_PAIR(g, FIELD, f)                                                               \
    WEIR_HD void bench_##g##_pair(weir_d##g##_affine *out, const bench_##g##_pair_in *in,          \
                                  uint32_t n)                                                      \
    {                                                                                              \
        weir_d##g##_affine p = in->p;                                                              \
        FIELD before = in->inv, inv = in->inv, d, own;                                             \
        WEIR_NO_UNROLL                                                                             \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            weir_d##g##_affine q = in->q[i % 2];                                                   \
            uint32_t kind = d##g##_pair_denominator(&d, &p, &q);                                   \
            f##_mul(&own, &inv, &before);                                                          \
            f##_mul(&before, &before, &d);                                                         \
            f##_mul(&inv, &inv, &d);                                                               \
            d##g##_pair_finish(&p, &p, &q, kind, &own);                                            \
        }                                                                                          \
        f##_reduce(&out->x, &p.x);                                                                 \
        f##_reduce(&out->y, &p.y);                                                                 \
    }
WEIR_BENCH_PAIR(g1, weir_dfp, dfp)
WEIR_BENCH_PAIR(g2, weir_dfp2, dfp2)
#undef WEIR_BENCH_PAIR

#endif
