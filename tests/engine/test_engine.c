/* The engine on scripted jobs: each ends once, bytes come back, critical ones pass, damage is repaired, errors end what they must. */
#include "base/alloc.h"
#include "base/clock.h"
#include "engine/engine.h"
#include "fake_job.h"
#include "testkit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MS  ((uint64_t)1000000)
#define SEC (1000 * MS)

static weir_engine_config config_of(uint32_t devices, weir_trace *trace)
{
    return (weir_engine_config){.devices = devices,
                                .fill_workers = 3,
                                .fill_threads = 1,
                                .device_threads = 1,
                                .ahead = 2,
                                .strikes = 3,
                                .attempts = 2,
                                .age_ns = 10 * SEC,
                                .limit = {.host = 1000},
                                .trace = trace};
}

static weir_engine *new_engine(uint32_t devices, weir_trace *trace)
{
    weir_engine *e;
    weir_errinfo ei = {0};
    const weir_engine_config c = config_of(devices, trace);
    if (weir_engine_new(&e, &c, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    return e;
}

static fake_job job_of(fake_world *w, uint32_t parts)
{
    return (fake_job){.world = w,
                      .parts = parts,
                      .devices = UINT32_MAX,
                      .steps = 3,
                      .step_us = 500,
                      .fill_us = 500,
                      .bytes = 100};
}

static uint64_t submit(weir_engine *e, fake_job *j, weir_job_class class)
{
    uint64_t id;
    weir_errinfo ei = {0};
    assert_int_equal(weir_engine_submit(e, &fake_job_ops, j, class, UINT64_MAX, &id, &ei), WEIR_OK);
    return id;
}

static weir_job_report ended(weir_engine *e, uint64_t id)
{
    weir_job_report r;
    assert_true(weir_engine_wait(e, id, 60 * SEC, &r));
    assert_true(weir_job_has_ended(r.state));
    return r;
}

static void no_bytes_held(weir_engine *e)
{
    weir_bytes now;
    weir_budget_used(weir_engine_budget(e), &now, NULL);
    assert_int_equal(now.host, 0);
}

/* What was filled was released, once. */
static void check_released(const fake_job *j)
{
    for (uint32_t i = 0; i < j->parts; i++) assert_int_equal(j->released[i], j->fills[i]);
}

/* ---- */

static void test_jobs(void **state)
{
    (void)state;
    enum { JOBS = 30 };
    fake_world w = {.dead_device = UINT32_MAX};
    weir_trace *trace;
    weir_errinfo ei = {0};
    assert_int_equal(weir_trace_new(&trace, 4096, &ei), WEIR_OK);
    weir_engine *e = w.asked = new_engine(2, trace);
    static fake_job job[JOBS];
    uint64_t id[JOBS], ended_ns = 0;
    for (int i = 0; i < JOBS; i++) {
        job[i] = job_of(&w, 1 + i % 10);
        id[i] = submit(e, &job[i], WEIR_CLASS_NORMAL);
    }
    for (int i = 0; i < JOBS; i++) {
        weir_job_report r = ended(e, id[i]);
        assert_int_equal(r.state, WEIR_JOB_DONE);
        assert_int_equal(r.done, job[i].parts);
        assert_int_equal(job[i].joins, 1);
        check_released(&job[i]);
        for (uint32_t k = 0; k < job[i].parts; k++)
            assert_int_equal(job[i].fills[k] + job[i].runs[k] + job[i].finishes[k], 3);
        assert_true(r.submitted_ns < r.started_ns && r.started_ns < r.ended_ns);
        if (i + 3 < JOBS) ended_ns = r.ended_ns;
    }
    assert_true(ended_ns > 0);
    assert_int_equal(w.most_on_device, 1);
    no_bytes_held(e);
    weir_job_report r;
    weir_engine_forget(e, id[0]);
    assert_false(weir_engine_report(e, id[0], &r));
    assert_false(weir_engine_wait(e, 12345, SEC, &r));
    weir_spans s;
    weir_engine_free(e);
    assert_int_equal(weir_trace_read(&s, trace, &ei), WEIR_OK);
    assert_true(s.n >= JOBS * 5 && s.lanes == 2 * 2 + 4 + 1 + 2);
    uint64_t steps = 0, runs = 0;
    for (uint64_t i = 0; i < s.n; i++) {
        steps += s.span[i].kind == WEIR_TRACE_STEP;
        runs += s.span[i].kind == WEIR_TRACE_DEVICE;
    }
    assert_int_equal(
        steps, runs * (job[0].steps + 1)); /* it is asked after each, so the last one is empty */
    weir_spans_clear(&s);
    weir_trace_free(trace);
    weir_engine_free(NULL);
}

/* A critical job starts within a step and its own filling, a hundred times, while normal ones keep the device busy. */
static void test_critical(void **state)
{
    (void)state;
    fake_world w = {.dead_device = UINT32_MAX};
    weir_engine *e = new_engine(1, NULL);
    static fake_job busy[15], now[100];
    uint64_t id[15];
    weir_device_report d;
    for (int i = 0; i < 15; i++) {
        busy[i] = job_of(&w, 10);
        busy[i].steps = 20;
        id[i] = submit(e, &busy[i], WEIR_CLASS_NORMAL);
    }
    usleep(20000);
    for (int i = 0; i < 100; i++) {
        now[i] = job_of(&w, 1);
        weir_job_report r = ended(e, submit(e, &now[i], WEIR_CLASS_CRITICAL));
        assert_int_equal(r.state, WEIR_JOB_DONE);
        assert_true(r.started_ns - r.submitted_ns < 500 * MS);
    }
    for (int i = 0; i < 15; i++) {
        weir_job_report r = ended(e, id[i]);
        assert_int_equal(r.state, WEIR_JOB_DONE);
        assert_int_equal(r.repaired, 0);
    }
    weir_engine_device(e, 0, &d);
    assert_true(d.pauses >= 50);
    assert_int_equal(w.most_on_device, 1);
    no_bytes_held(e);
    weir_engine_free(e);
}

/* Every worker that fills and the thread that parses are at something long: a critical job starts all the same, and one after it. */
static void test_critical_all_busy(void **state)
{
    (void)state;
    enum { BUSY = 3, CRITICAL = 3, LONG_US = 20000000 };
    fake_world w = {.dead_device = UINT32_MAX};
    weir_engine *e;
    weir_errinfo ei = {0};
    weir_engine_config config = config_of(1, NULL);
    static fake_job busy[BUSY], critical;
    uint64_t id[BUSY];
    config.fill_workers = 2;
    assert_int_equal(weir_engine_new(&e, &config, &ei), WEIR_OK);
    for (int i = 0; i < BUSY; i++) {
        busy[i] = job_of(&w, 1);
        busy[i].fill_us = LONG_US;
        if (i == 2) busy[i].parse_us = LONG_US;
        id[i] = submit(e, &busy[i], WEIR_CLASS_HIGH);
    }
    while (busy[0].fills[0] + busy[1].fills[0] < 2 || busy[2].parses == 0) usleep(500);
    for (int i = 0; i < CRITICAL; i++) {
        critical = job_of(&w, 2);
        weir_job_report r = ended(e, submit(e, &critical, WEIR_CLASS_CRITICAL));
        assert_int_equal(r.state, WEIR_JOB_DONE);
        assert_true(r.started_ns - r.submitted_ns < 500 * MS);
        assert_true(r.ended_ns - r.submitted_ns < SEC);
    }
    for (int i = 0; i < BUSY; i++) {
        weir_job_report r;
        assert_true(weir_engine_report(e, id[i], &r));
        assert_int_equal(r.started_ns, 0); /* still at it */
        weir_engine_cancel(e, id[i]);
        assert_int_equal(ended(e, id[i]).state, WEIR_JOB_CANCELLED);
    }
    /* the spare ones do nothing for others: these wait for each other */
    for (int i = 0; i < BUSY; i++) {
        busy[i] = job_of(&w, 1);
        busy[i].fill_us = 200000;
        id[i] = submit(e, &busy[i], WEIR_CLASS_HIGH);
    }
    for (int i = 0; i < BUSY; i++) assert_int_equal(ended(e, id[i]).state, WEIR_JOB_DONE);
    no_bytes_held(e);
    weir_engine_free(e);
}

static void test_damage(void **state)
{
    (void)state;
    enum { JOBS = 200 };
    fake_world w = {.dead_device = UINT32_MAX, .damaged_percent = 10};
    weir_engine *e = new_engine(2, NULL);
    static fake_job job[JOBS];
    uint64_t id[JOBS], repaired = 0;
    for (int i = 0; i < JOBS; i++) {
        job[i] = job_of(&w, 1 + i % 3);
        job[i].steps = 1;
        id[i] = submit(e, &job[i], (weir_job_class)(i % 3));
    }
    for (int i = 0; i < JOBS; i++) {
        weir_job_report r = ended(e, id[i]);
        assert_int_equal(r.state, WEIR_JOB_DONE);
        repaired += r.repaired;
        check_released(&job[i]);
    }
    assert_int_equal(w.wrong, 0);
    assert_true(w.damaged > 0);
    assert_int_equal(repaired, w.damaged);
    no_bytes_held(e);
    weir_engine_free(e);
}

/* A partition that verifies nowhere fails its job after so many attempts on each device; others go on. */
static void test_never_good(void **state)
{
    (void)state;
    fake_world w = {.dead_device = UINT32_MAX};
    weir_engine *e = new_engine(2, NULL);
    static fake_job bad, good[20];
    uint64_t id[20];
    bad = job_of(&w, 1);
    bad.never_good = true;
    for (int i = 0; i < 20; i++) {
        good[i] = job_of(&w, 3);
        id[i] = submit(e, &good[i], WEIR_CLASS_NORMAL);
    }
    weir_job_report r = ended(e, submit(e, &bad, WEIR_CLASS_HIGH));
    assert_int_equal(r.state, WEIR_JOB_FAILED);
    assert_int_equal(r.err, WEIR_E_BAD_PROOF);
    assert_true(bad.runs[0] <= 2 * 2 && r.repaired + 1 == bad.runs[0]);
    for (int i = 0; i < 20; i++) assert_int_equal(ended(e, id[i]).state, WEIR_JOB_DONE);
    assert_int_equal(w.wrong, 0);
    no_bytes_held(e);
    weir_engine_free(e);
}

/* A device that always fails is taken out of service; jobs go on on the other, those that know no other fail. */
static void test_dead_device(void **state)
{
    (void)state;
    fake_world w = {.dead_device = 1};
    weir_engine *e = new_engine(2, NULL);
    static fake_job job[10], bound;
    uint64_t id[10];
    weir_device_report d;
    bound = job_of(&w, 3);
    bound.devices = 2;
    uint64_t lost = submit(e, &bound, WEIR_CLASS_NORMAL);
    for (int i = 0; i < 10; i++) {
        job[i] = job_of(&w, 4);
        id[i] = submit(e, &job[i], WEIR_CLASS_NORMAL);
    }
    weir_job_report r = ended(e, lost);
    assert_int_equal(r.state, WEIR_JOB_FAILED);
    assert_int_equal(r.err, WEIR_E_DEVICE);
    check_released(&bound);
    for (int i = 0; i < 10; i++) assert_int_equal(ended(e, id[i]).state, WEIR_JOB_DONE);
    weir_engine_device(e, 1, &d);
    assert_false(d.in_service);
    assert_true(d.failures >= 2);
    weir_engine_device(e, 0, &d);
    assert_true(d.in_service);
    /* a job for the lost device alone fails at once */
    static fake_job late;
    late = job_of(&w, 1);
    late.devices = 2;
    assert_int_equal(ended(e, submit(e, &late, WEIR_CLASS_NORMAL)).err, WEIR_E_DEVICE);
    no_bytes_held(e);
    weir_engine_free(e);
}

/* A device is lost while a proof of it is being verified: the proof is good, and its job ends well. */
static void test_lost_in_finish(void **state)
{
    (void)state;
    fake_world w = {.dead_device = UINT32_MAX};
    weir_engine_config config = config_of(1, NULL);
    weir_engine *e;
    weir_errinfo ei = {0};
    weir_device_report d;
    static fake_job good, bad;
    config.strikes = config.attempts = 1;
    assert_int_equal(weir_engine_new(&e, &config, &ei), WEIR_OK);
    good = job_of(&w, 1);
    good.finish_us = 300000;
    uint64_t id = submit(e, &good, WEIR_CLASS_NORMAL);
    while (good.finishes[0] == 0) usleep(500);
    w.dead_device = 0;
    bad = job_of(&w, 1);
    assert_int_equal(ended(e, submit(e, &bad, WEIR_CLASS_NORMAL)).err, WEIR_E_DEVICE);
    weir_engine_device(e, 0, &d);
    assert_false(d.in_service);
    assert_int_equal(ended(e, id).state, WEIR_JOB_DONE);
    no_bytes_held(e);
    weir_engine_free(e);
}

/* ---- what a job holds from its submission to its end */

static uint64_t held(weir_engine *e)
{
    weir_bytes now;
    weir_budget_used(weir_engine_budget(e), &now, NULL);
    return now.host;
}

static void refused(weir_engine *e, fake_job *j, const char *part)
{
    uint64_t id, before = held(e);
    weir_errinfo ei = {0};
    assert_int_equal(
        weir_engine_submit(e, &fake_job_ops, j, WEIR_CLASS_NORMAL, UINT64_MAX, &id, &ei),
        WEIR_E_NOMEM);
    if (!strstr(ei.text, part)) fail_msg("no '%s' in: %s", part, ei.text);
    assert_int_equal(held(e), before);
    assert_int_equal(j->ends, 0);
}

/* Of 1,000 bytes 100 stay free for a partition: so nine inputs of 100 are let in, the tenth is not, and all nine end. */
static void test_inputs(void **state)
{
    (void)state;
    enum { JOBS = 9 };
    fake_world w = {.dead_device = UINT32_MAX};
    weir_engine *e = w.asked = new_engine(1, NULL);
    static fake_job job[JOBS], more;
    uint64_t id[JOBS];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < JOBS; i++) {
            job[i] = job_of(&w, 3);
            job[i].input_bytes = 100;
            job[i].fill_us = 20000;
            if (i == 3) job[i].parse_err = WEIR_E_FORMAT;
            if (i == 4) job[i].join_err = WEIR_E_INTERNAL;
            if (i == 0) job[i].parse_us = 50000; /* so that none has ended yet below */
            id[i] = submit(e, &job[i], WEIR_CLASS_NORMAL);
        }
        more = job_of(&w, 1);
        more.input_bytes = 100;
        refused(e, &more, "submit it later");
        more.input_bytes = 901;
        refused(e, &more, "needs 1001 bytes of host memory, and 1000 may be used");
        if (round > 0) weir_engine_cancel(e, id[JOBS - 1]); /* before it is parsed */
        for (int i = 0; i < JOBS; i++) {
            const bool fails = i == 3 || i == 4, stopped = round > 0 && i == JOBS - 1;
            weir_job_report r = ended(e, id[i]);
            assert_int_equal(r.state, fails     ? WEIR_JOB_FAILED
                                      : stopped ? WEIR_JOB_CANCELLED
                                                : WEIR_JOB_DONE);
            assert_int_equal(job[i].ends, 1);
            check_released(&job[i]);
        }
        no_bytes_held(e);
    }
    weir_engine_free(e);
}

