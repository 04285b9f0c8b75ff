/* The eight-lane Poseidon as functions over arrays, one table for each path: on ifma the instructions, elsewhere the plain C
 * twin, which the library itself does not have. */
#ifndef WEIR_TEST_POSEIDON_X8_PATH_H
#define WEIR_TEST_POSEIDON_X8_PATH_H

#include "base/isa.h"
#include "hash/poseidon.h"

/* As hash and traces of weir_poseidon_ops; both return how many they did: all but a last single one. */
typedef struct poseidon_x8_path {
    size_t (*hash)(const weir_poseidon *p, weir_fr *out, const weir_fr *preimages, size_t n);
    size_t (*traces)(const weir_poseidon *p, weir_fr *const *trace, const weir_fr *const *preimage,
                     size_t n);
} poseidon_x8_path;

WEIR_ISA_DECLARE(poseidon_x8_path, poseidon_x8_path);
const poseidon_x8_path *poseidon_x8_path_get(weir_isa isa);

#endif
