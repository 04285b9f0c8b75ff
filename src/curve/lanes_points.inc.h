/* Decoders of points that work eight at a time: g1_s_x8_decode, g1_s_x8_decompress and those of G2. For files compiled
 * per instruction path: on ifma with its instructions, elsewhere as plain C for tests. */
#include "curve/curve.h"
#include "curve/encoding.h"
#include "curve/lanes.h"
#include "curve/params_curve.h"
#include "field/params_bls12_381.h"

#include <string.h>

/* ---- what differs between the groups */

/* r += 4 */
static void g1_x8_add_b(weir_fp_x8 *r)
{
    weir_fp_x8 four;
    fp_x8_set_one(&four);
    fp_x8_lazy_add(&four, &four, &four);
    fp_x8_lazy_add(&four, &four, &four);
    fp_x8_add(r, r, &four);
}

/* r += 4 + 4u */
static void g2_x8_add_b(weir_fp2_x8 *r)
{
    g1_x8_add_b(&r->c0);
    g1_x8_add_b(&r->c1);
}

/* c1 comes first; its first byte has the flags. */
static void g2_x8_from_be(weir_fp2_x8 *r, weir_v8 *below, const uint8_t *const bytes[8],
                          uint8_t keep)
{
    const uint8_t *c0[8];
    weir_v8 other;
    for (int k = 0; k < 8; k++) c0[k] = bytes[k] + 48;
    fp_lanes_from_be(&r->c1, below, bytes, keep);
    fp_lanes_from_be(&r->c0, &other, c0, 0xff);
    *below &= other;
}

static void g1_x8_root(weir_fp_x8 *root, const weir_fp_x8 *a, int n)
{
    for (int v = 0; v < n; v++) root[v] = a[v];
    fp_lanes_inverse_root(root, n);
    for (int v = 0; v < n; v++) fp_lanes_mul(&root[v], &root[v], &a[v]);
}

/* r = a/2, below 2. In: a < 2^8. */
static void fp_lanes_half(weir_fp_x8 *r, const weir_fp_x8 *a)
{
    static const weir_fp half = {WEIR_FP_ONE_HALF};
    weir_fp_x8 h;
    fp_lanes_broadcast(&h, &half);
    fp_lanes_mul(r, a, &h);
}

/* The end of g2_x8_root: s = t^((p - 3)/4), x = t s. */
static void g2_x8_root_parts(weir_fp2_x8 *root, const weir_fp2_x8 *a, const weir_fp_x8 *t,
                             const weir_fp_x8 *s)
{
    weir_fp_x8 x, y, minus;
    weir_v8 square;
    fp_lanes_half(&y, &a->c1);
    fp_lanes_mul2(&x, t, s, &y, &y, s);
    fp_lanes_sqr(&minus, &x);
    fp_x8_sub(&minus, &minus, t, 1);
    fp_lanes_zero(&square, &minus);
    fp_x8_neg(&minus, &y, 1);
    fp_x8_select(&root->c0, &square, &x, &minus);
    fp_x8_select(&root->c1, &square, &y, &x);
}

/* The complex method (fp2.h) with two powers. With n^2 = c0^2 + c1^2, t = (c0 + n)/2, s = t^((p - 3)/4), x = t s:
 * - t a square: x^2 = t and 1/x = s, so the root is x + (c1 s / 2) u;
 * - t no square: x^2 = -t and 1/x = -s. The other t' = (c0 - n)/2 has t t' = -c1^2/4, so t' = (c1/(2x))^2, and the root is
 *   -c1 s / 2 + x u.
 * t = 0 means nothing; the caller tests the root. */
static void g2_x8_root(weir_fp2_x8 *root, const weir_fp2_x8 *a, int n)
{
    weir_fp_x8 norm[2], t[2], s[2];
    for (int v = 0; v < n; v++) {
        fp_lanes_sqr2(&norm[v], &a[v].c0, &t[v], &a[v].c1);
        fp_x8_add(&norm[v], &norm[v], &t[v]);
    }
    g1_x8_root(t, norm, n);
    for (int v = 0; v < n; v++) {
        fp_x8_add(&t[v], &t[v], &a[v].c0);
        fp_lanes_half(&t[v], &t[v]);
        s[v] = t[v];
    }
    fp_lanes_inverse_root(s, n);
    for (int v = 0; v < n; v++) g2_x8_root_parts(&root[v], &a[v], &t[v], &s[v]);
}

