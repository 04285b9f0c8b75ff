#include "curve_kit.h"
#include "field/params_bls12_381.h"
#include "lanes_path.h"

enum { MOST = 20 };

/* names of a group, template, end of names */
#include "curve/ec_g1.inc.h"
#define T_ANY_ORDER    ck_g1_any_order
#define T_RANDOM       ck_g1_random
#define T_ENCODE       g1s_encode
#define T_COMPRESS     g1_compress
#define T_DECODE       g1s_decode
#define T_DECOMPRESS   g1_decompress
#define T_S_DECOMPRESS g1s_decompress
#include "lanes_cases.inc.h"
#undef T_ANY_ORDER
#undef T_RANDOM
#undef T_ENCODE
#undef T_COMPRESS
#undef T_DECODE
#undef T_DECOMPRESS
#undef T_S_DECOMPRESS
#include "curve/ec_end.inc.h"

#include "curve/ec_g2.inc.h"
#define T_ANY_ORDER    ck_g2_any_order
#define T_RANDOM       ck_g2_random
#define T_ENCODE       g2s_encode
#define T_COMPRESS     g2_compress
#define T_DECODE       g2s_decode
#define T_DECOMPRESS   g2_decompress
#define T_S_DECOMPRESS g2s_decompress
#include "lanes_cases.inc.h"
#undef T_ANY_ORDER
#undef T_RANDOM
#undef T_ENCODE
#undef T_COMPRESS
#undef T_DECODE
#undef T_DECOMPRESS
#undef T_S_DECOMPRESS
#include "curve/ec_end.inc.h"

/* A point of G1 whose order is the prime, a factor of |x - 1| (test_curve_group.c says why this finds one). */
static weir_g1_affine point_of_order(const weir_curve_ops *c, uint64_t prime, tk_rng *g)
{
    weir_scalar r = ck_order(), k = ck_small((WEIR_BLS_X_ABS + 1) / prime);
    weir_g1_affine p = {0};
    while (g1_affine_is_infinity(&p)) {
        p = ck_g1_any_order(g);
        p = ck_g1_mul(c, &p, &r);
        p = ck_g1_mul(c, &p, &k);
    }
    return p;
}

/* Small orders, where the additions of the subgroup check meet what they cannot add. */
static void small_orders(void **state)
{
    (void)state;
    static const uint64_t primes[] = {3, 11, 10177};
    const weir_curve_ops *c = weir_curve_ops_get(weir_isa_best() ? WEIR_ISA_ADX : 0);
    tk_rng g = tk_rng_new();
    uint8_t full[8 * 96], half[8 * 48];
    for (weir_isa isa = 0; tk_next_path(&isa); isa++)
        for (size_t i = 0; i < 3; i++) {
            size_t where = tk_below(&g, 8);
            for (size_t k = 0; k < 8; k++) {
                weir_g1_affine p =
                    k == where ? point_of_order(c, primes[i], &g) : ck_g1_random(c, &g);
                c->g1s_encode(full + 96 * k, &p, 1);
                c->g1_compress(half + 48 * k, &p);
            }
            g1_compare_decode(c, lanes_path_get(isa), full, 8, &g);
            g1_compare_decompress(c, lanes_path_get(isa), half, 8, &g);
        }
}

/* a + lambda b mod r */
static weir_scalar joined(const weir_split *k)
{
    weir_fr x, l, t, sum = {{0}};
    weir_scalar s;
    fr_from_u64(&x, WEIR_BLS_X_ABS);
    fr_sqr(&l, &x);
    fr_neg(&l, &l);
    for (int h = 1; h >= 0; h--) {
        weir_scalar part = {{k->l[h][0], k->l[h][1]}};
        fr_from_scalar(&t, &part);
        fr_mul(&sum, &sum, &l);
        fr_add(&sum, &sum, &t);
    }
    fr_to_scalar(&s, &sum);
    return s;
}

/* Numbers of 64 bits, sometimes more, sometimes few. */
static weir_split random_split(tk_rng *g)
{
    weir_split k = {{{tk_u64(g), 0}, {tk_u64(g), 0}}};
    for (int h = 0; h < 2; h++) {
        if (tk_below(g, 6) == 0) k.l[h][0] = tk_below(g, 3);
        if (tk_below(g, 20) == 0) k.l[h][1] = tk_u64(g) >> tk_below(g, 64);
    }
    return k;
}

