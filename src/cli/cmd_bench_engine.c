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

enum { MAX_WAYS = 4 };

static weir_err read_way(engine_way *w, weir_cli *cli)
{
    for (int i = 0; i < ENGINE_WAY_SWITCHES; i++) {
        const char *text = weir_args_get(&cli->args, engine_way_switches[i].option);
        if (text) WEIR_TRY(engine_way_set(w, i, text, &cli->ei));
    }
    return WEIR_OK;
}

/* ---- the ablation */

static uint32_t share(uint32_t of, uint32_t parts)
{
    return of / parts > 0 ? of / parts : 1;
}

/* What the peer does first: threads for everything, each block unmapped by a thread of its own, no gate. Then one more each. */
static unsigned make_ablation(engine_way ways[MAX_WAYS], const engine_bench *b,
                              const engine_way *given)
{
    static const char *const names[MAX_WAYS] = {"none of the three", "1: memory pooled",
                                                "1, 2: threads sized", "1, 2, 3: gate on"};
    for (unsigned i = 0; i < MAX_WAYS; i++) {
        engine_way *w = &ways[i];
        *w = *given;
        snprintf(w->name, sizeof w->name, "%s", names[i]);
        w->reclaim = i >= 1 ? WEIR_RECLAIM_POOL : WEIR_RECLAIM_DETACHED;
        w->msm_threads = i >= 2 ? share(b->cpus, w->workers) : b->cpus;
        w->fill_threads = i >= 2 ? share(b->cpus, 4) : b->cpus;
        w->gate = i >= 3;
    }
    return MAX_WAYS;
}

/* Each switch must move what it is there to move; else the table says nothing of it. */
static weir_err check_ablation(const engine_way *w, const engine_figures *f, weir_errinfo *ei)
{
    if (!(f[0].unmaps > 0) || !(f[0].threads > 0))
        return weir_fail(ei, WEIR_E_INTERNAL,
                         "detached reclaim unmapped nothing: the circuit is too small");
    if (f[1].unmaps > 0.01 || f[1].threads > 0)
        return weir_fail(ei, WEIR_E_INTERNAL, "pooled memory was unmapped %.2f times a proof",
                         f[1].unmaps);
    if (w[2].msm_threads == w[1].msm_threads && w[2].fill_threads == w[1].fill_threads)
        return weir_fail(ei, WEIR_E_USAGE,
                         "sized pools are as wide as before: take --workers 2 or more");
    if (f[2].gate_waits > 0 || !(f[3].gate_waits > 0))
        return weir_fail(ei, WEIR_E_USAGE,
                         "nobody waited at the gate: only one thing at a time was bound by memory; "
                         "more of them are there with --device cpu and more --workers");
    return WEIR_OK;
}

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
    engine_way ways[MAX_WAYS];
    engine_figures *figures = weir_calloc(MAX_WAYS, sizeof *figures);
    unsigned n = 1;
    if (!figures) return weir_fail(&cli->ei, WEIR_E_NOMEM, "no memory for a table");
    weir_err err = engine_bench_open(&b, cli, false);
    if (err != WEIR_OK) goto out;
    engine_bench_default_way(&ways[0], &b);
    WEIR_TRY_GOTO(read_way(&ways[0], cli));
    if (weir_args_has(&cli->args, "ablation")) {
        const engine_way given = ways[0];
        n = make_ablation(ways, &b, &given);
    }
    for (unsigned i = 0; i < n; i++) WEIR_TRY_GOTO(engine_bench_measure(&b, &ways[i], &figures[i]));
    engine_bench_print(&b, ways, figures, n);
    if (n > 1) WEIR_TRY_GOTO(check_ablation(ways, figures, &cli->ei));
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
        "A run is a job that warms up, five jobs one after another (alone), and then --count jobs "
        "with --concurrency of\n"
        "them in the engine at a time (loaded). Each job has values of its own, and each proof is "
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
