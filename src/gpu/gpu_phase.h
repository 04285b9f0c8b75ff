/* Kernels cut at their barriers, so that the same text runs on a device and in a loop on the host. C and C++ (CUDA) both
 * include this header.
 *
 * A kernel NAME is
 *     NAME_args     by value: pointers, sizes. NAME_own: what one thread keeps between phases (registers).
 *     NAME_shared   what a block shares
 *     int  NAME_phases(const NAME_args *a, uint32_t threads)            the number of phases, the same for all blocks
 *     void NAME_phase(int k, const NAME_args *a, NAME_shared *s, NAME_own *own, const weir_dpos *at)
 *     bool NAME_warp_only(int k, const NAME_args *a, uint32_t threads)  see below; usually false
 * all WEIR_HD. Between two phases lies a barrier of the block: a phase sees what all threads of the block wrote to shared
 * and global memory in earlier phases, and must not read what another thread writes in the same one. A thread with
 * nothing to do returns early from the phase, never from the kernel.
 *
 * Lanes of a warp exchange words through registers: phase k - 1 ends with lanes_put(.., k - 1, word), phase k begins with
 * lanes_get(.., k, ..). On the device lanes_put does nothing and lanes_get is a shuffle of the register that was put; all
 * 32 lanes must call it. On the host words lie in an array. Where that is all that goes from phase k - 1 to phase k,
 * NAME_warp_only(k) is true and the device needs no barrier of the block there.
 *
 * WEIR_DEVICE_RUN(NAME, a, s) is the body of the __global__ function. WEIR_HOST_RUN(NAME, ...) defines a host function of
 * that name which runs all blocks in an order of threads that the caller gives: a phase that reads what a neighbour
 * writes in the same phase gives different results for different orders.
 *
 * Words in shared or global memory may be added to, or get bits set, by all threads in one phase (atomic_add_u32, atomic_or_u32). The
 * order is not defined, so nothing that must be the same each time may depend on the values that come back.
 */
#ifndef WEIR_GPU_PHASE_H
#define WEIR_GPU_PHASE_H

#include "gpu/gpu_hd.h"

enum { WEIR_WARP = 32, WEIR_BLOCK_MAX = 1024 };

/* Where a thread is. threads: of a block, a multiple of 32. */
typedef struct weir_dpos {
    uint32_t block, blocks, thread, threads;
} weir_dpos;

WEIR_HD uint32_t dpos_lane(const weir_dpos *at)
{
    return at->thread % WEIR_WARP;
}
WEIR_HD uint32_t dpos_warp(const weir_dpos *at)
{
    return at->thread / WEIR_WARP;
}
/* The number of the thread among all. */
WEIR_HD uint64_t dpos_global(const weir_dpos *at)
{
    return (uint64_t)at->block * at->threads + at->thread;
}

#ifdef __CUDACC__

/* A member of NAME_shared; empty on the device but for C++'s one byte. */
typedef struct weir_lanes {
    char none;
} weir_lanes;

WEIR_HD void lanes_put(weir_lanes *w, const weir_dpos *at, int k, uint32_t word)
{
    (void)w;
    (void)at;
    (void)k;
    (void)word;
}
/* The word that lane `from` (mod 32) of the same warp put in phase k - 1; own: what this lane put then. */
WEIR_HD uint32_t lanes_get(const weir_lanes *w, const weir_dpos *at, int k, uint32_t own,
                           uint32_t from)
{
    (void)w;
    (void)at;
    (void)k;
    return __shfl_sync(0xffffffffu, own, (int)(from % WEIR_WARP));
}

/* *p += x; gives what *p was. */
WEIR_HD uint32_t atomic_add_u32(uint32_t *p, uint32_t x)
{
    return atomicAdd(p, x);
}

/* *p |= x */
WEIR_HD void atomic_or_u32(uint32_t *p, uint32_t x)
{
    (void)atomicOr(p, x);
}

