/* A trace as files: Chrome's JSON, and a waterfall in SVG. */
#include "engine/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* First and last moment of all spans; false if there is none. */
static bool extent(const weir_spans *s, uint64_t *from, uint64_t *to)
{
    *from = UINT64_MAX;
    *to = 0;
    for (uint64_t i = 0; i < s->n; i++) {
        if (s->span[i].begin_ns < *from) *from = s->span[i].begin_ns;
        if (s->span[i].end_ns > *to) *to = s->span[i].end_ns;
    }
    return s->n > 0;
}

/* ---- Chrome */

static void write_json_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            fprintf(out, "\\u%04x", *text);
        else
            fputc(*text, out);
    }
    fputc('"', out);
}

/* Complete events, in microseconds from the first. */
void weir_spans_write_chrome(FILE *out, const weir_spans *s)
{
    uint64_t from, to;
    (void)extent(s, &from, &to);
    fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", out);
    for (uint32_t l = 0; l < s->lanes; l++) {
        fprintf(out,
                "%s{\"ph\":\"M\",\"pid\":1,\"tid\":%" PRIu32
                ",\"name\":\"thread_name\",\"args\":{\"name\":",
                l ? ",\n" : "", l);
        write_json_string(out, s->lane[l]);
        fputs("}}", out);
    }
    for (uint64_t i = 0; i < s->n; i++) {
        const weir_span *p = &s->span[i];
        fprintf(out,
                "%s{\"ph\":\"X\",\"pid\":1,\"tid\":%" PRIu32
                ",\"ts\":%.3f,\"dur\":%.3f,\"name\":\"%s\",\"cat\":\"%s\"",
                i || s->lanes ? ",\n" : "", p->lane, (double)(p->begin_ns - from) / 1e3,
                (double)(p->end_ns - p->begin_ns) / 1e3, weir_trace_kind_names[p->kind],
                weir_trace_is_wait(p->kind) ? "wait" : "work");
        if (p->job != UINT32_MAX)
            fprintf(out, ",\"args\":{\"job\":%" PRIu32 ",\"partition\":%" PRId64 "}", p->job,
                    p->part == UINT32_MAX ? (int64_t)-1 : (int64_t)p->part);
        fputs("}", out);
    }
    fputs("\n]}\n", out);
}

/* ---- SVG */

enum {
    LEFT = 150,
    WIDTH = 1100,
    RIGHT = 70,
    TOP = 64,
    LANE = 26,
    BAR = 18,
    BELOW = 110,
    TICKS = 10,
    WAITS = 3
};

static void write_xml(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '"')
            fputs("&quot;", out);
        else
            fputc(*text, out);
    }
}

typedef struct scale {
    uint64_t from, to;
} scale;

static double place(const scale *c, uint64_t ns)
{
    return LEFT + (double)(ns - c->from) * WIDTH / (double)(c->to - c->from);
}

/* "12.3 ms" */
static const char *length_text(char text[32], uint64_t ns)
{
    if (ns < 1000000)
        snprintf(text, 32, "%.0f us", (double)ns / 1e3);
    else if (ns < 1000000000)
        snprintf(text, 32, "%.1f ms", (double)ns / 1e6);
    else
        snprintf(text, 32, "%.2f s", (double)ns / 1e9);
    return text;
}

/* 1, 2 or 5 times a power of ten, so that there are about TICKS of them. */
static uint64_t tick_of(uint64_t range)
{
    uint64_t t = 1;
    for (;;) {
        if (t * TICKS >= range) return t;
        if (2 * t * TICKS >= range) return 2 * t;
        if (5 * t * TICKS >= range) return 5 * t;
        t *= 10;
    }
}

/* Neighbouring jobs get colours far apart: the golden angle. */
static unsigned hue(uint32_t job)
{
    return (unsigned)((uint64_t)job * 137508 / 1000 % 360);
}

static void write_span(FILE *out, const weir_span *p, const scale *c, unsigned depth)
{
    char text[32];
    double x = place(c, p->begin_ns), w = place(c, p->end_ns) - x;
    double y = TOP + (double)p->lane * LANE + (LANE - BAR) / 2.0 + 3 * depth;
    if (w < 0.4) w = 0.4;
    fprintf(out, "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\" ", x, y, w,
            BAR - (int)(6 * depth));
    if (weir_trace_is_wait(p->kind))
        fputs("fill=\"url(#wait)\"", out);
    else if (p->job == UINT32_MAX)
        fputs("fill=\"#999\"", out);
    else
        fprintf(out, "fill=\"hsl(%u,62%%,%u%%)\"", hue(p->job), 56 + 10 * (depth > 0));
    fprintf(out, "><title>%s", weir_trace_kind_names[p->kind]);
    if (p->job != UINT32_MAX) fprintf(out, ", job %" PRIu32, p->job);
    if (p->part != UINT32_MAX) fprintf(out, ", partition %" PRIu32, p->part);
    fprintf(out, ": %s from %.3f s</title></rect>\n", length_text(text, p->end_ns - p->begin_ns),
            (double)(p->begin_ns - c->from) / 1e9);
}

