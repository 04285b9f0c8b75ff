/* Fp of BLS12-381: the base field, 381 bits, six limbs, Montgomery form.
 *
 * Contract of every routine (see also mont.inc.h): inputs and outputs are fully reduced; the result may be the
 * same object as any input; constant time unless the name says otherwise. WEIR_VERIFY builds check inputs.
 *
 * fp_mul is the path's own body (portable, or MULX/ADX where the file is compiled for it).
 */
#ifndef WEIR_FIELD_FP_H
#define WEIR_FIELD_FP_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/isa.h"
#include "field/inverse.h"
#include "field/params_bls12_381.h"
#include "field/types.h"

#define M_(name)  fp_##name
#define M_T       weir_fp
#define M_N       6
#define M_MODULUS WEIR_FP_MODULUS
#define M_ONE     WEIR_FP_ONE
#define M_N0      WEIR_FP_N0
#include "field/mont.inc.h"
#undef M_
#undef M_T
#undef M_N
#undef M_MODULUS
#undef M_ONE
#undef M_N0

#ifdef WEIR_ISA_IS_adx
#define WEIR_WANT_FP_MUL
#include "field/mul_x86_adx.h"
#endif

/* r = a * b. Cost: 72 limb products. */
static __attribute__((noinline, unused)) void fp_mul(weir_fp *r, const weir_fp *a, const weir_fp *b)
{
#ifdef WEIR_VERIFY
    assert(fp_is_reduced(a) && fp_is_reduced(b));
#endif
#ifdef WEIR_ISA_IS_adx
    fp_mul_adx(r, a, b);
#else
    fp_mul_portable(r, a, b);
#endif
}

/* r = a^2. */
static inline void fp_sqr(weir_fp *r, const weir_fp *a) { fp_mul(r, a, a); }

/* Standard form to Montgomery form and back. In: limbs < p (fp_from_limbs), any element (fp_to_limbs). */
static inline void fp_from_limbs(weir_fp *r, const uint64_t limbs[6])
{
    static const weir_fp r2 = {WEIR_FP_R2};
    weir_fp t;
    for (int i = 0; i < 6; i++) t.l[i] = limbs[i];
    fp_mul(r, &t, &r2);
}

static inline void fp_to_limbs(uint64_t limbs[6], const weir_fp *a)
{
    static const weir_fp one = {{1}};
    weir_fp t;
    fp_mul(&t, a, &one);
    for (int i = 0; i < 6; i++) limbs[i] = t.l[i];
}

static inline void fp_from_u64(weir_fp *r, uint64_t v)
{
    uint64_t l[6] = {v};
    fp_from_limbs(r, l);
}

/* Big-endian 48 bytes. Returns false if the number is not below p (r is then untouched). */
static inline bool fp_from_be(weir_fp *r, const uint8_t bytes[48])
{
    weir_fp t;
    for (int i = 0; i < 6; i++) {
        uint64_t v;
        __builtin_memcpy(&v, bytes + 8 * (5 - i), 8);
        t.l[i] = __builtin_bswap64(v);
    }
    if (!fp_is_reduced(&t)) return false;
    fp_from_limbs(r, t.l);
    return true;
}

static inline void fp_to_be(uint8_t bytes[48], const weir_fp *a)
{
    uint64_t l[6];
    fp_to_limbs(l, a);
    for (int i = 0; i < 6; i++) {
        uint64_t v = __builtin_bswap64(l[i]);
        __builtin_memcpy(bytes + 8 * (5 - i), &v, 8);
    }
}

/* Sliding windows over an exponent: the bits i .. *low of e, of which the lowest is set, at most five; or bit i alone
 * when it is clear. Returns their number. */
enum { WEIR_POW_WINDOW = 5, WEIR_POW_ODD = 1 << (WEIR_POW_WINDOW - 1) };
static inline unsigned weir_pow_window(const uint64_t *e, size_t i, size_t *low)
{
    unsigned digit = 0;
    *low = i;
    if (!((e[i / 64] >> (i % 64)) & 1)) return 0;
    *low = i + 1 > WEIR_POW_WINDOW ? i + 1 - WEIR_POW_WINDOW : 0;
    while (!((e[*low / 64] >> (*low % 64)) & 1)) ++*low;
    for (size_t k = i + 1; k-- > *low;) digit = 2 * digit + (unsigned)((e[k / 64] >> (k % 64)) & 1);
    return digit;
}

/* r = a^e, e of n limbs, least significant first. Variable time in e. Cost: a squaring a bit, a product for about six
 * bits, and 16 for the odd powers. */
static inline void fp_pow(weir_fp *r, const weir_fp *a, const uint64_t *e, size_t n)
{
    weir_fp odd[WEIR_POW_ODD], square, acc = fp_ONE;
    bool any = false;
    odd[0] = *a;
    fp_sqr(&square, a);
    for (int k = 1; k < WEIR_POW_ODD; k++) fp_mul(&odd[k], &odd[k - 1], &square);
    for (size_t i = 64 * n, low; i > 0; i = low) {
        unsigned digit = weir_pow_window(e, i - 1, &low);
        if (any)
            for (size_t k = low; k < i; k++) fp_sqr(&acc, &acc);
        if (digit == 0) continue;
        fp_mul(&acc, &acc, &odd[digit / 2]);
        any = true;
    }
    *r = acc;
}

/* True if the standard form of a is above (p-1)/2: the sign bit of point encodings. */
static inline bool fp_is_larger_half(const weir_fp *a)
{
    static const uint64_t half[6] = WEIR_FP_HALF;
    uint64_t l[6];
    fp_to_limbs(l, a);
    for (int i = 5; i >= 0; i--)
        if (l[i] != half[i]) return l[i] > half[i];
    return false;
}

/* r = sqrt(a); false if a is not a square (r is then unspecified). Cost: about 460 products. */
static inline bool fp_sqrt(weir_fp *r, const weir_fp *a)
{
    static const uint64_t e[6] = WEIR_FP_SQRT_EXPONENT;
    weir_fp s, t, in = *a;
    fp_pow(&s, &in, e, 6);
    fp_sqr(&t, &s);
    *r = s;
    return fp_eq(&t, &in);
}

/* Replaces each of n elements by its inverse, zeros stay zero. tmp: n elements of scratch.
 * Cost: 3 products an element and one inversion. */
static inline void fps_inv(weir_fp *a, size_t n, weir_fp *tmp)
{
    weir_fp acc = fp_ONE;
    for (size_t i = 0; i < n; i++) {
        tmp[i] = acc;
        if (!fp_is_zero(&a[i])) fp_mul(&acc, &acc, &a[i]);
    }
    weir_fp_inv(&acc, &acc);
    for (size_t i = n; i-- > 0;) {
        if (fp_is_zero(&a[i])) continue;
        weir_fp v;
        fp_mul(&v, &acc, &tmp[i]);
        fp_mul(&acc, &acc, &a[i]);
        a[i] = v;
    }
}

#endif
