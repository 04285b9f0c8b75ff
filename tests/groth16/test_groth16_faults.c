/* What goes wrong from outside: memory, sinks, readers, cancelling, keys and secrets that do not fit. Every error comes
 * back clean, with a text, and the next call works. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "field/fr.h"
#include "mem_key.h"
#include "proof_vector.h"
#include "r1cs_dump.h"
#include "relation/cs.h"
#include "testkit.h"

typedef struct fixture {
    tk_r1cs *dump;
    json_t *json;
    weir_relation *rel;
    weir_witness *w;
    weir_secrets secrets;
    weir_blinding blinding;
    tk_mem_key key;
    weir_pvk *pvk;
    weir_proof proof;
    weir_fr *inputs;
    weir_exec x;
} fixture;

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    weir_errinfo ei = {0};
    size_t n;
    f->x = (weir_exec){.isa = weir_isa_best()};
    f->dump = tk_r1cs_load("groth16-small/mini", TK_COLUMNS_BITS);
    f->json = tk_json("groth16-small/mini.json");
    tk_secrets(f->json, &f->secrets);
    tk_blinding(f->json, &f->blinding);
    tk_proof_from_hex(tk_str(f->json, "proof"), &f->proof);
    f->inputs = tk_inputs(tk_get(f->json, "inputs_with_one"), &n);
    assert_int_equal(weir_relation_build(&f->rel, tk_r1cs_shape, f->dump, &ei), WEIR_OK);
    assert_int_equal(weir_witness_new(&f->w, f->rel, NULL, &ei), WEIR_OK);
    tk_r1cs_fill(f->dump, f->w);
    tk_mem_key_make(&f->key, f->rel, &f->secrets, &f->x);
    assert_int_equal(weir_pvk_new(&f->pvk, &f->key.vk, f->x.isa, &ei), WEIR_OK);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    weir_pvk_free(f->pvk);
    tk_mem_key_clear(&f->key);
    weir_witness_free(f->w);
    weir_relation_free(f->rel);
    json_decref(f->json);
    tk_r1cs_free(f->dump);
    free(f->inputs);
    free(f);
    return 0;
}

/* ---- the operations under test: each gives its error, and checks its result if there is none */

typedef weir_err (*operation)(fixture *f, const weir_exec *x, weir_errinfo *ei);

static weir_err op_key(fixture *f, const weir_exec *x, weir_errinfo *ei)
{
    tk_mem_key key;
    tk_mem_key_init(&key);
    weir_key_sink sink = tk_mem_key_sink(&key);
    weir_err err = weir_key_make(f->rel, &f->secrets, NULL, &sink, x, ei);
    weir_alloc_fail_nth(0, 0);
    if (err == WEIR_OK) {
        for (int s = 0; s < WEIR_KEY_B_G2; s++)
            assert_memory_equal(key.g1[s], f->key.g1[s], key.count[s] * sizeof *key.g1[s]);
        assert_memory_equal(key.g2, f->key.g2, key.count[WEIR_KEY_B_G2] * sizeof *key.g2);
    }
    tk_mem_key_clear(&key);
    return err;
}

static weir_err op_prove(fixture *f, const weir_exec *x, weir_errinfo *ei)
{
    weir_proof p;
    weir_pkey key = tk_mem_key_pkey(&f->key);
    weir_err err = weir_prove(&p, f->w, &key, &f->blinding, NULL, x, ei);
    weir_alloc_fail_nth(0, 0);
    if (err == WEIR_OK) assert_memory_equal(&p, &f->proof, sizeof p);
    return err;
}

static weir_err op_pvk(fixture *f, const weir_exec *x, weir_errinfo *ei)
{
    weir_pvk *pvk;
    weir_err err = weir_pvk_new(&pvk, &f->key.vk, x->isa, ei);
    weir_alloc_fail_nth(0, 0);
    assert_int_equal(err == WEIR_OK, pvk != NULL);
    weir_pvk_free(pvk);
    return err;
}

static weir_err op_verify(fixture *f, const weir_exec *x, weir_errinfo *ei)
{
    bool valid = true;
    weir_err err = weir_verify(&valid, f->pvk, &f->proof, f->inputs + 1, 2, x, ei);
    weir_alloc_fail_nth(0, 0);
    assert_int_equal(valid, err == WEIR_OK);
    return err;
}

