/* Critical jobs while others keep the devices busy: each one is on a device within half a second.
 *
 * test_urgent [--jobs N]: so many critical jobs on one device, 200 if it does not say, and fewer in slow
 * builds; fewer in the other cases. */
#include "bench/engine_urgent.h"
#include "proof_rig.h"
#include "testkit.h"

#include <stdlib.h>
#include <string.h>

enum { LOAD_JOBS = 15, LOAD_PARTS = 10, LOAD_STEPS = 4, STEP_US = 5000, AT_MOST_MS = 500 };

static uint32_t jobs = RIG_SLOW ? 60 : 200;

static void must(weir_err err, const weir_errinfo *ei)
{
    if (err != WEIR_OK) fail_msg("%s", ei->text);
}

/* A circuit and the device that knows its key. */
typedef struct side {
    weir_bench_circuit c;
    weir_fake_device fake;
    weir_backend backend;
} side;

static void side_init(side *s, unsigned log2, unsigned partitions, uint32_t steps)
{
    weir_errinfo ei = {0};
    const weir_exec x = {.isa = weir_isa_best()};
    memset(s, 0, sizeof *s);
    must(weir_bench_circuit_mixed(&s->c, log2, &ei), &ei);
    s->c.partitions = partitions;
    must(weir_bench_circuit_key(&s->c, false, &x, &ei), &ei);
    s->fake = (weir_fake_device){.vk = &s->c.known, .steps = steps, .step_us = STEP_US, .seed = 3};
    weir_fake_backend_init(&s->backend, &s->fake);
}

static weir_load *open_load(const side *busy, uint32_t devices)
{
    weir_load *l;
    weir_errinfo ei = {0};
    weir_load_setup s = {.ahead = 2,
                         .circuit = &busy->c,
                         .devices = devices,
                         .fill_workers = 2,
                         .fill_threads = 1,
                         .device_threads = 1,
                         .attempts = 2,
                         .strikes = 3,
                         .gate_credits = 2,
                         .isa = weir_isa_best(),
                         .limit = {.host = UINT64_MAX, .pinned = UINT64_MAX}};
    for (uint32_t d = 0; d < devices; d++) {
        s.device[d] = &busy->backend;
        s.budget_bytes[d] = UINT64_MAX;
    }
    must(weir_load_open(&l, &s, &ei), &ei);
    return l;
}

static void print_times(const char *name, const weir_urgent_result *r)
{
    const double *ms = r->start_ns;
    printf(
        "%s: %u critical jobs, on a device after %.1f ms (median), %.1f (99 of 100), %.1f (all); "
        "%llu pauses, %llu jobs of the load ended\n",
        name, r->jobs, ms[r->jobs / 2] / 1e6, ms[(size_t)r->jobs * 99 / 100] / 1e6,
        ms[r->jobs - 1] / 1e6, (unsigned long long)r->pauses, (unsigned long long)r->load_ended);
}

/* own: a circuit of their own, else the load's. */
static weir_urgent_result run(const char *name, uint32_t devices, bool own, uint32_t n)
{
    side busy, urgent;
    weir_errinfo ei = {0};
    weir_urgent_result r;
    weir_bytes before, after;
    side_init(&busy, 4, LOAD_PARTS, LOAD_STEPS);
    side_init(&urgent, 5, 1, 1);
    weir_load *l = open_load(&busy, devices);
    weir_urgent_setup s = {.circuit = own ? &urgent.c : NULL,
                           .jobs = n,
                           .load_jobs = LOAD_JOBS,
                           .pause_ms = 20,
                           .seed = 1};
    for (uint32_t d = 0; d < devices; d++) {
        s.device[d] = &urgent.backend;
        s.budget_bytes[d] = UINT64_MAX;
    }
    weir_budget_used(weir_engine_budget(weir_load_engine(l)), &before, NULL);
    must(weir_urgent_run(l, &r, &s, NULL, NULL, &ei), &ei);
    weir_budget_used(weir_engine_budget(weir_load_engine(l)), &after, NULL);
    assert_int_equal(before.host, after.host);
    assert_int_equal(r.jobs, n);
    assert_int_equal(r.repaired, 0);
    print_times(name, &r);
    weir_load_close(l);
    weir_bench_circuit_clear(&busy.c);
    weir_bench_circuit_clear(&urgent.c);
    return r;
}

static void check_all_in_time(const weir_urgent_result *r)
{
    for (uint32_t i = 0; i < r->jobs; i++) assert_true(r->start_ns[i] < AT_MOST_MS * 1e6);
}

/* Of another group: the partition in progress pauses for them. */
static void test_one_device(void **state)
{
    (void)state;
    weir_urgent_result r = run("one device", 1, true, jobs);
    check_all_in_time(&r);
    assert_true(r.pauses >= jobs / 10); /* a device that is idle need not pause */
    weir_urgent_result_clear(&r);
}

static void test_two_devices(void **state)
{
    (void)state;
    weir_urgent_result r = run("two devices", 2, true, jobs / 2);
    check_all_in_time(&r);
    assert_true(r.pauses > 0);
    weir_urgent_result_clear(&r);
}

/* Of the load's own: nothing pauses, but they are next. Without that they would wait for all of the load: seconds. */
static void test_same_group(void **state)
{
    (void)state;
    weir_urgent_result r = run("same group", 1, false, jobs / 4);
    check_all_in_time(&r);
    assert_int_equal(r.pauses, 0);
    weir_urgent_result_clear(&r);
}

/* One that can never come to a device in time: of the load's own kind, whose partitions take a second each. */
static void test_starved(void **state)
{
    (void)state;
    side busy;
    weir_errinfo ei = {0};
    weir_urgent_result r;
    const weir_urgent_setup s = {.jobs = 1, .load_jobs = 2, .seed = 1, .timeout_ms = 200};
    side_init(&busy, 4, 1, 1);
    busy.fake.step_us = 1500000;
    weir_load *l = open_load(&busy, 1);
    assert_int_equal(weir_urgent_run(l, &r, &s, NULL, NULL, &ei), WEIR_E_INTERNAL);
    assert_non_null(strstr(ei.text, "no device began a job that is critical within 200 ms"));
    weir_urgent_result_clear(&r);
    weir_load_close(l);
    weir_bench_circuit_clear(&busy.c);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "--jobs") == 0) jobs = (uint32_t)strtoul(argv[i + 1], NULL, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_device),
        cmocka_unit_test(test_two_devices),
        cmocka_unit_test(test_same_group),
        cmocka_unit_test(test_starved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
