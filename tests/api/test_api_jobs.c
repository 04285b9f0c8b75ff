/* Jobs of the public interface: results, classes, stopping, events, memory, and a device that is shared with keys. */
#include "api_kit.h"

#include "bench/rand.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

static void test_two_jobs(void **state)
{
    (void)state;
    kit k;
    kit_job a, b;
    libweir_error error;
    libweir_report r;
    uint8_t bytes[LIBWEIR_PROOF_BYTES];
    size_t n;
    kit_open(&k, 0);
    uint64_t used = kit_used(&k);
    kit_submit(&k, &a, 1, false, NULL);
    kit_submit(&k, &b, 2, false, NULL);
    r = kit_end(&k, a.id);
    assert_int_equal(r.state, LIBWEIR_DONE);
    assert_int_equal(r.code, LIBWEIR_OK);
    assert_true(r.partitions == 1 && r.done == 1 && r.repaired == 0);
    assert_true(r.queued_s > 0 && r.total_s > r.queued_s);
    assert_true(r.fill_s > 0 && r.device_s > 0 && r.finish_s > 0);
    assert_int_equal(kit_end(&k, b.id).state, LIBWEIR_DONE);
    assert_true(kit_accepted(&k, &a) && kit_accepted(&k, &b));
    kit_fails(libweir_proof(k.e, bytes, &n, 100, a.id, &error), &error, LIBWEIR_E_RANGE, "192");
    assert_int_equal(n, LIBWEIR_PROOF_BYTES);
    assert_int_equal(kit_used(&k), used);
    kit_ok(libweir_forget(k.e, a.id, &error), &error);
    kit_fails(libweir_poll(k.e, &r, a.id, &error), &error, LIBWEIR_E_USAGE, "no job");
    kit_fails(libweir_wait(k.e, &r, a.id, 1, &error), &error, LIBWEIR_E_USAGE, "no job");
    kit_fails(libweir_proof(k.e, bytes, &n, 192, a.id, &error), &error, LIBWEIR_E_USAGE, "no job");
    kit_fails(libweir_forget(k.e, a.id, &error), &error, LIBWEIR_E_USAGE, "no job");
    kit_fails(libweir_cancel(k.e, a.id, &error), &error, LIBWEIR_E_USAGE, "no job");
    kit_job_clear(&a);
    kit_job_clear(&b);
    kit_close(&k);
}

/* ---- what is refused, at once or when it is read */

static libweir_report porep_end(kit *k, const char *c1, uint32_t flags)
{
    libweir_job_options o;
    libweir_job id;
    libweir_error error;
    libweir_job_options_init(&o);
    o.flags = flags;
    kit_ok(libweir_submit_porep(k->e, &id, k->key, c1, strlen(c1), &o, &error), &error);
    return kit_end(k, id);
}

static void test_bad_input(void **state)
{
    (void)state;
    kit k;
    libweir_error error;
    libweir_job_options o;
    libweir_job id;
    uint8_t bytes[LIBWEIR_PROOF_BYTES];
    size_t n;
    kit_open(&k, 0);
    uint64_t used = kit_used(&k);
    for (uint32_t flags = 0; flags <= LIBWEIR_BORROW; flags++) {
        libweir_report r = porep_end(&k, "{\"vanilla_proofs\": 12}", flags);
        assert_int_equal(r.state, LIBWEIR_FAILED);
        assert_int_equal(r.code, LIBWEIR_E_FORMAT);
        assert_non_null(strstr(r.text, "vanilla_proofs"));
        assert_int_equal(kit_used(&k), used);
    }
    kit_fails(libweir_proof(k.e, bytes, &n, sizeof bytes, 1, &error), &error, LIBWEIR_E_FORMAT,
              "vanilla_proofs");
    libweir_job_options_init(&o);
    o.job_class = (libweir_class)3;
    kit_fails(libweir_submit_porep(k.e, &id, k.key, "{}", 2, &o, &error), &error, LIBWEIR_E_USAGE,
              "job_class 3");
    libweir_job_options_init(&o);
    o.flags = 6;
    kit_fails(libweir_submit_porep(k.e, &id, k.key, "{}", 2, &o, &error), &error,
              LIBWEIR_E_UNSUPPORTED, "flags 0x6");
    libweir_job_options_init(&o);
    o.deadline_s = -1;
    kit_fails(libweir_submit_porep(k.e, &id, k.key, "{}", 2, &o, &error), &error, LIBWEIR_E_USAGE,
              "deadline_s");
    kit_fails(libweir_submit_porep(k.e, &id, k.key, "", 0, NULL, &error), &error, LIBWEIR_E_USAGE,
              "no input");
    assert_int_equal(id, 0);
    kit_close(&k);
}

