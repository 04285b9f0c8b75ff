/* Fp12 in vectors of eight lanes, in two forms. For files compiled per instruction path; tower.h has the scalar form.
 *
 * Across: eight elements, lane k of every coordinate is element k (weir_fp12_x8). What follows a Miller loop in step.
 * Along: one element, lane i is the coefficient of w^i over Fp2, i = 0 .. 5 (weir_fp12_along); Fp12 = Fp2[w]/(w^6 - xi),
 * xi = 1 + u. What has only one element to work on.
 *
 * Bounds (multiples of p, lanes.h): products are below 2 and at least 0. Sums of them are kept without carries, as signed
 * numbers; (-a, b) says between what they lie.
 */
#ifndef WEIR_CURVE_TOWER_X8_H
#define WEIR_CURVE_TOWER_X8_H

#include "curve/lanes.h"
#include "curve/tower.h"

typedef struct weir_fp6_x8 {
    weir_fp2_x8 c0, c1, c2;
} weir_fp6_x8;

typedef struct weir_fp12_x8 {
    weir_fp6_x8 c0, c1;
} weir_fp12_x8;

/* ---- across */

/* r = xi a, without carries. */
V8_INLINE void fp2_x8_lazy_mul_xi(weir_fp2_x8 *r, const weir_fp2_x8 *a)
{
    weir_fp_x8 t;
    fp_x8_lazy_sub(&t, &a->c0, &a->c1);
    fp_x8_lazy_add(&r->c1, &a->c0, &a->c1);
    r->c0 = t;
}

/* r = (a0 + a1)(b0 + b1) - p0 - p1: (-4, 2). In: sums below 2^8. */
LANES_FN fp2_lanes_cross(weir_fp2_x8 *r, const weir_fp2_x8 *a0, const weir_fp2_x8 *a1,
                         const weir_fp2_x8 *b0, const weir_fp2_x8 *b1, const weir_fp2_x8 *p0,
                         const weir_fp2_x8 *p1)
{
    weir_fp2_x8 s, t;
    fp2_x8_add(&s, a0, a1);
    fp2_x8_add(&t, b0, b1);
    fp2_lanes_mul(&s, &s, &t);
    fp2_x8_lazy_sub(&s, &s, p0);
    fp2_x8_lazy_sub(r, &s, p1);
}

static inline void fp6_x8_add(weir_fp6_x8 *r, const weir_fp6_x8 *a, const weir_fp6_x8 *b)
{
    fp2_x8_add(&r->c0, &a->c0, &b->c0);
    fp2_x8_add(&r->c1, &a->c1, &b->c1);
    fp2_x8_add(&r->c2, &a->c2, &b->c2);
}

static inline void fp6_x8_lazy_sub(weir_fp6_x8 *r, const weir_fp6_x8 *b)
{
    fp2_x8_lazy_sub(&r->c0, &r->c0, &b->c0);
    fp2_x8_lazy_sub(&r->c1, &r->c1, &b->c1);
    fp2_x8_lazy_sub(&r->c2, &r->c2, &b->c2);
}

static inline void fp6_x8_lift(weir_fp6_x8 *r, int k)
{
    fp2_x8_lift(&r->c0, k);
    fp2_x8_lift(&r->c1, k);
    fp2_x8_lift(&r->c2, k);
}

/* r = a b: (-8, 8), (-6, 6), (-4, 4). In: sums of two coefficients below 2^8. As fp6_mul. */
LANES_FN fp6_lanes_mul(weir_fp6_x8 *r, const weir_fp6_x8 *a, const weir_fp6_x8 *b)
{
    weir_fp2_x8 p0, p1, p2, x01, x02, x12;
    fp2_lanes_mul(&p0, &a->c0, &b->c0);
    fp2_lanes_mul(&p1, &a->c1, &b->c1);
    fp2_lanes_mul(&p2, &a->c2, &b->c2);
    fp2_lanes_cross(&x01, &a->c0, &a->c1, &b->c0, &b->c1, &p0, &p1);
    fp2_lanes_cross(&x02, &a->c0, &a->c2, &b->c0, &b->c2, &p0, &p2);
    fp2_lanes_cross(&x12, &a->c1, &a->c2, &b->c1, &b->c2, &p1, &p2);
    fp2_x8_lazy_mul_xi(&x12, &x12); /* (-8, 6) */
    fp2_x8_lazy_add(&r->c0, &p0, &x12);
    fp2_x8_lazy_mul_xi(&p2, &p2); /* (-2, 4) */
    fp2_x8_lazy_add(&r->c1, &x01, &p2);
    fp2_x8_lazy_add(&r->c2, &x02, &p1);
}

