/* What the engine's files share. Private to them. Everything here is guarded by the engine's lock. */
#ifndef WEIR_ENGINE_ENGINE_STATE_H
#define WEIR_ENGINE_ENGINE_STATE_H

#include "engine/engine.h"
#include "engine/schedule.h"

#include <pthread.h>

enum {
    DEVICE_THREADS = 2, /* of each device: one may be paused while the other's partition runs */
    FRONT_WORKERS = 2,  /* the last one is a spare */
    FILL_SPARES = 1,
    FINISH_WORKERS = 1,
    NO_PART = UINT32_MAX
};

typedef struct engine_job engine_job;

typedef struct engine_part {
    weir_part_state state;
    uint32_t device, allowed; /* where it is or was; bit d: device d may take it */
    uint8_t attempts[WEIR_ENGINE_MAX_DEVICES];
    bool set_aside; /* no device of the plan could do it */
    bool filled;    /* fill was called */
    bool spare;     /* to be filled by a spare worker */
    bool owed;      /* dropped after that: release is to be called */
    bool reserved;
    bool active; /* a worker has it */
    bool pause, paused;
    bool sending;      /* on a device that has not said yet that it has the witness */
    uint64_t short_ns; /* since when it could be filled but for memory; 0: never so */
} engine_part;

struct engine_job {
    engine_job *next; /* by age */
    uint64_t id, deadline_ns;
    weir_job_class job_class;
    const weir_job_ops *ops;
    void *ctx;
    weir_job_plan plan;
    engine_part *part;
    weir_job_report report;
    volatile int stop;     /* no stage shall go on */
    bool cancelled, front; /* front: parse or join has a worker */
    uint32_t workers;      /* stages that run */
    uint32_t owed;        /* partitions whose release is to be called, or runs; and the job's end */
    weir_job_need need;   /* its input's bytes are reserved */
    bool joined;          /* only its end is to be called */
    bool holds, end_owed; /* its end was not called; it is to be called now */
};

typedef struct engine_device {
    bool up;
    uint32_t strikes;
    engine_job *job; /* given, not yet taken by a thread */
    uint32_t part;
    bool given, busy;
    bool suspect;     /* erred since its last check */
    bool first_works; /* its first thread has a partition, maybe a paused one */
    weir_device_report report;
    weir_slabs *slabs; /* of its runs */
} engine_device;

/* What a thread does. */
typedef enum engine_role { ROLE_FRONT, ROLE_FILL, ROLE_DEVICE, ROLE_FINISH } engine_role;

typedef struct engine_worker {
    weir_engine *e;
    engine_role role;
    bool
        spare; /* parses, joins and fills critical jobs only, so that others cannot be in their way */
    uint32_t number, device; /* of the role's or device's workers; of a device */
    pthread_t thread;
    pthread_cond_t wake;
    bool idle, pausing;        /* asleep, without work; or until its paused partition may go on */
    weir_trace_lane *lane;     /* NULL: no trace */
    weir_trace_lane *cpu_lane; /* of what the CPU does beside a device; NULL: nothing so far */
    weir_watch watch;
    weir_pool *pool; /* NULL: one thread */
    weir_pu_set place;
    weir_exec x;
    engine_job *job; /* in work */
    uint32_t part;
    uint64_t idle_ns;      /* since when it had nothing to do */
    bool suspect, unsound; /* the device is to be checked; it was, and failed */
} engine_worker;

struct weir_engine {
    pthread_mutex_t lock;
    pthread_cond_t ended; /* a job; workers are woken one by one, by what they can take */
    weir_engine_config config;
    weir_budget *budget;
    weir_slabs *slabs;                /* of witnesses and all the rest */
    weir_slabs *inputs;               /* of what jobs hold from parse to end */
    weir_slabs *front[FRONT_WORKERS]; /* scratch of each thread that parses */
    uint64_t scratch_bytes;           /* reserved for each of these; it lasts */
    engine_job *first, *last;
    uint64_t next_id;
    engine_device device[WEIR_ENGINE_MAX_DEVICES];
    uint32_t idle_fillers, idle_spares;
    uint32_t owed; /* of all jobs */
    bool ending;
    /* the scheduler's view, rebuilt for each decision */
    weir_sched_job *sched_job;
    weir_sched_part *sched_part;
    engine_job **sched_from; /* of each part of the view */
    uint32_t jobs_cap, parts_cap;
    engine_worker *worker;
    uint32_t workers;
    weir_placement placement; /* empty: none */
};

/* ---- engine_dispatch.c */

/* Carries out decisions until there is nothing to do, and tells everybody. */
void engine_dispatch(weir_engine *e);
/* Room in the view for another job of so many partitions. False: no memory. */
bool engine_room(weir_engine *e, uint32_t parts);
/* A move of the table of types.h, asserted. */
void engine_move_part(engine_part *p, weir_part_state to);
void engine_move_job(engine_job *j, weir_job_state to);
/* The job's report changed: config.changed is told. */
void engine_tell(weir_engine *e, const engine_job *j);
/* Its state is an end or goes to one. What it holds goes back in engine_release_owed. */
void engine_drop_part(weir_engine *e, engine_job *j, uint32_t part, weir_part_state to);
/* No stage shall go on; partitions that nobody works on are dropped; the job ends when the last worker leaves it. */
void engine_stop_job(weir_engine *e, engine_job *j, weir_err err, const weir_errinfo *why);
/* Calls release for what was dropped, without the lock, which must be held and is given up for it. Called by whoever may have
 * dropped something before the lock is left. */
void engine_release_owed(weir_engine *e);
/* Ends the job if its work is over. */
void engine_try_end(weir_engine *e, engine_job *j);

/* ---- engine_admit.c */

/* Reserves what the job holds all the time. Errors: WEIR_E_NOMEM: nothing is reserved. */
weir_err engine_admit(weir_engine *e, engine_job *j, weir_errinfo *ei) WEIR_MUST_USE;
/* The only place where that is given back. */
void engine_give_back_input(weir_engine *e, engine_job *j);
/* When the engine is closed. */
void engine_give_back_scratch(weir_engine *e);

/* ---- engine_place.c */

weir_err engine_place_all(weir_engine *e, weir_errinfo *ei);
/* Of one worker's threads; empty: anywhere. number: of the role's workers. */
weir_pu_set engine_place_of(const weir_engine *e, engine_role role, uint32_t number,
                            uint32_t device);

/* ---- engine_work.c */

void *engine_thread(void *worker);
/* Wakes the workers that have something to do, and no other: with one condition for all, each event made every thread take the lock in
 * turn, and a device's thread waited for them between two partitions. After every change. */
void engine_wake(weir_engine *e);

#endif