/* A copy is counted until it is read; one that does not fit is refused. */
static void test_copies(void **state)
{
    (void)state;
    enum { BYTES = 1 << 20, LIMIT = 64 << 20 };
    static char c1[BYTES];
    kit k;
    kit_job first;
    libweir_error error;
    libweir_job_options o;
    libweir_job id[80];
    unsigned n = 0;
    kit_open(&k, LIMIT);
    memset(c1, ' ', sizeof c1);
    uint64_t used = kit_used(&k);
    libweir_code code = LIBWEIR_OK;
    kit_submit(&k, &first, 1, true, NULL);
    for (; n < 80 && code == LIBWEIR_OK; n += code == LIBWEIR_OK)
        code = libweir_submit_porep(k.e, &id[n], k.key, c1, sizeof c1, NULL, &error);
    if (code != LIBWEIR_OK) kit_fails(code, &error, LIBWEIR_E_NOMEM, "LIBWEIR_BORROW");
    for (unsigned i = 0; i < n; i++) {
        libweir_report r = kit_end(&k, id[i]);
        assert_int_equal(r.state, LIBWEIR_FAILED); /* blanks are no document */
        kit_ok(libweir_forget(k.e, id[i], &error), &error);
    }
    /* larger than all there is */
    static char large[LIMIT];
    kit_fails(libweir_submit_porep(k.e, &id[0], k.key, large, sizeof large, NULL, &error), &error,
              LIBWEIR_E_NOMEM, "67108864");
    libweir_job_options_init(&o);
    o.flags = LIBWEIR_BORROW;
    kit_ok(libweir_submit_porep(k.e, &id[0], k.key, large, sizeof large, &o, &error), &error);
    assert_int_equal(kit_end(&k, id[0]).state, LIBWEIR_FAILED);
    atomic_store(&k.go, true);
    assert_int_equal(kit_end(&k, first.id).state, LIBWEIR_DONE);
    assert_int_equal(kit_used(&k), used);
    kit_job_clear(&first);
    kit_close(&k);
}

/* ---- order */

static void test_order(void **state)
{
    (void)state;
    enum { JOBS = 6 };
    kit k;
    kit_job j[JOBS];
    libweir_job_options o[JOBS];
    kit_open(&k, 0);
    for (int i = 0; i < JOBS; i++) libweir_job_options_init(&o[i]);
    o[1].job_class = LIBWEIR_LOW;
    o[3].deadline_s = 100;
    o[4].job_class = LIBWEIR_CRITICAL;
    o[5].job_class = LIBWEIR_HIGH;
    for (int i = 0; i < JOBS; i++) { /* the first holds the only one who fills */
        kit_submit(&k, &j[i], (uint64_t)i, true, &o[i]);
        kit_read(&k, j[i].id);
        while (atomic_load(&k.filled) == 0) usleep(500);
    }
    atomic_store(&k.go, true);
    for (int i = 0; i < JOBS; i++) assert_int_equal(kit_end(&k, j[i].id).state, LIBWEIR_DONE);
    const unsigned want[JOBS] = {0, 4, 5, 3, 2, 1};
    assert_memory_equal(k.order, want, sizeof want);
    for (int i = 0; i < JOBS; i++) kit_job_clear(&j[i]);
    kit_close(&k);
}

/* ---- stopping */

