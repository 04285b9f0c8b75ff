/* Keys of several circuits that share a device: which of them are on it, that none goes while it is used, and what critical jobs may do. */
#include "base/alloc.h"
#include "base/clock.h"
#include "bench/engine_job.h"
#include "testkit.h"

#include <string.h>

#define SEC ((uint64_t)1000000000)
enum { KINDS = 3, SESSION = 60, JOBS = 12 };

/* Kinds of proofs, each on a fake device of its own that is the engine's device 0; they share its memory. */
typedef struct rig {
    weir_bench_circuit c[KINDS];
    weir_fake_device fake[KINDS];
    weir_backend backend[KINDS];
    weir_fake_memory memory;
    weir_key_cache *cache;
    weir_engine *e;
    weir_proof_kind *kind[KINDS];
    weir_exec x;
} rig;

static void must(weir_err err, const weir_errinfo *ei)
{
    if (err != WEIR_OK) fail_msg("%s", ei->text);
}

static void open_circuit(rig *r, int i)
{
    weir_errinfo ei = {0};
    must(weir_bench_circuit_mixed(&r->c[i], 4 + (unsigned)i, &ei), &ei);
    must(weir_bench_circuit_key(&r->c[i], false, &r->x, &ei), &ei);
    r->fake[i] = (weir_fake_device){.vk = &r->c[i].known,
                                    .memory = &r->memory,
                                    .begin_us = 1000,
                                    .steps = 2,
                                    .step_us = 1000,
                                    .seed = (uint64_t)i};
    weir_fake_backend_init(&r->backend[i], &r->fake[i]);
}

/* bytes: of the device. */
static void rig_open(rig *r, uint64_t bytes)
{
    weir_errinfo ei = {0};
    memset(r, 0, sizeof *r);
    r->x = (weir_exec){.isa = weir_isa_best(), .pool = tk_pool(2)};
    r->memory = (weir_fake_memory){.bytes = bytes, .session_bytes = SESSION};
    for (int i = 0; i < KINDS; i++) open_circuit(r, i);
    const weir_bytes limit = {.host = UINT64_MAX, .pinned = UINT64_MAX, .device = {bytes}};
    const weir_engine_config config = {.devices = 1,
                                       .fill_workers = 2,
                                       .ahead = 2,
                                       .strikes = 3,
                                       .attempts = 2,
                                       .age_ns = 100 * SEC,
                                       .limit = limit,
                                       .fill_threads = 1,
                                       .device_threads = 1,
                                       .exec = {.isa = r->x.isa}};
    must(weir_key_cache_new(&r->cache, &limit, &ei), &ei);
    must(weir_engine_new(&r->e, &config, &ei), &ei);
}

static weir_err add_kind_in(rig *r, int i, weir_key_cache *cache, weir_errinfo *ei)
{
    const weir_proof_kind_config k = {.rel = r->c[i].rel,
                                      .key = &r->c[i].key,
                                      .pvk = r->c[i].pvk,
                                      .backend = {&r->backend[i]},
                                      .budget_bytes = {r->memory.bytes},
                                      .cache = cache,
                                      .load_threads = 1,
                                      .group = (uint32_t)i + 1,
                                      .engine = r->e,
                                      .exec = r->x};
    return weir_proof_kind_new(&r->kind[i], &k, ei);
}

static weir_err add_kind(rig *r, int i, weir_errinfo *ei)
{
    return add_kind_in(r, i, r->cache, ei);
}

static void add_kinds(rig *r, int n)
{
    weir_errinfo ei = {0};
    for (int i = 0; i < n; i++) must(add_kind(r, i, &ei), &ei);
}

static void rig_close(rig *r)
{
    weir_bytes now;
    for (int i = 0; i < KINDS; i++) weir_proof_kind_free(r->kind[i]);
    weir_budget_used(weir_engine_budget(r->e), &now, NULL);
    assert_true(now.host == 0 && now.device[0] == 0);
    assert_int_equal(r->memory.used, 0);
    weir_engine_free(r->e);
    weir_key_cache_free(r->cache);
    for (int i = 0; i < KINDS; i++) weir_bench_circuit_clear(&r->c[i]);
}

