/* The kernels of gpu_gather.h, for cudaLaunchKernel. C and C++ (CUDA) both include this header. */
#ifndef WEIR_GPU_GATHER_KERNELS_H
#define WEIR_GPU_GATHER_KERNELS_H

#ifdef __cplusplus
extern "C" {
#endif
/* The arguments are a dgather_args and a dscalar_args by value, DGATHER_THREADS threads. */
const void *weir_kernel_dgather(void);
const void *weir_kernel_dscalar(void);
#ifdef __cplusplus
}
#endif

#endif
