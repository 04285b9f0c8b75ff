/* Loops over the group formulas that are inline (curve/g1.h, curve/g2.h): one table for each instruction path. */
#ifndef WEIR_BENCH_CURVE_LOOPS_H
#define WEIR_BENCH_CURVE_LOOPS_H

#include "base/isa.h"
#include "curve/types.h"

#include <stddef.h>

typedef struct weir_bench_curve_ops {
    /* acc += p[0], p[1], ..., p[n-1], each waiting for the one before */
    void (*g1_add)(weir_g1 *acc, const weir_g1 *p, size_t n);
    void (*g2_add)(weir_g2 *acc, const weir_g2 *p, size_t n);
    void (*g1_add_affine)(weir_g1 *acc, const weir_g1_affine *p, size_t n);
    void (*g2_add_affine)(weir_g2 *acc, const weir_g2_affine *p, size_t n);
    /* acc = 2^n acc */
    void (*g1_double)(weir_g1 *acc, size_t n);
    void (*g2_double)(weir_g2 *acc, size_t n);
} weir_bench_curve_ops;

WEIR_ISA_DECLARE(weir_bench_curve_ops, weir_bench_curve_ops);
const weir_bench_curve_ops *weir_bench_curve_ops_get(weir_isa isa);

#endif
