/* The builder runs a shape twice. The first run counts rows, columns and terms of each segment and collects the
 * dictionary; then every array is taken at its final size; the second run stores. So nothing grows, and the peak is
 * the relation itself.
 *
 * I1. Both runs make the same calls (a shape depends on the circuit alone); checked by comparing the counts.
 * I2. Dictionary numbers 0 and 1 are the coefficients 1 and -1.
 */
#include "base/alloc.h"
#include "relation/cs_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DICT_MAX = 65536, DICT_SLOTS = 4 * DICT_MAX, MAX_INDEX = 1 << WEIR_COL_INDEX_BITS };

typedef struct counts {
    uint64_t rows, aux, dense, inputs, terms[3];
} counts;

struct weir_cs {
    weir_relation *rel;
    bool storing;
    unsigned seg; /* 0 prologue, 1 period, 2 epilogue */
    counts at[3]; /* of this run so far */
    counts total[3];
    uint64_t period_count;
    weir_lc lc[3];
    uint32_t *slot; /* open addressing: dictionary number + 1, 0 = free */
    weir_err err;
    weir_errinfo info;
    weir_cs_consts k;
};

void weir_cs_fail(weir_cs *cs, weir_err err, const char *fmt, ...)
{
    if (!cs || cs->err != WEIR_OK) return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(cs->info.text, sizeof cs->info.text, fmt, ap);
    va_end(ap);
    cs->info.code = cs->err = err;
}

const weir_cs_consts *weir_cs_k(const weir_cs *cs)
{
    return &cs->k;
}

static void consts_init(weir_cs_consts *k)
{
    k->one = fr_ONE;
    fr_neg(&k->minus_one, &fr_ONE);
    weir_fr p = fr_ONE;
    for (int i = 0; i < 255; i++) {
        k->pow2[i] = p;
        fr_neg(&k->minus_pow2[i], &p);
        fr_dbl(&p, &p);
    }
}

/* ---- columns */

weir_col weir_cs_alloc(weir_cs *cs)
{
    counts *c = &cs->at[cs->seg];
    if (c->aux >= MAX_INDEX) weir_cs_fail(cs, WEIR_E_RANGE, "a segment has more than 2^29 columns");
    if (cs->err != WEIR_OK) return WEIR_COL_ONE;
    if (cs->storing) cs->rel->segment[cs->seg].dense_col[c->dense] = (uint32_t)c->aux;
    c->aux++;
    return WEIR_COL(cs->seg ? WEIR_COL_LOCAL_DENSE : WEIR_COL_PROLOGUE_DENSE, c->dense++);
}

weir_col weir_cs_alloc_bit(weir_cs *cs)
{
    counts *c = &cs->at[cs->seg];
    if (c->aux >= MAX_INDEX) weir_cs_fail(cs, WEIR_E_RANGE, "a segment has more than 2^29 columns");
    if (cs->err != WEIR_OK) return WEIR_COL_ONE;
    return WEIR_COL(cs->seg ? WEIR_COL_LOCAL_BIT : WEIR_COL_PROLOGUE_BIT, c->aux++);
}

weir_col weir_cs_input(weir_cs *cs)
{
    counts *c = &cs->at[cs->seg];
    if (c->inputs >= MAX_INDEX - 1) weir_cs_fail(cs, WEIR_E_RANGE, "more than 2^29 public inputs");
    if (cs->err != WEIR_OK) return WEIR_COL_ONE;
    /* input 0 is ONE, so the prologue's first is number 1 */
    uint64_t i = c->inputs++;
    return cs->seg ? WEIR_COL(WEIR_COL_LOCAL_INPUT, i) : WEIR_COL(WEIR_COL_INPUT, i + 1);
}

/* ---- segments */

void weir_cs_period(weir_cs *cs, uint64_t count)
{
    if (cs->seg != 0 || count == 0)
        weir_cs_fail(cs, WEIR_E_INTERNAL, "a circuit has one period, repeated at least once");
    cs->seg = 1;
    cs->period_count = count;
}

void weir_cs_epilogue(weir_cs *cs)
{
    if (cs->seg == 2) weir_cs_fail(cs, WEIR_E_INTERNAL, "a circuit has one epilogue");
    cs->seg = 2;
}

/* ---- the dictionary */

static uint32_t hash_fr(const weir_fr *v)
{
    uint64_t h = v->l[0] ^ (v->l[1] * 0x9e3779b97f4a7c15u) ^ (v->l[2] << 21) ^ v->l[3];
    h *= 0xff51afd7ed558ccdu;
    return (uint32_t)(h >> 40);
}

static uint16_t dict_number(weir_cs *cs, const weir_fr *v)
{
    weir_relation *rel = cs->rel;
    for (uint32_t i = hash_fr(v) % DICT_SLOTS;; i = (i + 1) % DICT_SLOTS) {
        uint32_t s = cs->slot[i];
        if (s == 0) {
            if (rel->coefs == DICT_MAX) {
                weir_cs_fail(cs, WEIR_E_RANGE, "more than %d different coefficients", DICT_MAX);
                return 0;
            }
            rel->coef[rel->coefs] = *v;
            cs->slot[i] = ++rel->coefs;
            return (uint16_t)(rel->coefs - 1);
        }
        if (fr_eq(&rel->coef[s - 1], v)) return (uint16_t)(s - 1);
    }
}

