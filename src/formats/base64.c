#include "formats/base64.h"

#include <stdbool.h>

static const char alphabet[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Value of each character plus one; 0 for what is not in the alphabet. */
static const uint8_t value_plus_1[256] = {
    ['A'] = 1,  ['B'] = 2,  ['C'] = 3,  ['D'] = 4,  ['E'] = 5,  ['F'] = 6,  ['G'] = 7,  ['H'] = 8,
    ['I'] = 9,  ['J'] = 10, ['K'] = 11, ['L'] = 12, ['M'] = 13, ['N'] = 14, ['O'] = 15, ['P'] = 16,
    ['Q'] = 17, ['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21, ['V'] = 22, ['W'] = 23, ['X'] = 24,
    ['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28, ['c'] = 29, ['d'] = 30, ['e'] = 31, ['f'] = 32,
    ['g'] = 33, ['h'] = 34, ['i'] = 35, ['j'] = 36, ['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40,
    ['o'] = 41, ['p'] = 42, ['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48,
    ['w'] = 49, ['x'] = 50, ['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54, ['2'] = 55, ['3'] = 56,
    ['4'] = 57, ['5'] = 58, ['6'] = 59, ['7'] = 60, ['8'] = 61, ['9'] = 62, ['+'] = 63, ['/'] = 64};

/* Four characters to 24 bits; false if one is not in the alphabet. */
static inline bool group(uint32_t *bits, const uint8_t *c)
{
    uint32_t a = value_plus_1[c[0]] - 1u, b = value_plus_1[c[1]] - 1u;
    uint32_t d = value_plus_1[c[2]] - 1u, e = value_plus_1[c[3]] - 1u;
    *bits = a << 18 | b << 12 | d << 6 | e;
    return ((a | b | d | e) >> 6) == 0; /* 0 - 1 sets the high bits */
}

static weir_err bad_character(const uint8_t *text, size_t at, weir_errinfo *ei)
{
    while (value_plus_1[text[at]]) at++;
    const char *why = text[at] == '='   ? "padding stands before the end"
                      : text[at] <= ' ' ? "white space is not allowed"
                                        : "not in the standard alphabet";
    return weir_fail(ei, WEIR_E_FORMAT, "base64 character %zu (0x%02x): %s", at, text[at], why);
}

weir_err weir_base64_decode(uint8_t *out, size_t *n_out, const uint8_t *text, size_t n,
                            weir_errinfo *ei)
{
    *n_out = 0;
    if (n == 0) return WEIR_OK;
    /* A bad character says more than a bad length, so it is looked for first. */
    size_t pad = n % 4 ? 0 : text[n - 1] != '=' ? 0 : text[n - 2] != '=' ? 1 : 2;
    size_t whole = (n - (pad ? 4 : 0)) / 4 * 4;
    uint8_t *o = out;
    uint32_t bits;
    for (size_t i = 0; i < whole; i += 4, o += 3) {
        if (!group(&bits, text + i)) return bad_character(text, i, ei);
        o[0] = (uint8_t)(bits >> 16);
        o[1] = (uint8_t)(bits >> 8);
        o[2] = (uint8_t)bits;
    }
    if (n % 4) {
        size_t end = n; /* = at the end may be the padding that is too short or too long */
        while (end > whole && text[end - 1] == '=') end--;
        for (size_t i = whole; i < end; i++)
            if (!value_plus_1[text[i]]) return bad_character(text, i, ei);
        return weir_fail(
            ei, WEIR_E_FORMAT,
            "base64 text of %zu characters: the length must be a multiple of 4, with = as padding",
            n);
    }
    if (pad) {
        uint8_t last[4] = {text[whole], text[whole + 1], pad == 2 ? 'A' : text[whole + 2], 'A'};
        if (!group(&bits, last)) return bad_character(text, whole, ei);
        if (bits & (pad == 2 ? 0xffff : 0xff)) {
            return weir_fail(ei, WEIR_E_FORMAT,
                             "base64 character %zu: bits are set that no byte holds", n - pad - 1);
        }
        *o++ = (uint8_t)(bits >> 16);
        if (pad == 1) *o++ = (uint8_t)(bits >> 8);
    }
    *n_out = (size_t)(o - out);
    return WEIR_OK;
}

void weir_base64_encode(char *text, const uint8_t *in, size_t n)
{
    size_t i = 0;
    for (; i + 3 <= n; i += 3, text += 4) {
        uint32_t bits = (uint32_t)in[i] << 16 | (uint32_t)in[i + 1] << 8 | in[i + 2];
        text[0] = alphabet[bits >> 18];
        text[1] = alphabet[bits >> 12 & 63];
        text[2] = alphabet[bits >> 6 & 63];
        text[3] = alphabet[bits & 63];
    }
    if (i == n) return;
    uint32_t bits = (uint32_t)in[i] << 16 | (i + 1 < n ? (uint32_t)in[i + 1] << 8 : 0);
    text[0] = alphabet[bits >> 18];
    text[1] = alphabet[bits >> 12 & 63];
    text[2] = i + 1 < n ? alphabet[bits >> 6 & 63] : '=';
    text[3] = '=';
}
