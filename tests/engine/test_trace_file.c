/* Traces in files: what is saved is loaded; what is damaged is refused, with its place, and never believed. */
#include "base/alloc.h"
#include "base/bytes.h"
#include "engine/trace_file.h"
#include "hash/sha256.h"
#include "testkit.h"
#include "trace_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 40, SUM = 32, MOST = 4096 };

typedef struct image {
    uint8_t bytes[MOST];
    size_t n;
} image;

static char folder[] = "/tmp/weir-trace.XXXXXX", path[64];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/x.trace", folder);
    return 0;
}

static int drop_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void save(const weir_spans *s)
{
    weir_errinfo ei = {0};
    if (weir_spans_save(s, path, &ei) != WEIR_OK) fail_msg("%s", ei.text);
}

static image read_image(void)
{
    image m;
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    m.n = fread(m.bytes, 1, sizeof m.bytes, f);
    assert_true(m.n < sizeof m.bytes);
    fclose(f);
    return m;
}

/* A small trace: two lanes, four spans. */
static image small_image(void)
{
    static weir_span span[] = {{1010, 1020, 0, 1, 2, WEIR_TRACE_STEP},
                               {1000, 1030, 0, 1, 2, WEIR_TRACE_DEVICE},
                               {900, 950, 1, 1, UINT32_MAX, WEIR_TRACE_PARSE},
                               {950, 990, 1, UINT32_MAX, UINT32_MAX, WEIR_TRACE_WAIT}};
    static const char *lane[] = {"device 0", "front"};
    weir_spans s = {.span = span, .n = 4, .lane = lane, .lanes = 2, .lost = 7};
    save(&s);
    return read_image();
}

static void sign(image *m)
{
    weir_sha256_hash(m->bytes + m->n - SUM, m->bytes, m->n - SUM);
}

/* In memory of exactly its size, so that a sanitizer sees a read behind the end. */
static weir_err decode(weir_spans *out, const image *m, size_t n, weir_errinfo *ei)
{
    uint8_t *exact = malloc(n ? n : 1);
    assert_non_null(exact);
    memcpy(exact, m->bytes, n);
    weir_err err = weir_spans_decode(out, exact, n, ei);
    free(exact);
    return err;
}

static void refused(const image *m, size_t n, weir_err want, const char *words)
{
    weir_spans s;
    weir_errinfo ei = {0};
    weir_err err = decode(&s, m, n, &ei);
    if (err != want || !strstr(ei.text, words))
        fail_msg("%s: %s (wanted: %s)", weir_err_name(err), ei.text, words);
    assert_null(s.span);
    assert_null(s.lane);
}

static void assert_same(const weir_spans *a, const weir_spans *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->lanes, b->lanes);
    assert_int_equal(a->lost, b->lost);
    for (uint32_t l = 0; l < a->lanes; l++) assert_string_equal(a->lane[l], b->lane[l]);
    for (uint64_t i = 0; i < a->n; i++)
        assert_memory_equal(&a->span[i], &b->span[i], sizeof a->span[i]);
}

static void test_round_trip(void **state)
{
    (void)state;
    weir_spans s, back;
    weir_errinfo ei = {0};
    trace_sample_make(&s, &(trace_sample){5, 4, 2, 3, 6});
    s.lost = 12345678901;
    save(&s);
    assert_int_equal(weir_spans_load(&back, path, &ei), WEIR_OK);
    assert_same(&s, &back);
    weir_spans_clear(&back);
    weir_spans_clear(&s);
    /* nothing at all */
    save(&s);
    assert_int_equal(weir_spans_load(&back, path, &ei), WEIR_OK);
    assert_int_equal(back.n + back.lanes, 0);
    weir_spans_clear(&back);
}

static void test_from_rings(void **state)
{
    (void)state;
    weir_trace *t;
    weir_trace_lane *l;
    weir_spans s, back;
    weir_errinfo ei = {0};
    assert_int_equal(weir_trace_new(&t, 16, &ei), WEIR_OK);
    assert_int_equal(weir_trace_lane_new(&l, t, "tab\there \xc3\xa9", &ei), WEIR_OK);
    assert_int_equal(weir_trace_lane_new(&l, t, "", &ei), WEIR_OK);
    weir_trace_begin(l, WEIR_TRACE_FINISH, 3, 4);
    weir_trace_end(l);
    assert_int_equal(weir_trace_read(&s, t, &ei), WEIR_OK);
    save(&s);
    assert_int_equal(weir_spans_load(&back, path, &ei), WEIR_OK);
    assert_string_equal(back.lane[0], "tab?here ??");
    assert_string_equal(back.lane[1], "?");
    assert_int_equal(back.n, 1);
    assert_memory_equal(&back.span[0], &s.span[0], sizeof s.span[0]);
    weir_spans_clear(&back);
    weir_spans_clear(&s);
    weir_trace_free(t);
}

