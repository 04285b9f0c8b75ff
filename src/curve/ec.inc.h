/* Group law of y^2 = x^3 + b (a = 0) on Jacobian and affine points, an include-template.
 *
 * Before including, define (ec_g1.inc.h and ec_g2.inc.h do)
 *   E_(name)  the function prefix, for example g1_##name
 *   F_(name)  the prefix of the coordinate field, for example fp_##name
 *   E_FIELD   the coordinate type; E_JAC, E_AFF the point types
 *   E_INV     the inversion of the coordinate field
 *   E_SQR_IS_CHEAP  1 where a squaring costs clearly less than a product and some additions, else 0
 *
 * Contract of all routines: coordinates reduced in and out; the result may be the same object as any input;
 * every special case (infinity, equal, opposite) is handled unless said otherwise. Variable time. The curve's b
 * is not used, so points of a wrong curve give results that mean nothing but do no harm.
 * Counts: M product, S squaring, A addition, subtraction or doubling in the coordinate field.
 * Source: Bernstein and Lange, Explicit-Formulas Database (EFD), "short Weierstrass, Jacobian, a = 0".
 *
 * The big formulas are functions, not inlined: a product is a call anyway, and code size counts in hot loops.
 */
#define E_FORMULA static __attribute__((noinline, unused)) void

static inline void E_(set_infinity)(E_JAC *r)
{
    F_(set_one)(&r->x);
    F_(set_one)(&r->y);
    F_(set_zero)(&r->z);
}

static inline bool E_(is_infinity)(const E_JAC *p)
{
    return F_(is_zero)(&p->z);
}

static inline void E_(affine_set_infinity)(E_AFF *r)
{
    F_(set_zero)(&r->x);
    F_(set_zero)(&r->y);
}

static inline void E_(from_affine)(E_JAC *r, const E_AFF *p)
{
    if (E_(affine_is_infinity)(p)) {
        E_(set_infinity)(r);
        return;
    }
    r->x = p->x;
    r->y = p->y;
    F_(set_one)(&r->z);
}

static inline void E_(neg)(E_JAC *r, const E_JAC *p)
{
    r->x = p->x;
    F_(neg)(&r->y, &p->y);
    r->z = p->z;
}

/* Infinity (0, 0) stays itself, because -0 = 0. */
static inline void E_(affine_neg)(E_AFF *r, const E_AFF *p)
{
    r->x = p->x;
    F_(neg)(&r->y, &p->y);
}

static inline bool E_(affine_eq)(const E_AFF *p, const E_AFF *q)
{
    return F_(eq)(&p->x, &q->x) && F_(eq)(&p->y, &q->y);
}

/* r = 2ab, where aa = a^2 and bb = b^2 are known: one squaring and three additions, or one product. */
static inline void E_(twice_product)(E_FIELD *r, const E_FIELD *a, const E_FIELD *b,
                                     const E_FIELD *aa, const E_FIELD *bb)
{
#if E_SQR_IS_CHEAP
    F_(add)(r, a, b);
    F_(sqr)(r, r);
    F_(sub)(r, r, aa);
    F_(sub)(r, r, bb);
#else
    (void)aa;
    (void)bb;
    F_(mul)(r, a, b);
    F_(dbl)(r, r);
#endif
}

/* r = 2p. EFD dbl-2009-l: 2M + 5S + 14A (3M + 4S + 12A where squarings are not cheap).
 * Infinity: Z = 0 gives Z = 0. No point of order two lies on the curves this is used for. */
E_FORMULA E_(dbl)(E_JAC *r, const E_JAC *p)
{
    E_FIELD a, b, c, d, e, f;
    F_(sqr)(&a, &p->x);
    F_(sqr)(&b, &p->y);
    F_(sqr)(&c, &b);
    E_(twice_product)(&d, &p->x, &b, &a, &c);
    F_(dbl)(&d, &d);
    F_(dbl)(&e, &a);
    F_(add)(&e, &e, &a);
    F_(sqr)(&f, &e);
    F_(mul)(&r->z, &p->y, &p->z);
    F_(dbl)(&r->z, &r->z);
    F_(sub)(&f, &f, &d);
    F_(sub)(&r->x, &f, &d);
    F_(sub)(&d, &d, &r->x);
    F_(mul)(&d, &d, &e);
    F_(dbl)(&c, &c);
    F_(dbl)(&c, &c);
    F_(dbl)(&c, &c);
    F_(sub)(&r->y, &d, &c);
}

/* The shared end of both additions. u, s: X and Y of p over the common denominator; h and r2: the differences
 * of q's X to u and, doubled, of q's Y to s; hh = h^2. With I = 4 hh, J = h I, V = u I:
 * X3 = r2^2 - J - 2V, Y3 = r2 (V - X3) - 2 s J. The caller sets Z3. */
