/* Poseidon's permutation, eight hashes at a time, one in each lane; included by poseidon_path.c on the ifma path. It gives
 * the bytes of the scalar form. Method and figures: docs/poseidon.md.
 *
 * Bounds (multiples of r, see field/mont52.inc.h; R is 35.3). Constants are below 1, so a sum of n products of elements
 * below A is below n A / 35.3 + 1 after its reduction. For the largest width, 17, and 59 partial rounds:
 *   first round: loaded and keyed x < 17, x^2 < 9.2, x^4 < 3.4, x^5 + key < 3.7; mixed < 17 * 3.7 / 35.3 + 1 < 2.8
 *   full rounds: x < 2.8 gives x^5 + key < 2.1, mixed < 2.1
 *   partial rounds: a block adds less than 4 * 2.5 / 35.3 + 1 < 1.3 to elements 1..16, so after 15 blocks they are below
 *     2.1 + 15 * 1.3 = 21.6; element 0 is below (16 * 21.6 + 4 * 2.5) / 35.3 + 1 < 11.1, its x^5 + key below 2.5
 *   full rounds after them: x < 21.6 gives x^2 < 14.3, x^4 < 6.8, x^5 + key < 6.2, mixed < 4; then x < 4 gives x^5 + key
 *     < 2.2 and mixed < 2.1
 * all of it within what a vector holds (35.3) and store takes (47). Words of a sum: at most 20 products, each adds less
 * than 9 * 2^52 to a word, so they stay below 2^60.
 */
#ifndef WEIR_HASH_POSEIDON_X8_INC_H
#define WEIR_HASH_POSEIDON_X8_INC_H

#include "field/fr_x8.h"
#include "hash/poseidon.h"

enum { X8_LANES = 8, X8_LIMBS = 5, X8_WORDS = 2 * X8_LIMBS, X8_WIDTH = WEIR_POSEIDON_MAX_WIDTH };

_Static_assert(WEIR_POSEIDON_MAX_WIDTH == 17 && WEIR_POSEIDON_BLOCK == 4, "the bounds above");

/* ---- sums of products, reduced once */

/* t += sum over k of a[k] b[k]. The low and the high halves of the products have words of their own, so that an addition
 * waits for half as many others. */
static __attribute__((noinline)) void sum_x8(weir_v8 *t, const weir_fr_x8 *a, const weir_fr52 *b,
                                             unsigned n)
{
    weir_v8 lo[X8_WORDS - 1], hi[X8_WORDS - 1];
#pragma GCC unroll 16
    for (int j = 0; j < X8_WORDS - 1; j++) {
        lo[j] = t[j];
        hi[j] = v8_set((uint64_t)0);
    }
    hi[X8_WORDS - 2] = t[X8_WORDS - 1];
    for (; n; n--, a++, b++) {
        weir_v8 y[X8_LIMBS];
#pragma GCC unroll 8
        for (int j = 0; j < X8_LIMBS; j++) y[j] = v8_set(b->l[j]);
#pragma GCC unroll 8
        for (int i = 0; i < X8_LIMBS; i++) {
            const weir_v8 x = a->l[i];
#pragma GCC unroll 8
            for (int j = 0; j < X8_LIMBS; j++) {
                v8_madd52lo(&lo[i + j], &x, &y[j]);
                v8_madd52hi(&hi[i + j], &x, &y[j]);
            }
        }
    }
    t[0] = lo[0];
#pragma GCC unroll 16
    for (int j = 1; j < X8_WORDS - 1; j++) t[j] = lo[j] + hi[j - 1];
    t[X8_WORDS - 1] = hi[X8_WORDS - 2];
}

/* r = t / R */
static __attribute__((noinline)) void redc_x8(weir_fr_x8 *r, const weir_v8 *t)
{
    weir_v8 u[X8_WORDS];
#pragma GCC unroll 16
    for (int j = 0; j < X8_WORDS; j++) u[j] = t[j];
    fr_x8_redc(r, u);
}

static __attribute__((noinline)) void sqr_x8(weir_fr_x8 *r, const weir_fr_x8 *a)
{
    fr_x8_sqr(r, a);
}

/* r = a b + key; the key joins the words above R, so that one pass of carries serves both. */
static __attribute__((noinline)) void mul_key_x8(weir_fr_x8 *r, const weir_fr_x8 *a,
                                                 const weir_fr_x8 *b, const weir_fr52 *key)
{
    weir_v8 t[X8_WORDS];
    fr_x8_clear(t);
    if (key) {
#pragma GCC unroll 8
        for (int j = 0; j < X8_LIMBS; j++) t[X8_LIMBS + j] = v8_set(key->l[j]);
    }
    fr_x8_product(t, a, b);
    fr_x8_redc(r, t);
}