static void submit(rig *r, weir_bench_job *j, int kind, uint64_t seed, weir_job_class job_class)
{
    weir_errinfo ei = {0};
    must(weir_bench_job_new(j, &r->c[kind], r->kind[kind], seed, &ei), &ei);
    must(weir_bench_job_submit(j, r->e, job_class, &ei), &ei);
}

static weir_job_report finish(rig *r, weir_bench_job *j)
{
    weir_job_report rep;
    weir_errinfo ei = {0};
    assert_true(weir_engine_wait(r->e, j->id, UINT64_MAX, &rep));
    if (rep.state != WEIR_JOB_DONE) fail_msg("%s", rep.ei.text);
    must(weir_bench_job_check(j, &r->x, &ei), &ei);
    weir_bench_job_clear(j, r->e);
    return rep;
}

/* There is room for one: each job's key is brought for it, and the one before goes. */
static void test_one_at_a_time(void **state)
{
    (void)state;
    rig r;
    weir_bench_job j[JOBS] = {{0}};
    rig_open(&r, SESSION + 10);
    add_kinds(&r, KINDS);
    assert_int_equal(weir_proof_kind_cold(r.kind[0]), 1);
    assert_int_equal(weir_proof_kind_cold(r.kind[KINDS - 1]), 0);
    for (int i = 0; i < JOBS; i++) submit(&r, &j[i], i % KINDS, (uint64_t)i, WEIR_CLASS_NORMAL);
    for (int i = 0; i < JOBS; i++) (void)finish(&r, &j[i]);
    assert_int_equal(r.memory.begun, KINDS + JOBS);
    assert_int_equal(r.memory.most, SESSION);
    rig_close(&r);
}

/* There is room for two, and jobs of two: nothing is brought again. The third's key takes the place of the one that was used longest ago. */
static void test_oldest_goes(void **state)
{
    (void)state;
    rig r;
    weir_bench_job j[JOBS] = {{0}};
    rig_open(&r, 2 * SESSION);
    add_kinds(&r, 2);
    for (int i = 0; i < JOBS; i++) submit(&r, &j[i], i % 2, (uint64_t)i, WEIR_CLASS_NORMAL);
    for (int i = 0; i < JOBS; i++) (void)finish(&r, &j[i]);
    assert_int_equal(r.memory.begun, 2);
    weir_errinfo ei = {0};
    must(add_kind(&r, 2, &ei), &ei);
    assert_int_equal(weir_proof_kind_cold(r.kind[0]), 1); /* the last job was of kind 1 */
    assert_int_equal(weir_proof_kind_cold(r.kind[1]) | weir_proof_kind_cold(r.kind[2]), 0);
    /* unloading makes room again, which nobody takes unasked */
    weir_proof_kind_free(r.kind[1]);
    r.kind[1] = NULL;
    assert_int_equal(r.memory.used, SESSION);
    rig_close(&r);
}

/* A key that is too large is refused when it is loaded, and costs no other its place. One that only finds no room now is not. */
static void test_room(void **state)
{
    (void)state;
    rig r;
    weir_bench_job j = {0}, waiting = {0};
    weir_errinfo ei = {0};
    rig_open(&r, SESSION);
    add_kinds(&r, 1);
    r.fake[0].steps = 100;
    submit(&r, &j, 0, 1, WEIR_CLASS_NORMAL);
    for (weir_job_report rep = {0}; rep.started_ns == 0;)
        assert_true(weir_engine_report(r.e, j.id, &rep));
    must(add_kind(&r, 1, &ei), &ei); /* while the other is at work */
    submit(&r, &waiting, 1, 2, WEIR_CLASS_NORMAL);
    (void)finish(&r, &j);
    (void)finish(&r, &waiting);
    r.memory.session_bytes = SESSION + 1;
    assert_int_equal(add_kind(&r, 2, &ei), WEIR_E_NOMEM);
    assert_non_null(strstr(ei.text, "61"));
    assert_non_null(strstr(ei.text, "60"));
    r.memory.session_bytes = SESSION;
    assert_null(r.kind[2]);
    assert_int_equal(weir_proof_kind_cold(r.kind[1]), 0);
    rig_close(&r);
}

