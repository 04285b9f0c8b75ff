/* weir key check: every point of a key, and what can be checked of the key as a whole. */
#include "api/key_file.h"
#include "base/alloc.h"
#include "cli/cli.h"
#include "cli/native_check.h"
#include "cli/values.h"

#include <inttypes.h>

static const weir_opt opts[] = {
    {"key", "FILE", "proving key, .params or .weirkey", true},
    {"vk", "FILE.vk", "also compare the key with this verifying key", false},
    {"digests-only", NULL,
     "of a .weirkey: that no byte has changed since it was made, and\nnothing of its points",
     false},
    {"device", "NAME",
     "who checks the points of a .weirkey: cpu, gpu or gpu:N; default:\na GPU if there is one",
     false},
    WEIR_OPT_THREADS,
    WEIR_OPT_JSON,
    {NULL, NULL, NULL, false},
};

/* Points of one task, and tasks between two looks at progress and the wish to stop. */
enum {
    TASK_POINTS = 1024,
    BATCH_TASKS = 64,
    CHECKS = WEIR_CHECK_CURVE | WEIR_CHECK_SUBGROUP | WEIR_CHECK_NOT_INFINITY
};

typedef union points {
    weir_g1_affine g1[TASK_POINTS];
    weir_g2_affine g2[TASK_POINTS];
} points;

typedef struct batch {
    const weir_params *params;
    weir_key_section section;
    uint64_t first; /* point of task 0 */
    weir_isa isa;
    points *scratch;     /* one for each thread */
    weir_errinfo *fault; /* one for each task */
} batch;

static void check_task(void *ctx, size_t task, unsigned worker)
{
    batch *b = ctx;
    uint64_t at = b->first + task * TASK_POINTS, left = b->params->section[b->section].count - at;
    size_t n = left < TASK_POINTS ? (size_t)left : TASK_POINTS;
    points *out = &b->scratch[worker];
    weir_errinfo *ei = &b->fault[task];
    weir_err err;
    if (b->section == WEIR_KEY_B_G2)
        err = weir_params_decode_g2(out->g2, b->params, b->section, at, n, CHECKS, b->isa, ei);
    else
        err = weir_params_decode_g1(out->g1, b->params, b->section, at, n, CHECKS, b->isa, ei);
    ei->code = err;
}

/* Of several bad points the first is reported, whatever the number of threads. */
static weir_err check_section(weir_cli *cli, batch *b)
{
    uint64_t count = b->params->section[b->section].count;
    for (b->first = 0; b->first < count; b->first += (uint64_t)BATCH_TASKS * TASK_POINTS) {
        uint64_t tasks = (count - b->first + TASK_POINTS - 1) / TASK_POINTS;
        if (tasks > BATCH_TASKS) tasks = BATCH_TASKS;
        if (weir_exec_cancelled(&cli->exec))
            return weir_fail(&cli->ei, WEIR_E_CANCELLED, "stopped before the end");
        for (uint64_t i = 0; i < tasks; i++) b->fault[i] = (weir_errinfo){0};
        weir_pool_run(cli->exec.pool, tasks, check_task, b);
        for (uint64_t i = 0; i < tasks; i++) {
            if (b->fault[i].code == WEIR_OK) continue;
            cli->ei = b->fault[i];
            return cli->ei.code;
        }
        weir_exec_progress(&cli->exec, weir_key_section_names[b->section],
                           b->first + tasks * TASK_POINTS, count);
    }
    return WEIR_OK;
}

static weir_err check_points(weir_cli *cli, const weir_params *params)
{
    unsigned threads = weir_pool_threads(cli->exec.pool);
    batch b = {.params = params, .isa = cli->exec.isa};
    weir_err err = WEIR_OK;
    b.scratch = weir_malloc(threads, sizeof *b.scratch);
    b.fault = weir_calloc(BATCH_TASKS, sizeof *b.fault);
    if (!b.scratch || !b.fault)
        err = weir_fail(&cli->ei, WEIR_E_NOMEM, "no memory for %u threads", threads);
    for (int s = 0; err == WEIR_OK && s < WEIR_KEY_SECTIONS; s++) {
        b.section = (weir_key_section)s;
        err = check_section(cli, &b);
    }
    weir_free(b.scratch);
    weir_free(b.fault);
    return err;
}

/* e(p1, G2) = e(G1, p2): the same number stands behind a point in G1 and one in G2. */
static bool same_exponent(const weir_curve_ops *ops, const weir_g1_affine *p1,
                          const weir_g2_affine *p2)
{
    weir_g2_lines generator, lines;
    const weir_g2_lines *q[2] = {&generator, &lines};
    weir_g1_affine p[2] = {*p1, *weir_g1_generator()};
    weir_g1 negated;
    weir_fp scratch;
    weir_fp12 f, e;
    /* p[1] = -G1 = (r - 1) G1 */
    static const weir_scalar minus_one = {
        {0xffffffff00000000u, 0x53bda402fffe5bfeu, 0x3339d80809a1d805u, 0x73eda753299d7d48u}};
    ops->g1_mul(&negated, &p[1], &minus_one);
    ops->g1s_to_affine(&p[1], &negated, 1, &scratch);
    ops->g2_prepare(&generator, weir_g2_generator());
    ops->g2_prepare(&lines, p2);
    ops->miller(&f, p, q, 2);
    ops->final_exp(&e, &f);
    return ops->fp12_is_one(&e);
}

