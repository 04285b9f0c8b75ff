#include "cli/bench_run.h"

#include "base/clock.h"
#include "base/topology.h"
#include "cli/values.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_RUNS = 5, SHORTEST_RUN_NS = 10000000, LAYOUT_BYTES = 160 };

/* ---- options */

static weir_err choose_path(weir_isa *out, const char *text, weir_errinfo *ei)
{
    if (!text) return WEIR_OK;
    for (int i = 0; i < WEIR_ISA_COUNT; i++) {
        if (strcmp(weir_isa_name((weir_isa)i), text) != 0) continue;
        *out = (weir_isa)i;
        if (weir_isa_supported(*out)) return WEIR_OK;
        return weir_fail(ei, WEIR_E_UNSUPPORTED, "--path: this processor or build has no path '%s'",
                         text);
    }
    char list[100] = "";
    for (int i = 0; i < WEIR_ISA_COUNT; i++) {
        size_t n = strlen(list);
        if (weir_isa_supported((weir_isa)i))
            snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", weir_isa_name((weir_isa)i));
    }
    return weir_fail(ei, WEIR_E_USAGE, "--path: there is no path '%s'; this processor has %s", text,
                     list);
}

weir_err weir_bench_one_thread(weir_cli *cli)
{
    if (!weir_args_has(&cli->args, "threads") || weir_pool_threads(cli->exec.pool) == 1)
        return WEIR_OK;
    return weir_fail(&cli->ei, WEIR_E_USAGE,
                     "--threads: these routines run on the thread that calls them, so only 1 can "
                     "be timed");
}

/* "AMD EPYC" and "16 threads on 8 cores, ..." */
static weir_err describe_machine(char brand[49], char layout[LAYOUT_BYTES], weir_errinfo *ei)
{
    weir_topology *t;
    WEIR_TRY(weir_topology_new(&t, ei));
    weir_topology_print(layout, LAYOUT_BYTES, t);
    weir_topology_free(t);
    weir_cpu_brand(brand);
    return WEIR_OK;
}

weir_err weir_bench_begin(weir_bench_run *b, weir_cli *cli)
{
    const char *runs = weir_args_get(&cli->args, "runs");
    uint64_t n = DEFAULT_RUNS;
    char brand[49], layout[LAYOUT_BYTES];
    b->cli = cli;
    b->exec = cli->exec;
    if (!weir_args_has(&cli->args, "threads")) b->exec.pool = NULL;
    if (runs) WEIR_TRY(weir_value_u64(&n, "runs", runs, 1, WEIR_BENCH_MAX_RUNS, &cli->ei));
    b->runs = (unsigned)n;
    WEIR_TRY(choose_path(&b->exec.isa, weir_args_get(&cli->args, "path"), &cli->ei));
    WEIR_TRY(describe_machine(brand, layout, &cli->ei));
    if (cli->want_json) {
        weir_json_out *j = &cli->json;
        weir_json_out_string(j, "machine", brand);
        weir_json_out_string(j, "topology", layout);
        weir_json_out_string(j, "path", weir_isa_name(b->exec.isa));
        weir_json_out_bool(j, "sha_ni", weir_cpu_has_sha());
        weir_json_out_u64(j, "threads", weir_pool_threads(b->exec.pool));
        weir_json_out_u64(j, "runs", b->runs);
        weir_json_out_array(j, "rows");
    }
    weir_cli_say(cli, "%s: %s", brand, layout);
    weir_cli_say(cli, "%-34s %-12s %7s %-8s %9s %9s %9s     %10s  %s", "what", "size", "threads",
                 "path", "min", "median", "max", weir_pool_threads(b->exec.pool) > 1 ? "wall" : "",
                 "each");
    fflush(stdout);
    return WEIR_OK;
}

void weir_bench_end(weir_bench_run *b)
{
    if (b->cli->want_json) weir_json_out_end_array(&b->cli->json);
}

weir_err weir_bench_registered(const weir_registered_porep **out, weir_cli *cli)
{
    const char *size = weir_args_get(&cli->args, "sector-size");
    const weir_porep_shape *shape;
    char name[64];
    WEIR_TRY(weir_value_sector_size(&shape, "sector-size", size ? size : "32GiB", &cli->ei));
    snprintf(name, sizeof name, "StackedDrg%sV1_1", shape->name);
    *out = weir_registered_porep_by_name(name);
    if (*out) return WEIR_OK;
    return weir_fail(&cli->ei, WEIR_E_UNSUPPORTED,
                     "%s sectors have no registered proof; take 2KiB, 8MiB, 512MiB, 32GiB or 64GiB",
                     shape->name);
}

