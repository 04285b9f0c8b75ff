/* Checks and times transforms, the quotient and rows of relations on the first CUDA device.
 *
 * Checked bit by bit against the host twins up to 2^16, and for a random relation. Above: the transform at a random point of the
 * domain by Horner's rule, the way back, linearity, and a b - c = h (x^n - 1) at a random x for the quotient. Then times.
 *
 * usage: gpu_ntt_check [--check] [--seed N]    --check: small sizes, no timing; for compute-sanitizer as well
 * Exit: 0 all right; 1 a difference or an error; 77 no device, which CTest takes for "skipped".
 */
#include "ntt_twin.h"
#include "relation_twin.h"

#include "gpu/gpu_status.cuh"
#include "gpu/ntt_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SKIPPED = 77,
    RUNS = 5,
    SMALL_MIN = 1,
    SMALL_MAX = 16,
    CHECK_MAX = 20, /* with --check */
    CHUNK_LOG2 = 10 /* elements that a thread evaluates */
};

static const unsigned timed[] = {20, 22, 24, 26, 27};
enum { TIMED = sizeof timed / sizeof timed[0], LARGEST = 27 };

/* ---- kernels of this program */

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

extern "C" __global__ void check_evaluate(weir_dfr *part, const weir_dfr *in, uint64_t parts,
                                          weir_dfr x)
{
    uint64_t i = global_thread();
    if (i >= parts) return;
    const weir_dfr *from = in + (i << CHUNK_LOG2);
    weir_dfr sum = from[(1 << CHUNK_LOG2) - 1];
    for (int k = (1 << CHUNK_LOG2) - 2; k >= 0; k--) {
        weir_dfr v = from[k];
        dfr_mul(&sum, &sum, &x);
        dfr_add(&sum, &sum, &v);
    }
    part[i] = sum;
}

/* out = a + k b */
extern "C" __global__ void check_combine(weir_dfr *out, const weir_dfr *a, const weir_dfr *b,
                                         uint64_t n, weir_dfr k)
{
    uint64_t i = global_thread();
    if (i >= n) return;
    weir_dfr x = a[i], y = b[i];
    dfr_mul(&y, &y, &k);
    dfr_add(&out[i], &x, &y);
}

extern "C" __global__ void check_product(weir_dfr *out, const weir_dfr *a, const weir_dfr *b,
                                         uint64_t n)
{
    uint64_t i = global_thread();
    if (i >= n) return;
    weir_dfr x = a[i], y = b[i];
    dfr_mul(&out[i], &x, &y);
}

extern "C" __global__ void check_differ(unsigned long long *count, const weir_dfr *a,
                                        const weir_dfr *b, uint64_t n)
{
    uint64_t i = global_thread();
    if (i >= n) return;
    weir_dfr x = a[i], y = b[i];
    if (!dfr_eq(&x, &y)) atomicAdd(count, 1);
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
    unsigned last_levels, whole;
} config;

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
    weir_gpu_ntt_plan_init(plan, log2_n, c->last_levels, 0);
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
    weir_gpu_ntt_plan_init(plan, log2_n, c->last_levels, log2_n - (c->whole - 1));
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

/* ---- against the twin */

/* Host memory of one case: inputs, the twin's vectors, what the device gave. */
typedef struct host {
    weir_dfr *in[2], *v[3], *got, *table;
} host;

static weir_err host_new(host *h, uint64_t n, weir_errinfo *ei)
{
    weir_dfr *all = (weir_dfr *)aligned_alloc(32, (6 * n + (2u << SMALL_MAX)) * sizeof *all);
    memset(h, 0, sizeof *h);
    h->in[0] = all;
    if (!all) return weir_fail(ei, WEIR_E_NOMEM, "no host memory for a check");
    h->in[1] = all + n;
    for (int i = 0; i < 3; i++) h->v[i] = all + (2 + i) * n;
    h->got = all + 5 * n;
    h->table = all + 6 * n;
    return WEIR_OK;
}

