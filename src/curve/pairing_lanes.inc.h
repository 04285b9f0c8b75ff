/* The pairing in vectors of eight lanes: lines of eight points at once, the Miller loop in eight stretches at once, the
 * final exponentiation along one element. On ifma the bodies of pairing.c's entries; elsewhere plain C for tests. */
#include "curve/pairing.h"
#include "curve/tower_x8.h"

#include <string.h>

/* ---- lines. Bounds: X < 2, Y < 10, Z < 8; lines < 16. */

typedef struct hom2_x8 {
    weir_fp2_x8 x, y, z;
} hom2_x8;

/* As line_dbl. */
LANES_FN lanes_line_dbl(weir_fp2_x8 line[3], hom2_x8 *t)
{
    weir_fp2_x8 a, b, e, f, u;
    fp2_lanes_sqr(&b, &t->y);
    fp2_lanes_sqr(&u, &t->z);
    fp2_lanes_mul(&a, &t->y, &t->z);
    fp2_x8_add(&line[2], &a, &a);
    fp2_x8_lazy_add(&e, &u, &u);
    fp2_x8_lazy_add(&e, &e, &u);
    fp2_x8_lazy_add(&e, &e, &e);
    fp2_x8_lazy_add(&e, &e, &e);
    fp2_x8_lazy_mul_xi(&e, &e); /* (-24, 48) */
    fp2_x8_settle(&e, 5);
    fp2_x8_lazy_add(&f, &e, &e);
    fp2_x8_lazy_add(&f, &f, &e); /* 6 */
    fp2_lanes_sqr(&u, &t->x);
    fp2_x8_lazy_add(&a, &u, &u);
    fp2_x8_lazy_add(&a, &a, &u);
    fp2_x8_neg(&line[1], &a, 3);
    fp2_x8_sub(&line[0], &b, &e, 1);

    fp2_lanes_mul(&a, &t->x, &t->y);
    fp2_x8_add(&a, &a, &a);
    fp2_x8_sub(&u, &b, &f, 3); /* 10 */
    fp2_lanes_mul(&t->x, &a, &u);
    fp2_x8_add(&u, &b, &f); /* 8 */
    fp2_lanes_sqr(&u, &u);
    fp2_x8_add(&e, &e, &e);
    fp2_lanes_sqr(&e, &e);
    fp2_x8_lazy_add(&f, &e, &e);
    fp2_x8_lazy_add(&f, &f, &e); /* 6 */
    fp2_x8_sub(&t->y, &u, &f, 3);
    fp2_lanes_mul(&u, &b, &line[2]);
    fp2_x8_lazy_add(&u, &u, &u);
    fp2_x8_add(&t->z, &u, &u);
}

/* As line_add. */
LANES_FN lanes_line_add(weir_fp2_x8 line[3], hom2_x8 *t, const weir_fp2_x8 *qx,
                        const weir_fp2_x8 *qy)
{
    weir_fp2_x8 n, l, d, e, g, h, u;
    fp2_lanes_mul(&u, qy, &t->z);
    fp2_x8_sub(&n, &t->y, &u, 1); /* 12 */
    fp2_lanes_mul(&u, qx, &t->z);
    fp2_x8_sub(&l, &t->x, &u, 1); /* 4 */
    fp2_lanes_mul(&d, &n, qx);
    fp2_lanes_mul(&u, &l, qy);
    fp2_x8_sub(&line[0], &d, &u, 1);
    fp2_x8_neg(&line[1], &n, 4);
    line[2] = l;

    fp2_lanes_sqr(&d, &l);
    fp2_lanes_mul(&e, &l, &d);
    fp2_lanes_mul(&g, &d, &t->x);
    fp2_lanes_sqr(&h, &n);
    fp2_lanes_mul(&h, &h, &t->z);
    fp2_x8_lazy_add(&h, &h, &e);
    fp2_x8_lazy_sub(&h, &h, &g);
    fp2_x8_lazy_sub(&h, &h, &g); /* (-4, 4) */
    fp2_x8_lift(&h, 2);
    fp2_lanes_mul(&t->x, &l, &h);
    fp2_x8_sub(&g, &g, &h, 3); /* 10 */
    fp2_lanes_mul(&g, &g, &n);
    fp2_lanes_mul(&u, &e, &t->y);
    fp2_x8_sub(&t->y, &g, &u, 1);
    fp2_lanes_mul(&t->z, &t->z, &e);
}

static void lanes_store_line(weir_g2_lines *const out[8], size_t k, const weir_fp2_x8 line[3])
{
    for (int i = 0; i < 3; i++) {
        uint64_t *p[8];
        for (int lane = 0; lane < 8; lane++) p[lane] = out[lane]->c[k][i].c0.l;
        fp2_x8_store(p, &line[i]);
    }
}

