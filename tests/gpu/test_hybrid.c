/* The hybrid backend with a device whose run a test can steer: who ends whom, which error is told, pausing, sessions at once; and its sums, with the
 * CPU as the device, which takes any terms. */
#include "backend_cases.h"

#include "base/clock.h"
#include "compute/hybrid_backend.h"
#include "testkit.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

typedef struct rig {
    backend_kit k;
    weir_key_points key; /* the kit's, through the reader below */
    weir_backend device, both;
    weir_hybrid h;
    weir_session *s;
    /* what the device's run does */
    enum { RUN, FAIL, FAIL_ONCE_READ, WAIT_UNTIL_STOPPED, PAUSE } device_does;
    /* what reading the key does: fails; waits until the device has failed; tells that it was called */
    bool read_fails, read_waits;
    atomic_int reading, device_failed, reads_g2;
    volatile int cancel;
    weir_watch watch;
    pthread_t caller;
    int paused;
} rig;

static rig *the_rig; /* one test at a time: a backend's run is told its session only */

static weir_err device_run(weir_session *session, weir_sums *out, const weir_witness *w,
                           weir_sums_stats *stats, const weir_exec *x, weir_errinfo *ei)
{
    rig *r = the_rig;
    if (r->device_does == FAIL_ONCE_READ)
        while (!atomic_load(&r->reading)) sched_yield();
    if (r->device_does == FAIL || r->device_does == FAIL_ONCE_READ) {
        atomic_store(&r->device_failed, 1);
        return weir_fail(ei, WEIR_E_DEVICE, "the device fails");
    }
    if (r->device_does == WAIT_UNTIL_STOPPED) {
        while (!weir_exec_cancelled(x)) sched_yield();
        return weir_fail(ei, WEIR_E_CANCELLED, "the device was stopped");
    }
    if (r->device_does == PAUSE && weir_exec_pause_wanted(x)) weir_exec_pause(x);
    return weir_cpu_backend()->run(session, out, w, stats, x, ei);
}

static weir_err read_key(rig *r, weir_key_section section, weir_errinfo *ei)
{
    atomic_store(&r->reading, 1);
    if (section == WEIR_KEY_B_G2) atomic_fetch_add(&r->reads_g2, 1);
    while (r->read_waits && !atomic_load(&r->device_failed) &&
           !__atomic_load_n(&r->cancel, __ATOMIC_RELAXED))
        sched_yield();
    if (r->read_waits) {
        struct timespec some = {.tv_nsec = 50 * 1000 * 1000}; /* the other part hears of it */
        nanosleep(&some, NULL);
    }
    return r->read_fails ? weir_fail(ei, WEIR_E_NOT_ON_CURVE, "a bad point") : WEIR_OK;
}

static weir_err read_g1(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g1_affine *out, weir_isa isa, weir_errinfo *ei)
{
    rig *r = ctx;
    WEIR_TRY(read_key(r, section, ei));
    return r->k.key.read_g1(r->k.key.ctx, section, first, n, out, isa, ei);
}

static weir_err read_g2(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g2_affine *out, weir_isa isa, weir_errinfo *ei)
{
    rig *r = ctx;
    WEIR_TRY(read_key(r, section, ei));
    return r->k.key.read_g2(r->k.key.ctx, section, first, n, out, isa, ei);
}

static void must(weir_err err, const weir_errinfo *ei)
{
    if (err != WEIR_OK) fail_msg("%s", ei->text);
}

