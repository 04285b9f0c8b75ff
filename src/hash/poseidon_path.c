/* Poseidon's permutation, once for each instruction path. See poseidon.h and docs/poseidon.md. */
#include "field/fr.h"
#include "hash/poseidon.h"

#include <string.h>

/* ---- sums of products
 *
 * A mixing step is a sum of up to 17 products. It is computed like one Montgomery product, limb by
 * limb of the first factors: for limb i, add a_k[i] b_k for all k, then one Montgomery step. So n
 * products cost n without and one with reduction. Bounds, for n <= 17 terms of reduced elements and
 * modulus < 0.453 * 2^256:
 *   between two limbs  t < (n + 1) * modulus + 1 < 8.2 * 2^256: five limbs, by induction, as
 *                      t' = (t + sum a_k[i] b_k + m modulus) / 2^64 < t / 2^64 + (n + 1) * modulus;
 *   within a limb      t < 2^64 * (n + 2) * modulus < 8.7 * 2^320: six limbs. */
enum { DOT_LIMBS = 6 };

_Static_assert(WEIR_POSEIDON_MAX_WIDTH == 17, "the bounds of sums of products are for 17 terms");

/* t += a * b */
static inline __attribute__((always_inline)) void dot_step(uint64_t t[DOT_LIMBS], uint64_t a,
                                                           const uint64_t b[4])
{
#ifdef WEIR_ISA_IS_adx
    uint64_t lo, hi;
    __asm__("xorl %k[lo], %k[lo]\n\t"
            "mulxq %[b0], %[lo], %[hi]\n\t"
            "adcxq %[lo], %[t0]\n\t"
            "adoxq %[hi], %[t1]\n\t"
            "mulxq %[b1], %[lo], %[hi]\n\t"
            "adcxq %[lo], %[t1]\n\t"
            "adoxq %[hi], %[t2]\n\t"
            "mulxq %[b2], %[lo], %[hi]\n\t"
            "adcxq %[lo], %[t2]\n\t"
            "adoxq %[hi], %[t3]\n\t"
            "mulxq %[b3], %[lo], %[hi]\n\t"
            "adcxq %[lo], %[t3]\n\t"
            "adoxq %[hi], %[t4]\n\t"
            "movl $0, %k[lo]\n\t"
            "adcxq %[lo], %[t4]\n\t"
            "adoxq %[lo], %[t5]\n\t"
            "adcxq %[lo], %[t5]\n\t"
            : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]),
              [t4] "+&r"(t[4]), [t5] "+&r"(t[5]), [lo] "=&r"(lo), [hi] "=&r"(hi)
            : "d"(a), [b0] "m"(b[0]), [b1] "m"(b[1]), [b2] "m"(b[2]), [b3] "m"(b[3])
            : "cc");
#else
    unsigned __int128 c = 0;
    for (int j = 0; j < 4; j++) {
        c += (unsigned __int128)a * b[j] + t[j];
        t[j] = (uint64_t)c;
        c >>= 64;
    }
    c += t[4];
    t[4] = (uint64_t)c;
    t[5] += (uint64_t)(c >> 64);
#endif
}

/* r = t mod the modulus, fully reduced.
 * Bound: t = (sum + M r) / 2^256 with M < 2^256, r the modulus, so
 *   t < (17 * 0.453 + 1) r < 8.71 r < 2^258.
 * With i = floor(t / 2^254) <= 15 the estimate q = floor(35 i / 64) is at most t / r, as
 * 2^254 / r > 0.552 > 35 / 64, and t - q r < 2 r, as 0.5521 (i + 1) - floor(35 i / 64) < 2 for
 * each i in 0..15 (the largest is 1.53, at i = 9). */
static inline void dot_reduce(weir_fr *r, uint64_t t[DOT_LIMBS])
{
    const uint64_t q = 35 * (t[4] << 2 | t[3] >> 62) >> 6;
    unsigned __int128 product = 0;
    unsigned char borrow = 0;
    for (int i = 0; i < 4; i++) {
        product += (unsigned __int128)q * fr_MODULUS.l[i];
        unsigned __int128 d = (unsigned __int128)t[i] - (uint64_t)product - borrow;
        t[i] = (uint64_t)d;
        borrow = (unsigned char)((d >> 64) & 1);
        product >>= 64;
    }
    fr_reduce_once(r, t);
}

/* r = sum over k of a[k] b[k * stride], n <= 17. Cost: n products without, one with reduction. */
static inline void fr_dot(weir_fr *r, const weir_fr *a, const weir_fr *b, unsigned stride,
                          unsigned n)
{
    uint64_t t[DOT_LIMBS] = {0};
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        const weir_fr *at = b;
        for (unsigned k = 0; k < n; k++, at += stride) dot_step(t, a[k].l[i], at->l);
        dot_step(t, t[0] * WEIR_FR_N0, fr_MODULUS.l);
#pragma GCC unroll 6
        for (int j = 1; j < DOT_LIMBS; j++) t[j - 1] = t[j];
        t[DOT_LIMBS - 1] = 0;
    }
    dot_reduce(r, t);
}

