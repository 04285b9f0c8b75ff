/* A verifying key whose exponents are known, so that true proofs can be made from nothing but public inputs: whoever knows
 * alpha, beta, gamma, delta and those of the inputs' points can choose A and B at will and solve the equation for C. */
#ifndef WEIR_BENCH_KNOWN_VK_H
#define WEIR_BENCH_KNOWN_VK_H

#include "base/err.h"
#include "base/exec.h"
#include "bench/rand.h"
#include "groth16/vk.h"

typedef struct weir_known_vk {
    weir_vk vk;
    weir_fr alpha, beta, gamma, delta;
    weir_scalar *ic; /* of vk.n_ic points */
} weir_known_vk;

/* Of n_ic points for public inputs, from the generator. In: a zeroed struct, to be cleared after an error too. Errors: WEIR_E_NOMEM,
 * WEIR_E_CANCELLED. */
weir_err weir_known_vk_init(weir_known_vk *k, uint32_t n_ic, weir_bench_rand *g, const weir_exec *x,
                            weir_errinfo *ei) WEIR_MUST_USE;
void weir_known_vk_clear(weir_known_vk *k);

/* c with e(A, B) = e(alpha, beta) e(sum of inputs, gamma) e(C, delta) for A = a G, B = b G, C = c G. inputs: vk.n_ic - 1, without
 * ONE. */
void weir_known_vk_solve(const weir_known_vk *k, weir_fr *c, const weir_fr *a, const weir_fr *b,
                         const weir_fr *inputs);

/* k times the generators. */
void weir_known_g1(weir_g1 *out, const weir_fr *k, weir_isa isa);
void weir_known_g2(weir_g2 *out, const weir_fr *k, weir_isa isa);
void weir_known_g1_affine(weir_g1_affine *out, const weir_fr *k, weir_isa isa);
void weir_known_g2_affine(weir_g2_affine *out, const weir_fr *k, weir_isa isa);

#endif
