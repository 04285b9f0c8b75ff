/* Sums of many points: dense multi-scalar multiplication, sums over bits, multiples of one fixed point.
 *
 * All special cases are ordinary inputs: infinity, equal and opposite points, zero scalars, any repetition. The
 * result does not depend on the number of threads or the instruction path (as a point; compare after to-affine).
 * Points are affine, Montgomery form, infinity (0,0). Scalars are below r. Points must lie in the group, of order
 * r. Nothing grows while it runs: ask for the scratch first. How it works and what it costs: docs/msm.md.
 *
 * Thread: any; a pool has one caller at a time. Not constant time, and scratch is not wiped.
 * Cancel: asked for before each task (some milliseconds of work). After any error the results are undefined.
 * Errors: WEIR_E_NOMEM, WEIR_E_CANCELLED, WEIR_E_RANGE (more than 2^31 - 1 points in a dense sum).
 */
#ifndef WEIR_MSM_MSM_H
#define WEIR_MSM_MSM_H

#include "base/err.h"
#include "base/exec.h"
#include "curve/types.h"

#include <stddef.h>
#include <stdint.h>

/* ---- sum k_i P_i, Pippenger's bucket method with signed windows and batch-affine buckets.
 * Source: Pippenger 1976; Bernstein, Doumen, Lange, Oosterwijk 2012; batch affine as in gnark and constantine's
 * descriptions: 5M + 1S an addition. Cost: about ceil(255/c) (n + 2^(c-1)) additions; c is 17 for n = 2^20. out
 * does not overlap the inputs. n = 0 gives infinity. */
weir_err weir_msm_g1(weir_g1 *out, const weir_g1_affine *points, const weir_scalar *scalars,
                     size_t n, const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_msm_g2(weir_g2 *out, const weir_g2_affine *points, const weir_scalar *scalars,
                     size_t n, const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;
/* Bytes that the call above will take while it runs, exactly; 0 for a few points. The isa plays no part. */
uint64_t weir_msm_g1_scratch_bytes(size_t n, const weir_exec *x);
uint64_t weir_msm_g2_scratch_bytes(size_t n, const weir_exec *x);

/* ---- sum of the points whose bit is set: bit i of the array is bit (i mod 64) of word i / 64.
 * Batch-affine trees over the selected points; cost 6 products a set bit. Bits from n on are not looked at.
 * Scratch: about 1.1 MB a thread in G1, 2.2 MB in G2. */
weir_err weir_sum_bits_g1(weir_g1 *out, const weir_g1_affine *points, const uint64_t *bits,
                          size_t n, const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_sum_bits_g2(weir_g2 *out, const weir_g2_affine *points, const uint64_t *bits,
                          size_t n, const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;

/* Bytes that the calls above take while they run, whatever n. */
uint64_t weir_sum_bits_g1_scratch_bytes(const weir_exec *x);
uint64_t weir_sum_bits_g2_scratch_bytes(const weir_exec *x);

/* ---- k_i B for many scalars and one base: a table of multiples, used for key making. */
typedef struct weir_fixed_g1 weir_fixed_g1;
typedef struct weir_fixed_g2 weir_fixed_g2;
/* expected_n: how many multiples will be asked for in all, which sets the table's window (up to 15 bits: 27 MB in G1,
 * 54 MB in G2). The table may be used by many threads at once. */
weir_err weir_fixed_g1_new(weir_fixed_g1 **out, const weir_g1_affine *base, size_t expected_n,
                           const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_fixed_g2_new(weir_fixed_g2 **out, const weir_g2_affine *base, size_t expected_n,
                           const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;
void weir_fixed_g1_free(weir_fixed_g1 *t);
void weir_fixed_g2_free(weir_fixed_g2 *t);
/* out[i] = k_i B, affine; zero scalars give infinity. Batch-affine over the scalars: about 256/window * 6 products.
 * Scratch: about 350 KB a thread in G1, twice that in G2. */
weir_err weir_fixed_g1_mul(const weir_fixed_g1 *t, weir_g1_affine *out, const weir_scalar *k,
                           size_t n, const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_fixed_g2_mul(const weir_fixed_g2 *t, weir_g2_affine *out, const weir_scalar *k,
                           size_t n, const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;

/* ---- sum k_i P_i for a few points that stay the same, such as those of a verifying key's public inputs: a table of
 * 2^(8w) P_i, 3 KB a point, in which all windows share their buckets. One thread; not cancelled. Few points: at most 2^26.
 * Source: Brickell, Gordon, McCurley, Wilson 1992. Cost: an addition for each digit of eight bits that is not zero, and about
 * 128 + 1,024 for each 16,384 of them; making the table, 248 doublings a point. */
typedef struct weir_shifted_g1 weir_shifted_g1;
weir_err weir_shifted_g1_new(weir_shifted_g1 **out, const weir_g1_affine *points, size_t n,
                             weir_isa isa, weir_errinfo *ei) WEIR_MUST_USE;
void weir_shifted_g1_free(weir_shifted_g1 *t); /* NULL is allowed */
/* k: as many scalars as there are points. Scratch: up to 8 MB. */
weir_err weir_shifted_g1_msm(weir_g1 *out, const weir_shifted_g1 *t, const weir_scalar *k,
                             weir_isa isa, weir_errinfo *ei) WEIR_MUST_USE;

#endif
