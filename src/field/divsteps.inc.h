/* The long-integer half of inversion by division steps, an include-template of inverse.c (the idea is in inverse.h).
 *
 * Before including, define
 *   D_(name)   the prefix
 *   D_N        64-bit limbs of an element
 *   D_L        62-bit limbs: 62 * D_L must exceed the bits of the modulus by 3 (|d|, |e| < 2 * modulus, and a sign)
 *   D_BITS     bits of the modulus
 *   D_MODULUS, D_R2   initialisers; D_N0 = -modulus^-1 mod 2^64
 */

typedef struct D_(long) {
    int64_t v[D_L];
} D_(long);

/* In: any number of D_N limbs. */
static void D_(split)(D_(long) * r, const uint64_t *l)
{
    for (int i = 0; i < D_L; i++) {
        int word = 62 * i / 64, shift = 62 * i % 64;
        uint64_t x = l[word] >> shift;
        if (shift > 2 && word + 1 < D_N) x |= l[word + 1] << (64 - shift);
        r->v[i] = (int64_t)(x & MASK62);
    }
}

/* In: all limbs in [0, 2^62), value below 2^(64 D_N). */
static void D_(join)(uint64_t *l, const D_(long) * a)
{
    for (int i = 0; i < D_N; i++) {
        int word = 64 * i / 62, shift = 64 * i % 62;
        l[i] = (uint64_t)a->v[word] >> shift;
        if (word + 1 < D_L) l[i] |= (uint64_t)a->v[word + 1] << (62 - shift);
    }
}

/* (f, g) = (u f + v g, q f + r g) / 2^62 on the lowest n limbs; the division is exact. Values never grow:
 * |u| + |v| <= 2^62, so each result is at most the larger of |f|, |g|. */
static void D_(apply)(D_(long) * f, D_(long) * g, int n, const steps *t)
{
    __int128 cf = (__int128)t->u * f->v[0] + (__int128)t->v * g->v[0];
    __int128 cg = (__int128)t->q * f->v[0] + (__int128)t->r * g->v[0];
    assert(((uint64_t)cf & MASK62) == 0 && ((uint64_t)cg & MASK62) == 0);
    cf >>= 62;
    cg >>= 62;
    for (int i = 1; i < n; i++) {
        int64_t fi = f->v[i], gi = g->v[i];
        cf += (__int128)t->u * fi + (__int128)t->v * gi;
        cg += (__int128)t->q * fi + (__int128)t->r * gi;
        f->v[i - 1] = (int64_t)((uint64_t)cf & MASK62);
        g->v[i - 1] = (int64_t)((uint64_t)cg & MASK62);
        cf >>= 62;
        cg >>= 62;
    }
    f->v[n - 1] = (int64_t)cf;
    g->v[n - 1] = (int64_t)cg;
}

/* (d, e) = (u d + v e, q d + r e) / 2^62 mod modulus. In and out: d, e in (-2m, m), m the modulus.
 * A multiple k of m makes the sum divisible. k starts with one m for each negative input, times its entry, which is
 * as if the inputs were in (-m, m), so that the sum is in (-2^62 m, 2^62 m); then at most (2^62 - 1) m is taken off,
 * which leaves (-2^63 m, 2^62 m) and after the division (-2m, m). */
