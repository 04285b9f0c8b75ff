/* The waterfall in a page. */
#include "engine/trace_page.h"

#include "engine/trace_svg.h"

weir_err weir_trace_write_html(FILE *out, const weir_spans *s, const weir_trace_sum *sum,
                               const char *title, weir_errinfo *ei)
{
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
          out);
    svg_text(out, title);
    fputs("</title>\n<style>\n", out);
    fputs(weir_trace_page_css, out);
    fputs(
        "</style>\n</head>\n<body>\n<div id=\"bar\" role=\"toolbar\" aria-label=\"View\">"
        "<button data-do=\"in\" aria-label=\"closer\">+</button>"
        "<button data-do=\"out\" aria-label=\"farther\">&minus;</button>"
        "<button data-do=\"left\" aria-label=\"earlier\">&larr;</button>"
        "<button data-do=\"right\" aria-label=\"later\">&rarr;</button>"
        "<button data-do=\"all\">all</button><span id=\"where\" role=\"status\"></span>"
        "<span>wheel or + and - to zoom, drag or arrow keys to move, 0 for all; point at a bar to "
        "see what it is</span></div>\n"
        "<div id=\"picture\" tabindex=\"0\" aria-label=\"Lanes over time\">\n",
        out);
    WEIR_TRY(svg_write(out, s, sum, title, true, ei));
    fputs("</div>\n<div id=\"tip\" role=\"tooltip\"></div>\n<script>\n", out);
    fputs(weir_trace_page_js, out);
    fputs("</script>\n</body>\n</html>\n", out);
    return WEIR_OK;
}
