/* Every request of memory failing in turn, and every start of a thread, from the opening of an engine to the end of its jobs: on all
 * threads. Each job ends once, every byte comes back, nothing hangs. */
#include "fail_nth.h"
#include "proof_rig.h"
#include "testkit.h"

#include <string.h>

enum { JOBS = 2 };

static weir_bench_circuit circuit;

static const proof_rig_setup setup = {
    .circuit = &circuit, .devices = 2, .attempts = 2, .device_threads = 2};

static weir_err open_rig(proof_rig *r, weir_errinfo *ei)
{
    proof_rig_setup s = setup;
    for (uint32_t d = 0; d < s.devices; d++) s.backend[d] = weir_cpu_backend();
    return proof_rig_open(r, &s, ei);
}

typedef struct outcome {
    unsigned refused, failed, done; /* jobs */
    unsigned long requests;         /* or starts of threads, so far as they counted */
} outcome;

static void must_be_nomem(weir_err err, const weir_errinfo *ei)
{
    if (err != WEIR_E_NOMEM || !ei->text[0])
        fail_msg("%s in place of the error of memory: %s", weir_err_name(err), ei->text);
}

static void run_jobs(proof_rig *r, outcome *o)
{
    static rig_job job[JOBS];
    weir_errinfo ei = {0};
    for (uint32_t i = 0; i < JOBS; i++) {
        weir_err err = rig_job_submit(&job[i], r, i, &ei);
        if (err != WEIR_OK) must_be_nomem(err, &ei);
        o->refused += err != WEIR_OK;
    }
    for (uint32_t i = 0; i < JOBS; i++) {
        if (!job[i].id) continue;
        weir_job_report rep = rig_job_ended(&job[i], r);
        if (rep.state != WEIR_JOB_DONE) must_be_nomem(rep.err, &rep.ei);
        o->failed += rep.state == WEIR_JOB_FAILED;
        o->done += rep.state == WEIR_JOB_DONE;
    }
    o->requests = fail_nth_count(FAIL_MEMORY);
    fail_nth(FAIL_MEMORY, 0);
    for (uint32_t i = 0; i < JOBS; i++) rig_job_clear(&job[i], r);
    proof_rig_no_bytes_held(r);
}

/* The engine is as good as before. */
static void run_one_more(proof_rig *r)
{
    static rig_job job;
    weir_errinfo ei = {0};
    if (rig_job_submit(&job, r, 99, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    weir_job_report rep = rig_job_ended(&job, r);
    if (rep.state != WEIR_JOB_DONE) fail_msg("%s", rep.ei.text);
    rig_job_clear(&job, r);
}

/* False: there is no nth one. */
static bool with_nth_failing(fail_what what, unsigned long nth, outcome *o)
{
    proof_rig r;
    weir_errinfo ei = {0};
    fail_nth(what, nth);
    weir_err err = open_rig(&r, &ei);
    *o = (outcome){.requests = fail_nth_count(what)};
    if (err == WEIR_OK && what == FAIL_MEMORY) run_jobs(&r, o);
    fail_nth(what, 0);
    if (err == WEIR_OK)
        run_one_more(&r);
    else
        must_be_nomem(err, &ei);
    proof_rig_close(&r);
    return o->requests >= nth;
}

/* One that fails costs the opening or one job, or is done without. */
static void test_memory(void **state)
{
    (void)state;
    unsigned long nth = 1, lost = 0;
    outcome o;
    while (with_nth_failing(FAIL_MEMORY, nth, &o)) {
        assert_true(o.failed + o.refused <= 1);
        lost += o.failed + o.refused;
        nth++;
    }
    printf("%lu requests of memory, %lu of them cost a job\n", nth - 1, lost);
    assert_int_equal(o.done, JOBS);
    assert_true(lost > 10 && nth > lost);
}

static void test_threads(void **state)
{
    (void)state;
    unsigned long nth = 1;
    outcome o;
    while (with_nth_failing(FAIL_THREADS, nth, &o)) nth++;
    assert_true(nth > 2 * 2 + 2 + 1 + 1);
}

static int open_circuit(void **state)
{
    weir_errinfo ei = {0};
    const weir_exec x = {.isa = weir_isa_best()};
    (void)state;
    if (weir_bench_circuit_mixed(&circuit, 3, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    if (weir_bench_circuit_key(&circuit, true, &x, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    return 0;
}

static int close_circuit(void **state)
{
    (void)state;
    weir_bench_circuit_clear(&circuit);
    return 0;
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, open_circuit, close_circuit);
}
