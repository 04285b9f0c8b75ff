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

static inline const void *gpu_dsum_kernel(bool g2, enum weir_dsum_kernel kernel, unsigned variant)
{
    return g2 ? weir_dsum_g2_kernel(kernel, variant) : weir_dsum_g1_kernel(kernel, variant);
}

/* Blocks of a sum over bits that fill the device. */
static inline weir_err gpu_dsum_blocks(uint32_t *blocks, bool g2, unsigned variant,
                                       int multiprocessors, weir_errinfo *ei)
{
    int resident = 0;
    WEIR_CUDA_TRY(ei,
                  cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                      &resident, gpu_dsum_kernel(g2, WEIR_DSUM_BITS, variant), DSUM_THREADS, 0));
    *blocks = (uint32_t)(resident * multiprocessors);
    return WEIR_OK;
}

static inline weir_err gpu_dsum_launch(const weir_dsum *sum, bool g2, unsigned variant,
                                       cudaStream_t stream, weir_errinfo *ei)
{
    const void *join = gpu_dsum_kernel(g2, WEIR_DSUM_JOIN, variant);
    weir_dsum a = *sum;
    void *args[] = {&a};
    WEIR_CUDA_TRY(ei, cudaLaunchKernel(gpu_dsum_kernel(g2, WEIR_DSUM_BITS, variant), dim3(a.blocks),
                                       dim3(DSUM_THREADS), args, 0, stream));
    for (a.level = 0; a.level < 2; a.level++)
        WEIR_CUDA_TRY(ei, cudaLaunchKernel(join, dim3(a.level == 0 ? a.blocks : 1),
                                           dim3(DSUM_THREADS), args, 0, stream));
    return WEIR_OK;
}

#endif
