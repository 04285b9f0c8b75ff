/* Multiples of points and change of form, an include-template over the names of ec.inc.h and
 *   E_MUL_3B(r, a)   r = 3 b a, where b is the curve's constant
 *
 * The constant-time part works on homogeneous points (X : Y : Z) = (X/Z, Y/Z), infinity (0 : 1 : 0), with formulas
 * that have no special cases on a curve without points of order two.
 * Source: Renes, Costello, Batina, eprint 2015/1060, algorithms 7 and 9 (a = 0).
 */

typedef struct E_(hom) {
    E_FIELD x, y, z;
} E_(hom);

/* r = p + q; algorithm 7: 12M and 2 products with 3b. */
static void E_(hom_add)(E_(hom) * r, const E_(hom) * p, const E_(hom) * q)
{
    E_FIELD t0, t1, t2, t3, t4, u, s;
    F_(mul)(&t0, &p->x, &q->x);
    F_(mul)(&t1, &p->y, &q->y);
    F_(mul)(&t2, &p->z, &q->z);
    F_(add)(&u, &p->x, &p->y);
    F_(add)(&s, &q->x, &q->y);
    F_(mul)(&t3, &u, &s);
    F_(sub)(&t3, &t3, &t0);
    F_(sub)(&t3, &t3, &t1);
    F_(add)(&u, &p->y, &p->z);
    F_(add)(&s, &q->y, &q->z);
    F_(mul)(&t4, &u, &s);
    F_(sub)(&t4, &t4, &t1);
    F_(sub)(&t4, &t4, &t2);
    F_(add)(&u, &p->x, &p->z);
    F_(add)(&s, &q->x, &q->z);
    F_(mul)(&u, &u, &s);
    F_(sub)(&u, &u, &t0);
    F_(sub)(&u, &u, &t2);
    E_MUL_3B(&u, &u);
    E_MUL_3B(&t2, &t2);
    F_(dbl)(&s, &t0);
    F_(add)(&t0, &s, &t0);
    F_(add)(&s, &t1, &t2);
    F_(sub)(&t1, &t1, &t2);
    /* X = t3 t1 - t4 u, Y = t1 s + u t0, Z = s t4 + t0 t3 */
    F_(mul)(&t2, &t3, &t1);
    F_(mul)(&r->x, &t4, &u);
    F_(sub)(&r->x, &t2, &r->x);
    F_(mul)(&t1, &t1, &s);
    F_(mul)(&u, &u, &t0);
    F_(add)(&r->y, &t1, &u);
    F_(mul)(&s, &s, &t4);
    F_(mul)(&t0, &t0, &t3);
    F_(add)(&r->z, &s, &t0);
}

/* r = 2p; algorithm 9: 6M + 2S and 1 product with 3b. */
static void E_(hom_dbl)(E_(hom) * r, const E_(hom) * p)
{
    E_FIELD t0, t1, t2, z8, y;
    F_(sqr)(&t0, &p->y);
    F_(dbl)(&z8, &t0);
    F_(dbl)(&z8, &z8);
    F_(dbl)(&z8, &z8);
    F_(mul)(&t1, &p->y, &p->z);
    F_(sqr)(&t2, &p->z);
    E_MUL_3B(&t2, &t2);
    F_(add)(&y, &t0, &t2);
    F_(mul)(&r->z, &t1, &z8);
    F_(mul)(&z8, &z8, &t2);
    F_(dbl)(&t1, &t2);
    F_(add)(&t2, &t1, &t2);
    F_(sub)(&t0, &t0, &t2);
    F_(mul)(&t1, &p->x, &p->y);
    F_(mul)(&r->x, &t0, &t1);
    F_(dbl)(&r->x, &r->x);
    F_(mul)(&y, &y, &t0);
    F_(add)(&r->y, &y, &z8);
}

