/* Launches of dense sums and sums over bits on a stream. Nothing here waits or allocates; a kernel that fails while it runs
 * is told by the next call that waits for the stream. */
#ifndef WEIR_GPU_MSM_RUN_CUH
#define WEIR_GPU_MSM_RUN_CUH

#include "gpu/gpu_msm_kernels.h"
#include "gpu/gpu_status.cuh"

/* One step of a plan made for the same group. */
static inline weir_err gpu_dmsm_launch(const weir_dmsm_step *s, bool g2, cudaStream_t stream,
                                       weir_errinfo *ei)
{
    weir_dmsm a = s->args;
    void *args[] = {&a};
    const void *kernel = g2 ? weir_dmsm_g2_kernel(s->kernel) : weir_dmsm_g1_kernel(s->kernel);
    WEIR_CUDA_TRY(ei, cudaLaunchKernel(kernel, dim3(s->blocks), dim3(s->threads), args, 0, stream));
    return WEIR_OK;
}

/* All steps of a sum; points, scalars, out as in weir_dmsm_step_make. */
static inline weir_err gpu_dmsm_launch_all(const weir_dmsm_plan *p, bool g2, void *arena,
                                           const void *points, const void *scalars, void *out,
                                           cudaStream_t stream, weir_errinfo *ei)
{
    for (uint32_t i = 0; i < weir_dmsm_steps(p); i++) {
        weir_dmsm_step s;
        weir_dmsm_step_make(&s, p, i, arena, points, scalars, out);
        WEIR_TRY(gpu_dmsm_launch(&s, g2, stream, ei));
    }
    return WEIR_OK;
}

/* Blocks of ADD that fill the device, for weir_dsum_plan_make. */
static inline weir_err gpu_dsum_blocks(uint32_t *blocks, bool g2, int multiprocessors,
                                       weir_errinfo *ei)
{
    int resident = 0;
    const void *kernel =
        g2 ? weir_dsum_g2_kernel(WEIR_DSUM_ADD) : weir_dsum_g1_kernel(WEIR_DSUM_ADD);
    WEIR_CUDA_TRY(
        ei, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, WEIR_DSUM_THREADS, 0));
    *blocks = (uint32_t)(resident * multiprocessors);
    return WEIR_OK;
}

/* One step of a plan made for the same group. */
static inline weir_err gpu_dsum_launch(const weir_dsum_step *s, bool g2, cudaStream_t stream,
                                       weir_errinfo *ei)
{
    weir_dsum a = s->args;
    void *args[] = {&a};
    const void *kernel = g2 ? weir_dsum_g2_kernel(s->kernel) : weir_dsum_g1_kernel(s->kernel);
    WEIR_CUDA_TRY(ei, cudaLaunchKernel(kernel, dim3(s->blocks), dim3(s->threads), args, 0, stream));
    return WEIR_OK;
}

/* All steps of a sum; points, bits, out as in weir_dsum_step_make. */
static inline weir_err gpu_dsum_launch_all(const weir_dsum_plan *p, bool g2, void *arena,
                                           const void *points, const uint64_t *bits, void *out,
                                           cudaStream_t stream, weir_errinfo *ei)
{
    for (uint32_t i = 0; i < weir_dsum_steps(p); i++) {
        weir_dsum_step s;
        weir_dsum_step_make(&s, p, i, arena, points, bits, out);
        WEIR_TRY(gpu_dsum_launch(&s, g2, stream, ei));
    }
    return WEIR_OK;
}

#endif
