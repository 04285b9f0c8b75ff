#include "compute/hybrid_backend.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "curve/curve.h"

#include <string.h>

/* Who failed first. */
enum { NOBODY, DEVICE, CPU, PARTS };

/* What one part of a run gives. */
typedef struct part {
    weir_sums sums;
    weir_sums_stats stats;
    weir_err err;
    weir_errinfo ei;
    uint64_t begin_ns, end_ns;
} part;

struct weir_session {
    const weir_hybrid *h;
    weir_session *device, *cpu;
    /* of the run that is under way */
    const weir_witness *w;
    weir_watch watch[PARTS];
    volatile int
        failed; /* also both parts' wish to stop; relaxed order suffices, since no data goes with it */
    part part[PARTS];
    weir_side_job job;
};

/* ---- what is needed */

static weir_err hybrid_bytes(const weir_backend *b, weir_need *out, const weir_relation *rel,
                             uint32_t terms, uint64_t budget_bytes, const weir_exec *x,
                             weir_errinfo *ei)
{
    const weir_hybrid *h = b->device;
    const weir_backend *cpu = weir_cpu_backend();
    weir_need need;
    WEIR_TRY(cpu->bytes(cpu, &need, rel, terms & h->_cpu_terms, UINT64_MAX, &h->_cpu, ei));
    WEIR_TRY(h->_device->bytes(h->_device, out, rel, terms & ~h->_cpu_terms, budget_bytes, x, ei));
    out->host_bytes += sizeof(weir_session) + need.host_bytes;
    return WEIR_OK;
}

static weir_err hybrid_free_bytes(const weir_backend *b, uint64_t *out, weir_errinfo *ei)
{
    const weir_hybrid *h = b->device;
    *out = UINT64_MAX;
    return weir_backend_clip(h->_device, out, ei);
}

static weir_err hybrid_can(const weir_backend *b, const weir_relation *rel,
                           const weir_key_points *key, uint32_t terms, uint64_t budget_bytes,
                           const weir_exec *x, weir_errinfo *ei)
{
    const weir_hybrid *h = b->device;
    const weir_backend *cpu = weir_cpu_backend();
    WEIR_TRY(cpu->can(cpu, rel, key, terms & h->_cpu_terms, UINT64_MAX, &h->_cpu, ei));
    return h->_device->can(h->_device, rel, key, terms & ~h->_cpu_terms, budget_bytes, x, ei);
}

/* ---- sessions */

static void hybrid_end(weir_session *s)
{
    if (!s) return;
    s->h->_device->end(s->device);
    weir_cpu_backend()->end(s->cpu);
    weir_free(s);
}

/* The CPU's session is made on this thread: that runs nothing on the pool, which another session may be using. */
static weir_err hybrid_begin(const weir_backend *b, weir_session **out, const weir_relation *rel,
                             const weir_key_points *key, uint32_t terms, uint64_t budget_bytes,
                             const weir_exec *x, weir_errinfo *ei)
{
    const weir_hybrid *h = b->device;
    const weir_backend *cpu = weir_cpu_backend();
    weir_err err = WEIR_OK;
    *out = NULL;
    weir_session *s = weir_calloc(1, sizeof *s);
    if (!s) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a session on a device and the CPU");
    s->h = h;
    WEIR_TRY_GOTO(
        cpu->begin(cpu, &s->cpu, rel, key, terms & h->_cpu_terms, UINT64_MAX, &h->_cpu, ei));
    WEIR_TRY_GOTO(h->_device->begin(h->_device, &s->device, rel, key, terms & ~h->_cpu_terms,
                                    budget_bytes, x, ei));
    *out = s;
    s = NULL;
out:
    hybrid_end(s);
    return err;
}

/* ---- a run */

/* The first part that fails stops the other. */
static void run_part(weir_session *s, int which, const weir_backend *b, weir_session *session,
                     const weir_exec *x)
{
    part *p = &s->part[which];
    int nobody = NOBODY;
    p->begin_ns = weir_now_ns();
    p->err = b->run(session, &p->sums, s->w, &p->stats, x, &p->ei);
    p->end_ns = weir_now_ns();
    if (p->err != WEIR_OK)
        (void)__atomic_compare_exchange_n(&s->failed, &nobody, which, false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED);
}

static void run_cpu(void *ctx)
{
    weir_session *s = ctx;
    weir_exec x = s->h->_cpu;
    x.watch = &s->watch[CPU];
    run_part(s, CPU, weir_cpu_backend(), s->cpu, &x);
}

