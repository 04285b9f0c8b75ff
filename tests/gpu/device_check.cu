/* Checks and times the lowest layer of src/gpu on the first CUDA device: each kernel of bench_kernels.h against the same
 * source run on the host, bit by bit, on fresh random inputs; then operations a second, median of RUNS.
 *
 * usage: device_check [--check] [--seed N]    --check: no timing
 * Exit: 0 all equal; 1 a difference or an error; 77 no device, which CTest takes for "skipped".
 */
#include "device_twin.h"

#include "gpu/bench_kernels.h"
#include "gpu/bench_phases.h"
#include "gpu/gpu_batch_inv.h"
#include "gpu/gpu_status.cuh"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SKIPPED = 77,
    CHECK_BLOCKS = 8,
    CHECK_ROUNDS = 3,
    RUNS = 7,
    TIME_MS = 10,          /* of one timed launch, about */
    WAVES = 8,             /* blocks of a timed launch for each that a multiprocessor holds */
    INVERSE_LOG2 = 21,     /* elements of the timed inversion */
    INVERSE_CHECK = 20011, /* of the checked one; no multiple of a block's piece */
    SCAN_BLOCKS = 5
};

typedef struct device {
    int sms;
    cudaStream_t stream;
    cudaEvent_t start, stop;
} device;

/* Device and host memory of one kernel's input and output. */
typedef struct buffers {
    void *host_in, *host_out, *want, *in, *out;
} buffers;

static weir_err buffers_new(buffers *b, size_t in_bytes, size_t out_bytes, weir_errinfo *ei)
{
    memset(b, 0, sizeof *b);
    b->host_in = malloc(in_bytes);
    b->host_out = malloc(out_bytes);
    b->want = malloc(out_bytes);
    if (!b->host_in || !b->host_out || !b->want)
        return weir_fail(ei, WEIR_E_NOMEM, "no host memory for a check");
    WEIR_CUDA_TRY(ei, cudaMalloc(&b->in, in_bytes));
    WEIR_CUDA_TRY(ei, cudaMalloc(&b->out, out_bytes));
    WEIR_CUDA_TRY(ei, cudaMemset(b->out, 0xa5, out_bytes));
    return WEIR_OK;
}

static void buffers_free(buffers *b)
{
    free(b->host_in);
    free(b->host_out);
    free(b->want);
    (void)cudaFree(b->in);
    (void)cudaFree(b->out);
}

static weir_err launch(const device *d, const void *kernel, unsigned blocks, unsigned threads,
                       void **args, weir_errinfo *ei)
{
    WEIR_CUDA_TRY(ei, cudaLaunchKernel(kernel, dim3(blocks), dim3(threads), args, 0, d->stream));
    WEIR_CUDA_TRY(ei, cudaGetLastError());
    return WEIR_OK;
}

/* WEIR_E_INTERNAL, with the place, if got differs from want. */
static weir_err compare(const char *name, const void *got, const void *want, size_t bytes,
                        size_t each, weir_errinfo *ei)
{
    for (size_t i = 0; i < bytes; i++)
        if (((const unsigned char *)got)[i] != ((const unsigned char *)want)[i])
            return weir_fail(ei, WEIR_E_INTERNAL,
                             "%s: device and host differ at output %zu, byte %zu of it", name,
                             i / each, i % each);
    return WEIR_OK;
}

/* ---- operations */