static weir_err check_twin_work(const device *d, const config *c, const host *h, work what,
                                unsigned log2_n, weir_errinfo *ei)
{
    uint64_t n = (uint64_t)1 << log2_n, bytes = n * sizeof(weir_dfr);
    weir_gpu_ntt_plan plan;
    WEIR_TRY(make_plan(d, &plan, log2_n, c, ei));
    for (int i = 0; i < 2; i++)
        WEIR_CUDA_TRY(ei, cudaMemcpy(d->v[i], h->in[i], bytes, cudaMemcpyHostToDevice));
    WEIR_TRY(run_work(d, c, &plan, what, d->v[0], d->v[1], d->v[2], ei));
    WEIR_CUDA_TRY(ei, cudaStreamSynchronize(d->stream));
    WEIR_CUDA_TRY(ei, cudaMemcpy(h->got, d->v[0], bytes, cudaMemcpyDeviceToHost));
    for (uint64_t i = 0; i < n; i++)
        if (memcmp(&h->got[i], &h->v[0][i], sizeof h->got[i]) != 0)
            return weir_fail(ei, WEIR_E_INTERNAL,
                             "%s, 2^%u, %s: device and host differ at %llu first", c->form->name,
                             log2_n, work_name[what], (unsigned long long)i);
    return WEIR_OK;
}

/* The twin once, every configuration against it. */
static weir_err check_twin(const device *d, const config *c, unsigned configs, const host *h,
                           unsigned log2_n, weir_errinfo *ei)
{
    uint64_t n = (uint64_t)1 << log2_n, bytes = n * sizeof(weir_dfr);
    weir_gpu_ntt_plan plan;
    weir_gpu_ntt_launch list[WEIR_GPU_QUOTIENT_LAUNCHES];
    weir_gpu_ntt_plan_init(&plan, log2_n, 0, 0);
    weir_gpu_ntt_table_fill(&plan, h->table);
    weir_gpu_ntt_table_at(&plan, h->table);
    for (int i = 0; i < 2; i++) {
        WEIR_TRY(fill(d, d->v[0], n, d->seed + 2 * log2_n + i, ei));
        WEIR_CUDA_TRY(ei, cudaStreamSynchronize(d->stream));
        WEIR_CUDA_TRY(ei, cudaMemcpy(h->in[i], d->v[0], bytes, cudaMemcpyDeviceToHost));
    }
    for (int what = 0; what < WORKS; what++) {
        for (int i = 0; i < 2; i++) memcpy(h->v[i], h->in[i], bytes);
        unsigned count = make_list(list, &plan, (work)what, h->v[0], h->v[1], h->v[2]);
        if (!twin_ntt_run("dntt8", list, count, d->seed))
            return weir_fail(ei, WEIR_E_NOMEM, "no host memory for a twin");
        for (unsigned i = 0; i < configs; i++)
            WEIR_TRY(check_twin_work(d, &c[i], h, (work)what, log2_n, ei));
    }
    return WEIR_OK;
}

static weir_err check_small(const device *d, const config *c, unsigned configs, weir_errinfo *ei)
{
    for (unsigned k = SMALL_MIN; k <= SMALL_MAX; k++) {
        host h;
        weir_err err = host_new(&h, (uint64_t)1 << k, ei);
        if (err == WEIR_OK) err = check_twin(d, c, configs, &h, k, ei);
        free(h.in[0]);
        if (err != WEIR_OK) return err;
    }
    printf("2^%d to 2^%d: transforms and quotient are the host twin's, bit by bit\n", SMALL_MIN,
           SMALL_MAX);
    return WEIR_OK;
}

/* ---- large sizes */

static weir_err must_be_equal(const device *d, const weir_dfr *a, const weir_dfr *b,
                              unsigned log2_n, const char *what, weir_errinfo *ei)
{
    uint64_t n = (uint64_t)1 << log2_n;
    unsigned long long count = 0, *out = d->count;
    void *args[] = {&out, &a, &b, &n};
    WEIR_CUDA_TRY(ei, cudaMemsetAsync(d->count, 0, sizeof count, d->stream));
    WEIR_TRY(launch_each(d, (const void *)check_differ, n, args, ei));
    WEIR_CUDA_TRY(ei, cudaStreamSynchronize(d->stream));
    WEIR_CUDA_TRY(ei, cudaMemcpy(&count, d->count, sizeof count, cudaMemcpyDeviceToHost));
    if (count == 0) return WEIR_OK;
    return weir_fail(ei, WEIR_E_INTERNAL, "2^%u: %s: %llu elements are wrong", log2_n, what, count);
}

