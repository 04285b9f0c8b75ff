/* The weir command: finds the command, runs it, turns its error into a message and an exit code. */
#include "cli/cli.h"
#include "cli/signals.h"
#include "cli/values.h"

#include <stdlib.h>
#include <string.h>

static const weir_command *const commands[] = {
    &weir_cmd_prove_porep,  &weir_cmd_verify_porep, &weir_cmd_check_porep,  &weir_cmd_sample_porep,
    &weir_cmd_key_import,   &weir_cmd_key_make,     &weir_cmd_key_check,    &weir_cmd_key_info,
    &weir_cmd_bench_fill,   &weir_cmd_bench_field,  &weir_cmd_bench_curve,  &weir_cmd_bench_hash,
    &weir_cmd_bench_msm,    &weir_cmd_bench_ntt,    &weir_cmd_bench_verify, &weir_cmd_bench_proof,
    &weir_cmd_bench_device, &weir_cmd_bench_engine, &weir_cmd_bench_sweep,  &weir_cmd_bench_porep,
    &weir_cmd_trace,
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const char exit_codes[] =
    "Exit codes: 0 done or yes, 1 the answer is no, 2 wrong use, 3 bad data, 4 not enough memory,\n"
    "5 device failed, 6 input or output failed, 7 internal error, 130 stopped by Ctrl-C.\n";

static void print_help(FILE *out)
{
    fputs("weir: Groth16 proofs for Filecoin, from the output of Commit Phase 1\n\n"
          "Usage: weir COMMAND [options]\n\nCommands:\n",
          out);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-7s %-7s %s\n", commands[i]->verb,
                commands[i]->noun ? commands[i]->noun : "", commands[i]->summary);
    fputs("\n'weir COMMAND --help' prints the options and examples of a command; 'weir --version' "
          "the version.\n\n"
          "Examples:\n"
          "  weir key make --circuit porep-2KiB --insecure-seed 1 --out keys\n"
          "  weir prove porep --c1 c1.json --key keys/FILE.params --out proof.bin\n"
          "  weir verify porep --vk keys/FILE.vk --proof proof.bin --public public.json\n\n",
          out);
    fputs(exit_codes, out);
}

/* The commands of one verb, or of all that start with nothing better. */
static bool print_verb_help(FILE *out, const char *verb)
{
    bool any = false;
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i]->verb, verb) != 0 || !commands[i]->noun) continue;
        if (!any) fprintf(out, "Usage: weir %s WHAT [options]\n\n", verb);
        fprintf(out, "  weir %-7s %-7s %s\n", commands[i]->verb, commands[i]->noun,
                commands[i]->summary);
        any = true;
    }
    if (any) fprintf(out, "\n'weir %s WHAT --help' prints the options and examples.\n", verb);
    return any;
}

static weir_err unknown_command(const char *verb, const char *noun, weir_errinfo *ei)
{
    char words[100], names[COMMANDS][WEIR_COMMAND_NAME_SIZE];
    const char *list[COMMANDS];
    bool verb_known = false;
    for (int i = 0; i < COMMANDS; i++) {
        weir_command_name(names[i], commands[i]);
        list[i] = names[i];
        if (strcmp(commands[i]->verb, verb) == 0) verb_known = true;
    }
    if (!noun && verb_known)
        return weir_fail(ei, WEIR_E_USAGE,
                         "'weir %s' wants to know what; 'weir %s --help' lists it", verb, verb);
    snprintf(words, sizeof words, "%s %s", verb, noun ? noun : "");
    const char *near = weir_args_nearest(words, list, COMMANDS);
    if (!near) near = weir_args_nearest(verb, list, COMMANDS); /* one whose verb says all */
    if (near)
        return weir_fail(ei, WEIR_E_USAGE, "there is no command '%s'; did you mean 'weir %s'?",
                         words, near);
    return weir_fail(ei, WEIR_E_USAGE, "there is no command '%s'; 'weir --help' lists them", words);
}

/* *words: how many of argv name the command. */
static weir_err find_command(const weir_command **out, int *words, int argc, char **argv,
                             weir_errinfo *ei)
{
    const char *noun = argc > 2 && argv[2][0] != '-' ? argv[2] : NULL;
    for (int i = 0; i < COMMANDS; i++) {
        const weir_command *c = commands[i];
        if (strcmp(c->verb, argv[1]) != 0) continue;
        if (c->noun && !(noun && strcmp(c->noun, noun) == 0)) continue;
        *out = c;
        *words = c->noun ? 3 : 2;
        return WEIR_OK;
    }
    return unknown_command(argv[1], noun, ei);
}

