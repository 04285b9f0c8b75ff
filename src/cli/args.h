/* Commands, their options, and the help made from both.
 *
 * A command is a table entry; its options are a table too. The parser knows "--name VALUE",
 * "--name=VALUE" and switches; an option may come once. Parsed values point into argv.
 */
#ifndef WEIR_CLI_ARGS_H
#define WEIR_CLI_ARGS_H

#include "base/err.h"

#include <stdbool.h>
#include <stdio.h>

struct weir_cli;

typedef struct weir_opt {
    const char *name;  /* without the dashes */
    const char *value; /* placeholder of its value in the help; NULL for a switch */
    const char *help;  /* lines of at most 70 columns */
    bool required;
} weir_opt;

enum { WEIR_ARGS_MAX_OPTS = 28 };

/* Options of many commands; help is always there. */
#define WEIR_OPT_THREADS                                                                           \
    {                                                                                              \
        "threads", "N", "threads to work with; default: the processors available", false           \
    }
#define WEIR_OPT_JSON                                                                              \
    {                                                                                              \
        "json", NULL, "print one JSON object on standard output", false                            \
    }

typedef struct weir_command {
    const char *verb, *noun; /* "prove", "porep"; noun: NULL if the verb says all */
    const char *summary;     /* one line */
    const char *operand;     /* NULL, or the name of the one argument without dashes */
    const weir_opt *opts;    /* ends with name == NULL */
    const char *details;     /* paragraphs after the options; NULL: none */
    const char *examples;    /* whole lines */
    weir_err (*run)(struct weir_cli *cli);
} weir_command;

typedef struct weir_args {
    const weir_command *command;
    /* By position in command->opts; "" for a switch that is there. */
    const char *value[WEIR_ARGS_MAX_OPTS];
    const char *operand;
    bool help;
} weir_args;

/* argv: what follows the command's words. Errors: WEIR_E_USAGE. With --help nothing else is
 * required. */
weir_err weir_args_parse(weir_args *out, const weir_command *command, int argc, char **argv,
                         weir_errinfo *ei) WEIR_MUST_USE;
/* The value of an option of this command, NULL if it was not given. */
const char *weir_args_get(const weir_args *args, const char *name);
bool weir_args_has(const weir_args *args, const char *name);

/* "prove porep" */
enum { WEIR_COMMAND_NAME_SIZE = 40 };
void weir_command_name(char out[WEIR_COMMAND_NAME_SIZE], const weir_command *command);
void weir_args_print_help(FILE *out, const weir_command *command);

/* The name that looks most like `word`, NULL if none is near. names: n pointers. */
const char *weir_args_nearest(const char *word, const char *const *names, size_t n);

#endif
