/* A circuit of random rows, a key of random points, and a comparison of a backend's sums with the CPU's. Plain C without a test
 * library, so that it runs on a machine that has a device and little else. C and C++ (CUDA) both include this header. */
#ifndef WEIR_TEST_BACKEND_CASES_H
#define WEIR_TEST_BACKEND_CASES_H

#ifdef __cplusplus
extern "C" {
#endif
#include "compute/compute.h"

typedef enum backend_dense {
    BACKEND_RANDOM,
    BACKEND_ZERO,
    BACKEND_ONE,
    BACKEND_MINUS_ONE,
    BACKEND_MIXED /* each value random, zero or one */
} backend_dense;

/* Rows: all, those of the inputs among them. percent_bits: of the columns; percent_ones: of the bits. */
typedef struct backend_case {
    uint64_t seed;
    uint64_t rows, inputs; /* inputs: 1 .. rows */
    uint64_t repeat;       /* 0: no period */
    unsigned percent_bits, percent_ones;
    backend_dense dense;
    bool made;   /* the key's exponents are known, and may be asked for */
    bool arrays; /* the key is kept as arrays */
} backend_case;

/* Circuit, witness, key and what the CPU makes of them. The rows need not hold: both sides divide alike. */
typedef struct backend_kit {
    weir_relation *rel;
    weir_witness *w;
    weir_key_points key;
    void *points[WEIR_KEY_SECTIONS];
    uint64_t exponents; /* of a made key: where they come from */
    weir_sums want;
    weir_exec x;
} backend_kit;

/* To be cleared, after an error too. */
weir_err backend_kit_init(backend_kit *k, const backend_case *c, weir_pool *pool, weir_errinfo *ei);
void backend_kit_clear(backend_kit *k);

/* The same points, h and l taken together? Errors: WEIR_E_INTERNAL with the name of the sum. */
weir_err backend_same_sums(const backend_kit *k, const weir_sums *got, weir_errinfo *ei);

/* A session within the budget, `runs` runs of it, each compared. */
weir_err backend_compare(const backend_kit *k, const weir_backend *b, uint64_t budget_bytes,
                         unsigned runs, weir_errinfo *ei);

/* The same, of the terms alone; the CPU adds up the others. A sum without any term must be infinity. */
weir_err backend_compare_terms(const backend_kit *k, const weir_backend *b, uint32_t terms,
                               uint64_t budget_bytes, unsigned runs, weir_errinfo *ei);

#ifdef __cplusplus
}
#endif

#endif
