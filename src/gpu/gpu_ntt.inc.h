/* A pass of a transform (gpu_ntt.h), a kernel in phases and an include-template.
 *
 * Before including, define
 *   N_(name)   the prefix
 *   N_DIRECT   1: where a thread's neighbours hold its elements' neighbours, four at least, after the last step of a pass, that step
 *              stores, but not what is scaled. 0: all results go by way of shared memory, and every store fills whole sectors
 *
 * Elements and twiddles come to shared memory in the first phase. A step is three levels on the 8 elements that a thread gets to
 * its registers and puts back where it got them, so one barrier a step is enough. The twiddles of all levels, but for those of
 * bits 0 and 1 which one thread uses, lie in shared memory: those of block m on the level that splits on bit b at 2^(10 - b) + m, so that
 * the two below number h are 2h and 2h + 1. Where the inverse turns into the forward transform they are made again.
 *
 * Cost of a pass of L levels: L/2 products an element, and one more for each twiddle that is made of two parts. Twiddles that are
 * one are skipped where they are so for all threads: in the first step of the top pass, or the inverse's last.
 * Bounds: elements and twiddles below r.
 * Registers: elements take 64 of 128, a product 32 more. Three things keep ptxas within the rest: no value goes from one phase
 * to the next, the thread's number is hidden from what lifts invariants out of the loop over phases, and there are the
 * branches that N_(ctx) describes.
 */

enum { N_(EACH) = 8, N_(THREADS) = DNTT_TILE / 8, N_(TOP) = DNTT_TILE_LOG2 - 3 };

typedef dntt_args N_(args);
typedef dntt_shared N_(shared);
typedef struct N_(own) {
    char none; /* everything is in shared memory between phases */
} N_(own);

/* ---- steps: four at most each way, of bits 8 to 10, 5 to 7, 2 to 4, 0 and 1 */

WEIR_HD uint32_t N_(low)(uint32_t rank)
{
    return rank == 3 ? 0 : N_(TOP) - 3 * rank;
}

/* The step that splits on bit b. */
WEIR_HD uint32_t N_(rank)(uint32_t b)
{
    return (b < 8) + (b < 5) + (b < 2);
}

WEIR_HD uint32_t N_(steps_one_way)(const dntt_args *a)
{
    return N_(rank)(a->bit_from) - N_(rank)(a->bit_to - 1) + 1;
}

WEIR_HD bool N_(turns)(const dntt_args *a)
{
    return a->inverse != DNTT_NONE && a->forward != DNTT_NONE;
}

WEIR_HD uint32_t N_(steps)(const dntt_args *a)
{
    return N_(steps_one_way)(a) << N_(turns)(a);
}

WEIR_HD bool N_(is_inverse)(const dntt_args *a, uint32_t i)
{
    return a->inverse != DNTT_NONE && i < N_(steps_one_way)(a);
}

/* Inverse steps go up, forward steps down. */
WEIR_HD uint32_t N_(step_low)(const dntt_args *a, uint32_t i)
{
    if (N_(is_inverse)(a, i)) return N_(low)(N_(rank)(a->bit_from) - i);
    return N_(low)(N_(rank)(a->bit_to - 1) + i - (N_(turns)(a) ? N_(steps_one_way)(a) : 0));
}

WEIR_HD void N_(step)(dntt_step *s, const dntt_args *a, uint32_t i, const weir_dpos *at)
{
    s->inverse = N_(is_inverse)(a, i);
    s->low = N_(step_low)(a, i);
    s->to = s->low == 0 && a->bit_to > 2 ? 2 : a->bit_to;
    s->from = a->bit_from;
    s->place = dntt_base(a, at->block) + a->origin +
               ((s->inverse ? a->inverse : a->forward) == DNTT_COSET ? a->coset : 0);
}

/* The number in the tile of the thread's element 0 in a step. */
WEIR_HD uint32_t N_(first)(uint32_t low, uint32_t thread)
{
    return (thread >> low) << (low + 3) | (thread & ((1u << low) - 1));
}

/* The thread's elements to shared memory or from there; low is a constant, so that slots are too but for the first. */
WEIR_HD void N_(move)(dntt_shared *s, uint32_t low, weir_dfr *x, bool put, const weir_dpos *at)
{
    dntt_half *of = &s->tile[dntt_slot(N_(first)(low, at->thread))];
    WEIR_UNROLL
    for (uint32_t k = 0; k < N_(EACH); k++) {
        if (put)
            dntt_put(of + dntt_slot(k << low), DNTT_UPPER, &x[k]);
        else
            dntt_get(&x[k], of + dntt_slot(k << low), DNTT_UPPER);
    }
}

