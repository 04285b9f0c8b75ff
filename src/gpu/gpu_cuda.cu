/* The table of gpu_driver.h on CUDA. Each function makes its device the thread's current one, so any thread may call. */
#include "gpu/gpu_cuda.h"

#include "gpu/gather_kernels.h"
#include "gpu/gpu_gather.h"
#include "gpu/gpu_msm_kernels.h"
#include "gpu/gpu_relation.h"
#include "gpu/gpu_status.cuh"
#include "gpu/ntt_kernels.h"
#include "gpu/points_kernels.h"

#include <stdlib.h>
#include <string.h>

typedef struct cuda_device {
    weir_gpu_driver driver;
    int index;
    cudaStream_t queue[WEIR_GPU_QUEUES];
    cudaEvent_t mark[WEIR_GPU_MARKS];
    const weir_gpu_ntt_form *ntt;
} cuda_device;

static cuda_device *use(void *ctx)
{
    cuda_device *d = (cuda_device *)ctx;
    (void)cudaSetDevice(d->index);
    return d;
}

/* ---- memory */

static weir_err cuda_free_bytes(void *ctx, uint64_t *bytes, weir_errinfo *ei)
{
    size_t free_now, total;
    (void)use(ctx);
    WEIR_CUDA_TRY(ei, cudaMemGetInfo(&free_now, &total));
    *bytes = free_now;
    return WEIR_OK;
}

static weir_err cuda_alloc(void *ctx, void **out, uint64_t bytes, weir_errinfo *ei)
{
    (void)use(ctx);
    *out = NULL;
    WEIR_CUDA_TRY(ei, cudaMalloc(out, bytes ? bytes : 1));
    return WEIR_OK;
}

static void cuda_release(void *ctx, void *p)
{
    (void)use(ctx);
    (void)cudaFree(p);
}

static weir_err cuda_pin(void *ctx, void **out, uint64_t bytes, weir_errinfo *ei)
{
    (void)use(ctx);
    *out = NULL;
    cudaError_t e = cudaMallocHost(out, bytes ? bytes : 1);
    if (e != cudaErrorMemoryAllocation)
        return gpu_status(ei, e, "cudaMallocHost", __FILE__, __LINE__);
    (void)cudaGetLastError();
    return weir_fail(ei, WEIR_E_NOMEM,
                     "the host does not give so much memory that cannot be swapped out: free some, "
                     "or give the GPU a larger budget, so that less stays on the host");
}

static void cuda_unpin(void *ctx, void *p)
{
    (void)use(ctx);
    (void)cudaFreeHost(p);
}

/* ---- work */

static weir_err cuda_upload(void *ctx, int queue, void *to, const void *host, uint64_t bytes,
                            weir_errinfo *ei)
{
    cuda_device *d = use(ctx);
    WEIR_CUDA_TRY(ei, cudaMemcpyAsync(to, host, bytes, cudaMemcpyHostToDevice, d->queue[queue]));
    d->driver.up_bytes += bytes;
    return WEIR_OK;
}

static weir_err cuda_download(void *ctx, int queue, void *host, const void *from, uint64_t bytes,
                              weir_errinfo *ei)
{
    cuda_device *d = use(ctx);
    WEIR_CUDA_TRY(ei, cudaMemcpyAsync(host, from, bytes, cudaMemcpyDeviceToHost, d->queue[queue]));
    d->driver.down_bytes += bytes;
    return WEIR_OK;
}

static weir_err cuda_clear(void *ctx, int queue, void *p, uint64_t bytes, weir_errinfo *ei)
{
    cuda_device *d = use(ctx);
    WEIR_CUDA_TRY(ei, cudaMemsetAsync(p, 0, bytes, d->queue[queue]));
    return WEIR_OK;
}

static const void *kernel_of(const cuda_device *d, unsigned kernel)
{
    if (kernel >= WEIR_GPU_DMSM_G2)
        return weir_dmsm_g2_kernel((enum weir_dmsm_kernel)(kernel - WEIR_GPU_DMSM_G2));
    if (kernel >= WEIR_GPU_DMSM_G1)
        return weir_dmsm_g1_kernel((enum weir_dmsm_kernel)(kernel - WEIR_GPU_DMSM_G1));
    if (kernel >= WEIR_GPU_DSUM_G2)
        return weir_dsum_g2_kernel((enum weir_dsum_kernel)(kernel - WEIR_GPU_DSUM_G2));
    if (kernel >= WEIR_GPU_DSUM_G1)
        return weir_dsum_g1_kernel((enum weir_dsum_kernel)(kernel - WEIR_GPU_DSUM_G1));
    switch (kernel) {
    case WEIR_GPU_NTT:
        return d->ntt->kernel;
    case WEIR_GPU_ROWS:
        return weir_kernel_drel();
    case WEIR_GPU_GATHER:
        return weir_kernel_dgather();
    case WEIR_GPU_KINDS:
        return weir_kernel_dkinds();
    case WEIR_GPU_FIXED_G1:
        return weir_kernel_dg1_fixed();
    case WEIR_GPU_FIXED_G2:
        return weir_kernel_dg2_fixed();
    case WEIR_GPU_MEMBER_G1:
        return weir_kernel_dg1_member();
    case WEIR_GPU_MEMBER_G2:
        return weir_kernel_dg2_member();
    default:
        return weir_kernel_dscalar();
    }
}

