#include "bench/fake_device.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "curve/curve.h"
#include "field/fr.h"

#include <string.h>
#include <time.h>

struct weir_session {
    weir_fake_device *device;
    const weir_relation *rel;
};

/* ---- opening */

static weir_err fake_bytes(const weir_backend *b, weir_need *out, const weir_relation *rel,
                           uint32_t terms, uint64_t budget_bytes, const weir_exec *x,
                           weir_errinfo *ei)
{
    const weir_fake_device *d = b->device;
    (void)rel, (void)terms, (void)x;
    *out = (weir_need){.plan = "scripted", .host_bytes = sizeof(weir_session)};
    if (!d->memory) return WEIR_OK;
    out->device_bytes = d->memory->session_bytes;
    if (out->device_bytes <= budget_bytes) return WEIR_OK;
    return weir_fail(ei, WEIR_E_NOMEM,
                     "a session needs %llu bytes of the device, and may take %llu",
                     (unsigned long long)out->device_bytes, (unsigned long long)budget_bytes);
}

static weir_err fake_free_bytes(const weir_backend *b, uint64_t *out, weir_errinfo *ei)
{
    const weir_fake_device *d = b->device;
    (void)ei;
    *out = UINT64_MAX;
    if (!d->memory) return WEIR_OK;
    const uint64_t used = __atomic_load_n(&d->memory->used, __ATOMIC_RELAXED);
    *out = d->memory->bytes > used ? d->memory->bytes - used : 0;
    return WEIR_OK;
}

static weir_err fake_can(const weir_backend *b, const weir_relation *rel,
                         const weir_key_points *key, uint32_t terms, uint64_t budget_bytes,
                         const weir_exec *x, weir_errinfo *ei)
{
    (void)b, (void)budget_bytes, (void)x;
    if (terms != WEIR_TERMS_ALL)
        return weir_fail(ei, WEIR_E_USAGE, "the fake device makes whole proofs only");
    return weir_key_points_fit(key, rel, ei);
}

static void count(volatile uint64_t *n)
{
    __atomic_add_fetch(n, 1, __ATOMIC_RELAXED);
}

