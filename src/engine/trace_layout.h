/* What of a trace is drawn where: spans as shapes, so few that a picture stays small. */
#ifndef WEIR_ENGINE_TRACE_LAYOUT_H
#define WEIR_ENGINE_TRACE_LAYOUT_H

#include "engine/trace_sum.h"

/* In the order in which they are drawn, one over the other. */
typedef enum weir_shape_layer {
    WEIR_SHAPE_WORK,  /* outermost spans */
    WEIR_SHAPE_IDLE,  /* outermost waits */
    WEIR_SHAPE_STEP,  /* within work */
    WEIR_SHAPE_INNER, /* other work within work */
    WEIR_SHAPE_WAIT,  /* within work */
    WEIR_SHAPE_LAYERS
} weir_shape_layer;

typedef struct weir_shape {
    weir_span span; /* clipped to the view; of several: the first's begin and the last's end */
    uint64_t begin_ns, end_ns;           /* not clipped */
    uint64_t free_begin_ns, free_end_ns; /* the longest stretch of it that no wait within covers */
    uint64_t count;                      /* spans in it */
    bool mixed;                          /* they are of several jobs */
    weir_shape_layer layer;
} weir_shape;

/* Shapes by lane, by layer, outer before inner. Spans shorter than finest_ns that are no further apart become one shape; where there
 * would be more than `most` shapes, longer ones too. To be freed. Errors: WEIR_E_NOMEM. */
weir_err weir_trace_layout(weir_shape **out, size_t *n, const weir_spans *s,
                           const weir_trace_view *view, uint64_t finest_ns, size_t most,
                           weir_errinfo *ei) WEIR_MUST_USE;

#endif
