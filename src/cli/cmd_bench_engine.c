/* weir bench engine: many proofs at once, alone and under load, and what each part of the memory-bandwidth scheduling changes. */
#include "base/alloc.h"
#include "cli/engine_bench.h"
#include "cli/engine_way.h"
#include "cli/values.h"

static const weir_opt opts[] = {
    ENGINE_BENCH_OPTS,
    {"count", "N", "jobs of a run under load, 1 to 100000; default: 20", false},
    {"concurrency", "N", "jobs in the engine at one time, 1 to 1000; default: 15", false},
    {"workers", "N", "partitions at once: on the CPU, or filled for a GPU; default: 1", false},
    {"fill-threads", "N", "threads of a filling; default: all, 4 at most", false},
    {"msm-threads", "N", "threads of the CPU's part of a proof; default: all", false},
    {"reclaim", "MODE", "pool, serial or detached: how memory goes back; default: pool", false},
    {"gate", "on|off", "the bandwidth gate; default: on", false},
    {"g2", "WHERE", "device or cpu: where the sum in G2 is done; default: device", false},
    {"tails", "WHERE", "the same of the sums in G1 over dense columns; default: device", false},
    {"ablation", NULL, "four ways: without the three interventions, then one more each", false},
    {"critical", "N",
     "then so many critical jobs, one after another, while --concurrency\n"
     "others are in the engine: how long each waits for a device",
     false},
    {"budget-device", "SIZE", "most memory of the GPU to take; default: what is free", false},
    {NULL, NULL, NULL, false},
};

static weir_err read_way(engine_way *w, weir_cli *cli)
{
    for (int i = 0; i < ENGINE_WAY_SWITCHES; i++) {
        const char *text = weir_args_get(&cli->args, engine_way_switches[i].option);
        if (text) WEIR_TRY(engine_way_set(w, i, text, &cli->ei));
    }
    return WEIR_OK;
}

/* ---- the command */

/* The answer is "no" if one of them had to wait too long. */
static weir_err run_critical(engine_bench *b, const engine_way *way)
{
    const char *text = weir_args_get(&b->cli->args, "critical");
    uint64_t jobs = 0;
    uint32_t within;
    if (!text) return WEIR_OK;
    WEIR_TRY(weir_value_u64(&jobs, "critical", text, 1, 100000, &b->cli->ei));
    WEIR_TRY(engine_bench_urgent(b, way, (uint32_t)jobs, &within));
    if (within < jobs) b->cli->no = true;
    return WEIR_OK;
}

static weir_err run(weir_cli *cli)
{
    engine_bench b;
    engine_way ways[ENGINE_ABLATION_WAYS];
    engine_figures *figures = weir_calloc(ENGINE_ABLATION_WAYS, sizeof *figures);
    unsigned n = 1;
    if (!figures) return weir_fail(&cli->ei, WEIR_E_NOMEM, "no memory for a table");
    weir_err err = engine_bench_open(&b, cli, false);
    if (err != WEIR_OK) goto out;
    engine_bench_default_way(&ways[0], &b);
    WEIR_TRY_GOTO(read_way(&ways[0], cli));
    if (weir_args_has(&cli->args, "ablation")) {
        const engine_way given = ways[0];
        n = ENGINE_ABLATION_WAYS;
        engine_ablation_make(ways, &b, &given);
    }
    WEIR_TRY_GOTO(engine_bench_measure_all(&b, ways, figures, n));
    if (n > 1) WEIR_TRY_GOTO(engine_ablation_check(ways, figures, &cli->ei));
    err = run_critical(&b, &ways[n - 1]);
out:
    engine_bench_close(&b);
    weir_free(figures);
    return err;
}

const weir_command weir_cmd_bench_engine = {
    .verb = "bench",
    .noun = "engine",
    .summary = "many proofs at once: time of each stage alone and under load",
    .opts = opts,
    .details =
        "A run is a job that warms up, five jobs one after another (alone, three of them before "
        "and "
        "two behind the\n"
        "others), and --count jobs with --concurrency of them in the engine at a time (loaded). "
        "Each job has values of its own, and each proof is "
        "verified twice: by the\n"
        "engine, and at the end from its bytes. Inflation is the median of a stage under load over "
        "that alone.\n\n"
        "--ablation compares four ways of working: as provers do that start threads for "
        "everything, then with memory\n"
        "that stays mapped, then with pools of threads sized for what runs side by side, then with "
        "the bandwidth gate.\n"
        "It fails if a switch moves nothing that is counted.\n",
    .examples =
        "weir bench engine\n"
        "weir bench engine --ablation --workers 2 --waterfall pictures\n"
        "weir bench engine --ablation --device gpu --g2 cpu --tails cpu\n"
        "weir bench engine --circuit porep --sector-size 2KiB --count 4 --concurrency 2\n"
        "weir bench engine --device fake --step 1 --log-size 4 --damage 10 --count 1000 --runs 1",
    .run = run,
};
