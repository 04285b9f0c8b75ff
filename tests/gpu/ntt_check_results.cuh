/* Checks of transforms and of the quotient, for gpu_ntt_check: bit by bit against the host twins up to 2^SMALL_MAX, above that by
 * values at random points, linearity, the way back, and a b - c = h (x^n - 1). */
#ifndef WEIR_TEST_NTT_CHECK_RESULTS_CUH
#define WEIR_TEST_NTT_CHECK_RESULTS_CUH

#include "ntt_check_device.cuh"

enum { SMALL_MIN = 1, SMALL_MAX = 16 };

/* ---- kernels */

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
        if (!twin_ntt_run(list, count, d->seed))
            return weir_fail(ei, WEIR_E_NOMEM, "no host memory for a twin");
        for (unsigned i = 0; i < configs; i++)
            WEIR_TRY(check_twin_work(d, &c[i], h, (work)what, log2_n, ei));
    }
    return WEIR_OK;
}

static weir_err check_small(const device *d, const config *c, unsigned configs, unsigned max,
                            weir_errinfo *ei)
{
    for (unsigned k = SMALL_MIN; k <= max; k++) {
        host h;
        weir_err err = host_new(&h, (uint64_t)1 << k, ei);
        if (err == WEIR_OK) err = check_twin(d, c, configs, &h, k, ei);
        free(h.in[0]);
        if (err != WEIR_OK) return err;
    }
    printf("2^%d to 2^%d: transforms and quotient are the host twin's, bit by bit\n", SMALL_MIN,
           max);
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

/* All of it at one size. */
static weir_err check_size(const device *d, const config *c, const weir_gpu_ntt_plan *plan,
                           weir_errinfo *ei)
{
    for (int coset = 0; coset < 2; coset++) WEIR_TRY(check_one_side(d, c, plan, coset, ei));
    return check_quotient(d, c, plan, ei);
}

static weir_err check_large(const device *d, const config *c, unsigned from, unsigned to,
                            weir_errinfo *ei)
{
    for (unsigned k = from; k <= to; k++) {
        weir_gpu_ntt_plan plan;
        WEIR_TRY(make_plan(d, &plan, k, c, ei));
        WEIR_TRY(check_size(d, c, &plan, ei));
    }
    printf("2^%u to 2^%u, %s, table %s: values, linearity, forth and back, quotient are right\n",
           from, to, c->form->name, table_name[c->whole]);
    return WEIR_OK;
}

#endif
