/* Transforms over Fr, one pass over memory a launch: what a pass is told, its tile, its twiddles. gpu_ntt_pass.h is the kernel.
 * C and C++ (CUDA) both include this header.
 *
 * The method is that of docs/ntt.md: a polynomial of n coefficients is reduced modulo the two factors of its modulus,
 * level by level. forward: coefficients in natural order to values in bit-reversed order; inverse: back, times n. No pass only
 * reorders. The coset is that of the root of order 2n: its transform is the right half of a plain one of 2n elements after
 * that one's first level, so it has the same code and no factors of its own.
 *
 * Twiddles. With P the place of an element (n more on the coset) the level that splits on bit g of the place multiplies by
 * table[P >> (g + 1)], where table[B] is the root for half a turn times the binary fraction 0.b0 b1 b2 ..., b0 the lowest
 * bit of B: one table for all levels, both transforms and both sides. 1 / table[B] = -table[mirror(B)] (docs/ntt.md).
 * The table is kept in two parts, table[B] = lo[B mod 2^lo_log2] * hi[B >> lo_log2]; where hi is not wanted, lo is the whole.
 *
 * A block transforms a tile of DNTT_TILE elements over the levels of its pass. A tile is rows of 2^col_log2 neighbours, the
 * rows 2^below_log2 apart; in the pass of the lowest levels it is DNTT_TILE neighbours. Bit b of an element's number in the
 * tile is bit b + below_log2 - col_log2 of its place for each bit that a level splits on.
 *
 * Sources: Cooley and Tukey 1965, Gentleman and Sande 1966; passes over tiles in fast memory: D. Bailey, "FFTs in external
 * or hierarchical memory", 1990.
 */
#ifndef WEIR_GPU_NTT_H
#define WEIR_GPU_NTT_H

#include "gpu/gpu_fr.h"
#include "gpu/gpu_phase.h"

enum {
    DNTT_TILE_LOG2 = 11, /* 64 KiB */
    DNTT_TILE = 1 << DNTT_TILE_LOG2,
    DNTT_STRIDED_LEVELS = 9, /* of a pass at most: rows of 4 elements, 128 bytes */
    DNTT_LOG2_MAX = 28,
    DNTT_TWIDDLES = 512,  /* of a tile, but for its bits 0 and 1; number 0 is not used */
    DNTT_LO_LOG2_MIN = 11 /* a pass over less than a tile reads, and drops, twiddles below 2^11 */
};

typedef enum dntt_side { DNTT_NONE = 0, DNTT_PLAIN, DNTT_COSET } dntt_side;

/* One pass: out = the transform of in, or of in o factor. In this order: the levels of the inverse, those of the
 * forward transform, the scale, minuend - result. out may be in, factor or minuend; else they do not overlap. */
typedef struct dntt_args {
    const weir_dfr *in, *factor, *minuend; /* factor, minuend: NULL if not wanted */
    weir_dfr *out;
    const weir_dfr *lo, *hi;
    weir_dfr scale;
    uint32_t scaled;               /* 1: scale is wanted */
    uint32_t n;                    /* 2 .. 2^DNTT_LOG2_MAX */
    uint32_t lo_log2;              /* of the table's first part */
    uint32_t col_log2, below_log2; /* both DNTT_TILE_LOG2 in the pass of the lowest levels */
    uint32_t bit_from, bit_to;     /* levels split on these bits of the number in the tile */
    uint32_t inverse, forward;     /* a dntt_side each */
    uint32_t origin,
        coset; /* added to places for the numbers of twiddles: always, and on the coset */
} dntt_args;

/* 16 bytes: half an element, in shared memory or where elements lie in global memory. */
typedef struct WEIR_ALIGN(16) __attribute__((may_alias)) dntt_half {
    uint32_t w[4];
} dntt_half;

