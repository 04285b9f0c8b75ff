#include "circuit/fill.h"

#include <assert.h>

enum { MAX_ARITY = 16 };

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

void weir_fill_poseidon(weir_filler *f, const weir_poseidon *p, weir_fr *out,
                        const weir_fr *preimage)
{
    unsigned n = weir_poseidon_trace_len(p);
    weir_fr *trace = pack_dense_n(&f->p, n);
    f->poseidon->trace(p, trace, preimage);
    f->poseidon_hashes++;
    *out = trace[n - 1];
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

/* The node above. The SHA-256 tree needs standard forms, the Poseidon trees do not. */
static void climb(weir_filler *f, const weir_tree *t, unsigned level, weir_num *cur, unsigned index,
                  const weir_num *siblings)
{
    unsigned arity = t->arity[level];
    weir_fr s[7], children[8];
    for (unsigned i = 0; i + 1 < arity; i++) s[i] = siblings[i].m;
    weir_fill_insert(f, children, &cur->m, index, s, arity);
    if (t->sha) {
        weir_num own = *cur;
        const weir_num *left = index ? &siblings[0] : &own, *right = index ? &own : &siblings[0];
        weir_fill_sha_hash2(f, cur, left, right);
    } else {
        weir_fill_poseidon(f, t->poseidon[level], &cur->m, children);
    }
}

void weir_fill_inclusion(weir_filler *f, const weir_tree *t, const weir_num *leaf,
                         const uint8_t *index, const uint8_t (*siblings)[32])
{
    weir_num cur = *leaf;
    uint64_t packed = 0;
    unsigned n = 0;
    for (unsigned level = 0; level < t->levels; level++) {
        unsigned arity = t->arity[level], k = (unsigned)__builtin_ctz(arity);
        weir_num s[7];
        pack_bits(&f->p, index[level], k);
        packed |= (uint64_t)index[level] << n;
        n += k;
        for (unsigned i = 0; i + 1 < arity; i++) {
            weir_num_from_node(&s[i], *siblings++);
            weir_fill_alloc(f, &s[i].m);
        }
        climb(f, t, level, &cur, index[level], s);
    }
    weir_fill_input_u64(f, packed);
}

void weir_fill_inclusion_given(weir_filler *f, const weir_tree *t, const weir_num *leaf,
                               const uint8_t *index, const weir_num *siblings)
{
    weir_num cur = *leaf;
    for (unsigned level = 0; level < t->levels; level++) {
        climb(f, t, level, &cur, index[level], siblings);
        siblings += t->arity[level] - 1;
    }
}
