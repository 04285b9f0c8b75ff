#include "engine/trace_sum.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

weir_trace_view weir_spans_view(const weir_spans *s)
{
    weir_trace_view v = {UINT64_MAX, UINT64_MAX, 0};
    for (uint64_t i = 0; i < s->n; i++) {
        if (s->span[i].begin_ns < v.from_ns) v.from_ns = s->span[i].begin_ns;
        if (s->span[i].end_ns > v.to_ns) v.to_ns = s->span[i].end_ns;
    }
    if (s->n == 0) v.from_ns = 0;
    if (v.to_ns <= v.from_ns) v.to_ns = v.from_ns + 1;
    v.origin_ns = v.from_ns;
    return v;
}

bool weir_view_clip(const weir_trace_view *v, const weir_span *p, uint64_t *begin, uint64_t *end)
{
    *begin = p->begin_ns > v->from_ns ? p->begin_ns : v->from_ns;
    *end = p->end_ns < v->to_ns ? p->end_ns : v->to_ns;
    return *begin < *end || (*begin == *end && p->begin_ns == p->end_ns);
}

void weir_duration_text(char out[32], uint64_t ns)
{
    double s = (double)ns / 1e9;
    if (ns == 0)
        snprintf(out, 32, "0 s");
    else if (ns < 1000000)
        snprintf(out, 32, "%.3g us", s * 1e6);
    else if (ns < 1000000000)
        snprintf(out, 32, "%.4g ms", s * 1e3);
    else if (s < 1000)
        snprintf(out, 32, "%.2f s", s);
    else if (s < 3 * 3600)
        snprintf(out, 32, "%.1f min", s / 60);
    else
        snprintf(out, 32, "%.1f h", s / 3600);
}

/* ---- jobs */

