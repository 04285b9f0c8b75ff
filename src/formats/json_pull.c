#include "formats/json_pull.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void weir_json_init(weir_json *j, const uint8_t *data, size_t n, weir_errinfo *ei)
{
    static const uint8_t nothing[1];
    if (n == 0) data = nothing; /* NULL + 0 is not defined */
    memset(j, 0, sizeof *j);
    j->_base = j->_p = j->_at = data;
    j->_end = data + n;
    j->_ei = ei;
}

/* ---- errors */

/* A key as text for a message: what is not plain ASCII becomes '?', a long key is cut. */
static size_t append_key(char *out, size_t size, const weir_json_frame *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->_key_len && i < 40 && n + 1 < size; i++)
        out[n++] = f->_key[i] > ' ' && f->_key[i] < 0x7f ? (char)f->_key[i] : '?';
    if (f->_key_len > 40 && n + 3 < size) {
        memcpy(out + n, "...", 3);
        n += 3;
    }
    out[n] = 0;
    return n;
}

static void path_text(const weir_json *j, char *out, size_t size)
{
    size_t n = 0;
    out[0] = 0;
    for (unsigned i = 0; i < j->_depth && n + 24 < size; i++) {
        const weir_json_frame *f = &j->_frame[i];
        if (f->_array) {
            if (f->_index) n += (size_t)snprintf(out + n, size - n, "[%" PRIu64 "]", f->_index - 1);
        } else if (f->_key) {
            if (n) out[n++] = '.';
            n += append_key(out + n, size - n, f);
        }
    }
}

weir_err weir_json_fail(const weir_json *j, weir_err err, const char *fmt, ...)
{
    char text[sizeof j->_ei->text], path[300];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    path_text(j, path, sizeof path);
    return weir_fail(j->_ei, err, "byte %" PRIu64 "%s%s: %s", (uint64_t)(j->_at - j->_base),
                     path[0] ? ", " : "", path, text);
}

/* At p something else stands than what was expected, or nothing. */
static weir_err unexpected(weir_json *j, const uint8_t *p, const char *expected)
{
    j->_at = p;
    if (p == j->_end) {
        return weir_json_fail(j, WEIR_E_TRUNCATED,
                              "the data ends where %s is expected; fetch it again", expected);
    }
    if (*p > ' ' && *p < 0x7f)
        return weir_json_fail(j, WEIR_E_FORMAT, "%s is expected, found '%c'", expected, *p);
    return weir_json_fail(j, WEIR_E_FORMAT, "%s is expected, found byte 0x%02x", expected, *p);
}

/* ---- tokens */

static inline void skip_space(weir_json *j)
{
    while (j->_p < j->_end && (*j->_p == ' ' || *j->_p == '\n' || *j->_p == '\r' || *j->_p == '\t'))
        j->_p++;
}

static inline bool at_byte(const weir_json *j, uint8_t c)
{
    return j->_p < j->_end && *j->_p == c;
}

static inline bool is_digit(const uint8_t *p, const uint8_t *end)
{
    return p < end && *p >= '0' && *p <= '9';
}

/* Length of the UTF-8 sequence at p (2..4), 0 if it is not well formed. Source: Unicode 15, table
 * 3-7. */
static unsigned utf8_length(const uint8_t *p, const uint8_t *end)
{
    uint8_t lo = 0x80, hi = 0xbf;
    unsigned n;
    if (*p >= 0xc2 && *p <= 0xdf)
        n = 2;
    else if (*p >= 0xe0 && *p <= 0xef)
        n = 3;
    else if (*p >= 0xf0 && *p <= 0xf4)
        n = 4;
    else
        return 0;
    if (*p == 0xe0)
        lo = 0xa0; /* overlong */
    else if (*p == 0xed)
        hi = 0x9f; /* surrogates */
    else if (*p == 0xf0)
        lo = 0x90; /* overlong */
    else if (*p == 0xf4)
        hi = 0x8f; /* above 10FFFF */
    if ((size_t)(end - p) < n || p[1] < lo || p[1] > hi) return 0;
    for (unsigned i = 2; i < n; i++)
        if (p[i] < 0x80 || p[i] > 0xbf) return 0;
    return n;
}

