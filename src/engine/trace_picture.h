/* A trace as files for other eyes: Chrome's JSON, a waterfall as SVG, a page to zoom into.
 *
 * Errors of the stream are the caller's to look at (ferror).
 */
#ifndef WEIR_ENGINE_TRACE_PICTURE_H
#define WEIR_ENGINE_TRACE_PICTURE_H

#include "engine/trace_sum.h"

#include <stdio.h>

/* Most spans that a picture draws, so that it has no megabytes; very short ones that are near each other become one. */
enum { WEIR_TRACE_MOST_SHAPES = 16000 };

/* Chrome's trace format, which Perfetto reads: one JSON object of the spans that are seen. */
void weir_spans_write_chrome(FILE *out, const weir_spans *s, const weir_trace_view *view);

/* A picture of lanes over time, as an SVG document that stands by itself: a colour for each job, waits hatched, a device's gaps marked, a
 * text for each span that the mouse shows; how busy each lane is, jobs from begin to end, the longest waits. Light or dark as the
 * viewer prefers. sum: of s and the view that is drawn. Errors: WEIR_E_NOMEM, before anything is written. */
weir_err weir_trace_write_svg(FILE *out, const weir_spans *s, const weir_trace_sum *sum,
                              const char *title, weir_errinfo *ei) WEIR_MUST_USE;

/* The same picture in a page of HTML that needs nothing else: zoom and move with the mouse or the keyboard. Errors: WEIR_E_NOMEM; what was
 * written then is no page. */
weir_err weir_trace_write_html(FILE *out, const weir_spans *s, const weir_trace_sum *sum,
                               const char *title, weir_errinfo *ei) WEIR_MUST_USE;

#endif
