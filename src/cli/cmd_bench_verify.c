/* weir bench verify: what a verifier of PoReps does, from bytes to the answer. */
#include "base/alloc.h"
#include "bench/porep_proofs.h"
#include "cli/bench_run.h"
#include "cli/cli.h"
#include "field/fr.h"
#include "formats/proof_bytes.h"
#include "groth16/groth16.h"

#include <string.h>

static const weir_opt opts[] = {
    {"sector-size", "SIZE", "of which the proofs are; default: 32GiB", false},
    WEIR_BENCH_OPTS,
    {NULL, NULL, NULL, false},
};

typedef struct job {
    weir_bench_proofs p;
    weir_pvk *pvk;
    uint8_t *bytes;      /* of all proofs */
    weir_proof *decoded; /* room for all */
    weir_fr *inputs;     /* of one proof, made again */
    bool valid;
} job;

/* ---- the routines */

/* The first n proofs. valid is false, and no error returned, where the bytes are no points. */
static weir_err verify(job *j, size_t n, const weir_exec *x, weir_errinfo *ei)
{
    weir_errinfo why = {0};
    j->valid = false;
    weir_err err = weir_proofs_decode(j->decoded, j->bytes, n * WEIR_PROOF_BYTES, n, x->isa, &why);
    if (err != WEIR_OK) return weir_err_exit_code(err) == WEIR_EXIT_DATA ? WEIR_OK : err;
    return weir_verify_batch(&j->valid, j->pvk, j->decoded, j->p.inputs, n, j->p.n_inputs, x, ei);
}

static weir_err run_one(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    return verify(ctx, 1, x, ei);
}

static weir_err run_batch(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    job *j = ctx;
    return verify(j, j->p.n, x, ei);
}

static weir_err run_decode(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    job *j = ctx;
    return weir_proofs_decode(j->decoded, j->bytes, WEIR_PROOF_BYTES, 1, x->isa, ei);
}

static weir_err run_key(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    job *j = ctx;
    weir_pvk_free(j->pvk);
    return weir_pvk_new(&j->pvk, &j->p.known.vk, x->isa, ei);
}

static weir_err run_inputs(void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x;
    job *j = ctx;
    return weir_porep_public_inputs(j->inputs, &j->p.pub, 0, ei);
}

/* ---- the checks */

/* *refused stays true only if the first n proofs are refused with any of these bits of proof k flipped, in A, B and C, and
 * with a wrong input of it. */
static weir_err refuses(bool *refused, job *j, size_t n, size_t k, const weir_exec *x,
                        weir_errinfo *ei)
{
    static const struct {
        unsigned byte, bit;
    } flips[] = {{0, 5}, {47, 0}, {48, 5}, {100, 3}, {143, 1}, {144, 5}, {191, 7}};
    weir_fr *input = &j->p.inputs[k * j->p.n_inputs + 2];
    for (size_t i = 0; i < sizeof flips / sizeof flips[0]; i++) {
        uint8_t *at = &j->bytes[k * WEIR_PROOF_BYTES + flips[i].byte];
        *at ^= (uint8_t)(1u << flips[i].bit);
        weir_err err = verify(j, n, x, ei);
        *at ^= (uint8_t)(1u << flips[i].bit);
        WEIR_TRY(err);
        *refused = *refused && !j->valid;
    }
    fr_add(input, input, &fr_ONE);
    weir_err err = verify(j, n, x, ei);
    fr_sub(input, input, &fr_ONE);
    *refused = *refused && !j->valid;
    return err;
}

static weir_err check_one(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    job *j = ctx;
    *right = j->valid;
    return refuses(right, j, 1, 0, x, ei);
}

static weir_err check_batch(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    job *j = ctx;
    *right = j->valid;
    return refuses(right, j, j->p.n, j->p.n - 1, x, ei);
}

