/* The engine: many jobs at once on a few workers and devices, in the scheduler's order and within one memory budget.
 *
 * A job is a set of partitions. What its stages do is a table of functions that the engine calls and knows nothing more of:
 *
 *     parse ─► for each partition: fill ─► device ─► finish ─► join
 *
 * One more thread parses, and one more worker fills, for critical jobs only, so that these start however long the others take.
 * A partition's bytes are reserved before it is filled and given back when it has ended, in one place. Each worker has its own
 * threads for what it does. A partition whose proof does
 * not verify, or whose device failed, is done again, on one device `attempts` times at most, then on those that stand aside for this
 * (a CPU beside GPUs); the job fails when no device is left. A device that erred must pass its check before it goes on; one that does
 * not, or errs `strikes` times in a row, is taken out of service. Every job ends exactly once.
 *
 * Thread: any, for all functions. Stages of a job run on the engine's own threads, those of several partitions side by side.
 */
#ifndef WEIR_ENGINE_ENGINE_H
#define WEIR_ENGINE_ENGINE_H

#include "base/err.h"
#include "base/exec.h"
#include "base/topology.h"
#include "engine/budget.h"
#include "engine/trace.h"
#include "engine/types.h"

typedef struct weir_engine weir_engine;

enum { WEIR_ENGINE_MAX_PARTS = 1024, WEIR_ENGINE_MAX_DEVICES = 32, WEIR_ENGINE_MAX_WORKERS = 64 };

/* What parse finds out. */
typedef struct weir_job_plan {
    uint32_t partitions;   /* 1 .. WEIR_ENGINE_MAX_PARTS */
    weir_bytes part_bytes; /* of each */
    uint32_t devices;      /* bit d: device d may take its partitions */
    uint32_t aside;        /* bit d: it may take those that no other could do */
    uint32_t
        group; /* partitions of one group share what a device has but once: one cannot pass another that is paused; 0: none */
} weir_job_plan;

/* Host memory of one job, reserved when it is submitted, so that it need not wait for any while it holds some. */
typedef struct weir_job_need {
    uint64_t input_bytes; /* from then to its end */
    uint64_t part_bytes;  /* of a partition, as its plan will say */
    uint64_t
        scratch_bytes; /* of x->slabs, while it is parsed: kept by the threads that parse for the next job */
} weir_job_need;

/* The stages of one job. x: the worker's threads and path; its watch says when to stop, and device must ask it between steps
 * (weir_exec_pause_wanted, weir_exec_pause). An error of device of code WEIR_E_DEVICE, and WEIR_E_BAD_PROOF of finish, are repaired; all others end the
 * job. */
typedef struct weir_job_ops {
    weir_err (*parse)(void *job, weir_job_plan *out, const weir_exec *x, weir_errinfo *ei);
    weir_err (*fill)(void *job, uint32_t part, const weir_exec *x, weir_errinfo *ei);
    weir_err (*device)(void *job, uint32_t part, uint32_t device, const weir_exec *x,
                       weir_errinfo *ei);
    weir_err (*finish)(void *job, uint32_t part, const weir_exec *x, weir_errinfo *ei);
    weir_err (*join)(void *job, const weir_exec *x, weir_errinfo *ei);
    /* What a partition holds goes back: once for each one whose fill was called, before its bytes are given back and before join. */
    void (*release)(void *job, uint32_t part);
    /* What the job needs, asked once when it is submitted; NULL: nothing beside its partitions. */
    void (*need)(void *job, weir_job_need *out);
    /* What parse took goes back: once, after the last stage, whether parse was called or not, and before the job has ended. NULL: nothing. */
    void (*end)(void *job);
    /* Bit d: what device d needs for its partitions is not there, and would have to be brought. Asked for each decision, under the engine's
     * lock: short, and calls no function of the engine. NULL: nothing ever is. */
    uint32_t (*cold)(void *job);
} weir_job_ops;

typedef struct weir_job_report {
    weir_job_state state;
    weir_err err; /* of a failed job; why: ei */
    weir_errinfo ei;
    uint32_t partitions, done;                   /* 0 before it is parsed */
    uint32_t repaired;                           /* times that a partition was done again */
    uint64_t submitted_ns, started_ns, ended_ns; /* started: first on a device; 0: not yet */
} weir_job_report;

