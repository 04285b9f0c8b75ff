/* From five sums to a proof. */
#include "base/alloc.h"
#include "base/clock.h"
#include "curve/curve.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "field/fr.h"
#include "groth16/groth16.h"

weir_err weir_pkey_fits(const weir_pkey *key, const weir_relation *rel, weir_errinfo *ei)
{
    if (key->vk->n_ic != rel->inputs)
        return weir_fail(ei, WEIR_E_MISMATCH,
                         "the key has %u points ic, the circuit needs %llu (one more than its "
                         "public inputs); the key was "
                         "made for another circuit",
                         key->vk->n_ic, (unsigned long long)rel->inputs);
    return weir_key_points_fit(&key->points, rel, ei);
}

uint64_t weir_prove_bytes(const weir_relation *rel, const weir_exec *x)
{
    const weir_backend *cpu = weir_cpu_backend();
    weir_need need;
    return cpu->bytes(cpu, &need, rel, WEIR_TERMS_ALL, UINT64_MAX, x, NULL) == WEIR_OK
               ? need.host_bytes
               : UINT64_MAX;
}

/* acc += k p, the addition in variable time */
static void add_mul_g1(weir_g1 *acc, const weir_g1_affine *p, const weir_scalar *k,
                       const weir_curve_ops *ops)
{
    weir_g1 t;
    ops->g1_mul_ct(&t, p, k);
    ops->g1_add(acc, acc, &t);
    weir_wipe(&t, sizeof t);
}

static void add_affine_g1(weir_g1 *acc, const weir_g1_affine *p, const weir_curve_ops *ops)
{
    weir_g1 t;
    g1_from_affine(&t, p);
    ops->g1_add(acc, acc, &t);
}

static void affine_g1(weir_g1_affine *out, const weir_g1 *p, const weir_curve_ops *ops)
{
    weir_fp tmp;
    ops->g1s_to_affine(out, p, 1, &tmp);
}

/* B = beta + sum + s delta, in G2. */
static void assemble_b(weir_g2_affine *out, const weir_vk *vk, const weir_sums *sums,
                       const weir_scalar *s, const weir_curve_ops *ops)
{
    weir_g2 b, t;
    weir_fp2 tmp;
    g2_from_affine(&t, &vk->beta_g2);
    ops->g2_add(&b, &sums->b2, &t);
    ops->g2_mul_ct(&t, &vk->delta_g2, s);
    ops->g2_add(&b, &b, &t);
    ops->g2s_to_affine(out, &b, 1, &tmp);
    weir_wipe(&t, sizeof t);
}

/* A = alpha + sum a + r delta
 * C = sum h + sum l + s A + r B1 - r s delta, where B1 = beta + sum b1 + s delta in G1. The last two terms are
 *     r (beta + sum b1), so s delta is never needed in G1. */
void weir_proof_assemble(weir_proof *out, const weir_vk *vk, const weir_sums *sums,
                         const weir_blinding *blinding, weir_isa isa)
{
    const weir_curve_ops *ops = weir_curve_ops_get(isa);
    weir_g1 a = sums->a, b1 = sums->b1, c;
    weir_g1_affine b1_affine;
    add_affine_g1(&a, &vk->alpha_g1, ops);
    add_mul_g1(&a, &vk->delta_g1, &blinding->r, ops);
    affine_g1(&out->a, &a, ops);
    assemble_b(&out->b, vk, sums, &blinding->s, ops);
    add_affine_g1(&b1, &vk->beta_g1, ops);
    affine_g1(&b1_affine, &b1, ops);
    ops->g1_add(&c, &sums->h, &sums->l);
    add_mul_g1(&c, &out->a, &blinding->s, ops);
    add_mul_g1(&c, &b1_affine, &blinding->r, ops);
    affine_g1(&out->c, &c, ops);
    weir_wipe(&b1, sizeof b1);
    weir_wipe(&b1_affine, sizeof b1_affine);
}

struct weir_prover {
    const weir_backend *backend;
    weir_session *session;
    const weir_pkey *key;
};

weir_err weir_prover_new(weir_prover **out, const weir_backend *backend, const weir_relation *rel,
                         const weir_pkey *key, uint64_t budget_bytes, const weir_exec *x,
                         weir_errinfo *ei)
{
    *out = NULL;
    WEIR_TRY(weir_pkey_fits(key, rel, ei));
    weir_prover *p = weir_calloc(1, sizeof *p);
    if (!p) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a prover");
    p->backend = backend;
    p->key = key;
    weir_err err = backend->begin(backend, &p->session, rel, &key->points, WEIR_TERMS_ALL,
                                  budget_bytes, x, ei);
    if (err == WEIR_OK)
        *out = p;
    else
        weir_prover_free(p);
    return err;
}

void weir_prover_free(weir_prover *p)
{
    if (!p) return;
    p->backend->end(p->session);
    weir_free(p);
}

static void tell_stats(weir_prove_stats *stats, const weir_sums_stats *t, uint64_t finish_ns)
{
    *stats = (weir_prove_stats){.eval_ns = t->eval_ns,
                                .ntt_ns = t->ntt_ns,
                                .h_ns = t->h_ns,
                                .l_ns = t->l_ns,
                                .a_ns = t->a_ns,
                                .b1_ns = t->b1_ns,
                                .b2_ns = t->b2_ns,
                                .finish_ns = finish_ns,
                                .bit_points = t->bit_points,
                                .dense_points = t->dense_points};
}

weir_err weir_prover_prove(weir_prover *p, weir_proof *out, const weir_witness *w,
                           const weir_blinding *blinding, weir_prove_stats *stats,
                           const weir_exec *x, weir_errinfo *ei)
{
    weir_sums sums;
    weir_sums_stats t = {0};
    if (!scalar_is_reduced(&blinding->r) || !scalar_is_reduced(&blinding->s))
        return weir_fail(ei, WEIR_E_RANGE, "the proof's r or s is not below the group order");
    weir_err err = p->backend->run(p->session, &sums, w, &t, x, ei);
    if (err != WEIR_OK) {
        weir_wipe(&sums, sizeof sums);
        return err;
    }
    uint64_t t0 = weir_now_ns();
    weir_proof_assemble(out, p->key->vk, &sums, blinding, x->isa);
    weir_wipe(&sums, sizeof sums);
    if (stats) tell_stats(stats, &t, weir_now_ns() - t0);
    return WEIR_OK;
}

weir_err weir_prove(weir_proof *out, const weir_witness *w, const weir_pkey *key,
                    const weir_blinding *blinding, weir_prove_stats *stats, const weir_exec *x,
                    weir_errinfo *ei)
{
    weir_prover *p;
    WEIR_TRY(weir_prover_new(&p, weir_cpu_backend(), w->rel, key, UINT64_MAX, x, ei));
    weir_err err = weir_prover_prove(p, out, w, blinding, stats, x, ei);
    weir_prover_free(p);
    return err;
}
