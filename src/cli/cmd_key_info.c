/* weir key info: what kind of key is this file? */
#include "api/key_file.h"
#include "base/bytes.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/values.h"
#include "formats/published_keys.h"

#include <inttypes.h>
#include <string.h>

static const weir_opt opts[] = {
    {"digest", NULL,
     "also the digest as in parameters.json; reads the whole file\n(a native key has its source's, "
     "and shows it without this)",
     false},
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

static void tell_size(weir_cli *cli, const char *name, uint64_t bytes)
{
    char text[24], line[64];
    weir_bytes_print(text, bytes);
    snprintf(line, sizeof line, "%s (%" PRIu64 " bytes)", text, bytes);
    weir_cli_fact(cli, NULL, name, line);
    if (cli->want_json) weir_json_out_u64(&cli->json, "size_bytes", bytes);
}

/* Filecoin's name for the file of a PoRep circuit. */
static void tell_cache_name(weir_cli *cli, const weir_circuit_size *c, const char *ending)
{
    const weir_porep_shape *shape = weir_circuit_shape(c);
    char name[WEIR_CACHE_NAME_SIZE + 8];
    if (!shape) return;
    weir_porep_cache_name(name, shape);
    strcat(name, ending);
    weir_cli_fact(cli, "cache_name", "Filecoin's name", name);
}

/* Numbers of points in the order of the file, and the circuit they belong to. */
static void tell_counts(weir_cli *cli, const weir_key_file *k)
{
    static const char *const names[WEIR_CIRCUIT_COUNTS] = {"ic", "h", "l", "a", "b_g1", "b_g2"};
    uint64_t count[WEIR_CIRCUIT_COUNTS];
    weir_key_file_counts(count, k);
    const weir_circuit_size *c = weir_circuit_by_counts(count);
    if (cli->want_json) weir_json_out_object(&cli->json, "points");
    for (int i = 0; i < WEIR_CIRCUIT_COUNTS; i++) tell_count(cli, names[i], count[i]);
    if (cli->want_json) weir_json_out_end_object(&cli->json);
    weir_cli_fact(cli, "circuit", "circuit by counts", c ? c->name : "none of Filecoin's");
    if (c) tell_cache_name(cli, c, ".params");
}

/* What a native key says of the file that it was made of. */
static void tell_source(weir_cli *cli, const weir_native_header *h)
{
    char hex[2 * WEIR_SOURCE_DIGEST_BYTES + 1];
    if (h->source_bytes == 0) {
        weir_cli_say(cli, "%-18s none: made by 'weir key make'", "source");
        if (cli->want_json) weir_json_out_string(&cli->json, "source", NULL);
        return;
    }
    const weir_published_key *p = weir_published_by_digest(h->source);
    if (cli->want_json) weir_json_out_object(&cli->json, "source");
    tell_size(cli, "source size", h->source_bytes);
    weir_hex_print(hex, h->source, WEIR_KEY_DIGEST_BYTES);
    weir_cli_fact(cli, "digest", "source digest", hex);
    weir_hex_print(hex, h->source, WEIR_SOURCE_DIGEST_BYTES);
    if (cli->want_json) weir_json_out_string(&cli->json, "blake2b", hex);
    weir_cli_say(cli, "%-18s %s", "published as", p ? p->name : "none of Filecoin's keys");
    if (cli->want_json) {
        weir_json_out_string(&cli->json, "published", p ? p->name : NULL);
        weir_json_out_end_object(&cli->json);
    }
}

static void tell_native(weir_cli *cli, const weir_native_header *h)
{
    char hex[2 * WEIR_NATIVE_ORDER_BYTES + 1];
    weir_cli_fact(cli, "made_for", "made for",
                  h->circuit[0] ? h->circuit : "a circuit without a name");
    tell_count(cli, "rows", h->rows);
    tell_count(cli, "inputs", h->inputs);
    tell_count(cli, "aux", h->aux);
    tell_count(cli, "domain_log2", h->domain_log2);
    if (cli->want_json) weir_json_out_object(&cli->json, "arrays");
    for (int a = 0; a < WEIR_KEY_ARRAYS; a++)
        tell_count(cli, weir_native_array_names[a], h->count[a]);
    if (cli->want_json) weir_json_out_end_object(&cli->json);
    weir_hex_print(hex, h->order, WEIR_NATIVE_ORDER_BYTES);
    weir_cli_fact(cli, "order", "order", hex);
    tell_source(cli, h);
}

/* Structure and numbers only: the verifying key in it may be anybody's. */
static weir_err info_key(weir_cli *cli, const char *path, bool native)
{
    weir_key_file k = {0};
    WEIR_TRY(native ? weir_native_key_open(&k.native, path, &cli->ei)
                    : weir_params_open(&k.params, path, &cli->ei));
    weir_cli_fact(cli, "kind", "kind", native ? "proving key (native)" : "proving key (.params)");
    tell_size(cli, "size", weir_key_file_size(&k));
    tell_counts(cli, &k);
    if (native) tell_native(cli, weir_native_key_header(k.native));
    weir_key_file_close(&k);
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
    tell_size(cli, "size", bytes);
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
    bool native = weir_native_key_begins(file.data, file.size_bytes);
    weir_err err = is_vk(&file) ? info_vk(cli, path, file.size_bytes) : info_key(cli, path, native);
    if (err == WEIR_OK && !native && weir_args_has(&cli->args, "digest"))
        err = tell_digest(cli, &file);
    weir_mapfile_close(&file);
    return err;
}

const weir_command weir_cmd_key_info = {
    .verb = "key",
    .noun = "info",
    .summary = "sizes, counts and circuit of a .params, .weirkey or .vk file",
    .operand = "FILE",
    .opts = opts,
    .details = "The circuit is told by the numbers of points, not by the name of the file.\n"
               "Of a native key the header is printed: what it was made for and of. That it is so, "
               "its importer "
               "checked;\n'weir key check' checks that no byte has changed since.\n",
    .examples = "weir key info FILE.params\n"
                "weir key info FILE.weirkey --json\n"
                "weir key info FILE.vk --digest --json",
    .run = run,
};
