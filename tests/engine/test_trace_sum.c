/* Figures of a trace that is known: every nanosecond counts once. And pieces, which they come from. */
#include "base/alloc.h"
#include "engine/trace_sum.h"
#include "testkit.h"
#include "trace_sample.h"

#include <string.h>

#define NONE UINT32_MAX
#define MS   UINT64_C(1000000)

/* Times in milliseconds. */
static const weir_span known[] = {
    /* device 0: works 100..300 with a pause 150..200 in it, then 310..400, then 900..1000 */
    {100, 120, 0, 1, 0, WEIR_TRACE_TRANSFER},
    {120, 150, 0, 1, 0, WEIR_TRACE_STEP},
    {150, 200, 0, 1, 0, WEIR_TRACE_PAUSED},
    {100, 300, 0, 1, 0, WEIR_TRACE_DEVICE},
    {310, 400, 0, 1, 1, WEIR_TRACE_DEVICE},
    {900, 1000, 0, 2, 0, WEIR_TRACE_DEVICE},
    /* device 0, beside: in the pause, and 400..500 */
    {150, 190, 1, 9, 0, WEIR_TRACE_DEVICE},
    {400, 500, 1, 9, 1, WEIR_TRACE_DEVICE},
    /* fill: waits for memory 0..40, for the gate 60..70 */
    {0, 40, 2, 1, 0, WEIR_TRACE_RESERVE},
    {60, 70, 2, 1, 0, WEIR_TRACE_GATE},
    {40, 95, 2, 1, 0, WEIR_TRACE_FILL},
    {200, 200, 2, 3, NONE, WEIR_TRACE_PARSE},
    /* gate */
    {60, 70, 3, NONE, NONE, WEIR_TRACE_GATE},
};
enum { KNOWN = sizeof known / sizeof known[0] };

static const char *lanes[] = {"device 0", "device 0, beside", "fill", "gate"};

static weir_spans known_spans(weir_span room[KNOWN])
{
    for (int i = 0; i < KNOWN; i++) {
        room[i] = known[i];
        room[i].begin_ns = (known[i].begin_ns + 5000) * MS;
        room[i].end_ns = (known[i].end_ns + 5000) * MS;
    }
    return (weir_spans){.span = room, .n = KNOWN, .lane = lanes, .lanes = 4};
}

static weir_trace_sum sum_of(const weir_spans *s, uint64_t from_ms, uint64_t to_ms)
{
    weir_trace_view v = weir_spans_view(s);
    weir_trace_sum sum;
    weir_errinfo ei = {0};
    v.from_ns = v.origin_ns + from_ms * MS;
    v.to_ns = v.origin_ns + to_ms * MS;
    assert_int_equal(weir_trace_sum_make(&sum, s, &v, WEIR_TRACE_GAP_NS, &ei), WEIR_OK);
    return sum;
}

/* All kinds and the idle time fill all lanes. */
static void assert_complete(const weir_trace_sum *sum, const weir_spans *s)
{
    uint64_t all = sum->idle_ns, lane = 0;
    for (int k = 0; k < WEIR_TRACE_KINDS; k++) all += sum->kind[k].ns;
    assert_int_equal(all, s->lanes * (sum->view.to_ns - sum->view.from_ns));
    for (uint32_t l = 0; l < s->lanes; l++) lane += sum->lane[l].work_ns + sum->lane[l].wait_ns;
    assert_int_equal(lane, all - sum->idle_ns);
}

static void test_known(void **state)
{
    (void)state;
    weir_span room[KNOWN];
    weir_spans s = known_spans(room);
    weir_trace_view v = weir_spans_view(&s);
    assert_int_equal(v.origin_ns, 5000 * MS);
    assert_int_equal(v.from_ns, 5000 * MS);
    assert_int_equal(v.to_ns, 6000 * MS);
    weir_trace_sum sum = sum_of(&s, 0, 1000);
    assert_complete(&sum, &s);
    assert_int_equal(sum.spans, KNOWN);
    assert_int_equal(sum.lane[0].work_ns, (150 + 90 + 100) * MS);
    assert_int_equal(sum.lane[0].wait_ns, 50 * MS);
    assert_int_equal(sum.lane[1].work_ns, 140 * MS);
    assert_int_equal(sum.lane[2].work_ns, 45 * MS);
    assert_int_equal(sum.lane[2].wait_ns, 50 * MS);
    assert_int_equal(sum.lane[2].spans, 4);
    assert_int_equal(sum.kind[WEIR_TRACE_TRANSFER].ns, 20 * MS);
    assert_int_equal(sum.kind[WEIR_TRACE_STEP].ns, 30 * MS);
    assert_int_equal(sum.kind[WEIR_TRACE_DEVICE].ns, (100 + 90 + 100 + 140) * MS);
    assert_int_equal(sum.kind[WEIR_TRACE_DEVICE].spans, 5);
    assert_int_equal(sum.kind[WEIR_TRACE_GATE].ns, 20 * MS);
    /* waits */
    assert_int_equal(sum.waits, 3);
    assert_int_equal(sum.wait[0]->kind, WEIR_TRACE_PAUSED);
    assert_int_equal(sum.wait[1]->kind, WEIR_TRACE_RESERVE);
    assert_int_equal(sum.wait[2]->lane, 2);
    weir_trace_sum_clear(&sum);
}

