/* The waterfall: lanes over time. */
#include "engine/trace_svg.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <string.h>

/* ---- parts */

void svg_text_cut(FILE *out, const char *text, size_t most)
{
    for (; *text && most > 0; text++, most--) {
        if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '"')
            fputs("&quot;", out);
        else
            fputc(*text, out);
    }
    if (*text) fputs("...", out);
}

void svg_text(FILE *out, const char *text)
{
    svg_text_cut(out, text, SIZE_MAX);
}

double svg_x(const svg_scene *c, uint64_t ns)
{
    const weir_trace_view *v = &c->sum->view;
    return SVG_LEFT + (double)(ns - v->from_ns) * SVG_WIDTH / (double)(v->to_ns - v->from_ns);
}

double svg_share(uint64_t part, const weir_trace_view *view)
{
    return (double)part / (double)(view->to_ns - view->from_ns);
}

/* A bar ends a little before the next one begins, so that partitions of one job can be told apart. */
void svg_box(const svg_scene *c, uint64_t begin_ns, uint64_t end_ns, double y, double height)
{
    double x = svg_x(c, begin_ns), w = svg_x(c, end_ns) - x;
    if (w > 3) w -= 0.7;
    if (w < 0.5) w = 0.5;
    fprintf(c->out, "<rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%.0f\"", x, y, w, height);
    if (c->page)
        fprintf(c->out, " data-b=\"%.0f\" data-e=\"%.0f\"",
                (double)(begin_ns - c->sum->view.origin_ns) / 1e3,
                (double)(end_ns - c->sum->view.origin_ns) / 1e3);
}

static bool has_room(const char *text, double width)
{
    return 6 * (double)strlen(text) + 0.6 <= width;
}

void svg_label(const svg_scene *c, uint64_t begin_ns, uint64_t end_ns, double y, const char *class,
               svg_labels label)
{
    double x = svg_x(c, begin_ns), w = svg_x(c, end_ns) - x;
    int i = 0;
    while (i < SVG_LABELS && !(label[i][0] && has_room(label[i], w))) i++;
    if (i == SVG_LABELS) return;
    fprintf(c->out, "<text class=\"lb %s\" x=\"%.1f\" y=\"%.0f\">%s</text>\n", class, x + w / 2, y,
            label[i]);
}

/* For the script: what may stand there, and where, if that is not the whole shape. */
static void write_label_data(const svg_scene *c, svg_labels label, const weir_shape *p)
{
    uint64_t origin = c->sum->view.origin_ns;
    if (!c->page || !label[0][0]) return;
    fprintf(c->out, " data-l=\"%s|%s|%s\"", label[0], label[1], label[2]);
    if (p && p->layer == WEIR_SHAPE_WORK &&
        p->free_end_ns - p->free_begin_ns < p->span.end_ns - p->span.begin_ns)
        fprintf(c->out, " data-f=\"%.0f\" data-g=\"%.0f\"",
                (double)(p->free_begin_ns - origin) / 1e3, (double)(p->free_end_ns - origin) / 1e3);
}

/* ---- spans */

static void write_what(FILE *out, const weir_shape *p, uint64_t origin_ns)
{
    char text[32];
    weir_duration_text(text, p->end_ns - p->begin_ns);
    fputs("<title>", out);
    if (p->mixed)
        fputs("several jobs, ", out);
    else if (p->span.job != UINT32_MAX)
        fprintf(out, "job %" PRIu32 ", ", p->span.job);
    if (p->span.part != UINT32_MAX) fprintf(out, "partition %" PRIu32 ", ", p->span.part);
    fputs(weir_trace_kind_names[p->span.kind], out);
    if (p->count > 1) fprintf(out, ", %" PRIu64 " times", p->count);
    fprintf(out, ": %s from %.3f s</title>", text, (double)(p->begin_ns - origin_ns) / 1e9);
}

static void write_class(FILE *out, const weir_shape *p)
{
    if (p->layer == WEIR_SHAPE_IDLE || p->layer == WEIR_SHAPE_WAIT)
        fprintf(out, " class=\"w-%s\"", weir_trace_kind_names[p->span.kind]);
    else if (p->layer == WEIR_SHAPE_STEP || p->layer == WEIR_SHAPE_INNER)
        fprintf(out, " class=\"%s\"", p->layer == WEIR_SHAPE_STEP ? "step" : "inner");
    else if (p->mixed || p->span.job == UINT32_MAX)
        fputs(" class=\"no\"", out);
    else
        fprintf(out, " class=\"c%" PRIu32 "\"", p->span.job % SVG_COLOURS);
}

