/* Progress on a terminal: one line on standard error, rewritten in place. Silent everywhere
 * else. */
#ifndef WEIR_CLI_PROGRESS_H
#define WEIR_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct weir_progress {
    bool on;
    char label[64]; /* what the command does now: "proving partition 2 of 10" */
    char stage[48]; /* what the routine below says it does; "" before its first call */
    uint64_t stage_began_ns, drawn_ns;
    bool drawn; /* a line stands on the terminal */
} weir_progress;

/* on: standard error is a terminal and nobody asked for quiet. */
void weir_progress_init(weir_progress *p, bool quiet);
/* A new thing to do; draws at once. */
void weir_progress_label(weir_progress *p, const char *label);
/* For weir_watch: ctx is the weir_progress. Draws at most ten times a second. */
void weir_progress_update(void *ctx, const char *stage, uint64_t done, uint64_t total);
/* Removes the line, so that other output may follow. */
void weir_progress_clear(weir_progress *p);

/* One line without its colour or control bytes; left_ns = UINT64_MAX: time left not known. For
 * tests too. */
void weir_progress_line(char *out, size_t size, const weir_progress *p, uint64_t done,
                        uint64_t total, uint64_t left_ns);

#endif
