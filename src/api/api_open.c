/* Opening and closing of an engine. */
#include "api/api_state.h"
#include "base/alloc.h"
#include "compute/known_answer.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    MAX_GPUS = WEIR_ENGINE_MAX_DEVICES - 1, /* the CPU is one more */
    DEFAULT_SPANS = 1 << 15,
    MAX_SPANS = 1 << 24,
    GPU_THREADS = 4, /* pack a witness, add up windows: more do not make it faster */
    AHEAD = 2,       /* of a GPU: one that runs and one that is ready keep it busy */
    STRIKES = 3,
    ATTEMPTS = 2
};
static const uint64_t age_ns = 60 * UINT64_C(1000000000);

/* ---- devices */

static void add_cpu(libweir_engine *e)
{
    weir_device_use_cpu(&e->device[e->devices]);
    e->cpu = (uint32_t)1 << e->devices;
    if (e->devices > 0) e->aside = e->cpu;
    e->devices++;
}

/* Closed again after an error. */
static weir_err add_gpu(libweir_engine *e, unsigned index, weir_errinfo *ei)
{
    weir_device *d = &e->device[e->devices];
    weir_err err = weir_device_use_gpu(d, index, "device", &e->x, ei);
    if (err == WEIR_OK)
        e->devices++;
    else
        weir_device_close(d);
    return err;
}

/* strict: one that fails is an error; else it is left out, and told. */
static weir_err add_gpus(libweir_engine *e, bool strict, weir_errinfo *ei)
{
    weir_errinfo none = {0};
    unsigned n = weir_device_gpus(&none);
    if (n == 0 && strict) return add_gpu(e, 0, ei); /* it says why */
    if (n > MAX_GPUS) n = MAX_GPUS;
    for (unsigned i = 0; i < n; i++) {
        weir_err err = add_gpu(e, i, ei);
        if (err != WEIR_OK && strict) return err;
        if (err != WEIR_OK) api_log(e, LIBWEIR_LOG_WARNING, "GPU %u is not used: %s", i, ei->text);
    }
    return WEIR_OK;
}

static weir_err open_devices(libweir_engine *e, const libweir_options *o, weir_errinfo *ei)
{
    weir_device_choice what;
    unsigned index;
    WEIR_TRY(weir_device_choose(&what, &index, "device", o->device, ei));
    if (what == WEIR_DEVICE_CPU && o->device_bytes > 0)
        return weir_fail(ei, WEIR_E_USAGE, "device_bytes is for GPUs, not for the CPU");
    if (what == WEIR_DEVICE_GPU_N) WEIR_TRY(add_gpu(e, index, ei));
    if (what == WEIR_DEVICE_GPU) WEIR_TRY(add_gpus(e, true, ei));
    if (what == WEIR_DEVICE_AUTO) WEIR_TRY(add_gpus(e, false, ei));
    add_cpu(e);
    return WEIR_OK;
}

/* On the device's thread, after it erred. */
static weir_err check_device(void *ctx, uint32_t device, const weir_exec *x, weir_errinfo *ei)
{
    const libweir_engine *e = ctx;
    return weir_backend_known_answer(e->backend[device], x, ei);
}

/* ---- the rest */

static weir_err check_numbers(const libweir_options *o, weir_errinfo *ei)
{
    if (o->fill_threads > WEIR_POOL_MAX_THREADS || o->device_threads > WEIR_POOL_MAX_THREADS)
        return weir_fail(ei, WEIR_E_USAGE,
                         "fill_threads %u, device_threads %u: %u at most, or 0 for as many as suit "
                         "the machine",
                         o->fill_threads, o->device_threads, WEIR_POOL_MAX_THREADS);
    if (o->trace_spans > MAX_SPANS)
        return weir_fail(ei, WEIR_E_USAGE, "trace_spans %u: %d at most, or 0 for %d",
                         o->trace_spans, MAX_SPANS, DEFAULT_SPANS);
    return WEIR_OK;
}

static weir_err open_memory(libweir_engine *e, const libweir_options *o, uint32_t pus,
                            weir_errinfo *ei)
{
    e->device_bytes = o->device_bytes ? o->device_bytes : UINT64_MAX;
    e->limit.host = o->memory_bytes ? o->memory_bytes : weir_budget_auto("/");
    e->limit.pinned = UINT64_MAX; /* they count as host bytes too */
    for (uint32_t d = 0; d < e->devices; d++) e->limit.device[d] = e->device_bytes;
    WEIR_TRY(weir_gate_new(&e->gate, pus, true, ei));
    e->x.gate = e->gate;
    return weir_trace_new(&e->trace, o->trace_spans ? o->trace_spans : DEFAULT_SPANS, ei);
}

