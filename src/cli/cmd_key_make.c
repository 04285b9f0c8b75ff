/* weir key make: a key from known secrets, for tests and demonstrations. */
#include "api/key_file.h"
#include "base/alloc.h"
#include "base/file.h"
#include "circuit/porep_circuit.h"
#include "cli/cli.h"
#include "cli/device.h"
#include "cli/values.h"
#include "formats/secrets_json.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#define NATIVE_ENDING ".weirkey"

static const weir_opt opts[] = {
    {"circuit", "NAME", "porep-2KiB, porep-8MiB, porep-32GiB and so on", true},
    {"out", "DIR|FILE" NATIVE_ENDING,
     "folder of the files, made if it is not there; or the name of a\nnative key, which gets its "
     ".vk beside it",
     true},
    {"secrets", "FILE", "JSON: alpha, beta, gamma, delta, tau as \"0x...\"", false},
    {"insecure-seed", "N", "secrets that follow from a number anyone can guess", false},
    {"device", "NAME", "who multiplies: cpu, gpu or gpu:N; default: a GPU if there is one", false},
    WEIR_OPT_THREADS,
    WEIR_OPT_JSON,
    {NULL, NULL, NULL, false},
};

static void warn(weir_cli *cli)
{
    weir_cli_note(
        cli, "*******************************************************************************\n"
             "** UNSAFE KEY. Whoever knows its secrets can prove anything, so no proof made **\n"
             "** with it means anything. For tests and demonstrations only; the network     **\n"
             "** accepts only Filecoin's own keys.                                          **\n"
             "*******************************************************************************");
}

static weir_err read_secrets(weir_secrets *out, const weir_args *args, weir_errinfo *ei)
{
    const char *path = weir_args_get(args, "secrets"), *seed = weir_args_get(args, "insecure-seed");
    if (!path == !seed)
        return weir_fail(ei, WEIR_E_USAGE, "give one of --secrets FILE and --insecure-seed N");
    if (seed) {
        uint64_t n;
        WEIR_TRY(weir_value_u64(&n, "insecure-seed", seed, 0, UINT64_MAX, ei));
        weir_secrets_from_seed(out, n);
        return WEIR_OK;
    }
    weir_mapfile file;
    WEIR_TRY(weir_mapfile_open(&file, path, ei));
    weir_err err = weir_secrets_read(out, file.data, file.size_bytes, ei);
    weir_mapfile_close(&file);
    if (err != WEIR_OK) weir_errinfo_prefix(ei, "%s: ", path);
    return err;
}

static uint64_t params_bytes(const weir_circuit_size *c)
{
    uint64_t n[WEIR_CIRCUIT_COUNTS];
    weir_circuit_counts(n, c);
    return weir_vk_bytes((uint32_t)n[0]) + 4 * WEIR_KEY_SECTIONS +
           (n[1] + n[2] + n[3] + n[4]) * WEIR_G1_BYTES + n[5] * WEIR_G2_BYTES;
}

/* The folder is there, and has room for the file. */
static weir_err prepare_folder(const char *dir, uint64_t bytes, weir_errinfo *ei)
{
    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return weir_fail(ei, WEIR_E_IO, "%s: cannot make the folder: %s", dir, strerror(errno));
    return weir_cli_room(dir, bytes, ei);
}

typedef struct paths {
    bool native; /* key is a native key, not a .params */
    char *key, *vk;
} paths;

static weir_err make_paths(paths *p, const char *out, const weir_porep_shape *shape,
                           weir_errinfo *ei)
{
    char name[WEIR_CACHE_NAME_SIZE];
    size_t stem = strlen(out) - (p->native ? strlen(NATIVE_ENDING) : 0);
    size_t n = strlen(out) + sizeof name + sizeof "/.params";
    weir_porep_cache_name(name, shape);
    p->key = weir_malloc(n, 1);
    p->vk = weir_malloc(n, 1);
    if (!p->key || !p->vk)
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for the names of the files");
    if (p->native) {
        snprintf(p->key, n, "%s", out);
        snprintf(p->vk, n, "%.*s.vk", (int)stem, out);
    } else {
        snprintf(p->key, n, "%s/%s.params", out, name);
        snprintf(p->vk, n, "%s/%s.vk", out, name);
    }
    return WEIR_OK;
}

/* What can be refused before the work. */
static weir_err prepare(paths *p, const char *out, const weir_porep_shape *shape, weir_errinfo *ei)
{
    size_t n = strlen(out), ending = strlen(NATIVE_ENDING);
    uint64_t bytes = params_bytes(weir_circuit_porep(shape));
    p->native = n > ending && strcmp(out + n - ending, NATIVE_ENDING) == 0;
    if (p->native) {
        WEIR_TRY(weir_cli_output_ready(out, ei));
        WEIR_TRY(weir_cli_room(out, bytes + bytes / 1000, ei)); /* digests, and whole pages */
    } else {
        WEIR_TRY(prepare_folder(out, bytes, ei));
    }
    return make_paths(p, out, shape, ei);
}