/* Four hexadecimal digits, -1 if they are not. */
static int32_t hex4(const uint8_t *p, const uint8_t *end)
{
    if (end - p < 4) return -1;
    int32_t v = 0;
    for (int i = 0; i < 4; i++) {
        uint8_t c = p[i], lower = c | 0x20;
        if (c >= '0' && c <= '9')
            v = v * 16 + (c - '0');
        else if (lower >= 'a' && lower <= 'f')
            v = v * 16 + (lower - 'a' + 10);
        else
            return -1;
    }
    return v;
}

static inline bool is_high(int32_t u)
{
    return u >= 0xd800 && u <= 0xdbff;
}
static inline bool is_low(int32_t u)
{
    return u >= 0xdc00 && u <= 0xdfff;
}

/* Bytes of the escape at p, 0 if it is none: \n and the like 2, \uXXXX 6, a surrogate pair 12. */
static unsigned escape_length(const uint8_t *p, const uint8_t *end)
{
    if (end - p < 2) return 0;
    if (memchr("\"\\/bfnrt", p[1], 8)) return 2;
    if (p[1] != 'u') return 0;
    int32_t u = hex4(p + 2, end);
    if (u < 0 || is_low(u)) return 0;
    if (!is_high(u)) return 6;
    if (end - p < 12 || p[6] != '\\' || p[7] != 'u') return 0;
    return is_low(hex4(p + 8, end)) ? 12 : 0;
}

/* p stands behind the opening quote. On success *raw is the text and j->_p stands behind the
 * closing quote. */
static weir_err scan_string(weir_json *j, weir_json_raw *raw)
{
    const uint8_t *p = ++j->_p, *end = j->_end;
    raw->text = p;
    raw->escaped = false;
    for (;;) {
        while (p < end && *p >= ' ' && *p < 0x80 && *p != '"' && *p != '\\') p++;
        if (p == end) return unexpected(j, p, "the closing quote of a string");
        if (*p == '"') break;
        unsigned n = *p == '\\' ? escape_length(p, end) : *p >= 0x80 ? utf8_length(p, end) : 0;
        if (n == 0) {
            j->_at = p;
            return weir_json_fail(j, WEIR_E_FORMAT, "%s in a string",
                                  *p == '\\'   ? "wrong escape"
                                  : *p >= 0x80 ? "wrong UTF-8"
                                               : "control character");
        }
        raw->escaped |= *p == '\\';
        p += n;
    }
    raw->n = (size_t)(p - raw->text);
    j->_p = p + 1;
    return WEIR_OK;
}

/* Checks the number at j->_p and steps over it; *integer is false if it has a sign, fraction or
 * exponent. */
static weir_err scan_number(weir_json *j, bool *integer)
{
    const uint8_t *p = j->_p, *end = j->_end;
    *integer = *p != '-';
    if (*p == '-') p++;
    if (!is_digit(p, end)) return unexpected(j, p, "a digit");
    if (*p == '0') {
        p++;
        if (is_digit(p, end)) return unexpected(j, p, "no digit after a leading zero");
    }
    while (is_digit(p, end)) p++;
    if (p < end && *p == '.') {
        *integer = false;
        if (!is_digit(++p, end)) return unexpected(j, p, "a digit");
        while (is_digit(p, end)) p++;
    }
    if (p < end && (*p | 0x20) == 'e') {
        *integer = false;
        p++;
        if (p < end && (*p == '+' || *p == '-')) p++;
        if (!is_digit(p, end)) return unexpected(j, p, "a digit");
        while (is_digit(p, end)) p++;
    }
    j->_p = p;
    return WEIR_OK;
}

static weir_err scan_word(weir_json *j, const char *word)
{
    for (const char *w = word; *w; w++, j->_p++)
        if (!at_byte(j, (uint8_t)*w)) return unexpected(j, j->_p, word);
    return WEIR_OK;
}

/* ---- values */

weir_err weir_json_peek(weir_json *j, weir_json_kind *kind)
{
    skip_space(j);
    j->_at = j->_p;
    if (j->_p == j->_end) return unexpected(j, j->_p, "a value");
    switch (*j->_p) {
    case '{':
        *kind = WEIR_JSON_OBJECT;
        return WEIR_OK;
    case '[':
        *kind = WEIR_JSON_ARRAY;
        return WEIR_OK;
    case '"':
        *kind = WEIR_JSON_STRING;
        return WEIR_OK;
    case 't':
        *kind = WEIR_JSON_TRUE;
        return WEIR_OK;
    case 'f':
        *kind = WEIR_JSON_FALSE;
        return WEIR_OK;
    case 'n':
        *kind = WEIR_JSON_NULL;
        return WEIR_OK;
    default:
        break;
    }
    if (*j->_p != '-' && !is_digit(j->_p, j->_end)) return unexpected(j, j->_p, "a value");
    *kind = WEIR_JSON_NUMBER;
    return WEIR_OK;
}

