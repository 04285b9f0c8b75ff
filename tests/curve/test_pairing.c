#include "curve/tower.h"
#include "curve_kit.h"

typedef struct pair {
    weir_g1_affine p;
    weir_g2_affine q;
} pair;

static weir_fp12 miller_of(const weir_curve_ops *c, const pair *x, size_t n)
{
    static weir_g2_lines lines[8];
    const weir_g2_lines *q[8];
    weir_g1_affine p[8];
    weir_fp12 f;
    assert_true(n <= 8);
    for (size_t i = 0; i < n; i++) {
        c->g2_prepare(&lines[i], &x[i].q);
        q[i] = &lines[i];
        p[i] = x[i].p;
    }
    c->miller(&f, p, q, n);
    return f;
}

/* The product of the pairings of x[0 .. n-1]. */
static weir_fp12 pairing_of(const weir_curve_ops *c, const pair *x, size_t n)
{
    weir_fp12 f = miller_of(c, x, n);
    c->final_exp(&f, &f);
    return f;
}

static pair random_pair(const weir_curve_ops *c, tk_rng *g)
{
    return (pair){ck_g1_random(c, g), ck_g2_random(c, g)};
}

static weir_fp2 *coefficient(weir_fp12 *a, int j, int i)
{
    weir_fp6 *h = j ? &a->c1 : &a->c0;
    return i == 0 ? &h->c0 : i == 1 ? &h->c1 : &h->c2;
}

/* blst's 576 bytes: for i in 0..3, for j in 0..2: fp6[j].fp2[i].c0, .c1. */
static void gt_bytes(uint8_t out[576], weir_fp12 *a)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++, out += 96) {
            fp_to_be(out, &coefficient(a, j, i)->c0);
            fp_to_be(out + 48, &coefficient(a, j, i)->c1);
        }
}

/* blstrs' torus form is (c0 + 1) / c1, six little-endian coordinates: compared as form * c1 = c0 + 1. */
static bool torus_form_is(const char *hex, const weir_fp12 *a)
{
    uint8_t b[288], be[48];
    weir_fp12 t = {0};
    weir_fp6 want;
    tk_hex_bytes(hex, b, sizeof b);
    for (int i = 0; i < 6; i++) {
        weir_fp2 *x = coefficient(&t, 0, i / 2);
        for (int k = 0; k < 48; k++) be[k] = b[48 * i + 47 - k];
        assert_true(fp_from_be(i % 2 ? &x->c1 : &x->c0, be));
    }
    fp6_mul(&t.c0, &t.c0, &a->c1);
    want = a->c0;
    fp2_add(&want.c0, &want.c0, &fp2_ONE);
    return fp6_eq(&t.c0, &want);
}

static void values_of_blst(void **state)
{
    (void)state;
    json_t *doc = tk_json("curve/pairing.json"), *all = tk_get(doc, "pairings"), *e;
    size_t i;
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        assert_true(json_array_size(all) > 0);
        json_array_foreach(all, i, e)
        {
            pair x;
            uint8_t want[576], got[576];
            ck_g1(c, tk_str(e, "p"), &x.p);
            ck_g2(c, tk_str(e, "q"), &x.q);
            weir_fp12 v = pairing_of(c, &x, 1);
            gt_bytes(got, &v);
            tk_hex_bytes(tk_str(e, "gt_bendian"), want, sizeof want);
            assert_memory_equal(got, want, sizeof want);
            assert_true(torus_form_is(tk_str(e, "gt_compressed"), &v));
        }
        json_t *b = tk_get(doc, "bilinear");
        weir_scalar ka, kb;
        pair x;
        tk_hex_scalar(tk_str(b, "a"), &ka);
        tk_hex_scalar(tk_str(b, "b"), &kb);
        x.p = ck_g1_mul(c, weir_g1_generator(), &ka);
        x.q = ck_g2_mul(c, weir_g2_generator(), &kb);
        weir_fp12 v = pairing_of(c, &x, 1);
        assert_true(torus_form_is(tk_str(b, "gt_compressed"), &v));
    }
    json_decref(doc);
}

