/* weir bench porep: whole proofs of a sector, from the bytes of Commit Phase 1 to verified proofs, alone and under load. */
#include "base/alloc.h"
#include "cli/engine_bench.h"
#include "cli/engine_way.h"
#include "cli/values.h"

#include <string.h>

static const weir_opt opts[] = {
    {"sector-size", "SIZE", "2KiB, 8MiB, 512MiB, 32GiB or 64GiB; default: 32GiB", false},
    {"key", "FILE",
     "a .weirkey or .params of this sector size, to see how it loads;\ndefault: a key made from "
     "known secrets",
     false},
    {"count", "N", "proofs under load; default: 20", false},
    {"concurrency", "N", "proofs in the engine at one time; default: 15", false},
    {"partition-workers", "N",
     "partitions that are filled at once for a GPU, or proved at once on the\nCPU; default: 1",
     false},
    {"device", "NAME",
     "cpu, gpu or gpu:N, or fake: a device of scripted times that makes true\nproofs from a known "
     "key; default: a GPU if there is one",
     false},
    {"budget-device", "SIZE",
     "most memory of the GPU to take, to see what a smaller card would do;\n"
     "default: what is free",
     false},
    {"g2", "WHERE", "device or cpu: where the sum in G2 is done; default: device", false},
    {"tails", "WHERE", "the same of the sums in G1 over dense columns; default: device", false},
    {"ablation", NULL,
     "four ways: without the three interventions of memory-bandwidth-aware\nscheduling, then one "
     "more each",
     false},
    {"partitions", "N", "of each proof, for a shorter run; default: all", false},
    {"challenges", "N", "of each partition, for a smaller circuit; default: all", false},
    {"runs", "N", "times each figure is taken, 1 to 100; default: 1", false},
    {"waterfall", "FOLDER", "write a picture of the run under load there, and its trace", false},
    WEIR_OPT_JSON,
    {NULL, NULL, NULL, false},
};

/* ---- figures */

