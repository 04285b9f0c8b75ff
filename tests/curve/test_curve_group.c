#include "curve_kit.h"
#include "curve_laws.h"

static void laws(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        curve_laws_get(isa)->g1(&g, 20);
        curve_laws_get(isa)->g2(&g, 10);
    }
}

static void generators(void **state)
{
    (void)state;
    json_t *doc = tk_json("curve/points.json");
    const weir_curve_ops *c = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    weir_g1_affine p;
    weir_g2_affine q;
    ck_g1(c, tk_str(tk_get(doc, "g1_generator"), "uncompressed"), &p);
    ck_g2(c, tk_str(tk_get(doc, "g2_generator"), "uncompressed"), &q);
    assert_memory_equal(&p, weir_g1_generator(), sizeof p);
    assert_memory_equal(&q, weir_g2_generator(), sizeof q);
    json_decref(doc);
}

/* A vector's point, checked in both forms: they must agree. */
static weir_g1_affine vector_g1(const weir_curve_ops *c, json_t *obj, const char *key)
{
    weir_g1_affine a, b;
    ck_g1(c, tk_str(tk_get(obj, key), "uncompressed"), &a);
    ck_g1(c, tk_str(tk_get(obj, key), "compressed"), &b);
    assert_memory_equal(&a, &b, sizeof a);
    return a;
}

static weir_g2_affine vector_g2(const weir_curve_ops *c, json_t *obj, const char *key)
{
    weir_g2_affine a, b;
    ck_g2(c, tk_str(tk_get(obj, key), "uncompressed"), &a);
    ck_g2(c, tk_str(tk_get(obj, key), "compressed"), &b);
    assert_memory_equal(&a, &b, sizeof a);
    return a;
}

/* k p in every way there is, against want. */
static void check_g1_mul(const weir_curve_ops *c, const weir_g1_affine *p, const weir_scalar *k,
                         const weir_g1_affine *want)
{
    weir_g1 r[2];
    weir_g1_affine a[2];
    weir_fp scratch[2];
    c->g1_mul(&r[0], p, k);
    c->g1_mul_ct(&r[1], p, k);
    c->g1s_to_affine(a, r, 2, scratch);
    assert_memory_equal(&a[0], want, sizeof *want);
    assert_memory_equal(&a[1], want, sizeof *want);
    assert_int_equal(g1_is_infinity(&r[0]), g1_affine_is_infinity(want));
    assert_int_equal(g1_is_infinity(&r[1]), g1_affine_is_infinity(want));
}

static void check_g2_mul(const weir_curve_ops *c, const weir_g2_affine *p, const weir_scalar *k,
                         const weir_g2_affine *want)
{
    weir_g2 r[2];
    weir_g2_affine a[2];
    weir_fp2 scratch[2];
    c->g2_mul(&r[0], p, k);
    c->g2_mul_ct(&r[1], p, k);
    c->g2s_to_affine(a, r, 2, scratch);
    assert_memory_equal(&a[0], want, sizeof *want);
    assert_memory_equal(&a[1], want, sizeof *want);
    assert_int_equal(g2_is_infinity(&r[0]), g2_affine_is_infinity(want));
    assert_int_equal(g2_is_infinity(&r[1]), g2_affine_is_infinity(want));
}

static void multiples(void **state)
{
    (void)state;
    json_t *doc = tk_json("curve/points.json"), *all = tk_get(doc, "multiples_of_the_generators"),
           *e;
    size_t i;
    assert_true(json_array_size(all) > 0);
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        json_array_foreach(all, i, e)
        {
            weir_scalar k;
            tk_hex_scalar(tk_str(e, "k"), &k);
            weir_g1_affine p = vector_g1(c, e, "g1");
            weir_g2_affine q = vector_g2(c, e, "g2");
            check_g1_mul(c, weir_g1_generator(), &k, &p);
            check_g2_mul(c, weir_g2_generator(), &k, &q);
        }
    }
    json_decref(doc);
}

static weir_g1_affine sum_g1(const weir_curve_ops *c, const weir_g1_affine *p,
                             const weir_g1_affine *q)
{
    weir_g1 a, b;
    g1_from_affine(&a, p);
    g1_from_affine(&b, q);
    c->g1_add(&a, &a, &b);
    return ck_g1_affine(c, &a);
}

