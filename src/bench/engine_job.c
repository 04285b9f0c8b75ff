#include "bench/engine_job.h"

static weir_err make_job(weir_bench_job *j, weir_proof_kind *kind, weir_errinfo *ei)
{
    const weir_proof_source source = weir_bench_request_source(j->request);
    return weir_proof_job_new(&j->job, kind, &source, ei);
}

weir_err weir_bench_job_new(weir_bench_job *j, const weir_bench_circuit *circuit,
                            weir_proof_kind *kind, uint64_t seed, weir_errinfo *ei)
{
    WEIR_TRY(weir_bench_request_new(&j->request, circuit, seed, ei));
    return make_job(j, kind, ei);
}

weir_err weir_bench_job_submit(weir_bench_job *j, weir_engine *e, weir_job_class job_class,
                               weir_errinfo *ei)
{
    return weir_engine_submit(e, &weir_proof_job_ops, j->job, job_class, UINT64_MAX, &j->id, ei);
}

weir_err weir_bench_job_check(weir_bench_job *j, const weir_exec *x, weir_errinfo *ei)
{
    size_t size;
    bool valid;
    const uint8_t *bytes = weir_proof_job_bytes(j->job, &size);
    WEIR_TRY(weir_bench_request_accepts(&valid, j->request, bytes, size, x, ei));
    return valid ? WEIR_OK
                 : weir_fail(ei, WEIR_E_BAD_PROOF, "a proof left the engine and is wrong");
}

void weir_bench_job_forget(weir_bench_job *j, weir_engine *e)
{
    weir_engine_forget(e, j->id);
    j->id = 0;
}

/* The job goes, its request stays. */
static void end_job(weir_bench_job *j, weir_engine *e)
{
    if (j->id) {
        weir_job_report r;
        weir_engine_cancel(e, j->id);
        (void)weir_engine_wait(e, j->id, UINT64_MAX, &r);
        weir_bench_job_forget(j, e);
    }
    weir_proof_job_free(j->job);
    j->job = NULL;
}

weir_err weir_bench_job_again(weir_bench_job *j, weir_engine *e, weir_proof_kind *kind,
                              weir_errinfo *ei)
{
    end_job(j, e);
    return make_job(j, kind, ei);
}

void weir_bench_job_clear(weir_bench_job *j, weir_engine *e)
{
    end_job(j, e);
    weir_bench_request_free(j->request);
    j->request = NULL;
}
