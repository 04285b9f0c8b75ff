/* Writes a trace for other tests: make_trace FILE [JOBS PARTITIONS DEVICES FILLERS STEPS] */
#include "engine/trace_file.h"
#include "trace_sample.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    uint32_t n[] = {15, 10, 1, 2, 12};
    weir_spans s;
    weir_errinfo ei = {0};
    if (argc < 2) return 2;
    for (int i = 2; i < argc && i < 7; i++) n[i - 2] = (uint32_t)strtoul(argv[i], NULL, 10);
    trace_sample_make(&s, &(trace_sample){n[0], n[1], n[2], n[3], n[4]});
    weir_err err = weir_spans_save(&s, argv[1], &ei);
    if (err != WEIR_OK) fprintf(stderr, "%s\n", ei.text);
    weir_spans_clear(&s);
    return err == WEIR_OK ? 0 : 1;
}
