/* Where the time and the memory went: one record for each stage of a command. */
#ifndef WEIR_CLI_REPORT_H
#define WEIR_CLI_REPORT_H

#include "cli/json_out.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { WEIR_REPORT_MAX = 16 };

typedef struct weir_report_stage {
    const char *name; /* a constant */
    uint64_t wall_ns, cpu_ns;
    uint64_t peak_bytes; /* most resident memory in this stage, pages of mapped files included */
    uint64_t own_bytes;  /* resident at its end without mapped files */
} weir_report_stage;

typedef struct weir_report {
    weir_report_stage stage[WEIR_REPORT_MAX];
    unsigned n;
    int _open; /* the stage that runs, -1 if none */
    uint64_t _wall0, _cpu0;
} weir_report;

void weir_report_init(weir_report *r);
/* Ends the running stage and begins `name`. A name that was there before goes on with its
 * record: times add up. Names beyond WEIR_REPORT_MAX count to the last one. */
void weir_report_begin(weir_report *r, const char *name);
void weir_report_end(weir_report *r);
/* In: ended. */
void weir_report_print(const weir_report *r, FILE *out);
void weir_report_json(const weir_report *r, weir_json_out *j);

#endif
