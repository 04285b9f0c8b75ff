/* What the files behind weir/weir.h share. Private to them and their tests.
 *
 * Locks, in this order: `lock` of the engine here (lists of keys and jobs), the engine's own, `events`. The last is all that
 * on_change may take, which runs under the engine's. */
#ifndef WEIR_API_API_STATE_H
#define WEIR_API_API_STATE_H

#include "api/device_open.h"
#include "api/device_turns.h"
#include "api/key_file.h"
#include "base/topology.h"
#include "circuit/porep_circuit.h"
#include "engine/engine.h"
#include "engine/porep_source.h"
#include "engine/proof_job.h"
#include "weir/weir.h"

#include <pthread.h>
#include <stdbool.h>

typedef struct api_key api_key;
typedef struct api_job api_job;

/* What a key is made of, and stays until it is freed. */
typedef struct api_key_parts {
    const weir_relation *rel;
    const weir_pkey *pkey;
    const weir_pvk *pvk;
    const weir_porep_shape *shape;
    const weir_porep_filler *filler;
} api_key_parts;

/* The same opened from files; owns all of it. */
typedef struct api_key_files {
    weir_key_file file;
    weir_pvk *pvk;
    weir_relation *rel;
    weir_porep_filler *filler;
    const weir_porep_shape *shape;
} api_key_files;

struct api_key {
    api_key *next;
    uint64_t id;
    api_key_parts parts;
    api_key_files files; /* zero: the parts are somebody else's */
    weir_bytes lasting;  /* reserved for the parts */
    weir_proof_kind *kind;
    uint32_t running; /* jobs that have not ended; guarded by events */
};

struct api_job {
    api_job *next;
    uint64_t id;
    libweir_engine *api;
    api_key *key; /* until it has ended */
    weir_proof_job *proof;
    weir_porep_source *source; /* NULL: a test's */
    void *copy;                /* of the input, until it is read */
    weir_bytes copy_bytes;
    uint32_t users; /* calls that look at it, and the list; guarded by lock */
    /* guarded by events */
    bool ended, waits; /* waits: to be fetched as an event */
    api_job *next_event;
};

struct libweir_engine {
    weir_engine *engine;
    weir_trace *trace;
    weir_gate *gate;
    weir_exec x;           /* of what is done on a caller's thread; no pool, fresh memory */
    uint32_t load_threads; /* of a pool for loading a key */
    uint64_t device_bytes; /* of each GPU; UINT64_MAX: what is free */
    weir_key_cache *cache; /* of keys on GPUs */
    weir_bytes
        key_bytes; /* its limit: of a GPU, what was free when the engine was opened, or device_bytes */
    weir_device device[WEIR_ENGINE_MAX_DEVICES];
    weir_turns turns[WEIR_ENGINE_MAX_DEVICES]; /* of GPUs */
    const weir_backend *backend[WEIR_ENGINE_MAX_DEVICES];
    uint32_t devices, cpu, aside; /* cpu, aside: bit d */
    weir_bytes limit;
    void (*log)(void *ctx, libweir_log_level level, const char *text);
    void *log_ctx;
    pthread_mutex_t lock, events;
    api_key *keys;
    uint64_t next_key;
    api_job *jobs;
    int event_fd;
    api_job *first_event, *last_event;
};

/* ---- api.c: errors, structs of other versions */

libweir_code api_ok(libweir_error *error);
libweir_code api_fail(libweir_error *error, libweir_code code, const char *fmt, ...)
    WEIR_PRINTF(3, 4);
/* An outcome of the layers below. */
libweir_code api_pass(libweir_error *error, weir_err err, const weir_errinfo *ei);

/* The caller's struct, which begins with its size, as this library knows it: what the caller does not have is zero. from NULL: all
 * zero. Errors: LIBWEIR_E_USAGE (it was not set up), LIBWEIR_E_UNSUPPORTED (it uses what only a newer library knows). */
libweir_code api_read_struct(void *to, size_t known, const void *from, const char *what,
                             libweir_error *error) WEIR_MUST_USE;
/* The other way: as much as the caller's has room for. Errors: LIBWEIR_E_USAGE. */
libweir_code api_write_struct(void *to, const void *from, size_t known, const char *what,
                              libweir_error *error) WEIR_MUST_USE;
void api_log(const libweir_engine *e, libweir_log_level level, const char *fmt, ...)
    WEIR_PRINTF(3, 4);
/* Seconds as nanoseconds: below 0 and NaN are UINT64_MAX, as is what is too long. */
uint64_t api_ns(double seconds);

/* ---- api_open.c */

/* An engine without devices, so that api_open_on and libweir_close can do the rest; NULL: no memory. */
libweir_engine *api_blank(const libweir_options *options);
/* The rest of libweir_open, once the devices are there: `e->device` and `e->devices`. options: as read by api_read_struct. */
libweir_code api_open_on(libweir_engine *e, const libweir_options *options, libweir_error *error);

/* ---- api_key.c */

/* A key of parts that outlive it, or of files, which become the key's own also after an error; the other is NULL. */
libweir_code api_key_add(libweir_engine *e, libweir_key *out, const api_key_parts *parts,
                         api_key_files *files, libweir_error *error);
void api_key_free(libweir_engine *e, api_key *k);

/* ---- api_submit.c */

/* A job of any source, for tests; its input is the source's. */
libweir_code api_submit(libweir_engine *e, libweir_job *out, libweir_key key,
                        const weir_proof_source *source, const libweir_job_options *options,
                        libweir_error *error);
void api_job_drop_copy(api_job *j);

/* ---- api_job.c */

/* In: it has ended, or was never started. */
void api_job_free(api_job *j);
/* The last user frees it, which comes after its end. */
void api_job_unuse(api_job *j);

/* ---- api_event.c */

/* weir_engine_config.changed. */
void api_on_change(void *ctx, void *job, const weir_job_report *report);
/* It is not fetched any more. */
void api_event_drop(api_job *j);
bool api_job_ended(api_job *j);

#endif
