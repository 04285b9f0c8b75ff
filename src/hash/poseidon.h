/* Poseidon over Fr as Filecoin uses it: neptune's standard strength, x^5, 4 + R_P + 4 rounds,
 * optimised form with compressed round constants and sparse matrices. Source: Grassi et al.
 * 2019/458; neptune's specification.
 *
 * The constants of one (arity, tag) are computed once (10 ms for arity 8, 50 for 16) and are then
 * read only: any thread.
 * Method and figures: docs/poseidon.md.
 */
#ifndef WEIR_HASH_POSEIDON_H
#define WEIR_HASH_POSEIDON_H

#include "base/err.h"
#include "base/isa.h"
#include "field/types.h"

enum { WEIR_POSEIDON_MAX_WIDTH = 17, WEIR_POSEIDON_FULL_ROUNDS = 8 };

/* Partial rounds that the eight-lane form takes together; the last block of an instance may be
 * shorter. */
enum { WEIR_POSEIDON_BLOCK = 4 };

/* All matrices row by row, width x width. Mixing: new_j = sum_i state_i M[i][j]. Montgomery form
 * throughout. */
typedef struct weir_poseidon {
    unsigned arity, width, partial_rounds;
    weir_fr tag;            /* state element 0 */
    weir_fr first;          /* element 0 after the first round's S-box: (tag + k_0)^5 + k_width */
    weir_fr *round_keys;    /* compressed: 8 width + partial_rounds, in order of use */
    weir_fr *mds;           /* width^2 */
    weir_fr *pre_sparse;    /* width^2 */
    weir_fr *sparse_w_hat;  /* partial_rounds * width */
    weir_fr *sparse_v_rest; /* partial_rounds * (width - 1) */
    /* The same for eight lanes. Matrices by columns; first is behind the keys. */
    weir_fr52 *x8_keys; /* 8 width + partial_rounds + 1 */
    weir_fr52 *x8_mds, *x8_pre_sparse;
    weir_fr52 *x8_blocks; /* weir_poseidon_block_elems of each block */
} weir_poseidon;

/* Elements of a block of k partial rounds. For round r < k: width + r factors, of the elements
 * 1..width-1 at the block's start, of the S-box outputs 0..r-1, and of the round's own. Then for
 * each element 1..width-1: its k factors of the S-box outputs. */
static inline size_t weir_poseidon_block_elems(unsigned width, unsigned k)
{
    return (size_t)k * (2 * width - 1) + (size_t)k * (k - 1) / 2;
}

/* Arities 1, 2, 4, 8, 11, 16. Free with weir_poseidon_free (NULL is fine). tag = NULL: 2^arity - 1,
 * the Merkle-tree tag. Errors: WEIR_E_UNSUPPORTED, NOMEM. */
weir_err weir_poseidon_new(weir_poseidon **out, unsigned arity, const weir_fr *tag,
                           weir_errinfo *ei) WEIR_MUST_USE;
void weir_poseidon_free(weir_poseidon *p);

/* Number of values that the circuit allocates for one hash: 3 (8 w + R_P - 1) + 8 w + R_P - arity
 * (505 for arity 8). */
unsigned weir_poseidon_trace_len(const weir_poseidon *p);

typedef struct weir_poseidon_ops {
    /* n hashes of `arity` elements each, preimages one after another. Cost: 1,929 products for
     * arity 8; on the ifma path eight go together, at a ninth of that.
     * Alias: out may overlap preimages only if each result lies before the preimages still to be
     * read. */
    void (*hash)(const weir_poseidon *p, weir_fr *out, const weir_fr *preimages, size_t n);
    /* One hash that also writes every intermediate value in the order of the circuit's columns (see
     * circuit/gad_poseidon.c): for each S-box l (absent in the first round), l^2, l^4, l^5 + key;
     * last the result.
     * Size: weir_poseidon_trace_len elements. Cost: as one hash. */
    void (*trace)(const weir_poseidon *p, weir_fr *trace, const weir_fr *preimage);
    /* n of these at once: trace[k] from preimage[k], which may lie anywhere. Alias: none. Cost: on
     * the ifma path eight go together. */
    void (*traces)(const weir_poseidon *p, weir_fr *const *trace, const weir_fr *const *preimage,
                   size_t n);
} weir_poseidon_ops;

WEIR_ISA_DECLARE(weir_poseidon_ops, weir_poseidon_ops);
const weir_poseidon_ops *weir_poseidon_ops_get(weir_isa isa);

#endif
