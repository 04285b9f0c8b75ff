/* The kernels of sums over bits in phases: the list of set bits, which knows no curve, and the sums in G1 and G2
 * (gpu_sum.inc.h); words in gpu_sum_plan.h. C and C++ (CUDA) both include this header.
 */
#ifndef WEIR_GPU_SUM_H
#define WEIR_GPU_SUM_H

#include "gpu/gpu_ec_call.h"
#include "gpu/gpu_phase.h"
#include "gpu/gpu_scan.h"
#include "gpu/gpu_sum_plan.h"

typedef struct dsum_nothing {
    char none;
} dsum_nothing;

/* Word i of the bitmap without bits from n on; 0 if there is no such word. */
WEIR_HD uint64_t dsum_word(const weir_dsum *a, uint64_t i)
{
    if (i * 64 >= a->n) return 0;
    uint64_t left = a->n - i * 64;
    return left < 64 ? a->bits[i] & (((uint64_t)1 << left) - 1) : a->bits[i];
}

WEIR_HD uint32_t dsum_ones(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)(x * 0x0101010101010101u >> 56);
}

/* The row after the chunk's last. */
WEIR_HD uint32_t dsum_end_row(const weir_dsum *a)
{
    return a->rows - a->first_row > a->chunk_rows ? a->first_row + a->chunk_rows : a->rows;
}

/* ---- COUNT: a thread for each row */

typedef weir_dsum dsum_count_args;
typedef dsum_nothing dsum_count_shared;
typedef dsum_nothing dsum_count_own;

WEIR_HD int dsum_count_phases(const weir_dsum *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    return 1;
}
WEIR_HD bool dsum_count_warp_only(int k, const weir_dsum *a, uint32_t threads)
{
    (void)k;
    (void)a;
    (void)threads;
    return false;
}

WEIR_HD void dsum_count_phase(int k, const weir_dsum *a, dsum_nothing *s, dsum_nothing *own,
                              const weir_dpos *at)
{
    enum { AT_ONCE = 8 };
    uint64_t row = dpos_global(at);
    uint32_t ones = 0;
    (void)k;
    (void)s;
    (void)own;
    if (row >= a->rows) return;
    WEIR_NO_UNROLL
    for (uint32_t i = 0; i < WEIR_DSUM_ROW_WORDS; i += AT_ONCE) {
        uint64_t x[AT_ONCE];
        WEIR_UNROLL
        for (uint32_t j = 0; j < AT_ONCE; j++)
            x[j] = dsum_word(a, row * WEIR_DSUM_ROW_WORDS + i + j);
        WEIR_UNROLL
        for (uint32_t j = 0; j < AT_ONCE; j++) ones += dsum_ones(x[j]);
    }
    a->row_count[row] = ones;
}

/* ---- LIST: a warp for each row. Where a block's list begins is the sum of the chunk's rows before it, which each block adds
 * up by itself: 8,192 counts from the second-level cache at most. */

typedef weir_dsum dsum_list_args;
typedef struct dsum_list_shared {
    block_scan_shared scan;
} dsum_list_shared;
typedef struct dsum_list_own {
    block_scan_own scan;
} dsum_list_own;

WEIR_HD int dsum_list_phases(const weir_dsum *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    return BLOCK_SCAN_PHASES;
}
WEIR_HD bool dsum_list_warp_only(int k, const weir_dsum *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    return block_scan_warp_only(k);
}

/* A lane writes its two bits of each word, so a warp's writes are neighbours. */
WEIR_HD void dsum_write_row(const weir_dsum *a, uint32_t row, uint32_t to, const weir_dpos *at)
{
    uint32_t lane = dpos_lane(at);
    WEIR_NO_UNROLL
    for (uint32_t i = 0; i < WEIR_DSUM_ROW_WORDS; i++) {
        uint32_t index = row * WEIR_DSUM_ROW_WORDS + i;
        uint64_t word = dsum_word(a, index);
        WEIR_UNROLL
        for (uint32_t bit = lane; bit < 64; bit += WEIR_WARP)
            if (word >> bit & 1)
                a->list[to + dsum_ones(word & (((uint64_t)1 << bit) - 1))] = index * 64 + bit;
        to += dsum_ones(word);
    }
}

WEIR_HD void dsum_list_phase(int k, const weir_dsum *a, dsum_list_shared *s, dsum_list_own *own,
                             const weir_dpos *at)
{
    uint32_t warps = at->threads / WEIR_WARP, first = a->first_row + at->block * warps;
    uint32_t row = first + dpos_warp(at), end = dsum_end_row(a);
    if (k == 0) {
        own->scan.value = 0;
        WEIR_NO_UNROLL
        for (uint32_t i = a->first_row + at->thread; i < first; i += at->threads)
            own->scan.value += a->row_count[i];
    }
    block_scan_phase(k, &s->scan, &own->scan, at);
    if (k < BLOCK_SCAN_PHASES - 1) return;
    uint32_t to = own->scan.total;
    WEIR_NO_UNROLL
    for (uint32_t i = first; i < row && i < end; i++) to += a->row_count[i];
    if (row < end) dsum_write_row(a, row, to, at);
    bool last = row + 1 == end || (a->rows == 0 && at->thread == 0);
    if (last && dpos_lane(at) == 0) {
        a->state->count = row < end ? to + a->row_count[row] : 0;
        a->state->taken = 0;
    }
}

/* ---- ADD, JOIN */

/* Entries of the list that a thread of ADD takes at a time, a power of two. */
enum { DSUM_TAKE = 2 };

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
