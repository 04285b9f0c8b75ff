#include "fake_device.h"

#include "msm_twin.h"
#include "ntt_twin.h"

#include "gpu/gpu_gather.h"
#include "gpu/gpu_kinds.h"
#include "gpu/gpu_msm_kernels.h"
#include "gpu/gpu_points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 4096, PATTERN = 0xa5, SUM_BLOCKS = 3 };

WEIR_HOST_RUN(run_dgather, dgather)
WEIR_HOST_RUN(run_dscalar, dscalar)
WEIR_HOST_RUN(run_dkinds, dkinds)
WEIR_HOST_RUN(run_dg1_fixed, dg1_fixed)
WEIR_HOST_RUN(run_dg2_fixed, dg2_fixed)
WEIR_HOST_RUN(run_dg1_member, dg1_member)
WEIR_HOST_RUN(run_dg2_member, dg2_member)

/* The call that shall fail fails. */
static weir_err call(fake_device *d, const char *what, weir_errinfo *ei)
{
    bool fails = ++d->calls == d->fail_at;
    if (d->fail_on && d->fail_at && d->calls > d->fail_at) fails = true;
    if (!fails) return WEIR_OK;
    return weir_fail(ei, d->fail_with, "the device fails: %s", what);
}

#define CALL(d, ei) WEIR_TRY(call(d, __func__, ei))

/* ---- memory */

static weir_err take(fake_device *d, void **out, uint64_t bytes, bool pinned, weir_errinfo *ei)
{
    *out = NULL;
    if (!pinned && bytes > d->memory - d->used)
        return weir_fail(ei, WEIR_E_NOMEM, "the device has no %llu bytes",
                         (unsigned long long)bytes);
    for (int i = 0; i < FAKE_BLOCKS; i++) {
        fake_block *b = &d->block[i];
        if (b->p) continue;
        uint64_t all = (bytes + 2 * GUARD + 4095) / 4096 * 4096;
        b->p = aligned_alloc(4096, all);
        if (!b->p) abort();
        memset(b->p, PATTERN, all);
        b->bytes = bytes;
        b->pinned = pinned;
        *(pinned ? &d->pinned : &d->used) += bytes;
        if (d->used > d->peak) d->peak = d->used;
        *out = b->p + GUARD;
        return WEIR_OK;
    }
    abort();
}

static void give(fake_device *d, const void *p, bool pinned)
{
    for (int i = 0; i < FAKE_BLOCKS; i++) {
        fake_block *b = &d->block[i];
        if (!b->p || b->p + GUARD != p) continue;
        for (uint64_t k = 0; k < GUARD; k++)
            if (b->p[k] != PATTERN || b->p[GUARD + b->bytes + k] != PATTERN ||
                b->pinned != pinned) {
                fprintf(stderr, "fake device: a block of %llu bytes was overrun\n",
                        (unsigned long long)b->bytes);
                abort();
            }
        *(pinned ? &d->pinned : &d->used) -= b->bytes;
        free(b->p);
        b->p = NULL;
        return;
    }
    abort();
}

static void must_hold(const fake_device *d, const void *p, uint64_t bytes, bool pinned)
{
    const unsigned char *from = p;
    for (int i = 0; i < FAKE_BLOCKS; i++) {
        const fake_block *b = &d->block[i];
        if (b->p && b->pinned == pinned && from >= b->p + GUARD &&
            from + bytes <= b->p + GUARD + b->bytes)
            return;
    }
    fprintf(stderr, "fake device: a copy leaves its block\n");
    abort();
}

static weir_err fake_free_bytes(void *ctx, uint64_t *bytes, weir_errinfo *ei)
{
    fake_device *d = ctx;
    CALL(d, ei);
    *bytes = d->memory - d->used;
    return WEIR_OK;
}

static weir_err fake_alloc(void *ctx, void **out, uint64_t bytes, weir_errinfo *ei)
{
    *out = NULL;
    CALL((fake_device *)ctx, ei);
    return take(ctx, out, bytes, false, ei);
}

static weir_err fake_pin(void *ctx, void **out, uint64_t bytes, weir_errinfo *ei)
{
    *out = NULL;
    CALL((fake_device *)ctx, ei);
    return take(ctx, out, bytes, true, ei);
}

static void fake_release(void *ctx, void *p)
{
    give(ctx, p, false);
}

static void fake_unpin(void *ctx, void *p)
{
    give(ctx, p, true);
}

/* ---- kernels */

static void plain_order(uint32_t *order, uint32_t threads, unsigned how)
{
    for (uint32_t i = 0; i < threads; i++) order[i] = how % 2 ? threads - 1 - i : i;
}

