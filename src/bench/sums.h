/* Sums of points whose result is known: point i is k_i G with known k_i, so that a sum of multiples is one multiple of G. */
#ifndef WEIR_BENCH_SUMS_H
#define WEIR_BENCH_SUMS_H

#include "base/err.h"
#include "base/exec.h"
#include "curve/types.h"
#include "msm/msm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum weir_bench_sum_kind {
    WEIR_BENCH_DENSE, /* sum s_i P_i, s_i uniform */
    WEIR_BENCH_BITS,  /* sum of P_i over the set bits, about half */
    WEIR_BENCH_FIXED  /* all k_i G, with a table that is there */
} weir_bench_sum_kind;

typedef struct weir_bench_sum {
    weir_bench_sum_kind kind;
    bool g2;
    unsigned window; /* 0: the cost model's choice */
    size_t n;
    weir_scalar *k, *s;
    uint64_t *bits;
    weir_g1_affine
        *points1; /* one group's arrays, tables and results are used, the other's stay empty */
    weir_g2_affine *points2;
    weir_fixed_g1 *table1;
    weir_fixed_g2 *table2;
    weir_g1 sum1;
    weir_g2 sum2;
} weir_bench_sum;

/* Bytes that making and summing n points take at most. */
uint64_t weir_bench_sum_bytes(bool g2, size_t n, const weir_exec *x);

/* In: kind, g2, window (0, or 2..20; not for bits) and n of a struct that is otherwise zero. Makes the points. Errors:
 * WEIR_E_NOMEM, WEIR_E_CANCELLED. After an error too it must be cleared. */
weir_err weir_bench_sum_init(weir_bench_sum *b, const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;
void weir_bench_sum_clear(weir_bench_sum *b);

/* What is timed. ctx: a weir_bench_sum. */
weir_err weir_bench_sum_run(void *ctx, const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;
/* Is the result of the last run (sum k_i s_i) G, over the set bits (sum k_i) G, worked out with portable arithmetic? Of
 * fixed multiples their dense sum is taken. */
weir_err weir_bench_sum_check(bool *right, void *ctx, const weir_exec *x,
                              weir_errinfo *ei) WEIR_MUST_USE;

#endif