/* Words that are read once and leave the caches first. Of four: p at a multiple of 16 bytes. */
WEIR_HD uint32_t memory_once_u32(const uint32_t *p)
{
    return __ldcs(p);
}
WEIR_HD uint64_t memory_once_u64(const uint64_t *p)
{
    return __ldcs((const unsigned long long *)p);
}
WEIR_HD void memory_once_4(uint32_t *to, const uint32_t *p)
{
    const uint4 x = __ldcs((const uint4 *)p);
    to[0] = x.x;
    to[1] = x.y;
    to[2] = x.z;
    to[3] = x.w;
}

/* Copies 16 bytes from global to shared memory, both aligned. This thread may read them after memory_copy_wait, others after the
 * barrier that follows it. */
WEIR_HD void memory_copy(void *to, const void *from)
{
    asm volatile(
        "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((uint32_t)__cvta_generic_to_shared(to)),
        "l"(from)
        : "memory");
}
WEIR_HD void memory_copy_wait(void)
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

#define WEIR_DEVICE_RUN(NAME, a, s)                                                                \
    do {                                                                                           \
        NAME##_own own_;                                                                           \
        weir_dpos at_;                                                                             \
        at_.block = blockIdx.x;                                                                    \
        at_.blocks = gridDim.x;                                                                    \
        at_.thread = threadIdx.x;                                                                  \
        at_.threads = blockDim.x;                                                                  \
        int phases_ = NAME##_phases(a, blockDim.x);                                                \
        for (int k_ = 0; k_ < phases_; k_++) {                                                     \
            if (k_ > 0 && !NAME##_warp_only(k_, a, blockDim.x)) __syncthreads();                   \
            NAME##_phase(k_, a, s, &own_, &at_);                                                   \
        }                                                                                          \
    } while (0)

#else

WEIR_HD void memory_copy(void *to, const void *from)
{
    __builtin_memcpy(to, from, 16);
}
WEIR_HD void memory_copy_wait(void) {}

/* Two sets, since a lane puts its next word in the phase in which others get the last one. */
typedef struct weir_lanes {
    uint32_t word[2][WEIR_BLOCK_MAX];
} weir_lanes;

WEIR_HD void lanes_put(weir_lanes *w, const weir_dpos *at, int k, uint32_t word)
{
    w->word[k & 1][at->thread] = word;
}
WEIR_HD uint32_t lanes_get(const weir_lanes *w, const weir_dpos *at, int k, uint32_t own,
                           uint32_t from)
{
    (void)own;
    return w->word[(k + 1) & 1][at->thread / WEIR_WARP * WEIR_WARP + from % WEIR_WARP];
}

WEIR_HD uint32_t atomic_add_u32(uint32_t *p, uint32_t x)
{
    uint32_t was = *p;
    *p = was + x;
    return was;
}

WEIR_HD void atomic_or_u32(uint32_t *p, uint32_t x)
{
    *p |= x;
}

WEIR_HD uint32_t memory_once_u32(const uint32_t *p)
{
    return *p;
}
WEIR_HD uint64_t memory_once_u64(const uint64_t *p)
{
    return *p;
}
WEIR_HD void memory_once_4(uint32_t *to, const uint32_t *p)
{
    for (int i = 0; i < 4; i++) to[i] = p[i];
}

/* void FUNCTION(const NAME_args *a, NAME_shared *s, NAME_own *own, blocks, threads, const uint32_t *order)
 * own: `threads` elements. order: a permutation of the threads, in which each phase runs. Shared memory and registers
 * hold a pattern when a block starts, as if nobody had written them. */
#define WEIR_HOST_RUN(FUNCTION, NAME)                                                              \
    static void FUNCTION(const NAME##_args *a, NAME##_shared *s, NAME##_own *own, uint32_t blocks, \
                         uint32_t threads, const uint32_t *order)                                  \
    {                                                                                              \
        for (uint32_t block = 0; block < blocks; block++) {                                        \
            __builtin_memset(s, 0xa5, sizeof *s);                                                  \
            __builtin_memset(own, 0xa5, threads * sizeof *own);                                    \
            int phases = NAME##_phases(a, threads);                                                \
            for (int k = 0; k < phases; k++) {                                                     \
                for (uint32_t i = 0; i < threads; i++) {                                           \
                    const weir_dpos at = {block, blocks, order[i], threads};                       \
                    NAME##_phase(k, a, s, &own[order[i]], &at);                                    \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }

#endif

#endif