static weir_err check_decode(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    job *j = ctx;
    *right = memcmp(&j->decoded[0], &j->p.proofs[0], sizeof j->decoded[0]) == 0;
    return WEIR_OK;
}

static weir_err check_inputs(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei)
{
    (void)x, (void)ei;
    job *j = ctx;
    *right = memcmp(j->inputs, j->p.inputs, j->p.n_inputs * sizeof *j->inputs) == 0;
    return WEIR_OK;
}

/* ---- the rows */

static weir_err prepare(job *j, const weir_registered_porep *r, weir_bench_run *b)
{
    weir_errinfo *ei = &b->cli->ei;
    WEIR_TRY(weir_bench_step(b, "making proofs"));
    WEIR_TRY(weir_bench_proofs_init(&j->p, r, &b->exec, ei));
    j->bytes = weir_malloc(j->p.n, WEIR_PROOF_BYTES);
    j->decoded = weir_malloc(j->p.n, sizeof *j->decoded);
    j->inputs = weir_malloc(j->p.n_inputs, sizeof *j->inputs);
    if (!j->bytes || !j->decoded || !j->inputs)
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for %zu proofs", j->p.n);
    weir_proofs_encode(j->bytes, j->p.proofs, j->p.n, b->exec.isa);
    return weir_pvk_new(&j->pvk, &j->p.known.vk, b->exec.isa, ei);
}

static void clear(job *j)
{
    weir_pvk_free(j->pvk);
    weir_free(j->bytes);
    weir_free(j->decoded);
    weir_free(j->inputs);
    weir_bench_proofs_clear(&j->p);
}

static weir_err time_rows(job *j, weir_bench_run *b)
{
    char inputs[24], proofs[40];
    snprintf(inputs, sizeof inputs, "%zu inputs", j->p.n_inputs);
    snprintf(proofs, sizeof proofs, "%zu proof%s", j->p.n, j->p.n == 1 ? "" : "s");
    const weir_bench_row rows[] = {
        {"proof verified, from bytes", inputs, NULL, 1, NULL, 1, true, false, NULL, run_one,
         check_one, false},
        {"batch verified, from bytes", proofs, NULL, 1, "proof", (double)j->p.n, true, false, NULL,
         run_batch, check_batch, false},
        {"proof decoded, subgroups checked", "192 bytes", NULL, 1, NULL, 1, false, false, NULL,
         run_decode, check_decode, false},
        {"key prepared", inputs, NULL, 1, NULL, 1, false, false, NULL, run_key, NULL, false},
        {"public inputs from the seal", inputs, "any", 1, NULL, 1, false, false, NULL, run_inputs,
         check_inputs, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        WEIR_TRY(weir_bench_time(b, &rows[i], j));
    return WEIR_OK;
}

static weir_err run(weir_cli *cli)
{
    const weir_registered_porep *r;
    weir_bench_run b;
    job j = {0};
    WEIR_TRY(weir_bench_registered(&r, cli));
    WEIR_TRY(weir_bench_begin(&b, cli));
    weir_err err = prepare(&j, r, &b);
    if (err == WEIR_OK) err = time_rows(&j, &b);
    clear(&j);
    if (err == WEIR_OK) weir_bench_end(&b);
    return err;
}

const weir_command weir_cmd_bench_verify = {
    .verb = "bench",
    .noun = "verify",
    .summary = "time of verifying PoRep proofs, one and a sector's partitions together",
    .opts = opts,
    .details =
        "The key has the size of a PoRep's (327 public inputs at 32 GiB) and known exponents, so "
        "that valid proofs can be\n"
        "made without a circuit. From bytes: decoding and subgroup checks are counted, preparing "
        "the key is not. Proofs\n"
        "with a flipped bit and with a wrong input must be refused before anything is timed.\n",
    .examples = "weir bench verify\n"
                "weir bench verify --threads 2 --runs 21\n"
                "weir bench verify --sector-size 2KiB --path portable --json",
    .run = run,
};
