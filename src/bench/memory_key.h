/* A proving key made from known secrets and kept in memory, as it was made: for benches of circuits that have no key file. */
#ifndef WEIR_BENCH_MEMORY_KEY_H
#define WEIR_BENCH_MEMORY_KEY_H

#include "base/err.h"
#include "base/exec.h"
#include "groth16/groth16.h"
#include "relation/relation.h"

typedef struct weir_memory_key {
    weir_vk vk;
    weir_g1_affine *g1[WEIR_KEY_B_G2]; /* sections */
    weir_g2_affine *g2;
    weir_pkey key; /* points to vk and to this struct */
    uint64_t _filled[WEIR_KEY_SECTIONS];
} weir_memory_key;

/* Bytes of the points of rel's key. */
uint64_t weir_memory_key_bytes(const weir_relation *rel);

/* In: a zeroed struct, which does not move afterwards and must be cleared after an error too. Errors: those of weir_key_make. */
weir_err weir_memory_key_make(weir_memory_key *k, const weir_relation *rel,
                              const weir_secrets *secrets, const weir_exec *x,
                              weir_errinfo *ei) WEIR_MUST_USE;
void weir_memory_key_clear(weir_memory_key *k);

#endif