static void test_devices(void **state)
{
    (void)state;
    weir_span room[KNOWN];
    weir_spans s = known_spans(room);
    weir_trace_sum sum = sum_of(&s, 0, 1000);
    /* both lanes are one device; the pause is none, as the other lane works; 300..310 is too short */
    assert_int_equal(sum.devices, 1);
    assert_int_equal(sum.lane[0].device, 0);
    assert_int_equal(sum.lane[1].device, 0);
    assert_int_equal(sum.lane[2].device, WEIR_TRACE_NONE);
    const weir_device_sum *d = &sum.device[0];
    assert_int_equal(d->lane, 0);
    assert_int_equal(d->work_ns, (50 + 40 + 100 + 90 + 100 + 100) * MS);
    assert_int_equal(d->gaps, 1);
    assert_int_equal(d->gap_ns, 400 * MS);
    assert_int_equal(sum.gaps, 1);
    assert_int_equal(sum.gap[d->longest].begin_ns, 5500 * MS);
    assert_int_equal(sum.gap[d->longest].end_ns, 5900 * MS);
    weir_trace_sum_clear(&sum);
    /* a gap as long as the limit is none; a nanosecond more is one */
    room[5].begin_ns = 5550 * MS;
    sum = sum_of(&s, 0, 1000);
    assert_int_equal(sum.gaps, 0);
    weir_trace_sum_clear(&sum);
    room[5].begin_ns++;
    sum = sum_of(&s, 0, 1000);
    assert_int_equal(sum.gaps, 1);
    weir_trace_sum_clear(&sum);
    /* of two devices */
    lanes[1] = "device 1";
    sum = sum_of(&s, 0, 1000);
    assert_int_equal(sum.devices, 2);
    assert_int_equal(sum.device[0].gaps, 1); /* 400..550, and the pause is 50 long: none */
    assert_int_equal(sum.device[1].gaps, 1);
    assert_int_equal(sum.gap[sum.device[1].longest].begin_ns, 5190 * MS);
    assert_int_equal(sum.gap[sum.device[1].longest].device, 1);
    lanes[1] = "device 0, beside";
    weir_trace_sum_clear(&sum);
}

static void test_jobs(void **state)
{
    (void)state;
    weir_span room[KNOWN];
    weir_spans s = known_spans(room);
    weir_trace_sum sum = sum_of(&s, 0, 1000);
    static const uint32_t number[] = {1, 2, 3, 9}, parts[] = {2, 1, 0, 2};
    assert_int_equal(sum.jobs, 4);
    assert_int_equal(sum.partitions, 5);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(sum.job[i].job, number[i]);
        assert_int_equal(sum.job[i].partitions, parts[i]);
    }
    assert_int_equal(sum.job[0].begin_ns, 5000 * MS);
    assert_int_equal(sum.job[0].end_ns, 5400 * MS);
    assert_int_equal(sum.job[0].work_ns, (45 + 150 + 90) * MS);
    assert_int_equal(sum.job[0].wait_ns, 100 * MS);
    assert_int_equal(sum.job[2].begin_ns, sum.job[2].end_ns); /* a span of no length */
    weir_trace_sum_clear(&sum);
}

