/* weir key import: from Filecoin's .params to a key that loads at the speed of the disk. */
#include "api/key_file.h"
#include "base/alloc.h"
#include "circuit/porep_circuit.h"
#include "cli/cli.h"
#include "cli/device.h"
#include "cli/values.h"
#include "curve/point_check.h"
#include "formats/key_import.h"
#include "formats/published_keys.h"

#include <inttypes.h>
#include <string.h>

static const weir_opt opts[] = {
    {"out", "FILE.weirkey",
     "the native key; without it, the name of the .params with the\nother ending", false},
    {"digest", "HEX",
     "what the digest of the .params must be, 32 hexadecimal digits;\nwithout it, Filecoin's "
     "published one",
     false},
    {"unpublished", NULL,
     "take the file whatever its digest: a key of 'weir key make', or\nof a network of one's own",
     false},
    {"device", "NAME", "who checks the points: cpu, gpu or gpu:N; default: a GPU if there is one",
     false},
    WEIR_OPT_THREADS,
    WEIR_OPT_JSON,
    {NULL, NULL, NULL, false},
};

typedef struct import {
    const char *in;
    char *out;
    weir_key_file key;
    const weir_circuit_size *circuit;
    const weir_porep_shape *shape;
    const weir_published_key *published; /* whose digest it must have */
    uint8_t digest[WEIR_KEY_DIGEST_BYTES];
    bool has_digest; /* that it must have */
    weir_relation *rel;
    uint64_t bytes; /* of the native key */
    weir_cli_device device;
    weir_device_keys keys;
    uint8_t source[WEIR_SOURCE_DIGEST_BYTES];
} import;

static void import_clear(import *im)
{
    weir_device_keys_close(&im->keys);
    weir_cli_device_close(&im->device);
    weir_relation_free(im->rel);
    weir_key_file_close(&im->key);
    weir_free(im->out);
}

/* ---- before the work: all that can be refused early */

static weir_err choose_out(import *im, const weir_args *args, weir_errinfo *ei)
{
    static const char from[] = ".params", to[] = ".weirkey";
    const char *given = weir_args_get(args, "out");
    size_t n = strlen(im->in), stem = n;
    if (n > strlen(from) && strcmp(im->in + n - strlen(from), from) == 0) stem -= strlen(from);
    im->out = given ? weir_strdup(given) : weir_malloc(stem + sizeof to, 1);
    if (!im->out) return weir_fail(ei, WEIR_E_NOMEM, "no memory for the name of the file");
    if (!given) sprintf(im->out, "%.*s%s", (int)stem, im->in, to);
    if (strcmp(im->out, im->in) == 0)
        return weir_fail(ei, WEIR_E_USAGE, "--out: %s is the file that is to be read", im->out);
    return weir_cli_output_ready(im->out, ei);
}

static weir_err find_circuit(import *im, weir_errinfo *ei)
{
    uint64_t count[WEIR_CIRCUIT_COUNTS];
    weir_key_file_counts(count, &im->key);
    im->circuit = weir_circuit_by_counts(count);
    if (!im->circuit)
        return weir_fail(ei, WEIR_E_MISMATCH,
                         "%s: its counts are those of no Filecoin circuit ('weir key info' shows "
                         "them)",
                         im->in);
    im->shape = weir_circuit_shape(im->circuit);
    if (!im->shape)
        return weir_fail(ei, WEIR_E_UNSUPPORTED,
                         "%s is a key of %s, and weir makes proofs of PoRep circuits only", im->in,
                         im->circuit->name);
    return WEIR_OK;
}

/* The digest that the file must have, or the wish that none is asked for. */
static weir_err choose_digest(import *im, const weir_args *args, weir_errinfo *ei)
{
    char name[WEIR_CACHE_NAME_SIZE];
    const char *hex = weir_args_get(args, "digest");
    bool unpublished = weir_args_has(args, "unpublished");
    if (hex && unpublished)
        return weir_fail(ei, WEIR_E_USAGE, "give one of --digest HEX and --unpublished");
    im->has_digest = !unpublished;
    if (unpublished) return WEIR_OK;
    if (hex) return weir_value_hex(im->digest, sizeof im->digest, "digest", hex, ei);
    weir_porep_cache_name(name, im->shape);
    im->published = weir_published_by_name(name);
    if (!im->published)
        return weir_fail(ei, WEIR_E_USAGE,
                         "Filecoin published no key of %s: say with --digest HEX which file this "
                         "must be, or with --unpublished that any will do",
                         im->circuit->name);
    memcpy(im->digest, im->published->digest, sizeof im->digest);
    return WEIR_OK;
}

static weir_err prepare(weir_cli *cli, import *im)
{
    bool native;
    weir_errinfo *ei = &cli->ei;
    WEIR_TRY(weir_cli_stage(cli, "structure", NULL));
    WEIR_TRY(weir_key_file_is_native(&native, im->in, ei));
    if (native) return weir_fail(ei, WEIR_E_USAGE, "%s is a native key already", im->in);
    WEIR_TRY(weir_key_file_open(&im->key, im->in, NULL, cli->exec.isa, ei));
    WEIR_TRY(find_circuit(im, ei));
    WEIR_TRY(choose_digest(im, &cli->args, ei));
    return choose_out(im, &cli->args, ei);
}

static weir_err build(weir_cli *cli, import *im)
{
    weir_native_header h;
    WEIR_TRY(weir_cli_stage(cli, "build relation", NULL));
    WEIR_TRY(weir_porep_relation(&im->rel, im->shape, 0, &cli->ei));
    WEIR_TRY(weir_native_header_of(&h, im->rel, NULL, &cli->ei));
    im->bytes = weir_native_key_bytes(&h);
    return weir_cli_room(im->out, im->bytes, &cli->ei);
}

