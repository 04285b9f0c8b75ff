#include "gpu/gpu_key_work.h"

#include "base/alloc.h"
#include "curve/curve.h"
#include "gpu/gpu_multiples.h"
#include "gpu/gpu_points.h"

#include <string.h>

/* CHUNK: some five times what a large device has in work at one time. */
enum { CHUNK = 1 << 18, BITS_BYTES = CHUNK / 8, MARK = 0 };

/* One group's part: a table of multiples, and room for a chunk of points. */
typedef struct group {
    bool g2, ready, has_table;
    weir_gpu_multiples m;
    unsigned char *device, *pinned; /* points, then bits */
    void *table, *rooms;            /* of the multiples: on the device, in pinned memory */
} group;

struct weir_gpu_key_work {
    const weir_gpu_driver *driver;
    const weir_exec *x;
    weir_point_check cpu;
    uint64_t points;
    group group[2];
};

static uint64_t each(const group *g)
{
    return g->g2 ? sizeof(weir_g2_affine) : sizeof(weir_g1_affine);
}

static void release(const weir_gpu_driver *d, void *device, void *pinned)
{
    if (device) d->release(d->ctx, device);
    if (pinned) d->unpin(d->ctx, pinned);
}

/* After an error something may still be on its way. */
static void settle(const weir_gpu_key_work *w)
{
    weir_errinfo said_before;
    (void)w->driver->drain(w->driver->ctx, &said_before);
}

void weir_gpu_key_work_free(weir_gpu_key_work *w)
{
    if (!w) return;
    settle(w);
    for (int i = 0; i < 2; i++) {
        group *g = &w->group[i];
        if (g->rooms) weir_wipe(g->rooms, g->m.pinned_bytes);
        release(w->driver, g->table, g->rooms);
        release(w->driver, g->device, g->pinned);
    }
    weir_free(w);
}

/* Room for points. */
static weir_err prepare(weir_gpu_key_work *w, group *g, weir_errinfo *ei)
{
    const weir_gpu_driver *d = w->driver;
    uint64_t bytes = CHUNK * each(g) + BITS_BYTES;
    void *p;
    if (g->ready) return WEIR_OK;
    if (!g->device) {
        WEIR_TRY(d->alloc(d->ctx, &p, bytes, ei));
        g->device = p;
    }
    WEIR_TRY(d->pin(d->ctx, &p, bytes, ei));
    g->pinned = p;
    g->ready = true;
    return WEIR_OK;
}

static weir_err stopped(const weir_gpu_key_work *w, weir_errinfo *ei)
{
    if (!weir_exec_cancelled(w->x)) return WEIR_OK;
    return weir_fail(ei, WEIR_E_CANCELLED, "stopped in the middle of a key");
}

/* ---- multiples */

static weir_err prepare_table(weir_gpu_key_work *w, group *g, weir_errinfo *ei)
{
    const weir_gpu_driver *d = w->driver;
    if (g->has_table) return WEIR_OK;
    settle(w);
    release(d, g->table, g->rooms);
    g->table = g->rooms = NULL;
    if (!weir_gpu_multiples_plan(&g->m, d, g->g2, w->points, UINT64_MAX, MARK + 2 * g->g2))
        return weir_fail(ei, WEIR_E_INTERNAL, "no plan for multiples on a device");
    WEIR_TRY(d->alloc(d->ctx, &g->table, g->m.device_bytes, ei));
    WEIR_TRY(d->pin(d->ctx, &g->rooms, g->m.pinned_bytes, ei));
    WEIR_TRY(weir_gpu_multiples_begin(&g->m, g->table, g->rooms, w->x, ei));
    g->has_table = true;
    return WEIR_OK;
}

static weir_err multiply_chunk(weir_gpu_key_work *w, group *g, unsigned char *out,
                               const weir_scalar *k, uint32_t n, weir_errinfo *ei)
{
    const weir_gpu_driver *d = w->driver;
    void *const to[2] = {g->device, NULL};
    weir_scalar *room;
    uint32_t *place;
    WEIR_TRY(weir_gpu_multiples_room(&g->m, &room, &place, ei));
    memcpy(room, k, n * sizeof *room);
    WEIR_TRY(weir_gpu_multiples_put(&g->m, n, false, to, ei));
    WEIR_TRY(d->download(d->ctx, WEIR_GPU_WORK, g->pinned, g->device, n * each(g), ei));
    WEIR_TRY(d->drain(d->ctx, ei));
    memcpy(out, g->pinned, n * each(g));
    return WEIR_OK;
}

