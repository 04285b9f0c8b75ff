/* The operations of curve.h on points: checks, encodings, multiples. The pairing is in pairing.c. */
#include "base/alloc.h"
#include "curve/curve.h"
#include "curve/encoding.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "curve/pairing.h"
#include "curve/params_curve.h"
#include "curve/recode.h"

#include <string.h>

/* ---- what differs between the groups */

static void g1_mul_3b(weir_fp *r, const weir_fp *a)
{
    weir_fp t;
    fp_dbl(&t, a);
    fp_add(&t, &t, a);
    fp_dbl(&t, &t);
    fp_dbl(r, &t);
}

static void g2_mul_3b(weir_fp2 *r, const weir_fp2 *a)
{
    weir_fp2 t;
    fp2_dbl(&t, a);
    fp2_add(&t, &t, a);
    fp2_dbl(&t, &t);
    fp2_dbl(&t, &t);
    fp2_mul_xi(r, &t);
}

/* r = x^3 + b */
static void g1_rhs(weir_fp *r, const weir_fp *x)
{
    static const weir_fp b = WEIR_G1_B;
    weir_fp t;
    fp_sqr(&t, x);
    fp_mul(&t, &t, x);
    fp_add(r, &t, &b);
}

static void g2_rhs(weir_fp2 *r, const weir_fp2 *x)
{
    static const weir_fp2 b = WEIR_G2_B;
    weir_fp2 t;
    fp2_sqr(&t, x);
    fp2_mul(&t, &t, x);
    fp2_add(r, &t, &b);
}

static bool g1_on_curve(const weir_g1_affine *p)
{
    weir_fp l, r;
    fp_sqr(&l, &p->y);
    g1_rhs(&r, &p->x);
    return fp_eq(&l, &r) || g1_affine_is_infinity(p);
}

static bool g2_on_curve(const weir_g2_affine *p)
{
    weir_fp2 l, r;
    fp2_sqr(&l, &p->y);
    g2_rhs(&r, &p->x);
    return fp2_eq(&l, &r) || g2_affine_is_infinity(p);
}

/* c1 comes first. */
static bool fp2_from_be_c1_c0(weir_fp2 *r, const uint8_t bytes[96])
{
    return fp_from_be(&r->c1, bytes) && fp_from_be(&r->c0, bytes + 48);
}

static void fp2_to_be_c1_c0(uint8_t bytes[96], const weir_fp2 *a)
{
    fp_to_be(bytes, &a->c1);
    fp_to_be(bytes + 48, &a->c0);
}

/* ---- subgroup checks. x is the curve's parameter; only its absolute value is used, which has six bits set. */

/* phi(P) = [-x^2] P, where phi(x, y) = (beta x, y). The condition suffices for all points of the curve:
 * phi^2 + phi + 1 = 0, so P is then a multiple of order dividing x^4 - x^2 + 1 = r.
 * Source: Scott, eprint 2021/1130, section 4; the proof El Housni, Guillevic, Piellard, eprint 2022/352.
 * Cost: 126 doublings, 5 mixed and 5 full additions: about 1,030 products. */
static bool g1_in_subgroup(const weir_g1_affine *p)
{
    static const weir_fp beta = WEIR_G1_BETA;
    if (g1_affine_is_infinity(p)) return true;
    weir_g1 q, s;
    weir_g1_affine e;
    g1_from_affine(&q, p);
    for (int i = 62; i >= 0; i--) {
        g1_dbl(&q, &q);
        if ((WEIR_BLS_X_ABS >> i) & 1) g1_madd(&q, &q, p);
    }
    s = q;
    for (int i = 62; i >= 0; i--) {
        g1_dbl(&s, &s);
        if ((WEIR_BLS_X_ABS >> i) & 1) g1_add(&s, &s, &q);
    }
    fp_mul(&e.x, &p->x, &beta);
    fp_neg(&e.y, &p->y);
    g1_from_affine(&q, &e);
    return g1_eq(&q, &s);
}

/* psi(P) = [x] P, where psi is the Frobenius map carried over to the twist. It suffices for all points:
 * psi^2 - [x + 1] psi + [p] = 0, so (p - x) P = 0, and p - x and the order of the curve have only r in common.
 * Source: as above. Cost: 63 doublings and 5 mixed additions: about 1,200 products in Fp. */
static bool g2_in_subgroup(const weir_g2_affine *p)
{
    static const weir_fp2 psi_x = WEIR_G2_PSI_X, psi_y = WEIR_G2_PSI_Y;
    if (g2_affine_is_infinity(p)) return true;
    weir_g2 q, s;
    weir_g2_affine e;
    g2_from_affine(&q, p);
    for (int i = 62; i >= 0; i--) {
        g2_dbl(&q, &q);
        if ((WEIR_BLS_X_ABS >> i) & 1) g2_madd(&q, &q, p);
    }
    fp2_conj(&e.x, &p->x);
    fp2_mul(&e.x, &e.x, &psi_x);
    fp2_conj(&e.y, &p->y);
    fp2_mul(&e.y, &e.y, &psi_y);
    fp2_neg(&e.y, &e.y); /* x is negative */
    g2_from_affine(&s, &e);
    return g2_eq(&q, &s);
}

/* ---- the templates */

