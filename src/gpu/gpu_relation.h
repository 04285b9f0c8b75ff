/* Rows of a relation times the packed witness, a kernel in phases (gpu_phase.h). C and C++ (CUDA) both include this header.
 *
 * The relation is that of relation/relation.h: a period's rows are stored once, terms name their columns relative to the
 * row's repetition, coefficients are numbers of a dictionary. The device holds matrices A and B as they are, without
 * C, since c = a o b on a satisfied relation.
 *
 * A block evaluates DREL_ROWS rows of one matrix. Rows have from none to hundreds of terms, so it is terms that are shared
 * out: the block adds up the lengths of its rows, each thread takes as many terms in a row as the others, wherever rows
 * begin and end among them, and sums of rows that reach over several threads are joined at the end. The result is exact, so it
 * is the same in any order.
 * Cost: of a bit's term an addition if the bit is set, of another a product and an addition; of a stored row 4 bytes and of a
 * term 6 for each repetition.
 * Source: sharing out non-zeros instead of rows: D. Merrill, M. Garland, "Merge-based parallel sparse matrix-vector
 * multiplication", SC 2016.
 */
#ifndef WEIR_GPU_RELATION_H
#define WEIR_GPU_RELATION_H

#include "gpu/gpu_fr.h"
#include "gpu/gpu_scan.h"

enum { DREL_ROWS = 256, DREL_SEGMENTS = 3 };

/* The classes of a column (relation/relation.h): the top three bits. */
enum {
    DREL_INPUT = 0,
    DREL_LOCAL_INPUT = 1,
    DREL_PROLOGUE_BIT = 2,
    DREL_PROLOGUE_DENSE = 3,
    DREL_LOCAL_BIT = 4,
    DREL_LOCAL_DENSE = 5,
    DREL_INDEX_BITS = 29
};

/* Terms of one matrix, as weir_matrix. */
typedef struct drel_matrix {
    const uint32_t *start, *col;
    const uint16_t *coef;
} drel_matrix;

/* As weir_segment; word_base and words count 32-bit words. */
typedef struct drel_segment {
    drel_matrix m[2];
    uint32_t rows, inputs, dense, words; /* of one repetition */
    uint32_t row_base, input_base, dense_base, word_base;
} drel_segment;

/* Work item i of lo .. hi - 1 is, with runs_log2 = 0, row i, and out[i - lo] is its value. With runs_log2 = R it is the 2^R rows
 * i + run 2^(log2_n - R), and out holds the value of row j at the place of j with its log2_n bits reversed: neighbours
 * there are rows of different runs, so both rows and results are read and written in pieces. Rows past the last one are 0.
 * For a piece of a domain rows are `offset` and every 2^stride_log2-th one from there on, and log2_n is the piece's.
 * The input rows `input_i | 0 | 0` stand last. */
typedef struct drel_args {
    drel_segment segment[DREL_SEGMENTS];
    const weir_dfr *coef; /* the dictionary: numbers 0 and 1 are 1 and -1 */
    const weir_dfr *inputs, *dense;
    const uint32_t *bits;
    weir_dfr *out[2]; /* A's and B's values */
    uint32_t segments, rows, input_rows;
    uint32_t lo, hi;
    uint32_t runs_log2, log2_n;
    uint32_t stride_log2, offset;
} drel_args;

typedef struct drel_shared {
    block_scan_shared scan;
    uint32_t before[DREL_ROWS];  /* terms of the rows before */
    uint32_t first[DREL_ROWS];   /* number of the row's first term in its segment */
    uint32_t rep[DREL_ROWS];     /* the row's repetition, or its input */
    uint32_t segment[DREL_ROWS]; /* DREL_SEGMENTS: an input row */
    weir_dfr sum[DREL_ROWS];     /* of a row's terms in the thread where it begins */
    weir_dfr head[DREL_ROWS];    /* of a thread's terms in a row that began before */
} drel_shared;

typedef struct drel_own {
    block_scan_own scan; /* value: the terms of the thread's row */
} drel_own;

/* ---- which row */

/* Even blocks take A, odd ones B. */
WEIR_HD uint32_t drel_which(const weir_dpos *at)
{
    return at->block & 1;
}