static bool run_small(fake_device *d, weir_gpu_kernel kernel, uint32_t blocks, const void *args)
{
    uint32_t order[DGATHER_THREADS];
    dgather_shared s;
    dgather_own own[DGATHER_THREADS];
    dkinds_shared kinds;
    dkinds_own kinds_own[DKINDS_THREADS];
    plain_order(order, DGATHER_THREADS, d->order);
    if (kernel == WEIR_GPU_GATHER)
        run_dgather(args, &s, own, blocks, DGATHER_THREADS, order);
    else if (kernel == WEIR_GPU_KINDS)
        run_dkinds(args, &kinds, kinds_own, blocks, DKINDS_THREADS, order);
    else
        run_dscalar(args, &s, own, blocks, DGATHER_THREADS, order);
    return true;
}

/* What one kernel on points shares and owns. */
static bool run_points(fake_device *d, weir_gpu_kernel kernel, uint32_t blocks, const void *args)
{
    static union {
        dg1_fixed_shared g1;
        dg2_fixed_shared g2;
        dmember_nothing none;
    } s;
    static union {
        dg1_fixed_own g1[DPOINTS_THREADS];
        dg2_fixed_own g2[DPOINTS_THREADS];
        dmember_nothing none[DPOINTS_THREADS];
    } own;
    uint32_t order[DPOINTS_THREADS];
    plain_order(order, DPOINTS_THREADS, d->order);
    if (kernel == WEIR_GPU_FIXED_G1)
        run_dg1_fixed(args, &s.g1, own.g1, blocks, DPOINTS_THREADS, order);
    else if (kernel == WEIR_GPU_FIXED_G2)
        run_dg2_fixed(args, &s.g2, own.g2, blocks, DPOINTS_THREADS, order);
    else if (kernel == WEIR_GPU_MEMBER_G1)
        run_dg1_member(args, &s.none, own.none, blocks, DPOINTS_THREADS, order);
    else
        run_dg2_member(args, &s.none, own.none, blocks, DPOINTS_THREADS, order);
    return true;
}

static bool run_kernel(fake_device *d, weir_gpu_kernel kernel, uint32_t blocks, uint32_t threads,
                       const void *args)
{
    twin_order order = {d->order % 2 ? TWIN_DESCENDING : TWIN_ASCENDING, 0};
    if (kernel == WEIR_GPU_NTT) {
        weir_gpu_ntt_launch one = {*(const dntt_args *)args, blocks};
        return twin_ntt_run(&one, 1, d->order % 2);
    }
    if (kernel == WEIR_GPU_ROWS) return twin_relation_run(args, blocks, d->order % 2);
    if (kernel == WEIR_GPU_GATHER || kernel == WEIR_GPU_SCALARS || kernel == WEIR_GPU_KINDS)
        return run_small(d, kernel, blocks, args);
    if (kernel >= WEIR_GPU_FIXED_G1 && kernel <= WEIR_GPU_MEMBER_G2)
        return run_points(d, kernel, blocks, args);
    if (kernel >= WEIR_GPU_DMSM_G1) {
        bool g2 = kernel >= WEIR_GPU_DMSM_G2;
        weir_dmsm_step step = {
            (enum weir_dmsm_kernel)(kernel - (g2 ? WEIR_GPU_DMSM_G2 : WEIR_GPU_DMSM_G1)), blocks,
            threads, *(const weir_dmsm *)args};
        return twin_dmsm_step(&step, g2, order);
    }
    bool g2 = kernel >= WEIR_GPU_DSUM_G2;
    weir_dsum_step step = {
        (enum weir_dsum_kernel)(kernel - (g2 ? WEIR_GPU_DSUM_G2 : WEIR_GPU_DSUM_G1)), blocks,
        threads, *(const weir_dsum *)args};
    return twin_dsum_step(&step, g2, order);
}

/* ---- queues */

static uint64_t args_bytes(weir_gpu_kernel kernel)
{
    switch (kernel) {
    case WEIR_GPU_NTT:
        return sizeof(dntt_args);
    case WEIR_GPU_ROWS:
        return sizeof(drel_args);
    case WEIR_GPU_GATHER:
        return sizeof(dgather_args);
    case WEIR_GPU_SCALARS:
        return sizeof(dscalar_args);
    case WEIR_GPU_KINDS:
        return sizeof(dkinds_args);
    case WEIR_GPU_FIXED_G1:
    case WEIR_GPU_FIXED_G2:
        return sizeof(dfixed_args);
    case WEIR_GPU_MEMBER_G1:
    case WEIR_GPU_MEMBER_G2:
        return sizeof(dmember_args);
    default:
        return kernel >= WEIR_GPU_DMSM_G1 ? sizeof(weir_dmsm) : sizeof(weir_dsum);
    }
}

static void run_op(fake_device *d, const fake_op *op)
{
    if (op->kind == FAKE_COPY) memcpy(op->to, op->from, op->bytes);
    if (op->kind == FAKE_CLEAR) memset(op->to, 0, op->bytes);
    if (op->kind == FAKE_MARK) d->reached[op->mark] = true;
    if (op->kind != FAKE_LAUNCH) return;
    d->order++;
    if (op->blocks > 0 && !run_kernel(d, op->kernel, op->blocks, op->threads, op->args)) abort();
}

