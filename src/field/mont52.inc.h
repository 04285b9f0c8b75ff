/* Eight Montgomery elements at once, an include-template: limbs of 52 bits, lane k of every limb is element k.
 *
 * Before including, define
 *   X_(name)     the function prefix, for example fp_x8_##name
 *   X_T          a struct with one array l of X_N weir_v8
 *   X_N, X_WORDS limbs of 52 bits, words of 64 bits of the scalar form
 *   X_MODULUS, X_ONE   initialisers of X_N limbs, X_ONE = R mod modulus; X_N0 = -modulus^-1 mod 2^52
 *   X_RECIPROCAL       R / modulus, rounded down
 *
 * Let R = 2^(52 X_N) and S = 52 X_N - 64 X_WORDS (32 for Fp, 4 for Fr). Here an element x stands as x R; the scalar form
 * has x 2^(64 X_WORDS). So loading is a shift by S bits: the value is then below 2^S modulus, which is far from overflow
 * (R is 2^35 moduli of Fp, 2^5 of Fr), and storing divides by 2^S with a sliver of Montgomery reduction.
 *
 * Bounds are multiples of the modulus, written as numbers: "a < 2" means the value is below 2 modulus. All limbs are
 * kept normal (below 2^52) between routines: a product reads only the low 52 bits of its operands.
 *
 * CT: no branch or address depends on values. Source: Gueron and Krasnov 2016 (radix 2^52 and IFMA); Montgomery 1985.
 */

enum { X_(SHIFT) = 52 * X_N - 64 * X_WORDS };
static const uint64_t X_(MODULUS)[X_N] = {X_MODULUS};
static const uint64_t X_(ONE)[X_N] = {X_ONE};

/* Carries limb by limb. In: a value >= 0 that fits X_N limbs; limbs, as signed numbers, within 2^62. */
V8_INLINE void X_(carry)(X_T *r, const weir_v8 *t)
{
    weir_v8 c = t[0];
#pragma GCC unroll 8
    for (int j = 0; j + 1 < X_N; j++) {
        r->l[j] = c & WEIR_MASK52;
        c = t[j + 1] + v8_sra52(c);
    }
    r->l[X_N - 1] = c;
}

/* t += a b, t of 2 X_N words; at most 4 products fit before redc: each word grows by less than 2^56. */
V8_INLINE void X_(product)(weir_v8 *t, const X_T *a, const X_T *b)
{
#pragma GCC unroll 8
    for (int i = 0; i < X_N; i++) {
#pragma GCC unroll 8
        for (int j = 0; j < X_N; j++) {
            v8_madd52lo(&t[i + j], &a->l[i], &b->l[j]);
            v8_madd52hi(&t[i + j + 1], &a->l[i], &b->l[j]);
        }
    }
}

V8_INLINE void X_(clear)(weir_v8 *t)
{
#pragma GCC unroll 16
    for (int j = 0; j < 2 * X_N; j++) t[j] = v8_set((uint64_t)0);
}

/* t += a_i b, t of X_N + 1 words: the low halves, and the high ones. */
V8_INLINE void X_(row_lo)(weir_v8 *t, const weir_v8 *a_i, const X_T *b)
{
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) v8_madd52lo(&t[j], a_i, &b->l[j]);
}

V8_INLINE void X_(row_hi)(weir_v8 *t, const weir_v8 *a_i, const X_T *b)
{
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) v8_madd52hi(&t[j + 1], a_i, &b->l[j]);
}

/* The low 52 bits of m make t + m modulus = 0 mod 2^52. Where the modulus is 1 - 2^32 there, as of Fr, -1 / modulus is
 * -1 - 2^32. */
V8_INLINE void X_(row_m)(weir_v8 *m, const weir_v8 *t)
{
    const weir_v8 zero = v8_set((uint64_t)0), n0 = v8_set((uint64_t)X_N0);
    if (X_N0 == WEIR_MASK52 - ((uint64_t)1 << 32)) {
        *m = zero - *t - (*t << 32);
    } else {
        *m = zero;
        v8_madd52lo(m, t, &n0);
    }
}

/* t += m modulus, and word 0, then a multiple of 2^52, goes into word 1. The low half of m times the lowest limb lifts
 * word 0 to the next such multiple and needs no product. */
V8_INLINE void X_(row_redc)(weir_v8 *t, const weir_v8 *m)
{
    t[1] += (t[0] + WEIR_MASK52) >> 52;
#pragma GCC unroll 8
    for (int j = 1; j < X_N; j++) {
        const weir_v8 p = v8_set(X_(MODULUS)[j]);
        v8_madd52lo(&t[j], m, &p);
    }
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) {
        const weir_v8 p = v8_set(X_(MODULUS)[j]);
        v8_madd52hi(&t[j + 1], m, &p);
    }
}

