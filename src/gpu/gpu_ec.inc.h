/* Group law of y^2 = x^3 + b (a = 0) in kernels: XYZZ accumulators and batches of affine additions, an
 * include-template.
 *
 * Before including, define
 *   G_(name)   the function prefix, for example dg1_##name; F_(name) that of the coordinate field
 *   G_FIELD, G_AFF, G_XYZZ   the types
 *
 * Contract: coordinates below 2p in and out; the result may be the same object as any input; every special case
 * (infinity, equal, opposite) is handled. b is not used. No point of order two lies on the curves this is used for.
 * Counts: M product, S squaring, W two products with one reduction (mul_sub).
 * Source: EFD, "short Weierstrass, XYZZ": madd-2008-s, add-2008-s, dbl-2008-s-1, mdbl-2008-s-1.
 */

WEIR_HD void G_(set_infinity)(G_XYZZ *r)
{
    F_(set_zero)(&r->x);
    F_(set_zero)(&r->y);
    F_(set_zero)(&r->zz);
    F_(set_zero)(&r->zzz);
}

WEIR_HD bool G_(is_infinity)(const G_XYZZ *p)
{
    return F_(limbs_are_zero)(&p->zz);
}

WEIR_HD void G_(affine_set_infinity)(G_AFF *r)
{
    F_(set_zero)(&r->x);
    F_(set_zero)(&r->y);
}

WEIR_HD bool G_(affine_is_infinity)(const G_AFF *p)
{
    return F_(limbs_are_zero)(&p->x) && F_(limbs_are_zero)(&p->y);
}

WEIR_HD void G_(from_affine)(G_XYZZ *r, const G_AFF *p)
{
    if (G_(affine_is_infinity)(p)) {
        G_(set_infinity)(r);
        return;
    }
    r->x = p->x;
    r->y = p->y;
    F_(set_one)(&r->zz);
    F_(set_one)(&r->zzz);
}

/* r = negate ? -p : p. Infinity stays itself. */
WEIR_HD void G_(affine_neg_if)(G_AFF *r, const G_AFF *p, bool negate)
{
    G_FIELD y;
    F_(neg)(&y, &p->y);
    r->x = p->x;
    F_(select)(&r->y, negate, &y, &p->y);
}

/* The end of both doublings: X3 = M^2 - 2S, Y3 = M (S - X3) - W Y, where S = X V, M = 3 X^2. */
WEIR_HD void G_(dbl_tail)(G_XYZZ *r, const G_FIELD *x, const G_FIELD *y, const G_FIELD *v,
                          const G_FIELD *w)
{
    G_FIELD s, m, t;
    F_(mul)(&s, x, v);
    F_(sqr)(&m, x);
    F_(triple)(&m, &m);
    F_(sqr)(&t, &m);
    F_(sub)(&t, &t, &s);
    F_(sub)(&t, &t, &s);
    F_(sub)(&s, &s, &t);
    F_(mul_sub)(&r->y, &m, &s, w, y);
    r->x = t;
}

/* r = 2p. mdbl-2008-s-1: 2M + 3S + 1W. In: p not infinity. A call, since hardly any addition comes here; the caller
 * passes copies, so that its own values stay in registers. */
WEIR_HD_CALL void G_(mdbl)(G_XYZZ *r, const G_AFF *p)
{
    G_FIELD u, v, w;
    G_AFF q = *p;
    F_(dbl)(&u, &q.y);
    F_(sqr)(&v, &u);
    F_(mul)(&w, &u, &v);
    G_(dbl_tail)(r, &q.x, &q.y, &v, &w);
    r->zz = v;
    r->zzz = w;
}

/* r = 2p. dbl-2008-s-1: 4M + 3S + 1W. */
WEIR_HD_CALL void G_(dbl)(G_XYZZ *r, const G_XYZZ *p)
{
    G_FIELD u, v, w;
    if (G_(is_infinity)(p)) {
        *r = *p;
        return;
    }
    G_XYZZ q = *p;
    F_(dbl)(&u, &q.y);
    F_(sqr)(&v, &u);
    F_(mul)(&w, &u, &v);
    G_(dbl_tail)(r, &q.x, &q.y, &v, &w);
    F_(mul)(&r->zz, &v, &q.zz);
    F_(mul)(&r->zzz, &w, &q.zzz);
}

