/* Row by row, repetition by repetition: a stored row is read once for each repetition, and everything else it needs
 * (the packed witness of one repetition) fits the caches. */
#include "field/fr.h"
#include "relation/relation_ops.h"

#include <string.h>

/* The witness as the rows of one repetition see it. */
typedef struct view {
    const weir_fr *inputs, *local_inputs;
    const uint64_t *pro_bits, *local_bits;
    const weir_fr *pro_dense, *local_dense;
} view;

static view view_of(const weir_witness *w, const weir_segment *s, uint64_t rep)
{
    return (view){
        .inputs = w->inputs,
        .local_inputs = w->inputs + s->input_base + rep * s->inputs,
        .pro_bits = w->bits,
        .local_bits = w->bits + s->word_base + rep * s->words,
        .pro_dense = w->dense,
        .local_dense = w->dense + s->dense_base + rep * s->dense,
    };
}

static inline bool bit(const uint64_t *bits, uint32_t i)
{
    return (bits[i >> 6] >> (i & 63)) & 1;
}

/* Dictionary numbers 0 and 1 are the coefficients 1 and -1 (cs.c, I2). */
static inline void add_product(weir_fr *sum, const weir_fr *coef, uint16_t number, const weir_fr *v)
{
    if (number == 0) {
        fr_add(sum, sum, v);
    } else if (number == 1) {
        fr_sub(sum, sum, v);
    } else {
        weir_fr t;
        fr_mul(&t, &coef[number], v);
        fr_add(sum, sum, &t);
    }
}

static void eval_row(const view *v, const weir_fr *coef, const weir_matrix *m, uint32_t row,
                     weir_fr *out)
{
    weir_fr sum;
    fr_set_zero(&sum);
    for (uint32_t t = m->start[row]; t < m->start[row + 1]; t++) {
        weir_col col = m->col[t];
        uint32_t i = weir_col_index(col);
        uint16_t k = m->coef[t];
        switch (weir_col_class(col)) {
        case WEIR_COL_LOCAL_BIT:
            if (bit(v->local_bits, i)) fr_add(&sum, &sum, &coef[k]);
            break;
        case WEIR_COL_PROLOGUE_BIT:
            if (bit(v->pro_bits, i)) fr_add(&sum, &sum, &coef[k]);
            break;
        case WEIR_COL_LOCAL_DENSE:
            add_product(&sum, coef, k, &v->local_dense[i]);
            break;
        case WEIR_COL_PROLOGUE_DENSE:
            add_product(&sum, coef, k, &v->pro_dense[i]);
            break;
        case WEIR_COL_INPUT:
            add_product(&sum, coef, k, &v->inputs[i]);
            break;
        default:
            add_product(&sum, coef, k, &v->local_inputs[i]);
            break;
        }
    }
    *out = sum;
}

/* A run of rows within one repetition, or within the input rows. */
typedef struct run {
    const weir_segment *s; /* NULL: input rows */
    uint64_t rep;
    uint32_t lo, hi;
} run;

static run run_at(const weir_relation *rel, uint64_t row, uint64_t hi)
{
    uint64_t first_input_row = rel->rows - rel->inputs;
    if (row >= first_input_row)
        return (run){.lo = (uint32_t)(row - first_input_row),
                     .hi = (uint32_t)(hi - first_input_row)};
    unsigned k = rel->segments - 1;
    while (k > 0 && row < rel->segment[k].row_base) k--;
    const weir_segment *s = &rel->segment[k];
    uint64_t rep = (row - s->row_base) / s->rows;
    uint64_t base = s->row_base + rep * s->rows;
    uint64_t end = base + s->rows < hi ? base + s->rows : hi;
    return (run){.s = s, .rep = rep, .lo = (uint32_t)(row - base), .hi = (uint32_t)(end - base)};
}

