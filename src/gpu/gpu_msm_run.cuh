/* Launches of dense sums and sums over bits on a stream. Nothing here waits or allocates; a kernel that fails while it runs
 * is told by the next call that waits for the stream. */
#ifndef WEIR_GPU_MSM_RUN_CUH
#define WEIR_GPU_MSM_RUN_CUH

#include "gpu/gpu_msm_kernels.h"
#include "gpu/gpu_status.cuh"
#include "gpu/gpu_sum.h"

/* One step of a plan made for the same group. */
static inline weir_err gpu_dmsm_launch(const weir_dmsm_step *s, bool g2, unsigned variant,
                                       cudaStream_t stream, weir_errinfo *ei)
{
    weir_dmsm a = s->args;
    void *args[] = {&a};
    const void *kernel =
        g2 ? weir_dmsm_g2_kernel(s->kernel, variant) : weir_dmsm_g1_kernel(s->kernel, variant);
    WEIR_CUDA_TRY(ei, cudaLaunchKernel(kernel, dim3(s->blocks), dim3(s->threads), args, 0, stream));
    return WEIR_OK;
}

/* Blocks of a sum over bits that fill the device. */
static inline weir_err gpu_dsum_blocks(uint32_t *blocks, bool g2, int multiprocessors,
                                       weir_errinfo *ei)
{
    const void *kernel =
        g2 ? weir_dsum_g2_kernel(WEIR_DSUM_BITS) : weir_dsum_g1_kernel(WEIR_DSUM_BITS);
    int resident = 0;
    WEIR_CUDA_TRY(
        ei, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, DSUM_THREADS, 0));
    *blocks = (uint32_t)(resident * multiprocessors);
    return WEIR_OK;
}

static inline weir_err gpu_dsum_launch(const weir_dsum *sum, bool g2, cudaStream_t stream,
                                       weir_errinfo *ei)
{
    const void *bits =
        g2 ? weir_dsum_g2_kernel(WEIR_DSUM_BITS) : weir_dsum_g1_kernel(WEIR_DSUM_BITS);
    const void *join =
        g2 ? weir_dsum_g2_kernel(WEIR_DSUM_JOIN) : weir_dsum_g1_kernel(WEIR_DSUM_JOIN);
    weir_dsum a = *sum;
    void *args[] = {&a};
    WEIR_CUDA_TRY(ei, cudaLaunchKernel(bits, dim3(a.blocks), dim3(DSUM_THREADS), args, 0, stream));
    for (a.level = 0; a.level < 2; a.level++)
        WEIR_CUDA_TRY(ei, cudaLaunchKernel(join, dim3(a.level == 0 ? a.blocks : 1),
                                           dim3(DSUM_THREADS), args, 0, stream));
    return WEIR_OK;
}

#endif
