/* What every command works with. One object, on the stack of main; only the main thread touches
 * it, but for the pool. */
#ifndef WEIR_CLI_CLI_H
#define WEIR_CLI_CLI_H

#include "base/exec.h"
#include "cli/args.h"
#include "cli/json_out.h"
#include "cli/progress.h"
#include "cli/report.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct weir_cli {
    weir_args args;
    weir_exec exec;
    weir_watch watch;
    weir_progress progress;
    weir_report report;
    bool want_json;
    weir_json_out json; /* in the top object, if want_json; printed only if the command succeeds */
    bool no;            /* the answer of a command that ran well is "no": exit code 1 */
    weir_errinfo ei;
    FILE *_json_file;
    char *_json_text;
    size_t _json_size;
} weir_cli;

/* The next stage of the report, with its label on the progress line (NULL: the name). Errors:
 * WEIR_E_CANCELLED if the user wished to stop. */
weir_err weir_cli_stage(weir_cli *cli, const char *name, const char *label) WEIR_MUST_USE;

/* Can a file of this name be made? Asked before long work, so that its result has a place to go.
 * Errors: WEIR_E_IO. */
weir_err weir_cli_output_ready(const char *path, weir_errinfo *ei) WEIR_MUST_USE;

/* Is there room for so many bytes beside this file, or in this folder? Errors: WEIR_E_IO with both figures. */
weir_err weir_cli_room(const char *path, uint64_t bytes, weir_errinfo *ei) WEIR_MUST_USE;

/* Ends the last stage and gives the report: as a table on standard error, or in the JSON object. */
void weir_cli_report(weir_cli *cli);

/* A line for people: on standard output, or nowhere with --json. */
void weir_cli_say(weir_cli *cli, const char *fmt, ...) WEIR_PRINTF(2, 3);
/* A line on standard error, JSON or not: what people should not miss. */
void weir_cli_note(weir_cli *cli, const char *fmt, ...) WEIR_PRINTF(2, 3);

/* The same figure for people ("name   value") and for machines. key: NULL leaves the JSON out. */
void weir_cli_fact(weir_cli *cli, const char *key, const char *name, const char *value);

/* The commands; each is in its own file. The table ends with verb == NULL. */
extern const weir_command weir_cmd_prove_porep, weir_cmd_verify_porep, weir_cmd_check_porep,
    weir_cmd_sample_porep, weir_cmd_key_make, weir_cmd_key_check, weir_cmd_key_info,
    weir_cmd_key_import, weir_cmd_bench_fill, weir_cmd_bench_field, weir_cmd_bench_curve,
    weir_cmd_bench_hash, weir_cmd_bench_msm, weir_cmd_bench_ntt, weir_cmd_bench_verify,
    weir_cmd_bench_proof, weir_cmd_bench_device, weir_cmd_bench_engine, weir_cmd_bench_sweep,
    weir_cmd_bench_porep, weir_cmd_trace;

#endif
