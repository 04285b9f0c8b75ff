/* The vector forms of Fp, Fp2 and Fr as functions over arrays, one table for each path: on ifma the instructions, elsewhere
 * the plain C twin. */
#ifndef WEIR_TEST_X8_PATH_H
#define WEIR_TEST_X8_PATH_H

#include "base/isa.h"
#include "field/types.h"

enum { X8_MUL, X8_SQR, X8_ADD, X8_SUB, X8_NEG, X8_COPY, X8_CHAIN, X8_LAZY, X8_PAIR, X8_OPS };

typedef struct x8_path {
    /* LAZY: a - 2 b by sums without carries, then settled. PAIR: a b - b^2 from two products at once, plus a^2 - b^2 from
     * two squares at once (Fp2: the squares alone). */
    /* r[k] = a[k] op b[k] for eight elements in scalar form, through load, the operation and store */
    void (*fp)(int op, weir_fp r[8], const weir_fp a[8], const weir_fp b[8]);
    void (*fp2)(int op, weir_fp2 r[8], const weir_fp2 a[8], const weir_fp2 b[8]);
    void (*fr)(int op, weir_fr r[8], const weir_fr a[8], const weir_fr b[8]);
} x8_path;

WEIR_ISA_DECLARE(x8_path, x8_path);
const x8_path *x8_path_get(weir_isa isa);

#endif
