/* Signed digits of a scalar: width-5 non-adjacent form. Variable time. */
#ifndef WEIR_CURVE_RECODE_H
#define WEIR_CURVE_RECODE_H

#include "field/types.h"

#include <stdint.h>

enum { WEIR_WNAF_WIDTH = 5, WEIR_WNAF_DIGITS = 257, WEIR_WNAF_TABLE = 8 };

/* k = sum d[i] 2^i; each d[i] is 0 or odd with |d[i]| <= 15, and of five neighbours at most one is not 0. k is any
 * 256-bit integer. Returns the number of digits up to the highest that is not 0.
 * Source: Hankerson, Menezes, Vanstone, Guide to Elliptic Curve Cryptography, algorithm 3.35. */
static inline int scalar_wnaf(int8_t d[WEIR_WNAF_DIGITS], const weir_scalar *k)
{
    int n = 0, carry = 0;
    for (int i = 0; i < WEIR_WNAF_DIGITS; i++) d[i] = 0;
    for (int i = 0; i < WEIR_WNAF_DIGITS;) {
        int bit = i < 256 ? (int)((k->l[i / 64] >> (i % 64)) & 1) : 0;
        if (bit == carry) {
            i++;
            continue;
        }
        int v = carry;
        for (int j = 0; j < WEIR_WNAF_WIDTH && i + j < 256; j++)
            v += (int)((k->l[(i + j) / 64] >> ((i + j) % 64)) & 1) << j;
        carry = v >> (WEIR_WNAF_WIDTH - 1);
        d[i] = (int8_t)(v - (carry << WEIR_WNAF_WIDTH));
        n = i + 1;
        i += WEIR_WNAF_WIDTH;
    }
    return n;
}

#endif
