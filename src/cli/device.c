#include "cli/device.h"

#include "cli/memory.h"
#include "cli/values.h"

#include <inttypes.h>
#include <string.h>

#if WEIR_HAVE_CUDA
#include "gpu/gpu_cuda.h"
#endif

static const char option[] = "--device";

static weir_err use_cpu(weir_cli_device *d, weir_cli *cli, const weir_relation *rel)
{
    const weir_backend *b = weir_cpu_backend();
    weir_device_use_cpu(&d->open);
    d->budget_bytes = UINT64_MAX; /* the option's is of a GPU */
    return b->bytes(b, &d->need, rel, WEIR_TERMS_ALL, UINT64_MAX, &cli->exec, &cli->ei);
}

/* rel NULL: for no circuit in particular. */
static weir_err use_gpu(weir_cli_device *d, weir_cli *cli, unsigned index, const weir_relation *rel)
{
    WEIR_TRY(weir_device_use_gpu(&d->open, index, option, &cli->exec, &cli->ei));
    const weir_backend *b = d->open.backend;
    WEIR_TRY(weir_backend_clip(b, &d->budget_bytes, &cli->ei));
    return rel ? b->bytes(b, &d->need, rel, WEIR_TERMS_ALL, d->budget_bytes, &cli->exec, &cli->ei)
               : WEIR_OK;
}

/* With auto a machine without a GPU is as good as any: nothing is said of it. */
static weir_err use_best(weir_cli_device *d, weir_cli *cli, const weir_relation *rel)
{
    weir_errinfo none = {0};
    if (weir_device_gpus(&none) > 0) {
        weir_err err = use_gpu(d, cli, 0, rel);
        if (err == WEIR_OK)
            err = weir_memory_fits(d->need.host_bytes, "a proof on the GPU", &cli->ei);
        if (err == WEIR_OK) return WEIR_OK;
        weir_device_close(&d->open);
        weir_cli_note(cli, "The CPU is used. %s", cli->ei.text);
        cli->ei.text[0] = '\0';
    }
    return use_cpu(d, cli, rel);
}

static weir_err read_options(weir_cli_device *d, weir_device_choice *what, unsigned *index,
                             weir_cli *cli)
{
    const char *budget = weir_args_get(&cli->args, "budget-device");
    memset(d, 0, sizeof *d);
    d->budget_bytes = UINT64_MAX;
    WEIR_TRY(
        weir_device_choose(what, index, option, weir_args_get(&cli->args, "device"), &cli->ei));
    if (budget) WEIR_TRY(weir_value_bytes(&d->budget_bytes, "budget-device", budget, &cli->ei));
    if (budget && *what == WEIR_DEVICE_CPU)
        return weir_fail(&cli->ei, WEIR_E_USAGE, "--budget-device is for a GPU, not for the CPU");
    return WEIR_OK;
}

weir_err weir_cli_device_open(weir_cli_device *d, weir_cli *cli, const weir_relation *rel)
{
    weir_device_choice what;
    unsigned index;
    WEIR_TRY(read_options(d, &what, &index, cli));
    if (!rel) return WEIR_OK;
    if (what == WEIR_DEVICE_AUTO) return use_best(d, cli, rel);
    if (what == WEIR_DEVICE_CPU) return use_cpu(d, cli, rel);
    return use_gpu(d, cli, index, rel);
}

/* ---- for keys */

static weir_err open_keys_on(weir_cli_device *d, weir_device_keys *keys, weir_cli *cli,
                             unsigned index, uint64_t points)
{
    WEIR_TRY(use_gpu(d, cli, index, NULL));
    return weir_device_keys_open(keys, &d->open, points, &cli->exec, &cli->ei);
}

weir_err weir_cli_device_open_keys(weir_cli_device *d, weir_device_keys *keys, weir_cli *cli,
                                   uint64_t points)
{
    weir_device_choice what;
    weir_errinfo none = {0};
    unsigned index;
    *keys = (weir_device_keys){.has_multiplier = false};
    WEIR_TRY(read_options(d, &what, &index, cli));
    if (what == WEIR_DEVICE_GPU || what == WEIR_DEVICE_GPU_N)
        return open_keys_on(d, keys, cli, index, points);
    if (what == WEIR_DEVICE_AUTO && weir_device_gpus(&none) > 0) {
        if (open_keys_on(d, keys, cli, 0, points) == WEIR_OK) return WEIR_OK;
        weir_device_keys_close(keys);
        weir_device_close(&d->open);
        weir_cli_note(cli, "The CPU is used. %s", cli->ei.text);
        cli->ei.text[0] = '\0';
    }
    weir_device_use_cpu(&d->open);
    return weir_device_keys_open(keys, &d->open, points, &cli->exec, &cli->ei);
}

/* ---- for benches */

#if WEIR_HAVE_CUDA

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

#else

static weir_err tell_facts(weir_cli *cli, unsigned index)
{
    (void)cli;
    (void)index;
    return WEIR_OK;
}

#endif

weir_err weir_cli_device_open_gpu(weir_cli_device *d, weir_cli *cli)
{
    weir_device_choice what;
    unsigned index;
    WEIR_TRY(read_options(d, &what, &index, cli));
    if (weir_args_has(&cli->args, "device") && what != WEIR_DEVICE_GPU && what != WEIR_DEVICE_GPU_N)
        return weir_fail(&cli->ei, WEIR_E_USAGE, "--device: this is for a GPU; take gpu or gpu:N");
    WEIR_TRY(use_gpu(d, cli, index, NULL));
    return tell_facts(cli, index);
}

void weir_cli_device_close(weir_cli_device *d)
{
    weir_device_close(&d->open);
}

void weir_cli_device_print(char *out, size_t size, const weir_cli_device *d)
{
    char device[24], pinned[24], host[24];
    weir_bytes_print(device, d->need.device_bytes);
    weir_bytes_print(pinned, d->need.pinned_bytes);
    weir_bytes_print(host, d->need.host_bytes);
    if (d->open.backend == weir_cpu_backend())
        snprintf(out, size, "%s: %s of memory for a proof", d->open.name, host);
    else
        snprintf(out, size, "%s, key %s: %s of its memory, %s of pinned host memory", d->open.name,
                 d->need.plan, device, pinned);
}
