#include "curve_kit.h"

enum { ALL = WEIR_CHECK_CURVE | WEIR_CHECK_SUBGROUP, NO_INFINITY = WEIR_CHECK_NOT_INFINITY };

static weir_err decode1(const weir_curve_ops *c, const uint8_t *b, unsigned checks)
{
    weir_g1_affine p;
    size_t bad = 77;
    weir_err e = c->g1s_decode(&p, b, 1, checks, &bad);
    if (e != WEIR_OK) assert_int_equal(bad, 0);
    return e;
}

static weir_err decode2(const weir_curve_ops *c, const uint8_t *b, unsigned checks)
{
    weir_g2_affine p;
    size_t bad = 77;
    weir_err e = c->g2s_decode(&p, b, 1, checks, &bad);
    if (e != WEIR_OK) assert_int_equal(bad, 0);
    return e;
}

static weir_err decompress1(const weir_curve_ops *c, const uint8_t *b, unsigned checks)
{
    weir_g1_affine p;
    return c->g1_decompress(&p, b, checks);
}

static weir_err decompress2(const weir_curve_ops *c, const uint8_t *b, unsigned checks)
{
    weir_g2_affine p;
    return c->g2_decompress(&p, b, checks);
}

/* What blst accepts, checked and unchecked (which still looks at the curve equation). */
static void answers_of_blst(void **state)
{
    (void)state;
    json_t *doc = tk_json("curve/points.json"), *all = tk_get(doc, "g1_decoding"), *e;
    size_t i;
    assert_true(json_array_size(all) > 0);
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        json_array_foreach(all, i, e)
        {
            uint8_t b[96];
            const char *hex = tk_str(e, "bytes");
            bool full = strlen(hex) == 192;
            tk_hex_bytes(hex, b, full ? 96 : 48);
            weir_err checked = full ? decode1(c, b, ALL) : decompress1(c, b, ALL);
            weir_err unchecked = full ? decode1(c, b, WEIR_CHECK_CURVE) : decompress1(c, b, 0);
            if ((checked == WEIR_OK) != json_is_true(tk_get(e, "accepted_checked")) ||
                (unchecked == WEIR_OK) != json_is_true(tk_get(e, "accepted_unchecked")))
                fail_msg("%s: %s, unchecked %s", tk_str(e, "name"), weir_err_name(checked),
                         weir_err_name(unchecked));
        }
    }
    json_decref(doc);
}

static void encoders(void **state)
{
    (void)state;
    static const char *const lists[] = {"multiples_of_the_generators", "operations"};
    static const char *const keys1[] = {"g1", "p", "q", "k_p", "p_plus_q", "p_minus_q", "two_p"};
    static const char *const keys2[] = {"g2", "P", "Q", "k_P", "P_plus_Q", "two_P"};
    json_t *doc = tk_json("curve/points.json"), *e;
    size_t i, seen = 0;
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        for (size_t l = 0; l < 2; l++) json_array_foreach(tk_get(doc, lists[l]), i, e)
            {
                uint8_t want[192], got[192];
                for (size_t k = 0; k < sizeof keys1 / sizeof *keys1; k++) {
                    json_t *o = json_object_get(e, keys1[k]);
                    if (!o) continue;
                    weir_g1_affine p;
                    ck_g1(c, tk_str(o, "compressed"), &p);
                    c->g1_compress(got, &p);
                    tk_hex_bytes(tk_str(o, "compressed"), want, 48);
                    assert_memory_equal(got, want, 48);
                    c->g1s_encode(got, &p, 1);
                    tk_hex_bytes(tk_str(o, "uncompressed"), want, 96);
                    assert_memory_equal(got, want, 96);
                    seen++;
                }
                for (size_t k = 0; k < sizeof keys2 / sizeof *keys2; k++) {
                    json_t *o = json_object_get(e, keys2[k]);
                    if (!o) continue;
                    weir_g2_affine p;
                    ck_g2(c, tk_str(o, "compressed"), &p);
                    c->g2_compress(got, &p);
                    tk_hex_bytes(tk_str(o, "compressed"), want, 96);
                    assert_memory_equal(got, want, 96);
                    c->g2s_encode(got, &p, 1);
                    tk_hex_bytes(tk_str(o, "uncompressed"), want, 192);
                    assert_memory_equal(got, want, 192);
                    seen++;
                }
            }
    }
    assert_true(seen > 100);
    json_decref(doc);
}

