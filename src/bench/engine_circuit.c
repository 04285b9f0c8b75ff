#include "bench/engine_circuit.h"

#include "base/alloc.h"
#include "bench/rand.h"
#include "engine/porep_source.h"
#include "field/fr.h"
#include "formats/proof_bytes.h"
#include "relation/cs.h"

#include <string.h>

#include <string.h>

enum { INPUT_ROWS = 2 }; /* of ONE and of the chain's end */

/* ---- the mixed circuit: for each pair of rows a bit and a link
 *     bit (1 - bit) = 0
 *     (x + bit)^2 = next x */

static weir_err mixed_shape(void *ctx, weir_cs *cs, weir_errinfo *ei)
{
    const uint64_t pairs = *(const uint64_t *)ctx;
    const weir_cs_consts *k = weir_cs_k(cs);
    weir_col x = weir_cs_alloc(cs);
    (void)ei;
    for (uint64_t i = 0; i < pairs; i++) {
        weir_col bit = weir_cs_alloc_bit(cs);
        weir_col next = i + 1 < pairs ? weir_cs_alloc(cs) : weir_cs_input(cs);
        weir_lc_add(cs, weir_cs_a(cs), bit, &k->one);
        weir_lc_add(cs, weir_cs_b(cs), WEIR_COL_ONE, &k->one);
        weir_lc_add(cs, weir_cs_b(cs), bit, &k->minus_one);
        weir_cs_end_row(cs);
        weir_lc_add(cs, weir_cs_a(cs), x, &k->one);
        weir_lc_add(cs, weir_cs_a(cs), bit, &k->one);
        weir_lc_add(cs, weir_cs_b(cs), x, &k->one);
        weir_lc_add(cs, weir_cs_b(cs), bit, &k->one);
        weir_lc_add(cs, weir_cs_c(cs), next, &k->one);
        weir_cs_end_row(cs);
        x = next;
    }
    return WEIR_OK;
}

static uint64_t mixed_pairs(uint64_t rows)
{
    return (rows - INPUT_ROWS) / 2;
}

/* The chain's end. p: NULL, or where the columns go. */
static void mixed_chain(weir_fr *end, uint64_t pairs, uint64_t seed, weir_packer *p)
{
    weir_bench_rand g = {seed};
    weir_fr x;
    uint64_t word = 0;
    weir_bench_rand_frs(&g, &x, 1);
    for (uint64_t i = 0; i < pairs; i++) {
        if (i % 64 == 0) word = weir_bench_rand_u64(&g);
        unsigned bit = (unsigned)(word >> (i % 64) & 1);
        if (p) pack_dense(p, &x);
        if (p) pack_bits(p, bit, 1);
        if (bit) fr_add(&x, &x, &fr_ONE);
        fr_sqr(&x, &x);
    }
    if (p) pack_input(p, &x);
    *end = x;
}

/* ---- circuits */

weir_err weir_bench_circuit_mixed(weir_bench_circuit *c, unsigned log2_rows, weir_errinfo *ei)
{
    uint64_t pairs = mixed_pairs((uint64_t)1 << log2_rows);
    c->partitions = 1;
    return weir_relation_build(&c->rel, mixed_shape, &pairs, ei);
}

weir_err weir_bench_circuit_porep(weir_bench_circuit *c, const weir_registered_porep *registered,
                                  unsigned challenges, unsigned partitions, weir_errinfo *ei)
{
    c->registered = registered;
    c->partitions = partitions;
    c->challenges = challenges ? challenges : registered->shape->challenges;
    WEIR_TRY(weir_slabs_new(&c->inputs, NULL, ei));
    WEIR_TRY(weir_porep_relation(&c->rel, registered->shape, c->challenges, ei));
    return weir_porep_filler_new(&c->filler, registered->shape, ei);
}

