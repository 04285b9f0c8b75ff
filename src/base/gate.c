#include "base/gate.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <pthread.h>
#include <time.h>

/* Between two looks at a flag that tells to give up: nobody wakes the gate when it is set. */
enum { LOOK_NS = 3000000 };

/* One that waits, on its own stack; in the order in which they came. */
typedef struct waiter {
    struct waiter *next;
} waiter;

struct weir_gate {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t credits, free, closed;
    bool on;
    waiter *first;
    uint64_t closed_since_ns;
    weir_gate_stats stats;
};

/* Its clock is that of clock_gettime(CLOCK_MONOTONIC). */
static void init_changed(weir_gate *g)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&g->changed, &attr);
    pthread_condattr_destroy(&attr);
}

weir_err weir_gate_new(weir_gate **out, uint32_t credits, bool on, weir_errinfo *ei)
{
    weir_gate *g = weir_calloc(1, sizeof *g);
    *out = NULL;
    if (!g) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a gate");
    pthread_mutex_init(&g->lock, NULL);
    init_changed(g);
    g->credits = g->free = credits ? credits : 1;
    g->on = on;
    *out = g;
    return WEIR_OK;
}

void weir_gate_free(weir_gate *g)
{
    if (!g) return;
    pthread_cond_destroy(&g->changed);
    pthread_mutex_destroy(&g->lock);
    weir_free(g);
}

static void join_queue(weir_gate *g, waiter *me)
{
    waiter **at = &g->first;
    while (*at) at = &(*at)->next;
    *at = me;
}

static void leave_queue(weir_gate *g, const waiter *me)
{
    waiter **at = &g->first;
    while (*at != me) at = &(*at)->next;
    *at = me->next;
    pthread_cond_broadcast(&g->changed);
}

static bool must_wait(const weir_gate *g, const waiter *me, uint32_t n)
{
    return g->first != me || g->closed > 0 || n > g->free;
}

static void sleep_until_changed(weir_gate *g, bool look)
{
    struct timespec until;
    if (!look) {
        pthread_cond_wait(&g->changed, &g->lock);
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_NS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_cond_timedwait(&g->changed, &g->lock, &until);
}

/* False: it gave up. */
static bool wait_in_queue(weir_gate *g, const waiter *me, uint32_t n, const volatile int *cancel,
                          weir_gate_wait *wait)
{
    bool in = true;
    wait->begin_ns = weir_now_ns();
    while (in && must_wait(g, me, n)) {
        if (cancel && __atomic_load_n(cancel, __ATOMIC_RELAXED) != 0)
            in = false;
        else
            sleep_until_changed(g, cancel != NULL);
    }
    wait->end_ns = weir_now_ns();
    g->stats.waited++;
    g->stats.waited_ns += wait->end_ns - wait->begin_ns;
    return in;
}

uint32_t weir_gate_enter_unless(weir_gate *g, uint32_t n, const volatile int *cancel,
                                weir_gate_wait *wait)
{
    weir_gate_wait here = {0};
    pthread_mutex_lock(&g->lock);
    g->stats.entered++;
    if (n > g->credits) n = g->credits;
    if (g->on) {
        waiter me = {0};
        join_queue(g, &me);
        if (must_wait(g, &me, n) && !wait_in_queue(g, &me, n, cancel, &here)) n = 0;
        g->free -= n;
        leave_queue(g, &me);
    }
    pthread_mutex_unlock(&g->lock);
    if (wait) *wait = here;
    return n;
}

uint32_t weir_gate_enter(weir_gate *g, uint32_t n)
{
    return weir_gate_enter_unless(g, n, NULL, NULL);
}

void weir_gate_leave(weir_gate *g, uint32_t n)
{
    if (!g->on || n == 0) return;
    pthread_mutex_lock(&g->lock);
    g->free += n;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
}

void weir_gate_close(weir_gate *g)
{
    pthread_mutex_lock(&g->lock);
    g->stats.closed++;
    if (g->closed++ == 0) g->closed_since_ns = weir_now_ns();
    pthread_mutex_unlock(&g->lock);
}

void weir_gate_open(weir_gate *g)
{
    pthread_mutex_lock(&g->lock);
    if (--g->closed == 0) {
        g->stats.closed_ns += weir_now_ns() - g->closed_since_ns;
        pthread_cond_broadcast(&g->changed);
    }
    pthread_mutex_unlock(&g->lock);
}

void weir_gate_count(weir_gate *g, weir_gate_stats *out)
{
    pthread_mutex_lock(&g->lock);
    *out = g->stats;
    pthread_mutex_unlock(&g->lock);
}
