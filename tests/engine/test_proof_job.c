/* Jobs that make proofs, on real backends and on the fake device: bytes, repair, the three kinds of failure, memory. */
#include "base/alloc.h"
#include "base/clock.h"
#include "bench/engine_circuit.h"
#include "field/fr.h"
#include "formats/proof_bytes.h"
#include "groth16/groth16.h"
#include "testkit.h"

#include <string.h>

#define SEC ((uint64_t)1000000000)

/* An engine of one kind of proofs on so many devices. */
typedef struct rig {
    weir_bench_circuit c;
    weir_fake_device fake;
    weir_backend fake_backend;
    weir_engine *e;
    weir_proof_kind *kind;
    weir_exec x;
} rig;

static weir_engine_config engine_config(const rig *r, uint32_t devices, uint64_t host)
{
    return (weir_engine_config){.devices = devices,
                                .fill_workers = 2,
                                .ahead = 2,
                                .strikes = 1000,
                                .attempts = 30,
                                .age_ns = 100 * SEC,
                                .limit = {.host = host},
                                .fill_threads = 1,
                                .device_threads = 2,
                                .exec = {.isa = r->x.isa}};
}

static void must(weir_err err, const weir_errinfo *ei)
{
    if (err != WEIR_OK) fail_msg("%s", ei->text);
}

/* fakes: the first so many devices are fake, the others the CPU; those of aside are for repairs. */
static void rig_open(rig *r, const weir_engine_config *config, uint32_t fakes, uint32_t aside)
{
    weir_errinfo ei = {0};
    weir_engine_config c = *config;
    c.aside = aside;
    must(weir_engine_new(&r->e, &c, &ei), &ei);
    weir_proof_kind_config k = {.rel = r->c.rel,
                                .key = &r->c.key,
                                .pvk = r->c.pvk,
                                .aside = aside,
                                .group = 1,
                                .engine = r->e,
                                .exec = r->x};
    weir_fake_backend_init(&r->fake_backend, &r->fake);
    for (uint32_t d = 0; d < c.devices; d++) {
        k.backend[d] = d < fakes ? &r->fake_backend : weir_cpu_backend();
        k.budget_bytes[d] = UINT64_MAX;
    }
    must(weir_proof_kind_new(&r->kind, &k, &ei), &ei);
}

static void rig_circuit(rig *r, unsigned log2, bool whole)
{
    weir_errinfo ei = {0};
    memset(r, 0, sizeof *r);
    r->x = (weir_exec){.isa = weir_isa_best(), .pool = tk_pool(2)};
    must(weir_bench_circuit_mixed(&r->c, log2, &ei), &ei);
    must(weir_bench_circuit_key(&r->c, whole, &r->x, &ei), &ei);
    r->fake = (weir_fake_device){.vk = &r->c.known, .steps = 2, .step_us = 100, .seed = 7};
}

static void rig_close(rig *r)
{
    weir_bytes now;
    weir_proof_kind_free(r->kind);
    if (r->e) {
        weir_budget_used(weir_engine_budget(r->e), &now, NULL);
        assert_int_equal(now.host, 0);
    }
    weir_engine_free(r->e);
    r->kind = NULL;
    r->e = NULL;
}

static void rig_clear(rig *r)
{
    rig_close(r);
    weir_bench_circuit_clear(&r->c);
}

/* One job from request to end. */
typedef struct job {
    weir_bench_request *request;
    weir_proof_job *job;
    uint64_t id;
} job;

static void job_submit(job *j, rig *r, uint64_t seed, const weir_proof_source *source)
{
    weir_errinfo ei = {0};
    must(weir_bench_request_new(&j->request, &r->c, seed, &ei), &ei);
    weir_proof_source s = source ? *source : weir_bench_request_source(j->request);
    if (source && !source->ctx) s.ctx = j->request;
    must(weir_proof_job_new(&j->job, r->kind, &s, &ei), &ei);
    must(weir_engine_submit(r->e, &weir_proof_job_ops, j->job, WEIR_CLASS_NORMAL, UINT64_MAX,
                            &j->id, &ei),
         &ei);
}

static weir_job_report job_end(job *j, rig *r)
{
    weir_job_report rep;
    assert_true(weir_engine_wait(r->e, j->id, 120 * SEC, &rep));
    assert_true(weir_job_has_ended(rep.state));
    return rep;
}

static bool job_accepted(job *j, rig *r)
{
    size_t n;
    bool valid;
    weir_errinfo ei = {0};
    const uint8_t *bytes = weir_proof_job_bytes(j->job, &n);
    must(weir_bench_request_accepts(&valid, j->request, bytes, n, &r->x, &ei), &ei);
    return valid;
}

static void job_clear(job *j, rig *r)
{
    weir_engine_forget(r->e, j->id);
    weir_proof_job_free(j->job);
    weir_bench_request_free(j->request);
}

/* ---- on the CPU: verified proofs, and the bytes of weir_prove for the same blinding */