/* What parsing works in is reserved once, for each thread that parses, and lasts. */
static void test_scratch(void **state)
{
    (void)state;
    fake_world w = {.dead_device = UINT32_MAX};
    weir_engine *e = new_engine(1, NULL);
    static fake_job job;
    uint64_t each = 0;
    for (uint64_t scratch = 50; scratch <= 150; scratch += 50) {
        for (int i = 0; i < 2; i++) {
            job = job_of(&w, 1);
            job.scratch_bytes = scratch;
            assert_int_equal(ended(e, submit(e, &job, WEIR_CLASS_NORMAL)).state, WEIR_JOB_DONE);
            if (each == 0) each = held(e) / scratch;
            assert_int_equal(held(e), each * scratch);
        }
    }
    assert_true(each >= 1);
    job = job_of(&w, 1);
    job.scratch_bytes = 1000;
    refused(e, &job, "may be used");
    weir_engine_free(e);
}

/* ---- the trace: what waits for memory, and what goes up to a device */

static const weir_span *of_part(const weir_spans *s, weir_trace_kind kind, uint64_t job,
                                uint32_t part)
{
    for (uint64_t i = 0; i < s->n; i++)
        if (s->span[i].kind == kind && s->span[i].job == job && s->span[i].part == part)
            return &s->span[i];
    return NULL;
}

