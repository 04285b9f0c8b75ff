#include "cli/args.h"

#include <assert.h>
#include <string.h>

enum { MAX_WORD = 40 };

static size_t min3(size_t a, size_t b, size_t c)
{
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

/* Levenshtein's distance; words that are too long are far from everything. */
static size_t distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > MAX_WORD || m > MAX_WORD) return MAX_WORD;
    size_t row[MAX_WORD + 1];
    for (size_t j = 0; j <= m; j++) row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t up = row[j];
            row[j] = min3(up + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = up;
        }
    }
    return row[m];
}

const char *weir_args_nearest(const char *word, const char *const *names, size_t n)
{
    const char *best = NULL;
    if (strlen(word) > MAX_WORD) return NULL;
    size_t best_distance = strlen(word) / 3 + 1; /* one slip in three letters, and one */
    for (size_t i = 0; i < n; i++) {
        size_t d = distance(word, names[i]);
        if (d > best_distance || (best && d == best_distance)) continue;
        best = names[i];
        best_distance = d;
    }
    return best;
}

void weir_command_name(char out[WEIR_COMMAND_NAME_SIZE], const weir_command *command)
{
    snprintf(out, WEIR_COMMAND_NAME_SIZE, "%s%s%s", command->verb, command->noun ? " " : "",
             command->noun ? command->noun : "");
}

static int find(const weir_command *c, const char *name, size_t len)
{
    for (int i = 0; c->opts[i].name; i++)
        if (strlen(c->opts[i].name) == len && memcmp(c->opts[i].name, name, len) == 0) return i;
    return -1;
}

static weir_err unknown_option(const weir_command *c, const char *arg, size_t len, weir_errinfo *ei)
{
    const char *names[WEIR_ARGS_MAX_OPTS + 1] = {"help"};
    size_t n = 1;
    for (; c->opts[n - 1].name; n++) names[n] = c->opts[n - 1].name;
    char word[MAX_WORD + 1], command[WEIR_COMMAND_NAME_SIZE];
    weir_command_name(command, c);
    snprintf(word, sizeof word, "%.*s", (int)(len < MAX_WORD ? len : MAX_WORD), arg);
    const char *near = weir_args_nearest(word, names, n);
    if (near)
        return weir_fail(ei, WEIR_E_USAGE, "'weir %s' has no option --%s; did you mean --%s?",
                         command, word, near);
    return weir_fail(ei, WEIR_E_USAGE, "'weir %s' has no option --%s; --help lists them", command,
                     word);
}

/* One option at argv[*i]; moves *i over its value. */
static weir_err take_option(weir_args *out, int argc, char **argv, int *i, weir_errinfo *ei)
{
    const weir_command *c = out->command;
    const char *name = argv[*i] + 2;
    const char *equals = strchr(name, '=');
    size_t len = equals ? (size_t)(equals - name) : strlen(name);
    int k = find(c, name, len);
    if (k < 0) return unknown_option(c, name, len, ei);
    const weir_opt *o = &c->opts[k];
    if (out->value[k]) return weir_fail(ei, WEIR_E_USAGE, "--%s is given twice", o->name);
    if (!o->value) {
        if (equals) return weir_fail(ei, WEIR_E_USAGE, "--%s takes no value", o->name);
        out->value[k] = "";
        return WEIR_OK;
    }
    if (equals) {
        out->value[k] = equals + 1;
    } else if (*i + 1 < argc && strncmp(argv[*i + 1], "--", 2) != 0) {
        out->value[k] = argv[++*i];
    } else {
        return weir_fail(ei, WEIR_E_USAGE, "--%s wants a value: --%s %s", o->name, o->name,
                         o->value);
    }
    if (out->value[k][0] == '\0')
        return weir_fail(ei, WEIR_E_USAGE, "--%s: its value is empty", o->name);
    return WEIR_OK;
}

