/* weir bench curve: points of G1 and G2, their encodings, and the pairing. */
#include "base/alloc.h"
#include "bench/curve_loops.h"
#include "bench/rand.h"
#include "cli/bench_run.h"
#include "cli/cli.h"
#include "curve/curve.h"
#include "field/fr.h"

#include <string.h>

static const weir_opt opts[] = {
    WEIR_BENCH_OPTS,
    {NULL, NULL, NULL, false},
};

enum { POINTS = 64, PAIRS = 3 };

/* Point i is k_i times the generator. */
typedef struct job {
    const weir_curve_ops *ops;
    const weir_bench_curve_ops *loops;
    weir_scalar k[POINTS], s;
    weir_g1 g1[POINTS], acc1;
    weir_g2 g2[POINTS], acc2;
    weir_g1_affine flat1[POINTS], out1[POINTS];
    weir_g2_affine flat2[POINTS], out2[POINTS];
    weir_fp scratch1[POINTS];
    weir_fp2 scratch2[POINTS];
    uint8_t bytes1[WEIR_G1_COMPRESSED_BYTES], bytes2[WEIR_G2_COMPRESSED_BYTES];
    weir_g1_affine p[PAIRS]; /* pairs whose pairings have the product one */
    weir_g2_lines lines[PAIRS], new_lines;
    const weir_g2_lines *q[PAIRS];
    weir_fp12 f, gt;
} job;

#define RUN(name, ...)                                                                             \
    static weir_err name(void *ctx, const weir_exec *x, weir_errinfo *ei)                          \
    {                                                                                              \
        (void)x, (void)ei;                                                                         \
        job *j = ctx;                                                                              \
        __VA_ARGS__;                                                                               \
        return WEIR_OK;                                                                            \
    }
#define CHECK(name, ...)                                                                           \
    static weir_err name(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)             \
    {                                                                                              \
        (void)x, (void)ei;                                                                         \
        job *j = ctx;                                                                              \
        *right = (__VA_ARGS__);                                                                    \
        return WEIR_OK;                                                                            \
    }

RUN(g1_add, j->loops->g1_add(&j->acc1, j->g1, POINTS))
RUN(g2_add, j->loops->g2_add(&j->acc2, j->g2, POINTS))
RUN(g1_madd, j->loops->g1_add_affine(&j->acc1, j->flat1, POINTS))
RUN(g2_madd, j->loops->g2_add_affine(&j->acc2, j->flat2, POINTS))
RUN(g1_dbl, j->loops->g1_double(&j->acc1, POINTS))
RUN(g2_dbl, j->loops->g2_double(&j->acc2, POINTS))
RUN(g1_mul, j->ops->g1_mul(&j->acc1, &j->flat1[0], &j->s))
RUN(g2_mul, j->ops->g2_mul(&j->acc2, &j->flat2[0], &j->s))
RUN(g1_mul_ct, j->ops->g1_mul_ct(&j->acc1, &j->flat1[0], &j->s))
RUN(g2_mul_ct, j->ops->g2_mul_ct(&j->acc2, &j->flat2[0], &j->s))
RUN(g1_affine, j->ops->g1s_to_affine(j->out1, j->g1, POINTS, j->scratch1))
RUN(g2_affine, j->ops->g2s_to_affine(j->out2, j->g2, POINTS, j->scratch2))
RUN(prepare, j->ops->g2_prepare(&j->new_lines, &j->flat2[0]))
RUN(miller, j->ops->miller(&j->f, &j->p[0], j->q, 1))
RUN(final_exp, j->ops->final_exp(&j->gt, &j->f))
RUN(product, j->ops->miller(&j->f, j->p, j->q, PAIRS); j->ops->final_exp(&j->gt, &j->f))

static weir_err decoded(weir_err err, weir_errinfo *ei)
{
    return err == WEIR_OK ? err : weir_fail(ei, err, "a point of the bench is refused");
}

static weir_err g1_decode(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x;
    job *j = ctx;
    return decoded(j->ops->g1_decompress(&j->out1[0], j->bytes1, WEIR_CHECK_SUBGROUP), ei);
}

static weir_err g2_decode(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x;
    job *j = ctx;
    return decoded(j->ops->g2_decompress(&j->out2[0], j->bytes2, WEIR_CHECK_SUBGROUP), ei);
}

/* ---- the checks: every result is a known multiple of a generator, found again on the portable path */