/* The spans of one job on a device of its own; bytes, times and what else is to be scripted come with `job`. */
typedef struct traced {
    weir_trace *trace;
    weir_spans s;
    uint64_t id;
} traced;

static void traced_run(traced *t, fake_job *job)
{
    weir_errinfo ei = {0};
    assert_int_equal(weir_trace_new(&t->trace, 1000, &ei), WEIR_OK);
    weir_engine *e = new_engine(1, t->trace);
    t->id = submit(e, job, WEIR_CLASS_NORMAL);
    assert_int_equal(ended(e, t->id).state, WEIR_JOB_DONE);
    weir_engine_free(e);
    assert_int_equal(weir_trace_read(&t->s, t->trace, &ei), WEIR_OK);
}

static void traced_clear(traced *t)
{
    weir_spans_clear(&t->s);
    weir_trace_free(t->trace);
}

/* 600 of 1,000 bytes each: one partition after another, and each but the first waits about as long as one takes. Where there is room, none
 * does. */
static void test_waits_in_trace(void **state)
{
    (void)state;
    enum { PARTS = 5, FINISH_US = 20000, UPLOAD_US = 3000 };
    for (int tight = 0; tight < 2; tight++) {
        fake_world w = {.dead_device = UINT32_MAX};
        static fake_job job;
        traced t;
        job = job_of(&w, PARTS);
        job.bytes = tight ? 600 : 10;
        job.finish_us = FINISH_US;
        job.upload_us = UPLOAD_US;
        traced_run(&t, &job);
        uint64_t before = 0;
        for (uint32_t k = 0; k < PARTS; k++) {
            const weir_span *wait = of_part(&t.s, WEIR_TRACE_RESERVE, t.id, k),
                            *fill = of_part(&t.s, WEIR_TRACE_FILL, t.id, k),
                            *finish = of_part(&t.s, WEIR_TRACE_FINISH, t.id, k),
                            *up = of_part(&t.s, WEIR_TRACE_TRANSFER, t.id, k),
                            *device = of_part(&t.s, WEIR_TRACE_DEVICE, t.id, k);
            assert_true(fill && finish && up && device);
            assert_true(up->lane == device->lane && up->begin_ns >= device->begin_ns &&
                        up->end_ns <= device->end_ns &&
                        up->end_ns - up->begin_ns >= UPLOAD_US * 1000);
            assert_int_equal(wait != NULL, tight && k > 0);
            if (!wait) continue;
            assert_int_equal(wait->lane, fill->lane);
            assert_true(wait->end_ns <= fill->begin_ns && wait->end_ns >= before);
            assert_true(wait->end_ns - wait->begin_ns >= FINISH_US * 1000);
            before = finish->end_ns;
        }
        traced_clear(&t);
    }
}