static void test_cancel(void **state)
{
    (void)state;
    kit k;
    kit_job j, done;
    libweir_error error;
    libweir_report r;
    uint8_t bytes[LIBWEIR_PROOF_BYTES];
    size_t n;
    kit_open(&k, 0);
    uint64_t used = kit_used(&k);
    kit_submit(&k, &j, 1, true, NULL);
    kit_read(&k, j.id);
    libweir_report_init(&r);
    kit_fails(libweir_wait(k.e, &r, j.id, 0.01, &error), &error, LIBWEIR_E_TIMEOUT, "0.01 s");
    assert_true(r.state == LIBWEIR_RUNNING && r.partitions == 1 && r.total_s > 0);
    kit_fails(libweir_proof(k.e, bytes, &n, sizeof bytes, j.id, &error), &error, LIBWEIR_E_BUSY,
              "did not end");
    kit_fails(libweir_forget(k.e, j.id, &error), &error, LIBWEIR_E_BUSY, "did not end");
    kit_ok(libweir_cancel(k.e, j.id, &error), &error);
    r = kit_end(&k, j.id);
    assert_int_equal(r.state, LIBWEIR_CANCELLED);
    assert_int_equal(r.code, LIBWEIR_E_CANCELLED);
    kit_fails(libweir_proof(k.e, bytes, &n, sizeof bytes, j.id, &error), &error,
              LIBWEIR_E_CANCELLED, "was cancelled");
    assert_int_equal(kit_used(&k), used);
    /* one that has ended stays as it is */
    kit_submit(&k, &done, 2, false, NULL);
    assert_int_equal(kit_end(&k, done.id).state, LIBWEIR_DONE);
    kit_ok(libweir_cancel(k.e, done.id, &error), &error);
    assert_int_equal(kit_end(&k, done.id).state, LIBWEIR_DONE);
    kit_job_clear(&j);
    kit_job_clear(&done);
    kit_close(&k);
}

static void test_close_running(void **state)
{
    (void)state;
    enum { JOBS = 8 };
    kit k;
    kit_job j[JOBS];
    libweir_job id;
    libweir_error error;
    kit_open(&k, 0);
    for (int i = 0; i < JOBS; i++) kit_submit(&k, &j[i], (uint64_t)i, i % 2 == 0, NULL);
    for (int i = 0; i < JOBS; i++)
        kit_ok(libweir_submit_porep(k.e, &id, k.key, "{}", 2, NULL, &error), &error);
    kit_close(&k);
    for (int i = 0; i < JOBS; i++) kit_job_clear(&j[i]);
}

/* ---- events */

static bool readable(kit *k, int timeout_ms)
{
    struct pollfd p = {.fd = libweir_event_fd(k->e), .events = POLLIN};
    return poll(&p, 1, timeout_ms) == 1 && (p.revents & POLLIN);
}

static void test_events(void **state)
{
    (void)state;
    enum { JOBS = 5 };
    kit k;
    kit_job j[JOBS];
    libweir_error error;
    libweir_report r;
    libweir_job id;
    unsigned ended = 0, events = 0;
    kit_open(&k, 0);
    assert_false(readable(&k, 0));
    assert_int_equal(libweir_next_event(k.e, &id), 0);
    assert_int_equal(id, 0);
    for (int i = 0; i < JOBS; i++) kit_submit(&k, &j[i], (uint64_t)i, false, NULL);
    libweir_report_init(&r);
    while (ended < JOBS) {
        assert_true(readable(&k, 60000));
        assert_int_equal(libweir_next_event(k.e, &id), 1);
        kit_ok(libweir_poll(k.e, &r, id, &error), &error);
        events++;
        if (r.state < LIBWEIR_DONE) continue;
        /* none comes of a job that has ended and was fetched since */
        while (kit_end(&k, id).state != LIBWEIR_DONE) fail();
        ended += libweir_forget(k.e, id, NULL) == LIBWEIR_OK;
    }
    assert_true(events >= JOBS);
    assert_false(readable(&k, 0));
    /* one that is forgotten before it was fetched */
    kit_job late;
    kit_submit(&k, &late, 9, false, NULL);
    assert_int_equal(kit_end(&k, late.id).state, LIBWEIR_DONE);
    assert_true(readable(&k, 60000));
    kit_ok(libweir_forget(k.e, late.id, &error), &error);
    assert_false(readable(&k, 0));
    assert_int_equal(libweir_next_event(k.e, &id), 0);
    for (int i = 0; i < JOBS; i++) kit_job_clear(&j[i]);
    kit_job_clear(&late);
    kit_close(&k);
}

/* ---- a device as a GPU is: with turns, and the CPU aside */

static void open_fake(kit *k, weir_fake_device *fake, const weir_known_vk *vk)
{
    libweir_options o;
    libweir_error error;
    libweir_options_init(&o);
    fake->vk = vk;
    fake->steps = 3;
    fake->step_us = 2000;
    fake->seed = 1;
    k->e = api_blank(&o);
    assert_non_null(k->e);
    snprintf(k->e->device[0].name, sizeof k->e->device[0].name, "fake");
    weir_fake_backend_init(&k->e->device[0]._gpu, fake);
    k->e->device[0].backend = &k->e->device[0]._gpu;
    weir_device_use_cpu(&k->e->device[1]);
    k->e->devices = 2;
    k->e->cpu = k->e->aside = 2;
    kit_ok(api_open_on(k->e, &o, &error), &error);
    kit_add_key(k, &k->key);
}

