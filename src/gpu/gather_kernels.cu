#include "gpu/gather_kernels.h"

#include "gpu/gpu_gather.h"
#include "gpu/gpu_kinds.h"

#define KERNEL(name)                                                                               \
    extern "C" __global__ void __launch_bounds__(DGATHER_THREADS) kernel_##name(name##_args a)     \
    {                                                                                              \
        __shared__ name##_shared s;                                                                \
        WEIR_DEVICE_RUN(name, &a, &s);                                                             \
    }                                                                                              \
    extern "C" const void *weir_kernel_##name(void)                                                \
    {                                                                                              \
        return (const void *)kernel_##name;                                                        \
    }
KERNEL(dgather)
KERNEL(dscalar)
KERNEL(dkinds)