static weir_err op_batch(fixture *f, const weir_exec *x, weir_errinfo *ei)
{
    bool valid = true;
    const weir_proof proofs[3] = {f->proof, f->proof, f->proof};
    weir_fr in[6];
    for (int i = 0; i < 6; i++) in[i] = f->inputs[1 + i % 2];
    weir_err err = weir_verify_batch(&valid, f->pvk, proofs, in, 3, 2, x, ei);
    weir_alloc_fail_nth(0, 0);
    assert_int_equal(valid, err == WEIR_OK);
    return err;
}

static const operation OPERATIONS[] = {op_key, op_prove, op_pvk, op_verify, op_batch};
enum { N_OPERATIONS = sizeof OPERATIONS / sizeof *OPERATIONS };

/* ---- tests */

/* The nth allocation fails, alone or with all later ones, for every n. */
static void every_allocation_fails(fixture *f)
{
    static const int at_least[N_OPERATIONS] = {8, 12, 3, 2, 5};
    for (int op = 0; op < N_OPERATIONS; op++)
        for (int keep = 0; keep < 2; keep++) {
            uint64_t nth = 1;
            for (;; nth++) {
                weir_errinfo ei = {0};
                weir_alloc_fail_nth(nth, keep);
                weir_err err = OPERATIONS[op](f, &f->x, &ei);
                weir_alloc_fail_nth(0, 0);
                if (err == WEIR_OK) break;
                assert_int_equal(err, WEIR_E_NOMEM);
                assert_int_equal(ei.code, WEIR_E_NOMEM);
                assert_true(strlen(ei.text) > 10);
            }
            assert_true((int)nth > at_least[op]);
        }
}

/* Pages of address space: what weir_big_alloc took and nobody gave back shows here, and to no sanitizer. */
static long mapped_pages(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld", &pages), 1);
    fclose(file);
    return pages;
}

static void no_memory(void **state)
{
    every_allocation_fails(*state);
    long before = mapped_pages();
    every_allocation_fails(*state);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    assert_true(mapped_pages() <= before + 8);
#else
    (void)before; /* freed heap memory stays in quarantine */
#endif
}

/* Cancelled at the nth report of progress. */
typedef struct canceller {
    uint64_t calls, at;
    volatile int flag;
} canceller;

static void count_progress(void *ctx, const char *stage, uint64_t done, uint64_t total)
{
    canceller *c = ctx;
    assert_non_null(stage);
    assert_true(done <= total);
    if (++c->calls == c->at) c->flag = 1;
}

static void cancelled(void **state)
{
    fixture *f = *state;
    for (int op = 0; op < 2; op++) {
        uint64_t at = 0;
        for (bool more = true; more; at++) {
            weir_errinfo ei = {0};
            canceller c = {.at = at, .flag = at == 0};
            const weir_watch watch = {.progress = count_progress, .ctx = &c, .cancel = &c.flag};
            weir_exec x = f->x;
            x.watch = &watch;
            weir_err err = OPERATIONS[op](f, &x, &ei);
            if (err != WEIR_OK) {
                assert_int_equal(err, WEIR_E_CANCELLED);
                assert_true(strlen(ei.text) > 8);
            }
            more = c.calls >= at;
            if (at == 0) assert_int_equal(err, WEIR_E_CANCELLED);
        }
        assert_true(at > 6);
    }
}

static void sink_fails(void **state)
{
    fixture *f = *state;
    uint64_t total = 0;
    for (int s = 0; s < WEIR_KEY_SECTIONS; s++) total += f->key.count[s];
    for (uint64_t room = 0; room <= total; room++) {
        weir_errinfo ei = {0};
        tk_mem_key key;
        tk_mem_key_init(&key);
        key.sink_room = room;
        weir_key_sink sink = tk_mem_key_sink(&key);
        weir_err err = weir_key_make(f->rel, &f->secrets, NULL, &sink, &f->x, &ei);
        assert_int_equal(err, room < total ? WEIR_E_IO : WEIR_OK);
        if (err != WEIR_OK) assert_string_equal(ei.text, "the sink is full");
        tk_mem_key_clear(&key);
    }
}