/* One that is always wrong. */
static void test_aside(void **state)
{
    (void)state;
    enum { JOBS = 6 };
    kit k;
    kit_job j[JOBS];
    weir_fake_device fake = {.vk = NULL};
    weir_known_vk wrong;
    weir_errinfo ei = {0};
    weir_bench_rand g = {5};
    libweir_device_report d;
    libweir_error error;
    libweir_key other;
    uint32_t repaired = 0;
    kit_circuit(&k);
    assert_int_equal(weir_known_vk_init(&wrong, (uint32_t)k.c.rel->inputs, &g, &k.x, &ei), WEIR_OK);
    open_fake(&k, &fake, &wrong);
    for (int i = 0; i < JOBS; i++) {
        kit_submit(&k, &j[i], (uint64_t)i, false, NULL);
        kit_add_key(&k, &other); /* while it runs */
        kit_ok(libweir_key_unload(k.e, other, &error), &error);
    }
    for (int i = 0; i < JOBS; i++) {
        libweir_report r = kit_end(&k, j[i].id);
        if (r.state != LIBWEIR_DONE) fail_msg("%s", r.text);
        assert_true(kit_accepted(&k, &j[i]));
        repaired += r.repaired;
        kit_job_clear(&j[i]);
    }
    libweir_device_report_init(&d);
    kit_ok(libweir_device(k.e, &d, 0, &error), &error);
    assert_string_equal(d.name, "fake");
    assert_true(d.bad_proofs > 0 && d.in_service == 0); /* its known answer was wrong too */
    assert_true(d.bad_proofs + d.failures >= repaired);
    kit_ok(libweir_device(k.e, &d, 1, &error), &error);
    assert_true(d.aside == 1 && d.in_service == 1 && d.runs >= JOBS);
    kit_close(&k);
    weir_known_vk_clear(&wrong);
}

/* Two keys and room for one: it is the one that is needed. */
static void test_two_keys(void **state)
{
    (void)state;
    enum { JOBS = 6, SESSION = 600, ROOM = 1000 };
    kit k;
    kit_job j[JOBS];
    weir_fake_memory memory = {.bytes = ROOM, .session_bytes = SESSION};
    weir_fake_device fake = {.memory = &memory};
    libweir_device_report d;
    libweir_error error;
    libweir_key key[2];
    weir_errinfo ei = {0};
    kit_circuit(&k);
    weir_bench_circuit_clear(&k.c);
    k.c = (weir_bench_circuit){.rel = NULL};
    assert_int_equal(weir_bench_circuit_mixed(&k.c, 6, &ei), WEIR_OK);
    assert_int_equal(weir_bench_circuit_key(&k.c, false, &k.x, &ei), WEIR_OK);
    open_fake(&k, &fake, &k.c.known);
    key[0] = k.key;
    kit_add_key(&k, &key[1]);
    for (int i = 0; i < JOBS; i++) {
        k.key = key[i % 2];
        kit_submit(&k, &j[i], (uint64_t)i, false, NULL);
    }
    for (int i = 0; i < JOBS; i++) {
        libweir_report r = kit_end(&k, j[i].id);
        if (r.state != LIBWEIR_DONE) fail_msg("%s", r.text);
        assert_true(kit_accepted(&k, &j[i]));
        kit_job_clear(&j[i]);
    }
    libweir_device_report_init(&d);
    kit_ok(libweir_device(k.e, &d, 0, &error), &error);
    assert_true(d.runs == JOBS && d.used_bytes == SESSION && d.most_bytes == SESSION);
    assert_true(memory.begun == 2 + JOBS && memory.most == SESSION);
    kit_ok(libweir_key_unload(k.e, key[(JOBS - 1) % 2], &error), &error);
    kit_ok(libweir_device(k.e, &d, 0, &error), &error);
    assert_true(d.used_bytes == 0 && memory.used == 0);
    kit_close(&k);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_jobs), cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_copies),   cmocka_unit_test(test_order),
        cmocka_unit_test(test_cancel),   cmocka_unit_test(test_close_running),
        cmocka_unit_test(test_events),   cmocka_unit_test(test_aside),
        cmocka_unit_test(test_two_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
