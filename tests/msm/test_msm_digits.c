/* Signed digits: for every window size, sum of d_w 2^(cw) is the scalar modulo r, and no digit is too large. */
#include "field/fr.h"
#include "msm/msm_digits.h"
#include "msm/msm_plan.h"
#include "testkit.h"

/* 0, 1, 2, r-1, r-2, (r-1)/2 and its neighbours, single bits, runs of ones */
static size_t special_scalars(weir_scalar *out)
{
    static const uint64_t r[4] = WEIR_FR_MODULUS;
    size_t n = 0;
    for (uint64_t v = 0; v < 4; v++) out[n++] = (weir_scalar){{v}};
    for (uint64_t v = 1; v < 4; v++) out[n++] = (weir_scalar){{r[0] - v, r[1], r[2], r[3]}};
    weir_scalar half = {{0, (r[1] >> 1) | r[2] << 63, (r[2] >> 1) | r[3] << 63, r[3] >> 1}};
    half.l[0] = (r[0] >> 1) | r[1] << 63;
    for (uint64_t v = 0; v < 5; v++) {
        out[n] = half;
        out[n++].l[0] += v - 2;
    }
    for (unsigned bit = 0; bit < 255; bit++) {
        out[n] = (weir_scalar){{0}};
        out[n++].l[bit / 64] = (uint64_t)1 << (bit % 64);
    }
    for (unsigned bits = 1; bits < 255; bits++) {
        weir_scalar s = {{0}};
        for (unsigned b = 0; b < bits; b++) s.l[b / 64] |= (uint64_t)1 << (b % 64);
        if (scalar_is_reduced(&s)) out[n++] = s;
    }
    return n;
}

static void check_scalar(const weir_scalar *k, const weir_msm_recode *t)
{
    weir_msm_recoded s;
    weir_fr sum, weight, base, want, term;
    weir_msm_recode_scalar(&s, t, k);
    fr_set_zero(&sum);
    fr_set_one(&weight);
    fr_from_u64(&base, (uint64_t)1 << t->c);
    for (unsigned w = 0; w < t->windows; w++) {
        uint32_t d = weir_msm_digit(&s, t, w);
        assert_true(d == 0 || d >> 1 != 0);
        assert_true(d >> 1 <= (uint32_t)1 << (t->c - 1));
        fr_from_u64(&term, d >> 1);
        fr_mul(&term, &term, &weight);
        if (d & 1)
            fr_sub(&sum, &sum, &term);
        else
            fr_add(&sum, &sum, &term);
        fr_mul(&weight, &weight, &base);
    }
    fr_from_scalar(&want, k);
    assert_true(fr_eq(&sum, &want));
}

static void test_digits_sum_to_the_scalar(void **state)
{
    (void)state;
    static weir_scalar special[600];
    size_t n = special_scalars(special);
    assert_true(n < 600);
    tk_rng g = tk_rng_new();
    for (unsigned c = WEIR_MSM_MIN_WINDOW; c <= WEIR_MSM_MAX_WINDOW; c++) {
        weir_msm_recode t;
        weir_msm_recode_init(&t, c);
        assert_true(t.windows * c >= 255 && (t.windows - 1) * c < 255);
        for (size_t i = 0; i < n; i++) check_scalar(&special[i], &t);
        for (int i = 0; i < 200; i++) {
            weir_scalar k;
            tk_scalar(&g, &k);
            check_scalar(&k, &t);
        }
    }
}

/* A number that is no scalar gives a wrong sum, but never a digit outside the buckets. */
static void test_digits_stay_small_for_any_number(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (unsigned c = WEIR_MSM_MIN_WINDOW; c <= WEIR_MSM_MAX_WINDOW; c++) {
        weir_msm_recode t;
        weir_msm_recode_init(&t, c);
        for (int i = 0; i < 1000; i++) {
            weir_scalar k;
            weir_msm_recoded s;
            tk_bytes(&g, &k, sizeof k);
            if (i < 4)
                k = (weir_scalar){{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX - (uint64_t)i}};
            weir_msm_recode_scalar(&s, &t, &k);
            for (unsigned w = 0; w < t.windows; w++)
                assert_true(weir_msm_digit(&s, &t, w) >> 1 <= (uint32_t)1 << (c - 1));
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digits_sum_to_the_scalar),
        cmocka_unit_test(test_digits_stay_small_for_any_number),
    };
    tk_init(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
