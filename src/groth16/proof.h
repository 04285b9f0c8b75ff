/* A Groth16 proof. Its byte form is read and written by formats/proof_bytes.h. */
#ifndef WEIR_GROTH16_PROOF_H
#define WEIR_GROTH16_PROOF_H

#include "curve/types.h"

/* Bytes of one proof on the wire: A (48) || B (96) || C (48), compressed. */
enum { WEIR_PROOF_BYTES = 192 };

/* e(A, B) = e(alpha, beta) e(sum of inputs, gamma) e(C, delta) */
typedef struct weir_proof {
    weir_g1_affine a;
    weir_g2_affine b;
    weir_g1_affine c;
} weir_proof;

#endif