/* Without a cache a session stays, and one for which too little is free is refused, whatever the budget. */
static void test_without_a_cache(void **state)
{
    (void)state;
    rig r;
    weir_errinfo ei = {0};
    rig_open(&r, 2 * SESSION - 10);
    must(add_kind_in(&r, 0, NULL, &ei), &ei);
    assert_int_equal(weir_proof_kind_cold(r.kind[0]), 0);
    assert_int_equal(add_kind_in(&r, 1, NULL, &ei), WEIR_E_NOMEM);
    assert_non_null(strstr(ei.text, "needs 60 bytes of the device, and may take 50"));
    assert_int_equal(r.memory.used, SESSION);
    rig_close(&r);
}

/* A critical job comes while another's partition has the device. */
static uint64_t pauses_for(rig *r, uint64_t *waited_ns)
{
    weir_bench_job j = {0}, critical = {0};
    weir_device_report d;
    r->fake[0].steps = 40;
    r->fake[0].step_us = 20000;
    weir_engine_device(r->e, 0, &d);
    const uint64_t before = d.pauses;
    submit(r, &j, 0, 1, WEIR_CLASS_NORMAL);
    for (weir_job_report rep = {0}; rep.started_ns == 0;)
        assert_true(weir_engine_report(r->e, j.id, &rep));
    submit(r, &critical, 1, 2, WEIR_CLASS_CRITICAL);
    const weir_job_report rep = finish(r, &critical);
    *waited_ns = rep.started_ns - rep.submitted_ns;
    (void)finish(r, &j);
    weir_engine_device(r->e, 0, &d);
    return d.pauses - before;
}

/* It takes the device at once where its key is there. Where it is not, the other's partition is not kept waiting while it is brought, nor
 * could it go: its own key is in use. */
static void test_critical(void **state)
{
    (void)state;
    rig r;
    uint64_t waited;
    rig_open(&r, 2 * SESSION);
    add_kinds(&r, 2);
    assert_int_equal(pauses_for(&r, &waited), 1);
    assert_true(waited < SEC / 2);
    rig_close(&r);
    rig_open(&r, SESSION);
    add_kinds(&r, 2);
    assert_int_equal(pauses_for(&r, &waited), 0);
    assert_int_equal(r.memory.most, SESSION);
    rig_close(&r);
}

/* A key that cannot be brought fails its jobs, with the reason; others go on. */
static void test_cannot_come(void **state)
{
    (void)state;
    rig r;
    weir_bench_job j = {0};
    weir_job_report rep;
    rig_open(&r, 2 * SESSION);
    add_kinds(&r, KINDS);
    r.memory.bytes = SESSION; /* another program has taken the rest */
    submit(&r, &j, 0, 1, WEIR_CLASS_NORMAL);
    assert_true(weir_engine_wait(r.e, j.id, UINT64_MAX, &rep));
    assert_int_equal(rep.state, WEIR_JOB_FAILED);
    assert_int_equal(rep.err, WEIR_E_NOMEM);
    assert_non_null(strstr(rep.ei.text, "no room"));
    weir_bench_job_clear(&j, r.e);
    r.memory.bytes = 2 * SESSION;
    submit(&r, &j, 0, 2, WEIR_CLASS_NORMAL);
    (void)finish(&r, &j);
    rig_close(&r);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_at_a_time), cmocka_unit_test(test_oldest_goes),
        cmocka_unit_test(test_room),          cmocka_unit_test(test_without_a_cache),
        cmocka_unit_test(test_critical),      cmocka_unit_test(test_cannot_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
