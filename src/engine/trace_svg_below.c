/* Of the waterfall: colours and patterns, jobs from begin to end, legend, figures. */
#include "engine/trace_svg.h"

#include <inttypes.h>
#include <string.h>

/* ---- colours: six that people with any kind of colour vision tell apart (P. Tol, "bright"), each plain and in three patterns */

enum { HUES = 6 };
static const char *const hue[HUES] = {"#4477aa", "#ee6677", "#228833",
                                      "#ccbb44", "#66ccee", "#aa3377"};
static const char *const ink[HUES] = {"#fff", "#000", "#fff", "#000", "#000", "#fff"};
/* Drawn faintly in the ink of the hue on a tile of 6 by 6: dots, lines lying, lines standing. */
static const char *const mark[SVG_COLOURS / HUES - 1] = {"<circle cx=\"3\" cy=\"3\" r=\"1.1\"",
                                                         "<path d=\"M0 2h6v1.2h-6z\"",
                                                         "<path d=\"M2 0v6h1.2v-6z\""};

static const char sheet[] =
    "<style>\n"
    ".weir{font:11px system-ui,Helvetica,Arial,sans-serif;fill:#1c2226}\n"
    ".bg{fill:#fff}.row{fill:#f0f2f4}.grid{stroke:#d5dade;fill:none}\n"
    ".title{font-size:19px;font-weight:600}.head{font-weight:600}.soft,.tick{fill:#5a646c}\n"
    ".tick,.key{text-anchor:middle}.name{text-anchor:end;font-size:12px}\n"
    ".lb{text-anchor:middle;font-size:9.5px;pointer-events:none}\n"
    ".halo{paint-order:stroke;stroke:#fff;stroke-width:3px}.gt{fill:#b00020}\n"
    ".busy{fill:#55606a}.no{fill:#98a2aa}.step{fill:#000;fill-opacity:.34}.inner{fill:#000;"
    "fill-opacity:.75}\n"
    ".gap{fill:#ffdcdc;stroke:#d33;stroke-width:.6}.thin{stroke:none;fill:#f9b9b9}.hb{fill:#fff}."
    "hl{stroke:#7a858d;fill:none}\n"
    ".w-wait{fill:url(#h-wait)}.w-reserve{fill:url(#h-reserve)}.w-gate{fill:url(#h-gate)}"
    ".w-paused{fill:url(#h-paused)}\n"
    ".w-wait,.w-reserve,.w-gate,.w-paused{stroke:#7a858d;stroke-width:.5}\n"
    ".faint{fill-opacity:.3}.still{pointer-events:none}\n"
    "@media (prefers-color-scheme:dark){.weir{fill:#e4e8eb}.bg{fill:#14181b}.row{fill:#20262b}"
    ".grid{stroke:#3a434a}.soft,.tick{fill:#a3adb5}.halo{stroke:#14181b}.gt{fill:#ff9a9a}"
    ".busy{fill:#9aa6b0}.gap{fill:#4a1f22}.thin{fill:#7a3036}.hb{fill:#14181b}.hl{stroke:#a3adb5}}"
    "\n";

/* Waits are hatched, each kind its own way. */
static const struct {
    weir_trace_kind kind;
    const char *lines; /* on a tile of 6 by 6 */
} hatch[] = {{WEIR_TRACE_WAIT, "M0 6L6 0M-1 1L1 -1M5 7L7 5"},
             {WEIR_TRACE_RESERVE, "M0 0L6 6M-1 5L1 7M5 -1L7 1"},
             {WEIR_TRACE_GATE, "M0 1.5h6M0 4.5h6"},
             {WEIR_TRACE_PAUSED, "M0 6L6 0M0 0L6 6"}};
enum { HATCHES = sizeof hatch / sizeof hatch[0] };

static void write_pattern_head(FILE *out, const char *prefix, const char *name)
{
    fprintf(out, "<pattern id=\"%s%s\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">",
            prefix, name);
}

/* Texts on a pattern have its hue around them. */
static void write_colour(FILE *out, int i)
{
    if (i < HUES)
        fprintf(out, ".c%d{fill:%s}.t%d{fill:%s}\n", i, hue[i], i, ink[i]);
    else
        fprintf(out,
                ".c%d{fill:url(#p%d)}.t%d{fill:%s;paint-order:stroke;stroke:%s;stroke-width:3px}\n",
                i, i, i, ink[i % HUES], hue[i % HUES]);
}

void svg_style(FILE *out)
{
    fputs(sheet, out);
    for (int i = 0; i < SVG_COLOURS; i++) write_colour(out, i);
    fputs("</style>\n<defs>\n", out);
    for (int i = HUES; i < SVG_COLOURS; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        write_pattern_head(out, "p", name);
        fprintf(out,
                "<rect width=\"6\" height=\"6\" fill=\"%s\"/>%s fill=\"%s\" "
                "fill-opacity=\".55\"/></pattern>\n",
                hue[i % HUES], mark[i / HUES - 1], ink[i % HUES]);
    }
    for (int i = 0; i < HATCHES; i++) {
        write_pattern_head(out, "h-", weir_trace_kind_names[hatch[i].kind]);
        fprintf(out,
                "<rect class=\"hb\" width=\"6\" height=\"6\"/><path class=\"hl\" d=\"%s\"/>"
                "</pattern>\n",
                hatch[i].lines);
    }
    fputs("</defs>\n", out);
}

