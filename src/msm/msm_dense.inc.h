/* Dense sums by buckets, an include-template; parameters as in msm_batch.inc.h, which comes first, and
 * K_MUL, the curve's product with a scalar.
 *
 * For each group of windows: entries are sorted by bucket (msm_sort.c); chunks of equally many entries are
 * summed, one task each. A chunk knows nothing of bucket borders: a bucket that lies in it whole is written to
 * its place, and the at most two that reach over its ends give partial sums, which are joined afterwards. So the
 * work of a task does not depend on how digits are spread, and a bucket may be as long as it likes.
 * Then each segment of buckets B_0 .. B_(L-1) gives its sum and its weighted sum 1 B_0 + 2 B_1 + ..., by running
 * sums whose steps are batched over many segments.
 * At the end each window joins its segments in Jacobian form, and windows are joined by doublings.
 */

#define K_JOB K_(job)
typedef struct K_JOB {
    weir_msm_plan p;
    weir_msm_recode recode;
    weir_msm_stop stop;
    const K_AFF *points;
    const weir_scalar *scalars;
    unsigned char *scratch;
    unsigned first, count; /* windows of the group */
    size_t entries, chunks;
    const uint32_t *index, *starts;
    K_AFF *buckets, *partials, *sums, *weighted;
    uint32_t *partial_ids, *partial_starts;
    K_JAC *window_sums;
    bool
        shifted; /* msm_segments_lanes.inc.h: sums of segments have multiples of a point too much */
    K_AFF shift[2];
    K_JAC unshift; /* takes those of a window off */
} K_JOB;

static void K_(worker_batch)(K_BATCH *t, const K_JOB *j, unsigned worker)
{
    K_(batch_init)(t, j->scratch + j->p.workers + worker * j->p.worker.bytes, &j->p.worker);
}

