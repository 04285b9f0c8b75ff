/* The optimal ate pairing e : G1 x G2 -> GT.
 *
 * With f the Miller function of |x| at Q, evaluated at P, the value is conj(f)^(3 (p^12 - 1) / r): x is negative,
 * which the conjugate accounts for, and the factor 3 is that of the final exponentiation; blst has it as well.
 *
 * Untwisting takes (x, y) on the twist to (x / w^2, y / w^3). The line through T with slope m, taken at P and
 * multiplied by w^3, is (m x_T - y_T) - m x_P v + y_P v w; factors in proper subfields of Fp12 do not matter,
 * because the final exponentiation maps them to one. So each line is three elements of Fp2 that depend on Q alone,
 * of which the second is multiplied by x_P and the third by y_P.
 *
 * Source: Vercauteren, eprint 2008/096; line formulas Costello, Lange, Naehrig, eprint 2009/615, in the form of
 * Aranha, Karabina, Longa, Gebotys, Lopez, eprint 2010/526, section 4.
 */
#include "curve/pairing.h"

#include "curve/recode.h"
#include "curve/tower.h"

#include <assert.h>
#include <string.h>

/* A point of the twist in homogeneous coordinates, (X/Z, Y/Z). */
typedef struct hom2 {
    weir_fp2 x, y, z;
} hom2;

/* r = 3 b a, b = 4 (1 + u) */
static void mul_3b(weir_fp2 *r, const weir_fp2 *a)
{
    weir_fp2 t;
    fp2_dbl(&t, a);
    fp2_add(&t, &t, a);
    fp2_dbl(&t, &t);
    fp2_dbl(&t, &t);
    fp2_mul_xi(r, &t);
}

/* t = 2t, and the tangent at the old t times 2YZ: (Y^2 - 3b Z^2, -3X^2, 2YZ). 3M + 6S.
 * With B = Y^2, E = 3b Z^2, F = 3E, H = 2YZ, the new point is (2XY (B - F), (B + F)^2 - 12 E^2, 4BH). */
static void line_dbl(weir_fp2 line[3], hom2 *t)
{
    weir_fp2 a, b, e, f, h, u;
    tw_sqr(&b, &t->y);
    tw_sqr(&u, &t->z);
    fp2_add(&h, &t->y, &t->z);
    tw_sqr(&h, &h);
    fp2_sub(&h, &h, &b);
    fp2_sub(&h, &h, &u);
    mul_3b(&e, &u);
    fp2_dbl(&f, &e);
    fp2_add(&f, &f, &e);
    tw_sqr(&u, &t->x);
    fp2_dbl(&a, &u);
    fp2_add(&a, &a, &u);
    fp2_neg(&line[1], &a);
    fp2_sub(&line[0], &b, &e);
    line[2] = h;

    tw_mul(&a, &t->x, &t->y);
    fp2_dbl(&a, &a);
    fp2_sub(&u, &b, &f);
    tw_mul(&t->x, &a, &u);
    fp2_add(&u, &b, &f);
    tw_sqr(&u, &u);
    fp2_dbl(&e, &e);
    tw_sqr(&e, &e);
    fp2_sub(&u, &u, &e);
    fp2_sub(&u, &u, &e);
    fp2_sub(&t->y, &u, &e);
    tw_mul(&t->z, &b, &h);
    fp2_dbl(&t->z, &t->z);
    fp2_dbl(&t->z, &t->z);
}

/* t = t + q, and the line through both times L = X - x_q Z: with N = Y - y_q Z it is (N x_q - L y_q, -N, L).
 * 11M + 2S. In: t is neither infinity nor q nor -q. */