static unsigned own_threads(const cuda_device *d, unsigned kernel)
{
    if (kernel == WEIR_GPU_NTT) return d->ntt->threads;
    return kernel == WEIR_GPU_ROWS ? (unsigned)DREL_ROWS : (unsigned)DGATHER_THREADS;
}

static weir_err cuda_launch(void *ctx, int queue, weir_gpu_kernel kernel, uint32_t blocks,
                            uint32_t threads, const void *args, weir_errinfo *ei)
{
    cuda_device *d = use(ctx);
    void *list[] = {(void *)args};
    if (blocks == 0) return WEIR_OK;
    WEIR_CUDA_TRY(ei,
                  cudaLaunchKernel(kernel_of(d, kernel), dim3(blocks),
                                   dim3(threads ? threads : own_threads(d, kernel)), list,
                                   kernel == WEIR_GPU_NTT ? d->ntt->shared : 0, d->queue[queue]));
    return WEIR_OK;
}

/* ---- order */

static weir_err cuda_mark(void *ctx, int queue, int mark, weir_errinfo *ei)
{
    cuda_device *d = use(ctx);
    WEIR_CUDA_TRY(ei, cudaEventRecord(d->mark[mark], d->queue[queue]));
    return WEIR_OK;
}

static weir_err cuda_follow(void *ctx, int queue, int mark, weir_errinfo *ei)
{
    cuda_device *d = use(ctx);
    WEIR_CUDA_TRY(ei, cudaStreamWaitEvent(d->queue[queue], d->mark[mark], 0));
    return WEIR_OK;
}

static weir_err cuda_wait(void *ctx, int mark, weir_errinfo *ei)
{
    cuda_device *d = use(ctx);
    WEIR_CUDA_TRY(ei, cudaEventSynchronize(d->mark[mark]));
    return WEIR_OK;
}

static weir_err cuda_drain(void *ctx, weir_errinfo *ei)
{
    cuda_device *d = use(ctx);
    weir_err err = WEIR_OK;
    for (int i = 0; i < WEIR_GPU_QUEUES; i++) {
        weir_err e = gpu_status(ei, cudaStreamSynchronize(d->queue[i]), "cudaStreamSynchronize",
                                __FILE__, __LINE__);
        if (err == WEIR_OK) err = e;
    }
    return err;
}

static weir_err cuda_elapsed(void *ctx, uint64_t *ns, int from, int to, weir_errinfo *ei)
{
    cuda_device *d = use(ctx);
    float ms;
    WEIR_CUDA_TRY(ei, cudaEventElapsedTime(&ms, d->mark[from], d->mark[to]));
    *ns = (uint64_t)((double)ms * 1e6);
    return WEIR_OK;
}

/* ---- opening */

static weir_err sum_blocks(uint32_t *blocks, const void *kernel, int multiprocessors,
                           weir_errinfo *ei)
{
    int resident = 0;
    WEIR_CUDA_TRY(
        ei, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, WEIR_DSUM_THREADS, 0));
    *blocks = (uint32_t)(resident * multiprocessors);
    return WEIR_OK;
}

static weir_err make_queues(cuda_device *d, weir_errinfo *ei)
{
    for (int i = 0; i < WEIR_GPU_QUEUES; i++)
        WEIR_CUDA_TRY(ei, cudaStreamCreateWithFlags(&d->queue[i], cudaStreamNonBlocking));
    for (int i = 0; i < WEIR_GPU_MARKS; i++)
        WEIR_CUDA_TRY(ei, cudaEventCreateWithFlags(&d->mark[i], cudaEventBlockingSync));
    return WEIR_OK;
}

static weir_err open_device(cuda_device *d, weir_errinfo *ei)
{
    cudaDeviceProp p;
    size_t forms;
    WEIR_CUDA_TRY(ei, cudaSetDevice(d->index));
    WEIR_CUDA_TRY(ei,
                  cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync | cudaDeviceLmemResizeToMax));
    WEIR_CUDA_TRY(ei, cudaGetDeviceProperties(&p, d->index));
    memcpy(d->driver.name, p.name, sizeof d->driver.name - 1);
    d->driver.memory_bytes = p.totalGlobalMem;
    d->ntt = weir_gpu_ntt_forms(&forms);
    WEIR_CUDA_TRY(ei,
                  cudaFuncSetAttribute(d->ntt->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       (int)d->ntt->shared));
    WEIR_TRY(sum_blocks(&d->driver.sum_blocks[0], weir_dsum_g1_kernel(WEIR_DSUM_ADD),
                        p.multiProcessorCount, ei));
    WEIR_TRY(sum_blocks(&d->driver.sum_blocks[1], weir_dsum_g2_kernel(WEIR_DSUM_ADD),
                        p.multiProcessorCount, ei));
    return make_queues(d, ei);
}