static weir_err multiply(weir_gpu_key_work *w, group *g, void *out, const weir_scalar *k, size_t n,
                         weir_errinfo *ei)
{
    WEIR_TRY(prepare(w, g, ei));
    WEIR_TRY(prepare_table(w, g, ei));
    uint32_t most = g->m.chunk < CHUNK ? g->m.chunk : CHUNK;
    for (size_t lo = 0; lo < n; lo += most) {
        uint32_t part = n - lo < most ? (uint32_t)(n - lo) : most;
        WEIR_TRY(stopped(w, ei));
        WEIR_TRY(multiply_chunk(w, g, (unsigned char *)out + lo * each(g), k + lo, part, ei));
    }
    return WEIR_OK;
}

static weir_err multiply_g1(void *ctx, weir_g1_affine *out, const weir_scalar *k, size_t n,
                            weir_errinfo *ei)
{
    weir_gpu_key_work *w = ctx;
    return multiply(w, &w->group[0], out, k, n, ei);
}

static weir_err multiply_g2(void *ctx, weir_g2_affine *out, const weir_scalar *k, size_t n,
                            weir_errinfo *ei)
{
    weir_gpu_key_work *w = ctx;
    return multiply(w, &w->group[1], out, k, n, ei);
}

weir_key_multiplier weir_gpu_key_multiplier(weir_gpu_key_work *w)
{
    return (weir_key_multiplier){.ctx = w, .g1 = multiply_g1, .g2 = multiply_g2};
}

/* ---- membership */

/* Leaves the bits of bad points in pinned memory. */
static weir_err ask_chunk(weir_gpu_key_work *w, group *g, const unsigned char *points, uint32_t n,
                          weir_errinfo *ei)
{
    const weir_gpu_driver *d = w->driver;
    unsigned char *bits = g->device + CHUNK * each(g), *back = g->pinned + CHUNK * each(g);
    dmember_args a = {.points = g->device, .bad = (uint32_t *)(void *)bits, .n = n};
    memcpy(g->pinned, points, n * each(g));
    WEIR_TRY(d->upload(d->ctx, WEIR_GPU_WORK, g->device, g->pinned, n * each(g), ei));
    WEIR_TRY(d->clear(d->ctx, WEIR_GPU_WORK, bits, BITS_BYTES, ei));
    WEIR_TRY(d->launch(d->ctx, WEIR_GPU_WORK, g->g2 ? WEIR_GPU_MEMBER_G2 : WEIR_GPU_MEMBER_G1,
                       dpoints_blocks(n), DPOINTS_THREADS, &a, ei));
    WEIR_TRY(d->download(d->ctx, WEIR_GPU_WORK, back, bits, BITS_BYTES, ei));
    return d->drain(d->ctx, ei);
}

/* The first point whose bit is set, or n. */
static uint32_t first_bad(const group *g, uint32_t n)
{
    const uint32_t *bad = (const uint32_t *)(const void *)(g->pinned + CHUNK * each(g));
    for (uint32_t i = 0; i < (n + 31) / 32; i++)
        if (bad[i]) return 32 * i + (uint32_t)__builtin_ctz(bad[i]);
    return n;
}

static weir_err look_again(weir_gpu_key_work *w, const group *g, const unsigned char *point,
                           weir_errinfo *ei)
{
    size_t bad;
    weir_err err =
        g->g2 ? w->cpu.g2(w->cpu.ctx, (const weir_g2_affine *)(const void *)point, 1, &bad, ei)
              : w->cpu.g1(w->cpu.ctx, (const weir_g1_affine *)(const void *)point, 1, &bad, ei);
    if (err != WEIR_OK) return err;
    return weir_fail(ei, WEIR_E_DEVICE,
                     "%s: it calls a good point bad: do not use it, and check on the CPU",
                     w->driver->name);
}

static weir_err check(weir_gpu_key_work *w, group *g, const void *points, size_t n, size_t *bad,
                      weir_errinfo *ei)
{
    const unsigned char *p = points;
    WEIR_TRY(prepare(w, g, ei));
    for (size_t lo = 0; lo < n; lo += CHUNK) {
        uint32_t part = n - lo < CHUNK ? (uint32_t)(n - lo) : CHUNK;
        WEIR_TRY(stopped(w, ei));
        WEIR_TRY(ask_chunk(w, g, p + lo * each(g), part, ei));
        uint32_t first = first_bad(g, part);
        if (first == part) continue;
        *bad = lo + first;
        return look_again(w, g, p + *bad * each(g), ei);
    }
    return WEIR_OK;
}

