/* The engine's threads: each takes what its role allows, does it without the lock, and settles the outcome with it. */
#include "base/alloc.h"
#include "base/clock.h"
#include "engine/engine_state.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

/* ---- pausing: called by the device's stage through its watch */

static engine_part *part_of(const engine_worker *w)
{
    return &w->job->part[w->part];
}

static void begin_span(engine_worker *w, weir_trace_kind kind)
{
    if (w->lane) weir_trace_begin(w->lane, kind, (uint32_t)w->job->id, w->part);
}

static void end_span(engine_worker *w)
{
    if (w->lane) weir_trace_end(w->lane);
}

/* The device has the witness, so the next one may be filled. Under the lock. */
static void sent(engine_worker *w)
{
    engine_part *p = part_of(w);
    if (!p->sending) return;
    p->sending = false;
    engine_dispatch(w->e);
}

/* Here one step of the device ends and the next begins. */
static bool pause_wanted(void *ctx)
{
    engine_worker *w = ctx;
    end_span(w);
    begin_span(w, WEIR_TRACE_STEP);
    pthread_mutex_lock(&w->e->lock);
    sent(w);
    bool wanted = part_of(w)->pause && !w->job->stop;
    pthread_mutex_unlock(&w->e->lock);
    return wanted;
}

static void pause_here(void *ctx)
{
    engine_worker *w = ctx;
    weir_engine *e = w->e;
    begin_span(w, WEIR_TRACE_PAUSED);
    pthread_mutex_lock(&e->lock);
    engine_part *p = part_of(w);
    p->paused = true;
    e->device[w->device].busy = false;
    e->device[w->device].report.pauses++;
    engine_dispatch(e);
    w->pausing = true;
    while (p->paused && !w->job->stop) pthread_cond_wait(&w->wake, &e->lock);
    w->pausing = false;
    pthread_mutex_unlock(&e->lock);
    end_span(w);
}

/* A wait at the gate, for the trace. */
static void waited(void *ctx, uint64_t begin_ns, uint64_t end_ns)
{
    engine_worker *w = ctx;
    if (w->lane)
        weir_trace_span(w->lane, WEIR_TRACE_GATE, (uint32_t)w->job->id, w->part, begin_ns, end_ns);
}

static void transferred(void *ctx, uint64_t begin_ns, uint64_t end_ns)
{
    engine_worker *w = ctx;
    if (w->lane)
        weir_trace_span(w->lane, WEIR_TRACE_TRANSFER, (uint32_t)w->job->id, w->part, begin_ns,
                        end_ns);
    pthread_mutex_lock(&w->e->lock);
    sent(w);
    pthread_mutex_unlock(&w->e->lock);
}

/* What the CPU did of a device's partition, on a lane of its own from the first time on. */
static void beside(void *ctx, uint64_t begin_ns, uint64_t end_ns, uint64_t since_ns)
{
    engine_worker *w = ctx;
    weir_errinfo none;
    char name[40];
    const uint32_t job = (uint32_t)w->job->id;
    if (!w->lane) return;
    snprintf(name, sizeof name, "CPU part of device %u%s", w->device, w->number ? ", beside" : "");
    if (!w->cpu_lane &&
        weir_trace_lane_new(&w->cpu_lane, w->e->config.trace, name, &none) != WEIR_OK)
        return;
    weir_trace_span(w->cpu_lane, WEIR_TRACE_CPU, job, w->part, begin_ns, end_ns);
    if (end_ns > since_ns)
        weir_trace_span(w->lane, WEIR_TRACE_WAIT, job, w->part, since_ns, end_ns);
}

/* What this worker takes only now because memory was short: it waited too, as long as it had nothing else to do. */
static void reserved(engine_worker *w, engine_part *p)
{
    const uint64_t begin = p->short_ns > w->idle_ns ? p->short_ns : w->idle_ns;
    if (p->short_ns > 0 && w->lane)
        weir_trace_span(w->lane, WEIR_TRACE_RESERVE, (uint32_t)w->job->id, w->part, begin,
                        weir_now_ns());
    p->short_ns = 0;
}

/* ---- taking work */

static bool all_done(const engine_job *j)
{
    return j->report.state == WEIR_JOB_RUNNING && !j->joined &&
           j->report.done == j->report.partitions && j->owed == 0;
}

/* What a worker could take. */
typedef struct work {
    engine_job *job; /* NULL: nothing */
    uint32_t part;
} work;

static work find_front(const engine_worker *w)
{
    engine_job *best = NULL; /* the most urgent class, the oldest of it */
    for (engine_job *j = w->e->first; j; j = j->next) {
        if (w->spare && j->job_class != WEIR_CLASS_CRITICAL) continue;
        if (j->stop || j->front || !(j->report.state == WEIR_JOB_NEW || all_done(j))) continue;
        if (!best || j->job_class > best->job_class) best = j;
    }
    return (work){best, NO_PART};
}

