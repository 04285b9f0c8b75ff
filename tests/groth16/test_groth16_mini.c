/* A circuit of about twenty rows, of which the reference data tells everything: key, sums, proof, batch. */
#include "compute/cpu_stages.h"
#include "curve/curve.h"
#include "field/fp2.h"
#include "field/fr.h"
#include "mem_key.h"
#include "proof_vector.h"
#include "r1cs_dump.h"
#include "testkit.h"

#include <stdlib.h>
#include <string.h>

static const char BASE[] = "groth16-small/mini";

typedef struct fixture {
    tk_r1cs *dump;
    json_t *json, *batch;
    weir_relation *rel;
    weir_witness *w;
    weir_secrets secrets;
    weir_blinding blinding;
    tk_mem_key key;
    weir_pvk *pvk;
} fixture;

static weir_exec exec(weir_isa isa, unsigned threads)
{
    return (weir_exec){.pool = threads ? tk_pool(threads) : NULL, .isa = isa};
}

static void make(fixture *f, tk_columns columns)
{
    weir_errinfo ei = {0};
    const weir_exec x = exec(weir_isa_best(), 0);
    f->dump = tk_r1cs_load(BASE, columns);
    f->json = tk_json("groth16-small/mini.json");
    f->batch = tk_json("groth16-small/mini-batch.json");
    tk_secrets(f->json, &f->secrets);
    tk_blinding(f->json, &f->blinding);
    assert_int_equal(weir_relation_build(&f->rel, tk_r1cs_shape, f->dump, &ei), WEIR_OK);
    assert_int_equal(weir_witness_new(&f->w, f->rel, NULL, &ei), WEIR_OK);
    tk_r1cs_fill(f->dump, f->w);
    assert_int_equal(weir_relation_check(f->w, &x), f->rel->rows);
    tk_mem_key_make(&f->key, f->rel, &f->secrets, &x);
    assert_int_equal(weir_pvk_new(&f->pvk, &f->key.vk, x.isa, &ei), WEIR_OK);
}

static void drop(fixture *f)
{
    weir_pvk_free(f->pvk);
    tk_mem_key_clear(&f->key);
    weir_witness_free(f->w);
    weir_relation_free(f->rel);
    json_decref(f->json);
    json_decref(f->batch);
    tk_r1cs_free(f->dump);
}

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    make(f, TK_COLUMNS_BITS);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    drop(*state);
    free(*state);
    return 0;
}

/* The key's bytes are the files' bytes, on every path and number of threads. */
static void key_bytes(void **state)
{
    fixture *f = *state;
    size_t n, vk_n, want_n, want_vk_n;
    uint8_t *want = tk_vector("groth16-small/mini.params", &want_n);
    uint8_t *want_vk = tk_vector("groth16-small/mini.vk", &want_vk_n);
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++)
        for (unsigned threads = 0; threads <= 3; threads++) {
            tk_mem_key key;
            const weir_exec x = exec(isa, threads);
            tk_mem_key_make(&key, f->rel, &f->secrets, &x);
            uint8_t *got = tk_mem_key_params(&key, &n, &vk_n);
            assert_int_equal(n, want_n);
            assert_int_equal(vk_n, want_vk_n);
            assert_memory_equal(got, want, n);
            assert_memory_equal(got, want_vk, vk_n);
            free(got);
            tk_mem_key_clear(&key);
        }
    free(want);
    free(want_vk);
}

/* Rows, quotient and the five sums, before blinding. */
static void quotient(void **state)
{
    fixture *f = *state;
    weir_errinfo ei = {0};
    json_t *h = tk_get(f->json, "h");
    size_t n = (size_t)1 << f->rel->domain_log2;
    assert_int_equal(json_array_size(h), n - 1);
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const weir_exec x = exec(isa, 2);
        weir_ntt_plan *plan;
        weir_h_buffer got;
        weir_sums_stats stats = {0};
        assert_int_equal(weir_ntt_plan_new(&plan, f->rel->domain_log2, &x, &ei), WEIR_OK);
        assert_int_equal(weir_cpu_quotient(&got, plan, f->w, &stats, &x, &ei), WEIR_OK);
        for (size_t i = 0; i < n; i++) {
            weir_scalar want = {{0}};
            if (i + 1 < n) tk_hex_scalar(json_string_value(json_array_get(h, i)), &want);
            assert_memory_equal(&got.scalar[i], &want, sizeof want);
        }
        weir_slab_give(NULL, got.fr, n, sizeof *got.fr);
        weir_ntt_plan_free(plan);
    }
}

