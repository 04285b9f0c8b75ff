/* State, all under `lock` but for what an atomic reads:
 *   first, last    SERIAL: blocks that were given back and that the thread has not yet taken up
 *   waiting        blocks that were given back and are still mapped, and their bytes; in DETACHED each has a thread
 *   hurry          givers that wait for room, and one more when all ends: the thread then unmaps without asking the gate, since
 *                  who waits may be the very one that holds credits or has closed it. The gate reads it without the lock, in relaxed
 *                  order: it says only that, and no data hangs on it
 * A block that waits holds its own place in the queue, so giving one back takes no memory. */
#include "base/reclaim.h"

#include "base/alloc.h"
#include "base/gate.h"

#include <pthread.h>
#include <stdbool.h>

typedef struct block {
    struct block *next;
    size_t bytes;
    weir_reclaimer *owner;
} block;

struct weir_reclaimer {
    pthread_mutex_t lock;
    pthread_cond_t given, unmapped;
    weir_slabs_config config;
    pthread_t thread;
    bool started, ending; /* started: the thread of SERIAL */
    block *first, *last;
    uint64_t waiting, waiting_bytes;
    int hurry;
    weir_slabs_stats stats;
};

/* ---- unmapping */

/* Under the lock: so many bytes are mapped no longer. */
static void count_unmapped(weir_reclaimer *r, size_t bytes)
{
    r->stats.mapped -= bytes;
    r->stats.unmaps++;
}

/* Under the lock: one that waited. */
static void count_reclaimed(weir_reclaimer *r, size_t bytes)
{
    count_unmapped(r, bytes);
    r->stats.reclaimed++;
    r->waiting--;
    r->waiting_bytes -= bytes;
    pthread_cond_broadcast(&r->unmapped);
}

static void unmap_at_gate(weir_reclaimer *r, block *b)
{
    weir_gate *gate = r->config.gate;
    uint32_t credits = gate ? weir_gate_enter_unless(gate, 1, &r->hurry, NULL) : 0;
    weir_big_free(b, b->bytes, 1);
    if (gate) weir_gate_leave(gate, credits);
}

static void *serial_main(void *arg)
{
    weir_reclaimer *r = arg;
    pthread_mutex_lock(&r->lock);
    for (;;) {
        while (!r->first && !r->ending) pthread_cond_wait(&r->given, &r->lock);
        block *b = r->first;
        if (!b) break;
        size_t bytes = b->bytes;
        r->first = b->next;
        pthread_mutex_unlock(&r->lock);
        unmap_at_gate(r, b);
        pthread_mutex_lock(&r->lock);
        count_reclaimed(r, bytes);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static void *detached_main(void *arg)
{
    block *b = arg;
    weir_reclaimer *r = b->owner;
    size_t bytes = b->bytes;
    weir_big_free(b, bytes, 1);
    pthread_mutex_lock(&r->lock);
    count_reclaimed(r, bytes); /* nothing of r is touched after this lock is let go */
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static bool start_detached(block *b)
{
    pthread_t thread;
    pthread_attr_t attr;
    if (pthread_attr_init(&attr) != 0) return false;
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    bool ok = pthread_create(&thread, &attr, detached_main, b) == 0;
    pthread_attr_destroy(&attr);
    return ok;
}

/* ---- taking and giving */

void *weir_reclaimer_take(weir_reclaimer *r, size_t bytes)
{
    void *p = weir_big_alloc(bytes, 1);
    if (!p) return NULL;
    pthread_mutex_lock(&r->lock);
    r->stats.mapped += bytes;
    r->stats.used += bytes;
    r->stats.maps++;
    pthread_mutex_unlock(&r->lock);
    return p;
}

/* Under the lock. A block larger than the limit goes when it is alone. */
static void wait_for_room(weir_reclaimer *r, size_t bytes)
{
    const uint64_t most = r->config.waiting_max;
    if (most == 0) return;
    __atomic_add_fetch(&r->hurry, 1, __ATOMIC_RELAXED);
    while (r->waiting > 0 && r->waiting_bytes + bytes > most)
        pthread_cond_wait(&r->unmapped, &r->lock);
    __atomic_sub_fetch(&r->hurry, 1, __ATOMIC_RELAXED);
}

static void enqueue(weir_reclaimer *r, block *b)
{
    b->next = NULL;
    if (r->first)
        r->last->next = b;
    else
        r->first = b;
    r->last = b;
    pthread_cond_signal(&r->given);
}

static void unmap_here(weir_reclaimer *r, void *p, size_t bytes)
{
    weir_big_free(p, bytes, 1);
    pthread_mutex_lock(&r->lock);
    count_unmapped(r, bytes);
    pthread_mutex_unlock(&r->lock);
}

/* Under the lock. False: there is no thread that would unmap it. */
static bool hand_over(weir_reclaimer *r, block *b)
{
    if (r->config.reclaim == WEIR_RECLAIM_DETACHED) {
        if (!start_detached(b)) return false;
        r->stats.threads++;
    } else {
        if (!r->started) return false;
        enqueue(r, b);
    }
    return true;
}

void weir_reclaimer_give(weir_reclaimer *r, void *p, size_t bytes)
{
    block *b = p;
    *b = (block){.bytes = bytes, .owner = r};
    pthread_mutex_lock(&r->lock);
    r->stats.used -= bytes;
    wait_for_room(r, bytes);
    bool handed = hand_over(r, b); /* from here on b may be gone */
    if (handed) {
        r->waiting++;
        r->waiting_bytes += bytes;
        if (r->waiting > r->stats.queued_most) r->stats.queued_most = r->waiting;
    }
    pthread_mutex_unlock(&r->lock);
    if (!handed) unmap_here(r, p, bytes);
}

/* ---- the whole */

weir_err weir_reclaimer_new(weir_reclaimer **out, const weir_slabs_config *c, weir_errinfo *ei)
{
    weir_reclaimer *r = weir_calloc(1, sizeof *r);
    *out = NULL;
    if (!r) return weir_fail(ei, WEIR_E_NOMEM, "no memory for the list of buffers to unmap");
    r->config = *c;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->given, NULL);
    pthread_cond_init(&r->unmapped, NULL);
    if (c->reclaim == WEIR_RECLAIM_SERIAL)
        r->started = pthread_create(&r->thread, NULL, serial_main, r) == 0;
    r->stats.threads = r->started;
    *out = r;
    return WEIR_OK;
}

void weir_reclaimer_free(weir_reclaimer *r)
{
    if (!r) return;
    pthread_mutex_lock(&r->lock);
    r->ending = true;
    __atomic_add_fetch(&r->hurry, 1, __ATOMIC_RELAXED);
    pthread_cond_signal(&r->given);
    while (r->waiting > 0) pthread_cond_wait(&r->unmapped, &r->lock);
    pthread_mutex_unlock(&r->lock);
    if (r->started) pthread_join(r->thread, NULL);
    pthread_cond_destroy(&r->given);
    pthread_cond_destroy(&r->unmapped);
    pthread_mutex_destroy(&r->lock);
    weir_free(r);
}

void weir_reclaimer_count(weir_reclaimer *r, weir_slabs_stats *out)
{
    pthread_mutex_lock(&r->lock);
    *out = r->stats;
    pthread_mutex_unlock(&r->lock);
}