static void reader_fails(void **state)
{
    fixture *f = *state;
    for (int s = 0; s < WEIR_KEY_SECTIONS; s++) {
        weir_errinfo ei = {0};
        char want[64];
        f->key.bad_section = (uint64_t)s;
        f->key.bad_point[0] = f->key.bad_point[1] = f->key.count[s] - 1;
        assert_int_equal(op_prove(f, &f->x, &ei), WEIR_E_NOT_ON_CURVE);
        snprintf(want, sizeof want, "section %s point %llu", weir_key_section_names[s],
                 (unsigned long long)f->key.bad_point[0]);
        assert_string_equal(ei.text, want);
    }
    f->key.bad_section = WEIR_KEY_SECTIONS;
}

/* A key of another circuit is refused before any work. */
static void key_mismatch(void **state)
{
    fixture *f = *state;
    for (int s = 0; s <= WEIR_KEY_SECTIONS; s++)
        for (int delta = -1; delta <= 1; delta += 2) {
            weir_errinfo ei = {0};
            weir_pkey key = tk_mem_key_pkey(&f->key);
            weir_vk vk = f->key.vk;
            weir_proof p;
            key.vk = &vk;
            if (s < WEIR_KEY_SECTIONS)
                key.points.count[s] += (uint64_t)delta;
            else
                vk.n_ic += (uint32_t)delta;
            assert_int_equal(weir_pkey_fits(&key, f->rel, &ei), WEIR_E_MISMATCH);
            assert_non_null(
                strstr(ei.text, s < WEIR_KEY_SECTIONS ? weir_key_section_names[s] : "ic"));
            assert_int_equal(weir_prove(&p, f->w, &key, &f->blinding, NULL, &f->x, &ei),
                             WEIR_E_MISMATCH);
        }
}

static void blinding_out_of_range(void **state)
{
    fixture *f = *state;
    weir_pkey key = tk_mem_key_pkey(&f->key);
    weir_proof p;
    for (int i = 0; i < 2; i++) {
        weir_errinfo ei = {0};
        weir_blinding b = f->blinding;
        memcpy(i ? &b.s : &b.r, &fr_MODULUS, sizeof b.r);
        assert_int_equal(weir_prove(&p, f->w, &key, &b, NULL, &f->x, &ei), WEIR_E_RANGE);
    }
}

static weir_err make_with(const weir_relation *rel, const weir_secrets *s, const weir_exec *x,
                          weir_errinfo *ei)
{
    tk_mem_key key;
    tk_mem_key_init(&key);
    weir_key_sink sink = tk_mem_key_sink(&key);
    weir_err err = weir_key_make(rel, s, NULL, &sink, x, ei);
    tk_mem_key_clear(&key);
    return err;
}

static void bad_secrets(void **state)
{
    fixture *f = *state;
    static const char *const names[5] = {"alpha", "beta", "gamma", "delta", "tau"};
    for (int i = 0; i < 5; i++)
        for (int kind = 0; kind < 2; kind++) {
            weir_errinfo ei = {0};
            weir_secrets s = f->secrets;
            weir_scalar *all[5] = {&s.alpha, &s.beta, &s.gamma, &s.delta, &s.tau};
            memset(all[i], 0, sizeof *all[i]);
            if (kind) memcpy(all[i], &fr_MODULUS, sizeof *all[i]);
            assert_int_equal(make_with(f->rel, &s, &f->x, &ei), WEIR_E_RANGE);
            assert_non_null(strstr(ei.text, names[i]));
        }
}

/* Every element of the domain is refused as tau; one of twice the order is not. */
static void tau_in_domain(void **state)
{
    fixture *f = *state;
    weir_errinfo ei = {0};
    weir_secrets s = f->secrets;
    weir_fr w, p = fr_ONE;
    fr_root_of_unity(&w, f->rel->domain_log2);
    for (unsigned i = 0; i < 1u << f->rel->domain_log2; i++) {
        fr_to_scalar(&s.tau, &p);
        assert_int_equal(make_with(f->rel, &s, &f->x, &ei), WEIR_E_RANGE);
        assert_non_null(strstr(ei.text, "root of unity"));
        fr_mul(&p, &p, &w);
    }
    fr_root_of_unity(&w, f->rel->domain_log2 + 1);
    fr_to_scalar(&s.tau, &w);
    assert_int_equal(make_with(f->rel, &s, &f->x, &ei), WEIR_OK);
}