/* The polynomial of n >= 2^CHUNK_LOG2 coefficients at x. */
static weir_err evaluate(const device *d, weir_dfr *r, const weir_dfr *in, unsigned log2_n,
                         weir_dfr x, weir_errinfo *ei)
{
    uint64_t parts = (uint64_t)1 << (log2_n - CHUNK_LOG2), bytes = parts * sizeof *in;
    weir_dfr *part = d->parts, *host_part = (weir_dfr *)aligned_alloc(32, bytes);
    if (!host_part) return weir_fail(ei, WEIR_E_NOMEM, "no host memory for an evaluation");
    void *args[] = {&part, &in, &parts, &x};
    weir_err err = launch_each(d, (const void *)check_evaluate, parts, args, ei);
    if (err == WEIR_OK)
        err = gpu_status(ei, cudaStreamSynchronize(d->stream), "synchronize", __FILE__, __LINE__);
    if (err == WEIR_OK)
        err = gpu_status(ei, cudaMemcpy(host_part, part, bytes, cudaMemcpyDeviceToHost), "copy",
                         __FILE__, __LINE__);
    if (err == WEIR_OK) twin_fr_join(r, host_part, parts, &x, CHUNK_LOG2);
    free(host_part);
    return err;
}

/* Value i of the transform of v[0], which is in v[1], is the polynomial's at point i. */
static weir_err check_value(const device *d, unsigned log2_n, uint64_t i, dntt_side side,
                            weir_errinfo *ei)
{
    weir_dfr x, want, got;
    twin_fr_point(&x, log2_n, i, side);
    WEIR_TRY(evaluate(d, &want, d->v[0], log2_n, x, ei));
    WEIR_CUDA_TRY(ei, cudaMemcpy(&got, d->v[1] + twin_reversed(i, log2_n), sizeof got,
                                 cudaMemcpyDeviceToHost));
    if (memcmp(&got, &want, sizeof got) == 0) return WEIR_OK;
    return weir_fail(ei, WEIR_E_INTERNAL, "2^%u: the value at point %llu is wrong", log2_n,
                     (unsigned long long)i);
}

static weir_err check_one_side(const device *d, const config *c, const weir_gpu_ntt_plan *plan,
                               bool coset, weir_errinfo *ei)
{
    unsigned k = plan->log2_n;
    uint64_t n = (uint64_t)1 << k;
    work forth = coset ? COSET_FORWARD : FORWARD, back = coset ? COSET_INVERSE : INVERSE;
    weir_dfr *a = d->v[0], *b = d->v[2], *sum = d->v[3], factor;
    /* a to v[1] */
    WEIR_TRY(fill(d, a, n, d->seed + k, ei));
    WEIR_TRY(copy(d, d->v[1], a, n, ei));
    WEIR_TRY(run_work(d, c, plan, forth, d->v[1], NULL, NULL, ei));
    uint64_t place = (d->seed >> 3) * 0x9e3779b97f4a7c15u >> (64 - k);
    WEIR_TRY(check_value(d, k, place, coset ? DNTT_COSET : DNTT_PLAIN, ei));
    /* that of a + factor b is that of a and factor times that of b */
    twin_fr_random(&factor, d->seed);
    WEIR_TRY(fill(d, b, n, d->seed + 2 * k, ei));
    void *args[] = {&sum, &a, &b, &n, &factor};
    WEIR_TRY(launch_each(d, (const void *)check_combine, n, args, ei));
    WEIR_TRY(run_work(d, c, plan, forth, sum, NULL, NULL, ei));
    WEIR_TRY(run_work(d, c, plan, forth, b, NULL, NULL, ei));
    void *again[] = {&b, (void *)&d->v[1], &b, &n, &factor};
    WEIR_TRY(launch_each(d, (const void *)check_combine, n, again, ei));
    WEIR_TRY(must_be_equal(d, sum, b, k, "linearity", ei));
    WEIR_TRY(run_work(d, c, plan, back, d->v[1], NULL, NULL, ei));
    return must_be_equal(d, a, d->v[1], k, "forth and back", ei);
}