/* ---- running one command */

static weir_err open_cli(weir_cli *cli)
{
    weir_report_init(&cli->report);
    weir_progress_init(&cli->progress, cli->want_json);
    cli->watch = (weir_watch){
        .progress = weir_progress_update, .ctx = &cli->progress, .cancel = weir_signals_flag()};
    cli->exec = (weir_exec){.isa = weir_isa_best(), .watch = &cli->watch};
    if (cli->want_json) {
        cli->_json_file = open_memstream(&cli->_json_text, &cli->_json_size);
        if (!cli->_json_file) return weir_fail(&cli->ei, WEIR_E_NOMEM, "no memory for the output");
        weir_json_out_init(&cli->json, cli->_json_file);
        weir_json_out_object(&cli->json, NULL);
        weir_json_out_bool(&cli->json, "ok", true);
    }
    WEIR_TRY(weir_slabs_new(&cli->exec.slabs, NULL, &cli->ei));
    uint64_t threads = 0;
    const char *text = weir_args_get(&cli->args, "threads");
    if (text)
        WEIR_TRY(weir_value_u64(&threads, "threads", text, 1, WEIR_POOL_MAX_THREADS, &cli->ei));
    return weir_pool_new(&cli->exec.pool, (unsigned)threads, &cli->ei);
}

static void print_error(weir_cli *cli, weir_err err)
{
    const char *text = cli->ei.text[0] ? cli->ei.text : weir_err_text(err);
    weir_progress_clear(&cli->progress);
    fflush(stdout);
    fprintf(stderr, "weir: %s\n", text);
    if (!cli->want_json) return;
    weir_json_out j;
    weir_json_out_init(&j, stdout);
    weir_json_out_object(&j, NULL);
    weir_json_out_bool(&j, "ok", false);
    weir_json_out_string(&j, "error", weir_err_name(err));
    weir_json_out_u64(&j, "exit_code", (uint64_t)weir_err_exit_code(err));
    weir_json_out_string(&j, "message", text);
    weir_json_out_end_object(&j);
}

/* Gives everything back; prints the JSON object of a command that went well. */
static void close_cli(weir_cli *cli, weir_err err)
{
    weir_progress_clear(&cli->progress);
    weir_pool_free(cli->exec.pool);
    weir_slabs_free(cli->exec.slabs);
    if (!cli->_json_file) return;
    if (err == WEIR_OK) weir_json_out_end_object(&cli->json);
    fclose(cli->_json_file);
    if (err == WEIR_OK) fputs(cli->_json_text, stdout);
    free(cli->_json_text); /* open_memstream's */
}

static int finish(weir_cli *cli, weir_err err)
{
    if (err != WEIR_OK) print_error(cli, err);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("weir: standard output cannot be written\n", stderr);
        if (err == WEIR_OK) return WEIR_EXIT_IO;
    }
    if (err != WEIR_OK) return weir_err_exit_code(err);
    return cli->no ? WEIR_EXIT_NO : WEIR_EXIT_OK;
}

static int run_command(const weir_command *command, int argc, char **argv)
{
    weir_cli cli = {.no = false};
    /* Wrong use is told in JSON too, so this is looked for before the options are parsed. */
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--json") == 0) cli.want_json = true;
    weir_err err = weir_args_parse(&cli.args, command, argc, argv, &cli.ei);
    if (err == WEIR_OK && cli.args.help) {
        weir_args_print_help(stdout, command);
        return finish(&cli, err);
    }
    if (err == WEIR_OK) {
        weir_signals_install();
        err = open_cli(&cli);
        if (err == WEIR_OK) err = command->run(&cli);
        close_cli(&cli, err);
    }
    return finish(&cli, err);
}

int main(int argc, char **argv)
{
    weir_cli cli = {.no = false}; /* for errors before there is a command */
    if (argc < 2) {
        print_help(stderr);
        return WEIR_EXIT_USAGE;
    }
    const char *word = argv[1];
    bool wants_help = argc > 2 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0);
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_help(stdout);
        return finish(&cli, WEIR_OK);
    }
    if (strcmp(word, "--version") == 0) {
        puts("weir " WEIR_VERSION);
        return finish(&cli, WEIR_OK);
    }
    if (wants_help && print_verb_help(stdout, word)) return finish(&cli, WEIR_OK);
    const weir_command *command = NULL;
    int words = 0;
    weir_err err = find_command(&command, &words, argc, argv, &cli.ei);
    if (err != WEIR_OK) return finish(&cli, err);
    return run_command(command, argc - words, argv + words);
}