static double share(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static void say(engine_bench *b, const char *what, const char *text)
{
    weir_cli_say(b->cli, "%-34s %s", what, text);
}

static void say_times(engine_bench *b, const engine_way *w, const engine_figures *f)
{
    char text[160];
    double alone = engine_bench_median(f->alone, f->runs) / 1e9,
           loaded = engine_bench_median(f->loaded, f->runs) / 1e9;
    snprintf(text, sizeof text, "%.2f s", f->latency[0] / 1e9);
    say(b, "one proof alone, C1 bytes to proof", text);
    snprintf(text, sizeof text, "%.2f s a proof (%u proofs, %u at once: %.1f s)", loaded, w->jobs,
             w->concurrency, loaded * w->jobs);
    say(b, "sustained", text);
    snprintf(text, sizeof text, "%.3f", share(loaded, alone));
    say(b, "loaded over alone", text);
    snprintf(text, sizeof text, "%.2f s", f->cpu / 1e9);
    say(b, "CPU time a proof", text);
}

static void say_memory(engine_bench *b, const engine_figures *f)
{
    char text[160], one[24], two[24];
    weir_bytes_print(one, f->resident_bytes);
    weir_bytes_print(two, f->plan_bytes);
    snprintf(text, sizeof text, "%s resident at most; %s planned for proofs", one, two);
    say(b, "host memory", text);
    if (!b->is_gpu) return;
    weir_bytes_print(one, f->device_bytes);
    say(b, "device memory", one);
    snprintf(text, sizeof text, "%.1f MB up, %.1f MB down", (double)f->up_bytes / 1e6,
             (double)f->down_bytes / 1e6);
    say(b, "over the bus, a partition", text);
    snprintf(text, sizeof text, "%.2f kJ", f->energy_j / 1e3);
    say(b, "energy of the GPU, a proof", f->energy_j < 0 ? "not known" : text);
}

static void say_device(engine_bench *b, const engine_figures *f)
{
    char text[160];
    snprintf(text, sizeof text, "%.1f %% from the first partition to the last, longest gap %.1f ms",
             f->busy * 100, (double)f->longest_gap_ns / 1e6);
    say(b, "device busy", text);
    snprintf(text, sizeof text, "%.1f unmapped, %.1f mapped, %.1f threads started", f->unmaps,
             f->maps, f->threads);
    say(b, "large buffers, a proof", text);
}

/* Nothing for a stage that there is not. */
static void say_stage(engine_bench *b, const engine_figures *f, int stage)
{
    char inflation[16] = "-";
    if (f->stage[0][stage] >= 1000)
        snprintf(inflation, sizeof inflation, "%.3f", f->stage[1][stage] / f->stage[0][stage]);
    weir_cli_say(b->cli, "%-17s %10.2f %10.2f %10s %10.2f %10.2f", weir_load_stage_names[stage],
                 f->stage[0][stage] / 1e6, f->stage[1][stage] / 1e6, inflation,
                 f->spread[stage][0] / 1e6, f->spread[stage][2] / 1e6);
}

static void say_stages(engine_bench *b, const engine_figures *f)
{
    weir_cli_say(b->cli, "\n%-17s %10s %10s %10s %10s %10s", "ms of a partition", "alone", "loaded",
                 "inflation", "least", "most");
    for (int i = 0; i < WEIR_LOAD_STAGES; i++) say_stage(b, f, i);
    weir_cli_say(b->cli,
                 "fill: witness; rows, ntt, msm, g2: parts of step, the device's; finish: blinding "
                 "and verification;\nleast, most: of the %u partitions under load",
                 f->partitions);
}

static void say_all(engine_bench *b, const engine_way *w, const engine_figures *f)
{
    char text[160];
    weir_cli_say(b->cli, "%s", "");
    snprintf(text, sizeof text, "%.1f s, and %.1f s to where it is used", (double)b->key_ns / 1e9,
             (double)f->open_ns / 1e9);
    say(b, b->key_file.vk ? "key opened" : "key made", text);
    say_times(b, w, f);
    say_memory(b, f);
    say_device(b, f);
    snprintf(text, sizeof text, "all, each in the engine and again from its bytes; %llu done twice",
             (unsigned long long)f->repaired);
    say(b, "partitions verified", text);
    say_stages(b, f);
}

static void json_stages(weir_json_out *j, const engine_figures *f)
{
    weir_json_out_object(j, "stages_ms");
    for (int i = 0; i < WEIR_LOAD_STAGES; i++) {
        weir_json_out_object(j, weir_load_stage_names[i]);
        weir_json_out_number(j, "alone", f->stage[0][i] / 1e6);
        weir_json_out_number(j, "loaded", f->stage[1][i] / 1e6);
        weir_json_out_number(j, "inflation", share(f->stage[1][i], f->stage[0][i]));
        weir_json_out_number(j, "least", f->spread[i][0] / 1e6);
        weir_json_out_number(j, "median", f->spread[i][1] / 1e6);
        weir_json_out_number(j, "most", f->spread[i][2] / 1e6);
        weir_json_out_end_object(j);
    }
    weir_json_out_end_object(j);
}

static void json_all(engine_bench *b, const engine_way *w, const engine_figures *f)
{
    weir_json_out *j = &b->cli->json;
    double alone = engine_bench_median(f->alone, f->runs),
           loaded = engine_bench_median(f->loaded, f->runs);
    weir_json_out_string(j, "sector_size", b->circuit.registered->shape->name);
    weir_json_out_string(j, "device", b->is_fake ? "fake" : b->device.open.name);
    weir_json_out_u64(j, "count", w->jobs);
    weir_json_out_u64(j, "concurrency", w->concurrency);
    weir_json_out_u64(j, "partition_workers", w->workers);
    weir_json_out_u64(j, "partitions", f->partitions);
    weir_json_out_number(j, "key_s", (double)b->key_ns / 1e9);
    weir_json_out_number(j, "open_s", (double)f->open_ns / 1e9);
    weir_json_out_number(j, "latency_s", f->latency[0] / 1e9);
    weir_json_out_number(j, "alone_s", alone / 1e9);
    weir_json_out_number(j, "sustained_s", loaded / 1e9);
    weir_json_out_number(j, "loaded_over_alone", share(loaded, alone));
    weir_json_out_number(j, "cpu_s", f->cpu / 1e9);
    weir_json_out_u64(j, "peak_host_bytes", f->resident_bytes);
    weir_json_out_u64(j, "plan_host_bytes", f->plan_bytes);
    weir_json_out_u64(j, "device_bytes", f->device_bytes);
    weir_json_out_u64(j, "up_bytes", f->up_bytes);
    weir_json_out_u64(j, "down_bytes", f->down_bytes);
    if (f->energy_j >= 0) weir_json_out_number(j, "energy_j", f->energy_j);
    weir_json_out_number(j, "device_busy", f->busy);
    weir_json_out_number(j, "longest_gap_ms", (double)f->longest_gap_ns / 1e6);
    weir_json_out_number(j, "unmaps", f->unmaps);
    weir_json_out_number(j, "maps", f->maps);
    weir_json_out_number(j, "threads_started", f->threads);
    weir_json_out_u64(j, "repaired", f->repaired);
    json_stages(j, f);
}

/* ---- the command */

enum { LEAST_ALONE = 2 }; /* proofs alone, where a run is to be short */

static weir_err read_way(engine_way *w, weir_cli *cli)
{
    const char *workers = weir_args_get(&cli->args, "partition-workers");
    uint64_t n = 1;
    snprintf(w->name, sizeof w->name, "porep");
    for (int i = 0; i < ENGINE_WAY_SWITCHES; i++) {
        const char *text = weir_args_get(&cli->args, engine_way_switches[i].option);
        if (text) WEIR_TRY(engine_way_set(w, i, text, &cli->ei));
    }
    if (workers)
        WEIR_TRY(
            weir_value_u64(&n, "partition-workers", workers, 1, WEIR_ENGINE_MAX_DEVICES, &cli->ei));
    w->workers = (uint32_t)n;
    return WEIR_OK;
}

/* One way, told in detail. */
static weir_err run_one(engine_bench *b, const engine_way *way, engine_figures *f)
{
    if (way->jobs < b->alone_jobs)
        b->alone_jobs = way->jobs > LEAST_ALONE ? way->jobs : LEAST_ALONE;
    WEIR_TRY(engine_bench_measure(b, way, f));
    if (b->cli->want_json)
        json_all(b, way, f);
    else
        say_all(b, way, f);
    return WEIR_OK;
}

static weir_err run_ablation(engine_bench *b, const engine_way *given, engine_figures *f)
{
    engine_way way[ENGINE_ABLATION_WAYS];
    b->alone_jobs = LEAST_ALONE;
    engine_ablation_make(way, b, given);
    WEIR_TRY(engine_bench_measure_all(b, way, f, ENGINE_ABLATION_WAYS));
    return engine_ablation_check(way, f, &b->cli->ei);
}

static weir_err run(weir_cli *cli)
{
    engine_bench b;
    engine_way way = {.name = ""};
    WEIR_TRY(read_way(&way, cli)); /* refused before the circuit is built */
    engine_figures *f = weir_calloc(ENGINE_ABLATION_WAYS, sizeof *f);
    if (!f) return weir_fail(&cli->ei, WEIR_E_NOMEM, "no memory for a table");
    weir_err err = engine_bench_open(&b, cli, true);
    if (err != WEIR_OK) goto out;
    engine_bench_default_way(&way, &b);
    WEIR_TRY_GOTO(read_way(&way, cli));
    err = weir_args_has(&cli->args, "ablation") ? run_ablation(&b, &way, f) : run_one(&b, &way, f);
out:
    engine_bench_close(&b);
    weir_free(f);
    return err;
}

const weir_command weir_cmd_bench_porep = {
    .verb = "bench",
    .noun = "porep",
    .summary = "whole proofs of a sector: time, memory and energy, alone and under load",
    .opts = opts,
    .details =
        "Nothing is needed but this machine: the key is made from known secrets, on the GPU where "
        "there is one, and\n"
        "never written; each proof has a sample of its own, read as a C1 document of 39 MB (at "
        "32GiB), and fresh\n"
        "blinding. After a proof that warms up come five alone (two where --count is as small, and "
        "in an "
        "ablation), half\n"
        "of them before and half behind the load: --count with --concurrency in the engine at a "
        "time.\n"
        "Each partition is verified in the engine, and once more from the bytes that left it. Peak "
        "memory is counted\n"
        "from when the key is where it is to be.\n",
    .examples =
        "weir bench porep\n"
        "weir bench porep --count 6 --concurrency 4 --budget-device 16GiB\n"
        "weir bench porep --key 32GiB.weirkey --g2 cpu --tails cpu --ablation --count 6 "
        "--concurrency 4\n"
        "weir bench porep --sector-size 2KiB --count 4 --concurrency 2 --waterfall pictures\n"
        "weir bench porep --challenges 1 --partitions 2 --count 10 --json",
    .run = run,
};