/* Outer spans first, inner ones on them and thinner. Spans of a lane come by their end, so outer ones are the later ones. */
static void write_lane_spans(FILE *out, const weir_spans *s, uint32_t lane, const scale *c)
{
    uint64_t covered = UINT64_MAX;
    for (uint64_t i = s->n; i-- > 0;) {
        const weir_span *p = &s->span[i];
        if (p->lane != lane) continue;
        bool inner = p->begin_ns >= covered;
        if (!inner) covered = p->begin_ns;
        write_span(out, p, c, inner);
    }
}

static void write_axis(FILE *out, const scale *c, uint32_t lanes)
{
    uint64_t range = c->to - c->from, tick = tick_of(range);
    double bottom = TOP + (double)lanes * LANE;
    for (uint64_t t = 0; t <= range; t += tick) {
        double x = place(c, c->from + t);
        fprintf(out,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.0f\" stroke=\"#ddd\"/>"
                "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\" fill=\"#555\">%g s</text>\n",
                x, TOP, x, bottom, x, bottom + 16, (double)t / 1e9);
    }
}

static void write_lane_names(FILE *out, const weir_spans *s, const scale *c)
{
    fprintf(out, "<text x=\"%d\" y=\"%d\" fill=\"#555\">busy</text>\n", LEFT + WIDTH + 12, TOP - 8);
    for (uint32_t l = 0; l < s->lanes; l++) {
        int y = TOP + (int)l * LANE + LANE / 2 + 4;
        fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 10, y);
        write_xml(out, s->lane[l]);
        fprintf(out, "</text><text x=\"%d\" y=\"%d\">%.1f %%</text>\n", LEFT + WIDTH + 12, y,
                100 * weir_spans_busy(s, l, c->from, c->to));
    }
}

static int longer(const void *a, const void *b)
{
    const weir_span *p = *(const weir_span *const *)a, *q = *(const weir_span *const *)b;
    uint64_t x = p->end_ns - p->begin_ns, y = q->end_ns - q->begin_ns;
    return (x < y) - (x > y);
}

static void write_longest_waits(FILE *out, const weir_spans *s, const scale *c)
{
    const weir_span *best[WAITS + 1];
    size_t n = 0;
    int y = TOP + (int)s->lanes * LANE + 44;
    for (uint64_t i = 0; i < s->n; i++) {
        if (!weir_trace_is_wait(s->span[i].kind)) continue;
        best[n++] = &s->span[i];
        qsort(best, n, sizeof best[0], longer);
        if (n > WAITS) n = WAITS;
    }
    fprintf(out, "<text x=\"%d\" y=\"%d\" fill=\"#555\">%s</text>\n", LEFT, y,
            n ? "Longest waits:" : "No waits.");
    for (size_t i = 0; i < n; i++) {
        char text[32];
        fprintf(out, "<text x=\"%d\" y=\"%d\">%s, ", LEFT, y + 18 * (int)(i + 1),
                weir_trace_kind_names[best[i]->kind]);
        write_xml(out, s->lane[best[i]->lane]);
        if (best[i]->job != UINT32_MAX) fprintf(out, ", job %" PRIu32, best[i]->job);
        fprintf(out, ": %s from %.3f s</text>\n",
                length_text(text, best[i]->end_ns - best[i]->begin_ns),
                (double)(best[i]->begin_ns - c->from) / 1e9);
    }
}

void weir_spans_write_svg(FILE *out, const weir_spans *s, const char *title)
{
    scale c;
    int height = TOP + (int)s->lanes * LANE + BELOW;
    bool some = extent(s, &c.from, &c.to);
    if (!some) c.from = 0;
    if (!some || c.to == c.from) c.to = c.from + 1;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" "
            "font-size=\"12\">\n<defs><pattern id=\"wait\" width=\"5\" height=\"5\" "
            "patternUnits=\"userSpaceOnUse\" "
            "patternTransform=\"rotate(45)\"><rect width=\"5\" height=\"5\" fill=\"#f3f3f3\"/>"
            "<line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"5\" stroke=\"#b33\" "
            "stroke-width=\"2\"/></pattern></defs>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<text x=\"%d\" y=\"26\" "
            "font-size=\"16\">",
            LEFT + WIDTH + RIGHT, height, LEFT);
    write_xml(out, title);
    fprintf(out,
            "</text><text x=\"%d\" y=\"46\" fill=\"#555\">a colour for each job; hatched: waits; "
            "empty: nothing to do%s</text>\n",
            LEFT, s->lost ? "; the oldest spans are lost" : "");
    write_axis(out, &c, s->lanes);
    for (uint32_t l = 0; l < s->lanes; l++) write_lane_spans(out, s, l, &c);
    write_lane_names(out, s, &c);
    write_longest_waits(out, s, &c);
    fputs("</svg>\n", out);
}
