/* What to do next: a pure function from a snapshot of the engine to one decision. It keeps nothing, reads no clock and takes no
 * memory, so a snapshot that was written down gives the same decision again.
 *
 * Order. A partition stands before another if its job's class is higher; among equals, if its deadline is earlier; then if its job is
 * older; then if its number is lower. A job rises by one class for each `age_ns` it has waited, but not to critical, and its deadline
 * is four times that after it came at the latest: so nothing starves, and nothing but a critical job is ever in a critical one's way.
 *
 * Stages. Filling takes partitions in that order as long as a worker and the bytes are there. A partition whose bytes do not fit
 * lets none behind it pass: otherwise small jobs would keep a large one out for ever. Critical ones pass all the same if they fit.
 * A device takes ready partitions in that order; so many partitions at most are filled or ready beyond those on devices as keep the
 * devices busy (`ahead` for each), since witnesses that wait are memory that waits. One whose witness is still on its way to the device
 * counts among them: the next is filled when the way is free, so that the device does not wait longer for the sending. Where devices and
 * filling are the same processors, one would only slow the other: with 0 ahead a partition is filled for a device that is idle.
 *
 * Critical ones. A critical partition that is ready while every device it may use works for others asks the one with the least urgent
 * partition to pause after the step in progress. At most one is paused on a device, none of the critical one's own group, and only where
 * the critical one's key is: seconds of bringing it are no reason to keep the device from a partition that has half its work behind it.
 * Critical partitions are filled whatever is ahead, by a spare worker if all others are busy.
 */
#ifndef WEIR_ENGINE_SCHEDULE_H
#define WEIR_ENGINE_SCHEDULE_H

#include "engine/types.h"

#include <stdbool.h>
#include <stdint.h>

enum { WEIR_SCHED_MAX_DEVICES = 32 };

typedef struct weir_sched_job {
    uint64_t id; /* rising with age: older jobs have lower ones */
    weir_job_class job_class;
    uint64_t submitted_ns;
    uint64_t deadline_ns; /* UINT64_MAX: none */
} weir_sched_job;

typedef struct weir_sched_part {
    uint32_t job; /* index in the snapshot */
    uint32_t number;
    weir_part_state state;
    uint64_t bytes;   /* reserved before it is filled */
    uint32_t group;   /* not 0: cannot pass a paused one of its group */
    uint32_t devices; /* bit d: device d may take it; a repair leaves out the one that erred */
    uint32_t cold;    /* bit d: it would have to wait there for its key */
    uint32_t device;  /* in state DEVICE: where */
    bool paused;      /* in state DEVICE: it was asked to pause, or has; not, when it goes on */
    bool sending;     /* in state DEVICE: its witness is not all there yet */
} weir_sched_part;

typedef struct weir_sched_snapshot {
    uint64_t now_ns, age_ns;
    const weir_sched_job *job;
    const weir_sched_part *part;
    uint32_t jobs, parts;
    uint32_t devices_up; /* bit d: device d is in service */
    uint32_t
        devices_busy; /* bit d: a partition that is not paused is on it, or it is on its way to pause */
    uint32_t
        devices_aside; /* bit d: nothing is filled ahead for it, unless no other is in service */
    uint32_t
        ahead; /* partitions in FILL and READY for each device in service; 0: one, and none on it */
    uint32_t fill_workers; /* that have nothing to do */
    uint32_t fill_spare;   /* the same of those that fill critical partitions only */
    uint64_t bytes_free;
} weir_sched_snapshot;

typedef enum weir_sched_verb {
    WEIR_SCHED_WAIT, /* nothing can be done before something changes; `part` waits for memory alone; UINT32_MAX: none does */
    WEIR_SCHED_FILL, /* reserve the bytes of `part` and fill it */
    WEIR_SCHED_RUN,  /* `part` to `device` */
    WEIR_SCHED_RESUME, /* the paused `part` goes on on its device */
    WEIR_SCHED_PAUSE   /* `part`, which runs on `device`, after its step */
} weir_sched_verb;

typedef struct weir_sched_decision {
    weir_sched_verb verb;
    uint32_t part, device;
} weir_sched_decision;

/* One decision; the caller carries it out, and asks again. Devices come first, since they are what must not wait.
 * Cost: a look at each partition for each device. Thread: any. */
weir_sched_decision weir_schedule(const weir_sched_snapshot *s);

/* The class that a job has by its age. */
weir_job_class weir_sched_class(const weir_sched_snapshot *s, const weir_sched_job *job);
/* Does part a stand before part b? A strict order. */
bool weir_sched_before(const weir_sched_snapshot *s, uint32_t a, uint32_t b);

#endif
