/* With the key's secrets known, every point of a key and of a proof is a known multiple of a generator. Here the
 * multiples are worked out directly in Fr, from the expanded rows, and compared. */
#include "curve/curve.h"
#include "field/fp2.h"
#include "field/fr.h"
#include "mem_key.h"
#include "random_circuit.h"
#include "relation/cs.h"
#include "testkit.h"

#include <stdlib.h>
#include <string.h>

/* What the points of one circuit's key and proof must be, as multiples of the generators. */
typedef struct expected {
    const rc_circuit *c;
    weir_fr alpha, beta, gamma, delta, tau;
    unsigned rows, domain_log2;
    weir_fr *lagrange; /* rows */
    weir_fr *poly[3];  /* u, v, w of every column: inputs first */
    bool *occurs[3];
} expected;

static void count_rows(void *ctx, unsigned row, unsigned m, unsigned col, const weir_fr *coef)
{
    (void)m, (void)col, (void)coef;
    unsigned *rows = ctx;
    if (row + 1 > *rows) *rows = row + 1;
}

static void add_to_poly(void *ctx, unsigned row, unsigned m, unsigned col, const weir_fr *coef)
{
    expected *e = ctx;
    weir_fr t;
    fr_mul(&t, coef, &e->lagrange[row]);
    fr_add(&e->poly[m][col], &e->poly[m][col], &t);
    e->occurs[m][col] = true;
}

static void expected_init(expected *e, const rc_circuit *c, const weir_secrets *s)
{
    weir_fr w, wi = fr_ONE, t, n;
    *e = (expected){.c = c};
    fr_from_scalar(&e->alpha, &s->alpha);
    fr_from_scalar(&e->beta, &s->beta);
    fr_from_scalar(&e->gamma, &s->gamma);
    fr_from_scalar(&e->delta, &s->delta);
    fr_from_scalar(&e->tau, &s->tau);
    rc_expand(c, count_rows, &e->rows);
    while ((1u << e->domain_log2) < e->rows) e->domain_log2++;
    fr_from_u64(&n, (uint64_t)1 << e->domain_log2);
    fr_pow_u64(&t, &e->tau, (uint64_t)1 << e->domain_log2);
    fr_sub(&t, &t, &fr_ONE);
    weir_fr_inv(&n, &n);
    fr_mul(&t, &t, &n);
    fr_root_of_unity(&w, e->domain_log2);
    e->lagrange = malloc(e->rows * sizeof *e->lagrange);
    for (unsigned i = 0; i < e->rows; i++) {
        weir_fr d;
        fr_sub(&d, &e->tau, &wi);
        weir_fr_inv(&d, &d);
        fr_mul(&d, &d, &wi);
        fr_mul(&e->lagrange[i], &d, &t);
        fr_mul(&wi, &wi, &w);
    }
    for (int m = 0; m < 3; m++) {
        e->poly[m] = calloc(c->inputs + c->aux, sizeof *e->poly[m]);
        e->occurs[m] = calloc(c->inputs + c->aux, sizeof *e->occurs[m]);
    }
    rc_expand(c, add_to_poly, e);
}

static void expected_clear(expected *e)
{
    free(e->lagrange);
    for (int m = 0; m < 3; m++) {
        free(e->poly[m]);
        free(e->occurs[m]);
    }
}

/* beta u + alpha v + w of one column */
static void combination(const expected *e, unsigned col, weir_fr *out)
{
    weir_fr t;
    fr_mul(out, &e->beta, &e->poly[0][col]);
    fr_mul(&t, &e->alpha, &e->poly[1][col]);
    fr_add(out, out, &t);
    fr_add(out, out, &e->poly[2][col]);
}

static void divide(weir_fr *a, const weir_fr *b)
{
    weir_fr t;
    weir_fr_inv(&t, b);
    fr_mul(a, a, &t);
}

/* ---- comparisons of points with multiples */

static void expect_g1(const weir_g1_affine *p, const weir_fr *k)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    weir_scalar s;
    weir_g1 j;
    weir_g1_affine want;
    weir_fp tmp;
    fr_to_scalar(&s, k);
    ops->g1_mul(&j, weir_g1_generator(), &s);
    ops->g1s_to_affine(&want, &j, 1, &tmp);
    assert_memory_equal(p, &want, sizeof want);
}

