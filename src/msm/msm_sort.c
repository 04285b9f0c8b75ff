/* Two counting sorts, first by part, 2^low neighbouring buckets, then by bucket within a part: a part's counters and entries stay in
 * the first-level cache, where counters and places of all buckets would be everywhere. Loops over independent tasks:
 *   count    a range of points: recode each scalar once, keep the digits of all windows of the group, count by part
 *   sum      a block of parts: how many entries it has (then a short sum over blocks)
 *   place    a block of parts: where each part starts, and within it each range
 *   scatter  a range in one window: writes its entries, each with its key, the low bits of its bucket, below the sign
 *   split    a piece of a part: counts by bucket; where it is the whole part, sorts it
 * Parts of more than PIECE entries have several pieces, so that many equal digits are not one thread's work:
 *   place_long, scatter_long   as place and scatter, within such a part
 * Every range and every piece has its own counters, so no task shares a word that another writes.
 */
#include "msm/msm_sort.h"

#include <string.h>

enum { COUNT_BLOCK = 256 /* scalars */ };

typedef struct sort_job {
    const weir_msm_plan *p;
    const weir_msm_recode *recode;
    const weir_scalar *scalars;
    weir_msm_stop *stop;
    unsigned first, count, low;
    size_t parts, pieces;
    uint32_t *entries, *index, *starts, *counts, *block_sums, *part_starts;
    uint32_t *piece_part, *part_pieces, *piece_counts;
} sort_job;

static void range_of(const sort_job *j, size_t range, size_t *lo, size_t *hi)
{
    size_t n = j->p->n, each = n / j->p->ranges, extra = n % j->p->ranges;
    *lo = range * each + (range < extra ? range : extra);
    *hi = *lo + each + (range < extra);
}

/* Digits of n scalars in one window, which lie where its sorted entries will, and their counts by part. */
static void count_window(uint32_t *digits, uint32_t *counts, const weir_msm_recoded *s, size_t n,
                         const weir_msm_recode *recode, unsigned window, unsigned low)
{
    const weir_msm_digit_place at = weir_msm_digit_place_of(recode, window);
    for (size_t i = 0; i < n; i++) {
        uint32_t d = weir_msm_digit_at(&s[i], &at);
        digits[i] = d;
        if (d) counts[((d >> 1) - 1) >> low]++;
    }
}

/* Block by block, so that the recoded scalars stay in the first-level cache and only one window is written at a time: windows are
 * often a power of two apart, where that cache has few places. */
static void count_task(void *ctx, size_t range, unsigned worker)
{
    const sort_job *j = ctx;
    (void)worker;
    if (weir_msm_stop_task(j->stop)) return;
    uint32_t *counts = j->counts + range * j->parts;
    weir_msm_recoded s[COUNT_BLOCK];
    size_t lo, hi, parts = j->p->buckets >> j->low;
    range_of(j, range, &lo, &hi);
    memset(counts, 0, j->parts * sizeof *counts);
    for (size_t m; lo < hi; lo += m) {
        m = hi - lo < COUNT_BLOCK ? hi - lo : COUNT_BLOCK;
        for (size_t i = 0; i < m; i++)
            weir_msm_recode_scalar(&s[i], j->recode, &j->scalars[lo + i]);
        for (unsigned g = 0; g < j->count; g++)
            count_window(j->index + g * j->p->n + lo, counts + g * parts, s, m, j->recode,
                         j->first + g, j->low);
    }
}

static void block_of(const sort_job *j, size_t block, size_t *lo, size_t *hi)
{
    *lo = block * j->p->block;
    *hi = *lo + j->p->block < j->parts ? *lo + j->p->block : j->parts;
}

static void sum_task(void *ctx, size_t block, unsigned worker)
{
    const sort_job *j = ctx;
    (void)worker;
    size_t lo, hi;
    uint32_t sum = 0;
    block_of(j, block, &lo, &hi);
    for (size_t range = 0; range < j->p->ranges; range++)
        for (size_t part = lo; part < hi; part++) sum += j->counts[range * j->parts + part];
    j->block_sums[block] = sum;
}

