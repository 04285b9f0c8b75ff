/* Fp2: against integers modulo p (u^2 = -1 written out), the reference vectors, aliasing, square roots. */
#include "field/fp.h"
#include "oracle.h"
#include "prime_props.h"

#include <stdlib.h>
#include <string.h>

#define P2(isa) (field_path_get(isa)->fp2)

static void random2(tk_rng *g, weir_fp2 *a)
{
    tk_fp(g, &a->c0);
    tk_fp(g, &a->c1);
}

static void assert_fp2(const weir_fp2 *got, const weir_fp2 *want, const char *what)
{
    assert_limbs(got->c0.l, want->c0.l, 6, what);
    assert_limbs(got->c1.l, want->c1.l, 6, what);
}

/* Special elements: every pair of a few special coordinates. */
static size_t specials2(weir_fp2 *out, size_t max)
{
    weir_fp s[40];
    size_t n = tk_fp_specials(s, 40), k = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n && k < max; j += i < 5 ? 1 : 7) out[k++] = (weir_fp2){s[i], s[j]};
    return k;
}

/* ---- against integers: a number pair in standard form */
typedef struct pair {
    uint64_t c0[6], c1[6];
} pair;

static pair to_pair(const weir_fp2 *a)
{
    const prime_path *fp = field_path_get(WEIR_ISA_PORTABLE)->fp;
    pair r;
    fp->to_limbs(r.c0, a->c0.l);
    fp->to_limbs(r.c1, a->c1.l);
    return r;
}

static void assert_pair(const weir_fp2 *got, const pair *want, const char *what)
{
    const uint64_t *m = field_path_get(WEIR_ISA_PORTABLE)->fp->modulus;
    assert_true(big_cmp(got->c0.l, m, 6) < 0 && big_cmp(got->c1.l, m, 6) < 0);
    pair g = to_pair(got);
    assert_limbs(g.c0, want->c0, 6, what);
    assert_limbs(g.c1, want->c1, 6, what);
}

/* (a0 b0 - a1 b1) + (a0 b1 + a1 b0) u */
static pair pair_mul(const pair *a, const pair *b)
{
    const uint64_t *m = field_path_get(WEIR_ISA_PORTABLE)->fp->modulus;
    pair r;
    uint64_t t[6];
    big_mul_mod(r.c0, a->c0, b->c0, m, 6);
    big_mul_mod(t, a->c1, b->c1, m, 6);
    big_sub_mod(r.c0, r.c0, t, m, 6);
    big_mul_mod(r.c1, a->c0, b->c1, m, 6);
    big_mul_mod(t, a->c1, b->c0, m, 6);
    big_add_mod(r.c1, r.c1, t, m, 6);
    return r;
}

static void check_single(const fp2_path *p, const weir_fp2 *a)
{
    const uint64_t *m = field_path_get(WEIR_ISA_PORTABLE)->fp->modulus;
    const pair zero = {{0}, {0}}, xi = {{1}, {1}}, one = {{1}, {0}};
    weir_fp2 r;
    pair x = to_pair(a), want;
    p->sqr(&r, a);
    want = pair_mul(&x, &x);
    assert_pair(&r, &want, "sqr");
    p->mul_xi(&r, a);
    want = pair_mul(&x, &xi);
    assert_pair(&r, &want, "mul_xi");
    p->dbl(&r, a);
    big_add_mod(want.c0, x.c0, x.c0, m, 6);
    big_add_mod(want.c1, x.c1, x.c1, m, 6);
    assert_pair(&r, &want, "dbl");
    p->neg(&r, a);
    big_sub_mod(want.c0, zero.c0, x.c0, m, 6);
    big_sub_mod(want.c1, zero.c1, x.c1, m, 6);
    assert_pair(&r, &want, "neg");
    p->conj(&r, a);
    memcpy(want.c0, x.c0, sizeof want.c0);
    assert_pair(&r, &want, "conj");
    p->inv(&r, a);
    if (p->is_zero(a)) {
        assert_pair(&r, &zero, "inverse of 0");
    } else {
        pair i = to_pair(&r);
        want = pair_mul(&i, &x);
        assert_limbs(want.c0, one.c0, 6, "a * 1/a");
        assert_limbs(want.c1, one.c1, 6, "a * 1/a");
        assert_true(p->is_zero(&r) == false);
    }
}

static void check_pair(const fp2_path *p, const weir_fp2 *a, const weir_fp2 *b)
{
    const uint64_t *m = field_path_get(WEIR_ISA_PORTABLE)->fp->modulus;
    weir_fp2 r;
    pair x = to_pair(a), y = to_pair(b), want;
    p->add(&r, a, b);
    big_add_mod(want.c0, x.c0, y.c0, m, 6);
    big_add_mod(want.c1, x.c1, y.c1, m, 6);
    assert_pair(&r, &want, "add");
    p->sub(&r, a, b);
    big_sub_mod(want.c0, x.c0, y.c0, m, 6);
    big_sub_mod(want.c1, x.c1, y.c1, m, 6);
    assert_pair(&r, &want, "sub");
    p->mul(&r, a, b);
    want = pair_mul(&x, &y);
    assert_pair(&r, &want, "mul");
    p->mul_fp(&r, a, &b->c1);
    big_mul_mod(want.c0, x.c0, y.c1, m, 6);
    big_mul_mod(want.c1, x.c1, y.c1, m, 6);
    assert_pair(&r, &want, "mul_fp");
}