/* a b - c = h (x^n - 1) at a random x. */
static weir_err check_quotient(const device *d, const config *c, const weir_gpu_ntt_plan *plan,
                               weir_errinfo *ei)
{
    unsigned k = plan->log2_n;
    uint64_t n = (uint64_t)1 << k;
    weir_dfr x, value[4];
    twin_fr_random(&x, d->seed + k);
    for (int i = 0; i < 2; i++) WEIR_TRY(fill(d, d->v[i], n, d->seed + k + 100 * i, ei));
    void *args[] = {(void *)&d->v[2], (void *)&d->v[0], (void *)&d->v[1], &n};
    WEIR_TRY(launch_each(d, (const void *)check_product, n, args, ei));
    for (int i = 0; i < 3; i++) {
        WEIR_TRY(run_work(d, c, plan, INVERSE, d->v[i], NULL, NULL, ei));
        WEIR_TRY(evaluate(d, &value[i], d->v[i], k, x, ei));
    }
    for (int i = 0; i < 2; i++) WEIR_TRY(fill(d, d->v[i], n, d->seed + k + 100 * i, ei));
    WEIR_TRY(run_work(d, c, plan, QUOTIENT, d->v[0], d->v[1], d->v[2], ei));
    WEIR_TRY(evaluate(d, &value[3], d->v[0], k, x, ei));
    if (twin_quotient_holds(&x, k, &value[0], &value[1], &value[2], &value[3])) return WEIR_OK;
    return weir_fail(ei, WEIR_E_INTERNAL, "2^%u: the quotient is wrong", k);
}

static weir_err check_large(const device *d, const config *c, unsigned from, unsigned to,
                            weir_errinfo *ei)
{
    for (unsigned k = from; k <= to; k++) {
        weir_gpu_ntt_plan plan;
        WEIR_TRY(make_plan(d, &plan, k, c, ei));
        for (int coset = 0; coset < 2; coset++) WEIR_TRY(check_one_side(d, c, &plan, coset, ei));
        WEIR_TRY(check_quotient(d, c, &plan, ei));
    }
    printf("2^%u to 2^%u, %s/%u, last %u, table %u: values, linearity, forth and back, quotient "
           "are right\n",
           from, to, c->form->name, c->form->min_blocks, c->last_levels, c->whole);
    return WEIR_OK;
}

/* ---- relations */

/* Device memory of a relation with its witness. */
typedef struct relation_memory {
    void *relation, *witness;
} relation_memory;

static weir_err relation_up(relation_memory *m, const twin_relation *r, weir_errinfo *ei)
{
    WEIR_CUDA_TRY(ei, cudaMalloc(&m->relation, r->relation_bytes));
    WEIR_CUDA_TRY(ei, cudaMalloc(&m->witness, r->witness_bytes));
    WEIR_CUDA_TRY(ei,
                  cudaMemcpy(m->relation, r->relation, r->relation_bytes, cudaMemcpyHostToDevice));
    WEIR_CUDA_TRY(ei, cudaMemcpy(m->witness, r->witness, r->witness_bytes, cudaMemcpyHostToDevice));
    return WEIR_OK;
}

static weir_err run_relation(const device *d, drel_args *a, uint32_t blocks, weir_errinfo *ei)
{
    void *args[] = {a};
    if (blocks == 0) return WEIR_OK;
    return launch(d, weir_kernel_drel(), blocks, DREL_ROWS, 0, args, ei);
}

