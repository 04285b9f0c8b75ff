/* The hot loops over rows, one table for each instruction path. */
#ifndef WEIR_RELATION_RELATION_OPS_H
#define WEIR_RELATION_RELATION_OPS_H

#include "relation/relation.h"

typedef struct weir_relation_ops {
    void (*eval)(const weir_witness *w, unsigned m, uint64_t lo, uint64_t hi, weir_fr *out);
    uint64_t (*first_bad)(const weir_witness *w, uint64_t lo, uint64_t hi); /* hi if all hold */
    void (*columns)(const weir_relation *rel, unsigned m, const weir_fr *weight, weir_fr *out);
    void (*gather)(const weir_witness *w, weir_query q, uint64_t *bits, uint32_t *dense_point,
                   weir_scalar *dense_value, uint64_t *n);
} weir_relation_ops;

WEIR_ISA_DECLARE(weir_relation_ops, weir_relation_ops);

#endif
