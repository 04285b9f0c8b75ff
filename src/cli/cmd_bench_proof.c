/* weir bench proof: whole proofs of a circuit in which every value is dense. */
#include "base/alloc.h"
#include "base/clock.h"
#include "bench/chain.h"
#include "cli/bench_run.h"
#include "cli/cli.h"
#include "cli/memory.h"

static const weir_opt opts[] = {
    {"log-rows", "LIST", "logarithms of the numbers of rows, 2 to 24; default: 18", false},
    WEIR_BENCH_OPTS,
    {NULL, NULL, NULL, false},
};

typedef struct job {
    weir_bench_chain chain;
    weir_pvk *pvk;
    weir_blinding blinding;
    weir_proof proof;
    weir_prove_stats *stats; /* of each run */
    unsigned runs;
} job;

static weir_err run_prove(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    job *j = ctx;
    return weir_prove(&j->proof, j->chain.w, &j->chain.key.key, &j->blinding, &j->stats[j->runs++],
                      x, ei);
}

/* The first proof's stages are not counted either. */
static weir_err check_prove(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    job *j = ctx;
    j->runs = 0;
    return weir_verify(right, j->pvk, &j->proof, &j->chain.w->inputs[1], j->chain.rel->inputs - 1,
                       x, ei);
}

static weir_err run_verify(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    bool right;
    job *j = ctx;
    WEIR_TRY(weir_verify(&right, j->pvk, &j->proof, &j->chain.w->inputs[1],
                         j->chain.rel->inputs - 1, x, ei));
    return right ? WEIR_OK : weir_fail(ei, WEIR_E_BAD_PROOF, "the last proof does not verify");
}

/* ---- before the proofs */

static weir_err time_key(job *j, weir_bench_run *b, const char *size)
{
    weir_errinfo *ei = &b->cli->ei;
    const weir_bench_row row = {.what = "key made, once", .size = size, .threads = true};
    WEIR_TRY(weir_bench_step(b, "making the key"));
    uint64_t cpu = weir_cpu_ns(), wall = weir_now_ns();
    WEIR_TRY(weir_bench_chain_key(&j->chain, &b->exec, ei));
    double cpu_ns = (double)(weir_cpu_ns() - cpu), wall_ns = (double)(weir_now_ns() - wall);
    weir_bench_tell(b, &row, &cpu_ns, &wall_ns, 1);
    return weir_pvk_new(&j->pvk, &j->chain.key.vk, b->exec.isa, ei);
}

static weir_err prepare(job *j, weir_bench_run *b, unsigned log2)
{
    weir_errinfo *ei = &b->cli->ei;
    WEIR_TRY(weir_memory_fits(weir_bench_chain_bytes(log2), "the circuit and its key", ei));
    WEIR_TRY(weir_bench_step(b, "building the circuit"));
    WEIR_TRY(weir_bench_chain_init(&j->chain, log2, ei));
    WEIR_TRY(
        weir_memory_fits(weir_prove_bytes(j->chain.rel, &b->exec), "proving this circuit", ei));
    WEIR_TRY(weir_blinding_fresh(&j->blinding, ei));
    j->stats = weir_calloc(b->runs + 1, sizeof *j->stats);
    return j->stats ? WEIR_OK : weir_fail(ei, WEIR_E_NOMEM, "no memory");
}

static void clear(job *j)
{
    weir_free(j->stats);
    weir_pvk_free(j->pvk);
    weir_bench_chain_clear(&j->chain);
}

/* ---- stages: the backend measures their wall time only */

static const struct {
    const char *what;
    size_t offset;
} stages[] = {
    {"  rows evaluated", offsetof(weir_prove_stats, eval_ns)},
    {"  transforms", offsetof(weir_prove_stats, ntt_ns)},
    {"  sum h", offsetof(weir_prove_stats, h_ns)},
    {"  sum l", offsetof(weir_prove_stats, l_ns)},
    {"  sum a", offsetof(weir_prove_stats, a_ns)},
    {"  sum b_g1", offsetof(weir_prove_stats, b1_ns)},
    {"  sum b_g2", offsetof(weir_prove_stats, b2_ns)},
    {"  blinding and assembly", offsetof(weir_prove_stats, finish_ns)},
};

static void tell_stages(job *j, weir_bench_run *b, const char *size)
{
    for (size_t k = 0; k < sizeof stages / sizeof stages[0]; k++) {
        const weir_bench_row row = {.what = stages[k].what, .size = size, .threads = true};
        for (unsigned i = 0; i < j->runs; i++) {
            const char *at = (const char *)&j->stats[i] + stages[k].offset;
            b->wall_ns[i] = (double)*(const uint64_t *)(const void *)at;
        }
        weir_bench_tell(b, &row, NULL, b->wall_ns, j->runs);
    }
}

static weir_err time_rows(job *j, weir_bench_run *b, unsigned log2)
{
    char size[24];
    snprintf(size, sizeof size, "2^%u rows", log2);
    const weir_bench_row prove = {.what = "proof",
                                  .size = size,
                                  .each = "row",
                                  .count = (double)(UINT64_C(1) << log2),
                                  .threads = true,
                                  .once = true,
                                  .run = run_prove,
                                  .check = check_prove};
    const weir_bench_row verify = {
        .what = "proof verified", .size = "1 input", .threads = true, .run = run_verify};
    WEIR_TRY(prepare(j, b, log2));
    WEIR_TRY(time_key(j, b, size));
    WEIR_TRY(weir_bench_time(b, &prove, j));
    tell_stages(j, b, size);
    return weir_bench_time(b, &verify, j);
}

static weir_err run(weir_cli *cli)
{
    const char *list = weir_args_get(&cli->args, "log-rows");
    unsigned sizes[WEIR_BENCH_MAX_SIZES], n;
    weir_bench_run b;
    WEIR_TRY(weir_bench_sizes(sizes, &n, "log-rows", list ? list : "18", WEIR_BENCH_CHAIN_MIN_LOG2,
                              WEIR_BENCH_CHAIN_MAX_LOG2, &cli->ei));
    WEIR_TRY(weir_bench_begin(&b, cli));
    for (unsigned i = 0; i < n; i++) {
        job j = {.pvk = NULL};
        weir_err err = time_rows(&j, &b, sizes[i]);
        clear(&j);
        if (err != WEIR_OK) return err;
    }
    weir_bench_end(&b);
    return WEIR_OK;
}

const weir_command weir_cmd_bench_proof = {
    .verb = "bench",
    .noun = "proof",
    .summary = "time of whole proofs of a dense circuit, stage by stage",
    .opts = opts,
    .details = "The circuit is a chain of squares, x, x^2, x^4, ...: one row and one field element "
               "for each, no bits. The key is\n"
               "made from known secrets and kept in memory. The lines under a proof are the wall "
               "time of its stages.\n"
               "The first proof is verified before any is timed, the last one after.\n",
    .examples = "weir bench proof\n"
                "weir bench proof --log-rows 14-18 --threads 2\n"
                "weir bench proof --log-rows 16 --path adx --json",
    .run = run,
};
