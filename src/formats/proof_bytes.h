/* Groth16 proofs as bytes: A (48) || B (96) || C (48), compressed, as bellperson writes them; the
 * proofs of the partitions of one sector stand one after another. */
#ifndef WEIR_FORMATS_PROOF_BYTES_H
#define WEIR_FORMATS_PROOF_BYTES_H

#include "base/err.h"
#include "base/isa.h"
#include "groth16/proof.h"

#include <stddef.h>
#include <stdint.h>

/* bytes: n * WEIR_PROOF_BYTES. */
void weir_proofs_encode(uint8_t *bytes, const weir_proof *proofs, size_t n, weir_isa isa);

/* Exactly n proofs from exactly n * WEIR_PROOF_BYTES bytes. Every element is checked: encoding,
 * curve, subgroup, not infinity.
 * Thread: any.
 * Errors: WEIR_E_TRUNCATED or WEIR_E_FORMAT for another length; the point errors of curve/curve.h
 * with the number of the proof, the element (A, B or C) and the byte offset.
 * Cost of a proof: 0.15 ms (IFMA; 0.04 of many), 0.16 ms (ADX), 0.5 ms (portable). */
weir_err weir_proofs_decode(weir_proof *proofs, const uint8_t *bytes, size_t n_bytes, size_t n,
                            weir_isa isa, weir_errinfo *ei) WEIR_MUST_USE;

#endif
