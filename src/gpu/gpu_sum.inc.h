/* Sums over bits, two kernels in phases, an include-template over the names of gpu_ec.inc.h.
 *
 * sum_bits: in a turn each thread of a block takes one word of the bitmap; a scan over the block gives its set bits their
 * places in a list of points to come; then all threads add points from the list, one a round, while the list holds one for each
 * of them, and what is left waits for the next turn. So all lanes add in all rounds but the last, whatever the density.
 * sum_join: a tree over a block.
 * Cost: a mixed addition a set bit.
 */

/* What a thread needs between rounds lies here as well: registers are short in them. */
typedef struct G_(sum_bits_shared) {
    uint32_t list[DSUM_TURN + DSUM_THREADS]; /* points to come: those left, then this turn's */
    uint32_t have[2];                        /* how many, in even and odd turns */
    uint32_t left[DSUM_THREADS];             /* a thread's point that is left for the next turn */
    block_scan_shared scan;
    block_scan_own thread[DSUM_THREADS];
} G_(sum_bits_shared);

typedef struct G_(sum_bits_own) {
    G_XYZZ sum;
} G_(sum_bits_own);

typedef weir_dsum G_(sum_bits_args);

/* Phases of a turn are those of the scan, the list, the rounds. */
WEIR_HD int G_(sum_bits_phases)(const weir_dsum *a, uint32_t threads)
{
    return (int)dsum_turns(a, threads) * DSUM_TURN_PHASES;
}

WEIR_HD bool G_(sum_bits_warp_only)(int k, const weir_dsum *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    k %= DSUM_TURN_PHASES;
    return k < BLOCK_SCAN_PHASES && block_scan_warp_only(k);
}

/* Points left from the turn before. */
WEIR_HD uint32_t G_(sum_left)(const G_(sum_bits_shared) * s, uint32_t turn, const weir_dpos *at)
{
    return turn == 0 ? 0 : s->have[(turn - 1) % 2] % at->threads;
}

WEIR_HD void G_(sum_start)(const weir_dsum *a, G_(sum_bits_shared) * s, uint32_t turn,
                           const weir_dpos *at)
{
    uint32_t index, t = at->thread;
    if (t < G_(sum_left)(s, turn, at)) s->list[t] = s->left[t];
    s->thread[t].value = dsum_ones(dsum_word(a, turn, at, &index));
}

WEIR_HD void G_(sum_list)(const weir_dsum *a, G_(sum_bits_shared) * s, uint32_t turn,
                          const weir_dpos *at)
{
    const block_scan_own *scan = &s->thread[at->thread];
    uint32_t index, left = G_(sum_left)(s, turn, at), to = left + scan->before;
    uint64_t word = dsum_word(a, turn, at, &index);
    if (at->thread == 0) s->have[turn % 2] = left + scan->total;
    WEIR_NO_UNROLL
    for (; word; word &= word - 1) s->list[to++] = index * 64 + dsum_lowest(word);
}

/* Rounds of one point a thread; the last one, where there is not a point for each, only in the last turn. */
WEIR_HD void G_(sum_rounds)(const weir_dsum *a, G_(sum_bits_shared) * s, G_XYZZ *sum, uint32_t turn,
                            bool last, const weir_dpos *at)
{
    uint32_t have = s->have[turn % 2], end = last ? have : have - have % at->threads;
    WEIR_NO_UNROLL
    for (uint32_t i = at->thread; i < end; i += at->threads) {
        G_AFF q = ((const G_AFF *)a->points)[s->list[i]];
        G_(madd)(sum, sum, &q);
    }
    have = s->have[turn % 2];
    end = have - have % at->threads;
    if (end + at->thread < have) s->left[at->thread] = s->list[end + at->thread];
}

WEIR_HD void G_(sum_bits_phase)(int k, const weir_dsum *a, G_(sum_bits_shared) * s,
                                G_(sum_bits_own) * own, const weir_dpos *at)
{
    uint32_t turn = (uint32_t)k / DSUM_TURN_PHASES;
    bool last = turn + 1 == dsum_turns(a, at->threads);
    if (k == 0) G_(set_infinity)(&own->sum);
    k %= DSUM_TURN_PHASES;
    if (k == 0) G_(sum_start)(a, s, turn, at);
    if (k < BLOCK_SCAN_PHASES)
        block_scan_phase(k, &s->scan, &s->thread[at->thread], at);
    else if (k == BLOCK_SCAN_PHASES)
        G_(sum_list)(a, s, turn, at);
    else
        G_(sum_rounds)(a, s, &own->sum, turn, last, at);
    if (last && k == DSUM_TURN_PHASES - 1) ((G_XYZZ *)a->partial)[dpos_global(at)] = own->sum;
}

/* ---- sum_join: two phases for each halving of the threads */

typedef weir_dsum G_(sum_join_args);
typedef struct G_(sum_join_shared) {
    G_XYZZ tree[DSUM_THREADS / 2];
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
        ((G_XYZZ *)a->partial)[a->blocks * DSUM_THREADS + at->block] = *sum;
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
