/* Fp2, eight elements at once, on fp_x8. Bounds as in mont52.inc.h hold for each of the two coordinates.
 *
 * R is about 2^35.3 moduli, so a product of a < A and b < B has both coordinates below 2 A max(B, 2^kb) / 2^35.3 + 1. */
#ifndef WEIR_FIELD_FP2_X8_H
#define WEIR_FIELD_FP2_X8_H

#include "field/fp_x8.h"

typedef struct weir_fp2_x8 {
    weir_fp_x8 c0, c1;
} weir_fp2_x8;

/* p[k]: the twelve words of a weir_fp2. */
V8_INLINE void fp2_x8_load(weir_fp2_x8 *r, const uint64_t *const p[8])
{
    const uint64_t *q[8];
#pragma GCC unroll 8
    for (int k = 0; k < 8; k++) q[k] = p[k] + 6;
    fp_x8_load(&r->c0, p);
    fp_x8_load(&r->c1, q);
}

V8_INLINE void fp2_x8_store(uint64_t *const p[8], const weir_fp2_x8 *v)
{
    uint64_t *q[8];
#pragma GCC unroll 8
    for (int k = 0; k < 8; k++) q[k] = p[k] + 6;
    fp_x8_store(p, &v->c0);
    fp_x8_store(q, &v->c1);
}

V8_INLINE void fp2_x8_shrink(weir_fp2_x8 *r)
{
    fp_x8_shrink(&r->c0);
    fp_x8_shrink(&r->c1);
}

V8_INLINE void fp2_x8_add(weir_fp2_x8 *r, const weir_fp2_x8 *a, const weir_fp2_x8 *b)
{
    fp_x8_add(&r->c0, &a->c0, &b->c0);
    fp_x8_add(&r->c1, &a->c1, &b->c1);
}

V8_INLINE void fp2_x8_sub(weir_fp2_x8 *r, const weir_fp2_x8 *a, const weir_fp2_x8 *b, int k)
{
    fp_x8_sub(&r->c0, &a->c0, &b->c0, k);
    fp_x8_sub(&r->c1, &a->c1, &b->c1, k);
}

V8_INLINE void fp2_x8_neg(weir_fp2_x8 *r, const weir_fp2_x8 *b, int k)
{
    fp_x8_neg(&r->c0, &b->c0, k);
    fp_x8_neg(&r->c1, &b->c1, k);
}

/* Four rows of products, two of them for each coordinate, interleaved. */
V8_INLINE void fp2_x8_rows(weir_v8 t[2][16], const weir_fp2_x8 *a, const weir_fp2_x8 *b,
                           const weir_fp_x8 *minus_b1, int i)
{
    weir_v8 m[2];
    fp_x8_row_lo(t[0] + i, &a->c0.l[i], &b->c0);
    fp_x8_row_lo(t[0] + i, &a->c1.l[i], minus_b1);
    fp_x8_row_m(&m[0], t[0] + i);
    fp_x8_row_lo(t[1] + i, &a->c0.l[i], &b->c1);
    fp_x8_row_lo(t[1] + i, &a->c1.l[i], &b->c0);
    fp_x8_row_m(&m[1], t[1] + i);
    fp_x8_row_hi(t[0] + i, &a->c0.l[i], &b->c0);
    fp_x8_row_hi(t[0] + i, &a->c1.l[i], minus_b1);
    fp_x8_row_hi(t[1] + i, &a->c0.l[i], &b->c1);
    fp_x8_row_hi(t[1] + i, &a->c1.l[i], &b->c0);
    fp_x8_row_redc(t[0] + i, &m[0]);
    fp_x8_row_redc(t[1] + i, &m[1]);
}

/* b <= 2^kb. Four products and two reductions: as many instructions as Karatsuba's three of each, and better bounds. */
V8_INLINE void fp2_x8_mul(weir_fp2_x8 *r, const weir_fp2_x8 *a, const weir_fp2_x8 *b, int kb)
{
    weir_v8 t[2][16];
    weir_fp_x8 minus_b1;
    fp_x8_neg(&minus_b1, &b->c1, kb);
    fp_x8_clear(t[0]);
    fp_x8_clear(t[1]);
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) fp2_x8_rows(t, a, b, &minus_b1, i);
    fp_x8_carry(&r->c0, t[0] + 8);
    fp_x8_carry(&r->c1, t[1] + 8);
}

/* a <= 2^ka. (a0 + a1)(a0 - a1), 2 a0 a1. */
V8_INLINE void fp2_x8_sqr(weir_fp2_x8 *r, const weir_fp2_x8 *a, int ka)
{
    weir_fp_x8 s, d, t;
    fp_x8_add(&s, &a->c0, &a->c1);
    fp_x8_sub(&d, &a->c0, &a->c1, ka);
    fp_x8_add(&t, &a->c0, &a->c0);
    fp_x8_mul2((weir_fp_x8 *const[]){&r->c1, &r->c0}, (const weir_fp_x8 *const[]){&t, &s},
               (const weir_fp_x8 *const[]){&a->c1, &d});
}

/* ---- by coordinate, as in mont52.inc.h */

V8_INLINE void fp2_x8_lazy_add(weir_fp2_x8 *r, const weir_fp2_x8 *a, const weir_fp2_x8 *b)
{
    fp_x8_lazy_add(&r->c0, &a->c0, &b->c0);
    fp_x8_lazy_add(&r->c1, &a->c1, &b->c1);
}

V8_INLINE void fp2_x8_lazy_sub(weir_fp2_x8 *r, const weir_fp2_x8 *a, const weir_fp2_x8 *b)
{
    fp_x8_lazy_sub(&r->c0, &a->c0, &b->c0);
    fp_x8_lazy_sub(&r->c1, &a->c1, &b->c1);
}

V8_INLINE void fp2_x8_lazy_negate(weir_fp2_x8 *r, const weir_v8 *mask)
{
    fp_x8_lazy_negate(&r->c0, mask);
    fp_x8_lazy_negate(&r->c1, mask);
}

V8_INLINE void fp2_x8_select(weir_fp2_x8 *r, const weir_v8 *mask, const weir_fp2_x8 *a,
                             const weir_fp2_x8 *b)
{
    fp_x8_select(&r->c0, mask, &a->c0, &b->c0);
    fp_x8_select(&r->c1, mask, &a->c1, &b->c1);
}

V8_INLINE void fp2_x8_rotate(weir_fp2_x8 *r, const weir_fp2_x8 *a, int n)
{
    fp_x8_rotate(&r->c0, &a->c0, n);
    fp_x8_rotate(&r->c1, &a->c1, n);
}

V8_INLINE void fp2_x8_lift(weir_fp2_x8 *r, int k)
{
    fp_x8_lift(&r->c0, k);
    fp_x8_lift(&r->c1, k);
}

V8_INLINE void fp2_x8_settle(weir_fp2_x8 *r, int k)
{
    fp_x8_settle(&r->c0, k);
    fp_x8_settle(&r->c1, k);
}

V8_INLINE void fp2_x8_set_one(weir_fp2_x8 *r)
{
    fp_x8_set_one(&r->c0);
    fp_x8_set_zero(&r->c1);
}

/* Lanes whose words are all zero. In: as load leaves it. */
V8_INLINE void fp2_x8_zero_lanes(weir_v8 *mask, const weir_fp2_x8 *a)
{
    weir_v8 m0, m1;
    fp_x8_zero_lanes(&m0, &a->c0);
    fp_x8_zero_lanes(&m1, &a->c1);
    *mask = m0 & m1;
}

#endif
