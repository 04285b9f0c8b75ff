/* Points eight at a time, an include-template over the names of ec.inc.h (ec_g1.inc.h and ec_g2.inc.h) and
 *   V_(name), V_FIELD   the vector form of the coordinate field (fp_x8_, fp2_x8_) and its type
 *   N_(name)            its functions in lanes.h (fp_lanes_, fp2_lanes_)
 *
 * All lanes do the same. The formulas have no special cases: what they cannot add (equal or opposite points, infinity)
 * gives Z = 0, and from Z = 0 every formula makes Z = 0, so one look at the end finds the lanes whose result means nothing.
 *
 * Bounds (multiples of p, lanes.h): affine coordinates below 2; Jacobian X and Y below 18, Z below 4.
 * Source: as ec.inc.h.
 */

#define L_AFF E_(x8_affine)
typedef struct L_AFF {
    V_FIELD x, y;
} L_AFF;

#define L_JAC E_(x8)
typedef struct L_JAC {
    V_FIELD x, y, z;
} L_JAC;

/* p = 2p. dbl-2009-l with 2ab as a product. */
LANES_FN E_(x8_dbl)(L_JAC *p)
{
    V_FIELD a, b, c, d, e, f, z;
    N_(sqr2)(&a, &p->x, &b, &p->y);
    N_(mul_sqr)(&d, &p->x, &b, &c, &b);
    V_(lazy_add)(&e, &a, &a);
    V_(add)(&e, &e, &a); /* 6 */
    N_(mul_sqr)(&z, &p->y, &p->z, &f, &e);
    V_(lazy_add)(&d, &d, &d);
    V_(lazy_add)(&d, &d, &d); /* 8 */
    V_(lazy_add)(&a, &d, &d);
    V_(sub)(&p->x, &f, &a, 4); /* 2 + 16 */
    V_(sub)(&d, &d, &p->x, 5); /* 8 + 32 */
    N_(mul)(&d, &d, &e);
    V_(lazy_add)(&c, &c, &c);
    V_(lazy_add)(&c, &c, &c);
    V_(lazy_add)(&c, &c, &c);  /* 16 */
    V_(sub)(&p->y, &d, &c, 4); /* 2 + 16 */
    V_(add)(&p->z, &z, &z);    /* 4 */
}

/* The end of both additions: u, s are X and Y of p over the common denominator, h and r the differences of q's to them
 * (below 34), and z is Z without its factor h. With J = h^3, V = u h^2: X = r^2 - J - 2V, Y = r (V - X) - s J. */
static void E_(x8_add_tail)(L_JAC *out, const V_FIELD *u, const V_FIELD *s, const V_FIELD *h,
                            const V_FIELD *r, const V_FIELD *z)
{
    V_FIELD hh, rr, j, v, t;
    N_(sqr2)(&hh, h, &rr, r);
    N_(mul2)(&j, h, &hh, &v, u, &hh);
    V_(lazy_add)(&t, &v, &v);
    V_(lazy_add)(&t, &t, &j); /* 6 */
    N_(mul2)(&hh, s, &j, &out->z, z, h);
    V_(sub)(&out->x, &rr, &t, 3); /* 2 + 8 */
    V_(sub)(&t, &v, &out->x, 4);  /* 2 + 16 */
    N_(mul)(&t, &t, r);
    V_(sub)(&out->y, &t, &hh, 1); /* 2 + 2 */
}

/* p = p + q. 8M + 3S. */
LANES_FN E_(x8_madd)(L_JAC *p, const L_AFF *q)
{
    V_FIELD zz, h, s, u1 = p->x, s1 = p->y;
    N_(mul_sqr)(&s, &q->y, &p->z, &zz, &p->z);
    N_(mul2)(&h, &q->x, &zz, &s, &s, &zz);
    V_(sub)(&h, &h, &u1, 5); /* 2 + 32 */
    V_(sub)(&s, &s, &s1, 5);
    E_(x8_add_tail)(p, &u1, &s1, &h, &s, &p->z);
}

/* p = p + q. 12M + 4S. */
LANES_FN E_(x8_add)(L_JAC *p, const L_JAC *q)
{
    V_FIELD zz1, zz2, u1, u2, s1, s2, z;
    N_(sqr2)(&zz1, &p->z, &zz2, &q->z);
    N_(mul2)(&u1, &p->x, &zz2, &u2, &q->x, &zz1);
    N_(mul2)(&s1, &p->y, &q->z, &s2, &q->y, &p->z);
    N_(mul2)(&s1, &s1, &zz2, &s2, &s2, &zz1);
    N_(mul)(&z, &p->z, &q->z);
    V_(sub)(&u2, &u2, &u1, 1);
    V_(sub)(&s2, &s2, &s1, 1);
    E_(x8_add_tail)(p, &u1, &s1, &u2, &s2, &z);
}

/* All ones in the lanes where p is q and not infinity: X - x Z^2 = Y - y Z^3 = 0, Z not. */
static void E_(x8_equals)(weir_v8 *mask, const L_JAC *p, const L_AFF *q)
{
    V_FIELD zz, x, y;
    weir_v8 zero_x, zero_y, zero_z;
    N_(mul_sqr)(&y, &q->y, &p->z, &zz, &p->z);
    N_(mul2)(&x, &q->x, &zz, &y, &y, &zz);
    V_(sub)(&x, &x, &p->x, 5);
    V_(sub)(&y, &y, &p->y, 5);
    N_(zero)(&zero_x, &x);
    N_(zero)(&zero_y, &y);
    N_(zero)(&zero_z, &p->z);
    *mask = zero_x & zero_y & ~zero_z;
}

/* q = |x| p, x the curve's parameter. */
static void E_(x8_mul_x)(L_JAC *q, const L_AFF *p)
{
    q->x = p->x;
    q->y = p->y;
    V_(set_one)(&q->z);
    for (int i = 62; i >= 0; i--) {
        E_(x8_dbl)(q);
        if ((WEIR_BLS_X_ABS >> i) & 1) E_(x8_madd)(q, p);
    }
}
