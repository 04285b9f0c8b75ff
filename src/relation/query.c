/* A query's points in two groups: those of bit columns, and those of inputs and dense columns. */
#include "relation/relation.h"

static uint32_t words_of(const weir_segment *s)
{
    return (s->aux + 63) / 64;
}

uint64_t weir_query_columns(const weir_segment *s, weir_query q, uint32_t word)
{
    uint32_t left = s->aux - 64 * word;
    if (q != WEIR_QUERY_L) return s->density[q == WEIR_QUERY_A ? 0 : 1][word];
    return left >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;
}

static bool input_occurs(const weir_segment *s, weir_query q, uint32_t i)
{
    return q == WEIR_QUERY_A || (s->input_density_b[i / 64] >> (i % 64) & 1);
}

/* ONE stands before the inputs of the segments. */
static bool one_occurs(const weir_relation *rel, weir_query q)
{
    return q == WEIR_QUERY_A || (q == WEIR_QUERY_B && rel->one_in_b);
}

/* ---- counts */

/* Dense columns of one repetition that have a point, and all its columns that do. */
static void count_columns(const weir_segment *s, weir_query q, uint64_t *dense, uint64_t *all)
{
    *dense = *all = 0;
    for (uint32_t d = 0; d < s->dense; d++)
        *dense += weir_query_columns(s, q, s->dense_col[d] / 64) >> (s->dense_col[d] % 64) & 1;
    for (uint32_t w = 0; w < words_of(s); w++)
        *all += (unsigned)__builtin_popcountll(weir_query_columns(s, q, w));
}

static uint64_t count_inputs(const weir_segment *s, weir_query q)
{
    uint64_t n = 0;
    if (q == WEIR_QUERY_L) return 0;
    for (uint32_t i = 0; i < s->inputs; i++) n += input_occurs(s, q, i);
    return n;
}

void weir_query_count(const weir_relation *rel, weir_query q, uint64_t *bit_points,
                      uint64_t *dense_points)
{
    *bit_points = 0;
    *dense_points = one_occurs(rel, q);
    for (unsigned k = 0; k < rel->segments; k++) {
        const weir_segment *s = &rel->segment[k];
        uint64_t dense, all;
        count_columns(s, q, &dense, &all);
        *bit_points += s->count * (all - dense);
        *dense_points += s->count * (dense + count_inputs(s, q));
    }
}

/* ---- the list */

typedef struct lister {
    const weir_relation *rel;
    weir_query query;
    uint32_t *to, *source; /* source may be NULL */
    uint64_t point, n;     /* next of the query, next of the list */
} lister;

static void put(lister *l, uint64_t source)
{
    if (l->source) l->source[l->n] = (uint32_t)source;
    l->to[l->n++] = (uint32_t)l->point++;
}

static void put_inputs(lister *l)
{
    if (l->query == WEIR_QUERY_L) return;
    if (one_occurs(l->rel, l->query)) put(l, 0);
    for (unsigned k = 0; k < l->rel->segments; k++) {
        const weir_segment *s = &l->rel->segment[k];
        for (uint64_t rep = 0; rep < s->count; rep++)
            for (uint32_t i = 0; i < s->inputs; i++)
                if (input_occurs(s, l->query, i)) put(l, s->input_base + rep * s->inputs + i);
    }
}

/* Dense columns of one repetition, and the places of their points. `all`: its points. */
static void put_dense(lister *l, const weir_segment *s, uint64_t rep, uint64_t all)
{
    uint64_t first = l->point, before = 0, from = l->rel->inputs + s->dense_base + rep * s->dense;
    uint32_t word = 0;
    for (uint32_t d = 0; d < s->dense; d++) {
        uint32_t col = s->dense_col[d];
        for (; word < col / 64; word++)
            before += (unsigned)__builtin_popcountll(weir_query_columns(s, l->query, word));
        uint64_t mask = weir_query_columns(s, l->query, word), bit = (uint64_t)1 << (col % 64);
        if (!(mask & bit)) continue;
        l->point = first + before + (unsigned)__builtin_popcountll(mask & (bit - 1));
        put(l, from + d);
    }
    l->point = first + all;
}

void weir_query_dense_points(const weir_relation *rel, weir_query q, uint32_t *point,
                             uint32_t *source)
{
    lister l = {.rel = rel, .query = q, .to = point, .source = source};
    put_inputs(&l);
    for (unsigned k = 0; k < rel->segments; k++) {
        const weir_segment *s = &rel->segment[k];
        uint64_t dense, all;
        count_columns(s, q, &dense, &all);
        for (uint64_t rep = 0; rep < s->count; rep++) put_dense(&l, s, rep, all);
    }
}