static void round_trips(void **state)
{
    (void)state;
    enum { N = 7 };
    tk_rng g = tk_rng_new();
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        weir_g1_affine p[N], r[N];
        weir_g2_affine q[N], s[N];
        uint8_t b[192 * N];
        size_t bad;
        for (int i = 0; i < N; i++) {
            p[i] = ck_g1_any_order(&g);
            q[i] = ck_g2_any_order(&g);
        }
        memset(&p[3], 0, sizeof p[3]);
        memset(&q[5], 0, sizeof q[5]);
        c->g1s_encode(b, p, N);
        assert_int_equal(c->g1s_decode(r, b, N, WEIR_CHECK_CURVE, &bad), WEIR_OK);
        assert_memory_equal(p, r, sizeof p);
        assert_int_equal(c->g1s_decode(r, b, N, 0, &bad), WEIR_OK);
        assert_memory_equal(p, r, sizeof p);
        assert_int_equal(c->g1s_decode(r, b, N, NO_INFINITY, &bad), WEIR_E_INFINITY);
        assert_int_equal(bad, 3);
        b[96 * 2 + 95] ^= 1;
        assert_int_equal(c->g1s_decode(r, b, N, WEIR_CHECK_CURVE, &bad), WEIR_E_NOT_ON_CURVE);
        assert_int_equal(bad, 2);
        c->g2s_encode(b, q, N);
        assert_int_equal(c->g2s_decode(s, b, N, WEIR_CHECK_CURVE, &bad), WEIR_OK);
        assert_memory_equal(q, s, sizeof q);
        assert_int_equal(c->g2s_decode(s, b, N, 0, &bad), WEIR_OK);
        assert_memory_equal(q, s, sizeof q);
        assert_int_equal(c->g2s_decode(s, b, N, NO_INFINITY, &bad), WEIR_E_INFINITY);
        assert_int_equal(bad, 5);
        b[192 * 4 + 191] ^= 1;
        assert_int_equal(c->g2s_decode(s, b, N, WEIR_CHECK_CURVE, &bad), WEIR_E_NOT_ON_CURVE);
        assert_int_equal(bad, 4);
        for (int i = 0; i < N; i++) {
            c->g1_compress(b, &p[i]);
            assert_int_equal(c->g1_decompress(&r[i], b, 0), WEIR_OK);
            c->g2_compress(b, &q[i]);
            assert_int_equal(c->g2_decompress(&s[i], b, 0), WEIR_OK);
        }
        assert_memory_equal(p, r, sizeof p);
        assert_memory_equal(q, s, sizeof q);
    }
}

/* The number p + add, big-endian. */
static void modulus_plus(uint8_t out[48], uint8_t add)
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 8; j++) out[47 - 8 * i - j] = (uint8_t)(fp_MODULUS.l[i] >> (8 * j));
    out[47] = (uint8_t)(out[47] + add);
}