/* A partition in that state that no worker has, of the most urgent class and its oldest job. */
static work find_part(const engine_worker *w, weir_part_state state)
{
    work best = {NULL, NO_PART};
    for (engine_job *j = w->e->first; j; j = j->next) {
        if (j->stop || j->report.state != WEIR_JOB_RUNNING) continue;
        if (best.job && j->job_class <= best.job->job_class) continue;
        for (uint32_t i = 0; i < j->report.partitions; i++) {
            if (j->part[i].state != state || j->part[i].active) continue;
            if (w->role == ROLE_FILL && j->part[i].spare != w->spare) continue;
            best = (work){j, i};
            break;
        }
    }
    return best;
}

/* The second thread has work only while the first one is at it, so that one of them has all that is warm. */
static work find_device(const engine_worker *w)
{
    const engine_device *d = &w->e->device[w->device];
    if (!d->given || (w->number > 0 && !d->first_works)) return (work){NULL, NO_PART};
    return (work){d->job, d->part};
}

static work find_work(const engine_worker *w)
{
    switch (w->role) {
    case ROLE_FRONT:
        return find_front(w);
    case ROLE_FILL:
        return find_part(w, WEIR_PART_FILL);
    case ROLE_DEVICE:
        return find_device(w);
    default:
        return find_part(w, WEIR_PART_FINISH);
    }
}

static void take_device(engine_worker *w)
{
    engine_device *d = &w->e->device[w->device];
    if (w->number == 0) d->first_works = true;
    d->given = false;
    w->suspect = d->suspect;
    w->unsound = false;
    if (w->job->report.started_ns == 0) w->job->report.started_ns = weir_now_ns();
}

static bool take(engine_worker *w)
{
    const work found = find_work(w);
    if (!found.job) return false;
    w->job = found.job;
    w->part = found.part;
    w->job->workers++;
    if (w->role == ROLE_FRONT) w->job->front = true;
    if (w->role == ROLE_DEVICE) take_device(w);
    if (w->part == NO_PART) return true;
    part_of(w)->active = true;
    if (w->role == ROLE_FILL) part_of(w)->filled = true;
    return true;
}

void engine_wake(weir_engine *e)
{
    for (uint32_t i = 0; i < e->workers; i++) {
        engine_worker *w = &e->worker[i];
        if ((w->idle && (e->ending || find_work(w).job)) ||
            (w->pausing && (!part_of(w)->paused || w->job->stop)))
            pthread_cond_signal(&w->wake);
    }
}

/* ---- doing it, without the lock */

static weir_trace_kind kind_of(const engine_worker *w, bool joins)
{
    static const weir_trace_kind kinds[] = {WEIR_TRACE_PARSE, WEIR_TRACE_FILL, WEIR_TRACE_DEVICE,
                                            WEIR_TRACE_FINISH};
    return joins ? WEIR_TRACE_JOIN : kinds[w->role];
}

static weir_err run_device(engine_worker *w, weir_errinfo *ei)
{
    const weir_engine_config *c = &w->e->config;
    if (w->suspect && c->check) {
        weir_err err = c->check(c->check_ctx, w->device, &w->x, ei);
        if (err == WEIR_E_CANCELLED) return err;
        w->unsound = err != WEIR_OK;
        if (w->unsound) {
            weir_errinfo_prefix(ei,
                                "device %u failed its check and is out of service: ", w->device);
            return WEIR_E_DEVICE;
        }
    }
    begin_span(w, WEIR_TRACE_STEP);
    weir_err err = w->job->ops->device(w->job->ctx, w->part, w->device, &w->x, ei);
    end_span(w);
    return err;
}

static weir_err run_stage(engine_worker *w, bool joins, weir_job_plan *plan, weir_errinfo *ei)
{
    const weir_job_ops *ops = w->job->ops;
    void *ctx = w->job->ctx;
    switch (w->role) {
    case ROLE_FRONT:
        return joins ? ops->join(ctx, &w->x, ei) : ops->parse(ctx, plan, &w->x, ei);
    case ROLE_FILL:
        return ops->fill(ctx, w->part, &w->x, ei);
    case ROLE_DEVICE:
        return run_device(w, ei);
    default:
        return ops->finish(ctx, w->part, &w->x, ei);
    }
}

/* ---- settling the outcome, with the lock */

static bool any_up(const weir_engine *e, uint32_t devices)
{
    for (uint32_t d = 0; d < e->config.devices; d++)
        if ((devices >> d & 1) && e->device[d].up) return true;
    return false;
}

/* Is there one that still may take the partition? When none of the plan's is left, those that stand aside. */
static bool has_device(const weir_engine *e, const engine_job *j, engine_part *p)
{
    if (any_up(e, p->allowed)) return true;
    if (p->set_aside) return false;
    p->set_aside = true;
    p->allowed = j->plan.aside;
    return any_up(e, p->allowed);
}

