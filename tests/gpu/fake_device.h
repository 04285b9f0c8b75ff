/* A device of host memory that runs the kernels' host twins: for tests of the GPU backend where there is no GPU.
 *
 * One queue runs at once, the other, the lazy one, as late as it may: when a mark of it is followed or waited for, or all are
 * drained. With each of them lazy in turn, an order that no mark keeps gives another result. Memory beyond what was taken
 * is guarded, and all of it holds a pattern at first.
 */
#ifndef WEIR_TEST_FAKE_DEVICE_H
#define WEIR_TEST_FAKE_DEVICE_H

#include "gpu/gpu_driver.h"

#include <stdbool.h>

enum { FAKE_BLOCKS = 16, FAKE_ARGS = 1024, FAKE_PENDING = 4096 };

/* What a queue has still to do. */
typedef struct fake_op {
    enum { FAKE_COPY, FAKE_CLEAR, FAKE_LAUNCH, FAKE_MARK } kind;
    unsigned char *to;
    const unsigned char *from;
    uint64_t bytes;
    int mark;
    weir_gpu_kernel kernel;
    uint32_t blocks, threads;
    WEIR_ALIGN(16) unsigned char args[FAKE_ARGS];
} fake_op;

typedef struct fake_block {
    unsigned char *p;
    uint64_t bytes;
    bool pinned;
} fake_block;

typedef struct fake_device {
    weir_gpu_driver driver;
    uint64_t memory, used, peak, pinned; /* bytes */
    /* for a test that puts its own function in the table */
    weir_err (*download)(void *ctx, int queue, void *host, const void *from, uint64_t bytes,
                         weir_errinfo *ei);
    fake_block block[FAKE_BLOCKS];
    int lazy; /* the queue that waits; -1: none */
    fake_op *pending;
    unsigned first, last;
    bool marked[WEIR_GPU_MARKS], reached[WEIR_GPU_MARKS];
    uint64_t calls,
        fail_at;  /* calls that may fail so far; the one that shall fail, counted from 1; 0: none */
    bool fail_on; /* all calls after it fail too */
    weir_err fail_with;
    uint64_t launches;
    unsigned order; /* of the threads of a block, changed by each launch */
} fake_device;

/* memory: bytes of the device. lazy: a queue, or -1. */
void fake_device_init(fake_device *d, uint64_t memory, int lazy);
void fake_device_clear(fake_device *d);
/* Bytes that were not given back. */
uint64_t fake_device_held(const fake_device *d);

#endif
