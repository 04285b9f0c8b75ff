/* A trace in Chrome's format. */
#include "engine/trace_picture.h"

#include <inttypes.h>

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

static void write_event(FILE *out, const weir_span *p, uint64_t origin_ns)
{
    fprintf(out,
            "{\"ph\":\"X\",\"pid\":1,\"tid\":%" PRIu32
            ",\"ts\":%.3f,\"dur\":%.3f,\"name\":\"%s\",\"cat\":\"%s\"",
            p->lane, (double)(p->begin_ns - origin_ns) / 1e3,
            (double)(p->end_ns - p->begin_ns) / 1e3, weir_trace_kind_names[p->kind],
            weir_trace_is_wait(p->kind) ? "wait" : "work");
    if (p->job != UINT32_MAX) fprintf(out, ",\"args\":{\"job\":%" PRIu32, p->job);
    if (p->job != UINT32_MAX && p->part != UINT32_MAX)
        fprintf(out, ",\"partition\":%" PRIu32, p->part);
    fputs(p->job != UINT32_MAX ? "}}" : "}", out);
}

/* Complete events, whole, in microseconds from the first moment of the trace. */
void weir_spans_write_chrome(FILE *out, const weir_spans *s, const weir_trace_view *view)
{
    const char *between = "";
    uint64_t begin, end;
    fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", out);
    for (uint32_t l = 0; l < s->lanes; l++) {
        fprintf(out,
                "%s{\"ph\":\"M\",\"pid\":1,\"tid\":%" PRIu32
                ",\"name\":\"thread_name\",\"args\":{\"name\":",
                between, l);
        between = ",\n";
        write_json_string(out, s->lane[l]);
        fputs("}}", out);
    }
    for (uint64_t i = 0; i < s->n; i++) {
        if (!weir_view_clip(view, &s->span[i], &begin, &end)) continue;
        fputs(between, out);
        write_event(out, &s->span[i], view->origin_ns);
        between = ",\n";
    }
    fputs("\n]}\n", out);
}
