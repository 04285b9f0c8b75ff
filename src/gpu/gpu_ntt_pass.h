/* A pass of a transform (gpu_ntt.h) as a kernel in phases, eight elements a thread. C and C++ (CUDA) both include this header.
 *
 * Elements and twiddles come to shared memory in the first phase. A step is three levels on the 8 elements that a thread gets to
 * its registers and puts back where it got them, so one barrier a step is enough. The twiddles of all levels, but for those of
 * bits 0 and 1 which one thread uses, lie in shared memory: those of block m on the level that splits on bit b at 2^(10 - b) + m, so that
 * the two below number h are 2h and 2h + 1. Where the inverse turns into the forward transform they are made again.
 * Results go to memory by way of shared memory, so that every store fills whole sectors.
 *
 * Cost of a pass of L levels: L/2 products an element, and one more for each twiddle that is made of two parts. Twiddles that are
 * one are skipped where they are so for all threads: in the first step of the top pass, or the inverse's last.
 * Bounds: elements and twiddles below r.
 * Registers: elements take 64 of 128, a product 32 more. Three things keep ptxas within the rest: no value goes from one phase
 * to the next, the thread's number is hidden from what lifts invariants out of the loop over phases, and there are the
 * branches that dntt8_ctx describes.
 */
#ifndef WEIR_GPU_NTT_PASS_H
#define WEIR_GPU_NTT_PASS_H

#include "gpu/gpu_ntt.h"

enum { DNTT8_EACH = 8, DNTT8_THREADS = DNTT_TILE / 8, DNTT8_TOP = DNTT_TILE_LOG2 - 3 };

typedef dntt_args dntt8_args;
typedef dntt_shared dntt8_shared;
typedef struct dntt8_own {
    char none; /* everything is in shared memory between phases */
} dntt8_own;

/* ---- steps: four at most each way, of bits 8 to 10, 5 to 7, 2 to 4, 0 and 1 */

WEIR_HD uint32_t dntt8_low(uint32_t rank)
{
    return rank == 3 ? 0 : DNTT8_TOP - 3 * rank;
}

/* The step that splits on bit b. */
WEIR_HD uint32_t dntt8_rank(uint32_t b)
{
    return (b < 8) + (b < 5) + (b < 2);
}

WEIR_HD uint32_t dntt8_steps_one_way(const dntt_args *a)
{
    return dntt8_rank(a->bit_from) - dntt8_rank(a->bit_to - 1) + 1;
}

WEIR_HD bool dntt8_turns(const dntt_args *a)
{
    return a->inverse != DNTT_NONE && a->forward != DNTT_NONE;
}

WEIR_HD uint32_t dntt8_steps(const dntt_args *a)
{
    return dntt8_steps_one_way(a) << dntt8_turns(a);
}

WEIR_HD bool dntt8_is_inverse(const dntt_args *a, uint32_t i)
{
    return a->inverse != DNTT_NONE && i < dntt8_steps_one_way(a);
}

/* Inverse steps go up, forward steps down. */
WEIR_HD uint32_t dntt8_step_low(const dntt_args *a, uint32_t i)
{
    if (dntt8_is_inverse(a, i)) return dntt8_low(dntt8_rank(a->bit_from) - i);
    return dntt8_low(dntt8_rank(a->bit_to - 1) + i - (dntt8_turns(a) ? dntt8_steps_one_way(a) : 0));
}

WEIR_HD void dntt8_step(dntt_step *s, const dntt_args *a, uint32_t i, const weir_dpos *at)
{
    s->inverse = dntt8_is_inverse(a, i);
    s->low = dntt8_step_low(a, i);
    s->to = s->low == 0 && a->bit_to > 2 ? 2 : a->bit_to;
    s->from = a->bit_from;
    s->place = dntt_base(a, at->block) + a->origin +
               ((s->inverse ? a->inverse : a->forward) == DNTT_COSET ? a->coset : 0);
}

/* The number in the tile of the thread's element 0 in a step. */
WEIR_HD uint32_t dntt8_first(uint32_t low, uint32_t thread)
{
    return (thread >> low) << (low + 3) | (thread & ((1u << low) - 1));
}

