/* The GPU behind compute's seam. Plain C; builds and runs on any driver of gpu_driver.h, with or without CUDA. */
#ifndef WEIR_GPU_BACKEND_H
#define WEIR_GPU_BACKEND_H

#include "compute/compute.h"
#include "gpu/gpu_driver.h"

/* b: "gpu", on this device. Keeps: driver, until the last session has ended.
 *
 * A session takes one block of device memory and one of pinned host memory, and nothing more until it ends (gpu_layout.h has the
 * plans). The first plan that fits is taken: budget_bytes, or what is free less a margin if that is less. run: the CPU packs
 * the witness, adds up windows, and sleeps meanwhile. Terms: all, all without WEIR_TERMS_G2, without WEIR_TERMS_TAILS, or without both; what is
 * left out takes no memory and no time. Sums are those of the CPU, whatever the plan.
 * Thread: one at a time on a device. */
void weir_gpu_backend_init(weir_backend *b, const weir_gpu_driver *driver);

/* Of device memory that is free so much is left to the driver and to kernels' stacks. */
#define WEIR_GPU_MARGIN_BYTES ((uint64_t)512 << 20)

#endif
