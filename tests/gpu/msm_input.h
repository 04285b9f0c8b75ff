/* Inputs of large sums that a device makes itself, and that a host can sum without the points. C and C++ (CUDA) both include
 * this header.
 *
 * Points: P_i = A[i mod 2^14] + B[i div 2^14] with A[a] = (r0 + a r1) G, B[b] = (r2 + b r3) G, so that a sum of multiples
 * follows from three sums in Fr (msm_host.h). Scalars and bits: a hash of their number.
 */
#ifndef WEIR_TEST_MSM_INPUT_H
#define WEIR_TEST_MSM_INPUT_H

#include "gpu/gpu_batch_inv.h"
#include "gpu/gpu_ec.h"

enum { MSM_INPUT_LOG = 14, MSM_INPUT_THREADS = 128 };

/* splitmix64 at place i */
WEIR_HD uint64_t msm_input_hash(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Random; all the same; 0, 1 or r - 1 by chance. */
enum msm_input_kind { MSM_INPUT_RANDOM, MSM_INPUT_EQUAL, MSM_INPUT_SMALL };

/* k = scalar i, below r. */
WEIR_HD void msm_input_scalar(uint32_t *k, int kind, uint64_t seed, uint64_t i)
{
    const uint32_t r[WEIR_DFR_N] = WEIR_FR_MODULUS_32;
    weir_dfr t;
    if (kind == MSM_INPUT_EQUAL) i = 0;
    WEIR_UNROLL
    for (int j = 0; j < 4; j++) {
        uint64_t h = msm_input_hash(seed, 4 * i + (uint64_t)j);
        t.l[2 * j] = (uint32_t)h;
        t.l[2 * j + 1] = (uint32_t)(h >> 32);
    }
    t.l[WEIR_DFR_N - 1] &= 0x7fffffffu;
    dfr_reduce(&t, &t);
    uint32_t which = t.l[0] % 3;
    WEIR_UNROLL
    for (int j = 0; j < WEIR_DFR_N; j++) {
        k[j] = t.l[j];
        if (kind != MSM_INPUT_SMALL) continue;
        k[j] = which == 2 ? r[j] - (j == 0) : j == 0 ? which : 0;
    }
}

typedef struct msm_input_args {
    void *points;           /* n, affine */
    const void *low, *high; /* A, B */
    uint64_t n;
} msm_input_args;

#define G_(name) dg1_##name
#define F_(name) dfp_##name
#define G_FIELD  weir_dfp
#define G_AFF    weir_dg1_affine
#include "msm_input.inc.h"
#undef G_
#undef F_
#undef G_FIELD
#undef G_AFF

#define G_(name) dg2_##name
#define F_(name) dfp2_##name
#define G_FIELD  weir_dfp2
#define G_AFF    weir_dg2_affine
#include "msm_input.inc.h"
#undef G_
#undef F_
#undef G_FIELD
#undef G_AFF

#endif