#include "curve/ec_g1.inc.h"
#define E_MUL_3B  g1_mul_3b
#define E_RHS     g1_rhs
#define E_FROM_BE fp_from_be
#define E_TO_BE   fp_to_be
#include "curve/curve_encode.inc.h"
#include "curve/curve_mul.inc.h"
#undef E_MUL_3B
#undef E_RHS
#undef E_FROM_BE
#undef E_TO_BE
#include "curve/ec_end.inc.h"
#include "curve/ec_g2.inc.h"
#define E_MUL_3B  g2_mul_3b
#define E_RHS     g2_rhs
#define E_FROM_BE fp2_from_be_c1_c0
#define E_TO_BE   fp2_to_be_c1_c0
#include "curve/curve_encode.inc.h"
#include "curve/curve_mul.inc.h"
#undef E_MUL_3B
#undef E_RHS
#undef E_FROM_BE
#undef E_TO_BE
#include "curve/ec_end.inc.h"

static __attribute__((unused)) void g1_s_double(weir_g1 *p, size_t n, unsigned times)
{
    for (size_t i = 0; i < n; i++)
        for (unsigned k = 0; k < times; k++) g1_dbl(&p[i], &p[i]);
}

/* r += d times the point of table d/2, an odd multiple. */
static void g1_add_digit(weir_g1 *r, const weir_g1 table[WEIR_WNAF_TABLE], int d)
{
    weir_g1 t;
    if (d > 0) g1_add(r, r, &table[d / 2]);
    if (d >= 0) return;
    g1_neg(&t, &table[-d / 2]);
    g1_add(r, r, &t);
}

static void g1_mul_split(weir_g1 *out, const weir_g1_affine *p, const weir_split *k)
{
    static const weir_fp beta = WEIR_G1_BETA;
    int8_t a[WEIR_WNAF_DIGITS], b[WEIR_WNAF_DIGITS];
    weir_scalar ka = {{k->l[0][0], k->l[0][1]}}, kb = {{k->l[1][0], k->l[1][1]}};
    int na = scalar_wnaf(a, &ka), nb = scalar_wnaf(b, &kb);
    weir_g1 odd[WEIR_WNAF_TABLE], phi[WEIR_WNAF_TABLE], twice, acc;
    g1_from_affine(&odd[0], p);
    g1_dbl(&twice, &odd[0]);
    for (int i = 1; i < WEIR_WNAF_TABLE; i++) g1_add(&odd[i], &odd[i - 1], &twice);
    for (int i = 0; i < WEIR_WNAF_TABLE; i++) {
        phi[i] = odd[i];
        fp_mul(&phi[i].x, &phi[i].x, &beta);
    }
    g1_set_infinity(&acc);
    for (int i = (na > nb ? na : nb) - 1; i >= 0; i--) {
        g1_dbl(&acc, &acc);
        g1_add_digit(&acc, odd, a[i]);
        g1_add_digit(&acc, phi, b[i]);
    }
    *out = acc;
}

static __attribute__((unused)) void g1_s_mul_split(weir_g1 *out, const weir_g1_affine *p,
                                                   const weir_split *k, size_t n)
{
    for (size_t i = 0; i < n; i++) g1_mul_split(&out[i], &p[i], &k[i]);
}

#ifdef WEIR_ISA_IS_ifma
#include "curve/lanes_points.inc.h"
#define LANES(scalar, lanes) lanes
#else
#define LANES(scalar, lanes) scalar
#endif

const weir_curve_ops WEIR_ISA_NAME(weir_curve_ops) = {
    .g1s_decode = LANES(g1_s_decode, g1_s_x8_decode),
    .g2s_decode = LANES(g2_s_decode, g2_s_x8_decode),
    .g1s_encode = g1_s_encode,
    .g2s_encode = g2_s_encode,
    .g1_decompress = g1_decompress,
    .g2_decompress = g2_decompress,
    .g1s_decompress = LANES(g1_s_decompress, g1_s_x8_decompress),
    .g2s_decompress = LANES(g2_s_decompress, g2_s_x8_decompress),
    .g1_compress = g1_compress,
    .g2_compress = g2_compress,
    .g1_on_curve = g1_on_curve,
    .g2_on_curve = g2_on_curve,
    .g1_in_subgroup = g1_in_subgroup,
    .g2_in_subgroup = g2_in_subgroup,
    .g1_add = g1_add,
    .g2_add = g2_add,
    .g1_mul = g1_mul,
    .g2_mul = g2_mul,
    .g1s_mul_split = LANES(g1_s_mul_split, g1_s_x8_mul_split),
    .g1_mul_ct = g1_mul_ct,
    .g2_mul_ct = g2_mul_ct,
    .g1s_double = LANES(g1_s_double, g1_s_x8_double),
    .g1s_to_affine = g1_s_to_affine,
    .g2s_to_affine = g2_s_to_affine,
    .g2_prepare = WEIR_ISA_NAME(weir_g2_prepare),
    .g2s_prepare = WEIR_ISA_NAME(weir_g2s_prepare),
    .miller = WEIR_ISA_NAME(weir_miller),
    .final_exp = WEIR_ISA_NAME(weir_final_exp),
    .fp12_mul = WEIR_ISA_NAME(weir_fp12_mul),
    .fp12_pow = WEIR_ISA_NAME(weir_fp12_pow),
    .fp12_is_one = WEIR_ISA_NAME(weir_fp12_is_one),
};
