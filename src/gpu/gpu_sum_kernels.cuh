/* Definitions of the kernels of one group, for gpu_msm_g1.cu and gpu_msm_g2.cu: dense sums and sums over bits. */
#ifndef WEIR_GPU_SUM_KERNELS_CUH
#define WEIR_GPU_SUM_KERNELS_CUH

#include "gpu/gpu_msm.h"
#include "gpu/gpu_msm_kernels.h"
#include "gpu/gpu_sum.h"

/* g: dg1 or dg2; suffix: tells forms of a kernel apart. */
#define WEIR_MSM_KERNEL(g, name, suffix, threads, blocks)                                          \
    extern "C" __global__ void __launch_bounds__(threads, blocks)                                  \
        kernel_##g##_##name##suffix(weir_dmsm a)                                                   \
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

#define WEIR_SUM_KERNEL_TABLE(g)                                                                   \
    extern "C" const void *weir_dsum_##g##_kernel(enum weir_dsum_kernel kernel)                    \
    {                                                                                              \
        return kernel == WEIR_DSUM_BITS ? (const void *)kernel_d##g##_sum_bits                     \
                                        : (const void *)kernel_d##g##_sum_join;                    \
    }

#endif
