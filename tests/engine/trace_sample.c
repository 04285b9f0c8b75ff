#include "trace_sample.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8, NAME = 40, AHEAD = 4, MS = 1000000 };

typedef struct day {
    trace_sample c;
    weir_spans *out;
    uint64_t room, seed;
    uint64_t front, finish, device[MOST], filler[MOST], ended[AHEAD]; /* when each is free */
    uint64_t critical; /* when the critical job is ready for a device; 0: not yet, or over */
    uint64_t done;     /* partitions */
} day;

static void *need(void *p)
{
    if (p) return p;
    fputs("no memory for a sample of a trace\n", stderr);
    exit(2);
}

/* lo .. hi milliseconds, in nanoseconds */
static uint64_t some(day *d, uint64_t lo, uint64_t hi)
{
    d->seed = d->seed * 6364136223846793005u + 1442695040888963407u;
    return (lo * 1000 + (d->seed >> 33) % ((hi - lo) * 1000 + 1)) * 1000;
}

static void add(day *d, uint32_t lane, weir_trace_kind kind, uint32_t job, uint32_t part,
                uint64_t begin, uint64_t end)
{
    weir_spans *s = d->out;
    if (s->n == d->room) {
        d->room = 2 * d->room + 64;
        s->span = need(weir_realloc(s->span, d->room, sizeof *s->span));
    }
    s->span[s->n++] = (weir_span){begin, end, lane, job, part, kind};
}

static uint32_t lane_of(const day *d, const char *what)
{
    uint32_t l = 0;
    while (strcmp(d->out->lane[l], what) != 0) l++;
    return l;
}

static void name_lanes(day *d)
{
    weir_spans *s = d->out;
    uint32_t l = 0;
    s->lanes = 2 * d->c.devices + d->c.fillers + 3;
    s->_names = need(weir_calloc(s->lanes, NAME));
    s->lane = need(weir_malloc(s->lanes, sizeof *s->lane));
    for (uint32_t i = 0; i < s->lanes; i++) s->lane[i] = s->_names + (size_t)i * NAME;
    for (uint32_t i = 0; i < 2 * d->c.devices; i++, l++)
        snprintf(s->_names + (size_t)l * NAME, NAME, "device %u%s", i / 2, i % 2 ? ", beside" : "");
    for (uint32_t i = 0; i < d->c.fillers; i++, l++)
        snprintf(s->_names + (size_t)l * NAME, NAME, "fill %u", i);
    strcpy(s->_names + (size_t)l++ * NAME, "finish 0");
    strcpy(s->_names + (size_t)l++ * NAME, "front 0");
    strcpy(s->_names + (size_t)l * NAME, "gate");
}

static uint32_t earliest(const uint64_t *free_at, uint32_t n)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < n; i++)
        if (free_at[i] < free_at[best]) best = i;
    return best;
}

/* Returns when it is filled. */
static uint64_t fill(day *d, uint32_t job, uint32_t part, uint64_t from, uint64_t length)
{
    uint32_t f = earliest(d->filler, d->c.fillers), lane = 2 * d->c.devices + f;
    uint64_t begin = d->filler[f] > from ? d->filler[f] : from;
    uint64_t room = d->ended[d->done % AHEAD]; /* one that ended gives its memory */
    if (room > begin) {
        add(d, lane, WEIR_TRACE_RESERVE, job, part, begin, room);
        begin = room;
    }
    uint64_t end = begin + length;
    if (d->done % 5 == 3) {
        uint64_t closed = begin + length / 3, open = closed + some(d, 80, 350);
        add(d, lane, WEIR_TRACE_GATE, job, part, closed, open);
        add(d, lane_of(d, "gate"), WEIR_TRACE_GATE, UINT32_MAX, UINT32_MAX, closed, open);
        end += open - closed;
    }
    add(d, lane, WEIR_TRACE_FILL, job, part, begin, end);
    d->filler[f] = end;
    return end;
}

static void finish(day *d, uint32_t job, uint32_t part, uint64_t from)
{
    uint64_t begin = d->finish > from ? d->finish : from;
    d->finish = begin + some(d, 60, 110);
    add(d, lane_of(d, "finish 0"), WEIR_TRACE_FINISH, job, part, begin, d->finish);
}

