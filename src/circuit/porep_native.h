/* What the native files of the PoRep share: ChaCha, labels, tree hashes, sparse trees. Not for
 * other modules.
 *
 * Nodes are 32 bytes little-endian. Where a function says "below r", it converts nodes to field
 * elements and must not be given others: input from files goes through weir_porep_input_check
 * first.
 */
#ifndef WEIR_CIRCUIT_POREP_NATIVE_H
#define WEIR_CIRCUIT_POREP_NATIVE_H

#include "circuit/porep.h"
#include "circuit/porep_hashes.h"
#include "hash/poseidon.h"

/* One ChaCha block: 16 words little-endian. `last` are state words 12 to 15: RFC 8439 (block
 * counter, 96-bit nonce) and Bernstein's layout (64-bit counter, 64-bit stream) differ only in
 * their use. rounds: even. Thread: any. */
void weir_porep_chacha(uint8_t out[64], const uint8_t key[32], const uint32_t last[4],
                       unsigned rounds);

/* The integer of n bytes little-endian, modulo m. n: a multiple of 8. m > 0. */
uint64_t weir_porep_mod(const uint8_t *bytes, size_t n, uint64_t m);

/* ---- labels */

/* SHA256(replica_id || BE32(layer) || BE64(node) || 20 zero bytes || 37 parents), two top bits
 * cleared. Layer 1 has the 6 DRG parents six times and the first once more, other layers all 14
 * twice and the first 9; node 0 has none. parents: n = 0, 6 or 14 pointers. */
void weir_porep_label(weir_node *out, const weir_node *replica_id, unsigned layer, uint64_t node,
                      const weir_node *const *parents, unsigned n);
/* The labels of one node in layers `layer` and layer + 1, each with its parents, at once. In: n[0] and n[1] are both zero or
 * both not. */
void weir_porep_label_pair(weir_node out[2], const weir_node *replica_id, unsigned layer,
                           uint64_t node, const weir_node *const *const parents[2],
                           const unsigned n[2]);

/* out = label + data in the field. Both below r. */
void weir_porep_encode(weir_node *out, const weir_node *label, const weir_node *data);

/* ---- tree hashes */

/* SHA256(left || right), two top bits cleared. */
void weir_porep_hash_d(weir_node *out, const weir_node *left, const weir_node *right);

/* n hashes of p's arity on the fastest path; the preimages stand one after another, below r.
 * Alias: none. Cost: 3 us a hash of arity 8 on the ifma path, else 25. */
void weir_porep_hash(const weir_poseidon *p, weir_node *out, const weir_node *preimages, size_t n);

/* ---- sparse trees of the shape of C and R-last */

enum { WEIR_SPARSE_MAX_LEVELS = 11 };

/* Level i: the families of siblings that contain a known node, by number of their parent,
 * ascending. */
typedef struct weir_sparse_level {
    unsigned arity;
    size_t families;
    uint64_t *parent;
    weir_node *child; /* families * arity */
} weir_sparse_level;

typedef struct weir_sparse_tree {
    unsigned levels;
    weir_sparse_level level[WEIR_SPARSE_MAX_LEVELS];
    weir_node root;
} weir_sparse_tree;

/* Writes a node that is not on any path. Below r. */
typedef void (*weir_sparse_fill_fn)(weir_node *out, void *ctx, unsigned level, uint64_t number);

typedef struct weir_sparse_leaves {
    const uint64_t *number; /* ascending, no repetition */
    const weir_node *value; /* below r */
    size_t n;               /* at least 1 */
} weir_sparse_leaves;

/* The tree that has these leaves, and `fill`ed nodes elsewhere. Errors: WEIR_E_NOMEM. Clear also
 * after a failure. Cost: n * levels hashes less what paths share; n * levels * arity * 32 bytes
 * likewise. */
weir_err weir_sparse_tree_init(weir_sparse_tree *t, const weir_porep_shape *s,
                               const weir_porep_hashes *h, const weir_sparse_leaves *leaves,
                               weir_sparse_fill_fn fill, void *ctx, weir_errinfo *ei) WEIR_MUST_USE;
void weir_sparse_tree_clear(weir_sparse_tree *t);
/* The path of one of the tree's leaves; p->siblings and p->index are written through. */
void weir_sparse_tree_path(const weir_sparse_tree *t, weir_path *p, uint64_t leaf);

/* ---- labelling of chosen nodes (a whole small sector is the case that all are chosen) */

/* n nodes, ascending. `labelled` nodes get computed labels; their parents must all be in the
 * set, and the rows of the others must be there already. rows: n * layers, a node's layers one
 * after another. */
typedef struct weir_label_set {
    uint64_t *number;
    bool *labelled;
    weir_node *rows;
    size_t n;
} weir_label_set;

/* Position of a node, or set->n. */
size_t weir_label_set_find(const weir_label_set *set, uint64_t node);
/* Layer by layer, nodes ascending: a DRG parent has a smaller number, an expander parent belongs
 * to the layer before. Errors: WEIR_E_NOMEM; WEIR_E_INTERNAL if a parent is missing. */
weir_err weir_label_set_compute(weir_label_set *set, const weir_registered_porep *r,
                                const weir_node *replica_id, weir_errinfo *ei) WEIR_MUST_USE;

#endif
