#include "poseidon_x8_path.h"

#include "hash/poseidon_x8.inc.h"

const poseidon_x8_path WEIR_ISA_NAME(poseidon_x8_path) = {.hash = hash_x8, .traces = traces_x8};
