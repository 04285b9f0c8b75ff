/* The quotient polynomial of Groth16. */
#include "field/fr.h"
#include "poly/ntt_plan.h"
#include "poly_kit.h"

#include <stdlib.h>
#include <string.h>

static void vectors(void **state)
{
    (void)state;
    json_t *j = tk_json("ntt/ntt.json"), *list = tk_get(j, "quotient");
    assert_true(json_array_size(list) >= 4);
    for (weir_isa isa = 0; tk_next_path(&isa); isa++)
        for (size_t i = 0; i < json_array_size(list); i++) {
            json_t *q = json_array_get(list, i);
            const size_t n = (size_t)json_integer_value(tk_get(q, "domain"));
            pk_plan p = pk_plan_new((unsigned)__builtin_ctzll(n), 2, isa);
            weir_fr *a = pk_alloc(n), *b = pk_alloc(n), *tmp = pk_alloc(n), *want = pk_alloc(n);
            pk_from_json(a, n, tk_get(q, "a"));
            pk_from_json(b, n, tk_get(q, "b"));
            pk_from_json(want, n, tk_get(q, "h"));
            assert_true(json_array_size(tk_get(q, "h")) == n - 1);
            weir_quotient(p.plan, a, b, tmp, p.scratch, &p.x);
            assert_true(pk_equal(a, want, n));
            free(a);
            free(b);
            free(tmp);
            free(want);
            pk_plan_free(&p);
        }
    json_decref(j);
}

/* a(x) b(x) - c(x) = h(x) (x^n - 1) at a random x, with a, b, c interpolated from their values. */
static void check_identity(tk_rng *g, const pk_plan *p, unsigned log2_n, const weir_fr *va,
                           const weir_fr *vb, const weir_fr *h)
{
    weir_fr x, z, left, t, value[3];
    tk_fr(g, &x);
    for (int k = 0; k < 3; k++) {
        weir_fr *v = pk_copy(k == 1 ? vb : va, p->n);
        for (size_t i = 0; k == 2 && i < p->n; i++) fr_mul(&v[i], &v[i], &vb[i]);
        weir_ntt_inverse(p->plan, v, p->scratch, &p->x);
        pk_eval(&value[k], v, p->n, &x);
        free(v);
    }
    fr_mul(&left, &value[0], &value[1]);
    fr_sub(&left, &left, &value[2]);
    fr_pow_u64(&z, &x, UINT64_C(1) << log2_n);
    fr_sub(&z, &z, &fr_ONE);
    pk_eval(&t, h, p->n, &x);
    fr_mul(&t, &t, &z);
    assert_true(fr_eq(&left, &t));
    assert_true(fr_is_zero(&h[p->n - 1]));
}

static void check_size(tk_rng *g, unsigned log2_n, unsigned threads, weir_isa isa,
                       const weir_fr *shift)
{
    pk_plan p = pk_plan_new(log2_n, threads, isa);
    weir_fr *va = pk_alloc(p.n), *vb = pk_alloc(p.n), *tmp = pk_alloc(p.n);
    pk_random(g, va, p.n);
    pk_random(g, vb, p.n);
    weir_fr *a = pk_copy(va, p.n), *b = pk_copy(vb, p.n);
    if (shift)
        weir_quotient_shifted(p.plan, a, b, tmp, shift, p.scratch, &p.x);
    else
        weir_quotient(p.plan, a, b, tmp, p.scratch, &p.x);
    check_identity(g, &p, log2_n, va, vb, a);
    free(va);
    free(vb);
    free(a);
    free(b);
    free(tmp);
    pk_plan_free(&p);
}

static void identity(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        for (unsigned log2_n = 0; log2_n <= 12; log2_n++)
            check_size(&g, log2_n, log2_n % 4, isa, NULL);
        check_size(&g, 15, 3, isa, NULL);
    }
    check_size(&g, 17, 2, weir_isa_best(), NULL);
}

/* The way of the largest domain, which has no root of order 2n. */
static void other_shift(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    const weir_fr seven = {WEIR_FR_GENERATOR};
    for (unsigned log2_n = 0; log2_n <= 10; log2_n++)
        check_size(&g, log2_n, 2, weir_isa_best(), &seven);
    check_size(&g, 15, 2, weir_isa_best(), &seven);
}

/* Constants: a b - c is zero, so is h. */
static void constants(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    pk_plan p = pk_plan_new(6, 0, weir_isa_best());
    weir_fr *a = pk_alloc(p.n), *b = pk_alloc(p.n), *tmp = pk_alloc(p.n);
    tk_fr(&g, &a[0]);
    tk_fr(&g, &b[0]);
    for (size_t i = 1; i < p.n; i++) {
        a[i] = a[0];
        b[i] = b[0];
    }
    weir_quotient(p.plan, a, b, tmp, p.scratch, &p.x);
    for (size_t i = 0; i < p.n; i++) assert_true(fr_is_zero(&a[i]));
    free(a);
    free(b);
    free(tmp);
    pk_plan_free(&p);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors),
        cmocka_unit_test(identity),
        cmocka_unit_test(other_shift),
        cmocka_unit_test(constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