/* The bucket that holds entry `at`: the last that starts at or before it. In: at < starts[ids]. */
static size_t K_(bucket_of)(const uint32_t *starts, size_t ids, size_t at)
{
    size_t lo = 0, hi = ids;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (starts[mid] <= at)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* Cuts entries lo .. hi - 1 by bucket into the batch's runs; gives their number. */
static size_t K_(find_runs)(K_BATCH *t, const K_JOB *j, size_t lo, size_t hi)
{
    size_t id = K_(bucket_of)(j->starts, j->count * j->p.buckets, lo), runs = 0;
    for (size_t at = lo; at < hi; at = j->starts[id + 1]) {
        while (j->starts[id + 1] <= at) id++;
        t->run_start[runs] = (uint32_t)(at - lo);
        t->run_id[runs++] = (uint32_t)id;
    }
    t->run_start[runs] = (uint32_t)(hi - lo);
    return runs;
}

static void K_(chunk_task)(void *ctx, size_t chunk, unsigned worker)
{
    K_JOB *j = ctx;
    if (weir_msm_stop_task(&j->stop)) return;
    K_BATCH t;
    K_(worker_batch)(&t, j, worker);
    size_t lo = chunk * j->p.chunk,
           hi = lo + j->p.chunk < j->entries ? lo + j->p.chunk : j->entries;
    size_t runs = K_(find_runs)(&t, j, lo, hi);
    size_t soon = lo + j->p.threads * j->p.chunk; /* threads take turns, more or less */
    if (soon < j->entries) {
        t.soon = j->index + soon;
        t.n_soon = j->entries - soon < j->p.chunk ? j->entries - soon : j->p.chunk;
    }
    K_(run_sums)(&t, j->points, j->index + lo, hi - lo, runs);
    j->partial_ids[2 * chunk] = j->partial_ids[2 * chunk + 1] = WEIR_MSM_NO_BUCKET;
    for (size_t r = 0; r < runs; r++) {
        uint32_t id = t.run_id[r];
        const K_AFF *sum = &t.points[t.run_start[r]];
        if (j->starts[id] >= lo && j->starts[id + 1] <= hi) {
            j->buckets[id] = *sum;
        } else {
            size_t slot = 2 * chunk + (r > 0);
            j->partials[slot] = *sum;
            j->partial_ids[slot] = id;
        }
    }
}

/* Partial sums lie in bucket order, so those of one bucket are neighbours. */
static void K_(join_partials)(K_JOB *j)
{
    K_BATCH t;
    K_(worker_batch)(&t, j, 0);
    size_t n = 0, runs = 0;
    for (size_t slot = 0; slot < 2 * j->chunks; slot++) {
        uint32_t id = j->partial_ids[slot];
        if (id == WEIR_MSM_NO_BUCKET) continue;
        if (n == 0 || j->partial_ids[n - 1] != id) j->partial_starts[runs++] = (uint32_t)n;
        j->partials[n] = j->partials[slot];
        j->partial_ids[n++] = id;
    }
    j->partial_starts[runs] = (uint32_t)n;
    K_(sum_runs)(&t, j->partials, j->partial_starts, runs);
    for (size_t r = 0; r < runs; r++) {
        size_t at = j->partial_starts[r];
        j->buckets[j->partial_ids[at]] = j->partials[at];
    }
}

/* One bucket of each of m segments, `step` places from its start: weighted += running, running += bucket. The two
 * additions go in one batch, so the first reads a copy of the running sum. */
static void K_(segment_step)(K_BATCH *t, const K_JOB *j, size_t first, size_t m, size_t step)
{
    K_AFF *running = t->points, *before = running + m, *weighted = before + m;
    for (size_t i = 0; i < m; i++) {
        size_t id = (first + i) * j->p.segment + step,
               ahead = id + K_(PREFETCH_AHEAD) * j->p.segment;
        if (i + K_(PREFETCH_AHEAD) < m) K_(prefetch)(&j->buckets[ahead]);
        if (!K_(is_infinity)(&running[i])) {
            before[i] = running[i];
            K_(push)(t, &weighted[i], &before[i]);
        }
        if (j->starts[id] != j->starts[id + 1]) K_(push)(t, &running[i], &j->buckets[id]);
    }
    K_(flush)(t);
}

static void K_(segments_one_by_one)(K_BATCH *t, const K_JOB *j, size_t first, size_t m)
{
    K_AFF *running = t->points, *weighted = running + 2 * m;
    memset(running, 0, 3 * m * sizeof *running);
    for (size_t step = j->p.segment; step-- > 0;) K_(segment_step)(t, j, first, m, step);
    for (size_t i = 0; i < m; i++) K_(push)(t, &weighted[i], &running[i]);
    K_(flush)(t);
}

/* shift_segments prepares a job; segment_sums leaves running sums at points[0] and weighted ones at points[2 m]. */
#ifdef WEIR_ISA_IS_ifma
#include "msm/msm_segments_lanes.inc.h"
#else
static void K_(shift_segments)(K_JOB *j)
{
    j->shifted = false;
}

static void K_(segment_sums)(K_BATCH *t, const K_JOB *j, size_t first, size_t m)
{
    K_(segments_one_by_one)(t, j, first, m);
}
#endif

static void K_(segment_task)(void *ctx, size_t task, unsigned worker)
{
    K_JOB *j = ctx;
    if (weir_msm_stop_task(&j->stop)) return;
    K_BATCH t;
    K_(worker_batch)(&t, j, worker);
    size_t first = task * j->p.segments_per_task, m = j->count * j->p.segments - first;
    if (m > j->p.segments_per_task) m = j->p.segments_per_task;
    K_(segment_sums)(&t, j, first, m);
    size_t at = j->first * j->p.segments + first;
    memcpy(&j->sums[at], t.points, m * sizeof *t.points);
    memcpy(&j->weighted[at], t.points + 2 * m, m * sizeof *t.points);
}

/* The sum over segments s of weighted_s + L s sum_s, where L is a segment's length. */
static void K_(window_task)(void *ctx, size_t window, unsigned worker)
{
    K_JOB *j = ctx;
    (void)worker;
    const K_AFF *sums = &j->sums[window * j->p.segments],
                *weighted = &j->weighted[window * j->p.segments];
    K_JAC running, ranked, *out = &j->window_sums[window];
    E_(set_infinity)(&running);
    E_(set_infinity)(&ranked);
    for (size_t s = j->p.segments; s-- > 1;) {
        E_(madd)(&running, &running, &sums[s]);
        E_(add)(&ranked, &ranked, &running);
    }
    for (size_t length = j->p.segment; length > 1; length /= 2) E_(dbl)(&ranked, &ranked);
    for (size_t s = 0; s < j->p.segments; s++) E_(madd)(&ranked, &ranked, &weighted[s]);
    if (j->shifted) E_(add)(&ranked, &ranked, &j->unshift);
    *out = ranked;
}

static bool K_(sum_group)(K_JOB *j)
{
    const weir_exec *x = j->stop.x;
    j->entries =
        weir_msm_sort(&j->p, j->scratch, &j->recode, j->scalars, j->first, j->count, &j->stop);
    if (weir_msm_stopped(&j->stop)) return false;
    j->chunks = (j->entries + j->p.chunk - 1) / j->p.chunk;
    weir_exec_run(x, j->chunks, WEIR_MSM_RANGE_CHUNKS, K_(chunk_task), j);
    if (weir_msm_stopped(&j->stop)) return false;
    K_(join_partials)(j);
    size_t segments = j->count * j->p.segments;
    weir_exec_run(x, (segments + j->p.segments_per_task - 1) / j->p.segments_per_task,
                  WEIR_MSM_RANGE_ALL, K_(segment_task), j);
    return !weir_msm_stopped(&j->stop);
}

static void K_(join_windows)(K_JAC *out, const K_JOB *j)
{
    K_JAC sum = j->window_sums[j->p.windows - 1];
    for (unsigned w = j->p.windows - 1; w-- > 0;) {
        for (unsigned i = 0; i < j->p.window; i++) E_(dbl)(&sum, &sum);
        E_(add)(&sum, &sum, &j->window_sums[w]);
    }
    *out = sum;
}

static weir_err K_(buckets)(K_JAC *out, K_JOB *j)
{
    const weir_exec *x = j->stop.x;
    unsigned char *m = j->scratch;
    j->index = (const uint32_t *)(void *)(m + j->p.index);
    j->starts = (const uint32_t *)(void *)(m + j->p.starts);
    j->buckets = (K_AFF *)(void *)(m + j->p.bucket_points);
    j->partials = (K_AFF *)(void *)(m + j->p.partial_points);
    j->partial_ids = (uint32_t *)(void *)(m + j->p.partial_ids);
    j->partial_starts = (uint32_t *)(void *)(m + j->p.partial_starts);
    j->sums = (K_AFF *)(void *)(m + j->p.segment_sums);
    j->weighted = (K_AFF *)(void *)(m + j->p.segment_weighted);
    j->window_sums = (K_JAC *)(void *)(m + j->p.window_sums);
    weir_msm_recode_init(&j->recode, j->p.window);
    K_(shift_segments)(j);
    for (j->first = 0; j->first < j->p.windows; j->first += j->count) {
        weir_exec_progress(x, "msm", j->first, j->p.windows);
        j->count = j->p.windows - j->first < j->p.group ? j->p.windows - j->first : j->p.group;
        if (!K_(sum_group)(j)) return WEIR_E_CANCELLED;
    }
    weir_pool_run(x->pool, j->p.windows, K_(window_task), j);
    K_(join_windows)(out, j);
    weir_exec_progress(x, "msm", j->p.windows, j->p.windows);
    return WEIR_OK;
}

static void K_(one_by_one)(K_JAC *out, const K_AFF *points, const weir_scalar *scalars, size_t n)
{
    K_JAC sum;
    E_(set_infinity)(&sum);
    for (size_t i = 0; i < n; i++) {
        K_JAC term;
        K_MUL(&term, &points[i], &scalars[i]);
        E_(add)(&sum, &sum, &term);
    }
    *out = sum;
}

static weir_err K_(dense)(K_JAC *out, const K_AFF *points, const weir_scalar *scalars, size_t n,
                          unsigned window, const weir_exec *x, weir_errinfo *ei)
{
    if (n > WEIR_MSM_MAX_POINTS)
        return weir_fail(ei, WEIR_E_RANGE, "a sum of %zu points: at most %d go in one call", n,
                         WEIR_MSM_MAX_POINTS);
    K_JOB j = {.points = points, .scalars = scalars, .stop = {.x = x}};
    weir_msm_plan_make(&j.p, n, weir_pool_threads(x->pool), &K_SIZES, window);
    if (j.p.total_bytes == 0) {
        K_(one_by_one)(out, points, scalars, n);
        return WEIR_OK;
    }
    j.scratch = weir_slab_take(x->slabs, j.p.total_bytes, 1);
    if (!j.scratch)
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for a sum of %zu points: %zu bytes", n,
                         j.p.total_bytes);
    weir_err err = K_(buckets)(out, &j);
    weir_slab_give(x->slabs, j.scratch, j.p.total_bytes, 1);
    return err == WEIR_OK ? WEIR_OK : weir_fail(ei, err, "the sum of %zu points was cancelled", n);
}
