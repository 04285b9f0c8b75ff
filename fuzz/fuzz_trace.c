/* A trace. With any checksum, and with the one that fits: what is accepted is in order and within its bounds, and can be summed and drawn. */
#include "engine/trace_file.h"
#include "engine/trace_picture.h"
#include "fuzz_common.h"
#include "hash/sha256.h"

static void check_spans(const weir_spans *s)
{
    for (uint64_t i = 0; i < s->n; i++) {
        const weir_span *p = &s->span[i];
        must(p->begin_ns <= p->end_ns && p->lane < s->lanes && (unsigned)p->kind < WEIR_TRACE_KINDS,
             "a span is within its bounds");
        must(i == 0 || p[-1].lane < p->lane || (p[-1].lane == p->lane && p[-1].end_ns <= p->end_ns),
             "spans are in order");
    }
    for (uint32_t l = 0; l < s->lanes; l++) must(s->lane[l][0] != '\0', "a lane has a name");
}

static void draw(const weir_spans *s)
{
    weir_trace_view v = weir_spans_view(s);
    weir_trace_sum sum;
    FILE *out = fopen("/dev/null", "w");
    must(out != NULL, "there is /dev/null");
    must(weir_trace_sum_make(&sum, s, &v, WEIR_TRACE_GAP_NS, NULL) == WEIR_OK, "it can be summed");
    weir_spans_write_chrome(out, s, &v);
    must(weir_trace_write_html(out, s, &sum, "fuzz", NULL) == WEIR_OK, "it can be drawn");
    weir_trace_sum_clear(&sum);
    fclose(out);
}

static void decode(const uint8_t *data, size_t size)
{
    weir_errinfo ei = {0};
    weir_spans s;
    if (!answered(weir_spans_decode(&s, data, size, &ei), &ei)) {
        must(!s.span && !s.lane && s.n == 0, "no spans together with an error");
        must(strstr(ei.text, "byte ") != NULL, "the place is named");
        return;
    }
    check_spans(&s);
    draw(&s);
    weir_spans_clear(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { SUM = 32 };
    decode(data, size);
    if (size < SUM) return 0;
    uint8_t *copy = malloc(size);
    must(copy != NULL, "memory");
    memcpy(copy, data, size);
    weir_sha256_hash(copy + size - SUM, copy, size - SUM);
    decode(copy, size);
    free(copy);
    return 0;
}
