/* What knows no curve: sorting for dense sums, the list of set bits for sums over bits. */
#include "gpu/gpu_msm_kernels.h"
#include "gpu/gpu_sort.h"
#include "gpu/gpu_sum.h"

/* A multiprocessor of cards for desktops has room for 1,536 threads: fewer blocks at a time there. */
#if defined(__CUDA_ARCH__) &&                                                                      \
    (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200)
#define THREADS_MAX 1536
#else
#define THREADS_MAX 2048
#endif
#define AT_ONCE(threads, blocks)                                                                   \
    ((threads) * (blocks) <= THREADS_MAX ? (blocks) : THREADS_MAX / (threads))

#define KERNEL(name, threads, blocks)                                                              \
    extern "C" __global__ void __launch_bounds__(threads, AT_ONCE(threads, blocks))                \
        kernel_##name(name##_args a)                                                               \
    {                                                                                              \
        __shared__ name##_shared s;                                                                \
        WEIR_DEVICE_RUN(name, &a, &s);                                                             \
    }
KERNEL(dmsm_count, DSORT_RANGE_THREADS, 2)
KERNEL(dmsm_starts, DSORT_STARTS_THREADS, 1)
KERNEL(dmsm_place, DSORT_RANGE_THREADS, 2)
KERNEL(dmsm_tile_count, DSORT_TILE_THREADS, 2)
KERNEL(dmsm_tile_starts, DSORT_KEYS_THREADS, 4)
KERNEL(dmsm_tile_place, DSORT_TILE_THREADS, 2)
KERNEL(dmsm_lengths, DSORT_THREADS, 3)
KERNEL(dmsm_order, DSORT_THREADS, 2)
KERNEL(dsum_count, WEIR_DSUM_THREADS, 8)
KERNEL(dsum_list, WEIR_DSUM_LIST_THREADS, 4)

extern "C" const void *weir_dmsm_sort_kernel(enum weir_dmsm_kernel kernel)
{
    switch (kernel) {
    case WEIR_DMSM_COUNT:
        return (const void *)kernel_dmsm_count;
    case WEIR_DMSM_STARTS:
        return (const void *)kernel_dmsm_starts;
    case WEIR_DMSM_PLACE:
        return (const void *)kernel_dmsm_place;
    case WEIR_DMSM_TILE_COUNT:
        return (const void *)kernel_dmsm_tile_count;
    case WEIR_DMSM_TILE_STARTS:
        return (const void *)kernel_dmsm_tile_starts;
    case WEIR_DMSM_TILE_PLACE:
        return (const void *)kernel_dmsm_tile_place;
    case WEIR_DMSM_LENGTHS:
        return (const void *)kernel_dmsm_lengths;
    case WEIR_DMSM_ORDER:
        return (const void *)kernel_dmsm_order;
    default:
        return 0;
    }
}

extern "C" const void *weir_dsum_list_kernel(enum weir_dsum_kernel kernel)
{
    switch (kernel) {
    case WEIR_DSUM_COUNT:
        return (const void *)kernel_dsum_count;
    case WEIR_DSUM_LIST:
        return (const void *)kernel_dsum_list;
    default:
        return 0;
    }
}
