/* Native hashes. SHA-NI is beyond callgrind; docs/counts.md says how that body is counted. */
#include "hash/blake2b.h"
#include "hash/poseidon.h"
#include "hash/sha256.h"
#include "routines.h"

enum { SHA_BYTES = 64, BLAKE_BYTES = 128 };

typedef struct hash_state {
    const weir_poseidon_ops *ops;
    weir_errinfo ei;
    weir_poseidon *p;
    weir_fr pre[WEIR_POSEIDON_MAX_WIDTH], out, trace[800];
    uint32_t sha[8];
    uint8_t data[BLAKE_BYTES], digest[64];
} hash_state;

static void prepare_bytes(void *state, weir_isa isa)
{
    hash_state *s = state;
    (void)isa;
    for (int i = 0; i < BLAKE_BYTES; i++) s->data[i] = (uint8_t)i;
    for (int i = 0; i < 8; i++) s->sha[i] = weir_sha256_iv[i];
}

static void prepare_poseidon(hash_state *s, weir_isa isa, unsigned arity)
{
    stream g = {5};
    s->ops = weir_poseidon_ops_get(isa);
    must_ok(weir_poseidon_new(&s->p, arity, NULL, &s->ei), &s->ei);
    must(weir_poseidon_trace_len(s->p) <= sizeof s->trace / sizeof *s->trace, "a trace is longer");
    for (unsigned i = 0; i < arity; i++) stream_fr(&g, &s->pre[i]);
}

static void prepare_poseidon_2(void *state, weir_isa isa)
{
    prepare_poseidon(state, isa, 2);
}

static void prepare_poseidon_8(void *state, weir_isa isa)
{
    prepare_poseidon(state, isa, 8);
}

static void release_poseidon(void *state)
{
    hash_state *s = state;
    weir_poseidon_free(s->p);
}

static void run_hash(void *state)
{
    hash_state *s = state;
    s->ops->hash(s->p, &s->out, s->pre, 1);
}

static void run_trace(void *state)
{
    hash_state *s = state;
    s->ops->trace(s->p, s->trace, s->pre);
}

static void run_sha256(void *state)
{
    hash_state *s = state;
    weir_sha256_compress_portable(s->sha, s->data, 1);
}

static void run_blake2b(void *state)
{
    hash_state *s = state;
    weir_blake2b(s->digest, 64, s->data, BLAKE_BYTES, NULL, 0);
}

routine_group hash_routines(void)
{
    enum { BYTES = sizeof(hash_state) };
    static const routine list[] = {
        {"poseidon_hash_2", ON_EACH, BYTES, prepare_poseidon_2, run_hash, release_poseidon},
        {"poseidon_hash_8", ON_EACH, BYTES, prepare_poseidon_8, run_hash, release_poseidon},
        {"poseidon_trace_2", ON_EACH, BYTES, prepare_poseidon_2, run_trace, release_poseidon},
        {"poseidon_trace_8", ON_EACH, BYTES, prepare_poseidon_8, run_trace, release_poseidon},
        {"sha256_block", ON_ONE, BYTES, prepare_bytes, run_sha256, NULL},
        {"blake2b_block", ON_ONE, BYTES, prepare_bytes, run_blake2b, NULL},
    };
    return (routine_group){list, sizeof list / sizeof *list};
}
