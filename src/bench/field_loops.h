/* Loops over the field routines, which are inline: one table of them for each instruction path.
 *
 * A call does `rounds` times WEIR_BENCH_ELEMENTS operations, whatever the loop, so that times compare. Independent
 * operations go over arrays that the first-level cache holds, those of eight lanes two at a time; in chains each operation waits for the one before. In loops of
 * eight lanes a chain is eight elements wide; what turns elements into lanes and back stands outside of the rounds.
 */
#ifndef WEIR_BENCH_FIELD_LOOPS_H
#define WEIR_BENCH_FIELD_LOOPS_H

#include "base/isa.h"
#include "field/types.h"

#include <stdbool.h>
#include <stddef.h>

/* With three arrays of eight-lane elements of Fp 24 KB. */
enum { WEIR_BENCH_ELEMENTS = 128 };

/* X(operation, lanes, chains); 0 chains: independent. There is no chain of eight-lane sums: bounds would grow. */
#define WEIR_BENCH_LOOP_LIST(X)                                                                    \
    X(mul, 1, 0)                                                                                   \
    X(mul, 1, 1)                                                                                   \
    X(sqr, 1, 0)                                                                                   \
    X(sqr, 1, 1)                                                                                   \
    X(add, 1, 0)                                                                                   \
    X(add, 1, 1)                                                                                   \
    X(mul, 8, 0)                                                                                   \
    X(mul, 8, 2)                                                                                   \
    X(mul, 8, 1)                                                                                   \
    X(sqr, 8, 0)                                                                                   \
    X(sqr, 8, 2)                                                                                   \
    X(sqr, 8, 1)                                                                                   \
    X(add, 8, 0)

#define WEIR_BENCH_LOOP_ONE(operation, lanes, chains) +1
enum { WEIR_BENCH_LOOPS = 0 WEIR_BENCH_LOOP_LIST(WEIR_BENCH_LOOP_ONE) };

typedef enum weir_bench_op { WEIR_BENCH_mul, WEIR_BENCH_sqr, WEIR_BENCH_add } weir_bench_op;

typedef struct weir_bench_loop {
    weir_bench_op op;
    unsigned lanes, chains;
} weir_bench_loop;

extern const weir_bench_loop weir_bench_loops[WEIR_BENCH_LOOPS];

/* Elements of r that a loop writes: all, or one for each chain and lane. */
size_t weir_bench_loop_results(const weir_bench_loop *l);

/* r, a, b: WEIR_BENCH_ELEMENTS elements, no overlap. Independent: r = a op b. Chain: r starts as a and becomes r op b,
 * again and again. Squares do not look at b. */
typedef void (*weir_bench_fp_loop)(weir_fp *r, const weir_fp *a, const weir_fp *b, size_t rounds);
typedef void (*weir_bench_fr_loop)(weir_fr *r, const weir_fr *a, const weir_fr *b, size_t rounds);

typedef struct weir_bench_field_ops {
    weir_bench_fp_loop
        fp[WEIR_BENCH_LOOPS]; /* those of eight lanes: instructions only on the ifma path */
    weir_bench_fr_loop fr[WEIR_BENCH_LOOPS];
    /* a = 1/a with one inversion; tmp: n elements */
    void (*fps_inv)(weir_fp *a, size_t n, weir_fp *tmp);
    void (*frs_inv)(weir_fr *a, size_t n, weir_fr *tmp);
    /* rounds * WEIR_BENCH_ELEMENTS multiply-adds of eight lanes, low halves, in 16 chains that start at 0, 1 .. 15; the sum of
     * one lane of all. a, b below 2^52. */
    uint64_t (*multiply_adds)(uint64_t a, uint64_t b, size_t rounds);
} weir_bench_field_ops;

WEIR_ISA_DECLARE(weir_bench_field_ops, weir_bench_field_ops);
const weir_bench_field_ops *weir_bench_field_ops_get(weir_isa isa);

/* What a loop must write, worked out one by one with the portable routines. */
void weir_bench_fp_expect(weir_fp *r, const weir_fp *a, const weir_fp *b, const weir_bench_loop *l,
                          size_t rounds);
void weir_bench_fr_expect(weir_fr *r, const weir_fr *a, const weir_fr *b, const weir_bench_loop *l,
                          size_t rounds);

#endif
