/* Words of the engine: jobs, partitions, their states and the moves between them. */
#ifndef WEIR_ENGINE_TYPES_H
#define WEIR_ENGINE_TYPES_H

#include <stdbool.h>
#include <stdint.h>

/* How urgent: WinningPoSt is critical, WindowPoSt high, PoRep normal, what nobody waits for low. */
typedef enum weir_job_class {
    WEIR_CLASS_LOW,
    WEIR_CLASS_NORMAL,
    WEIR_CLASS_HIGH,
    WEIR_CLASS_CRITICAL,
    WEIR_CLASSES
} weir_job_class;

typedef enum weir_job_state {
    WEIR_JOB_NEW,    /* accepted; its input is not read yet */
    WEIR_JOB_PARSED, /* partitions and bytes are known */
    WEIR_JOB_RUNNING,
    WEIR_JOB_DONE,
    WEIR_JOB_FAILED,
    WEIR_JOB_CANCELLED,
    WEIR_JOB_STATES
} weir_job_state;

typedef enum weir_part_state {
    WEIR_PART_WAIT,   /* holds nothing */
    WEIR_PART_FILL,   /* its bytes are reserved; the witness is being filled */
    WEIR_PART_READY,  /* the witness is there */
    WEIR_PART_DEVICE, /* a device works on it */
    WEIR_PART_FINISH, /* assembly and verification */
    WEIR_PART_DONE,
    WEIR_PART_DROPPED, /* its job ended otherwise; bytes were given back */
    WEIR_PART_STATES
} weir_part_state;

extern const char *const weir_job_class_names[WEIR_CLASSES];
extern const char *const weir_job_state_names[WEIR_JOB_STATES];
extern const char *const weir_part_state_names[WEIR_PART_STATES];

/* Is this a move of the table?
 *     job        NEW ─► PARSED ─► RUNNING ─► DONE;  any but the last three ─► FAILED, CANCELLED
 *     partition  WAIT ─► FILL ─► READY ─► DEVICE ─► FINISH ─► DONE;  DEVICE, FINISH ─► READY (done again, there or elsewhere);
 *                any but the last two ─► DROPPED */
bool weir_job_may_move(weir_job_state from, weir_job_state to);
bool weir_part_may_move(weir_part_state from, weir_part_state to);
static inline bool weir_job_has_ended(weir_job_state s)
{
    return s >= WEIR_JOB_DONE;
}
static inline bool weir_part_has_ended(weir_part_state s)
{
    return s >= WEIR_PART_DONE;
}

#endif
