/* weir bench fill: what filling one PoRep partition costs. CPU time is the figure: it does not
 * care who else works. */
#include "base/alloc.h"
#include "base/clock.h"
#include "circuit/porep_circuit.h"
#include "cli/cli.h"
#include "cli/memory.h"
#include "cli/values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const weir_opt opts[] = {
    {"sector-size", "SIZE", "default: 32GiB", false},
    {"runs", "N", "fillings to time; default: 5", false},
    {"path", "NAME", "instruction path, for example portable; default: the best", false},
    {"threads", "N", "threads to fill with; default: 1", false},
    WEIR_OPT_JSON,
    {NULL, NULL, NULL, false},
};

enum { MAX_RUNS = 1000, DEFAULT_RUNS = 5 };

typedef struct bench {
    const weir_registered_porep *registered;
    unsigned runs;
    weir_exec exec;
    weir_relation *rel;
    weir_porep_input *in;
    weir_porep_filler *filler;
    weir_witness *w;
    weir_fill_stats stats;
    uint64_t build_cpu_ns, build_peak_bytes; /* peak above what was resident before */
    uint64_t fill_peak_bytes;                /* the same: witness and all that filling takes */
    uint64_t cpu_ns[MAX_RUNS], wall_ns[MAX_RUNS];
} bench;

static void bench_free(bench *b)
{
    weir_witness_free(b->w);
    weir_porep_filler_free(b->filler);
    weir_porep_input_free(b->in);
    weir_relation_free(b->rel);
}

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

static weir_err parse(bench *b, weir_cli *cli)
{
    const char *size = weir_args_get(&cli->args, "sector-size"),
               *runs = weir_args_get(&cli->args, "runs");
    const weir_porep_shape *shape;
    char name[64];
    uint64_t n = DEFAULT_RUNS;
    b->exec = cli->exec;
    if (!weir_args_has(&cli->args, "threads")) b->exec.pool = NULL;
    WEIR_TRY(weir_value_sector_size(&shape, "sector-size", size ? size : "32GiB", &cli->ei));
    if (runs) WEIR_TRY(weir_value_u64(&n, "runs", runs, 1, MAX_RUNS, &cli->ei));
    b->runs = (unsigned)n;
    WEIR_TRY(choose_path(&b->exec.isa, weir_args_get(&cli->args, "path"), &cli->ei));
    snprintf(name, sizeof name, "StackedDrg%sV1_1", shape->name);
    b->registered = weir_registered_porep_by_name(name);
    if (b->registered) return WEIR_OK;
    return weir_fail(&cli->ei, WEIR_E_UNSUPPORTED,
                     "%s sectors have no registered proof; take 2KiB, 8MiB, 512MiB, 32GiB or 64GiB",
                     shape->name);
}

static weir_err build(bench *b, weir_cli *cli)
{
    WEIR_TRY(weir_cli_stage(cli, "build relation", NULL));
    uint64_t before = weir_memory_read().now_bytes, cpu = weir_cpu_ns();
    WEIR_TRY(weir_porep_relation(&b->rel, b->registered->shape, 0, &cli->ei));
    b->build_cpu_ns = weir_cpu_ns() - cpu;
    uint64_t peak = weir_memory_read().peak_bytes;
    b->build_peak_bytes = peak > before ? peak - before : 0;
    return WEIR_OK;
}

static weir_err sample(bench *b, weir_cli *cli)
{
    weir_sample_opts so = {.registered = b->registered, .seed = 1, .partitions = 1};
    weir_sample_sector sector;
    WEIR_TRY(weir_cli_stage(cli, "sample", NULL));
    return weir_porep_sample(&b->in, &sector, &so, &cli->ei);
}

static weir_err fill(bench *b, weir_cli *cli)
{
    WEIR_TRY(weir_cli_stage(cli, "fill", NULL));
    uint64_t before = weir_memory_read().now_bytes;
    WEIR_TRY(weir_porep_filler_new(&b->filler, b->registered->shape, &cli->ei));
    WEIR_TRY(weir_witness_new(&b->w, b->rel, &cli->ei));
    for (unsigned i = 0; i < b->runs; i++) {
        if (weir_exec_cancelled(&b->exec))
            return weir_fail(&cli->ei, WEIR_E_CANCELLED, "stopped before the end");
        if (i) weir_witness_reset(b->w);
        uint64_t cpu = weir_cpu_ns(), wall = weir_now_ns();
        WEIR_TRY(weir_porep_fill(b->w, b->filler, b->in, 0, &b->stats, &b->exec, &cli->ei));
        b->cpu_ns[i] = weir_cpu_ns() - cpu;
        b->wall_ns[i] = weir_now_ns() - wall;
    }
    uint64_t peak = weir_memory_read().peak_bytes;
    b->fill_peak_bytes = peak > before ? peak - before : 0;
    return WEIR_OK;
}

