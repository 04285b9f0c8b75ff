#include "groth16/keymake_columns.h"

#include "base/alloc.h"
#include "field/fr.h"

/* Rows of one task: a batch inversion is one inversion, 25 products, among 50,000. */
enum { LAGRANGE_ROWS = 8192 };

/* ---- secrets */

static weir_err secret(weir_fr *out, const weir_scalar *s, const char *name, weir_errinfo *ei)
{
    if (!scalar_is_reduced(s))
        return weir_fail(ei, WEIR_E_RANGE, "the secret %s is not below the group order", name);
    fr_from_scalar(out, s);
    if (fr_is_zero(out)) return weir_fail(ei, WEIR_E_RANGE, "the secret %s is zero", name);
    return WEIR_OK;
}

static weir_err scales_make(weir_key_scales *k, const weir_secrets *s, unsigned domain_log2,
                            weir_errinfo *ei)
{
    weir_fr n, tn;
    uint64_t order = (uint64_t)1 << domain_log2;
    WEIR_TRY(secret(&k->alpha, &s->alpha, "alpha", ei));
    WEIR_TRY(secret(&k->beta, &s->beta, "beta", ei));
    WEIR_TRY(secret(&k->inv_gamma, &s->gamma, "gamma", ei));
    WEIR_TRY(secret(&k->inv_delta, &s->delta, "delta", ei));
    WEIR_TRY(secret(&k->tau, &s->tau, "tau", ei));
    weir_fr_inv(&k->inv_gamma, &k->inv_gamma);
    weir_fr_inv(&k->inv_delta, &k->inv_delta);
    fr_pow_u64(&tn, &k->tau, order);
    fr_sub(&k->t, &tn, &fr_ONE);
    weir_wipe(&tn, sizeof tn);
    if (fr_is_zero(&k->t))
        return weir_fail(ei, WEIR_E_RANGE,
                         "the secret tau is a root of unity of the domain (order 2^%u)",
                         domain_log2);
    fr_from_u64(&n, order);
    weir_fr_inv(&n, &n);
    fr_mul(&k->t_over_n, &k->t, &n);
    fr_root_of_unity(&k->omega, domain_log2);
    return WEIR_OK;
}

/* ---- Lagrange values */

typedef struct lagrange_job {
    const weir_key_scales *k;
    const weir_keymake_ops *ops;
    weir_fr *out, *tmp; /* tmp: LAGRANGE_ROWS elements for each thread */
    uint64_t rows;
} lagrange_job;

static void lagrange_task(void *ctx, size_t task, unsigned worker)
{
    const lagrange_job *job = ctx;
    uint64_t lo = (uint64_t)task * LAGRANGE_ROWS;
    size_t n = job->rows - lo < LAGRANGE_ROWS ? (size_t)(job->rows - lo) : LAGRANGE_ROWS;
    job->ops->lagrange(job->out + lo, job->k, lo, n, job->tmp + (size_t)worker * LAGRANGE_ROWS);
}

static weir_err lagrange_all(weir_fr *out, const weir_key_scales *k, uint64_t rows,
                             const weir_exec *x, weir_errinfo *ei)
{
    unsigned threads = weir_pool_threads(x->pool);
    size_t tmp_n = (size_t)threads * LAGRANGE_ROWS;
    weir_fr *tmp = weir_big_alloc(tmp_n, sizeof *tmp);
    if (!tmp) return weir_fail(ei, WEIR_E_NOMEM, "no memory for Lagrange values");
    lagrange_job job = {.k = k,
                        .ops = WEIR_ISA_PICK(x->isa, weir_keymake_ops),
                        .out = out,
                        .tmp = tmp,
                        .rows = rows};
    weir_pool_run(x->pool, (size_t)((rows + LAGRANGE_ROWS - 1) / LAGRANGE_ROWS), lagrange_task,
                  &job);
    weir_wipe(tmp, tmp_n * sizeof *tmp);
    weir_big_free(tmp, tmp_n, sizeof *tmp);
    return WEIR_OK;
}

/* ---- columns */

static weir_err columns_fill(weir_key_columns *c, const weir_relation *rel, weir_fr *weight,
                             const weir_exec *x, weir_errinfo *ei)
{
    WEIR_TRY(lagrange_all(weight, &c->scales, rel->rows, x, ei));
    if (weir_exec_cancelled(x)) return weir_fail(ei, WEIR_E_CANCELLED, "key making was cancelled");
    weir_fr *const out[3] = {[WEIR_A] = c->u, [WEIR_B] = c->v, [WEIR_C] = c->w};
    return weir_relation_columns(rel, weight, out, x, ei);
}

weir_err weir_key_columns_init(weir_key_columns *c, const weir_relation *rel,
                               const weir_secrets *secrets, const weir_exec *x, weir_errinfo *ei)
{
    *c = (weir_key_columns){0};
    weir_err err = WEIR_OK;
    weir_fr *weight = NULL;
    WEIR_TRY_GOTO(scales_make(&c->scales, secrets, rel->domain_log2, ei));
    c->n = rel->inputs + rel->aux;
    c->u = weir_big_alloc(c->n, sizeof *c->u);
    c->v = weir_big_alloc(c->n, sizeof *c->v);
    c->w = weir_big_alloc(c->n, sizeof *c->w);
    weight = weir_big_alloc(rel->rows, sizeof *weight);
    if (!c->u || !c->v || !c->w || !weight)
        err = weir_fail(ei, WEIR_E_NOMEM, "no memory for the polynomials of %llu columns",
                        (unsigned long long)c->n);
    else
        err = columns_fill(c, rel, weight, x, ei);
out:
    if (weight) weir_wipe(weight, rel->rows * sizeof *weight);
    weir_big_free(weight, rel->rows, sizeof *weight);
    if (err != WEIR_OK) weir_key_columns_clear(c);
    return err;
}

static void column_free(weir_fr *p, uint64_t n)
{
    if (p) weir_wipe(p, n * sizeof *p);
    weir_big_free(p, n, sizeof *p);
}

void weir_key_columns_clear(weir_key_columns *c)
{
    column_free(c->u, c->n);
    column_free(c->v, c->n);
    column_free(c->w, c->n);
    weir_wipe(c, sizeof *c);
}
