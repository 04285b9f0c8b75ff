/* weir bench fill: what filling one PoRep partition costs. CPU time is the figure: it does not
 * care who else works. */
#include "base/alloc.h"
#include "base/clock.h"
#include "circuit/porep_circuit.h"
#include "cli/bench_run.h"
#include "cli/cli.h"
#include "cli/memory.h"

#include <inttypes.h>

static const weir_opt opts[] = {
    {"sector-size", "SIZE", "default: 32GiB", false},
    WEIR_BENCH_OPTS,
    {NULL, NULL, NULL, false},
};

typedef struct bench {
    weir_bench_run run;
    const weir_registered_porep *registered;
    weir_relation *rel;
    weir_porep_input *in;
    weir_porep_filler *filler;
    weir_witness *w;
    weir_fill_stats stats;
    uint64_t build_peak_bytes; /* peak above what was resident before */
    uint64_t fill_peak_bytes;  /* the same: witness and all that filling takes */
} bench;

static void bench_free(bench *b)
{
    weir_witness_free(b->w);
    weir_porep_filler_free(b->filler);
    weir_porep_input_free(b->in);
    weir_relation_free(b->rel);
}

static uint64_t above(uint64_t before)
{
    uint64_t peak = weir_memory_read().peak_bytes;
    return peak > before ? peak - before : 0;
}

static weir_err build(bench *b, weir_cli *cli)
{
    const weir_bench_row row = {
        .what = "relation built, once", .size = b->registered->shape->name, .path = "any"};
    WEIR_TRY(weir_bench_step(&b->run, "building the relation"));
    weir_memory_reset_peak();
    uint64_t before = weir_memory_read().now_bytes, cpu = weir_cpu_ns(), wall = weir_now_ns();
    WEIR_TRY(weir_porep_relation(&b->rel, b->registered->shape, 0, &cli->ei));
    double cpu_ns = (double)(weir_cpu_ns() - cpu), wall_ns = (double)(weir_now_ns() - wall);
    b->build_peak_bytes = above(before);
    weir_bench_tell(&b->run, &row, &cpu_ns, &wall_ns, 1);
    return WEIR_OK;
}

static weir_err sample(bench *b, weir_cli *cli)
{
    weir_sample_opts so = {.registered = b->registered, .seed = 1, .partitions = 1};
    weir_sample_sector sector;
    WEIR_TRY(weir_bench_step(&b->run, "making an input"));
    return weir_porep_sample(&b->in, &sector, &so, &cli->ei);
}

/* ---- filling */

static weir_err fill_prepare(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    bench *b = ctx;
    weir_witness_reset(b->w);
    return WEIR_OK;
}

static weir_err fill_run(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    bench *b = ctx;
    return weir_porep_fill(b->w, b->filler, b->in, 0, &b->stats, x, ei);
}

/* Every row of the circuit. */
static weir_err fill_check(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)ei;
    bench *b = ctx;
    *right = weir_relation_check(b->w, x) == b->rel->rows || weir_exec_cancelled(x);
    return WEIR_OK;
}

static weir_err fill(bench *b, weir_cli *cli)
{
    const weir_bench_row row = {.what = "partition filled",
                                .size = b->registered->shape->name,
                                .threads = true,
                                .prepare = fill_prepare,
                                .run = fill_run,
                                .check = fill_check};
    WEIR_TRY(weir_bench_step(&b->run, "fill"));
    weir_memory_reset_peak();
    uint64_t before = weir_memory_read().now_bytes;
    WEIR_TRY(weir_porep_filler_new(&b->filler, b->registered->shape, &cli->ei));
    WEIR_TRY(weir_witness_new(&b->w, b->rel, NULL, &cli->ei));
    WEIR_TRY(weir_bench_time(&b->run, &row, b));
    b->fill_peak_bytes = above(before);
    return WEIR_OK;
}

/* ---- figures that are no times */

static void tell(weir_cli *cli, const bench *b)
{
    const uint64_t written = weir_witness_bytes(b->rel);
    if (cli->want_json) {
        weir_json_out *j = &cli->json;
        weir_json_out_string(j, "sector_size", b->registered->shape->name);
        weir_json_out_u64(j, "rows_of_circuit", b->rel->rows);
        weir_json_out_u64(j, "relation_bytes", b->rel->bytes);
        weir_json_out_u64(j, "build_peak_bytes", b->build_peak_bytes);
        weir_json_out_u64(j, "fill_peak_bytes", b->fill_peak_bytes);
        weir_json_out_u64(j, "witness_bytes", written);
        weir_json_out_u64(j, "sha256_compressions", b->stats.sha256_compressions);
        weir_json_out_u64(j, "poseidon_hashes", b->stats.poseidon_hashes);
    }
    weir_cli_say(cli, "circuit: %" PRIu64 " rows, %" PRIu64 " columns", b->rel->rows,
                 b->rel->aux + b->rel->inputs);
    weir_cli_say(cli, "relation: %.1f MB held, %.1f MB peak", (double)b->rel->bytes / 1e6,
                 (double)b->build_peak_bytes / 1e6);
    weir_cli_say(cli, "filling: %.1f MB witness written, %.1f MB peak", (double)written / 1e6,
                 (double)b->fill_peak_bytes / 1e6);
    weir_cli_say(
        cli, "hashes: %" PRIu64 " SHA-256 compressions (SHA-NI: %s), %" PRIu64 " Poseidon hashes",
        b->stats.sha256_compressions, weir_cpu_has_sha() ? "yes" : "no", b->stats.poseidon_hashes);
}

static weir_err run(weir_cli *cli)
{
    bench *b = weir_calloc(1, sizeof *b);
    if (!b) return weir_fail(&cli->ei, WEIR_E_NOMEM, "no memory");
    weir_err err;
    WEIR_TRY_GOTO(weir_bench_registered(&b->registered, cli));
    WEIR_TRY_GOTO(weir_bench_begin(&b->run, cli));
    WEIR_TRY_GOTO(build(b, cli));
    WEIR_TRY_GOTO(sample(b, cli));
    WEIR_TRY_GOTO(fill(b, cli));
    weir_bench_end(&b->run);
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
               "witness of one partition with all\n"
               "hashing, checks every row of the circuit, and then times the filling. Peaks of "
               "memory are above what was\n"
               "resident before.\n",
    .examples = "weir bench fill\n"
                "weir bench fill --sector-size 2KiB --runs 20 --path portable\n"
                "weir bench fill --json",
    .run = run,
};
