/* The stages of one run of the CPU backend. Private to it; what each may hold at its peak is said by its _bytes. */
#ifndef WEIR_COMPUTE_CPU_STAGES_H
#define WEIR_COMPUTE_CPU_STAGES_H

#include "compute/compute.h"
#include "compute/key_reader.h"
#include "poly/ntt.h"

/* ---- quotient: rows of A and B, six transforms, h as scalars */

/* Two ways to see one buffer of n elements: the quotient's coefficients become scalars in place. */
typedef union weir_h_buffer {
    weir_fr *fr;
    weir_scalar *scalar;
} weir_h_buffer;

/* h: n = 2^domain_log2 elements from x->slabs, given back by the caller to x->slabs after wiping; NULL
 * after an error. The last one is not used. */
weir_err weir_cpu_quotient(weir_h_buffer *h, const weir_ntt_plan *plan, const weir_witness *w,
                           weir_sums_stats *stats, const weir_exec *x,
                           weir_errinfo *ei) WEIR_MUST_USE;
/* Makes a plan to ask it for its scratch; UINT64_MAX if there is no memory even for that. */
uint64_t weir_cpu_quotient_bytes(const weir_relation *rel, const weir_exec *x);

/* ---- sections */

/* Points of one multi-scalar multiplication over h: larger ones gain little (a window one bit wider is 5 % fewer
 * additions) and take 96 bytes a point. */
enum { WEIR_CPU_H_POINTS = 1 << 23 };

/* sum h_j H_j, in pieces of at most `piece` points. */
weir_err weir_cpu_sum_h(weir_g1 *out, weir_key_reader *reader, const weir_scalar *h, size_t piece,
                        weir_errinfo *ei) WEIR_MUST_USE;
uint64_t weir_cpu_sum_h_bytes(const weir_relation *rel, size_t piece, const weir_exec *x);

/* The values of a query's points: bits and the rest. Holds witness values: cleared with a wipe. */
typedef struct weir_cpu_query {
    uint64_t len;
    uint64_t *bits;
    uint32_t *dense_point;
    weir_scalar *dense_value;
    uint64_t dense;
    uint64_t _words, _dense_cap;
} weir_cpu_query;

weir_err weir_cpu_query_init(weir_cpu_query *q, const weir_witness *w, weir_query query,
                             const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;
/* x as at init. */
void weir_cpu_query_clear(weir_cpu_query *q, const weir_exec *x);

enum { WEIR_CPU_BITS = 1, WEIR_CPU_DENSE = 2 };

/* The parts of a section whose terms these are: an or of the above. */
static inline unsigned weir_cpu_parts_of(uint32_t terms, weir_term bits, weir_term dense)
{
    return (terms & bits ? WEIR_CPU_BITS : 0u) | (terms & dense ? WEIR_CPU_DENSE : 0u);
}

/* The sum of a section's points times the query's values, over the points of bits, the dense ones, or both (parts). The dense
 * part alone reads no other points. */
weir_err weir_cpu_sum_g1(weir_g1 *out, weir_key_reader *reader, weir_key_section section,
                         const weir_cpu_query *q, unsigned parts, weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_cpu_sum_g2(weir_g2 *out, weir_key_reader *reader, weir_key_section section,
                         const weir_cpu_query *q, unsigned parts, weir_errinfo *ei) WEIR_MUST_USE;
/* Query, points and scratch of the section that takes most, of those that the terms need; 0: none. */
uint64_t weir_cpu_sections_bytes(const weir_relation *rel, uint32_t terms, const weir_exec *x);

#endif
