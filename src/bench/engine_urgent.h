/* Critical jobs while an engine is under load: how long each one waits until a device works on it. */
#ifndef WEIR_BENCH_ENGINE_URGENT_H
#define WEIR_BENCH_ENGINE_URGENT_H

#include "bench/engine_load.h"

enum { WEIR_URGENT_TIMEOUT_MS = 60000 };

typedef struct weir_urgent_setup {
    const weir_bench_circuit
        *circuit; /* of the critical jobs, which are a kind and group of their own; NULL: they are
                                          of the load's kind, and wait for its partition in progress */
    const weir_backend *device
        [WEIR_ENGINE_MAX_DEVICES]; /* for that circuit, of each of the engine's devices; NULL: none */
    uint64_t budget_bytes[WEIR_ENGINE_MAX_DEVICES];
    uint32_t jobs;      /* critical ones, one after another */
    uint32_t load_jobs; /* of the load's circuit that are in the engine all the time */
    uint32_t pause_ms;  /* from a critical job's end to the next one: 0 to so much, by chance */
    uint64_t seed;      /* of chance, and of what is proved */
    uint32_t
        timeout_ms; /* of a job that no device begins: then the run fails; 0: WEIR_URGENT_TIMEOUT_MS */
} weir_urgent_setup;

typedef struct weir_urgent_result {
    uint32_t jobs;             /* critical ones that ended */
    double *start_ns, *job_ns; /* of each: from submission to a device, and to its end; sorted */
    uint64_t load_ended;       /* jobs of the load that ended meanwhile */
    uint64_t pauses, repaired; /* of all devices; of critical jobs */
    uint64_t begin_ns, end_ns; /* when it was, for the trace: from the load's start */
} weir_urgent_result;

/* Submits the critical jobs while it keeps the load's coming; the first one comes when a device works for the load. What ends is
 * verified from its bytes. One request is made for each job that is in the engine at a time, before the clock starts. progress: called when
 * a critical job has ended; may be NULL; false stops the run (WEIR_E_CANCELLED). The result is to be cleared, after an error too.
 * Errors: a job's own; WEIR_E_NOMEM; WEIR_E_BAD_PROOF; WEIR_E_INTERNAL: a job came to no device in time; those of weir_proof_kind_new. */
weir_err weir_urgent_run(weir_load *l, weir_urgent_result *out, const weir_urgent_setup *setup,
                         bool (*progress)(void *ctx, uint32_t done, uint32_t of), void *ctx,
                         weir_errinfo *ei) WEIR_MUST_USE;
void weir_urgent_result_clear(weir_urgent_result *r);

#endif