static void bilinear(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        pair x = random_pair(c, &g);
        weir_scalar ka, kb, kab;
        weir_fr a, b;
        tk_scalar(&g, &ka);
        tk_scalar(&g, &kb);
        fr_from_scalar(&a, &ka);
        fr_from_scalar(&b, &kb);
        fr_mul(&a, &a, &b);
        fr_to_scalar(&kab, &a);
        pair xa = {ck_g1_mul(c, &x.p, &ka), ck_g2_mul(c, &x.q, &kb)};
        pair xb = {ck_g1_mul(c, &x.p, &kab), x.q};
        pair xc = {x.p, ck_g2_mul(c, &x.q, &kab)};
        weir_fp12 va = pairing_of(c, &xa, 1), vb = pairing_of(c, &xb, 1),
                  vc = pairing_of(c, &xc, 1), v, w;
        assert_true(fp12_eq(&va, &vb) && fp12_eq(&va, &vc));
        v = pairing_of(c, &x, 1);
        assert_false(c->fp12_is_one(&v));
        c->fp12_pow(&w, &v, &kab);
        assert_true(fp12_eq(&w, &va));
        /* the order of GT */
        weir_scalar r = ck_order();
        c->fp12_pow(&w, &v, &r);
        assert_true(c->fp12_is_one(&w));
        r = ck_small(0);
        c->fp12_pow(&w, &v, &r);
        assert_true(c->fp12_is_one(&w));
        r = ck_small(3);
        c->fp12_pow(&w, &v, &r);
        c->fp12_mul(&vb, &v, &v);
        c->fp12_mul(&vb, &vb, &v);
        assert_true(fp12_eq(&w, &vb));
    }
}

static void products(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        pair x[5];
        weir_fp12 all, one_by_one, t;
        for (int i = 0; i < 5; i++) x[i] = random_pair(c, &g);
        memset(&x[1].p, 0, sizeof x[1].p); /* infinity in either place */
        memset(&x[3].q, 0, sizeof x[3].q);
        all = pairing_of(c, x, 5);
        one_by_one = pairing_of(c, x, 1);
        for (int i = 1; i < 5; i++) {
            t = pairing_of(c, &x[i], 1);
            assert_int_equal(c->fp12_is_one(&t), i == 1 || i == 3);
            c->fp12_mul(&one_by_one, &one_by_one, &t);
        }
        assert_true(fp12_eq(&all, &one_by_one));
        /* without the exponentiation, too */
        all = miller_of(c, x, 3);
        one_by_one = miller_of(c, x, 1);
        t = miller_of(c, &x[2], 1);
        c->fp12_mul(&t, &t, &one_by_one);
        assert_true(fp12_eq(&all, &t));
        all = pairing_of(c, x, 0);
        assert_true(c->fp12_is_one(&all));
        /* e(P, Q) e(-P, Q) = 1 = e(P, Q) e(P, -Q) */
        pair y[2] = {x[0], x[0]};
        fp_neg(&y[1].p.y, &y[1].p.y);
        t = pairing_of(c, y, 2);
        assert_true(c->fp12_is_one(&t));
        y[1] = x[0];
        fp2_neg(&y[1].q.y, &y[1].q.y);
        t = pairing_of(c, y, 2);
        assert_true(c->fp12_is_one(&t));
    }
}

static weir_fp12 random_fp12(tk_rng *g)
{
    weir_fp12 a;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) {
            tk_fp(g, &coefficient(&a, j, i)->c0);
            tk_fp(g, &coefficient(&a, j, i)->c1);
        }
    return a;
}

/* a^p by plain powering */
static weir_fp12 power_p(const weir_fp12 *a)
{
    weir_fp12 r;
    fp12_set_one(&r);
    for (int i = 380; i >= 0; i--) {
        fp12_sqr(&r, &r);
        if ((fp_MODULUS.l[i / 64] >> (i % 64)) & 1) fp12_mul(&r, &r, a);
    }
    return r;
}