typedef struct weir_engine_config {
    uint32_t devices; /* 1 .. WEIR_ENGINE_MAX_DEVICES */
    uint32_t
        fill_workers; /* 1 .. WEIR_ENGINE_MAX_WORKERS, and a spare one that sleeps but for critical partitions */
    uint32_t
        ahead; /* partitions that are filled or ready for each device; 2 keep it busy, 0 is for processors (schedule.h) */
    uint32_t strikes;        /* errors in a row before a device is taken out of service */
    uint32_t attempts;       /* of a partition on one device, before it goes elsewhere */
    uint64_t age_ns;         /* of waiting, that lifts a job by a class */
    weir_bytes limit;        /* of memory */
    uint32_t fill_threads;   /* of each worker that fills or parses, 1 .. WEIR_POOL_MAX_THREADS */
    uint32_t device_threads; /* of each device's worker, for what its backend does on the CPU */
    weir_slabs_config
        slabs; /* of large buffers: one set for each device, whose runs all take the same ones, and one for witnesses */
    weir_exec exec;    /* of stages; pool, slabs and watch are not used: each worker has its own */
    weir_trace *trace; /* may be NULL */
    /* Who runs where: the threads of one worker share as few caches as can be. NULL: where the system puts them. Until
     * weir_engine_new returns. */
    const weir_topology *topology;
    uint32_t cpu_devices; /* bit d: device d is the processor, and its threads do its sums */
    uint32_t aside;       /* bit d: nothing is filled ahead for device d */
    /* Is the device sound? Called on its thread before it goes on after an error; NULL: it is believed. */
    weir_err (*check)(void *ctx, uint32_t device, const weir_exec *x, weir_errinfo *ei);
    void *check_ctx;
    /* Told of each change of a job's state, partitions done or repairs, in their order, by the thread that made it and under the
     * engine's lock: it is short and calls no function of the engine. job: as it was submitted. NULL: nobody is told. */
    void (*changed)(void *ctx, void *job, const weir_job_report *report);
    void *changed_ctx;
} weir_engine_config;

weir_err weir_engine_new(weir_engine **out, const weir_engine_config *config,
                         weir_errinfo *ei) WEIR_MUST_USE;
/* Cancels all jobs, waits for their stages, ends the threads. NULL is allowed. */
void weir_engine_free(weir_engine *e);

/* ops, job: until the job has ended and weir_engine_forget was called. deadline_ns: of weir_now_ns, UINT64_MAX: none. *id: 1, 2, ...
 * What it holds all the time (ops->need) is reserved now, so much that any partition of the jobs that are there still has room when others
 * have ended. Errors: WEIR_E_NOMEM, with the figures: it will never fit, or does not now. Does not wait. */
weir_err weir_engine_submit(weir_engine *e, const weir_job_ops *ops, void *job,
                            weir_job_class job_class, uint64_t deadline_ns, uint64_t *id,
                            weir_errinfo *ei) WEIR_MUST_USE;

/* How a job is; false: there is none of that id. */
bool weir_engine_report(weir_engine *e, uint64_t id, weir_job_report *out);
/* Until the job has ended, or so long; its report then. */
bool weir_engine_wait(weir_engine *e, uint64_t id, uint64_t timeout_ns, weir_job_report *out);
/* Asks the job to stop; it ends as CANCELLED when its stages have heard it. */
void weir_engine_cancel(weir_engine *e, uint64_t id);
/* An ended job's record goes. */
void weir_engine_forget(weir_engine *e, uint64_t id);

typedef struct weir_device_report {
    bool in_service;
    uint64_t runs, failures, bad_proofs, pauses;
} weir_device_report;
void weir_engine_device(weir_engine *e, uint32_t device, weir_device_report *out);
/* A device's runs take so many bytes from its slabs: they are mapped at once, in one piece. Errors: WEIR_E_NOMEM. */
weir_err weir_engine_reserve_slabs(weir_engine *e, uint32_t device, uint64_t bytes,
                                   weir_errinfo *ei) WEIR_MUST_USE;
/* Of all its slabs together; queued_most: the most of one. */
void weir_engine_slabs(weir_engine *e, weir_slabs_stats *out);
weir_budget *weir_engine_budget(weir_engine *e);
/* Where what jobs hold from parse to end comes from, so that the next job finds it mapped. */
weir_slabs *weir_engine_inputs(weir_engine *e);

#endif
