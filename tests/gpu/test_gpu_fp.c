/* Fp and Fp2 of kernels, compiled for the host, against field/fp.h and field/fp2.h: random and special values in both of
 * their representations below 2p, bounds at their ends, every aliasing of arguments. */
#include "gpu_kit.h"

#include "field/fp2.h"

static void test_fp_sums(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (int i = 0; i < KIT_CASES; i++) {
        weir_fp a, b, want;
        weir_dfp x, y, r;
        kit_fp(&g, &a, &x);
        kit_fp(&g, &b, &y);
        fp_add(&want, &a, &b);
        dfp_add(&r, &x, &y);
        kit_fp_is(&r, &want);
        fp_sub(&want, &a, &b);
        dfp_sub(&r, &x, &y);
        kit_fp_is(&r, &want);
        fp_neg(&want, &a);
        dfp_neg(&r, &x);
        kit_fp_is(&r, &want);
        fp_dbl(&want, &a);
        dfp_dbl(&r, &x);
        kit_fp_is(&r, &want);
        fp_add(&want, &want, &a);
        dfp_triple(&r, &x);
        kit_fp_is(&r, &want);
        assert_true(dfp_eq(&x, &y) == fp_eq(&a, &b));
        assert_true(dfp_is_zero(&x) == fp_is_zero(&a));
        bool take = tk_below(&g, 2);
        dfp_select(&r, take, &x, &y);
        kit_same(&r, take ? &x : &y);
    }
}

static void test_fp_products(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (int i = 0; i < KIT_CASES; i++) {
        weir_fp a, b, c, d, want, t;
        weir_dfp x, y, u, v, r;
        kit_fp(&g, &a, &x);
        kit_fp(&g, &b, &y);
        kit_fp(&g, &c, &u);
        kit_fp(&g, &d, &v);
        fp_mul(&want, &a, &b);
        dfp_mul(&r, &x, &y);
        kit_fp_is(&r, &want);
        fp_mul(&t, &c, &d);
        fp_sub(&want, &want, &t);
        dfp_mul_sub(&r, &x, &y, &u, &v);
        kit_fp_is(&r, &want);
        fp_sqr(&want, &a);
        dfp_sqr(&r, &x);
        kit_fp_is(&r, &want);
    }
}

/* Limbs k p - 1, k = 1 .. 8, and limbs p - 1, which are the same residue. */
static void multiple_less_one(weir_dfp *r, weir_fp *h, int k)
{
    static const weir_fp zero = {{0}}, one_limb = {{1}};
    const uint32_t p[WEIR_DFP_N] = WEIR_FP_MODULUS_32;
    weir_dfp m;
    memcpy(&m, p, sizeof m);
    *r = m;
    for (int i = 1; i < k; i++) dfp_add_plain(r, r, &m);
    assert_true(r->l[0] > 0);
    r->l[0]--;
    fp_sub(h, &zero, &one_limb);
}

static void test_fp_bounds(void **state)
{
    (void)state;
    static const int pairs[][2] = {{1, 8}, {8, 1}, {2, 4}, {4, 2}, {3, 3}, {2, 2}, {1, 1}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        weir_dfp a, b, r;
        weir_fp ha, hb, want;
        multiple_less_one(&a, &ha, pairs[i][0]);
        multiple_less_one(&b, &hb, pairs[i][1]);
        fp_mul(&want, &ha, &hb);
        dfp_mul(&r, &a, &b);
        kit_fp_is(&r, &want);
    }
    weir_dfp a, r;
    weir_fp h, want;
    multiple_less_one(&a, &h, 3);
    dfp_sqr(&r, &a);
    fp_sqr(&want, &h);
    kit_fp_is(&r, &want);
    /* both ends of mul_sub */
    weir_dfp big, zero;
    multiple_less_one(&big, &h, 2);
    dfp_set_zero(&zero);
    fp_sqr(&want, &h);
    dfp_mul_sub(&r, &big, &big, &zero, &big);
    kit_fp_is(&r, &want);
    fp_neg(&want, &want);
    dfp_mul_sub(&r, &zero, &zero, &big, &big);
    kit_fp_is(&r, &want);
}