/* Nothing begins to be filled while a witness is on its way to the device; but it does while the device works on one. A device that tells of
 * no transfer has the witness when it asks whether it shall pause. */
static void test_way_is_free(void **state)
{
    (void)state;
    enum { PARTS = 8, FILL_US = 40000, UPLOAD_US = 20000, STEP_US = 20000 };
    for (int tells = 0; tells < 2; tells++) {
        fake_world w = {.dead_device = UINT32_MAX};
        static fake_job job;
        traced t;
        job = job_of(&w, PARTS);
        job.fill_us = FILL_US; /* both of the first ones have begun before one is done */
        job.steps = 3;
        job.step_us = STEP_US;
        job.upload_us = tells ? UPLOAD_US : 0;
        traced_run(&t, &job);
        uint32_t during = 0;
        for (uint32_t k = 0; k < PARTS; k++) {
            const weir_span *device = of_part(&t.s, WEIR_TRACE_DEVICE, t.id, k);
            const uint64_t sent = device->begin_ns + (tells ? UPLOAD_US : STEP_US) * UINT64_C(1000);
            for (uint32_t i = 0; i < PARTS; i++) {
                const uint64_t fill = of_part(&t.s, WEIR_TRACE_FILL, t.id, i)->begin_ns;
                assert_false(fill > device->begin_ns && fill < sent);
                during += fill >= sent && fill < device->end_ns;
            }
        }
        assert_int_equal(during, PARTS - 2); /* all but the first two, which nothing was before */
        traced_clear(&t);
    }
}

