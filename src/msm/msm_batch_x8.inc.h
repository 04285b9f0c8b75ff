/* The additions of a batch eight at a time, an include-template on top of msm_batch.inc.h; it also needs
 *   V_(name)   the prefix of the field's vector form (fp_x8_, fp2_x8_), V_FIELD its type
 *   V_MUL(r, a, b, kb), V_SQR(r, a)   with the bounds that Fp2 needs (b <= 2^kb, a < 4)
 *   V_MUL2, V_SQR2   two of them at once
 *
 * Pairs 8g .. 8g + 7 are group g; lane k has a chain of its own through all groups. At the top the eight products are
 * inverted together in scalar form. Here every pair has two finite points with different x.
 *
 * Bounds (multiples of p, see mont52.inc.h): loaded coordinates <= 2^32; d, dy <= 2^33; products of the chain < 2;
 * slope < 4; x <= 2^33 + 2; x_a - x <= 2^34 + 2^32; y <= 2^32 + 5; all that storing takes.
 */

/* Fewer pairs than this are done one by one: the vector form has an inversion of its own. */
#ifndef WEIR_MSM_X8_MIN
#define WEIR_MSM_X8_MIN 32
#endif

typedef struct K_(lanes) {
    const uint64_t *xa[8], *ya[8], *xb[8], *yb[8];
    uint64_t *x[8], *y[8];
} K_(lanes);

V8_INLINE void K_(lanes_of)(K_(lanes) * l, const K_PAIR *pairs)
{
#pragma GCC unroll 8
    for (int k = 0; k < 8; k++) {
        l->xa[k] = l->x[k] = (uint64_t *)(void *)&pairs[k].a->x;
        l->ya[k] = l->y[k] = (uint64_t *)(void *)&pairs[k].a->y;
        l->xb[k] = (const uint64_t *)(const void *)&pairs[k].b->x;
        l->yb[k] = (const uint64_t *)(const void *)&pairs[k].b->y;
    }
}

/* prefix[g] = the product of d over the groups below g; *product = over all. */
static void K_(x8_down)(V_FIELD *product, V_FIELD *prefix, const K_PAIR *pairs, size_t groups)
{
    for (size_t g = 0; g < groups; g++) {
        K_(lanes) l;
        V_FIELD xa, xb, d;
        K_(lanes_of)(&l, pairs + 8 * g);
        V_(load)(&xa, l.xa);
        V_(load)(&xb, l.xb);
        V_(sub)(&d, &xb, &xa, 32);
        if (g == 0) {
            *product = d;
            V_(shrink)(product);
            continue;
        }
        prefix[g] = *product;
        V_MUL(product, product, &d, 33);
    }
}

/* The eight lanes of v inverted, in place. */
static void K_(x8_invert)(V_FIELD *v)
{
    K_FIELD lane[8], scratch[8];
    uint64_t *to[8];
    const uint64_t *from[8];
    for (int k = 0; k < 8; k++) from[k] = to[k] = (uint64_t *)(void *)&lane[k];
    V_(store)(to, v);
    F_INVS(lane, 8, scratch);
    V_(load)(v, from);
    V_(shrink)(v);
}

static void K_(x8_up)(V_FIELD *product, const V_FIELD *prefix, const K_PAIR *pairs, size_t groups)
{
    for (size_t g = groups; g-- > 0;) {
        K_(lanes) l;
        V_FIELD xa, xb, ya, d, inverse, slope, x, y;
        K_(lanes_of)(&l, pairs + 8 * g);
        V_(load)(&xa, l.xa);
        V_(load)(&xb, l.xb);
        if (g) {
            V_(sub)(&d, &xb, &xa, 32);
            V_MUL(&inverse, product, &prefix[g], 1);
            V_MUL(product, product, &d, 33);
        } else {
            inverse = *product;
        }
        V_(load)(&ya, l.ya);
        V_(load)(&y, l.yb);
        V_(sub)(&y, &y, &ya, 32);
        V_MUL(&slope, &inverse, &y, 33);
        V_SQR(&x, &slope);
        V_(add)(&xb, &xb, &xa);
        V_(sub)(&x, &x, &xb, 33);
        V_(sub)(&y, &xa, &x, 34);
        V_MUL(&y, &slope, &y, 35);
        V_(sub)(&y, &y, &ya, 32);
        V_(store)(l.x, &x);
        V_(store)(l.y, &y);
    }
}

/* 8 * groups additions; prefix: room for one V_FIELD a group. */
static void K_(x8_additions)(const K_PAIR *pairs, size_t groups, V_FIELD *prefix)
{
    V_FIELD product;
    K_(x8_down)(&product, prefix, pairs, groups);
    K_(x8_invert)(&product);
    K_(x8_up)(&product, prefix, pairs, groups);
}

/* True for a pair whose slope is not (y_b - y_a)/(x_b - x_a), or that needs none. */
static inline bool K_(is_special)(const K_PAIR *p)
{
    if (__builtin_expect(F_(eq)(&p->a->x, &p->b->x), 0)) return true;
    return K_(is_infinity)(p->a) || K_(is_infinity)(p->b);
}

/* Does the ordinary additions in groups of eight; moves what is left, special pairs and fewer than eight others, to the
 * front and gives their number. */
static size_t K_(x8_flush)(K_PAIR *pairs, size_t n, V_FIELD *prefix)
{
    size_t ordinary = 0;
    for (size_t i = 0; i < n; i++) {
        if (K_(is_special)(&pairs[i])) continue;
        K_PAIR p = pairs[i];
        pairs[i] = pairs[ordinary];
        pairs[ordinary++] = p;
    }
    size_t groups = ordinary / 8;
    if (groups) K_(x8_additions)(pairs, groups, prefix);
    memmove(pairs, pairs + 8 * groups, (n - 8 * groups) * sizeof *pairs);
    return n - 8 * groups;
}
