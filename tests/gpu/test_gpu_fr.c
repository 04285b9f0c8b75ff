/* Fr of kernels, compiled for the host, against field/fr.h; carry chains against 64-bit arithmetic. */
#include "gpu_kit.h"

#include "field/fr.h"

static void test_fr_ops(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (int i = 0; i < KIT_CASES; i++) {
        weir_fr a, b, want;
        weir_dfr x, y, r;
        kit_fr(&g, &a, &x);
        kit_fr(&g, &b, &y);
        fr_add(&want, &a, &b);
        dfr_add(&r, &x, &y);
        kit_same(&r, &want);
        dfr_add_plain(&r, &x, &y);
        dfr_reduce(&r, &r);
        kit_same(&r, &want);
        fr_sub(&want, &a, &b);
        dfr_sub(&r, &x, &y);
        kit_same(&r, &want);
        fr_neg(&want, &a);
        dfr_neg(&r, &x);
        kit_same(&r, &want);
        fr_dbl(&want, &a);
        dfr_dbl(&r, &x);
        kit_same(&r, &want);
        fr_mul(&want, &a, &b);
        dfr_mul(&r, &x, &y);
        kit_same(&r, &want);
        r = x, dfr_mul(&r, &r, &y), kit_same(&r, &want);
        r = y, dfr_mul(&r, &x, &r), kit_same(&r, &want);
        fr_sqr(&want, &a);
        dfr_sqr(&r, &x);
        kit_same(&r, &want);
        assert_true(dfr_eq(&x, &y) == fr_eq(&a, &b));
        assert_true(dfr_is_zero(&x) == fr_is_zero(&a));
    }
}

/* The second factor of a product may be any 256-bit integer. */
static void test_fr_wide_factor(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (int i = 0; i < KIT_CASES; i++) {
        weir_fr a, b, want;
        weir_dfr x, y, r;
        kit_fr(&g, &a, &x);
        if (i & 1)
            tk_bytes(&g, &y, sizeof y);
        else
            memset(&y, 0xff, sizeof y);
        uint64_t l[4];
        memcpy(l, &y, sizeof l);
        /* y mod r by subtraction: y < 3r */
        memcpy(&b, l, sizeof b);
        while (!fr_is_reduced(&b)) {
            uint64_t borrow = 0;
            for (int j = 0; j < 4; j++) {
                uint64_t d = b.l[j] - fr_MODULUS.l[j], e = d - borrow;
                borrow = (b.l[j] < fr_MODULUS.l[j]) | (d < borrow);
                b.l[j] = e;
            }
        }
        fr_mul(&want, &a, &b);
        dfr_mul(&r, &x, &y);
        kit_same(&r, &want);
    }
}

static void test_fr_forms(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (int i = 0; i < KIT_CASES; i++) {
        weir_fr a, want;
        weir_dfr x, r;
        weir_scalar s;
        kit_fr(&g, &a, &x);
        fr_to_scalar(&s, &a);
        dfr_from_mont(&r, &x);
        kit_same(&r, &s);
        dfr_to_mont(&r, &r);
        kit_same(&r, &a);
        weir_fr_inv(&want, &a);
        dfr_inv(&r, &x);
        kit_same(&r, &want);
    }
}

/* Sums, differences and products of three words through the primitives. */
static void test_limbs(void **state)
{
    (void)state;
    static const uint32_t edge[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
    enum { EDGES = sizeof edge / sizeof edge[0] };
    for (int i = 0; i < EDGES * EDGES * EDGES * EDGES; i++) {
        uint32_t a0 = edge[i % EDGES], a1 = edge[i / EDGES % EDGES],
                 b0 = edge[i / EDGES / EDGES % EDGES];
        uint32_t b1 = edge[i / EDGES / EDGES / EDGES];
        unsigned __int128 a = (uint64_t)a1 << 32 | a0, b = (uint64_t)b1 << 32 | b0, s = a + b,
                          d = a - b;
        weir_carry c = 0;
        assert_int_equal(limb_add_cc(a0, b0, &c), (uint32_t)s);
        assert_int_equal(limb_addc_cc(a1, b1, &c), (uint32_t)(s >> 32));
        assert_int_equal(limb_carry(&c), (uint32_t)(s >> 64));
        assert_int_equal(limb_sub_cc(a0, b0, &c), (uint32_t)d);
        assert_int_equal(limb_subc_cc(a1, b1, &c), (uint32_t)(d >> 32));
        assert_int_equal(limb_borrow_mask(&c), (uint32_t)(d >> 64));
        /* a0 b0 + a, a1 b1 + b above it */
        unsigned __int128 m = (uint64_t)a0 * b0 + a;
        assert_int_equal(limb_mad_lo_cc(a0, b0, a0, &c), (uint32_t)m);
        assert_int_equal(limb_madc_hi_cc(a0, b0, a1, &c), (uint32_t)(m >> 32));
        unsigned __int128 n = (m >> 64) + (uint64_t)a1 * b1 + b;
        assert_int_equal(limb_madc_lo_cc(a1, b1, b0, &c), (uint32_t)n);
        assert_int_equal(limb_madc_hi_cc(a1, b1, b1, &c), (uint32_t)(n >> 32));
        assert_int_equal(limb_carry(&c), (uint32_t)(n >> 64));
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fr_ops),
        cmocka_unit_test(test_fr_wide_factor),
        cmocka_unit_test(test_fr_forms),
        cmocka_unit_test(test_limbs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