/* What the CPU does of a device's partition has a lane, from the first such partition on, and the device's wait for it is one. */
static void test_beside_in_trace(void **state)
{
    (void)state;
    enum { PARTS = 3, BESIDE_US = 5000 };
    for (int shared = 0; shared < 2; shared++) {
        fake_world w = {.dead_device = UINT32_MAX};
        static fake_job job;
        traced t;
        job = job_of(&w, PARTS);
        job.beside_us = shared ? BESIDE_US : 0;
        traced_run(&t, &job);
        for (uint32_t k = 0; k < PARTS; k++) {
            const weir_span *cpu = of_part(&t.s, WEIR_TRACE_CPU, t.id, k),
                            *wait = of_part(&t.s, WEIR_TRACE_WAIT, t.id, k),
                            *device = of_part(&t.s, WEIR_TRACE_DEVICE, t.id, k);
            assert_true((cpu != NULL) == shared && (wait != NULL) == shared && device);
            if (!cpu) continue;
            assert_string_equal(t.s.lane[cpu->lane], "CPU part of device 0");
            assert_int_equal(wait->lane, device->lane);
            assert_true(cpu->begin_ns >= device->begin_ns && cpu->end_ns == wait->end_ns &&
                        wait->end_ns <= device->end_ns);
            assert_true(wait->end_ns - wait->begin_ns >= BESIDE_US * 1000);
        }
        traced_clear(&t);
    }
}

