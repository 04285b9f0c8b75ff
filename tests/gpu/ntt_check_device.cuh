/* What gpu_ntt_check runs things with: the device and its memory, launches, plans with their tables, medians. */
#ifndef WEIR_TEST_NTT_CHECK_DEVICE_CUH
#define WEIR_TEST_NTT_CHECK_DEVICE_CUH

#include "ntt_twin.h"

#include "gpu/gpu_status.cuh"
#include "gpu/ntt_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_LOG2 = 10, /* elements that a thread evaluates */
    RUNS = 5         /* of which times are the median */
};

/* ---- kernels */

static __device__ uint64_t mixed(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static __device__ uint64_t global_thread(void)
{
    return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

extern "C" __global__ void check_fill(weir_dfr *out, uint64_t n, uint64_t seed)
{
    uint64_t i = global_thread();
    if (i >= n) return;
    weir_dfr x;
    for (int k = 0; k < WEIR_DFR_N; k++)
        x.l[k] = (uint32_t)mixed(seed + (8 * i + k) * 0x9e3779b97f4a7c15u);
    x.l[WEIR_DFR_N - 1] >>= 2;
    out[i] = x;
}

/* ---- the device */

/* The vectors are those of the quotient and one more for checks; table holds a whole one. */
typedef struct device {
    int sms;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    weir_dfr *v[4], *table, *compact, *parts;
    unsigned long long *count;
    uint64_t seed;
} device;

/* How transforms are run. whole: 0, or how many bits of log2_n the first part of the table lacks, plus one. */
typedef struct config {
    const weir_gpu_ntt_form *form;
    unsigned whole;
} config;
static const char *const table_name[] = {"compact", "whole", "half"};

static weir_err launch(const device *d, const void *kernel, uint64_t blocks, unsigned threads,
                       size_t shared, void **args, weir_errinfo *ei)
{
    WEIR_CUDA_TRY(ei, cudaLaunchKernel(kernel, dim3((unsigned)blocks), dim3(threads), args, shared,
                                       d->stream));
    WEIR_CUDA_TRY(ei, cudaGetLastError());
    return WEIR_OK;
}

static weir_err launch_each(const device *d, const void *kernel, uint64_t n, void **args,
                            weir_errinfo *ei)
{
    return launch(d, kernel, (n + 255) / 256, 256, 0, args, ei);
}

static weir_err fill(const device *d, weir_dfr *out, uint64_t n, uint64_t seed, weir_errinfo *ei)
{
    void *args[] = {&out, &n, &seed};
    return launch_each(d, (const void *)check_fill, n, args, ei);
}

static weir_err copy(const device *d, weir_dfr *out, const weir_dfr *in, uint64_t n,
                     weir_errinfo *ei)
{
    WEIR_CUDA_TRY(ei,
                  cudaMemcpyAsync(out, in, n * sizeof *in, cudaMemcpyDeviceToDevice, d->stream));
    return WEIR_OK;
}

/* ---- plans */

/* The first part by the device, out of a compact table. */
static weir_err make_whole_table(const device *d, weir_gpu_ntt_plan *plan,
                                 const weir_gpu_ntt_plan *compact, weir_errinfo *ei)
{
    uint64_t n = (uint64_t)1 << plan->lo_log2;
    weir_dfr *out = d->table, hi[4];
    const weir_dfr *lo = compact->lo, *high = compact->hi;
    uint32_t lo_log2 = compact->lo_log2;
    void *args[] = {&out, &n, &lo, &high, &lo_log2};
    WEIR_TRY(launch_each(d, weir_kernel_dntt_table(), n, args, ei));
    weir_gpu_ntt_table_fill_hi(plan, hi);
    WEIR_CUDA_TRY(ei, cudaMemcpy(d->table + n, hi, weir_gpu_ntt_table_hi_len(plan) * sizeof *hi,
                                 cudaMemcpyHostToDevice));
    WEIR_CUDA_TRY(ei, cudaStreamSynchronize(d->stream));
    weir_gpu_ntt_table_at(plan, d->table);
    return WEIR_OK;
}

static weir_err make_plan(const device *d, weir_gpu_ntt_plan *plan, unsigned log2_n,
                          const config *c, weir_errinfo *ei)
{
    weir_gpu_ntt_plan_init(plan, log2_n, 0, 0);
    uint64_t bytes = weir_gpu_ntt_table_len(plan) * sizeof(weir_dfr);
    weir_dfr *table = (weir_dfr *)malloc(bytes);
    if (!table) return weir_fail(ei, WEIR_E_NOMEM, "no host memory for a table");
    weir_gpu_ntt_table_fill(plan, table);
    cudaError_t e = cudaMemcpy(d->compact, table, bytes, cudaMemcpyHostToDevice);
    free(table);
    WEIR_CUDA_TRY(ei, e);
    weir_gpu_ntt_table_at(plan, d->compact);
    if (c->whole == 0 || log2_n <= WEIR_GPU_NTT_LO_LOG2 + 2) return WEIR_OK;
    weir_gpu_ntt_plan compact = *plan;
    weir_gpu_ntt_plan_init(plan, log2_n, 0, log2_n - (c->whole - 1));
    return make_whole_table(d, plan, &compact, ei);
}

static weir_err run_list(const device *d, const config *c, weir_gpu_ntt_launch *list, unsigned n,
                         weir_errinfo *ei)
{
    for (unsigned i = 0; i < n; i++) {
        void *args[] = {&list[i].a};
        WEIR_TRY(launch(d, c->form->kernel, list[i].blocks, c->form->threads, c->form->shared, args,
                        ei));
    }
    return WEIR_OK;
}

/* What a list is made for. */
typedef enum work { FORWARD, COSET_FORWARD, INVERSE, COSET_INVERSE, QUOTIENT, WORKS } work;
static const char *const work_name[] = {"forward", "coset forward", "inverse", "coset inverse",
                                        "quotient"};

/* On x, and for the quotient y and tmp. */
static unsigned make_list(weir_gpu_ntt_launch *list, const weir_gpu_ntt_plan *plan, work what,
                          weir_dfr *x, weir_dfr *y, weir_dfr *tmp)
{
    dntt_side side = what == COSET_FORWARD || what == COSET_INVERSE ? DNTT_COSET : DNTT_PLAIN;
    if (what == QUOTIENT) return weir_gpu_quotient(list, plan, x, y, tmp);
    return what == FORWARD || what == COSET_FORWARD ? weir_gpu_ntt_forward(list, plan, x, side)
                                                    : weir_gpu_ntt_inverse(list, plan, x, side);
}

static weir_err run_work(const device *d, const config *c, const weir_gpu_ntt_plan *plan, work what,
                         weir_dfr *x, weir_dfr *y, weir_dfr *tmp, weir_errinfo *ei)
{
    weir_gpu_ntt_launch list[WEIR_GPU_QUOTIENT_LAUNCHES];
    return run_list(d, c, list, make_list(list, plan, what, x, y, tmp), ei);
}

/* ---- times */

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The median of RUNS times of a list, all its launches between two events, after one to warm up. */
static weir_err time_list(const device *d, const config *c, weir_gpu_ntt_launch *list, unsigned n,
                          float *median, weir_errinfo *ei)
{
    float ms[RUNS];
    for (int i = -1; i < RUNS; i++) {
        WEIR_CUDA_TRY(ei, cudaEventRecord(d->start, d->stream));
        WEIR_TRY(run_list(d, c, list, n, ei));
        WEIR_CUDA_TRY(ei, cudaEventRecord(d->stop, d->stream));
        WEIR_CUDA_TRY(ei, cudaEventSynchronize(d->stop));
        WEIR_CUDA_TRY(ei, cudaEventElapsedTime(&ms[i < 0 ? 0 : i], d->start, d->stop));
    }
    qsort(ms, RUNS, sizeof *ms, by_value);
    *median = ms[RUNS / 2];
    return WEIR_OK;
}

#endif
