/* A small circuit, one block of SHA-256 and one Poseidon hash of arity 8: filling of its witness, values of its rows. */
#include "base/bytes.h"
#include "circuit/fill.h"
#include "circuit/gadget.h"
#include "relation/relation.h"
#include "routines.h"

enum { WORDS = 8, ARITY = 8 }; /* of the message and of the preimage */

typedef struct circuit_state {
    weir_isa isa;
    weir_errinfo ei;
    weir_poseidon *poseidon;
    weir_relation *rel;
    weir_witness *w;
    weir_filler f;
    weir_fill_word words[WORDS];
    weir_fr pre[ARITY];
    weir_fr *rows;
    uint64_t *bits;
    uint32_t *dense_point;
    weir_scalar *dense_value;
} circuit_state;

static weir_err shape(void *ctx, weir_cs *cs, weir_errinfo *ei)
{
    circuit_state *s = ctx;
    weir_bool bits[32 * WORDS], digest[256];
    weir_col pre[ARITY];
    (void)ei;
    weir_gad_bits(cs, bits, 32 * WORDS);
    weir_gad_sha256(cs, digest, bits, 32 * WORDS);
    for (int i = 0; i < ARITY; i++) pre[i] = weir_cs_alloc(cs);
    weir_gad_poseidon(cs, s->poseidon, pre);
    return WEIR_OK;
}

/* The message's bits, the most significant of each word first. */
static void fill_message(circuit_state *s)
{
    for (int i = 0; i < WORDS; i++)
        for (int bit = 31; bit >= 0; bit--) pack_bits(&s->f.p, s->words[i].v >> bit & 1, 1);
}

static void fill_sha256(void *state)
{
    circuit_state *s = state;
    uint8_t digest[32];
    weir_fill_sha256(&s->f, digest, s->words, WORDS);
}

static void fill_preimage(circuit_state *s)
{
    for (int i = 0; i < ARITY; i++) weir_fill_alloc(&s->f, &s->pre[i]);
}

static void fill_poseidon(void *state)
{
    circuit_state *s = state;
    weir_fr out;
    weir_fill_poseidon(&s->f, s->poseidon, &out, s->pre);
}

static void prepare_relation(circuit_state *s, weir_isa isa)
{
    stream g = {6};
    s->isa = isa;
    for (int i = 0; i < WORDS; i++) s->words[i] = weir_fill_word_of((uint32_t)stream_u64(&g));
    for (int i = 0; i < ARITY; i++) stream_fr(&g, &s->pre[i]);
    must_ok(weir_poseidon_new(&s->poseidon, ARITY, NULL, &s->ei), &s->ei);
    must_ok(weir_relation_build(&s->rel, shape, s, &s->ei), &s->ei);
    must_ok(weir_witness_new(&s->w, s->rel, NULL, &s->ei), &s->ei);
    s->rows = pages(s->rel->rows, sizeof *s->rows);
    s->bits = pages(s->rel->aux / 64 + 1, sizeof *s->bits);
    s->dense_point = pages(s->rel->inputs + s->rel->dense, sizeof *s->dense_point);
    s->dense_value = pages(s->rel->inputs + s->rel->dense, sizeof *s->dense_value);
    s->f.p = weir_witness_packer(s->w, 0, 0);
    s->f.poseidon = weir_poseidon_ops_get(isa);
}

static void release(void *state)
{
    circuit_state *s = state;
    const uint64_t dense = s->rel->inputs + s->rel->dense;
    pages_free(s->dense_value, dense, sizeof *s->dense_value);
    pages_free(s->dense_point, dense, sizeof *s->dense_point);
    pages_free(s->bits, s->rel->aux / 64 + 1, sizeof *s->bits);
    pages_free(s->rows, s->rel->rows, sizeof *s->rows);
    weir_witness_free(s->w);
    weir_relation_free(s->rel);
    weir_poseidon_free(s->poseidon);
}

static void prepare_fill_sha256(void *state, weir_isa isa)
{
    prepare_relation(state, isa);
    fill_message(state);
}

static void prepare_fill_poseidon(void *state, weir_isa isa)
{
    prepare_fill_sha256(state, isa);
    fill_sha256(state);
    fill_preimage(state);
}

static void prepare_rows(void *state, weir_isa isa)
{
    circuit_state *s = state;
    const weir_exec x = {.isa = isa};
    prepare_fill_poseidon(state, isa);
    fill_poseidon(state);
    must(weir_witness_packer_done(s->w, 0, 0, &s->f.p), "the witness is not whole");
    must(weir_relation_check(s->w, &x) == s->rel->rows, "a row does not hold");
}

static void run_eval(void *state)
{
    circuit_state *s = state;
    for (unsigned m = WEIR_A; m <= WEIR_B; m++)
        weir_relation_eval(s->w, m, 0, s->rel->rows, s->rows, s->isa);
}

static void run_gather(void *state)
{
    circuit_state *s = state;
    uint64_t n;
    weir_query_gather(s->w, WEIR_QUERY_L, s->bits, s->dense_point, s->dense_value, &n, s->isa);
}

routine_group circuit_routines(void)
{
    enum { BYTES = sizeof(circuit_state) };
    static const routine list[] = {
        {"fill_sha256_block", ON_ONE, BYTES, prepare_fill_sha256, fill_sha256, release},
        {"fill_poseidon_8", ON_EACH, BYTES, prepare_fill_poseidon, fill_poseidon, release},
        {"relation_eval_ab", ON_EACH, BYTES, prepare_rows, run_eval, release},
        {"query_gather_l", ON_EACH, BYTES, prepare_rows, run_gather, release},
    };
    return (routine_group){list, sizeof list / sizeof *list};
}