/* ---- devices are checked after errors */

typedef struct checked {
    unsigned calls;
    bool sound;
} checked;

static weir_err check(void *ctx, uint32_t device, const weir_exec *x, weir_errinfo *ei)
{
    checked *c = ctx;
    (void)x;
    c->calls++;
    return c->sound ? WEIR_OK
                    : weir_fail(ei, WEIR_E_DEVICE, "device %u gives wrong answers", device);
}

/* A device that errs goes on after a check; one that fails it goes at once. What it could not do goes to the device that stands
 * aside, which takes nothing else. */
static void test_check(void **state)
{
    (void)state;
    for (int sound = 0; sound < 2; sound++) {
        checked c = {.sound = sound};
        fake_world w = {.dead_device = 0};
        weir_engine_config config = config_of(2, NULL);
        config.strikes = config.attempts = 100;
        if (sound) config.attempts = 4;
        config.aside = 2;
        config.check = check;
        config.check_ctx = &c;
        weir_engine *e;
        weir_errinfo ei = {0};
        weir_device_report d;
        static fake_job job, fine;
        assert_int_equal(weir_engine_new(&e, &config, &ei), WEIR_OK);
        job = job_of(&w, 1);
        job.devices = 1;
        job.aside = 2;
        assert_int_equal(ended(e, submit(e, &job, WEIR_CLASS_NORMAL)).state, WEIR_JOB_DONE);
        weir_engine_device(e, 0, &d);
        assert_int_equal(d.in_service, sound);
        assert_int_equal(d.failures, sound ? 4 : 2);
        assert_int_equal(c.calls, sound ? 3 : 1);
        weir_engine_device(e, 1, &d);
        assert_int_equal(d.runs, 1);
        w.dead_device = UINT32_MAX;
        if (sound) {
            fine = job_of(&w, 5);
            fine.devices = 1;
            fine.aside = 2;
            assert_int_equal(ended(e, submit(e, &fine, WEIR_CLASS_NORMAL)).repaired, 0);
            assert_int_equal(c.calls, 4); /* before the first, and no more */
            weir_engine_device(e, 1, &d);
            assert_int_equal(d.runs, 1);
        }
        no_bytes_held(e);
        weir_engine_free(e);
    }
}

