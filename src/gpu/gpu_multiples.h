/* Many multiples of a generator on a device, for making a key there: a table of multiples, and scalars that come in chunks.
 *
 * Memory is the caller's: a region of the device, a region of pinned host memory. Two chunks are on their way at a time, so that the
 * host works out the next one's scalars while the device multiplies. All work goes to the queue WEIR_GPU_WORK. */
#ifndef WEIR_GPU_MULTIPLES_H
#define WEIR_GPU_MULTIPLES_H

#include "base/exec.h"
#include "curve/types.h"
#include "gpu/gpu_driver.h"

typedef struct weir_gpu_multiples {
    const weir_gpu_driver *driver;
    bool g2;
    unsigned window;
    uint32_t chunk;                      /* scalars of a chunk at most */
    uint64_t device_bytes, pinned_bytes; /* of the regions */
    int mark;                            /* the first of two */
    unsigned char *device, *pinned, *table;
    unsigned turn;
    bool marked[2];
} weir_gpu_multiples;

/* Sizes for a number of multiples in at most so many bytes of device memory: the widest window that pays and fits, and chunks of
 * up to 2^18. False if nothing fits. mark: WEIR_GPU_MARKS mark and mark + 1 are its own. */
bool weir_gpu_multiples_plan(weir_gpu_multiples *m, const weir_gpu_driver *driver, bool g2,
                             uint64_t multiples, uint64_t device_bytes, int mark);

/* Makes the table. device: aligned to 256; both regions stay its own until the queue has been drained. Errors: WEIR_E_DEVICE. Cost: a
 * multiple without a table for each entry, up to a million. */
weir_err weir_gpu_multiples_begin(weir_gpu_multiples *m, void *device, void *pinned,
                                  const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;

/* Waits until a chunk's room is free and gives it: `chunk` scalars, and as many places (dfixed_args). */
weir_err weir_gpu_multiples_room(weir_gpu_multiples *m, weir_scalar **scalars, uint32_t **place,
                                 weir_errinfo *ei) WEIR_MUST_USE;
/* The room's first n scalars, below the group's order, become affine points at their places in out[0] and out[1] on the device. with_place
 * false: in a row in out[0]. */
weir_err weir_gpu_multiples_put(weir_gpu_multiples *m, uint32_t n, bool with_place,
                                void *const out[2], weir_errinfo *ei) WEIR_MUST_USE;

#endif