/* p, p + 1 and 2^381 - 1 in every coordinate, of every form. */
static void coordinates_too_large(void **state)
{
    (void)state;
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        for (int kind = 0; kind < 3; kind++) {
            uint8_t big[48], b[192];
            modulus_plus(big, (uint8_t)(kind & 1));
            if (kind == 2) memset(big + 1, 0xff, 47), big[0] = 0x1f;
            for (unsigned checks = 0; checks < 8; checks++) {
                for (size_t at = 0; at < 96; at += 48) {
                    c->g1s_encode(b, weir_g1_generator(), 1);
                    memcpy(b + at, big, 48);
                    assert_int_equal(decode1(c, b, checks), WEIR_E_ENCODING);
                }
                for (size_t at = 0; at < 192; at += 48) {
                    c->g2s_encode(b, weir_g2_generator(), 1);
                    memcpy(b + at, big, 48);
                    assert_int_equal(decode2(c, b, checks), WEIR_E_ENCODING);
                }
                memcpy(b, big, 48);
                b[0] |= 0x80;
                assert_int_equal(decompress1(c, b, checks), WEIR_E_ENCODING);
                memset(b + 48, 0, 48);
                assert_int_equal(decompress2(c, b, checks), WEIR_E_ENCODING);
                c->g2_compress(b, weir_g2_generator());
                memcpy(b + 48, big, 48);
                assert_int_equal(decompress2(c, b, checks), WEIR_E_ENCODING);
            }
        }
        /* p - 1 is a coordinate like any other */
        uint8_t b[96];
        modulus_plus(b, 0);
        b[47] -= 1;
        b[0] |= 0x80;
        assert_int_not_equal(decompress1(c, b, 0), WEIR_E_ENCODING);
    }
}

static void flags(void **state)
{
    (void)state;
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        for (unsigned f = 0; f < 8; f++) {
            uint8_t b[96], q[192], flag = (uint8_t)(f << 5);
            /* the generators are not infinity and have the smaller y */
            c->g1s_encode(b, weir_g1_generator(), 1);
            c->g2s_encode(q, weir_g2_generator(), 1);
            b[0] |= flag;
            q[0] |= flag;
            bool compressed = f == 4 || f == 5; /* 0x80 with or without 0x20: read as compressed */
            weir_err want = f == 0 || compressed ? WEIR_OK : WEIR_E_ENCODING;
            assert_int_equal(decode1(c, b, ALL), want);
            assert_int_equal(decode2(c, q, ALL), want);
            assert_int_equal(decode1(c, b, 0), want);
            assert_int_equal(decode2(c, q, 0), want);
            want = compressed ? WEIR_OK : WEIR_E_ENCODING;
            assert_int_equal(decompress1(c, b, ALL), want);
            assert_int_equal(decompress2(c, q, ALL), want);
            /* all zero but the flags */
            memset(b, 0, sizeof b);
            memset(q, 0, sizeof q);
            b[0] = q[0] = flag;
            assert_int_equal(decompress1(c, b, 0), f == 6             ? WEIR_OK
                                                   : f == 4 || f == 5 ? WEIR_E_NOT_IN_SUBGROUP
                                                                      : WEIR_E_ENCODING);
            assert_int_equal(decompress2(c, q, 0), f == 6             ? WEIR_OK
                                                   : f == 4 || f == 5 ? WEIR_E_NOT_ON_CURVE
                                                                      : WEIR_E_ENCODING);
            want = f == 0 ? WEIR_E_NOT_ON_CURVE : f == 2 || f == 6 ? WEIR_OK : WEIR_E_ENCODING;
            assert_int_equal(decode1(c, b, 0), f == 4 || f == 5 ? WEIR_E_NOT_IN_SUBGROUP : want);
            assert_int_equal(decode2(c, q, 0), f == 4 || f == 5 ? WEIR_E_NOT_ON_CURVE : want);
        }
    }
}

