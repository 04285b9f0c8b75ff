/* weir bench field: what one operation of Fp and of Fr takes. */
#include "base/alloc.h"
#include "bench/field_loops.h"
#include "bench/rand.h"
#include "cli/bench_run.h"
#include "cli/cli.h"
#include "field/fp.h"
#include "field/fr.h"

#include <string.h>

static const weir_opt opts[] = {
    WEIR_BENCH_OPTS,
    {NULL, NULL, NULL, false},
};

enum { ROUNDS = 1000, CHECK_ROUNDS = 2, INVERSIONS = 16 };

typedef struct job {
    weir_bench_run run;
    const weir_bench_field_ops *ops;
    unsigned loop;
    uint64_t sum;
    weir_fp fp_r[WEIR_BENCH_ELEMENTS], fp_a[WEIR_BENCH_ELEMENTS], fp_b[WEIR_BENCH_ELEMENTS];
    weir_fr fr_r[WEIR_BENCH_ELEMENTS], fr_a[WEIR_BENCH_ELEMENTS], fr_b[WEIR_BENCH_ELEMENTS];
} job;

/* ---- products, squares, sums */

static weir_err run_fp(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    job *j = ctx;
    j->ops->fp[j->loop](j->fp_r, j->fp_a, j->fp_b, ROUNDS);
    return WEIR_OK;
}

static weir_err run_fr(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    job *j = ctx;
    j->ops->fr[j->loop](j->fr_r, j->fr_a, j->fr_b, ROUNDS);
    return WEIR_OK;
}

static weir_err check_fp(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    job *j = ctx;
    const weir_bench_loop *l = &weir_bench_loops[j->loop];
    weir_fp want[WEIR_BENCH_ELEMENTS];
    j->ops->fp[j->loop](j->fp_r, j->fp_a, j->fp_b, CHECK_ROUNDS);
    weir_bench_fp_expect(want, j->fp_a, j->fp_b, l, CHECK_ROUNDS);
    *right = memcmp(want, j->fp_r, weir_bench_loop_results(l) * sizeof want[0]) == 0;
    return WEIR_OK;
}

static weir_err check_fr(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    job *j = ctx;
    const weir_bench_loop *l = &weir_bench_loops[j->loop];
    weir_fr want[WEIR_BENCH_ELEMENTS];
    j->ops->fr[j->loop](j->fr_r, j->fr_a, j->fr_b, CHECK_ROUNDS);
    weir_bench_fr_expect(want, j->fr_a, j->fr_b, l, CHECK_ROUNDS);
    *right = memcmp(want, j->fr_r, weir_bench_loop_results(l) * sizeof want[0]) == 0;
    return WEIR_OK;
}

/* ---- the limit of the vector path */

enum { FACTOR_A = 0x12345, FACTOR_B = 0x6789 };

static weir_err run_multiply_adds(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    job *j = ctx;
    j->sum = j->ops->multiply_adds(FACTOR_A, FACTOR_B, ROUNDS);
    return WEIR_OK;
}

static weir_err check_multiply_adds(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    const job *j = ctx;
    const uint64_t n = (uint64_t)ROUNDS * WEIR_BENCH_ELEMENTS;
    *right = j->sum == n * FACTOR_A * FACTOR_B + 15 * 16 / 2;
    return WEIR_OK;
}

static weir_err time_multiply_adds(job *j)
{
    const weir_bench_row row = {.what = "multiply-add of 52 bits",
                                .size = "8 lanes",
                                .ops = (double)ROUNDS * WEIR_BENCH_ELEMENTS,
                                .run = run_multiply_adds,
                                .check = check_multiply_adds};
    return j->run.exec.isa == WEIR_ISA_IFMA ? weir_bench_time(&j->run, &row, j) : WEIR_OK;
}

static weir_err time_loops(job *j, const char *field, bool fp)
{
    static const char *const name[] = {"product", "square", "sum"};
    static const char *const kind[] = {"independent", "one chain", "two chains"};
    for (j->loop = 0; j->loop < WEIR_BENCH_LOOPS; j->loop++) {
        const weir_bench_loop *l = &weir_bench_loops[j->loop];
        char what[40];
        if (l->lanes == 8 && j->run.exec.isa != WEIR_ISA_IFMA) continue;
        snprintf(what, sizeof what, "%s %s, %s", field, name[l->op], kind[l->chains]);
        weir_bench_row row = {.what = what,
                              .size = l->lanes == 8 ? "8 lanes" : "one",
                              .ops = (double)ROUNDS * WEIR_BENCH_ELEMENTS,
                              .run = fp ? run_fp : run_fr,
                              .check = fp ? check_fp : check_fr};
        WEIR_TRY(weir_bench_time(&j->run, &row, j));
    }
    return WEIR_OK;
}

/* ---- inversions */

static weir_err run_fp_inv(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    job *j = ctx;
    for (int i = 0; i < INVERSIONS; i++) weir_fp_inv(&j->fp_r[i], &j->fp_a[i]);
    return WEIR_OK;
}

