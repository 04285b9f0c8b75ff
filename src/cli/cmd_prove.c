/* weir prove porep: from the output of Commit Phase 1 to proof bytes.
 *
 * Nothing is written before every partition's proof has been verified, with public inputs that come
 * from the C1 file and not from the witness.
 */
#include "api/key_file.h"
#include "base/alloc.h"
#include "base/file.h"
#include "circuit/porep_rows.h"
#include "cli/c1_file.h"
#include "cli/cli.h"
#include "cli/device.h"
#include "cli/memory.h"
#include "cli/values.h"
#include "field/fr.h"
#include "formats/proof_bytes.h"

#include <inttypes.h>
#include <string.h>

static const weir_opt opts[] = {
    {"c1", "FILE", "output of Commit Phase 1, in any form", true},
    {"key", "FILE",
     "proving key of the sector size: Filecoin's .params, or a\n.weirkey of 'weir key import'",
     true},
    {"vk", "FILE.vk", "also compare the key with this verifying key", false},
    {"out", "FILE",
     "proof bytes, 192 for each partition; without it they are\nprinted in hexadecimal", false},
#ifdef WEIR_TEST_BLINDING
    {"test-r", "HEX", "blinding r, a number below the field's modulus: NOT hiding", false},
    {"test-s", "HEX", "blinding s", false},
#endif
    WEIR_OPT_DEVICE,
    WEIR_OPT_THREADS,
    WEIR_OPT_JSON,
    {NULL, NULL, NULL, false},
};

typedef struct prove {
    weir_porep_input *in;
    weir_key_file key;
    weir_pvk *pvk;
    weir_relation *rel;
    weir_cli_device device;
    weir_prover *prover;
    weir_porep_filler *filler;
    weir_witness *w;
    weir_fr *inputs; /* public inputs of one partition, without ONE */
    size_t n_inputs;
    weir_proof *proofs;
    uint8_t *bytes;
    weir_prove_stats stats; /* summed over the partitions */
} prove;

static void prove_clear(prove *p)
{
    weir_free(p->bytes);
    weir_free(p->proofs);
    weir_free(p->inputs);
    weir_witness_free(p->w);
    weir_porep_filler_free(p->filler);
    weir_prover_free(p->prover);
    weir_cli_device_close(&p->device);
    weir_relation_free(p->rel);
    weir_pvk_free(p->pvk);
    weir_key_file_close(&p->key);
    weir_porep_input_free(p->in);
}

/* ---- before the work: all that can be refused early */

static weir_err read_input(weir_cli *cli, prove *p)
{
    const char *path = weir_args_get(&cli->args, "c1");
    weir_c1_info info;
    char text[200];
    WEIR_TRY(weir_cli_stage(cli, "read C1", NULL));
    WEIR_TRY(weir_c1_open(&p->in, &info, path, &cli->ei));
    weir_c1_describe(text, sizeof text, p->in);
    weir_cli_note(cli, "%s: %s (%s)", path, text, weir_c1_kind_text(info.kind));
    if (p->in->registered && p->in->registered->feature == WEIR_POREP_NONINTERACTIVE)
        weir_cli_note(cli,
                      "Non-interactive PoRep: the %u partition proofs are made. The network takes "
                      "them aggregated by "
                      "SnarkPack, which weir does not do yet.",
                      p->in->partitions);
    WEIR_TRY(weir_cli_stage(cli, "check C1", NULL));
    weir_err err = weir_porep_native_check(p->in, &cli->exec, &cli->ei);
    if (err == WEIR_E_MISMATCH) {
        weir_errinfo why = cli->ei;
        return weir_fail(
            &cli->ei, WEIR_E_UNSATISFIED,
            "%s: %s; no proof can come of it ('weir check porep' names the row of the circuit)",
            path, why.text);
    }
    if (err != WEIR_OK) weir_errinfo_prefix(&cli->ei, "%s: ", path);
    return err;
}

