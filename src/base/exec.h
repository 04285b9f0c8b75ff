/* How work is done: on which threads, on which instruction path, at whose gate, and who watches.
 *
 * Every long routine below the engine takes a const weir_exec *. Nothing is global: no hidden pool, no
 * reading of the environment.
 */
#ifndef WEIR_BASE_EXEC_H
#define WEIR_BASE_EXEC_H

#include "base/gate.h"
#include "base/isa.h"
#include "base/pool.h"
#include "base/slabs.h"

#include <stdbool.h>
#include <stdint.h>

/* Progress goes out, the wish to stop comes in. All optional. */
typedef struct weir_watch {
    /* Called now and then from the thread that called the routine; done <= total, in units of the stage. */
    void (*progress)(void *ctx, const char *stage, uint64_t done, uint64_t total);
    void *ctx;
    const volatile int
        *cancel; /* non-zero: stop at the next range; set by another thread or a signal */
    /* Work on a device may have to let other work pass. pause_wanted: asked between steps, cheap; pause: called when it said yes and
     * the device has nothing of this work left to do; returns when the work may go on. Both or neither. */
    bool (*pause_wanted)(void *ctx);
    void (*pause)(void *ctx);
    /* Told of each wait at the gate once it is over, by the thread that waited. Times of weir_now_ns. */
    void (*waited)(void *ctx, uint64_t begin_ns, uint64_t end_ns);
    /* The same of each transfer to a device: while the host was at it, which may be less long than it took. */
    void (*transferred)(void *ctx, uint64_t begin_ns, uint64_t end_ns);
    /* The same of what another thread did of this work meanwhile, once both are done: from begin_ns to end_ns. The caller has had nothing
     * left to do since since_ns. */
    void (*beside)(void *ctx, uint64_t begin_ns, uint64_t end_ns, uint64_t since_ns);
    /* NULL, or who watches the work that this is a part of: a wish to stop there holds here too. Nothing else of it is asked. */
    const struct weir_watch *outer;
} weir_watch;

typedef struct weir_exec {
    weir_pool *pool;         /* NULL: the calling thread alone */
    weir_isa isa;            /* must be supported */
    weir_slabs *slabs;       /* where large buffers come from; NULL: fresh memory each time */
    const weir_watch *watch; /* NULL: nobody watches */
    weir_gate *gate;         /* asked between ranges of work that memory bounds; NULL: none */
} weir_exec;

/* ---- the bandwidth gate
 *
 * Ranges are not nested, and nothing waits inside one: whoever asks for credits holds none, and has not closed the gate. */

/* Waits for as many credits as the pool has threads. Returns how many it got: 0 without a gate, and when cancelled while it waited,
 * which the caller sees where it looks for cancelling next. Cost: nothing without a gate, else some hundred nanoseconds. */
uint32_t weir_exec_range_begin(const weir_exec *x);
/* credits: what begin returned. */
void weir_exec_range_end(const weir_exec *x, uint32_t credits);

/* weir_pool_run on x's pool, at the gate: the loop is cut into ranges of `tasks` tasks for each thread (some milliseconds to some
 * tens of them), each in credits of its own. Without a gate it is one loop. In: the caller holds no credits, and no task asks for any. */
void weir_exec_run(const weir_exec *x, size_t n, size_t tasks, weir_task_fn fn, void *ctx);

/* Closes the gate, so that what follows has the memory to itself, as soon as others have ended their ranges. `inside` is x without
 * the gate: what runs until weir_exec_gate_open(x) is given this one. Without a gate only the copy is made. */
void weir_exec_gate_close(const weir_exec *x, weir_exec *inside);
/* Once for each close, also after an error. */
void weir_exec_gate_open(const weir_exec *x);

/* ---- who watches */

static inline bool weir_exec_cancelled(const weir_exec *x)
{
    for (const weir_watch *w = x->watch; w; w = w->outer)
        if (w->cancel && __atomic_load_n(w->cancel, __ATOMIC_RELAXED) != 0) return true;
    return false;
}

static inline void weir_exec_progress(const weir_exec *x, const char *stage, uint64_t done,
                                      uint64_t total)
{
    if (x->watch && x->watch->progress) x->watch->progress(x->watch->ctx, stage, done, total);
}

static inline bool weir_exec_pause_wanted(const weir_exec *x)
{
    return x->watch && x->watch->pause_wanted && x->watch->pause_wanted(x->watch->ctx);
}

static inline void weir_exec_transferred(const weir_exec *x, uint64_t begin_ns, uint64_t end_ns)
{
    if (x->watch && x->watch->transferred) x->watch->transferred(x->watch->ctx, begin_ns, end_ns);
}

static inline void weir_exec_beside(const weir_exec *x, uint64_t begin_ns, uint64_t end_ns,
                                    uint64_t since_ns)
{
    if (x->watch && x->watch->beside) x->watch->beside(x->watch->ctx, begin_ns, end_ns, since_ns);
}

static inline void weir_exec_pause(const weir_exec *x)
{
    x->watch->pause(x->watch->ctx);
}

#endif
