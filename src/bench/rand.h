/* Numbers for benches: the same ones for a seed, on every machine and path. No secrets may come from here.
 * Source: splitmix64, Steele, Lea, Flood 2014. */
#ifndef WEIR_BENCH_RAND_H
#define WEIR_BENCH_RAND_H

#include "field/types.h"

#include <stddef.h>
#include <stdint.h>

typedef struct weir_bench_rand {
    uint64_t state; /* the seed */
} weir_bench_rand;

uint64_t weir_bench_rand_u64(weir_bench_rand *g);
/* n elements or scalars, uniform below the modulus (but for the generator itself). */
void weir_bench_rand_fps(weir_bench_rand *g, weir_fp *out, size_t n);
void weir_bench_rand_frs(weir_bench_rand *g, weir_fr *out, size_t n);
void weir_bench_rand_scalars(weir_bench_rand *g, weir_scalar *out, size_t n);

#endif