static weir_err check_op(const device *d, const weir_bench_kernel *k, const twin_op *op,
                         uint64_t seed, buffers *b, weir_errinfo *ei)
{
    size_t n = (size_t)CHECK_BLOCKS * k->threads;
    uint32_t rounds = CHECK_ROUNDS;
    WEIR_TRY(buffers_new(b, n * op->in_bytes, n * op->out_bytes, ei));
    op->fill(b->host_in, n, seed, true);
    op->run(b->want, b->host_in, n, rounds);
    WEIR_CUDA_TRY(ei, cudaMemcpy(b->in, b->host_in, n * op->in_bytes, cudaMemcpyHostToDevice));
    void *args[] = {&b->out, &b->in, &rounds};
    WEIR_TRY(launch(d, k->kernel, CHECK_BLOCKS, k->threads, args, ei));
    WEIR_CUDA_TRY(ei, cudaStreamSynchronize(d->stream));
    WEIR_CUDA_TRY(ei, cudaMemcpy(b->host_out, b->out, n * op->out_bytes, cudaMemcpyDeviceToHost));
    return compare(k->op, b->host_out, b->want, n * op->out_bytes, op->out_bytes, ei);
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* ms: RUNS times, sorted. */
static weir_err time_launches(const device *d, const void *kernel, unsigned blocks,
                              unsigned threads, void **args, float *ms, weir_errinfo *ei)
{
    for (int i = -1; i < RUNS; i++) { /* the first warms up */
        WEIR_CUDA_TRY(ei, cudaEventRecord(d->start, d->stream));
        WEIR_TRY(launch(d, kernel, blocks, threads, args, ei));
        WEIR_CUDA_TRY(ei, cudaEventRecord(d->stop, d->stream));
        WEIR_CUDA_TRY(ei, cudaEventSynchronize(d->stop));
        WEIR_CUDA_TRY(ei, cudaEventElapsedTime(&ms[i < 0 ? 0 : i], d->start, d->stop));
    }
    qsort(ms, RUNS, sizeof *ms, by_value);
    return WEIR_OK;
}

/* waves: blocks for each place on a multiprocessor. With several, a block that is done makes room for the next, as in a sum of
 * points; with one, warps that are served less than others end last and do not fill the multiprocessor. */
static weir_err time_waves(const device *d, const weir_bench_kernel *k, const twin_op *op,
                           int waves, uint64_t seed, buffers *b, weir_errinfo *ei)
{
    cudaFuncAttributes attr;
    int resident = 0;
    float ms[RUNS];
    WEIR_CUDA_TRY(ei, cudaFuncGetAttributes(&attr, k->kernel));
    WEIR_CUDA_TRY(ei, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, k->kernel,
                                                                    (int)k->threads, 0));
    unsigned blocks = (unsigned)(d->sms * resident * waves);
    size_t n = (size_t)blocks * k->threads;
    WEIR_TRY(buffers_new(b, n * op->in_bytes, n * op->out_bytes, ei));
    op->fill(b->host_in, n, seed, false);
    WEIR_CUDA_TRY(ei, cudaMemcpy(b->in, b->host_in, n * op->in_bytes, cudaMemcpyHostToDevice));
    uint32_t rounds = 16;
    void *args[] = {&b->out, &b->in, &rounds};
    WEIR_TRY(time_launches(d, k->kernel, blocks, k->threads, args, ms, ei));
    double scale = TIME_MS / (double)(ms[RUNS / 2] > 0.001f ? ms[RUNS / 2] : 0.001f);
    rounds = scale * rounds > 1e6  ? 1000000u
             : scale * rounds < 16 ? 16u
                                   : (uint32_t)(scale * rounds);
    WEIR_TRY(time_launches(d, k->kernel, blocks, k->threads, args, ms, ei));
    double ops = (double)n * rounds * op->per_round * 1e-6; /* in G/s by ms */
    printf("%-9s %4ux%-3u %4d %6zu %5d %5d %9.3f %9.3f %9.3f  %s\n", k->op, k->threads,
           k->min_blocks, attr.numRegs, attr.localSizeBytes, resident * (int)k->threads / 32, waves,
           ops / ms[RUNS / 2], ops / ms[RUNS - 1], ops / ms[0], op->text);
    return WEIR_OK;
}

static weir_err time_op(const device *d, const weir_bench_kernel *k, const twin_op *op,
                        uint64_t seed, buffers *b, weir_errinfo *ei)
{
    return time_waves(d, k, op, WAVES, seed, b, ei);
}

/* The same with no block to follow the first ones. */
static weir_err time_op_once(const device *d, const weir_bench_kernel *k, const twin_op *op,
                             uint64_t seed, buffers *b, weir_errinfo *ei)
{
    return strstr(k->op, "madd") ? time_waves(d, k, op, 1, seed, b, ei) : WEIR_OK;
}

typedef weir_err op_fn(const device *d, const weir_bench_kernel *k, const twin_op *op,
                       uint64_t seed, buffers *b, weir_errinfo *ei);

