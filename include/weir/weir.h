/* libweir: Groth16 proofs for Filecoin.
 *
 * An engine has the machine's devices, the memory it may use, proving keys, and jobs, many at once. A job takes the output of
 * Commit Phase 1 and gives PoRep proofs (C2), each verified before it comes out:
 *
 *     libweir_open ─► libweir_key_load ─► libweir_submit_porep ─► libweir_wait ─► libweir_proof ─► libweir_forget
 *
 * Functions return a libweir_code; what went wrong, in words, goes to the libweir_error that comes last, which may be NULL. Arguments
 * stand in the order engine, results, input. After an error a result that is a number or a pointer is 0 or NULL.
 * Structs whose first member is `size` are set up by their init function (docs/api.md: the ABI).
 *
 * Threads: any thread may call any function at any time, but for libweir_close: when it is called no other call on that engine is
 * in progress, and none comes after. The library starts threads of its own and calls back into none of the caller's, but for `log`.
 * It installs no signal handler, reads no environment variable (hwloc below it does), and never ends the process.
 *
 * Times are seconds, sizes bytes. Texts are UTF-8 without a final newline. C11 and C++.
 */
#ifndef WEIR_WEIR_H
#define WEIR_WEIR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LIBWEIR_API      __attribute__((visibility("default")))
#define LIBWEIR_MUST_USE __attribute__((warn_unused_result))

/* ---- version: of this header, and of the library that runs */

#define LIBWEIR_VERSION_MAJOR 0
#define LIBWEIR_VERSION_MINOR 1
#define LIBWEIR_VERSION_PATCH 0
#define LIBWEIR_VERSION                                                                            \
    (LIBWEIR_VERSION_MAJOR * 1000000 + LIBWEIR_VERSION_MINOR * 1000 + LIBWEIR_VERSION_PATCH)

LIBWEIR_API uint32_t libweir_version(void);
/* "0.1.0" */
LIBWEIR_API const char *libweir_version_text(void);

/* ---- errors */

typedef enum libweir_code {
    LIBWEIR_OK = 0,
    LIBWEIR_E_USAGE = -1,       /* the caller's mistake */
    LIBWEIR_E_UNSUPPORTED = -2, /* not in this library, or not in this build of it */
    LIBWEIR_E_BUSY = -3,        /* something is in use, or not over yet */
    LIBWEIR_E_TIMEOUT = -4,
    LIBWEIR_E_TRUNCATED = -10, /* from here on: data are bad */
    LIBWEIR_E_FORMAT = -11,
    LIBWEIR_E_RANGE = -12,
    LIBWEIR_E_ENCODING = -13,
    LIBWEIR_E_NOT_ON_CURVE = -14,
    LIBWEIR_E_NOT_IN_SUBGROUP = -15,
    LIBWEIR_E_INFINITY = -16,
    LIBWEIR_E_MISMATCH = -17,    /* two things do not belong together */
    LIBWEIR_E_UNSATISFIED = -18, /* no proof can come of this input */
    LIBWEIR_E_NOMEM = -30,       /* of the machine, a device, or what the engine may use */
    LIBWEIR_E_DEVICE = -40,
    LIBWEIR_E_IO = -50,
    LIBWEIR_E_CANCELLED = -60,
    LIBWEIR_E_BAD_PROOF =
        -70, /* every device's proof is wrong: the key is damaged, or the machine is */
    LIBWEIR_E_INTERNAL = -71
} libweir_code;

/* "LIBWEIR_E_USAGE"; "LIBWEIR_E_UNKNOWN" for what is none. */
LIBWEIR_API const char *libweir_error_name(libweir_code code);

/* Its size is fixed. Need not be initialised: code is LIBWEIR_OK and text empty after a call that went well. */
typedef struct libweir_error {
    libweir_code code;
    char text[1020]; /* one sentence: what, where, what to do */
} libweir_error;

/* ---- the engine */

typedef struct libweir_engine libweir_engine;

typedef enum libweir_log_level { LIBWEIR_LOG_NOTE, LIBWEIR_LOG_WARNING } libweir_log_level;

