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

/* Runs the launches one after another with the form of that name, the threads of a block in an order made from
 * seed. False: no such form, or no memory. */
bool twin_ntt_run(const char *form, const weir_gpu_ntt_launch *list, unsigned n, uint64_t seed);

/* The same for rows of a relation. */
bool twin_relation_run(const drel_args *a, uint32_t blocks, uint64_t seed);

/* Bits of i reversed. */
uint64_t twin_reversed(uint64_t i, unsigned bits);

#ifdef __cplusplus
}
#endif

#endif
