/* Inversion by division steps on limbs of 30 bits, an include-template. The idea and the source are those of
 * field/inverse.h; here 30 steps make a batch, so that a matrix entry is one word and a product of words two, and steps
 * have no branches, since the lanes of a warp would not agree on one.
 *
 * Before including, define, beside what gpu_mont.inc.h needs,
 *   D_L       limbs of 30 bits: 30 D_L must exceed the bits of the modulus by 3 (|d|, |e| < 2 modulus, and a sign)
 *   D_BITS    bits of the modulus
 *   D_MODULUS_30, D_R2_30   initialisers; D_INV_30 = modulus^-1 mod 2^30
 *
 * Cost: 28 or 29 batches for a random element of Fp, 19 or 20 for Fr (at most 37 and 25 for any); a batch is 30 steps
 * of about 20 instructions and 10 D_L multiply-adds.
 */
#ifndef WEIR_GPU_DIVSTEPS_COMMON
#define WEIR_GPU_DIVSTEPS_COMMON

enum { WEIR_DIVSTEPS_BATCH = 30 };
#define WEIR_MASK30 0x3fffffff

/* 2^30 times the matrix that takes (f, g) thirty steps on: f' = (u f + v g) / 2^30, g' = (q f + r g) / 2^30. */
typedef struct weir_dsteps {
    int32_t u, v, q, r;
} weir_dsteps;

/* Thirty steps from delta and the low words of f (odd) and g; returns the new delta. */
WEIR_HD int32_t divsteps_find(weir_dsteps *t, int32_t delta, uint32_t f, uint32_t g)
{
    uint32_t u = 1, v = 0, q = 0, r = 1;
    WEIR_NO_UNROLL
    for (int i = 0; i < WEIR_DIVSTEPS_BATCH; i++) {
        uint32_t odd = 0 - (g & 1);
        uint32_t swap = odd & (0 - (uint32_t)(delta > 0));
        /* g +- f where g is odd, minus where the two change places */
        g += ((f ^ swap) - swap) & odd;
        q += ((u ^ swap) - swap) & odd;
        r += ((v ^ swap) - swap) & odd;
        /* the old g is f + (g - f) */
        f += g & swap;
        u = (u + (q & swap)) << 1;
        v = (v + (r & swap)) << 1;
        g >>= 1;
        delta = (int32_t)(((uint32_t)delta ^ swap) - swap) + 1;
    }
    t->u = (int32_t)u;
    t->v = (int32_t)v;
    t->q = (int32_t)q;
    t->r = (int32_t)r;
    return delta;
}
#endif

typedef struct D_(long) {
    int32_t v[D_L];
} D_(long);

/* (f, g) = (u f + v g, q f + r g) / 2^30; the division is exact. |u| + |v| <= 2^30, so values never grow. */
WEIR_HD void D_(divsteps_apply)(D_(long) * f, D_(long) * g, const weir_dsteps *t)
{
    int64_t cf = (int64_t)t->u * f->v[0] + (int64_t)t->v * g->v[0];
    int64_t cg = (int64_t)t->q * f->v[0] + (int64_t)t->r * g->v[0];
    assert((cf & WEIR_MASK30) == 0 && (cg & WEIR_MASK30) == 0);
    cf >>= 30;
    cg >>= 30;
    WEIR_UNROLL
    for (int i = 1; i < D_L; i++) {
        int32_t fi = f->v[i], gi = g->v[i];
        cf += (int64_t)t->u * fi + (int64_t)t->v * gi;
        cg += (int64_t)t->q * fi + (int64_t)t->r * gi;
        f->v[i - 1] = (int32_t)cf & WEIR_MASK30;
        g->v[i - 1] = (int32_t)cg & WEIR_MASK30;
        cf >>= 30;
        cg >>= 30;
    }
    f->v[D_L - 1] = (int32_t)cf;
    g->v[D_L - 1] = (int32_t)cg;
}

/* (d, e) = (u d + v e, q d + r e) / 2^30 mod modulus. In and out: d, e in (-2m, m), m the modulus.
 * A multiple k of m makes the sum divisible. k starts with one m for each negative input, times its entry, which is as if
 * the inputs were in (-m, m), so the sum is in (-2^30 m, 2^30 m); then at most (2^30 - 1) m is taken off, which leaves
 * (-2^31 m, 2^30 m), and after the division (-2m, m). */
