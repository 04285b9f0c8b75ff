/* Montgomery arithmetic on 32-bit limbs in registers, an include-template.
 *
 * Before including, define
 *   D_(name)    the function prefix, for example dfp_##name
 *   D_T, D_N    the element type, a struct with one array l, and its number of limbs (even)
 *   D_MODULUS, D_ONE   initialisers; D_N0 = -modulus^-1 mod 2^32
 *   D_CEIL      initialiser of the bound below which sums are kept: the modulus, or twice the modulus
 *   D_LOW_IS_ONE  1 where the modulus ends in the words 0xffffffff, 1 (then n0 = -1), else 0
 *   D_SIGNED    defined where the ceiling is below 2^(32 N - 1) and N is 8: a sum or difference that is corrected by the ceiling
 *               is seen to be negative by its top bit, and corrected by predicated additions
 *
 * Products use two rows, even and odd. A word a_j b_i belongs to weight i + j and fills the words i + j and
 * i + j + 1; neighbours of the same parity do not overlap, so each row is one carry chain of 64-bit multiply-adds.
 * e[k] has weight k, o[k] weight k + 1. A step of Montgomery's reduction clears e[0]; the division by 2^32 that follows
 * turns the odd row into the even one, and the old even row, but for e[1], becomes the odd one two words lower: no word
 * moves, the next chain reads two places further.
 * Source: Montgomery 1985; rows by parity: N. Emmart, F. Zheng, C. Weems, "Faster modular exponentiation using double
 * precision floating point arithmetic on the GPU", ARITH 2018, section 2, and the ARITH 2016 paper it cites.
 *
 * Contract of all routines: the result may be the same object as any input. Variable time only where said.
 * Bound of the sum E + 2^32 O: with T < sum of the row operands + modulus between steps (T' = (T + a b_i + m p)/2^32),
 * within a step it is below 2^32 times that, so it fits in N + 1 words as soon as the row operands plus the modulus
 * are below 2^(32 N). The host twin asserts that no carry is lost.
 */

WEIR_HD void D_(set_zero)(D_T *r)
{
    WEIR_UNROLL
    for (int i = 0; i < D_N; i++) r->l[i] = 0;
}

WEIR_HD void D_(set_one)(D_T *r)
{
    const uint32_t one[D_N] = D_ONE;
    WEIR_UNROLL
    for (int i = 0; i < D_N; i++) r->l[i] = one[i];
}

/* r = take ? a : b */
WEIR_HD void D_(select)(D_T *r, bool take, const D_T *a, const D_T *b)
{
    WEIR_UNROLL
    for (int i = 0; i < D_N; i++) r->l[i] = take ? a->l[i] : b->l[i];
}

/* True if every limb is zero: not the same as being 0 in the field where values may exceed the modulus. */
WEIR_HD bool D_(limbs_are_zero)(const D_T *a)
{
    uint32_t t = 0;
    WEIR_UNROLL
    for (int i = 0; i < D_N; i++) t |= a->l[i];
    return t == 0;
}

WEIR_HD bool D_(is_modulus)(const D_T *a)
{
    const uint32_t p[D_N] = D_MODULUS;
    uint32_t t = 0;
    WEIR_UNROLL
    for (int i = 0; i < D_N; i++) t |= a->l[i] ^ p[i];
    return t == 0;
}

/* r = a - b modulo 2^(32 N) */
WEIR_HD void D_(sub_plain)(D_T *r, const D_T *a, const D_T *b)
{
    weir_carry c = 0;
    r->l[0] = limb_sub_cc(a->l[0], b->l[0], &c);
    WEIR_UNROLL
    for (int i = 1; i < D_N - 1; i++) r->l[i] = limb_subc_cc(a->l[i], b->l[i], &c);
    r->l[D_N - 1] = limb_subc(a->l[D_N - 1], b->l[D_N - 1], &c);
}

#ifdef D_SIGNED
/* r + the ceiling if r is negative. In: -ceiling <= r < ceiling in two's complement. Out: 0 <= r < ceiling. */
WEIR_HD void D_(lift)(D_T *r)
{
    const uint32_t top[D_N] = D_CEIL;
    limbs_lift(r->l, top);
}
#endif

