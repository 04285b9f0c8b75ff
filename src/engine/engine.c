/* Opening and closing of an engine; what its users ask. */
#include "engine/engine.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "engine/engine_state.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* ---- opening */

static weir_err check_config(const weir_engine_config *c, weir_errinfo *ei)
{
    if (c->devices == 0 || c->devices > WEIR_ENGINE_MAX_DEVICES || c->fill_workers == 0 ||
        c->fill_workers > WEIR_ENGINE_MAX_WORKERS || c->strikes == 0 || c->attempts == 0 ||
        c->fill_threads == 0 || c->device_threads == 0)
        return weir_fail(
            ei, WEIR_E_USAGE,
            "an engine of %u devices, %u fill workers, %u strikes, %u attempts, %u and "
            "%u threads: each is at least 1, at most %d devices and %d workers",
            c->devices, c->fill_workers, c->strikes, c->attempts, c->fill_threads,
            c->device_threads, WEIR_ENGINE_MAX_DEVICES, WEIR_ENGINE_MAX_WORKERS);
    return WEIR_OK;
}

static weir_err start_worker(weir_engine *e, engine_role role, uint32_t number, uint32_t device,
                             weir_errinfo *ei)
{
    static const char *const names[] = {"front", "fill", "device", "finish"};
    engine_worker *w = &e->worker[e->workers];
    char name[40];
    *w = (engine_worker){
        .e = e, .role = role, .number = number, .device = device, .x = e->config.exec};
    const uint32_t usual = role == ROLE_FRONT ? FRONT_WORKERS - 1 : e->config.fill_workers;
    w->spare = (role == ROLE_FRONT || role == ROLE_FILL) && number >= usual;
    const bool inputs = role == ROLE_FILL || role == ROLE_FRONT;
    uint32_t threads = inputs                ? e->config.fill_threads
                       : role == ROLE_DEVICE ? e->config.device_threads
                                             : 1;
    if (role == ROLE_DEVICE)
        snprintf(name, sizeof name, "device %u%s", device, number ? ", beside" : "");
    else if (w->spare)
        snprintf(name, sizeof name, "%s, critical", names[role]);
    else
        snprintf(name, sizeof name, "%s %u", names[role], number);
    if (e->config.trace) WEIR_TRY(weir_trace_lane_new(&w->lane, e->config.trace, name, ei));
    w->place = engine_place_of(e, role, number, device);
    if (threads > 1 && w->place.n > 0)
        WEIR_TRY(weir_pool_new_on(&w->pool, names[role], threads, &w->place, ei));
    else if (threads > 1)
        WEIR_TRY(weir_pool_new(&w->pool, threads, ei));
    w->x.pool = w->pool;
    w->x.slabs = role == ROLE_DEVICE  ? e->device[device].slabs
                 : role == ROLE_FRONT ? e->front[number]
                                      : e->slabs;
    w->x.watch = &w->watch;
    pthread_cond_init(&w->wake, NULL);
    if (pthread_create(&w->thread, NULL, engine_thread, w) != 0) {
        pthread_cond_destroy(&w->wake);
        weir_pool_free(w->pool);
        return weir_fail(ei, WEIR_E_NOMEM, "the system starts no thread for %s", name);
    }
    e->workers++;
    return WEIR_OK;
}

static weir_err start_workers(weir_engine *e, weir_errinfo *ei)
{
    for (uint32_t d = 0; d < e->config.devices; d++)
        for (uint32_t i = 0; i < DEVICE_THREADS; i++)
            WEIR_TRY(start_worker(e, ROLE_DEVICE, i, d, ei));
    for (uint32_t i = 0; i < e->config.fill_workers + FILL_SPARES; i++)
        WEIR_TRY(start_worker(e, ROLE_FILL, i, 0, ei));
    for (uint32_t i = 0; i < FINISH_WORKERS; i++) WEIR_TRY(start_worker(e, ROLE_FINISH, i, 0, ei));
    for (uint32_t i = 0; i < FRONT_WORKERS; i++) WEIR_TRY(start_worker(e, ROLE_FRONT, i, 0, ei));
    return WEIR_OK;
}

