/* weir bench device: products and additions of points from registers, every multiprocessor full. What a few threads make is compared
 * with the CPU's own arithmetic. */
#include "cli/device_bench.h"

#if WEIR_HAVE_CUDA

#include "base/alloc.h"
#include "curve/curve.h"
#include "field/fp.h"
#include "field/fp2.h"
#include "field/fr.h"
#include "gpu/bench_kernels.h"
#include "gpu/bench_ops.h"
#include "gpu/gpu_cuda.h"

#include <string.h>

/* Blocks of a launch for each place on the device: with one, a multiprocessor is not full while its last block runs. */
enum { CHECKED = 8, CHECK_ROUNDS = 6, ROUNDS = 500, WAVES = 8, VALUES = 20 };

typedef struct field_op field_op;
struct field_op {
    const char *op, *what, *each;
    size_t in_bytes, out_bytes;
    unsigned per_round;
    void (*input)(const weir_device_bench *d, void *in, uint64_t i);
    /* Is `out` what the CPU makes of `in` in that many rounds? */
    bool (*right)(const void *out, const void *in, unsigned rounds, weir_isa isa);
};

typedef struct field_job {
    weir_device_bench *d;
    const field_op *op;
    const weir_bench_kernel *kernel;
    uint32_t blocks, rounds;
    void *in, *out; /* on the device */
    uint64_t threads;
} field_job;

/* ---- inputs: values below the modulus, points on the curve */

static void some_fp(weir_fp *out, uint64_t seed, uint64_t i)
{
    for (unsigned k = 0; k < 6; k++) out->l[k] = weir_device_hash(VALUES + seed, 6 * i + k);
    out->l[5] >>= 4; /* below 2^380 */
}

static void fp_input(const weir_device_bench *d, void *in, uint64_t i)
{
    weir_fp *v = in;
    (void)d;
    some_fp(&v[0], 0, i);
    some_fp(&v[1], 1, i);
}

static void fp_one_input(const weir_device_bench *d, void *in, uint64_t i)
{
    (void)d;
    some_fp(in, 0, i);
}

static void fr_input(const weir_device_bench *d, void *in, uint64_t i)
{
    weir_scalar *v = in;
    (void)d;
    weir_device_scalar(&v[0], VALUES, i);
    weir_device_scalar(&v[1], VALUES + 1, i);
}

static void g1_input(const weir_device_bench *d, void *in, uint64_t i)
{
    bench_g1_madd_in *v = in;
    const weir_g1_affine *p[3];
    for (unsigned k = 0; k < 3; k++) p[k] = &d->points.g1[weir_device_pick(VALUES + k, i)];
    memcpy(&v->p.x, &p[0]->x, sizeof v->p.x);
    memcpy(&v->p.y, &p[0]->y, sizeof v->p.y);
    memcpy(&v->p.zz, &fp_ONE, sizeof v->p.zz);
    memcpy(&v->p.zzz, &fp_ONE, sizeof v->p.zzz);
    for (unsigned k = 0; k < 2; k++) memcpy(&v->q[k], p[1 + k], sizeof v->q[k]);
}

static void g2_input(const weir_device_bench *d, void *in, uint64_t i)
{
    bench_g2_madd_in *v = in;
    const weir_g2_affine *p[3];
    memset(v, 0, sizeof *v);
    for (unsigned k = 0; k < 3; k++) p[k] = &d->points.g2[weir_device_pick(VALUES + k, i)];
    memcpy(&v->p.x, &p[0]->x, sizeof v->p.x);
    memcpy(&v->p.y, &p[0]->y, sizeof v->p.y);
    memcpy(&v->p.zz.c0, &fp_ONE, sizeof v->p.zz.c0);
    memcpy(&v->p.zzz.c0, &fp_ONE, sizeof v->p.zzz.c0);
    for (unsigned k = 0; k < 2; k++) memcpy(&v->q[k], p[1 + k], sizeof v->q[k]);
}

/* ---- the CPU's answers */

static bool fp_mul_right(const void *out, const void *in, unsigned rounds, weir_isa isa)
{
    weir_fp v[2];
    (void)isa;
    memcpy(v, in, sizeof v);
    for (unsigned i = 0; i < rounds; i++) {
        fp_mul(&v[0], &v[0], &v[1]);
        fp_mul(&v[1], &v[1], &v[0]);
    }
    return memcmp(out, &v[1], sizeof v[1]) == 0;
}

