/* Points in memory go through the decoder, which has the checks eight lanes wide. Encoding them first costs 2 products of 1,030. */
#include "curve/point_check.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "curve/curve.h"
#include "field/fp.h"

enum {
    TASK_POINTS = 64,
    RANGE_TASKS = 16, /* of a thread between two looks at the gate: some milliseconds */
    SAMPLE_POINTS = 4096,
    ALL = WEIR_CHECK_CURVE | WEIR_CHECK_SUBGROUP | WEIR_CHECK_NOT_INFINITY
};

bool weir_point_check_found(weir_err err)
{
    return err == WEIR_E_ENCODING || err == WEIR_E_NOT_ON_CURVE || err == WEIR_E_NOT_IN_SUBGROUP ||
           err == WEIR_E_INFINITY;
}

typedef struct job {
    const weir_curve_ops *ops;
    const weir_g1_affine *g1; /* one of the two is set */
    const weir_g2_affine *g2;
    size_t n;
    uint64_t first_bad; /* SIZE_MAX: none */
} job;

/* The first of n points, each of so many coordinates in Fp, with one that is not below p; n: none. */
static size_t first_unreduced(const weir_fp *coordinate, size_t n, size_t each)
{
    size_t i = 0;
    while (i < n * each && fp_is_reduced(&coordinate[i])) i++;
    return i / each;
}

static weir_err check_g1s(const weir_curve_ops *ops, const weir_g1_affine *p, size_t n, size_t *bad)
{
    uint8_t bytes[TASK_POINTS * WEIR_G1_BYTES];
    weir_g1_affine again[TASK_POINTS];
    size_t m = first_unreduced(&p->x, n, 2);
    ops->g1s_encode(bytes, p, m);
    weir_err err = ops->g1s_decode(again, bytes, m, ALL, bad);
    if (err != WEIR_OK || m == n) return err;
    *bad = m;
    return WEIR_E_ENCODING;
}

static weir_err check_g2s(const weir_curve_ops *ops, const weir_g2_affine *p, size_t n, size_t *bad)
{
    uint8_t bytes[TASK_POINTS * WEIR_G2_BYTES];
    weir_g2_affine again[TASK_POINTS];
    size_t m = first_unreduced(&p->x.c0, n, 4);
    ops->g2s_encode(bytes, p, m);
    weir_err err = ops->g2s_decode(again, bytes, m, ALL, bad);
    if (err != WEIR_OK || m == n) return err;
    *bad = m;
    return WEIR_E_ENCODING;
}

static weir_err check_task(const job *j, size_t task, size_t *bad)
{
    size_t lo = task * TASK_POINTS, n = j->n - lo < TASK_POINTS ? j->n - lo : TASK_POINTS;
    weir_err err =
        j->g1 ? check_g1s(j->ops, j->g1 + lo, n, bad) : check_g2s(j->ops, j->g2 + lo, n, bad);
    *bad += lo;
    return err;
}

/* Tasks behind the first bad point that is known have nothing to add. */
static void run_task(void *ctx, size_t task, unsigned worker)
{
    (void)worker;
    job *j = ctx;
    size_t bad;
    if (task * TASK_POINTS > __atomic_load_n(&j->first_bad, __ATOMIC_RELAXED)) return;
    if (check_task(j, task, &bad) == WEIR_OK) return;
    uint64_t known = __atomic_load_n(&j->first_bad, __ATOMIC_RELAXED);
    while (bad < known && !__atomic_compare_exchange_n(&j->first_bad, &known, bad, true,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

static weir_err run(const weir_exec *x, job *j, size_t *bad, weir_errinfo *ei)
{
    j->ops = weir_curve_ops_get(x->isa);
    j->first_bad = SIZE_MAX;
    if (weir_exec_cancelled(x))
        return weir_fail(ei, WEIR_E_CANCELLED, "stopped while points were checked");
    weir_exec_run(x, (j->n + TASK_POINTS - 1) / TASK_POINTS, RANGE_TASKS, run_task, j);
    if (j->first_bad == SIZE_MAX) return WEIR_OK;
    return check_task(j, j->first_bad / TASK_POINTS, bad); /* once more, for its code */
}

static weir_err cpu_g1(void *ctx, const weir_g1_affine *points, size_t n, size_t *bad,
                       weir_errinfo *ei)
{
    job j = {.g1 = points, .n = n};
    return run(ctx, &j, bad, ei);
}

static weir_err cpu_g2(void *ctx, const weir_g2_affine *points, size_t n, size_t *bad,
                       weir_errinfo *ei)
{
    job j = {.g2 = points, .n = n};
    return run(ctx, &j, bad, ei);
}

void weir_point_check_cpu(weir_point_check *out, const weir_exec *x)
{
    *out = (weir_point_check){.ctx = (void *)(uintptr_t)x, .g1 = cpu_g1, .g2 = cpu_g2};
}

/* ---- how long it will take */

/* Time of a point, from two samples: the first warms threads and code. */
static weir_err sample(double *ns, const weir_point_check *check, void *points, bool g2,
                       weir_errinfo *ei)
{
    size_t bad = 0;
    for (size_t n = SAMPLE_POINTS / 8; n <= SAMPLE_POINTS; n *= 8) {
        uint64_t begin = weir_now_ns();
        WEIR_TRY(g2 ? check->g2(check->ctx, points, n, &bad, ei)
                    : check->g1(check->ctx, points, n, &bad, ei));
        *ns = (double)(weir_now_ns() - begin) / (double)n;
    }
    return WEIR_OK;
}

weir_err weir_point_check_estimate(uint64_t *ns, const weir_point_check *check, uint64_t g1_points,
                                   uint64_t g2_points, weir_errinfo *ei)
{
    double g1 = 0, g2 = 0;
    weir_g2_affine *points = weir_malloc(SAMPLE_POINTS, sizeof *points);
    if (!points) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a sample of points");
    weir_g1_affine *in_g1 = (weir_g1_affine *)(void *)points;
    for (int i = 0; i < SAMPLE_POINTS; i++) in_g1[i] = *weir_g1_generator();
    weir_err err = sample(&g1, check, in_g1, false, ei);
    for (int i = 0; i < SAMPLE_POINTS; i++) points[i] = *weir_g2_generator();
    if (err == WEIR_OK) err = sample(&g2, check, points, true, ei);
    weir_free(points);
    *ns = (uint64_t)(g1 * (double)g1_points + g2 * (double)g2_points);
    return err;
}
