/* A circuit for whole proofs in which every value is dense: x_{i+1} = x_i^2 from a random x_0, the last one public. Its
 * key is made from known secrets and kept in memory. */
#ifndef WEIR_BENCH_CHAIN_H
#define WEIR_BENCH_CHAIN_H

#include "base/err.h"
#include "base/exec.h"
#include "bench/memory_key.h"
#include "relation/relation.h"

typedef struct weir_bench_chain {
    weir_relation *rel; /* 2^log2_rows rows, the two of the inputs counted */
    weir_witness *w;
    weir_memory_key key;
} weir_bench_chain;

enum { WEIR_BENCH_CHAIN_MIN_LOG2 = 2, WEIR_BENCH_CHAIN_MAX_LOG2 = 24 };

/* Bytes of relation, witness and key. */
uint64_t weir_bench_chain_bytes(unsigned log2_rows);

/* Relation and witness, no key yet. The struct does not move afterwards, and must be cleared after an error too. In: a
 * zeroed struct, log2_rows within the limits above. Errors: WEIR_E_NOMEM. */
weir_err weir_bench_chain_init(weir_bench_chain *c, unsigned log2_rows,
                               weir_errinfo *ei) WEIR_MUST_USE;
/* Once. Errors: those of weir_key_make. */
weir_err weir_bench_chain_key(weir_bench_chain *c, const weir_exec *x,
                              weir_errinfo *ei) WEIR_MUST_USE;
void weir_bench_chain_clear(weir_bench_chain *c);

#endif