/* ---- the work */

static void duration_print(char out[24], uint64_t ns)
{
    uint64_t s = ns / 1000000000;
    if (s < 120)
        snprintf(out, 24, "%" PRIu64 " s", s + 1);
    else if (s < 7200)
        snprintf(out, 24, "%" PRIu64 " min", (s + 30) / 60);
    else
        snprintf(out, 24, "%.1f h", (double)s / 3600);
}

static void count_points(const import *im, uint64_t *g1, uint64_t *g2)
{
    *g1 = 0;
    *g2 = im->key.params->section[WEIR_KEY_B_G2].count;
    for (int s = 0; s < WEIR_KEY_B_G2; s++) *g1 += im->key.params->section[s].count;
}

/* What is going to happen, and how long it will take. */
static weir_err announce(weir_cli *cli, const import *im)
{
    uint64_t ns, g1, g2;
    char time[24], hex[2 * WEIR_KEY_DIGEST_BYTES + 1], where[120];
    count_points(im, &g1, &g2);
    WEIR_TRY(weir_point_check_estimate(&ns, &im->keys.check, g1, g2, &cli->ei));
    duration_print(time, ns);
    weir_hex_print(hex, im->digest, sizeof im->digest);
    snprintf(where, sizeof where, "%u threads of the CPU", weir_pool_threads(cli->exec.pool));
    if (im->keys.has_multiplier) snprintf(where, sizeof where, "%s", im->device.open.name);
    weir_cli_note(cli, "%s: %s; checking %.1f million points on %s takes about %s", im->in,
                  im->circuit->name, (double)(g1 + g2) / 1e6, where, time);
    if (im->published)
        weir_cli_note(
            cli,
            "At the end its digest must be that of Filecoin's key, %s (a key of 'weir key "
            "make': --unpublished).",
            hex);
    if (!im->has_digest)
        weir_cli_note(cli, "Its digest will be compared with nothing: whose key it is, you know.");
    return WEIR_OK;
}

static weir_err convert(weir_cli *cli, import *im)
{
    uint64_t g1, g2;
    const weir_key_import job = {.params = im->key.params,
                                 .rel = im->rel,
                                 .circuit = im->circuit->name,
                                 .out_path = im->out,
                                 .digest = im->has_digest ? im->digest : NULL,
                                 .digest_bytes = sizeof im->digest,
                                 .check = &im->keys.check};
    count_points(im, &g1, &g2);
    WEIR_TRY(weir_cli_device_open_keys(&im->device, &im->keys, cli, g1 + g2));
    WEIR_TRY(announce(cli, im));
    WEIR_TRY(weir_cli_stage(cli, "import", "importing"));
    return weir_key_import_run(im->source, &job, &cli->exec, &cli->ei);
}

static void tell(weir_cli *cli, const import *im)
{
    char hex[2 * WEIR_KEY_DIGEST_BYTES + 1], size[24];
    const weir_published_key *p = weir_published_by_digest(im->source);
    weir_hex_print(hex, im->source, WEIR_KEY_DIGEST_BYTES);
    weir_bytes_print(size, im->bytes);
    weir_cli_fact(cli, "out", "native key", im->out);
    weir_cli_fact(cli, NULL, "size", size);
    weir_cli_fact(cli, "circuit", "circuit", im->circuit->name);
    weir_cli_fact(cli, "digest", "source digest", hex);
    weir_cli_say(cli, "%-18s %s", "that is",
                 p ? "Filecoin's published key"
                 : im->has_digest
                     ? "as it should be"
                     : "none of Filecoin's keys, and nothing else it was compared with");
    if (cli->want_json) {
        weir_json_out_u64(&cli->json, "size_bytes", im->bytes);
        weir_json_out_string(&cli->json, "published", p ? p->name : NULL);
        weir_json_out_bool(&cli->json, "digest_compared", im->has_digest);
    }
    weir_cli_report(cli);
}

static weir_err run(weir_cli *cli)
{
import im = {.in = cli->args.operand };
    weir_err err;
    WEIR_TRY_GOTO(prepare(cli, &im));
    WEIR_TRY_GOTO(build(cli, &im));
    WEIR_TRY_GOTO(convert(cli, &im));
    tell(cli, &im);
out:
    import_clear(&im);
    return err;
}

const weir_command weir_cmd_key_import = {
    .verb = "key",
    .noun = "import",
    .summary = "make a native key of a .params: checked once, loaded at the speed of the disk",
    .operand = "FILE.params",
    .opts = opts,
    .details =
        "The .params is read once: every point is checked (encoding, curve, subgroup, not "
        "infinity) "
        "and brought into\n"
        "the form in which devices take it, and the digest of the whole file is compared with "
        "Filecoin's parameters.json.\n"
        "Only then the native key gets its name; after an error or Ctrl-C there is none. It is as "
        "large as the .params,\n"
        "and 'prove' and the C interface take it in place of that. Each block in it has a SHA-256, "
        "which is compared when\n"
        "the block is read.\n\n"
        "Checking is work for a GPU: on the CPU it takes minutes of one core for a 2KiB key and "
        "hours for a "
        "32GiB key. The command\n"
        "says how long before it begins. It takes 0.4 GiB of memory for 32GiB.\n",
    .examples = "weir key import FILE.params\n"
                "weir key import FILE.params --out /fast/porep-32GiB.weirkey\n"
                "weir key import keys/FILE.params --unpublished --out test.weirkey",
    .run = run,
};