static void run_next(fake_device *d)
{
    run_op(d, &d->pending[d->first++ % FAKE_PENDING]);
}

static void put_op(fake_device *d, int queue, const fake_op *op)
{
    if (queue != d->lazy) {
        run_op(d, op);
        return;
    }
    if (d->last - d->first == FAKE_PENDING) abort();
    d->pending[d->last++ % FAKE_PENDING] = *op;
}

static void run_until(fake_device *d, int mark)
{
    while (!d->reached[mark]) {
        if (d->first == d->last) abort();
        run_next(d);
    }
}

static weir_err fake_upload(void *ctx, int queue, void *to, const void *host, uint64_t bytes,
                            weir_errinfo *ei)
{
    fake_device *d = ctx;
    CALL(d, ei);
    must_hold(d, to, bytes, false);
    must_hold(d, host, bytes, true);
    put_op(d, queue, &(fake_op){.kind = FAKE_COPY, .to = to, .from = host, .bytes = bytes});
    d->driver.up_bytes += bytes;
    return WEIR_OK;
}

static weir_err fake_download(void *ctx, int queue, void *host, const void *from, uint64_t bytes,
                              weir_errinfo *ei)
{
    fake_device *d = ctx;
    CALL(d, ei);
    must_hold(d, from, bytes, false);
    must_hold(d, host, bytes, true);
    put_op(d, queue, &(fake_op){.kind = FAKE_COPY, .to = host, .from = from, .bytes = bytes});
    d->driver.down_bytes += bytes;
    return WEIR_OK;
}

static weir_err fake_clear(void *ctx, int queue, void *p, uint64_t bytes, weir_errinfo *ei)
{
    fake_device *d = ctx;
    CALL(d, ei);
    must_hold(d, p, bytes, false);
    put_op(d, queue, &(fake_op){.kind = FAKE_CLEAR, .to = p, .bytes = bytes});
    return WEIR_OK;
}

static weir_err fake_launch(void *ctx, int queue, weir_gpu_kernel kernel, uint32_t blocks,
                            uint32_t threads, const void *args, weir_errinfo *ei)
{
    fake_device *d = ctx;
    CALL(d, ei);
    fake_op op = {.kind = FAKE_LAUNCH, .kernel = kernel, .blocks = blocks, .threads = threads};
    memcpy(op.args, args, args_bytes(kernel));
    put_op(d, queue, &op);
    d->launches++;
    return WEIR_OK;
}

static weir_err fake_mark(void *ctx, int queue, int mark, weir_errinfo *ei)
{
    fake_device *d = ctx;
    CALL(d, ei);
    d->marked[mark] = true;
    d->reached[mark] = false;
    put_op(d, queue, &(fake_op){.kind = FAKE_MARK, .mark = mark});
    return WEIR_OK;
}

static weir_err fake_wait(void *ctx, int mark, weir_errinfo *ei)
{
    fake_device *d = ctx;
    CALL(d, ei);
    if (!d->marked[mark]) abort();
    run_until(d, mark);
    return WEIR_OK;
}

/* The lazy queue needs not wait for the other, which has done all that it was told. */
static weir_err fake_follow(void *ctx, int queue, int mark, weir_errinfo *ei)
{
    (void)queue;
    return fake_wait(ctx, mark, ei);
}

static weir_err fake_drain(void *ctx, weir_errinfo *ei)
{
    fake_device *d = ctx;
    while (d->first != d->last) run_next(d);
    return call(d, __func__, ei);
}

static weir_err fake_elapsed(void *ctx, uint64_t *ns, int from, int to, weir_errinfo *ei)
{
    fake_device *d = ctx;
    CALL(d, ei);
    if (!d->reached[from] || !d->reached[to]) abort();
    *ns = 1;
    return WEIR_OK;
}

void fake_device_init(fake_device *d, uint64_t memory, int lazy)
{
    memset(d, 0, sizeof *d);
    d->lazy = lazy;
    d->pending = malloc(FAKE_PENDING * sizeof *d->pending);
    if (!d->pending) abort();
    d->memory = memory;
    d->fail_with = WEIR_E_DEVICE;
    d->driver = (weir_gpu_driver){.ctx = d,
                                  .name = "fake device",
                                  .memory_bytes = memory,
                                  .sum_blocks = {SUM_BLOCKS, SUM_BLOCKS},
                                  .free_bytes = fake_free_bytes,
                                  .alloc = fake_alloc,
                                  .release = fake_release,
                                  .pin = fake_pin,
                                  .unpin = fake_unpin,
                                  .upload = fake_upload,
                                  .download = fake_download,
                                  .clear = fake_clear,
                                  .launch = fake_launch,
                                  .mark = fake_mark,
                                  .follow = fake_follow,
                                  .wait = fake_wait,
                                  .drain = fake_drain,
                                  .elapsed = fake_elapsed};
}

void fake_device_clear(fake_device *d)
{
    free(d->pending);
}

uint64_t fake_device_held(const fake_device *d)
{
    return d->used + d->pinned;
}