static weir_err open_key(weir_cli *cli, prove *p)
{
    WEIR_TRY(weir_cli_stage(cli, "open key", NULL));
    WEIR_TRY(weir_key_file_open(&p->key, weir_args_get(&cli->args, "key"),
                                weir_args_get(&cli->args, "vk"), cli->exec.isa, &cli->ei));
    WEIR_TRY(weir_key_file_is_porep(&p->key, p->in->shape, &cli->ei));
    return weir_pvk_new(&p->pvk, p->key.vk, cli->exec.isa, &cli->ei);
}

static weir_err open_prover(weir_cli *cli, prove *p)
{
    char text[200];
    WEIR_TRY(weir_cli_stage(cli, "open device", NULL));
    WEIR_TRY(weir_cli_device_open(&p->device, cli, p->rel));
    weir_cli_device_print(text, sizeof text, &p->device);
    weir_cli_note(cli, "%s", text);
    uint64_t need = p->device.need.host_bytes + weir_witness_bytes(p->rel);
    WEIR_TRY(weir_memory_fits(need, "this proof", &cli->ei));
    WEIR_TRY(weir_cli_stage(cli, "load key", NULL));
    return weir_prover_new(&p->prover, p->device.open.backend, p->rel, &p->key.pkey,
                           p->device.budget_bytes, &cli->exec, &cli->ei);
}

static weir_err build(weir_cli *cli, prove *p)
{
    weir_errinfo *ei = &cli->ei;
    unsigned n = p->in->partitions;
    WEIR_TRY(weir_cli_stage(cli, "build relation", NULL));
    WEIR_TRY(weir_porep_relation(&p->rel, p->in->shape, p->in->challenges, ei));
    WEIR_TRY(weir_key_file_fit(&p->key, p->rel, ei));
    WEIR_TRY(open_prover(cli, p));
    WEIR_TRY(weir_cli_stage(cli, "build relation", NULL));
    WEIR_TRY(weir_porep_filler_new(&p->filler, p->in->shape, ei));
    WEIR_TRY(weir_witness_new(&p->w, p->rel, cli->exec.slabs, ei));
    p->n_inputs = p->rel->inputs - 1;
    p->inputs = weir_calloc(p->n_inputs, sizeof *p->inputs);
    p->proofs = weir_calloc(n, sizeof *p->proofs);
    p->bytes = weir_calloc(n, WEIR_PROOF_BYTES);
    if (p->inputs && p->proofs && p->bytes) return WEIR_OK;
    return weir_fail(ei, WEIR_E_NOMEM, "no memory for %u proofs", n);
}

/* ---- one partition */

#ifdef WEIR_TEST_BLINDING
static weir_err test_scalar(weir_scalar *out, const weir_args *args, const char *option,
                            weir_errinfo *ei)
{
    const char *text = weir_args_get(args, option);
    uint8_t be[32], le[32];
    if (!text) return weir_fail(ei, WEIR_E_USAGE, "--test-r and --test-s go together");
    WEIR_TRY(weir_value_hex(be, 32, option, text, ei));
    for (int i = 0; i < 32; i++) le[i] = be[31 - i];
    scalar_from_le(out, le);
    return scalar_is_reduced(out)
               ? WEIR_OK
               : weir_fail(ei, WEIR_E_USAGE, "--%s: not below the modulus", option);
}
#endif

static weir_err choose_blinding(weir_blinding *out, weir_cli *cli)
{
#ifdef WEIR_TEST_BLINDING
    if (weir_args_has(&cli->args, "test-r") || weir_args_has(&cli->args, "test-s")) {
        WEIR_TRY(test_scalar(&out->r, &cli->args, "test-r", &cli->ei));
        return test_scalar(&out->s, &cli->args, "test-s", &cli->ei);
    }
#endif
    return weir_blinding_fresh(out, &cli->ei);
}

