#include "poly/ntt_path.h"

#include "field/fr.h"

/* The products are many and short: everything is inlined into the loops. */
#define HOT static __attribute__((flatten))

/* *sum = *x + t, *diff = *x - t. Alias: any of the three memory operands. */
static inline __attribute__((always_inline)) void add_sub(weir_fr *sum, weir_fr *diff,
                                                          const weir_fr *x, weir_fr t)
{
#ifdef WEIR_ISA_IS_adx
    uint64_t t0 = t.l[0], t1 = t.l[1], t2 = t.l[2], t3 = t.l[3];
    uint64_t s0 = t0, s1 = t1, s2 = t2, s3 = t3, d0 = x->l[0], d1 = x->l[1], d2 = x->l[2],
             d3 = x->l[3];
    __asm__(/* s = t + x < 2 r < 2^256 */
            "addq %[d0], %[s0]\n\t"
            "adcq %[d1], %[s1]\n\t"
            "adcq %[d2], %[s2]\n\t"
            "adcq %[d3], %[s3]\n\t"
            /* d = x - t, and r again if that is negative */
            "subq %[t0], %[d0]\n\t"
            "sbbq %[t1], %[d1]\n\t"
            "sbbq %[t2], %[d2]\n\t"
            "sbbq %[t3], %[d3]\n\t"
            "sbbq %[t0], %[t0]\n\t"
            "movq %[t0], %[t1]\n\t"
            "movq %[t0], %[t2]\n\t"
            "movq %[t0], %[t3]\n\t"
            "andq %[p0], %[t0]\n\t"
            "andq %[p1], %[t1]\n\t"
            "andq %[p2], %[t2]\n\t"
            "andq %[p3], %[t3]\n\t"
            "addq %[t0], %[d0]\n\t"
            "adcq %[t1], %[d1]\n\t"
            "adcq %[t2], %[d2]\n\t"
            "adcq %[t3], %[d3]\n\t"
            /* s = s - r if that is not negative */
            "movq %[s0], %[t0]\n\t"
            "movq %[s1], %[t1]\n\t"
            "movq %[s2], %[t2]\n\t"
            "movq %[s3], %[t3]\n\t"
            "subq %[p0], %[t0]\n\t"
            "sbbq %[p1], %[t1]\n\t"
            "sbbq %[p2], %[t2]\n\t"
            "sbbq %[p3], %[t3]\n\t"
            "cmovncq %[t0], %[s0]\n\t"
            "cmovncq %[t1], %[s1]\n\t"
            "cmovncq %[t2], %[s2]\n\t"
            "cmovncq %[t3], %[s3]\n\t"
            : [s0] "+&r"(s0), [s1] "+&r"(s1), [s2] "+&r"(s2), [s3] "+&r"(s3), [t0] "+&r"(t0),
              [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [d0] "+&r"(d0), [d1] "+&r"(d1),
              [d2] "+&r"(d2), [d3] "+&r"(d3)
            : [p0] "m"(fr_MODULUS.l[0]), [p1] "m"(fr_MODULUS.l[1]), [p2] "m"(fr_MODULUS.l[2]),
              [p3] "m"(fr_MODULUS.l[3])
            : "cc");
    *sum = (weir_fr){{s0, s1, s2, s3}};
    *diff = (weir_fr){{d0, d1, d2, d3}};
#else
    weir_fr d;
    fr_sub(&d, x, &t);
    fr_add(sum, x, &t);
    *diff = d;
#endif
}

/* ---- forward: Cooley and Tukey's butterfly */

HOT void forward_run(weir_fr *u, weir_fr *v, size_t n, const weir_fr *s)
{
    for (size_t j = 0; j < n; j++) {
        weir_fr t;
        fr_mul(&t, &v[j], s);
        add_sub(&u[j], &v[j], &u[j], t);
    }
}

/* The run whose twiddle is one. */
HOT void plain_run(weir_fr *u, weir_fr *v, size_t n)
{
    for (size_t j = 0; j < n; j++) add_sub(&u[j], &v[j], &u[j], v[j]);
}

static void forward(weir_fr *tile, unsigned levels, size_t width, const weir_fr *base,
                    const weir_fr *table)
{
    for (unsigned i = 0; i < levels; i++) {
        const size_t blocks = (size_t)1 << i, half = width << (levels - 1 - i);
        for (size_t m = 0; m < blocks; m++) {
            weir_fr *u = tile + 2 * m * half;
            if (base) {
                weir_fr s;
                fr_mul(&s, &base[i], &table[m]);
                forward_run(u, u + half, half, &s);
            } else if (m == 0) {
                plain_run(u, u + half, half);
            } else {
                forward_run(u, u + half, half, &table[m]);
            }
        }
    }
}

/* ---- inverse: Gentleman and Sande's butterfly */

/* (u, v) <- (u + v, (u - v) s) */
HOT void inverse_run(weir_fr *u, weir_fr *v, size_t n, const weir_fr *s)
{
    for (size_t j = 0; j < n; j++) {
        weir_fr d;
        add_sub(&u[j], &d, &u[j], v[j]);
        fr_mul(&v[j], &d, s);
    }
}

/* (u, v) <- (u + v, (v - u) s) */
HOT void inverse_run_negated(weir_fr *u, weir_fr *v, size_t n, const weir_fr *s)
{
    for (size_t j = 0; j < n; j++) {
        weir_fr d;
        add_sub(&u[j], &d, &v[j], u[j]);
        fr_mul(&v[j], &d, s);
    }
}

HOT void scale_run(weir_fr *a, size_t n, const weir_fr *k)
{
    for (size_t j = 0; j < n; j++) fr_mul(&a[j], &a[j], k);
}

/* 1 / table[m] = -table[mirror(m)] for m > 0, see docs/ntt.md: m = 2^t + low has the mirror
 * 2^t + (2^t - 1 - low). */
static inline size_t mirror(size_t m)
{
    const unsigned t = 63u - (unsigned)__builtin_clzll(m);
    return m ^ (((size_t)1 << t) - 1);
}

static void inverse_level(weir_fr *tile, size_t blocks, size_t half, const weir_fr *base_inv,
                          const weir_fr *table)
{
    if (base_inv)
        inverse_run(tile, tile + half, half, base_inv);
    else
        plain_run(tile, tile + half, half);
    for (size_t m = 1; m < blocks; m++) {
        weir_fr *u = tile + 2 * m * half;
        weir_fr s = table[mirror(m)];
        if (base_inv) fr_mul(&s, &s, base_inv);
        inverse_run_negated(u, u + half, half, &s);
    }
}

static void inverse(weir_fr *tile, unsigned levels, size_t width, const weir_fr *base_inv,
                    const weir_fr *table, const weir_fr *scale)
{
    for (unsigned i = levels; i-- > (scale ? 1u : 0u);)
        inverse_level(tile, (size_t)1 << i, width << (levels - 1 - i),
                      base_inv ? &base_inv[i] : NULL, table);
    if (!scale) return;
    if (levels == 0) {
        scale_run(tile, width, scale);
        return;
    }
    const size_t half = width << (levels - 1);
    weir_fr s = *scale;
    if (base_inv) fr_mul(&s, &s, &base_inv[0]);
    inverse_run(tile, tile + half, half, &s);
    scale_run(tile, half, scale);
}

/* ---- vectors */

HOT void mul(weir_fr *r, const weir_fr *a, const weir_fr *b, size_t n)
{
    for (size_t j = 0; j < n; j++) fr_mul(&r[j], &a[j], &b[j]);
}

HOT void sub(weir_fr *r, const weir_fr *a, const weir_fr *b, size_t n)
{
    for (size_t j = 0; j < n; j++) fr_sub(&r[j], &a[j], &b[j]);
}

const weir_ntt_ops WEIR_ISA_NAME(weir_ntt_ops) = {
    .forward = forward, .inverse = inverse, .mul = mul, .sub = sub};