static weir_err check_vk(weir_cli *cli, const weir_key_file *key)
{
    const weir_curve_ops *ops = weir_curve_ops_get(cli->exec.isa);
    const weir_vk *vk = key->vk;
    if (!same_exponent(ops, &vk->beta_g1, &vk->beta_g2))
        return weir_fail(&cli->ei, WEIR_E_MISMATCH,
                         "%s: beta_g1 and beta_g2 do not belong together", weir_key_file_name(key));
    if (!same_exponent(ops, &vk->delta_g1, &vk->delta_g2))
        return weir_fail(&cli->ei, WEIR_E_MISMATCH,
                         "%s: delta_g1 and delta_g2 do not belong together",
                         weir_key_file_name(key));
    return WEIR_OK;
}

static void tell_key(weir_cli *cli, const weir_key_file *key)
{
    char size[24];
    uint64_t count[WEIR_CIRCUIT_COUNTS], bytes = weir_key_file_size(key);
    weir_key_file_counts(count, key);
    const weir_circuit_size *c = weir_circuit_by_counts(count);
    weir_bytes_print(size, bytes);
    weir_cli_fact(cli, NULL, "size", size);
    if (cli->want_json) weir_json_out_u64(&cli->json, "size_bytes", bytes);
    weir_cli_fact(cli, "circuit", "circuit by counts", c ? c->name : "none of Filecoin's");
}

static weir_err check_params(weir_cli *cli, const weir_key_file *key)
{
    uint8_t digest[WEIR_KEY_DIGEST_BYTES];
    char hex[2 * WEIR_KEY_DIGEST_BYTES + 1];
    WEIR_TRY(weir_cli_stage(cli, "points", "checking points"));
    WEIR_TRY(check_points(cli, key->params));
    WEIR_TRY(weir_cli_stage(cli, "digest", NULL));
    WEIR_TRY(weir_key_file_digest(digest, key->params->data, key->params->size_bytes, &cli->exec,
                                  &cli->ei));
    weir_hex_print(hex, digest, sizeof digest);
    tell_key(cli, key);
    weir_cli_fact(cli, "digest", "digest", hex);
    weir_cli_say(
        cli,
        "Every point: encoding, curve, subgroup, not infinity. beta and delta agree in G1 and G2.\n"
        "Compare the digest with Filecoin's parameters.json: only that says whose key it is.");
    return WEIR_OK;
}

static weir_err check_native(weir_cli *cli, weir_key_file *key)
{
    bool digests_only = weir_args_has(&cli->args, "digests-only");
    WEIR_TRY(weir_native_check_order(cli, key));
    if (digests_only) {
        WEIR_TRY(weir_cli_stage(cli, "digests", "comparing digests"));
        WEIR_TRY(weir_native_key_verify(key->native, &cli->exec, &cli->ei));
    } else {
        WEIR_TRY(weir_cli_stage(cli, "points", "checking points"));
        WEIR_TRY(weir_native_check_points(cli, key->native));
    }
    tell_key(cli, key);
    if (cli->want_json) weir_json_out_bool(&cli->json, "points_checked", !digests_only);
    weir_cli_say(cli, digests_only
                          ? "Every byte is as it was written; the points were not looked at."
                          : "Every byte is as it was written. Every point: curve, subgroup, not "
                            "infinity. beta and delta agree in\nG1 and G2.");
    weir_cli_say(cli,
                 "Whose key it is, the importer knew: 'weir key info' shows the digest it had.");
    return WEIR_OK;
}

static weir_err run(weir_cli *cli)
{
    weir_key_file key = {0};
    weir_err err;
    WEIR_TRY_GOTO(weir_cli_stage(cli, "structure", NULL));
    WEIR_TRY_GOTO(weir_key_file_open(&key, weir_args_get(&cli->args, "key"),
                                     weir_args_get(&cli->args, "vk"), cli->exec.isa, &cli->ei));
    if (!key.native && weir_args_has(&cli->args, "digests-only"))
        WEIR_TRY_GOTO(weir_fail(&cli->ei, WEIR_E_USAGE,
                                "--digests-only: %s has no digests in it; only a native key has",
                                weir_key_file_name(&key)));
    WEIR_TRY_GOTO(check_vk(cli, &key));
    WEIR_TRY_GOTO(key.native ? check_native(cli, &key) : check_params(cli, &key));
    weir_cli_report(cli);
out:
    weir_key_file_close(&key);
    return err;
}

const weir_command weir_cmd_key_check = {
    .verb = "key",
    .noun = "check",
    .summary = "check every point and the structure of a key file",
    .opts = opts,
    .details =
        "Checked: structure, encoding and curve equation and subgroup of every point, no "
        "point at infinity, gamma and\n"
        "delta (a key whose set-up was not finished is refused), beta and delta the same in "
        "G1 and G2.\n"
        "Printed: the digest as in Filecoin's parameters.json (BLAKE2b, 32 hexadecimal "
        "digits). A key that passes\n"
        "here may still be anybody's: only the digest tells.\n"
        "The subgroup tests of a 2KiB key take minutes of one core, those of a 32GiB key hours;\n"
        "'prove' leaves them out and verifies its proofs.\n\n"
        "A native key (.weirkey) has a SHA-256 of each block in it, which is compared too, and its "
        "points must stand in the\n"
        "order of the circuit. With --digests-only that is all: seconds for 2KiB, as long as the "
        "disk takes for 32GiB.\n",
    .examples = "weir key check --key FILE.params\n"
                "weir key check --key FILE.weirkey --digests-only\n"
                "weir key check --key FILE.params --vk FILE.vk --json",
    .run = run,
};
