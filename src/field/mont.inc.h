/* Portable Montgomery arithmetic, an include-template: the reference for every other body.
 *
 * Before including, define
 *   M_(name)   the function prefix, for example fp_##name
 *   M_T        the element type, a struct with one array l of M_N 64-bit limbs
 *   M_N        number of limbs
 *   M_MODULUS, M_ONE, M_R2   initialisers; M_N0 = -modulus^-1 mod 2^64
 *
 * The modulus must leave the top bit of the top limb free and that limb must not be all ones in its lower
 * 63 bits; then the running sum of the product never needs a limb more than M_N + 1 (proof at `mul`).
 *
 * Contract of all routines: inputs < modulus, output < modulus; r may be the same object as a or b.
 * CT: no branch or address depends on values, except is_zero and eq by their result.
 * Source: Montgomery 1985; the word-by-word form is CIOS of Koc, Acar, Kaliski 1996.
 */

static const M_T M_(MODULUS) = {M_MODULUS};
static const M_T M_(ONE) = {M_ONE};

static inline bool M_(is_reduced)(const M_T *a)
{
    for (int i = M_N - 1; i >= 0; i--)
        if (a->l[i] != M_(MODULUS).l[i]) return a->l[i] < M_(MODULUS).l[i];
    return false;
}

#ifdef WEIR_VERIFY
#define M_CHECK(a) assert(M_(is_reduced)(a))
#else
#define M_CHECK(a) ((void)0)
#endif

static inline void M_(set_zero)(M_T *r) { *r = (M_T){{0}}; }
static inline void M_(set_one)(M_T *r) { *r = M_(ONE); }

static inline bool M_(is_zero)(const M_T *a)
{
    uint64_t t = 0;
    for (int i = 0; i < M_N; i++) t |= a->l[i];
    return t == 0;
}

static inline bool M_(eq)(const M_T *a, const M_T *b)
{
    uint64_t t = 0;
    for (int i = 0; i < M_N; i++) t |= a->l[i] ^ b->l[i];
    return t == 0;
}

/* r = take ? a : r */
static inline void M_(cmov)(M_T *r, const M_T *a, bool take)
{
    uint64_t m = 0 - (uint64_t)take;
    for (int i = 0; i < M_N; i++) r->l[i] ^= (r->l[i] ^ a->l[i]) & m;
}

/* r = t - modulus if that is not negative, else t. In: t < 2 * modulus. */
static inline void M_(reduce_once)(M_T *r, const uint64_t *t)
{
    uint64_t s[M_N];
    unsigned char c = 0;
    for (int i = 0; i < M_N; i++) {
        unsigned __int128 d = (unsigned __int128)t[i] - M_(MODULUS).l[i] - c;
        s[i] = (uint64_t)d;
        c = (unsigned char)((d >> 64) & 1);
    }
    uint64_t keep = 0 - (uint64_t)c;
    for (int i = 0; i < M_N; i++) r->l[i] = (t[i] & keep) | (s[i] & ~keep);
}

/* The sum is below 2 * modulus < 2^(64 M_N), so no carry leaves the top limb. */
static inline void M_(add_portable)(M_T *r, const M_T *a, const M_T *b)
{
    uint64_t t[M_N];
    unsigned __int128 c = 0;
    for (int i = 0; i < M_N; i++) {
        c += (unsigned __int128)a->l[i] + b->l[i];
        t[i] = (uint64_t)c;
        c >>= 64;
    }
    M_(reduce_once)(r, t);
}

static inline void M_(sub_portable)(M_T *r, const M_T *a, const M_T *b)
{
    uint64_t t[M_N];
    unsigned char c = 0;
    for (int i = 0; i < M_N; i++) {
        unsigned __int128 d = (unsigned __int128)a->l[i] - b->l[i] - c;
        t[i] = (uint64_t)d;
        c = (unsigned char)((d >> 64) & 1);
    }
    uint64_t borrow = 0 - (uint64_t)c;
    unsigned __int128 k = 0;
    for (int i = 0; i < M_N; i++) {
        k += (unsigned __int128)t[i] + (M_(MODULUS).l[i] & borrow);
        r->l[i] = (uint64_t)k;
        k >>= 64;
    }
}

#ifdef WEIR_ISA_IS_adx
#include "field/addsub_x86.inc.h"
#endif

static inline void M_(add)(M_T *r, const M_T *a, const M_T *b)
{
    M_CHECK(a);
    M_CHECK(b);
#ifdef WEIR_ISA_IS_adx
    M_(add_x86)(r, a, b);
#else
    M_(add_portable)(r, a, b);
#endif
}

static inline void M_(sub)(M_T *r, const M_T *a, const M_T *b)
{
    M_CHECK(a);
    M_CHECK(b);
#ifdef WEIR_ISA_IS_adx
    M_(sub_x86)(r, a, b);
#else
    M_(sub_portable)(r, a, b);
#endif
}

static inline void M_(dbl)(M_T *r, const M_T *a) { M_(add)(r, a, a); }

static inline void M_(neg)(M_T *r, const M_T *a)
{
    M_T zero = {{0}};
    M_(sub)(r, &zero, a);
}

/* r = a * b / 2^(64 M_N) mod modulus.
 * Bound: after each round t < 2 * modulus (t_new = (t + a_i b + m p) / 2^64 < (2p + 2^64 p + 2^64 p) / 2^64, and
 * by induction t <= 2p - 1 with b < p), so t fits in M_N limbs between rounds and M_N + 1 within one. */
static inline void M_(mul_portable)(M_T *r, const M_T *a, const M_T *b)
{
    uint64_t t[M_N + 1] = {0};
#pragma GCC unroll 6
    for (int i = 0; i < M_N; i++) {
        unsigned __int128 c = 0;
#pragma GCC unroll 6
        for (int j = 0; j < M_N; j++) {
            c += (unsigned __int128)a->l[i] * b->l[j] + t[j];
            t[j] = (uint64_t)c;
            c >>= 64;
        }
        t[M_N] = (uint64_t)c;
        uint64_t m = t[0] * M_N0;
        c = (unsigned __int128)m * M_(MODULUS).l[0] + t[0];
        c >>= 64;
#pragma GCC unroll 6
        for (int j = 1; j < M_N; j++) {
            c += (unsigned __int128)m * M_(MODULUS).l[j] + t[j];
            t[j - 1] = (uint64_t)c;
            c >>= 64;
        }
        c += t[M_N];
        t[M_N - 1] = (uint64_t)c;
    }
    M_(reduce_once)(r, t);
}

#undef M_CHECK
