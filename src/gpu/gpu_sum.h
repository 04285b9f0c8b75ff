/* Sums of the points whose bit is set, for G1 and G2 (gpu_sum.inc.h). C and C++ (CUDA) both include this header. */
#ifndef WEIR_GPU_SUM_H
#define WEIR_GPU_SUM_H

#include "gpu/gpu_ec_call.h"
#include "gpu/gpu_phase.h"
#include "gpu/gpu_scan.h"

/* Threads of a block; bits that it looks at in one turn, 64 a thread; phases of a turn. */
enum {
    DSUM_THREADS = 128,
    DSUM_TURN = 64 * DSUM_THREADS,
    DSUM_TURN_PHASES = BLOCK_SCAN_PHASES + 2
};

/* The argument of both kernels. `blocks` blocks of the first leave a sum a thread; JOIN at level 0, as many blocks, leaves a
 * sum a block; JOIN at level 1, one block, writes the point. blocks: any number. */
typedef struct weir_dsum {
    const void *points; /* n, affine */
    const uint64_t
        *bits;  /* bit i is bit (i mod 64) of word i / 64; bits from n on are not looked at */
    uint32_t n; /* at most 2^31 */
    uint32_t blocks, level;
    void *partial; /* XYZZ, weir_dsum_partials(blocks) of them */
    void *out;     /* one Jacobian point, coordinates below p */
} weir_dsum;

/* XYZZ points of scratch. */
static inline uint32_t weir_dsum_partials(uint32_t blocks)
{
    return blocks * (DSUM_THREADS + 1);
}

/* Words of the bitmap come in rows of 32, one for each warp in turn: warp v of block b takes the rows
 * (turn * warps + v) * blocks + b, so that blocks have equal shares of any stretch of the bitmap. */
WEIR_HD uint32_t dsum_words(const weir_dsum *a)
{
    return (uint32_t)(((uint64_t)a->n + 63) / 64);
}

/* 0 if there is no such word. */
WEIR_HD uint64_t dsum_word(const weir_dsum *a, uint32_t turn, const weir_dpos *at, uint32_t *index)
{
    uint32_t warps = at->threads / WEIR_WARP;
    uint64_t row = ((uint64_t)turn * warps + dpos_warp(at)) * at->blocks + at->block;
    uint64_t i = row * WEIR_WARP + dpos_lane(at), words = dsum_words(a);
    *index = (uint32_t)i;
    if (i >= words) return 0;
    uint32_t left = a->n % 64;
    uint64_t mask = i + 1 == words && left ? ((uint64_t)1 << left) - 1 : ~(uint64_t)0;
    return a->bits[i] & mask;
}

/* Turns that every block takes, at least one. */
WEIR_HD uint32_t dsum_turns(const weir_dsum *a, uint32_t threads)
{
    uint64_t each = (uint64_t)a->blocks * threads;
    return dsum_words(a) == 0 ? 1 : (uint32_t)((dsum_words(a) + each - 1) / each);
}

WEIR_HD uint32_t dsum_ones(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)(x * 0x0101010101010101u >> 56);
}

/* The number of the lowest bit that is set. In: x is not 0. */
WEIR_HD uint32_t dsum_lowest(uint64_t x)
{
    return dsum_ones((x & (0 - x)) - 1);
}

#define G_(name) dg1_##name
#define F_(name) dfp_##name
#define G_FIELD  weir_dfp
#define G_AFF    weir_dg1_affine
#define G_XYZZ   weir_dg1_xyzz
#include "gpu/gpu_sum.inc.h"
#undef G_
#undef F_
#undef G_FIELD
#undef G_AFF
#undef G_XYZZ

#define G_(name) dg2_##name
#define F_(name) dfp2_##name
#define G_FIELD  weir_dfp2
#define G_AFF    weir_dg2_affine
#define G_XYZZ   weir_dg2_xyzz
#include "gpu/gpu_sum.inc.h"
#undef G_
#undef F_
#undef G_FIELD
#undef G_AFF
#undef G_XYZZ

#endif
