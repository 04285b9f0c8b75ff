#include "engine/trace_busy.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One more partition at work from here on, or one less. */
typedef struct turn {
    uint64_t at_ns;
    int by;
} turn;

/* At one moment those who come stand before those who go, so that no gap of nothing is seen. */
static int by_time(const void *a, const void *b)
{
    const turn *x = a, *y = b;
    if (x->at_ns != y->at_ns) return x->at_ns < y->at_ns ? -1 : 1;
    return y->by - x->by;
}

static bool is_of(const weir_spans *s, const weir_span *p, uint32_t device)
{
    char name[24];
    snprintf(name, sizeof name, "device %u", device);
    size_t n = strlen(name);
    const char *lane = s->lane[p->lane];
    return strncmp(lane, name, n) == 0 && (lane[n] == '\0' || lane[n] == ',');
}

static uint64_t gather(turn *t, const weir_spans *s, uint32_t device, uint64_t from_ns,
                       uint64_t to_ns)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < s->n; i++) {
        const weir_span *p = &s->span[i];
        bool works = p->kind == WEIR_TRACE_DEVICE, rests = p->kind == WEIR_TRACE_PAUSED;
        if (!(works || rests) || p->begin_ns < from_ns || p->end_ns > to_ns || !is_of(s, p, device))
            continue;
        t[n++] = (turn){p->begin_ns, works ? 1 : -1};
        t[n++] = (turn){p->end_ns, works ? -1 : 1};
    }
    return n;
}

weir_err weir_spans_device_busy(weir_busy *out, const weir_spans *s, uint32_t device,
                                uint64_t from_ns, uint64_t to_ns, weir_errinfo *ei)
{
    turn *t = weir_malloc(2 * s->n + 1, sizeof *t);
    *out = (weir_busy){0};
    if (!t) return weir_fail(ei, WEIR_E_NOMEM, "no memory to look at a trace");
    uint64_t n = gather(t, s, device, from_ns, to_ns);
    int at_work = 0;
    qsort(t, n, sizeof *t, by_time);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t past = i == 0 ? 0 : t[i].at_ns - t[i - 1].at_ns;
        if (at_work > 0)
            out->busy_ns += past;
        else if (past > out->longest_gap_ns)
            out->longest_gap_ns = past;
        at_work += t[i].by;
    }
    if (n > 0) {
        out->begin_ns = t[0].at_ns;
        out->end_ns = t[n - 1].at_ns;
    }
    weir_free(t);
    return WEIR_OK;
}