/* Every stage's error ends the job, once, with its text. */
static void test_errors(void **state)
{
    (void)state;
    fake_world w = {.dead_device = UINT32_MAX};
    weir_engine *e = new_engine(1, NULL);
    static fake_job job[7];
    static const char *const text[] = {"parse was told", "fill was told", "finish was told",
                                       "join was told",  "0 partitions",  "bytes of host memory",
                                       "no device"};
    for (int i = 0; i < 7; i++) job[i] = job_of(&w, 5);
    job[0].parse_err = WEIR_E_FORMAT;
    job[1].fill_err = WEIR_E_UNSATISFIED;
    job[2].finish_err = WEIR_E_MISMATCH;
    job[3].join_err = WEIR_E_IO;
    job[4].parts = 0;
    job[5].bytes = 1001;
    job[6].devices = 1u << 5;
    static const weir_err err[] = {WEIR_E_FORMAT, WEIR_E_UNSATISFIED, WEIR_E_MISMATCH, WEIR_E_IO,
                                   WEIR_E_RANGE,  WEIR_E_NOMEM,       WEIR_E_DEVICE};
    for (int i = 0; i < 7; i++) {
        weir_job_report r = ended(e, submit(e, &job[i], WEIR_CLASS_NORMAL));
        assert_int_equal(r.state, WEIR_JOB_FAILED);
        assert_int_equal(r.err, err[i]);
        assert_non_null(strstr(r.ei.text, text[i]));
        check_released(&job[i]);
    }
    no_bytes_held(e);
    weir_engine_free(e);
}

/* At any moment; within half a second. */
static void test_cancel(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    fake_world w = {.dead_device = UINT32_MAX};
    weir_engine *e = w.asked = new_engine(1, NULL);
    static fake_job other, job[60];
    other = job_of(&w, 30);
    other.steps = 30;
    uint64_t id = submit(e, &other, WEIR_CLASS_NORMAL);
    for (int i = 0; i < 60; i++) {
        job[i] = job_of(&w, 3);
        uint64_t mine = submit(e, &job[i], i % 2 ? WEIR_CLASS_CRITICAL : WEIR_CLASS_LOW);
        usleep((useconds_t)tk_below(&g, 6000));
        uint64_t t0 = weir_now_ns();
        weir_engine_cancel(e, mine);
        weir_job_report r = ended(e, mine);
        assert_true(weir_now_ns() - t0 < 500 * MS);
        assert_true(r.state == WEIR_JOB_CANCELLED || r.state == WEIR_JOB_DONE);
        check_released(&job[i]);
    }
    weir_engine_cancel(e, 99999);
    assert_int_equal(ended(e, id).state, WEIR_JOB_DONE);
    no_bytes_held(e);
    /* an engine that is closed in the middle of its work */
    for (int i = 0; i < 10; i++) {
        job[i] = job_of(&w, 5);
        submit(e, &job[i], WEIR_CLASS_NORMAL);
    }
    usleep(3000);
    weir_engine_free(e);
    for (int i = 0; i < 10; i++) check_released(&job[i]);
}

