/* The group law of kernels against the host's, an include-template of test_gpu_ec.c.
 *
 * Before including, define
 *   T_(name)   the prefix of what is made here
 *   E_(name), E_AFF, E_JAC    the host's curve; F_(name), F_FIELD, F_INV its coordinate field
 *   G_(name), G_AFF, G_XYZZ   that of kernels; GF_(name), G_FIELD its coordinate field
 *   T_IN(d, h), T_LIFT(g, d), T_IS(d, h)   a coordinate to the device's form; another representation; comparison
 *   T_GENERATOR
 */

enum { T_(POINTS) = 40 };

/* Random points, their doubles, negatives, and infinity. */
typedef struct T_(set) {
    E_AFF p[T_(POINTS)];
} T_(set);

static void T_(make)(T_(set) * s, tk_rng *g)
{
    E_JAC acc;
    E_(from_affine)(&acc, T_GENERATOR);
    for (int i = 0; i < T_(POINTS); i++) {
        for (uint64_t k = 1 + tk_below(g, 5); k > 0; k--) {
            E_(dbl)(&acc, &acc);
            if (tk_below(g, 2)) E_(madd)(&acc, &acc, T_GENERATOR);
        }
        E_(to_affine)(&s->p[i], &acc);
    }
    for (int i = 0; i < 5; i++) E_(affine_neg)(&s->p[i], &s->p[i + 5]);
    for (int i = 10; i < 14; i++) {
        E_(from_affine)(&acc, &s->p[i + 5]);
        E_(dbl)(&acc, &acc);
        E_(to_affine)(&s->p[i], &acc);
    }
    E_(affine_set_infinity)(&s->p[20]);
    E_(affine_set_infinity)(&s->p[21]);
}

/* A pair for an addition: often equal or opposite. */
static void T_(pair)(const T_(set) * s, tk_rng *g, E_AFF *p, E_AFF *q)
{
    *p = s->p[tk_below(g, T_(POINTS))];
    *q = s->p[tk_below(g, T_(POINTS))];
    uint64_t kind = tk_below(g, 8);
    if (kind == 0) *q = *p;
    if (kind == 1) E_(affine_neg)(q, p);
}

/* Infinity keeps its zero limbs; other coordinates take any representation. */
static void T_(affine_in)(G_AFF *d, const E_AFF *h, tk_rng *g)
{
    T_IN(&d->x, &h->x);
    T_IN(&d->y, &h->y);
    if (E_(affine_is_infinity)(h)) return;
    T_LIFT(g, &d->x);
    T_LIFT(g, &d->y);
}

/* (x z^2, y z^3, z^2, z^3) for a random z, or infinity with whatever X and Y. */
static void T_(xyzz_in)(G_XYZZ *d, const E_AFF *h, tk_rng *g)
{
    F_FIELD z, zz, zzz, x, y;
    T_RANDOM(g, &z);
    F_(sqr)(&zz, &z);
    F_(mul)(&zzz, &zz, &z);
    F_(mul)(&x, &h->x, &zz);
    F_(mul)(&y, &h->y, &zzz);
    if (E_(affine_is_infinity)(h)) {
        x = z;
        y = zz;
        F_(set_zero)(&zz);
        F_(set_zero)(&zzz);
    }
    T_IN(&d->x, &x);
    T_IN(&d->y, &y);
    T_IN(&d->zz, &zz);
    T_IN(&d->zzz, &zzz);
    T_LIFT(g, &d->x);
    T_LIFT(g, &d->y);
    if (E_(affine_is_infinity)(h)) return;
    T_LIFT(g, &d->zz);
    T_LIFT(g, &d->zzz);
}

static void T_(affine_is)(const G_AFF *d, const E_AFF *h)
{
    assert_true(G_(affine_is_infinity)(d) == E_(affine_is_infinity)(h));
    T_IS(&d->x, &h->x);
    T_IS(&d->y, &h->y);
}

