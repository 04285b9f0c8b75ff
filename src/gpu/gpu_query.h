/* A query of the key as the device sees it: which columns are bits, which are dense, and where their points stand.
 *
 * The points of a query (relation.h, weir_query) are kept as two arrays: those of bit columns, summed by their bits, and those of
 * inputs and dense columns, summed by scalars. Both keep the query's order.
 */
#ifndef WEIR_GPU_QUERY_H
#define WEIR_GPU_QUERY_H

#include "base/err.h"
#include "gpu/gpu_gather.h"
#include "relation/relation.h"

/* Masks, ranks and the list of dense elements, on the host. */
typedef struct weir_gpu_query {
    uint64_t bit_points, dense_points;
    /* dense entry i is point dense_point[i] of the query, rising; its value is element source[i] of the packed witness's inputs
     * and dense elements, taken as one array */
    uint32_t *dense_point, *source;
    /* segments one after another: mask and rank words */
    uint64_t *mask;
    uint32_t *rank;
    uint64_t words;      /* of all segments */
    dgather_args gather; /* mask, rank: into the arrays above; bits, out: NULL */
} weir_gpu_query;

/* To be cleared, after an error too. Errors: WEIR_E_NOMEM. Cost: a look at each dense element. */
weir_err weir_gpu_query_init(weir_gpu_query *q, const weir_relation *rel, weir_query query,
                             weir_errinfo *ei);
void weir_gpu_query_clear(weir_gpu_query *q);

/* Sizes alone: no memory. */
void weir_gpu_query_count(const weir_relation *rel, weir_query query, uint64_t *bit_points,
                          uint64_t *dense_points, uint64_t *words);

#endif
