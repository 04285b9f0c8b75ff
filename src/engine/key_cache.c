#include "engine/key_cache.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <pthread.h>
#include <stdio.h>

/* ABSENT ─► MOVING ─► THERE ─► MOVING ─► ABSENT */
typedef enum stay_state { ABSENT, MOVING, THERE } stay_state;

/* One key at one place. */
typedef struct stay {
    stay_state state;
    uint32_t users;
    uint64_t used_at; /* the cache's count of takes */
    weir_bytes bytes; /* reserved */
} stay;

typedef struct entry {
    struct entry *next;
    uint64_t id;
    const weir_key_ops *ops;
    void *ctx;
    stay at[WEIR_PLACES];
} entry;

struct weir_key_cache {
    pthread_mutex_t lock;
    pthread_cond_t moved; /* something came to rest, or was given back */
    weir_budget *budget;
    entry *first;
    uint64_t next_id, takes;
    weir_key_cache_stats stats;
};

weir_err weir_key_cache_new(weir_key_cache **out, const weir_bytes *limit, weir_errinfo *ei)
{
    weir_key_cache *c = weir_calloc(1, sizeof *c);
    *out = NULL;
    if (!c) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a cache of keys");
    weir_err err = weir_budget_new(&c->budget, limit, ei);
    if (err != WEIR_OK) {
        weir_free(c);
        return err;
    }
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->moved, NULL);
    c->next_id = 1;
    *out = c;
    return WEIR_OK;
}

/* ---- with the lock held */

static entry *find(weir_key_cache *c, uint64_t id)
{
    entry *e = c->first;
    while (e && e->id != id) e = e->next;
    return e;
}

static void wait_moved(weir_key_cache *c)
{
    pthread_cond_wait(&c->moved, &c->lock);
}

/* Drops a key that is THERE and that nobody uses. The lock is given up meanwhile. */
static void drop(weir_key_cache *c, entry *e, uint32_t place)
{
    stay *s = &e->at[place];
    s->state = MOVING;
    pthread_mutex_unlock(&c->lock);
    e->ops->drop(e->ctx, place);
    pthread_mutex_lock(&c->lock);
    weir_budget_give_back(c->budget, &s->bytes);
    s->bytes = (weir_bytes){0};
    s->state = ABSENT;
    pthread_cond_broadcast(&c->moved);
}

/* Does dropping one of these bytes help where those are short? */
static bool helps(const weir_bytes *held, const weir_bytes *need, const weir_bytes *left)
{
    if (need->host > left->host && held->host > 0) return true;
    if (need->pinned > left->pinned && held->pinned > 0) return true;
    for (int d = 0; d < WEIR_BUDGET_DEVICES; d++)
        if (need->device[d] > left->device[d] && held->device[d] > 0) return true;
    return false;
}

/* Of all stays that nobody uses and whose end would help, the one used longest ago. *moving: some such stay is on its way out or
 * in, so that waiting may help. */
static bool find_victim(weir_key_cache *c, const weir_bytes *need, entry **out, uint32_t *place,
                        bool *moving)
{
    weir_bytes left;
    uint64_t oldest = UINT64_MAX;
    weir_budget_left(c->budget, &left);
    *moving = false;
    for (entry *e = c->first; e; e = e->next)
        for (uint32_t p = 0; p < WEIR_PLACES; p++) {
            const stay *s = &e->at[p];
            if (s->state == ABSENT || !helps(&s->bytes, need, &left)) continue;
            if (s->state == MOVING) *moving = true;
            if (s->state != THERE || s->users > 0 || s->used_at >= oldest) continue;
            oldest = s->used_at;
            *out = e;
            *place = p;
        }
    return oldest != UINT64_MAX;
}

static weir_err no_room(weir_key_cache *c, const weir_bytes *need, uint32_t place, weir_errinfo *ei)
{
    weir_bytes left;
    char where[32] = "host memory";
    weir_budget_left(c->budget, &left);
    if (place < WEIR_PLACE_HOST) snprintf(where, sizeof where, "device %u", place);
    uint64_t wants = place < WEIR_PLACE_HOST ? need->device[place] : need->host,
             has = place < WEIR_PLACE_HOST ? left.device[place] : left.host;
    return weir_fail(ei, WEIR_E_NOMEM,
                     "a key needs %llu bytes on %s, and beside the keys that are in use %llu are "
                     "left; give keys more memory, or wait for the work that uses them",
                     (unsigned long long)wants, where, (unsigned long long)has);
}

/* Reserves for a stay, at the cost of others. *in_use: what is short is held by keys in use. */
static weir_err make_room(weir_key_cache *c, const weir_bytes *need, uint32_t place,
                          const weir_exec *x, bool *in_use, weir_errinfo *ei)
{
    *in_use = false;
    WEIR_TRY(weir_budget_fits(c->budget, need, "a key", ei));
    while (!weir_budget_reserve(c->budget, need)) {
        entry *e = NULL;
        uint32_t p = 0;
        bool moving;
        if (weir_exec_cancelled(x)) return weir_fail(ei, WEIR_E_CANCELLED, "stopped");
        if (find_victim(c, need, &e, &p, &moving)) {
            c->stats.dropped++;
            drop(c, e, p);
        } else if (moving) {
            wait_moved(c);
        } else {
            *in_use = true;
            return no_room(c, need, place, ei);
        }
    }
    return WEIR_OK;
}

