/* The tables of weir bench engine and weir bench sweep. */
#include "cli/engine_bench.h"
#include "cli/values.h"

#include <stdio.h>
#include <string.h>

/* Three digits, as far as they say something. */
static const char *figure(char out[16], double v)
{
    snprintf(out, 16, v < 10 ? "%.2f" : v < 100 ? "%.1f" : "%.0f", v);
    return out;
}

/* Under load in terms of alone; nothing for a stage that there is not. */
static const char *inflation(char out[16], const engine_figures *f, int stage)
{
    if (f->stage[0][stage] < 1000)
        snprintf(out, 16, "-");
    else
        snprintf(out, 16, "%.2f", f->stage[1][stage] / f->stage[0][stage]);
    return out;
}

typedef struct table {
    weir_cli *cli;
    const engine_way *ways;
    const engine_figures *figures;
    unsigned n;
    int width; /* of the names */
} table;

static void print_times(const table *t)
{
    weir_cli *cli = t->cli;
    weir_cli_say(cli, "\n%-*s %-34s %7s   %s", t->width, "", "s a proof, median (least to most)",
                 "loaded/", "stages under load, in terms of alone");
    weir_cli_say(cli, "%-*s %-16s %-17s %7s  %5s %5s %5s %5s %5s %5s %6s", t->width,
                 "way of working", "alone", "loaded", "alone", "fill", "rows", "ntt", "msm", "g2",
                 "step", "finish");
    for (unsigned i = 0; i < t->n; i++) {
        const engine_figures *f = &t->figures[i];
        double alone = engine_bench_median(f->alone, f->runs) / 1e9,
               loaded = engine_bench_median(f->loaded, f->runs) / 1e9;
        char one[40], two[60], x[WEIR_LOAD_STAGES][16];
        snprintf(one, sizeof one, "%.3f", alone);
        snprintf(two, sizeof two, "%.3f (%.3f-%.3f)", loaded, f->loaded[0] / 1e9,
                 f->loaded[f->runs - 1] / 1e9);
        for (int k = 0; k < WEIR_LOAD_STAGES; k++) inflation(x[k], f, k);
        weir_cli_say(cli, "%-*s %-11s %-22s %7.3f  %5s %5s %5s %5s %5s %5s %6s", t->width,
                     t->ways[i].name, one, two, loaded / alone, x[0], x[1], x[2], x[3], x[4], x[5],
                     x[6]);
    }
}

static void print_stages(const table *t)
{
    weir_cli *cli = t->cli;
    weir_cli_say(cli, "\n%-*s %8s %8s %8s %8s %8s %8s %8s  %9s", t->width,
                 "ms of a partition, alone", "fill", "rows", "ntt", "msm", "g2", "step", "finish",
                 "busy");
    for (unsigned i = 0; i < t->n; i++) {
        const engine_figures *f = &t->figures[i];
        char x[WEIR_LOAD_STAGES][16];
        for (int k = 0; k < WEIR_LOAD_STAGES; k++) figure(x[k], f->stage[0][k] / 1e6);
        weir_cli_say(cli, "%-*s %8s %8s %8s %8s %8s %8s %8s  %7.1f %%", t->width, t->ways[i].name,
                     x[0], x[1], x[2], x[3], x[4], x[5], x[6], f->busy * 100);
    }
    weir_cli_say(cli, "busy: share of a device's time under load, from the first partition to the "
                      "last, the least of all devices and runs");
}

static void print_counts(const table *t)
{
    weir_cli *cli = t->cli;
    weir_cli_say(cli, "\n%-*s %7s %9s %9s %8s %7s %8s %9s %10s  %s", t->width,
                 "counted a proof, loaded", "CPU s", "faults", "switches", "TLB", "unmaps",
                 "threads", "gate", "gate, ms", "peak (plan)");
    for (unsigned i = 0; i < t->n; i++) {
        const engine_figures *f = &t->figures[i];
        char tlb[16] = "?", peak[24], plan[24], cpu[16];
        if (f->tlb >= 0) snprintf(tlb, sizeof tlb, "%.0f", f->tlb);
        weir_bytes_print(peak, f->peak_bytes);
        weir_bytes_print(plan, f->plan_bytes);
        weir_cli_say(cli, "%-*s %7s %9.0f %9.0f %8s %7.1f %8.1f %9.1f %10.1f  %s (%s)", t->width,
                     t->ways[i].name, figure(cpu, f->cpu / 1e9), f->faults, f->switches, tlb,
                     f->unmaps, f->threads, f->gate_waits, f->gate_wait_ns / 1e6, peak, plan);
    }
    weir_cli_say(cli, "TLB: shootdowns of the whole machine; unmaps, threads: of large buffers; "
                      "gate: waits at it, and how long; peak: beside circuit and key");
}

