/* An engine, slabs and one kind of proofs, to be opened and closed while things fail; and jobs whose stages are counted. */
#ifndef WEIR_TEST_PROOF_RIG_H
#define WEIR_TEST_PROOF_RIG_H

#include "bench/engine_circuit.h"
#include "engine/proof_job.h"

#include <stdatomic.h>

/* Checking builds and sanitizers are ten times as slow: numbers of cases go down there. */
#if defined(WEIR_VERIFY) || defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { RIG_SLOW = 1 };
#else
enum { RIG_SLOW = 0 };
#endif

#define RIG_SEC ((uint64_t)1000000000)

typedef struct proof_rig_setup {
    const weir_bench_circuit *circuit;
    const weir_pkey *key; /* NULL: the circuit's */
    const weir_backend *backend[2];
    uint32_t devices, aside, attempts, device_threads;
    bool cold; /* the key was on device 0, and has made room for another */
} proof_rig_setup;

typedef struct proof_rig {
    const weir_bench_circuit *circuit;
    weir_slabs *slabs;
    weir_engine *e;
    weir_key_cache *cache; /* of a cold key */
    weir_proof_kind *kind;
    uint64_t lasting; /* bytes of the sessions */
    weir_exec x;
} proof_rig;

/* Needs to be closed after an error too. */
weir_err proof_rig_open(proof_rig *r, const proof_rig_setup *s, weir_errinfo *ei) WEIR_MUST_USE;
/* Fails the test if bytes of jobs are held. */
void proof_rig_no_bytes_held(const proof_rig *r);
/* The same of all bytes, once the sessions are closed. */
void proof_rig_close(proof_rig *r);

typedef struct rig_job {
    weir_bench_request *request;
    weir_proof_job *job;
    uint64_t id;
    atomic_uint fills, releases, joins;
} rig_job;

/* In: a zeroed struct. Needs to be cleared after an error too. */
weir_err rig_job_submit(rig_job *j, proof_rig *r, uint64_t seed, weir_errinfo *ei) WEIR_MUST_USE;
/* Fails the test if it does not end within a minute, or not properly: what was filled was released; joined once if it is DONE; a
 * text if it FAILED. */
weir_job_report rig_job_ended(rig_job *j, proof_rig *r);
/* Fails the test if it is DONE and its proof is wrong. In: it has ended, or was not submitted. */
void rig_job_clear(rig_job *j, proof_rig *r);

#endif
