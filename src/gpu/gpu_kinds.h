/* Scalars by kind, where a circuit does not say which of its columns are bits: zeros are left out, ones become bits, and what is
 * left moves together with the numbers of its points. C and C++ (CUDA) both include this header.
 *
 * A block counts its general values by a scan and takes that many places at once. So the order of blocks is not defined; a sum does
 * not depend on it. Cost: 32 bytes a value read, 36 a general one written.
 */
#ifndef WEIR_GPU_KINDS_H
#define WEIR_GPU_KINDS_H

#include "gpu/gpu_fr.h"
#include "gpu/gpu_scan.h"

enum { DKINDS_THREADS = 256, DKINDS_PHASES = BLOCK_SCAN_PHASES + 1 };

/* ones: bit i mod 32 of word i / 32 for value i, zeroed before; out, index: room for n; count: one word, zeroed before. */
typedef struct dkinds_args {
    const weir_dfr *in; /* standard form */
    uint32_t n;
    uint32_t *ones;
    weir_dfr *out;
    uint32_t *index, *count;
} dkinds_args;

typedef struct dkinds_shared {
    block_scan_shared scan;
    uint32_t base;
} dkinds_shared;

typedef struct dkinds_own {
    block_scan_own scan; /* value: 1 for a general value */
} dkinds_own;

WEIR_HD int dkinds_phases(const dkinds_args *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    return DKINDS_PHASES;
}

WEIR_HD bool dkinds_warp_only(int k, const dkinds_args *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    return k < BLOCK_SCAN_PHASES && block_scan_warp_only(k);
}

/* 0 and 1: these; 2: another value. */
WEIR_HD uint32_t dkinds_kind(const weir_dfr *x)
{
    uint32_t high = 0;
    WEIR_UNROLL
    for (int i = 1; i < WEIR_DFR_N; i++) high |= x->l[i];
    return high == 0 && x->l[0] <= 1 ? x->l[0] : 2;
}

WEIR_HD void dkinds_phase(int k, const dkinds_args *a, dkinds_shared *s, dkinds_own *own,
                          const weir_dpos *at)
{
    uint64_t i = dpos_global(at);
    if (k == 0) {
        uint32_t kind = i < a->n ? dkinds_kind(&a->in[i]) : 0;
        if (kind == 1) atomic_or_u32(&a->ones[i / 32], (uint32_t)1 << i % 32);
        own->scan.value = kind == 2;
    }
    if (k < BLOCK_SCAN_PHASES) block_scan_phase(k, &s->scan, &own->scan, at);
    if (k == BLOCK_SCAN_PHASES - 1 && at->thread == 0)
        s->base = atomic_add_u32(a->count, own->scan.total);
    if (k == BLOCK_SCAN_PHASES && own->scan.value != 0) {
        a->out[s->base + own->scan.before] = a->in[i];
        a->index[s->base + own->scan.before] = (uint32_t)i;
    }
}

#endif
