#include "gpu/gpu_backend.h"

#include "base/alloc.h"
#include "gpu/gpu_session.h"

#include <string.h>

static weir_err gpu_free_bytes(const weir_backend *b, uint64_t *out, weir_errinfo *ei)
{
    const weir_gpu_driver *d = b->device;
    WEIR_TRY(d->free_bytes(d->ctx, out, ei));
    *out = *out > WEIR_GPU_MARGIN_BYTES ? *out - WEIR_GPU_MARGIN_BYTES : 0;
    return WEIR_OK;
}

/* What fits what is free, and the budget. */
static weir_err choose(weir_gpu_layout *l, const weir_backend *b, const weir_relation *rel,
                       uint32_t terms, uint64_t budget_bytes, weir_errinfo *ei)
{
    WEIR_TRY(weir_backend_clip(b, &budget_bytes, ei));
    return weir_gpu_layout_make(l, rel, b->device, terms, budget_bytes, ei);
}

static weir_err gpu_bytes(const weir_backend *b, weir_need *out, const weir_relation *rel,
                          uint32_t terms, uint64_t budget_bytes, const weir_exec *x,
                          weir_errinfo *ei)
{
    weir_gpu_layout l;
    (void)x;
    if (budget_bytes == UINT64_MAX) WEIR_TRY(gpu_free_bytes(b, &budget_bytes, ei));
    WEIR_TRY(weir_gpu_layout_make(&l, rel, b->device, terms, budget_bytes, ei));
    *out = (weir_need){.plan = weir_gpu_plan_names[l.plan],
                       .host_bytes =
                           sizeof(weir_session) + l.pinned_bytes + weir_gpu_load_bytes(&l, rel),
                       .pinned_bytes = l.pinned_bytes,
                       .device_bytes = l.device_bytes};
    return WEIR_OK;
}

static weir_err gpu_can(const weir_backend *b, const weir_relation *rel, const weir_key_points *key,
                        uint32_t terms, uint64_t budget_bytes, const weir_exec *x, weir_errinfo *ei)
{
    weir_need need;
    WEIR_TRY(weir_key_points_fit(key, rel, ei));
    return gpu_bytes(b, &need, rel, terms, budget_bytes, x, ei);
}

/* What follows from a witness: of the pinned memory all but the key, of the device's what each proof uses anew. */
static void wipe(weir_session *s)
{
    const weir_gpu_driver *d = s->driver;
    weir_errinfo none;
    uint64_t from = s->l.plan == WEIR_GPU_SMALL ? s->l.pinned_vector[0] : s->l.pinned_witness;
    weir_wipe(s->pinned + from, s->l.pinned_bytes - from);
    if (d->clear(d->ctx, WEIR_GPU_WORK, s->device + s->l.out, s->l.device_bytes - s->l.out,
                 &none) == WEIR_OK)
        (void)d->drain(d->ctx, &none);
}

static void gpu_end(weir_session *s)
{
    if (!s) return;
    const weir_gpu_driver *d = s->driver;
    if (s->device && s->pinned) wipe(s);
    if (s->device) d->release(d->ctx, s->device);
    if (s->pinned) d->unpin(d->ctx, s->pinned);
    weir_free(s);
}

static weir_err take_block(weir_session *s, weir_errinfo *ei)
{
    const weir_gpu_driver *d = s->driver;
    void *p;
    weir_err err = d->alloc(d->ctx, &p, s->l.device_bytes, ei);
    if (err != WEIR_OK)
        weir_errinfo_prefix(ei, "%llu bytes on %s: ", (unsigned long long)s->l.device_bytes,
                            d->name);
    else
        s->device = p;
    return err;
}

static weir_err take_pinned(weir_session *s, weir_errinfo *ei)
{
    const weir_gpu_driver *d = s->driver;
    void *p;
    weir_err err = d->pin(d->ctx, &p, s->l.pinned_bytes, ei);
    if (err != WEIR_OK)
        weir_errinfo_prefix(ei, "%llu bytes of pinned host memory for %s: ",
                            (unsigned long long)s->l.pinned_bytes, d->name);
    else
        s->pinned = p;
    return err;
}

/* What is free may be in parts, or another program may have taken it meanwhile: then the next smaller plan. */
static weir_err take_memory(weir_session *s, const weir_backend *b, uint32_t terms,
                            uint64_t budget_bytes, weir_errinfo *ei)
{
    weir_errinfo why;
    WEIR_TRY(choose(&s->l, b, s->rel, terms, budget_bytes, ei));
    weir_err err = take_block(s, ei);
    while (err == WEIR_E_NOMEM &&
           choose(&s->l, b, s->rel, terms, s->l.device_bytes - 1, &why) == WEIR_OK)
        err = take_block(s, ei);
    if (err != WEIR_OK) return err;
    WEIR_TRY(take_pinned(s, ei));
    weir_gpu_relation_at(&s->rows, s->rel, s->device + s->l.relation, s->device + s->l.witness);
    return WEIR_OK;
}

static weir_err gpu_begin(const weir_backend *b, weir_session **out, const weir_relation *rel,
                          const weir_key_points *key, uint32_t terms, uint64_t budget_bytes,
                          const weir_exec *x, weir_errinfo *ei)
{
    *out = NULL;
    WEIR_TRY(weir_key_points_fit(key, rel, ei));
    weir_session *s = weir_calloc(1, sizeof *s);
    if (!s) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a session on the GPU");
    s->rel = rel;
    s->driver = b->device;
    weir_err err = take_memory(s, b, terms, budget_bytes, ei);
    if (err == WEIR_OK) err = weir_gpu_load(s, key, x, ei);
    if (err == WEIR_OK)
        *out = s;
    else
        gpu_end(s);
    return err;
}

void weir_gpu_backend_init(weir_backend *b, const weir_gpu_driver *driver)
{
    *b = (weir_backend){.name = "gpu",
                        .device = (void *)(uintptr_t)driver,
                        .can = gpu_can,
                        .bytes = gpu_bytes,
                        .free_bytes = gpu_free_bytes,
                        .begin = gpu_begin,
                        .run = weir_gpu_run,
                        .end = gpu_end};
}
