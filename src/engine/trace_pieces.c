/* Lanes cut into pieces that do not overlap. */
#include "engine/trace_sum.h"

void weir_spans_of_lane(const weir_spans *s, uint32_t lane, uint64_t *first, uint64_t *end)
{
    uint64_t lo = 0, hi = s->n;
    while (lo < hi) {
        uint64_t middle = lo + (hi - lo) / 2;
        if (s->span[middle].lane < lane)
            lo = middle + 1;
        else
            hi = middle;
    }
    *first = lo;
    for (hi = s->n; lo < hi;) {
        uint64_t middle = lo + (hi - lo) / 2;
        if (s->span[middle].lane <= lane)
            lo = middle + 1;
        else
            hi = middle;
    }
    *end = lo;
}

/* What lies between two moments belongs to that span; nothing may. */
static void add(weir_trace_piece *out, size_t *n, const weir_span *p, uint64_t begin_ns,
                uint64_t end_ns)
{
    if (begin_ns < end_ns) out[(*n)++] = (weir_trace_piece){begin_ns, end_ns, p};
}

/* From the last span backwards, a stack of those that are open at `now`. Of spans that neither nest nor follow each other the one that
 * ends first has what is common. Each span is put on the stack once and taken off once, and each time one piece may come. */
size_t weir_lane_pieces(weir_trace_piece *out, const weir_span **stack, const weir_spans *s,
                        uint32_t lane)
{
    uint64_t first, end, now = UINT64_MAX;
    size_t n = 0, open = 0;
    weir_spans_of_lane(s, lane, &first, &end);
    for (uint64_t i = end; i-- > first;) {
        const weir_span *p = &s->span[i];
        for (; open && stack[open - 1]->begin_ns >= p->end_ns; open--) {
            add(out, &n, stack[open - 1], stack[open - 1]->begin_ns, now);
            if (stack[open - 1]->begin_ns < now) now = stack[open - 1]->begin_ns;
        }
        if (open) add(out, &n, stack[open - 1], p->end_ns, now);
        if (p->end_ns < now) now = p->end_ns;
        stack[open++] = p;
    }
    for (; open; open--) {
        add(out, &n, stack[open - 1], stack[open - 1]->begin_ns, now);
        if (stack[open - 1]->begin_ns < now) now = stack[open - 1]->begin_ns;
    }
    return n;
}