/* r = t / R. Bound: t < k R gives r < k + 1. */
V8_INLINE void X_(redc)(X_T *r, weir_v8 *t)
{
#pragma GCC unroll 8
    for (int i = 0; i < X_N; i++) {
        weir_v8 m;
        X_(row_m)(&m, t + i);
        X_(row_redc)(t + i, &m);
    }
    X_(carry)(r, t + X_N);
}

/* r = a b / R. a < A, b < B gives r < A B modulus/R + 1. Rows of the product and of the reduction alternate, so that
 * multiplications that wait for each other stand among others that don't. Cost: 4 X_N^2 multiply instructions, X_N fewer
 * for Fr. */
V8_INLINE void X_(mul)(X_T *r, const X_T *a, const X_T *b)
{
    weir_v8 t[2 * X_N];
    X_(clear)(t);
#pragma GCC unroll 8
    for (int i = 0; i < X_N; i++) {
        weir_v8 m;
        X_(row_lo)(t + i, &a->l[i], b);
        X_(row_m)(&m, t + i);
        X_(row_hi)(t + i, &a->l[i], b);
        X_(row_redc)(t + i, &m);
    }
    X_(carry)(r, t + X_N);
}

/* t[k][X_N ..] = a[k] b[k] / R, two products interleaved; words up to 2^57. */
V8_INLINE void X_(rows2)(weir_v8 t[2][2 * X_N], const X_T *const a[2], const X_T *const b[2])
{
    X_(clear)(t[0]);
    X_(clear)(t[1]);
#pragma GCC unroll 8
    for (int i = 0; i < X_N; i++) {
        weir_v8 m[2];
#pragma GCC unroll 2
        for (int k = 0; k < 2; k++) {
            X_(row_lo)(t[k] + i, &a[k]->l[i], b[k]);
            X_(row_m)(&m[k], t[k] + i);
        }
#pragma GCC unroll 2
        for (int k = 0; k < 2; k++) X_(row_hi)(t[k] + i, &a[k]->l[i], b[k]);
#pragma GCC unroll 2
        for (int k = 0; k < 2; k++) X_(row_redc)(t[k] + i, &m[k]);
    }
}

/* Two independent products, interleaved: r[k] = a[k] b[k] / R. Less time than two calls of mul. */
V8_INLINE void X_(mul2)(X_T *const r[2], const X_T *const a[2], const X_T *const b[2])
{
    weir_v8 t[2][2 * X_N];
    X_(rows2)(t, a, b);
    X_(carry)(r[0], t[0] + X_N);
    X_(carry)(r[1], t[1] + X_N);
}

/* t = a^2, 2 X_N words: the products off the diagonal are made once and doubled. */
V8_INLINE void X_(square)(weir_v8 *t, const X_T *a)
{
    X_(clear)(t);
#pragma GCC unroll 8
    for (int i = 0; i < X_N; i++) {
#pragma GCC unroll 8
        for (int j = i + 1; j < X_N; j++) {
            v8_madd52lo(&t[i + j], &a->l[i], &a->l[j]);
            v8_madd52hi(&t[i + j + 1], &a->l[i], &a->l[j]);
        }
    }
#pragma GCC unroll 16
    for (int j = 0; j < 2 * X_N; j++) t[j] += t[j];
#pragma GCC unroll 8
    for (int i = 0; i < X_N; i++) {
        v8_madd52lo(&t[2 * i], &a->l[i], &a->l[i]);
        v8_madd52hi(&t[2 * i + 1], &a->l[i], &a->l[i]);
    }
}

/* r = a^2 / R */
V8_INLINE void X_(sqr)(X_T *r, const X_T *a)
{
    weir_v8 t[2 * X_N];
    X_(square)(t, a);
    X_(redc)(r, t);
}

/* Two independent squares. */
V8_INLINE void X_(sqr2)(X_T *const r[2], const X_T *const a[2])
{
    weir_v8 t[2][2 * X_N];
    X_(square)(t[0], a[0]);
    X_(square)(t[1], a[1]);
#pragma GCC unroll 8
    for (int i = 0; i < X_N; i++) {
        weir_v8 m[2];
#pragma GCC unroll 2
        for (int k = 0; k < 2; k++) X_(row_m)(&m[k], t[k] + i);
#pragma GCC unroll 2
        for (int k = 0; k < 2; k++) X_(row_redc)(t[k] + i, &m[k]);
    }
    X_(carry)(r[0], t[0] + X_N);
    X_(carry)(r[1], t[1] + X_N);
}

V8_INLINE void X_(set_zero)(X_T *r)
{
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) r->l[j] = v8_set((uint64_t)0);
}

V8_INLINE void X_(set_one)(X_T *r)
{
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) r->l[j] = v8_set(X_(ONE)[j]);
}

