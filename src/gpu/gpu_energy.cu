/* Energy counters of NVML, a library that is part of NVIDIA's driver: found when the program runs, since a machine without a GPU has
 * none. */
#include "gpu/gpu_cuda.h"

#include <cuda_runtime.h>
#include <dlfcn.h>

typedef struct nvml {
    void *handle;
    int (*init)(void);
    int (*shutdown)(void);
    int (*handle_by_bus)(const char *bus, void **device);
    int (*energy)(void *device, unsigned long long *mj);
} nvml;

static bool find(nvml *n)
{
    n->handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!n->handle) return false;
    *(void **)&n->init = dlsym(n->handle, "nvmlInit_v2");
    *(void **)&n->shutdown = dlsym(n->handle, "nvmlShutdown");
    *(void **)&n->handle_by_bus = dlsym(n->handle, "nvmlDeviceGetHandleByPciBusId_v2");
    *(void **)&n->energy = dlsym(n->handle, "nvmlDeviceGetTotalEnergyConsumption");
    return n->init && n->shutdown && n->handle_by_bus && n->energy;
}

/* NVML and CUDA may number devices differently; both know the place on the bus. */
static bool ask(const nvml *n, unsigned index, uint64_t *mj)
{
    char bus[32];
    void *device;
    unsigned long long energy;
    if (cudaDeviceGetPCIBusId(bus, sizeof bus, (int)index) != cudaSuccess) return false;
    if (n->init() != 0) return false;
    bool good = n->handle_by_bus(bus, &device) == 0 && n->energy(device, &energy) == 0;
    (void)n->shutdown();
    if (good) *mj = energy;
    return good;
}

extern "C" bool weir_gpu_energy_mj(uint64_t *mj, unsigned index)
{
    nvml n = {};
    bool good = find(&n) && ask(&n, index, mj);
    if (n.handle) (void)dlclose(n.handle);
    return good;
}
