/* A pass of a transform (gpu_ntt.h), a kernel in phases and an include-template.
 *
 * Before including, define
 *   N_(name)       the prefix
 *   N_EACH_LOG2    log2 of the elements that a thread holds in registers, which is the number of levels of a step
 *   N_LEVEL_LOOP   WEIR_NO_UNROLL or WEIR_UNROLL, for the loop over the levels of a step
 *
 * A block is DNTT_TILE >> N_EACH_LOG2 threads. Even phases put elements where other threads find them and make
 * the twiddles of the next step; odd phases get elements and do the step. The first phase loads, the last one stores.
 *
 * On every level the two halves of a butterfly are elements k and k + half of the thread. After a level of
 * the forward transform element k takes the number that is k rotated by one bit, so that the next lower bit becomes the
 * highest; the inverse rotates the other way before a level. So the code of a level does not depend on the level.
 * Cost of a pass of L levels: L/2 products an element, and one more for each twiddle that is made of two parts; trivial twiddles
 * are skipped. Bounds: elements and twiddles below r; a difference that is multiplied next below 2r.
 */

enum { N_(EACH) = 1 << N_EACH_LOG2, N_(THREADS) = DNTT_TILE >> N_EACH_LOG2 };

typedef dntt_args N_(args);
typedef dntt_shared N_(shared);
typedef struct N_(own) {
    weir_dfr x[N_(EACH)];
} N_(own);

/* ---- steps */

WEIR_HD uint32_t N_(steps_one_way)(const dntt_args *a)
{
    return (a->bit_to - a->bit_from + N_EACH_LOG2 - 1) / N_EACH_LOG2;
}

WEIR_HD uint32_t N_(steps)(const dntt_args *a)
{
    return N_(steps_one_way)(a) * ((a->inverse != DNTT_NONE) + (a->forward != DNTT_NONE));
}

/* The lowest bit of step i: inverse steps go up, forward steps down. */
WEIR_HD void N_(step)(dntt_step *s, const dntt_args *a, uint32_t i, const weir_dpos *at)
{
    uint32_t one_way = N_(steps_one_way)(a);
    s->inverse = a->inverse != DNTT_NONE && i < one_way;
    uint32_t down = s->inverse ? one_way - 1 - i : (a->inverse != DNTT_NONE) ? i - one_way : i;
    s->to = a->bit_to - N_EACH_LOG2 * down;
    s->low = s->to > N_EACH_LOG2 ? s->to - N_EACH_LOG2 : 0;
    s->from = s->low > a->bit_from ? s->low : a->bit_from;
    s->place = dntt_base(a, at->block) + a->origin +
               ((s->inverse ? a->inverse : a->forward) == DNTT_COSET ? a->coset : 0);
}

/* The number in the tile of the thread's element k in a step. */
WEIR_HD uint32_t N_(element)(uint32_t low, uint32_t thread, uint32_t k)
{
    return (thread >> low) << (low + N_EACH_LOG2) | k << low | (thread & ((1u << low) - 1));
}

/* The bit that level j of a step splits on. */
WEIR_HD uint32_t N_(level_bit)(const dntt_step *s, uint32_t j)
{
    return s->low + N_EACH_LOG2 - 1 - j;
}

/* Where level j's twiddles begin. */
WEIR_HD uint32_t N_(level_at)(const dntt_step *s, uint32_t j)
{
    return ((1u << j) - 1) << (DNTT_TILE_LOG2 - N_EACH_LOG2 - s->low);
}

/* The twiddles of a step, but for those that one thread uses once (bit 0). */
WEIR_HD void N_(make_twiddles)(dntt_shared *s, const dntt_args *a, const dntt_step *st,
                               const weir_dpos *at)
{
    WEIR_NO_UNROLL
    for (uint32_t j = 0; j < N_EACH_LOG2; j++) {
        uint32_t b = N_(level_bit)(st, j), first = N_(level_at)(st, j);
        if (b == 0 || b < st->from || b >= st->to) continue;
        WEIR_NO_UNROLL
        for (uint32_t m = at->thread; m < (uint32_t)DNTT_TILE >> (b + 1); m += N_(THREADS))
            dntt_twiddle(s, a, st, first + m, b, m);
    }
}

/* ---- a level */

