/* What the curve needs of Fp and Fp2 eight lanes wide (field/fp_x8.h): products as functions, tests, conversions, powers.
 *
 * For files compiled per instruction path. A product is 4 to 8 KB of code, so here it is a function, not inlined; where
 * two products are independent they are asked for together, which takes less time than one after the other.
 *
 * Bounds are multiples of p. One rule serves all formulas: operands of a product are below 2^8, with normal limbs, and
 * then its result is below 2 (R is above 2^35 p: 2 * 2^8 * 2^8 / 2^35 + 1). Sums carry whatever stays below 2^8.
 */
#ifndef WEIR_CURVE_LANES_H
#define WEIR_CURVE_LANES_H

#include "field/fp2.h"
#include "field/fp2_x8.h"

#define LANES_FN static __attribute__((noinline, unused)) void

/* The exponent of b in fp2_x8_mul, and of a in fp2_x8_sqr: the rule above. */
enum { LANES_LOG_BOUND = 8 };

/* ---- products */

LANES_FN fp_lanes_mul(weir_fp_x8 *r, const weir_fp_x8 *a, const weir_fp_x8 *b)
{
    fp_x8_mul(r, a, b);
}

LANES_FN fp_lanes_mul2(weir_fp_x8 *r0, const weir_fp_x8 *a0, const weir_fp_x8 *b0, weir_fp_x8 *r1,
                       const weir_fp_x8 *a1, const weir_fp_x8 *b1)
{
    fp_x8_mul2((weir_fp_x8 *const[]){r0, r1}, (const weir_fp_x8 *const[]){a0, a1},
               (const weir_fp_x8 *const[]){b0, b1});
}

LANES_FN fp_lanes_sqr(weir_fp_x8 *r, const weir_fp_x8 *a)
{
    fp_x8_sqr(r, a);
}

LANES_FN fp_lanes_sqr2(weir_fp_x8 *r0, const weir_fp_x8 *a0, weir_fp_x8 *r1, const weir_fp_x8 *a1)
{
    fp_x8_sqr2((weir_fp_x8 *const[]){r0, r1}, (const weir_fp_x8 *const[]){a0, a1});
}

LANES_FN fp2_lanes_mul(weir_fp2_x8 *r, const weir_fp2_x8 *a, const weir_fp2_x8 *b)
{
    fp2_x8_mul(r, a, b, LANES_LOG_BOUND);
}

LANES_FN fp2_lanes_sqr(weir_fp2_x8 *r, const weir_fp2_x8 *a)
{
    fp2_x8_sqr(r, a, LANES_LOG_BOUND);
}

/* A product in Fp2 has two chains already: those of its coordinates. */
LANES_FN fp2_lanes_mul2(weir_fp2_x8 *r0, const weir_fp2_x8 *a0, const weir_fp2_x8 *b0,
                        weir_fp2_x8 *r1, const weir_fp2_x8 *a1, const weir_fp2_x8 *b1)
{
    fp2_lanes_mul(r0, a0, b0);
    fp2_lanes_mul(r1, a1, b1);
}

LANES_FN fp2_lanes_sqr2(weir_fp2_x8 *r0, const weir_fp2_x8 *a0, weir_fp2_x8 *r1,
                        const weir_fp2_x8 *a1)
{
    fp2_lanes_sqr(r0, a0);
    fp2_lanes_sqr(r1, a1);
}

/* r0 = a0 b0, r1 = a1^2 */
LANES_FN fp_lanes_mul_sqr(weir_fp_x8 *r0, const weir_fp_x8 *a0, const weir_fp_x8 *b0,
                          weir_fp_x8 *r1, const weir_fp_x8 *a1)
{
    fp_lanes_mul2(r0, a0, b0, r1, a1, a1);
}

