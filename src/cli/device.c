#include "cli/device.h"

#include "cli/memory.h"
#include "cli/values.h"
#include "compute/known_answer.h"

#include <inttypes.h>
#include <string.h>

#if WEIR_HAVE_CUDA
#include "gpu/gpu_backend.h"
#include "gpu/gpu_cuda.h"
#endif

typedef enum choice { CHOICE_AUTO, CHOICE_CPU, CHOICE_GPU } choice;

static weir_err read_choice(choice *out, unsigned *index, const char *text, weir_errinfo *ei)
{
    uint64_t n = 0;
    *out = CHOICE_AUTO;
    *index = 0;
    if (!text || strcmp(text, "auto") == 0) return WEIR_OK;
    *out = strcmp(text, "cpu") == 0 ? CHOICE_CPU : CHOICE_GPU;
    if (strcmp(text, "cpu") == 0 || strcmp(text, "gpu") == 0) return WEIR_OK;
    if (strncmp(text, "gpu:", 4) != 0)
        return weir_fail(ei, WEIR_E_USAGE,
                         "--device: there is no '%s'; take auto, cpu, gpu or gpu:N", text);
    WEIR_TRY(weir_value_u64(&n, "device gpu", text + 4, 0, 255, ei));
    *index = (unsigned)n;
    return WEIR_OK;
}

static void use_cpu(weir_device *d)
{
    d->backend = weir_cpu_backend();
    d->budget_bytes = UINT64_MAX;
    snprintf(d->name, sizeof d->name, "CPU");
}

/* ---- a GPU */

#if WEIR_HAVE_CUDA

/* rel NULL: for no circuit in particular. */
static weir_err open_gpu(weir_device *d, weir_cli *cli, unsigned index, const weir_relation *rel)
{
    weir_errinfo *ei = &cli->ei;
    unsigned n = weir_gpu_count(ei);
    if (n == 0 && !ei->text[0])
        return weir_fail(ei, WEIR_E_DEVICE, "there is no GPU on this machine");
    if (n == 0) weir_errinfo_prefix(ei, "no GPU can be used here: ");
    if (n == 0) return WEIR_E_DEVICE;
    if (index >= n)
        return weir_fail(ei, WEIR_E_USAGE, "--device gpu:%u: there %s %u GPU%s, numbered from 0",
                         index, n == 1 ? "is" : "are", n, n == 1 ? "" : "s");
    WEIR_TRY(weir_gpu_open(&d->_driver, index, ei));
    weir_gpu_backend_init(&d->_gpu, d->_driver);
    d->backend = &d->_gpu;
    snprintf(d->name, sizeof d->name, "GPU %s", d->_driver->name);
    WEIR_TRY(weir_backend_known_answer(&d->_gpu, &cli->exec, ei));
    if (!rel) return WEIR_OK;
    return d->_gpu.bytes(&d->_gpu, &d->need, rel, WEIR_TERMS_ALL, d->budget_bytes, &cli->exec, ei);
}

static weir_err tell_facts(weir_cli *cli, unsigned index)
{
    weir_gpu_facts f;
    char memory[24];
    WEIR_TRY(weir_gpu_describe(&f, index, &cli->ei));
    weir_bytes_print(memory, f.memory_bytes);
    weir_cli_say(
        cli, "%s, %u multiprocessors, %.2f GHz at most, %s, driver for CUDA %u.%u, runtime %u.%u",
        f.name, f.multiprocessors, f.clock_mhz / 1e3, memory, f.driver_version / 1000,
        f.driver_version % 1000 / 10, f.runtime_version / 1000, f.runtime_version % 1000 / 10);
    if (!cli->want_json) return WEIR_OK;
    weir_json_out_string(&cli->json, "gpu", f.name);
    weir_json_out_u64(&cli->json, "multiprocessors", f.multiprocessors);
    weir_json_out_u64(&cli->json, "clock_mhz", f.clock_mhz);
    weir_json_out_u64(&cli->json, "memory_bytes", f.memory_bytes);
    weir_json_out_u64(&cli->json, "cuda_driver", f.driver_version);
    weir_json_out_u64(&cli->json, "cuda_runtime", f.runtime_version);
    return WEIR_OK;
}

