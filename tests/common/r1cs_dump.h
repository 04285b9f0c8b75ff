/* The reference dumps of tests/vectors (NAME.r1cs, NAME.wtns) as relations and witnesses. Any wrong byte fails the test.
 *
 * Use: tk_r1cs_load, weir_relation_build(&rel, tk_r1cs_shape, dump, &ei), tk_r1cs_fill(dump, witness). */
#ifndef WEIR_TEST_R1CS_DUMP_H
#define WEIR_TEST_R1CS_DUMP_H

#include "relation/relation.h"

#include <stddef.h>
#include <stdint.h>

/* How columns whose value is 0 or 1 in the witness are stored. */
typedef enum tk_columns {
    TK_COLUMNS_BITS, /* as bits; right for that witness */
    TK_COLUMNS_DENSE /* all dense; right for any witness */
} tk_columns;

typedef struct tk_r1cs_term {
    uint32_t code; /* 2 index for an input, 2 index + 1 for an auxiliary column */
    uint32_t coef;
} tk_r1cs_term;

typedef struct tk_r1cs {
    uint64_t inputs, aux, rows, input_rows; /* inputs with ONE; rows with the appended input rows */
    uint64_t coefs, terms[3];
    weir_fr *coef;
    tk_r1cs_term *term;   /* row by row, A, B, C */
    uint64_t *start;      /* 3 rows + 1: terms of row i, matrix m from start[3 i + m] */
    weir_fr *input_value; /* inputs */
    weir_fr *aux_value;   /* aux */
    uint8_t *aux_class;   /* 0, 1, or 2 for anything else */
    tk_columns columns;
} tk_r1cs;

/* base: a path below tests/vectors without the suffix. Free with tk_r1cs_free. */
tk_r1cs *tk_r1cs_load(const char *base, tk_columns columns);
void tk_r1cs_free(tk_r1cs *d);

/* A weir_shape_fn; ctx: tk_r1cs. Everything in the prologue, appended input rows left out. */
weir_err tk_r1cs_shape(void *ctx, weir_cs *cs, weir_errinfo *ei);

/* The dump's witness. */
void tk_r1cs_fill(const tk_r1cs *d, weir_witness *w);

#endif
