#include "poly/ntt_path.h"

#include "field/fr.h"

#include <string.h>

/* The products are many and short: everything is inlined into the loops. */
#define HOT static __attribute__((flatten))

/* 1 / table[m] = -table[mirror(m)] for m > 0, see docs/ntt.md: m = 2^t + low has the mirror
 * 2^t + (2^t - 1 - low). */
static inline size_t mirror(size_t m)
{
    const unsigned t = 63u - (unsigned)__builtin_clzll(m);
    return m ^ (((size_t)1 << t) - 1);
}

#ifdef WEIR_ISA_IS_ifma
#include "field/fr_x8.h"
#include "poly/ntt_path_x8.inc.h"
#else
/* One by one. */
static inline bool tile_x8(weir_fr *tile, unsigned levels, size_t width, const weir_fr *base,
                           const weir_fr *table, const weir_fr *scale, bool back)
{
    (void)tile, (void)levels, (void)width, (void)base, (void)table, (void)scale, (void)back;
    return false;
}
#endif

/* ---- forward: Cooley and Tukey's butterfly */

HOT void forward_run(weir_fr *u, weir_fr *v, size_t n, const weir_fr *s)
{
    for (size_t j = 0; j < n; j++) {
        const weir_fr x = u[j];
        weir_fr t;
        fr_mul(&t, &v[j], s);
        fr_add(&u[j], &x, &t);
        fr_sub(&v[j], &x, &t);
    }
}

/* The run whose twiddle is one. */
HOT void plain_run(weir_fr *u, weir_fr *v, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        const weir_fr x = u[j], t = v[j];
        fr_add(&u[j], &x, &t);
        fr_sub(&v[j], &x, &t);
    }
}

static void forward(weir_fr *tile, unsigned levels, size_t width, const weir_fr *base,
                    const weir_fr *table)
{
    if (tile_x8(tile, levels, width, base, table, NULL, false)) return;
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
        fr_sub(&d, &u[j], &v[j]);
        fr_add(&u[j], &u[j], &v[j]);
        fr_mul(&v[j], &d, s);
    }
}

/* (u, v) <- (u + v, (v - u) s) */
HOT void inverse_run_negated(weir_fr *u, weir_fr *v, size_t n, const weir_fr *s)
{
    for (size_t j = 0; j < n; j++) {
        weir_fr d;
        fr_sub(&d, &v[j], &u[j]);
        fr_add(&u[j], &u[j], &v[j]);
        fr_mul(&v[j], &d, s);
    }
}

HOT void scale_run(weir_fr *a, size_t n, const weir_fr *k)
{
    for (size_t j = 0; j < n; j++) fr_mul(&a[j], &a[j], k);
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
    if (tile_x8(tile, levels, width, base_inv, table, scale, true)) return;
    const unsigned last = scale ? 1 : 0;
    for (unsigned i = levels; i-- > last;)
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
#ifdef WEIR_ISA_IS_ifma
    if (n % LANES == 0) {
        mul_x8(r, a, b, n);
        return;
    }
#endif
    for (size_t j = 0; j < n; j++) fr_mul(&r[j], &a[j], &b[j]);
}

HOT void sub(weir_fr *r, const weir_fr *a, const weir_fr *b, size_t n)
{
    for (size_t j = 0; j < n; j++) fr_sub(&r[j], &a[j], &b[j]);
}

const weir_ntt_ops WEIR_ISA_NAME(weir_ntt_ops) = {
    .forward = forward, .inverse = inverse, .mul = mul, .sub = sub};
