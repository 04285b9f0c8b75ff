/* A sum over bits on a device: its shape, its memory, and the kernels that run one after the other. C and C++ (CUDA) both
 * include this header.
 *
 * Words
 *   row      32 words of the bitmap, 2,048 points; a warp of LIST takes one
 *   chunk    up to 2^24 points, whose set bits are a list at one time
 *
 * Steps: set bits of all rows (COUNT); for each chunk the list of its set bits (LIST) and their points, added up by threads
 * that each keep one sum over all chunks (ADD); the threads' sums (JOIN, twice). Counts live on the device, so the steps and
 * the sizes of their grids follow from the plan alone, and sums may stand one after the other on a stream, in one arena.
 *
 * Memory: one arena of plan.total_bytes, at least 256-byte aligned: 4 bytes a point of a chunk, 2 bytes a thousand points, 129 XYZZ
 * points a block. Nothing is allocated while the steps run.
 */
#ifndef WEIR_GPU_SUM_PLAN_H
#define WEIR_GPU_SUM_PLAN_H

#include "gpu/gpu_msm_plan.h"

enum {
    WEIR_DSUM_THREADS = 128,      /* of ADD, JOIN and COUNT */
    WEIR_DSUM_LIST_THREADS = 256, /* of LIST: 8 rows a block */
    WEIR_DSUM_ROW_WORDS = 32,
    WEIR_DSUM_CHUNK = 1 << 24,
    WEIR_DSUM_MAX_POINTS = 1 << 30
};

enum weir_dsum_kernel {
    WEIR_DSUM_COUNT,
    WEIR_DSUM_LIST,
    WEIR_DSUM_ADD,
    WEIR_DSUM_JOIN,
    WEIR_DSUM_KERNELS
};

/* Of the chunk in work: its set bits, and how many of them threads have taken beyond what each begins with. */
typedef struct weir_dsum_state {
    uint32_t count, taken;
} weir_dsum_state;

/* The argument of all kernels, by value. */
typedef struct weir_dsum {
    const void *points; /* n, affine */
    const uint64_t
        *bits; /* bit i is bit (i mod 64) of word i / 64; bits from n on are not looked at */
    void *out; /* one Jacobian point, coordinates below p */
    uint32_t n, rows;
    uint32_t blocks;     /* of ADD */
    uint32_t chunk_rows; /* of a chunk, but for the last */
    uint32_t *row_count; /* rows; set bits */
    weir_dsum_state *state;
    uint32_t *list; /* numbers of points, ascending */
    void *partial;  /* XYZZ: a thread of ADD, then a block of JOIN */
    /* of a step */
    uint32_t first_row; /* of the chunk */
    uint32_t level;     /* JOIN: 0 a sum for each block of ADD, 1 the sum of these */
} weir_dsum;

typedef struct weir_dsum_plan {
    uint32_t n, chunks;
    weir_dsum shape; /* its numbers; pointers are set for a run */
    /* byte offsets in the arena */
    uint64_t row_count, state, list, partial;
    uint64_t total_bytes;
} weir_dsum_plan;

typedef struct weir_dsum_step {
    enum weir_dsum_kernel kernel;
    uint32_t blocks, threads;
    weir_dsum args;
} weir_dsum_step;

#ifdef __cplusplus
extern "C" {
#endif

/* Fills the plan. blocks: of ADD, at best as many as a device has resident (gpu_dsum_blocks), at least 1; fewer are taken
 * where there are not points enough. chunk: points of a list at most, rounded up to whole rows; 0: WEIR_DSUM_CHUNK.
 * In: n <= WEIR_DSUM_MAX_POINTS; 0 is allowed, the sum is infinity. */
void weir_dsum_plan_make(weir_dsum_plan *p, const weir_dmsm_sizes *sizes, uint32_t n,
                         uint32_t blocks, uint32_t chunk);

/* The number of steps, and step i of them for the arena, the inputs and the output given (device addresses): points, n
 * affine ones; bits, words of 64; out, one Jacobian point of 3 coordinates below p. */
uint32_t weir_dsum_steps(const weir_dsum_plan *p);
void weir_dsum_step_make(weir_dsum_step *s, const weir_dsum_plan *p, uint32_t i, void *arena,
                         const void *points, const uint64_t *bits, void *out);

#ifdef __cplusplus
}
#endif

#endif
