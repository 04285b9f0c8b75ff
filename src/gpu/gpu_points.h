/* Work on key points, kernels for G1 and G2: multiples of a fixed point, for making a key; membership, for checking one. C and C++
 * (CUDA) both include this header. Contracts: gpu_fixed.inc.h, gpu_member.inc.h.
 */
#ifndef WEIR_GPU_POINTS_H
#define WEIR_GPU_POINTS_H

#include "gpu/gpu_batch_inv.h"
#include "gpu/gpu_ec_call.h"

enum { DPOINTS_THREADS = 128, DFIXED_WINDOW_MAX = 16, DFIXED_BITS = 255 };

/* place: DFIXED_SECOND and an index, or an index: where the multiple goes, to out[1] or out[0]. */
#define DFIXED_SECOND ((uint32_t)1 << 31)

/* Multiples of one point, by a table: window w's entry d - 1 is d 2^(w window) times the point, d = 1 .. 2^window - 1, in affine
 * coordinates. One thread a scalar. */
typedef struct dfixed_args {
    const void *table;
    const weir_dfr *scalars; /* standard form, below the group's order */
    const uint32_t *place;   /* NULL: scalar i's multiple goes to out[0][i] */
    void *out[2];            /* affine, coordinates below p */
    uint32_t n, window, windows;
} dfixed_args;

/* Which of n affine points are not in the group, or have a coordinate that is not below p: bit i mod 32 of word i / 32 of `bad` is set for point i.
 * Zeroed before. Infinity is not in it. One thread a point. */
typedef struct dmember_args {
    const void *points;
    uint32_t *bad;
    uint32_t n;
} dmember_args;

/* Nothing is shared in dmember. */
typedef struct dmember_nothing {
    char none;
} dmember_nothing;

static inline uint32_t dpoints_blocks(uint32_t n)
{
    return (n + DPOINTS_THREADS - 1) / DPOINTS_THREADS;
}

WEIR_HD uint32_t dfixed_digit(const weir_dfr *k, uint32_t w, uint32_t window)
{
    uint32_t bit = w * window, word = bit / 32, shift = bit % 32;
    uint32_t v = k->l[word] >> shift;
    if (shift != 0 && word + 1 < WEIR_DFR_N) v |= k->l[word + 1] << (32 - shift);
    return v & (((uint32_t)1 << window) - 1);
}

/* |x|, the curve's parameter, is 2^63 + 2^62 + 2^60 + 2^57 + 2^48 + 2^16. */
#define DMEMBER_X 0xd201000000010000ull

WEIR_HD bool dfp_same_limbs(const weir_dfp *a, const weir_dfp *b)
{
    uint32_t differ = 0;
    WEIR_UNROLL
    for (int i = 0; i < WEIR_DFP_N; i++) differ |= a->l[i] ^ b->l[i];
    return differ == 0;
}
WEIR_HD bool dfp2_same_limbs(const weir_dfp2 *a, const weir_dfp2 *b)
{
    return dfp_same_limbs(&a->c0, &b->c0) && dfp_same_limbs(&a->c1, &b->c1);
}

/* y^2 - x^3 - b = 0, b = 4 */
WEIR_HD bool dg1_on_curve(const weir_dg1_affine *p)
{
    weir_dfp l, r, one;
    dfp_sqr(&l, &p->y);
    dfp_sqr(&r, &p->x);
    dfp_mul(&r, &r, &p->x);
    dfp_set_one(&one);
    dfp_dbl(&one, &one);
    dfp_dbl(&one, &one);
    dfp_add(&r, &r, &one);
    return dfp_eq(&l, &r);
}

/* b = 4 (1 + u) */
WEIR_HD bool dg2_on_curve(const weir_dg2_affine *p)
{
    weir_dfp2 l, r, b;
    dfp2_sqr(&l, &p->y);
    dfp2_sqr(&r, &p->x);
    dfp2_mul(&r, &r, &p->x);
    dfp2_set_one(&b);
    b.c1 = b.c0;
    dfp2_dbl(&b, &b);
    dfp2_dbl(&b, &b);
    dfp2_add(&r, &r, &b);
    return dfp2_eq(&l, &r);
}

/* -phi(p) */
WEIR_HD void dg1_minus_image(weir_dg1_affine *r, const weir_dg1_affine *p)
{
    const weir_dfp beta = {WEIR_G1_BETA_32};
    dfp_mul(&r->x, &p->x, &beta);
    dfp_neg(&r->y, &p->y);
}

/* -psi(p) */
WEIR_HD void dg2_minus_image(weir_dg2_affine *r, const weir_dg2_affine *p)
{
    const weir_dfp2 psi_x = {{WEIR_G2_PSI_X_C0_32}, {WEIR_G2_PSI_X_C1_32}},
                    psi_y = {{WEIR_G2_PSI_Y_C0_32}, {WEIR_G2_PSI_Y_C1_32}};
    weir_dfp2 t = p->x;
    dfp_neg(&t.c1, &t.c1);
    dfp2_mul(&r->x, &t, &psi_x);
    t = p->y;
    dfp_neg(&t.c0, &t.c0);
    dfp2_mul(&r->y, &t, &psi_y);
}

#define G_(name) dg1_##name
#define F_(name) dfp_##name
#define G_FIELD  weir_dfp
#define G_AFF    weir_dg1_affine
#define G_XYZZ   weir_dg1_xyzz
#include "gpu/gpu_fixed.inc.h"
/* after it */
#define G_MUL_X_TIMES 2
#include "gpu/gpu_member.inc.h"
#undef G_MUL_X_TIMES
#undef G_
#undef F_
#undef G_FIELD
#undef G_AFF
#undef G_XYZZ

#define G_(name) dg2_##name
#define F_(name) dfp2_##name
#define G_FIELD  weir_dfp2
#define G_AFF    weir_dg2_affine
#define G_XYZZ   weir_dg2_xyzz
#include "gpu/gpu_fixed.inc.h"
/* after it */
#define G_MUL_X_TIMES 1
#include "gpu/gpu_member.inc.h"
#undef G_MUL_X_TIMES
#undef G_
#undef F_
#undef G_FIELD
#undef G_AFF
#undef G_XYZZ

#endif
