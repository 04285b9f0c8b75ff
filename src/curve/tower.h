/* Fp6 = Fp2[v] / (v^3 - (1 + u)) and Fp12 = Fp6[w] / (w^2 - v): what the pairing needs.
 *
 * Contract as in field/fp.h: reduced in, reduced out, the result may be the same object as any input; variable
 * time. Counts: M, S product and squaring in Fp2 (3 and 2 products in Fp); additions are not counted.
 * For files compiled per instruction path. Bodies are functions, not inlined: a pairing would not fit the
 * instruction cache otherwise.
 */
#ifndef WEIR_CURVE_TOWER_H
#define WEIR_CURVE_TOWER_H

#include "curve/params_curve.h"
#include "field/fp2.h"

#define TOWER_FN static __attribute__((noinline, unused)) void

/* fp2_mul and fp2_sqr as functions of their own. */
TOWER_FN tw_mul(weir_fp2 *r, const weir_fp2 *a, const weir_fp2 *b)
{
    fp2_mul(r, a, b);
}
TOWER_FN tw_sqr(weir_fp2 *r, const weir_fp2 *a)
{
    fp2_sqr(r, a);
}

/* ---- Fp6 */

static inline void fp6_add(weir_fp6 *r, const weir_fp6 *a, const weir_fp6 *b)
{
    fp2_add(&r->c0, &a->c0, &b->c0);
    fp2_add(&r->c1, &a->c1, &b->c1);
    fp2_add(&r->c2, &a->c2, &b->c2);
}

static inline void fp6_sub(weir_fp6 *r, const weir_fp6 *a, const weir_fp6 *b)
{
    fp2_sub(&r->c0, &a->c0, &b->c0);
    fp2_sub(&r->c1, &a->c1, &b->c1);
    fp2_sub(&r->c2, &a->c2, &b->c2);
}

static inline void fp6_neg(weir_fp6 *r, const weir_fp6 *a)
{
    fp2_neg(&r->c0, &a->c0);
    fp2_neg(&r->c1, &a->c1);
    fp2_neg(&r->c2, &a->c2);
}

static inline bool fp6_eq(const weir_fp6 *a, const weir_fp6 *b)
{
    return fp2_eq(&a->c0, &b->c0) && fp2_eq(&a->c1, &b->c1) && fp2_eq(&a->c2, &b->c2);
}

/* r = a v */
static inline void fp6_mul_v(weir_fp6 *r, const weir_fp6 *a)
{
    weir_fp2 t = a->c2;
    r->c2 = a->c1;
    r->c1 = a->c0;
    fp2_mul_xi(&r->c0, &t);
}

/* r = (a0 + a1)(b0 + b1) - p0 - p1: the cross term of Karatsuba's method, 1M. */
TOWER_FN tw_cross(weir_fp2 *r, const weir_fp2 *a0, const weir_fp2 *a1, const weir_fp2 *b0,
                  const weir_fp2 *b1, const weir_fp2 *p0, const weir_fp2 *p1)
{
    weir_fp2 s, t;
    fp2_add(&s, a0, a1);
    fp2_add(&t, b0, b1);
    tw_mul(&s, &s, &t);
    fp2_sub(&s, &s, p0);
    fp2_sub(r, &s, p1);
}

/* r = a b, 6M. Source: Devegili, O hEigeartaigh, Scott, Dahab, eprint 2006/471, section 4 (Karatsuba). */
TOWER_FN fp6_mul(weir_fp6 *r, const weir_fp6 *a, const weir_fp6 *b)
{
    weir_fp2 p0, p1, p2, x01, x02, x12;
    tw_mul(&p0, &a->c0, &b->c0);
    tw_mul(&p1, &a->c1, &b->c1);
    tw_mul(&p2, &a->c2, &b->c2);
    tw_cross(&x01, &a->c0, &a->c1, &b->c0, &b->c1, &p0, &p1);
    tw_cross(&x02, &a->c0, &a->c2, &b->c0, &b->c2, &p0, &p2);
    tw_cross(&x12, &a->c1, &a->c2, &b->c1, &b->c2, &p1, &p2);
    fp2_mul_xi(&x12, &x12);
    fp2_add(&r->c0, &p0, &x12);
    fp2_mul_xi(&p2, &p2);
    fp2_add(&r->c1, &x01, &p2);
    fp2_add(&r->c2, &x02, &p1);
}

/* r = a (b0 + b1 v), 5M. */
TOWER_FN fp6_mul_01(weir_fp6 *r, const weir_fp6 *a, const weir_fp2 *b0, const weir_fp2 *b1)
{
    weir_fp2 p0, p1, x01, t0, t1;
    tw_mul(&p0, &a->c0, b0);
    tw_mul(&p1, &a->c1, b1);
    tw_cross(&x01, &a->c0, &a->c1, b0, b1, &p0, &p1);
    tw_mul(&t0, &a->c2, b1);
    tw_mul(&t1, &a->c2, b0);
    fp2_mul_xi(&t0, &t0);
    fp2_add(&r->c0, &p0, &t0);
    r->c1 = x01;
    fp2_add(&r->c2, &p1, &t1);
}