/* The stay is MOVING, and its own. The lock is given up while the key's functions work. */
static weir_err bring(weir_key_cache *c, entry *e, uint32_t place, const weir_exec *x, bool *in_use,
                      weir_errinfo *ei)
{
    stay *s = &e->at[place];
    weir_bytes need = {0};
    pthread_mutex_unlock(&c->lock);
    weir_err err = e->ops->bytes(e->ctx, place, &need, x, ei);
    pthread_mutex_lock(&c->lock);
    if (err == WEIR_OK) err = make_room(c, &need, place, x, in_use, ei);
    if (err != WEIR_OK) return err;
    s->bytes = need;
    pthread_mutex_unlock(&c->lock);
    uint64_t t0 = weir_now_ns();
    err = e->ops->bring(e->ctx, place, x, ei);
    uint64_t took = weir_now_ns() - t0;
    pthread_mutex_lock(&c->lock);
    if (err != WEIR_OK) {
        weir_budget_give_back(c->budget, &need);
        s->bytes = (weir_bytes){0};
    }
    c->stats.bring_ns += took;
    c->stats.brought += err == WEIR_OK;
    return err;
}

static weir_err take(weir_key_cache *c, entry *e, uint32_t place, const weir_exec *x, bool *in_use,
                     weir_errinfo *ei)
{
    stay *s = &e->at[place];
    *in_use = false;
    while (s->state == MOVING) wait_moved(c);
    if (s->state == THERE) {
        c->stats.hits++;
    } else {
        s->state = MOVING;
        weir_err err = bring(c, e, place, x, in_use, ei);
        s->state = err == WEIR_OK ? THERE : ABSENT;
        pthread_cond_broadcast(&c->moved);
        if (err != WEIR_OK) return err;
    }
    s->users++;
    s->used_at = ++c->takes;
    return WEIR_OK;
}

static void drop_everywhere(weir_key_cache *c, entry *e)
{
    for (uint32_t p = 0; p < WEIR_PLACES; p++) {
        while (e->at[p].state == MOVING) wait_moved(c);
        if (e->at[p].state == THERE) drop(c, e, p);
    }
}

/* ---- the interface */

void weir_key_cache_free(weir_key_cache *c)
{
    if (!c) return;
    while (c->first) weir_key_cache_remove(c, c->first->id);
    weir_budget_free(c->budget);
    pthread_cond_destroy(&c->moved);
    pthread_mutex_destroy(&c->lock);
    weir_free(c);
}

weir_err weir_key_cache_add(weir_key_cache *c, uint64_t *id, const weir_key_ops *ops, void *ctx,
                            weir_errinfo *ei)
{
    entry *e = weir_calloc(1, sizeof *e);
    *id = 0;
    if (!e) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a key");
    e->ops = ops;
    e->ctx = ctx;
    pthread_mutex_lock(&c->lock);
    *id = e->id = c->next_id++;
    e->next = c->first;
    c->first = e;
    pthread_mutex_unlock(&c->lock);
    return WEIR_OK;
}

void weir_key_cache_remove(weir_key_cache *c, uint64_t id)
{
    pthread_mutex_lock(&c->lock);
    entry *e = find(c, id);
    drop_everywhere(c, e);
    entry **at = &c->first;
    while (*at != e) at = &(*at)->next;
    *at = e->next;
    pthread_mutex_unlock(&c->lock);
    weir_free(e);
}

weir_err weir_key_cache_take(weir_key_cache *c, uint64_t id, uint32_t place, const weir_exec *x,
                             weir_errinfo *ei)
{
    bool in_use;
    pthread_mutex_lock(&c->lock);
    weir_err err = take(c, find(c, id), place, x, &in_use, ei);
    pthread_mutex_unlock(&c->lock);
    return err;
}

weir_err weir_key_cache_prefetch(weir_key_cache *c, uint64_t id, uint32_t place, const weir_exec *x,
                                 weir_errinfo *ei)
{
    bool in_use;
    pthread_mutex_lock(&c->lock);
    entry *e = find(c, id);
    weir_err err = take(c, e, place, x, &in_use, ei);
    if (err == WEIR_OK) {
        e->at[place].users--;
        pthread_cond_broadcast(&c->moved);
    }
    pthread_mutex_unlock(&c->lock);
    return in_use ? WEIR_OK : err;
}

void weir_key_cache_give(weir_key_cache *c, uint64_t id, uint32_t place)
{
    pthread_mutex_lock(&c->lock);
    find(c, id)->at[place].users--;
    pthread_cond_broadcast(&c->moved);
    pthread_mutex_unlock(&c->lock);
}

bool weir_key_cache_is_at(weir_key_cache *c, uint64_t id, uint32_t place)
{
    pthread_mutex_lock(&c->lock);
    const entry *e = find(c, id);
    bool there = e && e->at[place].state == THERE;
    pthread_mutex_unlock(&c->lock);
    return there;
}

void weir_key_cache_count(weir_key_cache *c, weir_key_cache_stats *out)
{
    pthread_mutex_lock(&c->lock);
    *out = c->stats;
    weir_budget_used(c->budget, &out->used, &out->most);
    pthread_mutex_unlock(&c->lock);
}
