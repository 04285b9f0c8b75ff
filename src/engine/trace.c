#include "engine/trace.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 40 };

const char *const weir_trace_kind_names[WEIR_TRACE_KINDS] = {
    "parse",  "fill", "device", "step",    "transfer", "cpu",
    "finish", "join", "wait",   "reserve", "gate",     "paused"};

/* A span in a ring: begin, end, job and part, kind. Words are atomic so that a reader may look while they are written. */
typedef struct record {
    _Atomic uint64_t begin, end, who, kind;
} record;

typedef struct open_span {
    uint64_t begin;
    uint32_t job, part;
    weir_trace_kind kind;
} open_span;

struct weir_trace_lane {
    weir_trace_lane *next;
    char name[NAME_BYTES];
    uint32_t mask, depth;
    open_span open[WEIR_TRACE_DEPTH];
    _Atomic uint64_t written; /* spans so far; the last mask + 1 are in the ring */
    record ring[];
};

struct weir_trace {
    pthread_mutex_t lock; /* of the list of lanes */
    weir_trace_lane *first, *last;
    uint32_t records, lanes;
};

weir_err weir_trace_new(weir_trace **out, uint32_t records, weir_errinfo *ei)
{
    weir_trace *t = weir_calloc(1, sizeof *t);
    *out = NULL;
    if (!t) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a trace");
    pthread_mutex_init(&t->lock, NULL);
    t->records = 1;
    while (t->records <= records && t->records < 1u << 30) t->records *= 2;
    *out = t;
    return WEIR_OK;
}

void weir_trace_free(weir_trace *t)
{
    if (!t) return;
    while (t->first) {
        weir_trace_lane *l = t->first;
        t->first = l->next;
        weir_free(l);
    }
    pthread_mutex_destroy(&t->lock);
    weir_free(t);
}

weir_err weir_trace_lane_new(weir_trace_lane **out, weir_trace *t, const char *name,
                             weir_errinfo *ei)
{
    weir_trace_lane *l = weir_calloc(1, sizeof *l + t->records * sizeof l->ring[0]);
    *out = NULL;
    if (!l) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a trace of %s", name);
    snprintf(l->name, sizeof l->name, "%s", name);
    l->mask = t->records - 1;
    pthread_mutex_lock(&t->lock);
    if (t->last)
        t->last->next = l;
    else
        t->first = l;
    t->last = l;
    t->lanes++;
    pthread_mutex_unlock(&t->lock);
    *out = l;
    return WEIR_OK;
}

/* ---- writing */

void weir_trace_span(weir_trace_lane *l, weir_trace_kind kind, uint32_t job, uint32_t part,
                     uint64_t begin_ns, uint64_t end_ns)
{
    uint64_t n = atomic_load_explicit(&l->written, memory_order_relaxed);
    record *r = &l->ring[n & l->mask];
    atomic_thread_fence(
        memory_order_release); /* who sees a word of this span sees the count before it */
    atomic_store_explicit(&r->begin, begin_ns, memory_order_relaxed);
    atomic_store_explicit(&r->end, end_ns, memory_order_relaxed);
    atomic_store_explicit(&r->who, (uint64_t)job << 32 | part, memory_order_relaxed);
    atomic_store_explicit(&r->kind, kind, memory_order_relaxed);
    atomic_store_explicit(&l->written, n + 1, memory_order_release);
}

void weir_trace_begin(weir_trace_lane *l, weir_trace_kind kind, uint32_t job, uint32_t part)
{
    if (l->depth < WEIR_TRACE_DEPTH)
        l->open[l->depth] = (open_span){weir_now_ns(), job, part, kind};
    l->depth++;
}

void weir_trace_end(weir_trace_lane *l)
{
    if (l->depth == 0) return;
    if (--l->depth >= WEIR_TRACE_DEPTH) return;
    const open_span *s = &l->open[l->depth];
    weir_trace_span(l, s->kind, s->job, s->part, s->begin, weir_now_ns());
}

/* ---- reading */

/* A writer is in the middle of record `written`; so of the ring all but that one's place may be read. What was overwritten in the
 * meantime is told by a second look at the count. */
static uint64_t read_lane(weir_span *out, const weir_trace_lane *l, uint32_t lane, uint64_t *lost)
{
    uint64_t end = atomic_load_explicit(&l->written, memory_order_acquire), n = 0;
    uint64_t begin = end > l->mask ? end - l->mask : 0;
    for (uint64_t i = begin; i < end; i++) {
        const record *r = &l->ring[i & l->mask];
        uint64_t who = atomic_load_explicit(&r->who, memory_order_relaxed);
        out[n++] =
            (weir_span){atomic_load_explicit(&r->begin, memory_order_relaxed),
                        atomic_load_explicit(&r->end, memory_order_relaxed),
                        lane,
                        (uint32_t)(who >> 32),
                        (uint32_t)who,
                        (weir_trace_kind)atomic_load_explicit(&r->kind, memory_order_relaxed)};
    }
    atomic_thread_fence(memory_order_acquire);
    uint64_t now = atomic_load_explicit(&l->written, memory_order_relaxed);
    uint64_t safe = now > l->mask ? now - l->mask : 0, drop = safe > begin ? safe - begin : 0;
    if (drop > n) drop = n;
    memmove(out, out + drop, (n - drop) * sizeof *out);
    *lost += begin + drop;
    return n - drop;
}

weir_err weir_trace_read(weir_spans *out, const weir_trace *t, weir_errinfo *ei)
{
    weir_trace *locked = (weir_trace *)(uintptr_t)t;
    memset(out, 0, sizeof *out);
    pthread_mutex_lock(&locked->lock);
    out->lanes = t->lanes;
    weir_trace_lane *first = t->first;
    pthread_mutex_unlock(&locked->lock);
    out->span = weir_malloc((size_t)out->lanes * t->records, sizeof *out->span);
    out->lane = weir_malloc(out->lanes, sizeof *out->lane);
    if (!out->span || !out->lane) {
        weir_spans_clear(out);
        return weir_fail(ei, WEIR_E_NOMEM, "no memory to read a trace");
    }
    uint32_t lane = 0;
    for (weir_trace_lane *l = first; lane < out->lanes; lane++) {
        out->lane[lane] = l->name;
        out->n += read_lane(out->span + out->n, l, lane, &out->lost);
        if (lane + 1 < out->lanes) l = l->next; /* the last one's may be written now */
    }
    return WEIR_OK;
}

void weir_spans_clear(weir_spans *s)
{
    weir_free(s->span);
    weir_free(s->lane);
    weir_free(s->_names);
    memset(s, 0, sizeof *s);
}
