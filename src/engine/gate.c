#include "engine/gate.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <pthread.h>

struct weir_gate {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t credits, free, closed;
    bool on;
    uint64_t next_ticket, serving; /* who waits is served in the order of tickets */
    uint64_t closed_since_ns;
    weir_gate_stats stats;
};

weir_err weir_gate_new(weir_gate **out, uint32_t credits, bool on, weir_errinfo *ei)
{
    weir_gate *g = weir_calloc(1, sizeof *g);
    *out = NULL;
    if (!g) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a gate");
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->changed, NULL);
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

static bool must_wait(const weir_gate *g, uint64_t ticket, uint32_t n)
{
    return ticket != g->serving || g->closed > 0 || n > g->free;
}

uint32_t weir_gate_enter(weir_gate *g, uint32_t n)
{
    pthread_mutex_lock(&g->lock);
    g->stats.entered++;
    if (n > g->credits) n = g->credits;
    if (g->on) {
        uint64_t ticket = g->next_ticket++, t0 = 0;
        while (must_wait(g, ticket, n)) {
            if (t0 == 0) t0 = weir_now_ns();
            pthread_cond_wait(&g->changed, &g->lock);
        }
        if (t0 != 0) {
            g->stats.waited++;
            g->stats.waited_ns += weir_now_ns() - t0;
        }
        g->serving++;
        g->free -= n;
        pthread_cond_broadcast(&g->changed);
    }
    pthread_mutex_unlock(&g->lock);
    return n;
}

void weir_gate_leave(weir_gate *g, uint32_t n)
{
    if (!g->on) return;
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
