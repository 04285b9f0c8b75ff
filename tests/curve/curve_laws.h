/* Group laws of the inline formulas, compiled once for each instruction path (they fail the running test). */
#ifndef WEIR_TESTS_CURVE_LAWS_H
#define WEIR_TESTS_CURVE_LAWS_H

#include "testkit.h"

typedef struct curve_laws {
    void (*g1)(tk_rng *g, int rounds);
    void (*g2)(tk_rng *g, int rounds);
} curve_laws;

WEIR_ISA_DECLARE(curve_laws, curve_laws);
const curve_laws *curve_laws_get(weir_isa isa);

#endif
