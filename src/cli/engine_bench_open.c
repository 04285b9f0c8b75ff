/* What is measured: options, circuit, key, device. */
#include "cli/engine_bench.h"

#include "base/clock.h"
#include "base/file.h"
#include "cli/bench_run.h"
#include "cli/memory.h"
#include "cli/values.h"
#include "formats/c1.h"

#include <inttypes.h>
#include <string.h>

static weir_err read_u64(uint64_t *out, weir_cli *cli, const char *option, uint64_t lo, uint64_t hi)
{
    const char *text = weir_args_get(&cli->args, option);
    return text ? weir_value_u64(out, option, text, lo, hi, &cli->ei) : WEIR_OK;
}

/* What a client sends for a sector. */
static weir_err as_c1(uint8_t **out, size_t *n, const weir_porep_input *in, weir_errinfo *ei)
{
    weir_outfile file;
    WEIR_TRY(weir_outfile_open_memory(&file, ei));
    weir_err err = weir_c1_write_json(&file, in, WEIR_C1_API, NULL, ei);
    if (err == WEIR_OK) return weir_outfile_take(&file, out, n, ei);
    weir_outfile_discard(&file);
    return err;
}

static weir_err build_mixed(engine_bench *b, uint64_t log2)
{
    weir_cli *cli = b->cli;
    if (weir_args_has(&cli->args, "sector-size") || weir_args_has(&cli->args, "challenges") ||
        weir_args_has(&cli->args, "partitions"))
        return weir_fail(&cli->ei, WEIR_E_USAGE,
                         "--sector-size, --challenges and --partitions belong to --circuit porep");
    weir_cli_say(cli, "circuit: mixed, 2^%" PRIu64 " rows, half of its columns bits", log2);
    return weir_bench_circuit_mixed(&b->circuit, (unsigned)log2, &cli->ei);
}

static weir_err build_porep(engine_bench *b)
{
    weir_cli *cli = b->cli;
    const char *size = weir_args_get(&cli->args, "sector-size");
    const weir_porep_shape *shape;
    const weir_registered_porep *r;
    char name[64];
    const char *standard = b->whole ? "32GiB" : "2KiB";
    uint64_t challenges = 0, partitions;
    if (weir_args_has(&cli->args, "log-size"))
        return weir_fail(&cli->ei, WEIR_E_USAGE, "--log-size belongs to --circuit mixed");
    WEIR_TRY(weir_value_sector_size(&shape, "sector-size", size ? size : standard, &cli->ei));
    snprintf(name, sizeof name, "StackedDrg%sV1_1", shape->name);
    r = weir_registered_porep_by_name(name);
    if (!r)
        return weir_fail(&cli->ei, WEIR_E_UNSUPPORTED,
                         "%s sectors have no registered proof; take 2KiB, 8MiB, 512MiB, 32GiB or "
                         "64GiB",
                         shape->name);
    partitions = b->whole ? r->partitions : 1;
    WEIR_TRY(read_u64(&challenges, cli, "challenges", 1, shape->challenges));
    WEIR_TRY(read_u64(&partitions, cli, "partitions", 1, r->partitions));
    WEIR_TRY(weir_bench_circuit_porep(&b->circuit, r, (unsigned)challenges, (unsigned)partitions,
                                      &cli->ei));
    weir_cli_say(cli, "circuit: PoRep of %s, %u partition%s of %u challenge%s, domain 2^%u",
                 shape->name, b->circuit.partitions, b->circuit.partitions == 1 ? "" : "s",
                 b->circuit.challenges, b->circuit.challenges == 1 ? "" : "s",
                 b->circuit.rel->domain_log2);
    return WEIR_OK;
}

static weir_err build_circuit(engine_bench *b)
{
    weir_cli *cli = b->cli;
    const char *name = b->whole ? "porep" : weir_args_get(&cli->args, "circuit");
    uint64_t log2 = 18;
    WEIR_TRY(
        read_u64(&log2, cli, "log-size", WEIR_BENCH_MIXED_MIN_LOG2, WEIR_BENCH_MIXED_MAX_LOG2));
    WEIR_TRY(weir_cli_stage(cli, "build circuit", NULL));
    if (!name || strcmp(name, "mixed") == 0) return build_mixed(b, log2);
    if (strcmp(name, "porep") == 0) return build_porep(b);
    return weir_fail(&cli->ei, WEIR_E_USAGE, "--circuit: there is no '%s'; take mixed or porep",
                     name);
}

/* Does the CPU have a part in proofs that a GPU makes? */
static bool is_hybrid(const engine_bench *b)
{
    static const char *const options[2] = {"g2", "tails"};
    for (int i = 0; i < 2; i++) {
        const char *text = weir_args_get(&b->cli->args, options[i]);
        if (text && strstr(text, "cpu")) return true;
    }
    return false;
}

/* Somebody's own key. */
static weir_err open_key(engine_bench *b, const char *path)
{
    weir_errinfo *ei = &b->cli->ei;
    weir_bench_circuit *c = &b->circuit;
    WEIR_TRY(weir_cli_stage(b->cli, "open key", NULL));
    if (c->challenges != c->registered->shape->challenges)
        return weir_fail(ei, WEIR_E_USAGE, "--challenges: a key file is one of whole circuits");
    WEIR_TRY(weir_key_file_open(&b->key_file, path, NULL, b->x.isa, ei));
    WEIR_TRY(weir_key_file_is_porep(&b->key_file, c->registered->shape, ei));
    WEIR_TRY(weir_key_file_fit(&b->key_file, c->rel, ei));
    c->key = b->key_file.pkey;
    return weir_pvk_new(&c->pvk, c->key.vk, b->x.isa, ei);
}

