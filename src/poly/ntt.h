/* Number-theoretic transforms over Fr, and the quotient polynomial of Groth16.
 *
 * Natural order in, natural order out: forward gives out[i] = sum_j in[j] w^(ij), w = the root of
 * unity of order n = 2^log2_n (fr_root_of_unity); inverse uses w^-1 and divides by n. On a coset
 * with shift g: coset forward multiplies in[j] by g^j first; coset inverse multiplies out[j] by
 * g^-j last.
 *
 * A plan is immutable after it is made: any number of threads may use it at once. It works with the
 * instruction path and the pool given at each call; results do not depend on either. n up to 2^32
 * (memory permitting).
 * Method, bounds, figures: docs/ntt.md.
 */
#ifndef WEIR_POLY_NTT_H
#define WEIR_POLY_NTT_H

#include "base/err.h"
#include "base/exec.h"
#include "field/types.h"

typedef struct weir_ntt_plan weir_ntt_plan;

/* Size: log2_n 0..32. Memory: a table of at most 256 KiB, whatever the size. Cost: at most 2^13
 * products.
 * Errors: WEIR_E_UNSUPPORTED (log2_n above 32), WEIR_E_NOMEM. */
weir_err weir_ntt_plan_new(weir_ntt_plan **out, unsigned log2_n, const weir_exec *x,
                           weir_errinfo *ei) WEIR_MUST_USE;
void weir_ntt_plan_free(weir_ntt_plan *plan); /* plan may be NULL */
/* Bytes that a plan of this size holds. */
uint64_t weir_ntt_plan_bytes(unsigned log2_n);
/* Bytes of scratch that a transform needs: 0 up to 2^14, above at most 1 MiB for each thread of the
 * pool that the plan was made with. A call with a larger pool is correct, but uses only as many
 * threads. */
uint64_t weir_ntt_scratch_bytes(const weir_ntt_plan *plan);

/* In place. a: n elements; shift is not zero; scratch: weir_ntt_scratch_bytes, aligned to 8, may be
 * NULL if that is 0; one call at a time uses it.
 * Cost: n/2 log2 n products, n more on a coset; passes over memory: 2 (reordering counted) up to
 * 2^14, 3 up to 2^27, then 4. */
void weir_ntt_forward(const weir_ntt_plan *plan, weir_fr *a, void *scratch, const weir_exec *x);
void weir_ntt_inverse(const weir_ntt_plan *plan, weir_fr *a, void *scratch, const weir_exec *x);
void weir_ntt_coset_forward(const weir_ntt_plan *plan, weir_fr *a, const weir_fr *shift,
                            void *scratch, const weir_exec *x);
void weir_ntt_coset_inverse(const weir_ntt_plan *plan, weir_fr *a, const weir_fr *shift,
                            void *scratch, const weir_exec *x);

/* The quotient h = (a b - c) / (x^n - 1) from evaluations a, b on the domain, where c = a o b (a
 * satisfied relation): six transforms and no c. In: a, b of n elements. Out: a holds h's n
 * coefficients (the last is zero, as a b has degree 2n - 2 at most); b and tmp are overwritten.
 * tmp: n elements. Alias: none.
 * Why: let a b = lo + hi x^n. Modulo x^n - 1 this is C = lo + hi, which a o b on the domain gives;
 * modulo x^n + 1 it is D = lo - hi, which the product on the coset of the 2n-th root gives; and
 * h = hi = (C - D) / 2. n = 2^32 has no 2n-th root: there the coset is that of 7, and
 * h = (C - D) / (1 - 7^n). */
void weir_quotient(const weir_ntt_plan *plan, weir_fr *a, weir_fr *b, weir_fr *tmp, void *scratch,
                   const weir_exec *x);

#endif
