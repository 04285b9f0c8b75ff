#include "bench/engine_urgent.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "bench/rand.h"

#include <stdlib.h>
#include <time.h>

/* How often the load is looked after. */
#define LOOK_NS ((uint64_t)5000000)

typedef struct urgent {
    weir_load *load;
    const weir_urgent_setup *setup;
    weir_urgent_result *out;
    weir_engine *engine;
    weir_proof_kind *own, *kind; /* own: made here, may be NULL; kind: of critical jobs */
    weir_bench_job *busy, critical;
    weir_bench_rand rand;
    weir_errinfo *ei;
} urgent;

/* ---- opening */

static weir_err open_kind(urgent *u)
{
    const weir_urgent_setup *s = u->setup;
    u->kind = weir_load_kind(u->load);
    if (!s->circuit) return WEIR_OK;
    weir_proof_kind_config config = {.rel = s->circuit->rel,
                                     .key = &s->circuit->key,
                                     .pvk = s->circuit->pvk,
                                     .group = WEIR_LOAD_GROUP + 1};
    for (uint32_t d = 0; d < weir_load_setup_of(u->load)->devices; d++) {
        config.backend[d] = s->device[d];
        config.budget_bytes[d] = s->budget_bytes[d];
    }
    WEIR_TRY(weir_load_kind_new(u->load, &u->own, &config, u->ei));
    u->kind = u->own;
    return WEIR_OK;
}

static weir_err make_jobs(urgent *u)
{
    const weir_urgent_setup *s = u->setup;
    const weir_bench_circuit *c = weir_load_setup_of(u->load)->circuit;
    for (uint32_t i = 0; i < s->load_jobs; i++)
        WEIR_TRY(weir_bench_job_new(&u->busy[i], c, weir_load_kind(u->load), s->seed + i, u->ei));
    return weir_bench_job_new(&u->critical, s->circuit ? s->circuit : c, u->kind,
                              s->seed + s->load_jobs, u->ei);
}

static void close_all(urgent *u)
{
    weir_bench_job_clear(&u->critical, u->engine);
    for (uint32_t i = 0; i < u->setup->load_jobs; i++) weir_engine_cancel(u->engine, u->busy[i].id);
    for (uint32_t i = 0; i < u->setup->load_jobs; i++) weir_bench_job_clear(&u->busy[i], u->engine);
    weir_free(u->busy);
    weir_proof_kind_free(u->own);
}

static uint64_t pauses(const urgent *u)
{
    uint64_t all = 0;
    for (uint32_t d = 0; d < weir_load_setup_of(u->load)->devices; d++) {
        weir_device_report r;
        weir_engine_device(u->engine, d, &r);
        all += r.pauses;
    }
    return all;
}

/* ---- the load */

static weir_err check_ended(urgent *u, weir_bench_job *j, const weir_job_report *r,
                            const char *which)
{
    weir_err err = r->err;
    if (r->state == WEIR_JOB_DONE)
        err = weir_bench_job_check(j, weir_load_exec(u->load), u->ei);
    else
        *u->ei = r->ei;
    if (err != WEIR_OK) weir_errinfo_prefix(u->ei, "a job %s: ", which);
    return err;
}

static weir_err submit_load(urgent *u, weir_bench_job *j)
{
    return weir_bench_job_submit(j, u->engine, WEIR_CLASS_NORMAL, u->ei);
}

/* Those that have ended come again. */
static weir_err keep_load(urgent *u)
{
    for (uint32_t i = 0; i < u->setup->load_jobs; i++) {
        weir_bench_job *j = &u->busy[i];
        weir_job_report r;
        if (!weir_engine_report(u->engine, j->id, &r) || !weir_job_has_ended(r.state)) continue;
        WEIR_TRY(check_ended(u, j, &r, "of the load"));
        u->out->load_ended++;
        WEIR_TRY(weir_bench_job_again(j, u->engine, weir_load_kind(u->load), u->ei));
        WEIR_TRY(submit_load(u, j));
    }
    return WEIR_OK;
}

static void sleep_ns(uint64_t ns)
{
    const struct timespec t = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    nanosleep(&t, NULL);
}

/* An error if it has waited too long for a device. */
static weir_err check_starved(const urgent *u, const weir_job_report *r, const char *which)
{
    const uint64_t ms = u->setup->timeout_ms ? u->setup->timeout_ms : WEIR_URGENT_TIMEOUT_MS;
    if (r->started_ns > 0 || weir_job_has_ended(r->state)) return WEIR_OK;
    if (weir_now_ns() - r->submitted_ns < ms * 1000000u) return WEIR_OK;
    return weir_fail(u->ei, WEIR_E_INTERNAL,
                     "no device began a job %s within %llu ms of its submission: it is %s, with %u "
                     "jobs of the load in the engine, of which %llu ended meanwhile",
                     which, (unsigned long long)ms, weir_job_state_names[r->state],
                     u->setup->load_jobs, (unsigned long long)u->out->load_ended);
}

