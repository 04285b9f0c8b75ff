#include "bench/engine_load.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "compute/hybrid_backend.h"
#include "compute/known_answer.h"

#include <stdlib.h>
#include <string.h>

const char *const weir_load_stage_names[WEIR_LOAD_STAGES] = {"fill", "rows", "ntt",   "msm",
                                                             "g2",   "step", "finish"};

struct weir_load {
    weir_load_setup setup;
    weir_gate *gate;
    weir_slabs_config slabs;
    weir_engine *engine;
    weir_proof_kind *kind;
    weir_exec x;
    weir_pool *makers; /* of sessions and of requests, at times that are not measured */
    /* with cpu_terms: what stands in front of each device */
    weir_hybrid hybrid[WEIR_ENGINE_MAX_DEVICES];
    weir_backend front[WEIR_ENGINE_MAX_DEVICES];
    weir_pool *cpu_pool[WEIR_ENGINE_MAX_DEVICES];
    weir_slabs *cpu_slabs[WEIR_ENGINE_MAX_DEVICES];
};

/* ---- opening */

/* On the device's thread, after it erred. */
static weir_err check_device(void *ctx, uint32_t device, const weir_exec *x, weir_errinfo *ei)
{
    const weir_load *l = ctx;
    return weir_backend_known_answer(l->setup.device[device], x, ei);
}

static weir_err open_engine(weir_load *l, weir_errinfo *ei)
{
    const weir_load_setup *s = &l->setup;
    const weir_engine_config config = {.devices = s->devices,
                                       .fill_workers = s->fill_workers,
                                       .ahead = s->ahead,
                                       .strikes = s->strikes,
                                       .attempts = s->attempts,
                                       .age_ns = UINT64_C(600000000000),
                                       .limit = s->limit,
                                       .fill_threads = s->fill_threads,
                                       .device_threads = s->device_threads,
                                       .slabs = l->slabs,
                                       .exec = l->x,
                                       .trace = s->trace,
                                       .topology = s->topology,
                                       .cpu_devices = s->cpu_devices,
                                       .check = s->check ? check_device : NULL,
                                       .check_ctx = l};
    return weir_engine_new(&l->engine, &config, ei);
}

/* The CPU's part of each device's proofs has threads of its own. */
static weir_err open_hybrids(weir_load *l, weir_errinfo *ei)
{
    const weir_load_setup *s = &l->setup;
    for (uint32_t d = 0; d < s->devices; d++) {
        WEIR_TRY(weir_pool_new(&l->cpu_pool[d], s->cpu_threads, ei));
        weir_exec cpu = l->x;
        WEIR_TRY(weir_slabs_new(&l->cpu_slabs[d], &l->slabs, ei));
        cpu.pool = l->cpu_pool[d];
        cpu.slabs = l->cpu_slabs[d];
        WEIR_TRY(
            weir_hybrid_init(&l->front[d], &l->hybrid[d], s->device[d], &cpu, s->cpu_terms, ei));
    }
    return WEIR_OK;
}

weir_err weir_load_kind_new(weir_load *l, weir_proof_kind **out, weir_proof_kind_config *config,
                            weir_errinfo *ei)
{
    *out = NULL;
    config->engine = l->engine;
    config->exec = l->x;
    config->exec.pool = l->makers;
    return weir_proof_kind_new(out, config, ei);
}

static weir_err open_kind(weir_load *l, weir_errinfo *ei)
{
    const weir_load_setup *s = &l->setup;
    weir_proof_kind_config config = {.rel = s->circuit->rel,
                                     .key = &s->circuit->key,
                                     .pvk = s->circuit->pvk,
                                     .group = WEIR_LOAD_GROUP};
    for (uint32_t d = 0; d < s->devices; d++) {
        config.backend[d] = s->cpu_terms ? &l->front[d] : s->device[d];
        config.budget_bytes[d] = s->budget_bytes[d];
    }
    return weir_load_kind_new(l, &l->kind, &config, ei);
}

weir_err weir_load_open(weir_load **out, const weir_load_setup *setup, weir_errinfo *ei)
{
    *out = NULL;
    weir_load *l = weir_calloc(1, sizeof *l);
    if (!l) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a load");
    l->setup = *setup;
    weir_err err;
    WEIR_TRY_GOTO(weir_gate_new(&l->gate, setup->gate_credits, setup->gate, ei));
    WEIR_TRY_GOTO(weir_pool_new(&l->makers, setup->gate_credits, ei));
    l->slabs = (weir_slabs_config){.reclaim = setup->reclaim,
                                   .reserve = setup->slabs_reserve,
                                   .gate = setup->reclaim == WEIR_RECLAIM_SERIAL ? l->gate : NULL};
    l->x = (weir_exec){.isa = setup->isa, .gate = l->gate};
    WEIR_TRY_GOTO(open_engine(l, ei));
    if (setup->cpu_terms) WEIR_TRY_GOTO(open_hybrids(l, ei));
    WEIR_TRY_GOTO(open_kind(l, ei));
out:
    if (err == WEIR_OK)
        *out = l;
    else
        weir_load_close(l);
    return err;
}

