/* Fr: the properties of prime_props.h, the reference vectors, roots of unity and scalars. */
#include "field/fr.h"
#include "oracle.h"
#include "prime_props.h"

#include <stdlib.h>
#include <string.h>

static const prime_path *path_of(weir_isa isa)
{
    return field_path_get(isa)->fr;
}
static void random_of(tk_rng *g, uint64_t *out)
{
    tk_fr(g, (weir_fr *)out);
}
static size_t specials_of(uint64_t *out, size_t max)
{
    return tk_fr_specials((weir_fr *)out, max);
}
static const prime_field fr_field = {path_of, random_of, specials_of};

static void get(json_t *row, const char *key, weir_fr *r)
{
    tk_hex_fr(tk_str(row, key), r);
}

/* Euler: a^((r-1)/2) is 1 for squares, 0 for zero, -1 for the others. */
static bool is_square(const prime_path *p, const weir_fr *a)
{
    uint64_t e[4], minus[4];
    weir_fr t;
    for (size_t i = 0; i < 4; i++)
        e[i] = p->modulus[i] >> 1 | (i < 3 ? p->modulus[i + 1] << 63 : 0);
    p->pow(t.l, a->l, e, 4);
    p->neg(minus, p->one);
    assert_true(p->eq(t.l, p->one) || p->eq(t.l, minus) || p->is_zero(a->l));
    return !p->eq(t.l, minus);
}

static void check_unary(const field_path *path, json_t *row)
{
    const prime_path *p = path->fr;
    weir_fr x, want, got;
    uint8_t bytes[32], le[32];
    get(row, "x", &x);
    json_t *limbs = tk_get(row, "montgomery_limbs");
    assert_int_equal(json_array_size(limbs), 4);
    for (size_t i = 0; i < 4; i++)
        assert_true(x.l[i] == strtoull(json_string_value(json_array_get(limbs, i)), NULL, 16));
    tk_hex_bytes(tk_str(row, "le_bytes"), bytes, 32);
    p->to_bytes(le, x.l);
    assert_memory_equal(le, bytes, 32);
    assert_true(p->from_bytes(got.l, bytes));
    assert_limbs(got.l, x.l, 4, "from_le");
    p->neg(got.l, x.l);
    get(row, "neg", &want);
    assert_limbs(got.l, want.l, 4, "neg");
    p->dbl(got.l, x.l);
    get(row, "double", &want);
    assert_limbs(got.l, want.l, 4, "double");
    p->sqr(got.l, x.l);
    get(row, "square", &want);
    assert_limbs(got.l, want.l, 4, "square");
    path->fr_pow_u64(&got, &x, 5);
    get(row, "pow5", &want);
    assert_limbs(got.l, want.l, 4, "pow5");
    p->inv(got.l, x.l);
    if (json_is_null(tk_get(row, "inv")))
        p->set_zero(want.l);
    else
        get(row, "inv", &want);
    assert_limbs(got.l, want.l, 4, "inv");
    assert_true(is_square(p, &x) == json_is_true(tk_get(row, "sqrt_exists")));
}

static void check_binary(const prime_path *p, json_t *row)
{
    weir_fr a, b, want, got;
    get(row, "a", &a);
    get(row, "b", &b);
    get(row, "add", &want);
    p->add(got.l, a.l, b.l);
    assert_limbs(got.l, want.l, 4, "add");
    get(row, "sub", &want);
    p->sub(got.l, a.l, b.l);
    assert_limbs(got.l, want.l, 4, "sub");
    get(row, "mul", &want);
    p->mul(got.l, a.l, b.l);
    assert_limbs(got.l, want.l, 4, "mul");
}

