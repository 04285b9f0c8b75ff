/* A device that several threads use in turns.
 *
 * A GPU's backend allows one thread at a time on a device, and the engine sees to that for its partitions. But a key is loaded, or
 * unloaded, while partitions of another run; so whoever uses the device waits for its turn, in the order in which they came. A
 * partition that pauses gives its turn up meanwhile.
 */
#ifndef WEIR_API_DEVICE_TURNS_H
#define WEIR_API_DEVICE_TURNS_H

#include "compute/compute.h"

#include <pthread.h>

typedef struct weir_turns {
    weir_backend table; /* as inner's, with turns; does not move */
    const weir_backend *_inner;
    pthread_mutex_t _lock;
    pthread_cond_t _passed;
    uint64_t _next, _now; /* numbers that are drawn and served */
} weir_turns;

/* Keeps: inner, until it is cleared. */
void weir_turns_init(weir_turns *t, const weir_backend *inner);
/* In: all its sessions have ended. */
void weir_turns_clear(weir_turns *t);

#endif