/* A heap of spans has none. */
static void label_of(svg_labels label, const weir_shape *p)
{
    for (int i = 0; i < SVG_LABELS; i++) label[i][0] = '\0';
    if (p->count > 1) return;
    if (weir_trace_is_wait(p->span.kind))
        snprintf(label[0], SVG_LABEL, "%s", weir_trace_kind_names[p->span.kind]);
    if (p->layer != WEIR_SHAPE_WORK || p->span.job == UINT32_MAX) return;
    snprintf(label[0], SVG_LABEL, "job %" PRIu32, p->span.job);
    if (p->span.part == UINT32_MAX) return;
    snprintf(label[0], SVG_LABEL, "job %" PRIu32 ", partition %" PRIu32, p->span.job, p->span.part);
    snprintf(label[1], SVG_LABEL, "job %" PRIu32 ", %" PRIu32, p->span.job, p->span.part);
    snprintf(label[2], SVG_LABEL, "%" PRIu32, p->span.part);
}

static double lane_y(uint32_t lane)
{
    return SVG_TOP + (double)lane * SVG_LANE;
}

static void write_shape(const svg_scene *c, const weir_shape *p)
{
    bool band = p->layer == WEIR_SHAPE_STEP || p->layer == WEIR_SHAPE_INNER;
    double top = lane_y(p->span.lane) + (SVG_LANE - SVG_BAR) / 2.0;
    svg_labels label;
    label_of(label, p);
    svg_box(c, p->span.begin_ns, p->span.end_ns, band ? top + SVG_BAR - SVG_BAND : top,
            band ? SVG_BAND : SVG_BAR);
    write_class(c->out, p);
    write_label_data(c, label, p);
    fputc('>', c->out);
    write_what(c->out, p, c->sum->view.origin_ns);
    fputs("</rect>\n", c->out);
}

static void write_shape_label(const svg_scene *c, const weir_shape *p)
{
    double y = lane_y(p->span.lane) + SVG_LANE / 2.0 + 2;
    svg_labels label;
    char class[16];
    label_of(label, p);
    snprintf(class, sizeof class, "t%" PRIu32, p->span.job % SVG_COLOURS);
    if (weir_trace_is_wait(p->span.kind))
        svg_label(c, p->span.begin_ns, p->span.end_ns, y, "halo", label);
    else if (p->layer == WEIR_SHAPE_WORK)
        svg_label(c, p->free_begin_ns, p->free_end_ns, y, class, label);
}

/* ---- gaps of devices, in the row of a device's first lane */

static bool is_gap_drawn(const svg_scene *c, const weir_trace_gap *g)
{
    return c->page || svg_x(c, g->end_ns) - svg_x(c, g->begin_ns) >= 0.5;
}

static void write_gaps(const svg_scene *c)
{
    uint64_t drawn = 0;
    for (uint64_t i = 0; i < c->sum->gaps && drawn < WEIR_TRACE_MOST_SHAPES / 8; i++) {
        const weir_trace_gap *g = &c->sum->gap[i];
        uint32_t lane = c->sum->device[g->device].lane;
        double y = lane_y(lane);
        svg_labels label = {"", "", ""};
        if (!is_gap_drawn(c, g)) continue;
        drawn++;
        weir_duration_text(label[0], g->end_ns - g->begin_ns);
        svg_box(c, g->begin_ns, g->end_ns, y + 2, SVG_LANE - 4);
        write_label_data(c, label, NULL);
        bool wide = svg_x(c, g->end_ns) - svg_x(c, g->begin_ns) > 4; /* room for a border */
        fprintf(c->out, " class=\"gap%s\"><title>", wide ? "" : " thin");
        svg_text(c->out, c->s->lane[lane]);
        fprintf(c->out, " has nothing to do: %s from %.3f s</title></rect>\n", label[0],
                (double)(g->begin_ns - c->sum->view.origin_ns) / 1e9);
        svg_label(c, g->begin_ns, g->end_ns, y + SVG_LANE / 2.0 + 4, "gt", label);
    }
}

