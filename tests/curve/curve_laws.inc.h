/* Group laws, an include-template over the names of curve/ec.inc.h and
 *   L_RANDOM_FIELD(g, r)   a random coordinate
 *   L_RANDOM_POINT(g)      a random point of the curve, affine
 */

/* p in other coordinates: (X l^2, Y l^3, Z l). */
static E_JAC E_(rescaled)(tk_rng *g, const E_JAC *p)
{
    E_FIELD l, ll;
    E_JAC r;
    L_RANDOM_FIELD(g, &l);
    F_(sqr)(&ll, &l);
    F_(mul)(&r.x, &p->x, &ll);
    F_(mul)(&ll, &ll, &l);
    F_(mul)(&r.y, &p->y, &ll);
    F_(mul)(&r.z, &p->z, &l);
    return r;
}

static E_JAC E_(jac)(tk_rng *g, const E_AFF *p)
{
    E_JAC r;
    E_(from_affine)(&r, p);
    return E_(rescaled)(g, &r);
}

/* p + q by the textbook's chord and tangent. */
static E_AFF E_(chord)(const E_AFF *p, const E_AFF *q)
{
    E_AFF r, inf;
    E_FIELD m, d;
    E_(affine_set_infinity)(&inf);
    if (E_(affine_is_infinity)(p)) return *q;
    if (E_(affine_is_infinity)(q)) return *p;
    if (F_(eq)(&p->x, &q->x)) {
        if (!F_(eq)(&p->y, &q->y)) return inf;
        F_(sqr)(&d, &p->x);
        F_(dbl)(&m, &d);
        F_(add)(&m, &m, &d);
        F_(dbl)(&d, &p->y);
    } else {
        F_(sub)(&m, &q->y, &p->y);
        F_(sub)(&d, &q->x, &p->x);
    }
    E_INV(&d, &d);
    F_(mul)(&m, &m, &d);
    F_(sqr)(&r.x, &m);
    F_(sub)(&r.x, &r.x, &p->x);
    F_(sub)(&r.x, &r.x, &q->x);
    F_(sub)(&r.y, &p->x, &r.x);
    F_(mul)(&r.y, &r.y, &m);
    F_(sub)(&r.y, &r.y, &p->y);
    return r;
}

static void E_(assert_is)(const E_JAC *got, const E_AFF *want)
{
    E_AFF a;
    E_(to_affine)(&a, got);
    assert_true(E_(affine_eq)(&a, want));
    assert_int_equal(E_(is_infinity)(got), E_(affine_is_infinity)(want));
}

/* Every addition of p and q, in place as well, against the textbook. */
static void E_(add_all_ways)(tk_rng *g, const E_AFF *p, const E_AFF *q)
{
    E_AFF want = E_(chord)(p, q);
    E_JAC a = E_(jac)(g, p), b = E_(jac)(g, q), r;
    E_(add)(&r, &a, &b);
    E_(assert_is)(&r, &want);
    E_(add)(&r, &b, &a);
    E_(assert_is)(&r, &want);
    E_(madd)(&r, &a, q);
    E_(assert_is)(&r, &want);
    r = a;
    E_(add)(&r, &r, &b);
    E_(assert_is)(&r, &want);
    r = b;
    E_(add)(&r, &a, &r);
    E_(assert_is)(&r, &want);
    E_(madd)(&a, &a, q);
    E_(assert_is)(&a, &want);
    assert_true(E_(eq)(&a, &r));
}

static void E_(laws)(tk_rng *g, int rounds)
{
    E_AFF inf;
    E_(affine_set_infinity)(&inf);
    for (int i = 0; i < rounds; i++) {
        E_AFF p = L_RANDOM_POINT(g), q = L_RANDOM_POINT(g), s = L_RANDOM_POINT(g), minus, want;
        E_(affine_neg)(&minus, &p);
        E_(add_all_ways)(g, &p, &q);
        E_(add_all_ways)(g, &p, &p);
        E_(add_all_ways)(g, &p, &minus);
        E_(add_all_ways)(g, &p, &inf);
        E_(add_all_ways)(g, &inf, &p);
        E_(add_all_ways)(g, &inf, &inf);

        E_JAC a = E_(jac)(g, &p), b = E_(jac)(g, &q), c = E_(jac)(g, &s), l, r;
        want = E_(chord)(&p, &p);
        E_(dbl)(&l, &a);
        E_(assert_is)(&l, &want);
        r = a;
        E_(add)(&r, &r, &r);
        assert_true(E_(eq)(&l, &r));
        r = a;
        E_(dbl)(&r, &r);
        assert_true(E_(eq)(&l, &r));
        /* associativity */
        E_(add)(&l, &a, &b);
        E_(add)(&l, &l, &c);
        E_(add)(&r, &b, &c);
        E_(add)(&r, &a, &r);
        assert_true(E_(eq)(&l, &r));
        /* equality */
        E_(neg)(&r, &a);
        E_(assert_is)(&r, &minus);
        assert_false(E_(eq)(&a, &r));
        assert_false(E_(eq)(&a, &b));
        r = E_(rescaled)(g, &a);
        assert_true(E_(eq)(&a, &r));
        E_(set_infinity)(&r);
        assert_false(E_(eq)(&a, &r));
        assert_false(E_(eq)(&r, &a));
        l = E_(rescaled)(g, &r);
        assert_true(E_(eq)(&l, &r));
        E_(dbl)(&l, &r);
        E_(assert_is)(&l, &inf);
        E_(affine_neg)(&want, &inf);
        assert_true(E_(affine_is_infinity)(&want));
    }
}
