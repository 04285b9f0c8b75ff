/* Signed digits of scalars, each of which can be taken out without the others.
 *
 * With h = 2^(c-1), a scalar k is first replaced by m = k or, when k > r/2, by m = r - k and a set sign (the
 * point has order r, so kP = m(-P)). Then m + sum of h 2^(cw) over all windows but the last is stored. Window w
 * of that sum, less h, is the signed digit, in -h .. h-1; the last window is the digit as it stands.
 *
 * With W = ceil(255/c) windows the last digit is in 0 .. h: m < 2^254, so m / 2^(c(W-1)) < 2^(c-1) because
 * cW >= 255; the carry that the other windows' offsets send up is at most one. The sum is below
 * 2^254 + 2^(c(W-1)) <= 2^254 + 2^254, so it fits four limbs.
 */
#ifndef WEIR_MSM_DIGITS_H
#define WEIR_MSM_DIGITS_H

#include "field/params_bls12_381.h"
#include "field/types.h"

#include <stdbool.h>
#include <stdint.h>

enum { WEIR_MSM_SCALAR_BITS = 255 };

static inline unsigned weir_msm_windows(unsigned c)
{
    return (WEIR_MSM_SCALAR_BITS + c - 1) / c;
}

/* What is added to m; and the constant that turns ~k into r - k with the offset: (~k + 1) + r + offset. */
typedef struct weir_msm_recode {
    unsigned c, windows;
    uint64_t plus[4];  /* the offset */
    uint64_t minus[4]; /* r + 1 + the offset, modulo 2^256 */
} weir_msm_recode;

/* A scalar made ready: its offset form, and whether the point is taken with the other sign. */
typedef struct weir_msm_recoded {
    uint64_t l[4];
    uint32_t negative;
} weir_msm_recoded;

static inline void weir_msm_recode_init(weir_msm_recode *t, unsigned c)
{
    static const uint64_t r[4] = WEIR_FR_MODULUS;
    *t = (weir_msm_recode){.c = c, .windows = weir_msm_windows(c)};
    for (unsigned w = 0; w + 1 < t->windows; w++) {
        unsigned bit = c * w + c - 1;
        t->plus[bit / 64] |= (uint64_t)1 << (bit % 64);
    }
    unsigned __int128 carry = 1;
    for (int i = 0; i < 4; i++) {
        carry += (unsigned __int128)r[i] + t->plus[i];
        t->minus[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

/* True if k > (r-1)/2. No branch: half of all scalars are, in no order. */
static inline bool weir_msm_is_upper(const weir_scalar *k)
{
    static const uint64_t r[4] = WEIR_FR_MODULUS;
    uint64_t borrow = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t half = (r[i] >> 1) | (i < 3 ? r[i + 1] << 63 : 0);
        borrow = (uint64_t)((((unsigned __int128)half - k->l[i] - borrow) >> 64) & 1);
    }
    return borrow != 0;
}

static inline void weir_msm_recode_scalar(weir_msm_recoded *out, const weir_msm_recode *t,
                                          const weir_scalar *k)
{
    uint64_t mask = 0 - (uint64_t)weir_msm_is_upper(k);
    unsigned __int128 carry = 0;
    for (int i = 0; i < 4; i++) {
        carry += (unsigned __int128)(k->l[i] ^ mask) +
                 (t->plus[i] ^ ((t->plus[i] ^ t->minus[i]) & mask));
        out->l[i] = (uint64_t)carry;
        carry >>= 64;
    }
    out->negative = (uint32_t)(mask & 1);
}

/* Where the digits of one window are. */
typedef struct weir_msm_digit_place {
    unsigned limb, shift;
    bool spans;   /* it ends in the next limb */
    int32_t half; /* what is taken off; 0 in the last window */
    uint32_t mask, most;
} weir_msm_digit_place;

static inline weir_msm_digit_place weir_msm_digit_place_of(const weir_msm_recode *t, unsigned w)
{
    const unsigned bit = t->c * w;
    const uint32_t half = (uint32_t)1 << (t->c - 1);
    const bool last = w + 1 == t->windows;
    weir_msm_digit_place p = {.limb = bit / 64,
                              .shift = bit % 64,
                              .half = last ? 0 : (int32_t)half,
                              .mask = 2 * half - 1,
                              .most = last ? half : 2 * half - 1};
    p.spans = p.shift + t->c > 64 && p.limb < 3;
    return p;
}

/* The digit as (magnitude << 1) | sign, the scalar's sign included; 0 for digit 0. The magnitude is at
 * most 2^(c-1); a number that is not below r could exceed that in the last window, where it is cut, so that it
 * gives a wrong sum but never a bucket that is not there. */
static inline uint32_t weir_msm_digit_at(const weir_msm_recoded *s, const weir_msm_digit_place *p)
{
    uint64_t raw = s->l[p->limb] >> p->shift;
    if (p->spans) raw |= s->l[p->limb + 1] << (64 - p->shift);
    uint32_t cut = (uint32_t)raw & p->mask;
    int32_t d = (int32_t)(cut < p->most ? cut : p->most) - p->half;
    uint32_t sign = (uint32_t)d >> 31;
    uint32_t magnitude = ((uint32_t)d ^ (0 - sign)) + sign;
    return magnitude ? magnitude << 1 | (sign ^ s->negative) : 0;
}

static inline uint32_t weir_msm_digit(const weir_msm_recoded *s, const weir_msm_recode *t,
                                      unsigned w)
{
    const weir_msm_digit_place p = weir_msm_digit_place_of(t, w);
    return weir_msm_digit_at(s, &p);
}

#endif
