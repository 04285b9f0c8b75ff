#include "gpu/gpu_query.h"

#include "base/alloc.h"

#include <string.h>

static uint32_t words_of(const weir_segment *s)
{
    return (s->aux + 63) / 64;
}

/* The columns 64 word .. of a segment that have a point. */
static uint64_t occurring(const weir_segment *s, weir_query query, uint32_t word)
{
    uint32_t left = s->aux - 64 * word;
    if (query != WEIR_QUERY_L) return s->density[query == WEIR_QUERY_A ? 0 : 1][word];
    return left >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;
}

static bool input_occurs(const weir_segment *s, weir_query query, uint32_t i)
{
    return query == WEIR_QUERY_A || (s->input_density_b[i / 64] >> (i % 64) & 1);
}

/* ONE stands before the inputs of the segments. */
static bool one_occurs(const weir_relation *rel, weir_query query)
{
    return query == WEIR_QUERY_A || (query == WEIR_QUERY_B && rel->one_in_b);
}

/* ---- one segment at a time */

/* Dense columns of one repetition that have a point, and all its columns that do. */
static void count_columns(const weir_segment *s, weir_query query, uint64_t *dense, uint64_t *all)
{
    *dense = *all = 0;
    for (uint32_t d = 0; d < s->dense; d++)
        *dense += occurring(s, query, s->dense_col[d] / 64) >> (s->dense_col[d] % 64) & 1;
    for (uint32_t w = 0; w < words_of(s); w++)
        *all += (unsigned)__builtin_popcountll(occurring(s, query, w));
}

static uint64_t count_inputs(const weir_segment *s, weir_query query)
{
    uint64_t n = 0;
    if (query == WEIR_QUERY_L) return 0;
    for (uint32_t i = 0; i < s->inputs; i++) n += input_occurs(s, query, i);
    return n;
}

void weir_gpu_query_count(const weir_relation *rel, weir_query query, uint64_t *bit_points,
                          uint64_t *dense_points, uint64_t *words)
{
    *bit_points = *words = 0;
    *dense_points = one_occurs(rel, query);
    for (unsigned k = 0; k < rel->segments; k++) {
        const weir_segment *s = &rel->segment[k];
        uint64_t dense, all;
        count_columns(s, query, &dense, &all);
        *bit_points += s->count * (all - dense);
        *dense_points += s->count * (dense + count_inputs(s, query));
        *words += words_of(s);
    }
}

/* ---- lists */

typedef struct filler {
    weir_gpu_query *q;
    const weir_relation *rel;
    weir_query query;
    uint64_t point, dense; /* next of each */
} filler;

static void put(filler *f, uint64_t source)
{
    f->q->dense_point[f->dense] = (uint32_t)f->point++;
    f->q->source[f->dense++] = (uint32_t)source;
}

static void put_inputs(filler *f)
{
    if (f->query == WEIR_QUERY_L) return;
    if (one_occurs(f->rel, f->query)) put(f, 0);
    for (unsigned k = 0; k < f->rel->segments; k++) {
        const weir_segment *s = &f->rel->segment[k];
        for (uint64_t rep = 0; rep < s->count; rep++)
            for (uint32_t i = 0; i < s->inputs; i++)
                if (input_occurs(s, f->query, i)) put(f, s->input_base + rep * s->inputs + i);
    }
}

/* Dense columns of one repetition, and the places of their points. */
static void put_dense(filler *f, const weir_segment *s, uint64_t rep, uint64_t all)
{
    uint64_t first = f->point, before = 0, from = f->rel->inputs + s->dense_base + rep * s->dense;
    uint32_t word = 0;
    for (uint32_t d = 0; d < s->dense; d++) {
        uint32_t col = s->dense_col[d];
        for (; word < col / 64; word++)
            before += (unsigned)__builtin_popcountll(occurring(s, f->query, word));
        uint64_t mask = occurring(s, f->query, word), bit = (uint64_t)1 << (col % 64);
        if (!(mask & bit)) continue;
        f->point = first + before + (unsigned)__builtin_popcountll(mask & (bit - 1));
        put(f, from + d);
    }
    f->point = first + all;
}

/* Masks and ranks of a segment, to the arrays from `at` on; gives the bit points of one repetition. */
static uint32_t put_masks(filler *f, const weir_segment *s, uint64_t at)
{
    uint64_t *mask = f->q->mask + at;
    uint32_t rank = 0;
    for (uint32_t w = 0; w < words_of(s); w++) mask[w] = occurring(s, f->query, w);
    for (uint32_t d = 0; d < s->dense; d++)
        mask[s->dense_col[d] / 64] &= ~((uint64_t)1 << (s->dense_col[d] % 64));
    for (uint32_t w = 0; w < words_of(s); w++) {
        f->q->rank[at + w] = rank;
        rank += (unsigned)__builtin_popcountll(mask[w]);
    }
    return rank;
}

static void put_segments(filler *f)
{
    dgather_args *g = &f->q->gather;
    uint64_t at = 0, bit_point = 0;
    for (unsigned k = 0; k < f->rel->segments; k++) {
        const weir_segment *s = &f->rel->segment[k];
        uint64_t dense, all;
        count_columns(s, f->query, &dense, &all);
        for (uint64_t rep = 0; rep < s->count; rep++) put_dense(f, s, rep, all);
        g->segment[k] = (dgather_segment){.mask = f->q->mask + at,
                                          .rank = f->q->rank + at,
                                          .reps = (uint32_t)s->count,
                                          .words = words_of(s),
                                          .stride = s->words,
                                          .points = put_masks(f, s, at),
                                          .word_base = s->word_base,
                                          .point_base = bit_point};
        bit_point += s->count * g->segment[k].points;
        at += words_of(s);
    }
    g->segments = f->rel->segments;
}

weir_err weir_gpu_query_init(weir_gpu_query *q, const weir_relation *rel, weir_query query,
                             weir_errinfo *ei)
{
    memset(q, 0, sizeof *q);
    weir_gpu_query_count(rel, query, &q->bit_points, &q->dense_points, &q->words);
    q->dense_point = weir_malloc(q->dense_points, sizeof *q->dense_point);
    q->source = weir_malloc(q->dense_points, sizeof *q->source);
    q->mask = weir_malloc(q->words, sizeof *q->mask);
    q->rank = weir_malloc(q->words, sizeof *q->rank);
    if (!q->dense_point || !q->source || !q->mask || !q->rank)
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for the order of the key's points");
    filler f = {.q = q, .rel = rel, .query = query};
    put_inputs(&f);
    put_segments(&f);
    return WEIR_OK;
}

void weir_gpu_query_clear(weir_gpu_query *q)
{
    weir_free(q->dense_point);
    weir_free(q->source);
    weir_free(q->mask);
    weir_free(q->rank);
    memset(q, 0, sizeof *q);
}