void weir_load_close(weir_load *l)
{
    if (!l) return;
    weir_proof_kind_free(l->kind);
    weir_engine_free(l->engine);
    for (uint32_t d = 0; d < WEIR_ENGINE_MAX_DEVICES; d++) {
        weir_hybrid_clear(&l->hybrid[d]);
        weir_pool_free(l->cpu_pool[d]);
        weir_slabs_free(l->cpu_slabs[d]);
    }
    weir_pool_free(l->makers);
    weir_gate_free(l->gate);
    weir_free(l);
}

weir_engine *weir_load_engine(weir_load *l)
{
    return l->engine;
}

weir_proof_kind *weir_load_kind(weir_load *l)
{
    return l->kind;
}

const weir_load_setup *weir_load_setup_of(const weir_load *l)
{
    return &l->setup;
}

const weir_exec *weir_load_exec(const weir_load *l)
{
    return &l->x;
}

/* ---- a run */

typedef struct making {
    weir_load *l;
    weir_bench_job *job;
    uint64_t seed;
} making;

static void make_task(void *ctx, size_t i, unsigned worker)
{
    const making *m = ctx;
    weir_load *l = m->l;
    (void)worker;
    if (weir_bench_job_new(&m->job[i], l->setup.circuit, l->kind, m->seed + i, NULL) != WEIR_OK)
        weir_bench_job_clear(&m->job[i], l->engine);
}

/* Side by side; what fails is tried again, for its message. */
static weir_err make_jobs(weir_load *l, weir_bench_job *job, uint32_t n, uint64_t seed,
                          weir_errinfo *ei)
{
    making m = {.l = l, .job = job, .seed = seed};
    weir_pool_run(l->makers, n, make_task, &m);
    for (uint32_t i = 0; i < n; i++)
        if (!job[i].job)
            WEIR_TRY(weir_bench_job_new(&job[i], l->setup.circuit, l->kind, seed + i, ei));
    return WEIR_OK;
}

static void clear_jobs(weir_load *l, weir_bench_job *job, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) weir_bench_job_clear(&job[i], l->engine);
    weir_free(job);
}

/* Times of a job's partitions, at place `at` and behind it. */
static void keep_stages(weir_load_result *out, uint32_t at, const weir_bench_job *j, uint32_t parts)
{
    for (uint32_t k = 0; k < parts; k++) {
        const weir_proof_part_stats *s = weir_proof_job_stats(j->job, k);
        const uint64_t ns[WEIR_LOAD_STAGES] = {
            s->fill_ns,     s->sums.eval_ns,
            s->sums.ntt_ns, s->sums.h_ns + s->sums.l_ns + s->sums.a_ns + s->sums.b1_ns,
            s->sums.b2_ns,  s->device_ns,
            s->finish_ns};
        for (int i = 0; i < WEIR_LOAD_STAGES; i++) out->stage_ns[i][at + k] = (double)ns[i];
        if (s->sums.up_bytes > out->up_bytes) out->up_bytes = s->sums.up_bytes;
        if (s->sums.down_bytes > out->down_bytes) out->down_bytes = s->sums.down_bytes;
    }
}

/* Jobs end in about the order in which they came, so waiting for the oldest keeps the engine full but for moments. */
static weir_err drive(weir_load *l, weir_load_result *out, weir_bench_job *job,
                      bool (*progress)(void *ctx, uint32_t done, uint32_t of), void *ctx,
                      weir_errinfo *ei)
{
    uint32_t submitted = 0;
    for (uint32_t done = 0; done < out->jobs; done++) {
        weir_job_report r;
        for (; submitted < out->jobs && submitted < done + out->concurrency; submitted++)
            WEIR_TRY(weir_bench_job_submit(&job[submitted], l->engine, WEIR_CLASS_NORMAL, ei));
        (void)weir_engine_wait(l->engine, job[done].id, UINT64_MAX, &r);
        if (r.state != WEIR_JOB_DONE) {
            *ei = r.ei;
            weir_errinfo_prefix(ei, "job %u: ", done);
            return r.err;
        }
        out->repaired += r.repaired;
        out->job_ns[done] = (double)(r.ended_ns - r.submitted_ns);
        keep_stages(out, out->partitions, &job[done], r.partitions);
        out->partitions += r.partitions;
        weir_bench_job_forget(&job[done], l->engine);
        if (progress && !progress(ctx, done + 1, out->jobs))
            return weir_fail(ei, WEIR_E_CANCELLED, "stopped");
    }
    return WEIR_OK;
}

static weir_err check_bytes(weir_load *l, weir_bench_job *job, uint32_t n, weir_errinfo *ei)
{
    for (uint32_t i = 0; i < n; i++) {
        weir_err err = weir_bench_job_check(&job[i], &l->x, ei);
        if (err != WEIR_OK) weir_errinfo_prefix(ei, "job %u: ", i);
        WEIR_TRY(err);
    }
    return WEIR_OK;
}

