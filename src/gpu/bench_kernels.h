/* Kernels for measuring and checking the lowest layer of src/gpu on a device. C and C++ (CUDA) both include this header. */
#ifndef WEIR_GPU_BENCH_KERNELS_H
#define WEIR_GPU_BENCH_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* One compiled form of one operation. Each thread reads its input in[thread], does `rounds` rounds, and writes
 * out[thread]; the kernel's arguments are (void *out, const void *in, uint32_t rounds). */
typedef struct weir_bench_kernel {
    const char *op;      /* a name of WEIR_BENCH_OPS */
    const void *kernel;  /* for cudaLaunchKernel */
    unsigned threads;    /* of a block */
    unsigned min_blocks; /* resident on a multiprocessor, by __launch_bounds__ */
} weir_bench_kernel;

#ifdef __cplusplus
extern "C" {
#endif
/* The table and its length; constant. */
const weir_bench_kernel *weir_bench_kernels(size_t *n);
/* Kernels in phases (gpu_phase.h), arguments by value as their NAME_args. */
const void *weir_kernel_dfp_batch_inv(void);
const void *weir_kernel_dfr_batch_inv(void);
const void *weir_kernel_block_scan(void);
#ifdef __cplusplus
}
#endif

#endif
