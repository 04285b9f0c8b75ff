/* e(A, B) e(ic sum, -gamma) e(C, -delta) = e(alpha, beta): three Miller loops, one final exponentiation. */
#include "base/alloc.h"
#include "field/fp2.h"
#include "field/fr.h"
#include "groth16/groth16.h"
#include "groth16/pvk.h"
#include "msm/msm.h"

#include <string.h>

static void prepare_neg(weir_g2_lines *out, const weir_g2_affine *q, const weir_curve_ops *ops)
{
    weir_g2_affine neg = *q;
    fp2_neg(&neg.y, &neg.y);
    ops->g2_prepare(out, &neg);
}

weir_err weir_pvk_new(weir_pvk **out, const weir_vk *vk, weir_isa isa, weir_errinfo *ei)
{
    const weir_curve_ops *ops = weir_curve_ops_get(isa);
    *out = NULL;
    if (vk->n_ic == 0) return weir_fail(ei, WEIR_E_FORMAT, "the verifying key has no point ic");
    weir_pvk *pvk = weir_calloc(1, sizeof *pvk);
    weir_err err = pvk ? weir_shifted_g1_new(&pvk->ic, vk->ic, vk->n_ic, isa, ei)
                       : weir_fail(ei, WEIR_E_NOMEM, "no memory for a verifying key");
    if (err != WEIR_OK) {
        weir_pvk_free(pvk);
        return err;
    }
    pvk->n_ic = vk->n_ic;
    prepare_neg(&pvk->neg_gamma, &vk->gamma_g2, ops);
    prepare_neg(&pvk->neg_delta, &vk->delta_g2, ops);
    pvk->neg_alpha = vk->alpha_g1;
    fp_neg(&pvk->neg_alpha.y, &vk->alpha_g1.y);
    ops->g2_prepare(&pvk->beta, &vk->beta_g2);
    const weir_g2_lines *lines = &pvk->beta;
    ops->miller(&pvk->alpha_beta, &vk->alpha_g1, &lines, 1);
    ops->final_exp(&pvk->alpha_beta, &pvk->alpha_beta);
    *out = pvk;
    return WEIR_OK;
}

void weir_pvk_free(weir_pvk *pvk)
{
    if (!pvk) return;
    weir_shifted_g1_free(pvk->ic);
    weir_free(pvk);
}

static bool g1_same(const weir_g1_affine *p, const weir_g1_affine *q)
{
    return fp_eq(&p->x, &q->x) && fp_eq(&p->y, &q->y);
}

static bool g2_same(const weir_g2_affine *p, const weir_g2_affine *q)
{
    return fp2_eq(&p->x, &q->x) && fp2_eq(&p->y, &q->y);
}

bool weir_vk_is_insecure(const weir_vk *vk)
{
    return g2_same(&vk->gamma_g2, &vk->delta_g2) || g2_same(&vk->delta_g2, weir_g2_generator()) ||
           g1_same(&vk->delta_g1, weir_g1_generator());
}

weir_err weir_pvk_ic_sum(weir_g1_affine *out, const weir_pvk *pvk, const weir_scalar *k,
                         const weir_exec *x, weir_errinfo *ei)
{
    weir_g1 sum;
    weir_fp tmp;
    WEIR_TRY(weir_shifted_g1_msm(&sum, pvk->ic, k, x->isa, ei));
    weir_curve_ops_get(x->isa)->g1s_to_affine(out, &sum, 1, &tmp);
    return WEIR_OK;
}

bool weir_proof_has_infinity(const weir_proof *proof)
{
    return g1_affine_is_infinity(&proof->a) || g2_affine_is_infinity(&proof->b) ||
           g1_affine_is_infinity(&proof->c);
}

weir_err weir_pvk_inputs_fit(const weir_pvk *pvk, size_t n_inputs, weir_errinfo *ei)
{
    if (n_inputs == pvk->n_ic - 1) return WEIR_OK;
    return weir_fail(ei, WEIR_E_MISMATCH, "%zu public inputs for a verifying key that takes %u",
                     n_inputs, pvk->n_ic - 1);
}

/* The equation, with the sum over ic known. */
static bool equation_holds(const weir_pvk *pvk, const weir_proof *proof,
                           const weir_g1_affine *ic_sum, weir_g2_lines *b, weir_isa isa)
{
    const weir_curve_ops *ops = weir_curve_ops_get(isa);
    ops->g2_prepare(b, &proof->b);
    const weir_g1_affine p[3] = {proof->a, *ic_sum, proof->c};
    const weir_g2_lines *q[3] = {b, &pvk->neg_gamma, &pvk->neg_delta};
    weir_fp12 f;
    ops->miller(&f, p, q, 3);
    ops->final_exp(&f, &f);
    return memcmp(&f, &pvk->alpha_beta, sizeof f) ==
           0; /* elements are reduced, so their limbs are unique */
}

weir_err weir_verify(bool *valid, const weir_pvk *pvk, const weir_proof *proof,
                     const weir_fr *inputs, size_t n_inputs, const weir_exec *x, weir_errinfo *ei)
{
    weir_err err = WEIR_OK;
    weir_g1_affine ic_sum;
    *valid = false;
    WEIR_TRY(weir_pvk_inputs_fit(pvk, n_inputs, ei));
    if (weir_proof_has_infinity(proof)) return WEIR_OK;
    weir_scalar *k = weir_malloc(pvk->n_ic, sizeof *k);
    weir_g2_lines *b = weir_malloc(1, sizeof *b);
    if (!k || !b) {
        err = weir_fail(ei, WEIR_E_NOMEM, "no memory to verify a proof");
        goto out;
    }
    k[0] = (weir_scalar){{1}};
    for (size_t i = 0; i < n_inputs; i++) fr_to_scalar(&k[i + 1], &inputs[i]);
    WEIR_TRY_GOTO(weir_pvk_ic_sum(&ic_sum, pvk, k, x, ei));
    *valid = equation_holds(pvk, proof, &ic_sum, b, x->isa);
out:
    weir_free(k);
    weir_free(b);
    return err;
}
