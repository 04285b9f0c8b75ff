/* The shape of one dense sum: window, groups of windows, chunks, threads; and where everything lies in the one
 * block of scratch. Everything follows from (n, threads, sizes of the types, window), before the work starts.
 *
 * Words used in this module
 *   window   c bits of the scalar; W = ceil(255/c) of them; 2^(c-1) buckets each (signed digits)
 *   group    the windows that are sorted and summed together; their buckets are numbered through
 *   range    a part of the points, counted and placed by one task
 *   entry    a point with a non-zero digit in a window of the group
 *   chunk    up to `chunk` entries in bucket order, summed by one task
 *   part     2^sort_low neighbouring buckets, sorted on their own
 *   segment  neighbouring buckets of one window, weighted and summed by one task
 */
#ifndef WEIR_MSM_PLAN_H
#define WEIR_MSM_PLAN_H

#include "field/types.h"

#include <stddef.h>
#include <stdint.h>

/* Tasks of a sum over bits: enough to balance, few enough that joining them is nothing. */
enum { WEIR_MSM_TASKS_PER_THREAD = 16 };

/* Tasks of a thread between two looks at the gate: a chunk takes about a millisecond, a task of a sum over bits some 10. The other
 * loops of a dense sum have a few tasks for each thread and are a range as they are. */
enum { WEIR_MSM_RANGE_CHUNKS = 16, WEIR_MSM_RANGE_BITS = 2, WEIR_MSM_RANGE_ALL = 1 << 20 };

/* Bytes of a curve's types. */
typedef struct weir_msm_sizes {
    size_t affine, jacobian, coordinate;
    size_t
        chunk_max; /* most points of a chunk: the second-level cache holds them with their products */
} weir_msm_sizes;

extern const weir_msm_sizes weir_msm_sizes_g1;
extern const weir_msm_sizes weir_msm_sizes_g2;

enum {
    WEIR_MSM_MIN_WINDOW = 2,
    WEIR_MSM_MAX_WINDOW = 20,
    WEIR_MSM_MAX_POINTS = 0x7fffffff, /* an entry is 31 bits of index and a sign */
    WEIR_MSM_SIGN_SHIFT = 31
};

/* No bucket of any group has this number. */
#define WEIR_MSM_NO_BUCKET UINT32_MAX

enum { WEIR_MSM_ITEM_BYTES = 16 /* of msm_lanes.inc.h */ };

/* The arrays of trees eight wide (msm_lanes.inc.h), as byte offsets in a worker's part. */
typedef struct weir_msm_lanes_layout {
    size_t slot, prefix, item;
    size_t piece_start, piece_length, piece_minus, order, column_slot, length, first;
} weir_msm_lanes_layout;

/* A worker's arrays for batches of additions: `points` points, points / 2 pairs and running products, and runs. */
typedef struct weir_msm_worker_layout {
    size_t points, pairs, prefix, run_start, run_id; /* byte offsets in the worker's part */
    size_t pair_count;
    weir_msm_lanes_layout lanes;
    size_t bytes;
} weir_msm_worker_layout;

typedef struct weir_msm_plan {
    size_t n;
    unsigned threads;
    unsigned window, windows, group; /* bits; how many; how many at once */
    size_t buckets;                  /* of one window */
    size_t ranges;                   /* parts of the points in sorting */
    size_t chunk;                    /* entries of a chunk */
    size_t max_chunks;
    size_t segment, segments; /* buckets of a segment; segments of one window */
    size_t segments_per_task;
    unsigned sort_low;    /* a part of the sort is 2^sort_low buckets */
    size_t block, blocks; /* parts of one task of the prefix sum; how many in a whole group */
    /* byte offsets in the scratch */
    size_t entries, index, starts, counts, block_sums;
    size_t part_starts, part_pieces, piece_part, piece_counts;
    size_t bucket_points, partial_points, partial_ids, partial_starts, segment_sums,
        segment_weighted, window_sums, workers;
    weir_msm_worker_layout worker;
    size_t total_bytes; /* 0 for n = 0 and for the few points that need no scratch */
} weir_msm_plan;

/* Entries that are counted and placed together within a part. */
enum { WEIR_MSM_SORT_PIECE = 1 << 16 };

/* Below this many points each is multiplied on its own. */
enum { WEIR_MSM_NAIVE_BELOW = 8 };

/* window = 0 takes the one that the cost model gives. In: n <= WEIR_MSM_MAX_POINTS. */
void weir_msm_plan_make(weir_msm_plan *p, size_t n, unsigned threads, const weir_msm_sizes *sizes,
                        unsigned window);

/* The layout for batches over `points` points and as many runs. */
void weir_msm_worker_layout_make(weir_msm_worker_layout *w, size_t points,
                                 const weir_msm_sizes *sizes);

/* Window of a table of multiples for n scalars in all. */
unsigned weir_msm_fixed_window(size_t n);

#endif
