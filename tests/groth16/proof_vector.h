/* Proofs, inputs and secrets as the reference data's JSON files have them. */
#ifndef WEIR_TEST_PROOF_VECTOR_H
#define WEIR_TEST_PROOF_VECTOR_H

#include "groth16/groth16.h"
#include "testkit.h"

/* obj.toxic and obj.r, obj.s */
void tk_secrets(json_t *obj, weir_secrets *out);
void tk_blinding(json_t *obj, weir_blinding *out);

/* obj.inputs, without the leading one. Free with free(). */
weir_fr *tk_inputs(json_t *array, size_t *n);

/* The wire form, points checked, and back. */
void tk_proof_from_hex(const char *hex, weir_proof *out);
void tk_proof_bytes(const weir_proof *p, uint8_t out[WEIR_PROOF_BYTES]);

/* Fails the test if the proof's bytes are others. */
void tk_assert_proof(const weir_proof *p, const char *hex);

#endif