/* ---- around them */

/* 1, 2 or 5 times a power of ten, so that there are about ten; hours where there are many. */
static uint64_t tick_of(uint64_t range_ns)
{
    enum { TICKS = 12 };
    const uint64_t hour = UINT64_C(3600000000000);
    uint64_t unit = range_ns > 2 * hour ? hour : 1;
    for (uint64_t t = 1;; t *= 10)
        for (uint64_t k = 1; k <= 5; k += k == 1 ? 1 : 3)
            if (t * k * TICKS >= range_ns / unit) return t * k * unit;
}

static void write_moment(FILE *out, uint64_t ns, uint64_t tick_ns)
{
    if (tick_ns >= UINT64_C(3600000000000))
        fprintf(out, "%.0f h", (double)ns / 3.6e12);
    else if (tick_ns >= 1000000000)
        fprintf(out, "%.0f s", (double)ns / 1e9);
    else if (tick_ns >= 100000000)
        fprintf(out, "%.1f s", (double)ns / 1e9);
    else if (tick_ns >= 1000000)
        fprintf(out, "%.0f ms", (double)ns / 1e6);
    else if (tick_ns >= 1000)
        fprintf(out, "%.0f us", (double)ns / 1e3);
    else
        fprintf(out, "%.0f ns", (double)ns);
}