static weir_err each_kernel(const device *d, op_fn *fn, uint64_t seed, weir_errinfo *ei)
{
    size_t n;
    const weir_bench_kernel *k = weir_bench_kernels(&n);
    for (size_t i = 0; i < n; i++) {
        const twin_op *op = twin_find(k[i].op);
        if (!op) return weir_fail(ei, WEIR_E_INTERNAL, "no operation %s on the host", k[i].op);
        buffers b;
        memset(&b, 0, sizeof b);
        weir_err err = fn(d, &k[i], op, seed + i, &b, ei);
        buffers_free(&b);
        if (err != WEIR_OK) return err;
    }
    return WEIR_OK;
}

/* ---- kernels in phases */

static weir_err check_scan(const device *d, uint64_t seed, unsigned threads, buffers *b,
                           weir_errinfo *ei)
{
    size_t n = (size_t)SCAN_BLOCKS * threads, bytes = n * sizeof(uint32_t);
    WEIR_TRY(buffers_new(b, bytes, 2 * bytes, ei));
    uint32_t *in = (uint32_t *)b->host_in, *want = (uint32_t *)b->want;
    for (size_t i = 0; i < n; i++)
        in[i] = (uint32_t)(seed = seed * 6364136223846793005u + 1442695040888963407u) >> 9;
    if (!twin_scan(want, want + n, in, SCAN_BLOCKS, threads))
        return weir_fail(ei, WEIR_E_NOMEM, "no host memory for a check");
    WEIR_CUDA_TRY(ei, cudaMemcpy(b->in, in, bytes, cudaMemcpyHostToDevice));
    bench_scan_args a = {(const uint32_t *)b->in, (uint32_t *)b->out, (uint32_t *)b->out + n};
    void *args[] = {&a};
    WEIR_TRY(launch(d, weir_kernel_block_scan(), SCAN_BLOCKS, threads, args, ei));
    WEIR_CUDA_TRY(ei, cudaStreamSynchronize(d->stream));
    WEIR_CUDA_TRY(ei, cudaMemcpy(b->host_out, b->out, 2 * bytes, cudaMemcpyDeviceToHost));
    return compare("block_scan", b->host_out, b->want, 2 * bytes, sizeof(uint32_t), ei);
}

/* field: "fp" or "fr"; n elements; checked where check, else timed. */
static weir_err run_inverse(const device *d, bool fp, uint64_t n, bool check, uint64_t seed,
                            buffers *b, weir_errinfo *ei)
{
    unsigned threads = BATCH_INV_THREADS_MAX,
             blocks = (unsigned)((n + BATCH_INV_EACH * threads - 1) / (BATCH_INV_EACH * threads));
    size_t each = fp ? sizeof(weir_dfp) : sizeof(weir_dfr), bytes = n * each;
    const char *name = fp ? "fp_inv" : "fr_inv";
    WEIR_TRY(buffers_new(b, bytes, bytes, ei));
    (fp ? twin_fill_fp : twin_fill_fr)(b->host_in, n, seed);
    WEIR_CUDA_TRY(ei, cudaMemcpy(b->in, b->host_in, bytes, cudaMemcpyHostToDevice));
    dfp_batch_inv_args pa = {(weir_dfp *)b->out, (const weir_dfp *)b->in, n};
    dfr_batch_inv_args ra = {(weir_dfr *)b->out, (const weir_dfr *)b->in, n};
    void *args[] = {fp ? (void *)&pa : (void *)&ra};
    const void *kernel = fp ? weir_kernel_dfp_batch_inv() : weir_kernel_dfr_batch_inv();
    if (!check) {
        float ms[RUNS];
        WEIR_TRY(time_launches(d, kernel, blocks, threads, args, ms, ei));
        printf("%-9s %4ux%-3s %4s %6s %5s %5s %9.3f %9.3f %9.3f  inverses of an array, %d a "
               "thread\n",
               name, threads, "-", "", "", "", "", n * 1e-6 / ms[RUNS / 2], n * 1e-6 / ms[RUNS - 1],
               n * 1e-6 / ms[0], BATCH_INV_EACH);
        return WEIR_OK;
    }
    if (!(fp ? twin_fp_batch_inv : twin_fr_batch_inv)(b->want, b->host_in, n, blocks, threads))
        return weir_fail(ei, WEIR_E_NOMEM, "no host memory for a check");
    WEIR_TRY(launch(d, kernel, blocks, threads, args, ei));
    WEIR_CUDA_TRY(ei, cudaStreamSynchronize(d->stream));
    WEIR_CUDA_TRY(ei, cudaMemcpy(b->host_out, b->out, bytes, cudaMemcpyDeviceToHost));
    return compare(name, b->host_out, b->want, bytes, each, ei);
}