static void expect_g1(json_t *sums, const char *name, const weir_g1 *got)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    uint8_t want_bytes[WEIR_G1_BYTES], bytes[WEIR_G1_BYTES];
    weir_g1_affine p;
    weir_fp tmp;
    tk_hex_bytes(tk_str(sums, name), want_bytes, sizeof want_bytes);
    ops->g1s_to_affine(&p, got, 1, &tmp);
    ops->g1s_encode(bytes, &p, 1);
    assert_memory_equal(bytes, want_bytes, sizeof bytes);
}

static void expect_sums(fixture *f, const weir_sums *got)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    json_t *sums = tk_get(f->json, "sums");
    uint8_t want_bytes[WEIR_G2_BYTES], bytes[WEIR_G2_BYTES];
    weir_g2_affine p;
    weir_fp2 tmp;
    expect_g1(sums, "h", &got->h);
    expect_g1(sums, "l", &got->l);
    expect_g1(sums, "a", &got->a);
    expect_g1(sums, "b_g1", &got->b1);
    tk_hex_bytes(tk_str(sums, "b_g2"), want_bytes, sizeof want_bytes);
    ops->g2s_to_affine(&p, &got->b2, 1, &tmp);
    ops->g2s_encode(bytes, &p, 1);
    assert_memory_equal(bytes, want_bytes, sizeof bytes);
}

static void sums(void **state)
{
    fixture *f = *state;
    weir_errinfo ei = {0};
    weir_pkey key = tk_mem_key_pkey(&f->key);
    const weir_backend *cpu = weir_cpu_backend();
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const weir_exec x = exec(isa, 2);
        weir_session *session;
        assert_int_equal(
            cpu->begin(cpu, &session, f->rel, &key.points, WEIR_TERMS_ALL, UINT64_MAX, &x, &ei),
            WEIR_OK);
        for (int again = 0; again < 2; again++) {
            weir_sums got;
            weir_sums_stats stats;
            assert_int_equal(cpu->run(session, &got, f->w, &stats, &x, &ei), WEIR_OK);
            expect_sums(f, &got);
            /* 12 columns in l; 3 inputs and 8 columns in A; ONE and 7 columns in B, twice */
            assert_int_equal(stats.bit_points + stats.dense_points, 12 + (3 + 8) + 2 * (1 + 7));
        }
        cpu->end(session);
    }
}

/* With the reference's r and s, the reference's proof, whether columns are bits or not. */
static void proof_bytes(void **state)
{
    fixture *f = *state, dense = {0};
    weir_errinfo ei = {0};
    make(&dense, TK_COLUMNS_DENSE);
    assert_true(dense.rel->dense > f->rel->dense);
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++)
        for (unsigned threads = 0; threads <= 3; threads++) {
            const weir_exec x = exec(isa, threads);
            weir_pkey key = tk_mem_key_pkey(&f->key);
            weir_proof p;
            weir_prove_stats stats;
            assert_int_equal(weir_prove(&p, f->w, &key, &f->blinding, &stats, &x, &ei), WEIR_OK);
            tk_assert_proof(&p, tk_str(f->json, "proof"));
            assert_int_equal(weir_prove(&p, dense.w, &key, &f->blinding, NULL, &x, &ei), WEIR_OK);
            tk_assert_proof(&p, tk_str(f->json, "proof"));
        }
    drop(&dense);
}

