/* h = ((A z)(B z) - (C z)) / (x^n - 1) from the packed witness.
 *
 * The rows of A and B are evaluated in ranges that the threads share, straight into the vectors of the first transform;
 * C is never evaluated, since a satisfied relation has C z = A z o B z on the domain (poly/ntt.h). */
#include "base/alloc.h"
#include "base/clock.h"
#include "compute/cpu_path.h"
#include "compute/cpu_stages.h"

#include <string.h>

/* Rows one task evaluates: about 1 ms in a Filecoin circuit, and 256 KiB of result. */
enum { EVAL_ROWS = 8192 };
/* Rows between two looks at the watch. */
enum { ROUND_ROWS = 64 * EVAL_ROWS };
enum { SCALARS_A_TASK = 16384 };
/* Tasks of a thread between two looks at the gate: some 10 ms. */
enum { EVAL_TASKS = 16, SCALARS_TASKS = 32 };

typedef struct eval_job {
    const weir_witness *w;
    weir_fr *out[2];
    uint64_t lo, hi;
    weir_isa isa;
} eval_job;

/* Even tasks take A, odd ones B. */
static void eval_task(void *ctx, size_t task, unsigned worker)
{
    (void)worker;
    const eval_job *job = ctx;
    unsigned m = (unsigned)(task & 1);
    uint64_t lo = job->lo + task / 2 * EVAL_ROWS;
    uint64_t hi = job->hi - lo < EVAL_ROWS ? job->hi : lo + EVAL_ROWS;
    weir_relation_eval(job->w, m == 0 ? WEIR_A : WEIR_B, lo, hi, job->out[m] + lo, job->isa);
}

/* The rows above the relation's are zero. */
static void clear_rest(weir_fr *a, uint64_t rows, uint64_t n)
{
    memset(a + rows, 0, (n - rows) * sizeof *a);
}

static weir_err eval_rows(weir_fr *a, weir_fr *b, const weir_witness *w, const weir_exec *x,
                          weir_errinfo *ei)
{
    uint64_t rows = w->rel->rows;
    for (uint64_t lo = 0; lo < rows; lo += ROUND_ROWS) {
        uint64_t hi = rows - lo < ROUND_ROWS ? rows : lo + ROUND_ROWS;
        eval_job job = {.w = w, .out = {a, b}, .lo = lo, .hi = hi, .isa = x->isa};
        weir_exec_run(x, 2 * ((hi - lo + EVAL_ROWS - 1) / EVAL_ROWS), EVAL_TASKS, eval_task, &job);
        weir_exec_progress(x, "rows", hi, rows);
        if (weir_exec_cancelled(x))
            return weir_fail(ei, WEIR_E_CANCELLED, "cancelled after row %llu",
                             (unsigned long long)hi);
    }
    return WEIR_OK;
}

typedef struct scalars_job {
    weir_h_buffer h;
    size_t n;
    const weir_cpu_ops *ops;
} scalars_job;

static void scalars_task(void *ctx, size_t task, unsigned worker)
{
    (void)worker;
    const scalars_job *job = ctx;
    size_t lo = task * SCALARS_A_TASK;
    size_t n = job->n - lo < SCALARS_A_TASK ? job->n - lo : SCALARS_A_TASK;
    job->ops->to_scalars(job->h.scalar + lo, job->h.fr + lo, n);
}

weir_err weir_cpu_quotient(weir_h_buffer *h, const weir_ntt_plan *plan, const weir_witness *w,
                           weir_sums_stats *stats, const weir_exec *x, weir_errinfo *ei)
{
    size_t n = (size_t)1 << w->rel->domain_log2;
    size_t scratch_bytes = weir_ntt_scratch_bytes(plan);
    weir_err err = WEIR_OK;
    weir_fr *a = weir_slab_take(x->slabs, n, sizeof *a);
    weir_fr *b = weir_slab_take(x->slabs, n, sizeof *b);
    weir_fr *tmp = weir_slab_take(x->slabs, n, sizeof *tmp);
    void *scratch = weir_slab_take(x->slabs, scratch_bytes, 1);
    h->fr = NULL;
    if (!a || !b || !tmp || !scratch) {
        err = weir_fail(ei, WEIR_E_NOMEM, "no memory for the quotient: %zu bytes",
                        3 * n * sizeof *a + scratch_bytes);
        goto out;
    }
    uint64_t t0 = weir_now_ns();
    clear_rest(a, w->rel->rows, n);
    clear_rest(b, w->rel->rows, n);
    WEIR_TRY_GOTO(eval_rows(a, b, w, x, ei));
    uint64_t t1 = weir_now_ns();
    weir_exec_progress(x, "transforms", 0, 1);
    weir_quotient(plan, a, b, tmp, scratch, x);
    h->fr = a;
    scalars_job job = {.h = *h, .n = n, .ops = WEIR_ISA_PICK(x->isa, weir_cpu_ops)};
    weir_exec_run(x, (n + SCALARS_A_TASK - 1) / SCALARS_A_TASK, SCALARS_TASKS, scalars_task, &job);
    weir_exec_progress(x, "transforms", 1, 1);
    stats->eval_ns = t1 - t0;
    stats->ntt_ns = weir_now_ns() - t1;
out:
    if (err != WEIR_OK) weir_slab_give(x->slabs, a, n, sizeof *a);
    weir_slab_give(x->slabs, b, n, sizeof *b);
    weir_slab_give(x->slabs, tmp, n, sizeof *tmp);
    weir_slab_give(x->slabs, scratch, scratch_bytes, 1);
    return err;
}

uint64_t weir_cpu_quotient_bytes(const weir_relation *rel, const weir_exec *x)
{
    weir_ntt_plan *plan;
    if (weir_ntt_plan_new(&plan, rel->domain_log2, x, NULL) != WEIR_OK) return UINT64_MAX;
    uint64_t scratch = weir_ntt_scratch_bytes(plan);
    weir_ntt_plan_free(plan);
    return 3 * sizeof(weir_fr) * ((uint64_t)1 << rel->domain_log2) + scratch;
}
