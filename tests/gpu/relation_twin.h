/* Relations with a witness of random values, packed for the device: for tests and for gpu_ntt_check. C and C++ (CUDA) both
 * include this header. */
#ifndef WEIR_TEST_RELATION_TWIN_H
#define WEIR_TEST_RELATION_TWIN_H

#include "gpu/gpu_relation_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A random shape: rows of each segment, most of up to five terms, some of up to `longest`. */
typedef struct twin_shape {
    uint64_t seed, repeat; /* repeat 0: no period */
    bool epilogue;
    unsigned rows[3], longest;
} twin_shape;

/* relation, witness: packed, aligned to 16. The rows need not hold. */
typedef struct twin_relation {
    weir_relation *rel;
    weir_witness *w;
    void *relation, *witness;
    uint64_t relation_bytes, witness_bytes;
} twin_relation;

/* To be freed after an error too. */
weir_err twin_relation_random(twin_relation *r, const twin_shape *shape, weir_errinfo *ei);
/* The circuit of a PoRep of that sector size, with all its challenges. */
weir_err twin_relation_porep(twin_relation *r, const char *sector, uint64_t seed, weir_errinfo *ei);
void twin_relation_free(twin_relation *r);

#ifdef __cplusplus
}
#endif

#endif
