/* Many proofs at once. With random weights z_j
 *
 *     prod_j e(z_j A_j, B_j) e(sum_i k_i ic_i, -gamma) e(sum_j z_j C_j, -delta) e(-k_0 alpha, beta) = 1,
 *     k_0 = sum_j z_j, k_i = sum_j z_j x_ji,
 *
 * holds if all proofs hold, and for at most one in 2^128 choices of weights if one does not (Bellare, Garay, Rabin 1998).
 * Weights are a_j + lambda b_j with a_j, b_j of 64 bits (curve.h): 2^128 different numbers, whose multiples cost half the
 * doublings that others of their size do.
 * A proof costs two such multiples in G1, the lines of its B and a Miller loop; the final exponentiation is shared. */
#include "base/alloc.h"
#include "base/rng.h"
#include "field/fr.h"
#include "groth16/groth16.h"
#include "groth16/pvk.h"

#include <string.h>

enum {
    FIXED_PAIRS = 3, /* gamma, delta, beta: they go with the first group */
    GROUP_MAX =
        13, /* proofs whose Miller loops share their squarings: 16 pairs with the fixed ones */
    MULTIPLES = 8 /* of one task */
};

typedef struct batch_job {
    const weir_pvk *pvk;
    const weir_proof *proofs;
    const weir_fr *inputs;
    size_t n, n_inputs;
    const weir_exec *x;
    size_t group, groups;
    weir_split *split;    /* the weights of the A, those of the C, and their sum: 2n + 1 */
    weir_fr *weight;      /* n */
    weir_scalar *k;       /* n_ic */
    weir_g1_affine *base; /* 2n + 1: A, C and -alpha */
    weir_g1 *
        multiple; /* of base; those of A, the sum of those of C, and that of -alpha go to affine form */
    weir_g1_affine *p;     /* n + 2 */
    weir_fp *scratch;      /* n + 2 */
    weir_g1_affine ic_sum; /* sum of k_i ic_i */
    weir_g2_affine *b;     /* n */
    weir_g2_lines *lines;  /* group for each thread */
    weir_fp12 *product;    /* one for each group */
} batch_job;

/* lambda = -x^2 mod r. */
static void batch_lambda(weir_fr *lambda)
{
    fr_from_u64(lambda, WEIR_BLS_X_ABS);
    fr_sqr(lambda, lambda);
    fr_neg(lambda, lambda);
}

/* The weights, and their sum as a pair: n < 2^64, so it fits. */
static weir_err batch_weights(batch_job *b, weir_errinfo *ei)
{
    weir_split *sum = &b->split[2 * b->n];
    weir_fr lambda, t;
    batch_lambda(&lambda);
    *sum = (weir_split){{{0}}};
    for (size_t j = 0; j < b->n; j++) {
        uint64_t z[2];
        WEIR_TRY(weir_rng_bytes(z, sizeof z, ei));
        b->split[j] = b->split[b->n + j] = (weir_split){{{z[0], 0}, {z[1], 0}}};
        for (int h = 0; h < 2; h++)
            sum->l[h][1] += __builtin_add_overflow(sum->l[h][0], z[h], &sum->l[h][0]);
        fr_from_u64(&b->weight[j], z[1]);
        fr_mul(&b->weight[j], &b->weight[j], &lambda);
        fr_from_u64(&t, z[0]);
        fr_add(&b->weight[j], &b->weight[j], &t);
    }
    return WEIR_OK;
}

/* The scalars of ic. */
static void batch_inputs(batch_job *b)
{
    for (size_t i = 0; i <= b->n_inputs; i++) {
        weir_fr t, sum;
        fr_set_zero(&sum);
        for (size_t j = 0; j < b->n; j++) {
            t = b->weight[j];
            if (i > 0) fr_mul(&t, &t, &b->inputs[j * b->n_inputs + i - 1]);
            fr_add(&sum, &sum, &t);
        }
        fr_to_scalar(&b->k[i], &sum);
    }
}

static void multiples_task(void *ctx, size_t task, unsigned worker)
{
    batch_job *b = ctx;
    const size_t lo = task * MULTIPLES, all = 2 * b->n + 1,
                 n = all - lo < MULTIPLES ? all - lo : MULTIPLES;
    (void)worker;
    weir_curve_ops_get(b->x->isa)->g1s_mul_split(b->multiple + lo, b->base + lo, b->split + lo, n);
}