LANES_FN fp2_lanes_mul_sqr(weir_fp2_x8 *r0, const weir_fp2_x8 *a0, const weir_fp2_x8 *b0,
                           weir_fp2_x8 *r1, const weir_fp2_x8 *a1)
{
    fp2_lanes_mul(r0, a0, b0);
    fp2_lanes_sqr(r1, a1);
}

/* ---- lanes */

static inline unsigned lanes_of_mask(const weir_v8 *mask)
{
    unsigned lanes = 0;
    for (int k = 0; k < 8; k++) lanes |= (unsigned)((*mask)[k] & 1) << k;
    return lanes;
}

static inline void lanes_to_mask(weir_v8 *mask, unsigned lanes)
{
    const weir_v8 bit = {1, 2, 4, 8, 16, 32, 64, 128};
    *mask = (weir_v8)((v8_set((uint64_t)lanes) & bit) != 0);
}

/* All ones in the lanes that are 0 mod p. In: a < 2^8. */
LANES_FN fp_lanes_zero(weir_v8 *mask, const weir_fp_x8 *a)
{
    weir_fp_x8 t = *a;
    weir_v8 zero, other = v8_set((uint64_t)0);
    fp_x8_settle(&t, 0);
    fp_x8_zero_lanes(&zero, &t);
#pragma GCC unroll 8
    for (int j = 0; j < 8; j++) other |= t.l[j] ^ fp_x8_MODULUS[j];
    *mask = zero | (weir_v8)(other == 0);
}

LANES_FN fp2_lanes_zero(weir_v8 *mask, const weir_fp2_x8 *a)
{
    weir_v8 m0, m1;
    fp_lanes_zero(&m0, &a->c0);
    fp_lanes_zero(&m1, &a->c1);
    *mask = m0 & m1;
}

/* One element in scalar form in every lane, below 2. */
LANES_FN fp_lanes_broadcast(weir_fp_x8 *r, const weir_fp *a)
{
    weir_v8 w[6];
#pragma GCC unroll 8
    for (int i = 0; i < 6; i++) w[i] = v8_set(a->l[i]);
    fp_x8_from_words(r, w);
    fp_x8_settle(r, 0);
}

LANES_FN fp2_lanes_broadcast(weir_fp2_x8 *r, const weir_fp2 *a)
{
    fp_lanes_broadcast(&r->c0, &a->c0);
    fp_lanes_broadcast(&r->c1, &a->c1);
}

/* ---- standard form */

/* The limbs of integers of six words. */
static inline void fp_lanes_split(weir_fp_x8 *r, const weir_v8 w[6])
{
#pragma GCC unroll 8
    for (int j = 0; j < 8; j++) {
        int q = 52 * j / 64, o = 52 * j % 64;
        weir_v8 v = w[q] >> o;
        if (o > 12 && q < 5) v |= w[q + 1] << (64 - o);
        r->l[j] = v & WEIR_MASK52;
    }
}

/* All ones in the lanes where a < b, both with normal limbs. */
static inline void fp_lanes_less(weir_v8 *mask, const weir_fp_x8 *a, const weir_fp_x8 *b)
{
    weir_v8 c = v8_set((uint64_t)0);
#pragma GCC unroll 8
    for (int j = 0; j < 8; j++) c = v8_sra52(c + a->l[j] - b->l[j]);
    *mask = c;
}

/* From 48 bytes a lane, big-endian, of whose first only the bits of `keep` count: r below 2, and all ones in the lanes
 * of *below whose number is below p. */
LANES_FN fp_lanes_from_be(weir_fp_x8 *r, weir_v8 *below, const uint8_t *const bytes[8],
                          uint8_t keep)
{
    static const uint64_t r2[8] = {WEIR_FP_R2_52_LIMBS};
    const weir_v8 top = v8_set(((uint64_t)keep << 56) | (((uint64_t)1 << 56) - 1));
    weir_v8 in[8], w[6];
    weir_fp_x8 p, k;
    v8_gather_bytes(in, bytes, 6);
#pragma GCC unroll 8
    for (int i = 0; i < 6; i++) {
        w[i] = in[5 - i];
        v8_swap_bytes(&w[i]);
    }
    w[5] &= top;
    fp_lanes_split(r, w);
#pragma GCC unroll 8
    for (int j = 0; j < 8; j++) {
        p.l[j] = v8_set(fp_x8_MODULUS[j]);
        k.l[j] = v8_set(r2[j]);
    }
    fp_lanes_less(below, r, &p);
    fp_lanes_mul(r, r, &k);
}

