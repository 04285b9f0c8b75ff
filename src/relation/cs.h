/* The builder that shapes write to. Linear combinations add up terms; a row takes three of them.
 *
 * Memory running out or a limit being passed is remembered inside and reported by weir_relation_build; the calls
 * here cannot fail, so that shapes read like the circuit they describe.
 */
#ifndef WEIR_RELATION_CS_H
#define WEIR_RELATION_CS_H

#include "field/fr.h"
#include "relation/relation.h"

/* A sum of coefficient * column. Terms may repeat a column; they are added up when the row is made. */
typedef struct weir_lc_term {
    weir_col col;
    weir_fr coef;
} weir_lc_term;

typedef struct weir_lc {
    weir_lc_term *term;
    uint32_t n, _cap;
    weir_lc_term *_alt; /* room to sort in */
    uint64_t *_key;
} weir_lc;

/* An empty sum; free it at the end. Reset keeps the memory. */
void weir_lc_init(weir_lc *lc);
void weir_lc_free(weir_lc *lc);
static inline void weir_lc_reset(weir_lc *lc)
{
    lc->n = 0;
}

/* lc += coef * col; lc += k * other. other must not be lc. */
void weir_lc_add(weir_cs *cs, weir_lc *lc, weir_col col, const weir_fr *coef);
void weir_lc_add_lc(weir_cs *cs, weir_lc *lc, const weir_lc *other, const weir_fr *k);
/* Sorts by column, adds up equal columns, drops zeros. */
void weir_lc_normalize(weir_lc *lc);

/* ---- columns, in order of creation */
weir_col weir_cs_alloc(weir_cs *cs);     /* a dense auxiliary column */
weir_col weir_cs_alloc_bit(weir_cs *cs); /* an auxiliary column that is 0 or 1 */
weir_col weir_cs_input(weir_cs *cs);     /* a public input */

/* ---- rows: fill the three sums (empty at the start of a row), then end the row. */
weir_lc *weir_cs_a(weir_cs *cs);
weir_lc *weir_cs_b(weir_cs *cs);
weir_lc *weir_cs_c(weir_cs *cs);
void weir_cs_end_row(weir_cs *cs);

/* ---- segments. A shape starts in the prologue. Everything after weir_cs_period belongs to one repetition of the
 * period, described once; everything after weir_cs_epilogue to the epilogue. Columns made in the period may be used
 * there only. */
void weir_cs_period(weir_cs *cs, uint64_t count);
void weir_cs_epilogue(weir_cs *cs);

/* Constants that shapes need all the time: one, minus one, 2, and powers of two below 2^255. */
typedef struct weir_cs_consts {
    weir_fr one, minus_one;
    weir_fr pow2[255];
    weir_fr minus_pow2[255];
} weir_cs_consts;
const weir_cs_consts *weir_cs_k(const weir_cs *cs);

#endif
