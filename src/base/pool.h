/* A fixed set of threads that runs the tasks of one parallel loop at a time. */
#ifndef WEIR_BASE_POOL_H
#define WEIR_BASE_POOL_H

#include "base/affinity.h"
#include "base/err.h"

#include <stddef.h>

typedef struct weir_pool weir_pool;

/* One task of a loop. worker < weir_pool_threads(pool): an index for per-thread scratch. */
typedef void (*weir_task_fn)(void *ctx, size_t task, unsigned worker);

/* A count from a configuration file is refused above this, before any thread is started. */
#define WEIR_POOL_MAX_THREADS 4096u

/* Starts threads - 1 threads; the caller of weir_pool_run is the last one. threads = 0 takes the number of
 * processors that this process may use.
 * Errors: WEIR_E_USAGE (too many threads), WEIR_E_NOMEM (no memory, or the system starts no more threads). */
weir_err weir_pool_new(weir_pool **out, unsigned threads, weir_errinfo *ei) WEIR_MUST_USE;

/* The same, placed: thread i is bound to the PUs of the set that share an L3 domain with its entry i mod n (weir_bind_thread);
 * threads = 0 takes as many as the set has. The caller's thread, number 0, is not touched: it may bind itself. That the system binds
 * none is no error (weir_pool_bound). name: what `top -H` shows with the number behind it ("weir msm 3"), cut to 15 characters.
 * set and name are not kept. Errors: as weir_pool_new; WEIR_E_USAGE for an empty set. */
weir_err weir_pool_new_on(weir_pool **out, const char *name, unsigned threads,
                          const weir_pu_set *set, weir_errinfo *ei) WEIR_MUST_USE;
void weir_pool_free(weir_pool *pool);

/* 1 for NULL. */
unsigned weir_pool_threads(const weir_pool *pool);

/* Of its threads, the caller's not counted, how many were bound. */
unsigned weir_pool_bound(const weir_pool *pool);

/* Runs fn(ctx, 0..n-1, worker) on all threads, in no given order, and returns when all are done. Tasks are
 * taken one by one, so uneven tasks balance. pool = NULL runs them in order on this thread.
 * Thread: one caller at a time; a task must not call weir_pool_run on the same pool.
 * Blocks: until the tasks are done. Memory written by a task is visible to the caller afterwards. */
void weir_pool_run(weir_pool *pool, size_t n, weir_task_fn fn, void *ctx);

#endif