static weir_err check_g1(void *ctx, const weir_g1_affine *points, size_t n, size_t *bad,
                         weir_errinfo *ei)
{
    weir_gpu_key_work *w = ctx;
    return check(w, &w->group[0], points, n, bad, ei);
}

static weir_err check_g2(void *ctx, const weir_g2_affine *points, size_t n, size_t *bad,
                         weir_errinfo *ei)
{
    weir_gpu_key_work *w = ctx;
    return check(w, &w->group[1], points, n, bad, ei);
}

weir_point_check weir_gpu_point_check(weir_gpu_key_work *w)
{
    return (weir_point_check){.ctx = w, .g1 = check_g1, .g2 = check_g2};
}

/* ---- known answers, before anything is trusted to the device */

enum { KNOWN = 3 };
static const weir_scalar known[KNOWN] = {
    {{1}}, {{0x9e3779b97f4a7c15u, 7, 1, 0x1000}}, {{5, 0, 0, 0x73eda753299d7d00u}}};

static bool known_g1(weir_gpu_key_work *w, weir_g1_affine got[KNOWN])
{
    const weir_curve_ops *ops = weir_curve_ops_get(w->x->isa);
    weir_g1 p[KNOWN];
    weir_g1_affine want[KNOWN];
    weir_fp tmp[KNOWN];
    for (int i = 0; i < KNOWN; i++) ops->g1_mul(&p[i], weir_g1_generator(), &known[i]);
    ops->g1s_to_affine(want, p, KNOWN, tmp);
    return memcmp(got, want, sizeof want) == 0;
}

static bool known_g2(weir_gpu_key_work *w, weir_g2_affine got[KNOWN])
{
    const weir_curve_ops *ops = weir_curve_ops_get(w->x->isa);
    weir_g2 p[KNOWN];
    weir_g2_affine want[KNOWN];
    weir_fp2 tmp[KNOWN];
    for (int i = 0; i < KNOWN; i++) ops->g2_mul(&p[i], weir_g2_generator(), &known[i]);
    ops->g2s_to_affine(want, p, KNOWN, tmp);
    return memcmp(got, want, sizeof want) == 0;
}

/* Good points are let pass, and one whose coordinates are exchanged is not. */
static weir_err known_members(bool *right, weir_gpu_key_work *w, weir_g1_affine g1[KNOWN],
                              weir_g2_affine g2[KNOWN], weir_errinfo *ei)
{
    *right = false;
    for (int bad = 0; bad < 2; bad++) {
        WEIR_TRY(ask_chunk(w, &w->group[0], (const unsigned char *)g1, KNOWN, ei));
        if (first_bad(&w->group[0], KNOWN) != (bad ? 1 : KNOWN)) return WEIR_OK;
        WEIR_TRY(ask_chunk(w, &w->group[1], (const unsigned char *)g2, KNOWN, ei));
        if (first_bad(&w->group[1], KNOWN) != (bad ? 1 : KNOWN)) return WEIR_OK;
        g1[1] = (weir_g1_affine){g1[1].y, g1[1].x};
        g2[1] = (weir_g2_affine){g2[1].y, g2[1].x};
    }
    *right = true;
    return WEIR_OK;
}

static weir_err known_answer(weir_gpu_key_work *w, weir_errinfo *ei)
{
    weir_g1_affine g1[KNOWN];
    weir_g2_affine g2[KNOWN];
    bool right;
    WEIR_TRY(multiply(w, &w->group[0], g1, known, KNOWN, ei));
    WEIR_TRY(multiply(w, &w->group[1], g2, known, KNOWN, ei));
    bool multiples = known_g1(w, g1) && known_g2(w, g2);
    WEIR_TRY(known_members(&right, w, g1, g2, ei));
    if (multiples && right) return WEIR_OK;
    return weir_fail(ei, WEIR_E_DEVICE, "%s: %s: do not use it, and take the CPU (--device cpu)",
                     w->driver->name,
                     multiples ? "it cannot tell good points from bad ones"
                               : "a multiple of the generator came out wrong");
}

weir_err weir_gpu_key_work_new(weir_gpu_key_work **out, const weir_gpu_driver *driver,
                               uint64_t points, const weir_exec *x, weir_errinfo *ei)
{
    weir_gpu_key_work *w = weir_calloc(1, sizeof *w);
    *out = NULL;
    if (!w) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a key");
    *w = (weir_gpu_key_work){.driver = driver, .x = x, .points = points};
    w->group[1].g2 = true;
    weir_point_check_cpu(&w->cpu, x);
    weir_err err = known_answer(w, ei);
    if (err == WEIR_OK)
        *out = w;
    else
        weir_gpu_key_work_free(w);
    return err;
}
