/* Checks and times dense sums and sums over bits on the first CUDA device. Small sums against the CPU's (src/msm) on fresh random
 * inputs; large ones, of points that the device makes, against their closed form (msm_input.h), exactly.
 *
 * usage: gpu_msm_check [--check] [--seed N] [--log N]
 *   --check: small sums only, no timing (for compute-sanitizer); --log N: no sum of more than 2^N points
 * Exit: 0 all right; 1 a difference or an error; 77 no device, which CTest takes for "skipped".
 */
#include "msm_host.h"
#include "msm_input.h"

#include "gpu/gpu_msm_run.cuh"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SKIPPED = 77,
    RUNS = 5,
    LOG_MAX_G1 = 27,
    LOG_MAX_G2 = 23,
    STAGES = 3,
    WINDOWS_MAX = 128,
    BLOCKS_MAX = 4096
};

typedef struct device {
    int sms;
    cudaStream_t stream;
    cudaEvent_t at[STAGES * WINDOWS_MAX + 1];
    uint64_t seed;
    uint32_t log_max;
} device;

/* Device memory of one group's sums: points, scalars, and the arena of the plan in use. */
typedef struct memory {
    void *points, *scalars, *arena, *out;
    uint64_t arena_bytes;
} memory;

static uint64_t affine_bytes(bool g2)
{
    return g2 ? sizeof(weir_dg2_affine) : sizeof(weir_dg1_affine);
}

static const weir_dmsm_sizes *sizes_of(bool g2)
{
    return g2 ? &weir_dmsm_sizes_g2 : &weir_dmsm_sizes_g1;
}

/* ---- kernels that make inputs */

extern "C" __global__ void __launch_bounds__(MSM_INPUT_THREADS) kernel_dg1_points(msm_input_args a)
{
    __shared__ dg1_points_shared s;
    WEIR_DEVICE_RUN(dg1_points, &a, &s);
}
extern "C" __global__ void __launch_bounds__(MSM_INPUT_THREADS) kernel_dg2_points(msm_input_args a)
{
    __shared__ dg2_points_shared s;
    WEIR_DEVICE_RUN(dg2_points, &a, &s);
}
extern "C" __global__ void kernel_scalars(uint32_t *k, int kind, uint64_t seed, uint64_t n)
{
    uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) msm_input_scalar(k + 8 * i, kind, seed, i);
}
extern "C" __global__ void kernel_bits(uint64_t *word, uint64_t seed, uint64_t n)
{
    uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) word[i] = msm_input_hash(seed, i);
}

static weir_err memory_new(memory *m, bool g2, uint64_t n, uint64_t arena_bytes, weir_errinfo *ei)
{
    memset(m, 0, sizeof *m);
    WEIR_CUDA_TRY(ei, cudaMalloc(&m->points, n * affine_bytes(g2) + 16));
    WEIR_CUDA_TRY(ei, cudaMalloc(&m->scalars, n * sizeof(weir_scalar) + 16));
    WEIR_CUDA_TRY(ei, cudaMalloc(&m->out, WINDOWS_MAX * sizeof(weir_g2)));
    WEIR_CUDA_TRY(ei, cudaMalloc(&m->arena, arena_bytes + 256));
    WEIR_CUDA_TRY(ei, cudaMemset(m->arena, 0xa5, arena_bytes));
    m->arena_bytes = arena_bytes;
    return WEIR_OK;
}

static void memory_free(memory *m)
{
    (void)cudaFree(m->points);
    (void)cudaFree(m->scalars);
    (void)cudaFree(m->out);
    (void)cudaFree(m->arena);
}

/* ---- one sum */

static weir_err same_point(bool g2, const void *got, const void *want, const char *what, uint64_t n,
                           uint32_t c, weir_errinfo *ei)
{
    if (memcmp(got, want, affine_bytes(g2)) == 0) return WEIR_OK;
    return weir_fail(ei, WEIR_E_INTERNAL, "G%d, %s, n %llu, window %u: another point", g2 ? 2 : 1,
                     what, (unsigned long long)n, c);
}

/* Where events are recorded, beside the end: nowhere; where a stage of a group begins; where a step begins. */
enum marks { NO_MARKS, STAGE_MARKS, STEP_MARKS };