static weir_err begin_load(urgent *u)
{
    weir_job_report r;
    for (uint32_t i = 0; i < u->setup->load_jobs; i++) WEIR_TRY(submit_load(u, &u->busy[i]));
    while (u->setup->load_jobs > 0 && weir_engine_report(u->engine, u->busy[0].id, &r) &&
           r.started_ns == 0 && !weir_job_has_ended(r.state)) {
        WEIR_TRY(check_starved(u, &r, "of the load"));
        sleep_ns(LOOK_NS);
    }
    return WEIR_OK;
}

/* ---- critical jobs */

static weir_err pass_time(urgent *u, uint64_t ns)
{
    const uint64_t until = weir_now_ns() + ns;
    for (uint64_t now; (now = weir_now_ns()) < until;) {
        WEIR_TRY(keep_load(u));
        sleep_ns(until - now < LOOK_NS ? until - now : LOOK_NS);
    }
    return WEIR_OK;
}

static weir_err wait_critical(urgent *u, weir_job_report *r)
{
    do {
        WEIR_TRY(keep_load(u));
        (void)weir_engine_wait(u->engine, u->critical.id, LOOK_NS, r);
        WEIR_TRY(check_starved(u, r, "that is critical"));
    } while (!weir_job_has_ended(r->state));
    return WEIR_OK;
}

static weir_err one_critical(urgent *u)
{
    weir_urgent_result *out = u->out;
    weir_job_report r;
    WEIR_TRY(pass_time(u, weir_bench_rand_u64(&u->rand) %
                              ((uint64_t)u->setup->pause_ms * 1000000u + 1)));
    if (u->critical.id) WEIR_TRY(weir_bench_job_again(&u->critical, u->engine, u->kind, u->ei));
    WEIR_TRY(weir_bench_job_submit(&u->critical, u->engine, WEIR_CLASS_CRITICAL, u->ei));
    WEIR_TRY(wait_critical(u, &r));
    WEIR_TRY(check_ended(u, &u->critical, &r, "that was critical"));
    out->start_ns[out->jobs] = (double)(r.started_ns - r.submitted_ns);
    out->job_ns[out->jobs++] = (double)(r.ended_ns - r.submitted_ns);
    out->repaired += r.repaired;
    return WEIR_OK;
}

static weir_err drive(urgent *u, bool (*progress)(void *ctx, uint32_t done, uint32_t of), void *ctx)
{
    const uint64_t before = pauses(u);
    weir_err err;
    u->out->begin_ns = weir_now_ns();
    WEIR_TRY_GOTO(begin_load(u));
    for (uint32_t i = 0; i < u->setup->jobs; i++) {
        WEIR_TRY_GOTO(one_critical(u));
        if (progress && !progress(ctx, i + 1, u->setup->jobs)) {
            err = weir_fail(u->ei, WEIR_E_CANCELLED, "stopped");
            break;
        }
    }
out:
    u->out->end_ns = weir_now_ns();
    u->out->pauses = pauses(u) - before;
    return err;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

weir_err weir_urgent_run(weir_load *l, weir_urgent_result *out, const weir_urgent_setup *setup,
                         bool (*progress)(void *ctx, uint32_t done, uint32_t of), void *ctx,
                         weir_errinfo *ei)
{
    urgent u = {.load = l,
                .setup = setup,
                .out = out,
                .engine = weir_load_engine(l),
                .rand = {setup->seed},
                .ei = ei};
    weir_err err;
    *out = (weir_urgent_result){.start_ns = weir_calloc(setup->jobs, sizeof *out->start_ns),
                                .job_ns = weir_calloc(setup->jobs, sizeof *out->job_ns)};
    u.busy = weir_calloc(setup->load_jobs, sizeof *u.busy);
    if (!out->start_ns || !out->job_ns || !u.busy) {
        weir_free(u.busy);
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for %u jobs", setup->jobs);
    }
    WEIR_TRY_GOTO(open_kind(&u));
    WEIR_TRY_GOTO(make_jobs(&u));
    WEIR_TRY_GOTO(drive(&u, progress, ctx));
    qsort(out->start_ns, out->jobs, sizeof *out->start_ns, by_value);
    qsort(out->job_ns, out->jobs, sizeof *out->job_ns, by_value);
out:
    close_all(&u);
    return err;
}

void weir_urgent_result_clear(weir_urgent_result *r)
{
    weir_free(r->start_ns);
    weir_free(r->job_ns);
    *r = (weir_urgent_result){0};
}
