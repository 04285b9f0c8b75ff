/* The inside of a prepared verifying key. Private to verify.c and verify_batch.c. */
#ifndef WEIR_GROTH16_PVK_H
#define WEIR_GROTH16_PVK_H

#include "curve/curve.h"
#include "groth16/groth16.h"
#include "msm/msm.h"

struct weir_pvk {
    weir_g2_lines neg_gamma, neg_delta, beta;
    weir_g1_affine neg_alpha;
    weir_fp12 alpha_beta; /* e(alpha, beta) */
    uint32_t n_ic;
    weir_shifted_g1 *ic;
};

/* *out = sum of k[i] ic[i]; k: n_ic scalars. Errors: WEIR_E_NOMEM. */
weir_err weir_pvk_ic_sum(weir_g1_affine *out, const weir_pvk *pvk, const weir_scalar *k,
                         const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;

/* A point of the proof is infinity. */
bool weir_proof_has_infinity(const weir_proof *proof);

/* Errors: WEIR_E_MISMATCH. */
weir_err weir_pvk_inputs_fit(const weir_pvk *pvk, size_t n_inputs, weir_errinfo *ei) WEIR_MUST_USE;

#endif
