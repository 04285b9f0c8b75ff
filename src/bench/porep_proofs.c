#include "bench/porep_proofs.h"

#include "base/alloc.h"
#include "bench/rand.h"
#include "field/fr.h"

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

static void prove(weir_bench_proofs *b, size_t j, weir_bench_rand *g, weir_isa isa)
{
    weir_fr ab[2], c;
    weir_proof *out = &b->proofs[j];
    weir_bench_rand_frs(g, ab, 2);
    weir_known_vk_solve(&b->known, &c, &ab[0], &ab[1], b->inputs + j * b->n_inputs);
    weir_known_g1_affine(&out->a, &ab[0], isa);
    weir_known_g2_affine(&out->b, &ab[1], isa);
    weir_known_g1_affine(&out->c, &c, isa);
}

weir_err weir_bench_proofs_init(weir_bench_proofs *b, const weir_registered_porep *r,
                                const weir_exec *x, weir_errinfo *ei)
{
    weir_bench_rand g = {1};
    b->n = r->partitions;
    b->n_inputs = 3 + (size_t)WEIR_POREP_INPUTS_PER_CHALLENGE * r->shape->challenges;
    b->inputs = weir_malloc(b->n * b->n_inputs, sizeof *b->inputs);
    b->proofs = weir_malloc(b->n, sizeof *b->proofs);
    if (!b->inputs || !b->proofs)
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for %zu proofs", b->n);
    WEIR_TRY(weir_known_vk_init(&b->known, (uint32_t)b->n_inputs + 1, &g, x, ei));
    WEIR_TRY(make_inputs(b, r, &g, ei));
    for (size_t j = 0; j < b->n; j++) prove(b, j, &g, x->isa);
    return WEIR_OK;
}

void weir_bench_proofs_clear(weir_bench_proofs *b)
{
    weir_known_vk_clear(&b->known);
    weir_free(b->inputs);
    weir_free(b->proofs);
}
