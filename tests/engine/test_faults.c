/* Jobs through the engine while the machine errs: damaged results, a key that cannot be read, a wish to stop at any moment.
 *
 * test_faults [--jobs N]: so many jobs with damage, 1,000 if it does not say, and fewer in slow builds. */
#include "base/clock.h"
#include "bench/engine_load.h"
#include "proof_rig.h"
#include "testkit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint32_t jobs = RIG_SLOW ? 150 : 1000;

static void must(weir_err err, const weir_errinfo *ei)
{
    if (err != WEIR_OK) fail_msg("%s", ei->text);
}

static void open_circuit(weir_bench_circuit *c, unsigned log2, bool whole)
{
    weir_errinfo ei = {0};
    const weir_exec x = {.isa = weir_isa_best(), .pool = tk_pool(2)};
    memset(c, 0, sizeof *c);
    must(weir_bench_circuit_mixed(c, log2, &ei), &ei);
    must(weir_bench_circuit_key(c, whole, &x, &ei), &ei);
}

/* ---- damage: a tenth of all runs gives a wrong proof, and none leaves */

static weir_load_result run_damaged(const weir_bench_circuit *c, uint32_t per_mille,
                                    weir_fake_device *fake)
{
    weir_load *l;
    weir_load_result r;
    weir_errinfo ei = {0};
    weir_backend b;
    weir_bytes before, after;
    *fake = (weir_fake_device){
        .vk = &c->known, .steps = 1, .step_us = 200, .damaged_per_mille = per_mille, .seed = 11};
    weir_fake_backend_init(&b, fake);
    const weir_load_setup s = {.ahead = 2,
                               .circuit = c,
                               .device = {&b, &b},
                               .budget_bytes = {UINT64_MAX, UINT64_MAX},
                               .devices = 2,
                               .fill_workers = 2,
                               .fill_threads = 1,
                               .device_threads = 1,
                               .attempts = 30,
                               .strikes = 1000,
                               .gate_credits = 2,
                               .isa = weir_isa_best(),
                               .limit = {.host = UINT64_MAX, .pinned = UINT64_MAX}};
    must(weir_load_open(&l, &s, &ei), &ei);
    weir_budget_used(weir_engine_budget(weir_load_engine(l)), &before, NULL);
    must(weir_load_run(l, &r, jobs, 16, 1, NULL, NULL, &ei), &ei); /* verifies all bytes */
    weir_budget_used(weir_engine_budget(weir_load_engine(l)), &after, NULL);
    assert_int_equal(before.host, after.host);
    assert_int_equal(r.partitions, jobs);
    weir_load_close(l);
    return r;
}

static void test_damage(void **state)
{
    (void)state;
    weir_bench_circuit c;
    weir_fake_device fake;
    open_circuit(&c, 4, false);
    weir_load_result good = run_damaged(&c, 0, &fake);
    assert_int_equal(good.repaired, 0);
    assert_int_equal(fake.runs, jobs);
    weir_load_result r = run_damaged(&c, 100, &fake);
    assert_true(fake.damaged > jobs / 20);
    assert_int_equal(r.repaired, fake.damaged);
    assert_int_equal(fake.runs, jobs + fake.damaged);
    printf("%u jobs, %llu damaged results, all found and repaired: %.3f of the time without\n",
           jobs, (unsigned long long)fake.damaged, (double)r.wall_ns / (double)good.wall_ns);
    weir_load_result_clear(&good);
    weir_load_result_clear(&r);
    weir_bench_circuit_clear(&c);
}

/* ---- a key whose nth read fails */

typedef struct bad_key {
    const weir_key_points *points;
    atomic_ulong reads;
    unsigned long fail_at;
} bad_key;

static bool read_fails(bad_key *k)
{
    return atomic_fetch_add(&k->reads, 1) + 1 == k->fail_at;
}

static weir_err read_g1(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g1_affine *out, weir_isa isa, weir_errinfo *ei)
{
    bad_key *k = ctx;
    if (read_fails(k)) return weir_fail(ei, WEIR_E_IO, "the key's disk was pulled out");
    return k->points->read_g1(k->points->ctx, section, first, n, out, isa, ei);
}

static weir_err read_g2(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g2_affine *out, weir_isa isa, weir_errinfo *ei)
{
    bad_key *k = ctx;
    if (read_fails(k)) return weir_fail(ei, WEIR_E_IO, "the key's disk was pulled out");
    return k->points->read_g2(k->points->ctx, section, first, n, out, isa, ei);
}