static void eval(const weir_witness *w, unsigned m, uint64_t lo, uint64_t hi, weir_fr *out)
{
    const weir_relation *rel = w->rel;
    while (lo < hi) {
        run r = run_at(rel, lo, hi);
        if (r.s) {
            view v = view_of(w, r.s, r.rep);
            for (uint32_t i = r.lo; i < r.hi; i++) eval_row(&v, rel->coef, &r.s->m[m], i, out++);
        } else {
            for (uint32_t i = r.lo; i < r.hi; i++, out++) {
                if (m == WEIR_A)
                    *out = w->inputs[i];
                else
                    fr_set_zero(out);
            }
        }
        lo += r.hi - r.lo;
    }
}

static uint64_t first_bad(const weir_witness *w, uint64_t lo, uint64_t hi)
{
    const weir_relation *rel = w->rel;
    while (lo < hi) {
        run r = run_at(rel, lo, hi);
        if (!r.s) return hi; /* input rows hold for every value: anything times 0 is 0 */
        view v = view_of(w, r.s, r.rep);
        for (uint32_t i = r.lo; i < r.hi; i++, lo++) {
            weir_fr a, b, c;
            eval_row(&v, rel->coef, &r.s->m[WEIR_A], i, &a);
            eval_row(&v, rel->coef, &r.s->m[WEIR_B], i, &b);
            eval_row(&v, rel->coef, &r.s->m[WEIR_C], i, &c);
            fr_mul(&a, &a, &b);
            if (!fr_eq(&a, &c)) return lo;
        }
    }
    return hi;
}

/* Where the columns of one repetition stand in the vector "inputs, then auxiliaries". */
typedef struct target {
    weir_fr *inputs, *local_inputs, *pro_aux, *local_aux;
    const uint32_t *pro_dense_col, *local_dense_col;
} target;

static weir_fr *target_of(const target *t, weir_col col)
{
    uint32_t i = weir_col_index(col);
    switch (weir_col_class(col)) {
    case WEIR_COL_LOCAL_BIT:
        return &t->local_aux[i];
    case WEIR_COL_PROLOGUE_BIT:
        return &t->pro_aux[i];
    case WEIR_COL_LOCAL_DENSE:
        return &t->local_aux[t->local_dense_col[i]];
    case WEIR_COL_PROLOGUE_DENSE:
        return &t->pro_aux[t->pro_dense_col[i]];
    case WEIR_COL_INPUT:
        return &t->inputs[i];
    default:
        return &t->local_inputs[i];
    }
}

static void columns(const weir_relation *rel, unsigned m, unsigned segment, uint64_t rep,
                    const weir_fr *weight, weir_fr *out, weir_fr *shared)
{
    const weir_segment *s = &rel->segment[segment];
    const weir_matrix *mat = &s->m[m];
    const target t = {.inputs = shared,
                      .local_inputs = out + s->input_base + rep * s->inputs,
                      .pro_aux = shared + rel->inputs,
                      .local_aux = out + rel->inputs + s->aux_base + rep * s->aux,
                      .pro_dense_col = rel->segment[0].dense_col,
                      .local_dense_col = s->dense_col};
    const weir_fr *w = weight + s->row_base + rep * s->rows;
    for (uint32_t i = 0; i < s->rows; i++)
        for (uint32_t j = mat->start[i]; j < mat->start[i + 1]; j++)
            add_product(target_of(&t, mat->col[j]), rel->coef, mat->coef[j], &w[i]);
}

static void add(weir_fr *to, const weir_fr *from, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) fr_add(&to[i], &to[i], &from[i]);
}

/* ---- the witness in the order of a query's points */

typedef struct gatherer {
    uint64_t *bits;
    uint64_t point; /* next point */
    uint32_t *dense_point;
    weir_scalar *dense_value;
    uint64_t n;
} gatherer;

static void put_dense(gatherer *g, uint64_t point, const weir_fr *v)
{
    g->dense_point[g->n] = (uint32_t)point;
    fr_to_scalar(&g->dense_value[g->n], v);
    g->n++;
}