static void rig_init(rig *r, uint32_t cpu_terms)
{
    const backend_case c = {
        .seed = 7, .rows = 200, .inputs = 3, .repeat = 2, .percent_bits = 60, .percent_ones = 50};
    const weir_exec cpu = {.pool = tk_pool(3), .isa = weir_isa_best()};
    weir_errinfo ei = {0};
    memset(r, 0, sizeof *r);
    the_rig = r;
    must(backend_kit_init(&r->k, &c, tk_pool(2), &ei), &ei);
    r->key = r->k.key;
    r->key.ctx = r;
    r->key.read_g1 = read_g1;
    r->key.read_g2 = read_g2;
    r->watch.cancel = &r->cancel;
    r->k.x.watch = &r->watch;
    r->device = *weir_cpu_backend();
    r->device.run = device_run;
    must(weir_hybrid_init(&r->both, &r->h, &r->device, &cpu, cpu_terms, &ei), &ei);
    must(
        r->both.begin(&r->both, &r->s, r->k.rel, &r->key, WEIR_TERMS_ALL, UINT64_MAX, &r->k.x, &ei),
        &ei);
}

static weir_err run(rig *r, weir_errinfo *ei)
{
    weir_sums got;
    WEIR_TRY(r->both.run(r->s, &got, r->k.w, NULL, &r->k.x, ei));
    return backend_same_sums(&r->k, &got, ei);
}

/* The session is as good as new. */
static void rig_clear(rig *r)
{
    weir_errinfo ei = {0};
    r->device_does = RUN;
    r->read_fails = r->read_waits = false;
    r->cancel = 0;
    must(run(r, &ei), &ei);
    r->both.end(r->s);
    weir_hybrid_clear(&r->h);
    backend_kit_clear(&r->k);
}

/* ---- */

/* Each term alone on the CPU, and sets of them; the device takes any rest. */
static void test_any_terms(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    const weir_exec cpu = {.pool = tk_pool(3), .isa = weir_isa_best()};
    for (unsigned i = 0; i < 30; i++) {
        uint32_t terms = i < 9    ? 1u << i
                         : i == 9 ? 0
                         : i < 12 ? WEIR_TERMS_ALL
                                  : (uint32_t)tk_below(&g, WEIR_TERMS_ALL);
        const backend_case c = {.seed = tk_u64(&g),
                                .rows = 1 + tk_below(&g, 300),
                                .inputs = 1,
                                .repeat = tk_below(&g, 3),
                                .percent_bits = (unsigned)tk_below(&g, 101),
                                .percent_ones = 50};
        backend_kit k;
        weir_backend both;
        weir_hybrid h;
        weir_errinfo ei = {0};
        must(backend_kit_init(&k, &c, tk_pool(2), &ei), &ei);
        must(backend_compare_terms(&k, weir_cpu_backend(), terms, UINT64_MAX, 2, &ei), &ei);
        must(weir_hybrid_init(&both, &h, weir_cpu_backend(), &cpu, terms, &ei), &ei);
        must(backend_compare(&k, &both, UINT64_MAX, 2, &ei), &ei);
        must(backend_compare_terms(&k, &both, WEIR_TERMS_ALL & ~WEIR_TERM_H, UINT64_MAX, 1, &ei),
             &ei);
        weir_hybrid_clear(&h);
        backend_kit_clear(&k);
    }
}

/* What a session on the CPU takes by its terms: never more than the whole. */
static void test_cpu_bytes(void **state)
{
    (void)state;
    const weir_backend *cpu = weir_cpu_backend();
    weir_need all, need;
    rig r;
    rig_init(&r, WEIR_TERMS_G2);
    must(cpu->bytes(cpu, &all, r.k.rel, WEIR_TERMS_ALL, UINT64_MAX, &r.k.x, NULL),
         &(weir_errinfo){0});
    for (uint32_t terms = 0; terms < WEIR_TERMS_ALL; terms++) {
        assert_int_equal(cpu->bytes(cpu, &need, r.k.rel, terms, UINT64_MAX, &r.k.x, NULL), WEIR_OK);
        assert_true(need.host_bytes <= all.host_bytes);
    }
    assert_int_equal(cpu->bytes(cpu, &need, r.k.rel, 512, UINT64_MAX, &r.k.x, NULL), WEIR_E_USAGE);
    rig_clear(&r);
}

