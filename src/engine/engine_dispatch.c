/* Moves of jobs and partitions, and the carrying out of the scheduler's decisions. All under the engine's lock. */
#include "base/alloc.h"
#include "base/clock.h"
#include "engine/engine_state.h"

#include <assert.h>
#include <string.h>

/* Whoever is to fill it has one more, or one less, to do. */
static uint32_t *idle_for(weir_engine *e, const engine_part *p)
{
    return p->spare ? &e->idle_spares : &e->idle_fillers;
}

void engine_move_part(engine_part *p, weir_part_state to)
{
    assert(weir_part_may_move(p->state, to));
    p->state = to;
}

void engine_move_job(engine_job *j, weir_job_state to)
{
    assert(weir_job_may_move(j->report.state, to));
    j->report.state = to;
    if (weir_job_has_ended(to)) j->report.ended_ns = weir_now_ns();
}

void engine_tell(weir_engine *e, const engine_job *j)
{
    if (e->config.changed) e->config.changed(e->config.changed_ctx, j->ctx, &j->report);
}

/* The only place where a partition's bytes are given back. */
static void give_back(weir_engine *e, engine_job *j, engine_part *p)
{
    if (p->reserved) weir_budget_give_back(e->budget, &j->plan.part_bytes);
    p->reserved = false;
}

void engine_drop_part(weir_engine *e, engine_job *j, uint32_t part, weir_part_state to)
{
    engine_part *p = &j->part[part];
    if (p->state == WEIR_PART_FILL && !p->filled) ++*idle_for(e, p); /* no worker came to take it */
    if (p->filled) {
        p->owed = true;
        j->owed++;
        e->owed++;
    } else {
        give_back(e, j, p);
    }
    p->filled = false;
    engine_move_part(p, to);
}

/* A job that lasts until its release has been called: only jobs that have not ended owe any. */
static engine_job *find_owed(const weir_engine *e, uint32_t *part)
{
    for (engine_job *j = e->first; j; j = j->next)
        for (uint32_t i = 0; j->owed > 0 && i < j->report.partitions; i++)
            if (j->part[i].owed) {
                *part = i;
                return j;
            }
    return NULL;
}

static engine_job *find_end_owed(const weir_engine *e)
{
    engine_job *j = e->first;
    while (j && !j->end_owed) j = j->next;
    return j;
}

static void release_part(weir_engine *e, engine_job *j, uint32_t part)
{
    j->part[part].owed = false; /* it is this caller's now */
    pthread_mutex_unlock(&e->lock);
    j->ops->release(j->ctx, part);
    pthread_mutex_lock(&e->lock);
    give_back(e, j, &j->part[part]);
}

static void release_job(weir_engine *e, engine_job *j)
{
    j->end_owed = false;
    pthread_mutex_unlock(&e->lock);
    j->ops->end(j->ctx);
    pthread_mutex_lock(&e->lock);
    engine_give_back_input(e, j);
}

void engine_release_owed(weir_engine *e)
{
    uint32_t part = 0;
    while (e->owed > 0) {
        engine_job *j = find_owed(e, &part);
        if (j)
            release_part(e, j, part);
        else if ((j = find_end_owed(e)))
            release_job(e, j);
        else
            return; /* others are at them */
        j->owed--;
        e->owed--;
        engine_try_end(e, j);
    }
}

static bool is_over(const engine_job *j)
{
    return j->workers == 0 && !j->front;
}

void engine_try_end(weir_engine *e, engine_job *j)
{
    if (!(j->stop || j->joined) || !is_over(j) || weir_job_has_ended(j->report.state)) return;
    for (uint32_t i = 0; i < j->report.partitions; i++)
        if (!weir_part_has_ended(j->part[i].state)) engine_drop_part(e, j, i, WEIR_PART_DROPPED);
    if (j->owed > 0) return;
    if (j->holds) {
        j->holds = false;
        j->end_owed = true;
        j->owed++;
        e->owed++;
        return;
    }
    engine_move_job(j, j->joined      ? WEIR_JOB_DONE
                       : j->cancelled ? WEIR_JOB_CANCELLED
                                      : WEIR_JOB_FAILED);
    pthread_cond_broadcast(&e->ended);
    engine_tell(e, j);
}

/* The first reason counts. A partition that was given to a device but not yet taken is taken back. */
void engine_stop_job(weir_engine *e, engine_job *j, weir_err err, const weir_errinfo *why)
{
    if (j->joined || weir_job_has_ended(j->report.state)) return;
    if (!j->stop) {
        __atomic_store_n(&j->stop, 1, __ATOMIC_RELAXED);
        j->cancelled = err == WEIR_E_CANCELLED;
        j->report.err = err;
        if (why) j->report.ei = *why;
    }
    for (uint32_t d = 0; d < e->config.devices; d++)
        if (e->device[d].given && e->device[d].job == j)
            e->device[d].given = e->device[d].busy = false;
    engine_try_end(e, j);
}

/* ---- the scheduler's view */