static weir_err new_slabs(weir_engine *e, weir_errinfo *ei)
{
    for (uint32_t d = 0; d < e->config.devices; d++)
        WEIR_TRY(weir_slabs_new(&e->device[d].slabs, &e->config.slabs, ei));
    WEIR_TRY(weir_slabs_new(&e->slabs, &e->config.slabs, ei));
    weir_slabs_config small = e->config.slabs;
    small.reserve = 0;
    WEIR_TRY(weir_slabs_new(&e->inputs, &small, ei));
    for (uint32_t i = 0; i < FRONT_WORKERS; i++) WEIR_TRY(weir_slabs_new(&e->front[i], &small, ei));
    return WEIR_OK;
}

static void free_slabs(weir_engine *e)
{
    for (uint32_t d = 0; d < e->config.devices; d++) weir_slabs_free(e->device[d].slabs);
    weir_slabs_free(e->slabs);
    weir_slabs_free(e->inputs);
    for (uint32_t i = 0; i < FRONT_WORKERS; i++) weir_slabs_free(e->front[i]);
}

/* Waits end by a clock that nobody sets. */
static void init_ended(pthread_cond_t *c)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(c, &attr);
    pthread_condattr_destroy(&attr);
}

weir_err weir_engine_new(weir_engine **out, const weir_engine_config *config, weir_errinfo *ei)
{
    *out = NULL;
    WEIR_TRY(check_config(config, ei));
    weir_engine *e = weir_calloc(1, sizeof *e);
    if (!e) return weir_fail(ei, WEIR_E_NOMEM, "no memory for an engine");
    pthread_mutex_init(&e->lock, NULL);
    init_ended(&e->ended);
    e->config = *config;
    e->next_id = 1;
    e->idle_fillers = config->fill_workers;
    e->idle_spares = FILL_SPARES;
    for (uint32_t d = 0; d < config->devices; d++) e->device[d].up = true;
    size_t workers = (size_t)config->devices * DEVICE_THREADS + config->fill_workers + FILL_SPARES +
                     FRONT_WORKERS + FINISH_WORKERS;
    weir_err err = weir_budget_new(&e->budget, &config->limit, ei);
    e->worker = weir_calloc(workers, sizeof *e->worker);
    if (err == WEIR_OK && !e->worker) err = weir_fail(ei, WEIR_E_NOMEM, "no memory for an engine");
    if (err == WEIR_OK) err = new_slabs(e, ei);
    if (err == WEIR_OK) err = engine_place_all(e, ei);
    if (err == WEIR_OK) err = start_workers(e, ei);
    if (err == WEIR_OK)
        *out = e;
    else
        weir_engine_free(e);
    return err;
}

static bool all_ended(const weir_engine *e)
{
    for (const engine_job *j = e->first; j; j = j->next)
        if (!weir_job_has_ended(j->report.state)) return false;
    return true;
}

static void free_job(engine_job *j)
{
    weir_free(j->part);
    weir_free(j);
}

void weir_engine_free(weir_engine *e)
{
    if (!e) return;
    pthread_mutex_lock(&e->lock);
    for (engine_job *j = e->first; j; j = j->next) engine_stop_job(e, j, WEIR_E_CANCELLED, NULL);
    engine_release_owed(e);
    engine_wake(e);
    while (!all_ended(e)) pthread_cond_wait(&e->ended, &e->lock);
    e->ending = true;
    engine_wake(e);
    pthread_mutex_unlock(&e->lock);
    for (uint32_t i = 0; i < e->workers; i++) {
        pthread_join(e->worker[i].thread, NULL);
        pthread_cond_destroy(&e->worker[i].wake);
        weir_pool_free(e->worker[i].pool);
    }
    while (e->first) {
        engine_job *j = e->first;
        e->first = j->next;
        free_job(j);
    }
    engine_give_back_scratch(e);
    weir_budget_free(e->budget);
    free_slabs(e);
    weir_placement_clear(&e->placement);
    weir_free(e->worker);
    weir_free(e->sched_job);
    weir_free(e->sched_part);
    weir_free(e->sched_from);
    pthread_cond_destroy(&e->ended);
    pthread_mutex_destroy(&e->lock);
    weir_free(e);
}

/* ---- jobs */

weir_err weir_engine_submit(weir_engine *e, const weir_job_ops *ops, void *job,
                            weir_job_class job_class, uint64_t deadline_ns, uint64_t *id,
                            weir_errinfo *ei)
{
    engine_job *j = weir_calloc(1, sizeof *j);
    if (!j) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a job");
    j->ops = ops;
    j->ctx = job;
    j->job_class = job_class;
    j->deadline_ns = deadline_ns;
    j->report.submitted_ns = weir_now_ns();
    j->holds = ops->end != NULL;
    if (ops->need) ops->need(job, &j->need);
    pthread_mutex_lock(&e->lock);
    weir_err err = engine_admit(e, j, ei);
    if (err != WEIR_OK) {
        pthread_mutex_unlock(&e->lock);
        free_job(j);
        return err;
    }
    j->id = *id = e->next_id++;
    if (e->last)
        e->last->next = j;
    else
        e->first = j;
    e->last = j;
    engine_wake(e);
    pthread_mutex_unlock(&e->lock);
    return WEIR_OK;
}

