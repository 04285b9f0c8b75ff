/* Groth16 over a relation: key making from known secrets, proving, verification.
 *
 * Source: Groth 2016/260 section 3.2, in bellperson's arrangement (files, query order, blinding).
 * Thread: key, relation and prepared verifying key are read only and shared; a call uses the pool of its weir_exec.
 */
#ifndef WEIR_GROTH16_GROTH16_H
#define WEIR_GROTH16_GROTH16_H

#include "base/err.h"
#include "base/exec.h"
#include "compute/compute.h"
#include "compute/key_multiplier.h"
#include "compute/key_points.h"
#include "curve/types.h"
#include "groth16/proof.h"
#include "groth16/vk.h"
#include "relation/relation.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- proving key, as the prover sees it: where the points come from is the caller's business */

typedef struct weir_pkey {
    const weir_vk *vk;
    weir_key_points points;
} weir_pkey;

/* Does the key have the relation's numbers of inputs and points, and the domain its size? Errors: WEIR_E_MISMATCH with
 * both numbers. */
weir_err weir_pkey_fits(const weir_pkey *key, const weir_relation *rel,
                        weir_errinfo *ei) WEIR_MUST_USE;

/* ---- key making. Whoever knows these numbers can forge proofs: for tests and demonstrations only. */

typedef struct weir_secrets {
    weir_scalar alpha, beta, gamma, delta, tau; /* none zero */
} weir_secrets;

/* Fixed, public secrets from a number: SHA-256 of "weir insecure key" || name || LE64(seed), name = "alpha", "beta", ...,
 * as a little-endian number without its two top bits. */
void weir_secrets_from_seed(weir_secrets *out, uint64_t seed);

/* Where the points go: sections are written in the file's order (vk first, then h, l, a, b_g1, b_g2), each in
 * consecutive pieces. The pointers are good for the call only. Thread: the caller of weir_key_make. */
typedef struct weir_key_sink {
    void *ctx;
    weir_err (*begin)(void *ctx, const weir_vk *vk, const uint64_t count[WEIR_KEY_SECTIONS],
                      weir_errinfo *ei);
    weir_err (*g1)(void *ctx, weir_key_section section, const weir_g1_affine *points, size_t n,
                   weir_errinfo *ei);
    weir_err (*g2)(void *ctx, weir_key_section section, const weir_g2_affine *points, size_t n,
                   weir_errinfo *ei);
} weir_key_sink;

/* A key by its exponents: the multiples of the generator that its points are. The points themselves are made when they are asked for:
 * read_scalars gives a device what it can multiply by itself, read_g1 and read_g2 multiply on the calling thread (some microseconds a
 * point). Keeps: rel. Wipes what it derived from the secrets when it is freed.
 * Memory: 3 (inputs + aux) elements, and at the peak of making rows elements more; tables of multiples, up to 81 MB.
 * Errors: WEIR_E_RANGE (a secret is zero or not below r; tau is a root of unity of the domain), WEIR_E_INFINITY (a public input whose
 * point would be infinity), WEIR_E_NOMEM, WEIR_E_CANCELLED. */
typedef struct weir_key_maker weir_key_maker;
weir_err weir_key_maker_new(weir_key_maker **out, const weir_relation *rel,
                            const weir_secrets *secrets, const weir_exec *x,
                            weir_errinfo *ei) WEIR_MUST_USE;
void weir_key_maker_free(weir_key_maker *m); /* NULL is allowed */
/* Good for the maker's life. */
const weir_vk *weir_key_maker_vk(const weir_key_maker *m);
/* Keeps: m, until the points are no longer used. Errors of reading: WEIR_E_INFINITY (a column that no row holds; the message names
 * it), WEIR_E_NOMEM. */
void weir_key_maker_points(weir_key_points *out, weir_key_maker *m);

/* All points of such a key to a sink. multiplier NULL: the CPU, all threads; a fixed-base multiple a point, in windows with batch-affine
 * additions. Memory beside the maker's: 21 MB. Errors: those of the maker, its points and the multiplier, WEIR_E_CANCELLED, and what the
 * sink returns. */