/* On the domain, in v[0] and v[1], against the twin. */
static weir_err compare_relation(const device *d, const twin_relation *r, const relation_memory *m,
                                 weir_errinfo *ei)
{
    unsigned k = r->rel->domain_log2;
    uint64_t n = (uint64_t)1 << k, bytes = n * sizeof(weir_dfr);
    drel_args a, t;
    weir_dfr *want = (weir_dfr *)aligned_alloc(32, 4 * bytes), *got = want + 2 * n;
    weir_err err = WEIR_OK;
    if (!want) return weir_fail(ei, WEIR_E_NOMEM, "no host memory for a check");
    weir_gpu_relation_at(&t, r->rel, r->relation, r->witness);
    uint32_t blocks = weir_gpu_relation_domain(&t, k, 0, 1, want, want + n);
    if (!twin_relation_run(&t, blocks, d->seed)) err = WEIR_E_NOMEM;
    weir_gpu_relation_at(&a, r->rel, m->relation, m->witness);
    blocks = weir_gpu_relation_domain(&a, k, 0, 1, d->v[0], d->v[1]);
    if (err == WEIR_OK) err = run_relation(d, &a, blocks, ei);
    for (int i = 0; i < 2 && err == WEIR_OK; i++)
        err = gpu_status(ei, cudaMemcpy(got + i * n, d->v[i], bytes, cudaMemcpyDeviceToHost),
                         "copy", __FILE__, __LINE__);
    if (err == WEIR_OK && memcmp(want, got, 2 * bytes) != 0)
        err = weir_fail(ei, WEIR_E_INTERNAL, "rows of a relation: device and host differ");
    free(want);
    return err;
}

static weir_err check_relation(const device *d, weir_errinfo *ei)
{
    for (unsigned i = 0; i < 4; i++) {
        twin_shape s;
        memset(&s, 0, sizeof s);
        s.seed = d->seed + i;
        s.repeat = 5 * i;
        s.epilogue = i & 1;
        s.longest = i == 3 ? 900 : 60;
        for (unsigned j = 0; j < 3; j++) s.rows[j] = 50 + 100 * j;
        twin_relation r;
        relation_memory m = {NULL, NULL};
        weir_err err = twin_relation_random(&r, &s, ei);
        if (err == WEIR_OK) err = relation_up(&m, &r, ei);
        if (err == WEIR_OK) err = compare_relation(d, &r, &m, ei);
        (void)cudaFree(m.relation);
        (void)cudaFree(m.witness);
        twin_relation_free(&r);
        if (err != WEIR_OK) return err;
    }
    printf("rows of relations are the host twin's, bit by bit\n");
    return WEIR_OK;
}

/* ---- times */

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The median of RUNS, after one to warm up. */
static weir_err time_work(const device *d, const config *c, const weir_gpu_ntt_plan *plan,
                          work what, float *median, weir_errinfo *ei)
{
    float ms[RUNS];
    for (int i = -1; i < RUNS; i++) {
        WEIR_CUDA_TRY(ei, cudaEventRecord(d->start, d->stream));
        WEIR_TRY(run_work(d, c, plan, what, d->v[0], d->v[1], d->v[2], ei));
        WEIR_CUDA_TRY(ei, cudaEventRecord(d->stop, d->stream));
        WEIR_CUDA_TRY(ei, cudaEventSynchronize(d->stop));
        WEIR_CUDA_TRY(ei, cudaEventElapsedTime(&ms[i < 0 ? 0 : i], d->start, d->stop));
    }
    qsort(ms, RUNS, sizeof *ms, by_value);
    *median = ms[RUNS / 2];
    return WEIR_OK;
}

static void print_config(const config *c)
{
    static const char *const tables[] = {"compact", "whole", "half"};
    printf("%-7s %4ux%u  last %2u  %-8s", c->form->name, c->form->threads, c->form->min_blocks,
           c->last_levels ? c->last_levels : (unsigned)DNTT_TILE_LOG2, tables[c->whole]);
}

/* A row: the work at each size up to `largest`. Returns the time at 2^24 through *at24. */
static weir_err time_row(const device *d, const config *c, work what, unsigned largest, float *at24,
                         weir_errinfo *ei)
{
    print_config(c);
    for (unsigned i = 0; i < TIMED; i++) {
        float ms;
        weir_gpu_ntt_plan plan;
        if (timed[i] > largest) break;
        WEIR_TRY(make_plan(d, &plan, timed[i], c, ei));
        WEIR_TRY(time_work(d, c, &plan, what, &ms, ei));
        printf(" %9.3f", ms);
        if (timed[i] == 24 && at24) *at24 = ms;
    }
    printf("\n");
    return WEIR_OK;
}

