#include "circuit/fill.h"

#include <assert.h>

enum { MAX_ARITY = 16, MAX_TREE_ARITY = 8 };

void weir_num_from_node(weir_num *out, const uint8_t node[32])
{
    scalar_from_le(&out->s, node);
    fr_from_scalar(&out->m, &out->s);
}

void weir_fill_bits255(weir_filler *f, const weir_scalar *s)
{
    pack_u64(&f->p, s->l[0]);
    pack_u64(&f->p, s->l[1]);
    pack_u64(&f->p, s->l[2]);
    pack_bits(&f->p, s->l[3] & 0xffffffffu, 32);
    pack_bits(&f->p, s->l[3] >> 32, 31);
}

void weir_fill_input_u64(weir_filler *f, uint64_t v)
{
    weir_fr m;
    fr_from_u64(&m, v);
    weir_fill_inputize(f, &m);
}

void weir_fill_add(weir_filler *f, weir_fr *out, const weir_fr *a, const weir_fr *b)
{
    fr_add(out, a, b);
    weir_fill_alloc(f, out);
}

void weir_fill_poseidons(weir_filler *f, unsigned n, const weir_poseidon *p, weir_fr *out,
                         const weir_fr *preimages)
{
    const unsigned len = weir_poseidon_trace_len(p);
    weir_fr *trace[WEIR_FILL_LANES];
    const weir_fr *preimage[WEIR_FILL_LANES];
    assert(n > 0 && n <= WEIR_FILL_LANES);
    for (unsigned k = 0; k < n; k++) {
        trace[k] = pack_dense_n(&f[k].p, len);
        preimage[k] = preimages + k * p->arity;
        f[k].poseidon_hashes++;
    }
    f[0].poseidon->traces(p, trace, preimage, n);
    for (unsigned k = 0; k < n; k++) out[k] = trace[k][len - 1];
}

void weir_fill_poseidon(weir_filler *f, const weir_poseidon *p, weir_fr *out,
                        const weir_fr *preimage)
{
    weir_fill_poseidons(f, 1, p, out, preimage);
}

static inline weir_fr pick(weir_filler *f, unsigned cond, const weir_fr *a, const weir_fr *b)
{
    const weir_fr *c = cond ? a : b;
    weir_fill_alloc(f, c);
    return *c;
}

static void insert2(weir_filler *f, weir_fr *out, const weir_fr *e, unsigned i, const weir_fr *s)
{
    out[0] = pick(f, i & 1, &s[0], e);
    out[1] = pick(f, i & 1, e, &s[0]);
}

static void insert4(weir_filler *f, weir_fr *out, const weir_fr *e, unsigned i, const weir_fr *s)
{
    unsigned b0 = i & 1, b1 = i >> 1;
    weir_fr x = pick(f, b0, &s[0], e);
    out[0] = pick(f, b1, &s[0], &x);
    x = pick(f, b0, e, &s[0]);
    out[1] = pick(f, b1, &s[1], &x);
    x = pick(f, b0, &s[2], e);
    out[2] = pick(f, b1, &x, &s[1]);
    x = pick(f, b0, e, &s[2]);
    out[3] = pick(f, b1, &x, &s[2]);
}

static void insert8(weir_filler *f, weir_fr *out, const weir_fr *e, unsigned i, const weir_fr *s)
{
    unsigned b0 = i & 1, b1 = (i >> 1) & 1, b2 = i >> 2, none = !b0 && !b1, both = b0 && b1;
    pack_bits(&f->p, none | both << 1, 2);
    weir_fr x = pick(f, none, e, &s[0]);
    out[0] = pick(f, b2, &s[0], &x);
    x = pick(f, b0, e, &s[0]);
    x = pick(f, b1, &s[1], &x);
    out[1] = pick(f, b2, &s[1], &x);
    x = pick(f, b0, &s[2], e);
    x = pick(f, b1, &x, &s[1]);
    out[2] = pick(f, b2, &s[2], &x);
    x = pick(f, both, e, &s[2]);
    out[3] = pick(f, b2, &s[3], &x);
    x = pick(f, none, e, &s[4]);
    out[4] = pick(f, b2, &x, &s[3]);
    x = pick(f, b0, e, &s[4]);
    x = pick(f, b1, &s[5], &x);
    out[5] = pick(f, b2, &x, &s[4]);
    x = pick(f, b0, &s[6], e);
    x = pick(f, b1, &x, &s[5]);
    out[6] = pick(f, b2, &x, &s[5]);
    x = pick(f, both, e, &s[6]);
    out[7] = pick(f, b2, &x, &s[6]);
}

static void insert_any(weir_filler *f, weir_fr *out, const weir_fr *e, unsigned index,
                       const weir_fr *s, unsigned arity)
{
    for (unsigned at = 0; at < arity; at++) {
        weir_fr candidate[MAX_ARITY];
        for (unsigned k = 0; k < arity; k++)
            candidate[k] = k == at ? *e : at < k ? s[at] : s[at - 1];
        weir_fill_select(f, &out[at], candidate, index, (unsigned)__builtin_ctz(arity));
    }
}

