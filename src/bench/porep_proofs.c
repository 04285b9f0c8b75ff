#include "bench/porep_proofs.h"

#include "base/alloc.h"
#include "bench/rand.h"
#include "curve/curve.h"
#include "field/fr.h"
#include "msm/msm.h"

#include <string.h>

/* Exponents of the key's points. */
typedef struct exponents {
    weir_fr alpha, beta, gamma, delta;
    weir_scalar *ic;
} exponents;

static void times_g1(weir_g1_affine *out, const weir_fr *k, const weir_curve_ops *ops)
{
    weir_scalar s;
    weir_g1 p;
    weir_fp tmp;
    fr_to_scalar(&s, k);
    ops->g1_mul(&p, weir_g1_generator(), &s);
    ops->g1s_to_affine(out, &p, 1, &tmp);
}

static void times_g2(weir_g2_affine *out, const weir_fr *k, const weir_curve_ops *ops)
{
    weir_scalar s;
    weir_g2 p;
    weir_fp2 tmp;
    fr_to_scalar(&s, k);
    ops->g2_mul(&p, weir_g2_generator(), &s);
    ops->g2s_to_affine(out, &p, 1, &tmp);
}

static weir_err make_key(weir_bench_proofs *b, const exponents *e, const weir_exec *x,
                         weir_errinfo *ei)
{
    const weir_curve_ops *ops = weir_curve_ops_get(x->isa);
    weir_fixed_g1 *table;
    times_g1(&b->vk.alpha_g1, &e->alpha, ops);
    times_g1(&b->vk.beta_g1, &e->beta, ops);
    times_g1(&b->vk.delta_g1, &e->delta, ops);
    times_g2(&b->vk.beta_g2, &e->beta, ops);
    times_g2(&b->vk.gamma_g2, &e->gamma, ops);
    times_g2(&b->vk.delta_g2, &e->delta, ops);
    WEIR_TRY(weir_fixed_g1_new(&table, weir_g1_generator(), b->vk.n_ic, x, ei));
    weir_err err = weir_fixed_g1_mul(table, b->vk.ic, e->ic, b->vk.n_ic, x, ei);
    weir_fixed_g1_free(table);
    return err;
}

static weir_err make_inputs(weir_bench_proofs *b, const weir_registered_porep *r,
                            weir_bench_rand *g, weir_errinfo *ei)
{
    weir_scalar s[4];
    weir_bench_rand_scalars(g, s, 4);
    b->pub.registered = r;
    scalar_to_le(b->pub.replica_id.b, &s[0]);
    scalar_to_le(b->pub.comm_d.b, &s[1]);
    scalar_to_le(b->pub.comm_r.b, &s[2]);
    scalar_to_le(b->pub.seed, &s[3]);
    for (size_t j = 0; j < b->n; j++)
        WEIR_TRY(weir_porep_public_inputs(b->inputs + j * b->n_inputs, &b->pub, (unsigned)j, ei));
    return WEIR_OK;
}

/* e(A, B) = e(alpha, beta) e(sum of inputs, gamma) e(C, delta) in exponents:
 * c = (a b - alpha beta - gamma (ic_0 + sum x_i ic_i)) / delta */
static void solve(weir_proof *out, const exponents *e, const weir_fr *inputs, size_t n_inputs,
                  weir_bench_rand *g, const weir_curve_ops *ops)
{
    weir_fr ab[2], c, t, sum;
    weir_bench_rand_frs(g, ab, 2);
    fr_from_scalar(&sum, &e->ic[0]);
    for (size_t i = 0; i < n_inputs; i++) {
        fr_from_scalar(&t, &e->ic[i + 1]);
        fr_mul(&t, &t, &inputs[i]);
        fr_add(&sum, &sum, &t);
    }
    fr_mul(&c, &ab[0], &ab[1]);
    fr_mul(&t, &e->alpha, &e->beta);
    fr_sub(&c, &c, &t);
    fr_mul(&t, &e->gamma, &sum);
    fr_sub(&c, &c, &t);
    weir_fr_inv(&t, &e->delta);
    fr_mul(&c, &c, &t);
    times_g1(&out->a, &ab[0], ops);
    times_g2(&out->b, &ab[1], ops);
    times_g1(&out->c, &c, ops);
}

weir_err weir_bench_proofs_init(weir_bench_proofs *b, const weir_registered_porep *r,
                                const weir_exec *x, weir_errinfo *ei)
{
    weir_bench_rand g = {1};
    exponents e;
    weir_err err;
    b->n = r->partitions;
    b->n_inputs = 3 + (size_t)WEIR_POREP_INPUTS_PER_CHALLENGE * r->shape->challenges;
    b->vk.n_ic = (uint32_t)b->n_inputs + 1;
    e.ic = weir_malloc(b->vk.n_ic, sizeof *e.ic);
    b->vk.ic = weir_malloc(b->vk.n_ic, sizeof *b->vk.ic);
    b->inputs = weir_malloc(b->n * b->n_inputs, sizeof *b->inputs);
    b->proofs = weir_malloc(b->n, sizeof *b->proofs);
    if (!e.ic || !b->vk.ic || !b->inputs || !b->proofs) {
        err = weir_fail(ei, WEIR_E_NOMEM, "no memory for %zu proofs", b->n);
        goto out;
    }
    weir_bench_rand_frs(&g, &e.alpha, 1);
    weir_bench_rand_frs(&g, &e.beta, 1);
    weir_bench_rand_frs(&g, &e.gamma, 1);
    weir_bench_rand_frs(&g, &e.delta, 1);
    weir_bench_rand_scalars(&g, e.ic, b->vk.n_ic);
    WEIR_TRY_GOTO(make_key(b, &e, x, ei));
    WEIR_TRY_GOTO(make_inputs(b, r, &g, ei));
    for (size_t j = 0; j < b->n; j++)
        solve(&b->proofs[j], &e, b->inputs + j * b->n_inputs, b->n_inputs, &g,
              weir_curve_ops_get(x->isa));
out:
    weir_free(e.ic);
    return err;
}

void weir_bench_proofs_clear(weir_bench_proofs *b)
{
    weir_free(b->vk.ic);
    weir_free(b->inputs);
    weir_free(b->proofs);
}