/* (u, v) <- (u + v, u - v). Before a product v is left below 2r. */
WEIR_HD void N_(sums)(weir_dfr *x, bool before_product)
{
    WEIR_UNROLL
    for (int k = 0; k < N_(EACH) / 2; k++) {
        weir_dfr u = x[k], v = x[k + N_(EACH) / 2];
        dfr_add(&x[k], &u, &v);
        if (before_product)
            dfr_sub_lazy(&x[k + N_(EACH) / 2], &u, &v);
        else
            dfr_sub(&x[k + N_(EACH) / 2], &u, &v);
    }
}

/* Element k takes the number k rotated by `left` bits. */
WEIR_HD void N_(rotate)(weir_dfr *x, int left)
{
    weir_dfr y[N_(EACH)];
    WEIR_UNROLL
    for (int k = 0; k < N_(EACH); k++)
        y[((k << left) | (k >> (N_EACH_LOG2 - left))) & (N_(EACH) - 1)] = x[k];
    WEIR_UNROLL
    for (int k = 0; k < N_(EACH); k++) x[k] = y[k];
}

/* Twiddle of block m of level j: from shared memory, or one of its two parts. False: it is one. */
WEIR_HD bool N_(twiddle)(weir_dfr *w, const dntt_shared *s, const dntt_args *a, const dntt_step *st,
                         uint32_t j, uint32_t m, uint32_t part)
{
    uint32_t b = N_(level_bit)(st, j), number = dntt_number(a, st, b, m);
    if (number == 0) return false;
    if (b == 0) return dntt_part(w, a, st->inverse, number, part);
    uint32_t at = N_(level_at)(st, j) + m;
    dntt_get(w, &s->twiddle[0][at], &s->twiddle[1][at]);
    return true;
}

/* v <- v * twiddle. In: v < 2r from the inverse's sums. A twiddle that is used once is not made: v is multiplied by its parts. */
WEIR_HD void N_(products)(weir_dfr *x, const dntt_shared *s, const dntt_args *a,
                          const dntt_step *st, uint32_t j, const weir_dpos *at)
{
    uint32_t parts = N_(level_bit)(st, j) == 0 ? 2 : 1, above = (at->thread >> st->low) << j;
    WEIR_NO_UNROLL
    for (uint32_t part = 0; part < parts; part++) {
        WEIR_UNROLL
        for (int k = 0; k < N_(EACH) / 2; k++) {
            weir_dfr w, *v = &x[k + N_(EACH) / 2];
            /* the bits that were split on before stand lowest in k */
            if (N_(twiddle)(&w, s, a, st, j, above | ((uint32_t)k & ((1u << j) - 1)), part))
                dfr_mul(v, &w, v);
            else if (st->inverse && part == 0)
                dfr_reduce(v, v);
        }
    }
}

WEIR_HD void N_(levels)(weir_dfr *x, const dntt_shared *s, const dntt_args *a, const dntt_step *st,
                        const weir_dpos *at)
{
    N_LEVEL_LOOP
    for (uint32_t i = 0; i < N_EACH_LOG2; i++) {
        uint32_t j = st->inverse ? N_EACH_LOG2 - 1 - i : i, b = N_(level_bit)(st, j);
        bool wanted = b >= st->from && b < st->to;
        if (st->inverse) N_(rotate)(x, N_EACH_LOG2 - 1);
        if (wanted && st->inverse) N_(sums)(x, true);
        if (wanted) N_(products)(x, s, a, st, j, at);
        if (wanted && !st->inverse) N_(sums)(x, false);
        if (!st->inverse) N_(rotate)(x, 1);
    }
}

/* ---- the ends of a pass: elements `thread`, `thread` + THREADS, ... of the tile, so that neighbours are neighbours */

WEIR_HD void N_(read)(weir_dfr *x, const weir_dfr *from, const dntt_args *a, uint32_t base,
                      uint32_t e)
{
    uint32_t place = dntt_place(a, base, e);
    if (place < a->n)
        *x = from[place];
    else
        dfr_set_zero(x);
}

