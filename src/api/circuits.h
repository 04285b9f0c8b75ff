/* Filecoin's circuits by the numbers of points in their keys, and the names of their files in
 * Filecoin's cache. */
#ifndef WEIR_API_CIRCUITS_H
#define WEIR_API_CIRCUITS_H

#include "base/err.h"
#include "circuit/porep.h"

#include <stddef.h>
#include <stdint.h>

typedef struct weir_circuit_size {
    const char *name; /* "porep-32GiB" */
    unsigned domain_log2;
    uint32_t inputs; /* with ONE */
    uint32_t aux, aux_in_a, aux_in_b;
} weir_circuit_size;

/* Points in a key: of ic, then of h, l, a, b_g1 and b_g2 (formats/params.h has the order). */
enum { WEIR_CIRCUIT_COUNTS = 6 };
void weir_circuit_counts(uint64_t count[WEIR_CIRCUIT_COUNTS], const weir_circuit_size *c);

/* The circuit whose key has these counts, NULL if Filecoin has none. */
const weir_circuit_size *weir_circuit_by_counts(const uint64_t count[WEIR_CIRCUIT_COUNTS]);
/* The circuits whose verifying key has this ic count: the first; `next` the one after a result.
 * NULL: no more. */
const weir_circuit_size *weir_circuit_by_ic(uint64_t n_ic, const weir_circuit_size *after);
/* "porep-2KiB", capitals or not. */
const weir_circuit_size *weir_circuit_by_name(const char *name);
/* PoRep of a shape. */
const weir_circuit_size *weir_circuit_porep(const weir_porep_shape *shape);

/* The shape of a PoRep circuit, NULL for others. */
const weir_porep_shape *weir_circuit_shape(const weir_circuit_size *c);

/* "v28-stacked-proof-of-replication-...-<sha256>" without an ending.
 * Source: filecoin-proofs parameter_cache: SHA-256 of the debug text of the public parameters. */
enum { WEIR_CACHE_NAME_SIZE = 192 };
void weir_porep_cache_name(char out[WEIR_CACHE_NAME_SIZE], const weir_porep_shape *shape);

#endif
