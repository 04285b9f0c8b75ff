/* What readers and writers of Commit Phase 1 output share: how the Merkle proofs of one sector size
 * are laid out, and the counts that must be found. Internal to formats. */
#ifndef WEIR_FORMATS_C1_LAYOUT_H
#define WEIR_FORMATS_C1_LAYOUT_H

#include "formats/c1.h"

enum {
    WEIR_C1_MAX_PARTS = 3,
    WEIR_C1_MAX_PARTITIONS = 126, /* non-interactive PoRep of 32 and 64 GiB */
    WEIR_C1_MAX_CHALLENGES = 18
};

/* The paths of one tree. A Merkle proof is of kind Single (one part "path"), Sub ("base_proof",
 * "sub_proof") or Top (also "top_proof"): the parts are runs of levels. */
typedef struct weir_c1_tree {
    const char *kind;
    uint32_t tag; /* of the enum in bincode: 0 Single, 1 Sub, 2 Top */
    unsigned levels, parts;
    unsigned first_level[WEIR_C1_MAX_PARTS + 1]; /* of each part; the last is levels */
    uint8_t arity[WEIR_POREP_MAX_LEVELS];
    uint16_t first_sibling[WEIR_POREP_MAX_LEVELS + 1]; /* of each level, in weir_path.siblings */
} weir_c1_tree;

typedef struct weir_c1_layout {
    const weir_porep_shape *shape;
    uint64_t nodes;    /* of the sector */
    weir_c1_tree d, r; /* r: trees C and R-last */
} weir_c1_layout;

void weir_c1_layout_init(weir_c1_layout *l, const weir_porep_shape *shape);

/* The shape whose tree D has so many levels, or NULL. */
const weir_porep_shape *weir_c1_shape_of_levels(uint64_t d_levels);

/* "path" or "base_proof", "sub_proof", "top_proof" */
const char *weir_c1_part_name(const weir_c1_tree *t, unsigned part);

/* 32-byte values in the proof of one challenge. */
uint64_t weir_c1_nodes_per_challenge(const weir_c1_layout *l);
/* Bytes of the whole file in bincode. In: counts within the limits above. */
uint64_t weir_c1_bincode_bytes(const weir_c1_layout *l, unsigned partitions, unsigned challenges);

/* Counts found in a file against the shape, the registered proof (NULL: not known) and the caller's
 * wishes. Errors: WEIR_E_MISMATCH, in words, without an offset. */
weir_err weir_c1_check_counts(const weir_porep_shape *shape,
                              const weir_registered_porep *registered, uint64_t partitions,
                              uint64_t challenges, const weir_c1_opts *opts,
                              weir_errinfo *ei) WEIR_MUST_USE;

/* Of a JSON text: at least so many bytes for each of these values: [0,0,...,0]. */
enum { WEIR_C1_JSON_NODE_BYTES = 65 };
/* The most partitions that so many bytes could hold and weir_c1_check_counts would let pass; 0: none. */
unsigned weir_c1_most_partitions(const weir_c1_layout *l, uint64_t bytes, bool bincode,
                                 const weir_c1_opts *opts);

/* True if the 32 bytes, read little-endian, are below r. */
bool weir_c1_node_in_range(const weir_node *n);

/* The 37 labels that are hashed into the label of the challenge in a layer (1 ..): in layer 1 the
 * six DRG parents, in the others those of this layer and the eight expander parents of the layer
 * before, repeated. */
void weir_c1_label_parents(const weir_node *parents[WEIR_POREP_LABEL_PARENTS],
                           const weir_porep_challenge *c, unsigned layer);

/* The readers of the forms. opts and info are not NULL. */
weir_err weir_c1_read_json(weir_porep_input **out, const uint8_t *data, size_t n,
                           const weir_c1_opts *opts, weir_c1_info *info,
                           weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_c1_read_bincode(weir_porep_input **out, const uint8_t *data, size_t n,
                              const weir_c1_opts *opts, weir_c1_info *info,
                              weir_errinfo *ei) WEIR_MUST_USE;

#endif
