/* Sums over bits, an include-template; parameters as in msm_batch.inc.h, which comes first.
 *
 * A task owns a range of words. It gathers the selected points until its array is full, halves them by batches of
 * additions until KEEP are left, and gathers again behind those; so the shared inversions stay large. At the end
 * its points become one, and the tasks' sums are added.
 */

enum {
    K_(KEEP) =
        128, /* where halving stops: below it an inversion costs more than half of its batch */
    K_(BITS_PER_TASK) = 1 << 16 /* at least: half of them set are some 10 ms of work in G1 */
};

#define K_BITS_JOB K_(bits_job)
typedef struct K_BITS_JOB {
    const K_AFF *points;
    const uint64_t *bits;
    size_t n, words, words_per_task;
    weir_msm_stop stop;
    weir_msm_worker_layout layout;
    unsigned char *workers;
    K_AFF *sums; /* one a task */
} K_BITS_JOB;

#ifndef WEIR_ISA_IS_ifma
/* Adds points 0 .. n - 1 in pairs until at most `keep` are left, and moves those to the front. */
static size_t K_(halve)(K_BATCH *t, size_t n, size_t keep)
{
    size_t stride = 1;
    for (; (n + stride - 1) / stride > keep; stride *= 2) {
        for (size_t i = 0; i + stride < n; i += 2 * stride)
            K_(push)(t, &t->points[i], &t->points[i + stride]);
        K_(flush)(t);
    }
    size_t left = (n + stride - 1) / stride;
    if (stride > 1)
        for (size_t i = 1; i < left; i++) t->points[i] = t->points[i * stride];
    return left;
}
#endif

/* The set bits of word w that lie below n. */
static inline uint64_t K_(word)(const K_BITS_JOB *j, size_t w)
{
    uint64_t bits = j->bits[w];
    if (w == j->n / 64) bits &= ((uint64_t)1 << (j->n % 64)) - 1;
    return bits;
}

#ifdef WEIR_ISA_IS_ifma
#include "msm/msm_sumbits_lanes.inc.h"
#else
static void K_(bits_range)(K_AFF *out, K_BATCH *t, const K_BITS_JOB *j, size_t lo, size_t hi)
{
    size_t n = 0;
    for (size_t w = lo; w < hi; w++) {
        const K_AFF *points = j->points + 64 * w;
        for (uint64_t bits = K_(word)(j, w); bits; bits &= bits - 1)
            t->points[n++] = points[__builtin_ctzll(bits)];
        if (n + 64 > K_SIZES.chunk_max) n = K_(halve)(t, n, K_(KEEP));
    }
    n = K_(halve)(t, n, 1);
    if (n == 0) memset(t->points, 0, sizeof *t->points);
    *out = t->points[0];
}
#endif

static void K_(bits_task)(void *ctx, size_t task, unsigned worker)
{
    K_BITS_JOB *j = ctx;
    if (weir_msm_stop_task(&j->stop)) return;
    K_BATCH t;
    K_(batch_init)(&t, j->workers + worker * j->layout.bytes, &j->layout);
    size_t lo = task * j->words_per_task, hi = lo + j->words_per_task;
    K_(bits_range)(&j->sums[task], &t, j, lo, hi < j->words ? hi : j->words);
}

static weir_err K_(bits_run)(K_JAC *out, K_BITS_JOB *j, size_t tasks)
{
    const weir_exec *x = j->stop.x;
    weir_exec_progress(x, "sum over bits", 0, j->n);
    weir_exec_run(x, tasks, WEIR_MSM_RANGE_BITS, K_(bits_task), j);
    if (weir_msm_stopped(&j->stop)) return WEIR_E_CANCELLED;
    E_(set_infinity)(out);
    for (size_t i = 0; i < tasks; i++) E_(madd)(out, out, &j->sums[i]);
    weir_exec_progress(x, "sum over bits", j->n, j->n);
    return WEIR_OK;
}

static weir_err K_(sum_bits)(K_JAC *out, const K_AFF *points, const uint64_t *bits, size_t n,
                             const weir_exec *x, weir_errinfo *ei)
{
    unsigned threads = weir_pool_threads(x->pool);
    K_BITS_JOB
    j = {.points = points, .bits = bits, .n = n, .words = (n + 63) / 64, .stop = {.x = x}};
    size_t tasks = (n + K_(BITS_PER_TASK) - 1) / K_(BITS_PER_TASK);
    if (tasks > (size_t)threads * WEIR_MSM_TASKS_PER_THREAD)
        tasks = (size_t)threads * WEIR_MSM_TASKS_PER_THREAD;
    if (tasks == 0) tasks = 1;
    j.words_per_task = (j.words + tasks - 1) / tasks;
    weir_msm_worker_layout_make(&j.layout, K_SIZES.chunk_max, &K_SIZES);
    size_t bytes = threads * j.layout.bytes + tasks * sizeof *j.sums;
    unsigned char *memory = weir_slab_take(x->slabs, bytes, 1);
    if (!memory)
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for a sum over %zu bits: %zu bytes", n,
                         bytes);
    j.workers = memory;
    j.sums = (K_AFF *)(void *)(memory + threads * j.layout.bytes);
    weir_err err = K_(bits_run)(out, &j, tasks);
    weir_slab_give(x->slabs, memory, bytes, 1);
    return err == WEIR_OK ? WEIR_OK : weir_fail(ei, err, "the sum over %zu bits was cancelled", n);
}
