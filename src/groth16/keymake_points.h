/* Which column a point of a key belongs to, and what multiple of the generator it is. Private to key making. */
#ifndef WEIR_GROTH16_KEYMAKE_POINTS_H
#define WEIR_GROTH16_KEYMAKE_POINTS_H

#include "compute/key_points.h"
#include "groth16/keymake_columns.h"

/* The points of section a or b by column: inputs first, then auxiliary columns, of which those with a point are the bits of a density
 * that all repetitions of a segment share. */
typedef struct weir_key_query {
    const weir_relation *rel;
    unsigned which;  /* of weir_segment's densities */
    uint32_t *input; /* the inputs that have a point, rising */
    uint64_t inputs;
    uint32_t *rank[3];  /* by segment: points of a repetition before each word of its density */
    uint64_t points[3]; /* of one repetition */
} weir_key_query;

/* which: 0 for section a, 1 for b. To be cleared, after an error too. Errors: WEIR_E_NOMEM. Memory: 4 bytes for 64 columns of a
 * segment, and for each input. */
weir_err weir_key_query_init(weir_key_query *q, const weir_relation *rel, unsigned which,
                             weir_errinfo *ei) WEIR_MUST_USE;
void weir_key_query_clear(weir_key_query *q);

/* Steps through the points of a query from one on. */
typedef struct weir_key_cursor {
    const weir_key_query *q;
    uint64_t input; /* next of the list */
    unsigned segment;
    uint64_t rep;
    uint32_t word;
    uint64_t left; /* bits of the word's density that are still to come */
} weir_key_cursor;

/* In: point is below the query's length. */
void weir_key_cursor_init(weir_key_cursor *c, const weir_key_query *q, uint64_t point);
/* The next point's column: inputs first, then auxiliaries. In: there is one. */
uint64_t weir_key_cursor_next(weir_key_cursor *c);

/* out[i] = the multiple that point first + i of a section is. query: of sections a and b by weir_key_query's `which`. Thread: any.
 * Errors: WEIR_E_INFINITY for a point that would be infinity, with its column. */
weir_err weir_key_scalars(weir_scalar *out, const weir_key_columns *c, const weir_relation *rel,
                          const weir_key_query query[2], weir_key_section section, uint64_t first,
                          size_t n, weir_isa isa, weir_errinfo *ei) WEIR_MUST_USE;
/* The same for the points of the public inputs in the verifying key. */
weir_err weir_key_ic_scalars(weir_scalar *out, const weir_key_columns *c, const weir_relation *rel,
                             uint64_t first, size_t n, weir_isa isa,
                             weir_errinfo *ei) WEIR_MUST_USE;

#endif