static engine_job *find(weir_engine *e, uint64_t id)
{
    engine_job *j = e->first;
    while (j && j->id != id) j = j->next;
    return j;
}

bool weir_engine_report(weir_engine *e, uint64_t id, weir_job_report *out)
{
    pthread_mutex_lock(&e->lock);
    const engine_job *j = find(e, id);
    if (j) *out = j->report;
    pthread_mutex_unlock(&e->lock);
    return j != NULL;
}

static struct timespec at_time(uint64_t timeout_ns)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    uint64_t ns = (uint64_t)t.tv_nsec + timeout_ns % 1000000000u;
    t.tv_sec += (time_t)(timeout_ns / 1000000000u + ns / 1000000000u);
    t.tv_nsec = (long)(ns % 1000000000u);
    return t;
}

bool weir_engine_wait(weir_engine *e, uint64_t id, uint64_t timeout_ns, weir_job_report *out)
{
    const struct timespec until =
        at_time(timeout_ns < UINT64_MAX / 4 ? timeout_ns : UINT64_MAX / 4);
    pthread_mutex_lock(&e->lock);
    const engine_job *j = find(e, id);
    while (j && !weir_job_has_ended(j->report.state) &&
           pthread_cond_timedwait(&e->ended, &e->lock, &until) == 0)
        j = find(e, id);
    j = find(e, id); /* it may have gone during the last wait */
    if (j) *out = j->report;
    pthread_mutex_unlock(&e->lock);
    return j != NULL;
}

void weir_engine_cancel(weir_engine *e, uint64_t id)
{
    pthread_mutex_lock(&e->lock);
    engine_job *j = find(e, id);
    if (j) engine_stop_job(e, j, WEIR_E_CANCELLED, NULL);
    engine_release_owed(e);
    engine_dispatch(e);
    pthread_mutex_unlock(&e->lock);
}

void weir_engine_forget(weir_engine *e, uint64_t id)
{
    pthread_mutex_lock(&e->lock);
    engine_job *before = NULL, *j = e->first;
    for (; j && j->id != id; j = j->next) before = j;
    if (j && weir_job_has_ended(j->report.state) && j->workers == 0) {
        *(before ? &before->next : &e->first) = j->next;
        if (e->last == j) e->last = before;
        free_job(j);
    }
    pthread_mutex_unlock(&e->lock);
}

void weir_engine_device(weir_engine *e, uint32_t device, weir_device_report *out)
{
    pthread_mutex_lock(&e->lock);
    *out = e->device[device].report;
    out->in_service = e->device[device].up;
    pthread_mutex_unlock(&e->lock);
}

weir_err weir_engine_reserve_slabs(weir_engine *e, uint32_t device, uint64_t bytes,
                                   weir_errinfo *ei)
{
    return weir_slabs_reserve(e->device[device].slabs, bytes, ei);
}

static void add_stats(weir_slabs_stats *sum, const weir_slabs *slabs)
{
    weir_slabs_stats s;
    weir_slabs_count(slabs, &s);
    sum->mapped += s.mapped;
    sum->used += s.used;
    sum->maps += s.maps;
    sum->unmaps += s.unmaps;
    sum->threads += s.threads;
    sum->reclaimed += s.reclaimed;
    if (s.queued_most > sum->queued_most) sum->queued_most = s.queued_most;
}

void weir_engine_slabs(weir_engine *e, weir_slabs_stats *out)
{
    *out = (weir_slabs_stats){0};
    for (uint32_t d = 0; d < e->config.devices; d++) add_stats(out, e->device[d].slabs);
    add_stats(out, e->slabs);
    add_stats(out, e->inputs);
    for (uint32_t i = 0; i < FRONT_WORKERS; i++) add_stats(out, e->front[i]);
}

weir_budget *weir_engine_budget(weir_engine *e)
{
    return e->budget;
}

weir_slabs *weir_engine_inputs(weir_engine *e)
{
    return e->inputs;
}