/* The engine's, and those of the CPU's parts. */
static void count_slabs(weir_load *l, weir_slabs_stats *out)
{
    weir_engine_slabs(l->engine, out);
    for (uint32_t d = 0; d < WEIR_ENGINE_MAX_DEVICES; d++) {
        weir_slabs_stats s;
        if (!l->cpu_slabs[d]) continue;
        weir_slabs_count(l->cpu_slabs[d], &s);
        out->maps += s.maps;
        out->unmaps += s.unmaps;
        out->threads += s.threads;
    }
}

static weir_slabs_stats slabs_since(const weir_slabs_stats *before, const weir_slabs_stats *after)
{
    return (weir_slabs_stats){.mapped = after->mapped,
                              .used = after->used,
                              .maps = after->maps - before->maps,
                              .unmaps = after->unmaps - before->unmaps,
                              .threads = after->threads - before->threads,
                              .reclaimed = after->reclaimed - before->reclaimed,
                              .queued_most = after->queued_most};
}

static weir_gate_stats gate_since(const weir_gate_stats *before, const weir_gate_stats *after)
{
    return (weir_gate_stats){.entered = after->entered - before->entered,
                             .waited = after->waited - before->waited,
                             .waited_ns = after->waited_ns - before->waited_ns,
                             .closed = after->closed - before->closed,
                             .closed_ns = after->closed_ns - before->closed_ns};
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void sort_all(weir_load_result *r)
{
    for (int i = 0; i < WEIR_LOAD_STAGES; i++)
        qsort(r->stage_ns[i], r->partitions, sizeof *r->stage_ns[i], by_value);
    qsort(r->job_ns, r->jobs, sizeof *r->job_ns, by_value);
}

/* Between two looks at all counters. */
static weir_err measure(weir_load *l, weir_load_result *out, weir_bench_job *job,
                        bool (*progress)(void *ctx, uint32_t done, uint32_t of), void *ctx,
                        weir_errinfo *ei)
{
    weir_proc p0, p1;
    weir_slabs_stats s0, s1;
    weir_gate_stats g0, g1;
    count_slabs(l, &s0);
    weir_gate_count(l->gate, &g0);
    weir_proc_read(&p0);
    out->begin_ns = weir_now_ns();
    weir_err err = drive(l, out, job, progress, ctx, ei);
    out->end_ns = weir_now_ns();
    out->wall_ns = out->end_ns - out->begin_ns;
    weir_proc_read(&p1);
    weir_gate_count(l->gate, &g1);
    count_slabs(l, &s1);
    out->proc = weir_proc_since(&p0, &p1);
    out->slabs = slabs_since(&s0, &s1);
    out->gate = gate_since(&g0, &g1);
    return err;
}

weir_err weir_load_run(weir_load *l, weir_load_result *out, uint32_t jobs, uint32_t concurrency,
                       uint64_t seed, bool (*progress)(void *ctx, uint32_t done, uint32_t of),
                       void *ctx, weir_errinfo *ei)
{
    size_t parts = (size_t)jobs * l->setup.circuit->partitions;
    weir_bench_job *job = weir_calloc(jobs, sizeof *job);
    bool good = job != NULL;
    weir_err err;
    *out = (weir_load_result){.jobs = jobs, .concurrency = concurrency};
    out->job_ns = weir_calloc(jobs, sizeof *out->job_ns);
    for (int i = 0; i < WEIR_LOAD_STAGES; i++) {
        out->stage_ns[i] = weir_calloc(parts, sizeof *out->stage_ns[i]);
        good = good && out->stage_ns[i];
    }
    if (!good || !out->job_ns) {
        weir_free(job);
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for %u jobs", jobs);
    }
    WEIR_TRY_GOTO(make_jobs(l, job, jobs, seed, ei));
    WEIR_TRY_GOTO(measure(l, out, job, progress, ctx, ei));
    WEIR_TRY_GOTO(check_bytes(l, job, jobs, ei));
    sort_all(out);
out:
    clear_jobs(l, job, jobs);
    return err;
}

static weir_err append(double **to, uint32_t n, const double *more, uint32_t m, weir_errinfo *ei)
{
    double *all = weir_realloc(*to, (size_t)n + m, sizeof *all);
    if (!all) return weir_fail(ei, WEIR_E_NOMEM, "no memory for the times of %u runs", n + m);
    memcpy(all + n, more, m * sizeof *all);
    *to = all;
    return WEIR_OK;
}

weir_err weir_load_result_add(weir_load_result *out, const weir_load_result *more, weir_errinfo *ei)
{
    WEIR_TRY(append(&out->job_ns, out->jobs, more->job_ns, more->jobs, ei));
    for (int i = 0; i < WEIR_LOAD_STAGES; i++)
        WEIR_TRY(
            append(&out->stage_ns[i], out->partitions, more->stage_ns[i], more->partitions, ei));
    out->jobs += more->jobs;
    out->partitions += more->partitions;
    out->wall_ns += more->wall_ns;
    sort_all(out);
    return WEIR_OK;
}

void weir_load_result_clear(weir_load_result *r)
{
    for (int i = 0; i < WEIR_LOAD_STAGES; i++) weir_free(r->stage_ns[i]);
    weir_free(r->job_ns);
    *r = (weir_load_result){0};
}