static bool verify(const weir_pvk *pvk, const weir_proof *p, const weir_fr *inputs, size_t n)
{
    bool valid[WEIR_ISA_COUNT];
    weir_errinfo ei = {0};
    weir_isa last = 0;
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        const weir_exec x = exec(isa, 2);
        assert_int_equal(weir_verify(&valid[isa], pvk, p, inputs, n, &x, &ei), WEIR_OK);
        if (isa > last) assert_int_equal(valid[isa], valid[last]);
        last = isa;
    }
    return valid[last];
}

static void add_generators(weir_g1_affine *p1, weir_g2_affine *p2)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    weir_fp t1;
    weir_fp2 t2;
    if (p1) {
        weir_g1 a = {p1->x, p1->y, fp_ONE},
                g = {weir_g1_generator()->x, weir_g1_generator()->y, fp_ONE};
        ops->g1_add(&a, &a, &g);
        ops->g1s_to_affine(p1, &a, 1, &t1);
    }
    if (p2) {
        weir_g2 a = {p2->x, p2->y, fp2_ONE},
                g = {weir_g2_generator()->x, weir_g2_generator()->y, fp2_ONE};
        ops->g2_add(&a, &a, &g);
        ops->g2s_to_affine(p2, &a, 1, &t2);
    }
}

/* Whatever goes into a pairing decides: the proof, the inputs, and each point of the key. */
static void verify_single(void **state)
{
    fixture *f = *state;
    weir_proof good, p;
    weir_fr in[2] = {f->dump->input_value[1], f->dump->input_value[2]}, bad_in[2];
    tk_proof_from_hex(tk_str(f->json, "proof"), &good);
    assert_true(verify(f->pvk, &good, in, 2));
    p = good;
    add_generators(&p.a, NULL);
    assert_false(verify(f->pvk, &p, in, 2));
    p = good;
    add_generators(NULL, &p.b);
    assert_false(verify(f->pvk, &p, in, 2));
    p = good;
    add_generators(&p.c, NULL);
    assert_false(verify(f->pvk, &p, in, 2));
    p = good;
    fp_neg(&p.a.y, &p.a.y);
    assert_false(verify(f->pvk, &p, in, 2));
    fp2_neg(&p.b.y, &p.b.y); /* e(-A, -B) = e(A, B) */
    assert_true(verify(f->pvk, &p, in, 2));
    for (int i = 0; i < 2; i++) {
        memcpy(bad_in, in, sizeof in);
        fr_add(&bad_in[i], &bad_in[i], &fr_ONE);
        assert_false(verify(f->pvk, &good, bad_in, 2));
    }
    memcpy(bad_in, in, sizeof in);
    bad_in[0] = in[1], bad_in[1] = in[0];
    assert_false(verify(f->pvk, &good, bad_in, 2));
}

static void verify_other_key(void **state)
{
    fixture *f = *state;
    weir_errinfo ei = {0};
    weir_proof good;
    const weir_fr in[2] = {f->dump->input_value[1], f->dump->input_value[2]};
    tk_proof_from_hex(tk_str(f->json, "proof"), &good);
    for (int part = 0; part < 7; part++) {
        weir_vk vk = f->key.vk;
        weir_g1_affine ic[3] = {vk.ic[0], vk.ic[1], vk.ic[2]};
        weir_pvk *pvk;
        vk.ic = ic;
        add_generators(part == 0   ? &vk.alpha_g1
                       : part >= 4 ? &ic[part - 4]
                                   : NULL,
                       part == 1   ? &vk.beta_g2
                       : part == 2 ? &vk.gamma_g2
                       : part == 3 ? &vk.delta_g2
                                   : NULL);
        assert_int_equal(weir_pvk_new(&pvk, &vk, weir_isa_best(), &ei), WEIR_OK);
        assert_false(verify(pvk, &good, in, 2));
        weir_pvk_free(pvk);
    }
    /* beta and delta in G1 are for the prover alone */
    weir_vk vk = f->key.vk;
    weir_pvk *pvk;
    add_generators(&vk.beta_g1, NULL);
    add_generators(&vk.delta_g1, NULL);
    assert_int_equal(weir_pvk_new(&pvk, &vk, weir_isa_best(), &ei), WEIR_OK);
    assert_true(verify(pvk, &good, in, 2));
    weir_pvk_free(pvk);
}

