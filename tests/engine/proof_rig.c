#include "proof_rig.h"

#include "testkit.h"

#include <string.h>

/* ---- the engine */

enum { BUDGET = 1 << 30 }; /* of a GPU, where keys come and go */

static weir_err other_bytes(void *ctx, uint32_t place, weir_bytes *out, const weir_exec *x,
                            weir_errinfo *ei)
{
    (void)ctx, (void)x, (void)ei;
    out->device[place] = BUDGET;
    return WEIR_OK;
}

static weir_err other_bring(void *ctx, uint32_t place, const weir_exec *x, weir_errinfo *ei)
{
    (void)ctx, (void)place, (void)x, (void)ei;
    return WEIR_OK;
}

static void other_drop(void *ctx, uint32_t place)
{
    (void)ctx, (void)place;
}

/* A key that takes all there is comes to device 0. */
static weir_err make_cold(proof_rig *r, weir_errinfo *ei)
{
    static const weir_key_ops other = {other_bytes, other_bring, other_drop};
    uint64_t id;
    WEIR_TRY(weir_key_cache_add(r->cache, &id, &other, NULL, ei));
    WEIR_TRY(weir_key_cache_take(r->cache, id, 0, &r->x, ei));
    weir_key_cache_give(r->cache, id, 0);
    assert_int_equal(weir_proof_kind_cold(r->kind), 1);
    return WEIR_OK;
}

static weir_err open_all(proof_rig *r, const proof_rig_setup *s, weir_errinfo *ei)
{
    const weir_bytes keys = {.host = UINT64_MAX, .pinned = UINT64_MAX, .device = {BUDGET, BUDGET}};
    const weir_engine_config c = {.devices = s->devices,
                                  .fill_workers = 2,
                                  .ahead = 2,
                                  .strikes = 1000,
                                  .attempts = s->attempts,
                                  .age_ns = 100 * RIG_SEC,
                                  .limit = {.host = (uint64_t)1 << 40,
                                            .pinned = (uint64_t)1 << 40,
                                            .device = {(uint64_t)1 << 40, (uint64_t)1 << 40}},
                                  .fill_threads = 1,
                                  .device_threads = s->device_threads,
                                  .exec = r->x,
                                  .aside = s->aside};
    WEIR_TRY(weir_engine_new(&r->e, &c, ei));
    if (s->cold) WEIR_TRY(weir_key_cache_new(&r->cache, &keys, ei));
    weir_proof_kind_config k = {.rel = s->circuit->rel,
                                .key = s->key ? s->key : &s->circuit->key,
                                .pvk = s->circuit->pvk,
                                .aside = s->aside,
                                .group = 1,
                                .engine = r->e,
                                .cache = r->cache,
                                .exec = r->x};
    for (uint32_t d = 0; d < s->devices; d++) {
        k.backend[d] = s->backend[d];
        k.budget_bytes[d] = s->cold && s->backend[d] != weir_cpu_backend() ? BUDGET : UINT64_MAX;
    }
    WEIR_TRY(weir_proof_kind_new(&r->kind, &k, ei));
    return s->cold ? make_cold(r, ei) : WEIR_OK;
}

static uint64_t held(const proof_rig *r)
{
    weir_bytes now;
    weir_budget_used(weir_engine_budget(r->e), &now, NULL);
    return now.host;
}

weir_err proof_rig_open(proof_rig *r, const proof_rig_setup *s, weir_errinfo *ei)
{
    *r = (proof_rig){.circuit = s->circuit, .x = {.isa = weir_isa_best()}};
    WEIR_TRY(weir_slabs_new(&r->slabs, NULL, ei));
    r->x.slabs = r->slabs;
    WEIR_TRY(open_all(r, s, ei));
    r->lasting = held(r);
    return WEIR_OK;
}

void proof_rig_no_bytes_held(const proof_rig *r)
{
    weir_slabs_stats s;
    assert_int_equal(held(r), r->lasting);
    weir_slabs_count(r->slabs, &s);
    assert_int_equal(s.used, 0);
}