static void print_ways(const table *t)
{
    weir_cli *cli = t->cli;
    weir_cli_say(cli, "\n%-*s %5s %5s %8s %13s %12s  %-9s %-5s %-6s %s", t->width, "way of working",
                 "jobs", "at once", "workers", "fill threads", "msm threads", "reclaim", "gate",
                 "g2", "tails");
    for (unsigned i = 0; i < t->n; i++) {
        const engine_way *w = &t->ways[i];
        weir_cli_say(cli, "%-*s %5u %7u %8u %13u %12u  %-9s %-5s %-6s %s", t->width, w->name,
                     w->jobs, w->concurrency, w->workers, w->fill_threads, w->msm_threads,
                     engine_reclaim_names[w->reclaim], w->gate ? "on" : "off",
                     w->g2_cpu ? "cpu" : "device", w->tails_cpu ? "cpu" : "device");
    }
}

static void json_times(weir_json_out *j, const char *key, const double *ns, unsigned n)
{
    weir_json_out_object(j, key);
    weir_json_out_number(j, "median", engine_bench_median(ns, n) / 1e9);
    weir_json_out_number(j, "least", ns[0] / 1e9);
    weir_json_out_number(j, "most", ns[n - 1] / 1e9);
    weir_json_out_end_object(j);
}

static void json_way(weir_json_out *j, const engine_way *w)
{
    weir_json_out_string(j, "name", w->name);
    weir_json_out_u64(j, "jobs", w->jobs);
    weir_json_out_u64(j, "concurrency", w->concurrency);
    weir_json_out_u64(j, "workers", w->workers);
    weir_json_out_u64(j, "fill_threads", w->fill_threads);
    weir_json_out_u64(j, "msm_threads", w->msm_threads);
    weir_json_out_string(j, "reclaim", engine_reclaim_names[w->reclaim]);
    weir_json_out_bool(j, "gate", w->gate);
    weir_json_out_string(j, "g2", w->g2_cpu ? "cpu" : "device");
    weir_json_out_string(j, "tails", w->tails_cpu ? "cpu" : "device");
}

static void json_figures(weir_json_out *j, const engine_figures *f)
{
    json_times(j, "alone_s", f->alone, f->runs);
    json_times(j, "loaded_s", f->loaded, f->runs);
    for (int k = 0; k < 2; k++) {
        weir_json_out_object(j, k ? "stages_loaded_ms" : "stages_alone_ms");
        for (int i = 0; i < WEIR_LOAD_STAGES; i++)
            weir_json_out_number(j, weir_load_stage_names[i], f->stage[k][i] / 1e6);
        weir_json_out_end_object(j);
    }
    weir_json_out_number(j, "latency_alone_s", f->latency[0] / 1e9);
    weir_json_out_number(j, "latency_loaded_s", f->latency[1] / 1e9);
    weir_json_out_number(j, "cpu_s", f->cpu / 1e9);
    weir_json_out_number(j, "minor_faults", f->faults);
    weir_json_out_number(j, "context_switches", f->switches);
    weir_json_out_number(j, "preempted", f->preempted);
    if (f->tlb >= 0) weir_json_out_number(j, "tlb_shootdowns", f->tlb);
    weir_json_out_number(j, "maps", f->maps);
    weir_json_out_number(j, "unmaps", f->unmaps);
    weir_json_out_number(j, "threads_started", f->threads);
    weir_json_out_number(j, "gate_waits", f->gate_waits);
    weir_json_out_number(j, "gate_wait_ms", f->gate_wait_ns / 1e6);
    weir_json_out_number(j, "device_busy", f->busy);
    weir_json_out_number(j, "longest_gap_ms", (double)f->longest_gap_ns / 1e6);
    weir_json_out_u64(j, "repaired", f->repaired);
    weir_json_out_u64(j, "mapped_bytes", f->mapped_bytes);
    weir_json_out_u64(j, "peak_bytes", f->peak_bytes);
    weir_json_out_u64(j, "plan_bytes", f->plan_bytes);
}

void engine_bench_print(engine_bench *b, const engine_way *ways, const engine_figures *figures,
                        unsigned n)
{
    weir_cli *cli = b->cli;
    if (cli->want_json) {
        weir_json_out_array(&cli->json, "ways");
        for (unsigned i = 0; i < n; i++) {
            weir_json_out_object(&cli->json, NULL);
            json_way(&cli->json, &ways[i]);
            json_figures(&cli->json, &figures[i]);
            weir_json_out_end_object(&cli->json);
        }
        weir_json_out_end_array(&cli->json);
        return;
    }
    table t = {.cli = cli, .ways = ways, .figures = figures, .n = n, .width = 26};
    for (unsigned i = 0; i < n; i++)
        if ((int)strlen(ways[i].name) > t.width) t.width = (int)strlen(ways[i].name);
    print_ways(&t);
    print_times(&t);
    print_stages(&t);
    print_counts(&t);
}
