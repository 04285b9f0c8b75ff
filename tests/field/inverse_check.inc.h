/* Checks of the inner functions of inversion, an include-template of test_inverse.c. Before including, define
 * C_(name) (the prefix of divsteps.inc.h), C_N (64-bit limbs), C_L (62-bit limbs) and C_FIELD (the prime_path). */

/* a + 2 m as an integer of C_N + 1 limbs. False if it is not in (0, 3 m), that is a not in (-2m, m). */
static bool C_(shifted)(uint64_t out[C_N + 1], const C_(long) * a, const C_(long) * m)
{
    uint64_t modulus[C_N + 1] = {0}, limit[C_N + 1];
    int64_t carry = 0, limbs[C_L];
    for (int i = 0; i < C_L; i++) {
        __int128 x = (__int128)a->v[i] + 2 * (__int128)m->v[i] + carry;
        carry = (int64_t)(x >> 62);
        limbs[i] = (int64_t)((uint64_t)x & MASK62);
    }
    if (carry < 0) return false;
    memset(out, 0, 8 * (C_N + 1));
    for (int bit = 0; bit < 62 * C_L && bit < 64 * (C_N + 1); bit++)
        out[bit / 64] |= (uint64_t)((limbs[bit / 62] >> (bit % 62)) & 1) << (bit % 64);
    memcpy(modulus, C_FIELD->modulus, 8 * C_N);
    big_add(limit, modulus, modulus, C_N + 1);
    big_add(limit, limit, modulus, C_N + 1);
    const uint64_t zero[C_N + 1] = {0};
    return big_cmp(out, zero, C_N + 1) > 0 && big_cmp(out, limit, C_N + 1) < 0;
}

/* An element of (-2m, m): the ends, some values between, and random ones. */
static void C_(pick)(C_(long) * a, const C_(long) * m, tk_rng *g)
{
    C_(long) x = {{0}};
    uint64_t l[C_N];
    unsigned kind = (unsigned)tk_below(g, 8), twice = (unsigned)tk_below(g, 3);
    if (kind < 3) { /* 1, 2, 3 */
        x.v[0] = kind + 1;
    } else if (kind < 6) { /* m - 1, m - 2, m - 3 */
        x = *m;
        x.v[0] -= kind - 2;
    } else {
        do {
            tk_bytes(g, l, sizeof l);
            l[C_N - 1] %= C_FIELD->modulus[C_N - 1] + 1;
        } while (big_cmp(l, C_FIELD->modulus, C_N) >= 0);
        C_(split)(&x, l);
    }
    int64_t carry = 0; /* x - twice * m */
    for (int i = 0; i < C_L; i++) {
        int64_t y = x.v[i] - (int64_t)twice * m->v[i] + carry;
        carry = y >> 62;
        a->v[i] = i + 1 < C_L ? y & (int64_t)MASK62 : y;
    }
}

/* r = u a + v b mod m for integers modulo m. */
static void C_(combine)(uint64_t *r, int64_t u, const uint64_t *a, int64_t v, const uint64_t *b)
{
    const uint64_t *m = C_FIELD->modulus, zero[C_N] = {0};
    uint64_t x[C_N] = {(uint64_t)llabs(u)}, y[C_N] = {(uint64_t)llabs(v)};
    big_mul_mod(x, x, a, m, C_N);
    big_mul_mod(y, y, b, m, C_N);
    if (u < 0) big_sub_mod(x, zero, x, m, C_N);
    if (v < 0) big_sub_mod(y, zero, y, m, C_N);
    big_add_mod(r, x, y, m, C_N);
}

/* One row: 2^62 a' = u d + v e mod m and a' in its range. */
static void C_(check_row)(const C_(long) * got, int64_t u, const C_(long) * d, int64_t v,
                          const C_(long) * e, const C_(long) * m)
{
    uint64_t w[C_N + 1], x[C_N], y[C_N], left[C_N], right[C_N];
    const uint64_t zero[C_N] = {0};
    assert_true(C_(shifted)(w, d, m));
    big_mod(x, w, C_N + 1, C_FIELD->modulus, C_N);
    assert_true(C_(shifted)(w, e, m));
    big_mod(y, w, C_N + 1, C_FIELD->modulus, C_N);
    C_(combine)(right, u, x, v, y);
    if (!C_(shifted)(w, got, m)) fail_msg("result out of (-2m, m)");
    big_mod(x, w, C_N + 1, C_FIELD->modulus, C_N);
    C_(combine)(left, INT64_C(1) << 62, x, 0, zero);
    assert_limbs(left, right, C_N, "2^62 d' = u d + v e");
}

static void C_(check_apply_mod)(void)
{
    tk_rng g = tk_rng_new();
    C_(long) m;
    C_(split)(&m, C_FIELD->modulus);
    for (int i = 0; i < 5000; i++) {
        C_(long) d, e, d0, e0;
        steps t;
        C_(pick)(&d, &m, &g);
        C_(pick)(&e, &m, &g);
        pick_row(&t.u, &t.v, &g);
        pick_row(&t.q, &t.r, &g);
        d0 = d;
        e0 = e;
        C_(apply_mod)(&d, &e, &m, &t);
        C_(check_row)(&d, t.u, &d0, t.v, &e0, &m);
        C_(check_row)(&e, t.q, &d0, t.r, &e0, &m);
        /* into [0, m), with either sign */
        uint64_t w[C_N + 1], want[C_N], got[C_N];
        const uint64_t zero[C_N] = {0};
        assert_true(C_(shifted)(w, &d, &m));
        big_mod(want, w, C_N + 1, C_FIELD->modulus, C_N);
        if (i % 2) big_sub_mod(want, zero, want, C_FIELD->modulus, C_N);
        C_(normalize)(&d, &m, i % 2);
        for (int j = 0; j < C_L; j++) assert_true((uint64_t)d.v[j] <= MASK62);
        C_(join)(got, &d);
        assert_limbs(got, want, C_N, "normalize");
    }
}

static void C_(check_split)(void)
{
    for (size_t bit = 0; bit < 64 * C_N; bit++) {
        uint64_t l[C_N] = {0}, back[C_N];
        C_(long) a;
        l[bit / 64] = (uint64_t)1 << (bit % 64);
        C_(split)(&a, l);
        for (size_t i = 0; i < C_L; i++)
            assert_true(a.v[i] == (i == bit / 62 ? INT64_C(1) << (bit % 62) : 0));
        C_(join)(back, &a);
        assert_limbs(back, l, C_N, "join of split");
    }
}
