/* Definitions of the kernels of one group, for gpu_msm_g1.cu and gpu_msm_g2.cu: dense sums and sums over bits. */
#ifndef WEIR_GPU_SUM_KERNELS_CUH
#define WEIR_GPU_SUM_KERNELS_CUH

#include "gpu/gpu_msm.h"
#include "gpu/gpu_msm_kernels.h"
#include "gpu/gpu_sum.h"

/* g: dg1 or dg2. */
#define WEIR_MSM_KERNEL(g, name, threads, blocks)                                                  \
    extern "C" __global__ void __launch_bounds__(threads, blocks) kernel_##g##_##name(weir_dmsm a) \
    {                                                                                              \
        dmsm_nothing s;                                                                            \
        WEIR_DEVICE_RUN(g##_##name, &a, &s);                                                       \
    }
#define WEIR_SUM_KERNEL(g, name, threads, blocks)                                                  \
    extern "C" __global__ void __launch_bounds__(threads, blocks) kernel_##g##_##name(weir_dsum a) \
    {                                                                                              \
        __shared__ g##_##name##_shared s;                                                          \
        WEIR_DEVICE_RUN(g##_##name, &a, &s);                                                       \
    }

#endif
