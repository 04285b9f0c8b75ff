/* Small random circuits with a satisfying witness, in all shapes a relation can have: with and without prologue, period
 * and epilogue, columns that occur in one or two of the matrices only, any share of columns in A and in B, no auxiliary
 * column at all, no row at all. */
#ifndef WEIR_TEST_RANDOM_CIRCUIT_H
#define WEIR_TEST_RANDOM_CIRCUIT_H

#include "groth16/groth16.h"
#include "testkit.h"

typedef enum rc_kind {
    RC_ONE,
    RC_PROLOGUE_INPUT,
    RC_PROLOGUE_AUX,
    RC_LOCAL_INPUT,
    RC_LOCAL_AUX
} rc_kind;

typedef struct rc_term {
    rc_kind kind;
    unsigned index;
    weir_fr coef;
} rc_term;

enum { RC_TERMS = 12 };

typedef struct rc_lc {
    rc_term term[RC_TERMS];
    unsigned n;
} rc_lc;

/* The last term of C is the column that the row defines. */
typedef struct rc_row {
    rc_lc m[3];
} rc_row;

typedef struct rc_segment {
    unsigned count;
    unsigned inputs, aux, rows;
    bool *bit;     /* aux: a bit column */
    uint8_t *in;   /* inputs, then aux: bit m: may occur in matrix m */
    bool *defined; /* inputs, then aux: a row defines it */
    bool *used;    /* inputs, then aux: occurs somewhere */
    rc_row *row;
} rc_segment;

typedef struct rc_circuit {
    unsigned segments;
    rc_segment segment[3];
    unsigned inputs, aux; /* of the whole; inputs with ONE */
    weir_fr *input_value, *aux_value;
} rc_circuit;

typedef struct rc_options {
    unsigned segments;             /* 1 to 3 */
    unsigned percent_a, percent_b; /* share of auxiliary columns that may occur in A, in B */
    bool public_only;              /* no auxiliary column */
    bool no_rows;
} rc_options;

rc_circuit *rc_make(tk_rng *g, const rc_options *o);
void rc_free(rc_circuit *c);

/* A weir_shape_fn; ctx: rc_circuit. */
weir_err rc_shape(void *ctx, weir_cs *cs, weir_errinfo *ei);
void rc_fill(const rc_circuit *c, weir_witness *w);

/* Calls fn for every non-zero term of the expanded system, input rows included. col: inputs first. */
typedef void (*rc_term_fn)(void *ctx, unsigned row, unsigned m, unsigned col, const weir_fr *coef);
void rc_expand(const rc_circuit *c, rc_term_fn fn, void *ctx);

#endif
