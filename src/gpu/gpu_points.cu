/* Work on key points. */
#include "gpu/gpu_points.h"

#include "gpu/points_kernels.h"

#define KERNEL(name, args, blocks)                                                                 \
    extern "C" __global__ void __launch_bounds__(DPOINTS_THREADS, blocks) kernel_##name(args a)    \
    {                                                                                              \
        __shared__ name##_shared s;                                                                \
        WEIR_DEVICE_RUN(name, &a, &s);                                                             \
    }                                                                                              \
    extern "C" const void *weir_kernel_##name(void)                                                \
    {                                                                                              \
        return (const void *)kernel_##name;                                                        \
    }
KERNEL(dg1_fixed, dfixed_args, 3)
KERNEL(dg2_fixed, dfixed_args, 2)
KERNEL(dg1_member, dmember_args, 3)
KERNEL(dg2_member, dmember_args, 2)
