/* weir verify porep: are these proof bytes a proof of this seal? */
#include "api/circuits.h"
#include "base/alloc.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/seal.h"
#include "formats/params.h"
#include "formats/proof_bytes.h"

#include <inttypes.h>

static const weir_opt opts[] = {
    {"vk", "FILE.vk", "verifying key", true},
    {"proof", "FILE", "proof bytes, 192 for each partition", true},
    {"public", "FILE.json", "the seven values below as JSON", false},
    {"registered-proof", "NAME", "for example StackedDrg32GiBV1_1, or its number", false},
    {"prover-id", "HEX", "32 bytes", false},
    {"sector", "N", "sector number", false},
    {"ticket", "HEX", "32 bytes", false},
    {"seed", "HEX", "32 bytes, the interactive randomness", false},
    {"comm-d", "HEX", "32 bytes, as they stand in C1 files", false},
    {"comm-r", "HEX", "32 bytes, as they stand in C1 files", false},
    WEIR_OPT_THREADS,
    WEIR_OPT_JSON,
    {NULL, NULL, NULL, false},
};

typedef struct verification {
    weir_porep_public_values seal;
    weir_porep_public pub;
    unsigned partitions;
    size_t n_inputs; /* of one partition, without ONE */
    weir_vk *vk;
    weir_pvk *pvk;
    weir_fr *inputs;
    weir_proof *proofs;
    weir_mapfile file;
    weir_errinfo why; /* why the bytes are no proof, if they are none */
} verification;

static void verification_clear(verification *v)
{
    weir_mapfile_close(&v->file);
    weir_free(v->proofs);
    weir_free(v->inputs);
    weir_pvk_free(v->pvk);
    weir_vk_free(v->vk);
}

static weir_err read_seal(verification *v, weir_cli *cli)
{
    const char *path = weir_args_get(&cli->args, "public");
    if (path && weir_seal_in_args(&cli->args))
        return weir_fail(&cli->ei, WEIR_E_USAGE,
                         "give --public FILE.json or single options, not both");
    if (path)
        WEIR_TRY(weir_seal_open(&v->seal, path, &cli->ei));
    else
        WEIR_TRY(weir_seal_from_args(&v->seal, &cli->args, &cli->ei));
    weir_porep_public_from_values(&v->pub, &v->seal);
    v->partitions = v->seal.registered->partitions;
    v->n_inputs =
        3 + (size_t)WEIR_POREP_INPUTS_PER_CHALLENGE * v->seal.registered->shape->challenges;
    return WEIR_OK;
}

static weir_err read_key(verification *v, weir_cli *cli)
{
    const char *path = weir_args_get(&cli->args, "vk");
    WEIR_TRY(weir_vk_open(&v->vk, path, cli->exec.isa, &cli->ei));
    if (v->vk->n_ic != v->n_inputs + 1)
        return weir_fail(&cli->ei, WEIR_E_MISMATCH,
                         "%s: a key for %u inputs; %s has %zu: it is the key of another circuit",
                         path, v->vk->n_ic - 1, v->seal.registered->name, v->n_inputs);
    if (weir_vk_is_insecure(v->vk))
        return weir_fail(&cli->ei, WEIR_E_MISMATCH,
                         "%s: anyone can forge proofs for this key (gamma equals delta, or delta "
                         "is the generator), so "
                         "no proof means anything",
                         path);
    return weir_pvk_new(&v->pvk, v->vk, cli->exec.isa, &cli->ei);
}

static weir_err make_inputs(verification *v, weir_cli *cli)
{
    v->inputs = weir_calloc(v->n_inputs * v->partitions, sizeof *v->inputs);
    if (!v->inputs) return weir_fail(&cli->ei, WEIR_E_NOMEM, "no memory for the public inputs");
    for (unsigned k = 0; k < v->partitions; k++)
        WEIR_TRY(weir_porep_public_inputs(v->inputs + k * v->n_inputs, &v->pub, k, &cli->ei));
    return WEIR_OK;
}

/* *decoded: the bytes are points of the right groups. If not, the answer is "not valid", and
 * `why` says more. A wrong length is an error: then it is the wrong file. */
static weir_err read_proofs(bool *decoded, verification *v, weir_cli *cli)
{
    const char *path = weir_args_get(&cli->args, "proof");
    uint64_t want = (uint64_t)v->partitions * WEIR_PROOF_BYTES;
    WEIR_TRY(weir_mapfile_open(&v->file, path, &cli->ei));
    if (v->file.size_bytes != want)
        return weir_fail(
            &cli->ei, v->file.size_bytes < want ? WEIR_E_TRUNCATED : WEIR_E_FORMAT,
            "%s: %" PRIu64 " bytes; a proof of %s has %" PRIu64 " (%u partitions of %d)%s", path,
            v->file.size_bytes, v->seal.registered->name, want, v->partitions, WEIR_PROOF_BYTES,
            v->seal.registered->feature == WEIR_POREP_NONINTERACTIVE
                ? "; aggregated proofs (SnarkPack) cannot be verified yet, only the partition "
                  "proofs"
                : "");
    v->proofs = weir_calloc(v->partitions, sizeof *v->proofs);
    if (!v->proofs) return weir_fail(&cli->ei, WEIR_E_NOMEM, "no memory for the proofs");
    weir_err err = weir_proofs_decode(v->proofs, v->file.data, v->file.size_bytes, v->partitions,
                                      cli->exec.isa, &v->why);
    *decoded = err == WEIR_OK;
    if (err == WEIR_OK || weir_err_exit_code(err) == WEIR_EXIT_DATA) return WEIR_OK;
    cli->ei = v->why;
    return err;
}