/* r = a b v, 3M. */
TOWER_FN fp6_mul_1(weir_fp6 *r, const weir_fp6 *a, const weir_fp2 *b)
{
    weir_fp2 t;
    tw_mul(&t, &a->c2, b);
    tw_mul(&r->c2, &a->c1, b);
    tw_mul(&r->c1, &a->c0, b);
    fp2_mul_xi(&r->c0, &t);
}

/* r = 1/a; 0 gives 0. 9M + 3S and one inversion in Fp. Source: as fp6_mul. */
TOWER_FN fp6_inv(weir_fp6 *r, const weir_fp6 *a)
{
    weir_fp2 t0, t1, t2, s, n;
    tw_mul(&s, &a->c1, &a->c2);
    fp2_mul_xi(&s, &s);
    tw_sqr(&t0, &a->c0);
    fp2_sub(&t0, &t0, &s);
    tw_mul(&s, &a->c0, &a->c1);
    tw_sqr(&t1, &a->c2);
    fp2_mul_xi(&t1, &t1);
    fp2_sub(&t1, &t1, &s);
    tw_mul(&s, &a->c0, &a->c2);
    tw_sqr(&t2, &a->c1);
    fp2_sub(&t2, &t2, &s);
    tw_mul(&n, &a->c2, &t1);
    tw_mul(&s, &a->c1, &t2);
    fp2_add(&n, &n, &s);
    fp2_mul_xi(&n, &n);
    tw_mul(&s, &a->c0, &t0);
    fp2_add(&n, &n, &s);
    fp2_inv(&n, &n);
    tw_mul(&r->c0, &t0, &n);
    tw_mul(&r->c1, &t1, &n);
    tw_mul(&r->c2, &t2, &n);
}

/* ---- Fp12 */

static inline void fp12_set_one(weir_fp12 *r)
{
    *r = (weir_fp12){0};
    r->c0.c0 = fp2_ONE;
}

static inline bool fp12_eq(const weir_fp12 *a, const weir_fp12 *b)
{
    return fp6_eq(&a->c0, &b->c0) && fp6_eq(&a->c1, &b->c1);
}

/* c0 - c1 w, which is a^(p^6), and 1/a where a lies in the cyclotomic subgroup. */
static inline void fp12_conj(weir_fp12 *r, const weir_fp12 *a)
{
    r->c0 = a->c0;
    fp6_neg(&r->c1, &a->c1);
}

/* r = a b, 18M. */
TOWER_FN fp12_mul(weir_fp12 *r, const weir_fp12 *a, const weir_fp12 *b)
{
    weir_fp6 p0, p1, s, t;
    fp6_mul(&p0, &a->c0, &b->c0);
    fp6_mul(&p1, &a->c1, &b->c1);
    fp6_add(&s, &a->c0, &a->c1);
    fp6_add(&t, &b->c0, &b->c1);
    fp6_mul(&s, &s, &t);
    fp6_sub(&s, &s, &p0);
    fp6_sub(&r->c1, &s, &p1);
    fp6_mul_v(&p1, &p1);
    fp6_add(&r->c0, &p0, &p1);
}

/* r = a^2, 12M: (c0 + c1)(c0 + v c1) - c0 c1 - v c0 c1, and 2 c0 c1. */
TOWER_FN fp12_sqr(weir_fp12 *r, const weir_fp12 *a)
{
    weir_fp6 m, s, t;
    fp6_mul(&m, &a->c0, &a->c1);
    fp6_add(&s, &a->c0, &a->c1);
    fp6_mul_v(&t, &a->c1);
    fp6_add(&t, &t, &a->c0);
    fp6_mul(&s, &s, &t);
    fp6_sub(&s, &s, &m);
    fp6_add(&r->c1, &m, &m);
    fp6_mul_v(&m, &m);
    fp6_sub(&r->c0, &s, &m);
}

/* r = a (b0 + b1 v + b4 v w): the value of a line. 13M. */
TOWER_FN fp12_mul_line(weir_fp12 *r, const weir_fp12 *a, const weir_fp2 *b0, const weir_fp2 *b1,
                       const weir_fp2 *b4)
{
    weir_fp6 p0, p1, s;
    weir_fp2 t;
    fp6_mul_01(&p0, &a->c0, b0, b1);
    fp6_mul_1(&p1, &a->c1, b4);
    fp6_add(&s, &a->c0, &a->c1);
    fp2_add(&t, b1, b4);
    fp6_mul_01(&s, &s, b0, &t);
    fp6_sub(&s, &s, &p0);
    fp6_sub(&r->c1, &s, &p1);
    fp6_mul_v(&p1, &p1);
    fp6_add(&r->c0, &p0, &p1);
}

