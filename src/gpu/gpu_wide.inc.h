/* Double-width products in registers, so that sums of them are reduced once; an include-template that follows
 * gpu_mont.inc.h and uses its names, and
 *   D_W   the double-width type, a struct with one array l of 2 D_N words
 *
 * Rows by parity as in gpu_mont.inc.h, but of full length: e[k] has weight k, o[k] weight k + 1.
 */

/* acc[0 .. 2 n - 1] += (a[0], a[2], ... n words) b, and the carry to acc[2 n], where less than all ones stands. */
WEIR_HD void D_(wide_row)(uint32_t *acc, const uint32_t *a, int n, uint32_t b)
{
    weir_carry c = 0;
    if (n == 0) return;
    acc[0] = limb_mad_lo_cc(a[0], b, acc[0], &c);
    acc[1] = limb_madc_hi_cc(a[0], b, acc[1], &c);
    WEIR_UNROLL
    for (int j = 1; j < n; j++) {
        acc[2 * j] = limb_madc_lo_cc(a[2 * j], b, acc[2 * j], &c);
        acc[2 * j + 1] = limb_madc_hi_cc(a[2 * j], b, acc[2 * j + 1], &c);
    }
    acc[2 * n] = limb_addc(acc[2 * n], 0, &c);
}

/* r = e + 2^32 o */
WEIR_HD void D_(wide_join)(D_W *r, const uint32_t *e, const uint32_t *o)
{
    weir_carry c = 0;
    r->l[0] = e[0];
    r->l[1] = limb_add_cc(e[1], o[0], &c);
    WEIR_UNROLL
    for (int i = 2; i < 2 * D_N - 1; i++) r->l[i] = limb_addc_cc(e[i], o[i - 1], &c);
    r->l[2 * D_N - 1] = limb_addc(e[2 * D_N - 1], o[2 * D_N - 2], &c);
}

/* r = a b, any words. Cost: N^2 multiply instructions. */
WEIR_HD void D_(wide_mul)(D_W *r, const D_T *a, const D_T *b)
{
    uint32_t e[2 * D_N + 2] = {0}, o[2 * D_N + 2] = {0};
    WEIR_UNROLL
    for (int i = 0; i < D_N; i += 2) {
        D_(wide_row)(e + i, a->l, D_N / 2, b->l[i]);
        D_(wide_row)(o + i, a->l + 1, D_N / 2, b->l[i]);
        D_(wide_row)(o + i, a->l, D_N / 2, b->l[i + 1]);
        D_(wide_row)(e + i + 2, a->l + 1, D_N / 2, b->l[i + 1]);
    }
    D_(wide_join)(r, e, o);
}

/* r = a^2, any words: products of different words once, doubled, and the squares of words.
 * Cost: N (N + 1) / 2 multiply instructions. */
WEIR_HD void D_(wide_sqr)(D_W *r, const D_T *a)
{
    uint32_t e[2 * D_N + 2] = {0}, o[2 * D_N + 2] = {0};
    WEIR_UNROLL
    for (int i = 0; i < D_N - 1; i++) {
        /* a_i a_j of weight i + j: j = i + 1, i + 3, ... odd; j = i + 2, i + 4, ... even */
        D_(wide_row)(o + 2 * i, a->l + i + 1, (D_N - i) / 2, a->l[i]);
        D_(wide_row)(e + 2 * i + 2, a->l + i + 2, (D_N - i - 1) / 2, a->l[i]);
    }
    D_W t;
    D_(wide_join)(&t, e, o);
    WEIR_UNROLL
    for (int i = 2 * D_N - 1; i > 0; i--) t.l[i] = (t.l[i] << 1) | (t.l[i - 1] >> 31);
    t.l[0] <<= 1;
    weir_carry c = 0;
    r->l[0] = limb_mad_lo_cc(a->l[0], a->l[0], t.l[0], &c);
    WEIR_UNROLL
    for (int i = 1; i < D_N; i++) {
        r->l[2 * i - 1] = limb_madc_hi_cc(a->l[i - 1], a->l[i - 1], t.l[2 * i - 1], &c);
        r->l[2 * i] = limb_madc_lo_cc(a->l[i], a->l[i], t.l[2 * i], &c);
    }
    r->l[2 * D_N - 1] = limb_madc_hi(a->l[D_N - 1], a->l[D_N - 1], t.l[2 * D_N - 1], &c);
}