static void verify_refusals(void **state)
{
    fixture *f = *state;
    weir_errinfo ei = {0};
    const weir_exec x = exec(weir_isa_best(), 0);
    const weir_fr in[3] = {f->dump->input_value[1], f->dump->input_value[2], fr_ONE};
    weir_proof good, p;
    bool valid = true;
    tk_proof_from_hex(tk_str(f->json, "proof"), &good);
    assert_int_equal(weir_verify(&valid, f->pvk, &good, in, 1, &x, &ei), WEIR_E_MISMATCH);
    assert_false(valid);
    assert_int_equal(weir_verify(&valid, f->pvk, &good, in, 3, &x, &ei), WEIR_E_MISMATCH);
    assert_string_equal(ei.text, "3 public inputs for a verifying key that takes 2");
    assert_int_equal(weir_verify_batch(&valid, f->pvk, &good, in, 1, 3, &x, &ei), WEIR_E_MISMATCH);
    assert_int_equal(weir_verify_batch(&valid, f->pvk, &good, in, 0, 2, &x, &ei), WEIR_E_USAGE);
    assert_false(valid);
    for (int part = 0; part < 3; part++) {
        p = good;
        if (part == 0) memset(&p.a, 0, sizeof p.a);
        if (part == 1) memset(&p.b, 0, sizeof p.b);
        if (part == 2) memset(&p.c, 0, sizeof p.c);
        assert_false(verify(f->pvk, &p, in, 2));
    }
}

/* Who knows the secrets can make the equation hold with C at infinity: A = alpha beta + gamma (sum over ic), B = 1. It is
 * refused all the same, alone and in a batch; its neighbour A + delta, C = 1 is not. */
static void verify_infinity(void **state)
{
    fixture *f = *state;
    weir_errinfo ei = {0};
    const weir_exec x = exec(weir_isa_best(), 0);
    const weir_curve_ops *ops = weir_curve_ops_get(x.isa);
    const weir_fr in[4] = {f->dump->input_value[1], f->dump->input_value[2],
                           f->dump->input_value[1], f->dump->input_value[2]};
    weir_proof p[2] = {{.b = *weir_g2_generator()}};
    weir_scalar k;
    weir_fr alpha, beta;
    weir_g1 sum = {f->key.vk.ic[0].x, f->key.vk.ic[0].y, fp_ONE}, t;
    weir_g1_affine affine;
    weir_fp tmp;
    bool valid;
    for (int i = 0; i < 2; i++) {
        fr_to_scalar(&k, &in[i]);
        ops->g1_mul(&t, &f->key.vk.ic[i + 1], &k);
        ops->g1_add(&sum, &sum, &t);
    }
    ops->g1s_to_affine(&affine, &sum, 1, &tmp);
    ops->g1_mul(&sum, &affine, &f->secrets.gamma);
    fr_from_scalar(&alpha, &f->secrets.alpha);
    fr_from_scalar(&beta, &f->secrets.beta);
    fr_mul(&alpha, &alpha, &beta);
    fr_to_scalar(&k, &alpha);
    ops->g1_mul(&t, weir_g1_generator(), &k);
    ops->g1_add(&sum, &sum, &t);
    ops->g1s_to_affine(&p[0].a, &sum, 1, &tmp);
    assert_false(verify(f->pvk, &p[0], in, 2));
    p[1] = p[0];
    assert_int_equal(weir_verify_batch(&valid, f->pvk, p, in, 2, 2, &x, &ei), WEIR_OK);
    assert_false(valid);
    t = (weir_g1){f->key.vk.delta_g1.x, f->key.vk.delta_g1.y, fp_ONE};
    ops->g1_add(&sum, &sum, &t);
    ops->g1s_to_affine(&p[0].a, &sum, 1, &tmp);
    p[0].c = *weir_g1_generator();
    assert_true(verify(f->pvk, &p[0], in, 2));
    p[1] = p[0];
    assert_int_equal(weir_verify_batch(&valid, f->pvk, p, in, 2, 2, &x, &ei), WEIR_OK);
    assert_true(valid);
}

