/* Signed digits of scalars on a device. C and C++ (CUDA) both include this header. Words, bounds and proof are those of
 * msm/msm_digits.h: m = k, or r - k with the other sign where k > r/2; m plus 2^(c-1) in every window but the last is kept,
 * and window w of that, less 2^(c-1), is the digit. Here windows are taken from the lowest up, by shifting, so that limbs
 * stay in registers.
 */
#ifndef WEIR_GPU_DIGITS_H
#define WEIR_GPU_DIGITS_H

#include "gpu/gpu_limbs.h"
#include "gpu/gpu_params.h"

enum { WEIR_DDIGITS_N = 8 };

typedef struct weir_ddigits {
    uint32_t l[WEIR_DDIGITS_N]; /* the next window is the lowest c bits */
    uint32_t negative;
} weir_ddigits;

/* All ones if k > (r - 1)/2, else 0. */
WEIR_HD uint32_t ddigits_upper(const uint32_t *k)
{
    const uint32_t r[WEIR_DDIGITS_N] = WEIR_FR_MODULUS_32;
    weir_carry c = 0;
    (void)limb_sub_cc(r[0] >> 1 | r[1] << 31, k[0], &c);
    WEIR_UNROLL
    for (int i = 1; i < WEIR_DDIGITS_N - 1; i++)
        (void)limb_subc_cc(r[i] >> 1 | r[i + 1] << 31, k[i], &c);
    (void)limb_subc_cc(r[WEIR_DDIGITS_N - 1] >> 1, k[WEIR_DDIGITS_N - 1], &c);
    return limb_borrow_mask(&c);
}

/* In: k < r; plus: the offset, minus: r + 1 + the offset modulo 2^256, so that ~k + minus = r - k + offset. */
WEIR_HD void ddigits_recode(weir_ddigits *d, const uint32_t *k, const uint32_t *plus,
                            const uint32_t *minus)
{
    uint32_t mask = ddigits_upper(k);
    weir_carry c = 0;
    d->l[0] = limb_add_cc(k[0] ^ mask, mask ? minus[0] : plus[0], &c);
    WEIR_UNROLL
    for (int i = 1; i < WEIR_DDIGITS_N - 1; i++)
        d->l[i] = limb_addc_cc(k[i] ^ mask, mask ? minus[i] : plus[i], &c);
    d->l[WEIR_DDIGITS_N - 1] =
        limb_addc_wrap(k[WEIR_DDIGITS_N - 1] ^ mask,
                       mask ? minus[WEIR_DDIGITS_N - 1] : plus[WEIR_DDIGITS_N - 1], &c);
    d->negative = mask & 1;
}

/* Drops `bits` low bits, 1 .. 31. */
WEIR_HD void ddigits_shift(weir_ddigits *d, uint32_t bits)
{
    WEIR_UNROLL
    for (int i = 0; i < WEIR_DDIGITS_N - 1; i++)
        d->l[i] = d->l[i] >> bits | d->l[i + 1] << (32 - bits);
    d->l[WEIR_DDIGITS_N - 1] >>= bits;
}

/* Drops the first `windows` windows of c bits: whole words, then bits. */
WEIR_HD void ddigits_skip(weir_ddigits *d, uint32_t windows, uint32_t c)
{
    uint32_t bits = windows * c;
    WEIR_NO_UNROLL
    for (; bits >= 32; bits -= 32) {
        WEIR_UNROLL
        for (int i = 0; i < WEIR_DDIGITS_N - 1; i++) d->l[i] = d->l[i + 1];
        d->l[WEIR_DDIGITS_N - 1] = 0;
    }
    if (bits) ddigits_shift(d, bits);
}

/* The next digit as (magnitude << 1) | sign, the scalar's sign included; 0 for digit 0. The magnitude is at most 2^(c-1);
 * in the last window of a number that is not below r it is cut to that. */
WEIR_HD uint32_t ddigits_next(weir_ddigits *d, uint32_t c, bool last)
{
    uint32_t half = 1u << (c - 1), raw = d->l[0] & ((half << 1) - 1);
    uint32_t below = raw < half;
    uint32_t magnitude = below ? half - raw : raw - half, sign = below;
    if (last) {
        magnitude = below ? raw : half;
        sign = 0;
    }
    ddigits_shift(d, c);
    return magnitude ? magnitude << 1 | (sign ^ d->negative) : 0;
}

#endif
