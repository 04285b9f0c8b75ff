/* The PoRep's label: SHA-256 over replica id, layer, node and 37 parents, cut to 254 bits. Both sides of the pair.
 * Source: rust-fil-proofs, create_label and its circuit. */
#ifndef WEIR_CIRCUIT_LABEL_H
#define WEIR_CIRCUIT_LABEL_H

#include "circuit/fill.h"
#include "circuit/gadget.h"
#include "circuit/porep.h"

/* Bits of the message: replica id, layer, node, zeros; then the parents. */
enum {
    WEIR_LABEL_HEAD_BITS = 512,
    WEIR_LABEL_BITS = WEIR_LABEL_HEAD_BITS + 256 * WEIR_POREP_LABEL_PARENTS
};

/* All 256-bit lists most significant bit of each byte first; node: 64 bits, least significant first. The n parents are
 * repeated until there are 37. message: room for WEIR_LABEL_BITS. Rows: 522,269 with three constants in the head. */
weir_col weir_gad_label(weir_cs *cs, weir_bool *message, const weir_bool replica_id[256],
                        unsigned layer, const weir_bool node[64], const weir_bool (*parents)[256],
                        unsigned n_parents);

/* Cost: 20 compressions. */
void weir_fill_label(weir_filler *f, weir_num *out, const weir_fill_word replica_id[8],
                     unsigned layer, uint64_t node, const weir_num *const *parents,
                     unsigned n_parents);

#endif