static void must_be_done(const weir_job_report *r)
{
    if (r->state != WEIR_JOB_DONE) fail_msg("%s", r->ei.text);
}

/* The job fails with what the reader says, and is not repaired: the device is not at fault. The next one is none the worse. */
static void test_reads(void **state)
{
    (void)state;
    weir_bench_circuit c;
    proof_rig r;
    static rig_job job, next;
    weir_errinfo ei = {0};
    unsigned long failed = 0;
    open_circuit(&c, 6, true);
    bad_key bad = {.points = &c.key.points};
    weir_pkey key = c.key;
    key.points.ctx = &bad;
    key.points.read_g1 = read_g1;
    key.points.read_g2 = read_g2;
    const proof_rig_setup s = {.circuit = &c,
                               .key = &key,
                               .backend = {weir_cpu_backend()},
                               .devices = 1,
                               .attempts = 2,
                               .device_threads = 2};
    must(proof_rig_open(&r, &s, &ei), &ei);
    for (bad.fail_at = 1;; bad.fail_at++) {
        atomic_store(&bad.reads, 0);
        must(rig_job_submit(&job, &r, bad.fail_at, &ei), &ei);
        weir_job_report rep = rig_job_ended(&job, &r);
        const bool reached = atomic_load(&bad.reads) >= bad.fail_at;
        rig_job_clear(&job, &r);
        if (!reached) {
            must_be_done(&rep);
            break;
        }
        failed++;
        assert_int_equal(rep.state, WEIR_JOB_FAILED);
        assert_int_equal(rep.err, WEIR_E_IO);
        assert_int_equal(rep.repaired, 0);
        assert_non_null(strstr(rep.ei.text, "the key's disk was pulled out"));
        proof_rig_no_bytes_held(&r);
        must(rig_job_submit(&next, &r, 1000 + bad.fail_at, &ei), &ei);
        rep = rig_job_ended(&next, &r);
        must_be_done(&rep);
        rig_job_clear(&next, &r);
    }
    printf("%lu reads of the key\n", failed);
    assert_true(failed >= WEIR_KEY_SECTIONS);
    proof_rig_close(&r);
    weir_bench_circuit_clear(&c);
}

/* ---- a wish to stop, at any moment of a job that computes */

typedef struct stop_times {
    unsigned all, late, stopped; /* late: after more than half a second */
} stop_times;

static void cancel_one(proof_rig *r, tk_rng *g, uint64_t whole_ns, stop_times *t)
{
    static rig_job job;
    weir_errinfo ei = {0};
    must(rig_job_submit(&job, r, t->all, &ei), &ei);
    usleep((useconds_t)(tk_below(g, whole_ns + whole_ns / 4) / 1000));
    uint64_t t0 = weir_now_ns();
    weir_engine_cancel(r->e, job.id);
    weir_job_report rep = rig_job_ended(&job, r);
    uint64_t ns = weir_now_ns() - t0;
    proof_rig_no_bytes_held(r);
    assert_true(rep.state == WEIR_JOB_CANCELLED || rep.state == WEIR_JOB_DONE);
    assert_true(ns < 2 * RIG_SEC);
    t->late += ns > RIG_SEC / 2;
    t->stopped += rep.state == WEIR_JOB_CANCELLED;
    t->all++;
    rig_job_clear(&job, r);
}

static void test_cancel(void **state)
{
    (void)state;
    weir_bench_circuit c;
    proof_rig r;
    static rig_job job;
    weir_errinfo ei = {0};
    tk_rng g = tk_rng_new();
    stop_times t = {0};
    open_circuit(&c, RIG_SLOW ? 9 : 12, true);
    const proof_rig_setup s = {.circuit = &c,
                               .backend = {weir_cpu_backend()},
                               .devices = 1,
                               .attempts = 2,
                               .device_threads = 2};
    must(proof_rig_open(&r, &s, &ei), &ei);
    must(rig_job_submit(&job, &r, 1, &ei), &ei);
    weir_job_report whole = rig_job_ended(&job, &r);
    must_be_done(&whole);
    rig_job_clear(&job, &r);
    while (t.all < 60) cancel_one(&r, &g, whole.ended_ns - whole.submitted_ns, &t);
    printf("%u of %u jobs of %.0f ms were stopped, %u after more than half a second\n", t.stopped,
           t.all, (double)(whole.ended_ns - whole.submitted_ns) / 1e6, t.late);
    assert_true(t.stopped >= t.all / 4);
    assert_true(t.late * 20 <= t.all);
    must(rig_job_submit(&job, &r, 2, &ei), &ei);
    whole = rig_job_ended(&job, &r);
    must_be_done(&whole);
    rig_job_clear(&job, &r);
    proof_rig_close(&r);
    weir_bench_circuit_clear(&c);
}

