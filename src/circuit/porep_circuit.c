/* The shape of the PoRep circuit. Everything up to the check of comm_r is the prologue; a challenge is the period. */
#include "circuit/porep_circuit.h"

#include "base/alloc.h"
#include "circuit/label.h"
#include "circuit/porep_hashes.h"

typedef struct builder {
    const weir_porep_shape *shape;
    unsigned challenges;
    weir_porep_hashes hashes;
    weir_bool *message; /* WEIR_LABEL_BITS */
    /* columns of the prologue that challenges use */
    weir_bool replica_id_bits[256];
    weir_col comm_d, comm_r_last, comm_c;
} builder;

static void prologue(builder *b, weir_cs *cs)
{
    weir_bool bits[255];
    weir_col replica_id = weir_cs_alloc(cs);
    weir_gad_inputize(cs, replica_id);
    weir_gad_bits255(cs, bits, replica_id);
    weir_gad_reverse_bytes(b->replica_id_bits, bits, 255);
    b->comm_d = weir_cs_alloc(cs);
    weir_gad_inputize(cs, b->comm_d);
    weir_col comm_r = weir_cs_alloc(cs);
    weir_gad_inputize(cs, comm_r);
    b->comm_r_last = weir_cs_alloc(cs);
    b->comm_c = weir_cs_alloc(cs);
    weir_col pair[2] = {b->comm_c, b->comm_r_last};
    weir_gad_equal(cs, comm_r, weir_gad_poseidon(cs, b->hashes.arity[2], pair));
}

typedef weir_col column[WEIR_POREP_MAX_LAYERS];

/* A parent's labels, their hash, and its place in tree C. */
static void parent(builder *b, weir_cs *cs, column labels)
{
    for (unsigned i = 0; i < b->shape->layers; i++) labels[i] = weir_cs_alloc(cs);
    weir_col hash = weir_gad_poseidon(cs, b->hashes.arity[b->shape->layers], labels);
    weir_gad_inclusion(cs, &b->hashes.cr, hash, b->comm_c);
}

static void label_bits(weir_cs *cs, weir_bool out[256], weir_col number)
{
    weir_bool bits[255];
    weir_gad_bits255(cs, bits, number);
    weir_gad_reverse_bytes(out, bits, 255);
}

/* The labels of the challenged node in all layers. */
static void labeling(builder *b, weir_cs *cs, column labels, const weir_bool node[64],
                     const column *parents)
{
    weir_bool bits[WEIR_POREP_PARENTS][256];
    for (unsigned layer = 1; layer <= b->shape->layers; layer++) {
        unsigned n = 0;
        for (; n < WEIR_POREP_DRG_PARENTS; n++) label_bits(cs, bits[n], parents[n][layer - 1]);
        if (layer > 1)
            for (; n < WEIR_POREP_PARENTS; n++) label_bits(cs, bits[n], parents[n][layer - 2]);
        labels[layer - 1] = weir_gad_label(cs, b->message, b->replica_id_bits, layer, node,
                                           (const weir_bool(*)[256])bits, n);
    }
}

static void challenge(builder *b, weir_cs *cs)
{
    column parents[WEIR_POREP_PARENTS], labels;
    weir_bool node[64];
    weir_col data = weir_cs_alloc(cs);
    weir_gad_inclusion(cs, &b->hashes.d, data, b->comm_d);
    for (unsigned i = 0; i < WEIR_POREP_PARENTS; i++) parent(b, cs, parents[i]);
    weir_gad_bits(cs, node, 64);
    weir_gad_pack_inputs(cs, node, 64);
    labeling(b, cs, labels, node, (const column *)parents);
    weir_col encoded = weir_gad_add(cs, labels[b->shape->layers - 1], data);
    weir_gad_inclusion(cs, &b->hashes.cr, encoded, b->comm_r_last);
    weir_col hash = weir_gad_poseidon(cs, b->hashes.arity[b->shape->layers], labels);
    weir_gad_inclusion(cs, &b->hashes.cr, hash, b->comm_c);
}

static weir_err shape_porep(void *ctx, weir_cs *cs, weir_errinfo *ei)
{
    (void)ei;
    builder *b = ctx;
    prologue(b, cs);
    weir_cs_period(cs, b->challenges);
    challenge(b, cs);
    return WEIR_OK;
}

weir_err weir_porep_relation(weir_relation **out, const weir_porep_shape *shape,
                             unsigned challenges, weir_errinfo *ei)
{
    weir_err err = WEIR_OK;
    *out = NULL;
    builder *b = weir_calloc(1, sizeof *b);
    if (!b) return weir_fail(ei, WEIR_E_NOMEM, "no memory to build the circuit");
    b->shape = shape;
    b->challenges = challenges ? challenges : shape->challenges;
    b->message = weir_calloc(WEIR_LABEL_BITS, sizeof *b->message);
    if (!b->message) {
        err = weir_fail(ei, WEIR_E_NOMEM, "no memory to build the circuit");
        goto out;
    }
    WEIR_TRY_GOTO(weir_porep_hashes_init(&b->hashes, shape, ei));
    WEIR_TRY_GOTO(weir_relation_build(out, shape_porep, b, ei));
out:
    weir_porep_hashes_clear(&b->hashes);
    weir_free(b->message);
    weir_free(b);
    return err;
}
