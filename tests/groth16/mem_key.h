/* A key in memory: takes what weir_key_make gives, serves it to the prover, and can be told to fail. */
#ifndef WEIR_TEST_MEM_KEY_H
#define WEIR_TEST_MEM_KEY_H

#include "groth16/groth16.h"

typedef struct tk_mem_key {
    weir_vk vk;
    weir_g1_affine *g1[WEIR_KEY_B_G2];
    weir_g2_affine *g2;
    uint64_t count[WEIR_KEY_SECTIONS], filled[WEIR_KEY_SECTIONS];
    /* what fails */
    uint64_t sink_room;   /* points the sink takes before WEIR_E_IO */
    uint64_t bad_section; /* WEIR_KEY_SECTIONS: none */
    uint64_t
        bad_point[2]; /* reading either gives WEIR_E_NOT_ON_CURVE with its number in the text */
} tk_mem_key;

void tk_mem_key_init(tk_mem_key *k);
void tk_mem_key_clear(tk_mem_key *k);
weir_key_sink tk_mem_key_sink(tk_mem_key *k);
/* The prover's view. All sections must be complete. */
weir_pkey tk_mem_key_pkey(tk_mem_key *k);

/* Makes one or fails the test. */
void tk_mem_key_make(tk_mem_key *k, const weir_relation *rel, const weir_secrets *s,
                     const weir_exec *x);

/* The bytes of bellperson's .params file; the first vk_bytes of them are the .vk file. Free with free(). */
uint8_t *tk_mem_key_params(const tk_mem_key *k, size_t *n, size_t *vk_bytes);

#endif