/* The work item of the thread; a->hi and above: none. */
WEIR_HD uint32_t drel_item(const drel_args *a, const weir_dpos *at)
{
    return a->lo + (at->block >> 1) * (DREL_ROWS >> a->runs_log2) + (at->thread >> a->runs_log2);
}

WEIR_HD uint32_t drel_run(const drel_args *a, const weir_dpos *at)
{
    return at->thread & ((1u << a->runs_log2) - 1);
}

/* The thread's row among those of its piece. */
WEIR_HD uint32_t drel_number(const drel_args *a, const weir_dpos *at)
{
    uint32_t run = drel_run(a, at);
    return drel_item(a, at) + (run ? run << (a->log2_n - a->runs_log2) : 0);
}

WEIR_HD uint32_t drel_reversed(uint32_t v, uint32_t bits)
{
    v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
    v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
    v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
    v = (v >> 8 & 0x00ff00ffu) | (v & 0x00ff00ffu) << 8;
    v = v >> 16 | v << 16;
    return bits == 0 ? 0 : v >> (32 - bits);
}

WEIR_HD uint64_t drel_place(const drel_args *a, const weir_dpos *at)
{
    if (a->runs_log2 == 0) return drel_item(a, at) - a->lo;
    return drel_reversed(drel_number(a, at), a->log2_n);
}

WEIR_HD uint32_t drel_row(const drel_args *a, const weir_dpos *at)
{
    return drel_number(a, at) << a->stride_log2 | a->offset;
}

/* Finds the thread's row and its length. */
WEIR_HD void drel_find(const drel_args *a, drel_shared *s, drel_own *own, const weir_dpos *at)
{
    uint32_t row = drel_row(a, at), t = at->thread, k = 0;
    own->scan.value = 0;
    s->segment[t] = DREL_SEGMENTS;
    s->first[t] = 0;
    s->rep[t] = 0;
    if (drel_item(a, at) >= a->hi || row >= a->rows) return;
    if (row >= a->rows - a->input_rows) {
        s->rep[t] = row - (a->rows - a->input_rows);
        own->scan.value = drel_which(at) == 0;
        return;
    }
    WEIR_NO_UNROLL
    for (uint32_t i = 1; i < a->segments; i++)
        if (row >= a->segment[i].row_base) k = i;
    const drel_segment *seg = &a->segment[k];
    uint32_t local = row - seg->row_base, rep = local / seg->rows;
    const uint32_t *start = seg->m[drel_which(at)].start + (local - rep * seg->rows);
    s->segment[t] = k;
    s->rep[t] = rep;
    s->first[t] = start[0];
    own->scan.value = start[1] - start[0];
}

/* ---- terms */

/* sum += coefficient * v */
WEIR_HD void drel_add_product(weir_dfr *sum, const drel_args *a, uint32_t coef, const weir_dfr *v)
{
    weir_dfr t = *v;
    if (coef == 1) {
        dfr_sub(sum, sum, &t);
        return;
    }
    if (coef > 1) dfr_mul(&t, &a->coef[coef], &t);
    dfr_add(sum, sum, &t);
}

/* sum += term t of the matrix, of a row of that repetition */
WEIR_HD void drel_add_term(weir_dfr *sum, const drel_args *a, const drel_segment *seg,
                           const drel_matrix *m, uint32_t rep, uint32_t t)
{
    uint32_t col = m->col[t], coef = m->coef[t], cls = col >> DREL_INDEX_BITS;
    uint32_t i = col & ((1u << DREL_INDEX_BITS) - 1);
    if (cls == DREL_LOCAL_BIT || cls == DREL_PROLOGUE_BIT) {
        const uint32_t *bits =
            a->bits + (cls == DREL_LOCAL_BIT ? seg->word_base + (uint64_t)rep * seg->words : 0);
        if (bits[i >> 5] >> (i & 31) & 1) {
            weir_dfr k = a->coef[coef];
            dfr_add(sum, sum, &k);
        }
        return;
    }
    const weir_dfr *v =
        cls == DREL_LOCAL_DENSE      ? a->dense + seg->dense_base + (uint64_t)rep * seg->dense
        : cls == DREL_PROLOGUE_DENSE ? a->dense
        : cls == DREL_INPUT          ? a->inputs
                                     : a->inputs + seg->input_base + (uint64_t)rep * seg->inputs;
    drel_add_product(sum, a, coef, v + i);
}