/* False: there is no room. */
static bool take_memory(weir_fake_memory *m)
{
    const uint64_t now = __atomic_add_fetch(&m->used, m->session_bytes, __ATOMIC_RELAXED);
    if (now > m->bytes) {
        __atomic_sub_fetch(&m->used, m->session_bytes, __ATOMIC_RELAXED);
        return false;
    }
    for (uint64_t most = m->most; now > most;)
        if (__atomic_compare_exchange_n(&m->most, &most, now, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            break;
    count(&m->begun);
    return true;
}

/* Asleep, so that the processors are the others'; it wakes often enough to hear a wish to stop. */
static weir_err sleep_step(uint64_t us, const weir_exec *x, weir_errinfo *ei)
{
    enum { NAP_US = 20000 };
    const uint64_t until = weir_now_ns() + us * 1000;
    for (uint64_t now; (now = weir_now_ns()) < until;) {
        uint64_t left = until - now;
        if (left > NAP_US * 1000ull) left = NAP_US * 1000ull;
        const struct timespec t = {0, (long)left};
        nanosleep(&t, NULL);
        if (weir_exec_cancelled(x)) break;
    }
    return weir_exec_cancelled(x) ? weir_fail(ei, WEIR_E_CANCELLED, "stopped") : WEIR_OK;
}

static weir_err fake_begin(const weir_backend *b, weir_session **out, const weir_relation *rel,
                           const weir_key_points *key, uint32_t terms, uint64_t budget_bytes,
                           const weir_exec *x, weir_errinfo *ei)
{
    weir_fake_device *d = b->device;
    *out = NULL;
    WEIR_TRY(fake_can(b, rel, key, terms, budget_bytes, x, ei));
    WEIR_TRY(sleep_step(d->begin_us, x, ei));
    weir_session *s = weir_calloc(1, sizeof *s);
    if (!s) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a session");
    if (d->memory && !take_memory(d->memory)) {
        weir_free(s);
        return weir_fail(ei, WEIR_E_NOMEM, "the fake device has no room for a session");
    }
    s->device = d;
    s->rel = rel;
    *out = s;
    return WEIR_OK;
}

static void fake_end(weir_session *s)
{
    if (!s) return;
    weir_fake_memory *m = s->device->memory;
    if (m) __atomic_sub_fetch(&m->used, m->session_bytes, __ATOMIC_RELAXED);
    weir_free(s);
}

/* ---- a run */

static uint64_t draw(weir_fake_device *d)
{
    uint64_t z = __atomic_add_fetch(&d->seed, UINT64_C(0x9e3779b97f4a7c15), __ATOMIC_RELAXED);
    weir_bench_rand g = {z};
    return weir_bench_rand_u64(&g);
}

/* A = alpha + a and B = beta + b before blinding; h + l closes the equation. */
static void true_sums(weir_fake_device *d, weir_sums *out, const weir_witness *w, weir_isa isa)
{
    weir_bench_rand g = {draw(d)};
    weir_fr a, b, alpha_a, beta_b, c;
    weir_bench_rand_frs(&g, &a, 1);
    weir_bench_rand_frs(&g, &b, 1);
    fr_add(&alpha_a, &a, &d->vk->alpha);
    fr_add(&beta_b, &b, &d->vk->beta);
    weir_known_vk_solve(d->vk, &c, &alpha_a, &beta_b, w->inputs + 1);
    memset(out, 0, sizeof *out);
    weir_known_g1(&out->a, &a, isa);
    weir_known_g1(&out->b1, &b, isa);
    weir_known_g2(&out->b2, &b, isa);
    weir_known_g1(&out->h, &c, isa);
}

static weir_err upload(const weir_fake_device *d, const weir_exec *x, weir_errinfo *ei)
{
    const uint64_t begin = weir_now_ns();
    if (d->upload_us == 0) return WEIR_OK;
    WEIR_TRY(sleep_step(d->upload_us, x, ei));
    weir_exec_transferred(x, begin, weir_now_ns());
    return WEIR_OK;
}

static weir_err fake_run(weir_session *s, weir_sums *out, const weir_witness *w,
                         weir_sums_stats *stats, const weir_exec *x, weir_errinfo *ei)
{
    weir_fake_device *d = s->device;
    uint64_t t0 = weir_now_ns();
    count(&d->runs);
    if (w->rel != s->rel)
        return weir_fail(ei, WEIR_E_MISMATCH, "the witness belongs to another circuit");
    if (draw(d) % 1000 < d->failing_per_mille) {
        count(&d->failed);
        return weir_fail(ei, WEIR_E_DEVICE, "the fake device was told to fail");
    }
    WEIR_TRY(upload(d, x, ei));
    for (uint32_t i = 0; i < d->steps; i++) {
        WEIR_TRY(sleep_step(d->step_us, x, ei));
        if (weir_exec_pause_wanted(x)) weir_exec_pause(x);
    }
    true_sums(d, out, w, x->isa);
    if (draw(d) % 1000 < d->damaged_per_mille) {
        weir_g1 more;
        weir_known_g1(&more, &fr_ONE, x->isa);
        weir_curve_ops_get(x->isa)->g1_add(&out->h, &out->h, &more);
        count(&d->damaged);
    }
    if (stats) *stats = (weir_sums_stats){.h_ns = weir_now_ns() - t0};
    return WEIR_OK;
}

void weir_fake_backend_init(weir_backend *b, weir_fake_device *d)
{
    *b = (weir_backend){.name = "fake",
                        .device = d,
                        .can = fake_can,
                        .bytes = fake_bytes,
                        .free_bytes = fake_free_bytes,
                        .begin = fake_begin,
                        .run = fake_run,
                        .end = fake_end};
}

/* ---- its key */

static weir_err no_g1(void *ctx, weir_key_section section, uint64_t first, size_t n,
                      weir_g1_affine *out, weir_isa isa, weir_errinfo *ei)
{
    (void)ctx, (void)section, (void)first, (void)n, (void)out, (void)isa;
    return weir_fail(ei, WEIR_E_UNSUPPORTED, "the fake device's key has no points");
}

static weir_err no_g2(void *ctx, weir_key_section section, uint64_t first, size_t n,
                      weir_g2_affine *out, weir_isa isa, weir_errinfo *ei)
{
    (void)ctx, (void)section, (void)first, (void)n, (void)out, (void)isa;
    return weir_fail(ei, WEIR_E_UNSUPPORTED, "the fake device's key has no points");
}

void weir_fake_key(weir_pkey *key, const weir_relation *rel, const weir_vk *vk)
{
    *key = (weir_pkey){.vk = vk, .points = {.read_g1 = no_g1, .read_g2 = no_g2}};
    weir_key_points_expected(key->points.count, rel);
}