static void test_fp_aliases(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (int i = 0; i < 1000; i++) {
        weir_fp h;
        weir_dfp a, b, r, s;
        kit_fp(&g, &h, &a);
        kit_fp(&g, &h, &b);
#define ALIASES(op)                                                                                \
    do {                                                                                           \
        op(&r, &a, &b);                                                                            \
        s = a, op(&s, &s, &b), kit_same(&s, &r);                                                   \
        s = b, op(&s, &a, &s), kit_same(&s, &r);                                                   \
        op(&r, &a, &a);                                                                            \
        s = a, op(&s, &s, &s), kit_same(&s, &r);                                                   \
    } while (0)
        ALIASES(dfp_add);
        ALIASES(dfp_sub);
        ALIASES(dfp_mul);
        dfp_sqr(&r, &a);
        s = a, dfp_sqr(&s, &s), kit_same(&s, &r);
        dfp_mul_sub(&r, &a, &b, &b, &a);
        s = a, dfp_mul_sub(&s, &s, &b, &b, &s), kit_same(&s, &r);
    }
}

static void test_fp_inverse(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (int i = 0; i < KIT_CASES; i++) {
        weir_fp a, want;
        weir_dfp x, r;
        kit_fp(&g, &a, &x);
        weir_fp_inv(&want, &a);
        dfp_inv(&r, &x);
        assert_true(kit_fp_below(&r, 1));
        kit_fp_is(&r, &want);
    }
}

static void test_fp2(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (int i = 0; i < KIT_CASES; i++) {
        weir_fp2 a, b, c, d, want, t;
        weir_dfp2 x, y, u, v, r;
        kit_fp2(&g, &a, &x);
        kit_fp2(&g, &b, &y);
        kit_fp2(&g, &c, &u);
        kit_fp2(&g, &d, &v);
        fp2_add(&want, &a, &b);
        dfp2_add(&r, &x, &y);
        kit_fp2_is(&r, &want);
        fp2_sub(&want, &a, &b);
        dfp2_sub(&r, &x, &y);
        kit_fp2_is(&r, &want);
        fp2_neg(&want, &a);
        dfp2_neg(&r, &x);
        kit_fp2_is(&r, &want);
        fp2_sqr(&want, &a);
        dfp2_sqr(&r, &x);
        kit_fp2_is(&r, &want);
        fp2_mul(&want, &a, &b);
        dfp2_mul(&r, &x, &y);
        kit_fp2_is(&r, &want);
        fp2_mul(&t, &c, &d);
        fp2_sub(&want, &want, &t);
        dfp2_mul_sub(&r, &x, &y, &u, &v);
        kit_fp2_is(&r, &want);
        fp2_add(&want, &a, &a);
        dfp2_dbl(&r, &x);
        kit_fp2_is(&r, &want);
        fp2_add(&want, &want, &a);
        dfp2_triple(&r, &x);
        kit_fp2_is(&r, &want);
        r = x, dfp2_mul(&r, &r, &r), dfp2_sqr(&x, &x);
        assert_true(dfp2_eq(&r, &x));
        assert_true(dfp2_is_zero(&u) == fp2_is_zero(&c));
    }
}

static void test_fp2_inverse(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (int i = 0; i < KIT_CASES; i++) {
        weir_fp2 a, want;
        weir_dfp2 x;
        kit_fp2(&g, &a, &x);
        fp2_inv(&want, &a);
        dfp2_inv(&x, &x);
        kit_fp2_is(&x, &want);
    }
}

/* All four coordinates at 0 or 2p - 1: the ends of what Karatsuba's middle product and the differences can be. */
static void test_fp2_corners(void **state)
{
    (void)state;
    weir_dfp end[2];
    weir_fp host[2] = {{{0}}, {{0}}};
    dfp_set_zero(&end[0]);
    multiple_less_one(&end[1], &host[1], 2);
    for (int i = 0; i < 256; i++) {
        weir_dfp2 v[4], r;
        weir_fp2 h[4], want, t;
        for (int j = 0; j < 4; j++) {
            v[j].c0 = end[i >> (2 * j) & 1], h[j].c0 = host[i >> (2 * j) & 1];
            v[j].c1 = end[i >> (2 * j + 1) & 1], h[j].c1 = host[i >> (2 * j + 1) & 1];
        }
        dfp2_mul(&r, &v[0], &v[1]);
        fp2_mul(&want, &h[0], &h[1]);
        kit_fp2_is(&r, &want);
        dfp2_mul_sub(&r, &v[0], &v[1], &v[2], &v[3]);
        fp2_mul(&t, &h[2], &h[3]);
        fp2_sub(&want, &want, &t);
        kit_fp2_is(&r, &want);
        dfp2_sqr(&r, &v[0]);
        fp2_sqr(&want, &h[0]);
        kit_fp2_is(&r, &want);
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fp_sums),     cmocka_unit_test(test_fp_products),
        cmocka_unit_test(test_fp_bounds),   cmocka_unit_test(test_fp_aliases),
        cmocka_unit_test(test_fp_inverse),  cmocka_unit_test(test_fp2),
        cmocka_unit_test(test_fp2_inverse), cmocka_unit_test(test_fp2_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