static weir_err decide(bool *valid, verification *v, weir_cli *cli)
{
    bool decoded = false;
    *valid = false;
    WEIR_TRY(read_proofs(&decoded, v, cli));
    if (!decoded) return WEIR_OK;
    WEIR_TRY(weir_verify_batch(valid, v->pvk, v->proofs, v->inputs, v->partitions, v->n_inputs,
                               &cli->exec, &cli->ei));
    if (*valid) return WEIR_OK;
    /* Which partition: users replace only that one. */
    for (unsigned k = 0; k < v->partitions; k++) {
        bool one;
        WEIR_TRY(weir_verify(&one, v->pvk, &v->proofs[k], v->inputs + k * v->n_inputs, v->n_inputs,
                             &cli->exec, &cli->ei));
        if (one) continue;
        weir_fail(&v->why, WEIR_E_BAD_PROOF, "partition %u of %u does not verify", k,
                  v->partitions);
        return WEIR_OK;
    }
    return weir_fail(&cli->ei, WEIR_E_INTERNAL,
                     "the batch is refused but each partition verifies: this machine errs");
}

static weir_err run(weir_cli *cli)
{
    verification v = {0};
    bool valid = false;
    char text[200];
    weir_err err;
    WEIR_TRY_GOTO(read_seal(&v, cli));
    WEIR_TRY_GOTO(weir_cli_stage(cli, "read key", NULL));
    WEIR_TRY_GOTO(read_key(&v, cli));
    WEIR_TRY_GOTO(weir_cli_stage(cli, "public inputs", NULL));
    WEIR_TRY_GOTO(make_inputs(&v, cli));
    WEIR_TRY_GOTO(weir_cli_stage(cli, "verify", NULL));
    WEIR_TRY_GOTO(decide(&valid, &v, cli));
    weir_report_end(&cli->report);
    cli->no = !valid;
    snprintf(text, sizeof text, "%s, sector %" PRIu64 ", %u partition%s", v.seal.registered->name,
             v.seal.sector_id, v.partitions, v.partitions == 1 ? "" : "s");
    if (cli->want_json) {
        weir_json_out_bool(&cli->json, "valid", valid);
        weir_json_out_string(&cli->json, "reason", valid ? NULL : v.why.text);
        weir_json_out_string(&cli->json, "registered_proof", v.seal.registered->name);
        weir_json_out_u64(&cli->json, "partitions", v.partitions);
        weir_json_out_hex(&cli->json, "replica_id", v.pub.replica_id.b, 32);
        weir_report_json(&cli->report, &cli->json);
    }
    if (valid)
        weir_cli_say(cli, "valid: %s", text);
    else
        weir_cli_say(cli, "NOT valid: %s: %s", text, v.why.text);
out:
    verification_clear(&v);
    return err;
}

const weir_command weir_cmd_verify_porep = {
    .verb = "verify",
    .noun = "porep",
    .summary = "verify PoRep proof bytes; no C1 file is needed",
    .opts = opts,
    .details =
        "Replica id, challenges and their parents are computed from the seven values: --public or "
        "each by its option.\n"
        "JSON: {\"registered_proof\": \"StackedDrg32GiBV1_1\", \"prover_id\": HEX, \"sector_id\": "
        "N, \"ticket\": HEX,\n"
        "\"seed\": HEX, \"comm_d\": HEX, \"comm_r\": HEX}, HEX being 64 digits in the order of the "
        "bytes.\n\n"
        "Three answers: exit code 0 valid, 1 NOT valid, any other: it could not be checked.\n\n"
        "Anyone can turn a valid Groth16 proof into other bytes that are valid for the same seal, "
        "without knowing\n"
        "the sector. So proof bytes are no identity: do not use them, or their hash, to tell "
        "proofs apart.\n",
    .examples = "weir verify porep --vk FILE.vk --proof proof.bin --public public.json\n"
                "weir verify porep --vk FILE.vk --proof proof.bin --registered-proof "
                "StackedDrg2KiBV1_1 --sector 12 \\\n"
                "    --prover-id HEX --ticket HEX --seed HEX --comm-d HEX --comm-r HEX",
    .run = run,
};
