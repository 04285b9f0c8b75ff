/* Jobs that changed, until somebody fetches them. The descriptor is a semaphore: its count is how many wait. */
#include "api/api_state.h"

#include <unistd.h>

static void count_up(const libweir_engine *e)
{
    const uint64_t one = 1;
    ssize_t n = write(e->event_fd, &one, sizeof one);
    (void)n; /* fails only at 2^64 - 1 */
}

static void count_down(const libweir_engine *e)
{
    uint64_t one;
    ssize_t n = read(e->event_fd, &one, sizeof one);
    (void)n; /* one was counted for each that waits */
}

static void append(libweir_engine *e, api_job *j)
{
    j->waits = true;
    j->next_event = NULL;
    if (e->last_event)
        e->last_event->next_event = j;
    else
        e->first_event = j;
    e->last_event = j;
    count_up(e);
}

void api_on_change(void *ctx, void *job, const weir_job_report *report)
{
    libweir_engine *e = ctx;
    api_job *j = job;
    pthread_mutex_lock(&e->events);
    if (weir_job_has_ended(report->state)) {
        j->ended = true;
        j->key->running--;
        j->key = NULL; /* it may be unloaded from here on */
    }
    if (!j->waits) append(e, j);
    pthread_mutex_unlock(&e->events);
}

bool api_job_ended(api_job *j)
{
    pthread_mutex_lock(&j->api->events);
    bool ended = j->ended;
    pthread_mutex_unlock(&j->api->events);
    return ended;
}

void api_event_drop(api_job *j)
{
    libweir_engine *e = j->api;
    pthread_mutex_lock(&e->events);
    if (j->waits) {
        api_job *before = NULL, *at = e->first_event;
        for (; at != j; at = at->next_event) before = at;
        *(before ? &before->next_event : &e->first_event) = j->next_event;
        if (e->last_event == j) e->last_event = before;
        j->waits = false;
        count_down(e);
    }
    pthread_mutex_unlock(&e->events);
}

int libweir_event_fd(const libweir_engine *e)
{
    return e->event_fd;
}

int libweir_next_event(libweir_engine *e, libweir_job *out)
{
    pthread_mutex_lock(&e->events);
    api_job *j = e->first_event;
    *out = 0;
    if (j) {
        e->first_event = j->next_event;
        if (!e->first_event) e->last_event = NULL;
        j->waits = false;
        *out = j->id;
        count_down(e);
    }
    pthread_mutex_unlock(&e->events);
    return j != NULL;
}