/* The device fails while the CPU reads the first points: the CPU's part ends before it comes to b in G2. */
static void test_device_fails(void **state)
{
    (void)state;
    rig r;
    weir_errinfo ei = {0};
    rig_init(&r, WEIR_TERMS_G2 | WEIR_TERMS_TAILS);
    r.device_does = FAIL_ONCE_READ;
    r.read_waits = true;
    assert_int_equal(run(&r, &ei), WEIR_E_DEVICE);
    assert_string_equal(ei.text, "the device fails");
    assert_int_equal(atomic_load(&r.reads_g2), 0);
    r.device_does = FAIL;
    for (int i = 0; i < 50; i++) {
        r.read_waits = false;
        assert_int_equal(run(&r, &ei), WEIR_E_DEVICE);
    }
    rig_clear(&r);
}

/* The CPU fails: a device that would go on for ever is stopped, and the CPU's error is told. */
static void test_cpu_fails(void **state)
{
    (void)state;
    rig r;
    weir_errinfo ei = {0};
    rig_init(&r, WEIR_TERMS_G2);
    r.device_does = WAIT_UNTIL_STOPPED;
    r.read_fails = true;
    for (int i = 0; i < 20; i++) {
        assert_int_equal(run(&r, &ei), WEIR_E_NOT_ON_CURVE);
        assert_string_equal(ei.text, "a bad point");
    }
    rig_clear(&r);
}

static void *cancel_once_read(void *arg)
{
    rig *r = arg;
    while (!atomic_load(&r->reading)) sched_yield();
    __atomic_store_n(&r->cancel, 1, __ATOMIC_RELAXED);
    return NULL;
}

/* A wish to stop from outside reaches both: the device alone would go on for ever, and so would the CPU. */
static void test_cancel(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        rig r;
        pthread_t other;
        weir_errinfo ei = {0};
        rig_init(&r, WEIR_TERMS_G2 | WEIR_TERMS_TAILS);
        r.device_does = i == 0 ? WAIT_UNTIL_STOPPED : RUN;
        r.read_waits = true;
        if (i < 2)
            assert_int_equal(pthread_create(&other, NULL, cancel_once_read, &r), 0);
        else
            r.cancel = 1;
        assert_int_equal(run(&r, &ei), WEIR_E_CANCELLED);
        if (i < 2) pthread_join(other, NULL);
        assert_int_equal(atomic_load(&r.reads_g2), 0);
        rig_clear(&r);
    }
}

/* ---- what goes up: progress and pausing, on the calling thread */

static void progress(void *ctx, const char *stage, uint64_t done, uint64_t total)
{
    rig *r = ctx;
    (void)stage;
    assert_true(done <= total && pthread_equal(r->caller, pthread_self()));
}

static bool pause_wanted(void *ctx)
{
    rig *r = ctx;
    return pthread_equal(r->caller, pthread_self()) && !r->paused;
}

static void pause_now(void *ctx)
{
    rig *r = ctx;
    r->paused++;
}

static void test_watch(void **state)
{
    (void)state;
    rig r;
    weir_errinfo ei = {0};
    rig_init(&r, WEIR_TERMS_G2 | WEIR_TERMS_TAILS);
    r.caller = pthread_self();
    r.watch = (weir_watch){
        .ctx = &r, .progress = progress, .pause_wanted = pause_wanted, .pause = pause_now};
    r.device_does = PAUSE;
    must(run(&r, &ei), &ei);
    assert_int_equal(r.paused, 1);
    r.k.x.watch = NULL; /* nobody watches */
    must(run(&r, &ei), &ei);
    rig_clear(&r);
}

/* ---- a session on each of two threads: the CPU parts share one pool */

typedef struct worker {
    rig *r;
    weir_session *s;
    weir_exec x;
    weir_err err;
    weir_errinfo ei;
    pthread_t thread;
} worker;