/* Slots of 16 bytes: the lower halves of a tile's elements (of twiddles), and from DNTT_UPPER (DNTT_TWIDDLE_UPPER) on the
 * upper ones. */
enum {
    DNTT_UPPER = DNTT_TILE + DNTT_TILE / 8 + 4,
    DNTT_TWIDDLE_UPPER = DNTT_TWIDDLES + DNTT_TWIDDLES / 8
};
typedef struct dntt_shared {
    dntt_half tile[2 * DNTT_UPPER];
    dntt_half twiddle[2 * DNTT_TWIDDLE_UPPER];
} dntt_shared;

/* A step: the levels that a thread does on elements in its registers. */
typedef struct dntt_step {
    uint32_t inverse;  /* 1 or 0 */
    uint32_t low;      /* the thread's elements differ in the bits from this one on */
    uint32_t from, to; /* bits that are split on */
    uint32_t place;    /* of the tile's first element, n more on the coset */
} dntt_step;

/* ---- memory */

/* The slot of element e of the tile, or of twiddle e. Eight threads next to each other hit eight different slots mod 8,
 * whichever bits of e their own elements differ in; with four elements' upper halves four slots on, so do the halves. The slot of
 * a | b is that of a + that of b, without common bits. */
WEIR_HD uint32_t dntt_slot(uint32_t e)
{
    return e + (e >> 3);
}

WEIR_HD void dntt_put(dntt_half *at, uint32_t upper, const weir_dfr *x)
{
    dntt_half a, b;
    WEIR_UNROLL
    for (int i = 0; i < 4; i++) {
        a.w[i] = x->l[i];
        b.w[i] = x->l[i + 4];
    }
    at[0] = a;
    at[upper] = b;
}

WEIR_HD void dntt_get(weir_dfr *x, const dntt_half *at, uint32_t upper)
{
    dntt_half a = at[0], b = at[upper];
    WEIR_UNROLL
    for (int i = 0; i < 4; i++) {
        x->l[i] = a.w[i];
        x->l[i + 4] = b.w[i];
    }
}

/* The place of the tile's first element. */
WEIR_HD uint32_t dntt_base(const dntt_args *a, uint32_t tile)
{
    uint32_t shift = a->below_log2 - a->col_log2, column = tile & ((1u << shift) - 1);
    return (tile >> shift) << (a->below_log2 + DNTT_TILE_LOG2 - a->col_log2) | column
                                                                                   << a->col_log2;
}

/* The place of element e of the tile, from that of the first. That of a | b is that of a + that of b, without common bits. */
WEIR_HD uint32_t dntt_offset(const dntt_args *a, uint32_t e)
{
    return ((e >> a->col_log2) << a->below_log2) + (e & ((1u << a->col_log2) - 1));
}

/* ---- twiddles */

/* B with all bits below the highest flipped. */
WEIR_HD uint32_t dntt_mirror(uint32_t b)
{
    uint32_t ones = b | b >> 1;
    ones |= ones >> 2;
    ones |= ones >> 4;
    ones |= ones >> 8;
    ones |= ones >> 16;
    return b ^ ones >> 1;
}

/* The twiddle number of block m of the tile on the level that splits on bit b of the number in the tile. */
WEIR_HD uint32_t dntt_number(const dntt_args *a, const dntt_step *s, uint32_t b, uint32_t m)
{
    return (s->place >> (b + a->below_log2 - a->col_log2 + 1)) + m;
}

/* Of twiddle `number`, or of the inverse's, the part in lo; in *high the number of the part in hi, 0 where there is none. */
WEIR_HD void dntt_low_part(weir_dfr *w, uint32_t *high, const dntt_args *a, uint32_t inverse,
                           uint32_t number)
{
    uint32_t m = inverse ? dntt_mirror(number) : number;
    *w = a->lo[m & ((1u << a->lo_log2) - 1)];
    *high = m >> a->lo_log2;
    if (inverse && number != 0) dfr_neg(w, w);
}

#endif