static void set_x8(weir_fr_x8 *r, const weir_fr52 *a)
{
    for (int j = 0; j < X8_LIMBS; j++) r->l[j] = v8_set(a->l[j]);
}

/* ---- the trace */

/* Where the eight traces stand; NULL if none are written. */
typedef struct traces_at {
    weir_fr *const *trace;
    size_t at;
} traces_at;

static void trace_one_x8(traces_at *w, const weir_fr_x8 *a)
{
    uint64_t *p[X8_LANES];
    for (int k = 0; k < X8_LANES; k++) p[k] = w->trace[k][w->at].l;
    w->at += 1;
    fr_x8_store(p, a);
}

/* Two neighbours: one move of eight words a lane. */
static __attribute__((noinline)) void trace_pair_x8(traces_at *w, const weir_fr_x8 *a,
                                                    const weir_fr_x8 *b)
{
    weir_v8 u[8], v[8];
    uint64_t *p[X8_LANES];
    fr_x8_to_words(u, a);
    fr_x8_to_words(v, b);
#pragma GCC unroll 8
    for (int i = 0; i < 4; i++) u[4 + i] = v[i];
    for (int k = 0; k < X8_LANES; k++) p[k] = w->trace[k][w->at].l;
    w->at += 2;
    v8_scatter_rows(p, u, 8);
}

/* ---- the permutation */

/* s = s^5 + key for n elements, step by step, as the steps of one element wait for each other. Columns as sbox of
 * poseidon_path.c. */
static void sboxes_x8(weir_fr_x8 *s, const weir_fr52 *key, unsigned n, traces_at *w, bool with_x)
{
    weir_fr_x8 q[X8_WIDTH], q4[X8_WIDTH], y[X8_WIDTH];
    for (unsigned i = 0; i < n; i++) sqr_x8(&q[i], &s[i]);
    for (unsigned i = 0; i < n; i++) sqr_x8(&q4[i], &q[i]);
    for (unsigned i = 0; i < n; i++) mul_key_x8(&y[i], &s[i], &q4[i], key ? &key[i] : NULL);
    for (unsigned i = 0; i < n; i++) {
        if (w && with_x) {
            trace_pair_x8(w, &s[i], &q[i]);
            trace_pair_x8(w, &q4[i], &y[i]);
        } else if (w) {
            trace_pair_x8(w, &q[i], &q4[i]);
            trace_one_x8(w, &y[i]);
        }
        s[i] = y[i];
    }
}

/* r = the sum over k of a[k] b[k] and, if there is one, addend. */
static void dot_x8(weir_fr_x8 *r, const weir_fr_x8 *addend, const weir_fr_x8 *a, const weir_fr52 *b,
                   unsigned n)
{
    weir_v8 t[X8_WORDS];
    for (int j = 0; j < X8_WORDS; j++) t[j] = v8_set((uint64_t)0);
    if (addend)
        for (int j = 0; j < X8_LIMBS; j++) t[X8_LIMBS + j] = addend->l[j];
    sum_x8(t, a, b, n);
    redc_x8(r, t);
}

/* by_columns: column j is b + j w. */
static void mix_dense_x8(weir_fr_x8 *s, const weir_fr52 *by_columns, unsigned w)
{
    weir_fr_x8 t[X8_WIDTH];
    for (unsigned j = 0; j < w; j++) dot_x8(&t[j], NULL, s, by_columns + j * w, w);
    for (unsigned j = 0; j < w; j++) s[j] = t[j];
}

/* k partial rounds (see weir_poseidon_block_elems). Element 0 stands apart, and behind the others stand the S-box outputs,
 * so that a round's sum runs over neighbours. The steps of an S-box wait for each other, so the sum over what is known
 * already is done between them. */
static const weir_fr52 *block_x8(weir_fr_x8 *first, weir_fr_x8 *rest, const weir_fr52 *b,
                                 const weir_fr52 *key, unsigned w, unsigned k, traces_at *at)
{
    weir_fr_x8 *const y = rest + w - 1;
    for (unsigned r = 0; r < k; r++) {
        const unsigned n = w - 1 + r, third = n / 3;
        weir_fr_x8 q, q4;
        weir_v8 t[X8_WORDS];
        for (int j = 0; j < X8_WORDS; j++) t[j] = v8_set((uint64_t)0);
        sqr_x8(&q, first);
        sum_x8(t, rest, b, third);
        sqr_x8(&q4, &q);
        sum_x8(t, rest + third, b + third, third);
        mul_key_x8(&y[r], first, &q4, &key[r]);
        if (at) {
            trace_pair_x8(at, first, &q);
            trace_pair_x8(at, &q4, &y[r]);
        }
        sum_x8(t, rest + 2 * third, b + 2 * third, n + 1 - 2 * third);
        redc_x8(first, t);
        b += n + 1;
    }
    for (unsigned j = 0; j + 1 < w; j++, b += k) dot_x8(&rest[j], &rest[j], y, b, k);
    return b;
}