/* r = a (b0 + b1 v): (-2, 6), (-4, 2), (0, 4). */
LANES_FN fp6_lanes_mul_01(weir_fp6_x8 *r, const weir_fp6_x8 *a, const weir_fp2_x8 *b0,
                          const weir_fp2_x8 *b1)
{
    weir_fp2_x8 p0, p1, t0, t1;
    fp2_lanes_mul(&p0, &a->c0, b0);
    fp2_lanes_mul(&p1, &a->c1, b1);
    fp2_lanes_cross(&r->c1, &a->c0, &a->c1, b0, b1, &p0, &p1);
    fp2_lanes_mul(&t0, &a->c2, b1);
    fp2_lanes_mul(&t1, &a->c2, b0);
    fp2_x8_lazy_mul_xi(&t0, &t0);
    fp2_x8_lazy_add(&r->c0, &p0, &t0);
    fp2_x8_lazy_add(&r->c2, &p1, &t1);
}

static void fp12_x8_set_one(weir_fp12_x8 *r)
{
    *r = (weir_fp12_x8){0};
    fp_x8_set_one(&r->c0.c0.c0);
}

static inline void fp12_x8_select(weir_fp12_x8 *r, const weir_v8 *mask, const weir_fp12_x8 *a)
{
    fp2_x8_select(&r->c0.c0, mask, &a->c0.c0, &r->c0.c0);
    fp2_x8_select(&r->c0.c1, mask, &a->c0.c1, &r->c0.c1);
    fp2_x8_select(&r->c0.c2, mask, &a->c0.c2, &r->c0.c2);
    fp2_x8_select(&r->c1.c0, mask, &a->c1.c0, &r->c1.c0);
    fp2_x8_select(&r->c1.c1, mask, &a->c1.c1, &r->c1.c1);
    fp2_x8_select(&r->c1.c2, mask, &a->c1.c2, &r->c1.c2);
}

/* r = a^2, below 56. In: a < 32: the largest sums are two coefficients of c0 + v c1, below 32 + 64 each. As fp12_sqr. */
LANES_FN fp12_lanes_sqr(weir_fp12_x8 *r, const weir_fp12_x8 *a)
{
    weir_fp6_x8 m, s, t;
    weir_fp2_x8 x;
    fp6_lanes_mul(&m, &a->c0, &a->c1);
    fp6_x8_add(&s, &a->c0, &a->c1);
    fp_x8_sub(&x.c0, &a->c1.c2.c0, &a->c1.c2.c1, 5);
    fp_x8_add(&x.c1, &a->c1.c2.c0, &a->c1.c2.c1);
    fp2_x8_add(&t.c0, &a->c0.c0, &x);
    fp2_x8_add(&t.c1, &a->c0.c1, &a->c1.c0);
    fp2_x8_add(&t.c2, &a->c0.c2, &a->c1.c1);
    fp6_lanes_mul(&s, &s, &t);
    fp6_x8_lazy_sub(&s, &m);
    fp2_x8_lazy_mul_xi(&x, &m.c2);
    fp2_x8_lazy_sub(&r->c0.c0, &s.c0, &x); /* (-24, 24) */
    fp2_x8_lazy_sub(&r->c0.c1, &s.c1, &m.c0);
    fp2_x8_lazy_sub(&r->c0.c2, &s.c2, &m.c1);
    fp2_x8_lazy_add(&r->c1.c0, &m.c0, &m.c0); /* (-16, 16) */
    fp2_x8_lazy_add(&r->c1.c1, &m.c1, &m.c1);
    fp2_x8_lazy_add(&r->c1.c2, &m.c2, &m.c2);
    fp6_x8_lift(&r->c0, 5);
    fp6_x8_lift(&r->c1, 5);
}

