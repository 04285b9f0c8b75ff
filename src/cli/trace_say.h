/* The figures of a trace, for people and for machines. */
#ifndef WEIR_CLI_TRACE_SAY_H
#define WEIR_CLI_TRACE_SAY_H

#include "cli/cli.h"
#include "engine/trace_sum.h"

/* On standard output: as wide as the terminal, with blocks where it shows them; elsewhere plain ASCII of 80 columns. */
void weir_trace_say(weir_cli *cli, const weir_spans *s, const weir_trace_sum *sum);
/* Into the JSON object. Moments are seconds from the first one of the trace. */
void weir_trace_json(weir_json_out *j, const weir_spans *s, const weir_trace_sum *sum);

#endif