weir_err weir_bench_sizes(unsigned out[WEIR_BENCH_MAX_SIZES], unsigned *n, const char *option,
                          const char *text, unsigned lo, unsigned hi, weir_errinfo *ei)
{
    *n = 0;
    for (const char *at = text;; at++) {
        char *end, *end2;
        unsigned long from = strtoul(at, &end, 10), to = from;
        bool good = *at >= '0' && *at <= '9';
        end2 = end;
        if (good && *end == '-') {
            good = end[1] >= '0' && end[1] <= '9';
            to = strtoul(end + 1, &end2, 10);
        }
        if (!good || (*end2 != ',' && *end2 != '\0'))
            return weir_fail(ei, WEIR_E_USAGE, "--%s: '%s' is no list like 16,20 or 12-16", option,
                             text);
        if (from < lo || to > hi || from > to)
            return weir_fail(ei, WEIR_E_USAGE,
                             "--%s: '%s': sizes go from %u to %u, the least first", option, text,
                             lo, hi);
        for (unsigned long k = from; k <= to; k++) {
            if (*n == WEIR_BENCH_MAX_SIZES)
                return weir_fail(ei, WEIR_E_USAGE, "--%s: more than %d sizes", option,
                                 WEIR_BENCH_MAX_SIZES);
            out[(*n)++] = (unsigned)k;
        }
        at = end2;
        if (*at == '\0') return WEIR_OK;
    }
}

/* ---- the table */

typedef struct spread {
    double min, median, max;
} spread;

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static spread spread_of(double *ns, unsigned n, double ops)
{
    qsort(ns, n, sizeof *ns, by_size);
    return (spread){ns[0] / ops, (ns[(n - 1) / 2] + ns[n / 2]) / 2 / ops, ns[n - 1] / ops};
}

typedef struct unit {
    const char *name;
    double ns;
} unit;

static unit unit_of(double ns)
{
    if (ns < 1) return (unit){"ps", 1e-3};
    if (ns < 1e3) return (unit){"ns", 1};
    if (ns < 1e6) return (unit){"us", 1e3};
    if (ns < 1e9) return (unit){"ms", 1e6};
    return (unit){"s", 1e9};
}

/* Four digits, or all before the point. */
static const char *digits(char out[24], double v)
{
    snprintf(out, 24, "%.*f", v < 10 ? 3 : v < 100 ? 2 : v < 1000 ? 1 : 0, v);
    return out;
}

static void tell_text(weir_bench_run *b, const weir_bench_row *row, const spread *cpu,
                      const spread *wall, const char *path, unsigned threads)
{
    const spread *s = cpu ? cpu : wall;
    const unit u = unit_of(s->median);
    char t[4][24], wall_text[40] = "", each[80] = "", threads_text[12] = "";
    if (!row->device) snprintf(threads_text, sizeof threads_text, "%u", threads);
    if (weir_pool_threads(b->exec.pool) > 1 && !row->device) {
        const unit w = unit_of(wall->median);
        snprintf(wall_text, sizeof wall_text, " %7s %-2s", digits(t[3], wall->median / w.ns),
                 w.name);
    }
    if (row->each) {
        const unit e = unit_of(s->median / row->count);
        snprintf(each, sizeof each, "  %s %s %s %s", digits(t[3], s->median / row->count / e.ns),
                 e.name, strchr("aeiou", row->each[0]) ? "an" : "a", row->each);
    }
    weir_cli_say(b->cli, "%-34s %-12s %7s %-8s %9s %9s %9s %-2s%s%s%s", row->what, row->size,
                 threads_text, path, digits(t[0], s->min / u.ns), digits(t[1], s->median / u.ns),
                 digits(t[2], s->max / u.ns), u.name, wall_text, each,
                 cpu || row->device ? "" : "  (wall)");
    fflush(stdout);
}

static void spread_json(weir_json_out *j, const char *key, const spread *s)
{
    weir_json_out_object(j, key);
    weir_json_out_number(j, "min", s->min);
    weir_json_out_number(j, "median", s->median);
    weir_json_out_number(j, "max", s->max);
    weir_json_out_end_object(j);
}

