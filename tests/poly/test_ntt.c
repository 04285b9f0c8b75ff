/* Transforms: against Filecoin's values, against the plain sum, and by their laws.
 * --large adds sizes up to 2^24 (some minutes, 1.5 GiB). */
#include "base/alloc.h"
#include "field/fr.h"
#include "poly/ntt_plan.h"
#include "poly_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool large;

static void seven(weir_fr *r)
{
    fr_from_u64(r, 7);
}

/* ---- Filecoin's values */

static void check_case(json_t *c, unsigned threads, weir_isa isa)
{
    static const char *const names[] = {"fft", "ifft", "coset_fft", "icoset_fft"};
    pk_plan p = pk_plan_new((unsigned)json_integer_value(tk_get(c, "log2_n")), threads, isa);
    weir_fr *a = pk_alloc(p.n), *want = pk_alloc(p.n), g;
    seven(&g);
    for (int kind = 0; kind < 4; kind++) {
        pk_from_json(a, p.n, tk_get(c, "input"));
        pk_from_json(want, p.n, tk_get(c, names[kind]));
        switch (kind) {
        case 0:
            weir_ntt_forward(p.plan, a, p.scratch, &p.x);
            break;
        case 1:
            weir_ntt_inverse(p.plan, a, p.scratch, &p.x);
            break;
        case 2:
            weir_ntt_coset_forward(p.plan, a, &g, p.scratch, &p.x);
            break;
        case 3:
            weir_ntt_coset_inverse(p.plan, a, &g, p.scratch, &p.x);
            break;
        }
        if (!pk_equal(a, want, p.n))
            fail_msg("%s of %zu elements, path %s", names[kind], p.n, weir_isa_name(isa));
    }
    free(a);
    free(want);
    pk_plan_free(&p);
}

static void vectors(void **state)
{
    (void)state;
    json_t *j = tk_json("ntt/ntt.json"), *cases = tk_get(j, "cases");
    assert_true(json_array_size(cases) >= 7);
    for (weir_isa isa = 0; tk_next_path(&isa); isa++)
        for (unsigned threads = 0; threads <= 3; threads++)
            for (size_t i = 0; i < json_array_size(cases); i++)
                check_case(json_array_get(cases, i), threads, isa);
    json_decref(j);
}

/* ---- the plain sum */

static void naive(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        for (unsigned log2_n = 0; log2_n <= 9; log2_n++) {
            pk_plan p = pk_plan_new(log2_n, 0, isa);
            weir_fr *in = pk_alloc(p.n), x, y, shift;
            pk_random(&g, in, p.n);
            do tk_fr(&g, &shift);
            while (fr_is_zero(&shift));
            weir_fr *plain = pk_copy(in, p.n), *coset = pk_copy(in, p.n);
            weir_ntt_forward(p.plan, plain, p.scratch, &p.x);
            weir_ntt_coset_forward(p.plan, coset, &shift, p.scratch, &p.x);
            for (size_t i = 0; i < p.n; i++) {
                pk_point(&x, &fr_ONE, log2_n, i);
                pk_eval(&y, in, p.n, &x);
                assert_true(fr_eq(&plain[i], &y));
                pk_point(&x, &shift, log2_n, i);
                pk_eval(&y, in, p.n, &x);
                assert_true(fr_eq(&coset[i], &y));
            }
            free(in);
            free(plain);
            free(coset);
            pk_plan_free(&p);
        }
    }
}

/* ---- laws */

/* One size: both ways, and values at random places. Returns the transform for comparison with other
 * paths. */
static weir_fr *round_trip(tk_rng *g, const weir_fr *in, unsigned log2_n, unsigned threads,
                           weir_isa isa, bool coset)
{
    pk_plan p = pk_plan_new(log2_n, threads, isa);
    weir_fr shift = fr_ONE, x, y, *a = pk_copy(in, p.n);
    if (coset) seven(&shift);
    if (coset)
        weir_ntt_coset_forward(p.plan, a, &shift, p.scratch, &p.x);
    else
        weir_ntt_forward(p.plan, a, p.scratch, &p.x);
    for (int k = 0; k < 2; k++) {
        const size_t i = k ? (size_t)tk_below(g, p.n) : p.n - 1;
        pk_point(&x, &shift, log2_n, i);
        pk_eval(&y, in, p.n, &x);
        assert_true(fr_eq(&a[i], &y));
    }
    weir_fr *values = pk_copy(a, p.n);
    if (coset)
        weir_ntt_coset_inverse(p.plan, a, &shift, p.scratch, &p.x);
    else
        weir_ntt_inverse(p.plan, a, p.scratch, &p.x);
    assert_true(pk_equal(a, in, p.n));
    free(a);
    pk_plan_free(&p);
    return values;
}

