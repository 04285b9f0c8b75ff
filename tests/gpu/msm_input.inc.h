/* The points of msm_input.h, a kernel in phases and an include-template: affine additions with one inversion a lane of one
 * warp. out[i].x holds prefix products in between. Coordinates come out below p. */

typedef msm_input_args G_(points_args);
typedef struct G_(points_shared) {
    G_FIELD tree[2 * MSM_INPUT_THREADS];
} G_(points_shared);
typedef struct G_(points_own) {
    G_FIELD acc;
} G_(points_own);

WEIR_HD int G_(points_phases)(const msm_input_args *a, uint32_t threads)
{
    (void)a;
    return F_(block_inv_phases)(threads);
}
WEIR_HD bool G_(points_warp_only)(int k, const msm_input_args *a, uint32_t threads)
{
    (void)k;
    (void)a;
    (void)threads;
    return false;
}

WEIR_HD void G_(points_terms)(G_AFF *p, G_AFF *q, const msm_input_args *a, uint64_t i)
{
    *p = ((const G_AFF *)a->low)[i & ((1u << MSM_INPUT_LOG) - 1)];
    *q = ((const G_AFF *)a->high)[i >> MSM_INPUT_LOG];
}

WEIR_HD void G_(points_down)(const msm_input_args *a, G_FIELD *acc, const weir_dpos *at)
{
    G_AFF p, q;
    G_FIELD d;
    F_(set_one)(acc);
    WEIR_NO_UNROLL
    for (uint32_t j = 0; j < BATCH_INV_EACH; j++) {
        uint64_t i = F_(batch_inv_index)(at, j);
        if (i >= a->n) return;
        G_(points_terms)(&p, &q, a, i);
        (void)G_(pair_denominator)(&d, &p, &q);
        ((G_AFF *)a->points)[i].x = *acc;
        F_(mul)(acc, acc, &d);
    }
}

WEIR_HD void G_(points_up)(const msm_input_args *a, G_FIELD *acc, const weir_dpos *at)
{
    G_AFF p, q, sum;
    G_FIELD d, inv;
    WEIR_NO_UNROLL
    for (uint32_t j = BATCH_INV_EACH; j-- > 0;) {
        uint64_t i = F_(batch_inv_index)(at, j);
        if (i >= a->n) continue;
        G_(points_terms)(&p, &q, a, i);
        uint32_t kind = G_(pair_denominator)(&d, &p, &q);
        G_AFF *to = (G_AFF *)a->points + i;
        F_(mul)(&inv, acc, &to->x);
        F_(mul)(acc, acc, &d);
        G_(pair_finish)(&sum, &p, &q, kind, &inv);
        F_(reduce)(&to->x, &sum.x);
        F_(reduce)(&to->y, &sum.y);
    }
}

WEIR_HD void G_(points_phase)(int k, const msm_input_args *a, G_(points_shared) * s,
                              G_(points_own) * own, const weir_dpos *at)
{
    if (k == 0) G_(points_down)(a, &own->acc, at);
    F_(block_inv_phase)(k, s->tree, &own->acc, at);
    if (k + 1 == F_(block_inv_phases)(at->threads)) G_(points_up)(a, &own->acc, at);
}
