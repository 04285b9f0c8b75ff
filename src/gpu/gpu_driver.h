/* What the backend asks of a device, as a table of functions. C and C++ (CUDA) both include this header.
 *
 * The backend is plain C on top of this table. gpu_cuda.cu fills it for a CUDA device; tests fill it with the host twins of the
 * kernels, so that plans, memory, order and errors are tested where there is no device.
 *
 * Work is put into queues, each of which runs in order; marks are places in a queue that another queue or the host can wait for.
 * Nothing waits but wait() and drain(), and these block and do not spin. Every function may fail with WEIR_E_DEVICE, those that
 * take memory with WEIR_E_NOMEM.
 */
#ifndef WEIR_GPU_DRIVER_H
#define WEIR_GPU_DRIVER_H

#include "gpu/gpu_msm_plan.h"
#include "gpu/gpu_sum_plan.h"

#ifdef __cplusplus
extern "C" {
#endif
#include "base/err.h"

/* The argument of each, by value. dmsm's and dsum's kernels come for both groups. */
typedef enum weir_gpu_kernel {
    WEIR_GPU_NTT,      /* dntt_args */
    WEIR_GPU_ROWS,     /* drel_args */
    WEIR_GPU_GATHER,   /* dgather_args */
    WEIR_GPU_SCALARS,  /* dscalar_args */
    WEIR_GPU_KINDS,    /* dkinds_args */
    WEIR_GPU_FIXED_G1, /* dfixed_args */
    WEIR_GPU_FIXED_G2,
    WEIR_GPU_MEMBER_G1, /* dmember_args */
    WEIR_GPU_MEMBER_G2,
    WEIR_GPU_DSUM_G1, /* weir_dsum, and the enum weir_dsum_kernel is added */
    WEIR_GPU_DSUM_G2 = WEIR_GPU_DSUM_G1 + WEIR_DSUM_KERNELS,
    WEIR_GPU_DMSM_G1 =
        WEIR_GPU_DSUM_G2 + WEIR_DSUM_KERNELS, /* weir_dmsm, and the enum weir_dmsm_kernel */
    WEIR_GPU_DMSM_G2 = WEIR_GPU_DMSM_G1 + WEIR_DMSM_KERNELS,
    WEIR_GPU_KERNELS = WEIR_GPU_DMSM_G2 + WEIR_DMSM_KERNELS
} weir_gpu_kernel;

enum { WEIR_GPU_WORK, WEIR_GPU_COPY, WEIR_GPU_QUEUES, WEIR_GPU_MARKS = 24 };

/* One device. Thread: one at a time. */
typedef struct weir_gpu_driver {
    void *ctx;
    char name[80];
    uint64_t memory_bytes;
    uint32_t sum_blocks[2]; /* of a sum over bits in G1, G2: as many as fill the device */
    uint64_t up_bytes, down_bytes; /* that uploads and downloads have moved */

    /* Bytes that could be taken now. */
    weir_err (*free_bytes)(void *ctx, uint64_t *bytes, weir_errinfo *ei);
    /* Device memory, aligned to 256; pinned host memory, aligned to 4096. Not initialized. */
    weir_err (*alloc)(void *ctx, void **out, uint64_t bytes, weir_errinfo *ei);
    void (*release)(void *ctx, void *p);
    weir_err (*pin)(void *ctx, void **out, uint64_t bytes, weir_errinfo *ei);
    void (*unpin)(void *ctx, void *p);
    /* host: pinned, and untouched until the queue has passed. */
    weir_err (*upload)(void *ctx, int queue, void *to, const void *host, uint64_t bytes,
                       weir_errinfo *ei);
    weir_err (*download)(void *ctx, int queue, void *host, const void *from, uint64_t bytes,
                         weir_errinfo *ei);
    weir_err (*clear)(void *ctx, int queue, void *p, uint64_t bytes, weir_errinfo *ei);
    /* threads: of a block; 0 where a kernel has but one number. blocks 0: nothing is done. */
    weir_err (*launch)(void *ctx, int queue, weir_gpu_kernel kernel, uint32_t blocks,
                       uint32_t threads, const void *args, weir_errinfo *ei);
    weir_err (*mark)(void *ctx, int queue, int mark, weir_errinfo *ei);
    /* The queue goes on when the mark, as it was set last, has been passed. */
    weir_err (*follow)(void *ctx, int queue, int mark, weir_errinfo *ei);
    weir_err (*wait)(void *ctx, int mark, weir_errinfo *ei);
    /* Waits for all queues. An error that work met shows here at the latest. */
    weir_err (*drain)(void *ctx, weir_errinfo *ei);
    /* In: both marks have been passed. */
    weir_err (*elapsed)(void *ctx, uint64_t *ns, int from, int to, weir_errinfo *ei);
} weir_gpu_driver;

#ifdef __cplusplus
}
#endif

#endif