/* All zero but size: everything is chosen by the library. */
typedef struct libweir_options {
    size_t size;
    /* Kept only during the call. NULL or "auto": every GPU that passes its known-answer test, else the CPU. "gpu": every GPU, and an
     * error if there is none or one fails. "gpu:N": that one, from 0. "cpu". With GPUs the CPU stands aside for repairs. */
    const char *device;
    uint64_t
        memory_bytes; /* of the host, for all that grows with jobs and keys; 0: what the machine and its control groups leave now */
    uint64_t device_bytes; /* of each GPU; 0: what is free */
    uint32_t fill_threads; /* that make witnesses; 0: by the machine's caches */
    /* Of each device, for what it does on the CPU: all sums where the CPU is the device, little where a GPU is. 0: by the
     * machine's caches; four at most for a GPU. */
    uint32_t device_threads;
    uint32_t trace_spans; /* that the trace keeps for each thread, 32 bytes each; 0: 32768 */
    /* Told what an operator should know, on the thread that called libweir_open or libweir_key_load. May call nothing of that
     * engine. NULL: nobody is told. */
    void (*log)(void *log_ctx, libweir_log_level level, const char *text);
    void *log_ctx;
} libweir_options;

static inline void libweir_options_init(libweir_options *o)
{
    memset(o, 0, sizeof *o);
    o->size = sizeof *o;
}

/* options: NULL is as good as one that was only set up. *out: libweir_close.
 * Errors: LIBWEIR_E_USAGE, LIBWEIR_E_UNSUPPORTED (a GPU, in a build without CUDA), LIBWEIR_E_DEVICE, LIBWEIR_E_NOMEM, LIBWEIR_E_IO.
 * Cost: milliseconds; a second for the first GPU, 0.2 s for each more. */
LIBWEIR_API libweir_code libweir_open(libweir_engine **out, const libweir_options *options,
                                      libweir_error *error) LIBWEIR_MUST_USE;
/* Cancels all jobs, waits until their stages have heard it (below a second on a GPU, some seconds on a CPU), and gives all
 * back: keys, proofs that were not taken, the descriptor. NULL is allowed. */
LIBWEIR_API void libweir_close(libweir_engine *e);

/* ---- proving keys */

typedef uint64_t libweir_key; /* 1, 2, ...; a number is never used again in its engine */

typedef struct libweir_key_options {
    size_t size;
    uint64_t sector_bytes; /* 2048, 8388608, 536870912, 34359738368, 68719476736 and so on */
    const char *
        params_path; /* Filecoin's .params, or a native key ('weir key import'), told by how it begins. Mapped until the key is
                      * unloaded: replace it by renaming only */
    const char
        *vk_path; /* its .vk, to be compared; NULL: the one in the key's file alone is used */
} libweir_key_options;

static inline void libweir_key_options_init(libweir_key_options *o)
{
    memset(o, 0, sizeof *o);
    o->size = sizeof *o;
}

/* Opens a PoRep key and puts it on every device, where keys that are not in use make room for it, the one used longest ago first; they come
 * back when they are needed (of 32 GiB in seconds, from a native key in the page cache). Where keys in use leave it no room it waits for its first job.
 * The paths are not kept. Keys of several sizes, and several of one, may be loaded.
 * Points of a .params are checked to be on the curve as they are read; that they are in the subgroup, and the digest, is for 'weir key
 * check', once. Those of a native key were checked when it was made; its blocks are compared with their checksums.
 * Blocks: for seconds; of 32 GiB 5 s of the CPU for the circuit, and 44 GiB are read. A GPU at work first ends its partition.
 * Errors: LIBWEIR_E_USAGE, LIBWEIR_E_IO, LIBWEIR_E_MISMATCH (a key of another circuit, or one anyone can forge for), LIBWEIR_E_NOMEM
 * with both figures, LIBWEIR_E_DEVICE, those of bad data. Nothing is held then. */
LIBWEIR_API libweir_code libweir_key_load(libweir_engine *e, libweir_key *out,
                                          const libweir_key_options *options,
                                          libweir_error *error) LIBWEIR_MUST_USE;
/* Errors: LIBWEIR_E_USAGE (there is no such key), LIBWEIR_E_BUSY (a job of it has not ended; the key stays). Jobs that have ended
 * do not need it. */
LIBWEIR_API libweir_code libweir_key_unload(libweir_engine *e, libweir_key key,
                                            libweir_error *error) LIBWEIR_MUST_USE;

/* ---- jobs */

typedef uint64_t libweir_job; /* 1, 2, ...; a number is never used again in its engine */

