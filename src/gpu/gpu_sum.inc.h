/* The kernels of sums over bits that add points, in phases, an include-template over the names of gpu_ec.inc.h.
 *
 * sum_add: no barriers. A thread adds the two entries of the list that its number gives it and then takes two at a
 * time from what is left. Warps of a multiprocessor are not served alike: with equal shares for all, some would be done long before
 * the others, and the last ones alone do not fill it.
 * sum_join: a tree over a block.
 * Cost: a mixed addition a set bit.
 */

typedef weir_dsum G_(sum_add_args);
typedef dsum_nothing G_(sum_add_shared);
typedef dsum_nothing G_(sum_add_own);

WEIR_HD int G_(sum_add_phases)(const weir_dsum *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    return 1;
}
WEIR_HD bool G_(sum_add_warp_only)(int k, const weir_dsum *a, uint32_t threads)
{
    (void)k;
    (void)a;
    (void)threads;
    return false;
}

/* In rounds of up to DSUM_TAKE entries. How their number is written decides whether ptxas spills (0 or 8 bytes, 670 or 717 other
 * instructions an addition): check_ptxas. */
WEIR_HD void G_(sum_add_phase)(int k, const weir_dsum *a, dsum_nothing *s, dsum_nothing *own,
                               const weir_dpos *at)
{
    const uint32_t count = a->state->count;
    uint32_t i = (uint32_t)dpos_global(at) * DSUM_TAKE;
    G_XYZZ sum;
    (void)k;
    (void)s;
    (void)own;
    G_(set_infinity)(&sum);
    if (a->first_row > 0) sum = ((const G_XYZZ *)a->partial)[dpos_global(at)];
    WEIR_NO_UNROLL
    while (i < count) {
        uint32_t n = i + DSUM_TAKE < count ? i + DSUM_TAKE : count;
        const uint32_t *list = a->list + i;
        n -= i;
        WEIR_NO_UNROLL
        for (uint32_t j = 0; j < n; j++) {
            G_AFF q = ((const G_AFF *)a->points)[list[j]];
            G_(madd)(&sum, &sum, &q);
        }
        i = at->blocks * at->threads * DSUM_TAKE + atomic_add_u32(&a->state->taken, DSUM_TAKE);
    }
    ((G_XYZZ *)a->partial)[dpos_global(at)] = sum;
}

/* ---- sum_join: two phases for each halving of the threads */

typedef weir_dsum G_(sum_join_args);
typedef struct G_(sum_join_shared) {
    G_XYZZ tree[WEIR_DSUM_THREADS / 2];
} G_(sum_join_shared);
typedef struct G_(sum_join_own) {
    G_XYZZ sum;
} G_(sum_join_own);

WEIR_HD int G_(sum_join_phases)(const weir_dsum *a, uint32_t threads)
{
    int phases = 1;
    (void)a;
    for (uint32_t n = threads; n > 1; n /= 2) phases += 2;
    return phases;
}

WEIR_HD bool G_(sum_join_warp_only)(int k, const weir_dsum *a, uint32_t threads)
{
    (void)k;
    (void)a;
    (void)threads;
    return false;
}

/* The thread's share of what the block adds up. */
WEIR_HD void G_(sum_join_own_share)(const weir_dsum *a, G_XYZZ *sum, const weir_dpos *at)
{
    const G_XYZZ *from = (const G_XYZZ *)a->partial;
    uint32_t first = at->block * at->threads, count = at->threads;
    if (a->level > 0) {
        first = a->blocks * at->threads;
        count = a->blocks;
    }
    G_(set_infinity)(sum);
    WEIR_NO_UNROLL
    for (uint32_t i = at->thread; i < count; i += at->threads)
        G_(add_call)(sum, sum, &from[first + i]);
}

WEIR_HD void G_(sum_join_write)(const weir_dsum *a, const G_XYZZ *sum, const weir_dpos *at)
{
    G_FIELD *to = (G_FIELD *)a->out;
    if (a->level == 0)
        ((G_XYZZ *)a->partial)[a->blocks * WEIR_DSUM_THREADS + at->block] = *sum;
    else
        G_(to_jacobian)(&to[0], &to[1], &to[2], sum);
}

WEIR_HD void G_(sum_join_phase)(int k, const weir_dsum *a, G_(sum_join_shared) * s,
                                G_(sum_join_own) * own, const weir_dpos *at)
{
    uint32_t half = at->threads >> (k / 2 + 1), t = at->thread;
    if (k == 0) G_(sum_join_own_share)(a, &own->sum, at);
    if (half == 0) {
        if (t == 0) G_(sum_join_write)(a, &own->sum, at);
    } else if (k % 2 == 0) {
        if (t >= half && t < 2 * half) s->tree[t - half] = own->sum;
    } else if (t < half) {
        G_(add_call)(&own->sum, &own->sum, &s->tree[t]);
    }
}