static bool fp_sqr_right(const void *out, const void *in, unsigned rounds, weir_isa isa)
{
    weir_fp v;
    (void)isa;
    memcpy(&v, in, sizeof v);
    for (unsigned i = 0; i < 2 * rounds; i++) fp_sqr(&v, &v);
    return memcmp(out, &v, sizeof v) == 0;
}

static bool fr_mul_right(const void *out, const void *in, unsigned rounds, weir_isa isa)
{
    weir_fr v[2];
    (void)isa;
    memcpy(v, in, sizeof v);
    for (unsigned i = 0; i < rounds; i++) {
        fr_mul(&v[0], &v[0], &v[1]);
        fr_mul(&v[1], &v[1], &v[0]);
    }
    return memcmp(out, &v[1], sizeof v[1]) == 0;
}

/* (X, Y, ZZ, ZZZ) is a point p if X = x ZZ and Y = y ZZZ. Coordinates from a device may be one modulus too large. */
static void reduced(weir_fp *out, const weir_dfp *in)
{
    weir_dfp t;
    dfp_reduce(&t, in);
    memcpy(out, &t, sizeof *out);
}

static bool g1_right(const void *out, const void *in, unsigned rounds, weir_isa isa)
{
    const weir_curve_ops *ops = weir_curve_ops_get(isa);
    const bench_g1_madd_in *v = in;
    const weir_dg1_xyzz *got = out;
    weir_g1 sum;
    weir_g1_affine p[3];
    weir_fp x, y, zz, zzz, scratch;
    memcpy(&p[0].x, &v->p.x, sizeof p[0].x);
    memcpy(&p[0].y, &v->p.y, sizeof p[0].y);
    memcpy(&p[1], v->q, sizeof v->q);
    sum = (weir_g1){p[0].x, p[0].y, fp_ONE};
    for (unsigned i = 0; i < rounds; i++) {
        weir_g1 q = {p[1 + i % 2].x, p[1 + i % 2].y, fp_ONE};
        ops->g1_add(&sum, &sum, &q);
    }
    ops->g1s_to_affine(p, &sum, 1, &scratch);
    reduced(&x, &got->x);
    reduced(&y, &got->y);
    reduced(&zz, &got->zz);
    reduced(&zzz, &got->zzz);
    fp_mul(&p[0].x, &p[0].x, &zz);
    fp_mul(&p[0].y, &p[0].y, &zzz);
    return fp_eq(&x, &p[0].x) && fp_eq(&y, &p[0].y);
}

static void reduced2(weir_fp2 *out, const weir_dfp2 *in)
{
    reduced(&out->c0, &in->c0);
    reduced(&out->c1, &in->c1);
}

static bool g2_right(const void *out, const void *in, unsigned rounds, weir_isa isa)
{
    const weir_curve_ops *ops = weir_curve_ops_get(isa);
    const bench_g2_madd_in *v = in;
    const weir_dg2_xyzz *got = out;
    const weir_fp2 one = {.c0 = fp_ONE};
    weir_g2 sum;
    weir_g2_affine p[3];
    weir_fp2 x, y, zz, zzz, scratch;
    memcpy(&p[0].x, &v->p.x, sizeof p[0].x);
    memcpy(&p[0].y, &v->p.y, sizeof p[0].y);
    memcpy(&p[1], v->q, sizeof v->q);
    sum = (weir_g2){p[0].x, p[0].y, one};
    for (unsigned i = 0; i < rounds; i++) {
        weir_g2 q = {p[1 + i % 2].x, p[1 + i % 2].y, one};
        ops->g2_add(&sum, &sum, &q);
    }
    ops->g2s_to_affine(p, &sum, 1, &scratch);
    reduced2(&x, &got->x);
    reduced2(&y, &got->y);
    reduced2(&zz, &got->zz);
    reduced2(&zzz, &got->zzz);
    fp2_mul(&p[0].x, &p[0].x, &zz);
    fp2_mul(&p[0].y, &p[0].y, &zzz);
    return fp2_eq(&x, &p[0].x) && fp2_eq(&y, &p[0].y);
}