/* A job of a higher class goes first, and a critical one makes running ones pause. Within a class the nearest deadline, then the
 * oldest; without one it counts as four minutes after submitting. Nothing starves: a job rises by a class for each minute that
 * it waits, but not to critical. */
typedef enum libweir_class {
    LIBWEIR_LOW = -1,
    LIBWEIR_NORMAL = 0,
    LIBWEIR_HIGH = 1,
    LIBWEIR_CRITICAL = 2
} libweir_class;

/* What c1 points to stays there unchanged until the job has ended, and is not copied. */
#define LIBWEIR_BORROW 1u

typedef struct libweir_job_options {
    size_t size;
    libweir_class job_class;
    uint32_t flags; /* LIBWEIR_BORROW */
    /* From now on; 0: none. It only orders jobs: one that is late goes on. */
    double deadline_s;
} libweir_job_options;

static inline void libweir_job_options_init(libweir_job_options *o)
{
    memset(o, 0, sizeof *o);
    o->size = sizeof *o;
}

/* A PoRep of the key's sector size. c1: n bytes of Commit Phase 1 output in any form (JSON of filecoin-proofs or its API, Curio's
 * object with base64, bincode). They are copied (10 ms for 50 MB), and the copy counts as memory until it is read or the job forgotten, unless LIBWEIR_BORROW.
 * options: NULL is as good as one that was only set up. Does not wait, and only searches c1 for a word (12 ms for 39 MB): a bad one ends the
 * job, with its byte or field in the text.
 * Errors: LIBWEIR_E_USAGE, LIBWEIR_E_NOMEM (too many jobs are there, say: take it for "later"; or it never fits, with both figures). */
LIBWEIR_API libweir_code libweir_submit_porep(libweir_engine *e, libweir_job *out, libweir_key key,
                                              const void *c1, size_t n,
                                              const libweir_job_options *options,
                                              libweir_error *error) LIBWEIR_MUST_USE;

typedef enum libweir_state {
    LIBWEIR_WAITING = 0, /* its input is not read yet */
    LIBWEIR_RUNNING = 1, /* partitions are known */
    LIBWEIR_DONE = 2,    /* ended: from here on nothing changes any more */
    LIBWEIR_FAILED = 3,
    LIBWEIR_CANCELLED = 4
} libweir_state;

typedef struct libweir_report {
    size_t size;
    libweir_state state;
    libweir_code code;   /* of a job that ended: LIBWEIR_OK, or why */
    uint32_t partitions; /* 0: not known yet */
    uint32_t done;       /* of them, verified */
    uint32_t repaired; /* times that a partition was done again since its proof or device was bad */
    uint32_t reserved;
    double queued_s; /* from submit to the first device, or until now or its end */
    double total_s;  /* from submit to the end, or until now */
    /* Of a job that ended, over its partitions: making witnesses, on devices (pauses among it), assembling and verifying. */
    double fill_s, device_s, finish_s;
    char text[1020]; /* of a failed job: why */
} libweir_report;

static inline void libweir_report_init(libweir_report *r)
{
    memset(r, 0, sizeof *r);
    r->size = sizeof *r;
}

/* How the job is. *out was set up once. Does not wait. Errors: LIBWEIR_E_USAGE (there is no such job, or it was forgotten). */
LIBWEIR_API libweir_code libweir_poll(libweir_engine *e, libweir_report *out, libweir_job job,
                                      libweir_error *error) LIBWEIR_MUST_USE;
/* Until the job has ended, timeout_s at most (below 0: as long as it takes). LIBWEIR_OK: it has ended, out->state says how.
 * Errors: LIBWEIR_E_TIMEOUT (*out is filled in all the same), LIBWEIR_E_USAGE. */
LIBWEIR_API libweir_code libweir_wait(libweir_engine *e, libweir_report *out, libweir_job job,
                                      double timeout_s, libweir_error *error) LIBWEIR_MUST_USE;
/* Asks the job to stop. It ends as LIBWEIR_CANCELLED when its stages have heard it, or as DONE if it was so far; an ended one stays
 * as it is. Does not wait. Errors: LIBWEIR_E_USAGE (there is no such job). */
LIBWEIR_API libweir_code libweir_cancel(libweir_engine *e, libweir_job job, libweir_error *error);