static weir_g2_affine sum_g2(const weir_curve_ops *c, const weir_g2_affine *p,
                             const weir_g2_affine *q)
{
    weir_g2 a, b;
    g2_from_affine(&a, p);
    g2_from_affine(&b, q);
    c->g2_add(&a, &a, &b);
    return ck_g2_affine(c, &a);
}

static void operations(void **state)
{
    (void)state;
    json_t *doc = tk_json("curve/points.json"), *all = tk_get(doc, "operations"), *e;
    size_t i;
    assert_true(json_array_size(all) > 0);
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        json_array_foreach(all, i, e)
        {
            weir_scalar k;
            tk_hex_scalar(tk_str(e, "k"), &k);
            weir_g1_affine p = vector_g1(c, e, "p"), q = vector_g1(c, e, "q"), w, got, minus;
            w = vector_g1(c, e, "k_p");
            check_g1_mul(c, &p, &k, &w);
            w = vector_g1(c, e, "p_plus_q");
            got = sum_g1(c, &p, &q);
            assert_memory_equal(&got, &w, sizeof w);
            w = vector_g1(c, e, "two_p");
            got = sum_g1(c, &p, &p);
            assert_memory_equal(&got, &w, sizeof w);
            w = vector_g1(c, e, "p_minus_q");
            g1_affine_neg(&minus, &q);
            got = sum_g1(c, &p, &minus);
            assert_memory_equal(&got, &w, sizeof w);

            weir_g2_affine u = vector_g2(c, e, "P"), v = vector_g2(c, e, "Q"), x, have;
            x = vector_g2(c, e, "k_P");
            check_g2_mul(c, &u, &k, &x);
            x = vector_g2(c, e, "P_plus_Q");
            have = sum_g2(c, &u, &v);
            assert_memory_equal(&have, &x, sizeof x);
            x = vector_g2(c, e, "two_P");
            have = sum_g2(c, &u, &u);
            assert_memory_equal(&have, &x, sizeof x);
        }
    }
    json_decref(doc);
}

/* The sums of msm.json, one product after another. Large cases are left to the tests of msm. */
static void sums(void **state)
{
    (void)state;
    json_t *doc = tk_json("curve/msm.json"), *all = tk_get(doc, "cases"), *e;
    size_t i, seen = 0;
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        json_array_foreach(all, i, e)
        {
            size_t n = json_array_size(tk_get(e, "scalars"));
            if (n > 64) continue;
            seen++;
            weir_g1 s, t;
            weir_g2 u, v;
            g1_set_infinity(&s);
            g2_set_infinity(&u);
            for (size_t j = 0; j < n; j++) {
                weir_g1_affine p;
                weir_g2_affine q;
                weir_scalar k;
                ck_g1(c, json_string_value(json_array_get(tk_get(e, "g1"), j)), &p);
                ck_g2(c, json_string_value(json_array_get(tk_get(e, "g2"), j)), &q);
                tk_hex_scalar(json_string_value(json_array_get(tk_get(e, "scalars"), j)), &k);
                c->g1_mul(&t, &p, &k);
                c->g1_add(&s, &s, &t);
                c->g2_mul_ct(&v, &q, &k);
                c->g2_add(&u, &v, &u);
            }
            weir_g1_affine want = vector_g1(c, e, "sum_g1"), got = ck_g1_affine(c, &s);
            weir_g2_affine x = vector_g2(c, e, "sum_g2"), have = ck_g2_affine(c, &u);
            assert_memory_equal(&got, &want, sizeof got);
            assert_memory_equal(&have, &x, sizeof have);
        }
    }
    assert_true(seen > 0);
    json_decref(doc);
}

