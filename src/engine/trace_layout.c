#include "engine/trace_layout.h"

#include "base/alloc.h"

typedef struct layout {
    const weir_spans *s;
    const weir_trace_view *view;
    uint64_t finest_ns;
    weir_shape *shape; /* room for all spans */
    size_t n;
    weir_shape open; /* short spans so far; count 0: none */
} layout;

/* A wide heap of short spans is cut into shapes of this many times the finest length, so that colours show how jobs follow each other. */
enum { HEAP = 4 };

static weir_shape_layer layer_of(const weir_span *p, bool outermost)
{
    if (weir_trace_is_wait(p->kind)) return outermost ? WEIR_SHAPE_IDLE : WEIR_SHAPE_WAIT;
    if (outermost) return WEIR_SHAPE_WORK;
    return p->kind == WEIR_TRACE_STEP ? WEIR_SHAPE_STEP : WEIR_SHAPE_INNER;
}

static void flush(layout *y)
{
    if (y->open.count) y->shape[y->n++] = y->open;
    y->open.count = 0;
}

/* Spans come by their end, the last one first. */
static bool joins(const layout *y, const weir_shape *next)
{
    const weir_span *a = &next->span, *b = &y->open.span;
    uint64_t begin = a->begin_ns < b->begin_ns ? a->begin_ns : b->begin_ns;
    return a->kind == b->kind && a->end_ns + y->finest_ns >= b->begin_ns &&
           b->end_ns - begin <= HEAP * y->finest_ns;
}

static void join(weir_shape *open, const weir_shape *next)
{
    if (next->span.begin_ns < open->span.begin_ns) open->span.begin_ns = next->span.begin_ns;
    if (next->begin_ns < open->begin_ns) open->begin_ns = next->begin_ns;
    if (next->span.job != open->span.job) open->mixed = true;
    if (next->span.part != open->span.part) open->span.part = UINT32_MAX;
    open->count++;
}

static void add_span(layout *y, const weir_span *p, weir_shape_layer layer)
{
    weir_shape next = {*p, p->begin_ns, p->end_ns, 0, 0, 1, false, layer};
    if (!weir_view_clip(y->view, p, &next.span.begin_ns, &next.span.end_ns)) return;
    if (next.span.end_ns - next.span.begin_ns >= y->finest_ns) {
        flush(y);
        y->shape[y->n++] = next;
    } else if (y->open.count && joins(y, &next)) {
        join(&y->open, &next);
    } else {
        flush(y);
        y->open = next;
    }
}

/* From the last span backwards, one that begins after the earliest begin so far lies within a span that was looked at. */
static void add_layer(layout *y, uint64_t first, uint64_t end, weir_shape_layer layer)
{
    uint64_t covered = UINT64_MAX;
    for (uint64_t i = end; i-- > first;) {
        const weir_span *p = &y->s->span[i];
        bool outermost = p->begin_ns < covered;
        if (outermost) covered = p->begin_ns;
        if (layer_of(p, outermost) == layer) add_span(y, p, layer);
    }
    flush(y);
}

/* Both come by their end, the last one first; what is free of a shape lies between waits, before the first or after the last. */
static void find_free(weir_shape *work, size_t n, const weir_shape *wait, size_t waits)
{
    size_t w = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t begin = work[i].span.begin_ns, to = work[i].span.end_ns;
        work[i].free_begin_ns = work[i].free_end_ns = begin;
        while (w < waits && wait[w].span.begin_ns >= to) w++;
        for (bool more = true; more;) {
            more = w < waits && wait[w].span.end_ns > begin;
            uint64_t from = more ? wait[w].span.end_ns : begin;
            if (to > from && to - from > work[i].free_end_ns - work[i].free_begin_ns) {
                work[i].free_begin_ns = from;
                work[i].free_end_ns = to;
            }
            if (more && wait[w].span.begin_ns < to) to = wait[w].span.begin_ns;
            if (more) w++;
        }
    }
}

static void add_lane(layout *y, uint32_t lane)
{
    uint64_t first, end;
    size_t at[WEIR_SHAPE_LAYERS + 1];
    weir_spans_of_lane(y->s, lane, &first, &end);
    for (int layer = 0; layer < WEIR_SHAPE_LAYERS; layer++) {
        at[layer] = y->n;
        add_layer(y, first, end, (weir_shape_layer)layer);
    }
    at[WEIR_SHAPE_LAYERS] = y->n;
    find_free(y->shape + at[WEIR_SHAPE_WORK], at[WEIR_SHAPE_WORK + 1] - at[WEIR_SHAPE_WORK],
              y->shape + at[WEIR_SHAPE_WAIT], at[WEIR_SHAPE_WAIT + 1] - at[WEIR_SHAPE_WAIT]);
}

static void add_all(layout *y)
{
    y->n = 0;
    for (uint32_t l = 0; l < y->s->lanes; l++) add_lane(y, l);
}

weir_err weir_trace_layout(weir_shape **out, size_t *n, const weir_spans *s,
                           const weir_trace_view *view, uint64_t finest_ns, size_t most,
                           weir_errinfo *ei)
{
    uint64_t whole = view->to_ns - view->from_ns;
    layout y = {.s = s, .view = view, .finest_ns = finest_ns ? finest_ns : 1};
    y.shape = weir_malloc(s->n, sizeof *y.shape);
    *out = NULL;
    *n = 0;
    if (!y.shape) return weir_fail(ei, WEIR_E_NOMEM, "no memory to draw a trace");
    for (add_all(&y); y.n > most && y.finest_ns <= whole; add_all(&y)) y.finest_ns *= 2;
    *out = y.shape;
    *n = y.n;
    return WEIR_OK;
}