static void insecure(void **state)
{
    fixture *f = *state;
    weir_vk vk = f->key.vk;
    assert_false(weir_vk_is_insecure(&vk));
    vk.delta_g2 = vk.gamma_g2;
    assert_true(weir_vk_is_insecure(&vk));
    vk = f->key.vk;
    vk.delta_g2 = *weir_g2_generator();
    assert_true(weir_vk_is_insecure(&vk));
    vk = f->key.vk;
    vk.delta_g1 = *weir_g1_generator();
    assert_true(weir_vk_is_insecure(&vk));
}

typedef struct batch {
    weir_proof *proofs;
    weir_fr *inputs;
    size_t n;
} batch;

/* `copies` times the reference's five proofs. */
static batch load_batch(fixture *f, size_t copies)
{
    json_t *list = tk_get(f->batch, "proofs");
    size_t m = json_array_size(list);
    batch b = {.n = copies * m};
    b.proofs = malloc(b.n * sizeof *b.proofs);
    b.inputs = malloc(b.n * 2 * sizeof *b.inputs);
    for (size_t i = 0; i < b.n; i++) {
        json_t *item = json_array_get(list, i % m);
        size_t n;
        weir_fr *in = tk_inputs(tk_get(item, "inputs"), &n);
        assert_int_equal(n, 2);
        memcpy(b.inputs + 2 * i, in, 2 * sizeof *in);
        free(in);
        tk_proof_from_hex(tk_str(item, "proof"), &b.proofs[i]);
    }
    return b;
}

static bool verify_all(const weir_pvk *pvk, const batch *b, size_t n, unsigned threads,
                       weir_isa isa)
{
    weir_errinfo ei = {0};
    const weir_exec x = exec(isa, threads);
    bool valid;
    assert_int_equal(weir_verify_batch(&valid, pvk, b->proofs, b->inputs, n, 2, &x, &ei), WEIR_OK);
    return valid;
}

static void verify_batches(void **state)
{
    fixture *f = *state;
    batch b = load_batch(f, 8);
    for (weir_isa isa = 0; tk_next_path(&isa); isa++)
        for (unsigned threads = 0; threads <= 3; threads++) {
            static const size_t sizes[] = {1, 2, 5, 10, 13, 14, 33, 40};
            for (int i = 0; i < 8; i++) assert_true(verify_all(f->pvk, &b, sizes[i], threads, isa));
        }
    for (weir_isa isa = 0; tk_next_path(&isa); isa++)
        for (size_t bad = 0; bad < 17; bad++) {
            weir_proof keep = b.proofs[bad];
            add_generators(bad % 3 ? NULL : &b.proofs[bad].a,
                           bad % 3 == 1 ? &b.proofs[bad].b : NULL);
            if (bad % 3 == 2) add_generators(&b.proofs[bad].c, NULL);
            assert_false(verify_all(f->pvk, &b, 17, 0, isa));
            b.proofs[bad] = keep;
        }
    for (size_t n = 1; n <= 5; n++)
        for (size_t bad = 0; bad < n; bad++) {
            weir_proof keep = b.proofs[bad];
            weir_fr keep_in = b.inputs[2 * bad + 1];
            add_generators(&b.proofs[bad].a, NULL);
            assert_false(verify_all(f->pvk, &b, n, 2, weir_isa_best()));
            b.proofs[bad] = keep;
            add_generators(NULL, &b.proofs[bad].b);
            assert_false(verify_all(f->pvk, &b, n, 2, weir_isa_best()));
            b.proofs[bad] = keep;
            add_generators(&b.proofs[bad].c, NULL);
            assert_false(verify_all(f->pvk, &b, n, 2, weir_isa_best()));
            memset(&b.proofs[bad].c, 0, sizeof b.proofs[bad].c);
            assert_false(verify_all(f->pvk, &b, n, 2, weir_isa_best()));
            b.proofs[bad] = keep;
            fr_add(&b.inputs[2 * bad + 1], &keep_in, &fr_ONE);
            assert_false(verify_all(f->pvk, &b, n, 2, weir_isa_best()));
            b.inputs[2 * bad + 1] = keep_in;
        }
    assert_true(verify_all(f->pvk, &b, 5, 2, weir_isa_best()));
    free(b.proofs);
    free(b.inputs);
}

