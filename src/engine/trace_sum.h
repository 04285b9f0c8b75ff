/* A trace in figures: how busy each lane is, what its time went to, where a device had nothing to do, what waited longest.
 *
 * Every nanosecond of a lane counts once: for the innermost span that covers it, or as idle. So the times of all kinds and the idle time
 * add up to the time looked at, times the lanes. Spans that cross a border of the view count with what lies within.
 */
#ifndef WEIR_ENGINE_TRACE_SUM_H
#define WEIR_ENGINE_TRACE_SUM_H

#include "engine/trace.h"

#include <stddef.h>

/* What is looked at. */
typedef struct weir_trace_view {
    uint64_t origin_ns;      /* moments are told from here: the first of the whole trace */
    uint64_t from_ns, to_ns; /* from < to */
} weir_trace_view;
/* All of it; of a trace without spans, a nanosecond. */
weir_trace_view weir_spans_view(const weir_spans *s);
/* The part of a span that is seen; false if none is. A span of no length is seen if its moment is. */
bool weir_view_clip(const weir_trace_view *v, const weir_span *p, uint64_t *begin, uint64_t *end);

enum { WEIR_TRACE_LONGEST = 3, WEIR_TRACE_NONE = UINT32_MAX - 1 };
/* Between two spans of work of a device shorter gaps are no gaps: the next step is being handed over. */
#define WEIR_TRACE_GAP_NS UINT64_C(50000000)

typedef struct weir_lane_sum {
    uint64_t work_ns, wait_ns;
    uint64_t spans;
    uint32_t device; /* in the list of devices; WEIR_TRACE_NONE: the lane is none's */
} weir_lane_sum;

typedef struct weir_kind_sum {
    uint64_t ns, spans;
} weir_kind_sum;

typedef struct weir_trace_gap {
    uint64_t begin_ns, end_ns;
    uint32_t device;
} weir_trace_gap;

/* A device is one or more lanes that have a span of kind device and the same name up to the first comma. Its gaps are times longer than
 * gap_ns in which none of them works, between the first and the last work that is seen. */
typedef struct weir_device_sum {
    uint32_t lane; /* the first */
    uint64_t work_ns;
    uint64_t gaps, gap_ns; /* how many, all together */
    uint64_t longest;      /* in the list of gaps, if there are any */
} weir_device_sum;

typedef struct weir_job_sum {
    uint32_t job, partitions; /* that are seen */
    uint64_t begin_ns, end_ns;
    uint64_t work_ns, wait_ns;
} weir_job_sum;

typedef struct weir_trace_sum {
    weir_trace_view view;
    uint64_t gap_ns; /* shorter ones are not listed */
    weir_lane_sum *lane;
    weir_kind_sum kind[WEIR_TRACE_KINDS];
    uint64_t idle_ns, spans, partitions; /* of all lanes, jobs */
    weir_device_sum *device;
    uint32_t devices;
    weir_trace_gap *gap; /* by device, by time */
    uint64_t gaps;
    weir_job_sum *job; /* by number */
    uint64_t jobs;
    const weir_span *wait[WEIR_TRACE_LONGEST]; /* of the trace; the longest first */
    unsigned waits;
} weir_trace_sum;

/* To be cleared; s has to stay as long. Errors: WEIR_E_NOMEM; out is then empty. Cost: sorts the spans once by job, 0.2 us a span. */
weir_err weir_trace_sum_make(weir_trace_sum *out, const weir_spans *s, const weir_trace_view *view,
                             uint64_t gap_ns, weir_errinfo *ei) WEIR_MUST_USE;
void weir_trace_sum_clear(weir_trace_sum *sum);

/* "12.3 ms", "9.31 s", "4.2 h" */
void weir_duration_text(char out[32], uint64_t ns);

/* ---- for what reads lanes piece by piece */

/* The spans first .. end - 1 are those of a lane. */
void weir_spans_of_lane(const weir_spans *s, uint32_t lane, uint64_t *first, uint64_t *end);

/* A stretch of a lane without a border in it. */
typedef struct weir_trace_piece {
    uint64_t begin_ns, end_ns; /* begin < end */
    const weir_span *span;     /* the innermost */
} weir_trace_piece;
/* The pieces of a lane, the last one first. out, stack: room for 2 * spans of the lane, and for as many as there are. Returns how many. */
size_t weir_lane_pieces(weir_trace_piece *out, const weir_span **stack, const weir_spans *s,
                        uint32_t lane);

#endif
