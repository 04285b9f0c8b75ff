/* Fr of BLS12-381: the scalar field, 255 bits, four limbs, Montgomery form. Contract as in fp.h. */
#ifndef WEIR_FIELD_FR_H
#define WEIR_FIELD_FR_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/isa.h"
#include "field/inverse.h"
#include "field/params_bls12_381.h"
#include "field/types.h"

#define M_(name)  fr_##name
#define M_T       weir_fr
#define M_N       4
#define M_MODULUS WEIR_FR_MODULUS
#define M_ONE     WEIR_FR_ONE
#define M_N0      WEIR_FR_N0
#include "field/mont.inc.h"
#undef M_
#undef M_T
#undef M_N
#undef M_MODULUS
#undef M_ONE
#undef M_N0

#ifdef WEIR_ISA_IS_adx
#define WEIR_WANT_FR_MUL
#include "field/mul_x86_adx.h"
#endif

/* r = a * b. Cost: 32 limb products. */
static inline void fr_mul(weir_fr *r, const weir_fr *a, const weir_fr *b)
{
#ifdef WEIR_VERIFY
    assert(fr_is_reduced(a) && fr_is_reduced(b));
#endif
#ifdef WEIR_ISA_IS_adx
    fr_mul_adx(r, a, b);
#else
    fr_mul_portable(r, a, b);
#endif
}

static inline void fr_sqr(weir_fr *r, const weir_fr *a) { fr_mul(r, a, a); }

/* True if the integer is below r. */
static inline bool scalar_is_reduced(const weir_scalar *s)
{
    weir_fr t = {{s->l[0], s->l[1], s->l[2], s->l[3]}};
    return fr_is_reduced(&t);
}

/* Standard form to Montgomery form and back. In: s < r. */
static inline void fr_from_scalar(weir_fr *r, const weir_scalar *s)
{
    static const weir_fr r2 = {WEIR_FR_R2};
    weir_fr t = {{s->l[0], s->l[1], s->l[2], s->l[3]}};
    fr_mul(r, &t, &r2);
}

static inline void fr_to_scalar(weir_scalar *s, const weir_fr *a)
{
    static const weir_fr one = {{1}};
    weir_fr t;
    fr_mul(&t, a, &one);
    for (int i = 0; i < 4; i++) s->l[i] = t.l[i];
}

/* The vector form's constant: x 2^256 goes to x 2^260 by four doublings. */
static inline void fr_to_fr52(weir_fr52 *r, const weir_fr *a)
{
    const uint64_t mask = ((uint64_t)1 << 52) - 1;
    weir_fr t = *a;
    for (int i = 0; i < 4; i++) fr_add(&t, &t, &t);
    r->l[0] = t.l[0] & mask;
    r->l[1] = (t.l[0] >> 52 | t.l[1] << 12) & mask;
    r->l[2] = (t.l[1] >> 40 | t.l[2] << 24) & mask;
    r->l[3] = (t.l[2] >> 28 | t.l[3] << 36) & mask;
    r->l[4] = t.l[3] >> 16;
}

static inline void fr_from_u64(weir_fr *r, uint64_t v)
{
    weir_scalar s = {{v}};
    fr_from_scalar(r, &s);
}

/* Little-endian 32 bytes. */
static inline void scalar_from_le(weir_scalar *s, const uint8_t bytes[32]) { __builtin_memcpy(s->l, bytes, 32); }
static inline void scalar_to_le(uint8_t bytes[32], const weir_scalar *s) { __builtin_memcpy(bytes, s->l, 32); }

/* Returns false if the number is not below r (r is then untouched). */
static inline bool fr_from_le(weir_fr *r, const uint8_t bytes[32])
{
    weir_scalar s;
    scalar_from_le(&s, bytes);
    if (!scalar_is_reduced(&s)) return false;
    fr_from_scalar(r, &s);
    return true;
}

static inline void fr_to_le(uint8_t bytes[32], const weir_fr *a)
{
    weir_scalar s;
    fr_to_scalar(&s, a);
    scalar_to_le(bytes, &s);
}

/* r = a^e, e of n limbs, least significant first. Variable time in e. */
static inline void fr_pow(weir_fr *r, const weir_fr *a, const uint64_t *e, size_t n)
{
    weir_fr acc = fr_ONE, base = *a;
    bool any = false;
    for (size_t i = 64 * n; i-- > 0;) {
        if (any) fr_sqr(&acc, &acc);
        if ((e[i / 64] >> (i % 64)) & 1) {
            fr_mul(&acc, &acc, &base);
            any = true;
        }
    }
    *r = acc;
}

static inline void fr_pow_u64(weir_fr *r, const weir_fr *a, uint64_t e) { fr_pow(r, a, &e, 1); }

/* A root of unity of order 2^log2_order, log2_order <= 32: 7^((r-1)/2^32) squared down. */
static inline void fr_root_of_unity(weir_fr *r, unsigned log2_order)
{
    weir_fr w = {WEIR_FR_ROOT_2_32};
    for (unsigned i = log2_order; i < 32; i++) fr_sqr(&w, &w);
    *r = w;
}

/* Replaces each of n elements by its inverse, zeros stay zero. tmp: n elements of scratch. */
static inline void frs_inv(weir_fr *a, size_t n, weir_fr *tmp)
{
    weir_fr acc = fr_ONE;
    for (size_t i = 0; i < n; i++) {
        tmp[i] = acc;
        if (!fr_is_zero(&a[i])) fr_mul(&acc, &acc, &a[i]);
    }
    weir_fr_inv(&acc, &acc);
    for (size_t i = n; i-- > 0;) {
        if (fr_is_zero(&a[i])) continue;
        weir_fr v;
        fr_mul(&v, &acc, &tmp[i]);
        fr_mul(&acc, &acc, &a[i]);
        a[i] = v;
    }
}

#endif
