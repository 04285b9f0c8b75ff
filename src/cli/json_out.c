#include "cli/json_out.h"

#include <inttypes.h>
#include <string.h>

void weir_json_out_init(weir_json_out *j, FILE *out)
{
    *j = (weir_json_out){._out = out, ._first = true};
}

/* Bytes of the well-formed UTF-8 character at s, 0 if there is none. Source: Unicode standard,
 * table 3-7. */
static size_t utf8_len(const uint8_t *s)
{
    uint8_t lo = 0x80, hi = 0xbf;
    size_t n;
    if (s[0] < 0x80) return 1;
    if (s[0] >= 0xc2 && s[0] <= 0xdf)
        n = 2;
    else if (s[0] >= 0xe0 && s[0] <= 0xef)
        n = 3;
    else if (s[0] >= 0xf0 && s[0] <= 0xf4)
        n = 4;
    else
        return 0;
    if (s[0] == 0xe0) lo = 0xa0;
    if (s[0] == 0xed) hi = 0x9f;
    if (s[0] == 0xf0) lo = 0x90;
    if (s[0] == 0xf4) hi = 0x8f;
    if (s[1] < lo || s[1] > hi) return 0;
    for (size_t i = 2; i < n; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    return n;
}

static void put_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const uint8_t *s = (const uint8_t *)text; *s;) {
        size_t n = utf8_len(s);
        if (n == 0)
            fputs("\\ufffd", out);
        else if (*s < 0x20 || *s == 0x7f)
            fprintf(out, "\\u%04x", *s);
        else {
            if (*s == '"' || *s == '\\') fputc('\\', out);
            fwrite(s, 1, n, out);
        }
        s += n ? n : 1;
    }
    fputc('"', out);
}

static void put_key(weir_json_out *j, const char *key)
{
    if (j->_depth) fprintf(j->_out, j->_first ? "\n%*s" : ",\n%*s", (int)(2 * j->_depth), "");
    j->_first = false;
    if (!key) return;
    put_string(j->_out, key);
    fputs(": ", j->_out);
}

static void open_with(weir_json_out *j, const char *key, char bracket)
{
    put_key(j, key);
    fputc(bracket, j->_out);
    j->_depth++;
    j->_first = true;
}

static void close_with(weir_json_out *j, char bracket)
{
    j->_depth--;
    if (!j->_first) fprintf(j->_out, "\n%*s", (int)(2 * j->_depth), "");
    fputc(bracket, j->_out);
    if (j->_depth == 0) fputc('\n', j->_out);
    j->_first = false;
}

void weir_json_out_object(weir_json_out *j, const char *key)
{
    open_with(j, key, '{');
}
void weir_json_out_array(weir_json_out *j, const char *key)
{
    open_with(j, key, '[');
}
void weir_json_out_end_object(weir_json_out *j)
{
    close_with(j, '}');
}
void weir_json_out_end_array(weir_json_out *j)
{
    close_with(j, ']');
}

void weir_json_out_string(weir_json_out *j, const char *key, const char *value)
{
    put_key(j, key);
    if (value)
        put_string(j->_out, value);
    else
        fputs("null", j->_out);
}

void weir_json_out_u64(weir_json_out *j, const char *key, uint64_t value)
{
    put_key(j, key);
    fprintf(j->_out, "%" PRIu64, value);
}

void weir_json_out_seconds(weir_json_out *j, const char *key, uint64_t ns)
{
    put_key(j, key);
    uint64_t ms = (ns + 500000) / 1000000;
    fprintf(j->_out, "%" PRIu64 ".%03u", ms / 1000, (unsigned)(ms % 1000));
}

void weir_json_out_number(weir_json_out *j, const char *key, double value)
{
    put_key(j, key);
    fprintf(j->_out, "%.6f", value);
}

void weir_json_out_bool(weir_json_out *j, const char *key, bool value)
{
    put_key(j, key);
    fputs(value ? "true" : "false", j->_out);
}

void weir_json_out_hex(weir_json_out *j, const char *key, const uint8_t *bytes, size_t n)
{
    put_key(j, key);
    fputc('"', j->_out);
    for (size_t i = 0; i < n; i++) fprintf(j->_out, "%02x", bytes[i]);
    fputc('"', j->_out);
}