/* ---- the permutation */

/* x = x^5 + key. Writes x (if with_x), x^2, x^4 and the result to the trace, if there is one;
 * returns its end. */
static inline weir_fr *sbox(weir_fr *x, const weir_fr *key, weir_fr *trace, bool with_x)
{
    weir_fr q, q4;
    fr_sqr(&q, x);
    fr_sqr(&q4, &q);
    if (trace) {
        if (with_x) *trace++ = *x;
        *trace++ = q;
        *trace++ = q4;
    }
    fr_mul(x, x, &q4);
    if (key) fr_add(x, x, key);
    if (trace) *trace++ = *x;
    return trace;
}

static inline void mix_dense(weir_fr *s, const weir_fr *m, unsigned w)
{
    weir_fr t[WEIR_POSEIDON_MAX_WIDTH];
    for (unsigned j = 0; j < w; j++) fr_dot(&t[j], s, m + j, w, w);
    memcpy(s, t, w * sizeof *s);
}

static inline void mix_sparse(weir_fr *s, const weir_fr *w_hat, const weir_fr *v_rest, unsigned w)
{
    weir_fr first, t;
    fr_dot(&first, s, w_hat, 1, w);
    for (unsigned j = 1; j < w; j++) {
        fr_mul(&t, &s[0], &v_rest[j - 1]);
        fr_add(&s[j], &s[j], &t);
    }
    s[0] = first;
}

/* One hash; trace may be NULL. Alias: none. */
static inline __attribute__((always_inline)) void permute(const weir_poseidon *p, weir_fr *out,
                                                          weir_fr *trace, const weir_fr *preimage)
{
    enum { HALF = WEIR_POSEIDON_FULL_ROUNDS / 2 };
    const unsigned w = p->width;
    const weir_fr *key = p->round_keys + 2 * w;
    weir_fr s[WEIR_POSEIDON_MAX_WIDTH];
    s[0] = p->first;
    for (unsigned i = 1; i < w; i++) {
        fr_add(&s[i], &preimage[i - 1], &p->round_keys[i]);
        trace = sbox(&s[i], &p->round_keys[w + i], trace, false);
    }
    mix_dense(s, p->mds, w);
    for (unsigned r = 1; r < HALF; r++, key += w) {
        for (unsigned i = 0; i < w; i++) trace = sbox(&s[i], &key[i], trace, true);
        mix_dense(s, r == HALF - 1 ? p->pre_sparse : p->mds, w);
    }
    for (unsigned r = 0; r < p->partial_rounds; r++, key++) {
        trace = sbox(&s[0], key, trace, true);
        mix_sparse(s, p->sparse_w_hat + r * w, p->sparse_v_rest + r * (w - 1), w);
    }
    for (unsigned r = 0; r < HALF - 1; r++, key += w) {
        for (unsigned i = 0; i < w; i++) trace = sbox(&s[i], &key[i], trace, true);
        mix_dense(s, p->mds, w);
    }
    for (unsigned i = 0; i < w; i++) trace = sbox(&s[i], NULL, trace, true);
    fr_dot(out, s, p->mds + 1, w, w);
    if (trace) *trace = *out;
}

#ifdef WEIR_ISA_IS_ifma
#include "hash/poseidon_x8.inc.h"
#else
/* One by one: no lanes, everything is left to the loops below. */
static inline size_t hash_x8(const weir_poseidon *p, weir_fr *out, const weir_fr *preimages,
                             size_t n)
{
    (void)p, (void)out, (void)preimages, (void)n;
    return 0;
}
static inline size_t traces_x8(const weir_poseidon *p, weir_fr *const *trace,
                               const weir_fr *const *preimage, size_t n)
{
    (void)p, (void)trace, (void)preimage, (void)n;
    return 0;
}
#endif

static __attribute__((flatten)) void hash(const weir_poseidon *p, weir_fr *out,
                                          const weir_fr *preimages, size_t n)
{
    for (size_t i = hash_x8(p, out, preimages, n); i < n; i++) {
        weir_fr result;
        permute(p, &result, NULL, preimages + i * p->arity);
        out[i] = result;
    }
}

static __attribute__((flatten)) void trace(const weir_poseidon *p, weir_fr *values,
                                           const weir_fr *preimage)
{
    weir_fr result;
    permute(p, &result, values, preimage);
}

static void traces(const weir_poseidon *p, weir_fr *const *values, const weir_fr *const *preimage,
                   size_t n)
{
    for (size_t i = traces_x8(p, values, preimage, n); i < n; i++) trace(p, values[i], preimage[i]);
}

const weir_poseidon_ops WEIR_ISA_NAME(weir_poseidon_ops) = {
    .hash = hash, .trace = trace, .traces = traces};
