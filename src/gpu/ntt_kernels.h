/* The kernels of transforms and of relations on a device. C and C++ (CUDA) both include this header. */
#ifndef WEIR_GPU_NTT_KERNELS_H
#define WEIR_GPU_NTT_KERNELS_H

#include <stddef.h>

/* A form of the pass of gpu_ntt_pass.h; the argument is a dntt_args by value. The table's first one is what the prover uses. */
typedef struct weir_gpu_ntt_form {
    const char *name;
    const void *kernel;  /* for cudaLaunchKernel */
    unsigned threads;    /* of a block */
    unsigned min_blocks; /* resident on a multiprocessor, by __launch_bounds__ */
    size_t shared;       /* dynamic: cudaFuncAttributeMaxDynamicSharedMemorySize must allow it */
} weir_gpu_ntt_form;

#ifdef __cplusplus
extern "C" {
#endif
/* The table and its length; constant. */
const weir_gpu_ntt_form *weir_gpu_ntt_forms(size_t *n);
/* Rows of a relation: a drel_args by value, DREL_ROWS threads. */
const void *weir_kernel_drel(void);
/* A whole table of twiddles: (weir_dfr *out, uint64_t n, const weir_dfr *lo, const weir_dfr *hi, uint32_t lo_log2). */
const void *weir_kernel_dntt_table(void);
#ifdef __cplusplus
}
#endif

#endif
