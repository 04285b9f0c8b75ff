#include "circuit/gadget.h"

#include <assert.h>

enum { MAX_ARITY = 16 };

static unsigned log2_of(unsigned arity)
{
    return (unsigned)__builtin_ctz(arity);
}

/* b - a | cond | b - c */
weir_col weir_gad_pick(weir_cs *cs, weir_bool cond, weir_col a, weir_col b)
{
    const weir_cs_consts *k = weir_cs_k(cs);
    weir_col c = weir_cs_alloc(cs);
    weir_lc_add(cs, weir_cs_a(cs), b, &k->one);
    weir_lc_add(cs, weir_cs_a(cs), a, &k->minus_one);
    weir_lc_add_bool(cs, weir_cs_b(cs), cond, 0);
    weir_lc_add(cs, weir_cs_c(cs), b, &k->one);
    weir_lc_add(cs, weir_cs_c(cs), c, &k->minus_one);
    weir_cs_end_row(cs);
    return c;
}

static void insert2(weir_cs *cs, weir_col *out, weir_col e, const weir_bool *b, const weir_col *s)
{
    out[0] = weir_gad_pick(cs, b[0], s[0], e);
    out[1] = weir_gad_pick(cs, b[0], e, s[0]);
}

static void insert4(weir_cs *cs, weir_col *out, weir_col e, const weir_bool *b, const weir_col *s)
{
    weir_col x = weir_gad_pick(cs, b[0], s[0], e);
    out[0] = weir_gad_pick(cs, b[1], s[0], x);
    x = weir_gad_pick(cs, b[0], e, s[0]);
    out[1] = weir_gad_pick(cs, b[1], s[1], x);
    x = weir_gad_pick(cs, b[0], s[2], e);
    out[2] = weir_gad_pick(cs, b[1], x, s[1]);
    x = weir_gad_pick(cs, b[0], e, s[2]);
    out[3] = weir_gad_pick(cs, b[1], x, s[2]);
}

static void insert8(weir_cs *cs, weir_col *out, weir_col e, const weir_bool *b, const weir_col *s)
{
    weir_bool none = weir_gad_and(cs, weir_bool_not(b[0]), weir_bool_not(b[1]));
    weir_bool both = weir_gad_and(cs, b[0], b[1]);
    weir_col x = weir_gad_pick(cs, none, e, s[0]);
    out[0] = weir_gad_pick(cs, b[2], s[0], x);
    x = weir_gad_pick(cs, b[0], e, s[0]);
    x = weir_gad_pick(cs, b[1], s[1], x);
    out[1] = weir_gad_pick(cs, b[2], s[1], x);
    x = weir_gad_pick(cs, b[0], s[2], e);
    x = weir_gad_pick(cs, b[1], x, s[1]);
    out[2] = weir_gad_pick(cs, b[2], s[2], x);
    x = weir_gad_pick(cs, both, e, s[2]);
    out[3] = weir_gad_pick(cs, b[2], s[3], x);
    x = weir_gad_pick(cs, none, e, s[4]);
    out[4] = weir_gad_pick(cs, b[2], x, s[3]);
    x = weir_gad_pick(cs, b[0], e, s[4]);
    x = weir_gad_pick(cs, b[1], s[5], x);
    out[5] = weir_gad_pick(cs, b[2], x, s[4]);
    x = weir_gad_pick(cs, b[0], s[6], e);
    x = weir_gad_pick(cs, b[1], x, s[5]);
    out[6] = weir_gad_pick(cs, b[2], x, s[5]);
    x = weir_gad_pick(cs, both, e, s[6]);
    out[7] = weir_gad_pick(cs, b[2], x, s[6]);
}

/* Any other size: each position selects among what could stand there, by where the element goes. */
static void insert_any(weir_cs *cs, weir_col *out, weir_col e, const weir_bool *b,
                       const weir_col *s, unsigned arity)
{
    for (unsigned at = 0; at < arity; at++) {
        weir_col candidate[MAX_ARITY];
        for (unsigned k = 0; k < arity; k++)
            candidate[k] = k == at ? e : at < k ? s[at] : s[at - 1];
        out[at] = weir_gad_select(cs, candidate, b, log2_of(arity));
    }
}

void weir_gad_insert(weir_cs *cs, weir_col *out, weir_col element, const weir_bool *bits,
                     const weir_col *siblings, unsigned arity)
{
    assert(arity >= 2 && arity <= MAX_ARITY && (arity & (arity - 1)) == 0);
    switch (arity) {
    case 2:
        insert2(cs, out, element, bits, siblings);
        break;
    case 4:
        insert4(cs, out, element, bits, siblings);
        break;
    case 8:
        insert8(cs, out, element, bits, siblings);
        break;
    default:
        insert_any(cs, out, element, bits, siblings, arity);
        break;
    }
}

weir_col weir_gad_select(weir_cs *cs, const weir_col *values, const weir_bool *bits,
                         unsigned n_bits)
{
    enum { MAX_BITS = 7 };
    assert(n_bits <= MAX_BITS);
    weir_col state[1 << MAX_BITS];
    for (unsigned i = 0; i < 1u << n_bits; i++) state[i] = values[i];
    for (unsigned b = n_bits; b-- > 0;)
        for (unsigned j = 0; j < 1u << b; j++)
            state[j] = weir_gad_pick(cs, bits[b], state[(1u << b) + j], state[j]);
    return state[0];
}

unsigned weir_tree_index_bits(const weir_tree *t)
{
    unsigned n = 0;
    for (unsigned i = 0; i < t->levels; i++) n += log2_of(t->arity[i]);
    return n;
}

/* The node above: element put among its siblings, then the level's hash. */
static weir_col climb(weir_cs *cs, const weir_tree *t, unsigned level, weir_col element,
                      const weir_bool *bits, const weir_col *siblings)
{
    weir_col children[8];
    weir_gad_insert(cs, children, element, bits, siblings, t->arity[level]);
    if (t->sha) return weir_gad_sha_hash2(cs, children[0], children[1]);
    return weir_gad_poseidon(cs, t->poseidon[level], children);
}

weir_col weir_gad_climb(weir_cs *cs, const weir_tree *t, weir_col leaf)
{
    weir_bool bits[64];
    unsigned n = 0;
    weir_col cur = leaf;
    for (unsigned level = 0; level < t->levels; level++) {
        weir_col siblings[7];
        unsigned k = log2_of(t->arity[level]);
        weir_gad_bits(cs, bits + n, k);
        for (unsigned i = 0; i + 1 < t->arity[level]; i++) siblings[i] = weir_cs_alloc(cs);
        cur = climb(cs, t, level, cur, bits + n, siblings);
        n += k;
    }
    weir_gad_pack_inputs(cs, bits, n);
    return cur;
}

void weir_gad_inclusion(weir_cs *cs, const weir_tree *t, weir_col leaf, weir_col root)
{
    weir_gad_equal(cs, weir_gad_climb(cs, t, leaf), root);
}

void weir_gad_inclusion_given(weir_cs *cs, const weir_tree *t, weir_col leaf, const weir_bool *bits,
                              const weir_col *siblings, weir_col root)
{
    weir_col cur = leaf;
    for (unsigned level = 0; level < t->levels; level++) {
        cur = climb(cs, t, level, cur, bits, siblings);
        bits += log2_of(t->arity[level]);
        siblings += t->arity[level] - 1;
    }
    weir_gad_equal(cs, cur, root);
}
