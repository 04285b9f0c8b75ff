/* weir bench device: transforms and the quotient, each compared element by element with the CPU's. */
#include "base/alloc.h"
#include "cli/device_bench.h"
#include "cli/memory.h"
#include "field/fr.h"
#include "gpu/gpu_ntt_plan.h"
#include "poly/ntt.h"

#include <string.h>

enum { VECTORS = 3, VALUES = 10, COMPARE_TASKS = 1024 };

typedef struct ntt_job {
    weir_device_bench *d;
    unsigned log2;
    uint64_t n;
    bool quotient;
    weir_gpu_ntt_plan plan;
    void *table, *v[VECTORS];    /* on the device */
    weir_fr *want, *other, *tmp; /* the CPU's */
} ntt_job;

static uint64_t reversed(uint64_t i, unsigned bits)
{
    uint64_t r = 0;
    for (unsigned k = 0; k < bits; k++) r |= (i >> k & 1) << (bits - 1 - k);
    return r;
}

static void element(weir_fr *out, uint64_t vector, uint64_t i)
{
    weir_scalar s;
    weir_device_scalar(&s, VALUES + vector, i);
    memcpy(out, &s, sizeof *out);
}

/* ---- input: the device takes values on a domain in bit-reversed order, coefficients in natural order */

typedef struct vector {
    const ntt_job *j;
    uint64_t number;
    bool reverse;
} vector;

static void make(void *ctx, void *out, uint64_t first, uint64_t n)
{
    const vector *v = ctx;
    weir_fr *x = out;
    for (uint64_t i = 0; i < n; i++)
        element(&x[i], v->number, v->reverse ? reversed(first + i, v->j->log2) : first + i);
}

static weir_err fill(ntt_job *j, unsigned number, weir_errinfo *ei)
{
    vector v = {j, number, j->quotient};
    return weir_device_fill(j->d, j->v[number], j->n, sizeof(weir_fr), make, &v, ei);
}

/* ---- the CPU's answer */

typedef struct host_job {
    weir_fr *x;
    uint64_t number, n;
} host_job;

static void host_task(void *ctx, size_t task, unsigned worker)
{
    const host_job *h = ctx;
    uint64_t lo = h->n * task / COMPARE_TASKS, hi = h->n * (task + 1) / COMPARE_TASKS;
    (void)worker;
    for (uint64_t i = lo; i < hi; i++) element(&h->x[i], h->number, i);
}

static weir_err cpu_answer(ntt_job *j, weir_errinfo *ei)
{
    const weir_exec *x = &j->d->x;
    weir_ntt_plan *plan;
    WEIR_TRY(weir_bench_step(j->d->b, "the CPU's answer"));
    WEIR_TRY(weir_ntt_plan_new(&plan, j->log2, x, ei));
    uint64_t bytes = weir_ntt_scratch_bytes(plan);
    void *scratch = weir_big_alloc(bytes + 1, 1);
    if (scratch) {
        host_job a = {j->want, 0, j->n}, b = {j->other, 1, j->n};
        weir_pool_run(x->pool, COMPARE_TASKS, host_task, &a);
        if (j->quotient) weir_pool_run(x->pool, COMPARE_TASKS, host_task, &b);
        if (j->quotient)
            weir_quotient(plan, j->want, j->other, j->tmp, scratch, x);
        else
            weir_ntt_forward(plan, j->want, scratch, x);
    }
    weir_big_free(scratch, bytes + 1, 1);
    weir_ntt_plan_free(plan);
    return scratch ? WEIR_OK : weir_fail(ei, WEIR_E_NOMEM, "no memory for the CPU's transform");
}

typedef struct compare_job {
    const ntt_job *j;
    const weir_fr *got;
    bool differs[COMPARE_TASKS];
} compare_job;

/* h leaves the device as integers. */
static void compare_task(void *ctx, size_t task, unsigned worker)
{
    compare_job *c = ctx;
    const ntt_job *j = c->j;
    uint64_t lo = j->n * task / COMPARE_TASKS, hi = j->n * (task + 1) / COMPARE_TASKS;
    bool differs = false;
    (void)worker;
    for (uint64_t i = lo; i < hi; i++) {
        const weir_fr *got = &c->got[j->quotient ? i : reversed(i, j->log2)];
        weir_scalar want;
        fr_to_scalar(&want, &j->want[i]);
        differs |= memcmp(got, j->quotient ? (const void *)&want : &j->want[i], sizeof *got) != 0;
    }
    c->differs[task] = differs;
}

