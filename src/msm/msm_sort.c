/* Four passes, each a loop over independent tasks:
 *   count   a range of points: recode each scalar once, keep the digits of all windows of the group, count them
 *   sum     a block of buckets: how many entries it has (then a short sum over blocks)
 *   place   a block of buckets: where each bucket starts, and within it each range
 *   scatter a range in one window: writes its entries
 * Every range has its own counters, so no task shares a word that another writes.
 */
#include "msm/msm_sort.h"

#include <string.h>

typedef struct sort_job {
    const weir_msm_plan *p;
    const weir_msm_recode *recode;
    const weir_scalar *scalars;
    weir_msm_stop *stop;
    unsigned first, count;
    size_t ids;
    uint32_t *digits, *index, *starts, *counts, *block_sums;
} sort_job;

static void range_of(const sort_job *j, size_t range, size_t *lo, size_t *hi)
{
    size_t n = j->p->n, each = n / j->p->ranges, extra = n % j->p->ranges;
    *lo = range * each + (range < extra ? range : extra);
    *hi = *lo + each + (range < extra);
}

static void count_task(void *ctx, size_t range, unsigned worker)
{
    const sort_job *j = ctx;
    (void)worker;
    if (weir_msm_stop_task(j->stop)) return;
    uint32_t *counts = j->counts + range * j->ids;
    size_t lo, hi, n = j->p->n, buckets = j->p->buckets;
    range_of(j, range, &lo, &hi);
    memset(counts, 0, j->ids * sizeof *counts);
    for (size_t i = lo; i < hi; i++) {
        weir_msm_recoded s;
        weir_msm_recode_scalar(&s, j->recode, &j->scalars[i]);
        for (unsigned g = 0; g < j->count; g++) {
            uint32_t d = weir_msm_digit(&s, j->recode, j->first + g);
            j->digits[g * n + i] = d;
            if (d) counts[g * buckets + (d >> 1) - 1]++;
        }
    }
}

static void block_of(const sort_job *j, size_t block, size_t *lo, size_t *hi)
{
    *lo = block * j->p->block;
    *hi = *lo + j->p->block < j->ids ? *lo + j->p->block : j->ids;
}

static void sum_task(void *ctx, size_t block, unsigned worker)
{
    const sort_job *j = ctx;
    (void)worker;
    size_t lo, hi;
    uint32_t sum = 0;
    block_of(j, block, &lo, &hi);
    for (size_t range = 0; range < j->p->ranges; range++)
        for (size_t id = lo; id < hi; id++) sum += j->counts[range * j->ids + id];
    j->block_sums[block] = sum;
}

static void place_task(void *ctx, size_t block, unsigned worker)
{
    const sort_job *j = ctx;
    (void)worker;
    size_t lo, hi;
    uint32_t at = j->block_sums[block];
    block_of(j, block, &lo, &hi);
    for (size_t id = lo; id < hi; id++) {
        j->starts[id] = at;
        for (size_t range = 0; range < j->p->ranges; range++) {
            uint32_t *count = &j->counts[range * j->ids + id], here = *count;
            *count = at;
            at += here;
        }
    }
}

static void scatter_task(void *ctx, size_t task, unsigned worker)
{
    const sort_job *j = ctx;
    (void)worker;
    if (weir_msm_stop_task(j->stop)) return;
    size_t range = task / j->count, g = task % j->count, lo, hi;
    uint32_t *next = j->counts + range * j->ids + g * j->p->buckets;
    const uint32_t *digits = j->digits + g * j->p->n;
    range_of(j, range, &lo, &hi);
    for (size_t i = lo; i < hi; i++) {
        uint32_t d = digits[i];
        if (d) j->index[next[(d >> 1) - 1]++] = (uint32_t)i | d << WEIR_MSM_SIGN_SHIFT;
    }
}

size_t weir_msm_sort(const weir_msm_plan *p, unsigned char *scratch, const weir_msm_recode *recode,
                     const weir_scalar *scalars, unsigned first, unsigned count,
                     weir_msm_stop *stop)
{
    sort_job j = {.p = p,
                  .recode = recode,
                  .scalars = scalars,
                  .stop = stop,
                  .first = first,
                  .count = count,
                  .ids = count * p->buckets,
                  .digits = (uint32_t *)(void *)(scratch + p->digits),
                  .index = (uint32_t *)(void *)(scratch + p->index),
                  .starts = (uint32_t *)(void *)(scratch + p->starts),
                  .counts = (uint32_t *)(void *)(scratch + p->counts),
                  .block_sums = (uint32_t *)(void *)(scratch + p->block_sums)};
    const weir_exec *x = stop->x;
    size_t blocks = (j.ids + p->block - 1) / p->block;
    weir_exec_run(x, p->ranges, WEIR_MSM_RANGE_ALL, count_task, &j);
    if (weir_msm_stopped(stop)) return 0;
    weir_exec_run(x, blocks, WEIR_MSM_RANGE_ALL, sum_task, &j);
    uint32_t entries = 0;
    for (size_t b = 0; b < blocks; b++) {
        uint32_t here = j.block_sums[b];
        j.block_sums[b] = entries;
        entries += here;
    }
    weir_exec_run(x, blocks, WEIR_MSM_RANGE_ALL, place_task, &j);
    j.starts[j.ids] = entries;
    weir_exec_run(x, p->ranges * count, WEIR_MSM_RANGE_ALL, scatter_task, &j);
    return entries;
}