void weir_fill_insert(weir_filler *f, weir_fr *out, const weir_fr *element, unsigned index,
                      const weir_fr *siblings, unsigned arity)
{
    assert(arity >= 2 && arity <= MAX_ARITY && (arity & (arity - 1)) == 0 && index < arity);
    switch (arity) {
    case 2:
        insert2(f, out, element, index, siblings);
        break;
    case 4:
        insert4(f, out, element, index, siblings);
        break;
    case 8:
        insert8(f, out, element, index, siblings);
        break;
    default:
        insert_any(f, out, element, index, siblings, arity);
        break;
    }
}

void weir_fill_select(weir_filler *f, weir_fr *out, const weir_fr *values, unsigned index,
                      unsigned n_bits)
{
    enum { MAX_BITS = 7 };
    assert(n_bits <= MAX_BITS);
    weir_fr state[1 << MAX_BITS];
    for (unsigned i = 0; i < 1u << n_bits; i++) state[i] = values[i];
    for (unsigned b = n_bits; b-- > 0;)
        for (unsigned j = 0; j < 1u << b; j++)
            state[j] = pick(f, (index >> b) & 1, &state[(1u << b) + j], &state[j]);
    *out = state[0];
}

/* The columns that weir_fill_insert writes. */
static weir_stretch insert_stretch(unsigned arity)
{
    switch (arity) {
    case 2:
        return (weir_stretch){.columns = 2, .dense = 2};
    case 4:
        return (weir_stretch){.columns = 8, .dense = 8};
    case 8:
        return (weir_stretch){.columns = 22, .dense = 20};
    default:
        return (weir_stretch){.columns = arity * (arity - 1), .dense = arity * (arity - 1)};
    }
}

/* One level of n paths: every element among its siblings, then the nodes above. The SHA-256 tree needs standard forms, the
 * Poseidon trees do not. */
static void climb(weir_filler *f, unsigned n, const weir_tree *t, unsigned level, weir_num *cur,
                  const uint8_t *index, const weir_num *const *siblings)
{
    const unsigned arity = t->arity[level];
    weir_fr children[WEIR_FILL_LANES * MAX_TREE_ARITY] = {{{0}}}, above[WEIR_FILL_LANES];
    for (unsigned k = 0; k < n; k++) {
        weir_fr s[MAX_TREE_ARITY - 1];
        for (unsigned i = 0; i + 1 < arity; i++) s[i] = siblings[k][i].m;
        weir_fill_insert(&f[k], children + k * arity, &cur[k].m, index[k], s, arity);
        if (!t->sha) continue;
        const weir_num own = cur[k], *other = &siblings[k][0];
        weir_fill_sha_hash2(&f[k], &cur[k], index[k] ? other : &own, index[k] ? &own : other);
    }
    if (t->sha) return;
    weir_fill_poseidons(f, n, t->poseidon[level], above, children);
    for (unsigned k = 0; k < n; k++) cur[k].m = above[k];
}

void weir_fill_inclusions(weir_filler *f, unsigned n, const weir_tree *t, const weir_num *leaf,
                          const weir_fill_path *path)
{
    weir_num cur[WEIR_FILL_LANES];
    uint64_t packed[WEIR_FILL_LANES] = {0};
    unsigned bits = 0, done = 0;
    assert(n > 0 && n <= WEIR_FILL_LANES);
    for (unsigned k = 0; k < n; k++) cur[k] = leaf[k];
    for (unsigned level = 0; level < t->levels; level++) {
        const unsigned arity = t->arity[level], b = (unsigned)__builtin_ctz(arity);
        weir_num s[WEIR_FILL_LANES][MAX_TREE_ARITY - 1];
        const weir_num *siblings[WEIR_FILL_LANES];
        uint8_t index[WEIR_FILL_LANES];
        for (unsigned k = 0; k < n; k++) {
            index[k] = path[k].index[level];
            siblings[k] = s[k];
            pack_bits(&f[k].p, index[k], b);
            packed[k] |= (uint64_t)index[k] << bits;
            for (unsigned i = 0; i + 1 < arity; i++) {
                weir_num_from_node(&s[k][i], path[k].siblings[done + i]);
                weir_fill_alloc(&f[k], &s[k][i].m);
            }
        }
        bits += b;
        done += arity - 1;
        climb(f, n, t, level, cur, index, siblings);
    }
    for (unsigned k = 0; k < n; k++) weir_fill_input_u64(&f[k], packed[k]);
}

void weir_fill_inclusion(weir_filler *f, const weir_tree *t, const weir_num *leaf,
                         const weir_fill_path *path)
{
    weir_fill_inclusions(f, 1, t, leaf, path);
}

weir_stretch weir_fill_inclusion_stretch(const weir_tree *t)
{
    weir_stretch all = {.inputs = 1};
    assert(!t->sha);
    for (unsigned level = 0; level < t->levels; level++) {
        const unsigned arity = t->arity[level], trace = weir_poseidon_trace_len(t->poseidon[level]);
        const weir_stretch insert = insert_stretch(arity);
        all.columns += (unsigned)__builtin_ctz(arity) + arity - 1 + insert.columns + trace;
        all.dense += arity - 1 + insert.dense + trace;
    }
    return all;
}

void weir_fill_inclusion_given(weir_filler *f, const weir_tree *t, const weir_num *leaf,
                               const uint8_t *index, const weir_num *siblings)
{
    weir_num cur = *leaf;
    for (unsigned level = 0; level < t->levels; level++) {
        climb(f, 1, t, level, &cur, &index[level], &siblings);
        siblings += t->arity[level] - 1;
    }
}