/* ---- the group of both, and subgroup checks: as in curve_ops.c, [x^2] P = -phi(P) and [|x|] P = -psi(P). A lane that is
 * not found inside may be inside after all where an addition met a special case: points of small order do. */

#include "curve/ec_g1.inc.h"
#define V_(name) fp_x8_##name
#define N_(name) fp_lanes_##name
#define V_FIELD  weir_fp_x8
#include "curve/lanes_group.inc.h"

static void g1_x8_in_subgroup(weir_v8 *mask, const g1_x8_affine *p)
{
    static const weir_fp beta = WEIR_G1_BETA;
    g1_x8 q, s;
    g1_x8_affine e;
    weir_fp_x8 b;
    g1_x8_mul_x(&q, p);
    s = q;
    for (int i = 62; i >= 0; i--) {
        g1_x8_dbl(&s);
        if ((WEIR_BLS_X_ABS >> i) & 1) g1_x8_add(&s, &q);
    }
    fp_lanes_broadcast(&b, &beta);
    fp_lanes_mul(&e.x, &p->x, &b);
    fp_x8_neg(&e.y, &p->y, 1);
    g1_x8_equals(mask, &s, &e);
}

#include "curve/lanes_mul.inc.h"

static void g1_s_x8_double(weir_g1 *p, size_t n, unsigned times)
{
    for (size_t i = 0; i < n; i += 8) {
        weir_g1 spare;
        g1_x8 q;
        V_FIELD *coordinate[3] = {&q.x, &q.y, &q.z};
        uint64_t *at[3][8];
        for (size_t k = 0; k < 8; k++) {
            weir_g1 *to = i + k < n ? &p[i + k] : &spare;
            if (to == &spare) spare = p[i];
            at[0][k] = to->x.l;
            at[1][k] = to->y.l;
            at[2][k] = to->z.l;
        }
        for (int c = 0; c < 3; c++) {
            fp_x8_load(coordinate[c], (const uint64_t *const *)at[c]);
            fp_x8_settle(coordinate[c], 0);
        }
        for (unsigned t = 0; t < times; t++) g1_x8_dbl(&q);
        for (int c = 0; c < 3; c++) fp_x8_store(at[c], coordinate[c]);
    }
}

#define E_X8_FROM_BE     fp_lanes_from_be
#define E_X8_ADD_B       g1_x8_add_b
#define E_X8_ROOT        g1_x8_root
#define E_X8_IN_SUBGROUP g1_x8_in_subgroup
#define E_DECODE         WEIR_ISA_SCALAR_NAME(weir_curve_ops).g1s_decode
#define E_DECOMPRESS     WEIR_ISA_SCALAR_NAME(weir_curve_ops).g1_decompress
#include "curve/lanes_encode.inc.h"
#include "curve/lanes_end.inc.h"

#include "curve/ec_g2.inc.h"
#define V_(name) fp2_x8_##name
#define N_(name) fp2_lanes_##name
#define V_FIELD  weir_fp2_x8
#include "curve/lanes_group.inc.h"

static void g2_x8_in_subgroup(weir_v8 *mask, const g2_x8_affine *p)
{
    static const weir_fp2 psi_x = WEIR_G2_PSI_X, psi_y = WEIR_G2_PSI_Y;
    g2_x8 q;
    g2_x8_affine e;
    weir_fp2_x8 k;
    g2_x8_mul_x(&q, p);
    e = *p;
    fp_x8_neg(&e.x.c1, &p->x.c1, 1);
    fp2_lanes_broadcast(&k, &psi_x);
    fp2_lanes_mul(&e.x, &e.x, &k);
    fp_x8_neg(&e.y.c0, &p->y.c0, 1); /* minus the conjugate */
    fp2_lanes_broadcast(&k, &psi_y);
    fp2_lanes_mul(&e.y, &e.y, &k);
    g2_x8_equals(mask, &q, &e);
}

#define E_X8_FROM_BE     g2_x8_from_be
#define E_X8_ADD_B       g2_x8_add_b
#define E_X8_ROOT        g2_x8_root
#define E_X8_IN_SUBGROUP g2_x8_in_subgroup
#define E_DECODE         WEIR_ISA_SCALAR_NAME(weir_curve_ops).g2s_decode
#define E_DECOMPRESS     WEIR_ISA_SCALAR_NAME(weir_curve_ops).g2_decompress
#include "curve/lanes_encode.inc.h"
#include "curve/lanes_end.inc.h"