WEIR_HD void D_(divsteps_apply_mod)(D_(long) * d, D_(long) * e, const weir_dsteps *t)
{
    const int32_t m[D_L] = D_MODULUS_30;
    int32_t d_neg = d->v[D_L - 1] >> 31, e_neg = e->v[D_L - 1] >> 31;
    int32_t kd = (t->u & d_neg) + (t->v & e_neg);
    int32_t ke = (t->q & d_neg) + (t->r & e_neg);
    int64_t cd = (int64_t)t->u * d->v[0] + (int64_t)t->v * e->v[0];
    int64_t ce = (int64_t)t->q * d->v[0] + (int64_t)t->r * e->v[0];
    kd -= (int32_t)((D_INV_30 * (uint32_t)cd + (uint32_t)kd) & WEIR_MASK30);
    ke -= (int32_t)((D_INV_30 * (uint32_t)ce + (uint32_t)ke) & WEIR_MASK30);
    cd += (int64_t)m[0] * kd;
    ce += (int64_t)m[0] * ke;
    assert((cd & WEIR_MASK30) == 0 && (ce & WEIR_MASK30) == 0);
    cd >>= 30;
    ce >>= 30;
    WEIR_UNROLL
    for (int i = 1; i < D_L; i++) {
        int32_t di = d->v[i], ei = e->v[i];
        cd += (int64_t)t->u * di + (int64_t)t->v * ei + (int64_t)m[i] * kd;
        ce += (int64_t)t->q * di + (int64_t)t->r * ei + (int64_t)m[i] * ke;
        d->v[i - 1] = (int32_t)cd & WEIR_MASK30;
        e->v[i - 1] = (int32_t)ce & WEIR_MASK30;
        cd >>= 30;
        ce >>= 30;
    }
    d->v[D_L - 1] = (int32_t)cd;
    e->v[D_L - 1] = (int32_t)ce;
}

/* d = (negate ? -d : d) + (m if d was negative, before and after). In: d in (-2m, m). Out: d in [0, m). */
WEIR_HD void D_(divsteps_normalize)(D_(long) * d, bool negate)
{
    const int32_t m[D_L] = D_MODULUS_30;
    int32_t flip = negate ? -1 : 0;
    WEIR_UNROLL
    for (int pass = 0; pass < 2; pass++) {
        int32_t add = d->v[D_L - 1] >> 31, carry = 0;
        WEIR_UNROLL
        for (int i = 0; i < D_L; i++) {
            int32_t x = d->v[i] + (m[i] & add);
            x = (x ^ flip) - flip + carry;
            carry = x >> 30;
            d->v[i] = i + 1 < D_L ? x & WEIR_MASK30 : x;
        }
        flip = 0;
    }
}

WEIR_HD void D_(to_30)(D_(long) * r, const D_T *a)
{
    WEIR_UNROLL
    for (int i = 0; i < D_L; i++) {
        int word = 30 * i / 32, shift = 30 * i % 32;
        uint32_t x = a->l[word] >> shift;
        if (shift > 2 && word + 1 < D_N) x |= a->l[word + 1] << (32 - shift);
        r->v[i] = (int32_t)(x & WEIR_MASK30);
    }
}

/* In: all limbs in [0, 2^30), value below 2^(32 D_N). */
WEIR_HD void D_(from_30)(D_T *r, const D_(long) * a)
{
    WEIR_UNROLL
    for (int i = 0; i < D_N; i++) {
        int word = 32 * i / 30, shift = 32 * i % 30;
        uint32_t x = (uint32_t)a->v[word] >> shift;
        if (word + 1 < D_L) x |= (uint32_t)a->v[word + 1] << (30 - shift);
        if (shift > 28 && word + 2 < D_L) x |= (uint32_t)a->v[word + 2] << (60 - shift);
        r->l[i] = x;
    }
}

/* g is 0 after that many batches: theorem 11.2 of the paper, as in field/divsteps.inc.h. */
#define D_BATCHES (((49 * (D_BITS + 1) + 57) / 17 + WEIR_DIVSTEPS_BATCH - 1) / WEIR_DIVSTEPS_BATCH)

/* r = R^2 / a mod modulus, 0 for a = 0. In: a < modulus. Out: r < modulus. */
WEIR_HD void D_(invert)(D_T *r, const D_T *a)
{
    const int32_t modulus[D_L] = D_MODULUS_30, r2[D_L] = D_R2_30;
    D_(long) f, g, d, e;
    D_(to_30)(&g, a);
    WEIR_UNROLL
    for (int i = 0; i < D_L; i++) {
        f.v[i] = modulus[i];
        d.v[i] = 0;
        e.v[i] = r2[i];
    }
    int32_t delta = 1;
    WEIR_NO_UNROLL
    for (int batch = 0; batch < D_BATCHES; batch++) {
        int32_t any = 0;
        WEIR_UNROLL
        for (int i = 0; i < D_L; i++) any |= g.v[i];
        if (any == 0) break;
        weir_dsteps t;
        delta = divsteps_find(&t, delta, (uint32_t)f.v[0] | (uint32_t)f.v[1] << 30,
                              (uint32_t)g.v[0] | (uint32_t)g.v[1] << 30);
        D_(divsteps_apply_mod)(&d, &e, &t);
        D_(divsteps_apply)(&f, &g, &t);
    }
    D_(divsteps_normalize)(&d, f.v[D_L - 1] < 0);
    D_(from_30)(r, &d);
}

#undef D_BATCHES