weir_err weir_bench_circuit_key(weir_bench_circuit *c, bool whole, const weir_exec *x,
                                weir_errinfo *ei)
{
    weir_secrets secrets;
    weir_bench_rand g = {1};
    weir_secrets_from_seed(&secrets, 1);
    if (whole) {
        WEIR_TRY(weir_memory_key_make(&c->made, c->rel, &secrets, x, ei));
        c->key = c->made.key;
    } else {
        WEIR_TRY(weir_known_vk_init(&c->known, (uint32_t)c->rel->inputs, &g, x, ei));
        weir_fake_key(&c->key, c->rel, &c->known.vk);
    }
    return weir_pvk_new(&c->pvk, c->key.vk, x->isa, ei);
}

static weir_err copy_vk(weir_vk *to, const weir_vk *from, weir_errinfo *ei)
{
    *to = *from;
    to->ic = weir_malloc(from->n_ic, sizeof *to->ic);
    if (!to->ic) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a verifying key");
    memcpy(to->ic, from->ic, from->n_ic * sizeof *to->ic);
    return WEIR_OK;
}

weir_err weir_bench_circuit_exponents(weir_bench_circuit *c, const weir_exec *x, weir_errinfo *ei)
{
    weir_secrets secrets;
    weir_secrets_from_seed(&secrets, 1);
    WEIR_TRY(weir_key_maker_new(&c->maker, c->rel, &secrets, x, ei));
    WEIR_TRY(copy_vk(&c->vk, weir_key_maker_vk(c->maker), ei));
    c->key.vk = &c->vk;
    weir_key_maker_points(&c->key.points, c->maker);
    return weir_pvk_new(&c->pvk, c->key.vk, x->isa, ei);
}

void weir_bench_circuit_drop_exponents(weir_bench_circuit *c)
{
    weir_key_maker_free(c->maker);
    c->maker = NULL;
}

void weir_bench_circuit_clear(weir_bench_circuit *c)
{
    weir_key_maker_free(c->maker);
    weir_free(c->vk.ic);
    weir_pvk_free(c->pvk);
    weir_known_vk_clear(&c->known);
    weir_memory_key_clear(&c->made);
    weir_porep_filler_free(c->filler);
    weir_slabs_free(c->inputs);
    weir_relation_free(c->rel);
}

/* ---- requests */

struct weir_bench_request {
    const weir_bench_circuit *circuit;
    uint64_t seed;
    weir_fr *end;             /* mixed: of each partition */
    weir_porep_source *porep; /* or this */
    uint8_t *document;        /* NULL: the sample itself is in there */
    weir_fr *stated;          /* with it: public inputs of all partitions */
};

static size_t inputs_of(const weir_bench_circuit *c)
{
    return c->rel->inputs - 1;
}

/* The sample goes; what it states stays, to check the proofs by. */
static weir_err as_document(weir_bench_request *r, weir_porep_request *q, weir_errinfo *ei)
{
    const weir_bench_circuit *c = r->circuit;
    weir_porep_input *in = q->input;
    q->input = NULL;
    weir_err err = c->document(&r->document, &q->c1_bytes, in, ei);
    q->c1 = r->document;
    r->stated = weir_malloc(c->partitions * inputs_of(c), sizeof *r->stated);
    if (err == WEIR_OK && !r->stated) err = weir_fail(ei, WEIR_E_NOMEM, "no memory for a request");
    for (unsigned k = 0; k < c->partitions && err == WEIR_OK; k++)
        weir_porep_stated_inputs(r->stated + k * inputs_of(c), in, k);
    weir_porep_input_free(in);
    return err;
}

static weir_err sample(weir_bench_request *r, weir_errinfo *ei)
{
    const weir_bench_circuit *c = r->circuit;
    const weir_sample_opts so = {.registered = c->registered,
                                 .seed = r->seed,
                                 .partitions = c->partitions,
                                 .challenges = c->challenges,
                                 .slabs = c->inputs};
    weir_porep_request request = {.filler = c->filler,
                                  .shape = c->registered->shape,
                                  .rel = c->rel,
                                  .slabs = c->inputs,
                                  .partitions = c->partitions,
                                  .challenges = c->challenges};
    WEIR_TRY(weir_porep_sample(&request.input, NULL, &so, ei));
    if (c->document) WEIR_TRY(as_document(r, &request, ei));
    return weir_porep_source_new(&r->porep, &request, ei);
}

