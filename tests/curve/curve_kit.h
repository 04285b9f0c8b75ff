/* What the curve tests share: points from vectors, random points of every kind, comparison. */
#ifndef WEIR_TESTS_CURVE_KIT_H
#define WEIR_TESTS_CURVE_KIT_H

#include "curve/curve.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "field/fr.h"
#include "testkit.h"

#include <string.h>

/* An encoded point of a vector, of either form; the test fails if it is refused. */
static inline void ck_g1(const weir_curve_ops *c, const char *hex, weir_g1_affine *p)
{
    uint8_t b[96];
    size_t bad;
    bool full = strlen(hex) == 192;
    tk_hex_bytes(hex, b, full ? 96 : 48);
    weir_err e = full ? c->g1s_decode(p, b, 1, WEIR_CHECK_SUBGROUP, &bad)
                      : c->g1_decompress(p, b, WEIR_CHECK_SUBGROUP);
    assert_int_equal(e, WEIR_OK);
}

static inline void ck_g2(const weir_curve_ops *c, const char *hex, weir_g2_affine *p)
{
    uint8_t b[192];
    size_t bad;
    bool full = strlen(hex) == 384;
    tk_hex_bytes(hex, b, full ? 192 : 96);
    weir_err e = full ? c->g2s_decode(p, b, 1, WEIR_CHECK_SUBGROUP, &bad)
                      : c->g2_decompress(p, b, WEIR_CHECK_SUBGROUP);
    assert_int_equal(e, WEIR_OK);
}

static inline weir_g1_affine ck_g1_affine(const weir_curve_ops *c, const weir_g1 *p)
{
    weir_g1_affine a;
    weir_fp scratch;
    c->g1s_to_affine(&a, p, 1, &scratch);
    return a;
}

static inline weir_g2_affine ck_g2_affine(const weir_curve_ops *c, const weir_g2 *p)
{
    weir_g2_affine a;
    weir_fp2 scratch;
    c->g2s_to_affine(&a, p, 1, &scratch);
    return a;
}

static inline weir_g1_affine ck_g1_mul(const weir_curve_ops *c, const weir_g1_affine *p,
                                       const weir_scalar *k)
{
    weir_g1 t;
    c->g1_mul(&t, p, k);
    return ck_g1_affine(c, &t);
}

static inline weir_g2_affine ck_g2_mul(const weir_curve_ops *c, const weir_g2_affine *p,
                                       const weir_scalar *k)
{
    weir_g2 t;
    c->g2_mul(&t, p, k);
    return ck_g2_affine(c, &t);
}

/* Random points of order r. */
static inline weir_g1_affine ck_g1_random(const weir_curve_ops *c, tk_rng *g)
{
    weir_scalar k;
    tk_scalar(g, &k);
    return ck_g1_mul(c, weir_g1_generator(), &k);
}

static inline weir_g2_affine ck_g2_random(const weir_curve_ops *c, tk_rng *g)
{
    weir_scalar k;
    tk_scalar(g, &k);
    return ck_g2_mul(c, weir_g2_generator(), &k);
}

/* Random points of the curve, whatever their order: no cofactor is taken away. */
static inline weir_g1_affine ck_g1_any_order(tk_rng *g)
{
    weir_g1_affine p;
    weir_fp four, t;
    fp_from_u64(&four, 4);
    do {
        tk_fp(g, &p.x);
        fp_sqr(&t, &p.x);
        fp_mul(&t, &t, &p.x);
        fp_add(&t, &t, &four);
    } while (!fp_sqrt(&p.y, &t));
    return p;
}

static inline weir_g2_affine ck_g2_any_order(tk_rng *g)
{
    weir_g2_affine p;
    weir_fp2 b, t;
    fp_from_u64(&b.c0, 4);
    b.c1 = b.c0;
    do {
        tk_fp(g, &p.x.c0);
        tk_fp(g, &p.x.c1);
        fp2_sqr(&t, &p.x);
        fp2_mul(&t, &t, &p.x);
        fp2_add(&t, &t, &b);
    } while (!fp2_sqrt(&p.y, &t));
    return p;
}

/* r, the order, as an integer. */
static inline weir_scalar ck_order(void)
{
    weir_scalar r;
    memcpy(r.l, fr_MODULUS.l, sizeof r.l);
    return r;
}

static inline weir_scalar ck_small(uint64_t v)
{
    return (weir_scalar){{v}};
}

#endif