static weir_err accept_plan(weir_engine *e, engine_job *j, const weir_job_plan *plan,
                            weir_errinfo *ei)
{
    uint32_t known = 0;
    for (uint32_t d = 0; d < e->config.devices; d++) known |= (uint32_t)e->device[d].up << d;
    if (plan->partitions == 0 || plan->partitions > WEIR_ENGINE_MAX_PARTS)
        return weir_fail(ei, WEIR_E_RANGE, "a job of %u partitions: 1 to %d are possible",
                         plan->partitions, WEIR_ENGINE_MAX_PARTS);
    if (!((plan->devices | plan->aside) & known))
        return weir_fail(ei, WEIR_E_DEVICE, "no device in service can take this job");
    WEIR_TRY(weir_budget_fits(e->budget, &plan->part_bytes, "a partition of this job", ei));
    j->part = weir_calloc(plan->partitions, sizeof *j->part);
    if (!j->part || !engine_room(e, plan->partitions))
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for a job of %u partitions",
                         plan->partitions);
    j->plan = *plan;
    j->report.partitions = plan->partitions;
    for (uint32_t i = 0; i < plan->partitions; i++)
        j->part[i] = (engine_part){.state = WEIR_PART_WAIT,
                                   .allowed = plan->devices & known,
                                   .device = WEIR_ENGINE_MAX_DEVICES};
    for (uint32_t i = 0; i < plan->partitions; i++) (void)has_device(e, j, &j->part[i]);
    engine_move_job(j, WEIR_JOB_PARSED);
    engine_move_job(j, WEIR_JOB_RUNNING);
    return WEIR_OK;
}

static void settle_front(engine_worker *w, bool joins, weir_err err, const weir_job_plan *plan,
                         weir_errinfo *ei)
{
    engine_job *j = w->job;
    j->front = false;
    if (err == WEIR_OK && !joins && !j->stop) err = accept_plan(w->e, j, plan, ei);
    if (err != WEIR_OK) {
        engine_stop_job(w->e, j, err, ei);
        return;
    }
    j->joined = joins && !j->stop; /* the rest in engine_try_end */
    if (!joins && !j->stop) engine_tell(w->e, j);
}

/* The one that is paused on a device out of service goes on when the device is free, and meets the error itself. */
static void let_paused_go_on(weir_engine *e, uint32_t device)
{
    for (engine_job *j = e->first; j && !e->device[device].busy; j = j->next)
        for (uint32_t i = 0; i < j->report.partitions; i++) {
            engine_part *p = &j->part[i];
            if (p->state != WEIR_PART_DEVICE || p->device != device || !p->paused) continue;
            p->pause = p->paused = false;
            e->device[device].busy = true;
            return;
        }
}

/* Jobs that have no other device end. */
static void take_out(weir_engine *e, uint32_t device)
{
    weir_errinfo why;
    (void)weir_fail(&why, WEIR_E_DEVICE,
                    "device %u was taken out of service after %u error%s in a row", device,
                    e->device[device].strikes, e->device[device].strikes == 1 ? "" : "s");
    e->device[device].up = false;
    for (engine_job *j = e->first; j; j = j->next) {
        if (weir_job_has_ended(j->report.state)) continue;
        for (uint32_t i = 0; i < j->report.partitions; i++) {
            engine_part *p = &j->part[i];
            /* one that is being verified may be good, and asks for a device only if it is not */
            if (weir_part_has_ended(p->state) || p->state == WEIR_PART_FINISH) continue;
            if (!has_device(e, j, p)) engine_stop_job(e, j, WEIR_E_DEVICE, &why);
        }
    }
    let_paused_go_on(e, device);
}

static void strike(weir_engine *e, uint32_t device, bool unsound)
{
    engine_device *d = &e->device[device];
    d->suspect = true;
    d->strikes++;
    if ((d->strikes >= e->config.strikes || unsound) && d->up) take_out(e, device);
}

/* From DEVICE or FINISH back to READY, unless there is no device for it any more. */
static void repair(engine_worker *w, engine_part *p, weir_err err, const weir_errinfo *ei)
{
    weir_engine *e = w->e;
    uint32_t device = p->device;
    if (++p->attempts[device] >= e->config.attempts) p->allowed &= ~((uint32_t)1 << device);
    strike(e, device, w->role == ROLE_DEVICE && w->unsound);
    if (w->job->stop) return;
    if (!has_device(e, w->job, p)) {
        engine_stop_job(e, w->job, err, ei);
        return;
    }
    w->job->report.repaired++;
    engine_move_part(p, WEIR_PART_READY);
    engine_tell(e, w->job);
}

