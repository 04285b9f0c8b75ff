/* The packed witness in the order of a query's points, two kernels. C and C++ (CUDA) both include this header.
 *
 * dgather: the bits of the columns that have a point and are bits, moved together. A thread takes the 64 columns of one word in
 * one repetition: a mask says which of them count, a rank where the word's first point stands. Neighbours share words of the
 * result, so bits are set by atomic operations; the result is zeroed before.
 * dscalar: field elements out of Montgomery form, as scalars of a dense sum, picked by a list or in a row.
 * Cost: a bit of the mask a few instructions; both are bound by memory.
 */
#ifndef WEIR_GPU_GATHER_H
#define WEIR_GPU_GATHER_H

#include "gpu/gpu_fr.h"
#include "gpu/gpu_phase.h"

enum { DGATHER_THREADS = 256, DGATHER_SEGMENTS = 3 };

typedef struct dgather_segment {
    const uint64_t *mask; /* `words` of them, for each repetition the same */
    const uint32_t *rank; /* points of the words before */
    uint32_t reps, words;
    uint32_t stride;     /* words of the packed witness from one repetition to the next */
    uint32_t points;     /* of one repetition */
    uint64_t word_base;  /* the first repetition's first word in the packed witness */
    uint64_t point_base; /* and its first point */
} dgather_segment;

/* The argument of dgather. One thread a word: the first segment's reps x words, then the next one's. */
typedef struct dgather_args {
    dgather_segment segment[DGATHER_SEGMENTS];
    uint32_t segments;
    const uint64_t *bits; /* the packed witness */
    uint32_t *out;        /* point i is bit i mod 32 of word i / 32 */
} dgather_args;

/* The argument of dscalar: out[i] = from[index[i]], or from[i] if index is NULL. One thread an element. */
typedef struct dscalar_args {
    const weir_dfr *from;
    const uint32_t *index;
    weir_dfr *out;
    uint32_t n;
} dscalar_args;

/* Neither kernel shares anything. */
typedef struct dgather_nothing {
    char none;
} dgather_nothing;
typedef dgather_nothing dgather_shared, dgather_own, dscalar_shared, dscalar_own;

static inline uint64_t dgather_work(const dgather_args *a)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < a->segments; k++)
        n += (uint64_t)a->segment[k].reps * a->segment[k].words;
    return n;
}

static inline uint32_t dgather_blocks(uint64_t work)
{
    return (uint32_t)((work + DGATHER_THREADS - 1) / DGATHER_THREADS);
}

/* The bits of v where mask is set, moved together. */
WEIR_HD uint64_t dgather_extract(uint64_t v, uint64_t mask)
{
    uint64_t r = 0, place = 1;
    WEIR_NO_UNROLL
    for (; mask != 0; mask &= mask - 1, place <<= 1)
        if ((v & mask & (0 - mask)) != 0) r |= place;
    return r;
}

/* Sets bits from `at` on. */
WEIR_HD void dgather_put(uint32_t *out, uint64_t at, uint64_t v)
{
    uint32_t *to = out + at / 32, shift = (uint32_t)(at % 32);
    uint64_t low = v << shift, high = shift == 0 ? 0 : v >> (64 - shift);
    if ((uint32_t)low) atomic_or_u32(to, (uint32_t)low);
    if (low >> 32) atomic_or_u32(to + 1, (uint32_t)(low >> 32));
    if (high) atomic_or_u32(to + 2, (uint32_t)high);
}

WEIR_HD int dgather_phases(const dgather_args *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    return 1;
}

WEIR_HD bool dgather_warp_only(int k, const dgather_args *a, uint32_t threads)
{
    (void)k;
    (void)a;
    (void)threads;
    return false;
}

WEIR_HD void dgather_phase(int k, const dgather_args *a, dgather_shared *s, dgather_own *own,
                           const weir_dpos *at)
{
    (void)k;
    (void)s;
    (void)own;
    uint64_t i = dpos_global(at);
    for (uint32_t m = 0; m < a->segments; m++) {
        const dgather_segment *g = &a->segment[m];
        uint64_t work = (uint64_t)g->reps * g->words;
        if (i < work) {
            uint32_t rep = (uint32_t)(i / g->words), word = (uint32_t)(i % g->words);
            uint64_t v = a->bits[g->word_base + (uint64_t)rep * g->stride + word];
            v = dgather_extract(v, g->mask[word]);
            dgather_put(a->out, g->point_base + (uint64_t)rep * g->points + g->rank[word], v);
            return;
        }
        i -= work;
    }
}

WEIR_HD int dscalar_phases(const dscalar_args *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    return 1;
}

WEIR_HD bool dscalar_warp_only(int k, const dscalar_args *a, uint32_t threads)
{
    (void)k;
    (void)a;
    (void)threads;
    return false;
}

WEIR_HD void dscalar_phase(int k, const dscalar_args *a, dscalar_shared *s, dscalar_own *own,
                           const weir_dpos *at)
{
    (void)k;
    (void)s;
    (void)own;
    uint64_t i = dpos_global(at);
    if (i >= a->n) return;
    weir_dfr x = a->from[a->index ? a->index[i] : i];
    dfr_from_mont(&a->out[i], &x);
}

#endif