/* The shared end of both additions. x, y: the first point's X, Y over the common denominator; d, n: the differences
 * of the second's X and Y to them. With PP = d^2, PPP = d PP, Q = x PP: X3 = n^2 - PPP - 2Q, Y3 = n (Q - X3) - y PPP.
 * Leaves PP and PPP for ZZ and ZZZ. 2M + 2S + 1W. */
WEIR_HD void G_(add_tail)(G_FIELD *x3, G_FIELD *y3, G_FIELD *pp, G_FIELD *ppp, const G_FIELD *x,
                          const G_FIELD *y, const G_FIELD *d, const G_FIELD *n)
{
    G_FIELD q, t;
    F_(sqr)(pp, d);
    F_(mul)(ppp, d, pp);
    F_(mul)(&q, x, pp);
    F_(sqr)(&t, n);
    F_(sub)(&t, &t, ppp);
    F_(sub)(&t, &t, &q);
    F_(sub)(&t, &t, &q);
    F_(sub)(&q, &q, &t);
    F_(mul_sub)(y3, n, &q, ppp, y);
    *x3 = t;
}

/* r = p + q, q affine. madd-2008-s: 6M + 2S + 1W. Infinity on a side copies the other; equal points go to mdbl;
 * opposite points give infinity. */
WEIR_HD void G_(madd)(G_XYZZ *r, const G_XYZZ *p, const G_AFF *q)
{
    if (G_(affine_is_infinity)(q)) {
        *r = *p;
        return;
    }
    if (G_(is_infinity)(p)) {
        G_(from_affine)(r, q);
        return;
    }
    G_FIELD d, n, pp, ppp;
    F_(mul)(&d, &q->x, &p->zz);
    F_(sub)(&d, &d, &p->x);
    F_(mul)(&n, &q->y, &p->zzz);
    F_(sub)(&n, &n, &p->y);
    if (F_(is_zero)(&d)) {
        if (F_(is_zero)(&n)) {
            G_AFF copy = *q;
            G_XYZZ twice;
            G_(mdbl)(&twice, &copy);
            *r = twice;
        } else {
            G_(set_infinity)(r);
        }
        return;
    }
    G_(add_tail)(&r->x, &r->y, &pp, &ppp, &p->x, &p->y, &d, &n);
    F_(mul)(&r->zz, &p->zz, &pp);
    F_(mul)(&r->zzz, &p->zzz, &ppp);
}

/* r = p + q. add-2008-s: 12M + 2S, two of the products as 1W. Special cases as in madd. */
WEIR_HD void G_(add)(G_XYZZ *r, const G_XYZZ *p, const G_XYZZ *q)
{
    if (G_(is_infinity)(q)) {
        *r = *p;
        return;
    }
    if (G_(is_infinity)(p)) {
        *r = *q;
        return;
    }
    G_FIELD x, y, d, n, pp, ppp, zz, zzz;
    F_(mul)(&x, &p->x, &q->zz);
    F_(mul)(&d, &q->x, &p->zz);
    F_(sub)(&d, &d, &x);
    F_(mul)(&y, &p->y, &q->zzz);
    F_(mul)(&n, &q->y, &p->zzz);
    F_(sub)(&n, &n, &y);
    if (F_(is_zero)(&d)) {
        if (F_(is_zero)(&n)) {
            G_XYZZ copy = *p, twice;
            G_(dbl)(&twice, &copy);
            *r = twice;
        } else {
            G_(set_infinity)(r);
        }
        return;
    }
    F_(mul)(&zz, &p->zz, &q->zz);
    F_(mul)(&zzz, &p->zzz, &q->zzz);
    G_(add_tail)(&r->x, &r->y, &pp, &ppp, &x, &y, &d, &n);
    F_(mul)(&r->zz, &zz, &pp);
    F_(mul)(&r->zzz, &zzz, &ppp);
}