/* A GPU makes the key from its exponents, where it is to lie; the CPU needs its points in memory. */
static weir_err make_key(engine_bench *b)
{
    weir_cli *cli = b->cli;
    const weir_relation *rel = b->circuit.rel;
    const char *path = weir_args_get(&cli->args, "key");
    if (path) return open_key(b, path);
    WEIR_TRY(weir_cli_stage(cli, "make key", NULL));
    if (b->is_fake) return weir_bench_circuit_key(&b->circuit, false, &b->x, &cli->ei);
    if (b->is_gpu && !is_hybrid(b)) {
        uint64_t bytes = (3 * (rel->inputs + rel->aux) + rel->rows) * sizeof(weir_fr);
        WEIR_TRY(weir_memory_fits(bytes, "making the circuit's key", &cli->ei));
        return weir_bench_circuit_exponents(&b->circuit, &b->x, &cli->ei);
    }
    WEIR_TRY(weir_memory_fits(weir_memory_key_bytes(rel), "the circuit's key", &cli->ei));
    return weir_bench_circuit_key(&b->circuit, true, &b->x, &cli->ei);
}

static weir_err open_fake(engine_bench *b)
{
    uint64_t step_ms = 10, damage = 0;
    WEIR_TRY(read_u64(&step_ms, b->cli, "step", 0, 300));
    WEIR_TRY(read_u64(&damage, b->cli, "damage", 0, 90));
    b->fake = (weir_fake_device){.vk = &b->circuit.known,
                                 .steps = ENGINE_BENCH_FAKE_STEPS,
                                 .step_us = step_ms * 1000,
                                 .damaged_per_mille = (uint32_t)(damage * 10),
                                 .seed = 1};
    weir_fake_backend_init(&b->fake_backend, &b->fake);
    weir_cli_say(b->cli, "device: fake, %d steps of %" PRIu64 " ms, %" PRIu64 " %% damaged",
                 ENGINE_BENCH_FAKE_STEPS, step_ms, damage);
    return WEIR_OK;
}

static weir_err open_device(engine_bench *b)
{
    weir_cli *cli = b->cli;
    char text[200];
    if (b->is_fake) return WEIR_OK;
    WEIR_TRY(weir_cli_stage(cli, "open device", NULL));
    if (weir_args_has(&cli->args, "step") || weir_args_has(&cli->args, "damage"))
        return weir_fail(&cli->ei, WEIR_E_USAGE, "--step and --damage belong to --device fake");
    WEIR_TRY(weir_cli_device_open(&b->device, cli, b->circuit.rel));
    b->is_gpu = b->device.open.backend != weir_cpu_backend();
    weir_cli_device_print(text, sizeof text, &b->device);
    weir_cli_say(cli, "device: %s", text);
    return WEIR_OK;
}

weir_err engine_bench_open(engine_bench *b, weir_cli *cli, bool whole)
{
    const char *device = weir_args_get(&cli->args, "device");
    uint64_t runs = whole ? 1 : 5;
    char brand[49], machine[160];
    memset(b, 0, sizeof *b);
    b->cli = cli;
    b->x = cli->exec;
    b->cpus = weir_pool_threads(cli->exec.pool);
    b->is_fake = device && strcmp(device, "fake") == 0;
    b->folder = weir_args_get(&cli->args, "waterfall");
    b->seed = 1;
    b->whole = whole;
    b->alone_jobs = ENGINE_BENCH_ALONE;
    if (whole) b->circuit.document = as_c1;
    WEIR_TRY(read_u64(&runs, cli, "runs", 1, ENGINE_BENCH_MAX_RUNS));
    b->runs = (unsigned)runs;
    weir_cpu_brand(brand);
    WEIR_TRY(weir_topology_new(&b->topology, &cli->ei));
    weir_topology_print(machine, sizeof machine, b->topology);
    weir_cli_say(cli, "%s: %s", brand, machine);
    if (cli->want_json) {
        weir_json_out_string(&cli->json, "machine", brand);
        weir_json_out_u64(&cli->json, "threads", b->cpus);
        weir_json_out_u64(&cli->json, "runs", b->runs);
    }
    WEIR_TRY(build_circuit(b));
    WEIR_TRY(open_device(b));
    uint64_t t0 = weir_now_ns();
    WEIR_TRY(make_key(b));
    b->key_ns = weir_now_ns() - t0;
    return b->is_fake ? open_fake(b) : WEIR_OK;
}

void engine_bench_close(engine_bench *b)
{
    weir_topology_free(b->topology);
    weir_cli_device_close(&b->device);
    weir_bench_circuit_clear(&b->circuit);
    weir_key_file_close(&b->key_file);
}

void engine_bench_default_way(engine_way *w, const engine_bench *b)
{
    *w = (engine_way){.name = "defaults",
                      .jobs = 20,
                      .concurrency = 15,
                      .workers = 1,
                      .fill_threads = b->cpus > 4 ? 4 : b->cpus,
                      .msm_threads = b->cpus,
                      .reclaim = WEIR_RECLAIM_POOL,
                      .gate = true};
}