/* r = a - k if that is not negative, else a; k a constant of D_N words. With D_SIGNED k is the ceiling and a below twice that. */
WEIR_HD void D_(drop_once)(D_T *r, const D_T *a, const uint32_t *k)
{
#ifdef D_SIGNED
    D_T t;
    WEIR_UNROLL
    for (int i = 0; i < D_N; i++) t.l[i] = k[i];
    D_(sub_plain)(r, a, &t);
    D_(lift)(r);
#else
    uint32_t s[D_N];
    weir_carry c = 0;
    s[0] = limb_sub_cc(a->l[0], k[0], &c);
    WEIR_UNROLL
    for (int i = 1; i < D_N; i++) s[i] = limb_subc_cc(a->l[i], k[i], &c);
    uint32_t below = limb_borrow_mask(&c);
    WEIR_UNROLL
    for (int i = 0; i < D_N; i++) r->l[i] = below ? a->l[i] : s[i];
#endif
}

/* r = a + b without correction. In: a + b < 2^(32 N). */
WEIR_HD void D_(add_plain)(D_T *r, const D_T *a, const D_T *b)
{
    weir_carry c = 0;
    r->l[0] = limb_add_cc(a->l[0], b->l[0], &c);
    WEIR_UNROLL
    for (int i = 1; i < D_N - 1; i++) r->l[i] = limb_addc_cc(a->l[i], b->l[i], &c);
    r->l[D_N - 1] = limb_addc(a->l[D_N - 1], b->l[D_N - 1], &c);
}

/* r = a + b. In and out: < ceiling. */
WEIR_HD void D_(add)(D_T *r, const D_T *a, const D_T *b)
{
    const uint32_t top[D_N] = D_CEIL;
    D_T t;
    D_(add_plain)(&t, a, b);
    D_(drop_once)(r, &t, top);
}

WEIR_HD void D_(dbl)(D_T *r, const D_T *a)
{
    D_(add)(r, a, a);
}

/* r = a - b. In and out: < ceiling. */
WEIR_HD void D_(sub)(D_T *r, const D_T *a, const D_T *b)
{
#ifdef D_SIGNED
    D_(sub_plain)(r, a, b);
    D_(lift)(r);
#else
    const uint32_t top[D_N] = D_CEIL;
    uint32_t t[D_N];
    weir_carry c = 0;
    t[0] = limb_sub_cc(a->l[0], b->l[0], &c);
    WEIR_UNROLL
    for (int i = 1; i < D_N; i++) t[i] = limb_subc_cc(a->l[i], b->l[i], &c);
    uint32_t mask = limb_borrow_mask(&c);
    r->l[0] = limb_add_cc(t[0], top[0] & mask, &c);
    WEIR_UNROLL
    for (int i = 1; i < D_N - 1; i++) r->l[i] = limb_addc_cc(t[i], top[i] & mask, &c);
    r->l[D_N - 1] = limb_addc_wrap(t[D_N - 1], top[D_N - 1] & mask, &c);
#endif
}

/* r = ceiling - a, without correction: 0 gives the ceiling itself. In: a <= ceiling. */
WEIR_HD void D_(complement)(D_T *r, const D_T *a)
{
    const uint32_t top[D_N] = D_CEIL;
    weir_carry c = 0;
    r->l[0] = limb_sub_cc(top[0], a->l[0], &c);
    WEIR_UNROLL
    for (int i = 1; i < D_N - 1; i++) r->l[i] = limb_subc_cc(top[i], a->l[i], &c);
    r->l[D_N - 1] = limb_subc(top[D_N - 1], a->l[D_N - 1], &c);
}

/* r = -a. In and out: < ceiling. */
WEIR_HD void D_(neg)(D_T *r, const D_T *a)
{
    D_T zero;
    D_(set_zero)(&zero);
    D_(sub)(r, &zero, a);
}

/* ---- rows of a product */

/* e + 2^32 o = a b */
WEIR_HD void D_(row_first)(uint32_t *e, uint32_t *o, const uint32_t *a, uint32_t b)
{
    WEIR_UNROLL
    for (int j = 0; j < D_N; j += 2) {
        uint64_t t = (uint64_t)a[j] * b, s = (uint64_t)a[j + 1] * b;
        e[j] = (uint32_t)t;
        e[j + 1] = (uint32_t)(t >> 32);
        o[j] = (uint32_t)s;
        o[j + 1] = (uint32_t)(s >> 32);
    }
}

/* e += the words of a at even places, times b; the carry goes to the top of o. */
WEIR_HD void D_(row_even)(uint32_t *e, uint32_t *o, const uint32_t *a, uint32_t b)
{
    weir_carry c = 0;
    e[0] = limb_mad_lo_cc(a[0], b, e[0], &c);
    e[1] = limb_madc_hi_cc(a[0], b, e[1], &c);
    WEIR_UNROLL
    for (int j = 2; j < D_N; j += 2) {
        e[j] = limb_madc_lo_cc(a[j], b, e[j], &c);
        e[j + 1] = limb_madc_hi_cc(a[j], b, e[j + 1], &c);
    }
    o[D_N - 1] = limb_addc(o[D_N - 1], 0, &c);
}