static void test_oracle(void **state)
{
    (void)state;
    static weir_fp2 s[120];
    size_t n = specials2(s, 120);
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const fp2_path *p = P2(isa);
        tk_rng g = tk_rng_new();
        for (size_t i = 0; i < n; i++) {
            check_single(p, &s[i]);
            for (size_t j = i % 5; j < n; j += 5) check_pair(p, &s[i], &s[j]);
        }
        for (int i = 0; i < 300; i++) {
            weir_fp2 a, b;
            random2(&g, &a);
            random2(&g, &b);
            check_single(p, &a);
            check_pair(p, &a, &b);
        }
    }
}

static void get(json_t *row, const char *key, weir_fp2 *r)
{
    json_t *v = tk_get(row, key);
    assert_int_equal(json_array_size(v), 2);
    tk_hex_fp(json_string_value(json_array_get(v, 0)), &r->c0);
    tk_hex_fp(json_string_value(json_array_get(v, 1)), &r->c1);
}

static void check_row(const fp2_path *p, json_t *row)
{
    weir_fp2 a, b, want, got, neg;
    get(row, "a", &a);
    get(row, "b", &b);
    get(row, "add", &want);
    p->add(&got, &a, &b);
    assert_fp2(&got, &want, "add");
    get(row, "sub", &want);
    p->sub(&got, &a, &b);
    assert_fp2(&got, &want, "sub");
    get(row, "mul", &want);
    p->mul(&got, &a, &b);
    assert_fp2(&got, &want, "mul");
    get(row, "square_a", &want);
    p->sqr(&got, &a);
    assert_fp2(&got, &want, "square");
    p->set_zero(&want);
    if (!json_is_null(tk_get(row, "inv_a"))) get(row, "inv_a", &want);
    p->inv(&got, &a);
    assert_fp2(&got, &want, "inv");
    bool square = p->sqrt(&got, &a);
    assert_true(square == json_is_true(tk_get(row, "sqrt_a_exists")));
    if (square) {
        p->sqr(&got, &got);
        assert_fp2(&got, &a, "sqrt squared");
    }
    /* the square's root is +-a */
    p->sqr(&got, &a);
    assert_true(p->sqrt(&got, &got));
    p->neg(&neg, &a);
    assert_true(p->eq(&got, &a) || p->eq(&got, &neg));
}

static void test_vectors(void **state)
{
    (void)state;
    json_t *doc = tk_json("field/fp.json"), *row;
    size_t i;
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        assert_true(json_array_size(tk_get(doc, "fp2")) > 10);
        json_array_foreach(tk_get(doc, "fp2"), i, row) check_row(P2(isa), row);
    }
    json_decref(doc);
}

typedef void (*binary_fn)(weir_fp2 *r, const weir_fp2 *a, const weir_fp2 *b);
typedef void (*unary_fn)(weir_fp2 *r, const weir_fp2 *a);

static void alias_binary(binary_fn op, const weir_fp2 *a, const weir_fp2 *b)
{
    weir_fp2 ab, aa, x = *a, y = *a;
    op(&ab, a, b);
    op(&aa, &x, &y);
    op(&x, &x, b);
    assert_fp2(&x, &ab, "r = first input");
    x = *b;
    op(&x, a, &x);
    assert_fp2(&x, &ab, "r = second input");
    x = *a;
    op(&y, &x, &x);
    assert_fp2(&y, &aa, "inputs the same");
    op(&x, &x, &x);
    assert_fp2(&x, &aa, "all the same");
}

static void test_alias(void **state)
{
    (void)state;
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const fp2_path *p = P2(isa);
        const binary_fn binary[] = {p->add, p->sub, p->mul};
        const unary_fn unary[] = {p->dbl, p->neg, p->conj, p->sqr, p->mul_xi, p->inv};
        tk_rng g = tk_rng_new();
        for (int i = 0; i < 100; i++) {
            weir_fp2 a, b, x, want;
            random2(&g, &a);
            random2(&g, &b);
            for (size_t k = 0; k < sizeof binary / sizeof *binary; k++)
                alias_binary(binary[k], &a, &b);
            for (size_t k = 0; k < sizeof unary / sizeof *unary; k++) {
                unary[k](&want, &a);
                x = a;
                unary[k](&x, &x);
                assert_fp2(&x, &want, "r = input");
            }
            /* a factor that is a coordinate of the result */
            p->mul_fp(&want, &a, &a.c0);
            x = a;
            p->mul_fp(&x, &x, &x.c0);
            assert_fp2(&x, &want, "mul_fp by its own c0");
            p->mul_fp(&want, &a, &a.c1);
            x = a;
            p->mul_fp(&x, &x, &x.c1);
            assert_fp2(&x, &want, "mul_fp by its own c1");
            p->sqr(&a, &a);
            assert_true(p->sqrt(&want, &a));
            assert_true(p->sqrt(&a, &a));
            assert_fp2(&a, &want, "sqrt, r = input");
        }
    }
}

