/* Gadgets, the shape side: each builds rows and columns in exactly the order of bellperson's and neptune's gadgets, so
 * that Filecoin's published keys fit. The filling side of each is in circuit/fill.h, under the matching name.
 *
 * Source: rust-fil-proofs and bellperson 0.27 (gadgets boolean, num, multipack, uint32, multieq, sha256, insertion, por),
 * neptune 11 (the legacy Poseidon circuit). Thread: one builder, one thread. Bit lists are least significant first
 * unless a name says otherwise.
 */
#ifndef WEIR_CIRCUIT_GADGET_H
#define WEIR_CIRCUIT_GADGET_H

#include "hash/poseidon.h"
#include "relation/cs.h"

#include <stdbool.h>

/* ---- Boolean: a constant, a bit column, or the negation of one */

typedef enum weir_bool_kind { WEIR_FALSE, WEIR_TRUE, WEIR_IS, WEIR_NOT } weir_bool_kind;

typedef struct weir_bool {
    weir_bool_kind kind;
    weir_col col; /* for WEIR_IS, WEIR_NOT */
} weir_bool;

static inline weir_bool weir_bool_const(bool v)
{
    return (weir_bool){v ? WEIR_TRUE : WEIR_FALSE, 0};
}
static inline bool weir_bool_is_const(weir_bool x)
{
    return x.kind <= WEIR_TRUE;
}
static inline weir_bool weir_bool_not(weir_bool x)
{
    static const weir_bool_kind flip[] = {WEIR_TRUE, WEIR_FALSE, WEIR_NOT, WEIR_IS};
    return (weir_bool){flip[x.kind], x.col};
}

/* lc += 2^i x, i < 255. */
void weir_lc_add_bool(weir_cs *cs, weir_lc *lc, weir_bool x, unsigned i);
/* lc -= 2^i x. */
void weir_lc_sub_bool(weir_cs *cs, weir_lc *lc, weir_bool x, unsigned i);

/* A new bit with its boolean row. */
weir_bool weir_gad_bit(weir_cs *cs);
/* n new bits. */
void weir_gad_bits(weir_cs *cs, weir_bool *out, unsigned n);
weir_bool weir_gad_xor(weir_cs *cs, weir_bool x, weir_bool y);
weir_bool weir_gad_and(weir_cs *cs, weir_bool x, weir_bool y);
weir_bool weir_gad_ch(weir_cs *cs, weir_bool a, weir_bool b, weir_bool c);
weir_bool weir_gad_maj(weir_cs *cs, weir_bool a, weir_bool b, weir_bool c);

/* ---- numbers: a column of its own, or a public input */

/* 255 bits of x (not strict) and the row that adds them up. */
void weir_gad_bits255(weir_cs *cs, weir_bool out[255], weir_col x);
/* A public input equal to x. */
weir_col weir_gad_inputize(weir_cs *cs, weir_col x);
void weir_gad_equal(weir_cs *cs, weir_col a, weir_col b);
weir_col weir_gad_add(weir_cs *cs, weir_col a, weir_col b);
weir_col weir_gad_sub(weir_cs *cs, weir_col a, weir_col b);
weir_col weir_gad_mul(weir_cs *cs, weir_col a, weir_col b);
/* A number of n <= 254 bits. */
weir_col weir_gad_pack(weir_cs *cs, const weir_bool *bits, unsigned n);
/* One public input for each 254 bits. */
void weir_gad_pack_inputs(weir_cs *cs, const weir_bool *bits, unsigned n);
/* reverse_bit_numbering: pads with false to whole bytes and turns each byte round. out: (n + 7) / 8 * 8. */
void weir_gad_reverse_bytes(weir_bool *out, const weir_bool *bits, unsigned n);

/* ---- SHA-256 */

/* bits: each byte's most significant bit first. out: 256 bits, each word's most significant bit first. */
void weir_gad_sha256(weir_cs *cs, weir_bool out[256], const weir_bool *bits, unsigned n);
/* The D tree's hash of two numbers (254 bits). */
weir_col weir_gad_sha_hash2(weir_cs *cs, weir_col left, weir_col right);

/* ---- Poseidon: 'arity' numbers to one */
weir_col weir_gad_poseidon(weir_cs *cs, const weir_poseidon *p, const weir_col *preimage);

/* ---- choosing, inserting, Merkle paths */

/* cond ? a : b */
weir_col weir_gad_pick(weir_cs *cs, weir_bool cond, weir_col a, weir_col b);
/* out (arity values): siblings with element put in at index sum 2^i bits[i]; arity a power of two up to 16. */
void weir_gad_insert(weir_cs *cs, weir_col *out, weir_col element, const weir_bool *bits,
                     const weir_col *siblings, unsigned arity);
/* values[index] of 2^n_bits values, at most 128. */
weir_col weir_gad_select(weir_cs *cs, const weir_col *values, const weir_bool *bits,
                         unsigned n_bits);

/* The kind of tree that a path climbs: arities from the leaf, and each level's hash. */
typedef struct weir_tree {
    unsigned levels;
    bool sha;                          /* binary SHA-256 at every level */
    uint8_t arity[32];                 /* a level; 2 for sha */
    const weir_poseidon *poseidon[32]; /* a level; NULL for sha */
} weir_tree;

/* Bits of the leaf's index over all levels, at most 32. */
unsigned weir_tree_index_bits(const weir_tree *t);

/* Climbs from `leaf` with new index bits and siblings; the packed index becomes a public input. Returns the root. */
weir_col weir_gad_climb(weir_cs *cs, const weir_tree *t, weir_col leaf);
/* The same, and the root must be `root`. */
void weir_gad_inclusion(weir_cs *cs, const weir_tree *t, weir_col leaf, weir_col root);
/* The same with index bits and siblings (all levels, one after another) that exist already, and no input. */
void weir_gad_inclusion_given(weir_cs *cs, const weir_tree *t, weir_col leaf, const weir_bool *bits,
                              const weir_col *siblings, weir_col root);

#endif