static weir_err launch_steps(device *d, const weir_dmsm_plan *p, bool g2, const memory *m,
                             enum marks marks, weir_errinfo *ei)
{
    uint32_t mark = 0;
    bool accumulated = false;
    for (uint32_t i = 0; i < weir_dmsm_steps(p); i++) {
        weir_dmsm_step s;
        weir_dmsm_step_make(&s, p, i, m->arena, m->points, m->scalars, m->out);
        bool stage = s.kernel == WEIR_DMSM_COUNT || s.kernel == WEIR_DMSM_ACCUMULATE || accumulated;
        if (marks == STEP_MARKS || (marks == STAGE_MARKS && stage))
            WEIR_CUDA_TRY(ei, cudaEventRecord(d->at[mark++], d->stream));
        accumulated = s.kernel == WEIR_DMSM_ACCUMULATE;
        WEIR_TRY(gpu_dmsm_launch(&s, g2, d->stream, ei));
    }
    if (marks != NO_MARKS) WEIR_CUDA_TRY(ei, cudaEventRecord(d->at[mark], d->stream));
    return WEIR_OK;
}

static weir_err read_sum(device *d, const weir_dmsm_plan *p, bool g2, const memory *m, void *affine,
                         weir_errinfo *ei)
{
    weir_g2 sums[WINDOWS_MAX];
    WEIR_CUDA_TRY(ei, cudaStreamSynchronize(d->stream));
    WEIR_CUDA_TRY(ei,
                  cudaMemcpy(sums, m->out, p->windows * (g2 ? sizeof(weir_g2) : sizeof(weir_g1)),
                             cudaMemcpyDeviceToHost));
    host_join(g2, affine, sums, p->windows, p->c);
    return WEIR_OK;
}

/* ---- small sums against the CPU */

typedef struct small {
    void *points;
    weir_scalar *k;
    memory m;
} small;

static weir_err small_msm(device *d, small *s, bool g2, uint32_t n, uint32_t c, uint32_t group,
                          int kind, weir_errinfo *ei)
{
    weir_dmsm_plan p;
    weir_g2_affine want, got;
    host_scalars(s->k, n, kind, d->seed + n);
    WEIR_TRY(host_msm(g2, &want, s->points, s->k, n, ei));
    weir_dmsm_plan_make(&p, sizes_of(g2), n, c, group);
    memory m = s->m;
    WEIR_CUDA_TRY(ei, cudaMemcpy(m.scalars, s->k, n * sizeof *s->k, cudaMemcpyHostToDevice));
    WEIR_CUDA_TRY(ei, cudaMalloc(&m.arena, p.total_bytes + 256));
    WEIR_CUDA_TRY(ei, cudaMemset(m.arena, 0xa5, p.total_bytes));
    weir_err err = launch_steps(d, &p, g2, &m, NO_MARKS, ei);
    if (err == WEIR_OK) err = read_sum(d, &p, g2, &m, &got, ei);
    if (err == WEIR_OK) err = same_point(g2, &got, &want, "dense sum", n, p.c, ei);
    (void)cudaFree(m.arena);
    return err;
}

static weir_err run_bits(device *d, bool g2, const memory *m, const weir_dsum_plan *p,
                         weir_errinfo *ei)
{
    return gpu_dsum_launch_all(p, g2, m->arena, m->points, (const uint64_t *)m->scalars, m->out,
                               d->stream, ei);
}

static weir_err small_bits(device *d, small *s, bool g2, uint32_t n, int percent, uint32_t blocks,
                           weir_errinfo *ei)
{
    weir_g2_affine want, got;
    weir_g2 sum;
    uint64_t *bits = (uint64_t *)s->k;
    weir_dsum_plan p;
    weir_dsum_plan_make(&p, sizes_of(g2), n, blocks, percent % 2 ? n / 3 : 0);
    memset(bits, 0, (n / 64 + 1) * sizeof *bits);
    for (uint32_t i = 0; i < (n / 64 + 1) * 64; i++)
        if (host_percent(d->seed + n, i) < percent) bits[i / 64] |= (uint64_t)1 << i % 64;
    WEIR_TRY(host_sum_bits(g2, &want, s->points, bits, n, ei));
    WEIR_CUDA_TRY(
        ei, cudaMemcpy(s->m.scalars, bits, (n / 64 + 1) * sizeof *bits, cudaMemcpyHostToDevice));
    WEIR_TRY(run_bits(d, g2, &s->m, &p, ei));
    WEIR_CUDA_TRY(ei, cudaStreamSynchronize(d->stream));
    WEIR_CUDA_TRY(ei, cudaMemcpy(&sum, s->m.out, sizeof sum, cudaMemcpyDeviceToHost));
    host_join(g2, &got, &sum, 1, 0);
    return same_point(g2, &got, &want, "sum over bits", n, (uint32_t)percent, ei);
}