static const field_op ops[] = {
    {"fp_mul", "Fp product", "product", sizeof(bench_fp_pair), sizeof(weir_dfp), 2, fp_input,
     fp_mul_right},
    {"fp_sqr", "Fp square", "square", sizeof(weir_dfp), sizeof(weir_dfp), 2, fp_one_input,
     fp_sqr_right},
    {"fr_mul", "Fr product", "product", sizeof(bench_fr_pair), sizeof(weir_dfr), 2, fr_input,
     fr_mul_right},
    {"g1_madd", "G1 XYZZ mixed addition", "addition", sizeof(bench_g1_madd_in),
     sizeof(weir_dg1_xyzz), 1, g1_input, g1_right},
    {"g2_madd", "G2 XYZZ mixed addition", "addition", sizeof(bench_g2_madd_in),
     sizeof(weir_dg2_xyzz), 1, g2_input, g2_right},
};

/* ---- the row */

static weir_err launch(void *ctx, weir_errinfo *ei)
{
    const field_job *j = ctx;
    return weir_gpu_launch_bench(j->d->driver, j->kernel, j->blocks, j->out, j->in, j->rounds, ei);
}

/* A short run of its own, since the timed one is long for the CPU. */
static weir_err check(bool *right, void *ctx, weir_errinfo *ei)
{
    const field_job *j = ctx;
    _Alignas(16) unsigned char in[CHECKED * sizeof(bench_g2_madd_in)];
    _Alignas(16) unsigned char out[CHECKED * sizeof(weir_dg2_xyzz)];
    WEIR_TRY(weir_gpu_launch_bench(j->d->driver, j->kernel, 1, j->out, j->in, CHECK_ROUNDS, ei));
    WEIR_TRY(weir_device_read(j->d, out, j->out, CHECKED * j->op->out_bytes, ei));
    WEIR_TRY(weir_device_read(j->d, in, j->in, CHECKED * j->op->in_bytes, ei));
    *right = true;
    for (size_t i = 0; i < CHECKED; i++)
        *right = *right && j->op->right(out + i * j->op->out_bytes, in + i * j->op->in_bytes,
                                        CHECK_ROUNDS, j->d->x.isa);
    return WEIR_OK;
}

static void make(void *ctx, void *out, uint64_t first, uint64_t n)
{
    const field_job *j = ctx;
    for (uint64_t i = 0; i < n; i++)
        j->op->input(j->d, (unsigned char *)out + i * j->op->in_bytes, first + i);
}

static weir_err time_form(field_job *j, weir_errinfo *ei)
{
    const weir_gpu_driver *v = j->d->driver;
    char size[24];
    WEIR_TRY(weir_gpu_bench_blocks(&j->blocks, v, j->kernel, ei));
    j->blocks *= WAVES;
    j->threads = (uint64_t)j->blocks * j->kernel->threads;
    j->rounds = ROUNDS;
    WEIR_TRY(v->alloc(v->ctx, &j->in, j->threads * j->op->in_bytes, ei));
    WEIR_TRY(v->alloc(v->ctx, &j->out, j->threads * j->op->out_bytes, ei));
    WEIR_TRY(weir_device_fill(j->d, j->in, j->threads, j->op->in_bytes, make, j, ei));
    snprintf(size, sizeof size, "%u x %u", j->kernel->threads, j->kernel->min_blocks);
    const weir_device_row row = {
        .row = {.what = j->op->what,
                .size = size,
                .path = "gpu",
                .device = true,
                .each = j->op->each,
                .count = (double)j->threads * j->rounds * j->op->per_round},
        .launch = launch,
        .check = check,
        .ctx = j};
    return weir_device_time(j->d, &row, ei);
}

weir_err weir_device_bench_fields(weir_device_bench *d, weir_errinfo *ei)
{
    const weir_gpu_driver *v = d->driver;
    size_t kernels;
    const weir_bench_kernel *kernel = weir_bench_kernels(&kernels);
    for (size_t o = 0; o < sizeof ops / sizeof ops[0]; o++)
        for (size_t k = 0; k < kernels; k++) {
            field_job j = {.d = d, .op = &ops[o], .kernel = &kernel[k]};
            if (strcmp(kernel[k].op, ops[o].op) != 0) continue;
            weir_err err = time_form(&j, ei);
            if (j.in) v->release(v->ctx, j.in);
            if (j.out) v->release(v->ctx, j.out);
            if (err != WEIR_OK) return err;
        }
    return WEIR_OK;
}

#else

/* Not reached: a build without CUDA opens no GPU. */
weir_err weir_device_bench_fields(weir_device_bench *d, weir_errinfo *ei)
{
    (void)d;
    return weir_fail(ei, WEIR_E_UNSUPPORTED, "this weir was built without CUDA");
}

#endif
