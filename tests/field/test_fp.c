/* Fp: the properties of prime_props.h, the reference vectors, square roots and the sign of encodings. */
#include "field/fp.h"
#include "oracle.h"
#include "prime_props.h"

#include <stdlib.h>
#include <string.h>

static const prime_path *path_of(weir_isa isa)
{
    return field_path_get(isa)->fp;
}
static void random_of(tk_rng *g, uint64_t *out)
{
    tk_fp(g, (weir_fp *)out);
}
static size_t specials_of(uint64_t *out, size_t max)
{
    return tk_fp_specials((weir_fp *)out, max);
}
static const prime_field fp_field = {path_of, random_of, specials_of};

static void get(json_t *row, const char *key, weir_fp *r)
{
    tk_hex_fp(tk_str(row, key), r);
}

static void check_unary(const field_path *fp, json_t *row)
{
    weir_fp x, want, got;
    get(row, "x", &x);
    json_t *limbs = tk_get(row, "montgomery_limbs");
    assert_int_equal(json_array_size(limbs), 6);
    for (size_t i = 0; i < 6; i++)
        assert_true(x.l[i] == strtoull(json_string_value(json_array_get(limbs, i)), NULL, 16));
    fp->fp->neg(got.l, x.l);
    get(row, "neg", &want);
    assert_limbs(got.l, want.l, 6, "neg");
    fp->fp->sqr(got.l, x.l);
    get(row, "square", &want);
    assert_limbs(got.l, want.l, 6, "square");
    fp->fp->inv(got.l, x.l);
    if (json_is_null(tk_get(row, "inv")))
        fp->fp->set_zero(want.l);
    else
        get(row, "inv", &want);
    assert_limbs(got.l, want.l, 6, "inv");
    bool square = fp->fp_sqrt(&got, &x);
    assert_true(square == !json_is_null(tk_get(row, "sqrt")));
    if (!square) return;
    get(row, "sqrt", &want);
    if (!fp->fp->eq(got.l, want.l)) fp->fp->neg(got.l, got.l);
    assert_limbs(got.l, want.l, 6, "sqrt up to its sign");
}

static void test_vectors(void **state)
{
    (void)state;
    json_t *doc = tk_json("field/fp.json"), *row;
    size_t i;
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const field_path *fp = field_path_get(isa);
        assert_string_equal(fp->isa, weir_isa_name(isa));
        assert_true(json_array_size(tk_get(doc, "unary")) > 10);
        json_array_foreach(tk_get(doc, "unary"), i, row) check_unary(fp, row);
        assert_true(json_array_size(tk_get(doc, "binary")) > 10);
        json_array_foreach(tk_get(doc, "binary"), i, row)
        {
            weir_fp a, b, want, got;
            get(row, "a", &a);
            get(row, "b", &b);
            get(row, "add", &want);
            fp->fp->add(got.l, a.l, b.l);
            assert_limbs(got.l, want.l, 6, "add");
            get(row, "sub", &want);
            fp->fp->sub(got.l, a.l, b.l);
            assert_limbs(got.l, want.l, 6, "sub");
            get(row, "mul", &want);
            fp->fp->mul(got.l, a.l, b.l);
            assert_limbs(got.l, want.l, 6, "mul");
        }
    }
    json_decref(doc);
}

static void test_sqrt(void **state)
{
    (void)state;
    weir_fp special[64], a, s, r, n;
    size_t count = tk_fp_specials(special, 64);
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const field_path *fp = field_path_get(isa);
        tk_rng g = tk_rng_new();
        for (size_t i = 0; i < 100; i++) {
            if (i < count)
                a = special[i];
            else
                tk_fp(&g, &a);
            fp->fp->sqr(s.l, a.l);
            assert_true(fp->fp_sqrt(&r, &s));
            fp->fp->neg(n.l, a.l);
            assert_true(fp->fp->eq(r.l, a.l) || fp->fp->eq(r.l, n.l));
            /* -1 is not a square, so minus a square is none, but for 0 */
            fp->fp->neg(s.l, s.l);
            assert_true(fp->fp_sqrt(&r, &s) == fp->fp->is_zero(a.l));
            /* in place */
            fp->fp->sqr(s.l, a.l);
            assert_true(fp->fp_sqrt(&s, &s));
            assert_true(fp->fp->eq(s.l, a.l) || fp->fp->eq(s.l, n.l));
        }
    }
}

/* "Larger" compares numbers in standard form with (p-1)/2. */
static void test_larger_half(void **state)
{
    (void)state;
    static uint64_t s[PRIME_SPECIALS_MAX * PRIME_MAX];
    size_t n = prime_specials(&fp_field, path_of(WEIR_ISA_PORTABLE), s);
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const field_path *fp = field_path_get(isa);
        tk_rng g = tk_rng_new();
        for (size_t i = 0; i < n + 200; i++) {
            uint64_t number[6], twice[6];
            weir_fp a;
            if (i < n)
                memcpy(number, s + 6 * i, sizeof number);
            else
                tk_fp(&g, (weir_fp *)number);
            fp->fp->from_limbs(a.l, number);
            big_add(twice, number, number, 6);
            assert_true(fp->fp_is_larger_half(&a) == (big_cmp(twice, fp->fp->modulus, 6) > 0));
        }
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        PRIME_TESTS(&fp_field),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_sqrt),
        cmocka_unit_test(test_larger_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
