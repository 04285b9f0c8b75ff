/* What the rows of weir bench device share: an open GPU, times by its own clock, points and values whose sums are known.
 *
 * Every row is run once, checked against the CPU or a closed form, and then timed. */
#ifndef WEIR_CLI_DEVICE_BENCH_H
#define WEIR_CLI_DEVICE_BENCH_H

#include "cli/bench_run.h"
#include "cli/device.h"
#include "curve/types.h"
#include "field/types.h"
#include "gpu/gpu_driver.h"

/* Points of a bench are multiples of the generator out of a table: point i of series s is multiple
 * weir_device_pick(s, i). */
enum { WEIR_DEVICE_MULTIPLES_LOG2 = 14 };
typedef struct weir_device_points {
    weir_fr *multiple; /* 2^WEIR_DEVICE_MULTIPLES_LOG2 of them */
    weir_g1_affine *g1;
    weir_g2_affine *g2;
} weir_device_points;

typedef struct weir_device_bench {
    weir_bench_run *b;
    const weir_gpu_driver *driver;
    const weir_backend *backend;
    weir_device_points points;
    void *stage; /* pinned, WEIR_DEVICE_STAGE_BYTES */
    weir_exec x; /* all processors, for checks */
    uint64_t budget_bytes;
} weir_device_bench;

enum { WEIR_DEVICE_STAGE_BYTES = 64 << 20 };

weir_err weir_device_bench_init(weir_device_bench *d, weir_bench_run *b,
                                const weir_cli_device *device, weir_errinfo *ei) WEIR_MUST_USE;
void weir_device_bench_clear(weir_device_bench *d);

/* ---- values from a seed: the same for host and device */

uint64_t weir_device_hash(uint64_t seed, uint64_t i);
static inline uint32_t weir_device_pick(uint64_t series, uint64_t i)
{
    return (uint32_t)(weir_device_hash(series, i) >> (64 - WEIR_DEVICE_MULTIPLES_LOG2));
}
/* 254 bits by chance: a scalar, or an element in any form. */
void weir_device_scalar(weir_scalar *out, uint64_t seed, uint64_t i);

/* out[0 .. n - 1]: element first + i. */
typedef void (*weir_device_make_fn)(void *ctx, void *out, uint64_t first, uint64_t n);
/* n elements of `each` bytes to device memory, made on all threads on the way. */
weir_err weir_device_fill(weir_device_bench *d, void *to, uint64_t n, size_t each,
                          weir_device_make_fn make, void *ctx, weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_device_fill_points(weir_device_bench *d, void *to, uint64_t n, bool g2,
                                 uint64_t series, weir_errinfo *ei) WEIR_MUST_USE;
/* Device memory to host memory that is not pinned. */
weir_err weir_device_read(weir_device_bench *d, void *to, const void *from, uint64_t bytes,
                          weir_errinfo *ei) WEIR_MUST_USE;

/* ---- sums in Fr, for closed forms */

/* value of point i, false: it is not in the sum */
typedef bool (*weir_device_value_fn)(void *ctx, uint64_t i, weir_fr *value);
/* The sum over i < n of value times the multiple of point i of the series, on all threads. */
void weir_device_expect(weir_device_bench *d, weir_fr *out, uint64_t n, uint64_t series,
                        weir_device_value_fn value, void *ctx);
/* Are these points that multiple of the generator? */
bool weir_device_is_g1(const weir_g1 *p, const weir_fr *multiple, weir_isa isa);
bool weir_device_is_g2(const weir_g2 *p, const weir_fr *multiple, weir_isa isa);

/* ---- rows */

typedef struct weir_device_row {
    weir_bench_row row;
    /* Puts work into WEIR_GPU_WORK. */
    weir_err (*launch)(void *ctx, weir_errinfo *ei);
    /* After the first time. */
    weir_err (*check)(bool *right, void *ctx, weir_errinfo *ei);
    void *ctx;
} weir_device_row;

/* Runs, checks, times, prints. Errors: WEIR_E_INTERNAL if the result is wrong. */
weir_err weir_device_time(weir_device_bench *d, const weir_device_row *row,
                          weir_errinfo *ei) WEIR_MUST_USE;

weir_err weir_device_bench_fields(weir_device_bench *d, weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_device_bench_dense(weir_device_bench *d, bool g2, unsigned log2,
                                 weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_device_bench_bits(weir_device_bench *d, bool g2, unsigned log2,
                                weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_device_bench_ntt(weir_device_bench *d, unsigned log2, weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_device_bench_quotient(weir_device_bench *d, unsigned log2,
                                    weir_errinfo *ei) WEIR_MUST_USE;
/* challenges 0: all of the shape. */
weir_err weir_device_bench_partition(weir_device_bench *d, const weir_registered_porep *registered,
                                     unsigned challenges, weir_errinfo *ei) WEIR_MUST_USE;

#endif
