/* The host twins of the kernels of transforms and relations, as a library for tests and for gpu_ntt_check. C and C++ (CUDA)
 * both include this header. */
#ifndef WEIR_TEST_NTT_TWIN_H
#define WEIR_TEST_NTT_TWIN_H

#include "gpu/gpu_ntt_plan.h"
#include "gpu/gpu_relation.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the launches one after another, the threads of a block in an order made from seed. False: no memory. */
bool twin_ntt_run(const weir_gpu_ntt_launch *list, unsigned n, uint64_t seed);

/* The same for rows of a relation. */
bool twin_relation_run(const drel_args *a, uint32_t blocks, uint64_t seed);

/* Bits of i reversed. */
uint64_t twin_reversed(uint64_t i, unsigned bits);

/* ---- arithmetic for checks of transforms too large for a twin */

/* Below 2^254. */
void twin_fr_random(weir_dfr *r, uint64_t seed);
/* The i-th point of the domain of 2^log2_n elements, or of its coset. */
void twin_fr_point(weir_dfr *r, unsigned log2_n, uint64_t i, dntt_side side);
/* r = sum of part[t] x^(2^step_log2 t): the end of an evaluation whose parts are evaluated already. */
void twin_fr_join(weir_dfr *r, const weir_dfr *part, size_t n, const weir_dfr *x,
                  unsigned step_log2);
/* a b - c = h (x^n - 1), from the values at x; h's is that of integers taken for elements in Montgomery form. */
bool twin_quotient_holds(const weir_dfr *x, unsigned log2_n, const weir_dfr *a, const weir_dfr *b,
                         const weir_dfr *c, const weir_dfr *h);

#ifdef __cplusplus
}
#endif

#endif