static void test_cpu(void **state)
{
    (void)state;
    enum { JOBS = 6 };
    rig r;
    job j[JOBS];
    weir_errinfo ei = {0};
    weir_blinding b;
    weir_witness *w;
    weir_proof proof;
    rig_circuit(&r, 7, true);
    const weir_engine_config config = engine_config(&r, 2, UINT64_MAX);
    rig_open(&r, &config, 0, 0);
    must(weir_blinding_fresh(&b, &ei), &ei);
    for (int i = 0; i < JOBS; i++) {
        job_submit(&j[i], &r, (uint64_t)i, NULL);
        weir_job_report rep = job_end(&j[i], &r);
        if (rep.state != WEIR_JOB_DONE) fail_msg("%s", rep.ei.text);
        assert_true(job_accepted(&j[i], &r));
        assert_true(weir_proof_job_stats(j[i].job, 0)->device_ns > 0);
    }
    /* another job's proof is not this one's */
    size_t n;
    bool valid;
    const uint8_t *other = weir_proof_job_bytes(j[1].job, &n);
    must(weir_bench_request_accepts(&valid, j[0].request, other, n, &r.x, &ei), &ei);
    assert_false(valid);
    for (int i = 0; i < JOBS; i++) job_clear(&j[i], &r);
    /* fixed blinding */
    job f;
    must(weir_bench_request_new(&f.request, &r.c, 99, &ei), &ei);
    weir_proof_source s = weir_bench_request_source(f.request);
    s.test_blinding = &b;
    must(weir_proof_job_new(&f.job, r.kind, &s, &ei), &ei);
    must(weir_engine_submit(r.e, &weir_proof_job_ops, f.job, WEIR_CLASS_HIGH, UINT64_MAX, &f.id,
                            &ei),
         &ei);
    assert_int_equal(job_end(&f, &r).state, WEIR_JOB_DONE);
    must(weir_witness_new(&w, r.c.rel, NULL, &ei), &ei);
    must(s.fill(s.ctx, 0, w, &r.x, &ei), &ei);
    must(weir_prove(&proof, w, &r.c.key, &b, NULL, &r.x, &ei), &ei);
    uint8_t want[WEIR_PROOF_BYTES];
    weir_proofs_encode(want, &proof, 1, r.x.isa);
    assert_memory_equal(weir_proof_job_bytes(f.job, &n), want, sizeof want);
    weir_witness_free(w);
    job_clear(&f, &r);
    rig_clear(&r);
}

/* ---- damage and errors of the device: repaired, counted, none gets out */

static void test_damage(void **state)
{
    (void)state;
    enum { JOBS = 200 };
    rig r;
    static job j[JOBS];
    uint64_t repaired = 0;
    weir_device_report d;
    rig_circuit(&r, 4, false);
    r.fake.damaged_per_mille = 200;
    r.fake.failing_per_mille = 100;
    const weir_engine_config config = engine_config(&r, 2, UINT64_MAX);
    rig_open(&r, &config, 2, 0);
    for (int i = 0; i < JOBS; i++) job_submit(&j[i], &r, (uint64_t)i, NULL);
    for (int i = 0; i < JOBS; i++) {
        weir_job_report rep = job_end(&j[i], &r);
        if (rep.state != WEIR_JOB_DONE) fail_msg("%s", rep.ei.text);
        assert_true(job_accepted(&j[i], &r));
        repaired += rep.repaired;
        job_clear(&j[i], &r);
    }
    assert_true(r.fake.damaged > 0 && r.fake.failed > 0);
    assert_int_equal(repaired, r.fake.damaged + r.fake.failed);
    uint64_t bad = 0, failed = 0;
    for (uint32_t i = 0; i < 2; i++) {
        weir_engine_device(r.e, i, &d);
        bad += d.bad_proofs;
        failed += d.failures;
    }
    assert_int_equal(bad, r.fake.damaged);
    assert_int_equal(failed, r.fake.failed);
    rig_clear(&r);
}

/* A device that is always wrong, and a CPU that stands aside: the CPU's proof gets out. */
static void test_aside(void **state)
{
    (void)state;
    rig r;
    job j;
    weir_device_report d;
    rig_circuit(&r, 6, true);
    weir_errinfo ei = {0};
    weir_bench_rand g = {5};
    must(weir_known_vk_init(&r.c.known, (uint32_t)r.c.rel->inputs, &g, &r.x, &ei), &ei);
    weir_engine_config config = engine_config(&r, 2, UINT64_MAX);
    config.attempts = 2;
    rig_open(&r, &config, 1, 2); /* the fake one knows another key's exponents */
    for (int i = 0; i < 3; i++) {
        job_submit(&j, &r, (uint64_t)i, NULL);
        weir_job_report rep = job_end(&j, &r);
        if (rep.state != WEIR_JOB_DONE) fail_msg("%s", rep.ei.text);
        assert_int_equal(rep.repaired, 2);
        assert_true(job_accepted(&j, &r));
        job_clear(&j, &r);
    }
    weir_engine_device(r.e, 0, &d);
    assert_int_equal(d.bad_proofs, 6);
    weir_engine_device(r.e, 1, &d);
    assert_int_equal(d.runs, 3);
    rig_clear(&r);
}

/* ---- failures are told apart */

