/* weir bench device: dense sums and sums over bits. */
#include "cli/device_bench.h"
#include "curve/curve.h"
#include "field/fr.h"
#include "gpu/gpu_msm_join.h"
#include "gpu/gpu_msm_kernels.h"

#include <stdlib.h>
#include <string.h>

enum { SERIES = 2, VALUES = 3, WINDOWS = 128 };

typedef struct sum_job {
    weir_device_bench *d;
    bool g2, dense;
    uint64_t n;
    void *points, *values, *arena, *out; /* on the device */
    weir_dmsm_plan msm;
    weir_dsum_plan sum;
} sum_job;

static uint64_t affine_bytes(bool g2)
{
    return g2 ? sizeof(weir_g2_affine) : sizeof(weir_g1_affine);
}

/* ---- values */

static void make_scalars(void *ctx, void *out, uint64_t first, uint64_t n)
{
    weir_scalar *k = out;
    (void)ctx;
    for (uint64_t i = 0; i < n; i++) weir_device_scalar(&k[i], VALUES, first + i);
}

static void make_bits(void *ctx, void *out, uint64_t first, uint64_t n)
{
    uint64_t *w = out;
    (void)ctx;
    for (uint64_t i = 0; i < n; i++) w[i] = weir_device_hash(VALUES, first + i);
}

static bool scalar_value(void *ctx, uint64_t i, weir_fr *value)
{
    weir_scalar k;
    (void)ctx;
    weir_device_scalar(&k, VALUES, i);
    fr_from_scalar(value, &k);
    return true;
}

static bool bit_value(void *ctx, uint64_t i, weir_fr *value)
{
    (void)ctx;
    *value = fr_ONE;
    return weir_device_hash(VALUES, i / 64) >> (i % 64) & 1;
}

/* ---- memory */

static void clear(sum_job *j)
{
    const weir_gpu_driver *v = j->d->driver;
    void *block[] = {j->points, j->values, j->arena, j->out};
    for (int i = 0; i < 4; i++)
        if (block[i]) v->release(v->ctx, block[i]);
}

static weir_err take(sum_job *j, weir_errinfo *ei)
{
    const weir_gpu_driver *v = j->d->driver;
    uint64_t arena = j->dense ? j->msm.total_bytes : j->sum.total_bytes;
    uint64_t values = j->dense ? j->n * sizeof(weir_scalar) : (j->n + 63) / 64 * 8;
    WEIR_TRY(v->alloc(v->ctx, &j->points, j->n * affine_bytes(j->g2), ei));
    WEIR_TRY(v->alloc(v->ctx, &j->values, values, ei));
    WEIR_TRY(v->alloc(v->ctx, &j->arena, arena, ei));
    return v->alloc(v->ctx, &j->out, WINDOWS * sizeof(weir_g2), ei);
}

static weir_err prepare(sum_job *j, weir_errinfo *ei)
{
    if (j->dense)
        weir_dmsm_plan_make(&j->msm, j->g2 ? &weir_dmsm_sizes_g2 : &weir_dmsm_sizes_g1,
                            (uint32_t)j->n, 0, 0);
    else
        weir_dsum_plan_make(&j->sum, j->g2 ? &weir_dmsm_sizes_g2 : &weir_dmsm_sizes_g1,
                            (uint32_t)j->n, j->d->driver->sum_blocks[j->g2], 0);
    WEIR_TRY(take(j, ei));
    WEIR_TRY(weir_device_fill_points(j->d, j->points, j->n, j->g2, SERIES, ei));
    if (j->dense)
        return weir_device_fill(j->d, j->values, j->n, sizeof(weir_scalar), make_scalars, NULL, ei);
    return weir_device_fill(j->d, j->values, (j->n + 63) / 64, sizeof(uint64_t), make_bits, NULL,
                            ei);
}

/* ---- the row */

static weir_err launch(void *ctx, weir_errinfo *ei)
{
    sum_job *j = ctx;
    const weir_gpu_driver *v = j->d->driver;
    unsigned msm = j->g2 ? WEIR_GPU_DMSM_G2 : WEIR_GPU_DMSM_G1,
             sum = j->g2 ? WEIR_GPU_DSUM_G2 : WEIR_GPU_DSUM_G1;
    for (uint32_t i = 0; j->dense && i < weir_dmsm_steps(&j->msm); i++) {
        weir_dmsm_step s;
        weir_dmsm_step_make(&s, &j->msm, i, j->arena, j->points, j->values, j->out);
        WEIR_TRY(v->launch(v->ctx, WEIR_GPU_WORK, (weir_gpu_kernel)(msm + s.kernel), s.blocks,
                           s.threads, &s.args, ei));
    }
    for (uint32_t i = 0; !j->dense && i < weir_dsum_steps(&j->sum); i++) {
        weir_dsum_step s;
        weir_dsum_step_make(&s, &j->sum, i, j->arena, j->points, j->values, j->out);
        WEIR_TRY(v->launch(v->ctx, WEIR_GPU_WORK, (weir_gpu_kernel)(sum + s.kernel), s.blocks,
                           s.threads, &s.args, ei));
    }
    return WEIR_OK;
}

static weir_err check(bool *right, void *ctx, weir_errinfo *ei)
{
    sum_job *j = ctx;
    weir_g2 sums[WINDOWS], q;
    weir_g1 p;
    weir_fr want;
    const unsigned windows = j->dense ? j->msm.windows : 1, c = j->dense ? j->msm.c : 0;
    WEIR_TRY(weir_device_read(j->d, sums, j->out,
                              windows * (j->g2 ? sizeof(weir_g2) : sizeof(weir_g1)), ei));
    weir_device_expect(j->d, &want, j->n, SERIES, j->dense ? scalar_value : bit_value, NULL);
    if (j->g2) {
        weir_dmsm_join_g2(&q, sums, windows, c, weir_curve_ops_get(j->d->x.isa));
        *right = weir_device_is_g2(&q, &want, j->d->x.isa);
    } else {
        weir_dmsm_join_g1(&p, (const weir_g1 *)(const void *)sums, windows, c,
                          weir_curve_ops_get(j->d->x.isa));
        *right = weir_device_is_g1(&p, &want, j->d->x.isa);
    }
    return WEIR_OK;
}

static weir_err time_sum(weir_device_bench *d, bool g2, bool dense, unsigned log2, weir_errinfo *ei)
{
    char what[60], size[24];
    sum_job j = {.d = d, .g2 = g2, .dense = dense, .n = (uint64_t)1 << log2};
    snprintf(what, sizeof what, "G%d sum%s", g2 ? 2 : 1,
             dense ? ", dense" : " over bits, half ones");
    snprintf(size, sizeof size, "2^%u", log2);
    const weir_device_row row = {.row = {.what = what,
                                         .size = size,
                                         .path = "gpu",
                                         .device = true,
                                         .each = "point",
                                         .count = (double)j.n},
                                 .launch = launch,
                                 .check = check,
                                 .ctx = &j};
    weir_err err = prepare(&j, ei);
    if (err == WEIR_OK) err = weir_device_time(d, &row, ei);
    clear(&j);
    return err;
}

weir_err weir_device_bench_dense(weir_device_bench *d, bool g2, unsigned log2, weir_errinfo *ei)
{
    return time_sum(d, g2, true, log2, ei);
}

weir_err weir_device_bench_bits(weir_device_bench *d, bool g2, unsigned log2, weir_errinfo *ei)
{
    return time_sum(d, g2, false, log2, ei);
}