static void *work(void *arg)
{
    worker *w = arg;
    for (int i = 0; i < 10 && w->err == WEIR_OK; i++) {
        weir_sums got;
        w->err = w->r->both.run(w->s, &got, w->r->k.w, NULL, &w->x, &w->ei);
        if (w->err == WEIR_OK) w->err = backend_same_sums(&w->r->k, &got, &w->ei);
    }
    return NULL;
}

static void test_sessions_at_once(void **state)
{
    (void)state;
    rig r;
    worker w[3];
    rig_init(&r, WEIR_TERMS_G2);
    for (int i = 0; i < 3; i++) {
        w[i] = (worker){.r = &r, .x = {.isa = weir_isa_best()}};
        must(r.both.begin(&r.both, &w[i].s, r.k.rel, &r.key, WEIR_TERMS_ALL, UINT64_MAX, &w[i].x,
                          &w[i].ei),
             &w[i].ei);
    }
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&w[i].thread, NULL, work, &w[i]), 0);
    for (int i = 0; i < 3; i++) pthread_join(w[i].thread, NULL);
    for (int i = 0; i < 3; i++) {
        must(w[i].err, &w[i].ei);
        r.both.end(w[i].s);
    }
    r.both.end(NULL);
    rig_clear(&r);
}

/* A witness of another circuit, a key of another. */
static void test_refusals(void **state)
{
    (void)state;
    const backend_case c = {.seed = 9, .rows = 20, .inputs = 1, .percent_bits = 50};
    backend_kit other;
    rig r;
    weir_sums got;
    weir_session *s;
    weir_errinfo ei = {0};
    rig_init(&r, WEIR_TERMS_G2);
    must(backend_kit_init(&other, &c, NULL, &ei), &ei);
    assert_int_equal(r.both.run(r.s, &got, other.w, NULL, &r.k.x, &ei), WEIR_E_MISMATCH);
    assert_int_equal(
        r.both.can(&r.both, r.k.rel, &other.key, WEIR_TERMS_ALL, UINT64_MAX, &r.k.x, &ei),
        WEIR_E_MISMATCH);
    assert_int_equal(
        r.both.begin(&r.both, &s, r.k.rel, &other.key, WEIR_TERMS_ALL, UINT64_MAX, &r.k.x, &ei),
        WEIR_E_MISMATCH);
    assert_null(s);
    backend_kit_clear(&other);
    rig_clear(&r);
}

/* Who watches is told when the CPU was at its part, and since when the device's had ended: once a run. */
typedef struct told {
    weir_watch watch;
    unsigned times;
    uint64_t begin_ns, end_ns, since_ns;
} told;

static void note_beside(void *ctx, uint64_t begin_ns, uint64_t end_ns, uint64_t since_ns)
{
    told *t = ctx;
    t->times++;
    t->begin_ns = begin_ns;
    t->end_ns = end_ns;
    t->since_ns = since_ns;
}

static void test_told(void **state)
{
    (void)state;
    rig r;
    told t = {.times = 0};
    weir_errinfo ei = {0};
    rig_init(&r, WEIR_TERMS_G2 | WEIR_TERMS_TAILS);
    t.watch = (weir_watch){.ctx = &t, .beside = note_beside};
    r.k.x.watch = &t.watch;
    for (unsigned i = 1; i <= 3; i++) {
        const uint64_t before = weir_now_ns();
        must(run(&r, &ei), &ei);
        const uint64_t after = weir_now_ns();
        assert_int_equal(t.times, i);
        assert_true(before <= t.begin_ns && t.begin_ns < t.end_ns && t.end_ns <= after);
        assert_true(before < t.since_ns && t.since_ns <= after);
    }
    r.k.x.watch = &r.watch;
    rig_clear(&r);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_told),      cmocka_unit_test(test_any_terms),
        cmocka_unit_test(test_cpu_bytes), cmocka_unit_test(test_device_fails),
        cmocka_unit_test(test_cpu_fails), cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_watch),     cmocka_unit_test(test_sessions_at_once),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