/* r = the affine point, coordinates below p. inv = 1/ZZZ; for infinity it is not used. 1/ZZ = (ZZ/ZZZ)^2: 3M + 1S. */
WEIR_HD void G_(to_affine_by)(G_AFF *r, const G_XYZZ *p, const G_FIELD *inv)
{
    if (G_(is_infinity)(p)) {
        G_(affine_set_infinity)(r);
        return;
    }
    G_FIELD t, x, y;
    F_(mul)(&t, &p->zz, inv);
    F_(sqr)(&t, &t);
    F_(mul)(&x, &p->x, &t);
    F_(mul)(&y, &p->y, inv);
    F_(reduce)(&r->x, &x);
    F_(reduce)(&r->y, &y);
}

/* The same with an inversion of its own. */
WEIR_HD void G_(to_affine)(G_AFF *r, const G_XYZZ *p)
{
    G_FIELD inv;
    F_(inv)(&inv, &p->zzz);
    G_(to_affine_by)(r, p, &inv);
}

/* (x, y, z) = Jacobian coordinates below p, without an inversion: (X ZZ^2, Y ZZZ^2, ZZZ); infinity has z = 0.
 * 2M + 2S. */
WEIR_HD void G_(to_jacobian)(G_FIELD *x, G_FIELD *y, G_FIELD *z, const G_XYZZ *p)
{
    G_FIELD t, s;
    F_(sqr)(&t, &p->zz);
    F_(mul)(&t, &t, &p->x);
    F_(sqr)(&s, &p->zzz);
    F_(mul)(&s, &s, &p->y);
    F_(reduce)(x, &t);
    F_(reduce)(y, &s);
    F_(reduce)(z, &p->zzz);
}

/* ---- batches of affine additions: r = p + q in two steps with an inversion of many denominators between. */

/* *d = what is to be inverted for p + q, never zero; returns the kind (weir_pair) for pair_finish. */
WEIR_HD uint32_t G_(pair_denominator)(G_FIELD *d, const G_AFF *p, const G_AFF *q)
{
    F_(set_one)(d);
    if (G_(affine_is_infinity)(p)) return WEIR_PAIR_TAKE_Q;
    if (G_(affine_is_infinity)(q)) return WEIR_PAIR_TAKE_P;
    G_FIELD t;
    F_(sub)(&t, &q->x, &p->x);
    if (!F_(is_zero)(&t)) {
        *d = t;
        return WEIR_PAIR_ADD;
    }
    if (!F_(eq)(&p->y, &q->y)) return WEIR_PAIR_INFINITY;
    F_(dbl)(d, &p->y);
    return WEIR_PAIR_DOUBLE;
}

/* r = p + q; inv = 1/d. 2M + 1S, 2M + 2S for a doubling. With s = (yq - yp) inv, or 3 xp^2 inv:
 * x = s^2 - xp - xq, y = s (xp - x) - yp. */
WEIR_HD void G_(pair_finish)(G_AFF *r, const G_AFF *p, const G_AFF *q, uint32_t kind,
                             const G_FIELD *inv)
{
    if (kind == WEIR_PAIR_TAKE_P) {
        *r = *p;
        return;
    }
    if (kind == WEIR_PAIR_TAKE_Q) {
        *r = *q;
        return;
    }
    if (kind == WEIR_PAIR_INFINITY) {
        G_(affine_set_infinity)(r);
        return;
    }
    G_FIELD s, x, t;
    F_(sub)(&s, &q->y, &p->y);
    if (kind == WEIR_PAIR_DOUBLE) {
        F_(sqr)(&s, &p->x);
        F_(triple)(&s, &s);
    }
    F_(mul)(&s, &s, inv);
    F_(sqr)(&x, &s);
    F_(sub)(&x, &x, &p->x);
    F_(sub)(&x, &x, &q->x);
    F_(sub)(&t, &p->x, &x);
    F_(mul)(&s, &s, &t);
    F_(sub)(&r->y, &s, &p->y);
    r->x = x;
}