/* ---- rows */

weir_lc *weir_cs_a(weir_cs *cs)
{
    return &cs->lc[WEIR_A];
}
weir_lc *weir_cs_b(weir_cs *cs)
{
    return &cs->lc[WEIR_B];
}
weir_lc *weir_cs_c(weir_cs *cs)
{
    return &cs->lc[WEIR_C];
}

static void set_bit(uint64_t *bits, uint64_t i)
{
    bits[i >> 6] |= (uint64_t)1 << (i & 63);
}

/* Marks a column that occurs in A or B. */
static void mark(weir_cs *cs, unsigned m, weir_col col)
{
    weir_relation *rel = cs->rel;
    weir_segment *own = &rel->segment[cs->seg], *pro = &rel->segment[0];
    uint32_t i = weir_col_index(col);
    switch (weir_col_class(col)) {
    case WEIR_COL_INPUT:
        if (m == WEIR_B && i == 0) rel->one_in_b = true;
        if (m == WEIR_B && i > 0) set_bit(pro->input_density_b, i - 1);
        break;
    case WEIR_COL_LOCAL_INPUT:
        if (m == WEIR_B) set_bit(own->input_density_b, i);
        break;
    case WEIR_COL_PROLOGUE_BIT:
        set_bit(pro->density[m], i);
        break;
    case WEIR_COL_PROLOGUE_DENSE:
        set_bit(pro->density[m], pro->dense_col[i]);
        break;
    case WEIR_COL_LOCAL_BIT:
        set_bit(own->density[m], i);
        break;
    case WEIR_COL_LOCAL_DENSE:
        set_bit(own->density[m], own->dense_col[i]);
        break;
    default:
        break;
    }
}

static void store_terms(weir_cs *cs, unsigned m)
{
    counts *c = &cs->at[cs->seg];
    const weir_lc *lc = &cs->lc[m];
    weir_matrix *mat = &cs->rel->segment[cs->seg].m[m];
    mat->start[c->rows] = (uint32_t)c->terms[m];
    for (uint32_t i = 0; i < lc->n; i++) {
        uint64_t at = c->terms[m] + i;
        mat->col[at] = lc->term[i].col;
        mat->coef[at] = dict_number(cs, &lc->term[i].coef);
        if (m != WEIR_C) mark(cs, m, lc->term[i].col);
    }
}

void weir_cs_end_row(weir_cs *cs)
{
    counts *c = &cs->at[cs->seg];
    for (unsigned m = 0; m < 3 && cs->err == WEIR_OK; m++) {
        weir_lc *lc = &cs->lc[m];
        weir_lc_normalize(lc);
        if (cs->storing && (c->rows >= cs->total[cs->seg].rows ||
                            c->terms[m] + lc->n > cs->total[cs->seg].terms[m]))
            weir_cs_fail(cs, WEIR_E_INTERNAL, "a shape made other rows in its second run");
        else if (c->terms[m] + lc->n > UINT32_MAX || c->rows >= UINT32_MAX)
            weir_cs_fail(cs, WEIR_E_RANGE, "a segment has more than 2^32 terms or rows");
        else if (cs->storing)
            store_terms(cs, m);
        else
            for (uint32_t i = 0; i < lc->n; i++) dict_number(cs, &lc->term[i].coef);
        c->terms[m] += lc->n;
    }
    c->rows++;
    for (unsigned m = 0; m < 3; m++) weir_lc_reset(&cs->lc[m]);
}

/* ---- between and after the runs */

static bool take(weir_relation *rel, void *out_ptr, uint64_t n, size_t size)
{
    void *p = weir_calloc(n, size);
    memcpy(out_ptr, &p, sizeof p);
    rel->bytes += n * size;
    return p != NULL;
}

static weir_err take_arrays(weir_cs *cs, weir_errinfo *ei)
{
    weir_relation *rel = cs->rel;
    rel->segments = 1;
    for (unsigned s = 0; s < 3; s++) {
        weir_segment *seg = &rel->segment[s];
        const counts *c = &cs->total[s];
        if (s > 0 && cs->seg >= s) rel->segments = s + 1;
        seg->count = s == 1 && cs->period_count ? cs->period_count : 1;
        seg->rows = (uint32_t)c->rows;
        seg->aux = (uint32_t)c->aux;
        seg->inputs = (uint32_t)c->inputs;
        seg->dense = (uint32_t)c->dense;
        /* one word more than the bits need: a packer's last write may touch it, never the next repetition */
        seg->words = (seg->aux + 63) / 64 + 1;
        bool ok = take(rel, &seg->dense_col, c->dense, sizeof(uint32_t)) &&
                  take(rel, &seg->density[0], seg->words, 8) &&
                  take(rel, &seg->density[1], seg->words, 8) &&
                  take(rel, &seg->input_density_b, (c->inputs + 63) / 64, 8);
        for (unsigned m = 0; m < 3 && ok; m++) {
            weir_matrix *mat = &seg->m[m];
            mat->terms = (uint32_t)c->terms[m];
            ok = take(rel, &mat->start, c->rows + 1, sizeof *mat->start) &&
                 take(rel, &mat->col, c->terms[m], sizeof *mat->col) &&
                 take(rel, &mat->coef, c->terms[m], sizeof *mat->coef);
            if (ok) mat->start[c->rows] = mat->terms;
        }
        if (!ok)
            return weir_fail(ei, WEIR_E_NOMEM, "no memory for the relation (%llu rows)",
                             (unsigned long long)c->rows);
    }
    return WEIR_OK;
}

