#include "engine/trace_file.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/file.h"
#include "hash/sha256.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAGIC_BYTES = 8,
    VERSION = 1,
    HEAD_BYTES = 40,
    SPAN_BYTES = 32,
    SUM_BYTES = 32,
    MAX_KINDS = 256,
    MAX_NAME = 255,
    NO_KIND = WEIR_TRACE_KINDS
};
static const char magic[MAGIC_BYTES + 1] = "weirtrce";

/* ---- writing */

typedef struct writer {
    weir_outfile file;
    weir_sha256 sum;
} writer;

static weir_err put(writer *w, const void *bytes, size_t n, weir_errinfo *ei)
{
    weir_sha256_update(&w->sum, bytes, n);
    return weir_outfile_write(&w->file, bytes, n, ei);
}

static weir_err put_name(writer *w, const char *name, weir_errinfo *ei)
{
    uint8_t bytes[1 + MAX_NAME];
    size_t n = strnlen(name, MAX_NAME);
    if (n == 0) name = "?", n = 1;
    bytes[0] = (uint8_t)n;
    for (size_t i = 0; i < n; i++)
        bytes[1 + i] = (uint8_t)(name[i] >= ' ' && name[i] <= '~' ? name[i] : '?');
    return put(w, bytes, 1 + n, ei);
}

static weir_err put_head(writer *w, const weir_spans *s, weir_errinfo *ei)
{
    uint8_t head[HEAD_BYTES] = {0};
    memcpy(head, magic, MAGIC_BYTES);
    weir_store_le32(head + 8, VERSION);
    weir_store_le32(head + 12, WEIR_TRACE_KINDS);
    weir_store_le32(head + 16, s->lanes);
    weir_store_le64(head + 24, s->n);
    weir_store_le64(head + 32, s->lost);
    return put(w, head, sizeof head, ei);
}

static weir_err put_spans(writer *w, const weir_spans *s, weir_errinfo *ei)
{
    enum { AT_ONCE = 128 };
    uint8_t bytes[AT_ONCE * SPAN_BYTES];
    for (uint64_t done = 0; done < s->n;) {
        size_t n = 0;
        for (; n < AT_ONCE && done < s->n; n++, done++) {
            const weir_span *p = &s->span[done];
            uint8_t *b = bytes + n * SPAN_BYTES;
            weir_store_le64(b, p->begin_ns);
            weir_store_le64(b + 8, p->end_ns);
            weir_store_le32(b + 16, p->lane);
            weir_store_le32(b + 20, p->job);
            weir_store_le32(b + 24, p->part);
            weir_store_le32(b + 28, (uint32_t)p->kind);
        }
        WEIR_TRY(put(w, bytes, n * SPAN_BYTES, ei));
    }
    return WEIR_OK;
}

static weir_err put_all(writer *w, const weir_spans *s, weir_errinfo *ei)
{
    uint8_t sum[SUM_BYTES];
    WEIR_TRY(put_head(w, s, ei));
    for (int k = 0; k < WEIR_TRACE_KINDS; k++) WEIR_TRY(put_name(w, weir_trace_kind_names[k], ei));
    for (uint32_t l = 0; l < s->lanes; l++) WEIR_TRY(put_name(w, s->lane[l], ei));
    WEIR_TRY(put_spans(w, s, ei));
    weir_sha256_final(&w->sum, sum);
    return weir_outfile_write(&w->file, sum, sizeof sum, ei);
}

weir_err weir_spans_save(const weir_spans *s, const char *path, weir_errinfo *ei)
{
    writer w;
    if (s->lanes > WEIR_TRACE_MAX_LANES)
        return weir_fail(ei, WEIR_E_RANGE,
                         "%s: a trace of %" PRIu32 " lanes; a file has at most %d", path, s->lanes,
                         WEIR_TRACE_MAX_LANES);
    weir_sha256_init(&w.sum);
    WEIR_TRY(weir_outfile_open(&w.file, path, ei));
    weir_err err = put_all(&w, s, ei);
    if (err == WEIR_OK) err = weir_outfile_commit(&w.file, ei);
    return err;
}

/* ---- reading */

typedef struct reader {
    const uint8_t *data;
    size_t n, pos; /* pos <= n; the checksum is not among the n bytes */
    uint32_t kinds;
    uint8_t kind[MAX_KINDS]; /* of the file's kinds: ours, or NO_KIND */
    weir_errinfo *ei;
} reader;