/* r = r (b0 + b1 v + b4 v w), below 26. In: r < 56, b < 2. As fp12_mul_line. */
LANES_FN fp12_lanes_mul_line(weir_fp12_x8 *r, const weir_fp2_x8 *b0, const weir_fp2_x8 *b1,
                             const weir_fp2_x8 *b4)
{
    weir_fp6_x8 p0, p1, s;
    weir_fp2_x8 t;
    fp6_lanes_mul_01(&p0, &r->c0, b0, b1);
    fp2_lanes_mul(&p1.c0, &r->c1.c2, b4);
    fp2_x8_lazy_mul_xi(&p1.c0, &p1.c0); /* (-2, 4) */
    fp2_lanes_mul(&p1.c1, &r->c1.c0, b4);
    fp2_lanes_mul(&p1.c2, &r->c1.c1, b4);
    fp6_x8_add(&s, &r->c0, &r->c1);
    fp2_x8_add(&t, b1, b4);
    fp6_lanes_mul_01(&s, &s, b0, &t);
    fp6_x8_lazy_sub(&s, &p0);
    fp6_x8_lazy_sub(&s, &p1);
    r->c1 = s; /* (-12, 10), (-8, 6), (-6, 4) */
    fp2_x8_lazy_mul_xi(&t, &p1.c2);
    fp2_x8_lazy_add(&r->c0.c0, &p0.c0, &t); /* (-4, 10) */
    fp2_x8_lazy_add(&r->c0.c1, &p0.c1, &p1.c0);
    fp2_x8_lazy_add(&r->c0.c2, &p0.c2, &p1.c1);
    fp6_x8_lift(&r->c0, 4);
    fp6_x8_lift(&r->c1, 4);
}

/* The eight elements in scalar form. */
static void fp12_x8_store(weir_fp12 out[8], const weir_fp12_x8 *v)
{
    const weir_fp2_x8 *from[6] = {&v->c0.c0, &v->c1.c0, &v->c0.c1, &v->c1.c1, &v->c0.c2, &v->c1.c2};
    for (int i = 0; i < 6; i++) {
        uint64_t *p[8];
        for (int k = 0; k < 8; k++) {
            weir_fp2 *list[6];
            fp12_list(list, &out[k]);
            p[k] = list[i]->c0.l;
        }
        fp2_x8_store(p, from[i]);
    }
}

/* ---- along: values below 2 */

typedef struct weir_fp12_along {
    weir_fp2_x8 c;
} weir_fp12_along;

static void along_load(weir_fp12_along *r, const weir_fp12 *a)
{
    static const weir_fp2 zero = {{{0}}, {{0}}};
    weir_fp12 copy = *a;
    weir_fp2 *list[6];
    const uint64_t *p[8];
    fp12_list(list, &copy);
    for (int k = 0; k < 8; k++) p[k] = k < 6 ? list[k]->c0.l : zero.c0.l;
    fp2_x8_load(&r->c, p);
    fp2_x8_settle(&r->c, 0);
}

static void along_store(weir_fp12 *r, const weir_fp12_along *a)
{
    weir_fp2 *list[6], spare;
    uint64_t *p[8];
    fp12_list(list, r);
    for (int k = 0; k < 8; k++) p[k] = k < 6 ? list[k]->c0.l : spare.c0.l;
    fp2_x8_store(p, &a->c);
}

/* The six coefficients of b, and xi b for what wraps around w^6: lane k of turn i is the factor of coefficient i of a. */
typedef struct along_turns {
    weir_fp_x8 c0[6], c1[6], minus_c1[6];
} along_turns;

/* r[k] = index[k] < 8 ? a[index[k]] : b[index[k] - 8] */
V8_INLINE void fp_x8_pick(weir_fp_x8 *r, const weir_fp_x8 *a, const weir_fp_x8 *b,
                          const weir_v8 *index)
{
#pragma GCC unroll 8
    for (int j = 0; j < 8; j++) r->l[j] = __builtin_shuffle(a->l[j], b->l[j], *index);
}

