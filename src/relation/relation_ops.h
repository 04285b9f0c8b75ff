/* The hot loops over rows, one table for each instruction path. */
#ifndef WEIR_RELATION_RELATION_OPS_H
#define WEIR_RELATION_RELATION_OPS_H

#include "relation/relation.h"

typedef struct weir_relation_ops {
    void (*eval)(const weir_witness *w, unsigned m, uint64_t lo, uint64_t hi, weir_fr *out);
    uint64_t (*first_bad)(const weir_witness *w, uint64_t lo, uint64_t hi); /* hi if all hold */
    /* Adds one repetition of a segment. out: as in weir_relation_columns; shared: inputs, then the prologue's auxiliary columns, where
     * terms go that name these from anywhere. */
    void (*columns)(const weir_relation *rel, unsigned m, unsigned segment, uint64_t rep,
                    const weir_fr *weight, weir_fr *out, weir_fr *shared);
    /* to[i] += from[i] */
    void (*add)(weir_fr *to, const weir_fr *from, uint64_t n);
    void (*gather)(const weir_witness *w, weir_query q, uint64_t *bits, uint32_t *dense_point,
                   weir_scalar *dense_value, uint64_t *n);
} weir_relation_ops;

WEIR_ISA_DECLARE(weir_relation_ops, weir_relation_ops);

#endif