static void line_add(weir_fp2 line[3], hom2 *t, const weir_g2_affine *q)
{
    weir_fp2 n, l, d, e, g, h, u;
    tw_mul(&u, &q->y, &t->z);
    fp2_sub(&n, &t->y, &u);
    tw_mul(&u, &q->x, &t->z);
    fp2_sub(&l, &t->x, &u);
    tw_mul(&line[0], &n, &q->x);
    tw_mul(&u, &l, &q->y);
    fp2_sub(&line[0], &line[0], &u);
    fp2_neg(&line[1], &n);
    line[2] = l;

    /* X = L H, Y = N (G - H) - E Y, Z = E Z with E = L^3, G = L^2 X, H = N^2 Z + E - 2G */
    tw_sqr(&d, &l);
    tw_mul(&e, &l, &d);
    tw_mul(&g, &d, &t->x);
    tw_sqr(&h, &n);
    tw_mul(&h, &h, &t->z);
    fp2_add(&h, &h, &e);
    fp2_sub(&h, &h, &g);
    fp2_sub(&h, &h, &g);
    tw_mul(&t->x, &l, &h);
    fp2_sub(&g, &g, &h);
    tw_mul(&g, &g, &n);
    tw_mul(&u, &e, &t->y);
    fp2_sub(&t->y, &g, &u);
    tw_mul(&t->z, &t->z, &e);
}

void WEIR_ISA_NAME(weir_g2_prepare)(weir_g2_lines *out, const weir_g2_affine *q)
{
    out->infinity = g2_affine_is_infinity(q);
    if (out->infinity) {
        memset(out->c, 0, sizeof out->c);
        return;
    }
    hom2 t = {q->x, q->y, fp2_ONE};
    size_t k = 0;
    for (int i = 62; i >= 0; i--) {
        line_dbl(out->c[k++], &t);
        if ((WEIR_BLS_X_ABS >> i) & 1) line_add(out->c[k++], &t, q);
    }
    assert(k == WEIR_G2_LINES);
}

/* f *= line k of every pair. 2 products in Fp each for x_P and y_P, and 13M. */
static __attribute__((unused)) void mul_lines(weir_fp12 *f, const weir_g1_affine *p,
                                              const weir_g2_lines *const *q, size_t n, size_t k)
{
    for (size_t i = 0; i < n; i++) {
        if (q[i]->infinity || g1_affine_is_infinity(&p[i])) continue;
        const weir_fp2 *c = q[i]->c[k];
        weir_fp2 b1, b4;
        fp2_mul_fp(&b1, &c[1], &p[i].x);
        fp2_mul_fp(&b4, &c[2], &p[i].y);
        fp12_mul_line(f, f, &c[0], &b1, &b4);
    }
}

static __attribute__((unused)) void miller(weir_fp12 *f, const weir_g1_affine *p,
                                           const weir_g2_lines *const *q, size_t n)
{
    weir_fp12 acc;
    size_t k = 0;
    fp12_set_one(&acc);
    for (int i = 62; i >= 0; i--) {
        if (k > 0) fp12_sqr(&acc, &acc);
        mul_lines(&acc, p, q, n, k++);
        if ((WEIR_BLS_X_ABS >> i) & 1) mul_lines(&acc, p, q, n, k++);
    }
    fp12_conj(f, &acc);
}

/* r = a^x, a in the cyclotomic subgroup: 63 squarings, 5 products, and a conjugate because x is negative. */
static __attribute__((unused)) void cyc_pow_x(weir_fp12 *r, const weir_fp12 *a)
{
    weir_fp12 acc = *a;
    for (int i = 62; i >= 0; i--) {
        fp12_cyc_sqr(&acc, &acc);
        if ((WEIR_BLS_X_ABS >> i) & 1) fp12_mul(&acc, &acc, a);
    }
    fp12_conj(r, &acc);
}

/* r = a^(x - 1) */
static __attribute__((unused)) void cyc_pow_x_minus_1(weir_fp12 *r, const weir_fp12 *a)
{
    weir_fp12 t, c;
    cyc_pow_x(&t, a);
    fp12_conj(&c, a);
    fp12_mul(r, &t, &c);
}