/* Scalars that are special, points of every order, infinity. */
static void special_multiples(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        weir_g1_affine p = ck_g1_random(c, &g), inf1 = {0}, minus, any = ck_g1_any_order(&g);
        weir_g2_affine q = ck_g2_random(c, &g), inf2 = {0}, minus2, any2 = ck_g2_any_order(&g);
        weir_scalar k = ck_order(), zero = ck_small(0), one = ck_small(1);
        check_g1_mul(c, &p, &k, &inf1);
        check_g2_mul(c, &q, &k, &inf2);
        check_g1_mul(c, &p, &zero, &inf1);
        check_g2_mul(c, &q, &zero, &inf2);
        check_g1_mul(c, &any, &one, &any);
        check_g2_mul(c, &any2, &one, &any2);
        k.l[0] -= 1;
        g1_affine_neg(&minus, &p);
        g2_affine_neg(&minus2, &q);
        check_g1_mul(c, &p, &k, &minus);
        check_g2_mul(c, &q, &k, &minus2);
        check_g1_mul(c, &inf1, &k, &inf1);
        check_g2_mul(c, &inf2, &k, &inf2);
        /* small multiples and all 256 bits, by adding up */
        weir_g1 s;
        weir_g2 t;
        g1_set_infinity(&s);
        g2_set_infinity(&t);
        for (uint64_t v = 0; v <= 40; v++) {
            k = ck_small(v);
            minus = ck_g1_affine(c, &s);
            minus2 = ck_g2_affine(c, &t);
            check_g1_mul(c, &any, &k, &minus);
            check_g2_mul(c, &any2, &k, &minus2);
            g1_madd(&s, &s, &any);
            g2_madd(&t, &t, &any2);
        }
        g1_from_affine(&s, &any);
        g2_from_affine(&t, &any2);
        for (int i = 0; i < 256; i++) {
            g1_dbl(&s, &s);
            g2_dbl(&t, &t);
        }
        g1_affine_neg(&minus, &any);
        g2_affine_neg(&minus2, &any2);
        g1_madd(&s, &s, &minus);
        g2_madd(&t, &t, &minus2);
        memset(&k, 0xff, sizeof k);
        minus = ck_g1_affine(c, &s);
        minus2 = ck_g2_affine(c, &t);
        check_g1_mul(c, &any, &k, &minus);
        check_g2_mul(c, &any2, &k, &minus2);
        /* random integers of 256 bits, the top one set: the two ways agree */
        for (int i = 0; i < 10; i++) {
            tk_bytes(&g, &k, sizeof k);
            k.l[3] |= (uint64_t)1 << 63;
            minus = ck_g1_mul(c, &any, &k);
            minus2 = ck_g2_mul(c, &any2, &k);
            check_g1_mul(c, &any, &k, &minus);
            check_g2_mul(c, &any2, &k, &minus2);
        }
    }
}

static void to_affine_of_many(void **state)
{
    (void)state;
    enum { N = 9 };
    tk_rng g = tk_rng_new();
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        weir_g1 p[N];
        weir_g2 q[N];
        weir_g1_affine a[N], b;
        weir_g2_affine x[N], y;
        weir_fp scratch[N];
        weir_fp2 scratch2[N];
        for (unsigned holes = 0; holes < 1u << N; holes += 1 + (unsigned)tk_below(&g, 60)) {
            weir_scalar k;
            tk_scalar(&g, &k);
            c->g1_mul(&p[0], weir_g1_generator(), &k);
            c->g2_mul(&q[0], weir_g2_generator(), &k);
            for (int i = 1; i < N; i++) {
                g1_dbl(&p[i], &p[i - 1]);
                g2_dbl(&q[i], &q[i - 1]);
            }
            for (int i = 0; i < N; i++)
                if ((holes >> i) & 1) fp_set_zero(&p[i].z), fp2_set_zero(&q[i].z);
            c->g1s_to_affine(a, p, N, scratch);
            c->g2s_to_affine(x, q, N, scratch2);
            for (int i = 0; i < N; i++) {
                g1_to_affine(&b, &p[i]);
                g2_to_affine(&y, &q[i]);
                assert_memory_equal(&a[i], &b, sizeof b);
                assert_memory_equal(&x[i], &y, sizeof y);
                assert_int_equal(g1_affine_is_infinity(&a[i]), (holes >> i) & 1);
                assert_int_equal(g2_affine_is_infinity(&x[i]), (holes >> i) & 1);
            }
        }
        c->g1s_to_affine(a, p, 0, scratch);
        c->g2s_to_affine(x, q, 0, scratch2);
    }
}

