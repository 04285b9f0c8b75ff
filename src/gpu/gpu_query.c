#include "gpu/gpu_query.h"

#include "base/alloc.h"

#include <string.h>

static uint32_t words_of(const weir_segment *s)
{
    return (s->aux + 63) / 64;
}

void weir_gpu_query_count(const weir_relation *rel, weir_query query, uint64_t *bit_points,
                          uint64_t *dense_points, uint64_t *words)
{
    weir_query_count(rel, query, bit_points, dense_points);
    *words = 0;
    for (unsigned k = 0; k < rel->segments; k++) *words += words_of(&rel->segment[k]);
}

/* Masks and ranks of a segment, to the arrays from `at` on; gives the bit points of one repetition. */
static uint32_t put_masks(weir_gpu_query *q, const weir_segment *s, weir_query query, uint64_t at)
{
    uint64_t *mask = q->mask + at;
    uint32_t rank = 0;
    for (uint32_t w = 0; w < words_of(s); w++) mask[w] = weir_query_columns(s, query, w);
    for (uint32_t d = 0; d < s->dense; d++)
        mask[s->dense_col[d] / 64] &= ~((uint64_t)1 << (s->dense_col[d] % 64));
    for (uint32_t w = 0; w < words_of(s); w++) {
        q->rank[at + w] = rank;
        rank += (unsigned)__builtin_popcountll(mask[w]);
    }
    return rank;
}

static void put_segments(weir_gpu_query *q, const weir_relation *rel, weir_query query)
{
    dgather_args *g = &q->gather;
    uint64_t at = 0, bit_point = 0;
    for (unsigned k = 0; k < rel->segments; k++) {
        const weir_segment *s = &rel->segment[k];
        g->segment[k] = (dgather_segment){.mask = q->mask + at,
                                          .rank = q->rank + at,
                                          .reps = (uint32_t)s->count,
                                          .words = words_of(s),
                                          .stride = s->words,
                                          .points = put_masks(q, s, query, at),
                                          .word_base = s->word_base,
                                          .point_base = bit_point};
        bit_point += s->count * g->segment[k].points;
        at += words_of(s);
    }
    g->segments = rel->segments;
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
    weir_query_dense_points(rel, query, q->dense_point, q->source);
    put_segments(q, rel, query);
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
