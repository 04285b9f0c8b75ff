/* A trace as a busy engine leaves it, of numbers: jobs that come one after another, two lanes for each device, a critical job in the
 * middle that pauses another, waits for memory and bandwidth. The same for the same numbers. */
#ifndef TRACE_SAMPLE_H
#define TRACE_SAMPLE_H

#include "engine/trace.h"

typedef struct trace_sample {
    uint32_t jobs, parts; /* parts of each but the critical one, which has one */
    uint32_t devices, fillers;
    uint32_t steps; /* of a partition on a device */
} trace_sample;

/* To be cleared. Lanes: two for each device, fillers, "finish 0", "front 0", "gate". Ends the program if there is no memory. */
void trace_sample_make(weir_spans *out, const trace_sample *c);

#endif