void proof_rig_close(proof_rig *r)
{
    weir_slabs_stats s;
    weir_proof_kind_free(r->kind);
    weir_key_cache_free(r->cache);
    if (r->e) assert_int_equal(held(r), 0);
    weir_engine_free(r->e);
    if (r->slabs) {
        weir_slabs_count(r->slabs, &s);
        assert_int_equal(s.used, 0);
    }
    weir_slabs_free(r->slabs);
    *r = (proof_rig){0};
}

/* ---- jobs */

static weir_err parse(void *job, weir_job_plan *out, const weir_exec *x, weir_errinfo *ei)
{
    return weir_proof_job_ops.parse(((rig_job *)job)->job, out, x, ei);
}

static weir_err fill(void *job, uint32_t part, const weir_exec *x, weir_errinfo *ei)
{
    rig_job *j = job;
    atomic_fetch_add(&j->fills, 1);
    return weir_proof_job_ops.fill(j->job, part, x, ei);
}

static weir_err device(void *job, uint32_t part, uint32_t number, const weir_exec *x,
                       weir_errinfo *ei)
{
    return weir_proof_job_ops.device(((rig_job *)job)->job, part, number, x, ei);
}

static weir_err finish(void *job, uint32_t part, const weir_exec *x, weir_errinfo *ei)
{
    return weir_proof_job_ops.finish(((rig_job *)job)->job, part, x, ei);
}

static weir_err join(void *job, const weir_exec *x, weir_errinfo *ei)
{
    rig_job *j = job;
    atomic_fetch_add(&j->joins, 1);
    return weir_proof_job_ops.join(j->job, x, ei);
}

static void release(void *job, uint32_t part)
{
    rig_job *j = job;
    atomic_fetch_add(&j->releases, 1);
    weir_proof_job_ops.release(j->job, part);
}

static void need(void *job, weir_job_need *out)
{
    weir_proof_job_ops.need(((rig_job *)job)->job, out);
}

static void end(void *job)
{
    weir_proof_job_ops.end(((rig_job *)job)->job);
}

static const weir_job_ops ops = {parse, fill, device, finish, join, release, need, end, NULL};

weir_err rig_job_submit(rig_job *j, proof_rig *r, uint64_t seed, weir_errinfo *ei)
{
    WEIR_TRY(weir_bench_request_new(&j->request, r->circuit, seed, ei));
    const weir_proof_source s = weir_bench_request_source(j->request);
    WEIR_TRY(weir_proof_job_new(&j->job, r->kind, &s, ei));
    return weir_engine_submit(r->e, &ops, j, WEIR_CLASS_NORMAL, UINT64_MAX, &j->id, ei);
}

static void check_proof(const rig_job *j, const proof_rig *r)
{
    size_t n;
    bool valid = false;
    weir_errinfo ei = {0};
    const uint8_t *bytes = weir_proof_job_bytes(j->job, &n);
    if (weir_bench_request_accepts(&valid, j->request, bytes, n, &r->x, &ei) != WEIR_OK)
        fail_msg("%s", ei.text);
    assert_true(valid);
}

weir_job_report rig_job_ended(rig_job *j, proof_rig *r)
{
    weir_job_report rep = {0};
    assert_true(weir_engine_wait(r->e, j->id, 60 * RIG_SEC, &rep));
    if (!weir_job_has_ended(rep.state))
        fail_msg("a job hangs in state %s", weir_job_state_names[rep.state]);
    assert_int_equal(j->releases, j->fills);
    assert_true(j->fills <= 1);
    assert_int_equal(j->joins, rep.state == WEIR_JOB_DONE);
    if (rep.state == WEIR_JOB_FAILED) assert_true(rep.err != WEIR_OK && rep.ei.text[0]);
    return rep;
}

void rig_job_clear(rig_job *j, proof_rig *r)
{
    weir_job_report rep;
    if (j->id) {
        assert_true(weir_engine_report(r->e, j->id, &rep));
        if (rep.state == WEIR_JOB_DONE) check_proof(j, r);
        weir_engine_forget(r->e, j->id);
        assert_false(weir_engine_report(r->e, j->id, &rep));
    }
    weir_proof_job_free(j->job);
    weir_bench_request_free(j->request);
    memset(j, 0, sizeof *j);
}