static void close_gpu(weir_device *d)
{
    weir_gpu_close(d->_driver);
    d->_driver = NULL;
}

#else

static weir_err open_gpu(weir_device *d, weir_cli *cli, unsigned index, const weir_relation *rel)
{
    (void)d;
    (void)index;
    (void)rel;
    return weir_fail(&cli->ei, WEIR_E_UNSUPPORTED,
                     "this weir was built without CUDA; build it where nvcc is (docs/gpu.md), or "
                     "take --device cpu");
}

static weir_err tell_facts(weir_cli *cli, unsigned index)
{
    (void)cli;
    (void)index;
    return WEIR_OK;
}

static void close_gpu(weir_device *d)
{
    (void)d;
}

#endif

/* With auto a machine without a GPU is as good as any: nothing is said of it. */
static weir_err open_auto(weir_device *d, weir_cli *cli, const weir_relation *rel)
{
#if WEIR_HAVE_CUDA
    weir_errinfo none = {0};
    if (weir_gpu_count(&none) > 0) {
        weir_err err = open_gpu(d, cli, 0, rel);
        if (err == WEIR_OK)
            err = weir_memory_fits(d->need.host_bytes, "a proof on the GPU", &cli->ei);
        if (err == WEIR_OK) return WEIR_OK;
        close_gpu(d);
        weir_cli_note(cli, "The CPU is used. %s", cli->ei.text);
        cli->ei.text[0] = '\0';
    }
#endif
    use_cpu(d);
    return d->backend->bytes(d->backend, &d->need, rel, WEIR_TERMS_ALL, UINT64_MAX, &cli->exec,
                             &cli->ei);
}

weir_err weir_device_open(weir_device *d, weir_cli *cli, const weir_relation *rel)
{
    const char *budget = weir_args_get(&cli->args, "budget-device");
    choice what;
    unsigned index;
    memset(d, 0, sizeof *d);
    d->budget_bytes = UINT64_MAX;
    WEIR_TRY(read_choice(&what, &index, weir_args_get(&cli->args, "device"), &cli->ei));
    if (budget) WEIR_TRY(weir_value_bytes(&d->budget_bytes, "budget-device", budget, &cli->ei));
    if (budget && what == CHOICE_CPU)
        return weir_fail(&cli->ei, WEIR_E_USAGE, "--budget-device is for a GPU, not for the CPU");
    if (!rel) return WEIR_OK;
    if (what == CHOICE_AUTO) return open_auto(d, cli, rel);
    if (what == CHOICE_GPU) return open_gpu(d, cli, index, rel);
    use_cpu(d);
    return d->backend->bytes(d->backend, &d->need, rel, WEIR_TERMS_ALL, UINT64_MAX, &cli->exec,
                             &cli->ei);
}

weir_err weir_device_open_gpu(weir_device *d, weir_cli *cli)
{
    const char *text = weir_args_get(&cli->args, "device");
    choice what;
    unsigned index;
    WEIR_TRY(weir_device_open(d, cli, NULL));
    WEIR_TRY(read_choice(&what, &index, text, &cli->ei));
    if (text && what != CHOICE_GPU)
        return weir_fail(&cli->ei, WEIR_E_USAGE, "--device: this is for a GPU; take gpu or gpu:N");
    WEIR_TRY(open_gpu(d, cli, index, NULL));
    return tell_facts(cli, index);
}

void weir_device_close(weir_device *d)
{
    close_gpu(d);
}

void weir_device_print(char *out, size_t size, const weir_device *d)
{
    char device[24], pinned[24], host[24];
    weir_bytes_print(device, d->need.device_bytes);
    weir_bytes_print(pinned, d->need.pinned_bytes);
    weir_bytes_print(host, d->need.host_bytes);
    if (d->backend == weir_cpu_backend())
        snprintf(out, size, "%s: %s of memory for a proof", d->name, host);
    else
        snprintf(out, size, "%s, key %s: %s of its memory, %s of pinned host memory", d->name,
                 d->need.plan, device, pinned);
}