static weir_err open_engine(libweir_engine *e, const libweir_options *o, const weir_topology *t,
                            weir_errinfo *ei)
{
    uint32_t sums = weir_topology_default_msm_threads(t);
    uint32_t few = sums < GPU_THREADS ? sums : GPU_THREADS;
    weir_engine_config c = {.devices = e->devices,
                            .fill_workers = 1,
                            .ahead = e->aside ? AHEAD : 0,
                            .strikes = STRIKES,
                            .attempts = ATTEMPTS,
                            .age_ns = age_ns,
                            .limit = e->limit,
                            .fill_threads = o->fill_threads,
                            .device_threads = o->device_threads,
                            .exec = e->x,
                            .trace = e->trace,
                            .topology = t,
                            .cpu_devices = e->cpu,
                            .aside = e->aside,
                            .check = check_device,
                            .check_ctx = e,
                            .changed = api_on_change,
                            .changed_ctx = e};
    if (c.fill_threads == 0) c.fill_threads = weir_topology_default_fill_threads(t);
    if (c.device_threads == 0) c.device_threads = e->aside ? few : sums;
    e->load_threads = sums;
    return weir_engine_new(&e->engine, &c, ei);
}

/* What keys may take of each GPU. */
static weir_err open_cache(libweir_engine *e, weir_errinfo *ei)
{
    e->key_bytes = (weir_bytes){.host = UINT64_MAX, .pinned = UINT64_MAX};
    for (uint32_t d = 0; d < e->devices; d++) {
        e->key_bytes.device[d] = e->cpu >> d & 1 ? UINT64_MAX : e->device_bytes;
        WEIR_TRY(weir_backend_clip(e->backend[d], &e->key_bytes.device[d], ei));
    }
    return weir_key_cache_new(&e->cache, &e->key_bytes, ei);
}

static weir_err open_parts(libweir_engine *e, const libweir_options *o, weir_errinfo *ei)
{
    weir_topology *t = NULL;
    weir_err err;
    for (uint32_t d = 0; d < e->devices; d++) {
        e->backend[d] = e->device[d].backend;
        if (e->cpu >> d & 1) continue; /* any number of threads may use it */
        weir_turns_init(&e->turns[d], e->device[d].backend);
        e->backend[d] = &e->turns[d].table;
    }
    WEIR_TRY(weir_topology_new(&t, ei));
    if (t->why.code != WEIR_OK)
        api_log(e, LIBWEIR_LOG_NOTE, "threads are not placed: %s", t->why.text);
    WEIR_TRY_GOTO(open_memory(e, o, t->pus, ei));
    WEIR_TRY_GOTO(open_cache(e, ei));
    WEIR_TRY_GOTO(open_engine(e, o, t, ei));
out:
    weir_topology_free(t);
    return err;
}

libweir_code api_open_on(libweir_engine *e, const libweir_options *options, libweir_error *error)
{
    weir_errinfo ei = {0};
    e->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
    if (e->event_fd < 0)
        return api_fail(error, LIBWEIR_E_IO, "no descriptor for events: %s", strerror(errno));
    return api_pass(error, open_parts(e, options, &ei), &ei);
}

libweir_engine *api_blank(const libweir_options *o)
{
    libweir_engine *e = weir_calloc(1, sizeof *e);
    if (!e) return NULL;
    pthread_mutex_init(&e->lock, NULL);
    pthread_mutex_init(&e->events, NULL);
    e->event_fd = -1;
    e->next_key = 1;
    e->x.isa = weir_isa_best();
    e->log = o->log;
    e->log_ctx = o->log_ctx;
    return e;
}

libweir_code libweir_open(libweir_engine **out, const libweir_options *options,
                          libweir_error *error)
{
    libweir_options o;
    weir_errinfo ei = {0};
    *out = NULL;
    libweir_code code = api_read_struct(&o, sizeof o, options, "libweir_options", error);
    if (code == LIBWEIR_OK) code = api_pass(error, check_numbers(&o, &ei), &ei);
    if (code != LIBWEIR_OK) return code;
    libweir_engine *e = api_blank(&o);
    if (!e) return api_fail(error, LIBWEIR_E_NOMEM, "no memory for an engine");
    code = api_pass(error, open_devices(e, &o, &ei), &ei);
    if (code == LIBWEIR_OK) code = api_open_on(e, &o, error);
    if (code == LIBWEIR_OK)
        *out = e;
    else
        libweir_close(e);
    return code;
}

/* Cancelled all at once, then waited for. */
static void end_jobs(libweir_engine *e)
{
    weir_job_report r;
    for (api_job *j = e->jobs; j; j = j->next) weir_engine_cancel(e->engine, j->id);
    while (e->jobs) {
        api_job *j = e->jobs;
        (void)weir_engine_wait(e->engine, j->id, UINT64_MAX, &r);
        weir_engine_forget(e->engine, j->id);
        e->jobs = j->next;
        api_event_drop(j);
        api_job_unuse(j);
    }
}

void libweir_close(libweir_engine *e)
{
    if (!e) return;
    end_jobs(e);
    while (e->keys) {
        api_key *k = e->keys;
        e->keys = k->next;
        api_key_free(e, k);
    }
    weir_engine_free(e->engine);
    weir_key_cache_free(e->cache);
    weir_gate_free(e->gate);
    weir_trace_free(e->trace);
    for (uint32_t d = 0; d < e->devices; d++) {
        weir_turns_clear(&e->turns[d]);
        weir_device_close(&e->device[d]);
    }
    if (e->event_fd >= 0) close(e->event_fd);
    pthread_mutex_destroy(&e->events);
    pthread_mutex_destroy(&e->lock);
    weir_free(e);
}