WEIR_HD void N_(move_all)(dntt_shared *s, uint32_t low, weir_dfr *x, bool put, const weir_dpos *at)
{
    if (low == 8)
        N_(move)(s, 8, x, put, at);
    else if (low == 5)
        N_(move)(s, 5, x, put, at);
    else if (low == 2)
        N_(move)(s, 2, x, put, at);
    else
        N_(move)(s, 0, x, put, at);
}

/* ---- twiddles of a tile */

/* Twiddle h > 0 of the tile is of the level that splits on bit 10 - log2 h. */
WEIR_HD uint32_t N_(tile_number)(const dntt_args *a, const dntt_step *st, uint32_t h)
{
    uint32_t level = 0;
    WEIR_UNROLL
    for (uint32_t i = 1; i < DNTT_TILE_LOG2 - 2; i++) level += h >> i != 0;
    return dntt_number(a, st, DNTT_TILE_LOG2 - 1 - level, h - (1u << level));
}

/* The parts of a thread's two are asked for at once. */
WEIR_HD void N_(make_twiddles)(dntt_shared *s, const dntt_args *a, const dntt_step *st,
                               const weir_dpos *at)
{
    enum { EACH = DNTT_TWIDDLES / N_(THREADS) };
    uint32_t from = 1u << (DNTT_TILE_LOG2 - a->bit_to), to = 1u << (DNTT_TILE_LOG2 - a->bit_from);
    weir_dfr w[EACH], part[EACH];
    uint32_t high[EACH];
    WEIR_UNROLL
    for (uint32_t i = 0; i < EACH; i++) {
        uint32_t h = at->thread + i * N_(THREADS);
        high[i] = 0;
        if (h < from || h >= to) continue;
        dntt_low_part(&w[i], &high[i], a, st->inverse, N_(tile_number)(a, st, h));
        if (high[i]) part[i] = a->hi[high[i]];
    }
    WEIR_UNROLL
    for (uint32_t i = 0; i < EACH; i++) {
        uint32_t h = at->thread + i * N_(THREADS);
        if (h < from || h >= to) continue;
        if (high[i]) dfr_mul(&w[i], &part[i], &w[i]);
        dntt_put(&s->twiddle[dntt_slot(h)], DNTT_TWIDDLE_UPPER, &w[i]);
    }
}

/* ---- a level */

/* What all levels of a step need. node: the number in the tile of the twiddle of the step's highest bit. go: 0 where the twiddle
 * t = 0 of each level is one for all threads, else n + 14.
 * Product i < 12 of a step is behind i < n + 16 if its level is wanted, and behind i < go for t = 0, i < n + 15 for others: that always
 * holds, but ptxas cannot see it, and as the bounds differ it does not join the branches. Without branches it works on several
 * products at once, for which there are no registers. */
typedef struct N_(ctx) {
    const dntt_shared *s;
    const dntt_args *a;
    const dntt_step *st;
    uint32_t node, go;
} N_(ctx);

/* Twiddle t of level j: from shared memory or, for bits 0 and 1, made here. */
WEIR_HD void N_(twiddle)(weir_dfr *w, const N_(ctx) * c, uint32_t j, uint32_t t)
{
    uint32_t h = (c->node << j) + t, high;
    if (j == 0 || c->st->low > 0) {
        dntt_get(w, &c->s->twiddle[dntt_slot(h)], DNTT_TWIDDLE_UPPER);
        return;
    }
    dntt_low_part(w, &high, c->a, c->st->inverse,
                  dntt_number(c->a, c->st, 2 - j, h - (1u << (N_(TOP) + j))));
    if (high == 0) return;
    weir_dfr x = c->a->hi[high];
    dfr_mul(w, &x, w);
}

/* (u, v) <- (u + v, u - v) */
WEIR_HD void N_(sums)(weir_dfr *u, weir_dfr *v)
{
    weir_dfr sum;
    dfr_add(&sum, u, v);
    dfr_sub(v, u, v);
    *u = sum;
}

/* v <- w v; i: the number of the product in the step. */
WEIR_HD void N_(product)(weir_dfr *v, const weir_dfr *w, const N_(ctx) * c, uint32_t i, uint32_t t)
{
    if (i < (t > 0 ? c->a->n + 15 : c->go)) dfr_mul(v, w, v);
}

