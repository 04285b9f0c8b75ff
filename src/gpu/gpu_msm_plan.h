/* A dense sum on a device: its shape, its memory, and the kernels that run one after the other. C and C++ (CUDA) both
 * include this header.
 *
 * Words
 *   window   c bits of the scalar; W = ceil(255/c) of them; 2^(c-1) buckets each (signed digits, gpu_digits.h)
 *   group    the windows that are sorted and summed together
 *   entry    a point with a non-zero digit: its number, and the sign in bit 31
 *   bin      the buckets that share the upper bits of their number; key: the lower bits
 *   range    points that one block counts and puts into bins
 *   tile     up to `tile` entries of one bin, counted and put into buckets by one block
 *   piece    up to `piece` entries of one bucket, added up by one thread
 *   extra    a piece that is not the first of its bucket
 *   segment  neighbouring buckets, weighted and added up by one thread
 *
 * For each group: entries into bins (COUNT, STARTS, PLACE), bins into buckets (TILE_COUNT, TILE_STARTS, TILE_PLACE), pieces
 * in order of length (LENGTHS, ORDER), sums of pieces (ACCUMULATE), pieces of a bucket joined (JOIN, JOIN_END), buckets
 * weighted and added up (SEGMENTS, FOLD, FINISH). Counts live on the device, so the steps and the sizes of their grids
 * follow from the plan alone.
 *
 * Memory: one arena of plan.total_bytes, at least 256-byte aligned; what the sort alone needs and what comes after it lie
 * in the same place. Nothing is allocated while the steps run.
 */
#ifndef WEIR_GPU_MSM_PLAN_H
#define WEIR_GPU_MSM_PLAN_H

#include "gpu/gpu_types.h"

#include <stddef.h>
#include <stdint.h>

enum {
    WEIR_DMSM_MIN_WINDOW = 2,
    WEIR_DMSM_MAX_WINDOW = 23,
    WEIR_DMSM_MAX_POINTS = 1 << 29,
    WEIR_DMSM_MAX_GROUP = 128,
    WEIR_DMSM_COUNTERS = 12288, /* of a range, in shared memory: windows of the group times bins */
    WEIR_DMSM_BINS_MAX = 1024,
    WEIR_DMSM_KEYS_MAX = 4096,
    WEIR_DMSM_PIECE_MIN = 32,
    WEIR_DMSM_PIECE_MAX = 256,
    WEIR_DMSM_JOIN = 16, /* sums that a thread of JOIN adds up */
    WEIR_DMSM_FOLD = 4   /* pairs that a thread of FOLD adds up */
};

enum weir_dmsm_kernel {
    WEIR_DMSM_COUNT,
    WEIR_DMSM_STARTS,
    WEIR_DMSM_PLACE,
    WEIR_DMSM_TILE_COUNT,
    WEIR_DMSM_TILE_STARTS,
    WEIR_DMSM_TILE_PLACE,
    WEIR_DMSM_LENGTHS,
    WEIR_DMSM_ORDER,
    WEIR_DMSM_ACCUMULATE,
    WEIR_DMSM_JOIN_LEVEL,
    WEIR_DMSM_JOIN_END,
    WEIR_DMSM_SEGMENTS,
    WEIR_DMSM_FOLD_LEVEL,
    WEIR_DMSM_FINISH,
    WEIR_DMSM_KERNELS
};

/* Up to `piece` entries of one bucket: where they start, how many, and the number of the sum they make. */
typedef struct WEIR_ALIGN(16) weir_dpiece {
    uint32_t start, length, target, unused;
} weir_dpiece;

/* An extra piece: its bucket, its number among the bucket's extras, and how many those are. */
typedef struct WEIR_ALIGN(16) weir_dextra {
    uint32_t bucket, number, count, unused;
} weir_dextra;

/* Counters of a group; STARTS sets them to zero. length_count[l]: pieces of length l. */
typedef struct weir_dmsm_counters {
    uint32_t pieces, extras;
    uint32_t length_count[WEIR_DMSM_PIECE_MAX + 1];
    uint32_t length_taken[WEIR_DMSM_PIECE_MAX + 1];
} weir_dmsm_counters;

/* The argument of all kernels, by value. A window of the group is numbered from 0; "a window" of an array is the part
 * that belongs to it. */
