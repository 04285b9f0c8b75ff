/* Many jobs through an engine, and what became of them: one way of working (a setup) measured alone and under load. */
#ifndef WEIR_BENCH_ENGINE_LOAD_H
#define WEIR_BENCH_ENGINE_LOAD_H

#include "bench/engine_job.h"
#include "bench/proc.h"
#include "engine/engine.h"

/* The ways of working that are compared. */
typedef struct weir_load_setup {
    const weir_bench_circuit *circuit;
    const weir_backend *device[WEIR_ENGINE_MAX_DEVICES]; /* of each of the engine's devices */
    uint64_t budget_bytes[WEIR_ENGINE_MAX_DEVICES];
    uint32_t devices;
    uint32_t fill_workers, fill_threads;
    uint32_t ahead; /* as in weir_engine_config */
    uint32_t
        device_threads; /* of a device's worker: a CPU's does all with them, a GPU's packs and joins */
    uint32_t
        cpu_terms; /* of each proof (weir_term) that the CPU adds up beside the device; 0: none */
    uint32_t cpu_threads; /* for these */
    uint32_t attempts, strikes;
    bool
        check; /* a device that erred must give a known answer before it goes on; not for fake ones */
    weir_reclaim reclaim;
    size_t slabs_reserve; /* of POOL: bytes that are mapped at once; 0: as they are asked for */
    bool gate;
    uint32_t gate_credits;
    weir_isa isa;
    weir_bytes limit;
    weir_trace *trace;             /* may be NULL */
    const weir_topology *topology; /* may be NULL */
    uint32_t cpu_devices;          /* as in weir_engine_config */
} weir_load_setup;

typedef struct weir_load weir_load;

/* Engine, sessions, slabs and gate. Keeps: what setup points to. Errors: those of weir_engine_new and weir_proof_kind_new. */
weir_err weir_load_open(weir_load **out, const weir_load_setup *setup,
                        weir_errinfo *ei) WEIR_MUST_USE;
void weir_load_close(weir_load *l); /* NULL is allowed */
weir_engine *weir_load_engine(weir_load *l);
weir_proof_kind *weir_load_kind(weir_load *l);
const weir_load_setup *weir_load_setup_of(const weir_load *l);
/* Slabs, gate and path of all that runs in it; no pool. */
const weir_exec *weir_load_exec(const weir_load *l);
/* Sessions for another circuit on its engine. rel, key, pvk, backends, budgets and group are the caller's; the rest is set. */
weir_err weir_load_kind_new(weir_load *l, weir_proof_kind **out, weir_proof_kind_config *config,
                            weir_errinfo *ei) WEIR_MUST_USE;
enum { WEIR_LOAD_GROUP = 1 }; /* of the load's own kind */

/* What is timed of each partition, in ns. */
typedef enum weir_load_stage {
    WEIR_LOAD_FILL,
    WEIR_LOAD_ROWS,   /* rows of A and B */
    WEIR_LOAD_NTT,    /* transforms */
    WEIR_LOAD_MSM,    /* sums in G1 */
    WEIR_LOAD_G2,     /* the sum in G2 */
    WEIR_LOAD_STEP,   /* all that the device's stage takes */
    WEIR_LOAD_FINISH, /* assembly and verification */
    WEIR_LOAD_STAGES
} weir_load_stage;
extern const char *const weir_load_stage_names[WEIR_LOAD_STAGES];

typedef struct weir_load_result {
    uint32_t jobs, partitions, concurrency;
    uint64_t wall_ns; /* from the first submission to the last end */
    uint64_t repaired;
    double *stage_ns[WEIR_LOAD_STAGES]; /* of each partition, sorted */
    double *job_ns;                     /* of each job, from submission to end, sorted */
    uint64_t up_bytes, down_bytes;      /* to and from devices, of the partition that moved most */
    weir_proc proc;
    weir_slabs_stats slabs; /* during the run; mapped and used: at its end */
    weir_gate_stats gate;
    uint64_t begin_ns, end_ns; /* when it was, for the trace */
} weir_load_result;

/* So many jobs, at most `concurrency` of them in the engine at one time, each with values of its own from seed, seed + 1, ... Requests
 * are made before the clock starts, on as many threads as the gate has credits. Every proof is verified by the engine, and once more afterwards from its bytes. progress: called
 * when a job has ended; may be NULL; false stops the run (WEIR_E_CANCELLED). The result is to be cleared, after an error too.
 * Errors: a job's own; WEIR_E_NOMEM; WEIR_E_BAD_PROOF if a proof that left the engine is not valid. */
weir_err weir_load_run(weir_load *l, weir_load_result *out, uint32_t jobs, uint32_t concurrency,
                       uint64_t seed, bool (*progress)(void *ctx, uint32_t done, uint32_t of),
                       void *ctx, weir_errinfo *ei) WEIR_MUST_USE;
/* out, of a run of which only times are wanted, gets those of another. Errors: WEIR_E_NOMEM; out is as it was. */
weir_err weir_load_result_add(weir_load_result *out, const weir_load_result *more,
                              weir_errinfo *ei) WEIR_MUST_USE;
void weir_load_result_clear(weir_load_result *r);

#endif
