/* Submitting jobs: a proof job of the engine, its source, and the copy of its input. */
#include "api/api_state.h"
#include "base/alloc.h"
#include "base/clock.h"

/* ---- stages: the proof job's, and the copy goes once it is read */

void api_job_drop_copy(api_job *j)
{
    if (!j->copy) return;
    weir_free(j->copy);
    j->copy = NULL;
    weir_budget_give_back(weir_engine_budget(j->api->engine), &j->copy_bytes);
}

static weir_err job_parse(void *job, weir_job_plan *out, const weir_exec *x, weir_errinfo *ei)
{
    api_job *j = job;
    weir_err err = weir_proof_job_ops.parse(j->proof, out, x, ei);
    api_job_drop_copy(j);
    return err;
}

static weir_err job_fill(void *job, uint32_t part, const weir_exec *x, weir_errinfo *ei)
{
    const api_job *j = job;
    return weir_proof_job_ops.fill(j->proof, part, x, ei);
}

static weir_err job_device(void *job, uint32_t part, uint32_t device, const weir_exec *x,
                           weir_errinfo *ei)
{
    const api_job *j = job;
    return weir_proof_job_ops.device(j->proof, part, device, x, ei);
}

static weir_err job_finish(void *job, uint32_t part, const weir_exec *x, weir_errinfo *ei)
{
    const api_job *j = job;
    return weir_proof_job_ops.finish(j->proof, part, x, ei);
}

static weir_err job_join(void *job, const weir_exec *x, weir_errinfo *ei)
{
    const api_job *j = job;
    return weir_proof_job_ops.join(j->proof, x, ei);
}

static void job_release(void *job, uint32_t part)
{
    const api_job *j = job;
    weir_proof_job_ops.release(j->proof, part);
}

static void job_need(void *job, weir_job_need *out)
{
    const api_job *j = job;
    weir_proof_job_ops.need(j->proof, out);
}

/* The copy too, if the job was cancelled before it was read. */
static void job_end(void *job)
{
    api_job *j = job;
    weir_proof_job_ops.end(j->proof);
    api_job_drop_copy(j);
}

static uint32_t job_cold(void *job)
{
    const api_job *j = job;
    return weir_proof_job_ops.cold(j->proof);
}

static const weir_job_ops ops = {job_parse,   job_fill, job_device, job_finish, job_join,
                                 job_release, job_need, job_end,    job_cold};

/* ---- submitting */

static libweir_code read_options(libweir_job_options *o, const libweir_job_options *options,
                                 libweir_error *error)
{
    libweir_code code = api_read_struct(o, sizeof *o, options, "libweir_job_options", error);
    if (code != LIBWEIR_OK) return code;
    if (o->job_class < LIBWEIR_LOW || o->job_class > LIBWEIR_CRITICAL)
        return api_fail(error, LIBWEIR_E_USAGE, "job_class %d: there is none; take %d to %d",
                        (int)o->job_class, LIBWEIR_LOW, LIBWEIR_CRITICAL);
    if (o->flags & ~LIBWEIR_BORROW)
        return api_fail(error, LIBWEIR_E_UNSUPPORTED, "flags 0x%x: only LIBWEIR_BORROW is known",
                        o->flags);
    if (!(o->deadline_s >= 0))
        return api_fail(error, LIBWEIR_E_USAGE, "deadline_s %g: seconds from now on, or 0 for none",
                        o->deadline_s);
    return LIBWEIR_OK;
}

static uint64_t deadline_of(const libweir_job_options *o)
{
    uint64_t ns = o->deadline_s > 0 ? api_ns(o->deadline_s) : UINT64_MAX;
    return ns == UINT64_MAX ? ns : weir_now_ns() + ns;
}

static weir_job_class class_of(const libweir_job_options *o)
{
    _Static_assert((int)LIBWEIR_LOW + 1 == (int)WEIR_CLASS_LOW, "classes");
    _Static_assert((int)LIBWEIR_CRITICAL + 1 == (int)WEIR_CLASS_CRITICAL, "classes");
    return (weir_job_class)((int)o->job_class + 1);
}

static api_job *blank(libweir_engine *e)
{
    api_job *j = weir_calloc(1, sizeof *j);
    if (!j) return NULL;
    j->api = e;
    j->users = 1;
    return j;
}

/* Under the lock, so that the key stays and the job can be found as soon as it has a number. j is freed after an error. */
static weir_err start(libweir_engine *e, api_job *j, api_key *k, const weir_proof_source *source,
                      const libweir_job_options *o, weir_errinfo *ei)
{
    WEIR_TRY(weir_proof_job_new(&j->proof, k->kind, source, ei));
    pthread_mutex_lock(&e->events);
    j->key = k;
    k->running++;
    pthread_mutex_unlock(&e->events);
    weir_err err = weir_engine_submit(e->engine, &ops, j, class_of(o), deadline_of(o), &j->id, ei);
    if (err != WEIR_OK) {
        pthread_mutex_lock(&e->events);
        k->running--;
        pthread_mutex_unlock(&e->events);
        return err;
    }
    j->next = e->jobs;
    e->jobs = j;
    return WEIR_OK;
}