/* e + 2^32 o += a b */
WEIR_HD void D_(row_add)(uint32_t *e, uint32_t *o, const uint32_t *a, uint32_t b)
{
    weir_carry c = 0;
    o[0] = limb_mad_lo_cc(a[1], b, o[0], &c);
    WEIR_UNROLL
    for (int j = 2; j < D_N; j += 2) {
        o[j - 1] = limb_madc_hi_cc(a[j - 1], b, o[j - 1], &c);
        o[j] = limb_madc_lo_cc(a[j + 1], b, o[j], &c);
    }
    o[D_N - 1] = limb_madc_hi(a[D_N - 1], b, o[D_N - 1], &c);
    D_(row_even)(e, o, a, b);
}

/* The odd half of a row after the division by 2^32: e was the odd row and o the even one, whose word 0 is 0. */
WEIR_HD void D_(row_odd_shifted)(uint32_t *o, const uint32_t *a, uint32_t b, weir_carry *c)
{
    WEIR_UNROLL
    for (int j = 0; j < D_N - 2; j += 2) {
        o[j] = limb_madc_lo_cc(a[j + 1], b, o[j + 2], c);
        o[j + 1] = limb_madc_hi_cc(a[j + 1], b, o[j + 3], c);
    }
    o[D_N - 2] = limb_madc_lo_cc(a[D_N - 1], b, 0, c);
    o[D_N - 1] = limb_madc_hi(a[D_N - 1], b, 0, c);
}

/* e + 2^32 o = (o + 2^32 e) / 2^32 + a b. In: o[0] = 0. */
WEIR_HD void D_(row_shift)(uint32_t *e, uint32_t *o, const uint32_t *a, uint32_t b)
{
    weir_carry c = 0;
    e[0] = limb_add_cc(e[0], o[1], &c);
    D_(row_odd_shifted)(o, a, b, &c);
    D_(row_even)(e, o, a, b);
}

#if D_LOW_IS_ONE
/* Rows whose sum is a number in two's complement, N + 1 words with the sign in the top one: carries out of that are lost. */

/* e + 2^32 o -= e[0] modulus, which makes e[0] 0: it is dropped and not written. With m = e[0] that is m (2^(32 N) - modulus) less
 * m at weight N; the factor ends in the words 0, 0xffffffff, and m + m (2^32 - 1) = 2^32 m. */
WEIR_HD void D_(row_clear)(uint32_t *e, uint32_t *o)
{
    const uint32_t p[D_N] = D_MODULUS;
    uint32_t m = e[0];
    weir_carry c = 0;
    o[2] = limb_mad_lo_cc(~p[3], m, o[2], &c);
    o[3] = limb_madc_hi_cc(~p[3], m, o[3], &c);
    WEIR_UNROLL
    for (int j = 4; j < D_N; j += 2) {
        o[j] = limb_madc_lo_cc(~p[j + 1], m, o[j], &c);
        o[j + 1] = limb_madc_hi_cc(~p[j + 1], m, o[j + 1], &c);
    }
    o[D_N - 1] -= m;
    e[1] = limb_add_cc(e[1], m, &c);
    WEIR_UNROLL
    for (int j = 2; j < D_N; j += 2) {
        e[j] = limb_madc_lo_cc(~p[j], m, e[j], &c);
        e[j + 1] = limb_madc_hi_cc(~p[j], m, e[j + 1], &c);
    }
    o[D_N - 1] = limb_addc_wrap(o[D_N - 1], 0, &c);
}

/* row_shift for such a sum: the word that was on top goes on to the word above as its sign. */
WEIR_HD void D_(row_shift_signed)(uint32_t *e, uint32_t *o, const uint32_t *a, uint32_t b)
{
    weir_carry c = 0;
    uint32_t sign = (uint32_t)((int32_t)e[D_N - 1] >> 31);
    e[0] = limb_add_cc(e[0], o[1], &c);
    WEIR_UNROLL
    for (int j = 0; j < D_N - 2; j += 2) {
        o[j] = limb_madc_lo_cc(a[j + 1], b, o[j + 2], &c);
        o[j + 1] = limb_madc_hi_cc(a[j + 1], b, o[j + 3], &c);
    }
    o[D_N - 2] = limb_madc_lo_cc(a[D_N - 1], b, 0, &c);
    o[D_N - 1] = limb_madc_hi_cc(a[D_N - 1], b, sign, &c);
    e[0] = limb_mad_lo_cc(a[0], b, e[0], &c);
    e[1] = limb_madc_hi_cc(a[0], b, e[1], &c);
    WEIR_UNROLL
    for (int j = 2; j < D_N; j += 2) {
        e[j] = limb_madc_lo_cc(a[j], b, e[j], &c);
        e[j + 1] = limb_madc_hi_cc(a[j], b, e[j + 1], &c);
    }
    o[D_N - 1] = limb_addc_wrap(o[D_N - 1], 0, &c);
}
#else
/* e + 2^32 o += m modulus with m such that e[0] becomes 0. */
WEIR_HD void D_(row_reduce)(uint32_t *e, uint32_t *o)
{
    const uint32_t p[D_N] = D_MODULUS;
    D_(row_add)(e, o, p, e[0] * D_N0);
}
#endif