static void lanes_load_fp2(weir_fp2_x8 *r, const weir_fp2 *const from[8])
{
    const uint64_t *p[8];
    for (int k = 0; k < 8; k++) p[k] = from[k]->c0.l;
    fp2_x8_load(r, p);
    fp2_x8_settle(r, 0);
}

/* n <= 8 points; lanes from n on repeat the last. A point at infinity is followed like the others, and then cleared. */
static void lanes_prepare(weir_g2_lines *out, const weir_g2_affine *q, size_t n)
{
    weir_g2_lines *to[8];
    const weir_fp2 *x[8], *y[8];
    weir_fp2_x8 qx, qy, line[3];
    hom2_x8 t;
    size_t k = 0;
    for (size_t lane = 0; lane < 8; lane++) {
        size_t i = lane < n ? lane : n - 1;
        to[lane] = &out[i];
        x[lane] = &q[i].x;
        y[lane] = &q[i].y;
    }
    lanes_load_fp2(&qx, x);
    lanes_load_fp2(&qy, y);
    t.x = qx;
    t.y = qy;
    fp2_x8_set_one(&t.z);
    for (int i = 62; i >= 0; i--) {
        lanes_line_dbl(line, &t);
        lanes_store_line(to, k++, line);
        if (!((WEIR_BLS_X_ABS >> i) & 1)) continue;
        lanes_line_add(line, &t, &qx, &qy);
        lanes_store_line(to, k++, line);
    }
    for (size_t i = 0; i < n; i++) {
        out[i].infinity = g2_affine_is_infinity(&q[i]);
        if (out[i].infinity) memset(out[i].c, 0, sizeof out[i].c);
    }
}

/* One point is prepared in scalar form. */
static void lanes_g2s_prepare(weir_g2_lines *out, const weir_g2_affine *q, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        size_t m = n - i < 8 ? n - i : 8;
        if (m > 1)
            lanes_prepare(out + i, q + i, m);
        else
            for (size_t k = 0; k < m; k++) WEIR_ISA_NAME(weir_g2_prepare)(out + i + k, q + i + k);
    }
}

/* ---- the Miller loop. Its 68 lines are cut into eight stretches, one for each lane: with f_s the product that stretch s
 * makes from one, and d_s the squarings in it, the whole is (..(f_0^(2^d_1) f_1)^(2^d_2) ..) f_7. So all lanes are busy
 * whatever the number of pairs, and but for the end there are nine squarings in place of 62. */

enum { MILLER_SLOTS = (WEIR_G2_LINES + 7) / 8 };

typedef struct miller_plan {
    uint8_t line[MILLER_SLOTS]
                [8]; /* which line a lane multiplies by in a slot; WEIR_G2_LINES: none */
    uint8_t squares[MILLER_SLOTS]; /* lanes that square before it */
    uint8_t doublings[8];          /* d_s */
} miller_plan;

static void miller_plan_make(miller_plan *plan)
{
    bool square[WEIR_G2_LINES];
    size_t k = 0, first = 0;
    for (int i = 62; i >= 0; i--) {
        square[k] = k > 0;
        k++;
        if ((WEIR_BLS_X_ABS >> i) & 1) square[k++] = false;
    }
    *plan = (miller_plan){0};
    for (size_t lane = 0; lane < 8; lane++) {
        size_t length = (WEIR_G2_LINES + 7 - lane) / 8, idle = MILLER_SLOTS - length;
        for (size_t slot = 0; slot < MILLER_SLOTS; slot++) {
            size_t line = slot < idle ? WEIR_G2_LINES : first + slot - idle;
            plan->line[slot][lane] = (uint8_t)line;
            if (line == WEIR_G2_LINES || !square[line]) continue;
            plan->squares[slot] |= (uint8_t)(1u << lane);
            plan->doublings[lane]++;
        }
        first += length;
    }
}

/* f *= the lines of a slot of one pair. */
static void miller_slot(weir_fp12_x8 *f, const uint8_t line[8], const weir_g2_lines *q,
                        const weir_fp_x8 *px, const weir_fp_x8 *py)
{
    static const weir_fp2 one[3] = {{{WEIR_FP_ONE}, {{0}}}};
    const uint64_t *p[3][8];
    weir_fp2_x8 b[3];
    for (int k = 0; k < 8; k++) {
        const weir_fp2 *c = line[k] < WEIR_G2_LINES ? q->c[line[k]] : one;
        for (int i = 0; i < 3; i++) p[i][k] = c[i].c0.l;
    }
    for (int i = 0; i < 3; i++) fp2_x8_load(&b[i], p[i]);
    /* loaded values are below 2^32, and the products of two of them with one below 2 are below 2 all the same */
    fp2_x8_settle(&b[0], 0);
    fp_lanes_mul2(&b[1].c0, &b[1].c0, px, &b[1].c1, &b[1].c1, px);
    fp_lanes_mul2(&b[2].c0, &b[2].c0, py, &b[2].c1, &b[2].c1, py);
    fp12_lanes_mul_line(f, &b[0], &b[1], &b[2]);
}