/* The tower, on the portable path; the pairing's values tie the others to it. */
static void tower(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    weir_fp12 a = random_fp12(&g), b = random_fp12(&g), d = random_fp12(&g), t, s, u;
    fp12_mul(&t, &a, &b);
    fp12_mul(&t, &t, &d);
    fp12_mul(&s, &b, &d);
    fp12_mul(&s, &a, &s);
    assert_true(fp12_eq(&t, &s));
    fp12_mul(&t, &a, &a);
    fp12_sqr(&s, &a);
    assert_true(fp12_eq(&t, &s));
    fp12_inv(&t, &a);
    fp12_mul(&t, &t, &a);
    fp12_set_one(&s);
    assert_true(fp12_eq(&t, &s));
    /* w^6 = 1 + u */
    memset(&t, 0, sizeof t);
    t.c1.c0 = fp2_ONE;
    fp12_sqr(&s, &t);
    fp12_mul(&s, &s, &t);
    fp12_sqr(&s, &s);
    memset(&t, 0, sizeof t);
    fp2_mul_xi(&t.c0.c0, &fp2_ONE);
    assert_true(fp12_eq(&t, &s));
    /* the sparse product */
    memset(&t, 0, sizeof t);
    t.c0.c0 = b.c0.c0;
    t.c0.c1 = b.c0.c1;
    t.c1.c1 = b.c1.c1;
    fp12_mul(&t, &a, &t);
    fp12_mul_line(&s, &a, &b.c0.c0, &b.c0.c1, &b.c1.c1);
    assert_true(fp12_eq(&t, &s));
    /* Frobenius */
    t = power_p(&a);
    fp12_frobenius(&s, &a);
    assert_true(fp12_eq(&t, &s));
    fp12_frobenius(&s, &s);
    fp12_frobenius2(&t, &a);
    assert_true(fp12_eq(&t, &s));
    u = t;
    fp12_frobenius2(&u, &u);
    fp12_frobenius2(&u, &u);
    fp12_conj(&t, &a);
    assert_true(fp12_eq(&t, &u));
    /* squaring in the cyclotomic subgroup: b = a^((p^6 - 1)(p^2 + 1)) */
    fp12_inv(&s, &a);
    fp12_mul(&t, &t, &s);
    fp12_frobenius2(&s, &t);
    fp12_mul(&b, &s, &t);
    fp12_sqr(&t, &b);
    fp12_cyc_sqr(&s, &b);
    assert_true(fp12_eq(&t, &s));
    fp12_cyc_sqr(&b, &b);
    assert_true(fp12_eq(&t, &b));
}

/* final_exp maps into the subgroup of order r, and is a homomorphism that kills Fp6. */
static void final_exponentiation(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    weir_scalar r = ck_order();
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        weir_fp12 a = random_fp12(&g), b = random_fp12(&g), ea, eb, eab, t;
        c->final_exp(&ea, &a);
        c->final_exp(&eb, &b);
        c->fp12_mul(&t, &a, &b);
        c->final_exp(&eab, &t);
        c->fp12_mul(&t, &ea, &eb);
        assert_true(fp12_eq(&t, &eab));
        c->fp12_pow(&t, &ea, &r);
        assert_true(c->fp12_is_one(&t));
        assert_false(c->fp12_is_one(&ea));
        memset(&a.c1, 0, sizeof a.c1);
        c->final_exp(&ea, &a);
        assert_true(c->fp12_is_one(&ea));
    }
}

/* Every path gives the same limbs. */
static void paths_agree(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    const weir_curve_ops *ref = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    pair x[3] = {random_pair(ref, &g), random_pair(ref, &g), random_pair(ref, &g)};
    static weir_g2_lines want, got;
    ref->g2_prepare(&want, &x[0].q);
    weir_fp12 m = miller_of(ref, x, 3), v = pairing_of(ref, x, 3);
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        c->g2_prepare(&got, &x[0].q);
        assert_memory_equal(got.c, want.c, sizeof got.c);
        weir_fp12 mc = miller_of(c, x, 3), vc = pairing_of(c, x, 3);
        assert_memory_equal(&m, &mc, sizeof m);
        assert_memory_equal(&v, &vc, sizeof v);
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tower),       cmocka_unit_test(values_of_blst),
        cmocka_unit_test(bilinear),    cmocka_unit_test(products),
        cmocka_unit_test(paths_agree), cmocka_unit_test(final_exponentiation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
