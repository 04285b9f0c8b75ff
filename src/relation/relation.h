/* The relation: a rank-1 constraint system whose repeating part is stored once.
 *
 * It is a list of at most three segments: a prologue, a period that is repeated `count` times, an epilogue. Row by row
 * and column by column this is the plain R1CS of bellperson: the rows of the prologue, of repetition 0, 1, ..., of the
 * epilogue, and last one row `input_i | 0 | 0` for each public input, ONE included (those are not stored).
 * Auxiliary columns and public inputs are numbered the same way; input 0 is ONE and belongs to no segment.
 *
 * A term of a row names its column relative to where the row is, so that the same stored row serves every repetition:
 * an input or an auxiliary column of the prologue (fixed), or one of the row's own segment (shifted). Coefficients are
 * numbers of a dictionary. A 32 GiB PoRep: 7.2 M stored rows in place of 130 M, about 330 MB in place of 26 GB.
 *
 * Immutable after it is built: any thread.
 */
#ifndef WEIR_RELATION_RELATION_H
#define WEIR_RELATION_RELATION_H

#include "base/err.h"
#include "base/exec.h"
#include "field/types.h"
#include "relation/packed.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- columns */

/* A column as a row sees it: class in the top three bits, index below. */
typedef uint32_t weir_col;

enum {
    WEIR_COL_INPUT = 0,       /* input `index` of all; 0 is ONE */
    WEIR_COL_LOCAL_INPUT = 1, /* input `index` of this repetition */
    WEIR_COL_PROLOGUE_BIT =
        2, /* bit `index` of the prologue's stretch; also its column number there */
    WEIR_COL_PROLOGUE_DENSE = 3, /* dense element `index` of the prologue */
    WEIR_COL_LOCAL_BIT = 4,      /* the same, of this repetition */
    WEIR_COL_LOCAL_DENSE = 5
};

enum { WEIR_COL_INDEX_BITS = 29 };
#define WEIR_COL(cls, index) (((weir_col)(cls) << WEIR_COL_INDEX_BITS) | (weir_col)(index))
#define WEIR_COL_ONE         WEIR_COL(WEIR_COL_INPUT, 0)
static inline unsigned weir_col_class(weir_col c)
{
    return c >> WEIR_COL_INDEX_BITS;
}
static inline uint32_t weir_col_index(weir_col c)
{
    return c & (((weir_col)1 << WEIR_COL_INDEX_BITS) - 1);
}

/* ---- what is stored */

enum { WEIR_A = 0, WEIR_B = 1, WEIR_C = 2 };

/* The terms of one matrix: row i has terms start[i] .. start[i+1]-1. */
typedef struct weir_matrix {
    uint32_t *start;
    weir_col *col;
    uint16_t *coef;
    uint32_t terms;
} weir_matrix;

typedef struct weir_segment {
    uint64_t count;                    /* repetitions, at least 1 */
    uint32_t rows, aux, inputs, dense; /* of one repetition; aux counts dense columns too */
    weir_matrix m[3];
    uint32_t *dense_col;  /* column number of each dense element, rising */
    uint64_t *density[2]; /* bit i: auxiliary column i occurs in A, in B */
    uint64_t density_count[2];
    uint64_t *input_density_b; /* bit i: input i of a repetition occurs in B */
    /* where the first repetition starts, over the whole relation */
    uint64_t row_base, aux_base, input_base, dense_base, word_base;
    uint32_t
        words; /* 64-bit words of the packed witness for one repetition's bits, with a spare one */
} weir_segment;

typedef struct weir_relation {
    unsigned segments;
    weir_segment segment[3];
    weir_fr *coef; /* the dictionary; never zero */
    uint32_t coefs;
    bool one_in_b; /* ONE occurs in B */
    /* totals over all repetitions */
    uint64_t rows;   /* input rows included */
    uint64_t inputs; /* ONE included */
    uint64_t aux, dense, words;
    uint64_t terms[3];    /* of the expanded matrices; input rows included in A */
    uint64_t aux_in[2];   /* auxiliary columns with a point in the a and b queries */
    uint64_t inputs_in_b; /* inputs with a point in the b queries */
    unsigned domain_log2; /* smallest power of two >= rows */
    uint64_t bytes;       /* memory held */
} weir_relation;

void weir_relation_free(weir_relation *rel);

/* ---- building: a shape is run twice, first to count, then to store */

typedef struct weir_cs weir_cs;
typedef weir_err (*weir_shape_fn)(void *ctx, weir_cs *cs, weir_errinfo *ei);

/* Errors: what the shape returns; WEIR_E_NOMEM; WEIR_E_RANGE (over 65,536 coefficients, 2^32 terms or 2^29 columns).
 * Peak memory: the relation's own and under 20 MB. Thread: any. */
weir_err weir_relation_build(weir_relation **out, weir_shape_fn shape, void *ctx,
                             weir_errinfo *ei) WEIR_MUST_USE;

