#include "fake_job.h"

#include "base/clock.h"

#include <unistd.h>

/* Sleeps in parts, so that a wish to stop is heard. */
static weir_err nap(uint64_t us, const weir_exec *x, weir_errinfo *ei)
{
    for (; us > 0; us -= us < 500 ? us : 500) {
        usleep((useconds_t)(us < 500 ? us : 500));
        if (weir_exec_cancelled(x)) return weir_fail(ei, WEIR_E_CANCELLED, "stopped");
    }
    return weir_exec_cancelled(x) ? weir_fail(ei, WEIR_E_CANCELLED, "stopped") : WEIR_OK;
}

static bool by_chance(fake_world *w, unsigned percent)
{
    uint64_t z = atomic_fetch_add(&w->seed, 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % 100 < percent;
}

static weir_err scripted(weir_err err, const char *stage, weir_errinfo *ei)
{
    return err == WEIR_OK ? WEIR_OK : weir_fail(ei, err, "%s was told to fail", stage);
}

static weir_err parse(void *job, weir_job_plan *out, const weir_exec *x, weir_errinfo *ei)
{
    fake_job *j = job;
    j->parses++;
    WEIR_TRY(nap(j->parse_us, x, ei));
    *out = (weir_job_plan){.partitions = j->parts,
                           .devices = j->devices,
                           .aside = j->aside,
                           .part_bytes.host = j->bytes};
    return scripted(j->parse_err, "parse", ei);
}

static weir_err fill(void *job, uint32_t part, const weir_exec *x, weir_errinfo *ei)
{
    fake_job *j = job;
    j->fills[part]++;
    WEIR_TRY(nap(j->fill_us, x, ei));
    return scripted(j->fill_err, "fill", ei);
}

static weir_err run_steps(fake_job *j, uint32_t device, const weir_exec *x, weir_errinfo *ei)
{
    fake_world *w = j->world;
    const uint64_t begin = weir_now_ns();
    if (j->upload_us > 0) {
        WEIR_TRY(nap(j->upload_us, x, ei));
        weir_exec_transferred(x, begin, weir_now_ns());
    }
    for (uint32_t s = 0; s < j->steps; s++) {
        unsigned n = atomic_fetch_add(&w->on_device[device], 1) + 1;
        if (n > w->most_on_device) w->most_on_device = n;
        weir_err err = nap(j->step_us, x, ei);
        atomic_fetch_sub(&w->on_device[device], 1);
        if (err != WEIR_OK) return err;
        if (weir_exec_pause_wanted(x)) weir_exec_pause(x);
    }
    if (j->beside_us > 0) {
        const uint64_t since = weir_now_ns();
        WEIR_TRY(nap(j->beside_us, x, ei));
        weir_exec_beside(x, begin, weir_now_ns(), since);
    }
    return WEIR_OK;
}

static weir_err device(void *job, uint32_t part, uint32_t number, const weir_exec *x,
                       weir_errinfo *ei)
{
    fake_job *j = job;
    bool first = j->runs[part]++ == 0;
    if (number == j->world->dead_device)
        return weir_fail(ei, WEIR_E_DEVICE, "device %u is dead", number);
    WEIR_TRY(run_steps(j, number, x, ei));
    bool damaged = first && by_chance(j->world, j->world->damaged_percent);
    j->bad[part] = damaged || j->never_good;
    if (damaged) atomic_fetch_add(&j->world->damaged, 1);
    return WEIR_OK;
}

static weir_err finish(void *job, uint32_t part, const weir_exec *x, weir_errinfo *ei)
{
    fake_job *j = job;
    j->finishes[part]++;
    WEIR_TRY(nap(j->finish_us, x, ei));
    if (j->bad[part]) return weir_fail(ei, WEIR_E_BAD_PROOF, "partition %u does not verify", part);
    return scripted(j->finish_err, "finish", ei);
}

static weir_err join(void *job, const weir_exec *x, weir_errinfo *ei)
{
    fake_job *j = job;
    (void)x;
    j->joins++;
    for (uint32_t i = 0; i < j->parts; i++)
        if (j->bad[i]) atomic_fetch_add(&j->world->wrong, 1);
    return scripted(j->join_err, "join", ei);
}

static void release(void *job, uint32_t part)
{
    fake_job *j = job;
    weir_job_report r;
    if (j->world->asked) (void)weir_engine_report(j->world->asked, 1, &r);
    j->released[part]++;
    atomic_fetch_add(&j->world->releases, 1);
}

static void need(void *job, weir_job_need *out)
{
    const fake_job *j = job;
    *out = (weir_job_need){j->input_bytes, j->bytes, j->scratch_bytes};
}

static void end(void *job)
{
    fake_job *j = job;
    weir_job_report r;
    if (j->world->asked) (void)weir_engine_report(j->world->asked, 1, &r);
    j->ends++;
}

const weir_job_ops fake_job_ops = {parse, fill, device, finish, join, release, need, end, NULL};
