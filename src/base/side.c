/* State, all under `lock`: the list of jobs that wait, and whether the thread shall end. A job leaves the list when it begins. */
#include "base/side.h"

#include "base/alloc.h"

#include <assert.h>
#include <pthread.h>

struct weir_side {
    pthread_mutex_t lock;
    pthread_cond_t given, done;
    weir_side_job *first, **last; /* *last: where the next one is put */
    bool stop, started;
    pthread_t thread;
};

static void *side_main(void *arg)
{
    weir_side *s = arg;
    pthread_mutex_lock(&s->lock);
    for (;;) {
        while (!s->first && !s->stop) pthread_cond_wait(&s->given, &s->lock);
        weir_side_job *job = s->first;
        if (!job) break;
        s->first = job->_next;
        if (!s->first) s->last = &s->first;
        pthread_mutex_unlock(&s->lock);
        job->fn(job->ctx);
        pthread_mutex_lock(&s->lock);
        job->_done = true;
        pthread_cond_broadcast(&s->done);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

weir_err weir_side_new(weir_side **out, weir_errinfo *ei)
{
    *out = NULL;
    weir_side *s = weir_calloc(1, sizeof *s);
    if (!s) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a thread");
    s->last = &s->first;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->given, NULL);
    pthread_cond_init(&s->done, NULL);
    s->started = pthread_create(&s->thread, NULL, side_main, s) == 0;
    if (!s->started) {
        weir_side_free(s);
        return weir_fail(ei, WEIR_E_NOMEM, "the system starts no more threads");
    }
    *out = s;
    return WEIR_OK;
}

void weir_side_free(weir_side *s)
{
    if (!s) return;
    pthread_mutex_lock(&s->lock);
    assert(!s->first);
    s->stop = true;
    pthread_cond_signal(&s->given);
    pthread_mutex_unlock(&s->lock);
    if (s->started) pthread_join(s->thread, NULL);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->given);
    pthread_cond_destroy(&s->done);
    weir_free(s);
}

void weir_side_put(weir_side *s, weir_side_job *job)
{
    job->_next = NULL;
    job->_done = false;
    pthread_mutex_lock(&s->lock);
    *s->last = job;
    s->last = &job->_next;
    pthread_cond_signal(&s->given);
    pthread_mutex_unlock(&s->lock);
}

void weir_side_wait(weir_side *s, weir_side_job *job)
{
    pthread_mutex_lock(&s->lock);
    while (!job->_done) pthread_cond_wait(&s->done, &s->lock);
    pthread_mutex_unlock(&s->lock);
}
