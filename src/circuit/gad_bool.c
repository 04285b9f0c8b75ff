/* Boolean gadgets. Whether something is a constant never depends on the witness, so the same rows come out for every
 * proof. The order of the tests below decides which rows there are and must stay as it is. */
#include "circuit/gadget.h"

void weir_lc_add_bool(weir_cs *cs, weir_lc *lc, weir_bool x, unsigned i)
{
    const weir_cs_consts *k = weir_cs_k(cs);
    if (x.kind == WEIR_TRUE || x.kind == WEIR_NOT) weir_lc_add(cs, lc, WEIR_COL_ONE, &k->pow2[i]);
    if (x.kind == WEIR_IS) weir_lc_add(cs, lc, x.col, &k->pow2[i]);
    if (x.kind == WEIR_NOT) weir_lc_add(cs, lc, x.col, &k->minus_pow2[i]);
}

void weir_lc_sub_bool(weir_cs *cs, weir_lc *lc, weir_bool x, unsigned i)
{
    const weir_cs_consts *k = weir_cs_k(cs);
    if (x.kind == WEIR_TRUE || x.kind == WEIR_NOT)
        weir_lc_add(cs, lc, WEIR_COL_ONE, &k->minus_pow2[i]);
    if (x.kind == WEIR_IS) weir_lc_add(cs, lc, x.col, &k->minus_pow2[i]);
    if (x.kind == WEIR_NOT) weir_lc_add(cs, lc, x.col, &k->pow2[i]);
}

static weir_bool is(weir_col col)
{
    return (weir_bool){WEIR_IS, col};
}

/* ONE - a | a | 0 */
weir_bool weir_gad_bit(weir_cs *cs)
{
    const weir_cs_consts *k = weir_cs_k(cs);
    weir_col a = weir_cs_alloc_bit(cs);
    weir_lc_add(cs, weir_cs_a(cs), WEIR_COL_ONE, &k->one);
    weir_lc_add(cs, weir_cs_a(cs), a, &k->minus_one);
    weir_lc_add(cs, weir_cs_b(cs), a, &k->one);
    weir_cs_end_row(cs);
    return is(a);
}

void weir_gad_bits(weir_cs *cs, weir_bool *out, unsigned n)
{
    for (unsigned i = 0; i < n; i++) out[i] = weir_gad_bit(cs);
}

/* 2a | b | a + b - c */
static weir_col xor_bits(weir_cs *cs, weir_col a, weir_col b)
{
    const weir_cs_consts *k = weir_cs_k(cs);
    weir_col c = weir_cs_alloc_bit(cs);
    weir_lc_add(cs, weir_cs_a(cs), a, &k->pow2[1]);
    weir_lc_add(cs, weir_cs_b(cs), b, &k->one);
    weir_lc_add(cs, weir_cs_c(cs), a, &k->one);
    weir_lc_add(cs, weir_cs_c(cs), b, &k->one);
    weir_lc_add(cs, weir_cs_c(cs), c, &k->minus_one);
    weir_cs_end_row(cs);
    return c;
}

weir_bool weir_gad_xor(weir_cs *cs, weir_bool x, weir_bool y)
{
    if (x.kind == WEIR_FALSE) return y;
    if (y.kind == WEIR_FALSE) return x;
    if (x.kind == WEIR_TRUE) return weir_bool_not(y);
    if (y.kind == WEIR_TRUE) return weir_bool_not(x);
    if (x.kind == y.kind) return is(xor_bits(cs, x.col, y.col));
    /* the plain bit stands in A, the negated one in B */
    weir_col plain = x.kind == WEIR_IS ? x.col : y.col, negated = x.kind == WEIR_IS ? y.col : x.col;
    return (weir_bool){WEIR_NOT, xor_bits(cs, plain, negated)};
}