static void check_size(tk_rng *g, unsigned log2_n, unsigned threads_from, unsigned threads_to,
                       bool coset)
{
    const size_t n = (size_t)1 << log2_n;
    weir_fr *in = pk_alloc(n), *first = NULL;
    pk_random(g, in, n);
    for (weir_isa isa = 0; tk_next_path(&isa); isa++)
        for (unsigned threads = threads_from; threads <= threads_to; threads++) {
            weir_fr *values = round_trip(g, in, log2_n, threads, isa, coset);
            if (first)
                assert_true(pk_equal(values, first, n));
            else
                first = pk_copy(values, n);
            free(values);
        }
    free(first);
    free(in);
}

/* Up to 2^16: past the first size with two passes over memory. */
static void both_ways(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (unsigned log2_n = 0; log2_n <= 16; log2_n++) {
        check_size(&g, log2_n, 1, log2_n <= 10 ? 3 : 1, false);
        check_size(&g, log2_n, 1, log2_n <= 10 ? 3 : 1, true);
    }
    check_size(&g, 16, 2, 3, true);
}

static void size_2_20(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    const size_t n = (size_t)1 << 20;
    weir_fr *in = pk_alloc(n);
    pk_random(&g, in, n);
    free(round_trip(&g, in, 20, 2, weir_isa_best(), false));
    free(round_trip(&g, in, 20, 3, weir_isa_best(), true));
    free(in);
}

static void sizes_large(void **state)
{
    (void)state;
    if (!large) skip();
    tk_rng g = tk_rng_new();
    for (unsigned log2_n = 17; log2_n <= 24; log2_n++) {
        check_size(&g, log2_n, 2, 2, false);
        check_size(&g, log2_n, 2, 2, true);
        print_message("2^%u done\n", log2_n);
    }
}

static void linear(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    const unsigned log2_n = 11;
    pk_plan p = pk_plan_new(log2_n, 2, weir_isa_best());
    weir_fr *a = pk_alloc(p.n), *b = pk_alloc(p.n), *c = pk_alloc(p.n), k, t;
    pk_random(&g, a, p.n);
    pk_random(&g, b, p.n);
    tk_fr(&g, &k);
    for (size_t i = 0; i < p.n; i++) {
        fr_mul(&t, &k, &b[i]);
        fr_add(&c[i], &a[i], &t);
    }
    weir_ntt_forward(p.plan, a, p.scratch, &p.x);
    weir_ntt_forward(p.plan, b, p.scratch, &p.x);
    weir_ntt_forward(p.plan, c, p.scratch, &p.x);
    for (size_t i = 0; i < p.n; i++) {
        fr_mul(&t, &k, &b[i]);
        fr_add(&t, &t, &a[i]);
        assert_true(fr_eq(&t, &c[i]));
    }
    free(a);
    free(b);
    free(c);
    pk_plan_free(&p);
}

static void convolution(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (unsigned log2_n = 0; log2_n <= 7; log2_n++) {
        pk_plan p = pk_plan_new(log2_n, 0, weir_isa_best());
        weir_fr *a = pk_alloc(p.n), *b = pk_alloc(p.n), *want = pk_alloc(p.n), t;
        pk_random(&g, a, p.n);
        pk_random(&g, b, p.n);
        memset(want, 0, p.n * sizeof *want);
        for (size_t i = 0; i < p.n; i++)
            for (size_t j = 0; j < p.n; j++) {
                weir_fr *at = &want[(i + j) % p.n];
                fr_mul(&t, &a[i], &b[j]);
                fr_add(at, at, &t);
            }
        weir_ntt_forward(p.plan, a, p.scratch, &p.x);
        weir_ntt_forward(p.plan, b, p.scratch, &p.x);
        for (size_t i = 0; i < p.n; i++) fr_mul(&a[i], &a[i], &b[i]);
        weir_ntt_inverse(p.plan, a, p.scratch, &p.x);
        assert_true(pk_equal(a, want, p.n));
        free(a);
        free(b);
        free(want);
        pk_plan_free(&p);
    }
}