static uint64_t part_seed(const weir_bench_request *r, uint32_t part)
{
    return r->seed + ((uint64_t)part << 40);
}

static weir_err chain_ends(weir_bench_request *r, weir_errinfo *ei)
{
    const weir_bench_circuit *c = r->circuit;
    r->end = weir_malloc(c->partitions, sizeof *r->end);
    if (!r->end) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a request");
    for (uint32_t k = 0; k < c->partitions; k++)
        mixed_chain(&r->end[k], mixed_pairs(c->rel->rows), part_seed(r, k), NULL);
    return WEIR_OK;
}

weir_err weir_bench_request_new(weir_bench_request **out, const weir_bench_circuit *c,
                                uint64_t seed, weir_errinfo *ei)
{
    weir_bench_request *r = weir_calloc(1, sizeof *r);
    *out = r;
    if (!r) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a request");
    r->circuit = c;
    r->seed = seed;
    weir_err err = c->registered ? sample(r, ei) : chain_ends(r, ei);
    if (err != WEIR_OK) {
        weir_bench_request_free(r);
        *out = NULL;
    }
    return err;
}

void weir_bench_request_free(weir_bench_request *r)
{
    if (!r) return;
    weir_porep_source_free(r->porep);
    weir_free(r->document);
    weir_free(r->stated);
    weir_free(r->end);
    weir_free(r);
}

static weir_err mixed_parse(void *ctx, uint32_t *partitions, const weir_exec *x, weir_errinfo *ei)
{
    const weir_bench_request *r = ctx;
    (void)x, (void)ei;
    *partitions = r->circuit->partitions;
    return WEIR_OK;
}

static weir_err mixed_fill(void *ctx, uint32_t part, weir_witness *w, const weir_exec *x,
                           weir_errinfo *ei)
{
    weir_bench_request *r = ctx;
    weir_packer p = weir_witness_packer(w, 0, 0);
    weir_fr end;
    (void)x;
    mixed_chain(&end, mixed_pairs(r->circuit->rel->rows), part_seed(r, part), &p);
    if (weir_witness_packer_done(w, 0, 0, &p)) return WEIR_OK;
    return weir_fail(ei, WEIR_E_INTERNAL, "the witness of a mixed circuit is not full");
}

static void mixed_inputs(void *ctx, uint32_t part, weir_fr *out)
{
    const weir_bench_request *r = ctx;
    *out = r->end[part];
}

weir_proof_source weir_bench_request_source(weir_bench_request *r)
{
    if (r->porep) return weir_porep_source_table(r->porep);
    return (weir_proof_source){
        .ctx = r, .parse = mixed_parse, .fill = mixed_fill, .inputs = mixed_inputs};
}

weir_err weir_bench_request_accepts(bool *valid, weir_bench_request *r, const uint8_t *bytes,
                                    size_t n_bytes, const weir_exec *x, weir_errinfo *ei)
{
    const weir_bench_circuit *c = r->circuit;
    const weir_proof_source s = weir_bench_request_source(r);
    size_t n = c->partitions, n_inputs = inputs_of(c);
    weir_err err;
    weir_proof *proofs = weir_calloc(n, sizeof *proofs);
    weir_fr *inputs = weir_calloc(n * n_inputs, sizeof *inputs);
    *valid = false;
    if (!proofs || !inputs) {
        err = weir_fail(ei, WEIR_E_NOMEM, "no memory for %zu proofs", n);
        goto out;
    }
    WEIR_TRY_GOTO(weir_proofs_decode(proofs, bytes, n_bytes, n, x->isa, ei));
    for (size_t k = 0; k < n; k++) {
        if (r->stated)
            memcpy(inputs + k * n_inputs, r->stated + k * n_inputs, n_inputs * sizeof *inputs);
        else
            s.inputs(s.ctx, (uint32_t)k, inputs + k * n_inputs);
    }
    err = weir_verify_batch(valid, c->pvk, proofs, inputs, n, n_inputs, x, ei);
out:
    weir_free(proofs);
    weir_free(inputs);
    return err;
}
