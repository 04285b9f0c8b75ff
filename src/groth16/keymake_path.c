#include "groth16/keymake_path.h"

#include "field/fr.h"

static void lagrange(weir_fr *out, const weir_key_scales *k, uint64_t lo, size_t n, weir_fr *tmp)
{
    weir_fr first, p;
    fr_pow_u64(&first, &k->omega, lo);
    p = first;
    for (size_t i = 0; i < n; i++) {
        fr_sub(&out[i], &k->tau, &p);
        fr_mul(&p, &p, &k->omega);
    }
    frs_inv(out, n, tmp);
    fr_mul(&p, &first, &k->t_over_n);
    for (size_t i = 0; i < n; i++) {
        fr_mul(&out[i], &out[i], &p);
        fr_mul(&p, &p, &k->omega);
    }
}

static void h_scalars(weir_scalar *out, const weir_key_scales *k, uint64_t lo, size_t n)
{
    weir_fr p;
    fr_pow_u64(&p, &k->tau, lo);
    fr_mul(&p, &p, &k->t);
    fr_mul(&p, &p, &k->inv_delta);
    for (size_t i = 0; i < n; i++) {
        fr_to_scalar(&out[i], &p);
        fr_mul(&p, &p, &k->tau);
    }
}

static void combine(weir_scalar *out, const weir_key_scales *k, const weir_fr *u, const weir_fr *v,
                    const weir_fr *w, const weir_fr *scale, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        weir_fr a, b;
        fr_mul(&a, &k->beta, &u[i]);
        fr_mul(&b, &k->alpha, &v[i]);
        fr_add(&a, &a, &b);
        fr_add(&a, &a, &w[i]);
        fr_mul(&a, &a, scale);
        fr_to_scalar(&out[i], &a);
    }
}

const weir_keymake_ops WEIR_ISA_NAME(weir_keymake_ops) = {
    .lagrange = lagrange,
    .h_scalars = h_scalars,
    .combine = combine,
};
