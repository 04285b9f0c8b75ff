/* Fp2 = Fp[u] / (u^2 + 1). Contract as in fp.h: reduced in, reduced out, aliasing allowed. */
#ifndef WEIR_FIELD_FP2_H
#define WEIR_FIELD_FP2_H

#include "field/fp.h"

static const weir_fp2 fp2_ONE = {{WEIR_FP_ONE}, {{0}}};

static inline void fp2_set_zero(weir_fp2 *r) { *r = (weir_fp2){{{0}}, {{0}}}; }
static inline void fp2_set_one(weir_fp2 *r) { *r = fp2_ONE; }
static inline bool fp2_is_zero(const weir_fp2 *a) { return fp_is_zero(&a->c0) && fp_is_zero(&a->c1); }
static inline bool fp2_eq(const weir_fp2 *a, const weir_fp2 *b)
{
    return fp_eq(&a->c0, &b->c0) && fp_eq(&a->c1, &b->c1);
}
static inline void fp2_cmov(weir_fp2 *r, const weir_fp2 *a, bool take)
{
    fp_cmov(&r->c0, &a->c0, take);
    fp_cmov(&r->c1, &a->c1, take);
}
static inline void fp2_add(weir_fp2 *r, const weir_fp2 *a, const weir_fp2 *b)
{
    fp_add(&r->c0, &a->c0, &b->c0);
    fp_add(&r->c1, &a->c1, &b->c1);
}
static inline void fp2_dbl(weir_fp2 *r, const weir_fp2 *a) { fp2_add(r, a, a); }
static inline void fp2_sub(weir_fp2 *r, const weir_fp2 *a, const weir_fp2 *b)
{
    fp_sub(&r->c0, &a->c0, &b->c0);
    fp_sub(&r->c1, &a->c1, &b->c1);
}
static inline void fp2_neg(weir_fp2 *r, const weir_fp2 *a)
{
    fp_neg(&r->c0, &a->c0);
    fp_neg(&r->c1, &a->c1);
}
/* The conjugate c0 - c1 u, which is a^p. */
static inline void fp2_conj(weir_fp2 *r, const weir_fp2 *a)
{
    r->c0 = a->c0;
    fp_neg(&r->c1, &a->c1);
}

/* Karatsuba: 3 products, 5 additions. */
static inline void fp2_mul(weir_fp2 *r, const weir_fp2 *a, const weir_fp2 *b)
{
    weir_fp t0, t1, s, q;
    fp_add(&s, &a->c0, &a->c1);
    fp_add(&q, &b->c0, &b->c1);
    fp_mul(&t0, &a->c0, &b->c0);
    fp_mul(&t1, &a->c1, &b->c1);
    fp_mul(&s, &s, &q);
    fp_sub(&r->c0, &t0, &t1);
    fp_sub(&s, &s, &t0);
    fp_sub(&r->c1, &s, &t1);
}

/* (c0 + c1)(c0 - c1) + 2 c0 c1 u: 2 products, 3 additions. */
static inline void fp2_sqr(weir_fp2 *r, const weir_fp2 *a)
{
    weir_fp s, d, t;
    fp_add(&s, &a->c0, &a->c1);
    fp_sub(&d, &a->c0, &a->c1);
    fp_dbl(&t, &a->c0);
    fp_mul(&r->c1, &t, &a->c1);
    fp_mul(&r->c0, &s, &d);
}

static inline void fp2_mul_fp(weir_fp2 *r, const weir_fp2 *a, const weir_fp *b)
{
    weir_fp k = *b;
    fp_mul(&r->c0, &a->c0, &k);
    fp_mul(&r->c1, &a->c1, &k);
}

/* r = a (1 + u), the non-residue of Fp6. */
static inline void fp2_mul_xi(weir_fp2 *r, const weir_fp2 *a)
{
    weir_fp t;
    fp_sub(&t, &a->c0, &a->c1);
    fp_add(&r->c1, &a->c0, &a->c1);
    r->c0 = t;
}

/* r = 1/a; 0 gives 0. Variable time. */
static inline void fp2_inv(weir_fp2 *r, const weir_fp2 *a)
{
    weir_fp n, t;
    fp_sqr(&n, &a->c0);
    fp_sqr(&t, &a->c1);
    fp_add(&n, &n, &t);
    weir_fp_inv(&n, &n);
    fp_mul(&r->c0, &a->c0, &n);
    fp_mul(&t, &a->c1, &n);
    fp_neg(&r->c1, &t);
}

/* Replaces each of n elements by its inverse, zeros stay zero. tmp: n elements of scratch. */
static inline void fp2s_inv(weir_fp2 *a, size_t n, weir_fp2 *tmp)
{
    weir_fp2 acc = fp2_ONE;
    for (size_t i = 0; i < n; i++) {
        tmp[i] = acc;
        if (!fp2_is_zero(&a[i])) fp2_mul(&acc, &acc, &a[i]);
    }
    fp2_inv(&acc, &acc);
    for (size_t i = n; i-- > 0;) {
        if (fp2_is_zero(&a[i])) continue;
        weir_fp2 v;
        fp2_mul(&v, &acc, &tmp[i]);
        fp2_mul(&acc, &acc, &a[i]);
        a[i] = v;
    }
}

/* r = sqrt(a); false if a is not a square (r is then unspecified).
 * Source: the complex method for p = 3 mod 4. With n^2 = c0^2 + c1^2, t = (c0 + n)/2, s = t^((p - 3)/4), x = t s:
 * - t a square: x^2 = t and 1/x = s, so the root is x + (c1 s / 2) u;
 * - t no square: x^2 = -t and 1/x = -s. The other t' = (c0 - n)/2 has t t' = -c1^2/4, so t' = (c1/(2x))^2, and the root is
 *   -c1 s / 2 + x u.
 * t = 0 leaves c1 = 0 and n = -c0; then n = c0 serves, and t = c0. Cost: two powers, about 920 products. */
static inline bool fp2_sqrt(weir_fp2 *r, const weir_fp2 *a)
{
    static const weir_fp half = {WEIR_FP_ONE_HALF};
    uint64_t e[6] = WEIR_FP_SQRT_EXPONENT;
    weir_fp2 in = *a, check;
    weir_fp n, t, s, x, y;
    e[0]--; /* (p - 3)/4 */
    fp_sqr(&n, &in.c0);
    fp_sqr(&t, &in.c1);
    fp_add(&n, &n, &t);
    if (!fp_sqrt(&n, &n)) return false;
    fp_add(&t, &in.c0, &n);
    fp_mul(&t, &t, &half);
    if (fp_is_zero(&t)) t = in.c0;
    fp_pow(&s, &t, e, 6);
    fp_mul(&x, &t, &s);
    fp_mul(&y, &in.c1, &half);
    fp_mul(&y, &y, &s);
    fp_sqr(&n, &x);
    if (fp_eq(&n, &t)) {
        *r = (weir_fp2){x, y};
    } else {
        fp_neg(&r->c0, &y);
        r->c1 = x;
    }
    fp2_sqr(&check, r);
    return fp2_eq(&check, &in);
}

/* "larger of y, -y" of encodings: c1 decides, c0 when c1 is zero. */
static inline bool fp2_is_larger_half(const weir_fp2 *a)
{
    return fp_is_zero(&a->c1) ? fp_is_larger_half(&a->c0) : fp_is_larger_half(&a->c1);
}

#endif
