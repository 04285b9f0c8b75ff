/* What the host decides of a transform: the split into passes, the twiddles, and the list of launches. C and C++ (CUDA)
 * both include this header. Nothing here calls CUDA; pointers to elements are kept and not followed.
 *
 * A list is run in order: each launch is the kernel of gpu_ntt_pass.h with `blocks` blocks. Host twins run the same lists.
 */
#ifndef WEIR_GPU_NTT_PLAN_H
#define WEIR_GPU_NTT_PLAN_H

#include "gpu/gpu_ntt.h"

enum {
    WEIR_GPU_NTT_PASSES = 3,         /* at most */
    WEIR_GPU_QUOTIENT_LAUNCHES = 16, /* at most */
    WEIR_GPU_NTT_LO_LOG2 = 14,       /* of a compact table's first part */
    WEIR_GPU_NTT_PIECE_LOG2_MIN = DNTT_TILE_LOG2
};

/* One pass: `levels` levels from `first` on, the top level being 0. The last pass works on neighbours. */
typedef struct weir_gpu_ntt_pass {
    unsigned first, levels;
} weir_gpu_ntt_pass;

/* A value; immutable after it is made. lo, hi are for who holds the table to set, in the memory where the launches run. */
typedef struct weir_gpu_ntt_plan {
    unsigned log2_n, passes, lo_log2;
    weir_gpu_ntt_pass pass[WEIR_GPU_NTT_PASSES];
    const weir_dfr *lo, *hi;
} weir_gpu_ntt_plan;

typedef struct weir_gpu_ntt_launch {
    dntt_args a;
    uint32_t blocks;
} weir_gpu_ntt_launch;

#ifdef __cplusplus
extern "C" {
#endif

/* Size: log2_n 1 .. DNTT_LOG2_MAX. last_levels: of the last pass, 9 .. DNTT_TILE_LOG2, 0 for the choice of the library.
 * lo_log2: of the table's first part, 0 for 14: both parts are 1 MiB at most then. With log2_n the table is whole, 32 n
 * bytes, and no twiddle costs a product; with log2_n - 1 that holds off the coset. */
void weir_gpu_ntt_plan_init(weir_gpu_ntt_plan *plan, unsigned log2_n, unsigned last_levels,
                            unsigned lo_log2);
/* Elements of both parts of the table, hi right after lo. */
uint64_t weir_gpu_ntt_table_len(const weir_gpu_ntt_plan *plan);
/* table: weir_gpu_ntt_table_len elements of host memory. Cost: a product an element. */
void weir_gpu_ntt_table_fill(const weir_gpu_ntt_plan *plan, weir_dfr *table);
/* The second part alone, which a device that makes the first one by itself needs too. */
void weir_gpu_ntt_table_fill_hi(const weir_gpu_ntt_plan *plan, weir_dfr *hi);
uint64_t weir_gpu_ntt_table_hi_len(const weir_gpu_ntt_plan *plan);
/* Sets lo and hi. */
void weir_gpu_ntt_table_at(weir_gpu_ntt_plan *plan, const weir_dfr *table);

/* In place; each returns the number of launches, plan->passes. Coefficients in natural order, values in bit-reversed order; the
 * coset is that of the root of order 2n. The inverse divides by n.
 * Cost: n/2 log2 n products; made twiddles: n more, or none with the whole table; a coset: n more; the inverse: n more. */
unsigned weir_gpu_ntt_forward(weir_gpu_ntt_launch *list, const weir_gpu_ntt_plan *plan, weir_dfr *x,
                              dntt_side side);
unsigned weir_gpu_ntt_inverse(weir_gpu_ntt_launch *list, const weir_gpu_ntt_plan *plan, weir_dfr *x,
                              dntt_side side);

/* The quotient of poly/ntt.h. In: a and b are values on the domain in bit-reversed order. Out: a holds the n coefficients of h
 * in natural order as integers below r (out of Montgomery form); b and tmp are overwritten. Returns the number of launches:
 * 16 for three passes, 10 for two, 4 for one.
 * Launches: a o b back to tmp, which is C/2 then; a and b each back and on to the coset, the passes at the top being one;
 * a o b back from the coset to D/2 and h = C/2 - D/2. */
unsigned weir_gpu_quotient(weir_gpu_ntt_launch *list, const weir_gpu_ntt_plan *plan, weir_dfr *a,
                           weir_dfr *b, weir_dfr *tmp);

/* ---- the quotient where the vectors are too large for the device: in four rounds over them
 *
 * A vector is 2^pieces_log2 pieces, neighbours each, and as many slabs, which are its columns: slab q is the q-th of equal shares of every
 * piece, one after another. Levels within a piece are done piece by piece, the top ones slab by slab:
 *
 *     back    piece by piece    a, b on the domain to a, b and tmp = a o b, all on their way back
 *     turn    slab by slab      tmp is C/2; a and b turn to the coset
 *     coset   piece by piece    a and b arrive on the coset; a = a o b, on its way back
 *     end     slab by slab      a is h
 *
 * Each function lists the launches for one piece or slab that lies at a, b, tmp; at most WEIR_GPU_QUOTIENT_LAUNCHES. */
typedef struct weir_gpu_ntt_cut {
    const weir_gpu_ntt_plan *whole;
    weir_gpu_ntt_plan piece; /* with the table of the whole */
    unsigned pieces_log2;    /* 1 .. DNTT_STRIDED_LEVELS */
} weir_gpu_ntt_cut;

/* Keeps: whole, whose table is set. piece_log2: WEIR_GPU_NTT_PIECE_LOG2_MIN and up, below whole->log2_n by at most
 * DNTT_STRIDED_LEVELS. */
void weir_gpu_ntt_cut_init(weir_gpu_ntt_cut *cut, const weir_gpu_ntt_plan *whole,
                           unsigned piece_log2);
unsigned weir_gpu_quotient_pieces_back(weir_gpu_ntt_launch *list, const weir_gpu_ntt_cut *cut,
                                       uint32_t piece, weir_dfr *a, weir_dfr *b, weir_dfr *tmp);
unsigned weir_gpu_quotient_slabs_turn(weir_gpu_ntt_launch *list, const weir_gpu_ntt_cut *cut,
                                      weir_dfr *a, weir_dfr *b, weir_dfr *tmp);
unsigned weir_gpu_quotient_pieces_coset(weir_gpu_ntt_launch *list, const weir_gpu_ntt_cut *cut,
                                        uint32_t piece, weir_dfr *a, weir_dfr *b);
unsigned weir_gpu_quotient_slabs_end(weir_gpu_ntt_launch *list, const weir_gpu_ntt_cut *cut,
                                     weir_dfr *a, weir_dfr *tmp);

#ifdef __cplusplus
}
#endif

#endif