static weir_err run_fr_inv(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    job *j = ctx;
    for (int i = 0; i < INVERSIONS; i++) weir_fr_inv(&j->fr_r[i], &j->fr_a[i]);
    return WEIR_OK;
}

/* In place: the inverses of the inverses are the elements again. b is scratch. */
static weir_err run_fps_inv(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    job *j = ctx;
    j->ops->fps_inv(j->fp_r, WEIR_BENCH_ELEMENTS, j->fp_b);
    return WEIR_OK;
}

static weir_err run_frs_inv(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    job *j = ctx;
    j->ops->frs_inv(j->fr_r, WEIR_BENCH_ELEMENTS, j->fr_b);
    return WEIR_OK;
}

static bool fp_inverses(const job *j, int n)
{
    for (int i = 0; i < n; i++) {
        weir_fp t;
        fp_mul(&t, &j->fp_a[i], &j->fp_r[i]);
        if (!fp_eq(&t, &fp_ONE)) return false;
    }
    return true;
}

static bool fr_inverses(const job *j, int n)
{
    for (int i = 0; i < n; i++) {
        weir_fr t;
        fr_mul(&t, &j->fr_a[i], &j->fr_r[i]);
        if (!fr_eq(&t, &fr_ONE)) return false;
    }
    return true;
}

static weir_err check_fp_inv(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    *right = fp_inverses(ctx, INVERSIONS);
    return WEIR_OK;
}

static weir_err check_fr_inv(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    *right = fr_inverses(ctx, INVERSIONS);
    return WEIR_OK;
}

static weir_err check_fps_inv(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    *right = fp_inverses(ctx, WEIR_BENCH_ELEMENTS);
    return WEIR_OK;
}

static weir_err check_frs_inv(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    *right = fr_inverses(ctx, WEIR_BENCH_ELEMENTS);
    return WEIR_OK;
}

static weir_err time_inversions(job *j)
{
    const weir_bench_row rows[] = {
        {.what = "Fp inversion", .path = "any", .run = run_fp_inv, .check = check_fp_inv},
        {.what = "Fr inversion", .path = "any", .run = run_fr_inv, .check = check_fr_inv},
        {.what = "Fp inversion in a batch", .run = run_fps_inv, .check = check_fps_inv},
        {.what = "Fr inversion in a batch", .run = run_frs_inv, .check = check_frs_inv},
    };
    char size[24];
    snprintf(size, sizeof size, "%d", WEIR_BENCH_ELEMENTS);
    memcpy(j->fp_r, j->fp_a, sizeof j->fp_r);
    memcpy(j->fr_r, j->fr_a, sizeof j->fr_r);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        weir_bench_row row = rows[i];
        bool batch = !row.path;
        row.size = batch ? size : "one";
        row.ops = batch ? WEIR_BENCH_ELEMENTS : INVERSIONS;
        if (batch) {
            memcpy(j->fp_r, j->fp_a, sizeof j->fp_r);
            memcpy(j->fr_r, j->fr_a, sizeof j->fr_r);
        }
        WEIR_TRY(weir_bench_time(&j->run, &row, j));
    }
    return WEIR_OK;
}

static weir_err time_all(job *j, weir_cli *cli)
{
    weir_bench_rand g = {1};
    weir_bench_rand_fps(&g, j->fp_a, WEIR_BENCH_ELEMENTS);
    weir_bench_rand_fps(&g, j->fp_b, WEIR_BENCH_ELEMENTS);
    weir_bench_rand_frs(&g, j->fr_a, WEIR_BENCH_ELEMENTS);
    weir_bench_rand_frs(&g, j->fr_b, WEIR_BENCH_ELEMENTS);
    WEIR_TRY(weir_bench_one_thread(cli));
    WEIR_TRY(weir_bench_begin(&j->run, cli));
    j->ops = weir_bench_field_ops_get(j->run.exec.isa);
    WEIR_TRY(time_multiply_adds(j));
    WEIR_TRY(time_loops(j, "Fp", true));
    WEIR_TRY(time_loops(j, "Fr", false));
    WEIR_TRY(time_inversions(j));
    weir_bench_end(&j->run);
    return WEIR_OK;
}

static weir_err run(weir_cli *cli)
{
    job *j = weir_calloc(1, sizeof *j);
    if (!j) return weir_fail(&cli->ei, WEIR_E_NOMEM, "no memory");
    weir_err err = time_all(j, cli);
    weir_free(j);
    return err;
}

const weir_command weir_cmd_bench_field = {
    .verb = "bench",
    .noun = "field",
    .summary = "time of products, squares, sums and inversions of field elements",
    .opts = opts,
    .details =
        "Times are for one element, also where eight are worked on at once (8 lanes, path ifma):\n"
        "then the time of one operation on a vector, divided by eight. Independent: over arrays "
        "in\n"
        "the first-level cache. A chain: each operation waits for the one before.\n",
    .examples = "weir bench field\n"
                "weir bench field --path adx --runs 11\n"
                "weir bench field --json",
    .run = run,
};