void weir_bench_tell(weir_bench_run *b, const weir_bench_row *row, double *cpu_ns, double *wall_ns,
                     unsigned n)
{
    const double ops = row->ops > 0 ? row->ops : 1;
    const char *path = row->path ? row->path : weir_isa_name(b->exec.isa);
    const unsigned threads = row->threads ? weir_pool_threads(b->exec.pool) : 1;
    spread wall = spread_of(wall_ns, n, ops), cpu = {0, 0, 0};
    if (cpu_ns) cpu = spread_of(cpu_ns, n, ops);
    tell_text(b, row, cpu_ns ? &cpu : NULL, &wall, path, threads);
    if (!b->cli->want_json) return;
    weir_json_out *j = &b->cli->json;
    weir_json_out_object(j, NULL);
    weir_json_out_string(j, "what", row->what);
    weir_json_out_string(j, "size", row->size);
    if (!row->device) weir_json_out_u64(j, "threads", threads);
    weir_json_out_string(j, "path", path);
    weir_json_out_u64(j, "runs", n);
    if (cpu_ns) spread_json(j, "cpu_ns", &cpu);
    spread_json(j, row->device ? "device_ns" : "wall_ns", &wall);
    if (row->each) {
        weir_json_out_string(j, "each", row->each);
        weir_json_out_number(j, "each_ns", (cpu_ns ? cpu : wall).median / row->count);
    }
    weir_json_out_end_object(j);
}

/* ---- timing */

weir_err weir_bench_step(weir_bench_run *b, const char *label)
{
    weir_progress_label(&b->cli->progress, label);
    if (weir_exec_cancelled(&b->exec))
        return weir_fail(&b->cli->ei, WEIR_E_CANCELLED, "stopped before: %s", label);
    return WEIR_OK;
}

/* One run of `calls` calls: the time of one. */
static weir_err time_calls(double *cpu_ns, double *wall_ns, const weir_bench_row *row, void *ctx,
                           uint64_t calls, const weir_exec *x, weir_errinfo *ei)
{
    if (row->prepare) WEIR_TRY(row->prepare(ctx, x, ei));
    uint64_t cpu = weir_cpu_ns(), wall = weir_now_ns();
    for (uint64_t k = 0; k < calls; k++) WEIR_TRY(row->run(ctx, x, ei));
    *cpu_ns = (double)(weir_cpu_ns() - cpu) / (double)calls;
    *wall_ns = (double)(weir_now_ns() - wall) / (double)calls;
    if (weir_exec_cancelled(x)) return weir_fail(ei, WEIR_E_CANCELLED, "stopped before the end");
    return WEIR_OK;
}

/* The first call, whose result is checked; then how many calls make a run. */
static weir_err first_calls(uint64_t *calls, weir_bench_run *b, const weir_bench_row *row,
                            void *ctx, const weir_exec *x)
{
    bool right = true;
    double cpu, wall;
    *calls = 1;
    WEIR_TRY(time_calls(&cpu, &wall, row, ctx, 1, x, &b->cli->ei));
    if (row->check) WEIR_TRY(row->check(&right, ctx, x, &b->cli->ei));
    if (!right)
        return weir_fail(&b->cli->ei, WEIR_E_INTERNAL,
                         "%s, %s, path %s: the result is wrong, so it was not timed", row->what,
                         row->size, row->path ? row->path : weir_isa_name(x->isa));
    while (!row->once && !row->prepare && cpu * (double)*calls < SHORTEST_RUN_NS) {
        *calls *= 2;
        WEIR_TRY(time_calls(&cpu, &wall, row, ctx, *calls, x, &b->cli->ei));
    }
    return WEIR_OK;
}

weir_err weir_bench_time(weir_bench_run *b, const weir_bench_row *row, void *ctx)
{
    char label[100];
    uint64_t calls;
    weir_exec x = b->exec;
    if (!row->threads) x.pool = NULL;
    snprintf(label, sizeof label, "%s, %s", row->what, row->size);
    WEIR_TRY(weir_bench_step(b, label));
    WEIR_TRY(first_calls(&calls, b, row, ctx, &x));
    for (unsigned i = 0; i < b->runs; i++)
        WEIR_TRY(time_calls(&b->cpu_ns[i], &b->wall_ns[i], row, ctx, calls, &x, &b->cli->ei));
    weir_bench_tell(b, row, b->cpu_ns, b->wall_ns, b->runs);
    return WEIR_OK;
}