/* The number of the terms up to the end of row r. */
WEIR_HD uint32_t drel_end(const drel_shared *s, uint32_t r, uint32_t total)
{
    return r + 1 < DREL_ROWS ? s->before[r + 1] : total;
}

/* The row that term x belongs to: the last one that begins at x or before. */
WEIR_HD uint32_t drel_row_of(const drel_shared *s, uint32_t x)
{
    uint32_t r = 0;
    WEIR_NO_UNROLL
    for (uint32_t step = DREL_ROWS / 2; step > 0; step /= 2)
        if (s->before[r + step] <= x) r += step;
    return r;
}

/* Terms from .. to - 1 of the block that are of row r. */
WEIR_HD void drel_add_terms(weir_dfr *sum, const drel_args *a, const drel_shared *s, uint32_t r,
                            uint32_t from, uint32_t to, uint32_t which)
{
    uint32_t k = s->segment[r], rep = s->rep[r], skip = s->first[r] - s->before[r];
    if (k == DREL_SEGMENTS) {
        *sum = a->inputs[rep];
        return;
    }
    const drel_segment *seg = &a->segment[k];
    WEIR_NO_UNROLL
    for (uint32_t x = from; x < to; x++) drel_add_term(sum, a, seg, &seg->m[which], rep, skip + x);
}

/* A thread's terms. */
WEIR_HD uint32_t drel_share(uint32_t total)
{
    return (total + DREL_ROWS - 1) / DREL_ROWS;
}

WEIR_HD void drel_sum_share(const drel_args *a, drel_shared *s, uint32_t total, const weir_dpos *at)
{
    uint32_t share = drel_share(total), from = at->thread * share;
    uint32_t to = from + share < total ? from + share : total, x = from;
    if (from >= to) return;
    uint32_t r = drel_row_of(s, from);
    while (x < to) {
        weir_dfr sum;
        uint32_t end = drel_end(s, r, total);
        if (end > to) end = to;
        dfr_set_zero(&sum);
        drel_add_terms(&sum, a, s, r, x, end, drel_which(at));
        if (s->before[r] >= from)
            s->sum[r] = sum;
        else
            s->head[at->thread] = sum;
        x = end;
        if (x == to) break;
        do r++;
        while (drel_end(s, r, total) <= x);
    }
}

/* The thread's row: where it begins, and the heads of the threads that it reaches into. */
WEIR_HD void drel_join(const drel_args *a, const drel_shared *s, const drel_own *own,
                       const weir_dpos *at)
{
    uint32_t n = own->scan.value, share = drel_share(own->scan.total);
    weir_dfr sum;
    if (drel_item(a, at) >= a->hi) return;
    dfr_set_zero(&sum);
    if (n > 0) {
        sum = s->sum[at->thread];
        uint32_t last = (own->scan.before + n - 1) / share;
        WEIR_NO_UNROLL
        for (uint32_t t = own->scan.before / share + 1; t <= last; t++) {
            weir_dfr head = s->head[t];
            dfr_add(&sum, &sum, &head);
        }
    }
    a->out[drel_which(at)][drel_place(a, at)] = sum;
}

/* ---- phases; threads a block: DREL_ROWS */

WEIR_HD int drel_phases(const drel_args *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    return BLOCK_SCAN_PHASES + 2;
}

WEIR_HD bool drel_warp_only(int k, const drel_args *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    return k < BLOCK_SCAN_PHASES && block_scan_warp_only(k);
}

WEIR_HD void drel_phase(int k, const drel_args *a, drel_shared *s, drel_own *own,
                        const weir_dpos *at)
{
    if (k == 0) drel_find(a, s, own, at);
    if (k < BLOCK_SCAN_PHASES) block_scan_phase(k, &s->scan, &own->scan, at);
    if (k == BLOCK_SCAN_PHASES - 1) s->before[at->thread] = own->scan.before;
    if (k == BLOCK_SCAN_PHASES) drel_sum_share(a, s, own->scan.total, at);
    if (k == BLOCK_SCAN_PHASES + 1) drel_join(a, s, own, at);
}

#endif