/* f^(3 (p^12 - 1) / r). The easy part is f^((p^6 - 1)(p^2 + 1)); the hard part
 * 3 (p^4 - p^2 + 1) / r = (x - 1)^2 (x + p) (x^2 + p^2 - 1) + 3.
 * Source: Hayashida, Hayasaka, Teruya, eprint 2020/875, section 5. */
static __attribute__((unused)) void final_exp(weir_fp12 *out, const weir_fp12 *f)
{
    weir_fp12 m, t, s, u;
    fp12_inv(&t, f);
    fp12_conj(&m, f);
    fp12_mul(&m, &m, &t);
    fp12_frobenius2(&t, &m);
    fp12_mul(&m, &m, &t);

    cyc_pow_x_minus_1(&t, &m);
    cyc_pow_x_minus_1(&t, &t);
    cyc_pow_x(&s, &t);
    fp12_frobenius(&t, &t);
    fp12_mul(&t, &t, &s); /* m^((x-1)^2 (x+p)) */
    cyc_pow_x(&s, &t);
    cyc_pow_x(&s, &s);
    fp12_frobenius2(&u, &t);
    fp12_mul(&s, &s, &u);
    fp12_conj(&t, &t);
    fp12_mul(&s, &s, &t); /* ... (x^2 + p^2 - 1) */
    fp12_cyc_sqr(&t, &m);
    fp12_mul(&t, &t, &m);
    fp12_mul(out, &s, &t);
}

static __attribute__((unused)) void g2s_prepare(weir_g2_lines *out, const weir_g2_affine *q,
                                                size_t n)
{
    for (size_t i = 0; i < n; i++) WEIR_ISA_NAME(weir_g2_prepare)(&out[i], &q[i]);
}

#ifdef WEIR_ISA_IS_ifma
#include "curve/pairing_lanes.inc.h"
#define LANES(name) lanes_##name
#else
#define LANES(name) name
#endif

void WEIR_ISA_NAME(weir_g2s_prepare)(weir_g2_lines *out, const weir_g2_affine *q, size_t n)
{
    LANES(g2s_prepare)(out, q, n);
}

void WEIR_ISA_NAME(weir_miller)(weir_fp12 *f, const weir_g1_affine *p,
                                const weir_g2_lines *const *q, size_t n)
{
    LANES(miller)(f, p, q, n);
}

void WEIR_ISA_NAME(weir_final_exp)(weir_fp12 *out, const weir_fp12 *f)
{
    LANES(final_exp)(out, f);
}

void WEIR_ISA_NAME(weir_fp12_mul)(weir_fp12 *r, const weir_fp12 *a, const weir_fp12 *b)
{
    fp12_mul(r, a, b);
}

void WEIR_ISA_NAME(weir_fp12_pow)(weir_fp12 *r, const weir_fp12 *a, const weir_scalar *k)
{
    int8_t d[WEIR_WNAF_DIGITS];
    int n = scalar_wnaf(d, k);
    weir_fp12 odd[WEIR_WNAF_TABLE], sq, t, acc;
    odd[0] = *a;
    fp12_cyc_sqr(&sq, a);
    for (int i = 1; i < WEIR_WNAF_TABLE; i++) fp12_mul(&odd[i], &odd[i - 1], &sq);
    fp12_set_one(&acc);
    for (int i = n - 1; i >= 0; i--) {
        fp12_cyc_sqr(&acc, &acc);
        if (d[i] > 0) fp12_mul(&acc, &acc, &odd[d[i] / 2]);
        if (d[i] < 0) {
            fp12_conj(&t, &odd[-d[i] / 2]);
            fp12_mul(&acc, &acc, &t);
        }
    }
    *r = acc;
}

bool WEIR_ISA_NAME(weir_fp12_is_one)(const weir_fp12 *a)
{
    weir_fp12 one;
    fp12_set_one(&one);
    return fp12_eq(a, &one);
}