weir_err weir_json_end(weir_json *j)
{
    skip_space(j);
    j->_at = j->_p;
    if (j->_p == j->_end) return WEIR_OK;
    return weir_json_fail(j, WEIR_E_FORMAT,
                          "%zu bytes follow the end of the JSON document; remove them",
                          (size_t)(j->_end - j->_p));
}

static weir_err open_frame(weir_json *j, bool array)
{
    skip_space(j);
    if (!at_byte(j, array ? '[' : '{'))
        return unexpected(j, j->_p, array ? "an array" : "an object");
    j->_at = j->_p;
    if (j->_depth == WEIR_JSON_MAX_DEPTH) {
        return weir_json_fail(j, WEIR_E_FORMAT, "nested more than %d deep",
                              (int)WEIR_JSON_MAX_DEPTH);
    }
    j->_p++;
    j->_frame[j->_depth++] = (weir_json_frame){._array = array};
    return WEIR_OK;
}

weir_err weir_json_object(weir_json *j)
{
    return open_frame(j, false);
}
weir_err weir_json_array(weir_json *j)
{
    return open_frame(j, true);
}

/* Steps to the next member: past a comma, or past the closing bracket (*more = false). */
static weir_err next_member(weir_json *j, uint8_t close, const char *expected, bool *more)
{
    weir_json_frame *f = &j->_frame[j->_depth - 1];
    skip_space(j);
    j->_at = j->_p;
    if (at_byte(j, close)) {
        j->_p++;
        j->_depth--;
        *more = false;
        return WEIR_OK;
    }
    if (f->_index) {
        if (!at_byte(j, ',')) return unexpected(j, j->_p, expected);
        j->_p++;
        skip_space(j);
        j->_at = j->_p;
    }
    f->_index++;
    *more = true;
    return WEIR_OK;
}

weir_err weir_json_item(weir_json *j, bool *more)
{
    return next_member(j, ']', "',' or ']'", more);
}

weir_err weir_json_key(weir_json *j, const char **key)
{
    weir_json_frame *f = &j->_frame[j->_depth - 1];
    bool more;
    *key = NULL;
    WEIR_TRY(next_member(j, '}', "',' or '}'", &more));
    if (!more) return WEIR_OK;
    if (!at_byte(j, '"')) return unexpected(j, j->_p, "a key");
    weir_json_raw raw;
    WEIR_TRY(scan_string(j, &raw));
    f->_key = raw.text;
    f->_key_len = raw.n;
    size_t n = 0;
    if (!raw.escaped && raw.n <= WEIR_JSON_MAX_KEY) {
        memcpy(j->_key, raw.text, raw.n);
        n = raw.n;
    } else if (raw.escaped && raw.n <= 6 * WEIR_JSON_MAX_KEY) {
        uint8_t plain[6 * WEIR_JSON_MAX_KEY];
        n = weir_json_unescape(plain, &raw);
        if (n > WEIR_JSON_MAX_KEY || memchr(plain, 0, n)) n = 0;
        memcpy(j->_key, plain, n);
    }
    j->_key[n] = 0;
    *key = j->_key;
    skip_space(j);
    if (!at_byte(j, ':')) return unexpected(j, j->_p, "':'");
    j->_p++;
    return WEIR_OK;
}