static weir_err read_head(reader *r, weir_spans *out)
{
    const uint8_t *d = r->data;
    if (r->n < MAGIC_BYTES || memcmp(d, magic, MAGIC_BYTES) != 0)
        return weir_fail(r->ei, WEIR_E_FORMAT, "byte 0: no trace of weir: it begins with \"%s\"",
                         magic);
    if (r->n < HEAD_BYTES + SUM_BYTES)
        return weir_fail(r->ei, WEIR_E_TRUNCATED, "byte %zu: a trace has at least %d bytes", r->n,
                         HEAD_BYTES + SUM_BYTES);
    uint32_t version = weir_load_le32(d + 8);
    r->n -= SUM_BYTES;
    r->kinds = weir_load_le32(d + 12);
    out->lanes = weir_load_le32(d + 16);
    out->n = weir_load_le64(d + 24);
    out->lost = weir_load_le64(d + 32);
    if (version != VERSION)
        return weir_fail(r->ei, WEIR_E_UNSUPPORTED,
                         "byte 8: a trace of version %" PRIu32 "; this program reads version %d",
                         version, VERSION);
    if (r->kinds > MAX_KINDS)
        return weir_fail(r->ei, WEIR_E_RANGE, "byte 12: %" PRIu32 " kinds; at most %d are allowed",
                         r->kinds, MAX_KINDS);
    if (out->lanes > WEIR_TRACE_MAX_LANES)
        return weir_fail(r->ei, WEIR_E_RANGE, "byte 16: %" PRIu32 " lanes; at most %d are allowed",
                         out->lanes, WEIR_TRACE_MAX_LANES);
    if (weir_load_le32(d + 20) != 0) return weir_fail(r->ei, WEIR_E_FORMAT, "byte 20: not zero");
    if (out->n > (r->n - HEAD_BYTES) / SPAN_BYTES)
        return weir_fail(r->ei, WEIR_E_TRUNCATED,
                         "byte 24: %" PRIu64 " spans of %d bytes, but the file has %zu bytes",
                         out->n, SPAN_BYTES, r->n + SUM_BYTES);
    r->pos = HEAD_BYTES;
    return WEIR_OK;
}

static weir_err check_sum(const reader *r)
{
    uint8_t sum[SUM_BYTES];
    weir_sha256_hash(sum, r->data, r->n);
    if (memcmp(sum, r->data + r->n, SUM_BYTES) == 0) return WEIR_OK;
    return weir_fail(
        r->ei, WEIR_E_FORMAT,
        "byte %zu: the checksum is not that of the bytes before it: the file is damaged", r->n);
}

/* A name stays where it is in the data. */
static weir_err read_name(reader *r, const char **name, size_t *length)
{
    size_t at = r->pos, n = at < r->n ? r->data[at] : 0;
    if (r->n - at < 1 + n)
        return weir_fail(r->ei, WEIR_E_TRUNCATED, "byte %zu: the spans begin within a name", at);
    if (n == 0) return weir_fail(r->ei, WEIR_E_FORMAT, "byte %zu: a name without characters", at);
    for (size_t i = at + 1; i <= at + n; i++)
        if (r->data[i] < ' ' || r->data[i] > '~')
            return weir_fail(r->ei, WEIR_E_FORMAT,
                             "byte %zu: 0x%02x in a name, which is printable ASCII", i, r->data[i]);
    *name = (const char *)r->data + at + 1;
    *length = n;
    r->pos = at + 1 + n;
    return WEIR_OK;
}

static uint8_t kind_named(const char *name, size_t n)
{
    for (uint8_t k = 0; k < WEIR_TRACE_KINDS; k++)
        if (strlen(weir_trace_kind_names[k]) == n && memcmp(weir_trace_kind_names[k], name, n) == 0)
            return k;
    return NO_KIND;
}

/* Memory for names is at most that of the file's names: a zero byte stands for each length. */
static weir_err read_names(reader *r, weir_spans *out)
{
    const char *name;
    size_t n;
    for (uint32_t k = 0; k < r->kinds; k++) {
        WEIR_TRY(read_name(r, &name, &n));
        r->kind[k] = kind_named(name, n);
    }
    out->lane = weir_calloc(out->lanes, sizeof *out->lane);
    out->_names = weir_malloc(r->n - r->pos + 1, 1);
    if (!out->lane || !out->_names)
        return weir_fail(r->ei, WEIR_E_NOMEM, "no memory for %" PRIu32 " names", out->lanes);
    char *to = out->_names;
    for (uint32_t l = 0; l < out->lanes; l++) {
        WEIR_TRY(read_name(r, &name, &n));
        memcpy(to, name, n);
        to[n] = '\0';
        out->lane[l] = to;
        to += n + 1;
    }
    return WEIR_OK;
}

