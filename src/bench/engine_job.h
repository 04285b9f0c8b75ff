/* One job of a bench or a test, from its request to its checked bytes. */
#ifndef WEIR_BENCH_ENGINE_JOB_H
#define WEIR_BENCH_ENGINE_JOB_H

#include "bench/engine_circuit.h"
#include "engine/proof_job.h"

typedef struct weir_bench_job {
    weir_bench_request *request;
    weir_proof_job *job;
    uint64_t id; /* 0: not submitted */
} weir_bench_job;

/* In: a zeroed struct, to be cleared after an error too. Keeps: circuit, kind. Errors: those of weir_bench_request_new. */
weir_err weir_bench_job_new(weir_bench_job *j, const weir_bench_circuit *circuit,
                            weir_proof_kind *kind, uint64_t seed, weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_bench_job_submit(weir_bench_job *j, weir_engine *e, weir_job_class job_class,
                               weir_errinfo *ei) WEIR_MUST_USE;
/* In: it is DONE. Are its bytes proofs of what was asked for? Errors: WEIR_E_BAD_PROOF: they are not; WEIR_E_NOMEM. */
weir_err weir_bench_job_check(weir_bench_job *j, const weir_exec *x,
                              weir_errinfo *ei) WEIR_MUST_USE;
/* The engine's record goes, what was made stays. In: it has ended. */
void weir_bench_job_forget(weir_bench_job *j, weir_engine *e);
/* The same request again, as a new job. In: it has ended. */
weir_err weir_bench_job_again(weir_bench_job *j, weir_engine *e, weir_proof_kind *kind,
                              weir_errinfo *ei) WEIR_MUST_USE;
/* Cancels it if it has not ended, and waits for its end. */
void weir_bench_job_clear(weir_bench_job *j, weir_engine *e);

#endif