/* r = o + e / 2^32, in the last step's roles. */
WEIR_HD void D_(rows_join)(D_T *r, const uint32_t *e, const uint32_t *o)
{
    weir_carry c = 0;
    r->l[0] = limb_add_cc(o[0], e[1], &c);
    WEIR_UNROLL
    for (int i = 1; i < D_N - 1; i++) r->l[i] = limb_addc_cc(o[i], e[i + 1], &c);
#if D_LOW_IS_ONE
    r->l[D_N - 1] = limb_addc_wrap(o[D_N - 1], 0, &c);
#else
    r->l[D_N - 1] = limb_addc(o[D_N - 1], 0, &c);
#endif
}

#if D_LOW_IS_ONE
/* r = a b / 2^(32 N) mod modulus, in two's complement. In: a < modulus; b any N words. Out: -modulus < r < a b / 2^(32 N).
 * Sums between steps are in -modulus .. a. Cost: N (2 N - 2) multiply instructions. */
WEIR_HD void D_(mul_signed)(D_T *r, const D_T *a, const D_T *b)
{
    uint32_t e[D_N], o[D_N];
    D_(row_first)(e, o, a->l, b->l[0]);
    D_(row_clear)(e, o);
    WEIR_UNROLL
    for (int i = 1; i < D_N - 1; i += 2) {
        D_(row_shift_signed)(o, e, a->l, b->l[i]);
        D_(row_clear)(o, e);
        D_(row_shift_signed)(e, o, a->l, b->l[i + 1]);
        D_(row_clear)(e, o);
    }
    D_(row_shift_signed)(o, e, a->l, b->l[D_N - 1]);
    D_(row_clear)(o, e);
    D_(rows_join)(r, o, e);
}
#else
/* r = a b / 2^(32 N) mod modulus. In: a < 2^(32 N) - modulus; b any N words.
 * Out: r < modulus + a b / 2^(32 N). Cost: N (2 N + 1) multiply instructions. */
WEIR_HD void D_(mul_plain)(D_T *r, const D_T *a, const D_T *b)
{
    uint32_t e[D_N], o[D_N];
    D_(row_first)(e, o, a->l, b->l[0]);
    D_(row_reduce)(e, o);
    WEIR_UNROLL
    for (int i = 1; i < D_N - 1; i += 2) {
        D_(row_shift)(o, e, a->l, b->l[i]);
        D_(row_reduce)(o, e);
        D_(row_shift)(e, o, a->l, b->l[i + 1]);
        D_(row_reduce)(e, o);
    }
    D_(row_shift)(o, e, a->l, b->l[D_N - 1]);
    D_(row_reduce)(o, e);
    D_(rows_join)(r, o, e);
}

/* r = (a b + c d) / 2^(32 N) mod modulus with one reduction. In: a + c < 2^(32 N) - modulus; b, d any N words.
 * Out: r < modulus + (a b + c d) / 2^(32 N). Cost: N (3 N + 1) multiply instructions. */
WEIR_HD void D_(mul_sum_plain)(D_T *r, const D_T *a, const D_T *b, const D_T *c, const D_T *d)
{
    uint32_t e[D_N], o[D_N];
    D_(row_first)(e, o, a->l, b->l[0]);
    D_(row_add)(e, o, c->l, d->l[0]);
    D_(row_reduce)(e, o);
    WEIR_UNROLL
    for (int i = 1; i < D_N - 1; i += 2) {
        D_(row_shift)(o, e, a->l, b->l[i]);
        D_(row_add)(o, e, c->l, d->l[i]);
        D_(row_reduce)(o, e);
        D_(row_shift)(e, o, a->l, b->l[i + 1]);
        D_(row_add)(e, o, c->l, d->l[i + 1]);
        D_(row_reduce)(e, o);
    }
    D_(row_shift)(o, e, a->l, b->l[D_N - 1]);
    D_(row_add)(o, e, c->l, d->l[D_N - 1]);
    D_(row_reduce)(o, e);
    D_(rows_join)(r, o, e);
}
#endif