static weir_err read_span(const reader *r, size_t at, uint32_t lanes, weir_span *out)
{
    const uint8_t *b = r->data + at;
    uint32_t kind = weir_load_le32(b + 28);
    *out = (weir_span){weir_load_le64(b),      weir_load_le64(b + 8),  weir_load_le32(b + 16),
                       weir_load_le32(b + 20), weir_load_le32(b + 24), WEIR_TRACE_PARSE};
    if (out->begin_ns > out->end_ns)
        return weir_fail(r->ei, WEIR_E_RANGE, "byte %zu: a span that ends before it begins", at);
    if (out->end_ns > INT64_MAX)
        return weir_fail(r->ei, WEIR_E_RANGE, "byte %zu: a span that ends after 2^63 ns", at + 8);
    if (out->lane >= lanes)
        return weir_fail(r->ei, WEIR_E_RANGE,
                         "byte %zu: lane %" PRIu32 ", but there are %" PRIu32 " of them", at + 16,
                         out->lane, lanes);
    if (kind >= r->kinds)
        return weir_fail(r->ei, WEIR_E_RANGE,
                         "byte %zu: kind %" PRIu32 ", but there are %" PRIu32 " of them", at + 28,
                         kind, r->kinds);
    if (r->kind[kind] == NO_KIND)
        return weir_fail(r->ei, WEIR_E_UNSUPPORTED,
                         "byte %zu: a span of kind %" PRIu32
                         ", whose name this program does not know; a newer one does",
                         at + 28, kind);
    out->kind = (weir_trace_kind)r->kind[kind];
    return WEIR_OK;
}

/* By lane, by end; of those that end together the one that begins last is the innermost. */
static int in_order(const void *a, const void *b)
{
    const weir_span *p = a, *q = b;
    if (p->lane != q->lane) return p->lane < q->lane ? -1 : 1;
    if (p->end_ns != q->end_ns) return p->end_ns < q->end_ns ? -1 : 1;
    return (p->begin_ns < q->begin_ns) - (p->begin_ns > q->begin_ns);
}

static weir_err read_spans(reader *r, weir_spans *out)
{
    bool sorted = true;
    if (r->n - r->pos != out->n * SPAN_BYTES)
        return weir_fail(r->ei, WEIR_E_FORMAT,
                         "byte %zu: %zu bytes of spans, but %" PRIu64 " spans have %" PRIu64,
                         r->pos, r->n - r->pos, out->n, out->n * SPAN_BYTES);
    out->span = weir_malloc(out->n, sizeof *out->span);
    if (!out->span)
        return weir_fail(r->ei, WEIR_E_NOMEM, "no memory for %" PRIu64 " spans", out->n);
    for (uint64_t i = 0; i < out->n; i++) {
        WEIR_TRY(read_span(r, r->pos + i * SPAN_BYTES, out->lanes, &out->span[i]));
        if (i > 0 && in_order(&out->span[i - 1], &out->span[i]) > 0) sorted = false;
    }
    if (!sorted) qsort(out->span, out->n, sizeof *out->span, in_order);
    return WEIR_OK;
}

static weir_err decode(reader *r, weir_spans *out)
{
    WEIR_TRY(read_head(r, out));
    WEIR_TRY(check_sum(r));
    WEIR_TRY(read_names(r, out));
    return read_spans(r, out);
}

weir_err weir_spans_decode(weir_spans *out, const uint8_t *data, size_t n, weir_errinfo *ei)
{
    reader r = {.data = data, .n = n, .ei = ei};
    memset(out, 0, sizeof *out);
    weir_err err = decode(&r, out);
    if (err != WEIR_OK) weir_spans_clear(out);
    return err;
}

weir_err weir_spans_load(weir_spans *out, const char *path, weir_errinfo *ei)
{
    weir_mapfile file;
    memset(out, 0, sizeof *out);
    WEIR_TRY(weir_mapfile_open(&file, path, ei));
    weir_err err = weir_spans_decode(out, file.data, file.size_bytes, ei);
    weir_mapfile_close(&file);
    if (err != WEIR_OK) weir_errinfo_prefix(ei, "%s: ", path);
    return err;
}