static void expect_g2(const weir_g2_affine *p, const weir_fr *k)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    weir_scalar s;
    weir_g2 j;
    weir_g2_affine want;
    weir_fp2 tmp;
    fr_to_scalar(&s, k);
    ops->g2_mul(&j, weir_g2_generator(), &s);
    ops->g2s_to_affine(&want, &j, 1, &tmp);
    assert_memory_equal(p, &want, sizeof want);
}

static void expect_vk(const expected *e, const weir_vk *vk)
{
    weir_fr k;
    expect_g1(&vk->alpha_g1, &e->alpha);
    expect_g1(&vk->beta_g1, &e->beta);
    expect_g1(&vk->delta_g1, &e->delta);
    expect_g2(&vk->beta_g2, &e->beta);
    expect_g2(&vk->gamma_g2, &e->gamma);
    expect_g2(&vk->delta_g2, &e->delta);
    assert_int_equal(vk->n_ic, e->c->inputs);
    for (unsigned i = 0; i < vk->n_ic; i++) {
        combination(e, i, &k);
        divide(&k, &e->gamma);
        expect_g1(&vk->ic[i], &k);
    }
}

static void expect_sections(const expected *e, const tk_mem_key *key)
{
    uint64_t a = 0, b = 0;
    weir_fr k;
    fr_pow_u64(&k, &e->tau, (uint64_t)1 << e->domain_log2);
    fr_sub(&k, &k, &fr_ONE);
    divide(&k, &e->delta);
    assert_int_equal(key->count[WEIR_KEY_H], ((uint64_t)1 << e->domain_log2) - 1);
    for (uint64_t j = 0; j < key->count[WEIR_KEY_H]; j++) {
        expect_g1(&key->g1[WEIR_KEY_H][j], &k);
        fr_mul(&k, &k, &e->tau);
    }
    assert_int_equal(key->count[WEIR_KEY_L], e->c->aux);
    for (unsigned col = 0; col < e->c->inputs + e->c->aux; col++) {
        if (col >= e->c->inputs) {
            combination(e, col, &k);
            divide(&k, &e->delta);
            expect_g1(&key->g1[WEIR_KEY_L][col - e->c->inputs], &k);
        }
        if (e->occurs[0][col]) expect_g1(&key->g1[WEIR_KEY_A][a++], &e->poly[0][col]);
        if (e->occurs[1][col]) {
            expect_g1(&key->g1[WEIR_KEY_B_G1][b], &e->poly[1][col]);
            expect_g2(&key->g2[b++], &e->poly[1][col]);
        }
    }
    assert_int_equal(key->count[WEIR_KEY_A], a);
    assert_int_equal(key->count[WEIR_KEY_B_G1], b);
    assert_int_equal(key->count[WEIR_KEY_B_G2], b);
}

static const weir_fr *column_value(const rc_circuit *c, unsigned col)
{
    return col < c->inputs ? &c->input_value[col] : &c->aux_value[col - c->inputs];
}

/* sum of z_i poly_i */
static void eval_poly(const expected *e, unsigned m, weir_fr *out)
{
    fr_set_zero(out);
    for (unsigned col = 0; col < e->c->inputs + e->c->aux; col++) {
        weir_fr t;
        fr_mul(&t, &e->poly[m][col], column_value(e->c, col));
        fr_add(out, out, &t);
    }
}

/* A = alpha + a(tau) + r delta; B = beta + b(tau) + s delta;
 * C = ((sum over aux of z (beta u + alpha v + w)) + a b - c) / delta + s A + r B - r s delta */