/* Pairs whose coordinates are kept in vector form. */
enum { MILLER_PAIRS = 16 };

/* The stretches of n <= MILLER_PAIRS pairs without infinity, n > 0. */
static void miller_stretches(weir_fp12_x8 *f, const miller_plan *plan,
                             const weir_g1_affine *const *p, const weir_g2_lines *const *q,
                             size_t n)
{
    weir_fp_x8 px[MILLER_PAIRS], py[MILLER_PAIRS];
    weir_fp12_x8 square;
    weir_v8 mask;
    for (size_t i = 0; i < n; i++) {
        fp_lanes_broadcast(&px[i], &p[i]->x);
        fp_lanes_broadcast(&py[i], &p[i]->y);
    }
    fp12_x8_set_one(f);
    for (size_t slot = 0; slot < MILLER_SLOTS; slot++) {
        if (slot > 0) {
            lanes_to_mask(&mask, plan->squares[slot]);
            fp12_lanes_sqr(&square, f);
            fp12_x8_select(f, &mask, &square);
        }
        for (size_t i = 0; i < n; i++) miller_slot(f, plan->line[slot], q[i], &px[i], &py[i]);
    }
}

/* *r = the eight stretches put together. */
static void miller_join(weir_fp12_along *r, const miller_plan *plan, const weir_fp12_x8 *f)
{
    weir_fp12 part[8];
    weir_fp12_along t;
    fp12_x8_store(part, f);
    along_load(r, &part[0]);
    for (int lane = 1; lane < 8; lane++) {
        for (int i = 0; i < plan->doublings[lane]; i++) along_mul(r, r, r);
        along_load(&t, &part[lane]);
        along_mul(r, r, &t);
    }
}

static void lanes_miller(weir_fp12 *f, const weir_g1_affine *p, const weir_g2_lines *const *q,
                         size_t n)
{
    const weir_g1_affine *finite_p[MILLER_PAIRS];
    const weir_g2_lines *finite_q[MILLER_PAIRS];
    miller_plan plan;
    weir_fp12_x8 stretches;
    weir_fp12_along part, all;
    weir_fp12 one;
    fp12_set_one(&one);
    along_load(&all, &one);
    miller_plan_make(&plan);
    for (size_t i = 0, m = 0; i < n; i++) {
        if (!q[i]->infinity && !g1_affine_is_infinity(&p[i])) {
            finite_p[m] = &p[i];
            finite_q[m++] = q[i];
        }
        if (m == 0 || (m < MILLER_PAIRS && i + 1 < n)) continue;
        miller_stretches(&stretches, &plan, finite_p, finite_q, m);
        miller_join(&part, &plan, &stretches);
        along_mul(&all, &all, &part);
        m = 0;
    }
    along_conj(&all, &all);
    along_store(f, &all);
}

/* ---- the final exponentiation, as in pairing.c */

static void along_pow_x(weir_fp12_along *r, const weir_fp12_along *a)
{
    weir_fp12_along acc = *a;
    for (int i = 62; i >= 0; i--) {
        along_cyc_sqr(&acc, &acc);
        if ((WEIR_BLS_X_ABS >> i) & 1) along_mul(&acc, &acc, a);
    }
    along_conj(r, &acc);
}

static void along_pow_x_minus_1(weir_fp12_along *r, const weir_fp12_along *a)
{
    weir_fp12_along t, c;
    along_pow_x(&t, a);
    along_conj(&c, a);
    along_mul(r, &t, &c);
}

static void lanes_final_exp(weir_fp12 *out, const weir_fp12 *f)
{
    weir_fp12 inverse;
    weir_fp12_along m, t, s, u;
    fp12_inv(&inverse, f);
    along_load(&t, &inverse);
    along_load(&m, f);
    along_conj(&m, &m);
    along_mul(&m, &m, &t);
    along_frobenius2(&t, &m);
    along_mul(&m, &m, &t);

    along_pow_x_minus_1(&t, &m);
    along_pow_x_minus_1(&t, &t);
    along_pow_x(&s, &t);
    along_frobenius(&t, &t);
    along_mul(&t, &t, &s); /* m^((x-1)^2 (x+p)) */
    along_pow_x(&s, &t);
    along_pow_x(&s, &s);
    along_frobenius2(&u, &t);
    along_mul(&s, &s, &u);
    along_conj(&t, &t);
    along_mul(&s, &s, &t); /* ... (x^2 + p^2 - 1) */
    along_cyc_sqr(&t, &m);
    along_mul(&t, &t, &m);
    along_mul(&s, &s, &t);
    along_store(out, &s);
}