/* p[0 .. n-1] = z_j A_j, p[n] = sum of z_j C_j, p[n + 1] = -k_0 alpha. */
static void batch_multiples(batch_job *b)
{
    const weir_curve_ops *ops = weir_curve_ops_get(b->x->isa);
    const size_t n = b->n;
    for (size_t j = 0; j < n; j++) {
        b->base[j] = b->proofs[j].a;
        b->base[n + j] = b->proofs[j].c;
        b->b[j] = b->proofs[j].b;
    }
    b->base[2 * n] = b->pvk->neg_alpha;
    weir_pool_run(b->x->pool, (2 * n + 1 + MULTIPLES - 1) / MULTIPLES, multiples_task, b);
    for (size_t j = 1; j < n; j++)
        ops->g1_add(&b->multiple[n], &b->multiple[n], &b->multiple[n + j]);
    b->multiple[n + 1] = b->multiple[2 * n];
    ops->g1s_to_affine(b->p, b->multiple, n + 2, b->scratch);
}

/* Miller loops of one group of proofs; the first takes the fixed pairs too. */
static void group_task(void *ctx, size_t task, unsigned worker)
{
    batch_job *b = ctx;
    const weir_curve_ops *ops = weir_curve_ops_get(b->x->isa);
    const size_t lo = task * b->group, n = b->n - lo < b->group ? b->n - lo : b->group;
    weir_g2_lines *lines = b->lines + worker * b->group;
    const weir_g2_lines *q[GROUP_MAX + FIXED_PAIRS] = {
        [GROUP_MAX] = &b->pvk->neg_gamma, &b->pvk->neg_delta, &b->pvk->beta};
    weir_g1_affine p[GROUP_MAX + FIXED_PAIRS];
    size_t pairs = n;
    ops->g2s_prepare(lines, b->b + lo, n);
    for (size_t j = 0; j < n; j++) {
        q[j] = &lines[j];
        p[j] = b->p[lo + j];
    }
    if (task == 0) {
        memmove(q + n, q + GROUP_MAX, FIXED_PAIRS * sizeof *q);
        p[n] = b->ic_sum;
        p[n + 1] = b->p[b->n];
        p[n + 2] = b->p[b->n + 1];
        pairs += FIXED_PAIRS;
    }
    ops->miller(&b->product[task], p, q, pairs);
}

static weir_err batch_check(bool *valid, batch_job *b, weir_errinfo *ei)
{
    const weir_curve_ops *ops = weir_curve_ops_get(b->x->isa);
    weir_fp12 *all = &b->product[0];
    WEIR_TRY(batch_weights(b, ei));
    batch_inputs(b);
    WEIR_TRY(weir_pvk_ic_sum(&b->ic_sum, b->pvk, b->k, b->x, ei));
    batch_multiples(b);
    weir_pool_run(b->x->pool, b->groups, group_task, b);
    for (size_t g = 1; g < b->groups; g++) ops->fp12_mul(all, all, &b->product[g]);
    ops->final_exp(all, all);
    *valid = ops->fp12_is_one(all);
    return WEIR_OK;
}

static bool batch_alloc(batch_job *b)
{
    const size_t n = b->n, all = 2 * n + 1;
    b->split = weir_malloc(all, sizeof *b->split);
    b->weight = weir_malloc(n, sizeof *b->weight);
    b->k = weir_malloc(b->pvk->n_ic, sizeof *b->k);
    b->base = weir_malloc(all, sizeof *b->base);
    b->multiple = weir_malloc(all, sizeof *b->multiple);
    b->p = weir_malloc(n + 2, sizeof *b->p);
    b->scratch = weir_malloc(n + 2, sizeof *b->scratch);
    b->b = weir_malloc(n, sizeof *b->b);
    b->lines = weir_malloc(weir_pool_threads(b->x->pool) * b->group, sizeof *b->lines);
    b->product = weir_malloc(b->groups, sizeof *b->product);
    return b->split && b->weight && b->k && b->base && b->multiple && b->p && b->scratch && b->b &&
           b->lines && b->product;
}

static void batch_free(batch_job *b)
{
    weir_free(b->split);
    weir_free(b->weight);
    weir_free(b->k);
    weir_free(b->base);
    weir_free(b->multiple);
    weir_free(b->p);
    weir_free(b->scratch);
    weir_free(b->b);
    weir_free(b->lines);
    weir_free(b->product);
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
    weir_err err;
    if (batch_alloc(&b))
        err = batch_check(valid, &b, ei);
    else
        err = weir_fail(ei, WEIR_E_NOMEM, "no memory to verify %zu proofs", n);
    batch_free(&b);
    return err;
}