static int by_job(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static weir_job_sum *job_of(const weir_trace_sum *sum, uint32_t job)
{
    uint64_t lo = 0, hi = sum->jobs;
    while (lo < hi) {
        uint64_t middle = lo + (hi - lo) / 2;
        if (sum->job[middle].job < job)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < sum->jobs && sum->job[lo].job == job ? &sum->job[lo] : NULL;
}

/* One record for each number in the sorted keys, which are jobs and partitions. */
static weir_err list_jobs(weir_trace_sum *sum, const uint64_t *key, uint64_t n, weir_errinfo *ei)
{
    uint64_t jobs = 0;
    for (uint64_t i = 0; i < n; i++) jobs += i == 0 || key[i] >> 32 != key[i - 1] >> 32;
    sum->job = weir_calloc(jobs, sizeof *sum->job);
    if (!sum->job) return weir_fail(ei, WEIR_E_NOMEM, "no memory for the jobs of a trace");
    for (uint64_t i = 0; i < n; i++) {
        if (i == 0 || key[i] >> 32 != key[i - 1] >> 32)
            sum->job[sum->jobs++] =
                (weir_job_sum){.job = (uint32_t)(key[i] >> 32), .begin_ns = UINT64_MAX};
        if ((uint32_t)key[i] == UINT32_MAX || (i > 0 && key[i] == key[i - 1])) continue;
        sum->job[sum->jobs - 1].partitions++;
        sum->partitions++;
    }
    return WEIR_OK;
}

static weir_err find_jobs(weir_trace_sum *sum, const weir_spans *s, weir_errinfo *ei)
{
    uint64_t *key = weir_malloc(s->n, sizeof *key), n = 0, begin, end;
    if (!key) return weir_fail(ei, WEIR_E_NOMEM, "no memory for the jobs of a trace");
    for (uint64_t i = 0; i < s->n; i++)
        if (s->span[i].job != UINT32_MAX && weir_view_clip(&sum->view, &s->span[i], &begin, &end))
            key[n++] = (uint64_t)s->span[i].job << 32 | s->span[i].part;
    qsort(key, n, sizeof *key, by_job);
    weir_err err = list_jobs(sum, key, n, ei);
    weir_free(key);
    return err;
}

/* ---- spans: counts, the longest waits, begin and end of jobs */

static uint64_t seen_ns(const weir_trace_view *v, const weir_span *p)
{
    uint64_t begin, end;
    return weir_view_clip(v, p, &begin, &end) ? end - begin : 0;
}

static void offer_wait(weir_trace_sum *sum, const weir_span *p)
{
    unsigned at = sum->waits;
    uint64_t ns = seen_ns(&sum->view, p);
    while (at > 0 && seen_ns(&sum->view, sum->wait[at - 1]) < ns) at--;
    if (at == WEIR_TRACE_LONGEST) return;
    if (sum->waits < WEIR_TRACE_LONGEST) sum->waits++;
    for (unsigned i = sum->waits - 1; i > at; i--) sum->wait[i] = sum->wait[i - 1];
    sum->wait[at] = p;
}

static void add_spans(weir_trace_sum *sum, const weir_spans *s)
{
    uint64_t begin, end;
    for (uint64_t i = 0; i < s->n; i++) {
        const weir_span *p = &s->span[i];
        if (!weir_view_clip(&sum->view, p, &begin, &end)) continue;
        sum->spans++;
        sum->lane[p->lane].spans++;
        sum->kind[p->kind].spans++;
        if (weir_trace_is_wait(p->kind)) offer_wait(sum, p);
        weir_job_sum *j = p->job == UINT32_MAX ? NULL : job_of(sum, p->job);
        if (j && begin < j->begin_ns) j->begin_ns = begin;
        if (j && end > j->end_ns) j->end_ns = end;
    }
}

/* ---- devices */

/* Letters up to the first comma, which tells lanes of a device apart. */
static bool same_thing(const char *a, const char *b)
{
    size_t n = strcspn(a, ",");
    return strcspn(b, ",") == n && memcmp(a, b, n) == 0;
}

static void find_devices(weir_trace_sum *sum, const weir_spans *s)
{
    for (uint32_t l = 0; l < s->lanes; l++) sum->lane[l].device = WEIR_TRACE_NONE;
    for (uint64_t i = 0; i < s->n; i++)
        if (s->span[i].kind == WEIR_TRACE_DEVICE) sum->lane[s->span[i].lane].device = 0;
    for (uint32_t l = 0; l < s->lanes; l++) {
        uint32_t d = 0;
        if (sum->lane[l].device == WEIR_TRACE_NONE) continue;
        while (d < sum->devices && !same_thing(s->lane[sum->device[d].lane], s->lane[l])) d++;
        if (d == sum->devices) sum->device[sum->devices++] = (weir_device_sum){.lane = l};
        sum->lane[l].device = d;
    }
}

/* work: of one device, by their begin; n of them. Gaps take the place of work that was looked at: there are fewer. Returns how many. */
static size_t gaps_between(weir_device_sum *d, weir_trace_gap *work, size_t n, uint64_t gap_ns)
{
    size_t gaps = 0;
    uint64_t end = 0;
    for (size_t i = 0; i < n; i++) {
        weir_trace_gap w = work[i];
        if (i > 0 && w.begin_ns > end && w.begin_ns - end > gap_ns) {
            work[gaps++] = (weir_trace_gap){end, w.begin_ns, w.device};
            d->gaps++;
            d->gap_ns += w.begin_ns - end;
        }
        uint64_t from = i > 0 && end > w.begin_ns ? end : w.begin_ns;
        if (w.end_ns > from) d->work_ns += w.end_ns - from;
        if (i == 0 || w.end_ns > end) end = w.end_ns;
    }
    return gaps;
}

static int by_device(const void *a, const void *b)
{
    const weir_trace_gap *p = a, *q = b;
    if (p->device != q->device) return p->device < q->device ? -1 : 1;
    return (p->begin_ns > q->begin_ns) - (p->begin_ns < q->begin_ns);
}

/* In: sum->gap has the pieces of work of all devices. */
static void find_gaps(weir_trace_sum *sum, size_t work)
{
    size_t n = 0, end;
    qsort(sum->gap, work, sizeof *sum->gap, by_device);
    for (size_t i = 0; i < work; i = end) {
        weir_device_sum *d = &sum->device[sum->gap[i].device];
        for (end = i + 1; end < work && sum->gap[end].device == sum->gap[i].device;) end++;
        size_t gaps = gaps_between(d, sum->gap + i, end - i, sum->gap_ns);
        memmove(sum->gap + n, sum->gap + i, gaps * sizeof *sum->gap);
        d->longest = n;
        for (size_t g = n; g < n + gaps; g++)
            if (sum->gap[g].end_ns - sum->gap[g].begin_ns >
                sum->gap[d->longest].end_ns - sum->gap[d->longest].begin_ns)
                d->longest = g;
        n += gaps;
    }
    sum->gaps = n;
}

/* ---- time */

/* Adds one piece to its kind, lane and job. */
static uint64_t add_piece(weir_trace_sum *sum, const weir_trace_piece *p)
{
    weir_span seen = {.begin_ns = p->begin_ns, .end_ns = p->end_ns};
    uint64_t ns = seen_ns(&sum->view, &seen);
    bool waits = weir_trace_is_wait(p->span->kind);
    weir_job_sum *j = p->span->job == UINT32_MAX ? NULL : job_of(sum, p->span->job);
    sum->kind[p->span->kind].ns += ns;
    *(waits ? &sum->lane[p->span->lane].wait_ns : &sum->lane[p->span->lane].work_ns) += ns;
    if (j) *(waits ? &j->wait_ns : &j->work_ns) += ns;
    return ns;
}

/* Returns how many pieces of work of devices stand in sum->gap. */
static size_t add_time(weir_trace_sum *sum, const weir_spans *s, weir_trace_piece *piece,
                       const weir_span **stack)
{
    size_t work = 0;
    for (uint32_t l = 0; l < s->lanes; l++) {
        size_t n = weir_lane_pieces(piece, stack, s, l);
        uint64_t idle = sum->view.to_ns - sum->view.from_ns;
        for (size_t i = 0; i < n; i++) {
            uint64_t ns = add_piece(sum, &piece[i]);
            idle -= ns;
            if (ns == 0 || sum->lane[l].device == WEIR_TRACE_NONE ||
                weir_trace_is_wait(piece[i].span->kind))
                continue;
            weir_span seen = {.begin_ns = piece[i].begin_ns, .end_ns = piece[i].end_ns};
            weir_trace_gap *g = &sum->gap[work++];
            (void)weir_view_clip(&sum->view, &seen, &g->begin_ns, &g->end_ns);
            g->device = sum->lane[l].device;
        }
        sum->idle_ns += idle;
    }
    return work;
}

static weir_err make(weir_trace_sum *sum, const weir_spans *s, weir_errinfo *ei)
{
    weir_trace_piece *piece = weir_malloc(2 * s->n, sizeof *piece);
    const weir_span **stack = weir_malloc(s->n, sizeof *stack);
    sum->lane = weir_calloc(s->lanes, sizeof *sum->lane);
    sum->device = weir_calloc(s->lanes, sizeof *sum->device);
    sum->gap = weir_malloc(2 * s->n, sizeof *sum->gap);
    weir_err err = WEIR_OK;
    if (!piece || !stack || !sum->lane || !sum->device || !sum->gap)
        err = weir_fail(ei, WEIR_E_NOMEM, "no memory for the figures of a trace");
    if (err == WEIR_OK) err = find_jobs(sum, s, ei);
    if (err == WEIR_OK) {
        add_spans(sum, s);
        find_devices(sum, s);
        find_gaps(sum, add_time(sum, s, piece, stack));
    }
    weir_free(piece);
    weir_free(stack);
    return err;
}

weir_err weir_trace_sum_make(weir_trace_sum *out, const weir_spans *s, const weir_trace_view *view,
                             uint64_t gap_ns, weir_errinfo *ei)
{
    *out = (weir_trace_sum){.view = *view, .gap_ns = gap_ns};
    weir_err err = make(out, s, ei);
    if (err != WEIR_OK) weir_trace_sum_clear(out);
    return err;
}

void weir_trace_sum_clear(weir_trace_sum *sum)
{
    weir_free(sum->lane);
    weir_free(sum->device);
    weir_free(sum->gap);
    weir_free(sum->job);
    memset(sum, 0, sizeof *sum);
}