/* Five auxiliary columns, of which number 3 is in no row. */
static weir_err shape_with_hole(void *ctx, weir_cs *cs, weir_errinfo *ei)
{
    (void)ctx, (void)ei;
    const weir_fr *one = &weir_cs_k(cs)->one;
    for (int i = 0; i < 5; i++) {
        weir_col c = weir_cs_alloc(cs);
        if (i == 3) continue;
        weir_lc_add(cs, weir_cs_a(cs), c, one);
        weir_lc_add(cs, weir_cs_b(cs), c, one);
        weir_cs_end_row(cs);
    }
    return WEIR_OK;
}

static void unused_column(void **state)
{
    fixture *f = *state;
    weir_errinfo ei = {0};
    weir_relation *rel;
    assert_int_equal(weir_relation_build(&rel, shape_with_hole, NULL, &ei), WEIR_OK);
    assert_int_equal(make_with(rel, &f->secrets, &f->x, &ei), WEIR_E_INFINITY);
    assert_non_null(strstr(ei.text, "auxiliary column 3 "));
    weir_relation_free(rel);
}

/* x - y stands in A of both rows with weights that cancel at tau: row 0 with 1, row 1 with -L_0(tau)/L_1(tau). So the
 * polynomial is zero although the column occurs. */
typedef struct cancelling {
    weir_fr factor;
    unsigned matrix; /* where */
} cancelling;

static weir_err shape_cancelling(void *ctx, weir_cs *cs, weir_errinfo *ei)
{
    (void)ei;
    const cancelling *c = ctx;
    const weir_fr *one = &weir_cs_k(cs)->one;
    weir_col x = weir_cs_alloc(cs), y = weir_cs_alloc(cs);
    for (int row = 0; row < 2; row++) {
        weir_lc *lc = c->matrix == WEIR_A ? weir_cs_a(cs) : weir_cs_b(cs);
        weir_lc_add(cs, lc, x, row ? &c->factor : one);
        weir_lc_add(cs, lc, y, one);
        weir_lc_add(cs, weir_cs_c(cs), x, one);
        weir_cs_end_row(cs);
    }
    return WEIR_OK;
}

/* L_0 / L_1 at tau = (tau - w) / (w (tau - 1)). */
static void vanishing_column(void **state)
{
    fixture *f = *state;
    weir_fr tau, w, num, den;
    fr_from_scalar(&tau, &f->secrets.tau);
    fr_root_of_unity(&w, 2); /* two rows and one input row */
    fr_sub(&num, &tau, &w);
    fr_sub(&den, &tau, &fr_ONE);
    fr_mul(&den, &den, &w);
    weir_fr_inv(&den, &den);
    cancelling c;
    fr_mul(&c.factor, &num, &den);
    fr_neg(&c.factor, &c.factor);
    for (c.matrix = WEIR_A; c.matrix <= WEIR_B; c.matrix++) {
        weir_errinfo ei = {0};
        weir_relation *rel;
        assert_int_equal(weir_relation_build(&rel, shape_cancelling, &c, &ei), WEIR_OK);
        assert_int_equal(rel->domain_log2, 2);
        assert_int_equal(make_with(rel, &f->secrets, &f->x, &ei), WEIR_E_INFINITY);
        assert_non_null(strstr(ei.text, "auxiliary column 0 "));
        assert_non_null(strstr(ei.text, c.matrix == WEIR_A ? "section a:" : "section b_g1:"));
        weir_relation_free(rel);
    }
}

static void pvk_without_ic(void **state)
{
    fixture *f = *state;
    weir_errinfo ei = {0};
    weir_vk vk = f->key.vk;
    weir_pvk *pvk;
    vk.n_ic = 0;
    assert_int_equal(weir_pvk_new(&pvk, &vk, f->x.isa, &ei), WEIR_E_FORMAT);
    assert_null(pvk);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_memory),      cmocka_unit_test(cancelled),
        cmocka_unit_test(sink_fails),     cmocka_unit_test(reader_fails),
        cmocka_unit_test(key_mismatch),   cmocka_unit_test(blinding_out_of_range),
        cmocka_unit_test(bad_secrets),    cmocka_unit_test(tau_in_domain),
        cmocka_unit_test(unused_column),  cmocka_unit_test(vanishing_column),
        cmocka_unit_test(pvk_without_ic),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
