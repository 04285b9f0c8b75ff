/* Pictures of a trace: Chrome's JSON, SVG and HTML are well formed, say what is there, and stay small. */
#include "base/alloc.h"
#include "engine/trace_layout.h"
#include "engine/trace_picture.h"
#include "testkit.h"
#include "trace_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind { CHROME, SVG, HTML } kind;

static char *drawn(const weir_spans *s, const weir_trace_view *v, kind k)
{
    char *text = NULL;
    size_t n = 0;
    weir_trace_sum sum;
    weir_errinfo ei = {0};
    weir_err err = WEIR_OK;
    FILE *f = open_memstream(&text, &n);
    assert_non_null(f);
    assert_int_equal(weir_trace_sum_make(&sum, s, v, WEIR_TRACE_GAP_NS, &ei), WEIR_OK);
    if (k == CHROME) weir_spans_write_chrome(f, s, v);
    if (k == SVG) err = weir_trace_write_svg(f, s, &sum, "1 < 2 & 3", &ei);
    if (k == HTML) err = weir_trace_write_html(f, s, &sum, "1 < 2 & 3", &ei);
    assert_int_equal(err, WEIR_OK);
    fclose(f);
    weir_trace_sum_clear(&sum);
    return text;
}

static unsigned count(const char *text, const char *what)
{
    unsigned n = 0;
    for (; (text = strstr(text, what)); text += strlen(what)) n++;
    return n;
}

/* Every tag that opens closes, in order: enough of XML for what is written here. */
static void assert_well_formed(const char *svg)
{
    const char *open[32];
    size_t length[32], depth = 0;
    for (const char *p = svg; (p = strchr(p, '<'));) {
        const char *end = strchr(p, '>');
        assert_non_null(end);
        if (p[1] == '/') {
            assert_true(depth > 0);
            depth--;
            assert_int_equal(end - p - 2, length[depth]);
            assert_memory_equal(p + 2, open[depth], length[depth]);
        } else if (end[-1] != '/') {
            assert_true(depth < 32);
            open[depth] = p + 1;
            length[depth++] = strcspn(p + 1, " >");
        }
        p = end;
    }
    assert_int_equal(depth, 0);
}

static void has(const char *text, const char *what)
{
    if (!strstr(text, what)) fail_msg("it does not say: %s", what);
}

static weir_span small[] = {{1000000000, 3000000000, 0, 7, 3, WEIR_TRACE_DEVICE},
                            {4000000000, 5000000000, 0, 7, 4, WEIR_TRACE_DEVICE},
                            {2600000000, 2700000000, 1, UINT32_MAX, UINT32_MAX, WEIR_TRACE_GATE},
                            {2500000000, 2900000000, 1, 8, UINT32_MAX, WEIR_TRACE_PARSE}};
static const char *lanes[] = {"device 0", "fill <1> & \"co\""};

static void test_chrome(void **state)
{
    (void)state;
    weir_spans s = {.span = small, .lane = lanes, .lanes = 2};
    for (s.n = 0; s.n <= 4; s.n += 4) {
        weir_trace_view v = weir_spans_view(&s);
        char *text = drawn(&s, &v, CHROME);
        json_error_t why;
        json_t *doc = json_loads(text, 0, &why);
        if (!doc) fail_msg("%s: %s", why.text, text);
        json_t *events = tk_get(doc, "traceEvents");
        assert_int_equal(json_array_size(events), 2 + s.n);
        assert_string_equal(tk_str(tk_get(json_array_get(events, 1), "args"), "name"), lanes[1]);
        if (s.n) {
            json_t *e = json_array_get(events, 3), *args = tk_get(e, "args");
            assert_true(json_number_value(tk_get(e, "ts")) == 3e6);
            assert_true(json_number_value(tk_get(e, "dur")) == 1e6);
            assert_int_equal(json_integer_value(tk_get(args, "partition")), 4);
            assert_null(json_object_get(json_array_get(events, 4), "args"));
            v.to_ns = v.from_ns + 1000000000;
            char *part = drawn(&s, &v, CHROME);
            assert_int_equal(count(part, "\"ph\":\"X\""), 1);
            free(part);
        }
        json_decref(doc);
        free(text);
    }
}

static void test_svg(void **state)
{
    (void)state;
    weir_spans s = {.span = small, .lane = lanes, .lanes = 2};
    weir_trace_view v = weir_spans_view(&s);
    char *text = drawn(&s, &v, SVG);
    assert_well_formed(text);
    has(text, "No waits");
    free(text);
    s.n = 4;
    v = weir_spans_view(&s);
    text = drawn(&s, &v, SVG);
    assert_well_formed(text);
    has(text, "1 &lt; 2 &amp; 3");
    has(text, "fill &lt;1> &amp; &quot;co&quot;");
    has(text, "job 7, partition 3, device: 2.00 s from 0.000 s</title>");
    has(text, ">job 7, partition 3</text>");
    has(text, "class=\"w-gate\"><title>gate: 100 ms from 1.600 s</title>");
    has(text, "device 0 has nothing to do: 1.00 s from 2.000 s</title>");
    has(text, "1 gap above 50 ms, together 1.00 s, the longest 1.00 s from 2.000 s");
    has(text, "1. gate: fill");
    has(text, "75.0 %");
    has(text, "2 jobs, 2 partitions, 2 lanes, 4.00 s; 1 device busy 75.0 %");
    has(text, ">4.0 s</text>");
    assert_int_equal(count(text, "data-b"), 0);
    free(text);
}