/* ---- a device that errs once is checked before it goes on */

struct weir_session {
    struct erring *device;
    weir_session *inner;
};

/* The CPU behind a device that errs in its first run, and whose answers are wrong afterwards or not. */
typedef struct erring {
    weir_backend table;
    const weir_backend *cpu;
    bool wrong;
    atomic_uint begun, runs;
} erring;

static weir_err erring_bytes(const weir_backend *b, weir_need *out, const weir_relation *rel,
                             uint32_t terms, uint64_t budget_bytes, const weir_exec *x,
                             weir_errinfo *ei)
{
    const erring *d = b->device;
    return d->cpu->bytes(d->cpu, out, rel, terms, budget_bytes, x, ei);
}

static weir_err erring_begin(const weir_backend *b, weir_session **out, const weir_relation *rel,
                             const weir_key_points *key, uint32_t terms, uint64_t budget_bytes,
                             const weir_exec *x, weir_errinfo *ei)
{
    erring *d = b->device;
    weir_session *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->device = d;
    d->begun++;
    weir_err err = d->cpu->begin(d->cpu, &s->inner, rel, key, terms, budget_bytes, x, ei);
    *out = err == WEIR_OK ? s : NULL;
    if (err != WEIR_OK) free(s);
    return err;
}

static weir_err erring_run(weir_session *s, weir_sums *out, const weir_witness *w,
                           weir_sums_stats *stats, const weir_exec *x, weir_errinfo *ei)
{
    erring *d = s->device;
    if (d->runs++ == 0) return weir_fail(ei, WEIR_E_DEVICE, "a cosmic ray");
    WEIR_TRY(d->cpu->run(s->inner, out, w, stats, x, ei));
    if (d->wrong) out->a = out->b1;
    return WEIR_OK;
}

static void erring_end(weir_session *s)
{
    if (!s) return;
    s->device->cpu->end(s->inner);
    free(s);
}

static void test_checked(void **state)
{
    (void)state;
    weir_bench_circuit c;
    open_circuit(&c, 6, true);
    for (int wrong = 0; wrong < 2; wrong++) {
        static erring d;
        weir_load *l;
        weir_load_result r;
        weir_errinfo ei = {0};
        weir_device_report report;
        d = (erring){.cpu = weir_cpu_backend(), .wrong = wrong};
        d.table = (weir_backend){.name = "erring",
                                 .device = &d,
                                 .bytes = erring_bytes,
                                 .begin = erring_begin,
                                 .run = erring_run,
                                 .end = erring_end};
        const weir_load_setup s = {
            .ahead = 2,
            .circuit = &c,
            .device = {&d.table},
            .budget_bytes = {UINT64_MAX},
            .devices = 1,
            .fill_workers = 1,
            .fill_threads = 1,
            .device_threads = 2,
            .attempts = 3,
            .strikes = 3,
            .check = true,
            .gate_credits = 2,
            .isa = weir_isa_best(),
            .limit = {.host = UINT64_MAX, .pinned = UINT64_MAX, .device = {UINT64_MAX}}};
        must(weir_load_open(&l, &s, &ei), &ei);
        assert_int_equal(d.begun, 1);
        weir_err err = weir_load_run(l, &r, 4, 2, 1, NULL, NULL, &ei);
        assert_int_equal(d.begun, 2); /* checked once */
        weir_engine_device(weir_load_engine(l), 0, &report);
        assert_int_equal(report.in_service, !wrong);
        assert_int_equal(err, wrong ? WEIR_E_DEVICE : WEIR_OK);
        if (wrong) assert_non_null(strstr(ei.text, "device 0"));
        if (!wrong) assert_int_equal(r.repaired, 1);
        weir_load_result_clear(&r);
        weir_load_close(l);
    }
    weir_bench_circuit_clear(&c);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "--jobs") == 0) jobs = (uint32_t)strtoul(argv[i + 1], NULL, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