bool engine_room(weir_engine *e, uint32_t parts)
{
    uint32_t jobs = 1, all = parts;
    for (const engine_job *j = e->first; j; j = j->next) {
        jobs++;
        all += j->report.partitions;
    }
    if (jobs > e->jobs_cap) {
        weir_sched_job *more = weir_realloc(e->sched_job, 2 * (size_t)jobs, sizeof *more);
        if (!more) return false;
        e->sched_job = more;
        e->jobs_cap = 2 * jobs;
    }
    if (all <= e->parts_cap) return true;
    weir_sched_part *part = weir_realloc(e->sched_part, 2 * (size_t)all, sizeof *part);
    if (part) e->sched_part = part;
    engine_job **from = weir_realloc(e->sched_from, 2 * (size_t)all, sizeof *from);
    if (from) e->sched_from = from;
    if (!part || !from) return false;
    e->parts_cap = 2 * all;
    return true;
}

static void view_part(weir_engine *e, weir_sched_snapshot *s, engine_job *j, uint32_t number,
                      uint32_t cold)
{
    const engine_part *p = &j->part[number];
    e->sched_from[s->parts] = j;
    e->sched_part[s->parts++] = (weir_sched_part){.job = s->jobs,
                                                  .number = number,
                                                  .state = p->state,
                                                  .bytes = j->plan.part_bytes.host,
                                                  .group = j->plan.group,
                                                  .devices = p->allowed,
                                                  .cold = cold,
                                                  .device = p->device,
                                                  .paused = p->pause || p->paused,
                                                  .sending = p->sending};
}

static weir_sched_snapshot view(weir_engine *e)
{
    weir_bytes left;
    weir_budget_left(e->budget, &left);
    weir_sched_snapshot s = {.now_ns = weir_now_ns(),
                             .age_ns = e->config.age_ns,
                             .job = e->sched_job,
                             .part = e->sched_part,
                             .devices_aside = e->config.aside,
                             .ahead = e->config.ahead,
                             .fill_workers = e->idle_fillers,
                             .fill_spare = e->idle_spares,
                             .bytes_free = left.host};
    for (uint32_t d = 0; d < e->config.devices; d++) {
        s.devices_up |= (uint32_t)e->device[d].up << d;
        s.devices_busy |= (uint32_t)e->device[d].busy << d;
    }
    for (engine_job *j = e->first; j; j = j->next) {
        if (j->report.state != WEIR_JOB_RUNNING || j->stop) continue;
        e->sched_job[s.jobs] = (weir_sched_job){.id = j->id,
                                                .job_class = j->job_class,
                                                .submitted_ns = j->report.submitted_ns,
                                                .deadline_ns = j->deadline_ns};
        const uint32_t cold = j->ops->cold ? j->ops->cold(j->ctx) : 0;
        for (uint32_t i = 0; i < j->report.partitions; i++) view_part(e, &s, j, i, cold);
        s.jobs++;
    }
    return s;
}

/* ---- decisions */

static void start_fill(weir_engine *e, engine_job *j, uint32_t part)
{
    engine_part *p = &j->part[part];
    p->reserved = true;
    p->spare = e->idle_fillers == 0; /* the scheduler gives spare ones critical partitions only */
    --*idle_for(e, p);
    engine_move_part(p, WEIR_PART_FILL);
}

static void start_run(weir_engine *e, engine_job *j, uint32_t part, uint32_t device)
{
    engine_device *d = &e->device[device];
    engine_part *p = &j->part[part];
    p->device = device;
    p->sending = true;
    d->job = j;
    d->part = part;
    d->given = d->busy = true;
}

/* False: memory of another kind than the scheduler counts is short, so nothing more is filled now. */
static bool carry_out(weir_engine *e, const weir_sched_snapshot *s, const weir_sched_decision *d)
{
    engine_job *j = e->sched_from[d->part];
    uint32_t part = s->part[d->part].number;
    engine_part *p = &j->part[part];
    switch (d->verb) {
    case WEIR_SCHED_FILL:
        if (!weir_budget_reserve(e->budget, &j->plan.part_bytes)) return false;
        start_fill(e, j, part);
        break;
    case WEIR_SCHED_RUN:
        start_run(e, j, part, d->device);
        engine_move_part(p, WEIR_PART_DEVICE);
        break;
    case WEIR_SCHED_RESUME:
        p->pause = p->paused = false;
        e->device[d->device].busy = true;
        break;
    case WEIR_SCHED_PAUSE:
        p->pause = true;
        break;
    default:
        return false;
    }
    return true;
}

static void note_short(engine_part *p, uint64_t now_ns)
{
    if (p->short_ns == 0) p->short_ns = now_ns;
}

void engine_dispatch(weir_engine *e)
{
    weir_sched_snapshot s;
    weir_sched_decision d;
    do {
        s = view(e);
        d = weir_schedule(&s);
    } while (d.verb != WEIR_SCHED_WAIT && carry_out(e, &s, &d));
    if (d.part != UINT32_MAX)
        note_short(&e->sched_from[d.part]->part[s.part[d.part].number], s.now_ns);
    engine_wake(e);
}
