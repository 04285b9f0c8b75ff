/* Checks of points in memory: good ones pass, and of several bad ones the first is named, on every path and any number of threads. */
#include "curve/curve.h"
#include "curve/point_check.h"
#include "field/fp2.h"
#include "testkit.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS = 700 };

typedef struct points {
    weir_g1_affine g1[POINTS];
    weir_g2_affine g2[POINTS];
} points;

static void multiples(points *p)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    weir_g1 p1 = {weir_g1_generator()->x, weir_g1_generator()->y, fp_ONE}, g1 = p1;
    weir_g2 p2 = {weir_g2_generator()->x, weir_g2_generator()->y, fp2_ONE}, g2 = p2;
    for (int i = 0; i < POINTS; i++) {
        weir_fp t1;
        weir_fp2 t2;
        ops->g1s_to_affine(&p->g1[i], &p1, 1, &t1);
        ops->g2s_to_affine(&p->g2[i], &p2, 1, &t2);
        ops->g1_add(&p1, &p1, &g1);
        ops->g2_add(&p2, &p2, &g2);
    }
}

/* On the curve, and not in the subgroup. */
static void outsider_g1(weir_g1_affine *out)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    for (uint8_t x = 1; x < 100; x++) {
        uint8_t bytes[48] = {0x80};
        bytes[47] = x;
        if (ops->g1_decompress(out, bytes, 0) == WEIR_OK && !ops->g1_in_subgroup(out)) return;
    }
    fail_msg("no such point");
}

static void outsider_g2(weir_g2_affine *out)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    for (uint8_t x = 1; x < 100; x++) {
        uint8_t bytes[96] = {0x80};
        bytes[95] = x;
        if (ops->g2_decompress(out, bytes, 0) == WEIR_OK && !ops->g2_in_subgroup(out)) return;
    }
    fail_msg("no such point");
}

static void add_modulus(weir_fp *a)
{
    static const uint64_t p[6] = {0xb9feffffffffaaabu, 0x1eabfffeb153ffffu, 0x6730d2a0f6b0f624u,
                                  0x64774b84f38512bfu, 0x4b1ba7b6434bacd7u, 0x1a0111ea397fe69au};
    unsigned __int128 c = 0;
    for (int i = 0; i < 6; i++) {
        c += (unsigned __int128)a->l[i] + p[i];
        a->l[i] = (uint64_t)c;
        c >>= 64;
    }
}

enum { KINDS = 4 };
static const weir_err kind_err[KINDS] = {WEIR_E_NOT_ON_CURVE, WEIR_E_NOT_IN_SUBGROUP,
                                         WEIR_E_INFINITY, WEIR_E_ENCODING};

static void spoil(points *p, size_t i, unsigned kind, bool g2)
{
    if (kind == 0) p->g1[i].y.l[0] ^= 1, p->g2[i].y.c1.l[0] ^= 1;
    if (kind == 1 && g2) outsider_g2(&p->g2[i]);
    if (kind == 1 && !g2) outsider_g1(&p->g1[i]);
    if (kind == 2) memset(&p->g1[i], 0, sizeof p->g1[i]), memset(&p->g2[i], 0, sizeof p->g2[i]);
    if (kind == 3) add_modulus(&p->g1[i].y), add_modulus(&p->g2[i].y.c0);
}

static weir_err check(const weir_point_check *c, const points *p, size_t n, size_t *bad, bool g2,
                      weir_errinfo *ei)
{
    return g2 ? c->g2(c->ctx, p->g2, n, bad, ei) : c->g1(c->ctx, p->g1, n, bad, ei);
}

static void the_first_bad_one(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    points *good = malloc(sizeof *good), *p = malloc(sizeof *p);
    multiples(good);
    for (weir_isa isa = 0; tk_next_path(&isa); isa++)
        for (unsigned trial = 0; trial < 16; trial++) {
            const weir_exec x = {.pool = trial % 3 ? tk_pool(trial % 3) : NULL, .isa = isa};
            bool g2 = trial & 1;
            weir_point_check c;
            weir_errinfo ei = {0};
            size_t n = 1 + tk_below(&g, POINTS), bad = 12345, first = tk_below(&g, n);
            unsigned kind = trial / 2 % KINDS;
            *p = *good;
            weir_point_check_cpu(&c, &x);
            assert_int_equal(check(&c, p, n, &bad, g2, &ei), WEIR_OK);
            assert_int_equal(check(&c, p, 0, &bad, g2, &ei), WEIR_OK);
            assert_int_equal(bad, 12345);
            for (size_t i = first + 1; i < n; i += 1 + tk_below(&g, 40))
                spoil(p, i, (unsigned)tk_below(&g, KINDS), g2);
            spoil(p, first, kind, g2);
            weir_err err = check(&c, p, n, &bad, g2, &ei);
            assert_int_equal(err, kind_err[kind]);
            assert_true(weir_point_check_found(err));
            assert_int_equal(bad, first);
            assert_int_equal(ei.text[0], 0);
        }
    free(good);
    free(p);
}

static void stopped_and_estimated(void **state)
{
    (void)state;
    volatile int cancel = 0;
    const weir_watch watch = {.cancel = &cancel};
    const weir_exec x = {.isa = weir_isa_best(), .watch = &watch};
    weir_point_check c;
    weir_errinfo ei = {0};
    uint64_t ns, more;
    size_t bad;
    weir_point_check_cpu(&c, &x);
    assert_int_equal(weir_point_check_estimate(&ns, &c, 1000, 0, &ei), WEIR_OK);
    assert_int_equal(weir_point_check_estimate(&more, &c, 1000000, 1000000, &ei), WEIR_OK);
    assert_true(ns > 0 && more > ns);
    cancel = 1;
    weir_err err = c.g1(c.ctx, weir_g1_generator(), 1, &bad, &ei);
    assert_int_equal(err, WEIR_E_CANCELLED);
    assert_false(weir_point_check_found(err));
    assert_true(ei.text[0] != 0);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_bad_one),
        cmocka_unit_test(stopped_and_estimated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
