#include "circuit/porep_hashes.h"

static weir_err need(weir_porep_hashes *h, unsigned arity, weir_errinfo *ei)
{
    return h->arity[arity] ? WEIR_OK : weir_poseidon_new(&h->arity[arity], arity, NULL, ei);
}

weir_err weir_porep_hashes_init(weir_porep_hashes *h, const weir_porep_shape *shape,
                                weir_errinfo *ei)
{
    weir_err err = WEIR_OK;
    *h = (weir_porep_hashes){0};
    WEIR_TRY_GOTO(need(h, 2, ei));
    WEIR_TRY_GOTO(need(h, shape->layers, ei));
    h->d.levels = shape->nodes_log2;
    h->d.sha = true;
    for (unsigned i = 0; i < h->d.levels; i++) h->d.arity[i] = 2;
    h->cr.levels = weir_porep_tree_levels(shape);
    for (unsigned i = 0; i < h->cr.levels; i++) {
        unsigned arity = weir_porep_tree_arity(shape, i);
        WEIR_TRY_GOTO(need(h, arity, ei));
        h->cr.arity[i] = (uint8_t)arity;
        h->cr.poseidon[i] = h->arity[arity];
    }
out:
    if (err != WEIR_OK) weir_porep_hashes_clear(h);
    return err;
}

void weir_porep_hashes_clear(weir_porep_hashes *h)
{
    for (unsigned i = 0; i < WEIR_POSEIDON_MAX_WIDTH; i++) weir_poseidon_free(h->arity[i]);
    *h = (weir_porep_hashes){0};
}
