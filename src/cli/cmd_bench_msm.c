/* weir bench msm: sums of many points. */
#include "bench/sums.h"
#include "cli/bench_run.h"
#include "cli/cli.h"
#include "cli/memory.h"
#include "cli/values.h"
#include "msm/msm_internal.h"

#include <stdlib.h>
#include <string.h>

static const weir_opt opts[] = {
    {"log-size", "LIST", "logarithms of the numbers of points, 0 to 26: 16,20 or 12-16", false},
    {"group", "NAME", "g1 or g2; default: g1", false},
    {"kind", "NAME",
     "dense: each point times a scalar; bits: the points of set bits, half\n"
     "of them; fixed: many multiples of one point; default: dense",
     false},
    {"window", "BITS", "of dense and fixed, 2 to 20; default: what the cost model gives", false},
    WEIR_BENCH_OPTS,
    {NULL, NULL, NULL, false},
};

typedef struct plan {
    weir_bench_sum_kind kind;
    bool g2;
    unsigned sizes[WEIR_BENCH_MAX_SIZES], n;
    unsigned window;
} plan;

enum { MAX_LOG2 = 26 };

static const char *const kinds[] = {"dense", "bits", "fixed"};

static weir_err read_kind(weir_bench_sum_kind *out, const char *text, weir_errinfo *ei)
{
    for (int i = 0; i < 3; i++) {
        if (strcmp(kinds[i], text) != 0) continue;
        *out = (weir_bench_sum_kind)i;
        return WEIR_OK;
    }
    return weir_fail(ei, WEIR_E_USAGE, "--kind: there is no '%s'; take dense, bits or fixed", text);
}

static weir_err read_options(plan *p, weir_cli *cli)
{
    const char *sizes = weir_args_get(&cli->args, "log-size"),
               *group = weir_args_get(&cli->args, "group"),
               *kind = weir_args_get(&cli->args, "kind"),
               *window = weir_args_get(&cli->args, "window");
    uint64_t bits = 0;
    WEIR_TRY(
        weir_bench_sizes(p->sizes, &p->n, "log-size", sizes ? sizes : "16", 0, MAX_LOG2, &cli->ei));
    if (group && strcmp(group, "g1") != 0 && strcmp(group, "g2") != 0)
        return weir_fail(&cli->ei, WEIR_E_USAGE, "--group: there is no '%s'; take g1 or g2", group);
    p->g2 = group && strcmp(group, "g2") == 0;
    if (kind) WEIR_TRY(read_kind(&p->kind, kind, &cli->ei));
    if (window && p->kind == WEIR_BENCH_BITS)
        return weir_fail(&cli->ei, WEIR_E_USAGE, "--window: sums over bits have none");
    if (window)
        WEIR_TRY(weir_value_u64(&bits, "window", window, WEIR_MSM_MIN_WINDOW, WEIR_MSM_MAX_WINDOW,
                                &cli->ei));
    p->window = (unsigned)bits;
    return WEIR_OK;
}

static weir_err time_sum(weir_bench_run *b, weir_bench_sum_kind kind, bool g2, unsigned log2,
                         unsigned window)
{
    static const char *const names[] = {"sum, dense", "sum over bits", "fixed-base multiples"};
    char what[60], size[24];
    weir_bench_sum sum = {.kind = kind, .g2 = g2, .window = window, .n = (size_t)1 << log2};
    int at = snprintf(what, sizeof what, "%s %s", g2 ? "G2" : "G1", names[kind]);
    if (window) snprintf(what + at, sizeof what - (size_t)at, ", window %u", window);
    snprintf(size, sizeof size, "2^%u", log2);
    const weir_bench_row row = {.what = what,
                                .size = size,
                                .each = "point",
                                .count = (double)sum.n,
                                .threads = true,
                                .run = weir_bench_sum_run,
                                .check = weir_bench_sum_check};
    WEIR_TRY(weir_bench_step(b, "making points"));
    WEIR_TRY(weir_memory_fits(weir_bench_sum_bytes(g2, sum.n, &b->exec), "the points and their sum",
                              &b->cli->ei));
    weir_err err = weir_bench_sum_init(&sum, &b->exec, &b->cli->ei);
    if (err == WEIR_OK) err = weir_bench_time(b, &row, &sum);
    weir_bench_sum_clear(&sum);
    return err;
}

static bool has_choice(const weir_args *args)
{
    return weir_args_has(args, "log-size") || weir_args_has(args, "group") ||
           weir_args_has(args, "kind") || weir_args_has(args, "window");
}

static weir_err run(weir_cli *cli)
{
    static const plan usual[] = {
        {WEIR_BENCH_DENSE, false, {16, 20}, 2, 0},
        {WEIR_BENCH_DENSE, true, {18}, 1, 0},
        {WEIR_BENCH_BITS, false, {20}, 1, 0},
    };
    plan own = {.kind = WEIR_BENCH_DENSE};
    weir_bench_run b;
    const bool choice = has_choice(&cli->args);
    WEIR_TRY(read_options(&own, cli));
    WEIR_TRY(weir_bench_begin(&b, cli));
    const plan *p = choice ? &own : usual;
    for (size_t i = 0; i < (choice ? 1 : sizeof usual / sizeof usual[0]); i++)
        for (unsigned k = 0; k < p[i].n; k++)
            WEIR_TRY(time_sum(&b, p[i].kind, p[i].g2, p[i].sizes[k], p[i].window));
    weir_bench_end(&b);
    return WEIR_OK;
}

const weir_command weir_cmd_bench_msm = {
    .verb = "bench",
    .noun = "msm",
    .summary = "time of sums of many points, in G1 and G2",
    .opts = opts,
    .details = "Without options of its own: the dense sums in G1 of 2^16 and 2^20 points and in G2 "
               "of 2^18, and the sum over\n"
               "2^20 bits in G1. With one, --log-size is 16 unless given. Points are known "
               "multiples of the generator, so\n"
               "that every sum is checked.\n",
    .examples = "weir bench msm\n"
                "weir bench msm --group g2 --log-size 12-16 --threads 2\n"
                "weir bench msm --kind fixed --log-size 16 --window 12 --json",
    .run = run,
};