/* Requests of memory failing in turn: an error, or a job that ends. */
static void test_no_memory(void **state)
{
    (void)state;
    fake_world w = {.dead_device = UINT32_MAX};
    weir_errinfo ei = {0};
    weir_engine *e = NULL;
    const weir_engine_config c = {.devices = 1,
                                  .fill_workers = 1,
                                  .fill_threads = 1,
                                  .device_threads = 1,
                                  .ahead = 2,
                                  .strikes = 1,
                                  .attempts = 1,
                                  .limit = {.host = 1000}};
    for (uint64_t nth = 1; !e; nth++) {
        weir_alloc_fail_nth(nth, 0);
        weir_err err = weir_engine_new(&e, &c, &ei);
        weir_alloc_fail_nth(0, 0);
        assert_int_equal(err, e ? WEIR_OK : WEIR_E_NOMEM);
    }
    static fake_job j;
    uint64_t id;
    j = job_of(&w, 2);
    weir_alloc_fail_nth(1, 0);
    assert_int_equal(weir_engine_submit(e, &fake_job_ops, &j, WEIR_CLASS_LOW, UINT64_MAX, &id, &ei),
                     WEIR_E_NOMEM);
    weir_alloc_fail_nth(0, 0);
    assert_int_equal(ended(e, submit(e, &j, WEIR_CLASS_LOW)).state, WEIR_JOB_DONE);
    weir_engine_free(e);
    weir_engine_config bad = c;
    bad.fill_workers = 0;
    assert_int_equal(weir_engine_new(&e, &bad, &ei), WEIR_E_USAGE);
}

/* ---- who is told of changes */

typedef struct told {
    const fake_job *job;
    weir_job_report last;
    unsigned times, ends, wrong;
} told;

/* Under the engine's lock, so it needs none of its own. */
static void note_change(void *ctx, void *job, const weir_job_report *r)
{
    told *t = ctx;
    t->wrong +=
        job != t->job || r->state < t->last.state || r->done < t->last.done ||
        r->repaired < t->last.repaired || t->ends > 0 ||
        (r->state == t->last.state && r->done == t->last.done && r->repaired == t->last.repaired);
    t->last = *r;
    t->times++;
    t->ends += weir_job_has_ended(r->state);
}

static void test_told(void **state)
{
    (void)state;
    enum { PARTS = 6 };
    for (int cancels = 0; cancels < 2; cancels++) {
        fake_world w = {.dead_device = UINT32_MAX, .damaged_percent = 50, .seed = 3};
        fake_job j = job_of(&w, PARTS);
        told t = {.job = &j};
        weir_engine *e;
        weir_errinfo ei = {0};
        weir_engine_config c = config_of(2, NULL);
        c.strikes = c.attempts = 100;
        c.changed = note_change;
        c.changed_ctx = &t;
        assert_int_equal(weir_engine_new(&e, &c, &ei), WEIR_OK);
        uint64_t id = submit(e, &j, WEIR_CLASS_NORMAL);
        if (cancels) weir_engine_cancel(e, id);
        weir_job_report r = ended(e, id);
        weir_engine_free(e);
        assert_int_equal(t.wrong, 0);
        assert_int_equal(t.ends, 1);
        assert_int_equal(t.last.state, r.state);
        if (r.state == WEIR_JOB_DONE)
            assert_int_equal(t.times, 1 + PARTS + r.repaired + 1); /* parsed, done, joined */
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jobs),
        cmocka_unit_test(test_told),
        cmocka_unit_test(test_critical),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_dead_device),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_lost_in_finish),
        cmocka_unit_test(test_never_good),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_waits_in_trace),
        cmocka_unit_test(test_beside_in_trace),
        cmocka_unit_test(test_way_is_free),
        cmocka_unit_test(test_scratch),
        cmocka_unit_test(test_critical_all_busy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
