/* Fp2 = Fp[u] / (u^2 + 1) in kernels. C and C++ (CUDA) both include this header.
 *
 * Contract: coordinates below 2p in and out; the result may be the same object as any input. Products are
 * Karatsuba's, three of double width and two reductions: 744 multiply instructions; a square is two products.
 *
 * mul, sqr and mul_sub are calls: inlined, an addition in G2 would be 300 KB of code, more than twice what a
 * multiprocessor caches. Operands then pass through the thread's stack, which costs some 20 instructions. mul_inline is
 * for a loop that holds one or two products.
 */
#ifndef WEIR_GPU_FP2_H
#define WEIR_GPU_FP2_H

#include "gpu/gpu_fp.h"

WEIR_HD void dfp2_set_zero(weir_dfp2 *r)
{
    dfp_set_zero(&r->c0);
    dfp_set_zero(&r->c1);
}
WEIR_HD void dfp2_set_one(weir_dfp2 *r)
{
    dfp_set_one(&r->c0);
    dfp_set_zero(&r->c1);
}
WEIR_HD bool dfp2_limbs_are_zero(const weir_dfp2 *a)
{
    return dfp_limbs_are_zero(&a->c0) && dfp_limbs_are_zero(&a->c1);
}
WEIR_HD bool dfp2_is_zero(const weir_dfp2 *a)
{
    return dfp_is_zero(&a->c0) && dfp_is_zero(&a->c1);
}
WEIR_HD bool dfp2_eq(const weir_dfp2 *a, const weir_dfp2 *b)
{
    return dfp_eq(&a->c0, &b->c0) && dfp_eq(&a->c1, &b->c1);
}
WEIR_HD void dfp2_reduce(weir_dfp2 *r, const weir_dfp2 *a)
{
    dfp_reduce(&r->c0, &a->c0);
    dfp_reduce(&r->c1, &a->c1);
}
WEIR_HD void dfp2_select(weir_dfp2 *r, bool take, const weir_dfp2 *a, const weir_dfp2 *b)
{
    dfp_select(&r->c0, take, &a->c0, &b->c0);
    dfp_select(&r->c1, take, &a->c1, &b->c1);
}
WEIR_HD void dfp2_add(weir_dfp2 *r, const weir_dfp2 *a, const weir_dfp2 *b)
{
    dfp_add(&r->c0, &a->c0, &b->c0);
    dfp_add(&r->c1, &a->c1, &b->c1);
}
WEIR_HD void dfp2_dbl(weir_dfp2 *r, const weir_dfp2 *a)
{
    dfp2_add(r, a, a);
}
WEIR_HD void dfp2_triple(weir_dfp2 *r, const weir_dfp2 *a)
{
    dfp_triple(&r->c0, &a->c0);
    dfp_triple(&r->c1, &a->c1);
}
WEIR_HD void dfp2_sub(weir_dfp2 *r, const weir_dfp2 *a, const weir_dfp2 *b)
{
    dfp_sub(&r->c0, &a->c0, &b->c0);
    dfp_sub(&r->c1, &a->c1, &b->c1);
}
WEIR_HD void dfp2_neg(weir_dfp2 *r, const weir_dfp2 *a)
{
    dfp_neg(&r->c0, &a->c0);
    dfp_neg(&r->c1, &a->c1);
}

/* The coordinates of a b before reduction: re = a0 b0 - a1 b1 in (-4p^2, 4p^2) as a two's complement number,
 * im = (a0 + a1)(b0 + b1) - a0 b0 - a1 b1 in [0, 8p^2). 4p^2 < 0.41 p R. */
WEIR_HD void dfp2_wide_mul(weir_dfp_wide *re, weir_dfp_wide *im, const weir_dfp2 *a,
                           const weir_dfp2 *b)
{
    weir_dfp s, t;
    weir_dfp_wide w;
    dfp_add_plain(&s, &a->c0, &a->c1); /* < 4p */
    dfp_add_plain(&t, &b->c0, &b->c1);
    dfp_wide_mul(im, &s, &t);
    dfp_wide_mul(re, &a->c0, &b->c0);
    dfp_wide_sub(im, im, re);
    dfp_wide_mul(&w, &a->c1, &b->c1);
    dfp_wide_sub(im, im, &w);
    dfp_wide_sub(re, re, &w);
}

/* r = a b */
WEIR_HD void dfp2_mul_inline(weir_dfp2 *r, const weir_dfp2 *a, const weir_dfp2 *b)
{
    weir_dfp_wide re, im;
    dfp2_wide_mul(&re, &im, a, b);
    dfp_wide_lift(&re, &re);      /* [0, p R) */
    dfp_wide_reduce(&r->c0, &re); /* < 2p */
    dfp_wide_reduce(&r->c1, &im); /* < 1.82 p */
}

WEIR_HD_CALL void dfp2_mul(weir_dfp2 *r, const weir_dfp2 *a, const weir_dfp2 *b)
{
    weir_dfp2 x = *a, y = *b, z;
    dfp2_mul_inline(&z, &x, &y);
    *r = z;
}

/* r = a^2 = (a0 + a1)(a0 - a1) + 2 a0 a1 u. 2 products. */
WEIR_HD_CALL void dfp2_sqr(weir_dfp2 *r, const weir_dfp2 *a)
{
    weir_dfp2 x = *a, z;
    weir_dfp s, d, t;
    dfp_add_plain(&s, &x.c0, &x.c1); /* < 4p */
    dfp_sub(&d, &x.c0, &x.c1);       /* < 2p */
    dfp_add_plain(&t, &x.c0, &x.c0); /* < 4p */
    dfp_mul(&z.c1, &t, &x.c1);       /* < (1 + 8/9.84) p */
    dfp_mul(&z.c0, &s, &d);
    *r = z;
}

/* r = a b - c d: six products of double width, two reductions. The differences are in (-8p^2, 8p^2), and
 * 8p^2 < 0.82 p R, which one lift settles. */
WEIR_HD_CALL void dfp2_mul_sub(weir_dfp2 *r, const weir_dfp2 *a, const weir_dfp2 *b,
                               const weir_dfp2 *c, const weir_dfp2 *d)
{
    weir_dfp2 u = *a, v = *b, z;
    weir_dfp_wide re, im, x, y;
    dfp2_wide_mul(&re, &im, &u, &v);
    u = *c;
    v = *d;
    dfp2_wide_mul(&x, &y, &u, &v);
    dfp_wide_sub(&re, &re, &x);
    dfp_wide_sub(&im, &im, &y);
    dfp_wide_lift(&re, &re);
    dfp_wide_lift(&im, &im);
    dfp_wide_reduce(&z.c0, &re);
    dfp_wide_reduce(&z.c1, &im);
    *r = z;
}

/* r = 1/a = (a0 - a1 u) / (a0^2 + a1^2), 0 for 0. Variable time. */
WEIR_HD_CALL void dfp2_inv(weir_dfp2 *r, const weir_dfp2 *a)
{
    weir_dfp n, t;
    dfp_mul_sum_plain(&n, &a->c0, &a->c0, &a->c1, &a->c1); /* < (1 + 8/9.84) p */
    dfp_inv(&t, &n);
    dfp_mul(&n, &a->c1, &t);
    dfp_mul(&r->c0, &a->c0, &t);
    dfp_neg(&r->c1, &n);
}

#endif
