/* Counters, memory, the trace. */
#include "api/api_state.h"
#include "engine/trace_file.h"

#include <stdio.h>

uint32_t libweir_devices(const libweir_engine *e)
{
    return e->devices;
}

libweir_code libweir_device(libweir_engine *e, libweir_device_report *out, uint32_t device,
                            libweir_error *error)
{
    weir_device_report r;
    weir_bytes now, most;
    if (device >= e->devices)
        return api_fail(error, LIBWEIR_E_USAGE, "device %u: there are %u, numbered from 0", device,
                        e->devices);
    weir_engine_device(e->engine, device, &r);
    weir_budget_used(weir_engine_budget(e->engine), &now, &most);
    libweir_device_report full = {.in_service = r.in_service,
                                  .aside = e->aside >> device & 1,
                                  .runs = r.runs,
                                  .failures = r.failures,
                                  .bad_proofs = r.bad_proofs,
                                  .pauses = r.pauses,
                                  .used_bytes = now.device[device],
                                  .most_bytes = most.device[device]};
    snprintf(full.name, sizeof full.name, "%s", e->device[device].name);
    libweir_code code = api_write_struct(out, &full, sizeof full, "libweir_device_report", error);
    return code == LIBWEIR_OK ? api_ok(error) : code;
}

libweir_code libweir_memory(libweir_engine *e, libweir_memory_report *out, libweir_error *error)
{
    weir_bytes now, most;
    weir_slabs_stats slabs;
    weir_budget_used(weir_engine_budget(e->engine), &now, &most);
    weir_engine_slabs(e->engine, &slabs);
    const libweir_memory_report full = {.limit_bytes = e->limit.host,
                                        .used_bytes = now.host,
                                        .most_bytes = most.host,
                                        .pinned_bytes = now.pinned,
                                        .most_pinned_bytes = most.pinned,
                                        .mapped_bytes = slabs.mapped};
    libweir_code code = api_write_struct(out, &full, sizeof full, "libweir_memory_report", error);
    return code == LIBWEIR_OK ? api_ok(error) : code;
}

libweir_code libweir_trace_save(libweir_engine *e, const char *path, libweir_error *error)
{
    weir_spans spans;
    weir_errinfo ei = {0};
    if (!path || !path[0]) return api_fail(error, LIBWEIR_E_USAGE, "path: it is missing");
    weir_err err = weir_trace_read(&spans, e->trace, &ei);
    if (err != WEIR_OK) return api_pass(error, err, &ei);
    err = weir_spans_save(&spans, path, &ei);
    weir_spans_clear(&spans);
    return api_pass(error, err, &ei);
}