static void run_device(weir_session *s, const weir_exec *caller)
{
    weir_exec x = *caller;
    x.watch = &s->watch[DEVICE];
    run_part(s, DEVICE, s->h->_device, s->device, &x);
}

/* The CPU's part reports no progress: that is the calling thread's business. */
static void set_watches(weir_session *s, const weir_exec *x)
{
    const weir_watch ours = {.cancel = &s->failed, .outer = x->watch};
    s->failed = NOBODY;
    s->watch[CPU] = ours;
    s->watch[DEVICE] = x->watch ? *x->watch : ours;
    s->watch[DEVICE].cancel = ours.cancel;
    s->watch[DEVICE].outer = ours.outer;
}

static void add_sums(weir_sums *out, const weir_sums *a, const weir_sums *b, weir_isa isa)
{
    const weir_curve_ops *ops = weir_curve_ops_get(isa);
    ops->g1_add(&out->h, &a->h, &b->h);
    ops->g1_add(&out->l, &a->l, &b->l);
    ops->g1_add(&out->a, &a->a, &b->a);
    ops->g1_add(&out->b1, &a->b1, &b->b1);
    ops->g2_add(&out->b2, &a->b2, &b->b2);
}

static void add_stats(weir_sums_stats *out, const weir_sums_stats *a, const weir_sums_stats *b)
{
    *out = (weir_sums_stats){.eval_ns = a->eval_ns + b->eval_ns,
                             .ntt_ns = a->ntt_ns + b->ntt_ns,
                             .h_ns = a->h_ns + b->h_ns,
                             .l_ns = a->l_ns + b->l_ns,
                             .a_ns = a->a_ns + b->a_ns,
                             .b1_ns = a->b1_ns + b->b1_ns,
                             .b2_ns = a->b2_ns + b->b2_ns,
                             .up_bytes = a->up_bytes + b->up_bytes,
                             .down_bytes = a->down_bytes + b->down_bytes,
                             .bit_points = a->bit_points + b->bit_points,
                             .dense_points = a->dense_points + b->dense_points};
}

static weir_err hybrid_run(weir_session *s, weir_sums *out, const weir_witness *w,
                           weir_sums_stats *stats, const weir_exec *x, weir_errinfo *ei)
{
    const part *d = &s->part[DEVICE], *c = &s->part[CPU];
    weir_err err = WEIR_OK;
    memset(s->part, 0, sizeof s->part);
    set_watches(s, x);
    s->w = w;
    s->job = (weir_side_job){.fn = run_cpu, .ctx = s};
    weir_side_put(s->h->_side, &s->job);
    run_device(s, x);
    weir_side_wait(s->h->_side, &s->job);
    weir_exec_beside(x, c->begin_ns, c->end_ns, d->end_ns);
    if (s->failed == NOBODY) {
        add_sums(out, &d->sums, &c->sums, x->isa);
        if (stats) add_stats(stats, &d->stats, &c->stats);
    } else {
        err = weir_fail(ei, s->part[s->failed].err, "%s", s->part[s->failed].ei.text);
    }
    weir_wipe(s->part, sizeof s->part);
    return err;
}

/* ---- the table */

weir_err weir_hybrid_init(weir_backend *b, weir_hybrid *h, const weir_backend *device,
                          const weir_exec *cpu, uint32_t cpu_terms, weir_errinfo *ei)
{
    *h = (weir_hybrid){._device = device, ._cpu = *cpu, ._cpu_terms = cpu_terms};
    h->_cpu.watch = NULL;
    if (cpu_terms & ~WEIR_TERMS_ALL)
        return weir_fail(ei, WEIR_E_USAGE, "terms %#x: there are none beyond %#x",
                         (unsigned)cpu_terms, (unsigned)WEIR_TERMS_ALL);
    WEIR_TRY(weir_side_new(&h->_side, ei));
    *b = (weir_backend){.name = "hybrid",
                        .device = h,
                        .can = hybrid_can,
                        .bytes = hybrid_bytes,
                        .free_bytes = hybrid_free_bytes,
                        .begin = hybrid_begin,
                        .run = hybrid_run,
                        .end = hybrid_end};
    return WEIR_OK;
}

void weir_hybrid_clear(weir_hybrid *h)
{
    weir_side_free(h->_side);
    *h = (weir_hybrid){0};
}
