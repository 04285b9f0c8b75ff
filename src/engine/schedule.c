#include "engine/schedule.h"

enum { NONE = UINT32_MAX };

weir_job_class weir_sched_class(const weir_sched_snapshot *s, const weir_sched_job *job)
{
    if (job->job_class >= WEIR_CLASS_HIGH || s->age_ns == 0 || s->now_ns <= job->submitted_ns)
        return job->job_class;
    uint64_t steps = (s->now_ns - job->submitted_ns) / s->age_ns;
    uint64_t room = (uint64_t)(WEIR_CLASS_HIGH - job->job_class);
    return (weir_job_class)(job->job_class + (steps < room ? steps : room));
}

/* Every job that is not critical has a deadline of its age: otherwise one that has risen would stand behind others' deadlines for ever. */
static uint64_t deadline_of(const weir_sched_snapshot *s, const weir_sched_job *job)
{
    if (s->age_ns == 0 || job->job_class == WEIR_CLASS_CRITICAL) return job->deadline_ns;
    uint64_t own = job->submitted_ns + WEIR_CLASSES * s->age_ns;
    return own < job->deadline_ns ? own : job->deadline_ns;
}

bool weir_sched_before(const weir_sched_snapshot *s, uint32_t a, uint32_t b)
{
    const weir_sched_part *p = &s->part[a], *q = &s->part[b];
    const weir_sched_job *j = &s->job[p->job], *k = &s->job[q->job];
    weir_job_class cj = weir_sched_class(s, j), ck = weir_sched_class(s, k);
    if (cj != ck) return cj > ck;
    uint64_t dj = deadline_of(s, j), dk = deadline_of(s, k);
    if (dj != dk) return dj < dk;
    if (j->submitted_ns != k->submitted_ns) return j->submitted_ns < k->submitted_ns;
    if (j->id != k->id) return j->id < k->id;
    return p->number != q->number ? p->number < q->number : a < b;
}

static bool is_critical(const weir_sched_snapshot *s, uint32_t part)
{
    return s->job[s->part[part].job].job_class == WEIR_CLASS_CRITICAL;
}

/* ---- devices */

static bool runs(const weir_sched_part *p)
{
    return p->state == WEIR_PART_DEVICE && !p->paused;
}

static bool is_paused_on(const weir_sched_part *p, uint32_t d)
{
    return p->state == WEIR_PART_DEVICE && p->paused && p->device == d;
}

/* NONE, or the partition that is paused on device d. */
static uint32_t paused_on(const weir_sched_snapshot *s, uint32_t d)
{
    for (uint32_t i = 0; i < s->parts; i++)
        if (is_paused_on(&s->part[i], d)) return i;
    return NONE;
}

static bool same_group(const weir_sched_part *p, const weir_sched_part *q)
{
    return p->group != 0 && p->group == q->group;
}

/* May part i take device d while `paused` is paused there? Only critical ones whose key is there: so never more than one is paused, and
 * not for long. */
static bool may_pass(const weir_sched_snapshot *s, uint32_t i, uint32_t paused, uint32_t d)
{
    const weir_sched_part *p = &s->part[i];
    return is_critical(s, i) && !same_group(p, &s->part[paused]) && !(p->cold >> d & 1);
}

/* The first of those that device d could work on: ready ones, and one that paused there. */
static uint32_t first_for(const weir_sched_snapshot *s, uint32_t d)
{
    uint32_t best = paused_on(s, d), paused = best;
    for (uint32_t i = 0; i < s->parts; i++) {
        const weir_sched_part *p = &s->part[i];
        if (p->state != WEIR_PART_READY || !(p->devices >> d & 1)) continue;
        if (paused != NONE && !may_pass(s, i, paused, d)) continue;
        if (best == NONE || weir_sched_before(s, i, best)) best = i;
    }
    return best;
}