/* ---- damage */

static void test_flips_and_cuts(void **state)
{
    (void)state;
    image m = small_image();
    weir_spans s;
    weir_errinfo ei = {0};
    assert_int_equal(decode(&s, &m, m.n, &ei), WEIR_OK);
    weir_spans_clear(&s);
    for (size_t at = 0; at < m.n; at++)
        for (int bit = 0; bit < 8; bit++) {
            m.bytes[at] ^= (uint8_t)(1 << bit);
            weir_err err = decode(&s, &m, m.n, &ei);
            assert_int_equal(weir_err_exit_code(err),
                             err == WEIR_E_UNSUPPORTED ? WEIR_EXIT_USAGE : WEIR_EXIT_DATA);
            assert_non_null(strstr(ei.text, "byte "));
            m.bytes[at] ^= (uint8_t)(1 << bit);
        }
    for (size_t n = 0; n < m.n; n++) {
        assert_int_equal(weir_err_exit_code(decode(&s, &m, n, &ei)), WEIR_EXIT_DATA);
        assert_non_null(strstr(ei.text, "byte "));
    }
    m.n++;
    refused(&m, m.n, WEIR_E_FORMAT, "the file is damaged");
}

/* What a loaded trace may be relied on for, whatever the bytes. */
static void assert_sound(const weir_spans *s)
{
    for (uint64_t i = 0; i < s->n; i++) {
        const weir_span *p = &s->span[i];
        assert_true(p->begin_ns <= p->end_ns && p->end_ns <= INT64_MAX);
        assert_true(p->lane < s->lanes && (unsigned)p->kind < WEIR_TRACE_KINDS);
        if (i == 0) continue;
        assert_true(p[-1].lane < p->lane || (p[-1].lane == p->lane && p[-1].end_ns <= p->end_ns));
    }
}

/* The same with a checksum that fits: either refused, with a place, or sound. */
static void test_forged(void **state)
{
    (void)state;
    image good = small_image();
    unsigned loaded = 0;
    for (size_t at = 0; at < good.n - SUM; at++)
        for (unsigned v = 0; v < 256; v++) {
            image m = good;
            weir_spans s;
            weir_errinfo ei = {0};
            m.bytes[at] = (uint8_t)v;
            sign(&m);
            if (decode(&s, &m, m.n, &ei) == WEIR_OK) {
                assert_sound(&s);
                weir_spans_clear(&s);
                loaded++;
            } else {
                int code = weir_err_exit_code(ei.code);
                assert_true(code == WEIR_EXIT_DATA || code == WEIR_EXIT_USAGE);
                assert_non_null(strstr(ei.text, "byte "));
            }
        }
    assert_true(loaded > 1000); /* times, jobs and letters */
}

static void with_u64(image m, size_t at, size_t bytes, uint64_t v, weir_err want, const char *words)
{
    memcpy(m.bytes + at, &v, bytes);
    sign(&m);
    refused(&m, m.n, want, words);
}

static void test_refused(void **state)
{
    (void)state;
    image m = small_image();
    size_t span = m.n - SUM - 4 * 32, names = HEAD;
    refused(&m, 0, WEIR_E_FORMAT, "byte 0: no trace of weir");
    refused(&m, 50, WEIR_E_TRUNCATED, "byte 50: a trace has at least 72 bytes");
    with_u64(m, 8, 4, 2, WEIR_E_UNSUPPORTED, "byte 8: a trace of version 2");
    with_u64(m, 12, 4, 257, WEIR_E_RANGE, "byte 12: 257 kinds");
    with_u64(m, 12, 4, 200, WEIR_E_TRUNCATED, "the spans begin within a name");
    with_u64(m, 16, 4, 1025, WEIR_E_RANGE, "byte 16: 1025 lanes");
    with_u64(m, 16, 4, 0, WEIR_E_FORMAT, "bytes of spans, but 4 spans have 128");
    with_u64(m, 20, 4, 1, WEIR_E_FORMAT, "byte 20: not zero");
    with_u64(m, 24, 8, UINT64_MAX / 8, WEIR_E_TRUNCATED, "byte 24: 2305843009213693951 spans");
    with_u64(m, 24, 8, 3, WEIR_E_FORMAT, "128 bytes of spans, but 3 spans have 96");
    with_u64(m, names, 1, 0, WEIR_E_FORMAT, "byte 40: a name without characters");
    with_u64(m, names + 1, 1, 7, WEIR_E_FORMAT, "byte 41: 0x07 in a name");
    with_u64(m, span, 8, 1021, WEIR_E_RANGE, "a span that ends before it begins");
    with_u64(m, span + 8, 8, UINT64_C(1) << 63, WEIR_E_RANGE, "ends after 2^63 ns");
    with_u64(m, span + 16, 4, 2, WEIR_E_RANGE, "lane 2, but there are 2 of them");
    with_u64(m, span + 28, 4, WEIR_TRACE_KINDS, WEIR_E_RANGE, "kind 12, but there are 12 of them");
    m.n = m.n - 20;
    sign(&m);
    refused(&m, m.n, WEIR_E_FORMAT, "108 bytes of spans, but 4 spans have 128");
}