/* x | y | c */
weir_bool weir_gad_and(weir_cs *cs, weir_bool x, weir_bool y)
{
    if (x.kind == WEIR_FALSE || y.kind == WEIR_FALSE) return weir_bool_const(false);
    if (x.kind == WEIR_TRUE) return y;
    if (y.kind == WEIR_TRUE) return x;
    if (x.kind == WEIR_NOT && y.kind == WEIR_IS) {
        weir_bool t = x;
        x = y;
        y = t;
    }
    weir_col c = weir_cs_alloc_bit(cs);
    weir_lc_add_bool(cs, weir_cs_a(cs), x, 0);
    weir_lc_add_bool(cs, weir_cs_b(cs), y, 0);
    weir_lc_add(cs, weir_cs_c(cs), c, &weir_cs_k(cs)->one);
    weir_cs_end_row(cs);
    return is(c);
}

static bool all_const(weir_bool a, weir_bool b, weir_bool c)
{
    return weir_bool_is_const(a) && weir_bool_is_const(b) && weir_bool_is_const(c);
}

/* b - c | a | r - c */
weir_bool weir_gad_ch(weir_cs *cs, weir_bool a, weir_bool b, weir_bool c)
{
    if (all_const(a, b, c)) return a.kind == WEIR_TRUE ? b : c;
    if (a.kind == WEIR_FALSE) return c;
    if (b.kind == WEIR_FALSE) return weir_gad_and(cs, weir_bool_not(a), c);
    if (c.kind == WEIR_FALSE) return weir_gad_and(cs, a, b);
    if (c.kind == WEIR_TRUE) return weir_bool_not(weir_gad_and(cs, a, weir_bool_not(b)));
    if (b.kind == WEIR_TRUE)
        return weir_bool_not(weir_gad_and(cs, weir_bool_not(a), weir_bool_not(c)));
    weir_col r = weir_cs_alloc_bit(cs);
    weir_lc_add_bool(cs, weir_cs_a(cs), b, 0);
    weir_lc_sub_bool(cs, weir_cs_a(cs), c, 0);
    weir_lc_add_bool(cs, weir_cs_b(cs), a, 0);
    weir_lc_add(cs, weir_cs_c(cs), r, &weir_cs_k(cs)->one);
    weir_lc_sub_bool(cs, weir_cs_c(cs), c, 0);
    weir_cs_end_row(cs);
    return is(r);
}

static weir_bool maj_const(weir_bool a, weir_bool b, weir_bool c)
{
    int n = (a.kind == WEIR_TRUE) + (b.kind == WEIR_TRUE) + (c.kind == WEIR_TRUE);
    return weir_bool_const(n >= 2);
}

/* not(not x and not y) */
static weir_bool or_by_and(weir_cs *cs, weir_bool x, weir_bool y)
{
    return weir_bool_not(weir_gad_and(cs, weir_bool_not(x), weir_bool_not(y)));
}

/* 2 bc - b - c | a | bc - r, with bc = b and c made after r */
weir_bool weir_gad_maj(weir_cs *cs, weir_bool a, weir_bool b, weir_bool c)
{
    if (all_const(a, b, c)) return maj_const(a, b, c);
    if (a.kind == WEIR_FALSE) return weir_gad_and(cs, b, c);
    if (b.kind == WEIR_FALSE) return weir_gad_and(cs, a, c);
    if (c.kind == WEIR_FALSE) return weir_gad_and(cs, a, b);
    if (c.kind == WEIR_TRUE) return or_by_and(cs, a, b);
    if (b.kind == WEIR_TRUE) return or_by_and(cs, a, c);
    if (a.kind == WEIR_TRUE) return or_by_and(cs, b, c);
    weir_col r = weir_cs_alloc_bit(cs);
    weir_bool bc = weir_gad_and(cs, b, c);
    weir_lc_add_bool(cs, weir_cs_a(cs), bc, 1);
    weir_lc_sub_bool(cs, weir_cs_a(cs), b, 0);
    weir_lc_sub_bool(cs, weir_cs_a(cs), c, 0);
    weir_lc_add_bool(cs, weir_cs_b(cs), a, 0);
    weir_lc_add_bool(cs, weir_cs_c(cs), bc, 0);
    weir_lc_add(cs, weir_cs_c(cs), r, &weir_cs_k(cs)->minus_one);
    weir_cs_end_row(cs);
    return is(r);
}
