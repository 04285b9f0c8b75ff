/* Jobs that make Groth16 proofs.
 *
 * What all jobs of one circuit share is a proof kind: relation, proving key, verifying key, and one session of a backend on each
 * device that takes it. A job is where its witnesses come from (a table of functions) and, at the end, one verified proof for each
 * partition:
 *
 *     parse ─► fill: packed witness ─► device: five sums ─► finish: blinding, assembly, verification ─► join: bytes
 *
 * A proof is verified with public inputs that the job states apart from the witness. One that is not valid is looked into: a witness
 * that breaks a row ends the job with that row (WEIR_E_UNSATISFIED); else it is the machine's fault or the key's, and the engine
 * repairs it on this device, on others, at last on the CPU. If none can, the message says which devices gave bad proofs: one points to the
 * machine, several to the key.
 */
#ifndef WEIR_ENGINE_PROOF_JOB_H
#define WEIR_ENGINE_PROOF_JOB_H

#include "compute/compute.h"
#include "engine/engine.h"
#include "engine/key_cache.h"
#include "groth16/groth16.h"
#include "relation/relation.h"

/* ---- what jobs share */

typedef struct weir_proof_kind weir_proof_kind;

typedef struct weir_proof_kind_config {
    const weir_relation *rel;
    const weir_pkey *key;
    const weir_pvk *pvk;
    const weir_backend
        *backend[WEIR_ENGINE_MAX_DEVICES];          /* of device d; NULL: it takes no such jobs */
    uint64_t budget_bytes[WEIR_ENGINE_MAX_DEVICES]; /* of its memory, as in compute.h */
    /* Who says which keys are on devices; a key may then go when others are wanted, and comes back before it is used. The cache's limit for a
     * device is that device's budget_bytes. NULL: sessions are opened at once and stay; so they do on the CPU. */
    weir_key_cache *cache;
    uint32_t load_threads; /* that bring a key back; 0: those of the device's worker */
    uint32_t
        aside; /* bit d: device d is for repairs; its session is opened for one partition at a time */
    uint32_t group; /* a number of its own among the kinds of an engine, not 0 */
    weir_engine *
        engine; /* sessions are reserved in its budget, and slabs for what runs on the CPU; NULL: not counted */
    weir_exec exec; /* for opening the sessions; its slabs are where witnesses come from */
} weir_proof_kind_config;

/* Keeps: all that config points to, until it is freed. Errors: WEIR_E_MISMATCH; WEIR_E_NOMEM with both figures; those of a backend's
 * begin. Cost: the key goes to each device. */
weir_err weir_proof_kind_new(weir_proof_kind **out, const weir_proof_kind_config *config,
                             weir_errinfo *ei) WEIR_MUST_USE;
/* Bit d: its key would have to be brought to device d first. Cost: a look; never waits for a key on its way. */
uint32_t weir_proof_kind_cold(const weir_proof_kind *k);
/* In: none of its jobs is in an engine. NULL is allowed. */
void weir_proof_kind_free(weir_proof_kind *k);
/* Bytes that one partition takes from reserve to release. */
uint64_t weir_proof_kind_part_bytes(const weir_proof_kind *k);

/* ---- a job */

/* Where the witnesses come from. ctx: until the job is freed. Called on the engine's threads; fill for several partitions side by
 * side. */
typedef struct weir_proof_source {
    void *ctx;
    /* How many partitions there are, after all checks of the input that need no circuit. */
    weir_err (*parse)(void *ctx, uint32_t *partitions, const weir_exec *x, weir_errinfo *ei);
    /* w is all zeros. */
    weir_err (*fill)(void *ctx, uint32_t part, weir_witness *w, const weir_exec *x,
                     weir_errinfo *ei);
    /* Public inputs without ONE, from what was asked for and not from the witness. */
    void (*inputs)(void *ctx, uint32_t part, weir_fr *out);
    /* What the row is about, for people; NULL: its number has to do. */
    void (*describe_row)(void *ctx, uint64_t row, char *text, size_t size);
    /* As in weir_job_need, without the partitions' bytes; and what parse took goes back. NULL: nothing. */
    void (*need)(void *ctx, weir_job_need *out);
    void (*end)(void *ctx);
    /* Fixed blinding, for tests that compare bytes; NULL: fresh for each proof, as it must be. */
    const weir_blinding *test_blinding;
} weir_proof_source;

typedef struct weir_proof_job weir_proof_job;

/* To be submitted with weir_proof_job_ops. Keeps: kind, until it is freed. Errors: WEIR_E_NOMEM. */
weir_err weir_proof_job_new(weir_proof_job **out, weir_proof_kind *kind,
                            const weir_proof_source *source, weir_errinfo *ei) WEIR_MUST_USE;
/* In: it has ended and the engine has forgotten it, or it was never submitted. NULL is allowed. */
void weir_proof_job_free(weir_proof_job *j);
extern const weir_job_ops weir_proof_job_ops;

/* In: the job is DONE. Proofs one after another, WEIR_PROOF_BYTES each; the job's own. */
const uint8_t *weir_proof_job_bytes(const weir_proof_job *j, size_t *n);

/* Time of one partition: the last attempt's. device_ns: in the device's stage, pauses included. */
typedef struct weir_proof_part_stats {
    uint64_t fill_ns, device_ns, finish_ns;
    weir_sums_stats sums;
} weir_proof_part_stats;
/* In: the job has ended. part < partitions. */
const weir_proof_part_stats *weir_proof_job_stats(const weir_proof_job *j, uint32_t part);

#endif