static void test_view(void **state)
{
    (void)state;
    weir_span room[KNOWN];
    weir_spans s = known_spans(room);
    weir_trace_sum sum = sum_of(&s, 160, 350);
    assert_complete(&sum, &s);
    assert_int_equal(sum.lane[0].work_ns, (100 + 40) * MS);
    assert_int_equal(sum.lane[0].wait_ns, 40 * MS);
    assert_int_equal(sum.jobs, 3);
    assert_int_equal(sum.partitions, 3);
    assert_int_equal(sum.waits, 1);
    assert_int_equal(sum.job[0].begin_ns, 5160 * MS);
    assert_int_equal(sum.job[0].end_ns, 5350 * MS);
    weir_trace_sum_clear(&sum);
    sum = sum_of(&s, 600, 700);
    assert_int_equal(sum.spans + sum.jobs + sum.gaps + sum.waits, 0);
    assert_int_equal(sum.idle_ns, 400 * MS);
    weir_trace_sum_clear(&sum);
    /* nothing at all */
    weir_spans none = {.n = 0};
    weir_trace_view v = weir_spans_view(&none);
    assert_true(v.from_ns < v.to_ns);
    sum = sum_of(&none, 0, 1);
    assert_int_equal(sum.idle_ns, 0);
    weir_trace_sum_clear(&sum);
}

/* Against a look at every moment, on spans that nest, and on any spans that they do not overlap. */
static void test_pieces(void **state)
{
    (void)state;
    enum { N = 12, TIME = 24 };
    tk_rng g = tk_rng_new();
    for (int round = 0; round < 20000; round++) {
        weir_span span[N];
        weir_trace_piece piece[2 * N];
        const weir_span *stack[N];
        uint64_t n = 1 + tk_below(&g, N), end = 0;
        for (uint64_t i = 0; i < n; i++) {
            end += tk_below(&g, 4);
            if (end > TIME) end = TIME;
            span[i] = (weir_span){tk_below(&g, end + 1), end, 0, (uint32_t)i, 0, WEIR_TRACE_STEP};
        }
        weir_spans s = {.span = span, .n = n, .lanes = 1};
        size_t pieces = weir_lane_pieces(piece, stack, &s, 0);
        assert_true(pieces <= 2 * n);
        for (uint64_t t = 0; t < TIME; t++) {
            unsigned covered = 0, in = 0;
            for (uint64_t i = 0; i < n; i++) covered += span[i].begin_ns <= t && t < span[i].end_ns;
            for (size_t i = 0; i < pieces; i++) {
                if (!(piece[i].begin_ns <= t && t < piece[i].end_ns)) continue;
                in++;
                assert_true(piece[i].span->begin_ns <= t && t < piece[i].span->end_ns);
            }
            assert_int_equal(in, covered > 0);
        }
    }
}

static void test_sample(void **state)
{
    (void)state;
    weir_spans s;
    trace_sample_make(&s, &(trace_sample){15, 10, 1, 2, 12});
    weir_trace_view v = weir_spans_view(&s);
    weir_trace_sum sum;
    weir_errinfo ei = {0};
    assert_int_equal(weir_trace_sum_make(&sum, &s, &v, WEIR_TRACE_GAP_NS, &ei), WEIR_OK);
    assert_complete(&sum, &s);
    assert_int_equal(sum.jobs, 15);
    assert_int_equal(sum.partitions, 14 * 10 + 1);
    assert_int_equal(sum.job[7].partitions, 1);
    assert_int_equal(sum.wait[0]->kind, WEIR_TRACE_PAUSED);
    assert_int_equal(sum.wait[0]->job, 6);
    for (uint64_t i = 1; i < sum.gaps; i++)
        assert_true(sum.gap[i - 1].end_ns < sum.gap[i].begin_ns);
    weir_trace_sum_clear(&sum);
    /* no memory, at each place */
    for (uint64_t nth = 1; nth <= 7; nth++) {
        weir_alloc_fail_nth(nth, 0);
        assert_int_equal(weir_trace_sum_make(&sum, &s, &v, WEIR_TRACE_GAP_NS, &ei), WEIR_E_NOMEM);
        weir_alloc_fail_nth(0, 0);
        assert_null(sum.lane);
    }
    weir_spans_clear(&s);
}

static void test_durations(void **state)
{
    (void)state;
    static const struct {
        uint64_t ns;
        const char *text;
    } c[] = {{0, "0 s"},
             {1500, "1.5 us"},
             {50 * MS, "50 ms"},
             {967400000, "967.4 ms"},
             {9310 * MS, "9.31 s"},
             {UINT64_C(1200000) * MS, "20.0 min"},
             {UINT64_C(18000000) * MS, "5.0 h"}};
    for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
        char text[32];
        weir_duration_text(text, c[i].ns);
        assert_string_equal(text, c[i].text);
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),     cmocka_unit_test(test_devices),
        cmocka_unit_test(test_jobs),      cmocka_unit_test(test_view),
        cmocka_unit_test(test_pieces),    cmocka_unit_test(test_sample),
        cmocka_unit_test(test_durations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