static bool give_device(const weir_sched_snapshot *s, weir_sched_decision *out)
{
    for (uint32_t d = 0; d < WEIR_SCHED_MAX_DEVICES; d++) {
        if (!(s->devices_up >> d & 1) || (s->devices_busy >> d & 1)) continue;
        uint32_t i = first_for(s, d);
        if (i == NONE) continue;
        bool paused = s->part[i].state == WEIR_PART_DEVICE;
        *out = (weir_sched_decision){paused ? WEIR_SCHED_RESUME : WEIR_SCHED_RUN, i, d};
        return true;
    }
    return false;
}

/* The least urgent partition that runs where `for_part` may run, and is not critical itself. */
static uint32_t least_urgent(const weir_sched_snapshot *s, uint32_t for_part)
{
    uint32_t last = NONE;
    for (uint32_t i = 0; i < s->parts; i++) {
        const weir_sched_part *p = &s->part[i];
        if (!runs(p) || !(s->part[for_part].devices >> p->device & 1) || is_critical(s, i))
            continue;
        if (!may_pass(s, for_part, i, p->device)) continue;
        if (!(s->devices_up >> p->device & 1)) continue;
        if (last == NONE || weir_sched_before(s, last, i)) last = i;
    }
    return last;
}

/* Called where no device is free. One that is busy without a partition that runs is on its way to pause for somebody. */
static bool pause_for_critical(const weir_sched_snapshot *s, weir_sched_decision *out)
{
    uint32_t pausing = s->devices_busy & s->devices_up, first = NONE;
    for (uint32_t i = 0; i < s->parts; i++) {
        if (runs(&s->part[i])) pausing &= ~((uint32_t)1 << s->part[i].device);
        if (s->part[i].state != WEIR_PART_READY || !is_critical(s, i)) continue;
        if (first == NONE || weir_sched_before(s, i, first)) first = i;
    }
    if (first == NONE || (pausing & s->part[first].devices)) return false;
    uint32_t victim = least_urgent(s, first);
    if (victim == NONE) return false;
    *out = (weir_sched_decision){WEIR_SCHED_PAUSE, victim, s->part[victim].device};
    return true;
}

/* ---- filling */

static uint32_t bits(uint32_t x)
{
    return (uint32_t)__builtin_popcount(x);
}

/* Devices that are to be kept busy: when those that stand aside alone are left, they are no longer aside. */
static uint32_t filled_for(const weir_sched_snapshot *s)
{
    uint32_t working = s->devices_up & ~s->devices_aside;
    return working ? working : s->devices_up;
}

static bool fill_one(const weir_sched_snapshot *s, weir_sched_decision *out)
{
    uint32_t first = NONE, critical = NONE, ahead = 0;
    for (uint32_t i = 0; i < s->parts; i++) {
        const weir_sched_part *p = &s->part[i];
        ahead += p->state == WEIR_PART_FILL || (runs(p) && (s->ahead == 0 || p->sending)) ||
                 (p->state == WEIR_PART_READY && (p->devices & s->devices_up));
        if (p->state != WEIR_PART_WAIT) continue;
        if (first == NONE || weir_sched_before(s, i, first)) first = i;
        if (is_critical(s, i) && p->bytes <= s->bytes_free &&
            (critical == NONE || weir_sched_before(s, i, critical)))
            critical = i;
    }
    if (first == NONE || s->fill_workers + (critical != NONE ? s->fill_spare : 0) == 0)
        return false;
    bool room = ahead < (s->ahead > 0 ? s->ahead : 1) * bits(filled_for(s));
    uint32_t take = critical != NONE ? critical : first;
    if (critical == NONE && !room) return false;
    if (critical == NONE && s->part[first].bytes > s->bytes_free) {
        out->part = first;
        return false;
    }
    *out = (weir_sched_decision){WEIR_SCHED_FILL, take, 0};
    return true;
}

weir_sched_decision weir_schedule(const weir_sched_snapshot *s)
{
    weir_sched_decision d = {WEIR_SCHED_WAIT, NONE, 0};
    if (give_device(s, &d) || pause_for_critical(s, &d) || fill_one(s, &d)) return d;
    return d;
}