static void check_root(const fp2_path *p, const weir_fp2 *a)
{
    weir_fp2 s, r, neg;
    p->sqr(&s, a);
    assert_true(p->sqrt(&r, &s));
    p->neg(&neg, a);
    assert_true(p->eq(&r, a) || p->eq(&r, &neg));
    /* 1 + u is no square, so times a square it is none */
    p->mul_xi(&s, &s);
    assert_true(p->sqrt(&r, &s) == p->is_zero(a));
}

static void test_sqrt(void **state)
{
    (void)state;
    static weir_fp2 s[120];
    size_t n = specials2(s, 120);
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const fp2_path *p = P2(isa);
        weir_fp2 a, r;
        for (size_t i = 0; i < n; i++) check_root(p, &s[i]);
        tk_rng g = tk_rng_new();
        for (int i = 0; i < 30; i++) {
            random2(&g, &a);
            check_root(p, &a);
            /* every element of Fp is a square here, and every purely imaginary one's square is in Fp */
            a.c1 = (weir_fp){{0}};
            assert_true(p->sqrt(&r, &a));
            p->sqr(&r, &r);
            assert_fp2(&r, &a, "root of an element of Fp");
            check_root(p, &a);
            a.c1 = a.c0;
            a.c0 = (weir_fp){{0}};
            check_root(p, &a);
        }
    }
}

static void test_batch_inverse(void **state)
{
    (void)state;
    weir_fp2 a[40], want[40], tmp[41];
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const fp2_path *p = P2(isa);
        tk_rng g = tk_rng_new();
        for (size_t round = 0; round < 60; round++) {
            size_t n = round < 5 ? round : tk_below(&g, 41);
            for (size_t i = 0; i < n; i++) {
                random2(&g, &a[i]);
                if (round % 3 && tk_below(&g, 3) == 0) p->set_zero(&a[i]);
                if (tk_below(&g, 8) == 0) a[i].c0 = (weir_fp){{0}};
                p->inv(&want[i], &a[i]);
            }
            if (round == 5) memset(a, 0, sizeof a);
            if (round == 5) memset(want, 0, sizeof want);
            memset(&tmp[n], 0x77, sizeof tmp[n]);
            p->invs(a, n, tmp);
            for (size_t i = 0; i < n; i++) assert_fp2(&a[i], &want[i], "batch inverse");
            assert_true(tmp[n].c0.l[0] == 0x7777777777777777u);
        }
    }
}

static void test_compare(void **state)
{
    (void)state;
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const fp2_path *p = P2(isa);
        tk_rng g = tk_rng_new();
        weir_fp2 a, b, x;
        random2(&g, &a);
        for (size_t i = 0; i < 12; i++) {
            b = a;
            assert_true(p->eq(&a, &b));
            (i < 6 ? &b.c0 : &b.c1)->l[i % 6] ^= (uint64_t)1 << tk_below(&g, 64);
            assert_false(p->eq(&a, &b));
            p->set_zero(&b);
            assert_true(p->is_zero(&b));
            (i < 6 ? &b.c0 : &b.c1)->l[i % 6] = 1;
            assert_false(p->is_zero(&b));
        }
        random2(&g, &b);
        x = a;
        p->cmov(&x, &b, false);
        assert_fp2(&x, &a, "cmov, not taken");
        p->cmov(&x, &b, true);
        assert_fp2(&x, &b, "cmov, taken");
        p->set_one(&x);
        p->mul(&x, &x, &a);
        assert_fp2(&x, &a, "one");
    }
}

/* c1 decides, c0 where c1 is 0; exactly one of y, -y is the larger unless y = 0. */
static void test_larger_half(void **state)
{
    (void)state;
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const field_path *path = field_path_get(isa);
        tk_rng g = tk_rng_new();
        for (int i = 0; i < 100; i++) {
            weir_fp2 a, n;
            random2(&g, &a);
            if (i % 4 == 0) a.c1 = (weir_fp){{0}};
            if (i % 4 == 1) a.c0 = (weir_fp){{0}};
            path->fp2->neg(&n, &a);
            const weir_fp *decides = i % 4 == 0 ? &a.c0 : &a.c1;
            assert_true(path->fp2->is_larger_half(&a) == path->fp_is_larger_half(decides));
            assert_true(path->fp2->is_larger_half(&a) != path->fp2->is_larger_half(&n));
        }
        weir_fp2 zero = {{{0}}, {{0}}};
        assert_false(path->fp2->is_larger_half(&zero));
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oracle),      cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_alias),       cmocka_unit_test(test_sqrt),
        cmocka_unit_test(test_compare),     cmocka_unit_test(test_batch_inverse),
        cmocka_unit_test(test_larger_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