typedef struct weir_dmsm {
    const void *points;               /* n, affine */
    const weir_dfr *scalars;          /* n, standard form, not Montgomery's */
    const uint32_t *index;            /* point of scalar i; NULL: i. Set after step_make */
    void *out;                        /* a Jacobian point a window, all windows */
    uint32_t n, c, windows, buckets;  /* buckets of a window: 2^(c-1) */
    uint32_t plus[8], minus[8];       /* gpu_digits.h */
    uint32_t first, group;            /* the group: its first window, how many */
    uint32_t bin_bits, key_bits;      /* of the number of a bucket */
    uint32_t ranges, range;           /* how many, points of each */
    uint32_t tiles, tile;             /* at most so many a window, entries of each */
    uint32_t piece, extras;           /* entries of a piece; extras of a group at most */
    uint32_t segment, segments;       /* buckets of one, how many in a window */
    uint32_t *bin_count;              /* a window: ranges x bins */
    uint32_t *bin_start, *tile_start; /* a window: bins + 1; entries, tiles before the bin */
    uint64_t *keyed;                  /* a window: n, key << 32 | entry, by bin */
    uint32_t *key_count;              /* a window: tiles x keys */
    uint32_t *bucket_start;           /* a window: buckets + 1; entries before the bucket */
    uint32_t *entries;                /* a window: n, by bucket; before that the digits of points */
    weir_dmsm_counters *counters;
    weir_dpiece *pieces; /* longest first */
    weir_dextra *extra;
    void *sums;     /* XYZZ: group x buckets, then extras */
    void *pairs[2]; /* XYZZ, (plain, weighted) a segment */
    /* of a step */
    uint32_t level_in;  /* JOIN: the distance of sums. FOLD: pairs of a window that come in */
    uint32_t level_out; /* FOLD: pairs of a window that go out */
    uint32_t shift;     /* FOLD: log2 of the buckets of a pair that comes in */
    uint32_t side;      /* FOLD, FINISH: where pairs come from */
} weir_dmsm;

typedef struct weir_dmsm_plan {
    uint32_t n, c, windows, group, groups;
    uint32_t join_levels, fold_levels;
    uint32_t pieces; /* of a group at most */
    size_t affine_bytes, xyzz_bytes;
    weir_dmsm shape; /* its numbers; pointers are set for a run */
    /* byte offsets in the arena */
    uint64_t bucket_start, entries, counters, bin_start, tile_start, bin_count, keyed, key_count,
        pieces_at, extra, sums, pairs[2];
    uint64_t total_bytes;
} weir_dmsm_plan;

typedef struct weir_dmsm_step {
    enum weir_dmsm_kernel kernel;
    uint32_t blocks, threads;
    weir_dmsm args;
} weir_dmsm_step;

#ifdef __cplusplus
extern "C" {
#endif

/* G1 and G2: bytes of the device's types; weight: what an addition costs, G1's being 1. */
typedef struct weir_dmsm_sizes {
    size_t affine, xyzz;
    uint32_t weight;
} weir_dmsm_sizes;
extern const weir_dmsm_sizes weir_dmsm_sizes_g1, weir_dmsm_sizes_g2;

/* Fills the plan. c = 0: the window that the cost model gives; group = 0: as many windows at once as a step of about
 * 0.2 s on a large device allows. group larger than possible is made smaller. n = 0: no steps, no bytes.
 * In: n <= WEIR_DMSM_MAX_POINTS, c 0 or WEIR_DMSM_MIN_WINDOW .. WEIR_DMSM_MAX_WINDOW. */
void weir_dmsm_plan_make(weir_dmsm_plan *p, const weir_dmsm_sizes *sizes, uint32_t n, uint32_t c,
                         uint32_t group);

/* The number of steps, and step i of them for the arena, the inputs and the output given (device addresses):
 * points, n affine ones; scalars, n; out, `windows` Jacobian points of 3 coordinates below p. The sum is that of
 * 2^(cw) times the point of window w. */
uint32_t weir_dmsm_steps(const weir_dmsm_plan *p);
void weir_dmsm_step_make(weir_dmsm_step *s, const weir_dmsm_plan *p, uint32_t i, void *arena,
                         const void *points, const void *scalars, void *out);

#ifdef __cplusplus
}
#endif

#endif
