/* The kernels of gpu_points.h, for cudaLaunchKernel. C and C++ (CUDA) both include this header. */
#ifndef WEIR_GPU_POINTS_KERNELS_H
#define WEIR_GPU_POINTS_KERNELS_H

#ifdef __cplusplus
extern "C" {
#endif
/* The arguments are a dfixed_args, a dmember_args by value; DPOINTS_THREADS threads. */
const void *weir_kernel_dg1_fixed(void);
const void *weir_kernel_dg2_fixed(void);
const void *weir_kernel_dg1_member(void);
const void *weir_kernel_dg2_member(void);
#ifdef __cplusplus
}
#endif

#endif