/* All ones in the lanes whose standard form is above (p - 1)/2. In: a < 2^8. */
LANES_FN fp_lanes_larger_half(weir_v8 *mask, const weir_fp_x8 *a)
{
    static const uint64_t half[6] = WEIR_FP_HALF;
    weir_v8 w[6];
    weir_fp_x8 t, h;
    fp_x8_set_zero(&t);
    t.l[0] = v8_set((uint64_t)1);
    fp_lanes_mul(&t, a, &t); /* at most p, and p only for 0 mod p */
    fp_x8_reduce_by(&t, 0);
#pragma GCC unroll 8
    for (int i = 0; i < 6; i++) w[i] = v8_set(half[i]);
    fp_lanes_split(&h, w);
    fp_lanes_less(mask, &h, &t);
}

/* As of encodings: c1 decides, c0 when c1 is zero. */
LANES_FN fp2_lanes_larger_half(weir_v8 *mask, const weir_fp2_x8 *a)
{
    weir_v8 zero, m0, m1;
    fp_lanes_zero(&zero, &a->c1);
    fp_lanes_larger_half(&m0, &a->c0);
    fp_lanes_larger_half(&m1, &a->c1);
    *mask = v8_select(zero, m0, m1);
}

/* ---- powers */

static inline void fp_lanes_sqr_n(weir_fp_x8 *r, int n)
{
    if (n == 2)
        fp_lanes_sqr2(&r[0], &r[0], &r[1], &r[1]);
    else
        fp_lanes_sqr(&r[0], &r[0]);
}

/* r[v] = r[v]^e, v < n, n = 1 or 2, for an exponent that all lanes share; below 2. Sliding windows as fp_pow. In:
 * r < 2^8, e not 0. */
LANES_FN fp_lanes_pow(weir_fp_x8 *r, int n, const uint64_t e[6])
{
    weir_fp_x8 odd[2][WEIR_POW_ODD], square;
    bool any = false;
    for (int v = 0; v < n; v++) {
        odd[v][0] = r[v];
        fp_lanes_sqr(&square, &r[v]);
        for (int k = 1; k < WEIR_POW_ODD; k++) fp_lanes_mul(&odd[v][k], &odd[v][k - 1], &square);
    }
    for (size_t i = 384, low; i > 0; i = low) {
        unsigned digit = weir_pow_window(e, i - 1, &low);
        if (any)
            for (size_t k = low; k < i; k++) fp_lanes_sqr_n(r, n);
        if (digit == 0) continue;
        if (!any)
            for (int v = 0; v < n; v++) r[v] = odd[v][digit / 2];
        else if (n == 2)
            fp_lanes_mul2(&r[0], &r[0], &odd[0][digit / 2], &r[1], &r[1], &odd[1][digit / 2]);
        else
            fp_lanes_mul(&r[0], &r[0], &odd[0][digit / 2]);
        any = true;
    }
}

/* r[v] = r[v]^((p - 3)/4), v < n: for a square a this is 1 / sqrt(a), for another 1 / sqrt(-a), and 0 for 0. */
static inline void fp_lanes_inverse_root(weir_fp_x8 *r, int n)
{
    uint64_t e[6] = WEIR_FP_SQRT_EXPONENT; /* (p + 1)/4, odd or even: its lowest limb is not 0 */
    e[0]--;
    fp_lanes_pow(r, n, e);
}

#endif
