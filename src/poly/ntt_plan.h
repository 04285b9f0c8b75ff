/* What the files of poly/ share: the plan and transforms that leave out the reordering. Not for
 * other modules. */
#ifndef WEIR_POLY_NTT_PLAN_H
#define WEIR_POLY_NTT_PLAN_H

#include "poly/ntt.h"
#include "poly/ntt_path.h"

enum { WEIR_NTT_MAX_LOG2 = 32, WEIR_NTT_MAX_PASSES = 3 };

/* Tiles of a thread between two looks at the gate, each of some 2^14 elements: about 20 ms. */
enum { WEIR_NTT_RANGE_TILES = 16 };

/* One pass over memory does `levels` levels from level `first` on. The last pass has width 1 and
 * works in place on contiguous chunks; the others copy tiles of `width` columns to scratch, so that
 * a power-of-two stride does not press all rows into a few sets of the cache. */
typedef struct weir_ntt_pass {
    unsigned first, levels;
    size_t width;
} weir_ntt_pass;

struct weir_ntt_plan {
    unsigned log2_n;
    unsigned threads; /* tiles in scratch */
    unsigned passes;
    weir_ntt_pass pass[WEIR_NTT_MAX_PASSES];
    weir_fr root[WEIR_NTT_MAX_LOG2 + 1]; /* root[i] has order 2^i */
    weir_fr root_inv[WEIR_NTT_MAX_LOG2 + 1];
    weir_fr table[]; /* table[m] = exp(pi i * 0.b0 b1 b2 ...) for m = b0 + 2 b1 + 4 b2 ... */
};

/* What a transform does beside the transform. All pointers may be NULL; all but the shift are for
 * the inverse, which by itself gives n times the coefficients. */
typedef struct weir_ntt_extra {
    const weir_fr *shift; /* coset */
    weir_fr *factor[2];   /* the input is factor[0] o factor[1], not what the array holds */
    bool finish_factors;  /* before they are multiplied: their last pass forward, with the shift */
    bool invert_factors;  /* after that: their own first pass of the inverse, without a shift */
    const weir_fr *scale; /* the result is multiplied by this */
    const weir_fr *minuend; /* and then subtracted from this */
} weir_ntt_extra;

/* Values in bit-reversed order; coefficients in natural order. */
void weir_ntt_to_reversed(const weir_ntt_plan *plan, weir_fr *a, const weir_ntt_extra *extra,
                          void *scratch, const weir_exec *x);
void weir_ntt_from_reversed(const weir_ntt_plan *plan, weir_fr *a, const weir_ntt_extra *extra,
                            void *scratch, const weir_exec *x);

/* The passes between invert_factors and finish_factors: the rest of the inverse, without a shift,
 * and forward all but the last pass. The pass at the top does both to a tile at once. */
void weir_ntt_turn(const weir_ntt_plan *plan, weir_fr *a, const weir_fr *shift, void *scratch,
                   const weir_exec *x);

/* a[i] and a[bits of i reversed] change places. */
void weir_ntt_reverse_order(weir_fr *a, unsigned log2_n, const weir_exec *x);

/* v's lowest `bits` bits in reverse; v < 2^bits. */
static inline uint64_t weir_ntt_reverse_bits(uint64_t v, unsigned bits)
{
    if (bits == 0) return 0;
    v = (v >> 1 & 0x5555555555555555u) | (v & 0x5555555555555555u) << 1;
    v = (v >> 2 & 0x3333333333333333u) | (v & 0x3333333333333333u) << 2;
    v = (v >> 4 & 0x0f0f0f0f0f0f0f0fu) | (v & 0x0f0f0f0f0f0f0f0fu) << 4;
    return __builtin_bswap64(v) >> (64 - bits);
}

/* weir_quotient with a given shift of the second coset; shift^n must not be one. */
void weir_quotient_shifted(const weir_ntt_plan *plan, weir_fr *a, weir_fr *b, weir_fr *tmp,
                           const weir_fr *shift, void *scratch, const weir_exec *x);

#endif