weir_err weir_json_u64(weir_json *j, uint64_t *v)
{
    weir_json_kind kind;
    WEIR_TRY(weir_json_peek(j, &kind));
    if (kind != WEIR_JSON_NUMBER) return unexpected(j, j->_p, "a number");
    bool integer;
    WEIR_TRY(scan_number(j, &integer));
    if (!integer)
        return weir_json_fail(j, WEIR_E_RANGE,
                              "a whole number, not negative and without exponent, is expected");
    uint64_t n = 0;
    for (const uint8_t *p = j->_at; p < j->_p; p++) {
        if (__builtin_mul_overflow(n, (uint64_t)10, &n) ||
            __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
            return weir_json_fail(j, WEIR_E_RANGE, "the number is above 2^64 - 1");
    }
    *v = n;
    return WEIR_OK;
}

/* One of the integers of a byte array; p stands at its first character. NULL if it is not 0..255.
 */
static inline const uint8_t *byte_value(const uint8_t *p, const uint8_t *end, uint8_t *out)
{
    if (!is_digit(p, end)) return NULL;
    unsigned v = *p++ - '0';
    if (v == 0) {
        if (is_digit(p, end)) return NULL;
    } else if (is_digit(p, end)) {
        v = v * 10 + (*p++ - '0');
        if (is_digit(p, end)) v = v * 10 + (*p++ - '0');
        if (v > 255 || is_digit(p, end)) return NULL;
    }
    *out = (uint8_t)v;
    return p;
}

static weir_err bad_byte(weir_json *j, int i)
{
    if (j->_p == j->_end) return unexpected(j, j->_p, "a number 0..255");
    j->_at = j->_p;
    return weir_json_fail(j, WEIR_E_FORMAT,
                          "byte %d of a 32-byte value is not a whole number 0..255", i);
}

weir_err weir_json_bytes32(weir_json *j, uint8_t out[32])
{
    skip_space(j);
    const uint8_t *start = j->_p;
    if (!at_byte(j, '[')) return unexpected(j, j->_p, "an array of 32 bytes");
    j->_p++;
    for (int i = 0; i < 32; i++) {
        skip_space(j);
        const uint8_t *next = byte_value(j->_p, j->_end, &out[i]);
        if (!next) return bad_byte(j, i);
        j->_p = next;
        skip_space(j);
        if (at_byte(j, i < 31 ? ',' : ']')) {
            j->_p++;
            continue;
        }
        if (at_byte(j, i < 31 ? ']' : ',')) {
            j->_at = start;
            return weir_json_fail(j, WEIR_E_FORMAT, "a 32-byte value has %s",
                                  i < 31 ? "fewer bytes" : "more bytes");
        }
        return unexpected(j, j->_p, i < 31 ? "','" : "']'");
    }
    j->_at = start;
    return WEIR_OK;
}

weir_err weir_json_raw_string(weir_json *j, weir_json_raw *raw)
{
    skip_space(j);
    if (!at_byte(j, '"')) return unexpected(j, j->_p, "a string");
    j->_at = j->_p;
    return scan_string(j, raw);
}

weir_err weir_json_string(weir_json *j, char *out, size_t size)
{
    weir_json_raw raw;
    WEIR_TRY(weir_json_raw_string(j, &raw));
    const uint8_t *p = raw.text, *end = raw.text + raw.n;
    size_t n = 0;
    while (p < end) {
        weir_json_raw one = {.text = p, .n = *p == '\\' ? escape_length(p, end) : 1};
        uint8_t plain[12] = {*p};
        size_t m = *p == '\\' ? weir_json_unescape(plain, &one) : 1;
        if (m >= size - n)
            return weir_json_fail(j, WEIR_E_FORMAT, "the text is longer than %zu bytes", size - 1);
        if (plain[0] == 0) return weir_json_fail(j, WEIR_E_FORMAT, "zero byte in a text");
        memcpy(out + n, plain, m);
        n += m;
        p += one.n;
    }
    out[n] = 0;
    return WEIR_OK;
}

static size_t put_utf8(uint8_t *out, uint32_t u)
{
    if (u < 0x80) {
        out[0] = (uint8_t)u;
        return 1;
    }
    if (u < 0x800) {
        out[0] = (uint8_t)(0xc0 | u >> 6);
        out[1] = (uint8_t)(0x80 | (u & 63));
        return 2;
    }
    if (u < 0x10000) {
        out[0] = (uint8_t)(0xe0 | u >> 12);
        out[1] = (uint8_t)(0x80 | (u >> 6 & 63));
        out[2] = (uint8_t)(0x80 | (u & 63));
        return 3;
    }
    out[0] = (uint8_t)(0xf0 | u >> 18);
    out[1] = (uint8_t)(0x80 | (u >> 12 & 63));
    out[2] = (uint8_t)(0x80 | (u >> 6 & 63));
    out[3] = (uint8_t)(0x80 | (u & 63));
    return 4;
}

size_t weir_json_unescape(uint8_t *out, const weir_json_raw *raw)
{
    const uint8_t *p = raw->text, *end = p + raw->n;
    size_t n = 0;
    while (p < end) {
        if (*p != '\\') {
            out[n++] = *p++;
            continue;
        }
        if (p[1] != 'u') {
            static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
            const char *f = strchr(from, p[1]);
            out[n++] = f ? (uint8_t)to[f - from] : p[1];
            p += 2;
            continue;
        }
        uint32_t u = (uint32_t)hex4(p + 2, end);
        p += 6;
        if (is_high((int32_t)u)) {
            u = 0x10000 + ((u - 0xd800) << 10) + ((uint32_t)hex4(p + 2, end) - 0xdc00);
            p += 6;
        }
        n += put_utf8(out + n, u);
    }
    return n;
}

static weir_err skip_scalar(weir_json *j, weir_json_kind kind)
{
    weir_json_raw raw;
    bool integer;
    switch (kind) {
    case WEIR_JSON_STRING:
        return scan_string(j, &raw);
    case WEIR_JSON_NUMBER:
        return scan_number(j, &integer);
    case WEIR_JSON_TRUE:
        return scan_word(j, "true");
    case WEIR_JSON_FALSE:
        return scan_word(j, "false");
    default:
        return scan_word(j, "null");
    }
}

/* Behind an array of integers without sign or space, p at its bracket: nearly all of a C1 document is such arrays. NULL: it is none, or not
 * well formed; then the usual way finds out. */
static const uint8_t *behind_integers(const uint8_t *p, const uint8_t *end)
{
    do {
        const uint8_t *first = ++p;
        while (is_digit(p, end)) p++;
        if (p == first || (*first == '0' && p > first + 1)) return NULL;
    } while (p < end && *p == ',');
    return p < end && *p == ']' ? p + 1 : NULL;
}

static weir_err skip_array(weir_json *j)
{
    const uint8_t *behind =
        j->_depth < WEIR_JSON_MAX_DEPTH ? behind_integers(j->_p, j->_end) : NULL;
    if (!behind) return weir_json_array(j);
    j->_p = behind;
    return WEIR_OK;
}

weir_err weir_json_skip(weir_json *j)
{
    unsigned outer = j->_depth;
    bool value = true; /* a value comes next; otherwise a separator or the end of what is open */
    do {
        if (value) {
            weir_json_kind kind;
            WEIR_TRY(weir_json_peek(j, &kind));
            if (kind == WEIR_JSON_OBJECT)
                WEIR_TRY(weir_json_object(j));
            else if (kind == WEIR_JSON_ARRAY)
                WEIR_TRY(skip_array(j));
            else
                WEIR_TRY(skip_scalar(j, kind));
        }
        if (j->_depth == outer) break;
        if (j->_frame[j->_depth - 1]._array) {
            WEIR_TRY(weir_json_item(j, &value));
        } else {
            const char *key;
            WEIR_TRY(weir_json_key(j, &key));
            value = key != NULL;
        }
    } while (j->_depth > outer);
    return WEIR_OK;
}

/* ---- fields */

static weir_err end_of_fields(weir_json *j, const weir_json_fields *f)
{
    uint32_t missing = f->required & ~f->seen;
    if (!missing) return WEIR_OK;
    return weir_json_fail(j, WEIR_E_FORMAT, "the object ends here without \"%s\"",
                          f->names[__builtin_ctz(missing)]);
}

weir_err weir_json_field(weir_json *j, weir_json_fields *f, int *which)
{
    for (;;) {
        const char *key;
        WEIR_TRY(weir_json_key(j, &key));
        *which = -1;
        if (!key) return end_of_fields(j, f);
        int i = 0;
        while (f->names[i] && strcmp(key, f->names[i]) != 0) i++;
        if (f->names[i]) {
            if (f->seen >> i & 1)
                return weir_json_fail(j, WEIR_E_FORMAT, "the key stands twice in one object");
            f->seen |= UINT32_C(1) << i;
            *which = i;
            return WEIR_OK;
        }
        if (f->strict)
            return weir_json_fail(j, WEIR_E_FORMAT, "unknown field; remove it or correct its name");
        WEIR_TRY(weir_json_skip(j));
    }
}