static void expect_proof(const expected *e, const weir_proof *p, const weir_blinding *bl)
{
    weir_fr a, b, ab, c, r, s, big_a, big_b, big_c, t;
    eval_poly(e, 0, &a);
    eval_poly(e, 1, &b);
    eval_poly(e, 2, &c);
    fr_from_scalar(&r, &bl->r);
    fr_from_scalar(&s, &bl->s);
    fr_mul(&ab, &a, &b);
    fr_mul(&t, &r, &e->delta);
    fr_add(&big_a, &e->alpha, &a);
    fr_add(&big_a, &big_a, &t);
    fr_mul(&t, &s, &e->delta);
    fr_add(&big_b, &e->beta, &b);
    fr_add(&big_b, &big_b, &t);
    fr_sub(&big_c, &ab, &c);
    for (unsigned i = 0; i < e->c->aux; i++) {
        combination(e, e->c->inputs + i, &t);
        fr_mul(&t, &t, &e->c->aux_value[i]);
        fr_add(&big_c, &big_c, &t);
    }
    divide(&big_c, &e->delta);
    fr_mul(&t, &s, &big_a);
    fr_add(&big_c, &big_c, &t);
    fr_mul(&t, &r, &big_b);
    fr_add(&big_c, &big_c, &t);
    fr_mul(&t, &r, &s);
    fr_mul(&t, &t, &e->delta);
    fr_sub(&big_c, &big_c, &t);
    expect_g1(&p->a, &big_a);
    expect_g2(&p->b, &big_b);
    expect_g1(&p->c, &big_c);
}

/* ---- one circuit */

static void random_secrets(tk_rng *g, weir_secrets *s)
{
    tk_scalar(g, &s->alpha);
    tk_scalar(g, &s->beta);
    tk_scalar(g, &s->gamma);
    tk_scalar(g, &s->delta);
    tk_scalar(g, &s->tau);
}

static bool verifies(const weir_vk *vk, const weir_proof *p, const weir_fr *inputs, size_t n,
                     const weir_exec *x)
{
    weir_errinfo ei = {0};
    weir_pvk *pvk;
    bool valid;
    assert_int_equal(weir_pvk_new(&pvk, vk, x->isa, &ei), WEIR_OK);
    assert_int_equal(weir_verify(&valid, pvk, p, inputs, n, x, &ei), WEIR_OK);
    weir_pvk_free(pvk);
    return valid;
}

/* A changed witness that breaks a row gives a proof that does not verify; one that breaks none, one that does. */
static unsigned try_changes(tk_rng *g, const rc_circuit *c, weir_witness *w, const weir_pkey *key,
                            const weir_blinding *bl, const weir_exec *x)
{
    unsigned broken = 0;
    weir_errinfo ei = {0};
    for (unsigned i = 0; i < 3 && c->aux; i++) {
        uint64_t at = tk_below(g, c->aux);
        weir_fr keep, v;
        weir_proof p;
        weir_witness_get(w, at, &keep);
        fr_sub(&v, &fr_ONE, &keep);
        assert_true(weir_witness_set(w, at, &v));
        bool holds = weir_relation_check(w, x) == w->rel->rows;
        broken += !holds;
        assert_int_equal(weir_prove(&p, w, key, bl, NULL, x, &ei), WEIR_OK);
        holds = holds && !g1_affine_is_infinity(&p.c);
        assert_int_equal(verifies(key->vk, &p, w->inputs + 1, c->inputs - 1, x), holds);
        assert_true(weir_witness_set(w, at, &keep));
    }
    return broken;
}

static void other_inputs_and_keys(tk_rng *g, const rc_circuit *c, const weir_relation *rel,
                                  const weir_witness *w, const weir_vk *vk, const weir_proof *p,
                                  const weir_exec *x)
{
    weir_secrets other;
    tk_mem_key key;
    if (c->inputs > 1) {
        weir_fr *in = malloc(c->inputs * sizeof *in);
        memcpy(in, w->inputs + 1, (c->inputs - 1) * sizeof *in);
        unsigned at = (unsigned)tk_below(g, c->inputs - 1);
        fr_add(&in[at], &in[at], &fr_ONE);
        assert_false(verifies(vk, p, in, c->inputs - 1, x));
        free(in);
    }
    random_secrets(g, &other);
    tk_mem_key_make(&key, rel, &other, x);
    assert_false(verifies(&key.vk, p, w->inputs + 1, c->inputs - 1, x));
    tk_mem_key_clear(&key);
}

