/* Checks and times transforms, the quotient and rows of relations on the first CUDA device.
 *
 * Checked bit by bit against the host twins up to 2^16, and for a random relation. Above: the transform at a random point of the
 * domain by Horner's rule, the way back, linearity, and a b - c = h (x^n - 1) at a random x for the quotient. Then times: for each
 * form and table the forward transform at every size and the quotient, all its launches in one, each size checked just before.
 *
 * usage: gpu_ntt_check [--check | --tiny] [--seed N]
 *   --check: small sizes, no timing; for compute-sanitizer as well; --tiny: every kernel at the smallest sizes, for its racecheck
 * Exit: 0 all right; 1 a difference or an error; 77 no device, which CTest takes for "skipped".
 */
#include "ntt_check_relation.cuh"
#include "ntt_check_results.cuh"

enum {
    SKIPPED = 77,
    TINY_MAX = 12,  /* with --tiny */
    CHECK_MAX = 20, /* with --check */
    SMALLEST = 20,  /* of those that are timed */
    LARGEST = 27,
    CONFIGS = 12
};

/* ---- times */

/* The quotient is timed at these sizes. */
static bool quotient_is_timed(unsigned log2_n)
{
    return log2_n == 24 || log2_n == LARGEST;
}

/* One size: the results, then the times of the forward transform and, through *quotient, of the quotient. */
static weir_err time_size(const device *d, const config *c, unsigned log2_n, float *forward,
                          float *quotient, weir_errinfo *ei)
{
    weir_gpu_ntt_plan plan;
    weir_gpu_ntt_launch list[WEIR_GPU_QUOTIENT_LAUNCHES];
    WEIR_TRY(make_plan(d, &plan, log2_n, c, ei));
    WEIR_TRY(check_size(d, c, &plan, ei));
    unsigned n = make_list(list, &plan, FORWARD, d->v[0], NULL, NULL);
    WEIR_TRY(time_list(d, c, list, n, forward, ei));
    if (!quotient_is_timed(log2_n)) return WEIR_OK;
    n = make_list(list, &plan, QUOTIENT, d->v[0], d->v[1], d->v[2]);
    return time_list(d, c, list, n, quotient, ei);
}

static weir_err time_row(const device *d, const config *c, weir_errinfo *ei)
{
    float quotient[LARGEST + 1], forward;
    printf("%-7s %4ux%u  %-8s", c->form->name, c->form->threads, c->form->min_blocks,
           table_name[c->whole]);
    for (unsigned k = SMALLEST; k <= LARGEST; k++) {
        WEIR_TRY(time_size(d, c, k, &forward, &quotient[k], ei));
        printf(" %8.3f", forward);
    }
    printf("  |");
    for (unsigned k = SMALLEST; k <= LARGEST; k++)
        if (quotient_is_timed(k)) printf(" %8.2f", quotient[k]);
    printf("\n");
    return WEIR_OK;
}

/* Each pass of the quotient at the largest size by itself, so that one sees where the time goes. */
static weir_err time_passes(const device *d, const config *c, weir_errinfo *ei)
{
    weir_gpu_ntt_plan plan;
    weir_gpu_ntt_launch list[WEIR_GPU_QUOTIENT_LAUNCHES];
    WEIR_TRY(make_plan(d, &plan, LARGEST, c, ei));
    unsigned n = make_list(list, &plan, QUOTIENT, d->v[0], d->v[1], d->v[2]);
    printf("%-7s %-8s", c->form->name, table_name[c->whole]);
    for (unsigned i = 0; i < n; i++) {
        float ms;
        WEIR_TRY(time_list(d, c, &list[i], 1, &ms, ei));
        printf(" %.2f", ms);
    }
    printf("\n");
    return WEIR_OK;
}

/* All configurations but those with half a table. */
static weir_err time_all(const device *d, const config *c, unsigned configs, weir_errinfo *ei)
{
    printf("\nms, median of %d: forward, then the quotient, all launches in one; results checked "
           "first\n%-25s",
           RUNS, "");
    for (unsigned k = SMALLEST; k <= LARGEST; k++) printf("     2^%u", k);
    printf("  |");
    for (unsigned k = SMALLEST; k <= LARGEST; k++)
        if (quotient_is_timed(k)) printf("     2^%u", k);
    printf("\n");
    for (unsigned i = 0; i < configs; i++)
        if (c[i].whole < 2) WEIR_TRY(time_row(d, &c[i], ei));
    printf("\npasses of the quotient at 2^%d by themselves, ms, median of %d\n", LARGEST, RUNS);
    for (unsigned i = 0; i < configs; i++)
        if (c[i].whole < 2) WEIR_TRY(time_passes(d, &c[i], ei));
    return time_porep(d, ei);
}