static void fill_table(cuda_device *d)
{
    weir_gpu_driver *t = &d->driver;
    t->ctx = d;
    t->free_bytes = cuda_free_bytes;
    t->alloc = cuda_alloc;
    t->release = cuda_release;
    t->pin = cuda_pin;
    t->unpin = cuda_unpin;
    t->upload = cuda_upload;
    t->download = cuda_download;
    t->clear = cuda_clear;
    t->launch = cuda_launch;
    t->mark = cuda_mark;
    t->follow = cuda_follow;
    t->wait = cuda_wait;
    t->drain = cuda_drain;
    t->elapsed = cuda_elapsed;
}

extern "C" weir_err weir_gpu_open(weir_gpu_driver **out, unsigned index, weir_errinfo *ei)
{
    cuda_device *d = (cuda_device *)calloc(1, sizeof *d);
    *out = NULL;
    if (!d) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a device");
    d->index = (int)index;
    fill_table(d);
    weir_err err = open_device(d, ei);
    if (err == WEIR_OK)
        *out = &d->driver;
    else
        weir_gpu_close(&d->driver);
    return err;
}

extern "C" void weir_gpu_close(weir_gpu_driver *driver)
{
    if (!driver) return;
    cuda_device *d = use(driver->ctx);
    for (int i = 0; i < WEIR_GPU_QUEUES; i++)
        if (d->queue[i]) (void)cudaStreamDestroy(d->queue[i]);
    for (int i = 0; i < WEIR_GPU_MARKS; i++)
        if (d->mark[i]) (void)cudaEventDestroy(d->mark[i]);
    free(d);
}

extern "C" unsigned weir_gpu_count(weir_errinfo *ei)
{
    int n = 0;
    weir_err err = gpu_status(ei, cudaGetDeviceCount(&n), "cudaGetDeviceCount", __FILE__, __LINE__);
    return err == WEIR_OK && n > 0 ? (unsigned)n : 0;
}

extern "C" weir_err weir_gpu_describe(weir_gpu_facts *out, unsigned index, weir_errinfo *ei)
{
    cudaDeviceProp p;
    int khz = 0, driver = 0, runtime = 0;
    memset(out, 0, sizeof *out);
    WEIR_CUDA_TRY(ei, cudaGetDeviceProperties(&p, (int)index));
    WEIR_CUDA_TRY(ei, cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, (int)index));
    WEIR_CUDA_TRY(ei, cudaDriverGetVersion(&driver));
    WEIR_CUDA_TRY(ei, cudaRuntimeGetVersion(&runtime));
    memcpy(out->name, p.name, sizeof out->name - 1);
    out->multiprocessors = (unsigned)p.multiProcessorCount;
    out->clock_mhz = (unsigned)khz / 1000;
    out->compute_major = (unsigned)p.major;
    out->compute_minor = (unsigned)p.minor;
    out->driver_version = (unsigned)driver;
    out->runtime_version = (unsigned)runtime;
    out->memory_bytes = p.totalGlobalMem;
    return WEIR_OK;
}

/* ---- benches */

extern "C" weir_err weir_gpu_bench_blocks(uint32_t *blocks, const weir_gpu_driver *driver,
                                          const weir_bench_kernel *kernel, weir_errinfo *ei)
{
    cuda_device *d = use(driver->ctx);
    int resident = 0, multiprocessors = 0;
    WEIR_CUDA_TRY(
        ei, cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, d->index));
    WEIR_CUDA_TRY(ei, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel->kernel,
                                                                    (int)kernel->threads, 0));
    *blocks = (uint32_t)(resident * multiprocessors);
    return WEIR_OK;
}

extern "C" weir_err weir_gpu_launch_bench(const weir_gpu_driver *driver,
                                          const weir_bench_kernel *kernel, uint32_t blocks,
                                          void *out, const void *in, uint32_t rounds,
                                          weir_errinfo *ei)
{
    cuda_device *d = use(driver->ctx);
    void *args[] = {&out, &in, &rounds};
    WEIR_CUDA_TRY(ei, cudaLaunchKernel(kernel->kernel, dim3(blocks), dim3(kernel->threads), args, 0,
                                       d->queue[WEIR_GPU_WORK]));
    return WEIR_OK;
}