#define LIBWEIR_PROOF_BYTES 192u /* of one partition */

/* Copies the proof: partitions one after another, LIBWEIR_PROOF_BYTES each. *n: how many bytes it has, also where `room` is
 * too small. May be called until the job is forgotten. Errors: LIBWEIR_E_BUSY (it has not ended), the job's own with its text
 * (it failed or was cancelled), LIBWEIR_E_RANGE (room is too small), LIBWEIR_E_USAGE (there is no such job). */
LIBWEIR_API libweir_code libweir_proof(libweir_engine *e, void *out, size_t *n, size_t room,
                                       libweir_job job, libweir_error *error) LIBWEIR_MUST_USE;
/* An ended job's record and proof go. Jobs that nobody forgets stay, some kilobytes each, until the engine is closed.
 * Errors: LIBWEIR_E_BUSY (it has not ended), LIBWEIR_E_USAGE (there is no such job). */
LIBWEIR_API libweir_code libweir_forget(libweir_engine *e, libweir_job job, libweir_error *error);

/* ---- being told, for event loops
 *
 * A job whose state, partitions done or repairs changed waits, once, to be fetched. The descriptor is readable (poll, epoll, select:
 * level-triggered) as long as one waits. It is the engine's: only watch it, never read, write or close it; it is closed in
 * libweir_close. One thread may watch while others submit; of several that fetch each gets other jobs. */

LIBWEIR_API int libweir_event_fd(const libweir_engine *e);
/* 1 and the job that has waited longest, or 0: none waits. Then ask libweir_poll. Does not wait. */
LIBWEIR_API int libweir_next_event(libweir_engine *e, libweir_job *out);

/* ---- figures */

/* Since the engine was opened. */
typedef struct libweir_device_report {
    size_t size;
    char name[100];      /* "CPU", "GPU NVIDIA H200" */
    uint32_t in_service; /* 0: it failed its check or too often, and gets no work any more */
    uint32_t aside;      /* 1: only for partitions that no other device could do */
    uint32_t reserved;
    uint64_t runs;       /* partitions that it took up */
    uint64_t failures;   /* errors of the device */
    uint64_t bad_proofs; /* results that did not verify */
    uint64_t pauses;     /* for critical jobs */
    uint64_t used_bytes,
        most_bytes; /* of its memory that keys take, now and at most; 0 for the CPU */
} libweir_device_report;

static inline void libweir_device_report_init(libweir_device_report *r)
{
    memset(r, 0, sizeof *r);
    r->size = sizeof *r;
}

LIBWEIR_API uint32_t libweir_devices(const libweir_engine *e);
/* device: 0 to libweir_devices(e) - 1. Errors: LIBWEIR_E_USAGE. */
LIBWEIR_API libweir_code libweir_device(libweir_engine *e, libweir_device_report *out,
                                        uint32_t device, libweir_error *error) LIBWEIR_MUST_USE;

/* Of the host. What is counted: keys' sessions, circuits, witnesses, copies of input. Mapped key files are not. */
typedef struct libweir_memory_report {
    size_t size;
    uint64_t limit_bytes;
    uint64_t used_bytes, most_bytes;          /* now and at most */
    uint64_t pinned_bytes, most_pinned_bytes; /* of these, what cannot be swapped out */
    uint64_t
        mapped_bytes; /* of witnesses and working memory, now from the system: kept for the next */
} libweir_memory_report;

static inline void libweir_memory_report_init(libweir_memory_report *r)
{
    memset(r, 0, sizeof *r);
    r->size = sizeof *r;
}

/* Errors: LIBWEIR_E_USAGE. */
LIBWEIR_API libweir_code libweir_memory(libweir_engine *e, libweir_memory_report *out,
                                        libweir_error *error) LIBWEIR_MUST_USE;

/* Writes what every thread did, the last options.trace_spans spans of each, for 'weir trace FILE'. The file appears whole or not at all.
 * Blocks: until it is on the disk. Nobody's work waits for it. Errors: LIBWEIR_E_IO, LIBWEIR_E_NOMEM, LIBWEIR_E_USAGE. */
LIBWEIR_API libweir_code libweir_trace_save(libweir_engine *e, const char *path,
                                            libweir_error *error) LIBWEIR_MUST_USE;

#ifdef __cplusplus
}
#endif

#endif