static weir_err small_cases(device *d, small *s, bool g2, uint32_t log_max, weir_errinfo *ei)
{
    static const uint32_t sizes[] = {1, 2, 31, 300, 1 << 10, (1 << 12) - 1, 1 << 14, (1 << 16) + 1};
    static const int percent[] = {0, 1, 50, 99, 100};
    uint32_t blocks;
    WEIR_TRY(gpu_dsum_blocks(&blocks, g2, d->sms, ei));
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (sizes[i] >> log_max > 1 || sizes[i] == (2u << log_max)) continue;
        for (int kind = 0; kind < HOST_SCALAR_KINDS; kind++) {
            WEIR_TRY(small_msm(d, s, g2, sizes[i], 0, 0, kind, ei));
            if (kind < 2 && sizes[i] > 31) WEIR_TRY(small_msm(d, s, g2, sizes[i], 13, 3, kind, ei));
        }
        for (size_t j = 0; j < sizeof percent / sizeof percent[0]; j++)
            WEIR_TRY(small_bits(d, s, g2, sizes[i], percent[j], j % 2 ? 3 : blocks, ei));
    }
    return WEIR_OK;
}

static weir_err check_small(device *d, bool g2, uint32_t log_max, weir_errinfo *ei)
{
    uint32_t n = (1u << log_max) + 64;
    weir_dsum_plan p;
    small s;
    weir_dsum_plan_make(&p, sizes_of(g2), n, BLOCKS_MAX, 0);
    memset(&s, 0, sizeof s);
    s.points = malloc(n * affine_bytes(g2));
    s.k = (weir_scalar *)malloc((n + 64) * sizeof *s.k);
    weir_err err =
        s.points && s.k ? WEIR_OK : weir_fail(ei, WEIR_E_NOMEM, "no host memory for a check");
    if (err == WEIR_OK) err = memory_new(&s.m, g2, n, p.total_bytes, ei);
    if (err == WEIR_OK) err = host_points(g2, s.points, n, d->seed, NULL, ei);
    if (err == WEIR_OK)
        err = gpu_status(
            ei, cudaMemcpy(s.m.points, s.points, n * affine_bytes(g2), cudaMemcpyHostToDevice),
            "cudaMemcpy", __FILE__, __LINE__);
    if (err == WEIR_OK) err = small_cases(d, &s, g2, log_max, ei);
    memory_free(&s.m);
    free(s.points);
    free(s.k);
    return err;
}

/* ---- large sums against their closed form, and times */

typedef struct large {
    bool g2;
    uint32_t log_max;
    host_form form;
    memory m;
} large;

/* Both tables go up, the points are made, the tables go. */
static weir_err large_points(device *d, large *l, uint64_t n, weir_errinfo *ei)
{
    size_t low = (size_t)1 << MSM_INPUT_LOG, high = (size_t)((n + low - 1) >> MSM_INPUT_LOG);
    size_t each = affine_bytes(l->g2);
    unsigned char *host = (unsigned char *)malloc((low + high) * each), *tables = NULL;
    weir_err err = WEIR_OK;
    if (!host) return weir_fail(ei, WEIR_E_NOMEM, "no host memory for a check");
    WEIR_TRY_GOTO(host_form_table(&l->form, l->g2, true, host, low, ei));
    WEIR_TRY_GOTO(host_form_table(&l->form, l->g2, false, host + low * each, high, ei));
    WEIR_CUDA_TRY_GOTO(ei, cudaMalloc(&tables, (low + high) * each));
    WEIR_CUDA_TRY_GOTO(ei, cudaMemcpy(tables, host, (low + high) * each, cudaMemcpyHostToDevice));
    {
        msm_input_args a = {l->m.points, tables, tables + low * each, n};
        void *args[] = {&a};
        uint64_t per = (uint64_t)MSM_INPUT_THREADS * BATCH_INV_EACH;
        WEIR_CUDA_TRY_GOTO(ei, cudaLaunchKernel(l->g2 ? (const void *)kernel_dg2_points
                                                      : (const void *)kernel_dg1_points,
                                                dim3((unsigned)((n + per - 1) / per)),
                                                dim3(MSM_INPUT_THREADS), args, 0, d->stream));
        WEIR_CUDA_TRY_GOTO(ei, cudaStreamSynchronize(d->stream));
    }
out:
    (void)cudaFree(tables);
    free(host);
    return err;
}