/* The bits of v where mask is set, moved together; the portable twin of PEXT. */
static inline uint64_t extract(uint64_t v, uint64_t mask)
{
#ifdef __BMI2__
    return __builtin_ia32_pext_di(v, mask);
#else
    uint64_t r = 0;
    for (unsigned n = 0; mask; mask &= mask - 1, n++) r |= (uint64_t)((v & mask & -mask) != 0) << n;
    return r;
#endif
}

static void put_word(gatherer *g, uint64_t v, unsigned n)
{
    unsigned sh = g->point & 63;
    g->bits[g->point >> 6] |= v << sh;
    if (sh + n > 64) g->bits[(g->point >> 6) + 1] |= v >> (64 - sh);
    g->point += n;
}

/* One repetition; density NULL means that every auxiliary column has a point. */
static void gather_rep(gatherer *g, const weir_witness *w, const weir_segment *s, uint64_t rep,
                       const uint64_t *density)
{
    const uint64_t *bits = w->bits + s->word_base + rep * s->words;
    const weir_fr *dense = w->dense + s->dense_base + rep * s->dense;
    uint32_t d = 0;
    for (uint32_t word = 0; 64 * word < s->aux; word++) {
        unsigned left = s->aux - 64 * word < 64 ? s->aux - 64 * word : 64;
        uint64_t have = left == 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;
        uint64_t mask = density ? density[word] : have;
        for (; d < s->dense && s->dense_col[d] / 64 == word; d++) {
            unsigned at = s->dense_col[d] % 64;
            if (!((mask >> at) & 1)) continue;
            uint64_t before = mask & (((uint64_t)1 << at) - 1);
            put_dense(g, g->point + (uint64_t)__builtin_popcountll(before), &dense[d]);
        }
        unsigned n = (unsigned)__builtin_popcountll(mask);
        if (n) put_word(g, extract(bits[word], mask), n);
    }
}

static void gather_inputs(gatherer *g, const weir_witness *w, weir_query q)
{
    const weir_relation *rel = w->rel;
    if (q == WEIR_QUERY_L) return;
    if (q == WEIR_QUERY_A) {
        for (uint64_t i = 0; i < rel->inputs; i++) put_dense(g, g->point++, &w->inputs[i]);
        return;
    }
    if (rel->one_in_b) put_dense(g, g->point++, &w->inputs[0]);
    for (unsigned k = 0; k < rel->segments; k++) {
        const weir_segment *s = &rel->segment[k];
        for (uint64_t rep = 0; rep < s->count; rep++)
            for (uint32_t i = 0; i < s->inputs; i++)
                if (bit(s->input_density_b, i))
                    put_dense(g, g->point++, &w->inputs[s->input_base + rep * s->inputs + i]);
    }
}

static void gather(const weir_witness *w, weir_query q, uint64_t *bits, uint32_t *dense_point,
                   weir_scalar *dense_value, uint64_t *n)
{
    const weir_relation *rel = w->rel;
    memset(bits, 0, (weir_query_len(rel, q) + 63) / 64 * 8);
    gatherer g = {.bits = bits, .dense_point = dense_point, .dense_value = dense_value};
    gather_inputs(&g, w, q);
    for (unsigned k = 0; k < rel->segments; k++) {
        const weir_segment *s = &rel->segment[k];
        const uint64_t *density = q == WEIR_QUERY_L ? NULL : s->density[q == WEIR_QUERY_A ? 0 : 1];
        for (uint64_t rep = 0; rep < s->count; rep++) gather_rep(&g, w, s, rep, density);
    }
    *n = g.n;
}

const weir_relation_ops WEIR_ISA_NAME(weir_relation_ops) = {
    .eval = eval, .first_bad = first_bad, .columns = columns, .add = add, .gather = gather};