/* A name that no kind has matters only if a span is of it; names decide, not places. */
static void test_kinds(void **state)
{
    (void)state;
    image m = small_image();
    size_t parse = HEAD + 1; /* the first name, and the first kind */
    assert_memory_equal(m.bytes + parse, "parse", 5);
    weir_spans s;
    weir_errinfo ei = {0};
    memcpy(m.bytes + parse, "wheel", 5);
    sign(&m);
    refused(&m, m.n, WEIR_E_UNSUPPORTED, "whose name this program does not know");
    memcpy(m.bytes + parse, "parse", 5);
    uint8_t *fill = m.bytes + parse + 6; /* of no span */
    assert_memory_equal(fill, "fill", 4);
    memcpy(fill, "gate", 4);
    weir_store_le32(m.bytes + m.n - SUM - 4,
                    WEIR_TRACE_FILL); /* the last span's kind: "gate" now */
    sign(&m);
    assert_int_equal(decode(&s, &m, m.n, &ei), WEIR_OK);
    assert_int_equal(s.span[3].kind, WEIR_TRACE_GATE);
    weir_spans_clear(&s);
}

/* Spans in any order are put in order. */
static void test_order(void **state)
{
    (void)state;
    image m = small_image();
    uint8_t *span = m.bytes + m.n - SUM - 4 * 32, t[32];
    memcpy(t, span, 32);
    memcpy(span, span + 96, 32);
    memcpy(span + 96, t, 32);
    weir_store_le64(span + 32 + 8, 1020); /* the device's ends with its step */
    sign(&m);
    weir_spans s;
    weir_errinfo ei = {0};
    assert_int_equal(decode(&s, &m, m.n, &ei), WEIR_OK);
    assert_sound(&s);
    assert_int_equal(s.span[0].kind, WEIR_TRACE_STEP);
    assert_int_equal(s.span[1].kind, WEIR_TRACE_DEVICE);
    assert_int_equal(s.span[3].kind, WEIR_TRACE_WAIT);
    weir_spans_clear(&s);
}

static void test_system(void **state)
{
    (void)state;
    image m = small_image();
    weir_spans s, many = {.lanes = WEIR_TRACE_MAX_LANES + 1};
    weir_errinfo ei = {0};
    assert_int_equal(weir_spans_save(&many, path, &ei), WEIR_E_RANGE);
    assert_int_equal(weir_spans_load(&s, "/tmp/weir-no-such-folder/x", &ei), WEIR_E_IO);
    assert_null(s.span);
    many.lanes = 0;
    assert_int_equal(weir_spans_save(&many, "/tmp/weir-no-such-folder/x", &ei), WEIR_E_IO);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(m.bytes, 1, m.n - 1, f), m.n - 1);
    fclose(f);
    assert_int_equal(weir_spans_load(&s, path, &ei), WEIR_E_FORMAT);
    assert_non_null(strstr(ei.text, "x.trace: byte "));
    for (uint64_t nth = 1; nth <= 3; nth++) {
        weir_alloc_fail_nth(nth, 0);
        assert_int_equal(weir_spans_decode(&s, m.bytes, m.n, &ei), WEIR_E_NOMEM);
        weir_alloc_fail_nth(0, 0);
        assert_null(s.span);
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),     cmocka_unit_test(test_from_rings),
        cmocka_unit_test(test_flips_and_cuts), cmocka_unit_test(test_forged),
        cmocka_unit_test(test_refused),        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_order),          cmocka_unit_test(test_system),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
