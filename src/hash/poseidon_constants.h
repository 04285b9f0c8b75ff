/* Fills the constants of a Poseidon instance. Only for poseidon.c. */
#ifndef WEIR_HASH_POSEIDON_CONSTANTS_H
#define WEIR_HASH_POSEIDON_CONSTANTS_H

#include "hash/poseidon.h"

/* In: p with arity, width, partial_rounds and tag set and room behind its pointers. Errors:
 * WEIR_E_NOMEM; WEIR_E_INTERNAL if a matrix that must be regular is not. */
weir_err weir_poseidon_constants(weir_poseidon *p, weir_errinfo *ei) WEIR_MUST_USE;

#endif