static void D_(apply_mod)(D_(long) * d, D_(long) * e, const D_(long) * m, const steps *t)
{
    const uint64_t m_inv = 0 - (uint64_t)D_N0;
    int64_t d_neg = d->v[D_L - 1] >> 63, e_neg = e->v[D_L - 1] >> 63;
    int64_t kd = (t->u & d_neg) + (t->v & e_neg);
    int64_t ke = (t->q & d_neg) + (t->r & e_neg);
    __int128 cd = (__int128)t->u * d->v[0] + (__int128)t->v * e->v[0];
    __int128 ce = (__int128)t->q * d->v[0] + (__int128)t->r * e->v[0];
    kd -= (int64_t)((m_inv * (uint64_t)cd + (uint64_t)kd) & MASK62);
    ke -= (int64_t)((m_inv * (uint64_t)ce + (uint64_t)ke) & MASK62);
    cd += (__int128)m->v[0] * kd;
    ce += (__int128)m->v[0] * ke;
    assert(((uint64_t)cd & MASK62) == 0 && ((uint64_t)ce & MASK62) == 0);
    cd >>= 62;
    ce >>= 62;
    for (int i = 1; i < D_L; i++) {
        int64_t di = d->v[i], ei = e->v[i];
        cd += (__int128)t->u * di + (__int128)t->v * ei + (__int128)m->v[i] * kd;
        ce += (__int128)t->q * di + (__int128)t->r * ei + (__int128)m->v[i] * ke;
        d->v[i - 1] = (int64_t)((uint64_t)cd & MASK62);
        e->v[i - 1] = (int64_t)((uint64_t)ce & MASK62);
        cd >>= 62;
        ce >>= 62;
    }
    d->v[D_L - 1] = (int64_t)cd;
    e->v[D_L - 1] = (int64_t)ce;
}

/* d = (negate ? -d : d) + (m if d was negative, before and after). In: d in (-2m, m). Out: d in [0, m). */
static void D_(normalize)(D_(long) * d, const D_(long) * m, bool negate)
{
    int64_t flip = negate ? -1 : 0;
    for (int pass = 0; pass < 2; pass++) {
        int64_t add = d->v[D_L - 1] >> 63, carry = 0;
        for (int i = 0; i < D_L; i++) {
            int64_t x = d->v[i] + (m->v[i] & add);
            x = (x ^ flip) - flip + carry;
            carry = x >> 62;
            d->v[i] = i + 1 < D_L ? x & (int64_t)MASK62 : x;
        }
        flip = 0;
    }
}

static bool D_(long_is_zero)(const D_(long) * a, int n)
{
    int64_t x = 0;
    for (int i = 0; i < n; i++) x |= a->v[i];
    return x == 0;
}

/* True if the top limb of the lowest n holds nothing but the sign. */
static bool D_(top_is_sign)(const D_(long) * a, int n)
{
    return a->v[n - 1] == (a->v[n - 1] >> 63);
}

/* g is 0 after that many batches. Source: the paper's theorem 11.2: with 4 f^2 + 5 g^2 <= 5 * 4^k, k >= 46, it takes at
 * most (49 k + 57) / 17 steps; here f, g < 2^D_BITS, so k = D_BITS + 1 does. */
#define D_BATCHES (((49 * (D_BITS + 1) + 57) / 17 + STEPS - 1) / STEPS)

/* r = R^2 / a mod modulus, 0 for a = 0. */
static void D_(invert)(uint64_t r[D_N], const uint64_t a[D_N])
{
    static const uint64_t modulus[D_N] = D_MODULUS, r2[D_N] = D_R2;
    D_(long) m, f, g, d = {{0}}, e;
    D_(split)(&m, modulus);
    f = m;
    D_(split)(&g, a);
    D_(split)(&e, r2);
    int64_t eta = -1;
    int n = D_L;
    for (int batch = 0; batch < D_BATCHES && !D_(long_is_zero)(&g, n); batch++) {
        steps t;
        eta = find_steps(&t, eta, (uint64_t)f.v[0], (uint64_t)g.v[0]);
        D_(apply_mod)(&d, &e, &m, &t);
        D_(apply)(&f, &g, n, &t);
        /* f and g shrink: drop a limb once it only repeats the sign of both */
        while (n > 1 && D_(top_is_sign)(&f, n) && D_(top_is_sign)(&g, n)) {
            f.v[n - 2] |= (int64_t)((uint64_t)f.v[n - 1] << 62);
            g.v[n - 2] |= (int64_t)((uint64_t)g.v[n - 1] << 62);
            n--;
        }
    }
    assert(D_(long_is_zero)(&g, n));
    D_(normalize)(&d, &m, f.v[n - 1] < 0);
    D_(join)(r, &d);
}

#undef D_BATCHES
