#include "bench/field_loops.h"

#include "field/fp.h"
#include "field/fr.h"

#define LOOP(op, lanes, chains) {WEIR_BENCH_##op, lanes, chains},
const weir_bench_loop weir_bench_loops[WEIR_BENCH_LOOPS] = {WEIR_BENCH_LOOP_LIST(LOOP)};

const weir_bench_field_ops *weir_bench_field_ops_get(weir_isa isa)
{
    return WEIR_ISA_PICK_IFMA(isa, weir_bench_field_ops);
}

size_t weir_bench_loop_results(const weir_bench_loop *l)
{
    return l->chains ? (size_t)l->chains * l->lanes : WEIR_BENCH_ELEMENTS;
}

/* Operations that one element of r goes through. */
static size_t steps(const weir_bench_loop *l, size_t rounds)
{
    return l->chains ? rounds * WEIR_BENCH_ELEMENTS / weir_bench_loop_results(l) : 1;
}

void weir_bench_fp_expect(weir_fp *r, const weir_fp *a, const weir_fp *b, const weir_bench_loop *l,
                          size_t rounds)
{
    for (size_t i = 0; i < weir_bench_loop_results(l); i++) {
        r[i] = a[i];
        for (size_t k = 0; k < steps(l, rounds); k++) {
            if (l->op == WEIR_BENCH_mul) fp_mul(&r[i], &r[i], &b[i]);
            if (l->op == WEIR_BENCH_sqr) fp_mul(&r[i], &r[i], &r[i]);
            if (l->op == WEIR_BENCH_add) fp_add(&r[i], &r[i], &b[i]);
        }
    }
}

void weir_bench_fr_expect(weir_fr *r, const weir_fr *a, const weir_fr *b, const weir_bench_loop *l,
                          size_t rounds)
{
    for (size_t i = 0; i < weir_bench_loop_results(l); i++) {
        r[i] = a[i];
        for (size_t k = 0; k < steps(l, rounds); k++) {
            if (l->op == WEIR_BENCH_mul) fr_mul(&r[i], &r[i], &b[i]);
            if (l->op == WEIR_BENCH_sqr) fr_mul(&r[i], &r[i], &r[i]);
            if (l->op == WEIR_BENCH_add) fr_add(&r[i], &r[i], &b[i]);
        }
    }
}
