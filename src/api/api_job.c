/* Jobs that were submitted: how they are, and what comes of them. */
#include "api/api_state.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "formats/proof_bytes.h"

/* ---- life */

void api_job_free(api_job *j)
{
    api_job_drop_copy(j); /* it was cancelled before it was read */
    weir_proof_job_free(j->proof);
    weir_porep_source_free(j->source);
    weir_free(j);
}

void api_job_unuse(api_job *j)
{
    libweir_engine *e = j->api;
    pthread_mutex_lock(&e->lock);
    bool last = --j->users == 0;
    pthread_mutex_unlock(&e->lock);
    if (last) api_job_free(j);
}

/* NULL: there is none; else to be given back by api_job_unuse. */
static api_job *find(libweir_engine *e, libweir_job id, libweir_error *error)
{
    pthread_mutex_lock(&e->lock);
    api_job *j = e->jobs;
    while (j && j->id != id) j = j->next;
    if (j) j->users++;
    pthread_mutex_unlock(&e->lock);
    if (!j) api_fail(error, LIBWEIR_E_USAGE, "there is no job %llu", (unsigned long long)id);
    return j;
}

/* ---- how it is */

static libweir_state state_of(weir_job_state s)
{
    switch (s) {
    case WEIR_JOB_NEW:
        return LIBWEIR_WAITING;
    case WEIR_JOB_DONE:
        return LIBWEIR_DONE;
    case WEIR_JOB_FAILED:
        return LIBWEIR_FAILED;
    case WEIR_JOB_CANCELLED:
        return LIBWEIR_CANCELLED;
    default:
        return LIBWEIR_RUNNING;
    }
}

static double seconds(uint64_t from_ns, uint64_t to_ns)
{
    return to_ns > from_ns ? (double)(to_ns - from_ns) / 1e9 : 0;
}

static libweir_code report(libweir_report *out, const api_job *j, const weir_job_report *r,
                           libweir_error *error)
{
    const bool ended = weir_job_has_ended(r->state);
    const uint64_t until = ended ? r->ended_ns : weir_now_ns();
    libweir_report full = {.state = state_of(r->state),
                           .partitions = r->partitions,
                           .done = r->done,
                           .repaired = r->repaired,
                           .queued_s =
                               seconds(r->submitted_ns, r->started_ns ? r->started_ns : until),
                           .total_s = seconds(r->submitted_ns, until)};
    if (r->state == WEIR_JOB_FAILED) full.code = (libweir_code)r->err;
    if (r->state == WEIR_JOB_CANCELLED) full.code = LIBWEIR_E_CANCELLED;
    for (uint32_t i = 0; ended && i < r->partitions; i++) {
        const weir_proof_part_stats *s = weir_proof_job_stats(j->proof, i);
        full.fill_s += (double)s->fill_ns / 1e9;
        full.device_s += (double)s->device_ns / 1e9;
        full.finish_s += (double)s->finish_ns / 1e9;
    }
    if (full.code != LIBWEIR_OK) {
        const char *text = r->ei.text[0] ? r->ei.text : weir_err_text((weir_err)full.code);
        memcpy(full.text, text, strlen(text) + 1); /* sizes are compared in api.c */
    }
    libweir_code code = api_write_struct(out, &full, sizeof full, "libweir_report", error);
    return code == LIBWEIR_OK ? api_ok(error) : code;
}

libweir_code libweir_poll(libweir_engine *e, libweir_report *out, libweir_job job,
                          libweir_error *error)
{
    weir_job_report r;
    api_job *j = find(e, job, error);
    if (!j) return LIBWEIR_E_USAGE;
    libweir_code code =
        weir_engine_report(e->engine, job, &r)
            ? report(out, j, &r, error)
            : api_fail(error, LIBWEIR_E_USAGE, "job %llu was forgotten", (unsigned long long)job);
    api_job_unuse(j);
    return code;
}

libweir_code libweir_wait(libweir_engine *e, libweir_report *out, libweir_job job, double timeout_s,
                          libweir_error *error)
{
    weir_job_report r;
    api_job *j = find(e, job, error);
    if (!j) return LIBWEIR_E_USAGE;
    libweir_code code = LIBWEIR_E_USAGE;
    if (weir_engine_wait(e->engine, job, api_ns(timeout_s), &r)) {
        code = report(out, j, &r, error);
        if (code == LIBWEIR_OK && !weir_job_has_ended(r.state))
            code = api_fail(error, LIBWEIR_E_TIMEOUT, "job %llu did not end in %g s",
                            (unsigned long long)job, timeout_s);
    } else {
        api_fail(error, code, "job %llu was forgotten", (unsigned long long)job);
    }
    api_job_unuse(j);
    return code;
}

libweir_code libweir_cancel(libweir_engine *e, libweir_job job, libweir_error *error)
{
    api_job *j = find(e, job, error);
    if (!j) return LIBWEIR_E_USAGE;
    weir_engine_cancel(e->engine, job);
    api_job_unuse(j);
    return api_ok(error);
}

/* ---- what comes of it */

static libweir_code copy_proof(void *out, size_t *n, size_t room, const api_job *j,
                               const weir_job_report *r, libweir_error *error)
{
    if (!weir_job_has_ended(r->state))
        return api_fail(error, LIBWEIR_E_BUSY, "job %llu did not end yet",
                        (unsigned long long)j->id);
    if (r->state == WEIR_JOB_CANCELLED)
        return api_fail(error, LIBWEIR_E_CANCELLED, "job %llu was cancelled",
                        (unsigned long long)j->id);
    if (r->state == WEIR_JOB_FAILED) return api_pass(error, r->err, &r->ei);
    const uint8_t *bytes = weir_proof_job_bytes(j->proof, n);
    if (room < *n)
        return api_fail(error, LIBWEIR_E_RANGE,
                        "the proof has %zu bytes, and there is room for %zu", *n, room);
    memcpy(out, bytes, *n);
    return api_ok(error);
}

libweir_code libweir_proof(libweir_engine *e, void *out, size_t *n, size_t room, libweir_job job,
                           libweir_error *error)
{
    _Static_assert(LIBWEIR_PROOF_BYTES == WEIR_PROOF_BYTES, "bytes of a proof");
    weir_job_report r;
    *n = 0;
    api_job *j = find(e, job, error);
    if (!j) return LIBWEIR_E_USAGE;
    libweir_code code =
        weir_engine_report(e->engine, job, &r)
            ? copy_proof(out, n, room, j, &r, error)
            : api_fail(error, LIBWEIR_E_USAGE, "job %llu was forgotten", (unsigned long long)job);
    api_job_unuse(j);
    return code;
}

libweir_code libweir_forget(libweir_engine *e, libweir_job job, libweir_error *error)
{
    pthread_mutex_lock(&e->lock);
    api_job **at = &e->jobs, *j;
    while ((j = *at) && j->id != job) at = &j->next;
    bool ended = j && api_job_ended(j);
    if (ended) *at = j->next;
    pthread_mutex_unlock(&e->lock);
    if (!j)
        return api_fail(error, LIBWEIR_E_USAGE, "there is no job %llu", (unsigned long long)job);
    if (!ended)
        return api_fail(error, LIBWEIR_E_BUSY, "job %llu did not end yet; cancel it and wait",
                        (unsigned long long)job);
    weir_engine_forget(e->engine, job);
    api_event_drop(j);
    api_job_unuse(j);
    return api_ok(error);
}