static inline void E_(add_tail)(E_JAC *out, const E_FIELD *u, const E_FIELD *s, const E_FIELD *h,
                                const E_FIELD *hh, const E_FIELD *r2)
{
    E_FIELD i, j, v, t;
    F_(dbl)(&i, hh);
    F_(dbl)(&i, &i);
    F_(mul)(&j, h, &i);
    F_(mul)(&v, u, &i);
    F_(mul)(&t, s, &j);
    F_(dbl)(&t, &t);
    F_(sqr)(&i, r2);
    F_(sub)(&i, &i, &j);
    F_(sub)(&i, &i, &v);
    F_(sub)(&out->x, &i, &v);
    F_(sub)(&v, &v, &out->x);
    F_(mul)(&v, &v, r2);
    F_(sub)(&out->y, &v, &t);
}

/* r = p + q. EFD add-2007-bl: 11M + 5S. Infinity on a side copies the other; equal points go to dbl; opposite
 * points give infinity. */
E_FORMULA E_(add)(E_JAC *r, const E_JAC *p, const E_JAC *q)
{
    if (E_(is_infinity)(p)) {
        *r = *q;
        return;
    }
    if (E_(is_infinity)(q)) {
        *r = *p;
        return;
    }
    E_FIELD zz1, zz2, u1, u2, s1, s2, hh, z;
    F_(sqr)(&zz1, &p->z);
    F_(sqr)(&zz2, &q->z);
    F_(mul)(&u1, &p->x, &zz2);
    F_(mul)(&u2, &q->x, &zz1);
    F_(mul)(&s1, &p->y, &q->z);
    F_(mul)(&s1, &s1, &zz2);
    F_(mul)(&s2, &q->y, &p->z);
    F_(mul)(&s2, &s2, &zz1);
    F_(sub)(&u2, &u2, &u1);
    F_(sub)(&s2, &s2, &s1);
    if (F_(is_zero)(&u2)) {
        if (F_(is_zero)(&s2))
            E_(dbl)(r, p);
        else
            E_(set_infinity)(r);
        return;
    }
    E_(twice_product)(&z, &p->z, &q->z, &zz1, &zz2);
    F_(mul)(&r->z, &z, &u2);
    F_(sqr)(&hh, &u2);
    F_(dbl)(&s2, &s2);
    E_(add_tail)(r, &u1, &s1, &u2, &hh, &s2);
}

/* r = p + q, q affine. EFD madd-2007-bl: 7M + 4S. Infinity on a side copies the other; equal points go to dbl;
 * opposite points give infinity. */
E_FORMULA E_(madd)(E_JAC *r, const E_JAC *p, const E_AFF *q)
{
    if (E_(affine_is_infinity)(q)) {
        *r = *p;
        return;
    }
    if (E_(is_infinity)(p)) {
        E_(from_affine)(r, q);
        return;
    }
    E_FIELD zz, h, hh, s, z, u1 = p->x, s1 = p->y;
    F_(sqr)(&zz, &p->z);
    F_(mul)(&h, &q->x, &zz);
    F_(mul)(&s, &q->y, &p->z);
    F_(mul)(&s, &s, &zz);
    F_(sub)(&h, &h, &u1);
    F_(sub)(&s, &s, &s1);
    if (F_(is_zero)(&h)) {
        if (F_(is_zero)(&s))
            E_(dbl)(r, p);
        else
            E_(set_infinity)(r);
        return;
    }
    F_(sqr)(&hh, &h);
    E_(twice_product)(&z, &p->z, &h, &zz, &hh);
    r->z = z;
    F_(dbl)(&s, &s);
    E_(add_tail)(r, &u1, &s1, &h, &hh, &s);
}

/* True if p and q are the same point. 6M + 2S. */
static inline bool E_(eq)(const E_JAC *p, const E_JAC *q)
{
    if (E_(is_infinity)(p) || E_(is_infinity)(q)) return E_(is_infinity)(p) && E_(is_infinity)(q);
    E_FIELD zz1, zz2, a, b;
    F_(sqr)(&zz1, &p->z);
    F_(sqr)(&zz2, &q->z);
    F_(mul)(&a, &p->x, &zz2);
    F_(mul)(&b, &q->x, &zz1);
    if (!F_(eq)(&a, &b)) return false;
    F_(mul)(&zz1, &zz1, &p->z);
    F_(mul)(&zz2, &zz2, &q->z);
    F_(mul)(&a, &p->y, &zz2);
    F_(mul)(&b, &q->y, &zz1);
    return F_(eq)(&a, &b);
}

/* r = (X zi^2, Y zi^3), where zi = 1/Z. 3M + 1S. In: p not infinity. */
static inline void E_(scale_by_inverse)(E_AFF *r, const E_JAC *p, const E_FIELD *zi)
{
    E_FIELD zz;
    F_(sqr)(&zz, zi);
    F_(mul)(&r->x, &p->x, &zz);
    F_(mul)(&zz, &zz, zi);
    F_(mul)(&r->y, &p->y, &zz);
}

/* One inversion, 3M + 1S. Infinity gives (0, 0). */
E_FORMULA E_(to_affine)(E_AFF *r, const E_JAC *p)
{
    if (E_(is_infinity)(p)) {
        E_(affine_set_infinity)(r);
        return;
    }
    E_FIELD zi;
    E_INV(&zi, &p->z);
    E_(scale_by_inverse)(r, p, &zi);
}

#undef E_FORMULA