/* A proof that does not verify: is it the input, or the key or machine? */
static weir_err explain_failure(weir_cli *cli, const prove *p, unsigned k)
{
    char text[200];
    weir_progress_label(&cli->progress, "the proof does not verify: looking for the cause");
    uint64_t row = weir_relation_check(p->w, &cli->exec);
    if (weir_exec_cancelled(&cli->exec)) return weir_fail(&cli->ei, WEIR_E_CANCELLED, "stopped");
    if (row < p->rel->rows) {
        weir_porep_row_describe(text, sizeof text, p->rel, p->in->shape, row);
        return weir_fail(
            &cli->ei, WEIR_E_UNSATISFIED,
            "%s: partition %u does not satisfy the circuit, first at %s; nothing was written",
            weir_args_get(&cli->args, "c1"), k, text);
    }
    return weir_fail(&cli->ei, WEIR_E_BAD_PROOF,
                     "the proof of partition %u does not verify although its input satisfies the "
                     "circuit: the key is "
                     "damaged or of another circuit ('weir key check --key %s'), or this machine "
                     "errs; nothing was written",
                     k, weir_args_get(&cli->args, "key"));
}

static void add_stats(prove *p, const weir_prove_stats *s)
{
    weir_prove_stats *t = &p->stats;
    t->eval_ns += s->eval_ns;
    t->ntt_ns += s->ntt_ns;
    t->h_ns += s->h_ns;
    t->l_ns += s->l_ns;
    t->a_ns += s->a_ns;
    t->b1_ns += s->b1_ns;
    t->b2_ns += s->b2_ns;
    t->finish_ns += s->finish_ns;
    t->bit_points += s->bit_points;
    t->dense_points += s->dense_points;
}

static weir_err prove_partition(weir_cli *cli, prove *p, unsigned k)
{
    weir_errinfo *ei = &cli->ei;
    weir_blinding blinding;
    weir_fill_stats filled;
    weir_prove_stats stats = {0};
    bool valid = false;
    char label[64];
    snprintf(label, sizeof label, "partition %u of %u", k + 1, p->in->partitions);
    WEIR_TRY(weir_cli_stage(cli, "fill", label));
    weir_witness_reset(p->w);
    WEIR_TRY(weir_porep_fill(p->w, p->filler, p->in, k, &filled, &cli->exec, ei));

    WEIR_TRY(weir_cli_stage(cli, "prove", label));
    WEIR_TRY(choose_blinding(&blinding, cli));
    weir_err err =
        weir_prover_prove(p->prover, &p->proofs[k], p->w, &blinding, &stats, &cli->exec, ei);
    weir_wipe(&blinding, sizeof blinding);
    if (err != WEIR_OK) return err;
    add_stats(p, &stats);

    WEIR_TRY(weir_cli_stage(cli, "verify", label));
    weir_porep_stated_inputs(p->inputs, p->in, k);
    WEIR_TRY(weir_verify(&valid, p->pvk, &p->proofs[k], p->inputs, p->n_inputs, &cli->exec, ei));
    return valid ? WEIR_OK : explain_failure(cli, p, k);
}

/* ---- after the work */

static void tell_stats(weir_cli *cli, const prove *p)
{
    const weir_prove_stats *s = &p->stats;
    const struct {
        const char *key;
        uint64_t ns;
    } part[] = {{"rows", s->eval_ns}, {"ntt", s->ntt_ns},      {"h", s->h_ns},
                {"l", s->l_ns},       {"a", s->a_ns},          {"b_g1", s->b1_ns},
                {"b_g2", s->b2_ns},   {"finish", s->finish_ns}};
    enum { PARTS = sizeof part / sizeof part[0] };
    if (cli->want_json) {
        weir_json_out_object(&cli->json, "prove_s");
        for (int i = 0; i < PARTS; i++) weir_json_out_seconds(&cli->json, part[i].key, part[i].ns);
        weir_json_out_end_object(&cli->json);
        weir_json_out_u64(&cli->json, "bit_points", s->bit_points);
        weir_json_out_u64(&cli->json, "dense_points", s->dense_points);
        return;
    }
    fprintf(stderr, "of prove, s:");
    for (int i = 0; i < PARTS; i++)
        fprintf(stderr, "  %s %.2f", part[i].key, (double)part[i].ns / 1e9);
    fprintf(stderr, "\npoints of l, a, b: %" PRIu64 " by their bit, %" PRIu64 " by a scalar\n",
            s->bit_points, s->dense_points);
}