/* Two wrong proofs whose errors cancel in a sum without weights. */
static void batch_weights(void **state)
{
    fixture *f = *state;
    batch b = load_batch(f, 1);
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    weir_g1 c = {b.proofs[1].c.x, b.proofs[1].c.y, fp_ONE};
    weir_g1 minus = {weir_g1_generator()->x, weir_g1_generator()->y, fp_ONE};
    weir_fp tmp;
    fp_neg(&minus.y, &minus.y);
    add_generators(&b.proofs[0].c, NULL);
    ops->g1_add(&c, &c, &minus);
    ops->g1s_to_affine(&b.proofs[1].c, &c, 1, &tmp);
    assert_false(verify_all(f->pvk, &b, 5, 2, weir_isa_best()));
    free(b.proofs);
    free(b.inputs);
}

/* Swapped inputs keep every unweighted sum. */
static void batch_swapped_inputs(void **state)
{
    fixture *f = *state;
    batch b = load_batch(f, 1);
    for (int i = 0; i < 2; i++) {
        weir_fr t = b.inputs[i];
        b.inputs[i] = b.inputs[2 + i];
        b.inputs[2 + i] = t;
    }
    assert_false(verify_all(f->pvk, &b, 5, 2, weir_isa_best()));
    free(b.proofs);
    free(b.inputs);
}

static void secrets_from_seed(void **state)
{
    (void)state;
    weir_secrets a, b;
    uint8_t bytes[32], want[32];
    weir_secrets_from_seed(&a, 7);
    /* SHA-256("weir insecure key" || "tau" || 07 00 00 00 00 00 00 00), the last byte's two top bits cleared */
    tk_hex_bytes("596ce652de16fbc52e3fd5da39e13928e63a9cbbb58dc020858f8d6d22e78e25", want, 32);
    scalar_to_le(bytes, &a.tau);
    assert_memory_equal(bytes, want, 32);
    weir_secrets_from_seed(&b, 8);
    const weir_scalar *all[10] = {&a.alpha, &a.beta, &a.gamma, &a.delta, &a.tau,
                                  &b.alpha, &b.beta, &b.gamma, &b.delta, &b.tau};
    for (int i = 0; i < 10; i++) {
        assert_true(scalar_is_reduced(all[i]));
        for (int j = 0; j < i; j++) assert_memory_not_equal(all[i], all[j], sizeof *all[i]);
    }
}

static void blinding_fresh(void **state)
{
    (void)state;
    weir_blinding a, b;
    weir_errinfo ei = {0};
    bool top = false;
    for (int i = 0; i < 64; i++) {
        assert_int_equal(weir_blinding_fresh(&a, &ei), WEIR_OK);
        assert_int_equal(weir_blinding_fresh(&b, &ei), WEIR_OK);
        assert_true(scalar_is_reduced(&a.r) && scalar_is_reduced(&a.s));
        assert_memory_not_equal(&a.r, &a.s, sizeof a.r);
        assert_memory_not_equal(&a.r, &b.r, sizeof a.r);
        top |= (a.r.l[3] >> 62) & 1;
    }
    assert_true(top); /* all bits are used; wrong once in 2^50 */
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(key_bytes),
        cmocka_unit_test(quotient),
        cmocka_unit_test(sums),
        cmocka_unit_test(proof_bytes),
        cmocka_unit_test(verify_single),
        cmocka_unit_test(verify_other_key),
        cmocka_unit_test(verify_refusals),
        cmocka_unit_test(insecure),
        cmocka_unit_test(verify_infinity),
        cmocka_unit_test(verify_batches),
        cmocka_unit_test(batch_weights),
        cmocka_unit_test(batch_swapped_inputs),
        cmocka_unit_test(secrets_from_seed),
        cmocka_unit_test(blinding_fresh),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