/* By both conversions. */
static void T_(xyzz_is)(const G_XYZZ *d, const E_AFF *h)
{
    G_AFF a;
    G_(to_affine)(&a, d);
    T_(affine_is)(&a, h);
    G_FIELD x, y, z;
    E_JAC j;
    E_AFF b;
    G_(to_jacobian)(&x, &y, &z, d);
    memcpy(&j.x, &x, sizeof j.x);
    memcpy(&j.y, &y, sizeof j.y);
    memcpy(&j.z, &z, sizeof j.z);
    E_(to_affine)(&b, &j);
    assert_true(E_(affine_eq)(&b, h));
}

static void T_(sum)(E_AFF *r, const E_AFF *p, const E_AFF *q)
{
    E_JAC t;
    E_(from_affine)(&t, p);
    E_(madd)(&t, &t, q);
    E_(to_affine)(r, &t);
}

static void T_(test_xyzz)(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    T_(set) s;
    T_(make)(&s, &g);
    for (int i = 0; i < KIT_CASES; i++) {
        E_AFF p, q, want, twice;
        T_(pair)(&s, &g, &p, &q);
        T_(sum)(&want, &p, &q);
        T_(sum)(&twice, &p, &p);
        G_XYZZ a, b, r, t;
        G_AFF c;
        T_(xyzz_in)(&a, &p, &g);
        T_(xyzz_in)(&b, &q, &g);
        T_(affine_in)(&c, &q, &g);
        G_(madd)(&r, &a, &c);
        t = a, G_(madd)(&t, &t, &c), kit_same(&t, &r);
        T_(xyzz_is)(&r, &want);
        G_(add)(&r, &a, &b);
        T_(xyzz_is)(&r, &want);
        t = a, G_(add)(&t, &t, &b), kit_same(&t, &r);
        t = b, G_(add)(&t, &a, &t), kit_same(&t, &r);
        G_(dbl)(&r, &a);
        T_(xyzz_is)(&r, &twice);
        t = a, G_(dbl)(&t, &t), kit_same(&t, &r);
        t = a, G_(add)(&t, &t, &t);
        T_(xyzz_is)(&t, &twice);
        G_(from_affine)(&t, &c);
        T_(xyzz_is)(&t, &q);
    }
}

/* A long sum in one accumulator: what an addition leaves is fit for the next. */
static void T_(test_chain)(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    T_(set) s;
    T_(make)(&s, &g);
    E_JAC want;
    G_XYZZ r;
    G_(set_infinity)(&r);
    E_(set_infinity)(&want);
    for (int i = 0; i < KIT_CASES; i++) {
        E_AFF p = s.p[tk_below(&g, T_(POINTS))], m;
        G_AFF d;
        bool negate = tk_below(&g, 2);
        T_(affine_in)(&d, &p, &g);
        G_(affine_neg_if)(&d, &d, negate);
        G_(madd)(&r, &r, &d);
        E_(affine_neg)(&m, &p);
        E_(madd)(&want, &want, negate ? &m : &p);
    }
    E_AFF w;
    E_(to_affine)(&w, &want);
    T_(xyzz_is)(&r, &w);
}

static void T_(test_affine_pairs)(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    T_(set) s;
    T_(make)(&s, &g);
    unsigned seen = 0;
    for (int i = 0; i < KIT_CASES; i++) {
        E_AFF p, q, want;
        G_AFF a, b, r;
        T_(pair)(&s, &g, &p, &q);
        T_(sum)(&want, &p, &q);
        T_(affine_in)(&a, &p, &g);
        T_(affine_in)(&b, &q, &g);
        G_FIELD d, inv;
        uint32_t kind = G_(pair_denominator)(&d, &a, &b);
        assert_false(GF_(is_zero)(&d));
        GF_(inv)(&inv, &d);
        seen |= 1u << kind;
        G_(pair_finish)(&r, &a, &b, kind, &inv);
        T_(affine_is)(&r, &want);
        G_AFF t = a;
        G_(pair_finish)(&t, &t, &b, kind, &inv), kit_same(&t, &r);
        t = b;
        G_(pair_finish)(&t, &a, &t, kind, &inv), kit_same(&t, &r);
    }
    assert_int_equal(seen, 0x1f);
}