/* By endomorphism and by r P = 0. */
static void check_subgroups(const weir_curve_ops *c, const weir_g1_affine *p,
                            const weir_g2_affine *q, bool in)
{
    weir_scalar r = ck_order();
    weir_g1 s;
    weir_g2 t;
    assert_true(c->g1_on_curve(p) && c->g2_on_curve(q));
    c->g1_mul(&s, p, &r);
    c->g2_mul(&t, q, &r);
    assert_int_equal(g1_is_infinity(&s), in);
    assert_int_equal(g2_is_infinity(&t), in);
    assert_int_equal(c->g1_in_subgroup(p), in);
    assert_int_equal(c->g2_in_subgroup(q), in);
}

static void subgroups(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    weir_scalar r = ck_order();
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        for (int i = 0; i < 8; i++) {
            weir_g1_affine p = ck_g1_random(c, &g), low = ck_g1_any_order(&g);
            weir_g2_affine q = ck_g2_random(c, &g), low2 = ck_g2_any_order(&g);
            check_subgroups(c, &p, &q, true);
            check_subgroups(c, &low, &low2, false);
            /* orders that divide the cofactor alone, and their sums with points of order r */
            low = ck_g1_mul(c, &low, &r);
            low2 = ck_g2_mul(c, &low2, &r);
            check_subgroups(c, &low, &low2, false);
            p = sum_g1(c, &p, &low);
            q = sum_g2(c, &q, &low2);
            check_subgroups(c, &p, &q, false);
        }
        weir_g1_affine inf = {0}, three = {0};
        weir_g2_affine inf2 = {0};
        check_subgroups(c, &inf, &inf2, true);
        fp_from_u64(&three.y, 2); /* (0, 2) has order three */
        assert_true(c->g1_on_curve(&three));
        assert_false(c->g1_in_subgroup(&three));
    }
}

/* Points whose order is a small prime factor of the cofactor of G1: 3, 11, 10177 (h = (x - 1)^2 / 3). */
static void small_orders(void **state)
{
    (void)state;
    static const uint64_t primes[] = {3, 11, 10177};
    tk_rng g = tk_rng_new();
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        weir_scalar r = ck_order();
        for (size_t i = 0; i < 3; i++) {
            /* |x - 1| takes a point of order dividing (x - 1)^2 / 3 to one dividing x - 1, or to infinity; the
             * group is a product of two cyclic ones of order |x - 1| / 3 and |x - 1|. */
            weir_scalar k = ck_small((WEIR_BLS_X_ABS + 1) / primes[i]), one = ck_small(primes[i]);
            weir_g1_affine p = {0}, q;
            while (g1_affine_is_infinity(&p)) {
                p = ck_g1_any_order(&g);
                p = ck_g1_mul(c, &p, &r);
                p = ck_g1_mul(c, &p, &k);
            }
            q = ck_g1_mul(c, &p, &one);
            assert_true(g1_affine_is_infinity(&q));
            assert_false(c->g1_in_subgroup(&p));
        }
    }
}

/* Every path gives the same limbs, in Jacobian form too. */
static void paths_agree(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    const weir_curve_ops *ref = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    for (int round = 0; round < 5; round++) {
        weir_scalar k;
        weir_g1_affine p = ck_g1_any_order(&g);
        weir_g2_affine q = ck_g2_any_order(&g);
        tk_scalar(&g, &k);
        weir_g1 a[2], b[2];
        weir_g2 x[2], y[2];
        memset(a, 0, sizeof a);
        memset(x, 0, sizeof x);
        ref->g1_mul(&a[0], &p, &k);
        ref->g1_mul_ct(&a[1], &p, &k);
        ref->g2_mul(&x[0], &q, &k);
        ref->g2_mul_ct(&x[1], &q, &k);
        for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
            const weir_curve_ops *c = weir_curve_ops_get(isa);
            c->g1_mul(&b[0], &p, &k);
            c->g1_mul_ct(&b[1], &p, &k);
            c->g2_mul(&y[0], &q, &k);
            c->g2_mul_ct(&y[1], &q, &k);
            assert_memory_equal(a, b, sizeof a);
            assert_memory_equal(x, y, sizeof x);
        }
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws),
        cmocka_unit_test(generators),
        cmocka_unit_test(multiples),
        cmocka_unit_test(operations),
        cmocka_unit_test(sums),
        cmocka_unit_test(special_multiples),
        cmocka_unit_test(to_affine_of_many),
        cmocka_unit_test(subgroups),
        cmocka_unit_test(small_orders),
        cmocka_unit_test(paths_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