/* Ranges of a section read by themselves, as points and as exponents, are the key's. */
static void expect_ranges(tk_rng *g, const weir_relation *rel, const weir_secrets *s,
                          const tk_mem_key *key, const weir_exec *x)
{
    weir_key_maker *m;
    weir_key_points p;
    weir_errinfo ei = {0};
    weir_g1_affine g1[4];
    weir_g2_affine g2[4];
    weir_scalar k[4];
    weir_fr v;
    assert_int_equal(weir_key_maker_new(&m, rel, s, x, &ei), WEIR_OK);
    weir_key_maker_points(&p, m);
    assert_memory_equal(weir_key_maker_vk(m)->ic, key->vk.ic, key->vk.n_ic * sizeof *key->vk.ic);
    for (int i = 0; i < WEIR_KEY_SECTIONS; i++) {
        assert_int_equal(p.count[i], key->count[i]);
        if (p.count[i] == 0) continue;
        for (int again = 0; again < 3; again++) {
            uint64_t first = tk_below(g, p.count[i]), left = p.count[i] - first;
            size_t n = 1 + tk_below(g, left < 4 ? left : 4);
            assert_int_equal(p.read_scalars(p.ctx, (weir_key_section)i, first, n, k, x, &ei),
                             WEIR_OK);
            fr_from_scalar(&v, &k[n - 1]);
            if (i == WEIR_KEY_B_G2) {
                assert_int_equal(p.read_g2(p.ctx, WEIR_KEY_B_G2, first, n, g2, x->isa, &ei), 0);
                assert_memory_equal(g2, key->g2 + first, n * sizeof *g2);
                expect_g2(&g2[n - 1], &v);
            } else {
                assert_int_equal(p.read_g1(p.ctx, (weir_key_section)i, first, n, g1, x->isa, &ei),
                                 WEIR_OK);
                assert_memory_equal(g1, key->g1[i] + first, n * sizeof *g1);
                expect_g1(&g1[n - 1], &v);
            }
        }
    }
    weir_key_maker_free(m);
}

static unsigned one_circuit(tk_rng *g, const rc_options *o, const weir_exec *x, bool thorough)
{
    weir_errinfo ei = {0};
    rc_circuit *c = rc_make(g, o);
    weir_secrets secrets;
    weir_blinding bl = {0};
    weir_relation *rel;
    weir_witness *w;
    tk_mem_key mem;
    expected e;
    weir_proof p;
    unsigned broken = 0;
    random_secrets(g, &secrets);
    if (tk_below(g, 8)) tk_scalar(g, &bl.r);
    if (tk_below(g, 8)) tk_scalar(g, &bl.s);
    assert_int_equal(weir_relation_build(&rel, rc_shape, c, &ei), WEIR_OK);
    assert_int_equal(weir_witness_new(&w, rel, NULL, &ei), WEIR_OK);
    rc_fill(c, w);
    assert_int_equal(weir_relation_check(w, x), rel->rows);
    expected_init(&e, c, &secrets);
    assert_int_equal(e.rows, rel->rows);
    tk_mem_key_make(&mem, rel, &secrets, x);
    weir_pkey key = tk_mem_key_pkey(&mem);
    expect_vk(&e, &mem.vk);
    expect_sections(&e, &mem);
    if (tk_below(g, 4) == 0) expect_ranges(g, rel, &secrets, &mem, x);
    assert_int_equal(weir_prove(&p, w, &key, &bl, NULL, x, &ei), WEIR_OK);
    expect_proof(&e, &p, &bl);
    /* without blinding, and with all of h and z zero, C is infinity, which is refused */
    bool whole = !g1_affine_is_infinity(&p.c);
    assert_true(whole || memcmp(&bl, &(weir_blinding){0}, sizeof bl) == 0);
    assert_int_equal(verifies(&mem.vk, &p, w->inputs + 1, c->inputs - 1, x), whole);
    if (thorough) {
        broken = try_changes(g, c, w, &key, &bl, x);
        other_inputs_and_keys(g, c, rel, w, &mem.vk, &p, x);
    }
    expected_clear(&e);
    tk_mem_key_clear(&mem);
    weir_witness_free(w);
    weir_relation_free(rel);
    rc_free(c);
    return broken;
}

