/* The kernel that checks block-wide sums (gpu_scan.h): each thread's value to the sum before it. C and C++ (CUDA) both
 * include this header. */
#ifndef WEIR_GPU_BENCH_PHASES_H
#define WEIR_GPU_BENCH_PHASES_H

#include "gpu/gpu_scan.h"

typedef struct bench_scan_args {
    const uint32_t *in;
    uint32_t *before, *total; /* a word a thread */
} bench_scan_args;
typedef block_scan_shared bench_scan_shared;
typedef block_scan_own bench_scan_own;

WEIR_HD int bench_scan_phases(const bench_scan_args *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    return BLOCK_SCAN_PHASES;
}

WEIR_HD bool bench_scan_warp_only(int k, const bench_scan_args *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    return block_scan_warp_only(k);
}

WEIR_HD void bench_scan_phase(int k, const bench_scan_args *a, bench_scan_shared *s,
                              bench_scan_own *own, const weir_dpos *at)
{
    if (k == 0) own->value = a->in[dpos_global(at)];
    block_scan_phase(k, s, own, at);
    if (k + 1 == BLOCK_SCAN_PHASES) {
        a->before[dpos_global(at)] = own->before;
        a->total[dpos_global(at)] = own->total;
    }
}

#endif