/* ---- jobs: one row each, faint from begin to end, full where a device works on it */

static int job_y(const svg_scene *c, int row)
{
    return SVG_TOP + (int)c->s->lanes * SVG_LANE + 10 + row * SVG_JOB;
}

static int row_of(const svg_scene *c, uint32_t job)
{
    for (int i = 0; i < c->jobs; i++)
        if (c->sum->job[i].job == job) return i;
    return -1;
}

static void write_job(const svg_scene *c, int row)
{
    const weir_job_sum *j = &c->sum->job[row];
    int y = job_y(c, row);
    char text[32];
    weir_duration_text(text, j->end_ns - j->begin_ns);
    svg_box(c, j->begin_ns, j->end_ns, y + 2, SVG_JOB - 4);
    fprintf(c->out,
            " class=\"c%" PRIu32 " faint\"><title>job %" PRIu32 ", %" PRIu32
            " partitions: %s from %.3f s</title></rect>\n",
            j->job % SVG_COLOURS, j->job, j->partitions, text,
            (double)(j->begin_ns - c->sum->view.origin_ns) / 1e9);
}

static void write_job_names(const svg_scene *c)
{
    int x = SVG_LEFT + SVG_WIDTH + 12;
    for (int i = 0; i < c->jobs; i++) {
        const weir_job_sum *j = &c->sum->job[i];
        int y = job_y(c, i) + SVG_JOB - 4;
        char text[32];
        weir_duration_text(text, j->end_ns - j->begin_ns);
        fprintf(c->out,
                "<rect class=\"c%" PRIu32 "\" x=\"%d\" y=\"%d\" width=\"12\" height=\"12\"/>"
                "<text class=\"name\" x=\"%d\" y=\"%d\">job %" PRIu32 "</text>"
                "<text class=\"soft\" x=\"%d\" y=\"%d\">took %s</text>\n",
                j->job % SVG_COLOURS, SVG_LEFT - 22, y - 10, SVG_LEFT - 28, y, j->job, x, y, text);
    }
    if (c->sum->jobs > (uint64_t)c->jobs)
        fprintf(c->out,
                "<text class=\"name soft\" x=\"%d\" y=\"%d\">%" PRIu64 " more jobs</text>\n",
                SVG_LEFT - 10, c->foot + 17, c->sum->jobs - (uint64_t)c->jobs);
}

void svg_jobs(const svg_scene *c)
{
    fputs("<g id=\"jobs\" clip-path=\"url(#plot)\">\n", c->out);
    for (int i = 0; i < c->jobs; i++) write_job(c, i);
    for (size_t i = 0; i < c->shapes; i++) {
        const weir_shape *p = &c->shape[i];
        if (p->layer != WEIR_SHAPE_WORK || p->mixed || p->span.kind != WEIR_TRACE_DEVICE) continue;
        int row = row_of(c, p->span.job);
        if (row < 0) continue;
        svg_box(c, p->span.begin_ns, p->span.end_ns, job_y(c, row) + 2, SVG_JOB - 4);
        fprintf(c->out, " class=\"c%" PRIu32 " still\"/>\n", p->span.job % SVG_COLOURS);
    }
    fputs("</g>\n", c->out);
    write_job_names(c);
}

/* ---- legend */

/* Where the next entry goes; a line is as wide as the picture. */
typedef struct legend {
    const svg_scene *c;
    double x;
    int y;
} legend;

static void write_key(legend *g, const char *class, const char *text)
{
    double width = 28 + 6.6 * (double)strlen(text) + 18;
    bool band = strcmp(class, "step") == 0 || strcmp(class, "inner") == 0;
    if (g->x > SVG_LEFT && g->x + width > SVG_LEFT + SVG_WIDTH + SVG_RIGHT) {
        g->x = SVG_LEFT;
        g->y += 20;
    }
    if (band)
        fprintf(g->c->out, "<rect class=\"c0\" x=\"%.0f\" y=\"%d\" width=\"22\" height=\"14\"/>",
                g->x, g->y - 11);
    fprintf(g->c->out,
            "<rect class=\"%s\" x=\"%.0f\" y=\"%d\" width=\"22\" height=\"%d\"/>"
            "<text x=\"%.0f\" y=\"%d\">%s</text>\n",
            class, g->x, band ? g->y - 2 : g->y - 11, band ? 5 : 14, g->x + 28, g->y, text);
    g->x += width;
}

static bool is_band(int kind)
{
    return kind == WEIR_TRACE_STEP || kind == WEIR_TRACE_TRANSFER;
}

