/* The kernels of dense sums and of sums over bits, for cudaLaunchKernel. C and C++ (CUDA) both include this header. */
#ifndef WEIR_GPU_MSM_KERNELS_H
#define WEIR_GPU_MSM_KERNELS_H

#include "gpu/gpu_msm_plan.h"
#include "gpu/gpu_sum_plan.h"

#ifdef __cplusplus
extern "C" {
#endif
/* The argument of each is a weir_dmsm by value. The sort is the same in both groups. */
const void *weir_dmsm_sort_kernel(enum weir_dmsm_kernel kernel);
const void *weir_dmsm_g1_kernel(enum weir_dmsm_kernel kernel);
const void *weir_dmsm_g2_kernel(enum weir_dmsm_kernel kernel);
/* The argument of each is a weir_dsum by value. */
const void *weir_dsum_list_kernel(enum weir_dsum_kernel kernel);
const void *weir_dsum_g1_kernel(enum weir_dsum_kernel kernel);
const void *weir_dsum_g2_kernel(enum weir_dsum_kernel kernel);
#ifdef __cplusplus
}
#endif

#endif