static void multiples(void **state)
{
    (void)state;
    const weir_curve_ops *c = weir_curve_ops_get(weir_isa_best() ? WEIR_ISA_ADX : 0);
    tk_rng g = tk_rng_new();
    static weir_g1_affine p[MOST], want, got;
    static weir_split k[MOST];
    static weir_g1 out[MOST], twice[MOST], scalar[MOST];
    for (weir_isa isa = 0; tk_next_path(&isa); isa++)
        for (size_t n = 0; n <= MOST; n++) {
            weir_g1 t;
            for (size_t i = 0; i < n; i++) {
                p[i] = ck_g1_random(c, &g);
                if (tk_below(&g, 8) == 0) memset(&p[i], 0, sizeof p[i]);
                k[i] = random_split(&g);
            }
            lanes_path_get(isa)->g1s_mul_split(out, p, k, n);
            c->g1s_mul_split(scalar, p, k, n);
            memcpy(twice, out, sizeof twice);
            lanes_path_get(isa)->g1s_double(twice, n, 3);
            for (size_t i = 0; i < n; i++) {
                weir_scalar s = joined(&k[i]);
                want = ck_g1_mul(c, &p[i], &s);
                got = ck_g1_affine(c, &out[i]);
                assert_memory_equal(&got, &want, sizeof got);
                got = ck_g1_affine(c, &scalar[i]);
                assert_memory_equal(&got, &want, sizeof got);
                t = out[i];
                for (int d = 0; d < 3; d++) c->g1_add(&t, &t, &t);
                want = ck_g1_affine(c, &t);
                got = ck_g1_affine(c, &twice[i]);
                assert_memory_equal(&got, &want, sizeof got);
            }
        }
}

static void random_fp12(tk_rng *g, weir_fp12 *r)
{
    weir_fp c[12];
    for (int i = 0; i < 12; i++) tk_fp(g, &c[i]);
    memcpy(r, c, sizeof *r);
}

/* Lines, Miller loops of n pairs with infinity among them, and the final exponentiation. */
static void pairing_lanes(void **state)
{
    (void)state;
    enum { PAIRS = 18 };
    static weir_g2_lines want[PAIRS], got[PAIRS];
    static weir_g1_affine p[PAIRS];
    static weir_g2_affine q[PAIRS];
    const weir_curve_ops *c = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    tk_rng g = tk_rng_new();
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const lanes_path *l = lanes_path_get(isa);
        for (size_t n = 0; n <= PAIRS; n += n < 4 ? 1 : 1 + tk_below(&g, 6)) {
            const weir_g2_lines *lines[PAIRS];
            weir_fp12 f, e;
            for (size_t i = 0; i < n; i++) {
                p[i] = ck_g1_random(c, &g);
                q[i] = ck_g2_random(c, &g);
                if (tk_below(&g, 6) == 0) memset(&p[i], 0, sizeof p[i]);
                if (tk_below(&g, 6) == 0) memset(&q[i], 0, sizeof q[i]);
                lines[i] = &got[i];
            }
            memset(want, 0, sizeof want);
            memset(got, 0, sizeof got);
            c->g2s_prepare(want, q, n);
            l->g2s_prepare(got, q, n);
            assert_memory_equal(want, got, sizeof want);
            c->miller(&f, p, lines, n);
            l->miller(&e, p, lines, n);
            assert_memory_equal(&e, &f, sizeof e);
            c->final_exp(&f, &f);
            l->final_exp(&e, &e);
            assert_memory_equal(&e, &f, sizeof e);
        }
        for (int i = 0; i < 5; i++) {
            weir_fp12 f, e;
            random_fp12(&g, &f);
            if (i == 0) memset(&f.c1, 0, sizeof f.c1);
            e = f;
            c->final_exp(&f, &f);
            l->final_exp(&e, &e);
            assert_memory_equal(&e, &f, sizeof e);
        }
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(g1_lanes_decode), cmocka_unit_test(g2_lanes_decode),
        cmocka_unit_test(small_orders),    cmocka_unit_test(multiples),
        cmocka_unit_test(pairing_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
