/* What the bench commands share: their options, the loop that times, the table and its JSON.
 *
 * The figure is CPU time of the whole process, all threads together: it does not care who else works. A row is called
 * once, its result is checked, and only then is it timed. */
#ifndef WEIR_CLI_BENCH_RUN_H
#define WEIR_CLI_BENCH_RUN_H

#include "circuit/porep.h"
#include "cli/cli.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Options of every bench. */
#define WEIR_BENCH_OPTS                                                                            \
    {"runs", "N", "times each figure is taken, 1 to 1000; default: 5", false},                     \
        {"path", "NAME", "instruction path, for example portable; default: the best", false},      \
        {"threads", "N", "threads to work with; default: 1", false}, WEIR_OPT_JSON

enum { WEIR_BENCH_MAX_RUNS = 1000, WEIR_BENCH_MAX_SIZES = 40 };

typedef struct weir_bench_run {
    weir_cli *cli;
    weir_exec exec; /* path and threads of the options */
    unsigned runs;
    double cpu_ns[WEIR_BENCH_MAX_RUNS], wall_ns[WEIR_BENCH_MAX_RUNS]; /* of the row in work */
} weir_bench_run;

typedef struct weir_bench_row {
    const char *what; /* "G1 sum" */
    const char *size; /* "2^20" */
    const char *path; /* NULL: that of the options */
    double ops;       /* the figure is the time of a call divided by this; 0 stands for 1 */
    const char
        *each; /* "point": the last column has the figure divided by `count`; NULL: no column */
    double count;
    bool threads; /* runs on the threads of the options, else on one */
    bool once;    /* a run is one call; else as many as make it long enough for the clock */
    /* Before each call and not timed; a run is then one call. NULL: nothing. */
    weir_err (*prepare)(void *ctx, const weir_exec *x, weir_errinfo *ei);
    weir_err (*run)(void *ctx, const weir_exec *x, weir_errinfo *ei);
    /* After the first call: is its result right? NULL: checked elsewhere. */
    weir_err (*check)(bool *right, void *ctx, const weir_exec *x, weir_errinfo *ei);
    bool device; /* its times are those of a device, and no threads are told */
} weir_bench_row;

/* For commands whose routines know no threads, before the start. Errors: WEIR_E_USAGE for more than one. */
weir_err weir_bench_one_thread(weir_cli *cli) WEIR_MUST_USE;

/* Reads the options, prints the machine and the head of the table. Errors: WEIR_E_USAGE, WEIR_E_UNSUPPORTED. */
weir_err weir_bench_begin(weir_bench_run *b, weir_cli *cli) WEIR_MUST_USE;
void weir_bench_end(weir_bench_run *b);

/* Something long that is no row: told on the progress line. Errors: WEIR_E_CANCELLED. */
weir_err weir_bench_step(weir_bench_run *b, const char *label) WEIR_MUST_USE;

/* Checks, times and prints one row. Errors: those of its functions; WEIR_E_INTERNAL if the result is wrong;
 * WEIR_E_CANCELLED. */
weir_err weir_bench_time(weir_bench_run *b, const weir_bench_row *row, void *ctx) WEIR_MUST_USE;

/* Prints a row of n times taken elsewhere, which are sorted. cpu_ns: NULL where only wall time is known. */
void weir_bench_tell(weir_bench_run *b, const weir_bench_row *row, double *cpu_ns, double *wall_ns,
                     unsigned n);

/* The registered proof (V1_1) of --sector-size, 32GiB unless given. Errors: WEIR_E_USAGE, WEIR_E_UNSUPPORTED. */
weir_err weir_bench_registered(const weir_registered_porep **out, weir_cli *cli) WEIR_MUST_USE;

/* "12-16,20": numbers lo .. hi in the order given. Errors: WEIR_E_USAGE. */
weir_err weir_bench_sizes(unsigned out[WEIR_BENCH_MAX_SIZES], unsigned *n, const char *option,
                          const char *text, unsigned lo, unsigned hi,
                          weir_errinfo *ei) WEIR_MUST_USE;

#endif