static void shapes(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    unsigned broken = 0;
    static const unsigned percent[] = {0, 10, 50, 100};
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++)
        for (unsigned i = 0; i < 16; i++) {
            const rc_options o = {.segments = 1 + i % 3,
                                  .percent_a = percent[i % 4],
                                  .percent_b = percent[i / 4 % 4]};
            const weir_exec x = {.pool = i % 4 ? tk_pool(i % 4) : NULL, .isa = isa};
            broken += one_circuit(&g, &o, &x, i % 3 == 0);
        }
    assert_true(broken > 0);
}

static void no_auxiliaries(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    const weir_exec x = {.pool = tk_pool(2), .isa = weir_isa_best()};
    for (unsigned i = 0; i < 9; i++) {
        const rc_options o = {
            .segments = 1 + i % 3, .percent_a = 50, .percent_b = 50, .public_only = true};
        one_circuit(&g, &o, &x, true);
    }
}

/* Nothing but input rows: the domain may have one element, and h none. */
static void no_rows(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    const weir_exec x = {.pool = tk_pool(2), .isa = weir_isa_best()};
    for (unsigned i = 0; i < 12; i++) {
        const rc_options o = {.segments = 1 + i % 3, .no_rows = true};
        one_circuit(&g, &o, &x, true);
    }
}

/* Row i holds column i alone, with coefficient one, in A: u_i is the Lagrange polynomial of row i. */
enum { MANY = 66000 };

static weir_err shape_many(void *ctx, weir_cs *cs, weir_errinfo *ei)
{
    (void)ctx, (void)ei;
    for (int i = 0; i < MANY; i++) {
        weir_lc_add(cs, weir_cs_a(cs), weir_cs_alloc(cs), &weir_cs_k(cs)->one);
        weir_cs_end_row(cs);
    }
    return WEIR_OK;
}

/* Sections longer than the chunks in which they are made: points on both sides of the border, and the last. */
static void many_points(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    const weir_exec x = {.pool = tk_pool(2), .isa = weir_isa_best()};
    static const uint64_t at[] = {0, 65535, 65536, MANY - 1, 131070};
    weir_errinfo ei = {0};
    weir_relation *rel;
    weir_secrets s;
    tk_mem_key key;
    weir_fr tau, beta, delta, t, n, k, w;
    random_secrets(&g, &s);
    fr_from_scalar(&tau, &s.tau);
    fr_from_scalar(&beta, &s.beta);
    fr_from_scalar(&delta, &s.delta);
    fr_pow_u64(&t, &tau, 1 << 17);
    fr_sub(&t, &t, &fr_ONE);
    fr_from_u64(&n, 1 << 17);
    assert_int_equal(weir_relation_build(&rel, shape_many, NULL, &ei), WEIR_OK);
    tk_mem_key_make(&key, rel, &s, &x);
    assert_int_equal(key.count[WEIR_KEY_H], 131071);
    assert_int_equal(key.count[WEIR_KEY_A], MANY + 1);
    for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
        fr_pow_u64(&k, &tau, at[i]);
        fr_mul(&k, &k, &t);
        divide(&k, &delta);
        expect_g1(&key.g1[WEIR_KEY_H][at[i]], &k);
        if (at[i] >= MANY) continue;
        fr_root_of_unity(&w, 17);
        fr_pow_u64(&w, &w, at[i]);
        fr_mul(&k, &t, &w); /* t / n w^i / (tau - w^i) */
        fr_sub(&w, &tau, &w);
        divide(&k, &w);
        divide(&k, &n);
        expect_g1(&key.g1[WEIR_KEY_A][1 + at[i]], &k);
        fr_mul(&k, &k, &beta);
        divide(&k, &delta);
        expect_g1(&key.g1[WEIR_KEY_L][at[i]], &k);
    }
    tk_mem_key_clear(&key);
    weir_relation_free(rel);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(no_auxiliaries),
        cmocka_unit_test(no_rows),
        cmocka_unit_test(many_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