static bool is_multiple1(const weir_g1 *p, const weir_fr *k)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    weir_g1 pair[2] = {*p};
    weir_g1_affine flat[2];
    weir_fp scratch[2];
    weir_scalar s;
    fr_to_scalar(&s, k);
    ops->g1_mul(&pair[1], weir_g1_generator(), &s);
    ops->g1s_to_affine(flat, pair, 2, scratch);
    return memcmp(&flat[0], &flat[1], sizeof flat[0]) == 0;
}

static bool is_multiple2(const weir_g2 *p, const weir_fr *k)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    weir_g2 pair[2] = {*p};
    weir_g2_affine flat[2];
    weir_fp2 scratch[2];
    weir_scalar s;
    fr_to_scalar(&s, k);
    ops->g2_mul(&pair[1], weir_g2_generator(), &s);
    ops->g2s_to_affine(flat, pair, 2, scratch);
    return memcmp(&flat[0], &flat[1], sizeof flat[0]) == 0;
}

/* r = k_0 + all k_i: what an accumulator that starts at point 0 becomes */
static const weir_fr *total(weir_fr *r, const job *j)
{
    weir_fr t;
    fr_from_scalar(r, &j->k[0]);
    for (int i = 0; i < POINTS; i++) {
        fr_from_scalar(&t, &j->k[i]);
        fr_add(r, r, &t);
    }
    return r;
}

/* r = 2^POINTS k_0 */
static const weir_fr *doubled(weir_fr *r, const job *j)
{
    fr_from_scalar(r, &j->k[0]);
    for (int i = 0; i < POINTS; i++) fr_add(r, r, r);
    return r;
}

/* r = s k_0 */
static const weir_fr *multiplied(weir_fr *r, const job *j)
{
    weir_fr s;
    fr_from_scalar(r, &j->k[0]);
    fr_from_scalar(&s, &j->s);
    fr_mul(r, r, &s);
    return r;
}

CHECK(g1_sum_right, is_multiple1(&j->acc1, total(&(weir_fr){{0}}, j)))
CHECK(g2_sum_right, is_multiple2(&j->acc2, total(&(weir_fr){{0}}, j)))
CHECK(g1_dbl_right, is_multiple1(&j->acc1, doubled(&(weir_fr){{0}}, j)))
CHECK(g2_dbl_right, is_multiple2(&j->acc2, doubled(&(weir_fr){{0}}, j)))
CHECK(g1_mul_right, is_multiple1(&j->acc1, multiplied(&(weir_fr){{0}}, j)))
CHECK(g2_mul_right, is_multiple2(&j->acc2, multiplied(&(weir_fr){{0}}, j)))
CHECK(g1_flat_right, memcmp(j->out1, j->flat1, sizeof j->out1) == 0)
CHECK(g2_flat_right, memcmp(j->out2, j->flat2, sizeof j->out2) == 0)
CHECK(g1_decode_right, memcmp(&j->out1[0], &j->flat1[0], sizeof j->out1[0]) == 0)
CHECK(g2_decode_right, memcmp(&j->out2[0], &j->flat2[0], sizeof j->out2[0]) == 0)
CHECK(product_right, j->ops->fp12_is_one(&j->gt))

/* The whole pairing against the portable path's: for the lines, the loop and the exponentiation alone. */
static weir_err pairing_right(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    job *j = ctx;
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    const weir_g2_lines *q = &j->new_lines;
    weir_fp12 want, got;
    ops->g2_prepare(&j->new_lines, &j->flat2[0]);
    ops->miller(&want, &j->p[0], &q, 1);
    ops->final_exp(&want, &want);
    j->ops->g2_prepare(&j->new_lines, &j->flat2[0]);
    j->ops->miller(&got, &j->p[0], &q, 1);
    j->ops->final_exp(&got, &got);
    *right = memcmp(&want, &got, sizeof want) == 0;
    return WEIR_OK;
}

/* ---- inputs */

/* Points by the portable path, but those of the pairs: e(k_0 G, k_0 H) e(k_1 G, k_1 H) e(-(k_0^2 + k_1^2) G, H) = 1. */
static void make_points(job *j)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    weir_bench_rand g = {1};
    weir_fr k, sum;
    weir_scalar s;
    weir_g1 p;
    weir_bench_rand_scalars(&g, j->k, POINTS);
    weir_bench_rand_scalars(&g, &j->s, 1);
    for (int i = 0; i < POINTS; i++) {
        ops->g1_mul(&j->g1[i], weir_g1_generator(), &j->k[i]);
        ops->g2_mul(&j->g2[i], weir_g2_generator(), &j->k[i]);
    }
    ops->g1s_to_affine(j->flat1, j->g1, POINTS, j->scratch1);
    ops->g2s_to_affine(j->flat2, j->g2, POINTS, j->scratch2);
    ops->g1_compress(j->bytes1, &j->flat1[0]);
    ops->g2_compress(j->bytes2, &j->flat2[0]);
    fr_set_zero(&sum);
    for (int i = 0; i < PAIRS; i++) {
        const bool last = i + 1 == PAIRS;
        fr_from_scalar(&k, &j->k[i]);
        fr_sqr(&k, &k);
        if (!last) fr_sub(&sum, &sum, &k);
        j->p[i] = j->flat1[i];
        j->ops->g2_prepare(&j->lines[i], last ? weir_g2_generator() : &j->flat2[i]);
        j->q[i] = &j->lines[i];
    }
    fr_to_scalar(&s, &sum);
    ops->g1_mul(&p, weir_g1_generator(), &s);
    ops->g1s_to_affine(&j->p[PAIRS - 1], &p, 1, j->scratch1);
}

