/* One run in progress: what its parts put into the device's queue. Private to the backend. */
#ifndef WEIR_GPU_WORK_H
#define WEIR_GPU_WORK_H

#include "gpu/gpu_session.h"

typedef struct weir_gpu_work {
    weir_session *s;
    const weir_gpu_driver *d;
    const weir_exec *x;
    weir_errinfo *ei;
    unsigned launches, step;
    uint32_t uploads; /* of pieces of the key */
    bool paused;      /* the device's marks of time may be another run's */
    bool drained;     /* nothing of this run is in the queues, and the device may be another's */
} weir_gpu_work;

static inline void *gpu_work_at(const weir_gpu_work *r, uint64_t offset)
{
    return r->s->device + offset;
}

/* A kernel with its argument; threads 0 where it has but one number. The host waits where it would run too far ahead of the device,
 * and hears a wish to stop then: WEIR_E_CANCELLED. */
weir_err weir_gpu_work_launch(weir_gpu_work *r, unsigned kernel, uint32_t blocks, uint32_t threads,
                              const void *args) WEIR_MUST_USE;

/* From the witness on the device to h: in l->a as scalars, or in the first pinned vector in the small plan. `rows_done` is marked
 * between rows and transforms; in the small plan these go together. (gpu_quotient.c) */
weir_err weir_gpu_make_h(weir_gpu_work *r, int rows_done) WEIR_MUST_USE;

#endif