static weir_err large_scalars(device *d, large *l, int kind, uint64_t n, weir_errinfo *ei)
{
    kernel_scalars<<<(unsigned)((n + 255) / 256), 256, 0, d->stream>>>((uint32_t *)l->m.scalars,
                                                                       kind, d->seed, n);
    WEIR_CUDA_TRY(ei, cudaGetLastError());
    return WEIR_OK;
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* ms: of sort, accumulation, reduction, all, the sums over the groups. */
static weir_err stage_times(device *d, uint32_t groups, float ms[STAGES + 1], weir_errinfo *ei)
{
    memset(ms, 0, (STAGES + 1) * sizeof *ms);
    for (uint32_t i = 0; i < groups * STAGES; i++) {
        float t;
        WEIR_CUDA_TRY(ei, cudaEventElapsedTime(&t, d->at[i], d->at[i + 1]));
        ms[i % STAGES] += t;
    }
    WEIR_CUDA_TRY(ei, cudaEventElapsedTime(&ms[STAGES], d->at[0], d->at[groups * STAGES]));
    return WEIR_OK;
}

/* median[i]: of stage i, and of all. */
static weir_err time_msm(device *d, large *l, const weir_dmsm_plan *p, float *median,
                         weir_errinfo *ei)
{
    float ms[RUNS][STAGES + 1], row[RUNS];
    for (int run = -1; run < RUNS; run++) { /* the first warms up */
        WEIR_TRY(launch_steps(d, p, l->g2, &l->m, STAGE_MARKS, ei));
        WEIR_CUDA_TRY(ei, cudaStreamSynchronize(d->stream));
        WEIR_TRY(stage_times(d, p->groups, ms[run < 0 ? 0 : run], ei));
    }
    for (int stage = 0; stage <= STAGES; stage++) {
        for (int run = 0; run < RUNS; run++) row[run] = ms[run][stage];
        qsort(row, RUNS, sizeof *row, by_value);
        median[stage] = row[RUNS / 2];
    }
    return WEIR_OK;
}

/* One more run, with the time of each kernel, the sums over groups. */
static weir_err print_kernels(device *d, large *l, const weir_dmsm_plan *p, weir_errinfo *ei)
{
    static const char *const names[WEIR_DMSM_KERNELS] = {
        "count", "starts",     "place", "tile_count", "tile_starts", "tile_place", "lengths",
        "order", "accumulate", "join",  "join_end",   "segments",    "fold",       "finish"};
    float ms[WEIR_DMSM_KERNELS] = {0};
    WEIR_TRY(launch_steps(d, p, l->g2, &l->m, STEP_MARKS, ei));
    WEIR_CUDA_TRY(ei, cudaStreamSynchronize(d->stream));
    for (uint32_t i = 0; i < weir_dmsm_steps(p); i++) {
        weir_dmsm_step s;
        float t;
        weir_dmsm_step_make(&s, p, i, l->m.arena, l->m.points, l->m.scalars, l->m.out);
        WEIR_CUDA_TRY(ei, cudaEventElapsedTime(&t, d->at[i], d->at[i + 1]));
        ms[s.kernel] += t;
    }
    printf("       ");
    for (int i = 0; i < WEIR_DMSM_KERNELS; i++) printf(" %s %.2f", names[i], ms[i]);
    printf("\n");
    return WEIR_OK;
}

/* A row of the table: log2 n; window, windows at once (0: the plan's); kind. */
typedef struct row {
    bool g2;
    uint32_t log, c, group;
    int kind;
} row;

static const row rows[] = {
    {false, 20, 0, 0, MSM_INPUT_RANDOM},  {false, 21, 0, 0, MSM_INPUT_RANDOM},
    {false, 22, 0, 0, MSM_INPUT_RANDOM},  {false, 23, 0, 0, MSM_INPUT_RANDOM},
    {false, 24, 0, 0, MSM_INPUT_RANDOM},  {false, 24, 22, 0, MSM_INPUT_RANDOM},
    {false, 24, 0, 0, MSM_INPUT_EQUAL},   {false, 24, 0, 0, MSM_INPUT_SMALL},
    {false, 25, 0, 0, MSM_INPUT_RANDOM},  {false, 26, 20, 0, MSM_INPUT_RANDOM},
    {false, 26, 22, 0, MSM_INPUT_RANDOM}, {false, 26, 22, 4, MSM_INPUT_RANDOM},
    {false, 26, 23, 0, MSM_INPUT_RANDOM}, {false, 27, 0, 0, MSM_INPUT_RANDOM},
    {false, 27, 20, 0, MSM_INPUT_RANDOM}, {false, 27, 22, 2, MSM_INPUT_RANDOM},
    {false, 27, 22, 6, MSM_INPUT_RANDOM}, {false, 27, 23, 0, MSM_INPUT_RANDOM},
    {true, 20, 0, 0, MSM_INPUT_RANDOM},   {true, 20, 15, 0, MSM_INPUT_RANDOM},
    {true, 22, 0, 0, MSM_INPUT_RANDOM},   {true, 22, 20, 0, MSM_INPUT_RANDOM},
    {true, 22, 0, 0, MSM_INPUT_EQUAL},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static weir_err large_row(device *d, large *l, const row *r, host_sums *sums, weir_errinfo *ei)
{
    static const char *const kinds[] = {"random", "all equal", "0, 1, r - 1"};
    uint64_t n = (uint64_t)1 << r->log;
    weir_dmsm_plan p;
    weir_g2_affine want, got;
    host_sums own;
    float ms[STAGES + 1];
    memset(&own, 0, sizeof own);
    if (r->kind != MSM_INPUT_RANDOM || sums->done > n) sums = &own;
    weir_dmsm_plan_make(&p, sizes_of(r->g2), 1u << r->log, r->c, r->group);
    WEIR_TRY(large_scalars(d, l, r->kind, n, ei));
    WEIR_TRY(time_msm(d, l, &p, ms, ei));
    WEIR_TRY(read_sum(d, &p, l->g2, &l->m, &got, ei));
    host_sums_scalars(sums, r->kind, d->seed, n);
    host_form_sum(&l->form, l->g2, &want, sums);
    WEIR_TRY(same_point(l->g2, &got, &want, "dense sum", n, p.c, ei));
    printf("G%d 2^%-2u %3u %5u/%-3u %9.2f %9.2f %9.2f %9.2f %7.2f %6.1f %8.1f  %s\n", l->g2 ? 2 : 1,
           r->log, p.c, p.group, p.windows, ms[STAGES], ms[0], ms[1], ms[2],
           (double)n * p.windows * 1e-6 / ms[1], ms[0] * 1e9 / ((double)n * p.windows),
           p.total_bytes / 1048576.0, kinds[r->kind]);
    WEIR_TRY(print_kernels(d, l, &p, ei));
    fflush(stdout);
    return WEIR_OK;
}

/* One more run, with the time of each kernel. */
static weir_err print_bits_kernels(device *d, large *l, const weir_dsum_plan *p, weir_errinfo *ei)
{
    static const char *const names[WEIR_DSUM_KERNELS] = {"count", "list", "add", "join"};
    float ms[WEIR_DSUM_KERNELS] = {0};
    for (uint32_t i = 0; i < weir_dsum_steps(p); i++) {
        weir_dsum_step s;
        float t;
        weir_dsum_step_make(&s, p, i, l->m.arena, l->m.points, (const uint64_t *)l->m.scalars,
                            l->m.out);
        WEIR_CUDA_TRY(ei, cudaEventRecord(d->at[0], d->stream));
        WEIR_TRY(gpu_dsum_launch(&s, l->g2, d->stream, ei));
        WEIR_CUDA_TRY(ei, cudaEventRecord(d->at[1], d->stream));
        WEIR_CUDA_TRY(ei, cudaStreamSynchronize(d->stream));
        WEIR_CUDA_TRY(ei, cudaEventElapsedTime(&t, d->at[0], d->at[1]));
        ms[s.kernel] += t;
    }
    printf("       ");
    for (int i = 0; i < WEIR_DSUM_KERNELS; i++) printf(" %s %.3f", names[i], ms[i]);
    printf("\n");
    return WEIR_OK;
}

static weir_err time_bits(device *d, large *l, const weir_dsum_plan *p, float *median,
                          weir_errinfo *ei)
{
    float ms[RUNS];
    for (int run = -1; run < RUNS; run++) { /* the first warms up */
        WEIR_CUDA_TRY(ei, cudaEventRecord(d->at[0], d->stream));
        WEIR_TRY(run_bits(d, l->g2, &l->m, p, ei));
        WEIR_CUDA_TRY(ei, cudaEventRecord(d->at[1], d->stream));
        WEIR_CUDA_TRY(ei, cudaStreamSynchronize(d->stream));
        WEIR_CUDA_TRY(ei, cudaEventElapsedTime(&ms[run < 0 ? 0 : run], d->at[0], d->at[1]));
    }
    qsort(ms, RUNS, sizeof *ms, by_value);
    *median = ms[RUNS / 2];
    return WEIR_OK;
}

static weir_err large_bits(device *d, large *l, uint32_t log, weir_errinfo *ei)
{
    uint64_t n = (uint64_t)1 << log;
    uint32_t blocks;
    float ms;
    weir_g2 sum;
    weir_g2_affine want, got;
    weir_dsum_plan p;
    host_sums sums;
    memset(&sums, 0, sizeof sums);
    WEIR_TRY(gpu_dsum_blocks(&blocks, l->g2, d->sms, ei));
    weir_dsum_plan_make(&p, sizes_of(l->g2), (uint32_t)n, blocks, 0);
    kernel_bits<<<(unsigned)((n / 64 + 255) / 256), 256, 0, d->stream>>>((uint64_t *)l->m.scalars,
                                                                         d->seed, n / 64);
    WEIR_CUDA_TRY(ei, cudaGetLastError());
    WEIR_TRY(time_bits(d, l, &p, &ms, ei));
    WEIR_CUDA_TRY(ei, cudaMemcpy(&sum, l->m.out, sizeof sum, cudaMemcpyDeviceToHost));
    host_join(l->g2, &got, &sum, 1, 0);
    host_sums_bits(&sums, d->seed, n);
    host_form_sum(&l->form, l->g2, &want, &sums);
    WEIR_TRY(same_point(l->g2, &got, &want, "sum over bits", n, 50, ei));
    printf(
        "G%d 2^%-2u sum over bits, half ones: %.3f ms, %.2f G additions/s, %u blocks, %.1f MiB\n",
        l->g2 ? 2 : 1, log, ms, (double)n / 2 * 1e-6 / ms, blocks, p.total_bytes / 1048576.0);
    WEIR_TRY(print_bits_kernels(d, l, &p, ei));
    fflush(stdout);
    return WEIR_OK;
}

static weir_err large_rows(device *d, large *l, weir_errinfo *ei)
{
    host_sums sums;
    memset(&sums, 0, sizeof sums);
    for (int i = 0; i < ROWS; i++)
        if (rows[i].g2 == l->g2 && rows[i].log <= l->log_max)
            WEIR_TRY(large_row(d, l, &rows[i], &sums, ei));
    for (uint32_t log = 20; log <= l->log_max; log++) WEIR_TRY(large_bits(d, l, log, ei));
    return WEIR_OK;
}

static weir_err check_large(device *d, bool g2, weir_errinfo *ei)
{
    uint64_t arena;
    weir_dsum_plan bits;
    size_t before, during, all;
    large l;
    memset(&l, 0, sizeof l);
    l.g2 = g2;
    l.log_max = g2 ? LOG_MAX_G2 : LOG_MAX_G1;
    if (l.log_max > d->log_max) l.log_max = d->log_max;
    WEIR_CUDA_TRY(ei, cudaMemGetInfo(&before, &all));
    while (l.log_max > 20 && (affine_bytes(g2) + 96) << l.log_max > before) l.log_max--;
    weir_dsum_plan_make(&bits, sizes_of(g2), 1u << l.log_max, BLOCKS_MAX, 0);
    arena = bits.total_bytes;
    for (int i = 0; i < ROWS; i++) {
        weir_dmsm_plan p;
        if (rows[i].g2 != g2 || rows[i].log > l.log_max) continue;
        weir_dmsm_plan_make(&p, sizes_of(rows[i].g2), 1u << rows[i].log, rows[i].c, rows[i].group);
        if (p.total_bytes > arena) arena = p.total_bytes;
    }
    host_form_init(&l.form, d->seed);
    weir_err err = memory_new(&l.m, g2, (uint64_t)1 << l.log_max, arena, ei);
    if (err == WEIR_OK) err = large_points(d, &l, (uint64_t)1 << l.log_max, ei);
    if (err == WEIR_OK) err = large_rows(d, &l, ei);
    if (err == WEIR_OK)
        err = gpu_status(ei, cudaMemGetInfo(&during, &all), "cudaMemGetInfo", __FILE__, __LINE__);
    memory_free(&l.m);
    if (err == WEIR_OK)
        printf("G%d: %.0f MiB in use, of these %.0f for the largest arena\n", g2 ? 2 : 1,
               (before - during) / 1048576.0, arena / 1048576.0);
    return err;
}

/* ---- the program */

static weir_err start(device *d, weir_errinfo *ei)
{
    cudaDeviceProp p;
    int driver = 0;
    WEIR_CUDA_TRY(ei, cudaGetDeviceProperties(&p, 0));
    WEIR_CUDA_TRY(ei, cudaDriverGetVersion(&driver));
    d->sms = p.multiProcessorCount;
    printf("%s, %d multiprocessors, driver %d.%d\nseed %llu\n", p.name, d->sms, driver / 1000,
           driver % 1000 / 10, (unsigned long long)d->seed);
    WEIR_CUDA_TRY(ei, cudaStreamCreate(&d->stream));
    for (size_t i = 0; i < sizeof d->at / sizeof d->at[0]; i++)
        WEIR_CUDA_TRY(ei, cudaEventCreate(&d->at[i]));
    return WEIR_OK;
}

static weir_err run(device *d, bool timing, weir_errinfo *ei)
{
    WEIR_TRY(start(d, ei));
    WEIR_TRY(check_small(d, false, timing ? 16 : 12, ei));
    WEIR_TRY(check_small(d, true, timing ? 14 : 10, ei));
    printf("small sums agree with the CPU\n");
    if (!timing) return WEIR_OK;
    printf("\nmedian of %d runs, ms; every sum is checked\n", RUNS);
    printf("%-7s %3s %9s %9s %9s %9s %9s %7s %6s %8s\n", "", "c", "windows", "all", "sort",
           "accum.", "reduce", "G add/s", "ps/e", "MiB");
    WEIR_TRY(check_large(d, false, ei));
    return check_large(d, true, ei);
}

int main(int argc, char **argv)
{
    bool timing = true;
    device d;
    memset(&d, 0, sizeof d);
    d.seed = (uint64_t)time(NULL);
    d.log_max = LOG_MAX_G1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--check") == 0) {
            timing = false;
        } else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            d.seed = strtoull(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--log") == 0 && i + 1 < argc) {
            d.log_max = (uint32_t)strtoul(argv[++i], NULL, 10);
        } else {
            fprintf(stderr, "usage: gpu_msm_check [--check] [--seed N] [--log N]\n");
            return 1;
        }
    }
    int count = 0;
    cudaError_t e = cudaGetDeviceCount(&count);
    if (e != cudaSuccess || count == 0) {
        printf("skipped: no GPU (%s)\n", e == cudaSuccess ? "no device" : cudaGetErrorString(e));
        return SKIPPED;
    }
    weir_errinfo ei;
    memset(&ei, 0, sizeof ei);
    if (run(&d, timing, &ei) == WEIR_OK) return 0;
    printf("%s\n", ei.text);
    return 1;
}