static weir_err time_table(const device *d, const config *c, unsigned configs, work what,
                           unsigned largest, unsigned *best, weir_errinfo *ei)
{
    float least = 0;
    printf("\n%s, ms, median of %d:\n%-37s", work_name[what], RUNS, "");
    for (unsigned i = 0; i < TIMED && timed[i] <= largest; i++) printf("      2^%u", timed[i]);
    printf("\n");
    for (unsigned i = 0; i < configs; i++) {
        float ms = 0;
        WEIR_TRY(time_row(d, &c[i], what, largest, &ms, ei));
        if (best && (i == 0 || ms < least)) {
            least = ms;
            *best = i;
        }
    }
    return WEIR_OK;
}

/* Each pass of the quotient at the largest size by itself, so that one sees where the time goes. */
static weir_err time_passes(const device *d, const config *c, weir_errinfo *ei)
{
    weir_gpu_ntt_plan plan;
    weir_gpu_ntt_launch list[WEIR_GPU_QUOTIENT_LAUNCHES];
    WEIR_TRY(make_plan(d, &plan, LARGEST, c, ei));
    unsigned n = make_list(list, &plan, QUOTIENT, d->v[0], d->v[1], d->v[2]);
    printf("\npasses of the quotient at 2^%d, ms:", LARGEST);
    for (unsigned i = 0; i < n; i++) {
        float ms[3];
        for (int run = 0; run < 3; run++) {
            WEIR_CUDA_TRY(ei, cudaEventRecord(d->start, d->stream));
            WEIR_TRY(run_list(d, c, &list[i], 1, ei));
            WEIR_CUDA_TRY(ei, cudaEventRecord(d->stop, d->stream));
            WEIR_CUDA_TRY(ei, cudaEventSynchronize(d->stop));
            WEIR_CUDA_TRY(ei, cudaEventElapsedTime(&ms[run], d->start, d->stop));
        }
        qsort(ms, 3, sizeof *ms, by_value);
        printf(" %.2f", ms[1]);
    }
    printf("\n");
    return WEIR_OK;
}

/* The rows of a 32 GiB partition on its domain. */
static weir_err time_porep(const device *d, weir_errinfo *ei)
{
    twin_relation r;
    relation_memory m = {NULL, NULL};
    float ms[RUNS];
    time_t t0 = time(NULL);
    weir_err err = twin_relation_porep(&r, "32GiB", d->seed, ei);
    if (err == WEIR_OK) err = relation_up(&m, &r, ei);
    for (int i = -1; i < RUNS && err == WEIR_OK; i++) {
        drel_args a;
        weir_gpu_relation_at(&a, r.rel, m.relation, m.witness);
        uint32_t blocks = weir_gpu_relation_domain(&a, LARGEST, 0, 1, d->v[0], d->v[1]);
        err = gpu_status(ei, cudaEventRecord(d->start, d->stream), "record", __FILE__, __LINE__);
        if (err == WEIR_OK) err = run_relation(d, &a, blocks, ei);
        if (err == WEIR_OK)
            err = gpu_status(ei, cudaEventRecord(d->stop, d->stream), "record", __FILE__, __LINE__);
        if (err == WEIR_OK)
            err = gpu_status(ei, cudaEventSynchronize(d->stop), "wait", __FILE__, __LINE__);
        if (err == WEIR_OK)
            err = gpu_status(ei, cudaEventElapsedTime(&ms[i < 0 ? 0 : i], d->start, d->stop),
                             "elapsed", __FILE__, __LINE__);
    }
    if (err == WEIR_OK) {
        qsort(ms, RUNS, sizeof *ms, by_value);
        printf("\nrows of A and B, 32 GiB PoRep, %llu rows, random witness: %.2f ms (built and "
               "packed in %ld s; "
               "relation %.1f MB, witness %.1f MB)\n",
               (unsigned long long)r.rel->rows, ms[RUNS / 2], (long)(time(NULL) - t0),
               r.relation_bytes * 1e-6, r.witness_bytes * 1e-6);
    }
    (void)cudaFree(m.relation);
    (void)cudaFree(m.witness);
    twin_relation_free(&r);
    return err;
}

