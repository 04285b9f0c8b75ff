/* Where a command proves: on the CPU or on a GPU, as --device and --budget-device say. */
#ifndef WEIR_CLI_DEVICE_H
#define WEIR_CLI_DEVICE_H

#include "api/device_open.h"
#include "cli/cli.h"
#include "compute/compute.h"

#include <stdint.h>

/* Options of every command that proves. */
#define WEIR_OPT_DEVICE                                                                            \
    {"device", "NAME",                                                                             \
     "cpu, gpu, gpu:N, or auto: the first GPU if there is one that passes\n"                       \
     "its known-answer test and can hold the proof, else the CPU; default: auto",                  \
     false},                                                                                       \
    {                                                                                              \
        "budget-device", "SIZE",                                                                   \
            "most memory of the GPU to take, such as 16GiB; default: what is free", false          \
    }

typedef struct weir_cli_device {
    weir_device open;
    uint64_t budget_bytes; /* of its memory; UINT64_MAX: what is free */
    weir_need need;        /* of the circuit asked for */
} weir_cli_device;

/* Opens what the options ask for and finds that it can hold proofs of this circuit; with auto, the reason why a GPU is not used
 * is told on standard error. Only reading the options: rel NULL. Errors: WEIR_E_USAGE, WEIR_E_DEVICE, WEIR_E_NOMEM,
 * WEIR_E_UNSUPPORTED (a build without CUDA). */
weir_err weir_cli_device_open(weir_cli_device *d, weir_cli *cli,
                              const weir_relation *rel) WEIR_MUST_USE;
/* A GPU for benches, not for one circuit: what it is goes to standard output, or into the JSON object. Errors: as above; auto
 * and cpu are no GPU, so both are WEIR_E_USAGE when they are given. */
weir_err weir_cli_device_open_gpu(weir_cli_device *d, weir_cli *cli) WEIR_MUST_USE;
/* What makes or checks a key's points: a GPU if there is one that works, or what the option asks for. Errors: as above. */
weir_err weir_cli_device_open_keys(weir_cli_device *d, weir_device_keys *keys, weir_cli *cli,
                                   uint64_t points) WEIR_MUST_USE;
void weir_cli_device_close(weir_cli_device *d);

/* "GPU NVIDIA H200, resident: 45.1 GiB on it, 0.1 GiB of pinned memory" */
void weir_cli_device_print(char *out, size_t size, const weir_cli_device *d);

#endif