/* Returns when its last step has ended. */
static uint64_t steps(day *d, uint32_t lane, uint32_t job, uint32_t part, uint64_t begin)
{
    uint64_t now = begin + some(d, 30, 60);
    add(d, lane, WEIR_TRACE_TRANSFER, job, part, begin, now);
    for (uint32_t i = 0; i < d->c.steps; i++) {
        uint64_t end = now + some(d, 800 / d->c.steps, 1050 / d->c.steps);
        add(d, lane, WEIR_TRACE_STEP, job, part, now, end);
        now = end + MS / 2;
        if (i == 1 && d->critical && d->critical < now) {
            uint32_t critical = d->c.jobs / 2;
            d->critical = 0;
            uint64_t over = steps(d, lane + 1, critical, 0, now + MS);
            add(d, lane + 1, WEIR_TRACE_DEVICE, critical, 0, now + MS, over);
            finish(d, critical, 0, over);
            add(d, lane, WEIR_TRACE_PAUSED, job, part, now, over + MS);
            now = over + 2 * MS;
        }
    }
    return now;
}

static void run_part(day *d, uint32_t job, uint32_t part, uint64_t parsed)
{
    uint64_t ready = fill(d, job, part, parsed, some(d, 1500, 2100));
    uint32_t g = earliest(d->device, d->c.devices);
    uint64_t begin = (d->device[g] > ready ? d->device[g] : ready) + some(d, 2, 6);
    d->device[g] = steps(d, 2 * g, job, part, begin);
    add(d, 2 * g, WEIR_TRACE_DEVICE, job, part, begin, d->device[g]);
    finish(d, job, part, d->device[g]);
    d->ended[d->done++ % AHEAD] = d->finish;
}

static uint64_t parse(day *d, uint32_t job, uint64_t came)
{
    uint64_t begin = d->front > came ? d->front : came;
    d->front = begin + some(d, 200, 500);
    add(d, lane_of(d, "front 0"), WEIR_TRACE_PARSE, job, UINT32_MAX, begin, d->front);
    return d->front;
}

/* The critical job comes in the middle of the one before it. */
static void run_job(day *d, uint32_t job)
{
    uint32_t critical = d->c.jobs / 2, slot = job - (job > critical);
    uint64_t came = (uint64_t)slot * d->c.parts * 960 * MS / d->c.devices;
    uint64_t parsed = parse(d, job, came);
    for (uint32_t p = 0; p < d->c.parts; p++) {
        if (job + 1 == critical && p == d->c.parts / 2)
            d->critical = fill(d, critical, 0, parse(d, critical, d->finish), some(d, 500, 600));
        run_part(d, job, p, parsed);
    }
    uint64_t joined = d->finish + some(d, 5, 15);
    add(d, lane_of(d, "front 0"), WEIR_TRACE_JOIN, job, UINT32_MAX, d->finish, joined);
}

static int in_order(const void *a, const void *b)
{
    const weir_span *p = a, *q = b;
    if (p->lane != q->lane) return p->lane < q->lane ? -1 : 1;
    if (p->end_ns != q->end_ns) return p->end_ns < q->end_ns ? -1 : 1;
    return (p->begin_ns < q->begin_ns) - (p->begin_ns > q->begin_ns);
}

void trace_sample_make(weir_spans *out, const trace_sample *c)
{
    day d = {.c = *c, .out = out, .seed = 1};
    memset(out, 0, sizeof *out);
    name_lanes(&d);
    for (uint32_t job = 0; job < c->jobs; job++)
        if (job != c->jobs / 2 || job == 0) run_job(&d, job);
    if (out->n > 0) qsort(out->span, out->n, sizeof *out->span, in_order);
    for (uint64_t i = 0; i < out->n; i++) { /* clocks do not begin at 0 */
        out->span[i].begin_ns += 1000 * (uint64_t)MS;
        out->span[i].end_ns += 1000 * (uint64_t)MS;
    }
}