/* Any other bit that is set beside the infinity flag. */
static void infinity_with_extra_bits(void **state)
{
    (void)state;
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        uint8_t b[192] = {0x40};
        assert_int_equal(decode1(c, b, ALL), WEIR_OK);
        assert_int_equal(decode2(c, b, ALL), WEIR_OK);
        assert_int_equal(decode1(c, b, ALL | NO_INFINITY), WEIR_E_INFINITY);
        assert_int_equal(decode2(c, b, ALL | NO_INFINITY), WEIR_E_INFINITY);
        for (int i = 2; i < 192 * 8; i++) {
            b[i / 8] ^= (uint8_t)(0x80 >> (i % 8));
            if (i < 96 * 8) assert_int_equal(decode1(c, b, 0), WEIR_E_ENCODING);
            assert_int_equal(decode2(c, b, NO_INFINITY), WEIR_E_ENCODING);
            b[i / 8] ^= (uint8_t)(0x80 >> (i % 8));
        }
        b[0] = 0xc0;
        assert_int_equal(decompress1(c, b, ALL), WEIR_OK);
        assert_int_equal(decompress2(c, b, ALL), WEIR_OK);
        assert_int_equal(decompress1(c, b, NO_INFINITY), WEIR_E_INFINITY);
        assert_int_equal(decompress2(c, b, NO_INFINITY), WEIR_E_INFINITY);
        for (int i = 2; i < 96 * 8; i++) {
            b[i / 8] ^= (uint8_t)(0x80 >> (i % 8));
            if (i < 48 * 8) assert_int_equal(decompress1(c, b, 0), WEIR_E_ENCODING);
            assert_int_equal(decompress2(c, b, NO_INFINITY), WEIR_E_ENCODING);
            b[i / 8] ^= (uint8_t)(0x80 >> (i % 8));
        }
    }
}

/* Refused when asked for, let through when not. */
static void curve_and_subgroup(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        for (int i = 0; i < 5; i++) {
            uint8_t b[192];
            weir_g1_affine p = ck_g1_any_order(&g);
            weir_g2_affine q = ck_g2_any_order(&g);
            c->g1s_encode(b, &p, 1);
            assert_int_equal(decode1(c, b, 0), WEIR_OK);
            assert_int_equal(decode1(c, b, WEIR_CHECK_CURVE), WEIR_OK);
            assert_int_equal(decode1(c, b, WEIR_CHECK_SUBGROUP), WEIR_E_NOT_IN_SUBGROUP);
            assert_int_equal(decode1(c, b, ALL), WEIR_E_NOT_IN_SUBGROUP);
            c->g1_compress(b, &p);
            assert_int_equal(decompress1(c, b, WEIR_CHECK_CURVE), WEIR_OK);
            assert_int_equal(decompress1(c, b, WEIR_CHECK_SUBGROUP), WEIR_E_NOT_IN_SUBGROUP);
            c->g2s_encode(b, &q, 1);
            assert_int_equal(decode2(c, b, 0), WEIR_OK);
            assert_int_equal(decode2(c, b, WEIR_CHECK_CURVE), WEIR_OK);
            assert_int_equal(decode2(c, b, WEIR_CHECK_SUBGROUP), WEIR_E_NOT_IN_SUBGROUP);
            c->g2_compress(b, &q);
            assert_int_equal(decompress2(c, b, WEIR_CHECK_CURVE), WEIR_OK);
            assert_int_equal(decompress2(c, b, WEIR_CHECK_SUBGROUP), WEIR_E_NOT_IN_SUBGROUP);
            fp_add(&p.y, &p.y, &fp_ONE);
            fp2_add(&q.y, &q.y, &fp2_ONE);
            assert_false(c->g1_on_curve(&p) || c->g2_on_curve(&q));
            c->g1s_encode(b, &p, 1);
            assert_int_equal(decode1(c, b, 0), WEIR_OK);
            assert_int_equal(decode1(c, b, WEIR_CHECK_CURVE), WEIR_E_NOT_ON_CURVE);
            assert_int_equal(decode1(c, b, WEIR_CHECK_SUBGROUP), WEIR_E_NOT_ON_CURVE);
            c->g2s_encode(b, &q, 1);
            assert_int_equal(decode2(c, b, 0), WEIR_OK);
            assert_int_equal(decode2(c, b, WEIR_CHECK_CURVE), WEIR_E_NOT_ON_CURVE);
            assert_int_equal(decode2(c, b, WEIR_CHECK_SUBGROUP), WEIR_E_NOT_ON_CURVE);
        }
        weir_g1_affine three = {0}, inf = {0};
        weir_g2_affine inf2 = {0};
        uint8_t b[96];
        fp_from_u64(&three.y, 2); /* (0, 2) is on the curve, of order three */
        c->g1s_encode(b, &three, 1);
        assert_int_equal(decode1(c, b, 0), WEIR_OK);
        assert_int_equal(decode1(c, b, WEIR_CHECK_CURVE), WEIR_E_NOT_IN_SUBGROUP);
        assert_int_equal(decode1(c, b, ALL), WEIR_E_NOT_IN_SUBGROUP);
        c->g1_compress(b, &three);
        assert_int_equal(decompress1(c, b, 0), WEIR_E_NOT_IN_SUBGROUP);
        assert_true(c->g1_on_curve(&inf) && c->g2_on_curve(&inf2));
        assert_true(c->g1_in_subgroup(&inf) && c->g2_in_subgroup(&inf2));
    }
}

