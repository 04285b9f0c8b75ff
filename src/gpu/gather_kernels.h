/* The kernels of gpu_gather.h and gpu_kinds.h, for cudaLaunchKernel. C and C++ (CUDA) both include this header. */
#ifndef WEIR_GPU_GATHER_KERNELS_H
#define WEIR_GPU_GATHER_KERNELS_H

#ifdef __cplusplus
extern "C" {
#endif
/* The arguments are a dgather_args, a dscalar_args, a dkinds_args by value; DGATHER_THREADS and DKINDS_THREADS threads. */
const void *weir_kernel_dgather(void);
const void *weir_kernel_dscalar(void);
const void *weir_kernel_dkinds(void);
#ifdef __cplusplus
}
#endif

#endif
