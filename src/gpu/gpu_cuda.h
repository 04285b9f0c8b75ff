/* CUDA devices as drivers (gpu_driver.h). C and C++ (CUDA) both include this header. */
#ifndef WEIR_GPU_CUDA_H
#define WEIR_GPU_CUDA_H

#include "gpu/bench_kernels.h"
#include "gpu/gpu_driver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many devices there are: 0 if none, or no driver for them (ei then says why). */
unsigned weir_gpu_count(weir_errinfo *ei);

/* Opens device `index`, for this process until it is closed. Kernels' stacks are kept, so that no later launch takes memory.
 * Errors: WEIR_E_DEVICE. Cost: about a second for the first one. */
weir_err weir_gpu_open(weir_gpu_driver **out, unsigned index, weir_errinfo *ei);
/* In: all sessions on it have ended. NULL is allowed. */
void weir_gpu_close(weir_gpu_driver *driver);

/* What a table of measurements is headed with: clocks in MHz, versions as CUDA numbers them (13000: 13.0). */
typedef struct weir_gpu_facts {
    char name[80];
    unsigned multiprocessors, clock_mhz, compute_major, compute_minor;
    unsigned driver_version, runtime_version;
    uint64_t memory_bytes;
} weir_gpu_facts;
weir_err weir_gpu_describe(weir_gpu_facts *out, unsigned index, weir_errinfo *ei);

/* Energy that the device has used since its driver was loaded, in millijoules; false where nobody tells. Asks NVIDIA's management
 * library, which comes with the driver, if it is there. Cost: opening it, some milliseconds. */
bool weir_gpu_energy_mj(uint64_t *mj, unsigned index);

/* For benches: blocks that fill the device, and a launch into WEIR_GPU_WORK; in, out: an element for each thread. */
weir_err weir_gpu_bench_blocks(uint32_t *blocks, const weir_gpu_driver *driver,
                               const weir_bench_kernel *kernel, weir_errinfo *ei);
weir_err weir_gpu_launch_bench(const weir_gpu_driver *driver, const weir_bench_kernel *kernel,
                               uint32_t blocks, void *out, const void *in, uint32_t rounds,
                               weir_errinfo *ei);

#ifdef __cplusplus
}
#endif

#endif
