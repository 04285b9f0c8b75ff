/* The host's side of device_check.cu: inputs, and what the kernels' own source gives when it runs on the host. Plain C;
 * C and C++ (CUDA) both include this header. */
#ifndef WEIR_TEST_DEVICE_TWIN_H
#define WEIR_TEST_DEVICE_TWIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An operation of WEIR_BENCH_OPS; sizes are of one thread. */
typedef struct twin_op {
    const char *name, *text; /* text: what one operation is */
    size_t in_bytes, out_bytes;
    unsigned per_round; /* operations */
    /* Values within the operation's bounds; special: some are, as are pairs of points. */
    void (*fill)(void *in, size_t threads, uint64_t seed, bool special);
    void (*run)(void *out, const void *in, size_t threads, uint32_t rounds);
} twin_op;

/* NULL if there is none of that name. */
const twin_op *twin_find(const char *name);

/* n random values, every 97th zero; 48 (Fp, below 2p) or 32 bytes (Fr) each. */
void twin_fill_fp(void *out, size_t n, uint64_t seed);
void twin_fill_fr(void *out, size_t n, uint64_t seed);
/* The kernels in phases. False: no memory. */
bool twin_fp_batch_inv(void *out, const void *in, uint64_t n, uint32_t blocks, uint32_t threads);
bool twin_fr_batch_inv(void *out, const void *in, uint64_t n, uint32_t blocks, uint32_t threads);
bool twin_scan(uint32_t *before, uint32_t *total, const uint32_t *in, uint32_t blocks,
               uint32_t threads);

#ifdef __cplusplus
}
#endif

#endif
