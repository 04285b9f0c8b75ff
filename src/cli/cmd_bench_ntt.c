/* weir bench ntt: transforms over Fr and the quotient polynomial made of six of them. */
#include "base/alloc.h"
#include "bench/rand.h"
#include "cli/bench_run.h"
#include "cli/cli.h"
#include "cli/memory.h"
#include "field/fr.h"
#include "poly/ntt.h"

#include <string.h>

static const weir_opt opts[] = {
    {"log-size", "LIST", "logarithms of the sizes, 1 to 26: 20 or 10,16-20; default: 20", false},
    WEIR_BENCH_OPTS,
    {NULL, NULL, NULL, false},
};

enum { MAX_LOG2 = 26, TRANSFORMS_OF_QUOTIENT = 6 };

typedef struct job {
    unsigned log2;
    size_t n;
    weir_ntt_plan *plan;
    uint64_t scratch_bytes;
    void *scratch;
    weir_fr *memory;        /* 5 n elements: */
    weir_fr *a, *b, *tmp;   /* what is worked on */
    weir_fr *old_a, *old_b; /* what a and b were before the first call */
    weir_fr shift;
} job;

/* ---- the routines */

static weir_err run_forward(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)ei;
    job *j = ctx;
    weir_ntt_forward(j->plan, j->a, j->scratch, x);
    return WEIR_OK;
}

static weir_err run_inverse(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)ei;
    job *j = ctx;
    weir_ntt_inverse(j->plan, j->a, j->scratch, x);
    return WEIR_OK;
}

static weir_err run_coset_forward(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)ei;
    job *j = ctx;
    weir_ntt_coset_forward(j->plan, j->a, &j->shift, j->scratch, x);
    return WEIR_OK;
}

static weir_err run_quotient(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)ei;
    job *j = ctx;
    weir_quotient(j->plan, j->a, j->b, j->tmp, j->scratch, x);
    return WEIR_OK;
}

/* ---- the checks, with portable arithmetic */

/* r = the polynomial with these coefficients at z */
static void horner(weir_fr *r, const weir_fr *coef, size_t n, const weir_fr *z)
{
    weir_fr acc;
    fr_set_zero(&acc);
    for (size_t i = n; i-- > 0;) {
        fr_mul(&acc, &acc, z);
        fr_add(&acc, &acc, &coef[i]);
    }
    *r = acc;
}

/* Are values[i] those of the polynomial at shift w^i, at the first, the last and one place between? */
static bool are_values(const job *j, const weir_fr *values, const weir_fr *coef,
                       const weir_fr *shift)
{
    const size_t places[] = {0, j->n / 3, j->n - 1};
    weir_fr w, z, want;
    fr_root_of_unity(&w, j->log2);
    for (int k = 0; k < 3; k++) {
        fr_pow_u64(&z, &w, places[k]);
        fr_mul(&z, &z, shift);
        horner(&want, coef, j->n, &z);
        if (!fr_eq(&want, &values[places[k]])) return false;
    }
    return true;
}

static weir_err check_forward(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    const job *j = ctx;
    *right = are_values(j, j->a, j->old_a, &fr_ONE);
    return WEIR_OK;
}

static weir_err check_coset_forward(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    const job *j = ctx;
    *right = are_values(j, j->a, j->old_a, &j->shift);
    return WEIR_OK;
}

/* The old values are those of the new polynomial, and forward brings every one of them back. */
static weir_err check_inverse(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    job *j = ctx;
    *right = are_values(j, j->old_a, j->a, &fr_ONE);
    WEIR_TRY(run_forward(j, x, ei));
    *right = *right && memcmp(j->a, j->old_a, j->n * sizeof *j->a) == 0;
    return WEIR_OK;
}

/* With a and b of the values before and c of their products: a(z) b(z) = c(z) + h(z) (z^n - 1) at one z? */
static weir_err check_quotient(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)ei;
    job *j = ctx;
    weir_bench_rand g = {3};
    weir_fr z, a, b, c, h, t;
    weir_bench_rand_frs(&g, &z, 1);
    horner(&h, j->a, j->n, &z);
    for (size_t i = 0; i < j->n; i++) fr_mul(&j->tmp[i], &j->old_a[i], &j->old_b[i]);
    weir_ntt_inverse(j->plan, j->old_a, j->scratch, x);
    weir_ntt_inverse(j->plan, j->old_b, j->scratch, x);
    weir_ntt_inverse(j->plan, j->tmp, j->scratch, x);
    horner(&a, j->old_a, j->n, &z);
    horner(&b, j->old_b, j->n, &z);
    horner(&c, j->tmp, j->n, &z);
    fr_pow_u64(&t, &z, j->n);
    fr_sub(&t, &t, &fr_ONE);
    fr_mul(&t, &t, &h);
    fr_add(&t, &t, &c);
    fr_mul(&a, &a, &b);
    *right = fr_eq(&a, &t);
    return WEIR_OK;
}