static weir_err time_all(const device *d, config *c, unsigned configs, weir_errinfo *ei)
{
    unsigned best = 0;
    WEIR_TRY(time_table(d, c, configs, FORWARD, LARGEST, NULL, ei));
    WEIR_TRY(time_table(d, c, configs, QUOTIENT, 24, &best, ei));
    config few[3];
    for (unsigned i = 0; i < 3; i++) {
        few[i] = c[best];
        few[i].whole = i;
    }
    WEIR_TRY(time_table(d, few, 3, QUOTIENT, LARGEST, NULL, ei));
    WEIR_TRY(time_table(d, few, 1, INVERSE, LARGEST, NULL, ei));
    WEIR_TRY(time_table(d, few, 1, COSET_FORWARD, LARGEST, NULL, ei));
    WEIR_TRY(time_passes(d, &few[0], ei));
    uint64_t vectors = 3 * sizeof(weir_dfr) << LARGEST;
    printf("bytes of the quotient at 2^%d: three vectors %.2f GB, tables: compact %.1f MB, half "
           "%.2f GB, whole %.2f GB\n",
           LARGEST, vectors * 1e-9, (sizeof(weir_dfr) << 15) * 1e-6,
           (sizeof(weir_dfr) << (LARGEST - 1)) * 1e-9, (sizeof(weir_dfr) << LARGEST) * 1e-9);
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

/* Vectors of 2^log2_n; a whole table too where there will be times. */
static weir_err take_memory(device *d, unsigned log2_n, bool table, weir_errinfo *ei)
{
    uint64_t bytes = sizeof(weir_dfr) << log2_n;
    for (int i = 0; i < 4; i++) WEIR_CUDA_TRY(ei, cudaMalloc(&d->v[i], bytes));
    WEIR_CUDA_TRY(ei, cudaMalloc(&d->compact, sizeof(weir_dfr) << 15));
    WEIR_CUDA_TRY(ei, cudaMalloc(&d->parts, bytes >> CHUNK_LOG2));
    WEIR_CUDA_TRY(ei, cudaMalloc(&d->count, sizeof *d->count));
    if (table) WEIR_CUDA_TRY(ei, cudaMalloc(&d->table, bytes + 4 * sizeof(weir_dfr)));
    return WEIR_OK;
}

/* Every form, with the library's split and with the last pass of 9 levels, compact and whole. */
static weir_err make_configs(config *c, unsigned *n, weir_errinfo *ei)
{
    size_t forms;
    const weir_gpu_ntt_form *f = weir_gpu_ntt_forms(&forms);
    *n = 0;
    for (size_t i = 0; i < forms; i++) {
        WEIR_CUDA_TRY(ei,
                      cudaFuncSetAttribute(f[i].kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           (int)f[i].shared));
        for (unsigned k = 0; k < 4; k++) {
            c[*n].form = &f[i];
            c[*n].last_levels = k & 1 ? 9 : 0;
            c[(*n)++].whole = k >> 1;
        }
    }
    return WEIR_OK;
}

enum { CONFIGS = 32 };

static weir_err run(bool timing, uint64_t seed, weir_errinfo *ei)
{
    device d;
    config c[CONFIGS];
    unsigned configs, largest = timing ? (unsigned)LARGEST : (unsigned)CHECK_MAX;
    memset(&d, 0, sizeof d);
    d.seed = seed;
    WEIR_TRY(describe(&d, ei));
    printf("seed %llu\n", (unsigned long long)seed);
    WEIR_TRY(take_memory(&d, largest, true, ei));
    WEIR_TRY(make_configs(c, &configs, ei));
    WEIR_TRY(check_relation(&d, ei));
    WEIR_TRY(check_small(&d, c, configs, ei));
    WEIR_TRY(check_large(&d, &c[0], timing ? 20 : 17, largest, ei));
    for (unsigned i = 1; i < configs; i++) WEIR_TRY(check_large(&d, &c[i], 20, 20, ei));
    if (!timing) return WEIR_OK;
    WEIR_TRY(check_large(&d, &c[2], LARGEST, LARGEST, ei));
    return time_all(&d, c, configs, ei);
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
            fprintf(stderr, "usage: gpu_ntt_check [--check] [--seed N]\n");
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
    if (run(timing, seed, &ei) == WEIR_OK) return 0;
    printf("%s\n", ei.text);
    return 1;
}