static api_key *find_key(libweir_engine *e, libweir_key key)
{
    api_key *k = e->keys;
    while (k && k->id != key) k = k->next;
    return k;
}

static libweir_code no_key(libweir_key key, libweir_error *error)
{
    return api_fail(error, LIBWEIR_E_USAGE, "there is no key %llu", (unsigned long long)key);
}

static weir_err copy_input(libweir_engine *e, api_job *j, const void *c1, size_t n,
                           weir_errinfo *ei)
{
    weir_budget *b = weir_engine_budget(e->engine);
    weir_bytes left;
    j->copy_bytes = (weir_bytes){.host = n};
    if (!weir_budget_reserve(b, &j->copy_bytes)) {
        weir_budget_left(b, &left);
        return weir_fail(ei, WEIR_E_NOMEM,
                         "there is no room for a copy of %zu bytes of input: of the memory that "
                         "may be used %llu bytes are left; submit it later, or take LIBWEIR_BORROW",
                         n, (unsigned long long)left.host);
    }
    j->copy = weir_malloc(n, 1);
    if (!j->copy) {
        weir_budget_give_back(b, &j->copy_bytes);
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for a copy of %zu bytes of input", n);
    }
    memcpy(j->copy, c1, n);
    return WEIR_OK;
}

static weir_err make_porep(api_job *j, const api_key *k, const void *c1, size_t n,
                           weir_proof_source *table, weir_errinfo *ei)
{
    const weir_porep_request request = {.filler = k->parts.filler,
                                        .shape = k->parts.shape,
                                        .rel = k->parts.rel,
                                        .slabs = weir_engine_inputs(j->api->engine),
                                        .c1 = j->copy ? j->copy : c1,
                                        .c1_bytes = n};
    WEIR_TRY(weir_porep_source_new(&j->source, &request, ei));
    *table = weir_porep_source_table(j->source);
    return WEIR_OK;
}

/* Takes the job over: it is started, or freed. source NULL: a PoRep of c1. */
static libweir_code submit(libweir_engine *e, libweir_job *out, api_job *j, libweir_key key,
                           const weir_proof_source *source, const void *c1, size_t n,
                           const libweir_job_options *o, libweir_error *error)
{
    weir_errinfo ei = {0};
    weir_proof_source table;
    weir_err err = WEIR_OK;
    pthread_mutex_lock(&e->lock);
    api_key *k = find_key(e, key);
    if (k && !source) err = make_porep(j, k, c1, n, &table, &ei);
    if (k && err == WEIR_OK) err = start(e, j, k, source ? source : &table, o, &ei);
    if (k && err == WEIR_OK) *out = j->id;
    pthread_mutex_unlock(&e->lock);
    if (k && err == WEIR_OK) return api_ok(error);
    api_job_free(j);
    return k ? api_pass(error, err, &ei) : no_key(key, error);
}

libweir_code api_submit(libweir_engine *e, libweir_job *out, libweir_key key,
                        const weir_proof_source *source, const libweir_job_options *options,
                        libweir_error *error)
{
    libweir_job_options o;
    *out = 0;
    libweir_code code = read_options(&o, options, error);
    if (code != LIBWEIR_OK) return code;
    api_job *j = blank(e);
    if (!j) return api_fail(error, LIBWEIR_E_NOMEM, "no memory for a job");
    return submit(e, out, j, key, source, NULL, 0, &o, error);
}

libweir_code libweir_submit_porep(libweir_engine *e, libweir_job *out, libweir_key key,
                                  const void *c1, size_t n, const libweir_job_options *options,
                                  libweir_error *error)
{
    libweir_job_options o;
    weir_errinfo ei = {0};
    *out = 0;
    libweir_code code = read_options(&o, options, error);
    if (code != LIBWEIR_OK) return code;
    if (!c1 || n == 0) return api_fail(error, LIBWEIR_E_USAGE, "c1: there is no input");
    api_job *j = blank(e);
    if (!j) return api_fail(error, LIBWEIR_E_NOMEM, "no memory for a job");
    weir_err err = o.flags & LIBWEIR_BORROW ? WEIR_OK : copy_input(e, j, c1, n, &ei);
    if (err == WEIR_OK) return submit(e, out, j, key, NULL, c1, n, &o, error);
    api_job_free(j);
    return api_pass(error, err, &ei);
}