/* Points to a sink, made by a GPU if there is one. */
static weir_err make_points(weir_cli *cli, const weir_relation *rel, const weir_secrets *secrets,
                            const weir_key_sink *sink)
{
    uint64_t count[WEIR_KEY_SECTIONS], points = 0;
    weir_cli_device device = {.budget_bytes = 0};
    weir_device_keys keys;
    weir_key_points_expected(count, rel);
    for (int s = 0; s < WEIR_KEY_SECTIONS; s++) points += count[s];
    weir_err err = weir_cli_device_open_keys(&device, &keys, cli, points);
    if (err == WEIR_OK)
        err = weir_key_make(rel, secrets, keys.has_multiplier ? &keys.multiplier : NULL, sink,
                            &cli->exec, &cli->ei);
    weir_device_keys_close(&keys);
    weir_cli_device_close(&device);
    return err;
}

static weir_err write_params(weir_cli *cli, const char *path, const weir_relation *rel,
                             const weir_secrets *secrets)
{
    weir_params_writer *w = NULL;
    weir_key_sink sink;
    weir_err err;
    WEIR_TRY_GOTO(weir_params_writer_open(&w, path, cli->exec.isa, &cli->ei));
    weir_params_writer_sink(&sink, w);
    WEIR_TRY_GOTO(make_points(cli, rel, secrets, &sink));
    WEIR_TRY_GOTO(weir_cli_stage(cli, "write to disk", NULL));
    WEIR_TRY_GOTO(weir_params_writer_commit(w, &cli->ei));
out:
    weir_params_writer_close(w);
    return err;
}

static weir_err write_native(weir_cli *cli, const char *path, const weir_porep_shape *shape,
                             const weir_relation *rel, const weir_secrets *secrets)
{
    weir_native_writer *w = NULL;
    weir_key_sink sink;
    weir_err err;
    WEIR_TRY_GOTO(weir_native_writer_open(&w, path, rel, weir_circuit_porep(shape)->name,
                                          cli->exec.isa, &cli->ei));
    weir_native_writer_sink(&sink, w);
    WEIR_TRY_GOTO(make_points(cli, rel, secrets, &sink));
    WEIR_TRY_GOTO(weir_cli_stage(cli, "write to disk", NULL));
    WEIR_TRY_GOTO(weir_native_writer_commit(w, &cli->ei));
out:
    weir_native_writer_close(w);
    return err;
}

/* The .vk is taken from the finished key, which is read like anybody's. */
static weir_err write_vk(weir_cli *cli, const paths *p)
{
    weir_key_file key;
    weir_err err;
    WEIR_TRY_GOTO(weir_key_file_open(&key, p->key, NULL, cli->exec.isa, &cli->ei));
    WEIR_TRY_GOTO(weir_vk_write(p->vk, key.vk, cli->exec.isa, &cli->ei));
out:
    weir_key_file_close(&key);
    return err;
}

static weir_err run(weir_cli *cli)
{
    const weir_porep_shape *shape;
    weir_secrets secrets;
    weir_relation *rel = NULL;
    paths p = {0};
    weir_errinfo *ei = &cli->ei;
    weir_err err;
    WEIR_TRY(weir_value_circuit(&shape, "circuit", weir_args_get(&cli->args, "circuit"), ei));
    WEIR_TRY_GOTO(read_secrets(&secrets, &cli->args, ei));
    WEIR_TRY_GOTO(prepare(&p, weir_args_get(&cli->args, "out"), shape, ei));
    warn(cli);
    WEIR_TRY_GOTO(weir_cli_stage(cli, "build relation", NULL));
    WEIR_TRY_GOTO(weir_porep_relation(&rel, shape, 0, ei));
    WEIR_TRY_GOTO(weir_cli_stage(cli, "make key", NULL));
    WEIR_TRY_GOTO(p.native ? write_native(cli, p.key, shape, rel, &secrets)
                           : write_params(cli, p.key, rel, &secrets));
    WEIR_TRY_GOTO(write_vk(cli, &p));
    weir_cli_fact(cli, p.native ? "native" : "params", "proving key", p.key);
    weir_cli_fact(cli, "vk", "verifying key", p.vk);
    if (cli->want_json) weir_json_out_bool(&cli->json, "unsafe", true);
    weir_cli_report(cli);
    weir_cli_note(cli, "UNSAFE KEY: for tests and demonstrations only.");
out:
    weir_wipe(&secrets, sizeof secrets);
    weir_free(p.key);
    weir_free(p.vk);
    weir_relation_free(rel);
    return err;
}

const weir_command weir_cmd_key_make = {
    .verb = "key",
    .noun = "make",
    .summary = "make an UNSAFE key from known secrets, for tests",
    .opts = opts,
    .details = "The files get the names that Filecoin's software looks for, and its format: a "
               ".params and a .vk.\n"
               "A name that ends in " NATIVE_ENDING
               " makes weir's own format at once, which 'weir key import' "
               "makes of a .params.\n"
               "The secrets of a real key are known to nobody. This key's are, so anyone who has "
               "them forges proofs.\n"
               "A 2KiB key has 1.0 GiB, a 32GiB key 44.1 GiB.\n",
    .examples = "weir key make --circuit porep-2KiB --insecure-seed 1 --out keys\n"
                "weir key make --circuit porep-2KiB --insecure-seed 1 --out test.weirkey\n"
                "weir key make --circuit porep-2KiB --secrets secrets.json --out keys --threads 2",
    .run = run,
};
