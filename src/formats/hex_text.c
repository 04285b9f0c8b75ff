#include "formats/hex_text.h"

#include <string.h>

static int digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static bool has_prefix(const char *text)
{
    return text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

bool weir_hex_to_bytes32(uint8_t out[32], const char *text)
{
    if (has_prefix(text)) text += 2;
    if (strlen(text) != 64) return false;
    for (int i = 0; i < 32; i++) {
        int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

bool weir_hex_to_scalar(weir_scalar *out, const char *text)
{
    if (!has_prefix(text)) return false;
    size_t n = strlen(text + 2);
    if (n < 1 || n > 64) return false;
    *out = (weir_scalar){{0}};
    for (size_t i = 0; i < n; i++) {
        int d = digit(text[2 + n - 1 - i]);
        if (d < 0) return false;
        out->l[i / 16] |= (uint64_t)d << (4 * (i % 16));
    }
    return true;
}

void weir_hex_from_bytes32(char text[65], const uint8_t in[32])
{
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < 32; i++) {
        text[2 * i] = digits[in[i] >> 4];
        text[2 * i + 1] = digits[in[i] & 15];
    }
    text[64] = 0;
}