/* All ones in the lanes whose limbs are all zero. A value that was loaded is so only if it is 0. */
V8_INLINE void X_(zero_lanes)(weir_v8 *mask, const X_T *a)
{
    weir_v8 any = a->l[0];
#pragma GCC unroll 8
    for (int j = 1; j < X_N; j++) any |= a->l[j];
    *mask = (weir_v8)(any == 0);
}

/* r = r, smaller: a product with one. Bound: a < A gives A modulus/R + 1, that is below 2. */
V8_INLINE void X_(shrink)(X_T *r)
{
    X_T one;
    X_(set_one)(&one);
    X_(mul)(r, r, &one);
}

/* r = a + b. Bounds add up. */
V8_INLINE void X_(add)(X_T *r, const X_T *a, const X_T *b)
{
    weir_v8 t[X_N];
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) t[j] = a->l[j] + b->l[j];
    X_(carry)(r, t);
}

/* The modulus times 2^k, k < 52, as limbs. */
V8_INLINE uint64_t X_(shifted)(int j, int k)
{
    uint64_t low = j ? X_(MODULUS)[j - 1] >> (52 - k) : 0;
    uint64_t own = X_(MODULUS)[j] << k;
    return (k ? low : 0) | (j + 1 < X_N ? own & WEIR_MASK52 : own);
}

/* r = a - b + 2^k. In: b <= 2^k. Bound: a + 2^k. */
V8_INLINE void X_(sub)(X_T *r, const X_T *a, const X_T *b, int k)
{
    weir_v8 t[X_N];
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) t[j] = a->l[j] - b->l[j] + X_(shifted)(j, k);
    X_(carry)(r, t);
}

/* r = 2^k - b. In: b <= 2^k. */
V8_INLINE void X_(neg)(X_T *r, const X_T *b, int k)
{
    weir_v8 t[X_N];
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) t[j] = v8_set(X_(shifted)(j, k)) - b->l[j];
    X_(carry)(r, t);
}

/* ---- sums without carries: limbs are signed and within 2^61, the value is what they stand for */

V8_INLINE void X_(lazy_add)(X_T *r, const X_T *a, const X_T *b)
{
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) r->l[j] = a->l[j] + b->l[j];
}

V8_INLINE void X_(lazy_sub)(X_T *r, const X_T *a, const X_T *b)
{
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) r->l[j] = a->l[j] - b->l[j];
}

/* mul2 with sums for results: limbs below 2^57 that aren't carried. */
V8_INLINE void X_(lazy_mul2)(X_T *const r[2], const X_T *const a[2], const X_T *const b[2])
{
    weir_v8 t[2][2 * X_N];
    X_(rows2)(t, a, b);
#pragma GCC unroll 2
    for (int k = 0; k < 2; k++) {
#pragma GCC unroll 8
        for (int j = 0; j < X_N; j++) r[k]->l[j] = t[k][X_N + j];
    }
}

/* r = -r where a lane of mask is all ones. */
V8_INLINE void X_(lazy_negate)(X_T *r, const weir_v8 *mask)
{
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) r->l[j] = (r->l[j] ^ *mask) - *mask;
}

/* r = a where a lane of mask is all ones, else b. */
V8_INLINE void X_(select)(X_T *r, const weir_v8 *mask, const X_T *a, const X_T *b)
{
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) r->l[j] = v8_select(*mask, a->l[j], b->l[j]);
}

/* Lane k of r is lane (k + n) mod 8 of a. n: 1 .. 7. */
V8_INLINE void X_(rotate)(X_T *r, const X_T *a, int n)
{
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) v8_rotate(&r->l[j], &a->l[j], n);
}

/* r = r + 2^k with normal limbs. In: r >= -2^k. */
V8_INLINE void X_(lift)(X_T *r, int k)
{
    weir_v8 t[X_N];
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) t[j] = r->l[j] + X_(shifted)(j, k);
    X_(carry)(r, t);
}

/* R - modulus: adding q of it modulo R takes q moduli off. */
V8_INLINE uint64_t X_(complement)(int j)
{
    return (j ? WEIR_MASK52 : WEIR_MASK52 + 1) - X_(MODULUS)[j];
}

/* r = r mod the modulus, nearly: normal limbs, r < 2. In: -2^k <= r, and v = r + 2^k + 1 < 0.9 R.
 * The quotient is q = floor(top X_RECIPROCAL / 2^52), where top is the top limb of v, or less by at most 9 units: the
 * carries that are left out are at most 1, and v >= 1 modulus, so top >= 0. Both factors are rounded down, so q <= v; and
 * q > v - 1 - 10 2^(52 (X_N - 1)) / modulus - v / R, where the middle term is below 2^-13, so v - q < 2. */