static void test_vectors(void **state)
{
    (void)state;
    json_t *doc = tk_json("field/fr.json"), *row;
    size_t i;
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const field_path *path = field_path_get(isa);
        assert_string_equal(path->isa, weir_isa_name(isa));
        assert_true(json_array_size(tk_get(doc, "unary")) > 10);
        json_array_foreach(tk_get(doc, "unary"), i, row) check_unary(path, row);
        assert_true(json_array_size(tk_get(doc, "binary")) > 10);
        json_array_foreach(tk_get(doc, "binary"), i, row) check_binary(path->fr, row);
        assert_true(json_array_size(tk_get(doc, "not_canonical_le")) > 0);
        json_array_foreach(tk_get(doc, "not_canonical_le"), i, row)
        {
            uint8_t bytes[32];
            weir_fr r = {{7, 7, 7, 7}};
            tk_hex_bytes(json_string_value(row), bytes, 32);
            assert_false(path->fr->from_bytes(r.l, bytes));
            for (size_t j = 0; j < 4; j++) assert_true(r.l[j] == 7);
        }
    }
    json_decref(doc);
}

static void test_roots_of_unity(void **state)
{
    (void)state;
    json_t *doc = tk_json("field/fr.json"), *row;
    size_t i;
    static const weir_fr generator = {WEIR_FR_GENERATOR};
    weir_fr want, got, t;
    tk_hex_fr(tk_str(doc, "multiplicative_generator"), &want);
    assert_limbs(generator.l, want.l, 4, "generator");
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const field_path *path = field_path_get(isa);
        path->fr_root_of_unity(&got, 32);
        tk_hex_fr(tk_str(doc, "root_of_unity_2_32"), &want);
        assert_limbs(got.l, want.l, 4, "root of order 2^32");
        assert_int_equal(json_array_size(tk_get(doc, "roots_of_unity")), 33);
        json_array_foreach(tk_get(doc, "roots_of_unity"), i, row)
        {
            unsigned log2_order = (unsigned)json_integer_value(tk_get(row, "log2_order"));
            path->fr_root_of_unity(&got, log2_order);
            get(row, "omega", &want);
            assert_limbs(got.l, want.l, 4, "omega");
            path->fr->inv(t.l, got.l);
            get(row, "omega_inv", &want);
            assert_limbs(t.l, want.l, 4, "1/omega");
            path->fr_pow_u64(&t, &got, (uint64_t)1 << log2_order);
            assert_limbs(t.l, path->fr->one, 4, "omega^order");
            if (log2_order == 0) continue;
            path->fr_pow_u64(&t, &got, (uint64_t)1 << (log2_order - 1));
            path->fr->neg(t.l, t.l);
            assert_limbs(t.l, path->fr->one, 4, "-omega^(order/2)");
        }
    }
    json_decref(doc);
}

static void test_scalars(void **state)
{
    (void)state;
    static uint64_t s[PRIME_SPECIALS_MAX * PRIME_MAX];
    size_t n = prime_specials(&fr_field, path_of(WEIR_ISA_PORTABLE), s);
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const field_path *path = field_path_get(isa);
        for (size_t i = 0; i < n; i++) {
            weir_scalar a, b;
            memcpy(a.l, s + 4 * i, sizeof a.l);
            assert_true(path->scalar_is_reduced(&a));
            big_add(b.l, a.l, path->fr->modulus, 4);
            assert_false(path->scalar_is_reduced(&b));
            uint8_t le[32];
            scalar_to_le(le, &a);
            for (size_t j = 0; j < 32; j++)
                assert_int_equal(le[j], (a.l[j / 8] >> (8 * (j % 8))) & 0xff);
            scalar_from_le(&b, le);
            assert_limbs(b.l, a.l, 4, "scalar from its bytes");
        }
        for (uint64_t v = 1; v; v <<= 1) {
            weir_fr x;
            uint64_t l[4];
            path->fr->from_u64(x.l, v);
            path->fr->to_limbs(l, x.l);
            assert_true(l[0] == v && !l[1] && !l[2] && !l[3]);
        }
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        PRIME_TESTS(&fr_field),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_roots_of_unity),
        cmocka_unit_test(test_scalars),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