static weir_err check_phases(const device *d, uint64_t seed, weir_errinfo *ei)
{
    weir_err err = WEIR_OK;
    for (unsigned threads = 32; threads <= 1024 && err == WEIR_OK; threads *= 2) {
        buffers b;
        err = check_scan(d, seed + threads, threads, &b, ei);
        buffers_free(&b);
    }
    for (int fp = 0; fp < 2 && err == WEIR_OK; fp++) {
        buffers b;
        err = run_inverse(d, fp, INVERSE_CHECK, true, seed, &b, ei);
        buffers_free(&b);
    }
    return err;
}

static weir_err time_phases(const device *d, uint64_t seed, weir_errinfo *ei)
{
    weir_err err = WEIR_OK;
    for (int fp = 1; fp >= 0 && err == WEIR_OK; fp--) {
        buffers b;
        err = run_inverse(d, fp, (uint64_t)1 << INVERSE_LOG2, false, seed, &b, ei);
        buffers_free(&b);
    }
    return err;
}

/* ---- the program */

static weir_err describe(device *d, weir_errinfo *ei)
{
    cudaDeviceProp p;
    int driver = 0, runtime = 0, khz = 0;
    WEIR_CUDA_TRY(ei, cudaGetDeviceProperties(&p, 0));
    WEIR_CUDA_TRY(ei, cudaDriverGetVersion(&driver));
    WEIR_CUDA_TRY(ei, cudaRuntimeGetVersion(&runtime));
    WEIR_CUDA_TRY(ei, cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    d->sms = p.multiProcessorCount;
    printf("%s, compute capability %d.%d, %d multiprocessors, %.2f GHz at most, driver %d.%d, "
           "runtime %d.%d\n",
           p.name, p.major, p.minor, d->sms, khz * 1e-6, driver / 1000, driver % 1000 / 10,
           runtime / 1000, runtime % 1000 / 10);
    WEIR_CUDA_TRY(ei, cudaStreamCreate(&d->stream));
    WEIR_CUDA_TRY(ei, cudaEventCreate(&d->start));
    WEIR_CUDA_TRY(ei, cudaEventCreate(&d->stop));
    return WEIR_OK;
}

static weir_err run(bool timing, uint64_t seed, weir_errinfo *ei)
{
    device d;
    WEIR_TRY(describe(&d, ei));
    printf("seed %llu\n", (unsigned long long)seed);
    WEIR_TRY(each_kernel(&d, check_op, seed, ei));
    WEIR_TRY(check_phases(&d, seed, ei));
    printf("all kernels agree with the host\n");
    if (!timing) return WEIR_OK;
    printf("\nG/s: median, slowest, fastest of %d launches of about %d ms, every multiprocessor "
           "full\n",
           RUNS, TIME_MS);
    printf("%-9s %8s %4s %6s %5s %5s %9s %9s %9s\n", "", "bounds", "regs", "stack", "warps",
           "waves", "median", "slowest", "fastest");
    WEIR_TRY(each_kernel(&d, time_op, seed, ei));
    WEIR_TRY(each_kernel(&d, time_op_once, seed, ei));
    return time_phases(&d, seed, ei);
}

int main(int argc, char **argv)
{
    bool timing = true;
    uint64_t seed = (uint64_t)time(NULL);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--check") == 0) {
            timing = false;
        } else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            seed = strtoull(argv[++i], NULL, 10);
        } else {
            fprintf(stderr, "usage: device_check [--check] [--seed N]\n");
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
    if (run(timing, seed, &ei) == WEIR_OK) return 0;
    printf("%s\n", ei.text);
    return 1;
}
