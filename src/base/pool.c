/* State, all under `lock` except `next`:
 *   generation   rises with each loop; a worker that sees a new one joins in
 *   busy         workers that have not yet left the current loop
 *   running      a loop is under way: catches a task that calls weir_pool_run, and a second caller
 *   next         the next task to take; relaxed order is enough, since the lock orders the loops and a task
 *                index alone carries no data
 */
#include "base/pool.h"

#include "base/alloc.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

struct weir_pool {
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    unsigned threads;
    unsigned started;
    unsigned bound;
    unsigned busy;
    unsigned long generation;
    bool stop, running;
    weir_task_fn fn;
    void *ctx;
    size_t n;
    atomic_size_t next;
    struct worker {
        weir_pool *pool;
        unsigned index;
        pthread_t thread;
    } * workers;
};

static void take_tasks(weir_pool *pool, unsigned worker)
{
    for (;;) {
        size_t task = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (task >= pool->n) return;
        pool->fn(pool->ctx, task, worker);
    }
}

static void *worker_main(void *arg)
{
    struct worker *w = arg;
    weir_pool *pool = w->pool;
    unsigned long seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!pool->stop && pool->generation == seen)
            pthread_cond_wait(&pool->start, &pool->lock);
        if (pool->stop) break;
        seen = pool->generation;
        pthread_mutex_unlock(&pool->lock);
        take_tasks(pool, w->index);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0) pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* The processors that this process may use. */
static weir_err processors(unsigned *out, weir_errinfo *ei)
{
    uint32_t *os = weir_malloc(WEIR_MAX_PUS, sizeof *os);
    if (!os) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a thread pool");
    *out = weir_allowed_pus(os);
    weir_free(os);
    return WEIR_OK;
}

/* In: threads is that of the pool. What was made is in *pool, whether all was or not. */
static weir_err make_pool(weir_pool *pool, weir_errinfo *ei)
{
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->start, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->workers = weir_calloc(pool->threads, sizeof *pool->workers);
    if (!pool->workers)
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for a pool of %u threads", pool->threads);
    for (unsigned i = 1; i < pool->threads; i++) {
        struct worker *w = &pool->workers[i];
        w->pool = pool;
        w->index = i;
        if (pthread_create(&w->thread, NULL, worker_main, w) != 0)
            return weir_fail(ei, WEIR_E_NOMEM, "cannot start thread %u of %u", i + 1,
                             pool->threads);
        pool->started = i;
    }
    return WEIR_OK;
}

/* Neither is needed for the work, so neither can fail. */
static void name_and_bind(weir_pool *pool, const char *name, const weir_pu_set *set)
{
    for (unsigned i = 1; i < pool->threads; i++) {
        char text[16];
        snprintf(text, sizeof text, "%s %u", name, i);
        pthread_setname_np(pool->workers[i].thread, text);
        if (set && weir_bind_thread(pool->workers[i].thread, set, i)) pool->bound++;
    }
}

/* set NULL: not bound. */
static weir_err new_pool(weir_pool **out, const char *name, unsigned threads,
                         const weir_pu_set *set, weir_errinfo *ei)
{
    *out = NULL;
    if (threads == 0 && set) threads = set->n;
    if (threads == 0) WEIR_TRY(processors(&threads, ei));
    if (threads > WEIR_POOL_MAX_THREADS)
        return weir_fail(ei, WEIR_E_USAGE, "%u threads asked for; at most %u are possible", threads,
                         WEIR_POOL_MAX_THREADS);
    weir_pool *pool = weir_calloc(1, sizeof *pool);
    if (!pool) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a thread pool");
    pool->threads = threads;
    weir_err err = make_pool(pool, ei);
    if (err != WEIR_OK) {
        weir_pool_free(pool);
        return err;
    }
    name_and_bind(pool, name, set);
    *out = pool;
    return WEIR_OK;
}

weir_err weir_pool_new(weir_pool **out, unsigned threads, weir_errinfo *ei)
{
    return new_pool(out, "weir", threads, NULL, ei);
}

weir_err weir_pool_new_on(weir_pool **out, const char *name, unsigned threads,
                          const weir_pu_set *set, weir_errinfo *ei)
{
    *out = NULL;
    if (set->n == 0)
        return weir_fail(ei, WEIR_E_USAGE, "a pool (%s) on a set without processors", name);
    return new_pool(out, name, threads, set, ei);
}

void weir_pool_free(weir_pool *pool)
{
    if (!pool) return;
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 1; i <= pool->started; i++) pthread_join(pool->workers[i].thread, NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->start);
    pthread_cond_destroy(&pool->done);
    weir_free(pool->workers);
    weir_free(pool);
}

unsigned weir_pool_threads(const weir_pool *pool)
{
    return pool ? pool->threads : 1;
}

unsigned weir_pool_bound(const weir_pool *pool)
{
    return pool->bound;
}

void weir_pool_run(weir_pool *pool, size_t n, weir_task_fn fn, void *ctx)
{
    if (!pool || pool->threads == 1 || n <= 1) {
        for (size_t i = 0; i < n; i++) fn(ctx, i, 0);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    assert(!pool->running);
    pool->running = true;
    pool->fn = fn;
    pool->ctx = ctx;
    pool->n = n;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    pool->busy = pool->threads - 1;
    pool->generation++;
    pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->lock);
    take_tasks(pool, 0);
    pthread_mutex_lock(&pool->lock);
    while (pool->busy) pthread_cond_wait(&pool->done, &pool->lock);
    pool->running = false;
    pthread_mutex_unlock(&pool->lock);
}