/* The thread's elements to shared memory or from there; low is a constant, so that slots are too but for the first. */
WEIR_HD void dntt8_move(dntt_shared *s, uint32_t low, weir_dfr *x, bool put, const weir_dpos *at)
{
    dntt_half *of = &s->tile[dntt_slot(dntt8_first(low, at->thread))];
    WEIR_UNROLL
    for (uint32_t k = 0; k < DNTT8_EACH; k++) {
        if (put)
            dntt_put(of + dntt_slot(k << low), DNTT_UPPER, &x[k]);
        else
            dntt_get(&x[k], of + dntt_slot(k << low), DNTT_UPPER);
    }
}

WEIR_HD void dntt8_move_all(dntt_shared *s, uint32_t low, weir_dfr *x, bool put,
                            const weir_dpos *at)
{
    if (low == 8)
        dntt8_move(s, 8, x, put, at);
    else if (low == 5)
        dntt8_move(s, 5, x, put, at);
    else if (low == 2)
        dntt8_move(s, 2, x, put, at);
    else
        dntt8_move(s, 0, x, put, at);
}

/* ---- twiddles of a tile */

/* Twiddle h > 0 of the tile is of the level that splits on bit 10 - log2 h. */
WEIR_HD uint32_t dntt8_tile_number(const dntt_args *a, const dntt_step *st, uint32_t h)
{
    uint32_t level = 0;
    WEIR_UNROLL
    for (uint32_t i = 1; i < DNTT_TILE_LOG2 - 2; i++) level += h >> i != 0;
    return dntt_number(a, st, DNTT_TILE_LOG2 - 1 - level, h - (1u << level));
}