static weir_err time_rows(job *j, weir_bench_run *b)
{
    static const weir_bench_row rows[] = {
        {.what = "G1 addition", .ops = POINTS, .run = g1_add, .check = g1_sum_right},
        {.what = "G1 addition of an affine point",
         .ops = POINTS,
         .run = g1_madd,
         .check = g1_sum_right},
        {.what = "G1 doubling", .ops = POINTS, .run = g1_dbl, .check = g1_dbl_right},
        {.what = "G1 multiple", .size = "255 bits", .run = g1_mul, .check = g1_mul_right},
        {.what = "G1 multiple, constant time",
         .size = "255 bits",
         .run = g1_mul_ct,
         .check = g1_mul_right},
        {.what = "G1 to affine, in a batch",
         .size = "64",
         .ops = POINTS,
         .run = g1_affine,
         .check = g1_flat_right},
        {.what = "G1 decoded, subgroup checked",
         .size = "48 bytes",
         .run = g1_decode,
         .check = g1_decode_right},
        {.what = "G2 addition", .ops = POINTS, .run = g2_add, .check = g2_sum_right},
        {.what = "G2 addition of an affine point",
         .ops = POINTS,
         .run = g2_madd,
         .check = g2_sum_right},
        {.what = "G2 doubling", .ops = POINTS, .run = g2_dbl, .check = g2_dbl_right},
        {.what = "G2 multiple", .size = "255 bits", .run = g2_mul, .check = g2_mul_right},
        {.what = "G2 multiple, constant time",
         .size = "255 bits",
         .run = g2_mul_ct,
         .check = g2_mul_right},
        {.what = "G2 to affine, in a batch",
         .size = "64",
         .ops = POINTS,
         .run = g2_affine,
         .check = g2_flat_right},
        {.what = "G2 decoded, subgroup checked",
         .size = "96 bytes",
         .run = g2_decode,
         .check = g2_decode_right},
        {.what = "lines of a G2 point", .run = prepare, .check = pairing_right},
        {.what = "Miller loop, lines there",
         .size = "1 pair",
         .run = miller,
         .check = pairing_right},
        {.what = "final exponentiation", .run = final_exp, .check = pairing_right},
        {.what = "product of pairings, lines there",
         .size = "3 pairs",
         .run = product,
         .check = product_right},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        weir_bench_row row = rows[i];
        if (!row.size) row.size = "one";
        j->acc1 = j->g1[0];
        j->acc2 = j->g2[0];
        WEIR_TRY(weir_bench_time(b, &row, j));
    }
    return WEIR_OK;
}

static weir_err run(weir_cli *cli)
{
    weir_bench_run b;
    WEIR_TRY(weir_bench_one_thread(cli));
    WEIR_TRY(weir_bench_begin(&b, cli));
    job *j = weir_calloc(1, sizeof *j);
    if (!j) return weir_fail(&cli->ei, WEIR_E_NOMEM, "no memory");
    j->ops = weir_curve_ops_get(b.exec.isa);
    j->loops = weir_bench_curve_ops_get(b.exec.isa);
    make_points(j);
    weir_err err = time_rows(j, &b);
    weir_free(j);
    if (err == WEIR_OK) weir_bench_end(&b);
    return err;
}

const weir_command weir_cmd_bench_curve = {
    .verb = "bench",
    .noun = "curve",
    .summary = "time of additions, multiples, decoding and pairings",
    .opts = opts,
    .details = "Additions and doublings stand in a chain: each waits for the one before. Lines of "
               "a G2 point depend on it alone\n"
               "and are made once where the point is fixed.\n",
    .examples = "weir bench curve\n"
                "weir bench curve --path portable --runs 1\n"
                "weir bench curve --json",
    .run = run,
};