/* ---- figures */

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void tell_times(weir_cli *cli, const char *key, const char *name, uint64_t *ns, unsigned n)
{
    qsort(ns, n, sizeof *ns, by_size);
    uint64_t median = (ns[(n - 1) / 2] + ns[n / 2]) / 2;
    if (cli->want_json) {
        weir_json_out_object(&cli->json, key);
        weir_json_out_seconds(&cli->json, "min", ns[0]);
        weir_json_out_seconds(&cli->json, "median", median);
        weir_json_out_seconds(&cli->json, "max", ns[n - 1]);
        weir_json_out_end_object(&cli->json);
    }
    weir_cli_say(cli, "%-22s %.3f s min, %.3f s median, %.3f s max of %u", name,
                 (double)ns[0] / 1e9, (double)median / 1e9, (double)ns[n - 1] / 1e9, n);
}

static void tell(weir_cli *cli, bench *b)
{
    char brand[49];
    weir_cpu_brand(brand);
    unsigned threads = weir_pool_threads(b->exec.pool);
    uint64_t written = weir_witness_bytes(b->rel);
    if (cli->want_json) {
        weir_json_out *j = &cli->json;
        weir_json_out_string(j, "machine", brand);
        weir_json_out_string(j, "path", weir_isa_name(b->exec.isa));
        weir_json_out_bool(j, "sha_ni", weir_cpu_has_sha());
        weir_json_out_u64(j, "threads", threads);
        weir_json_out_string(j, "sector_size", b->registered->shape->name);
        weir_json_out_u64(j, "rows", b->rel->rows);
        weir_json_out_seconds(j, "build_cpu_s", b->build_cpu_ns);
        weir_json_out_u64(j, "relation_bytes", b->rel->bytes);
        weir_json_out_u64(j, "build_peak_bytes", b->build_peak_bytes);
        weir_json_out_u64(j, "fill_peak_bytes", b->fill_peak_bytes);
        weir_json_out_u64(j, "witness_bytes", written);
        weir_json_out_u64(j, "sha256_compressions", b->stats.sha256_compressions);
        weir_json_out_u64(j, "poseidon_hashes", b->stats.poseidon_hashes);
    }
    weir_cli_say(cli, "%-22s %s, path %s, SHA-NI %s, %u thread%s", "machine", brand,
                 weir_isa_name(b->exec.isa), weir_cpu_has_sha() ? "yes" : "no", threads,
                 threads == 1 ? "" : "s");
    weir_cli_say(cli, "%-22s one partition of a %s PoRep: %" PRIu64 " rows, %" PRIu64 " columns",
                 "circuit", b->registered->shape->name, b->rel->rows, b->rel->aux + b->rel->inputs);
    weir_cli_say(cli, "%-22s %.2f s CPU; %.1f MB held, %.1f MB peak", "relation built",
                 (double)b->build_cpu_ns / 1e9, (double)b->rel->bytes / 1e6,
                 (double)b->build_peak_bytes / 1e6);
    tell_times(cli, "fill_cpu_s", "fill, CPU", b->cpu_ns, b->runs);
    tell_times(cli, "fill_wall_s", "fill, wall", b->wall_ns, b->runs);
    weir_cli_say(cli, "%-22s %.1f MB witness written, %.1f MB peak", "fill, memory",
                 (double)written / 1e6, (double)b->fill_peak_bytes / 1e6);
    weir_cli_say(cli, "%-22s %" PRIu64 " SHA-256 compressions, %" PRIu64 " Poseidon hashes",
                 "fill, hashes", b->stats.sha256_compressions, b->stats.poseidon_hashes);
}

static weir_err run(weir_cli *cli)
{
    bench *b = weir_calloc(1, sizeof *b);
    if (!b) return weir_fail(&cli->ei, WEIR_E_NOMEM, "no memory");
    weir_err err;
    WEIR_TRY_GOTO(parse(b, cli));
    WEIR_TRY_GOTO(build(b, cli));
    WEIR_TRY_GOTO(sample(b, cli));
    WEIR_TRY_GOTO(fill(b, cli));
    weir_report_end(&cli->report);
    tell(cli, b);
out:
    bench_free(b);
    weir_free(b);
    return err;
}

const weir_command weir_cmd_bench_fill = {
    .verb = "bench",
    .noun = "fill",
    .summary = "time and memory of filling one PoRep partition",
    .opts = opts,
    .details = "Builds the relation, samples an input (nothing is sealed), fills the packed "
               "witness of one partition several\n"
               "times with all hashing. The first filling also pays for fresh memory. Peaks are "
               "above what was resident\n"
               "before.\n",
    .examples = "weir bench fill\n"
                "weir bench fill --sector-size 2KiB --runs 20 --path portable\n"
                "weir bench fill --json",
    .run = run,
};