V8_INLINE void X_(settle)(X_T *r, int k)
{
    const weir_v8 c = v8_set((uint64_t)X_RECIPROCAL);
    weir_v8 t[X_N], top, q = v8_set((uint64_t)0);
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) t[j] = r->l[j] + X_(shifted)(j, k) + X_(MODULUS)[j];
    top = t[X_N - 1] + v8_sra52(t[X_N - 2]) - 8;
    v8_madd52hi(&q, &top, &c);
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) {
        const weir_v8 p = v8_set(X_(complement)(j));
        v8_madd52lo(&t[j], &q, &p);
        if (j + 1 < X_N) v8_madd52hi(&t[j + 1], &q, &p);
    }
    X_(carry)(r, t);
    r->l[X_N - 1] &= WEIR_MASK52; /* modulo R */
}

/* r = v 2^shift for the value v of the words w. In: v < 2^(64 X_WORDS), shift <= SHIFT. */
V8_INLINE void X_(spread)(X_T *r, const weir_v8 *w, int shift)
{
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) {
        int at = 52 * j - shift; /* first bit of this limb, counted in the words */
        if (at < 0) {
            r->l[j] = (w[0] << -at) & WEIR_MASK52;
        } else {
            int q = at / 64, o = at % 64;
            weir_v8 v = w[q] >> o;
            if (o > 12 && q + 1 < X_WORDS) v |= w[q + 1] << (64 - o);
            r->l[j] = v & WEIR_MASK52;
        }
    }
}

/* The words of v. In: v < 2^(64 X_WORDS), normal limbs. */
V8_INLINE void X_(pack)(weir_v8 *w, const X_T *v)
{
#pragma GCC unroll 8
    for (int i = 0; i < X_WORDS; i++) {
        int q = 64 * i / 52, o = 64 * i % 52;
        w[i] = v->l[q] >> o;
        if (q + 1 < X_N) w[i] |= v->l[q + 1] << (52 - o);
        if (104 - o < 64 && q + 2 < X_N) w[i] |= v->l[q + 2] << (104 - o);
    }
}

/* From the words of eight elements in scalar form, word i of all lanes in w[i]. Out: < 2^SHIFT. */
V8_INLINE void X_(from_words)(X_T *r, const weir_v8 *w)
{
    X_(spread)(r, w, X_(SHIFT));
}

/* Eight elements in scalar form. Out: < 2^SHIFT. */
V8_INLINE void X_(load)(X_T *r, const uint64_t *const p[8])
{
    weir_v8 w[8];
    v8_gather_rows(w, p, X_WORDS);
    X_(from_words)(r, w);
}

/* r = r - modulus 2^k if that is not negative. */
V8_INLINE void X_(reduce_by)(X_T *r, int k)
{
    weir_v8 c = v8_set((uint64_t)0), t[X_N];
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) {
        c += r->l[j] - X_(shifted)(j, k);
        t[j] = j + 1 < X_N ? c & WEIR_MASK52 : c;
        c = v8_sra52(c);
    }
    /* c is -1 where the difference is negative, else 0 */
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) r->l[j] = v8_select(c, r->l[j], t[j]);
}

/* The words of eight elements in scalar form, fully reduced; words from X_WORDS to 7 are zero. In: v < 3 * 2^SHIFT - 1:
 * divided by 2^SHIFT, and one modulus more from the reduction, below 4. */
V8_INLINE void X_(to_words)(weir_v8 w[8], const X_T *v)
{
    const weir_v8 n0 = v8_set((uint64_t)X_N0);
    weir_v8 m = v8_set((uint64_t)0), t[X_N + 1];
    X_T u;
    v8_madd52lo(&m, &v->l[0], &n0);
    m &= ((uint64_t)1 << X_(SHIFT)) - 1;
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) t[j] = v->l[j];
    t[X_N] = v8_set((uint64_t)0);
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) {
        const weir_v8 q = v8_set(X_(MODULUS)[j]);
        v8_madd52lo(&t[j], &m, &q);
        v8_madd52hi(&t[j + 1], &m, &q);
    }
    X_(carry)(&u, t); /* the value is below R, so word X_N is zero */
#pragma GCC unroll 8
    for (int j = 0; j < X_N; j++) {
        u.l[j] = u.l[j] >> X_(SHIFT);
        if (j + 1 < X_N) u.l[j] |= (u.l[j + 1] << (52 - X_(SHIFT))) & WEIR_MASK52;
    }
    X_(reduce_by)(&u, 1);
    X_(reduce_by)(&u, 0);
    X_(pack)(w, &u);
#pragma GCC unroll 8
    for (int i = X_WORDS; i < 8; i++) w[i] = v8_set((uint64_t)0);
}

/* Eight elements back to scalar form, fully reduced. In: as to_words. */
V8_INLINE void X_(store)(uint64_t *const p[8], const X_T *v)
{
    weir_v8 w[8];
    X_(to_words)(w, v);
    v8_scatter_rows(p, w, X_WORDS);
}