static void test_html(void **state)
{
    (void)state;
    weir_spans s = {.span = small, .n = 4, .lane = lanes, .lanes = 2};
    weir_trace_view v = weir_spans_view(&s);
    char *text = drawn(&s, &v, HTML);
    has(text, "<title>1 &lt; 2 &amp; 3</title>");
    has(text, "data-b=\"0\" data-e=\"2000000\"");
    has(text, "addEventListener('wheel'");
    has(text, "prefers-color-scheme");
    /* nothing is fetched */
    assert_int_equal(count(text, "src="), 0);
    assert_int_equal(count(text, "href="), 0);
    assert_int_equal(count(text, "http"), 2); /* the name space, in the picture and in the script */
    char *picture = strstr(text, "<svg"), *end = strstr(text, "</svg>");
    assert_true(picture && end);
    end[6] = '\0';
    assert_well_formed(picture);
    free(text);
}

/* Where a label of work may stand: the longest stretch without a wait. */
static void test_labels(void **state)
{
    (void)state;
    weir_span span[] = {
        {0, 100, 0, 1, 0, WEIR_TRACE_FILL},     {150, 160, 0, 1, 1, WEIR_TRACE_GATE},
        {170, 200, 0, 1, 1, WEIR_TRACE_GATE},   {110, 230, 0, 1, 1, WEIR_TRACE_FILL},
        {230, 280, 0, 1, 2, WEIR_TRACE_PAUSED}, {230, 300, 0, 1, 2, WEIR_TRACE_FILL}};
    static const uint64_t want[][2] = {{280, 300}, {110, 150}, {0, 100}};
    const char *lane[] = {"fill 0"};
    weir_spans s = {.span = span, .n = 6, .lane = lane, .lanes = 1};
    weir_trace_view v = weir_spans_view(&s);
    weir_shape *shape;
    size_t n;
    weir_errinfo ei = {0};
    assert_int_equal(weir_trace_layout(&shape, &n, &s, &v, 1, 100, &ei), WEIR_OK);
    assert_int_equal(n, 6);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(shape[i].layer, WEIR_SHAPE_WORK);
        assert_int_equal(shape[i].free_begin_ns, want[i][0]);
        assert_int_equal(shape[i].free_end_ns, want[i][1]);
    }
    weir_free(shape);
}

/* Short spans become one shape, which says how many; long ones stay. No time is lost or made. */
static void test_merged(void **state)
{
    (void)state;
    enum { N = 1000 };
    static weir_span span[N + 1];
    const char *lane[] = {"fill 0"};
    weir_spans s = {.span = span, .n = N + 1, .lane = lane, .lanes = 1};
    weir_shape *shape;
    size_t n;
    uint64_t spans = 0;
    weir_errinfo ei = {0};
    for (uint64_t i = 0; i < N; i++)
        span[i] = (weir_span){10 * i, 10 * i + 9, 0, (uint32_t)i / 500, 0, WEIR_TRACE_FILL};
    span[N] = (weir_span){10 * N, 20 * N, 0, 1, 0, WEIR_TRACE_FILL};
    weir_trace_view v = weir_spans_view(&s);
    assert_int_equal(weir_trace_layout(&shape, &n, &s, &v, 100, N, &ei), WEIR_OK);
    assert_true(n >= 25 && n <= 30);
    for (size_t i = 0; i < n; i++) {
        spans += shape[i].count;
        assert_true(shape[i].span.end_ns - shape[i].span.begin_ns <= 400 || i == 0);
        assert_true(i == 0 || shape[i].span.end_ns <= shape[i - 1].span.begin_ns);
    }
    assert_int_equal(spans, N + 1);
    assert_int_equal(shape[0].count, 1);
    weir_free(shape);
    /* fewer than it takes at that fineness */
    assert_int_equal(weir_trace_layout(&shape, &n, &s, &v, 1, 10, &ei), WEIR_OK);
    assert_true(n <= 10);
    weir_free(shape);
    weir_alloc_fail_nth(1, 0);
    assert_int_equal(weir_trace_layout(&shape, &n, &s, &v, 1, 10, &ei), WEIR_E_NOMEM);
    weir_alloc_fail_nth(0, 0);
}

/* A day of work on many lanes has no more shapes than are promised, and is drawn in both forms. */
static void test_small(void **state)
{
    (void)state;
    weir_spans s;
    trace_sample_make(&s, &(trace_sample){90, 10, 4, 8, 60});
    assert_true(s.n > 50000);
    weir_trace_view v = weir_spans_view(&s);
    for (kind k = SVG; k <= HTML; k++) {
        char *text = drawn(&s, &v, k);
        assert_true(count(text, "<rect") + count(text, "<text") <= 24000);
        assert_true(strlen(text) < 5000000);
        free(text);
    }
    weir_spans_clear(&s);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chrome), cmocka_unit_test(test_svg),    cmocka_unit_test(test_html),
        cmocka_unit_test(test_labels), cmocka_unit_test(test_merged), cmocka_unit_test(test_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