/* The sign flag: y and -y differ in it, in G2 also where c1 of y is zero. */
static void signs(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        for (int i = 0; i < 10; i++) {
            uint8_t a[96], b[96];
            weir_g1_affine p = ck_g1_any_order(&g), p2;
            weir_g2_affine q = ck_g2_any_order(&g), q2;
            c->g1_compress(a, &p);
            fp_neg(&p.y, &p.y);
            c->g1_compress(b, &p);
            assert_int_equal(a[0] ^ b[0], 0x20);
            assert_int_equal((b[0] & 0x20) != 0, fp_is_larger_half(&p.y));
            assert_memory_equal(a + 1, b + 1, 47);
            assert_int_equal(c->g1_decompress(&p2, b, 0), WEIR_OK);
            assert_memory_equal(&p, &p2, sizeof p);
            c->g2_compress(a, &q);
            fp2_neg(&q.y, &q.y);
            c->g2_compress(b, &q);
            assert_int_equal(a[0] ^ b[0], 0x20);
            assert_int_equal((b[0] & 0x20) != 0, fp_is_larger_half(&q.y.c1));
            assert_memory_equal(a + 1, b + 1, 95);
            assert_int_equal(c->g2_decompress(&q2, b, 0), WEIR_OK);
            assert_memory_equal(&q, &q2, sizeof q);
        }
    }
}

/* No byte string makes a decoder do anything but answer; what it accepts, it writes back the same. */
static void random_bytes(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_curve_ops *c = weir_curve_ops_get(isa);
        for (int i = 0; i < 300; i++) {
            uint8_t b[192], back[192];
            weir_g1_affine p;
            weir_g2_affine q;
            size_t bad;
            tk_bytes(&g, b, sizeof b);
            for (int k = 0; k < 192; k += 48) b[k] &= k ? 0x0f : 0xef;
            if (c->g1_decompress(&p, b, 0) == WEIR_OK) {
                c->g1_compress(back, &p);
                assert_memory_equal(b, back, 48);
            }
            if (c->g2_decompress(&q, b, 0) == WEIR_OK) {
                c->g2_compress(back, &q);
                assert_memory_equal(b, back, 96);
            }
            b[0] &= 0x0f;
            assert_int_equal(c->g1s_decode(&p, b, 1, 0, &bad), WEIR_OK);
            c->g1s_encode(back, &p, 1);
            assert_memory_equal(b, back, 96);
            assert_int_equal(c->g2s_decode(&q, b, 1, 0, &bad), WEIR_OK);
            c->g2s_encode(back, &q, 1);
            assert_memory_equal(b, back, 192);
        }
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_of_blst),
        cmocka_unit_test(encoders),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(coordinates_too_large),
        cmocka_unit_test(flags),
        cmocka_unit_test(infinity_with_extra_bits),
        cmocka_unit_test(curve_and_subgroup),
        cmocka_unit_test(signs),
        cmocka_unit_test(random_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