/* ---- the program */

static weir_err describe(device *d, weir_errinfo *ei)
{
    cudaDeviceProp p;
    int driver = 0, khz = 0;
    WEIR_CUDA_TRY(ei, cudaGetDeviceProperties(&p, 0));
    WEIR_CUDA_TRY(ei, cudaDriverGetVersion(&driver));
    WEIR_CUDA_TRY(ei, cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    d->sms = p.multiProcessorCount;
    printf("%s, compute capability %d.%d, %d multiprocessors, %.2f GHz at most, driver %d.%d\n",
           p.name, p.major, p.minor, d->sms, khz * 1e-6, driver / 1000, driver % 1000 / 10);
    WEIR_CUDA_TRY(ei, cudaStreamCreate(&d->stream));
    WEIR_CUDA_TRY(ei, cudaEventCreate(&d->start));
    WEIR_CUDA_TRY(ei, cudaEventCreate(&d->stop));
    return WEIR_OK;
}

/* Vectors of 2^log2_n, and a whole table. */
static weir_err take_memory(device *d, unsigned log2_n, weir_errinfo *ei)
{
    uint64_t bytes = sizeof(weir_dfr) << log2_n;
    for (int i = 0; i < 4; i++) WEIR_CUDA_TRY(ei, cudaMalloc(&d->v[i], bytes));
    WEIR_CUDA_TRY(ei, cudaMalloc(&d->compact, sizeof(weir_dfr) << 15));
    WEIR_CUDA_TRY(ei, cudaMalloc(&d->parts, bytes >> CHUNK_LOG2));
    WEIR_CUDA_TRY(ei, cudaMalloc(&d->count, sizeof *d->count));
    WEIR_CUDA_TRY(ei, cudaMalloc(&d->table, bytes + 4 * sizeof(weir_dfr)));
    return WEIR_OK;
}

/* Every form with every table. */
static weir_err make_configs(config *c, unsigned *n, weir_errinfo *ei)
{
    size_t forms;
    const weir_gpu_ntt_form *f = weir_gpu_ntt_forms(&forms);
    *n = 0;
    for (size_t i = 0; i < forms; i++) {
        WEIR_CUDA_TRY(ei,
                      cudaFuncSetAttribute(f[i].kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           (int)f[i].shared));
        for (unsigned whole = 0; whole < 3 && *n < CONFIGS; whole++) {
            c[*n].form = &f[i];
            c[(*n)++].whole = whole;
        }
    }
    return WEIR_OK;
}

static weir_err run(bool timing, bool tiny, uint64_t seed, weir_errinfo *ei)
{
    device d;
    config c[CONFIGS];
    unsigned configs;
    memset(&d, 0, sizeof d);
    d.seed = seed;
    WEIR_TRY(describe(&d, ei));
    printf("seed %llu\n", (unsigned long long)seed);
    WEIR_TRY(take_memory(&d, timing ? LARGEST : CHECK_MAX, ei));
    WEIR_TRY(make_configs(c, &configs, ei));
    WEIR_TRY(check_relation(&d, ei));
    WEIR_TRY(check_small(&d, c, configs, tiny ? (unsigned)TINY_MAX : (unsigned)SMALL_MAX, ei));
    if (tiny) return WEIR_OK;
    WEIR_TRY(check_large(&d, &c[0], SMALL_MAX + 1, CHECK_MAX, ei));
    for (unsigned i = 1; i < configs; i++)
        WEIR_TRY(check_large(&d, &c[i], CHECK_MAX, CHECK_MAX, ei));
    return timing ? time_all(&d, c, configs, ei) : WEIR_OK;
}

int main(int argc, char **argv)
{
    bool timing = true, tiny = false;
    uint64_t seed = (uint64_t)time(NULL);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--check") == 0) {
            timing = false;
        } else if (strcmp(argv[i], "--tiny") == 0) {
            timing = false;
            tiny = true;
        } else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            seed = strtoull(argv[++i], NULL, 10);
        } else {
            fprintf(stderr, "usage: gpu_ntt_check [--check | --tiny] [--seed N]\n");
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
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (run(timing, tiny, seed, &ei) == WEIR_OK) return 0;
    printf("%s\n", ei.text);
    return 1;
}
