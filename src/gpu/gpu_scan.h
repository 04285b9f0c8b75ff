/* Exclusive prefix sums over the threads of a block, a building block of kernels in phases (gpu_phase.h). C and C++
 * (CUDA) both include this header.
 *
 * block_scan_phase(k, ...), k = 0 .. BLOCK_SCAN_PHASES - 1, is called from as many phases of the kernel in a row, the first
 * of even number. Before phase 0 the thread sets own->value; after the last, own->before is the sum of the values of all
 * threads before it and own->total that of the block. Sums are modulo 2^32. block_scan_warp_only(k) answers
 * for the kernel's NAME_warp_only. Cost: 10 shuffles, three barriers of the block.
 * Source: Hillis and Steele, "Data parallel algorithms", CACM 1986, within warps and again over the warps' totals.
 */
#ifndef WEIR_GPU_SCAN_H
#define WEIR_GPU_SCAN_H

#include "gpu/gpu_phase.h"

/* The values, 5 doubling steps; the warps' totals, 5 steps; the end. */
enum { BLOCK_SCAN_STEPS = 5, BLOCK_SCAN_TOTALS = 6, BLOCK_SCAN_END = 12, BLOCK_SCAN_PHASES = 13 };

typedef struct block_scan_shared {
    uint32_t total[WEIR_WARP]; /* of each warp, then of all warps up to it */
    weir_lanes lanes;
} block_scan_shared;

typedef struct block_scan_own {
    uint32_t value;         /* in */
    uint32_t before, total; /* out */
    uint32_t sum;           /* of the lane's warp up to it */
    uint32_t warps;         /* the same of the warps' totals, in the lanes of warp 0 */
} block_scan_own;

WEIR_HD bool block_scan_warp_only(int k)
{
    return k > 0 && k != BLOCK_SCAN_TOTALS && k != BLOCK_SCAN_END;
}

/* x += the x of the lane 2^step below, where there is one; x was put in phase k - 1. */
WEIR_HD uint32_t block_scan_step(const weir_lanes *w, const weir_dpos *at, int k, uint32_t x,
                                 int step)
{
    uint32_t lane = dpos_lane(at), distance = 1u << step;
    uint32_t other = lanes_get(w, at, k, x, lane - distance);
    return lane >= distance ? x + other : x;
}

WEIR_HD void block_scan_phase(int k, block_scan_shared *s, block_scan_own *own, const weir_dpos *at)
{
    uint32_t warps = at->threads / WEIR_WARP, warp = dpos_warp(at), lane = dpos_lane(at);
    if (k < BLOCK_SCAN_TOTALS) {
        own->sum = k == 0 ? own->value : block_scan_step(&s->lanes, at, k, own->sum, k - 1);
        lanes_put(&s->lanes, at, k, own->sum);
        if (k == BLOCK_SCAN_STEPS && lane == WEIR_WARP - 1) s->total[warp] = own->sum;
    } else if (k < BLOCK_SCAN_END) {
        if (warp != 0) return;
        if (k == BLOCK_SCAN_TOTALS)
            own->warps = lane < warps ? s->total[lane] : 0;
        else
            own->warps = block_scan_step(&s->lanes, at, k, own->warps, k - BLOCK_SCAN_TOTALS - 1);
        lanes_put(&s->lanes, at, k, own->warps);
        if (k == BLOCK_SCAN_END - 1) s->total[lane] = own->warps;
    } else {
        own->before = (warp > 0 ? s->total[warp - 1] : 0) + own->sum - own->value;
        own->total = s->total[warps - 1];
    }
}

#endif
