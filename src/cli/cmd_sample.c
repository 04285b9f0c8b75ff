/* weir sample porep: a consistent C1 file from a seed. */
#include "base/file.h"
#include "cli/cli.h"
#include "cli/seal.h"
#include "cli/values.h"
#include "formats/c1.h"

#include <stdlib.h>
#include <string.h>

static const weir_opt opts[] = {
    {"sector-size", "SIZE", "2KiB, 8MiB, 512MiB, 32GiB or 64GiB", false},
    {"registered-proof", "NAME", "name or number; default: V1_1 of the sector size", false},
    {"seed", "N", "everything in the file follows from it", true},
    {"out", "FILE", "the C1 file", true},
    {"format", "FORM", "api (default), json, outer or bincode; see below", false},
    {"public", "FILE", "also write what 'weir verify porep --public' wants", false},
    WEIR_OPT_JSON,
    {NULL, NULL, NULL, false},
};

static const char *const forms[] = {"json", "api", "outer",
                                    "bincode"}; /* in the order of weir_c1_kind */

static weir_err parse_form(weir_c1_kind *out, const char *text, weir_errinfo *ei)
{
    *out = WEIR_C1_API;
    if (!text) return WEIR_OK;
    for (int i = 0; i < 4; i++) {
        if (strcmp(text, forms[i]) != 0) continue;
        *out = (weir_c1_kind)i;
        return WEIR_OK;
    }
    return weir_fail(ei, WEIR_E_USAGE, "--format: '%s' is none of json, api, outer, bincode", text);
}

static weir_err parse_registered(const weir_registered_porep **out, const weir_args *args,
                                 weir_errinfo *ei)
{
    const char *size = weir_args_get(args, "sector-size"),
               *name = weir_args_get(args, "registered-proof");
    const weir_porep_shape *shape = NULL;
    if (size) WEIR_TRY(weir_value_sector_size(&shape, "sector-size", size, ei));
    if (name) {
        WEIR_TRY(weir_value_registered(out, "registered-proof", name, ei));
        if (shape && (*out)->shape != shape)
            return weir_fail(ei, WEIR_E_USAGE, "%s is not a proof of a %s sector", (*out)->name,
                             shape->name);
        return WEIR_OK;
    }
    if (!shape)
        return weir_fail(ei, WEIR_E_USAGE, "give --sector-size SIZE or --registered-proof NAME");
    char text[64];
    snprintf(text, sizeof text, "StackedDrg%sV1_1", shape->name);
    *out = weir_registered_porep_by_name(text);
    if (*out) return WEIR_OK;
    return weir_fail(
        ei, WEIR_E_UNSUPPORTED,
        "%s sectors have no registered proof; samples are of 2KiB, 8MiB, 512MiB, 32GiB and 64GiB",
        shape->name);
}

static weir_err write_c1(const char *path, const weir_porep_input *in, weir_c1_kind kind,
                         uint64_t sector, weir_errinfo *ei)
{
    weir_outfile out;
    weir_c1_info info = {.kind = kind,
                         .inner = WEIR_C1_API,
                         .sector_number = sector,
                         .sector_bytes = in->shape->sector_bytes};
    WEIR_TRY(weir_outfile_open(&out, path, ei));
    weir_err err = kind == WEIR_C1_BINCODE ? weir_c1_write_bincode(&out, in, ei)
                                           : weir_c1_write_json(&out, in, kind, &info, ei);
    if (err == WEIR_OK) err = weir_outfile_commit(&out, ei);
    weir_outfile_discard(&out);
    return err;
}

static weir_err write_public(const char *path, const weir_porep_input *in,
                             const weir_sample_sector *sector, weir_errinfo *ei)
{
    weir_porep_public_values seal = {.registered = in->registered,
                                     .sector_id = sector->sector,
                                     .comm_d = in->comm_d,
                                     .comm_r = in->comm_r};
    memcpy(seal.prover_id, sector->prover_id, 32);
    memcpy(seal.ticket, in->ticket.b, 32);
    memcpy(seal.seed, in->seed.b, 32);
    return weir_seal_save(&seal, path, ei);
}

static weir_err run(weir_cli *cli)
{
    const char *out = weir_args_get(&cli->args, "out"), *pub = weir_args_get(&cli->args, "public");
    weir_sample_opts sample = {0};
    weir_sample_sector sector;
    weir_c1_kind kind;
    weir_porep_input *in = NULL;
    weir_errinfo *ei = &cli->ei;
    weir_err err;
    WEIR_TRY(parse_form(&kind, weir_args_get(&cli->args, "format"), ei));
    WEIR_TRY(parse_registered(&sample.registered, &cli->args, ei));
    WEIR_TRY(
        weir_value_u64(&sample.seed, "seed", weir_args_get(&cli->args, "seed"), 0, UINT64_MAX, ei));

    WEIR_TRY(weir_cli_output_ready(out, ei));
    WEIR_TRY_GOTO(weir_cli_stage(cli, "sample", NULL));
    WEIR_TRY_GOTO(weir_porep_sample(&in, &sector, &sample, ei));
    WEIR_TRY_GOTO(weir_cli_stage(cli, "native check", NULL));
    WEIR_TRY_GOTO(weir_porep_input_check(in, ei));
    WEIR_TRY_GOTO(weir_porep_native_check(in, &cli->exec, ei));
    WEIR_TRY_GOTO(weir_cli_stage(cli, "write", NULL));
    WEIR_TRY_GOTO(write_c1(out, in, kind, sector.sector, ei));
    if (pub) WEIR_TRY_GOTO(write_public(pub, in, &sector, ei));
    weir_cli_fact(cli, "registered_proof", "registered proof", in->registered->name);
    weir_cli_fact(cli, "c1", "C1 file", out);
    weir_cli_fact(cli, "format", "format", forms[kind]);
    if (pub) weir_cli_fact(cli, "public", "public values", pub);
    weir_cli_say(cli, "Checked natively: challenges, parents, labels, columns and paths fit. "
                      "Nothing was sealed.");
out:
    weir_porep_input_free(in);
    return err;
}

const weir_command weir_cmd_sample_porep = {
    .verb = "sample",
    .noun = "porep",
    .summary = "make a consistent Commit Phase 1 file from a seed",
    .opts = opts,
    .details = "Nothing is sealed: only what the challenges touch is made, so that a 32GiB file "
               "takes seconds. The file\n"
               "passes 'weir check porep' and can be proved; it is of no use on the network.\n"
               "Synthetic and non-interactive proofs can be sampled at 2KiB only.\n\n"
               "Formats: json = filecoin-proofs; api = filecoin-proofs-api, Lotus and Curio; outer "
               "= the object with\n"
               "base64 that Curio sends to a prover; bincode = binary form of filecoin-proofs. "
               "Prove reads them all.\n",
    .examples = "weir sample porep --sector-size 2KiB --seed 1 --out c1.json --public public.json\n"
                "weir sample porep --sector-size 32GiB --seed 7 --out c1.bin --format bincode\n"
                "weir sample porep --registered-proof StackedDrg2KiBV1_1_Feat_SyntheticPoRep "
                "--seed 2 --out c1.json",
    .run = run,
};
