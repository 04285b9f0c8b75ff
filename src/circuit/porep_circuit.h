/* The StackedDrg PoRep circuit of one partition: its relation and the filling of its witness.
 *
 * The circuit depends on the sector size alone. Prologue: replica id, comm_d, comm_r, the check of comm_r; period: one
 * challenge, repeated. Source: rust-fil-proofs storage-proofs-porep; Fisch 2018/702 for the construction.
 */
#ifndef WEIR_CIRCUIT_POREP_CIRCUIT_H
#define WEIR_CIRCUIT_POREP_CIRCUIT_H

#include "base/exec.h"
#include "circuit/porep.h"
#include "relation/relation.h"

/* challenges = 0: as many as the shape has. Cost at 32 GiB: some seconds and 330 MB. */
weir_err weir_porep_relation(weir_relation **out, const weir_porep_shape *shape,
                             unsigned challenges, weir_errinfo *ei) WEIR_MUST_USE;

/* Constants of the hashes that filling needs; made once per shape, read only. */
typedef struct weir_porep_filler weir_porep_filler;
weir_err weir_porep_filler_new(weir_porep_filler **out, const weir_porep_shape *shape,
                               weir_errinfo *ei) WEIR_MUST_USE;
void weir_porep_filler_free(weir_porep_filler *f);

/* What one filling hashed, for the report. */
typedef struct weir_fill_stats {
    uint64_t sha256_compressions, poseidon_hashes;
} weir_fill_stats;

/* Writes the whole witness of one partition (public inputs included). w must be new or reset and belong to the relation
 * of the same shape; in->challenges must be the relation's. It computes what the circuit computes and does not judge:
 * an inconsistent input gives a witness that does not satisfy the relation. Challenges are spread over the pool.
 * Cost at 32 GiB: 5,040 compressions and 3,151 Poseidon hashes, about 70 MB written. Errors: WEIR_E_MISMATCH. */
weir_err weir_porep_fill(weir_witness *w, const weir_porep_filler *f, const weir_porep_input *in,
                         unsigned partition, weir_fill_stats *stats, const weir_exec *x,
                         weir_errinfo *ei) WEIR_MUST_USE;

#endif