/* ---- sizes and rows */

static void reset(job *j)
{
    weir_bench_rand g = {2};
    weir_bench_rand_frs(&g, j->old_a, j->n);
    weir_bench_rand_frs(&g, j->old_b, j->n);
    memcpy(j->a, j->old_a, j->n * sizeof *j->a);
    memcpy(j->b, j->old_b, j->n * sizeof *j->b);
}

static weir_err prepare(job *j, weir_bench_run *b)
{
    weir_errinfo *ei = &b->cli->ei;
    WEIR_TRY(weir_memory_fits(5 * j->n * sizeof(weir_fr), "a transform of this size", ei));
    WEIR_TRY(weir_ntt_plan_new(&j->plan, j->log2, &b->exec, ei));
    j->scratch_bytes = weir_ntt_scratch_bytes(j->plan);
    j->scratch = weir_big_alloc(j->scratch_bytes + 1, 1);
    j->memory = weir_big_alloc(5 * j->n, sizeof(weir_fr));
    if (!j->scratch || !j->memory)
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for a transform of 2^%u", j->log2);
    j->a = j->memory;
    j->b = j->a + j->n;
    j->tmp = j->b + j->n;
    j->old_a = j->tmp + j->n;
    j->old_b = j->old_a + j->n;
    fr_from_u64(&j->shift, 7);
    return WEIR_OK;
}

static void clear(job *j)
{
    weir_big_free(j->memory, 5 * j->n, sizeof(weir_fr));
    weir_big_free(j->scratch, j->scratch_bytes + 1, 1);
    weir_ntt_plan_free(j->plan);
}

static weir_err time_rows(job *j, weir_bench_run *b)
{
    static const weir_bench_row rows[] = {
        {.what = "forward", .run = run_forward, .check = check_forward},
        {.what = "inverse", .run = run_inverse, .check = check_inverse},
        {.what = "coset forward", .run = run_coset_forward, .check = check_coset_forward},
        {.what = "quotient, six transforms", .run = run_quotient, .check = check_quotient},
    };
    char size[24];
    snprintf(size, sizeof size, "2^%u", j->log2);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        weir_bench_row row = rows[i];
        row.size = size;
        row.each = "butterfly";
        row.count = 0.5 * (double)j->n * j->log2;
        if (row.run == run_quotient) row.count *= TRANSFORMS_OF_QUOTIENT;
        row.threads = true;
        reset(j);
        WEIR_TRY(weir_bench_time(b, &row, j));
    }
    return WEIR_OK;
}

static weir_err run(weir_cli *cli)
{
    const char *list = weir_args_get(&cli->args, "log-size");
    unsigned sizes[WEIR_BENCH_MAX_SIZES], n;
    weir_bench_run b;
    WEIR_TRY(weir_bench_sizes(sizes, &n, "log-size", list ? list : "20", 1, MAX_LOG2, &cli->ei));
    WEIR_TRY(weir_bench_begin(&b, cli));
    for (unsigned i = 0; i < n; i++) {
        job j = {.log2 = sizes[i], .n = (size_t)1 << sizes[i]};
        weir_err err = prepare(&j, &b);
        if (err == WEIR_OK) err = time_rows(&j, &b);
        clear(&j);
        if (err != WEIR_OK) return err;
    }
    weir_bench_end(&b);
    return WEIR_OK;
}

const weir_command weir_cmd_bench_ntt = {
    .verb = "bench",
    .noun = "ntt",
    .summary = "time of transforms over Fr and of the quotient polynomial",
    .opts = opts,
    .details = "A transform of 2^k has 2^(k-1) k butterflies. The quotient is the whole way from "
               "the rows' values to h: six\n"
               "transforms and the products between them. Values are checked against the "
               "polynomial itself.\n",
    .examples = "weir bench ntt\n"
                "weir bench ntt --log-size 10-22 --path adx\n"
                "weir bench ntt --log-size 22 --threads 2 --json",
    .run = run,
};