/* r = 1/a; 0 gives 0. */
TOWER_FN fp12_inv(weir_fp12 *r, const weir_fp12 *a)
{
    weir_fp6 n, t;
    fp6_mul(&n, &a->c0, &a->c0);
    fp6_mul(&t, &a->c1, &a->c1);
    fp6_mul_v(&t, &t);
    fp6_sub(&n, &n, &t);
    fp6_inv(&n, &n);
    fp6_mul(&r->c0, &a->c0, &n);
    fp6_mul(&t, &a->c1, &n);
    fp6_neg(&r->c1, &t);
}

/* The coefficients of w^0 .. w^5 over Fp2, in this order. */
static inline void fp12_list(weir_fp2 *list[6], weir_fp12 *a)
{
    list[0] = &a->c0.c0;
    list[1] = &a->c1.c0;
    list[2] = &a->c0.c1;
    list[3] = &a->c1.c1;
    list[4] = &a->c0.c2;
    list[5] = &a->c1.c2;
}

/* r = a^p, 5M. */
TOWER_FN fp12_frobenius(weir_fp12 *r, const weir_fp12 *a)
{
    static const weir_fp2 g[6] = WEIR_FP12_FROBENIUS;
    weir_fp2 *c[6];
    *r = *a;
    fp12_list(c, r);
    fp2_conj(c[0], c[0]);
    for (int i = 1; i < 6; i++) {
        fp2_conj(c[i], c[i]);
        tw_mul(c[i], c[i], &g[i]);
    }
}

/* r = a^(p^2), 10 products in Fp. */
TOWER_FN fp12_frobenius2(weir_fp12 *r, const weir_fp12 *a)
{
    static const weir_fp g[6] = WEIR_FP12_FROBENIUS2;
    weir_fp2 *c[6];
    *r = *a;
    fp12_list(c, r);
    for (int i = 1; i < 6; i++) fp2_mul_fp(c[i], c[i], &g[i]);
}

/* (r0 + r1 s)= (a0 + a1 s)^2 in Fp4 = Fp2[s] / (s^2 - (1 + u)), 3S. */
TOWER_FN tw_fp4_sqr(weir_fp2 *r0, weir_fp2 *r1, const weir_fp2 *a0, const weir_fp2 *a1)
{
    weir_fp2 s, t, u;
    fp2_add(&u, a0, a1);
    tw_sqr(&s, a0);
    tw_sqr(&t, a1);
    tw_sqr(&u, &u);
    fp2_sub(&u, &u, &s);
    fp2_sub(r1, &u, &t);
    fp2_mul_xi(&t, &t);
    fp2_add(r0, &s, &t);
}

/* r = 3t - 2a */
static inline void tw_3t_minus_2a(weir_fp2 *r, const weir_fp2 *t, const weir_fp2 *a)
{
    weir_fp2 d;
    fp2_sub(&d, t, a);
    fp2_dbl(&d, &d);
    fp2_add(r, &d, t);
}

/* r = 3t + 2a */
static inline void tw_3t_plus_2a(weir_fp2 *r, const weir_fp2 *t, const weir_fp2 *a)
{
    weir_fp2 d;
    fp2_add(&d, t, a);
    fp2_dbl(&d, &d);
    fp2_add(r, &d, t);
}

/* r = a^2 for a in the cyclotomic subgroup (order dividing p^4 - p^2 + 1), 9S.
 * Source: Granger, Scott, eprint 2009/565, section 3.2: with Fp12 over Fp4 and a = A + B w + C w^2,
 * a^2 = (3A^2 - 2 conj A) + (3 s C^2 + 2 conj B) w + (3B^2 - 2 conj C) w^2, where s = w^3. */
TOWER_FN fp12_cyc_sqr(weir_fp12 *r, const weir_fp12 *a)
{
    weir_fp2 a0, a1, b0, b1, c0, c1;
    tw_fp4_sqr(&a0, &a1, &a->c0.c0, &a->c1.c1);
    tw_fp4_sqr(&b0, &b1, &a->c1.c0, &a->c0.c2);
    tw_fp4_sqr(&c0, &c1, &a->c0.c1, &a->c1.c2);
    fp2_mul_xi(&c1, &c1);
    tw_3t_minus_2a(&r->c0.c0, &a0, &a->c0.c0);
    tw_3t_plus_2a(&r->c1.c1, &a1, &a->c1.c1);
    tw_3t_plus_2a(&r->c1.c0, &c1, &a->c1.c0);
    tw_3t_minus_2a(&r->c0.c2, &c0, &a->c0.c2);
    tw_3t_minus_2a(&r->c0.c1, &b0, &a->c0.c1);
    tw_3t_plus_2a(&r->c1.c2, &b1, &a->c1.c2);
}

#undef TOWER_FN
#endif
