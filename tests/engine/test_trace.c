/* The trace: spans in order, rings that overwrite, readers beside a writer, busy time. */
#include "base/alloc.h"
#include "base/clock.h"
#include "engine/trace.h"
#include "testkit.h"

#include <pthread.h>
#include <stdatomic.h>

static weir_trace *new_trace(uint32_t records, weir_trace_lane **a, weir_trace_lane **b)
{
    weir_trace *t;
    weir_errinfo ei = {0};
    assert_int_equal(weir_trace_new(&t, records, &ei), WEIR_OK);
    assert_int_equal(weir_trace_lane_new(a, t, "gpu 0", &ei), WEIR_OK);
    if (b) assert_int_equal(weir_trace_lane_new(b, t, "fill <1> & \"co\"", &ei), WEIR_OK);
    return t;
}

static weir_spans read_all(const weir_trace *t)
{
    weir_spans s;
    weir_errinfo ei = {0};
    assert_int_equal(weir_trace_read(&s, t, &ei), WEIR_OK);
    return s;
}

static void test_spans(void **state)
{
    (void)state;
    weir_trace_lane *a, *b;
    weir_trace *t = new_trace(8, &a, &b);
    uint64_t t0 = weir_now_ns();
    weir_trace_begin(a, WEIR_TRACE_DEVICE, 7, 3);
    weir_trace_begin(a, WEIR_TRACE_STEP, 7, 3);
    weir_trace_end(a);
    weir_trace_begin(b, WEIR_TRACE_FILL, 8, 0);
    weir_trace_end(a);
    weir_trace_end(a); /* one too many */
    weir_spans s = read_all(t);
    assert_int_equal(s.n, 2);
    assert_int_equal(s.lanes, 2);
    assert_string_equal(s.lane[0], "gpu 0");
    assert_int_equal(s.span[0].kind, WEIR_TRACE_STEP);
    assert_int_equal(s.span[1].kind, WEIR_TRACE_DEVICE);
    assert_int_equal(s.span[1].job, 7);
    assert_int_equal(s.span[1].part, 3);
    assert_true(t0 <= s.span[1].begin_ns && s.span[1].begin_ns <= s.span[0].begin_ns &&
                s.span[0].begin_ns <= s.span[0].end_ns && s.span[0].end_ns <= s.span[1].end_ns);
    weir_spans_clear(&s);
    /* too deep: what lies below is not kept, what lies above is */
    for (int i = 0; i < WEIR_TRACE_DEPTH + 3; i++) weir_trace_begin(a, WEIR_TRACE_STEP, 1, 1);
    for (int i = 0; i < WEIR_TRACE_DEPTH + 3; i++) weir_trace_end(a);
    s = read_all(t);
    assert_int_equal(s.n, 10);
    assert_int_equal(s.lost, 0);
    weir_spans_clear(&s);
    for (int i = 0; i < 20; i++) weir_trace_span(a, WEIR_TRACE_STEP, 1, 1, 1, 2);
    s = read_all(t);
    assert_true(s.n >= 8 && s.n < 16);
    assert_int_equal(s.n + s.lost, 30);
    weir_spans_clear(&s);
    weir_trace_free(t);
    weir_trace_free(NULL);
}

/* ---- a reader beside a writer: what it sees is whole and in order */

typedef struct writer {
    weir_trace_lane *lane;
    atomic_int stop;
} writer;

static void *write_spans(void *ctx)
{
    writer *w = ctx;
    for (uint64_t i = 1; !w->stop; i++)
        weir_trace_span(w->lane, (weir_trace_kind)(i % WEIR_TRACE_KINDS), (uint32_t)i,
                        (uint32_t)(i * 3), i, 2 * i);
    return NULL;
}

static void test_beside(void **state)
{
    (void)state;
    weir_trace_lane *a;
    weir_trace *t = new_trace(64, &a, NULL);
    writer w = {.lane = a};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, write_spans, &w), 0);
    for (int round = 0; round < 2000; round++) {
        weir_spans s = read_all(t);
        for (uint64_t i = 0; i < s.n; i++) {
            const weir_span *p = &s.span[i];
            assert_true(p->end_ns == 2 * p->begin_ns && p->job == (uint32_t)p->begin_ns &&
                        p->part == (uint32_t)(3 * p->begin_ns) &&
                        p->kind == (weir_trace_kind)(p->begin_ns % WEIR_TRACE_KINDS));
            assert_true(i == 0 || p->begin_ns == s.span[i - 1].begin_ns + 1);
        }
        weir_spans_clear(&s);
    }
    w.stop = 1;
    pthread_join(thread, NULL);
    weir_trace_free(t);
}

static void test_no_memory(void **state)
{
    (void)state;
    weir_trace *t;
    weir_trace_lane *l;
    weir_spans s;
    weir_errinfo ei = {0};
    weir_alloc_fail_nth(1, 0);
    assert_int_equal(weir_trace_new(&t, 8, &ei), WEIR_E_NOMEM);
    weir_alloc_fail_nth(0, 0);
    assert_int_equal(weir_trace_new(&t, 8, &ei), WEIR_OK);
    weir_alloc_fail_nth(1, 0);
    assert_int_equal(weir_trace_lane_new(&l, t, "x", &ei), WEIR_E_NOMEM);
    weir_alloc_fail_nth(0, 0);
    assert_int_equal(weir_trace_lane_new(&l, t, "x", &ei), WEIR_OK);
    for (uint64_t nth = 1; nth <= 2; nth++) {
        weir_alloc_fail_nth(nth, 0);
        assert_int_equal(weir_trace_read(&s, t, &ei), WEIR_E_NOMEM);
        weir_alloc_fail_nth(0, 0);
    }
    weir_trace_free(t);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_beside),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