static weir_err check(bool *right, void *ctx, weir_errinfo *ei)
{
    ntt_job *j = ctx;
    weir_fr *got = weir_big_alloc(j->n, sizeof *got);
    compare_job *c = weir_calloc(1, sizeof *c);
    weir_err err = WEIR_OK;
    if (!got || !c) {
        err = weir_fail(ei, WEIR_E_NOMEM, "no memory for a comparison");
        goto out;
    }
    WEIR_TRY_GOTO(weir_device_read(j->d, got, j->v[0], j->n * sizeof *got, ei));
    *c = (compare_job){.j = j, .got = got};
    weir_pool_run(j->d->x.pool, COMPARE_TASKS, compare_task, c);
    *right = true;
    for (int i = 0; i < COMPARE_TASKS; i++) *right = *right && !c->differs[i];
out:
    weir_free(c);
    weir_big_free(got, j->n, sizeof *got);
    return err;
}

/* ---- the device */

static weir_err launch(void *ctx, weir_errinfo *ei)
{
    ntt_job *j = ctx;
    const weir_gpu_driver *v = j->d->driver;
    weir_gpu_ntt_launch list[WEIR_GPU_QUOTIENT_LAUNCHES];
    unsigned n = j->quotient ? weir_gpu_quotient(list, &j->plan, j->v[0], j->v[1], j->v[2])
                             : weir_gpu_ntt_forward(list, &j->plan, j->v[0], DNTT_PLAIN);
    for (unsigned i = 0; i < n; i++)
        WEIR_TRY(v->launch(v->ctx, WEIR_GPU_WORK, WEIR_GPU_NTT, list[i].blocks, 0, &list[i].a, ei));
    return WEIR_OK;
}

static weir_err prepare(ntt_job *j, weir_errinfo *ei)
{
    const weir_gpu_driver *v = j->d->driver;
    const unsigned vectors = j->quotient ? 3 : 1;
    weir_gpu_ntt_plan_init(&j->plan, j->log2, 0, 0);
    uint64_t bytes = weir_gpu_ntt_table_len(&j->plan) * sizeof(weir_dfr);
    WEIR_TRY(weir_memory_fits((vectors + 1) * j->n * sizeof(weir_fr), "the comparison", ei));
    WEIR_TRY(v->alloc(v->ctx, &j->table, bytes, ei));
    for (unsigned i = 0; i < vectors; i++)
        WEIR_TRY(v->alloc(v->ctx, &j->v[i], j->n * sizeof(weir_fr), ei));
    weir_gpu_ntt_table_fill(&j->plan, j->d->stage);
    WEIR_TRY(v->upload(v->ctx, WEIR_GPU_WORK, j->table, j->d->stage, bytes, ei));
    WEIR_TRY(v->drain(v->ctx, ei));
    weir_gpu_ntt_table_at(&j->plan, j->table);
    for (unsigned i = 0; i < (j->quotient ? 2u : 1u); i++) WEIR_TRY(fill(j, i, ei));
    j->want = weir_big_alloc(j->n, sizeof *j->want);
    if (j->quotient) j->other = weir_big_alloc(j->n, sizeof *j->other);
    if (j->quotient) j->tmp = weir_big_alloc(j->n, sizeof *j->tmp);
    if (!j->want || (j->quotient && (!j->other || !j->tmp)))
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for the CPU's transform");
    WEIR_TRY(cpu_answer(j, ei));
    weir_big_free(j->other, j->n, sizeof *j->other);
    weir_big_free(j->tmp, j->n, sizeof *j->tmp);
    j->other = j->tmp = NULL;
    return WEIR_OK;
}

static void clear(ntt_job *j)
{
    const weir_gpu_driver *v = j->d->driver;
    for (int i = 0; i < VECTORS; i++)
        if (j->v[i]) v->release(v->ctx, j->v[i]);
    if (j->table) v->release(v->ctx, j->table);
    weir_big_free(j->want, j->n, sizeof *j->want);
    weir_big_free(j->other, j->n, sizeof *j->other);
    weir_big_free(j->tmp, j->n, sizeof *j->tmp);
}

static weir_err time_ntt(weir_device_bench *d, bool quotient, unsigned log2, weir_errinfo *ei)
{
    char size[24];
    ntt_job j = {.d = d, .log2 = log2, .n = (uint64_t)1 << log2, .quotient = quotient};
    snprintf(size, sizeof size, "2^%u", log2);
    const weir_device_row row = {.row = {.what = quotient ? "a, b to h" : "transform, forward",
                                         .size = size,
                                         .path = "gpu",
                                         .device = true,
                                         .each = "element",
                                         .count = (double)j.n},
                                 .launch = launch,
                                 .check = check,
                                 .ctx = &j};
    weir_err err = prepare(&j, ei);
    if (err == WEIR_OK) err = weir_device_time(d, &row, ei);
    clear(&j);
    return err;
}

weir_err weir_device_bench_ntt(weir_device_bench *d, unsigned log2, weir_errinfo *ei)
{
    return time_ntt(d, false, log2, ei);
}

weir_err weir_device_bench_quotient(weir_device_bench *d, unsigned log2, weir_errinfo *ei)
{
    return time_ntt(d, true, log2, ei);
}
