/* weir key info: what kind of key is this file? */
#include "api/key_file.h"
#include "base/bytes.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/values.h"

#include <inttypes.h>
#include <string.h>

static const weir_opt opts[] = {
    {"digest", NULL, "also the digest as in parameters.json; reads the whole file", false},
    WEIR_OPT_JSON,
    {NULL, NULL, NULL, false},
};

static void tell_count(weir_cli *cli, const char *name, uint64_t n)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, n);
    weir_cli_fact(cli, NULL, name, text);
    if (cli->want_json) weir_json_out_u64(&cli->json, name, n);
}

static void tell_size(weir_cli *cli, uint64_t bytes)
{
    char text[24], line[64];
    weir_bytes_print(text, bytes);
    snprintf(line, sizeof line, "%s (%" PRIu64 " bytes)", text, bytes);
    weir_cli_fact(cli, NULL, "size", line);
    if (cli->want_json) weir_json_out_u64(&cli->json, "size_bytes", bytes);
}

/* Filecoin's name for the file of a PoRep circuit. */
static void tell_cache_name(weir_cli *cli, const weir_circuit_size *c, const char *ending)
{
    const weir_porep_shape *shape;
    char name[WEIR_CACHE_NAME_SIZE + 8];
    if (strncmp(c->name, "porep-", 6) != 0 || !(shape = weir_porep_shape_by_name(c->name + 6)))
        return;
    weir_porep_cache_name(name, shape);
    strcat(name, ending);
    weir_cli_fact(cli, "cache_name", "Filecoin's name", name);
}

static weir_err info_params(weir_cli *cli, const char *path)
{
    static const char *const names[WEIR_CIRCUIT_COUNTS] = {"ic", "h", "l", "a", "b_g1", "b_g2"};
    weir_params *p = NULL;
    uint64_t count[WEIR_CIRCUIT_COUNTS];
    WEIR_TRY(weir_params_open(&p, path, &cli->ei));
    weir_key_file_counts(count, p);
    const weir_circuit_size *c = weir_circuit_by_counts(count);
    weir_cli_fact(cli, "kind", "kind", "proving key (.params)");
    tell_size(cli, p->size_bytes);
    if (cli->want_json) weir_json_out_object(&cli->json, "points");
    for (int i = 0; i < WEIR_CIRCUIT_COUNTS; i++) tell_count(cli, names[i], count[i]);
    if (cli->want_json) weir_json_out_end_object(&cli->json);
    weir_cli_fact(cli, "circuit", "circuit by counts", c ? c->name : "none of Filecoin's");
    if (c) tell_cache_name(cli, c, ".params");
    weir_params_close(p);
    return WEIR_OK;
}

/* Several circuits have the same number of public inputs; a .vk does not tell them apart. */
static weir_err info_vk(weir_cli *cli, const char *path, uint64_t bytes)
{
    weir_vk *vk = NULL;
    char list[400] = "";
    WEIR_TRY(weir_vk_open(&vk, path, cli->exec.isa, &cli->ei));
    for (const weir_circuit_size *c = NULL; (c = weir_circuit_by_ic(vk->n_ic, c));) {
        size_t n = strlen(list);
        snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", c->name);
    }
    weir_cli_fact(cli, "kind", "kind", "verifying key (.vk)");
    tell_size(cli, bytes);
    tell_count(cli, "ic", vk->n_ic);
    weir_cli_fact(cli, "circuits", "circuits by ic", list[0] ? list : "none of Filecoin's");
    bool insecure = weir_vk_is_insecure(vk);
    if (cli->want_json) weir_json_out_bool(&cli->json, "forgeable", insecure);
    if (insecure)
        weir_cli_say(
            cli,
            "Anyone can forge proofs for this key: gamma equals delta, or delta is the generator.");
    weir_vk_free(vk);
    return WEIR_OK;
}

/* A file that is exactly a verifying key is one; everything else has to be a proving key. */
static bool is_vk(const weir_mapfile *file)
{
    if (file->size_bytes < WEIR_VK_FIXED_BYTES + 4) return false;
    return file->size_bytes == weir_vk_bytes(weir_load_be32(file->data + WEIR_VK_FIXED_BYTES));
}

static weir_err tell_digest(weir_cli *cli, const weir_mapfile *file)
{
    uint8_t digest[WEIR_KEY_DIGEST_BYTES];
    char hex[2 * WEIR_KEY_DIGEST_BYTES + 1];
    weir_progress_label(&cli->progress, "reading");
    WEIR_TRY(weir_key_file_digest(digest, file->data, file->size_bytes, &cli->exec, &cli->ei));
    weir_hex_print(hex, digest, sizeof digest);
    weir_cli_fact(cli, "digest", "digest", hex);
    return WEIR_OK;
}

static weir_err run(weir_cli *cli)
{
    const char *path = cli->args.operand;
    weir_mapfile file;
    WEIR_TRY(weir_mapfile_open(&file, path, &cli->ei));
    weir_err err = is_vk(&file) ? info_vk(cli, path, file.size_bytes) : info_params(cli, path);
    if (err == WEIR_OK && weir_args_has(&cli->args, "digest")) err = tell_digest(cli, &file);
    weir_mapfile_close(&file);
    return err;
}

const weir_command weir_cmd_key_info = {
    .verb = "key",
    .noun = "info",
    .summary = "sizes, counts and circuit of a .params or .vk file",
    .operand = "FILE",
    .opts = opts,
    .details = "The circuit is told by the numbers of points, not by the name of the file.\n",
    .examples = "weir key info FILE.params\n"
                "weir key info FILE.vk --digest --json",
    .run = run,
};
