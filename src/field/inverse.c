#include "field/inverse.h"

#include "field/fp.h"
#include "field/fr.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* Long integers are in limbs of 62 bits, so that sums of two products of a limb with a matrix entry (at most 2^62
 * each way) stay below 2^126 and a signed carry fits beside them. All limbs are in [0, 2^62) but the top one, which
 * carries the sign. */
#define STEPS 62
static const uint64_t MASK62 = UINT64_MAX >> 2;

/* The effect of STEPS division steps: 2^62 (f', g') = (u f + v g, q f + r g).
 * Bound: |u| + |v| <= 2^62, |q| + |r| <= 2^62, since each step at most doubles a row's sum. */
typedef struct steps {
    int64_t u, v, q, r;
} steps;

/* Finds the matrix of the next 62 steps from the lowest limbs of f (odd) and g, all that they depend on; returns the new eta.
 * eta = -delta. The variables wrap modulo 2^64: of f and g only the bits that are still exact are looked at, and the
 * matrix entries fit by their bound. */
static int64_t find_steps(steps *t, int64_t eta, uint64_t f, uint64_t g)
{
    uint64_t u = 1, v = 0, q = 0, r = 1;
    int left = STEPS;
    for (;;) {
        /* even g: halve it; u and v are doubled in place of halving q and r. The guard bit ends the batch. */
        int zeros = __builtin_ctzll(g | (UINT64_MAX << left));
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        eta -= zeros;
        left -= zeros;
        if (left == 0) break;
        if (eta < 0) {
            uint64_t f0 = f, u0 = u, v0 = v;
            eta = -eta;
            f = g;
            g = 0 - f0;
            u = q;
            q = 0 - u0;
            v = r;
            r = 0 - v0;
        }
        /* The next eta + 1 steps add f or not and halve: together they add the multiple w of f that clears as many
         * low bits of g, w = -g / f. f is its own inverse modulo 8, and one Newton step makes that 2^6. */
        int64_t known = eta + 1 < left ? eta + 1 : left;
        uint64_t bits = known < 6 ? (UINT64_C(1) << known) - 1 : 63;
        uint64_t w = (f * g * (f * f - 2)) & bits;
        g += f * w;
        q += u * w;
        r += v * w;
    }
    *t = (steps){(int64_t)u, (int64_t)v, (int64_t)q, (int64_t)r};
    return eta;
}

#define D_(name)  fp_##name
#define D_N       6
#define D_L       7
#define D_BITS    WEIR_FP_BITS
#define D_MODULUS WEIR_FP_MODULUS
#define D_R2      WEIR_FP_R2
#define D_N0      WEIR_FP_N0
#include "field/divsteps.inc.h"
#undef D_
#undef D_N
#undef D_L
#undef D_BITS
#undef D_MODULUS
#undef D_R2
#undef D_N0

#define D_(name)  fr_##name
#define D_N       4
#define D_L       5
#define D_BITS    WEIR_FR_BITS
#define D_MODULUS WEIR_FR_MODULUS
#define D_R2      WEIR_FR_R2
#define D_N0      WEIR_FR_N0
#include "field/divsteps.inc.h"

void weir_fp_inv(weir_fp *r, const weir_fp *a)
{
#ifdef WEIR_VERIFY
    assert(fp_is_reduced(a));
#endif
    fp_invert(r->l, a->l);
}

void weir_fr_inv(weir_fr *r, const weir_fr *a)
{
#ifdef WEIR_VERIFY
    assert(fr_is_reduced(a));
#endif
    fr_invert(r->l, a->l);
}
