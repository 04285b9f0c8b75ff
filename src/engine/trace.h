/* Where every second went: spans of work on lanes, kept in rings that cost next to nothing, always on.
 *
 * A lane is what does one thing at a time: a worker thread, a device, the gate. It has one writer. A span has a begin and an end, a
 * kind, a job and a partition; spans of a lane nest. When one ends it goes into the lane's ring; the oldest are overwritten. Readers
 * take no lock and stop nobody: what was overwritten while they read is left out.
 * Cost of a span: two looks at the clock and five stores.
 */
#ifndef WEIR_ENGINE_TRACE_H
#define WEIR_ENGINE_TRACE_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum weir_trace_kind {
    WEIR_TRACE_PARSE,
    WEIR_TRACE_FILL,
    WEIR_TRACE_DEVICE, /* a partition on a device */
    WEIR_TRACE_STEP,   /* a part of that between two places where it may pause */
    WEIR_TRACE_TRANSFER,
    WEIR_TRACE_CPU, /* what the CPU does of a partition that is on a device */
    WEIR_TRACE_FINISH,
    WEIR_TRACE_JOIN,
    WEIR_TRACE_WAIT, /* from here on: nothing is done; this one: until the CPU has done its part */
    WEIR_TRACE_RESERVE,
    WEIR_TRACE_GATE,
    WEIR_TRACE_PAUSED,
    WEIR_TRACE_KINDS
} weir_trace_kind;
extern const char *const weir_trace_kind_names[WEIR_TRACE_KINDS];
static inline bool weir_trace_is_wait(weir_trace_kind k)
{
    return k >= WEIR_TRACE_WAIT;
}

typedef struct weir_trace weir_trace;
typedef struct weir_trace_lane weir_trace_lane;

/* Most spans of a lane that are open at one time. */
enum { WEIR_TRACE_DEPTH = 8 };

/* records: spans that a lane keeps at least. Errors: WEIR_E_NOMEM. */
weir_err weir_trace_new(weir_trace **out, uint32_t records, weir_errinfo *ei) WEIR_MUST_USE;
void weir_trace_free(weir_trace *t); /* NULL is allowed; lanes go with it */

/* A lane of that name; lanes are shown in the order in which they were made. Thread: any. Errors: WEIR_E_NOMEM. */
weir_err weir_trace_lane_new(weir_trace_lane **out, weir_trace *t, const char *name,
                             weir_errinfo *ei) WEIR_MUST_USE;
/* Thread: the lane's own. job, part: numbers for people, UINT32_MAX for none. Deeper than WEIR_TRACE_DEPTH spans are not kept. */
void weir_trace_begin(weir_trace_lane *l, weir_trace_kind kind, uint32_t job, uint32_t part);
void weir_trace_end(weir_trace_lane *l);
/* A span that is over, for what is known only afterwards: begin_ns <= end_ns, and no earlier end than the lane's last one. */
void weir_trace_span(weir_trace_lane *l, weir_trace_kind kind, uint32_t job, uint32_t part,
                     uint64_t begin_ns, uint64_t end_ns);

/* ---- reading */

typedef struct weir_span {
    uint64_t begin_ns, end_ns;
    uint32_t lane, job, part;
    weir_trace_kind kind;
} weir_span;

/* Spans that ended before now, by lane, by their end within one. To be cleared. */
typedef struct weir_spans {
    weir_span *span;
    uint64_t n;
    const char **
        lane; /* names: of the trace, which has to stay; or of these spans, if they are from a file */
    uint32_t lanes;
    uint64_t lost; /* overwritten so far */
    char *_names;  /* NULL if they are the trace's */
} weir_spans;
weir_err weir_trace_read(weir_spans *out, const weir_trace *t, weir_errinfo *ei) WEIR_MUST_USE;
void weir_spans_clear(weir_spans *s);

#endif