LANES_FN along_turn(along_turns *t, const weir_fp2_x8 *b)
{
    static const weir_v8 index[6] = {
        {0, 1, 2, 3, 4, 5, 6, 7},    {13, 0, 1, 2, 3, 4, 6, 7},    {12, 13, 0, 1, 2, 3, 6, 7},
        {11, 12, 13, 0, 1, 2, 6, 7}, {10, 11, 12, 13, 0, 1, 6, 7}, {9, 10, 11, 12, 13, 0, 6, 7},
    };
    weir_fp2_x8 x;
    weir_fp_x8 minus, minus_x;
    fp_x8_sub(&x.c0, &b->c0, &b->c1, 1);
    fp_x8_add(&x.c1, &b->c0, &b->c1);
    fp_x8_neg(&minus, &b->c1, 1);
    fp_x8_neg(&minus_x, &x.c1, 2);
    for (int i = 0; i < 6; i++) {
        fp_x8_pick(&t->c0[i], &b->c0, &x.c0, &index[i]);
        fp_x8_pick(&t->c1[i], &b->c1, &x.c1, &index[i]);
        fp_x8_pick(&t->minus_c1[i], &minus, &minus_x, &index[i]);
    }
}

/* Row j of all twelve products of both coordinates, and its reduction. */
V8_INLINE void along_row(weir_v8 t[2][16], const weir_fp2_x8 *a, const along_turns *b, int j)
{
    weir_v8 m[2];
    for (int i = 0; i < 6; i++) {
        const weir_v8 a0 = v8_set(a->c0.l[j][i]), a1 = v8_set(a->c1.l[j][i]);
        fp_x8_row_lo(t[0] + j, &a0, &b->c0[i]);
        fp_x8_row_lo(t[1] + j, &a0, &b->c1[i]);
        fp_x8_row_hi(t[0] + j, &a0, &b->c0[i]);
        fp_x8_row_hi(t[1] + j, &a0, &b->c1[i]);
        fp_x8_row_lo(t[0] + j, &a1, &b->minus_c1[i]);
        fp_x8_row_lo(t[1] + j, &a1, &b->c0[i]);
        fp_x8_row_hi(t[0] + j, &a1, &b->minus_c1[i]);
        fp_x8_row_hi(t[1] + j, &a1, &b->c0[i]);
    }
    fp_x8_row_m(&m[0], t[0] + j);
    fp_x8_row_m(&m[1], t[1] + j);
    fp_x8_row_redc(t[0] + j, &m[0]);
    fp_x8_row_redc(t[1] + j, &m[1]);
}

/* r = a b, below 2: 24 products and two reductions. A word takes in 12 * 16 + 16 numbers below 2^52, so stays below 2^60. */
LANES_FN along_mul(weir_fp12_along *r, const weir_fp12_along *a, const weir_fp12_along *b)
{
    weir_v8 t[2][16];
    along_turns turns;
    along_turn(&turns, &b->c);
    fp_x8_clear(t[0]);
    fp_x8_clear(t[1]);
#pragma GCC unroll 8
    for (int j = 0; j < 8; j++) along_row(t, &a->c, &turns, j);
    fp_x8_carry(&r->c.c0, t[0] + 8);
    fp_x8_carry(&r->c.c1, t[1] + 8);
}

/* r = a^(p^6): the odd powers of w change sign. */
LANES_FN along_conj(weir_fp12_along *r, const weir_fp12_along *a)
{
    weir_fp2_x8 minus;
    weir_v8 odd;
    lanes_to_mask(&odd, 0x2a);
    fp2_x8_neg(&minus, &a->c, 1);
    fp2_x8_select(&r->c, &odd, &minus, &a->c);
}

V8_INLINE void fp2_x8_permute(weir_fp2_x8 *r, const weir_fp2_x8 *a, const weir_v8 *index)
{
#pragma GCC unroll 8
    for (int j = 0; j < 8; j++) {
        r->c0.l[j] = __builtin_shuffle(a->c0.l[j], *index);
        r->c1.l[j] = __builtin_shuffle(a->c1.l[j], *index);
    }
}