static void place_task(void *ctx, size_t block, unsigned worker)
{
    const sort_job *j = ctx;
    (void)worker;
    size_t lo, hi;
    uint32_t at = j->block_sums[block];
    block_of(j, block, &lo, &hi);
    for (size_t part = lo; part < hi; part++) {
        j->part_starts[part] = at;
        for (size_t range = 0; range < j->p->ranges; range++) {
            uint32_t *count = &j->counts[range * j->parts + part], here = *count;
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
    uint32_t *next = j->counts + range * j->parts + g * (j->p->buckets >> j->low);
    const uint32_t *digits = j->index + g * j->p->n;
    range_of(j, range, &lo, &hi);
    uint32_t *entries = j->entries;
    const unsigned low = j->low, shift = WEIR_MSM_SIGN_SHIFT - low;
    const uint32_t mask = ((uint32_t)1 << low) - 1;
    for (size_t i = lo; i < hi; i++) {
        uint32_t d = digits[i], bucket = (d >> 1) - 1;
        if (!d) continue;
        entries[next[bucket >> low]++] =
            (uint32_t)i | (bucket & mask) << shift | d << WEIR_MSM_SIGN_SHIFT;
    }
}

/* ---- within the parts */

static inline uint32_t key_of(uint32_t entry, unsigned low)
{
    return (entry & (((uint32_t)1 << WEIR_MSM_SIGN_SHIFT) - 1)) >> (WEIR_MSM_SIGN_SHIFT - low);
}

static void cut_parts(sort_job *j)
{
    j->pieces = 0;
    for (size_t part = 0; part < j->parts; part++) {
        size_t size = j->part_starts[part + 1] - j->part_starts[part];
        j->part_pieces[part] = (uint32_t)j->pieces;
        for (size_t i = 0; i <= size / WEIR_MSM_SORT_PIECE; i++)
            j->piece_part[j->pieces++] = (uint32_t)part;
    }
    j->part_pieces[j->parts] = (uint32_t)j->pieces;
}

static bool is_long(const sort_job *j, size_t part)
{
    return j->part_pieces[part + 1] - j->part_pieces[part] > 1;
}

static uint32_t *counts_of(const sort_job *j, size_t piece)
{
    return j->piece_counts + (piece << j->low);
}

static void piece_range(const sort_job *j, size_t piece, size_t *lo, size_t *hi)
{
    size_t part = j->piece_part[piece], end = j->part_starts[part + 1];
    *lo = j->part_starts[part] + (piece - j->part_pieces[part]) * WEIR_MSM_SORT_PIECE;
    *hi = end - *lo < WEIR_MSM_SORT_PIECE ? end : *lo + WEIR_MSM_SORT_PIECE;
}

static void place_part(const sort_job *j, size_t part)
{
    uint32_t at = j->part_starts[part];
    for (size_t key = 0; key < (size_t)1 << j->low; key++) {
        j->starts[(part << j->low) + key] = at;
        for (size_t piece = j->part_pieces[part]; piece < j->part_pieces[part + 1]; piece++) {
            uint32_t *count = counts_of(j, piece) + key, here = *count;
            *count = at;
            at += here;
        }
    }
}

static void scatter_piece(const sort_job *j, size_t piece)
{
    uint32_t *next = counts_of(j, piece);
    size_t lo, hi;
    piece_range(j, piece, &lo, &hi);
    const uint32_t *entries = j->entries;
    const uint32_t keep = ~((((uint32_t)1 << j->low) - 1) << (WEIR_MSM_SIGN_SHIFT - j->low));
    const unsigned low = j->low;
    uint32_t *index = j->index;
    for (size_t i = lo; i < hi; i++) index[next[key_of(entries[i], low)]++] = entries[i] & keep;
}

static void split_task(void *ctx, size_t piece, unsigned worker)
{
    const sort_job *j = ctx;
    (void)worker;
    if (weir_msm_stop_task(j->stop)) return;
    uint32_t *counts = counts_of(j, piece);
    size_t lo, hi, part = j->piece_part[piece];
    piece_range(j, piece, &lo, &hi);
    memset(counts, 0, sizeof *counts << j->low);
    for (size_t i = lo; i < hi; i++) counts[key_of(j->entries[i], j->low)]++;
    if (is_long(j, part)) return;
    place_part(j, part);
    scatter_piece(j, piece);
}

static void place_long_task(void *ctx, size_t part, unsigned worker)
{
    const sort_job *j = ctx;
    (void)worker;
    if (is_long(j, part)) place_part(j, part);
}

static void scatter_long_task(void *ctx, size_t piece, unsigned worker)
{
    const sort_job *j = ctx;
    (void)worker;
    if (is_long(j, j->piece_part[piece])) scatter_piece(j, piece);
}

static void sort_parts(sort_job *j)
{
    const weir_exec *x = j->stop->x;
    cut_parts(j);
    weir_exec_run(x, j->pieces, WEIR_MSM_RANGE_ALL, split_task, j);
    if (weir_msm_stopped(j->stop) || j->pieces == j->parts) return;
    weir_exec_run(x, j->parts, WEIR_MSM_RANGE_ALL, place_long_task, j);
    weir_exec_run(x, j->pieces, WEIR_MSM_RANGE_ALL, scatter_long_task, j);
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
                  .low = p->sort_low,
                  .parts = count * (p->buckets >> p->sort_low),
                  .entries = (uint32_t *)(void *)(scratch + p->entries),
                  .index = (uint32_t *)(void *)(scratch + p->index),
                  .starts = (uint32_t *)(void *)(scratch + p->starts),
                  .counts = (uint32_t *)(void *)(scratch + p->counts),
                  .block_sums = (uint32_t *)(void *)(scratch + p->block_sums),
                  .part_starts = (uint32_t *)(void *)(scratch + p->part_starts),
                  .part_pieces = (uint32_t *)(void *)(scratch + p->part_pieces),
                  .piece_part = (uint32_t *)(void *)(scratch + p->piece_part),
                  .piece_counts = (uint32_t *)(void *)(scratch + p->piece_counts)};
    const weir_exec *x = stop->x;
    size_t blocks = (j.parts + p->block - 1) / p->block;
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
    j.part_starts[j.parts] = entries;
    j.starts[count * p->buckets] = entries;
    weir_exec_run(x, p->ranges * count, WEIR_MSM_RANGE_ALL, scatter_task, &j);
    if (weir_msm_stopped(stop)) return 0;
    sort_parts(&j);
    return entries;
}