static uint64_t popcount(const uint64_t *bits, uint64_t words)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < words; i++) n += (uint64_t)__builtin_popcountll(bits[i]);
    return n;
}

static void finish_totals(weir_relation *rel)
{
    rel->inputs = 1;
    for (unsigned s = 0; s < rel->segments; s++) {
        weir_segment *seg = &rel->segment[s];
        seg->row_base = rel->rows;
        seg->aux_base = rel->aux;
        seg->input_base = rel->inputs;
        seg->dense_base = rel->dense;
        seg->word_base = rel->words;
        rel->rows += seg->count * seg->rows;
        rel->aux += seg->count * seg->aux;
        rel->inputs += seg->count * seg->inputs;
        rel->dense += seg->count * seg->dense;
        rel->words += seg->count * seg->words;
        for (unsigned m = 0; m < 3; m++) rel->terms[m] += seg->count * seg->m[m].terms;
        for (unsigned d = 0; d < 2; d++) {
            seg->density_count[d] = popcount(seg->density[d], seg->words);
            rel->aux_in[d] += seg->count * seg->density_count[d];
        }
        rel->inputs_in_b += seg->count * popcount(seg->input_density_b, (seg->inputs + 63) / 64);
    }
    rel->inputs_in_b += rel->one_in_b;
    rel->rows += rel->inputs;
    rel->terms[WEIR_A] += rel->inputs;
    while (((uint64_t)1 << rel->domain_log2) < rel->rows) rel->domain_log2++;
}

static weir_err run(weir_cs *cs, weir_shape_fn shape, void *ctx, weir_errinfo *ei)
{
    memset(cs->at, 0, sizeof cs->at);
    cs->seg = 0;
    WEIR_TRY(shape(ctx, cs, ei));
    if (cs->err == WEIR_OK) return WEIR_OK;
    return weir_fail(ei, cs->err, "%s", cs->info.text);
}

weir_err weir_relation_build(weir_relation **out, weir_shape_fn shape, void *ctx, weir_errinfo *ei)
{
    weir_err err = WEIR_OK;
    *out = NULL;
    weir_cs *cs = weir_calloc(1, sizeof *cs);
    weir_relation *rel = weir_calloc(1, sizeof *rel);
    if (cs && rel) {
        cs->rel = rel;
        cs->slot = weir_calloc(DICT_SLOTS, sizeof *cs->slot);
        rel->coef = weir_calloc(DICT_MAX, sizeof *rel->coef);
        rel->bytes = sizeof *rel + DICT_MAX * sizeof *rel->coef;
    }
    if (!cs || !rel || !cs->slot || !rel->coef) {
        err = weir_fail(ei, WEIR_E_NOMEM, "no memory to build a relation");
        goto out;
    }
    consts_init(&cs->k);
    dict_number(cs, &cs->k.one);
    dict_number(cs, &cs->k.minus_one);
    WEIR_TRY_GOTO(run(cs, shape, ctx, ei));
    memcpy(cs->total, cs->at, sizeof cs->total);
    WEIR_TRY_GOTO(take_arrays(cs, ei));
    cs->storing = true;
    WEIR_TRY_GOTO(run(cs, shape, ctx, ei));
    if (memcmp(cs->total, cs->at, sizeof cs->total) != 0) {
        err = weir_fail(ei, WEIR_E_INTERNAL, "a shape made other rows in its second run");
        goto out;
    }
    finish_totals(rel);
    *out = rel;
    rel = NULL;
out:
    if (cs) {
        for (unsigned m = 0; m < 3; m++) weir_lc_free(&cs->lc[m]);
        weir_free(cs->slot);
    }
    weir_free(cs);
    weir_relation_free(rel);
    return err;
}

void weir_relation_free(weir_relation *rel)
{
    if (!rel) return;
    for (unsigned s = 0; s < 3; s++) {
        weir_segment *seg = &rel->segment[s];
        for (unsigned m = 0; m < 3; m++) {
            weir_free(seg->m[m].start);
            weir_free(seg->m[m].col);
            weir_free(seg->m[m].coef);
        }
        weir_free(seg->dense_col);
        weir_free(seg->density[0]);
        weir_free(seg->density[1]);
        weir_free(seg->input_density_b);
    }
    weir_free(rel->coef);
    weir_free(rel);
}