static void partial_rounds_x8(const weir_poseidon *p, weir_fr_x8 *s, const weir_fr52 *key,
                              traces_at *at)
{
    const weir_fr52 *b = p->x8_blocks;
    for (unsigned r = 0; r < p->partial_rounds;) {
        const unsigned left = p->partial_rounds - r;
        const unsigned k = left < WEIR_POSEIDON_BLOCK ? left : WEIR_POSEIDON_BLOCK;
        b = block_x8(&s[0], s + 1, b, key + r, p->width, k, at);
        r += k;
    }
}

/* Eight hashes; trace may be NULL. */
static void permute_x8(const weir_poseidon *p, weir_fr_x8 *out, traces_at *at,
                       const weir_fr *const preimage[X8_LANES])
{
    enum { HALF = WEIR_POSEIDON_FULL_ROUNDS / 2 };
    const unsigned w = p->width, rp = p->partial_rounds;
    const weir_fr52 *key = p->x8_keys + 2 * w;
    weir_fr_x8 s[X8_WIDTH + WEIR_POSEIDON_BLOCK];
    set_x8(&s[0], &p->x8_keys[WEIR_POSEIDON_FULL_ROUNDS * w + rp]);
    for (unsigned i = 1; i < w; i++) {
        const uint64_t *lane[X8_LANES];
        weir_fr_x8 k;
        for (int l = 0; l < X8_LANES; l++) lane[l] = preimage[l][i - 1].l;
        fr_x8_load(&s[i], lane);
        set_x8(&k, &p->x8_keys[i]);
        fr_x8_add(&s[i], &s[i], &k);
    }
    sboxes_x8(s + 1, p->x8_keys + w + 1, w - 1, at, false);
    mix_dense_x8(s, p->x8_mds, w);
    for (unsigned r = 1; r < HALF; r++, key += w) {
        sboxes_x8(s, key, w, at, true);
        mix_dense_x8(s, r == HALF - 1 ? p->x8_pre_sparse : p->x8_mds, w);
    }
    partial_rounds_x8(p, s, key, at);
    key += rp;
    for (unsigned r = 0; r < HALF - 1; r++, key += w) {
        sboxes_x8(s, key, w, at, true);
        mix_dense_x8(s, p->x8_mds, w);
    }
    sboxes_x8(s, NULL, w, at, true);
    dot_x8(out, NULL, s, p->x8_mds + w, w);
    if (at) trace_one_x8(at, out);
}

/* ---- n hashes: whole vectors, then what is left in one with idle lanes, which repeat the first. A single hash is
 * faster by itself and stays with the caller. Both return how many are done. */

static size_t lanes_of(size_t left)
{
    return left == 1 ? 0 : left < X8_LANES ? left : X8_LANES;
}

static size_t hash_x8(const weir_poseidon *p, weir_fr *out, const weir_fr *preimages, size_t n)
{
    size_t done = 0;
    for (size_t lanes; (lanes = lanes_of(n - done)) != 0; done += lanes) {
        const weir_fr *from[X8_LANES];
        uint64_t *to[X8_LANES];
        weir_fr_x8 result;
        for (size_t k = 0; k < X8_LANES; k++) {
            const size_t i = done + (k < lanes ? k : 0);
            from[k] = preimages + i * p->arity;
            to[k] = out[i].l;
        }
        permute_x8(p, &result, NULL, from);
        fr_x8_store(to, &result);
    }
    return done;
}

static size_t traces_x8(const weir_poseidon *p, weir_fr *const *trace,
                        const weir_fr *const *preimage, size_t n)
{
    size_t done = 0;
    for (size_t lanes; (lanes = lanes_of(n - done)) != 0; done += lanes) {
        const weir_fr *from[X8_LANES];
        weir_fr *to[X8_LANES];
        weir_fr_x8 result;
        for (size_t k = 0; k < X8_LANES; k++) {
            const size_t i = done + (k < lanes ? k : 0);
            from[k] = preimage[i];
            to[k] = trace[i];
        }
        traces_at at = {to, 0};
        permute_x8(p, &result, &at, from);
    }
    return done;
}

#endif