/* The parts of a thread's two are asked for at once. */
WEIR_HD void dntt8_make_twiddles(dntt_shared *s, const dntt_args *a, const dntt_step *st,
                                 const weir_dpos *at)
{
    enum { EACH = DNTT_TWIDDLES / DNTT8_THREADS };
    uint32_t from = 1u << (DNTT_TILE_LOG2 - a->bit_to), to = 1u << (DNTT_TILE_LOG2 - a->bit_from);
    weir_dfr w[EACH], part[EACH];
    uint32_t high[EACH];
    WEIR_UNROLL
    for (uint32_t i = 0; i < EACH; i++) {
        uint32_t h = at->thread + i * DNTT8_THREADS;
        high[i] = 0;
        if (h < from || h >= to) continue;
        dntt_low_part(&w[i], &high[i], a, st->inverse, dntt8_tile_number(a, st, h));
        if (high[i]) part[i] = a->hi[high[i]];
    }
    WEIR_UNROLL
    for (uint32_t i = 0; i < EACH; i++) {
        uint32_t h = at->thread + i * DNTT8_THREADS;
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
typedef struct dntt8_ctx {
    const dntt_shared *s;
    const dntt_args *a;
    const dntt_step *st;
    uint32_t node, go;
} dntt8_ctx;

/* Twiddle t of level j: from shared memory or, for bits 0 and 1, made here. */
WEIR_HD void dntt8_twiddle(weir_dfr *w, const dntt8_ctx *c, uint32_t j, uint32_t t)
{
    uint32_t h = (c->node << j) + t, high;
    if (j == 0 || c->st->low > 0) {
        dntt_get(w, &c->s->twiddle[dntt_slot(h)], DNTT_TWIDDLE_UPPER);
        return;
    }
    dntt_low_part(w, &high, c->a, c->st->inverse,
                  dntt_number(c->a, c->st, 2 - j, h - (1u << (DNTT8_TOP + j))));
    if (high == 0) return;
    weir_dfr x = c->a->hi[high];
    dfr_mul(w, &x, w);
}

/* (u, v) <- (u + v, u - v) */
WEIR_HD void dntt8_sums(weir_dfr *u, weir_dfr *v)
{
    weir_dfr sum;
    dfr_add(&sum, u, v);
    dfr_sub(v, u, v);
    *u = sum;
}

/* v <- w v; i: the number of the product in the step. */
WEIR_HD void dntt8_product(weir_dfr *v, const weir_dfr *w, const dntt8_ctx *c, uint32_t i,
                           uint32_t t)
{
    if (i < (t > 0 ? c->a->n + 15 : c->go)) dfr_mul(v, w, v);
}

/* Level j of a step, if it is wanted: (u, v) <- (u + w v, u - w v), or the inverse (u + v, (u - v) / w). */
WEIR_HD void dntt8_level(weir_dfr *x, const dntt8_ctx *c, uint32_t j, bool inverse)
{
    uint32_t b = c->st->low + 2 - j, half = 4u >> j;
    uint32_t go = b >= c->st->from && b < c->st->to ? c->a->n + 16 : 0;
    WEIR_UNROLL
    for (uint32_t t = 0; t < 1u << j; t++) {
        weir_dfr *u = x + 2 * half * t, *v = u + half, w;
        dntt8_twiddle(&w, c, j, t);
        WEIR_UNROLL
        for (uint32_t i = 0; i < half; i++) {
            uint32_t number = 4 * j + half * t + i;
            if (number >= go) continue;
            if (!inverse) dntt8_product(&v[i], &w, c, number, t);
            dntt8_sums(&u[i], &v[i]);
            if (inverse) dntt8_product(&v[i], &w, c, number, t);
        }
    }
}

WEIR_HD void dntt8_context(dntt8_ctx *c, const dntt_shared *s, const dntt_args *a,
                           const dntt_step *st, const weir_dpos *at)
{
    uint32_t lowest = st->from > st->low ? st->from : st->low;
    c->s = s;
    c->a = a;
    c->st = st;
    c->node = (1u << (DNTT8_TOP - st->low)) + (at->thread >> st->low);
    c->go = a->n + 14;
    if (st->low == (uint32_t)DNTT8_TOP && dntt_number(a, st, lowest, 0) == 0) c->go = 0;
}

/* ---- the ends of a pass. By halves of elements: half h of the tile is of element h / 2, and neighbours are neighbours. */

/* From memory, with zeros where there is nothing. */
WEIR_HD void dntt8_load(dntt_shared *s, const dntt_args *a, const weir_dpos *at)
{
    const dntt_half *in = (const dntt_half *)a->in;
    uint32_t h = at->thread & 1, base = dntt_base(a, at->block);
    WEIR_UNROLL
    for (uint32_t e = at->thread / 2; e < DNTT_TILE; e += DNTT8_THREADS / 2) {
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

WEIR_HD void dntt8_store(const dntt_args *a, const dntt_shared *s, const weir_dpos *at)
{
    dntt_half *out = (dntt_half *)a->out;
    uint32_t h = at->thread & 1, base = dntt_base(a, at->block);
    WEIR_UNROLL
    for (uint32_t e = at->thread / 2; e < DNTT_TILE; e += DNTT8_THREADS / 2) {
        uint32_t place = base + dntt_offset(a, e);
        if (place < a->n) out[2 * (uint64_t)place + h] = s->tile[dntt_slot(e) + h * DNTT_UPPER];
    }
}

WEIR_HD void dntt8_read(weir_dfr *x, const weir_dfr *from, const dntt_args *a, uint32_t place)
{
    if (place < a->n)
        *x = from[place];
    else
        dfr_set_zero(x);
}

/* The elements that are the thread's in a step with `low`, times those of the factor. */
WEIR_HD void dntt8_factor(dntt_shared *s, const dntt_args *a, uint32_t low, const weir_dpos *at)
{
    uint32_t e = dntt8_first(low, at->thread), place = dntt_base(a, at->block) + dntt_offset(a, e);
    weir_dfr x, f, next;
    dntt8_read(&next, a->factor, a, place);
    WEIR_NO_UNROLL
    for (uint32_t k = 0; k < DNTT8_EACH; k++) {
        dntt_half *of = &s->tile[dntt_slot(e | k << low)];
        f = next;
        if (k + 1 < DNTT8_EACH)
            dntt8_read(&next, a->factor, a, place + dntt_offset(a, (k + 1) << low));
        dntt_get(&x, of, DNTT_UPPER);
        dfr_mul(&x, &f, &x);
        dntt_put(of, DNTT_UPPER, &x);
    }
}

/* The same elements times the scale, or the minuend less that. */
WEIR_HD void dntt8_scale(dntt_shared *s, const dntt_args *a, uint32_t low, const weir_dpos *at)
{
    uint32_t e = dntt8_first(low, at->thread), place = dntt_base(a, at->block) + dntt_offset(a, e);
    WEIR_NO_UNROLL
    for (uint32_t k = 0; k < DNTT8_EACH; k++) {
        weir_dfr x, minuend; /* here, or they would be kept from one turn to the next */
        dntt_half *of = &s->tile[dntt_slot(e | k << low)];
        dfr_set_zero(&minuend);
        if (a->minuend) dntt8_read(&minuend, a->minuend, a, place + dntt_offset(a, k << low));
        dntt_get(&x, of, DNTT_UPPER);
        dfr_mul(&x, &a->scale, &x);
        if (a->minuend) dfr_sub(&x, &minuend, &x);
        dntt_put(of, DNTT_UPPER, &x);
    }
}

/* ---- phases: the load, the steps, one more at the turn for twiddles, the store */

WEIR_HD int dntt8_phases(const dntt_args *a, uint32_t threads)
{
    (void)threads;
    return (int)(2 + dntt8_steps(a) + dntt8_turns(a));
}

WEIR_HD bool dntt8_warp_only(int k, const dntt_args *a, uint32_t threads)
{
    (void)k;
    (void)a;
    (void)threads;
    return false;
}

WEIR_HD void dntt8_inverse_step(dntt_shared *s, const dntt8_ctx *c, const weir_dpos *at)
{
    weir_dfr x[DNTT8_EACH];
    dntt8_move_all(s, c->st->low, x, false, at);
    dntt8_level(x, c, 2, true);
    dntt8_level(x, c, 1, true);
    dntt8_level(x, c, 0, true);
    dntt8_move_all(s, c->st->low, x, true, at);
}

WEIR_HD void dntt8_forward_step(dntt_shared *s, const dntt8_ctx *c, const weir_dpos *at)
{
    weir_dfr x[DNTT8_EACH];
    dntt8_move_all(s, c->st->low, x, false, at);
    dntt8_level(x, c, 0, false);
    dntt8_level(x, c, 1, false);
    dntt8_level(x, c, 2, false);
    dntt8_move_all(s, c->st->low, x, true, at);
}

WEIR_HD void dntt8_phase_step(uint32_t i, const dntt_args *a, dntt_shared *s, const weir_dpos *at)
{
    dntt_step st;
    dntt8_ctx c;
    dntt8_step(&st, a, i, at);
    dntt8_context(&c, s, a, &st, at);
    if (i == 0 && a->factor) dntt8_factor(s, a, st.low, at);
    if (st.inverse)
        dntt8_inverse_step(s, &c, at);
    else
        dntt8_forward_step(s, &c, at);
    if (i + 1 == dntt8_steps(a) && a->scaled) dntt8_scale(s, a, st.low, at);
}

/* Twiddles are made while elements are on their way. */
WEIR_HD void dntt8_phase(int k, const dntt_args *a, dntt_shared *s, dntt8_own *own,
                         const weir_dpos *at_kernel)
{
    weir_dpos here = *at_kernel;
    const weir_dpos *at = &here;
    __asm__ volatile("" : "+r"(here.thread)); /* see Registers above */
    uint32_t i = (uint32_t)k - 1, turn = dntt8_steps_one_way(a);
    bool turns = dntt8_turns(a);
    (void)own;
    if (k == 0) dntt8_load(s, a, at);
    if (k == 0 || (turns && i == turn)) {
        dntt_step st;
        dntt8_step(&st, a, k == 0 ? 0 : turn, at);
        dntt8_make_twiddles(s, a, &st, at);
        memory_copy_wait();
        return;
    }
    i -= turns && i > turn;
    if (i < dntt8_steps(a))
        dntt8_phase_step(i, a, s, at);
    else
        dntt8_store(a, s, at);
}

#endif
