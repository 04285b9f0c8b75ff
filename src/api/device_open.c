#include "api/device_open.h"

#include "compute/known_answer.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if WEIR_HAVE_CUDA
#include "gpu/gpu_backend.h"
#include "gpu/gpu_cuda.h"
#include "gpu/gpu_key_work.h"
#endif

enum { MAX_INDEX = 255 };

weir_err weir_device_choose(weir_device_choice *out, unsigned *index, const char *what,
                            const char *text, weir_errinfo *ei)
{
    *out = WEIR_DEVICE_AUTO;
    *index = 0;
    if (!text || strcmp(text, "auto") == 0) return WEIR_OK;
    *out = strcmp(text, "cpu") == 0 ? WEIR_DEVICE_CPU : WEIR_DEVICE_GPU;
    if (strcmp(text, "cpu") == 0 || strcmp(text, "gpu") == 0) return WEIR_OK;
    *out = WEIR_DEVICE_GPU_N;
    char *end = NULL;
    const char *number = strncmp(text, "gpu:", 4) == 0 ? text + 4 : "";
    unsigned long n = isdigit((unsigned char)number[0]) ? strtoul(number, &end, 10) : 0;
    if (!end || *end != '\0' || n > MAX_INDEX)
        return weir_fail(ei, WEIR_E_USAGE,
                         "%s: there is no '%s'; take auto, cpu, gpu or gpu:N, N at most %d", what,
                         text, MAX_INDEX);
    *index = (unsigned)n;
    return WEIR_OK;
}

void weir_device_use_cpu(weir_device *d)
{
    *d = (weir_device){.backend = weir_cpu_backend(), .name = "CPU"};
}

#if WEIR_HAVE_CUDA

unsigned weir_device_gpus(weir_errinfo *ei)
{
    return weir_gpu_count(ei);
}

weir_err weir_device_use_gpu(weir_device *d, unsigned index, const char *what, const weir_exec *x,
                             weir_errinfo *ei)
{
    memset(d, 0, sizeof *d);
    weir_errinfo why = {0};
    unsigned n = weir_gpu_count(&why);
    if (n == 0 && !why.text[0])
        return weir_fail(ei, WEIR_E_DEVICE, "there is no GPU on this machine");
    if (n == 0) return weir_fail(ei, WEIR_E_DEVICE, "no GPU can be used here: %s", why.text);
    if (index >= n)
        return weir_fail(ei, WEIR_E_USAGE, "%s gpu:%u: there %s %u GPU%s, numbered from 0", what,
                         index, n == 1 ? "is" : "are", n, n == 1 ? "" : "s");
    WEIR_TRY(weir_gpu_open(&d->_driver, index, ei));
    weir_gpu_backend_init(&d->_gpu, d->_driver);
    d->index = index;
    d->backend = &d->_gpu;
    snprintf(d->name, sizeof d->name, "GPU %s", d->_driver->name);
    return weir_backend_known_answer(&d->_gpu, x, ei);
}

weir_err weir_device_keys_open(weir_device_keys *out, const weir_device *d, uint64_t points,
                               const weir_exec *x, weir_errinfo *ei)
{
    *out = (weir_device_keys){.has_multiplier = d->_driver != NULL};
    weir_point_check_cpu(&out->check, x);
    if (!d->_driver) return WEIR_OK;
    WEIR_TRY(weir_gpu_key_work_new(&out->_work, d->_driver, points, x, ei));
    out->check = weir_gpu_point_check(out->_work);
    out->multiplier = weir_gpu_key_multiplier(out->_work);
    return WEIR_OK;
}

void weir_device_keys_close(weir_device_keys *k)
{
    weir_gpu_key_work_free(k->_work);
    *k = (weir_device_keys){.has_multiplier = false};
}

bool weir_device_energy_mj(uint64_t *mj, const weir_device *d)
{
    return d->_driver && weir_gpu_energy_mj(mj, d->index);
}

void weir_device_close(weir_device *d)
{
    weir_gpu_close(d->_driver);
    d->_driver = NULL;
}

#else

unsigned weir_device_gpus(weir_errinfo *ei)
{
    (void)ei;
    return 0;
}

weir_err weir_device_use_gpu(weir_device *d, unsigned index, const char *what, const weir_exec *x,
                             weir_errinfo *ei)
{
    (void)index;
    (void)x;
    memset(d, 0, sizeof *d);
    return weir_fail(ei, WEIR_E_UNSUPPORTED,
                     "this weir was built without CUDA; build it where nvcc is (docs/gpu.md), or "
                     "take %s cpu",
                     what);
}

weir_err weir_device_keys_open(weir_device_keys *out, const weir_device *d, uint64_t points,
                               const weir_exec *x, weir_errinfo *ei)
{
    (void)d, (void)points, (void)ei;
    *out = (weir_device_keys){.has_multiplier = false};
    weir_point_check_cpu(&out->check, x);
    return WEIR_OK;
}

void weir_device_keys_close(weir_device_keys *k)
{
    (void)k;
}

bool weir_device_energy_mj(uint64_t *mj, const weir_device *d)
{
    (void)mj;
    (void)d;
    return false;
}

void weir_device_close(weir_device *d)
{
    (void)d;
}

#endif