static void write_work_key(legend *g)
{
    char text[160] = "";
    for (int k = 0; k < WEIR_TRACE_WAIT; k++) {
        size_t n = strlen(text);
        if (g->c->sum->kind[k].spans == 0 || is_band(k)) continue;
        snprintf(text + n, sizeof text - n, "%s%s",
                 n ? ", " : "a colour for each job, the number is the partition: ",
                 weir_trace_kind_names[k]);
    }
    if (text[0]) write_key(g, "c0", text);
    if (text[0])
        fprintf(g->c->out, "<text class=\"t0 key\" x=\"%d\" y=\"%d\">7</text>\n", SVG_LEFT + 11,
                g->y);
}

static void write_legend(const svg_scene *c, int y)
{
    static const char *const of_wait[] = {"wait: for the CPU's part of it", "reserve: waits for memory",
                                          "gate: waits for bandwidth",
                                          "paused for a more urgent job"};
    legend g = {c, SVG_LEFT, y};
    char text[96];
    write_work_key(&g);
    if (c->sum->kind[WEIR_TRACE_STEP].spans) write_key(&g, "step", "step within it");
    if (c->sum->kind[WEIR_TRACE_TRANSFER].spans) write_key(&g, "inner", "transfer within it");
    for (int i = 0; i < HATCHES; i++) {
        if (c->sum->kind[hatch[i].kind].spans == 0) continue;
        snprintf(text, sizeof text, "w-%s", weir_trace_kind_names[hatch[i].kind]);
        write_key(&g, text, of_wait[i]);
    }
    if (c->sum->gaps) {
        char least[32];
        weir_duration_text(least, c->sum->gap_ns);
        snprintf(text, sizeof text, "gap: a device has nothing to do for over %s", least);
        write_key(&g, "gap", text);
    }
}

/* ---- figures */

enum { LINE = 17, MOST_DEVICES = 8 };

static int device_lines(const svg_scene *c)
{
    return c->sum->devices < MOST_DEVICES ? (int)c->sum->devices : MOST_DEVICES;
}

int svg_below_height(const svg_scene *c)
{
    int lines = device_lines(c) > WEIR_TRACE_LONGEST ? device_lines(c) : WEIR_TRACE_LONGEST;
    return 92 + (lines + 1) * LINE;
}

static void write_devices(const svg_scene *c, int y)
{
    fprintf(c->out, "<text class=\"head\" x=\"%d\" y=\"%d\">Devices</text>\n", SVG_LEFT, y);
    for (int i = 0; i < device_lines(c); i++) {
        const weir_device_sum *d = &c->sum->device[i];
        char least[32], longest[32], all[32];
        weir_duration_text(least, c->sum->gap_ns);
        weir_duration_text(all, d->gap_ns);
        fprintf(c->out, "<text x=\"%d\" y=\"%d\">", SVG_LEFT, y + LINE * (i + 1));
        svg_text_cut(c->out, c->s->lane[d->lane], 20);
        fprintf(c->out, ": busy %.1f %%, ", 100 * svg_share(d->work_ns, &c->sum->view));
        if (d->gaps) {
            const weir_trace_gap *g = &c->sum->gap[d->longest];
            weir_duration_text(longest, g->end_ns - g->begin_ns);
            fprintf(c->out, "%" PRIu64 " gap%s above %s, together %s, the longest %s from %.3f s",
                    d->gaps, d->gaps == 1 ? "" : "s", least, all, longest,
                    (double)(g->begin_ns - c->sum->view.origin_ns) / 1e9);
        } else {
            fprintf(c->out, "no gap above %s", least);
        }
        fputs("</text>\n", c->out);
    }
}

static void write_waits(const svg_scene *c, int x, int y)
{
    fprintf(c->out, "<text class=\"head\" x=\"%d\" y=\"%d\">%s</text>\n", x, y,
            c->sum->waits ? "Longest waits" : "No waits");
    for (unsigned i = 0; i < c->sum->waits; i++) {
        const weir_span *p = c->sum->wait[i];
        char text[32];
        weir_duration_text(text, p->end_ns - p->begin_ns);
        fprintf(c->out, "<text x=\"%d\" y=\"%d\">%u. %s: ", x, y + LINE * (int)(i + 1), i + 1,
                weir_trace_kind_names[p->kind]);
        svg_text_cut(c->out, c->s->lane[p->lane], 20);
        if (p->job != UINT32_MAX) fprintf(c->out, ", job %" PRIu32, p->job);
        if (p->part != UINT32_MAX) fprintf(c->out, ", partition %" PRIu32, p->part);
        fprintf(c->out, ", %s from %.3f s</text>\n", text,
                (double)(p->begin_ns - c->sum->view.origin_ns) / 1e9);
    }
}

void svg_below(const svg_scene *c)
{
    int y = c->foot + 46;
    write_legend(c, y);
    write_devices(c, y + 54);
    write_waits(c, SVG_LEFT + SVG_WIDTH / 2 + 40, y + 54);
}
