/* Devices that can prove, as people name them: "auto", "cpu", "gpu", "gpu:N". */
#ifndef WEIR_API_DEVICE_OPEN_H
#define WEIR_API_DEVICE_OPEN_H

#include "compute/compute.h"
#include "compute/key_multiplier.h"
#include "curve/point_check.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum weir_device_choice {
    WEIR_DEVICE_AUTO,
    WEIR_DEVICE_CPU,
    WEIR_DEVICE_GPU, /* any or all, as the caller means it */
    WEIR_DEVICE_GPU_N
} weir_device_choice;

/* text NULL: auto. *index: N of gpu:N, else 0. what: what a message calls it ("--device"). Errors: WEIR_E_USAGE. */
weir_err weir_device_choose(weir_device_choice *out, unsigned *index, const char *what,
                            const char *text, weir_errinfo *ei) WEIR_MUST_USE;

/* One device. Does not move once it is opened. */
typedef struct weir_device {
    const weir_backend *backend;
    char name[100]; /* "CPU", or "GPU" and its own */
    unsigned index; /* of a GPU */
    weir_backend _gpu;
    struct weir_gpu_driver *_driver;
} weir_device;

void weir_device_use_cpu(weir_device *d);

/* How many GPUs there are; 0 if none, or if they cannot be used (ei then says why), or in a build without CUDA. */
unsigned weir_device_gpus(weir_errinfo *ei);
/* Opens GPU `index` and runs the known-answer test on it. what: as above. To be closed also after an error. Errors: WEIR_E_DEVICE;
 * WEIR_E_USAGE (there is none of that number); WEIR_E_UNSUPPORTED (a build without CUDA); WEIR_E_NOMEM. Cost: about a second for
 * the first one, 0.2 s for others. */
weir_err weir_device_use_gpu(weir_device *d, unsigned index, const char *what, const weir_exec *x,
                             weir_errinfo *ei) WEIR_MUST_USE;

/* Energy that a GPU has used since its driver was loaded, in millijoules; false where nobody tells. */
bool weir_device_energy_mj(uint64_t *mj, const weir_device *d);

/* Who makes and checks the points of keys on a device, for commands that write key files. */
typedef struct weir_device_keys {
    weir_point_check check;
    weir_key_multiplier multiplier; /* of a GPU */
    bool has_multiplier;            /* the CPU's own way needs none */
    struct weir_gpu_key_work *_work;
} weir_device_keys;
/* points: of the key. Keeps: d, x, until it is closed. A GPU gives known answers first. Errors: WEIR_E_DEVICE, WEIR_E_NOMEM. */
weir_err weir_device_keys_open(weir_device_keys *out, const weir_device *d, uint64_t points,
                               const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;
void weir_device_keys_close(weir_device_keys *k); /* zeroed: nothing */

/* In: all its sessions have ended. Zeroed or closed already: nothing. */
void weir_device_close(weir_device *d);

#endif