/* Level j of a step, if it is wanted: (u, v) <- (u + w v, u - w v), or the inverse (u + v, (u - v) / w). */
WEIR_HD void N_(level)(weir_dfr *x, const N_(ctx) * c, uint32_t j, bool inverse)
{
    uint32_t b = c->st->low + 2 - j, half = 4u >> j;
    uint32_t go = b >= c->st->from && b < c->st->to ? c->a->n + 16 : 0;
    WEIR_UNROLL
    for (uint32_t t = 0; t < 1u << j; t++) {
        weir_dfr *u = x + 2 * half * t, *v = u + half, w;
        N_(twiddle)(&w, c, j, t);
        WEIR_UNROLL
        for (uint32_t i = 0; i < half; i++) {
            uint32_t number = 4 * j + half * t + i;
            if (number >= go) continue;
            if (!inverse) N_(product)(&v[i], &w, c, number, t);
            N_(sums)(&u[i], &v[i]);
            if (inverse) N_(product)(&v[i], &w, c, number, t);
        }
    }
}

WEIR_HD void N_(context)(N_(ctx) * c, const dntt_shared *s, const dntt_args *a, const dntt_step *st,
                         const weir_dpos *at)
{
    uint32_t lowest = st->from > st->low ? st->from : st->low;
    c->s = s;
    c->a = a;
    c->st = st;
    c->node = (1u << (N_(TOP) - st->low)) + (at->thread >> st->low);
    c->go = a->n + 14;
    if (st->low == (uint32_t)N_(TOP) && dntt_number(a, st, lowest, 0) == 0) c->go = 0;
}

/* ---- the ends of a pass. By halves of elements: half h of the tile is of element h / 2, and neighbours are neighbours. */

/* From memory, with zeros where there is nothing. */
WEIR_HD void N_(load)(dntt_shared *s, const dntt_args *a, const weir_dpos *at)
{
    const dntt_half *in = (const dntt_half *)a->in;
    uint32_t h = at->thread & 1, base = dntt_base(a, at->block);
    WEIR_UNROLL
    for (uint32_t e = at->thread / 2; e < DNTT_TILE; e += N_(THREADS) / 2) {
        uint32_t place = base + dntt_offset(a, e);
        dntt_half *to = &s->tile[dntt_slot(e) + h * DNTT_UPPER];
        if (place < a->n) {
            memory_copy(to, &in[2 * (uint64_t)place + h]);
        } else {
            WEIR_UNROLL
            for (int i = 0; i < 4; i++) to->w[i] = 0;
        }
    }
}

WEIR_HD void N_(store)(const dntt_args *a, const dntt_shared *s, const weir_dpos *at)
{
    dntt_half *out = (dntt_half *)a->out;
    uint32_t h = at->thread & 1, base = dntt_base(a, at->block);
    WEIR_UNROLL
    for (uint32_t e = at->thread / 2; e < DNTT_TILE; e += N_(THREADS) / 2) {
        uint32_t place = base + dntt_offset(a, e);
        if (place < a->n) out[2 * (uint64_t)place + h] = s->tile[dntt_slot(e) + h * DNTT_UPPER];
    }
}

/* From registers. */
WEIR_HD void N_(store_own)(const dntt_args *a, uint32_t low, const weir_dfr *x, const weir_dpos *at)
{
    uint32_t e = N_(first)(low, at->thread), first = dntt_base(a, at->block) + dntt_offset(a, e);
    WEIR_UNROLL
    for (uint32_t k = 0; k < N_(EACH); k++) {
        uint32_t place = first + dntt_offset(a, k << low);
        if (place < a->n) a->out[place] = x[k];
    }
}

WEIR_HD void N_(read)(weir_dfr *x, const weir_dfr *from, const dntt_args *a, uint32_t place)
{
    if (place < a->n)
        *x = from[place];
    else
        dfr_set_zero(x);
}

/* The elements that are the thread's in a step with `low`, times those of the factor. */
WEIR_HD void N_(factor)(dntt_shared *s, const dntt_args *a, uint32_t low, const weir_dpos *at)
{
    uint32_t e = N_(first)(low, at->thread), place = dntt_base(a, at->block) + dntt_offset(a, e);
    weir_dfr x, f, next;
    N_(read)(&next, a->factor, a, place);
    WEIR_NO_UNROLL
    for (uint32_t k = 0; k < N_(EACH); k++) {
        dntt_half *of = &s->tile[dntt_slot(e | k << low)];
        f = next;
        if (k + 1 < N_(EACH)) N_(read)(&next, a->factor, a, place + dntt_offset(a, (k + 1) << low));
        dntt_get(&x, of, DNTT_UPPER);
        dfr_mul(&x, &f, &x);
        dntt_put(of, DNTT_UPPER, &x);
    }
}

