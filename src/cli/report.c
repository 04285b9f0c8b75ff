#include "cli/report.h"

#include "base/clock.h"
#include "cli/memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void weir_report_init(weir_report *r)
{
    *r = (weir_report){._open = -1};
}

static void read_memory(weir_report_stage *s)
{
    weir_memory m = weir_memory_read();
    if (m.peak_bytes > s->peak_bytes) s->peak_bytes = m.peak_bytes;
    s->own_bytes = m.own_bytes;
}

void weir_report_end(weir_report *r)
{
    if (r->_open < 0) return;
    weir_report_stage *s = &r->stage[r->_open];
    s->wall_ns += weir_now_ns() - r->_wall0;
    s->cpu_ns += weir_cpu_ns() - r->_cpu0;
    read_memory(s);
    r->_open = -1;
}

void weir_report_begin(weir_report *r, const char *name)
{
    weir_report_end(r);
    unsigned i = 0;
    while (i < r->n && strcmp(r->stage[i].name, name) != 0) i++;
    if (i == WEIR_REPORT_MAX)
        i--;
    else if (i == r->n)
        r->stage[r->n++] = (weir_report_stage){.name = name};
    r->_open = (int)i;
    weir_memory_reset_peak();
    r->_wall0 = weir_now_ns();
    r->_cpu0 = weir_cpu_ns();
}

void weir_report_print(const weir_report *r, FILE *out)
{
    weir_report_stage sum = {.name = "total"};
    fprintf(out, "%-24s %9s %9s %11s %11s\n", "stage", "wall s", "CPU s", "peak MiB", "own MiB");
    for (unsigned i = 0; i <= r->n; i++) {
        const weir_report_stage *s = i < r->n ? &r->stage[i] : &sum;
        fprintf(out, "%-24s %9.2f %9.2f %11.1f", s->name, (double)s->wall_ns / 1e9,
                (double)s->cpu_ns / 1e9, (double)s->peak_bytes / 1048576);
        if (s != &sum) fprintf(out, " %11.1f", (double)s->own_bytes / 1048576);
        fputc('\n', out);
        sum.wall_ns += s->wall_ns;
        sum.cpu_ns += s->cpu_ns;
        if (s->peak_bytes > sum.peak_bytes) sum.peak_bytes = s->peak_bytes;
    }
    fputs("peak: resident at most, mapped files included; own: without them, at the end of the "
          "stage\n",
          out);
}

void weir_report_json(const weir_report *r, weir_json_out *j)
{
    weir_json_out_array(j, "stages");
    for (unsigned i = 0; i < r->n; i++) {
        const weir_report_stage *s = &r->stage[i];
        weir_json_out_object(j, NULL);
        weir_json_out_string(j, "name", s->name);
        weir_json_out_seconds(j, "wall_s", s->wall_ns);
        weir_json_out_seconds(j, "cpu_s", s->cpu_ns);
        weir_json_out_u64(j, "peak_bytes", s->peak_bytes);
        weir_json_out_u64(j, "own_bytes", s->own_bytes);
        weir_json_out_end_object(j);
    }
    weir_json_out_end_array(j);
}