/* The squares of A = a0 + a3 s, B = a1 + a4 s, C = a2 + a5 s in Fp4 = Fp2[s]/(s^2 - xi), in the same lanes: (-6, 4). One
 * vector of products: lanes 0 .. 2 have (x0 + x1)(x0 + xi x1), lanes 3 .. 5 have x0 x1. */
LANES_FN along_fp4_squares(weir_fp2_x8 *r, const weir_fp2_x8 *a)
{
    static const weir_v8 swap = {3, 4, 5, 0, 1, 2, 6, 7};
    weir_fp2_x8 s, x, y, n;
    weir_v8 low;
    lanes_to_mask(&low, 0x07);
    fp2_x8_permute(&s, a, &swap);
    fp2_x8_lazy_add(&x, &s, a);
    fp2_x8_select(&x, &low, &x, &s);
    fp2_x8_lazy_mul_xi(&y, &s);
    fp2_x8_lazy_add(&y, &y, a);
    fp2_x8_select(&y, &low, &y, a);
    fp2_x8_lift(&x, 0);
    fp2_x8_lift(&y, 1);
    fp2_lanes_mul(&x, &x, &y);
    fp2_x8_permute(&n, &x, &swap);
    fp2_x8_lazy_mul_xi(&y, &n);
    fp2_x8_lazy_add(&n, &n, &y);
    fp2_x8_lazy_sub(&n, &x, &n);
    fp2_x8_lazy_add(&x, &x, &x);
    fp2_x8_select(r, &low, &n, &x);
}

/* r = a^2 for a in the cyclotomic subgroup. As fp12_cyc_sqr: with the squares of A, B, C as above,
 * a^2 = (3A^2 - 2 conj A) + (3 s C^2 + 2 conj B) w + (3B^2 - 2 conj C) w^2. */
LANES_FN along_cyc_sqr(weir_fp12_along *r, const weir_fp12_along *a)
{
    static const weir_v8 order = {0, 5, 1, 3, 2, 4, 6, 7};
    weir_fp2_x8 t, x;
    weir_v8 lane;
    along_fp4_squares(&t, &a->c);
    fp2_x8_permute(&t, &t, &order);
    fp2_x8_lazy_mul_xi(&x, &t);
    lanes_to_mask(&lane, 0x02);
    fp2_x8_select(&t, &lane, &x, &t); /* (-6, 8) */
    lanes_to_mask(&lane, 0x15);
    x = a->c;
    fp2_x8_lazy_negate(&x, &lane);
    fp2_x8_lazy_add(&x, &x, &t);
    fp2_x8_lazy_add(&x, &x, &x);
    fp2_x8_lazy_add(&r->c, &x, &t); /* 3t +- 2a: (-22, 28) */
    fp2_x8_settle(&r->c, 5);
}

/* r = a^p */
LANES_FN along_frobenius(weir_fp12_along *r, const weir_fp12_along *a)
{
    static const weir_fp2 g[6] = WEIR_FP12_FROBENIUS;
    const uint64_t *p[8];
    weir_fp2_x8 k, t = a->c;
    for (int i = 0; i < 8; i++) p[i] = g[i < 6 ? i : 0].c0.l;
    fp2_x8_load(&k, p);
    fp2_x8_settle(&k, 0);
    fp_x8_neg(&t.c1, &a->c.c1, 1);
    fp2_lanes_mul(&r->c, &t, &k);
}

/* r = a^(p^2) */
LANES_FN along_frobenius2(weir_fp12_along *r, const weir_fp12_along *a)
{
    static const weir_fp g[6] = WEIR_FP12_FROBENIUS2;
    const uint64_t *p[8];
    weir_fp_x8 k;
    for (int i = 0; i < 8; i++) p[i] = g[i < 6 ? i : 0].l;
    fp_x8_load(&k, p);
    fp_x8_settle(&k, 0);
    fp_lanes_mul2(&r->c.c0, &a->c.c0, &k, &r->c.c1, &a->c.c1, &k);
}

#endif
