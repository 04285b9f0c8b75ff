#include "bench/known_vk.h"

#include "base/alloc.h"
#include "curve/curve.h"
#include "field/fr.h"
#include "msm/msm.h"

void weir_known_g1(weir_g1 *out, const weir_fr *k, weir_isa isa)
{
    weir_scalar s;
    fr_to_scalar(&s, k);
    weir_curve_ops_get(isa)->g1_mul(out, weir_g1_generator(), &s);
}

void weir_known_g2(weir_g2 *out, const weir_fr *k, weir_isa isa)
{
    weir_scalar s;
    fr_to_scalar(&s, k);
    weir_curve_ops_get(isa)->g2_mul(out, weir_g2_generator(), &s);
}

void weir_known_g1_affine(weir_g1_affine *out, const weir_fr *k, weir_isa isa)
{
    weir_g1 p;
    weir_fp tmp;
    weir_known_g1(&p, k, isa);
    weir_curve_ops_get(isa)->g1s_to_affine(out, &p, 1, &tmp);
}

void weir_known_g2_affine(weir_g2_affine *out, const weir_fr *k, weir_isa isa)
{
    weir_g2 p;
    weir_fp2 tmp;
    weir_known_g2(&p, k, isa);
    weir_curve_ops_get(isa)->g2s_to_affine(out, &p, 1, &tmp);
}

static weir_err make_points(weir_known_vk *k, const weir_exec *x, weir_errinfo *ei)
{
    weir_fixed_g1 *table;
    weir_known_g1_affine(&k->vk.alpha_g1, &k->alpha, x->isa);
    weir_known_g1_affine(&k->vk.beta_g1, &k->beta, x->isa);
    weir_known_g1_affine(&k->vk.delta_g1, &k->delta, x->isa);
    weir_known_g2_affine(&k->vk.beta_g2, &k->beta, x->isa);
    weir_known_g2_affine(&k->vk.gamma_g2, &k->gamma, x->isa);
    weir_known_g2_affine(&k->vk.delta_g2, &k->delta, x->isa);
    WEIR_TRY(weir_fixed_g1_new(&table, weir_g1_generator(), k->vk.n_ic, x, ei));
    weir_err err = weir_fixed_g1_mul(table, k->vk.ic, k->ic, k->vk.n_ic, x, ei);
    weir_fixed_g1_free(table);
    return err;
}

weir_err weir_known_vk_init(weir_known_vk *k, uint32_t n_ic, weir_bench_rand *g, const weir_exec *x,
                            weir_errinfo *ei)
{
    k->vk.n_ic = n_ic;
    k->ic = weir_malloc(n_ic, sizeof *k->ic);
    k->vk.ic = weir_malloc(n_ic, sizeof *k->vk.ic);
    if (!k->ic || !k->vk.ic)
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for a verifying key of %u points", n_ic);
    weir_bench_rand_frs(g, &k->alpha, 1);
    weir_bench_rand_frs(g, &k->beta, 1);
    weir_bench_rand_frs(g, &k->gamma, 1);
    weir_bench_rand_frs(g, &k->delta, 1);
    weir_bench_rand_scalars(g, k->ic, n_ic);
    return make_points(k, x, ei);
}

void weir_known_vk_clear(weir_known_vk *k)
{
    weir_free(k->ic);
    weir_free(k->vk.ic);
}

/* c = (a b - alpha beta - gamma (ic_0 + sum x_i ic_i)) / delta */
void weir_known_vk_solve(const weir_known_vk *k, weir_fr *c, const weir_fr *a, const weir_fr *b,
                         const weir_fr *inputs)
{
    weir_fr t, sum;
    fr_from_scalar(&sum, &k->ic[0]);
    for (uint32_t i = 0; i + 1 < k->vk.n_ic; i++) {
        fr_from_scalar(&t, &k->ic[i + 1]);
        fr_mul(&t, &t, &inputs[i]);
        fr_add(&sum, &sum, &t);
    }
    fr_mul(c, a, b);
    fr_mul(&t, &k->alpha, &k->beta);
    fr_sub(c, c, &t);
    fr_mul(&t, &k->gamma, &sum);
    fr_sub(c, c, &t);
    weir_fr_inv(&t, &k->delta);
    fr_mul(c, c, &t);
}
