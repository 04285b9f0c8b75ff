/* Work on the points of keys that are no session's: made from exponents, or checked one by one. For commands that write key files.
 *
 * Memory: up to 420 MB of the device, 100 MB of pinned memory. */
#ifndef WEIR_GPU_KEY_WORK_H
#define WEIR_GPU_KEY_WORK_H

#include "compute/key_multiplier.h"
#include "curve/point_check.h"
#include "gpu/gpu_driver.h"

typedef struct weir_gpu_key_work weir_gpu_key_work;

/* Keeps: driver, x (whose path is used, and whose wish to stop is asked), until it is freed. points: of the key, which sets the tables'
 * width. Tables are made, and both kinds of work give known answers first. Errors: WEIR_E_NOMEM, WEIR_E_DEVICE. */
weir_err weir_gpu_key_work_new(weir_gpu_key_work **out, const weir_gpu_driver *driver,
                               uint64_t points, const weir_exec *x, weir_errinfo *ei);
void weir_gpu_key_work_free(weir_gpu_key_work *w); /* NULL is allowed */

/* Both live as long as w. One call at a time in all. */
weir_key_multiplier weir_gpu_key_multiplier(weir_gpu_key_work *w);
/* What the device calls bad the CPU looks at once more: it says what is wrong, and a point that it finds good is WEIR_E_DEVICE. */
weir_point_check weir_gpu_point_check(weir_gpu_key_work *w);

#endif
