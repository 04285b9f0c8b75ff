/* Many proofs at once. With random weights z_j
 *
 *     prod_j e(z_j A_j, B_j) e(sum_i k_i ic_i, -gamma) e(sum_j z_j C_j, -delta) = e(alpha, beta)^(sum_j z_j),
 *     k_0 = sum_j z_j, k_i = sum_j z_j x_ji,
 *
 * holds if all proofs hold, and for at most one in 2^128 choices of weights if one does not (Bellare, Garay, Rabin 1998).
 * A proof costs a multiplication in G1, the lines of its B and a Miller loop; the exponentiations are shared. */
#include "base/alloc.h"
#include "base/rng.h"
#include "field/fr.h"
#include "groth16/groth16.h"
#include "groth16/pvk.h"
#include "msm/msm.h"

#include <string.h>

/* Proofs whose Miller loops share their squarings; more gain little. */
enum { GROUP_MAX = 16 };
enum { WEIGHT_BYTES = 16 };

typedef struct batch_job {
    const weir_pvk *pvk;
    const weir_proof *proofs;
    const weir_fr *inputs;
    size_t n, n_inputs;
    const weir_exec *x;
    size_t group, groups;
    weir_scalar *weight;  /* n */
    weir_g2_lines *lines; /* group for each thread */
    weir_fp12 *product;   /* one for each group */
    weir_g1_affine *c;    /* n: the proofs' C, in a row */
    weir_scalar *k;       /* n_ic */
} batch_job;

static weir_err batch_weights(batch_job *b, weir_errinfo *ei)
{
    for (size_t j = 0; j < b->n; j++) {
        b->weight[j] = (weir_scalar){{0}};
        WEIR_TRY(weir_rng_bytes(b->weight[j].l, WEIGHT_BYTES, ei));
    }
    return WEIR_OK;
}

/* Miller loops of one group of proofs. */
static void group_task(void *ctx, size_t task, unsigned worker)
{
    batch_job *b = ctx;
    const weir_curve_ops *ops = weir_curve_ops_get(b->x->isa);
    size_t lo = task * b->group;
    size_t n = b->n - lo < b->group ? b->n - lo : b->group;
    weir_g2_lines *lines = b->lines + worker * b->group;
    const weir_g2_lines *q[GROUP_MAX];
    weir_g1 scaled[GROUP_MAX];
    weir_g1_affine p[GROUP_MAX];
    weir_fp tmp[GROUP_MAX];
    for (size_t j = 0; j < n; j++) {
        ops->g1_mul(&scaled[j], &b->proofs[lo + j].a, &b->weight[lo + j]);
        ops->g2_prepare(&lines[j], &b->proofs[lo + j].b);
        q[j] = &lines[j];
    }
    ops->g1s_to_affine(p, scaled, n, tmp);
    ops->miller(&b->product[task], p, q, n);
}

/* The scalars of ic, and the sum of the weights, which is the first of them. */
static void batch_inputs(batch_job *b)
{
    weir_fr z, t, sum;
    for (size_t i = 0; i <= b->n_inputs; i++) {
        fr_set_zero(&sum);
        for (size_t j = 0; j < b->n; j++) {
            fr_from_scalar(&z, &b->weight[j]);
            if (i > 0)
                fr_mul(&t, &z, &b->inputs[j * b->n_inputs + i - 1]);
            else
                t = z;
            fr_add(&sum, &sum, &t);
        }
        fr_to_scalar(&b->k[i], &sum);
    }
}

static weir_err batch_check(bool *valid, batch_job *b, weir_errinfo *ei)
{
    const weir_curve_ops *ops = weir_curve_ops_get(b->x->isa);
    const weir_g2_lines *q[2] = {&b->pvk->neg_gamma, &b->pvk->neg_delta};
    weir_g1_affine p[2];
    weir_g1 c_sum;
    weir_fp tmp;
    weir_fp12 left, right;
    WEIR_TRY(batch_weights(b, ei));
    batch_inputs(b);
    WEIR_TRY(weir_pvk_ic_sum(&p[0], b->pvk, b->k, b->x, ei));
    for (size_t j = 0; j < b->n; j++) b->c[j] = b->proofs[j].c;
    WEIR_TRY(weir_msm_g1(&c_sum, b->c, b->weight, b->n, b->x, ei));
    ops->g1s_to_affine(&p[1], &c_sum, 1, &tmp);
    ops->miller(&left, p, q, 2);
    weir_pool_run(b->x->pool, b->groups, group_task, b);
    for (size_t g = 0; g < b->groups; g++) ops->fp12_mul(&left, &left, &b->product[g]);
    ops->final_exp(&left, &left);
    ops->fp12_pow(&right, &b->pvk->alpha_beta, &b->k[0]);
    *valid = memcmp(&left, &right, sizeof left) ==
             0; /* elements are reduced, so their limbs are unique */
    return WEIR_OK;
}

weir_err weir_verify_batch(bool *valid, const weir_pvk *pvk, const weir_proof *proofs,
                           const weir_fr *inputs, size_t n, size_t n_inputs, const weir_exec *x,
                           weir_errinfo *ei)
{
    *valid = false;
    WEIR_TRY(weir_pvk_inputs_fit(pvk, n_inputs, ei));
    if (n == 0) return weir_fail(ei, WEIR_E_USAGE, "there is no proof to verify");
    if (n == 1) return weir_verify(valid, pvk, proofs, inputs, n_inputs, x, ei);
    for (size_t j = 0; j < n; j++)
        if (weir_proof_has_infinity(&proofs[j])) return WEIR_OK;
    unsigned threads = weir_pool_threads(x->pool);
    batch_job b = {
        .pvk = pvk, .proofs = proofs, .inputs = inputs, .n = n, .n_inputs = n_inputs, .x = x};
    b.group = (n + threads - 1) / threads;
    if (b.group > GROUP_MAX) b.group = GROUP_MAX;
    b.groups = (n + b.group - 1) / b.group;
    b.weight = weir_malloc(n, sizeof *b.weight);
    b.lines = weir_malloc(threads * b.group, sizeof *b.lines);
    b.product = weir_malloc(b.groups, sizeof *b.product);
    b.c = weir_malloc(n, sizeof *b.c);
    b.k = weir_malloc(pvk->n_ic, sizeof *b.k);
    weir_err err;
    if (b.weight && b.lines && b.product && b.c && b.k)
        err = batch_check(valid, &b, ei);
    else
        err = weir_fail(ei, WEIR_E_NOMEM, "no memory to verify %zu proofs", n);
    weir_free(b.weight);
    weir_free(b.lines);
    weir_free(b.product);
    weir_free(b.c);
    weir_free(b.k);
    return err;
}