/* r = table[index], reading every entry. */
static void E_(hom_select)(E_(hom) * r, const E_(hom) table[16], unsigned index)
{
    *r = table[0];
    for (unsigned i = 1; i < 16; i++) {
        bool take = i == index;
        F_(cmov)(&r->x, &table[i].x, take);
        F_(cmov)(&r->y, &table[i].y, take);
        F_(cmov)(&r->z, &table[i].z, take);
    }
}

/* CT: operations and addresses do not depend on k; whether p is infinity may show. Four bits at a time: 256
 * doublings and 64 + 14 additions. k: any 256-bit integer. */
static void E_(mul_ct)(E_JAC *out, const E_AFF *p, const weir_scalar *k)
{
    E_(hom) table[16], acc, t;
    if (E_(affine_is_infinity)(p)) {
        E_(set_infinity)(out);
        return;
    }
    F_(set_zero)(&acc.x);
    F_(set_one)(&acc.y);
    F_(set_zero)(&acc.z);
    table[0] = acc;
    table[1].x = p->x;
    table[1].y = p->y;
    F_(set_one)(&table[1].z);
    for (int i = 2; i < 16; i++) E_(hom_add)(&table[i], &table[i - 1], &table[1]);
    for (int i = 63; i >= 0; i--) {
        for (int j = 0; j < 4; j++) E_(hom_dbl)(&acc, &acc);
        E_(hom_select)(&t, table, (unsigned)(k->l[i / 16] >> (4 * (i % 16))) & 15);
        E_(hom_add)(&acc, &acc, &t);
    }
    /* (X/Z, Y/Z) = (XZ / Z^2, Y Z^2 / Z^3) */
    F_(mul)(&out->x, &acc.x, &acc.z);
    F_(sqr)(&t.z, &acc.z);
    F_(mul)(&out->y, &acc.y, &t.z);
    out->z = acc.z;
    weir_wipe(&acc, sizeof acc);
    weir_wipe(&t, sizeof t);
}

/* Variable time: width-5 non-adjacent form, 256 doublings and about 43 + 8 additions. k: any 256-bit integer. */
static void E_(mul)(E_JAC *out, const E_AFF *p, const weir_scalar *k)
{
    int8_t d[WEIR_WNAF_DIGITS];
    int n = scalar_wnaf(d, k);
    E_JAC odd[WEIR_WNAF_TABLE], twice, acc, t;
    E_(from_affine)(&odd[0], p);
    E_(dbl)(&twice, &odd[0]);
    for (int i = 1; i < WEIR_WNAF_TABLE; i++) E_(add)(&odd[i], &odd[i - 1], &twice);
    E_(set_infinity)(&acc);
    for (int i = n - 1; i >= 0; i--) {
        E_(dbl)(&acc, &acc);
        if (d[i] > 0) E_(add)(&acc, &acc, &odd[d[i] / 2]);
        if (d[i] < 0) {
            E_(neg)(&t, &odd[-d[i] / 2]);
            E_(add)(&acc, &acc, &t);
        }
    }
    *out = acc;
}

/* One inversion for all and 6M + 1S a point (Montgomery's trick). */
static void E_(s_to_affine)(E_AFF *out, const E_JAC *in, size_t n, E_FIELD *scratch)
{
    E_FIELD acc, zi;
    F_(set_one)(&acc);
    for (size_t i = 0; i < n; i++) {
        scratch[i] = acc;
        if (!E_(is_infinity)(&in[i])) F_(mul)(&acc, &acc, &in[i].z);
    }
    E_INV(&acc, &acc);
    for (size_t i = n; i-- > 0;) {
        if (E_(is_infinity)(&in[i])) {
            E_(affine_set_infinity)(&out[i]);
            continue;
        }
        F_(mul)(&zi, &acc, &scratch[i]);
        F_(mul)(&acc, &acc, &in[i].z);
        E_(scale_by_inverse)(&out[i], &in[i], &zi);
    }
}