/* The same elements times the scale, or the minuend less that. */
WEIR_HD void N_(scale)(dntt_shared *s, const dntt_args *a, uint32_t low, const weir_dpos *at)
{
    uint32_t e = N_(first)(low, at->thread), place = dntt_base(a, at->block) + dntt_offset(a, e);
    WEIR_NO_UNROLL
    for (uint32_t k = 0; k < N_(EACH); k++) {
        weir_dfr x, minuend; /* here, or they would be kept from one turn to the next */
        dntt_half *of = &s->tile[dntt_slot(e | k << low)];
        dfr_set_zero(&minuend);
        if (a->minuend) N_(read)(&minuend, a->minuend, a, place + dntt_offset(a, k << low));
        dntt_get(&x, of, DNTT_UPPER);
        dfr_mul(&x, &a->scale, &x);
        if (a->minuend) dfr_sub(&x, &minuend, &x);
        dntt_put(of, DNTT_UPPER, &x);
    }
}

/* ---- phases: the load, the steps, one more at the turn for twiddles, the store */

/* Whether the last step stores. */
WEIR_HD bool N_(stores_itself)(const dntt_args *a)
{
    return N_DIRECT && !a->scaled && N_(step_low)(a, N_(steps)(a) - 1) >= 2;
}

WEIR_HD int N_(phases)(const dntt_args *a, uint32_t threads)
{
    (void)threads;
    return (int)(1 + N_(steps)(a) + N_(turns)(a) + !N_(stores_itself)(a));
}

WEIR_HD bool N_(warp_only)(int k, const dntt_args *a, uint32_t threads)
{
    (void)k;
    (void)a;
    (void)threads;
    return false;
}

/* To where the elements came from, or to memory. */
WEIR_HD void N_(end_step)(dntt_shared *s, const N_(ctx) * c, weir_dfr *x, bool store,
                          const weir_dpos *at)
{
    if (store)
        N_(store_own)(c->a, c->st->low, x, at);
    else
        N_(move_all)(s, c->st->low, x, true, at);
}

WEIR_HD void N_(inverse_step)(dntt_shared *s, const N_(ctx) * c, bool store, const weir_dpos *at)
{
    weir_dfr x[N_(EACH)];
    N_(move_all)(s, c->st->low, x, false, at);
    N_(level)(x, c, 2, true);
    N_(level)(x, c, 1, true);
    N_(level)(x, c, 0, true);
    N_(end_step)(s, c, x, store, at);
}

WEIR_HD void N_(forward_step)(dntt_shared *s, const N_(ctx) * c, bool store, const weir_dpos *at)
{
    weir_dfr x[N_(EACH)];
    N_(move_all)(s, c->st->low, x, false, at);
    N_(level)(x, c, 0, false);
    N_(level)(x, c, 1, false);
    N_(level)(x, c, 2, false);
    N_(end_step)(s, c, x, store, at);
}

WEIR_HD void N_(phase_step)(uint32_t i, const dntt_args *a, dntt_shared *s, const weir_dpos *at)
{
    dntt_step st;
    N_(ctx) c;
    bool last = i + 1 == N_(steps)(a);
    N_(step)(&st, a, i, at);
    N_(context)(&c, s, a, &st, at);
    if (i == 0 && a->factor) N_(factor)(s, a, st.low, at);
    bool store = last && N_(stores_itself)(a);
    if (st.inverse)
        N_(inverse_step)(s, &c, store, at);
    else
        N_(forward_step)(s, &c, store, at);
    if (last && a->scaled) N_(scale)(s, a, st.low, at);
}

/* Twiddles are made while elements are on their way. */
WEIR_HD void N_(phase)(int k, const dntt_args *a, dntt_shared *s, N_(own) * own,
                       const weir_dpos *at_kernel)
{
    weir_dpos here = *at_kernel;
    const weir_dpos *at = &here;
    __asm__ volatile("" : "+r"(here.thread)); /* see Registers above */
    uint32_t i = (uint32_t)k - 1, turn = N_(steps_one_way)(a);
    bool turns = N_(turns)(a);
    (void)own;
    if (k == 0) N_(load)(s, a, at);
    if (k == 0 || (turns && i == turn)) {
        dntt_step st;
        N_(step)(&st, a, k == 0 ? 0 : turn, at);
        N_(make_twiddles)(s, a, &st, at);
        memory_copy_wait();
        return;
    }
    i -= turns && i > turn;
    if (i < N_(steps)(a))
        N_(phase_step)(i, a, s, at);
    else
        N_(store)(a, s, at);
}
