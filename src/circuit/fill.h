/* Gadgets, the filling side: each writes the columns that its twin in circuit/gadget.h makes, in the same order, by
 * native words. No constraint system runs: a 32-bit XOR is one XOR and one store of 32 columns.
 *
 * A packer belongs to one thread. Values are what the circuit would compute; nothing is judged.
 */
#ifndef WEIR_CIRCUIT_FILL_H
#define WEIR_CIRCUIT_FILL_H

#include "circuit/gadget.h"
#include "field/fr.h"
#include "relation/packed.h"

#include <stdint.h>

typedef struct weir_filler {
    weir_packer p;
    const weir_poseidon_ops *poseidon;
    uint64_t sha256_compressions, poseidon_hashes; /* counted as they are done */
} weir_filler;

/* ---- numbers */
/* A number that also has its standard form at hand. */
typedef struct weir_num {
    weir_fr m;
    weir_scalar s;
} weir_num;

/* In: 32 bytes below r. */
void weir_num_from_node(weir_num *out, const uint8_t node[32]);

void weir_fill_bits255(weir_filler *f, const weir_scalar *s);
static inline void weir_fill_alloc(weir_filler *f, const weir_fr *v)
{
    pack_dense(&f->p, v);
}
static inline void weir_fill_inputize(weir_filler *f, const weir_fr *v)
{
    pack_input(&f->p, v);
}
/* The packed value of n <= 64 bits as a public input. */
void weir_fill_input_u64(weir_filler *f, uint64_t v);
/* The sum's column. */
void weir_fill_add(weir_filler *f, weir_fr *out, const weir_fr *a, const weir_fr *b);

/* ---- SHA-256 */
/* 32 Booleans: their values; which of them are constants; which of them are negated columns. A constant is never
 * negated. Most words are 32 plain columns. */
typedef struct weir_fill_word {
    uint32_t v, konst, negated;
} weir_fill_word;

static inline weir_fill_word weir_fill_word_of(uint32_t v)
{
    return (weir_fill_word){v, 0, 0};
}
static inline weir_fill_word weir_fill_word_const(uint32_t v)
{
    return (weir_fill_word){v, 0xffffffffu, 0};
}

/* One compression; state and block as weir_gad_sha256's inner step sees them. */
void weir_fill_sha256_block(weir_filler *f, weir_fill_word state[8],
                            const weir_fill_word block[16]);
/* A message of n words (n * 4 bytes), padded here. digest: 32 bytes. */
void weir_fill_sha256(weir_filler *f, uint8_t digest[32], const weir_fill_word *words, unsigned n);
/* Eight words of a 32-byte number whose bit 255 is a constant zero, as reverse_bit_numbering of its 255 bits gives. */
void weir_fill_words_of_number(weir_fill_word out[8], const weir_scalar *s);
/* A digest's first 254 bits as a number, packed into a column. */
void weir_fill_pack254(weir_filler *f, weir_num *out, const uint8_t digest[32]);
void weir_fill_sha_hash2(weir_filler *f, weir_num *out, const weir_num *left,
                         const weir_num *right);

/* ---- Poseidon, paths
 *
 * Where equal gadgets do not wait for each other they are filled side by side, so that their hashes go together in vectors:
 * n <= WEIR_FILL_LANES fillers, each at its own gadget's first column. */
enum { WEIR_FILL_LANES = 16 };

void weir_fill_poseidon(weir_filler *f, const weir_poseidon *p, weir_fr *out,
                        const weir_fr *preimage);
/* n hashes: f[k] writes out[k]'s columns; the preimages stand one after another. */
void weir_fill_poseidons(weir_filler *f, unsigned n, const weir_poseidon *p, weir_fr *out,
                         const weir_fr *preimages);
void weir_fill_insert(weir_filler *f, weir_fr *out, const weir_fr *element, unsigned index,
                      const weir_fr *siblings, unsigned arity);
void weir_fill_select(weir_filler *f, weir_fr *out, const weir_fr *values, unsigned index,
                      unsigned n_bits);
/* index: position at each level; siblings: 32 bytes each, all levels. */
typedef struct weir_fill_path {
    const uint8_t *index;
    const uint8_t (*siblings)[32];
} weir_fill_path;

/* Writes the packed index as a public input. */
void weir_fill_inclusion(weir_filler *f, const weir_tree *t, const weir_num *leaf,
                         const weir_fill_path *path);
/* n paths of one tree, level by level: f[k] climbs from leaf[k]. */
void weir_fill_inclusions(weir_filler *f, unsigned n, const weir_tree *t, const weir_num *leaf,
                          const weir_fill_path *path);
/* What one inclusion in a Poseidon tree writes. */
weir_stretch weir_fill_inclusion_stretch(const weir_tree *t);
/* Twin of weir_gad_inclusion_given: siblings are field elements that have their columns already. */
void weir_fill_inclusion_given(weir_filler *f, const weir_tree *t, const weir_num *leaf,
                               const uint8_t *index, const weir_num *siblings);

#endif