/* ---- the packed witness of a relation */

typedef struct weir_witness {
    const weir_relation *rel;
    weir_fr *inputs; /* rel->inputs, the first is one */
    uint64_t *bits;  /* rel->words */
    weir_fr *dense;  /* rel->dense */
    weir_slabs *_slabs;
} weir_witness;

/* All zero but for ONE. slabs: where bits and dense elements come from, for as long as the witness lives; NULL: fresh memory.
 * Errors: WEIR_E_NOMEM. Cost: from slabs, a pass over the memory. */
weir_err weir_witness_new(weir_witness **out, const weir_relation *rel, weir_slabs *slabs,
                          weir_errinfo *ei) WEIR_MUST_USE;
/* Wipes, and gives back. NULL is allowed. */
void weir_witness_free(weir_witness *w);
/* Without what slabs round up. */
uint64_t weir_witness_bytes(const weir_relation *rel);
/* All bits and elements back to zero, so that it can be filled again. */
void weir_witness_reset(weir_witness *w);
/* A packer at the start of one repetition. Different repetitions may be filled by different threads. */
weir_packer weir_witness_packer(weir_witness *w, unsigned segment, uint64_t rep);
/* Asserts nothing; true if the packer has written exactly one repetition of that segment. */
bool weir_witness_packer_done(const weir_witness *w, unsigned segment, uint64_t rep,
                              const weir_packer *p);

/* Value of auxiliary column `aux` of the whole relation (slow; for tests and messages). */
void weir_witness_get(const weir_witness *w, uint64_t aux, weir_fr *out);
/* Changes it (tests): a bit column takes 0 or 1 only. Returns false if it cannot hold the value. */
bool weir_witness_set(weir_witness *w, uint64_t aux, const weir_fr *v);

/* ---- evaluation */

/* out[i] = row lo + i of matrix m times the witness, for rows lo .. hi-1 (hi at most rel->rows; the input rows come
 * last). Cost: an addition a bit term, a product a dense term; no memory traffic beyond the stored rows. */
void weir_relation_eval(const weir_witness *w, unsigned m, uint64_t lo, uint64_t hi, weir_fr *out,
                        weir_isa isa);

/* The first row that does not hold, or rel->rows if all do. Uses the pool. When x is cancelled the answer means nothing: ask
 * weir_exec_cancelled afterwards. */
uint64_t weir_relation_check(const weir_witness *w, const weir_exec *x);

/* Sums for key making: out[m][column] = sum over rows of weight[row] * coefficient, for the three matrices. Columns: all
 * inputs first, then all auxiliaries. In: weight: rel->rows elements, those of the input rows included; out: zeros. Repetitions are
 * worked on side by side, with at most as much memory as the result for what they share. Errors: WEIR_E_NOMEM. */
weir_err weir_relation_columns(const weir_relation *rel, const weir_fr *weight,
                               weir_fr *const out[3], const weir_exec *x,
                               weir_errinfo *ei) WEIR_MUST_USE;

/* ---- the witness in the order of a query's points */

typedef enum weir_query { WEIR_QUERY_L, WEIR_QUERY_A, WEIR_QUERY_B } weir_query;

/* Number of points: L: aux; A: inputs + aux in A; B: inputs in B + aux in B. */
uint64_t weir_query_len(const weir_relation *rel, weir_query q);

/* For point i of the query: if its column is a bit column, bit i of `bits` is its value; else the bit is zero and
 * (dense_point, dense_value) get an entry (inputs are dense). Entries come in rising order of point.
 * Sizes: bits (len + 63) / 64 words, zeroed here; dense_* at most rel->inputs + rel->dense. *n = entries. */
void weir_query_gather(const weir_witness *w, weir_query q, uint64_t *bits, uint32_t *dense_point,
                       weir_scalar *dense_value, uint64_t *n, weir_isa isa);

/* ---- a query's points in two groups, as devices and native key files keep them: those of bit columns, and those of inputs and
 * dense columns. Both keep the query's order. */

/* How many points each group has. Cost: a look at each column of one repetition. */
void weir_query_count(const weir_relation *rel, weir_query q, uint64_t *bit_points,
                      uint64_t *dense_points);
/* Dense entry i is point `point[i]` of the query, rising; its value is element `source[i]` of the packed witness's inputs and
 * dense elements, taken as one array. source may be NULL. Sizes: the dense points of weir_query_count. In: a query of fewer than
 * 2^32 points. Cost: a look at each dense element. */
void weir_query_dense_points(const weir_relation *rel, weir_query q, uint32_t *point,
                             uint32_t *source);
/* Bit i: auxiliary column 64 word + i of a segment has a point in the query. */
uint64_t weir_query_columns(const weir_segment *s, weir_query q, uint32_t word);

/* True if auxiliary column `aux` of the whole relation occurs in A (which = 0) or B (1). */
bool weir_relation_in(const weir_relation *rel, unsigned which, uint64_t aux);

#endif
