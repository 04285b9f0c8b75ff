/* Inside of the picture: what its parts share. */
#ifndef WEIR_ENGINE_TRACE_SVG_H
#define WEIR_ENGINE_TRACE_SVG_H

#include "engine/trace_layout.h"
#include "engine/trace_picture.h"

/* Lengths in the picture's units, which are pixels where it is shown as it is. */
enum {
    SVG_LEFT = 150,   /* of the plot */
    SVG_WIDTH = 1120, /* of the plot */
    SVG_RIGHT = 140,
    SVG_TOP = 96,
    SVG_LANE = 30,
    SVG_BAR = 24,
    SVG_BAND = 6, /* at the foot of a bar: steps, other work within */
    SVG_JOB = 16,
    SVG_MOST_JOBS = 40,
    SVG_COLOURS = 24 /* six colours, each plain and in three patterns */
};

typedef struct svg_scene {
    FILE *out;
    const weir_spans *s;
    const weir_trace_sum *sum;
    const weir_shape *shape;
    size_t shapes;
    bool page; /* shapes carry their times, for a script that zooms */
    int jobs;  /* that are drawn */
    int foot;  /* of lanes and jobs */
} svg_scene;

double svg_x(const svg_scene *c, uint64_t ns);
void svg_text(FILE *out, const char *text);
/* At most so many characters. */
void svg_text_cut(FILE *out, const char *text, size_t most);
/* "<rect ... " of a stretch of time, without its end; the class is the caller's. */
void svg_box(const svg_scene *c, uint64_t begin_ns, uint64_t end_ns, double y, double height);
/* What may stand in a bar, the longest first; "" for less. */
enum { SVG_LABELS = 3, SVG_LABEL = 48 };
typedef char svg_labels[SVG_LABELS][SVG_LABEL];
/* In the middle of a stretch: the first of them that has room. */
void svg_label(const svg_scene *c, uint64_t begin_ns, uint64_t end_ns, double y, const char *class,
               svg_labels label);
double svg_share(uint64_t part, const weir_trace_view *view);

/* Style sheet and patterns. */
void svg_style(FILE *out);
/* Rows of jobs; below them the legend and the figures. */
void svg_jobs(const svg_scene *c);
void svg_below(const svg_scene *c);
int svg_below_height(const svg_scene *c);

/* The picture. page: for a page of HTML, with the times of all shapes. */
weir_err svg_write(FILE *out, const weir_spans *s, const weir_trace_sum *sum, const char *title,
                   bool page, weir_errinfo *ei) WEIR_MUST_USE;

#endif