WEIR_HD void N_(load)(const dntt_args *a, dntt_shared *s, N_(own) * own, const weir_dpos *at)
{
    uint32_t base = dntt_base(a, at->block);
    WEIR_UNROLL
    for (uint32_t k = 0; k < N_(EACH); k++)
        N_(read)(&own->x[k], a->in, a, base, k * N_(THREADS) + at->thread);
    WEIR_UNROLL
    for (uint32_t k = 0; k < N_(EACH); k++)
        dntt_tile_put(s, k * N_(THREADS) + at->thread, &own->x[k]);
    if (!a->factor) return;
    weir_dfr x, f, next;
    N_(read)(&next, a->factor, a, base, at->thread);
    WEIR_NO_UNROLL
    for (uint32_t e = at->thread; e < DNTT_TILE; e += N_(THREADS)) {
        f = next;
        if (e + N_(THREADS) < DNTT_TILE) N_(read)(&next, a->factor, a, base, e + N_(THREADS));
        dntt_tile_get(&x, s, e);
        dfr_mul(&x, &x, &f);
        dntt_tile_put(s, e, &x);
    }
}

WEIR_HD void N_(write)(const dntt_args *a, uint32_t base, uint32_t e, const weir_dfr *x)
{
    uint32_t place = dntt_place(a, base, e);
    if (place < a->n) a->out[place] = *x;
}

WEIR_HD void N_(store)(const dntt_args *a, const dntt_shared *s, const weir_dpos *at)
{
    uint32_t base = dntt_base(a, at->block);
    weir_dfr x, minuend;
    if (a->scaled) {
        WEIR_NO_UNROLL
        for (uint32_t e = at->thread; e < DNTT_TILE; e += N_(THREADS)) {
            if (a->minuend) N_(read)(&minuend, a->minuend, a, base, e);
            dntt_tile_get(&x, s, e);
            dfr_mul(&x, &a->scale, &x);
            if (a->minuend) dfr_sub(&x, &minuend, &x);
            N_(write)(a, base, e, &x);
        }
    } else {
        WEIR_UNROLL
        for (uint32_t k = 0; k < N_(EACH); k++) {
            dntt_tile_get(&x, s, k * N_(THREADS) + at->thread);
            N_(write)(a, base, k * N_(THREADS) + at->thread, &x);
        }
    }
}

/* ---- phases */

WEIR_HD int N_(phases)(const dntt_args *a, uint32_t threads)
{
    (void)threads;
    return (int)(2 * N_(steps)(a) + 2);
}

WEIR_HD bool N_(warp_only)(int k, const dntt_args *a, uint32_t threads)
{
    (void)k;
    (void)a;
    (void)threads;
    return false;
}

/* Elements go through shared memory between two steps, but not where the inverse turns into the forward transform. */
WEIR_HD void N_(phase_put)(uint32_t i, const dntt_args *a, dntt_shared *s, N_(own) * own,
                           const weir_dpos *at)
{
    bool last = i == N_(steps)(a);
    dntt_step next, before;
    N_(step)(&next, a, last ? i - 1 : i, at);
    N_(step)(&before, a, i == 0 ? 0 : i - 1, at);
    if (i == 0) {
        N_(load)(a, s, own, at);
    } else if (last || next.low != before.low) {
        WEIR_UNROLL
        for (uint32_t k = 0; k < N_(EACH); k++)
            dntt_tile_put(s, N_(element)(before.low, at->thread, k), &own->x[k]);
    }
    if (!last) N_(make_twiddles)(s, a, &next, at);
}

WEIR_HD void N_(phase_step)(uint32_t i, const dntt_args *a, dntt_shared *s, N_(own) * own,
                            const weir_dpos *at)
{
    dntt_step now, before;
    N_(step)(&now, a, i, at);
    N_(step)(&before, a, i == 0 ? 0 : i - 1, at);
    if (i == 0 || now.low != before.low) {
        WEIR_UNROLL
        for (uint32_t k = 0; k < N_(EACH); k++)
            dntt_tile_get(&own->x[k], s, N_(element)(now.low, at->thread, k));
    }
    N_(levels)(own->x, s, a, &now, at);
}

WEIR_HD void N_(phase)(int k, const dntt_args *a, dntt_shared *s, N_(own) * own,
                       const weir_dpos *at)
{
    uint32_t i = (uint32_t)k / 2;
    if (k % 2 == 0)
        N_(phase_put)(i, a, s, own, at);
    else if (i == N_(steps)(a))
        N_(store)(a, s, at);
    else
        N_(phase_step)(i, a, s, own, at);
}
