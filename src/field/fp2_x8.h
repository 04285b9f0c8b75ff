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

/* b <= 2^kb. Four products and two reductions: as many instructions as Karatsuba's three of each, and better bounds. */
V8_INLINE void fp2_x8_mul(weir_fp2_x8 *r, const weir_fp2_x8 *a, const weir_fp2_x8 *b, int kb)
{
    weir_v8 t[16];
    weir_fp_x8 minus_b1, c0;
    fp_x8_neg(&minus_b1, &b->c1, kb);
    fp_x8_clear(t);
    fp_x8_product(t, &a->c0, &b->c0);
    fp_x8_product(t, &a->c1, &minus_b1);
    fp_x8_redc(&c0, t);
    fp_x8_clear(t);
    fp_x8_product(t, &a->c0, &b->c1);
    fp_x8_product(t, &a->c1, &b->c0);
    fp_x8_redc(&r->c1, t);
    r->c0 = c0;
}

/* a <= 2^ka. (a0 + a1)(a0 - a1), 2 a0 a1. */
V8_INLINE void fp2_x8_sqr(weir_fp2_x8 *r, const weir_fp2_x8 *a, int ka)
{
    weir_fp_x8 s, d, t;
    fp_x8_add(&s, &a->c0, &a->c1);
    fp_x8_sub(&d, &a->c0, &a->c1, ka);
    fp_x8_add(&t, &a->c0, &a->c0);
    fp_x8_mul(&r->c1, &t, &a->c1);
    fp_x8_mul(&r->c0, &s, &d);
}

#endif
