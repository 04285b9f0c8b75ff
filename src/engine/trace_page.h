/* Style sheet and script of the page; made from the files in page/ by the build. */
#ifndef WEIR_ENGINE_TRACE_PAGE_H
#define WEIR_ENGINE_TRACE_PAGE_H

extern const char weir_trace_page_css[], weir_trace_page_js[];

#endif
