#include "circuit/gadget.h"

static void add_one(weir_cs *cs, weir_lc *lc, weir_col col)
{
    weir_lc_add(cs, lc, col, &weir_cs_k(cs)->one);
}

/* a | ONE | b, both single columns */
void weir_gad_equal(weir_cs *cs, weir_col a, weir_col b)
{
    add_one(cs, weir_cs_a(cs), a);
    add_one(cs, weir_cs_b(cs), WEIR_COL_ONE);
    add_one(cs, weir_cs_c(cs), b);
    weir_cs_end_row(cs);
}

/* 0 | 0 | sum 2^i b_i - x */
void weir_gad_bits255(weir_cs *cs, weir_bool out[255], weir_col x)
{
    weir_gad_bits(cs, out, 255);
    for (unsigned i = 0; i < 255; i++) weir_lc_add_bool(cs, weir_cs_c(cs), out[i], i);
    weir_lc_add(cs, weir_cs_c(cs), x, &weir_cs_k(cs)->minus_one);
    weir_cs_end_row(cs);
}

weir_col weir_gad_inputize(weir_cs *cs, weir_col x)
{
    weir_col input = weir_cs_input(cs);
    weir_gad_equal(cs, input, x);
    return input;
}

/* a + b | ONE | s */
weir_col weir_gad_add(weir_cs *cs, weir_col a, weir_col b)
{
    weir_col s = weir_cs_alloc(cs);
    add_one(cs, weir_cs_a(cs), a);
    add_one(cs, weir_cs_a(cs), b);
    add_one(cs, weir_cs_b(cs), WEIR_COL_ONE);
    add_one(cs, weir_cs_c(cs), s);
    weir_cs_end_row(cs);
    return s;
}

/* d + b | ONE | a */
weir_col weir_gad_sub(weir_cs *cs, weir_col a, weir_col b)
{
    weir_col d = weir_cs_alloc(cs);
    add_one(cs, weir_cs_a(cs), d);
    add_one(cs, weir_cs_a(cs), b);
    add_one(cs, weir_cs_b(cs), WEIR_COL_ONE);
    add_one(cs, weir_cs_c(cs), a);
    weir_cs_end_row(cs);
    return d;
}

/* a | b | p */
weir_col weir_gad_mul(weir_cs *cs, weir_col a, weir_col b)
{
    weir_col p = weir_cs_alloc(cs);
    add_one(cs, weir_cs_a(cs), a);
    add_one(cs, weir_cs_b(cs), b);
    add_one(cs, weir_cs_c(cs), p);
    weir_cs_end_row(cs);
    return p;
}

/* sum 2^i bit_i | ONE | n */
static void pack_row(weir_cs *cs, const weir_bool *bits, unsigned n, weir_col number)
{
    for (unsigned i = 0; i < n; i++) weir_lc_add_bool(cs, weir_cs_a(cs), bits[i], i);
    add_one(cs, weir_cs_b(cs), WEIR_COL_ONE);
    add_one(cs, weir_cs_c(cs), number);
    weir_cs_end_row(cs);
}

weir_col weir_gad_pack(weir_cs *cs, const weir_bool *bits, unsigned n)
{
    weir_col number = weir_cs_alloc(cs);
    pack_row(cs, bits, n, number);
    return number;
}

void weir_gad_pack_inputs(weir_cs *cs, const weir_bool *bits, unsigned n)
{
    for (unsigned at = 0; at < n; at += 254) {
        weir_col input = weir_cs_input(cs);
        pack_row(cs, bits + at, n - at < 254 ? n - at : 254, input);
    }
}

void weir_gad_reverse_bytes(weir_bool *out, const weir_bool *bits, unsigned n)
{
    for (unsigned i = 0; i < (n + 7) / 8 * 8; i++) {
        unsigned from = i / 8 * 8 + 7 - i % 8;
        out[i] = from < n ? bits[from] : weir_bool_const(false);
    }
}
