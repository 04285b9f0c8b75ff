/* Multiples of eight points of G1 by eight scalars. Homogeneous points (X/Z, Y/Z) and formulas without special cases, as in
 * curve_mul.inc.h (eprint 2015/1060, algorithms 7 and 9, a = 0): lanes may be at infinity, equal or opposite.
 *
 * Bounds (multiples of p, lanes.h): coordinates below 4.
 */

typedef struct hom1_x8 {
    weir_fp_x8 x, y, z;
} hom1_x8;

/* r = 3 b a = 12 a, without carries. */
V8_INLINE void hom1_lazy_mul_3b(weir_fp_x8 *r, const weir_fp_x8 *a)
{
#pragma GCC unroll 8
    for (int j = 0; j < 8; j++) r->l[j] = (a->l[j] << 3) + (a->l[j] << 2);
}

/* r = p + q - t, below 6: the rest of a product of sums. */
V8_INLINE void hom1_cross(weir_fp_x8 *r, const weir_fp_x8 *p, const weir_fp_x8 *q)
{
    fp_x8_lazy_sub(r, r, p);
    fp_x8_lazy_sub(r, r, q);
    fp_x8_lift(r, 2);
}

/* p = p + q */
LANES_FN hom1_x8_add(hom1_x8 *p, const hom1_x8 *q)
{
    weir_fp_x8 t0, t1, t2, t3, t4, u, s, d;
    fp_lanes_mul2(&t0, &p->x, &q->x, &t1, &p->y, &q->y);
    fp_x8_add(&t3, &p->x, &p->y);
    fp_x8_add(&s, &q->x, &q->y);
    fp_lanes_mul2(&t2, &p->z, &q->z, &t3, &t3, &s);
    fp_x8_add(&t4, &p->y, &p->z);
    fp_x8_add(&s, &q->y, &q->z);
    fp_x8_add(&u, &p->x, &p->z);
    fp_x8_add(&d, &q->x, &q->z);
    fp_lanes_mul2(&t4, &t4, &s, &u, &u, &d);
    hom1_cross(&t3, &t0, &t1);
    hom1_cross(&t4, &t1, &t2);
    hom1_cross(&u, &t0, &t2);
    hom1_lazy_mul_3b(&u, &u);
    fp_x8_lift(&u, 0); /* 73 */
    hom1_lazy_mul_3b(&t2, &t2);
    fp_x8_lazy_add(&s, &t0, &t0);
    fp_x8_add(&t0, &t0, &s);     /* 6 */
    fp_x8_add(&s, &t1, &t2);     /* 26 */
    fp_x8_sub(&t1, &t1, &t2, 5); /* 34 */
    fp_lanes_mul2(&p->x, &t3, &t1, &t2, &t4, &u);
    fp_x8_sub(&p->x, &p->x, &t2, 1);
    fp_lanes_mul2(&p->y, &t1, &s, &t2, &u, &t0);
    fp_x8_add(&p->y, &p->y, &t2);
    fp_lanes_mul2(&p->z, &s, &t4, &t2, &t0, &t3);
    fp_x8_add(&p->z, &p->z, &t2);
}

/* p = 2p */
LANES_FN hom1_x8_dbl(hom1_x8 *p)
{
    weir_fp_x8 t0, t1, t2, z8, xy, y, c;
    fp_lanes_sqr2(&t0, &p->y, &t2, &p->z);
    fp_lanes_mul2(&t1, &p->y, &p->z, &xy, &p->x, &p->y);
    fp_x8_lazy_add(&z8, &t0, &t0);
    fp_x8_lazy_add(&z8, &z8, &z8);
    fp_x8_add(&z8, &z8, &z8); /* 16 */
    hom1_lazy_mul_3b(&t2, &t2);
    fp_x8_lift(&t2, 0);      /* 25 */
    fp_x8_add(&y, &t0, &t2); /* 27 */
    fp_lanes_mul2(&p->z, &t1, &z8, &c, &z8, &t2);
    fp_x8_lazy_add(&t1, &t2, &t2);
    fp_x8_lazy_add(&t1, &t1, &t2); /* 75 */
    fp_x8_sub(&t0, &t0, &t1, 7);   /* 130 */
    fp_lanes_mul2(&p->x, &t0, &xy, &y, &y, &t0);
    fp_x8_add(&p->x, &p->x, &p->x);
    fp_x8_add(&p->y, &y, &c);
}

enum { SPLIT_BITS = 4, SPLIT_TABLE = 1 << SPLIT_BITS };