weir_err weir_key_make(const weir_relation *rel, const weir_secrets *secrets,
                       const weir_key_multiplier *multiplier, const weir_key_sink *sink,
                       const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;

/* ---- proving */

typedef struct weir_blinding {
    weir_scalar r, s;
} weir_blinding;
/* Fresh from the operating system, uniform below r. */
weir_err weir_blinding_fresh(weir_blinding *out, weir_errinfo *ei) WEIR_MUST_USE;

/* Time of one proof, for the report: weir_sums_stats and the assembly. */
typedef struct weir_prove_stats {
    uint64_t eval_ns, ntt_ns, h_ns, l_ns, a_ns, b1_ns, b2_ns,
        finish_ns; /* wall, or the device's clock */
    uint64_t bit_points, dense_points;
} weir_prove_stats;

/* Peak bytes that weir_prove takes for this relation on the CPU (relation, witness and key not counted); UINT64_MAX if memory is
 * too short to find out. */
uint64_t weir_prove_bytes(const weir_relation *rel, const weir_exec *x);

/* A backend with one relation and one key: what can be kept between proofs is made once. */
typedef struct weir_prover weir_prover;
/* Keeps: backend, rel, key, until it is freed. budget_bytes: compute.h. Errors: WEIR_E_MISMATCH; those of the backend's begin. */
weir_err weir_prover_new(weir_prover **out, const weir_backend *backend, const weir_relation *rel,
                         const weir_pkey *key, uint64_t budget_bytes, const weir_exec *x,
                         weir_errinfo *ei) WEIR_MUST_USE;
/* One proof from a filled witness. Does not check the relation and does not verify: see weir_verify and
 * weir_relation_check. stats may be NULL. Thread: one proof at a time. Errors: those of the backend's run. */
weir_err weir_prover_prove(weir_prover *p, weir_proof *out, const weir_witness *w,
                           const weir_blinding *blinding, weir_prove_stats *stats,
                           const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;
void weir_prover_free(weir_prover *p); /* NULL is allowed */

/* The same, once, on the CPU. */
weir_err weir_prove(weir_proof *out, const weir_witness *w, const weir_pkey *key,
                    const weir_blinding *blinding, weir_prove_stats *stats, const weir_exec *x,
                    weir_errinfo *ei) WEIR_MUST_USE;

/* The last step of a proof, for those who get the sums from another backend: adds alpha, beta and the blinding. In:
 * blinding below r; constant time in it but for additions of points. Thread: any. */
void weir_proof_assemble(weir_proof *out, const weir_vk *vk, const weir_sums *sums,
                         const weir_blinding *blinding, weir_isa isa);

/* ---- verification */

/* A verifying key with lines of its fixed points, e(alpha, beta) and multiples of the points of the public inputs worked
 * out: 3 KB an input. It copies what it needs of vk. Cost: about 0.5 ms and 15 us an input (IFMA; 60 with ADX).
 * Errors: WEIR_E_NOMEM; WEIR_E_FORMAT (no ic at all). */
typedef struct weir_pvk weir_pvk;
weir_err weir_pvk_new(weir_pvk **out, const weir_vk *vk, weir_isa isa,
                      weir_errinfo *ei) WEIR_MUST_USE;
void weir_pvk_free(weir_pvk *pvk);

/* A key that anyone can forge for: gamma = delta, or delta the generator. (Infinity is refused when reading.) */
bool weir_vk_is_insecure(const weir_vk *vk);

/* inputs: n_ic - 1 elements, without the leading one. *valid is the answer, false after an error; an error means that
 * it could not be found (WEIR_E_MISMATCH: wrong number of inputs; WEIR_E_NOMEM). Not cancelled: it takes a millisecond. A proof with a point at
 * infinity is not valid, as no reader of proofs lets one pass. In: proof points in their subgroups (the decoder checks). */
weir_err weir_verify(bool *valid, const weir_pvk *pvk, const weir_proof *proof,
                     const weir_fr *inputs, size_t n_inputs, const weir_exec *x,
                     weir_errinfo *ei) WEIR_MUST_USE;

/* n proofs with their inputs one after another (n * n_inputs), one final exponentiation; random 128-bit weights from
 * the operating system. True only if all are valid (but for a chance of 2^-128). One proof goes through weir_verify; none
 * is WEIR_E_USAGE. Errors: those of weir_verify; WEIR_E_IO (no random numbers). */
weir_err weir_verify_batch(bool *valid, const weir_pvk *pvk, const weir_proof *proofs,
                           const weir_fr *inputs, size_t n, size_t n_inputs, const weir_exec *x,
                           weir_errinfo *ei) WEIR_MUST_USE;

#endif
