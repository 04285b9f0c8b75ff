/* The host's side of gpu_msm_check.cu: points, and what sums must be. Plain C; C and C++ (CUDA) both include this header. */
#ifndef WEIR_TEST_MSM_HOST_H
#define WEIR_TEST_MSM_HOST_H

#include "curve/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#include "base/err.h"
#include "base/pool.h"

/* ---- small sums: random points, some of them infinity, equal to the one before or opposite to it; kinds of scalars.
 * points: n affine points of G1 or G2. */
weir_err host_points(bool g2, void *points, size_t n, uint64_t seed, weir_pool *pool,
                     weir_errinfo *ei);
/* A number below 100 by chance. */
int host_percent(uint64_t seed, uint64_t i);
/* 0 random; 1 all equal; 2 of 0, 1, r - 1; 3 nearly all zero; 4 all small and equal */
enum { HOST_SCALAR_KINDS = 5 };
void host_scalars(weir_scalar *k, size_t n, int kind, uint64_t seed);
/* The CPU's sums, affine. */
weir_err host_msm(bool g2, void *affine, const void *points, const weir_scalar *k, size_t n,
                  weir_errinfo *ei);
weir_err host_sum_bits(bool g2, void *affine, const void *points, const uint64_t *bits, size_t n,
                       weir_errinfo *ei);

/* What a device left: `windows` Jacobian points, joined by c doublings each. */
void host_join(bool g2, void *affine, const void *jacobian, uint32_t windows, uint32_t c);

/* ---- large sums of the points of msm_input.h */
typedef struct host_form {
    weir_scalar r[4];
} host_form;
void host_form_init(host_form *f, uint64_t seed);
/* A (`low`), or B: n points. */
weir_err host_form_table(const host_form *f, bool g2, bool low, void *points, size_t n,
                         weir_errinfo *ei);

/* Sums of k, a k and b k over the scalars of a kind and seed up to `done`. Start from zero; add more. */
typedef struct host_sums {
    weir_fr k, ak, bk;
    uint64_t done;
} host_sums;
void host_sums_scalars(host_sums *s, int kind, uint64_t seed, uint64_t n);
/* The same over bits, one where a bit of word i = msm_input_hash(seed, i) is set. */
void host_sums_bits(host_sums *s, uint64_t seed, uint64_t n);
/* The point that they stand for. */
void host_form_sum(const host_form *f, bool g2, void *affine, const host_sums *s);

#ifdef __cplusplus
}
#endif

#endif
