/* The kernels of dense sums and of sums over bits, for cudaLaunchKernel. C and C++ (CUDA) both include this header. */
#ifndef WEIR_GPU_MSM_KERNELS_H
#define WEIR_GPU_MSM_KERNELS_H

#include "gpu/gpu_msm_plan.h"

/* Forms of ACCUMULATE in G1: three blocks of 128 threads a multiprocessor; the same with points asked for one entry ahead;
 * four blocks. */
enum { WEIR_DMSM_VARIANTS = 3 };

/* Both kernels of a sum over bits take a weir_dsum (gpu_sum.h). JOIN runs twice. Forms of BITS in G1: three
 * blocks a multiprocessor, four. */
enum { WEIR_DSUM_VARIANTS = 2 };
enum weir_dsum_kernel { WEIR_DSUM_BITS, WEIR_DSUM_JOIN, WEIR_DSUM_KERNELS };

#ifdef __cplusplus
extern "C" {
#endif
/* The argument of each is a weir_dmsm by value. variant: below WEIR_DMSM_VARIANTS, 0 the one to take; it plays no part
 * for the other kernels, and in G2 there is only one. */
const void *weir_dmsm_sort_kernel(enum weir_dmsm_kernel kernel);
const void *weir_dmsm_g1_kernel(enum weir_dmsm_kernel kernel, unsigned variant);
const void *weir_dmsm_g2_kernel(enum weir_dmsm_kernel kernel, unsigned variant);
const void *weir_dsum_g1_kernel(enum weir_dsum_kernel kernel, unsigned variant);
const void *weir_dsum_g2_kernel(enum weir_dsum_kernel kernel, unsigned variant);
#ifdef __cplusplus
}
#endif

#endif