static weir_err break_fill(void *ctx, uint32_t part, weir_witness *w, const weir_exec *x,
                           weir_errinfo *ei)
{
    weir_proof_source s = weir_bench_request_source(ctx);
    weir_fr v;
    WEIR_TRY(s.fill(s.ctx, part, w, x, ei));
    weir_witness_get(w, 4, &v);
    fr_add(&v, &v, &fr_ONE);
    if (!weir_witness_set(w, 4, &v)) return weir_fail(ei, WEIR_E_INTERNAL, "column 4 is a bit");
    return WEIR_OK;
}

static void test_failures(void **state)
{
    (void)state;
    rig r;
    job j;
    rig_circuit(&r, 6, true);
    weir_engine_config config = engine_config(&r, 2, UINT64_MAX);
    config.attempts = 1;
    /* the input: with the row, without a second try */
    rig_open(&r, &config, 0, 0);
    weir_errinfo ei = {0};
    weir_bench_request *q;
    must(weir_bench_request_new(&q, &r.c, 3, &ei), &ei);
    weir_proof_source broken = weir_bench_request_source(q);
    broken.ctx = NULL; /* each job's own */
    broken.fill = break_fill;
    job_submit(&j, &r, 3, &broken);
    weir_job_report rep = job_end(&j, &r);
    assert_int_equal(rep.state, WEIR_JOB_FAILED);
    assert_int_equal(rep.err, WEIR_E_UNSATISFIED);
    assert_non_null(strstr(rep.ei.text, "row 3"));
    assert_int_equal(rep.repaired, 0);
    job_clear(&j, &r);
    weir_bench_request_free(q);
    /* the key: every device's proof is bad */
    weir_g1_affine *h = r.c.made.g1[WEIR_KEY_H];
    h[1] = h[0];
    job_submit(&j, &r, 4, NULL);
    rep = job_end(&j, &r);
    assert_int_equal(rep.state, WEIR_JOB_FAILED);
    assert_int_equal(rep.err, WEIR_E_BAD_PROOF);
    assert_non_null(strstr(rep.ei.text, "whichever device"));
    assert_non_null(strstr(rep.ei.text, "key"));
    job_clear(&j, &r);
    rig_clear(&r);
}

/* ---- memory: half of what is needed is refused at once with both figures */

static void test_budget(void **state)
{
    (void)state;
    rig r;
    job j;
    char half[40], whole[40];
    rig_circuit(&r, 8, true);
    weir_need need;
    weir_errinfo ei = {0};
    const weir_backend *cpu = weir_cpu_backend();
    must(cpu->bytes(cpu, &need, r.c.rel, WEIR_TERMS_ALL, UINT64_MAX, &r.x, &ei), &ei);
    uint64_t part = weir_witness_bytes(r.c.rel);
    /* a session does not fit */
    weir_engine_config config = engine_config(&r, 1, need.host_bytes / 2);
    must(weir_engine_new(&r.e, &config, &ei), &ei);
    const weir_proof_kind_config k = {.rel = r.c.rel,
                                      .key = &r.c.key,
                                      .pvk = r.c.pvk,
                                      .backend = {weir_cpu_backend()},
                                      .budget_bytes = {UINT64_MAX},
                                      .group = 1,
                                      .engine = r.e,
                                      .exec = r.x};
    assert_int_equal(weir_proof_kind_new(&r.kind, &k, &ei), WEIR_E_NOMEM);
    snprintf(half, sizeof half, "%llu", (unsigned long long)need.host_bytes / 2);
    snprintf(whole, sizeof whole, "%llu", (unsigned long long)need.host_bytes);
    assert_non_null(strstr(ei.text, half));
    assert_non_null(strstr(ei.text, whole));
    rig_close(&r);
    /* a partition does not: at once, not after a wait */
    config = engine_config(&r, 1, need.host_bytes + part / 2);
    rig_open(&r, &config, 0, 0);
    uint64_t t0 = weir_now_ns();
    job_submit(&j, &r, 1, NULL);
    weir_job_report rep = job_end(&j, &r);
    assert_int_equal(rep.err, WEIR_E_NOMEM);
    snprintf(whole, sizeof whole, "%llu", (unsigned long long)part);
    assert_non_null(strstr(rep.ei.text, whole));
    assert_true(weir_now_ns() - t0 < SEC);
    job_clear(&j, &r);
    rig_close(&r);
    /* one at a time fits */
    config = engine_config(&r, 1, need.host_bytes + part);
    rig_open(&r, &config, 0, 0);
    job more[4];
    for (int i = 0; i < 4; i++) job_submit(&more[i], &r, (uint64_t)i, NULL);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(job_end(&more[i], &r).state, WEIR_JOB_DONE);
        job_clear(&more[i], &r);
    }
    weir_bytes most;
    weir_budget_used(weir_engine_budget(r.e), NULL, &most);
    assert_int_equal(most.host, need.host_bytes + part);
    rig_clear(&r);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cpu),    cmocka_unit_test(test_damage),
        cmocka_unit_test(test_aside),  cmocka_unit_test(test_failures),
        cmocka_unit_test(test_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
