/* The Poseidon instances and the trees of one sector shape, shared by the circuit's shape and its filling. */
#ifndef WEIR_CIRCUIT_POREP_HASHES_H
#define WEIR_CIRCUIT_POREP_HASHES_H

#include "circuit/gadget.h"
#include "circuit/porep.h"

typedef struct weir_porep_hashes {
    weir_poseidon *arity[WEIR_POSEIDON_MAX_WIDTH]; /* those that the shape uses, by arity */
    weir_tree d;                                   /* binary SHA-256 */
    weir_tree cr;                                  /* trees C and R-last have one form */
} weir_porep_hashes;

weir_err weir_porep_hashes_init(weir_porep_hashes *h, const weir_porep_shape *shape,
                                weir_errinfo *ei) WEIR_MUST_USE;
void weir_porep_hashes_clear(weir_porep_hashes *h);

#endif
