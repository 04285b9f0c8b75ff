/* A thread beside the caller's: it does what it is given, one thing after another in the order in which they came. */
#ifndef WEIR_BASE_SIDE_H
#define WEIR_BASE_SIDE_H

#include "base/err.h"

#include <stdbool.h>

typedef struct weir_side weir_side;

/* One thing to do. The caller's memory, from put until wait has returned. */
typedef struct weir_side_job {
    void (*fn)(void *ctx);
    void *ctx;
    struct weir_side_job *_next;
    bool _done;
} weir_side_job;

/* Starts the thread. Errors: WEIR_E_NOMEM (no memory, or the system starts no more threads). */
weir_err weir_side_new(weir_side **out, weir_errinfo *ei) WEIR_MUST_USE;
/* In: every job was waited for. NULL is allowed. */
void weir_side_free(weir_side *s);

/* Returns at once. fn must not put or wait on the same thread. Thread: any, several at once. */
void weir_side_put(weir_side *s, weir_side_job *job);
/* Blocks until the job has been done. What it wrote is visible then. Once for each put. */
void weir_side_wait(weir_side *s, weir_side_job *job);

#endif
