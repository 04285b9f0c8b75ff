/* Dense sums and sums over bits in G2. */
#include "gpu/gpu_sum_kernels.cuh"

WEIR_MSM_KERNEL(dg2, msm_accumulate, 128, 2)
WEIR_MSM_KERNEL(dg2, msm_join, 128, 2)
WEIR_MSM_KERNEL(dg2, msm_join_end, 128, 2)
WEIR_MSM_KERNEL(dg2, msm_segments, 128, 2)
WEIR_MSM_KERNEL(dg2, msm_fold, 128, 2)
WEIR_MSM_KERNEL(dg2, msm_finish, 128, 2)
WEIR_SUM_KERNEL(dg2, sum_add, WEIR_DSUM_THREADS, 2)
WEIR_SUM_KERNEL(dg2, sum_join, WEIR_DSUM_THREADS, 2)

extern "C" const void *weir_dmsm_g2_kernel(enum weir_dmsm_kernel kernel)
{
    switch (kernel) {
    case WEIR_DMSM_ACCUMULATE:
        return (const void *)kernel_dg2_msm_accumulate;
    case WEIR_DMSM_JOIN_LEVEL:
        return (const void *)kernel_dg2_msm_join;
    case WEIR_DMSM_JOIN_END:
        return (const void *)kernel_dg2_msm_join_end;
    case WEIR_DMSM_SEGMENTS:
        return (const void *)kernel_dg2_msm_segments;
    case WEIR_DMSM_FOLD_LEVEL:
        return (const void *)kernel_dg2_msm_fold;
    case WEIR_DMSM_FINISH:
        return (const void *)kernel_dg2_msm_finish;
    default:
        return weir_dmsm_sort_kernel(kernel);
    }
}

extern "C" const void *weir_dsum_g2_kernel(enum weir_dsum_kernel kernel)
{
    switch (kernel) {
    case WEIR_DSUM_ADD:
        return (const void *)kernel_dg2_sum_add;
    case WEIR_DSUM_JOIN:
        return (const void *)kernel_dg2_sum_join;
    default:
        return weir_dsum_list_kernel(kernel);
    }
}
