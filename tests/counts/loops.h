/* Chains of the inline functions of field and curve, once for each path: r = r op b[0] op b[1] ... */
#ifndef WEIR_TESTS_COUNTS_LOOPS_H
#define WEIR_TESTS_COUNTS_LOOPS_H

#include "base/isa.h"
#include "curve/types.h"

#include <stddef.h>

typedef struct count_loops {
    void (*fp_mul)(weir_fp *r, const weir_fp *b, size_t n);
    void (*fp_sqr)(weir_fp *r, size_t n);
    void (*fp2_mul)(weir_fp2 *r, const weir_fp2 *b, size_t n);
    void (*fp2_sqr)(weir_fp2 *r, size_t n);
    void (*fr_mul)(weir_fr *r, const weir_fr *b, size_t n);
    void (*fr_sqr)(weir_fr *r, size_t n);
    void (*g1_madd)(weir_g1 *r, const weir_g1_affine *b, size_t n);
    void (*g2_madd)(weir_g2 *r, const weir_g2_affine *b, size_t n);
} count_loops;

WEIR_ISA_DECLARE(count_loops, count_loops);
const count_loops *count_loops_get(weir_isa isa);

#endif