static weir_err check_required(const weir_args *args, weir_errinfo *ei)
{
    const weir_command *c = args->command;
    char command[WEIR_COMMAND_NAME_SIZE];
    weir_command_name(command, c);
    for (int i = 0; c->opts[i].name; i++) {
        if (!c->opts[i].required || args->value[i]) continue;
        return weir_fail(ei, WEIR_E_USAGE, "'weir %s' needs --%s %s; see --help", command,
                         c->opts[i].name, c->opts[i].value);
    }
    if (c->operand && !args->operand)
        return weir_fail(ei, WEIR_E_USAGE, "'weir %s' needs %s; see --help", command, c->operand);
    return WEIR_OK;
}

weir_err weir_args_parse(weir_args *out, const weir_command *command, int argc, char **argv,
                         weir_errinfo *ei)
{
    *out = (weir_args){.command = command};
    for (int i = 0; i < argc; i++) {
        const char *a = argv[i];
        if (strcmp(a, "--help") == 0 || strcmp(a, "-h") == 0) {
            out->help = true;
            return WEIR_OK;
        }
    }
    for (int i = 0; i < argc; i++) {
        const char *a = argv[i];
        if (strncmp(a, "--", 2) == 0 && a[2] != '\0') {
            WEIR_TRY(take_option(out, argc, argv, &i, ei));
        } else if (a[0] == '-' && a[1] != '\0') {
            return weir_fail(ei, WEIR_E_USAGE,
                             "options have two dashes and a whole name: '%s' is none; see --help",
                             a);
        } else if (command->operand && !out->operand) {
            out->operand = a;
        } else {
            char name[WEIR_COMMAND_NAME_SIZE];
            weir_command_name(name, command);
            return weir_fail(ei, WEIR_E_USAGE, "'%s' is too much for 'weir %s'; see --help", a,
                             name);
        }
    }
    return check_required(out, ei);
}

const char *weir_args_get(const weir_args *args, const char *name)
{
    int k = find(args->command, name, strlen(name));
    return k < 0 ? NULL : args->value[k];
}

bool weir_args_has(const weir_args *args, const char *name)
{
    return weir_args_get(args, name) != NULL;
}

/* ---- help */

enum { HELP_COLUMN = 28 };

/* Text of several lines, each indented. */
static void print_indented(FILE *out, const char *text, int indent)
{
    for (const char *line = text; line;) {
        const char *end = strchr(line, '\n');
        int len = end ? (int)(end - line) : (int)strlen(line);
        if (line != text) fprintf(out, "%*s", indent, "");
        fprintf(out, "%.*s\n", len, line);
        line = end ? end + 1 : NULL;
    }
}

static void print_option(FILE *out, const weir_opt *o)
{
    int n = fprintf(out, "  --%s", o->name);
    if (o->value) n += fprintf(out, " %s", o->value);
    if (n < HELP_COLUMN - 1)
        fprintf(out, "%*s", HELP_COLUMN - n, "");
    else
        fprintf(out, "\n%*s", HELP_COLUMN, "");
    print_indented(out, o->help, HELP_COLUMN);
}

void weir_args_print_help(FILE *out, const weir_command *c)
{
    static const weir_opt help = {"help", NULL, "print this", false};
    char name[WEIR_COMMAND_NAME_SIZE];
    weir_command_name(name, c);
    fprintf(out, "weir %s: %s\n\nUsage: weir %s", name, c->summary, name);
    if (c->operand) fprintf(out, " %s", c->operand);
    for (int i = 0; c->opts[i].name; i++)
        if (c->opts[i].required) fprintf(out, " --%s %s", c->opts[i].name, c->opts[i].value);
    fprintf(out, " [options]\n\nOptions:\n");
    for (int i = 0; c->opts[i].name; i++) print_option(out, &c->opts[i]);
    print_option(out, &help);
    if (c->details) fprintf(out, "\n%s", c->details);
    fprintf(out, "\nExamples:\n  ");
    print_indented(out, c->examples, 2);
}