/* r = a + b. In: the sum fits. */
WEIR_HD void D_(wide_add)(D_W *r, const D_W *a, const D_W *b)
{
    weir_carry c = 0;
    r->l[0] = limb_add_cc(a->l[0], b->l[0], &c);
    WEIR_UNROLL
    for (int i = 1; i < 2 * D_N - 1; i++) r->l[i] = limb_addc_cc(a->l[i], b->l[i], &c);
    r->l[2 * D_N - 1] = limb_addc(a->l[2 * D_N - 1], b->l[2 * D_N - 1], &c);
}

/* r = a - b modulo 2^(64 N): right where the result is known not to be negative, or is corrected later. */
WEIR_HD void D_(wide_sub)(D_W *r, const D_W *a, const D_W *b)
{
    weir_carry c = 0;
    r->l[0] = limb_sub_cc(a->l[0], b->l[0], &c);
    WEIR_UNROLL
    for (int i = 1; i < 2 * D_N - 1; i++) r->l[i] = limb_subc_cc(a->l[i], b->l[i], &c);
    r->l[2 * D_N - 1] = limb_subc(a->l[2 * D_N - 1], b->l[2 * D_N - 1], &c);
}

/* r = a + 2^(32 N) modulus if a is negative, as a two's complement number of 2 N words, else a: the same residue,
 * not negative. In: -2^(32 N) modulus <= a < 2^(64 N - 1). */
WEIR_HD void D_(wide_lift)(D_W *r, const D_W *a)
{
    const uint32_t p[D_N] = D_MODULUS;
    uint32_t mask = 0 - (a->l[2 * D_N - 1] >> 31);
    weir_carry c = 0;
    WEIR_UNROLL
    for (int i = 0; i < D_N; i++) r->l[i] = a->l[i];
    r->l[D_N] = limb_add_cc(a->l[D_N], p[0] & mask, &c);
    WEIR_UNROLL
    for (int i = 1; i < D_N - 1; i++) r->l[D_N + i] = limb_addc_cc(a->l[D_N + i], p[i] & mask, &c);
    r->l[2 * D_N - 1] = limb_addc_wrap(a->l[2 * D_N - 1], p[D_N - 1] & mask, &c);
}

/* r = a / 2^(32 N) mod modulus. In: a / 2^(32 N) + modulus < 2^(32 N). Out: r <= modulus + a / 2^(32 N).
 * Cost: N (N + 1) multiply instructions. */
WEIR_HD void D_(wide_reduce)(D_T *r, const D_W *a)
{
    const uint32_t p[D_N] = D_MODULUS;
    uint32_t e[D_N], o[D_N];
    weir_carry c = 0;
    WEIR_UNROLL
    for (int i = 0; i < D_N; i++) {
        e[i] = a->l[i];
        o[i] = 0;
    }
    D_(row_reduce)(e, o);
    WEIR_UNROLL
    for (int i = 1; i < D_N; i++) {
        /* the roles change with each step; x is the even row now */
        uint32_t *x = i & 1 ? o : e, *y = i & 1 ? e : o;
        x[0] = limb_add_cc(x[0], y[1], &c);
        uint32_t m = x[0] * D_N0;
        D_(row_odd_shifted)(y, p, m, &c);
        D_(row_even)(x, y, p, m);
    }
    D_(rows_join)(r, o, e);
    r->l[0] = limb_add_cc(r->l[0], a->l[D_N], &c);
    WEIR_UNROLL
    for (int i = 1; i < D_N - 1; i++) r->l[i] = limb_addc_cc(r->l[i], a->l[D_N + i], &c);
    r->l[D_N - 1] = limb_addc(r->l[D_N - 1], a->l[2 * D_N - 1], &c);
}
