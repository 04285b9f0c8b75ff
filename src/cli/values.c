#include "cli/values.h"

#include "api/circuits.h"
#include "cli/args.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_NAMES = 32 };

weir_err weir_value_u64(uint64_t *out, const char *option, const char *text, uint64_t lo,
                        uint64_t hi, weir_errinfo *ei)
{
    char *end;
    errno = 0;
    uint64_t v = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end != '\0')
        return weir_fail(ei, WEIR_E_USAGE, "--%s: '%s' is not a whole number", option, text);
    if (errno == ERANGE || v < lo || v > hi)
        return weir_fail(ei, WEIR_E_USAGE, "--%s: %s is not between %" PRIu64 " and %" PRIu64,
                         option, text, lo, hi);
    *out = v;
    return WEIR_OK;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

weir_err weir_value_hex(uint8_t *out, size_t n, const char *option, const char *text,
                        weir_errinfo *ei)
{
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) text += 2;
    size_t len = strlen(text);
    for (size_t i = 0; i < len; i++)
        if (digit(text[i]) < 0)
            return weir_fail(ei, WEIR_E_USAGE, "--%s: '%c' is not a hexadecimal digit", option,
                             text[i]);
    if (len != 2 * n)
        return weir_fail(ei, WEIR_E_USAGE,
                         "--%s: %zu bytes are wanted, %zu hexadecimal digits; there are %zu",
                         option, n, 2 * n, len);
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
    return WEIR_OK;
}

weir_err weir_value_bytes(uint64_t *out, const char *option, const char *text, weir_errinfo *ei)
{
    static const char *const unit[] = {"", "KiB", "MiB", "GiB", "TiB"};
    char *end;
    double v = isdigit((unsigned char)text[0]) ? strtod(text, &end) : -1;
    for (unsigned i = 0; v >= 0 && i < 5; i++)
        if (strcasecmp(end, unit[i]) == 0 && v < 1e6 * (i ? 1 : 1e12)) {
            *out = (uint64_t)(v * (double)((uint64_t)1 << 10 * i));
            return WEIR_OK;
        }
    return weir_fail(ei, WEIR_E_USAGE,
                     "--%s: '%s' is no number of bytes; write 16GiB, 500MiB or 123456", option,
                     text);
}

weir_err weir_value_seconds(uint64_t *out_ns, const char *option, const char *text,
                            weir_errinfo *ei)
{
    const double most = 1e9;
    char *end = NULL;
    bool plain = text[strspn(text, "0123456789.")] == '\0' && isdigit((unsigned char)text[0]);
    double s = plain ? strtod(text, &end) : -1;
    if (!plain || *end != '\0' || s > most)
        return weir_fail(ei, WEIR_E_USAGE,
                         "--%s %s: not a number of seconds from 0 to 1000000000, like 12 or 12.5",
                         option, text);
    *out_ns = (uint64_t)(s * 1e9 + 0.5);
    return WEIR_OK;
}

weir_err weir_value_sector_size(const weir_porep_shape **out, const char *option, const char *text,
                                weir_errinfo *ei)
{
    *out = weir_porep_shape_by_name(text);
    if (!*out && isdigit((unsigned char)text[0])) {
        char *end;
        uint64_t bytes = strtoull(text, &end, 10);
        if (*end == '\0') *out = weir_porep_shape_by_size(bytes);
    }
    if (*out) return WEIR_OK;
    char list[200] = "";
    for (const weir_porep_shape *s = weir_porep_shapes(); s->name; s++) {
        size_t n = strlen(list);
        snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", s->name);
    }
    return weir_fail(ei, WEIR_E_USAGE, "--%s: Filecoin has no sector size '%s'; it has %s", option,
                     text, list);
}

weir_err weir_value_circuit(const weir_porep_shape **out, const char *option, const char *text,
                            weir_errinfo *ei)
{
    if (strncasecmp(text, "porep-", 6) == 0)
        return weir_value_sector_size(out, option, text + 6, ei);
    if (weir_circuit_by_name(text))
        return weir_fail(ei, WEIR_E_UNSUPPORTED,
                         "--%s: keys of %s cannot be made yet, only those of porep-SIZE", option,
                         text);
    return weir_fail(ei, WEIR_E_USAGE,
                     "--%s: there is no circuit '%s'; names are like porep-2KiB or porep-32GiB",
                     option, text);
}

weir_err weir_value_registered(const weir_registered_porep **out, const char *option,
                               const char *text, weir_errinfo *ei)
{
    *out = weir_registered_porep_by_name(text);
    if (!*out && isdigit((unsigned char)text[0])) {
        char *end;
        unsigned long number = strtoul(text, &end, 10);
        if (*end == '\0' && number < MAX_NAMES) *out = weir_registered_porep_by_number((int)number);
    }
    if (*out) return WEIR_OK;
    const char *names[MAX_NAMES];
    size_t n = 0;
    for (const weir_registered_porep *r;
         n < MAX_NAMES && (r = weir_registered_porep_by_number((int)n)); n++)
        names[n] = r->name;
    const char *near = weir_args_nearest(text, names, n);
    return weir_fail(ei, WEIR_E_USAGE,
                     "--%s: there is no registered proof '%s'; %s%s (names like "
                     "StackedDrg32GiBV1_1, numbers 0 to %zu)",
                     option, text, near ? "did you mean " : "see --help", near ? near : "", n - 1);
}

void weir_hex_print(char *out, const uint8_t *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < n; i++) {
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 15];
    }
    *out = '\0';
}

void weir_bytes_print(char out[24], uint64_t bytes)
{
    static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double v = (double)bytes;
    int i = 0;
    for (; v >= 1024 && i < 4; i++) v /= 1024;
    snprintf(out, 24, i ? "%.1f %s" : "%.0f %s", v, unit[i]);
}