static void write_axis(const svg_scene *c)
{
    const weir_trace_view *v = &c->sum->view;
    uint64_t tick = tick_of(v->to_ns - v->from_ns), first = v->from_ns - v->origin_ns;
    uint64_t last = v->to_ns - v->origin_ns, t = (first + tick - 1) / tick * tick;
    fprintf(c->out, "<g id=\"axis\">\n");
    for (; t <= last; t += tick) {
        double x = svg_x(c, t + v->origin_ns);
        fprintf(c->out, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>", x, SVG_TOP, c->foot + 4);
        for (int at = 0; at < 2; at++) {
            fprintf(c->out, "<text class=\"tick\" x=\"%.1f\" y=\"%d\">", x,
                    at ? c->foot + 17 : SVG_TOP - 6);
            write_moment(c->out, t, tick);
            fputs("</text>", c->out);
        }
        fputc('\n', c->out);
    }
    fputs("</g>\n", c->out);
}

static void write_rows(const svg_scene *c)
{
    for (uint32_t l = 0; l < c->s->lanes; l++)
        fprintf(c->out,
                "<rect class=\"row\" x=\"%d\" y=\"%" PRIu32 "\" width=\"%d\" height=\"%d\"/>\n",
                SVG_LEFT, SVG_TOP + l * SVG_LANE + 2, SVG_WIDTH, SVG_LANE - 4);
}

/* Name at the left; at the right how busy it is, as a bar and a number. */
static void write_lane_names(const svg_scene *c)
{
    enum { BAR = 64 };
    int x = SVG_LEFT + SVG_WIDTH + 12;
    fprintf(c->out, "<text class=\"soft\" x=\"%d\" y=\"%d\">busy</text>\n", x + BAR + 8,
            SVG_TOP - 6);
    for (uint32_t l = 0; l < c->s->lanes; l++) {
        int y = SVG_TOP + (int)l * SVG_LANE + SVG_LANE / 2 + 4;
        double share = svg_share(c->sum->lane[l].work_ns, &c->sum->view);
        fprintf(c->out, "<text class=\"name\" x=\"%d\" y=\"%d\">", SVG_LEFT - 10, y);
        svg_text_cut(c->out, c->s->lane[l], 20);
        fprintf(c->out,
                "</text><rect class=\"row\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"8\"/>"
                "<rect class=\"busy\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"8\"/>"
                "<text x=\"%d\" y=\"%d\">%.1f %%</text>\n",
                x, y - 8, BAR, x, y - 8, BAR * share, x + BAR + 8, y, 100 * share);
    }
}

static void write_head(const svg_scene *c, const char *title)
{
    const weir_trace_view *v = &c->sum->view;
    uint64_t busy = 0;
    char text[32];
    for (uint32_t d = 0; d < c->sum->devices; d++) busy += c->sum->device[d].work_ns;
    weir_duration_text(text, v->to_ns - v->from_ns);
    fprintf(c->out, "<text class=\"title\" x=\"%d\" y=\"34\">", SVG_LEFT);
    svg_text_cut(c->out, title, 100);
    fprintf(c->out,
            "</text><text class=\"soft\" x=\"%d\" y=\"56\" font-size=\"12.5\">%" PRIu64
            " job%s, %" PRIu64 " partition%s, %" PRIu32 " lane%s, %s",
            SVG_LEFT, c->sum->jobs, c->sum->jobs == 1 ? "" : "s", c->sum->partitions,
            c->sum->partitions == 1 ? "" : "s", c->s->lanes, c->s->lanes == 1 ? "" : "s", text);
    if (c->sum->devices)
        fprintf(c->out, "; %" PRIu32 " device%s busy %.1f %%", c->sum->devices,
                c->sum->devices == 1 ? "" : "s", 100 * svg_share(busy, v) / c->sum->devices);
    fprintf(c->out, "%s</text>\n", c->s->lost ? "; the oldest spans are lost" : "");
}

static void write_picture(const svg_scene *c, const char *title)
{
    const weir_trace_view *v = &c->sum->view;
    int width = SVG_LEFT + SVG_WIDTH + SVG_RIGHT, height = c->foot + 20 + svg_below_height(c);
    fprintf(c->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"weir\" viewBox=\"0 0 %d %d\" "
            "width=\"%d\" height=\"%d\" data-from=\"%.0f\" data-to=\"%.0f\" data-left=\"%d\" "
            "data-width=\"%d\" data-top=\"%d\" data-foot=\"%d\">\n",
            width, height, width, height, (double)(v->from_ns - v->origin_ns) / 1e3,
            (double)(v->to_ns - v->origin_ns) / 1e3, SVG_LEFT, SVG_WIDTH, SVG_TOP, c->foot);
    svg_style(c->out);
    fprintf(c->out,
            "<clipPath id=\"plot\"><rect x=\"%d\" y=\"0\" width=\"%d\" height=\"%d\"/></clipPath>\n"
            "<rect class=\"bg\" width=\"%d\" height=\"%d\"/>\n",
            SVG_LEFT, SVG_WIDTH, c->foot + 8, width, height);
    write_head(c, title);
    write_rows(c);
    write_axis(c);
    fputs("<g id=\"spans\" clip-path=\"url(#plot)\">\n", c->out);
    write_gaps(c);
    for (size_t i = 0; i < c->shapes; i++) write_shape(c, &c->shape[i]);
    for (size_t i = 0; i < c->shapes; i++) write_shape_label(c, &c->shape[i]);
    fputs("</g>\n", c->out);
    write_lane_names(c);
    svg_jobs(c);
    svg_below(c);
    fputs("</svg>\n", c->out);
}

/* What is shorter than half a unit cannot be seen. The page can be magnified, so it has more, if the number of shapes allows it. */
weir_err svg_write(FILE *out, const weir_spans *s, const weir_trace_sum *sum, const char *title,
                   bool page, weir_errinfo *ei)
{
    enum { MAGNIFIED = 4096 };
    weir_shape *shape;
    svg_scene c = {.out = out, .s = s, .sum = sum, .page = page};
    uint64_t finest_ns = (sum->view.to_ns - sum->view.from_ns) / (2 * SVG_WIDTH);
    if (page) finest_ns /= MAGNIFIED;
    WEIR_TRY(
        weir_trace_layout(&shape, &c.shapes, s, &sum->view, finest_ns, WEIR_TRACE_MOST_SHAPES, ei));
    c.shape = shape;
    c.jobs = sum->jobs < SVG_MOST_JOBS ? (int)sum->jobs : SVG_MOST_JOBS;
    c.foot = SVG_TOP + (int)s->lanes * SVG_LANE + (c.jobs ? 10 + c.jobs * SVG_JOB : 0);
    write_picture(&c, title);
    weir_free(shape);
    return WEIR_OK;
}

weir_err weir_trace_write_svg(FILE *out, const weir_spans *s, const weir_trace_sum *sum,
                              const char *title, weir_errinfo *ei)
{
    return svg_write(out, s, sum, title, false, ei);
}