/* table[i] = i p */
static void split_table(hom1_x8 table[SPLIT_TABLE], const g1_x8_affine *p, const weir_v8 *infinite)
{
    weir_fp_x8 one;
    fp_x8_set_one(&one);
    fp_x8_set_zero(&table[0].x);
    fp_x8_set_zero(&table[0].z);
    table[0].y = one;
    table[1].x = p->x; /* 0 at infinity */
    fp_x8_select(&table[1].y, infinite, &one, &p->y);
    fp_x8_select(&table[1].z, infinite, &table[0].z, &one);
    for (int i = 2; i < SPLIT_TABLE; i++) {
        table[i] = table[i % 2 ? i - 1 : i / 2];
        if (i % 2)
            hom1_x8_add(&table[i], &table[1]);
        else
            hom1_x8_dbl(&table[i]);
    }
}

/* r = table[digit] in each lane. */
LANES_FN split_select(hom1_x8 *r, const hom1_x8 table[SPLIT_TABLE], const weir_v8 *digit)
{
    *r = table[0];
    for (uint64_t i = 1; i < SPLIT_TABLE; i++) {
        const weir_v8 mask = (weir_v8)(*digit == v8_set(i));
        fp_x8_select(&r->x, &mask, &table[i].x, &r->x);
        fp_x8_select(&r->y, &mask, &table[i].y, &r->y);
        fp_x8_select(&r->z, &mask, &table[i].z, &r->z);
    }
}

/* Window w of half h of all scalars. */
static void split_digits(weir_v8 *digit, const weir_split *const k[8], int h, int w)
{
    uint64_t d[8];
    for (int lane = 0; lane < 8; lane++)
        d[lane] = (k[lane]->l[h][w / 16] >> (SPLIT_BITS * (w % 16))) & (SPLIT_TABLE - 1);
    memcpy(digit, d, sizeof d);
}

/* Windows that hold all bits of eight scalars. */
static int split_windows(const weir_split *const k[8])
{
    uint64_t low = 0, high = 0;
    int w = 0;
    for (int lane = 0; lane < 8; lane++) {
        low |= k[lane]->l[0][0] | k[lane]->l[1][0];
        high |= k[lane]->l[0][1] | k[lane]->l[1][1];
    }
    for (uint64_t v = high ? high : low; v; v >>= SPLIT_BITS) w++;
    return high ? w + 16 : w;
}

static void split_sum(hom1_x8 *acc, const hom1_x8 table[SPLIT_TABLE], const weir_split *const k[8])
{
    static const weir_fp beta = WEIR_G1_BETA;
    weir_fp_x8 b;
    weir_v8 digit;
    hom1_x8 t;
    fp_lanes_broadcast(&b, &beta);
    *acc = table[0];
    for (int w = split_windows(k) - 1; w >= 0; w--) {
        for (int i = 0; i < SPLIT_BITS; i++) hom1_x8_dbl(acc);
        for (int h = 0; h < 2; h++) {
            split_digits(&digit, k, h, w);
            split_select(&t, table, &digit);
            if (h == 1) fp_lanes_mul(&t.x, &t.x, &b);
            hom1_x8_add(acc, &t);
        }
    }
}

static void g1_s_x8_mul_split(weir_g1 *out, const weir_g1_affine *p, const weir_split *k, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        const weir_split *lane_k[8];
        const uint64_t *x[8], *y[8];
        uint64_t *to[3][8];
        weir_g1 spare;
        g1_x8_affine q;
        hom1_x8 table[SPLIT_TABLE], acc;
        weir_v8 infinite, zero;
        for (size_t lane = 0; lane < 8; lane++) {
            const size_t at = i + lane < n ? i + lane : n - 1;
            weir_g1 *r = i + lane < n ? &out[at] : &spare;
            lane_k[lane] = &k[at];
            x[lane] = p[at].x.l;
            y[lane] = p[at].y.l;
            to[0][lane] = r->x.l;
            to[1][lane] = r->y.l;
            to[2][lane] = r->z.l;
        }
        fp_x8_load(&q.x, x);
        fp_x8_load(&q.y, y);
        fp_x8_zero_lanes(&infinite, &q.x);
        fp_x8_zero_lanes(&zero, &q.y);
        infinite &= zero;
        fp_x8_settle(&q.x, 0);
        fp_x8_settle(&q.y, 0);
        split_table(table, &q, &infinite);
        split_sum(&acc, table, lane_k);
        /* (X/Z, Y/Z) = (XZ / Z^2, Y Z^2 / Z^3) */
        fp_lanes_mul_sqr(&q.x, &acc.x, &acc.z, &q.y, &acc.z);
        fp_lanes_mul(&q.y, &q.y, &acc.y);
        fp_x8_store(to[0], &q.x);
        fp_x8_store(to[1], &q.y);
        fp_x8_store(to[2], &acc.z);
    }
}
