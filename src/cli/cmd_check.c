/* weir check porep: does a C1 file satisfy the circuit, and if not, where not? */
#include "circuit/porep_rows.h"
#include "cli/c1_file.h"
#include "cli/cli.h"
#include "cli/values.h"

#include <inttypes.h>

static const weir_opt opts[] = {
    {"c1", "FILE", "output of Commit Phase 1, in any form", true},
    {"partition", "K", "only this partition, from 0; default: all", false},
    WEIR_OPT_THREADS,
    WEIR_OPT_JSON,
    {NULL, NULL, NULL, false},
};

typedef struct check {
    weir_porep_input *in;
    weir_relation *rel;
    weir_witness *w;
    weir_porep_filler *filler;
    unsigned first, end; /* partitions */
} check;

static void check_clear(check *c)
{
    weir_witness_free(c->w);
    weir_porep_filler_free(c->filler);
    weir_relation_free(c->rel);
    weir_porep_input_free(c->in);
}

static weir_err parse_partitions(check *c, weir_cli *cli)
{
    const char *text = weir_args_get(&cli->args, "partition");
    uint64_t k = 0;
    c->end = c->in->partitions;
    if (!text) return WEIR_OK;
    WEIR_TRY(weir_value_u64(&k, "partition", text, 0, c->in->partitions - 1, &cli->ei));
    c->first = (unsigned)k;
    c->end = c->first + 1;
    return WEIR_OK;
}

/* Challenges, labels, hashes and paths by native code. A difference is an answer here, not an
 * error. */
static weir_err check_native(weir_cli *cli, const check *c)
{
    weir_errinfo why = {0};
    WEIR_TRY(weir_cli_stage(cli, "native check", NULL));
    weir_err err = weir_porep_native_check(c->in, &cli->exec, &why);
    bool differs = err == WEIR_E_MISMATCH || err == WEIR_E_RANGE;
    if (err != WEIR_OK && !differs) {
        cli->ei = why;
        return err;
    }
    if (cli->want_json) {
        weir_json_out_bool(&cli->json, "consistent", !differs);
        weir_json_out_string(&cli->json, "inconsistency", differs ? why.text : NULL);
    }
    if (differs) cli->no = true;
    weir_cli_say(cli, "%s%s",
                 differs ? "NOT consistent: "
                         : "consistent: challenges, parents, labels, columns and paths fit",
                 differs ? why.text : "");
    return WEIR_OK;
}

static void tell_partition(weir_cli *cli, const check *c, unsigned k, uint64_t row)
{
    char text[200] = "";
    bool holds = row == c->rel->rows;
    if (!holds) {
        cli->no = true;
        weir_porep_row_describe(text, sizeof text, c->rel, c->in->shape, row);
    }
    if (cli->want_json) {
        weir_json_out_object(&cli->json, NULL);
        weir_json_out_u64(&cli->json, "partition", k);
        weir_json_out_bool(&cli->json, "satisfied", holds);
        if (!holds) weir_json_out_u64(&cli->json, "row", row);
        if (!holds) weir_json_out_string(&cli->json, "where", text);
        weir_json_out_end_object(&cli->json);
    }
    if (holds)
        weir_cli_say(cli, "partition %u: all %" PRIu64 " rows are satisfied", k, c->rel->rows);
    else
        weir_cli_say(cli, "partition %u: NOT satisfied, first at %s", k, text);
}

static weir_err check_rows(weir_cli *cli, check *c)
{
    weir_errinfo *ei = &cli->ei;
    WEIR_TRY(weir_cli_stage(cli, "build relation", NULL));
    WEIR_TRY(weir_porep_relation(&c->rel, c->in->shape, c->in->challenges, ei));
    WEIR_TRY(weir_porep_filler_new(&c->filler, c->in->shape, ei));
    WEIR_TRY(weir_witness_new(&c->w, c->rel, cli->exec.slabs, ei));
    if (cli->want_json) weir_json_out_array(&cli->json, "partitions");
    for (unsigned k = c->first; k < c->end; k++) {
        char label[64];
        snprintf(label, sizeof label, "checking partition %u of %u", k + 1, c->in->partitions);
        weir_fill_stats stats;
        WEIR_TRY(weir_cli_stage(cli, "fill", label));
        weir_witness_reset(c->w);
        WEIR_TRY(weir_porep_fill(c->w, c->filler, c->in, k, &stats, &cli->exec, ei));
        WEIR_TRY(weir_cli_stage(cli, "check rows", label));
        uint64_t row = weir_relation_check(c->w, &cli->exec);
        if (weir_exec_cancelled(&cli->exec))
            return weir_fail(ei, WEIR_E_CANCELLED, "stopped before the end");
        tell_partition(cli, c, k, row);
    }
    if (cli->want_json) weir_json_out_end_array(&cli->json);
    return WEIR_OK;
}

static weir_err run(weir_cli *cli)
{
    check c = {0};
    char text[200];
    weir_err err;
    WEIR_TRY_GOTO(weir_cli_stage(cli, "read C1", NULL));
    WEIR_TRY_GOTO(weir_c1_open(&c.in, NULL, weir_args_get(&cli->args, "c1"), &cli->ei));
    WEIR_TRY_GOTO(parse_partitions(&c, cli));
    weir_c1_describe(text, sizeof text, c.in);
    weir_cli_fact(cli, "input", "input", text);
    WEIR_TRY_GOTO(check_native(cli, &c));
    WEIR_TRY_GOTO(check_rows(cli, &c));
    if (cli->want_json) weir_json_out_bool(&cli->json, "satisfied", !cli->no);
    weir_cli_report(cli);
out:
    check_clear(&c);
    return err;
}

const weir_command weir_cmd_check_porep = {
    .verb = "check",
    .noun = "porep",
    .summary = "does a Commit Phase 1 file satisfy the circuit?",
    .opts = opts,
    .details = "First natively: challenges (where the file names the registered proof), parents, "
               "labels, columns, paths.\n"
               "Then row by row in the circuit; the first row that does not hold is named. No key "
               "is needed.\n"
               "Exit code 0: yes, 1: no, others: it could not be checked.\n",
    .examples = "weir check porep --c1 c1.json\n"
                "weir check porep --c1 c1.json --partition 3 --json",
    .run = run,
};
