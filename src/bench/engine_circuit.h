/* Circuits for benches and tests of the engine, and jobs for them, each with values of its own.
 *
 * Two families. Mixed: a chain of rows, half of whose columns are bits; its public input is the chain's end. PoRep: the true circuit of a
 * sector size, with as many challenges as wanted, on samples. The key is made from known secrets and kept in memory, or only its
 * verifying part has known exponents (bench/known_vk.h), which is all that the fake device needs.
 */
#ifndef WEIR_BENCH_ENGINE_CIRCUIT_H
#define WEIR_BENCH_ENGINE_CIRCUIT_H

#include "bench/fake_device.h"
#include "bench/memory_key.h"
#include "circuit/porep_circuit.h"
#include "engine/proof_job.h"

typedef struct weir_bench_circuit {
    weir_relation *rel;
    weir_memory_key made;  /* whole key */
    weir_known_vk known;   /* or verifying part only */
    weir_key_maker *maker; /* or exponents, of which a device makes the points */
    weir_vk vk;            /* with them */
    weir_pkey key;
    weir_pvk *pvk;
    const weir_registered_porep *registered; /* NULL: mixed */
    weir_porep_filler *filler;
    weir_slabs *inputs; /* of PoReps */
    unsigned partitions, challenges;
    /* NULL: a sample goes into the engine as it is; else what this makes of it, which the engine is to read. *out: of weir_malloc. Set by
     * the caller before requests are made. */
    weir_err (*document)(uint8_t **out, size_t *n, const weir_porep_input *in, weir_errinfo *ei);
} weir_bench_circuit;

enum { WEIR_BENCH_MIXED_MIN_LOG2 = 3, WEIR_BENCH_MIXED_MAX_LOG2 = 26 };

/* Relations. In: a zeroed struct, which does not move afterwards and must be cleared after an error too. mixed: 2^log2_rows rows;
 * one partition, of which the caller may make more before requests are made.
 * porep: challenges 0: the shape's; partitions: of each job, 1 to those of the registered proof. Errors: WEIR_E_NOMEM; those of
 * weir_porep_relation. */
weir_err weir_bench_circuit_mixed(weir_bench_circuit *c, unsigned log2_rows,
                                  weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_bench_circuit_porep(weir_bench_circuit *c, const weir_registered_porep *registered,
                                  unsigned challenges, unsigned partitions,
                                  weir_errinfo *ei) WEIR_MUST_USE;
/* Then the key. whole: all its points; else the verifying part alone. Errors: those of weir_key_make. */
weir_err weir_bench_circuit_key(weir_bench_circuit *c, bool whole, const weir_exec *x,
                                weir_errinfo *ei) WEIR_MUST_USE;
/* Or a key by its exponents, for devices that make the points themselves; others would make them anew for each proof. Errors: those of
 * weir_key_maker_new. */
weir_err weir_bench_circuit_exponents(weir_bench_circuit *c, const weir_exec *x,
                                      weir_errinfo *ei) WEIR_MUST_USE;
/* Gives back their memory. In: all sessions that the circuit will have are open, and keep the key where they are. */
void weir_bench_circuit_drop_exponents(weir_bench_circuit *c);
void weir_bench_circuit_clear(weir_bench_circuit *c);

/* What one job proves, made from its seed: other values for each seed. */
typedef struct weir_bench_request weir_bench_request;
weir_err weir_bench_request_new(weir_bench_request **out, const weir_bench_circuit *c,
                                uint64_t seed, weir_errinfo *ei) WEIR_MUST_USE;
void weir_bench_request_free(weir_bench_request *r); /* NULL is allowed */
weir_proof_source weir_bench_request_source(weir_bench_request *r);
/* Does the verifying key accept these proofs for the request's public inputs? bytes: WEIR_PROOF_BYTES a partition. */
weir_err weir_bench_request_accepts(bool *valid, weir_bench_request *r, const uint8_t *bytes,
                                    size_t n_bytes, const weir_exec *x,
                                    weir_errinfo *ei) WEIR_MUST_USE;

#endif