/* A pool that is larger than the one the plan was made with must not need more scratch. */
static void larger_pool_than_planned(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    pk_plan one = pk_plan_new(16, 1, weir_isa_best());
    weir_fr *a = pk_alloc(one.n);
    pk_random(&g, a, one.n);
    weir_fr *b = pk_copy(a, one.n);
    weir_ntt_forward(one.plan, a, one.scratch, &one.x);
    weir_exec three = one.x;
    three.pool = tk_pool(3);
    weir_ntt_forward(one.plan, b, one.scratch, &three);
    assert_true(pk_equal(a, b, one.n));
    free(a);
    free(b);
    pk_plan_free(&one);
}

/* ---- one tile: all paths give the same, for every shape that a pass has and at the ends of ranges */

static void fill_tile(tk_rng *g, weir_fr *a, size_t n, int kind)
{
    weir_fr top;
    fr_neg(&top, &(weir_fr){{1}}); /* limbs of r - 1 */
    pk_random(g, a, n);
    for (size_t i = 0; kind && i < n; i++)
        a[i] = (kind == 1 || tk_below(g, 2)) ? top : (weir_fr){{0}};
}

static void check_tile(tk_rng *g, const weir_ntt_plan *plan, unsigned levels, size_t width,
                       int kind)
{
    const size_t n = width << levels;
    weir_fr *in = pk_alloc(n), *want = NULL, base[14], scale;
    fill_tile(g, in, n, kind);
    fill_tile(g, base, 14, kind);
    tk_fr(g, &scale);
    for (int way = 0; way < 6; way++) {
        for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
            const weir_ntt_ops *ops = weir_ntt_ops_get(isa);
            const weir_fr *b = way % 2 ? base : NULL;
            weir_fr *a = pk_copy(in, n);
            if (way < 2)
                ops->forward(a, levels, width, b, plan->table);
            else
                ops->inverse(a, levels, width, b, plan->table, way < 4 ? NULL : &scale);
            if (want && !pk_equal(a, want, n))
                fail_msg("%u levels, width %zu, way %d, path %s", levels, width, way,
                         weir_isa_name(isa));
            if (want)
                free(a);
            else
                want = a;
        }
        free(want);
        want = NULL;
    }
    free(in);
}

static void tiles(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    pk_plan p = pk_plan_new(14, 0, WEIR_ISA_PORTABLE);
    for (unsigned levels = 0; levels <= 14; levels++)
        for (size_t width = 1; width <= 32 && width << levels <= (size_t)1 << 15; width *= 2)
            for (int kind = 0; kind < 3; kind++) check_tile(&g, p.plan, levels, width, kind);
    pk_plan_free(&p);
}

static void plans(void **state)
{
    (void)state;
    const weir_exec x = {.isa = weir_isa_best()};
    weir_ntt_plan *plan;
    weir_errinfo ei = {0};
    for (unsigned log2_n = 0; log2_n <= 32; log2_n++) {
        assert_int_equal(weir_ntt_plan_new(&plan, log2_n, &x, &ei), WEIR_OK);
        assert_true(weir_ntt_plan_bytes(log2_n) < 300 * 1024);
        assert_true(weir_ntt_scratch_bytes(plan) <= 1 << 20);
        weir_ntt_plan_free(plan);
    }
    assert_int_equal(weir_ntt_plan_new(&plan, 33, &x, &ei), WEIR_E_UNSUPPORTED);
    assert_null(plan);
    weir_alloc_fail_nth(1, 1);
    weir_err err = weir_ntt_plan_new(&plan, 10, &x, &ei);
    weir_alloc_fail_nth(0, 0);
    assert_int_equal(err, WEIR_E_NOMEM);
    assert_null(plan);
    weir_ntt_plan_free(NULL);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--large") == 0) large = true;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors),     cmocka_unit_test(naive),
        cmocka_unit_test(both_ways),   cmocka_unit_test(size_2_20),
        cmocka_unit_test(sizes_large), cmocka_unit_test(linear),
        cmocka_unit_test(convolution), cmocka_unit_test(larger_pool_than_planned),
        cmocka_unit_test(tiles),       cmocka_unit_test(plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