static void settle_device(engine_worker *w, engine_part *p, weir_err err, const weir_errinfo *ei)
{
    engine_device *d = &w->e->device[w->device];
    if (w->number == 0) d->first_works = false;
    bool owns = !p->paused; /* stopped while paused: the device is another's */
    p->pause = p->paused = false;
    if (owns) d->busy = false;
    d->report.runs++;
    if (w->suspect && !w->unsound && err != WEIR_E_CANCELLED) d->suspect = false;
    if (!d->up) let_paused_go_on(w->e, w->device);
    if (err == WEIR_OK && !w->job->stop) {
        engine_move_part(p, WEIR_PART_FINISH);
    } else if (err == WEIR_E_DEVICE) {
        d->report.failures++;
        repair(w, p, err, ei);
    } else if (err != WEIR_OK) {
        engine_stop_job(w->e, w->job, err, ei);
    }
}

static void settle_finish(engine_worker *w, engine_part *p, weir_err err, const weir_errinfo *ei)
{
    engine_device *d = &w->e->device[p->device];
    if (err == WEIR_OK && !w->job->stop) {
        d->strikes = 0;
        engine_drop_part(w->e, w->job, w->part, WEIR_PART_DONE);
        w->job->report.done++;
        engine_tell(w->e, w->job);
    } else if (err == WEIR_E_BAD_PROOF) {
        d->report.bad_proofs++;
        repair(w, p, err, ei);
    } else if (err != WEIR_OK) {
        engine_stop_job(w->e, w->job, err, ei);
    }
}

static void settle(engine_worker *w, bool joins, weir_err err, const weir_job_plan *plan,
                   weir_errinfo *ei)
{
    engine_job *j = w->job;
    engine_part *p = w->part == NO_PART ? NULL : part_of(w);
    if (p) p->active = false;
    if (w->role == ROLE_FILL) ++*(w->spare ? &w->e->idle_spares : &w->e->idle_fillers);
    if (w->role == ROLE_FRONT) settle_front(w, joins, err, plan, ei);
    if (w->role == ROLE_DEVICE) settle_device(w, p, err, ei);
    if (w->role == ROLE_FINISH) settle_finish(w, p, err, ei);
    if (w->role == ROLE_FILL && err != WEIR_OK) engine_stop_job(w->e, j, err, ei);
    if (w->role == ROLE_FILL && err == WEIR_OK && !j->stop) engine_move_part(p, WEIR_PART_READY);
    j->workers--;
    engine_try_end(w->e, j);
    w->job = NULL;
}

/* ---- the thread */

static void work_on(engine_worker *w)
{
    weir_engine *e = w->e;
    weir_job_plan plan = {.partitions = 0};
    weir_errinfo ei = {0};
    bool joins = w->role == ROLE_FRONT && w->job->report.state == WEIR_JOB_RUNNING;
    w->watch = (weir_watch){.ctx = w, .cancel = &w->job->stop, .waited = waited};
    if (w->role == ROLE_DEVICE) {
        w->watch.pause_wanted = pause_wanted;
        w->watch.pause = pause_here;
        w->watch.transferred = transferred;
        w->watch.beside = beside;
    }
    if (w->role == ROLE_FILL) reserved(w, part_of(w));
    pthread_mutex_unlock(&e->lock);
    begin_span(w, kind_of(w, joins));
    weir_err err = run_stage(w, joins, &plan, &ei);
    end_span(w);
    pthread_mutex_lock(&e->lock);
    w->idle_ns = weir_now_ns();
    settle(w, joins, err, &plan, &ei);
    engine_dispatch(e);
    if (e->owed == 0) return;
    engine_release_owed(e);
    engine_dispatch(e);
}

/* The C library makes a heap for a thread at its first request, which maps and unmaps: now, and not in the middle of proofs. */
static void warm_heap(void)
{
    weir_free(weir_malloc(1, 1));
}

/* Woken by a device's thread that has ended a partition, on the same processor, this one would run first, for all of its turn, and the device
 * would stand still as long. With this policy its share is the same, but it waits until others have ended their turns. */
static void be_patient(void)
{
    const struct sched_param none = {0};
    (void)pthread_setschedparam(pthread_self(), SCHED_BATCH,
                                &none); /* else it works all the same */
}

void *engine_thread(void *worker)
{
    engine_worker *w = worker;
    weir_engine *e = w->e;
    warm_heap();
    if (w->role != ROLE_DEVICE) be_patient();
    (void)weir_bind_self(&w->place); /* where it may not be bound it runs all the same */
    pthread_mutex_lock(&e->lock);
    while (!e->ending) {
        if (take(w)) {
            work_on(w);
            continue;
        }
        w->idle = true;
        pthread_cond_wait(&w->wake, &e->lock);
        w->idle = false;
    }
    pthread_mutex_unlock(&e->lock);
    return NULL;
}