static weir_err deliver(weir_cli *cli, prove *p)
{
    const char *path = weir_args_get(&cli->args, "out");
    size_t n = (size_t)p->in->partitions * WEIR_PROOF_BYTES;
    WEIR_TRY(weir_cli_stage(cli, "write", NULL));
    weir_proofs_encode(p->bytes, p->proofs, p->in->partitions, cli->exec.isa);
    if (path) WEIR_TRY(weir_file_write(path, p->bytes, n, &cli->ei));
    if (cli->want_json) {
        weir_json_out_string(&cli->json, "out", path);
        weir_json_out_string(&cli->json, "sector_size", p->in->shape->name);
        weir_json_out_string(&cli->json, "registered_proof",
                             p->in->registered ? p->in->registered->name : NULL);
        weir_json_out_string(&cli->json, "device", p->device.open.name);
        weir_json_out_u64(&cli->json, "partitions", p->in->partitions);
        weir_json_out_bool(&cli->json, "verified", true);
        weir_json_out_hex(&cli->json, "proof", p->bytes, n);
    } else if (path) {
        weir_cli_say(cli, "%s: %zu bytes, %u partition%s, verified", path, n, p->in->partitions,
                     p->in->partitions == 1 ? "" : "s");
    } else {
        for (size_t i = 0; i < n; i++) printf("%02x", p->bytes[i]);
        putchar('\n');
    }
    weir_cli_report(cli);
    tell_stats(cli, p);
    return WEIR_OK;
}

static weir_err run(weir_cli *cli)
{
    prove p = {0};
    const char *out = weir_args_get(&cli->args, "out");
    weir_err err;
    WEIR_TRY_GOTO(weir_cli_device_open(&p.device, cli, NULL));
    if (out) WEIR_TRY_GOTO(weir_cli_output_ready(out, &cli->ei));
    WEIR_TRY_GOTO(read_input(cli, &p));
    WEIR_TRY_GOTO(open_key(cli, &p));
    WEIR_TRY_GOTO(build(cli, &p));
    for (unsigned k = 0; k < p.in->partitions; k++) WEIR_TRY_GOTO(prove_partition(cli, &p, k));
    WEIR_TRY_GOTO(deliver(cli, &p));
out:
    prove_clear(&p);
    return err;
}

const weir_command weir_cmd_prove_porep = {
    .verb = "prove",
    .noun = "porep",
    .summary = "make the PoRep proof of a Commit Phase 1 file (C2)",
    .opts = opts,
    .details =
        "The C1 file is recognised by its content: JSON of filecoin-proofs or of its API, "
        "Curio's object with base64,\n"
        "bincode. It is checked natively first, so that a bad file is refused at once. "
        "Every proof is verified\n"
        "before anything is written; the file then appears whole or not at all.\n\n"
        "A GPU takes the key once and then proves partition after partition. Where its memory is "
        "too small "
        "for the key,\n"
        "the key stays in memory of the host and is sent in pieces. The proof is the same.\n\n"
        "Time and memory by stage go to standard error at the end. Ctrl-C stops and writes "
        "nothing.\n",
    .examples =
        "weir prove porep --c1 c1.json --key FILE.params --out proof.bin\n"
        "weir prove porep --c1 c1.json --key FILE.params --vk FILE.vk --out proof.bin --json\n"
        "weir prove porep --c1 c1.json --key FILE.weirkey --out proof.bin\n"
        "weir prove porep --c1 c1.bin --key FILE.params --device gpu --budget-device 16GiB > "
        "proof.hex",
    .run = run,
};
