#include "formats/reader.h"

#include "base/bytes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void weir_reader_init(weir_reader *r, const uint8_t *data, uint64_t n, weir_errinfo *ei)
{
    *r = (weir_reader){.data = data, .n = n, .ei = ei};
}

weir_err weir_reader_fail(const weir_reader *r, uint64_t pos, weir_err err, const char *fmt, ...)
{
    char text[sizeof r->ei->text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return weir_fail(r->ei, err, "byte %" PRIu64 ": %s", pos, text);
}

/* n bytes at the position, which moves; NULL if there are not so many. */
static const uint8_t *take(weir_reader *r, uint64_t n, const char *what)
{
    if (n > weir_reader_left(r)) {
        weir_reader_fail(r, r->pos, WEIR_E_TRUNCATED,
                         "%s takes %" PRIu64 " bytes, but only %" PRIu64
                         " are left; the data was cut, fetch it again",
                         what, n, weir_reader_left(r));
        return NULL;
    }
    const uint8_t *p = r->data + r->pos;
    r->pos += n;
    return p;
}

weir_err weir_reader_bytes(weir_reader *r, const uint8_t **bytes, uint64_t n, const char *what)
{
    static const uint8_t nothing[1];
    *bytes = n ? take(r, n, what) : nothing;
    return *bytes ? WEIR_OK : WEIR_E_TRUNCATED;
}

weir_err weir_reader_u8(weir_reader *r, uint8_t *v, const char *what)
{
    const uint8_t *p = take(r, 1, what);
    if (!p) return WEIR_E_TRUNCATED;
    *v = p[0];
    return WEIR_OK;
}

weir_err weir_reader_u32le(weir_reader *r, uint32_t *v, const char *what)
{
    const uint8_t *p = take(r, 4, what);
    if (!p) return WEIR_E_TRUNCATED;
    *v = weir_load_le32(p);
    return WEIR_OK;
}

weir_err weir_reader_u32be(weir_reader *r, uint32_t *v, const char *what)
{
    const uint8_t *p = take(r, 4, what);
    if (!p) return WEIR_E_TRUNCATED;
    *v = weir_load_be32(p);
    return WEIR_OK;
}

weir_err weir_reader_u64le(weir_reader *r, uint64_t *v, const char *what)
{
    const uint8_t *p = take(r, 8, what);
    if (!p) return WEIR_E_TRUNCATED;
    *v = weir_load_le64(p);
    return WEIR_OK;
}

weir_err weir_reader_u64be(weir_reader *r, uint64_t *v, const char *what)
{
    const uint8_t *p = take(r, 8, what);
    if (!p) return WEIR_E_TRUNCATED;
    *v = weir_load_be64(p);
    return WEIR_OK;
}

weir_err weir_reader_check_count(const weir_reader *r, uint64_t count, uint64_t item_bytes,
                                 const char *what)
{
    if (item_bytes && count > weir_reader_left(r) / item_bytes) {
        return weir_reader_fail(r, r->pos, WEIR_E_TRUNCATED,
                                "%" PRIu64 " items of %s, %" PRIu64
                                " bytes each, cannot fit in the %" PRIu64
                                " bytes left; the data was cut or the count is damaged",
                                count, what, item_bytes, weir_reader_left(r));
    }
    return WEIR_OK;
}

weir_err weir_reader_end(const weir_reader *r, const char *what)
{
    if (weir_reader_left(r) == 0) return WEIR_OK;
    return weir_reader_fail(r, r->pos, WEIR_E_FORMAT,
                            "%" PRIu64 " bytes follow the end of %s; remove them or fetch it again",
                            weir_reader_left(r), what);
}
