/* Where keys are: on a device (hot), in host memory (warm), or in their files alone (cold), within bytes of each memory.
 *
 * A key is wanted at a place when work begins there, and is brought if it is not. What makes room for it is the key at that place that
 * nobody uses and that was used longest ago; then the next one. A key in use never goes. How a key is brought and dropped is its owner's
 * business (a table of functions): a session on a device, a copy of its arrays in memory.
 *
 * Thread: any, for all functions. What brings or drops runs without the cache's lock, so that other places go on meanwhile; for one key
 * at one place one thing at a time. */
#ifndef WEIR_ENGINE_KEY_CACHE_H
#define WEIR_ENGINE_KEY_CACHE_H

#include "base/exec.h"
#include "engine/budget.h"

/* Devices by number, and host memory. */
enum { WEIR_PLACE_HOST = WEIR_BUDGET_DEVICES, WEIR_PLACES };

typedef struct weir_key_ops {
    /* What it takes there. Errors: WEIR_E_NOMEM: it never fits there. */
    weir_err (*bytes)(void *ctx, uint32_t place, weir_bytes *out, const weir_exec *x,
                      weir_errinfo *ei);
    /* Errors: its own; nothing is held then. */
    weir_err (*bring)(void *ctx, uint32_t place, const weir_exec *x, weir_errinfo *ei);
    void (*drop)(void *ctx, uint32_t place);
} weir_key_ops;

typedef struct weir_key_cache weir_key_cache;

/* limit: what all keys together may take; UINT64_MAX: no limit. Errors: WEIR_E_NOMEM. */
weir_err weir_key_cache_new(weir_key_cache **out, const weir_bytes *limit,
                            weir_errinfo *ei) WEIR_MUST_USE;
/* Drops what is there. In: nothing is in use. NULL is allowed. */
void weir_key_cache_free(weir_key_cache *c);

/* A key, cold. *id: not 0. Keeps: ops, ctx, until it is removed. Errors: WEIR_E_NOMEM. */
weir_err weir_key_cache_add(weir_key_cache *c, uint64_t *id, const weir_key_ops *ops, void *ctx,
                            weir_errinfo *ei) WEIR_MUST_USE;
/* Drops it everywhere. In: it is not in use. */
void weir_key_cache_remove(weir_key_cache *c, uint64_t id);

/* The key is at this place from here until it is given back, as often as it was taken. Blocks: while it is brought, by this thread or another.
 * Errors: WEIR_E_NOMEM with what it needs and what others in use hold; those of the key's functions; WEIR_E_CANCELLED. */
weir_err weir_key_cache_take(weir_key_cache *c, uint64_t id, uint32_t place, const weir_exec *x,
                             weir_errinfo *ei) WEIR_MUST_USE;
/* Brings it there if it is not, as far as keys in use leave room: else it stays where it is, and that is no error. Errors: as take's but
 * for that; WEIR_E_NOMEM: it never fits. */
weir_err weir_key_cache_prefetch(weir_key_cache *c, uint64_t id, uint32_t place, const weir_exec *x,
                                 weir_errinfo *ei) WEIR_MUST_USE;
void weir_key_cache_give(weir_key_cache *c, uint64_t id, uint32_t place);

/* Is it there now? Cost: a look; never waits for what is being brought. */
bool weir_key_cache_is_at(weir_key_cache *c, uint64_t id, uint32_t place);

typedef struct weir_key_cache_stats {
    uint64_t hits, brought,
        dropped;       /* takes that found it there; that brought it; drops for others' sake */
    uint64_t bring_ns; /* in all */
    weir_bytes used, most;
} weir_key_cache_stats;
void weir_key_cache_count(weir_key_cache *c, weir_key_cache_stats *out);

#endif
