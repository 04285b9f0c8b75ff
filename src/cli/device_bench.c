#include "cli/device_bench.h"

#include "base/alloc.h"
#include "curve/curve.h"
#include "field/fr.h"
#include "msm/msm.h"

#include <string.h>

enum { MULTIPLES = 1 << WEIR_DEVICE_MULTIPLES_LOG2, TASK_ELEMENTS = 1 << 14, EXPECT_TASKS = 4096 };

/* ---- values. splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014. */

uint64_t weir_device_hash(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

void weir_device_scalar(weir_scalar *out, uint64_t seed, uint64_t i)
{
    for (unsigned k = 0; k < 4; k++) out->l[k] = weir_device_hash(seed, 4 * i + k);
    out->l[3] >>= 2;
}

/* ---- points */

static weir_err make_points(weir_device_points *p, const weir_exec *x, weir_errinfo *ei)
{
    weir_fixed_g1 *t1 = NULL;
    weir_fixed_g2 *t2 = NULL;
    weir_err err = WEIR_OK;
    weir_scalar *k = weir_malloc(MULTIPLES, sizeof *k);
    p->multiple = weir_malloc(MULTIPLES, sizeof *p->multiple);
    p->g1 = weir_malloc(MULTIPLES, sizeof *p->g1);
    p->g2 = weir_malloc(MULTIPLES, sizeof *p->g2);
    if (!k || !p->multiple || !p->g1 || !p->g2) {
        err = weir_fail(ei, WEIR_E_NOMEM, "no memory for a table of points");
        goto out;
    }
    for (uint64_t i = 0; i < MULTIPLES; i++) {
        weir_device_scalar(&k[i], 1, i);
        fr_from_scalar(&p->multiple[i], &k[i]);
    }
    WEIR_TRY_GOTO(weir_fixed_g1_new(&t1, weir_g1_generator(), MULTIPLES, x, ei));
    WEIR_TRY_GOTO(weir_fixed_g1_mul(t1, p->g1, k, MULTIPLES, x, ei));
    WEIR_TRY_GOTO(weir_fixed_g2_new(&t2, weir_g2_generator(), MULTIPLES, x, ei));
    WEIR_TRY_GOTO(weir_fixed_g2_mul(t2, p->g2, k, MULTIPLES, x, ei));
out:
    weir_fixed_g1_free(t1);
    weir_fixed_g2_free(t2);
    weir_free(k);
    return err;
}

weir_err weir_device_bench_init(weir_device_bench *d, weir_bench_run *b,
                                const weir_cli_device *device, weir_errinfo *ei)
{
    memset(d, 0, sizeof *d);
    d->b = b;
    d->driver = device->open.backend->device;
    d->backend = device->open.backend;
    d->budget_bytes = device->budget_bytes;
    d->x = b->cli->exec;
    WEIR_TRY(weir_bench_step(b, "making points"));
    WEIR_TRY(d->driver->pin(d->driver->ctx, &d->stage, WEIR_DEVICE_STAGE_BYTES, ei));
    return make_points(&d->points, &d->x, ei);
}

void weir_device_bench_clear(weir_device_bench *d)
{
    if (d->stage) d->driver->unpin(d->driver->ctx, d->stage);
    weir_free(d->points.multiple);
    weir_free(d->points.g1);
    weir_free(d->points.g2);
}

/* ---- to the device and back */

typedef struct fill_job {
    weir_device_make_fn make;
    void *ctx;
    unsigned char *stage;
    uint64_t first, n;
    size_t each;
} fill_job;

static void fill_task(void *ctx, size_t task, unsigned worker)
{
    const fill_job *j = ctx;
    uint64_t lo = task * (uint64_t)TASK_ELEMENTS;
    uint64_t n = j->n - lo < TASK_ELEMENTS ? j->n - lo : TASK_ELEMENTS;
    (void)worker;
    j->make(j->ctx, j->stage + lo * j->each, j->first + lo, n);
}

weir_err weir_device_fill(weir_device_bench *d, void *to, uint64_t n, size_t each,
                          weir_device_make_fn make, void *ctx, weir_errinfo *ei)
{
    const weir_gpu_driver *v = d->driver;
    fill_job j = {.make = make, .ctx = ctx, .stage = d->stage, .each = each};
    const uint64_t most = WEIR_DEVICE_STAGE_BYTES / each;
    for (; j.first < n; j.first += j.n) {
        j.n = n - j.first < most ? n - j.first : most;
        weir_pool_run(d->x.pool, (j.n + TASK_ELEMENTS - 1) / TASK_ELEMENTS, fill_task, &j);
        WEIR_TRY(v->upload(v->ctx, WEIR_GPU_COPY, (unsigned char *)to + j.first * each, d->stage,
                           j.n * each, ei));
        WEIR_TRY(v->drain(v->ctx, ei));
        if (weir_exec_cancelled(&d->x)) return weir_fail(ei, WEIR_E_CANCELLED, "stopped");
    }
    return WEIR_OK;
}

typedef struct series {
    const weir_device_bench *d;
    uint64_t number;
} series;

static void make_g1(void *ctx, void *out, uint64_t first, uint64_t n)
{
    const series *s = ctx;
    weir_g1_affine *p = out;
    for (uint64_t i = 0; i < n; i++) p[i] = s->d->points.g1[weir_device_pick(s->number, first + i)];
}

static void make_g2(void *ctx, void *out, uint64_t first, uint64_t n)
{
    const series *s = ctx;
    weir_g2_affine *p = out;
    for (uint64_t i = 0; i < n; i++) p[i] = s->d->points.g2[weir_device_pick(s->number, first + i)];
}

weir_err weir_device_fill_points(weir_device_bench *d, void *to, uint64_t n, bool g2,
                                 uint64_t number, weir_errinfo *ei)
{
    series s = {d, number};
    return weir_device_fill(d, to, n, g2 ? sizeof(weir_g2_affine) : sizeof(weir_g1_affine),
                            g2 ? make_g2 : make_g1, &s, ei);
}

weir_err weir_device_read(weir_device_bench *d, void *to, const void *from, uint64_t bytes,
                          weir_errinfo *ei)
{
    const weir_gpu_driver *v = d->driver;
    for (uint64_t at = 0; at < bytes; at += WEIR_DEVICE_STAGE_BYTES) {
        uint64_t n = bytes - at < WEIR_DEVICE_STAGE_BYTES ? bytes - at : WEIR_DEVICE_STAGE_BYTES;
        WEIR_TRY(
            v->download(v->ctx, WEIR_GPU_WORK, d->stage, (const unsigned char *)from + at, n, ei));
        WEIR_TRY(v->drain(v->ctx, ei));
        memcpy((unsigned char *)to + at, d->stage, n);
    }
    return WEIR_OK;
}

/* ---- closed forms */

typedef struct expect_job {
    const weir_fr *multiple;
    uint64_t n, series;
    weir_device_value_fn value;
    void *ctx;
    weir_fr part[EXPECT_TASKS];
} expect_job;

static void expect_task(void *ctx, size_t task, unsigned worker)
{
    expect_job *j = ctx;
    uint64_t lo = (uint64_t)((unsigned __int128)j->n * task / EXPECT_TASKS),
             hi = (uint64_t)((unsigned __int128)j->n * (task + 1) / EXPECT_TASKS);
    weir_fr sum, v;
    (void)worker;
    fr_set_zero(&sum);
    for (uint64_t i = lo; i < hi; i++) {
        if (!j->value(j->ctx, i, &v)) continue;
        fr_mul(&v, &v, &j->multiple[weir_device_pick(j->series, i)]);
        fr_add(&sum, &sum, &v);
    }
    j->part[task] = sum;
}

void weir_device_expect(weir_device_bench *d, weir_fr *out, uint64_t n, uint64_t number,
                        weir_device_value_fn value, void *ctx)
{
    expect_job j = {d->points.multiple, n, number, value, ctx, {{{0}}}};
    weir_pool_run(d->x.pool, EXPECT_TASKS, expect_task, &j);
    fr_set_zero(out);
    for (int i = 0; i < EXPECT_TASKS; i++) fr_add(out, out, &j.part[i]);
}

bool weir_device_is_g1(const weir_g1 *p, const weir_fr *multiple, weir_isa isa)
{
    const weir_curve_ops *ops = weir_curve_ops_get(isa);
    weir_g1 in[2] = {*p};
    weir_g1_affine a[2];
    weir_fp scratch[2];
    weir_scalar k;
    fr_to_scalar(&k, multiple);
    ops->g1_mul(&in[1], weir_g1_generator(), &k);
    ops->g1s_to_affine(a, in, 2, scratch);
    return memcmp(&a[0], &a[1], sizeof a[0]) == 0;
}

bool weir_device_is_g2(const weir_g2 *p, const weir_fr *multiple, weir_isa isa)
{
    const weir_curve_ops *ops = weir_curve_ops_get(isa);
    weir_g2 in[2] = {*p};
    weir_g2_affine a[2];
    weir_fp2 scratch[2];
    weir_scalar k;
    fr_to_scalar(&k, multiple);
    ops->g2_mul(&in[1], weir_g2_generator(), &k);
    ops->g2s_to_affine(a, in, 2, scratch);
    return memcmp(&a[0], &a[1], sizeof a[0]) == 0;
}

/* ---- rows */

static weir_err once(weir_device_bench *d, const weir_device_row *row, double *ns, weir_errinfo *ei)
{
    const weir_gpu_driver *v = d->driver;
    uint64_t elapsed;
    WEIR_TRY(v->mark(v->ctx, WEIR_GPU_WORK, 0, ei));
    WEIR_TRY(row->launch(row->ctx, ei));
    WEIR_TRY(v->mark(v->ctx, WEIR_GPU_WORK, 1, ei));
    WEIR_TRY(v->drain(v->ctx, ei));
    WEIR_TRY(v->elapsed(v->ctx, &elapsed, 0, 1, ei));
    *ns = (double)elapsed;
    return WEIR_OK;
}

weir_err weir_device_time(weir_device_bench *d, const weir_device_row *row, weir_errinfo *ei)
{
    weir_bench_run *b = d->b;
    bool right = false;
    char label[100];
    snprintf(label, sizeof label, "%s, %s", row->row.what, row->row.size);
    WEIR_TRY(weir_bench_step(b, label));
    WEIR_TRY(once(d, row, &b->wall_ns[0], ei));
    WEIR_TRY(row->check(&right, row->ctx, ei));
    if (!right)
        return weir_fail(ei, WEIR_E_INTERNAL, "%s, %s: the result is wrong, so it was not timed",
                         row->row.what, row->row.size);
    for (unsigned i = 0; i < b->runs; i++) WEIR_TRY(once(d, row, &b->wall_ns[i], ei));
    weir_bench_tell(b, &row->row, NULL, b->wall_ns, b->runs);
    return WEIR_OK;
}
