/* What the tests of poly share. */
#ifndef WEIR_TESTS_POLY_KIT_H
#define WEIR_TESTS_POLY_KIT_H

#include "base/exec.h"
#include "field/types.h"
#include "poly/ntt.h"
#include "testkit.h"

/* A plan with its scratch, on given threads (0: no pool) and path. */
typedef struct pk_plan {
    weir_ntt_plan *plan;
    weir_exec x;
    void *scratch;
    size_t n;
} pk_plan;

pk_plan pk_plan_new(unsigned log2_n, unsigned threads, weir_isa isa);
void pk_plan_free(pk_plan *p);

weir_fr *pk_alloc(size_t n);
weir_fr *pk_copy(const weir_fr *a, size_t n);
/* Random elements, some special ones among them. */
void pk_random(tk_rng *g, weir_fr *a, size_t n);
/* Fills a from a list of numbers, the rest with zeros. */
void pk_from_json(weir_fr *a, size_t n, json_t *list);

/* r = sum of a[j] x^j, by Horner's rule. */
void pk_eval(weir_fr *r, const weir_fr *a, size_t n, const weir_fr *x);
/* r = shift w^i, w of order n */
void pk_point(weir_fr *r, const weir_fr *shift, unsigned log2_n, uint64_t i);

bool pk_equal(const weir_fr *a, const weir_fr *b, size_t n);

#endif
