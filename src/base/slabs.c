#include "base/slabs.h"

#include "base/alloc.h"
#include "base/reclaim.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

/* Regions are whole huge pages, blocks in them whole small ones. */
enum { REGION_GRAIN = WEIR_HUGE_PAGE_BYTES, GRAIN = 16 << 10 };

typedef struct slab_block {
    char *p;
    size_t bytes;
    bool used, first, reserved; /* first: of its region; reserved: from the start, and to the end */
} slab_block;

/* Blocks region by region, by address within one. */
struct weir_slabs {
    weir_reclaimer *reclaimer; /* NULL: POOL; else all blocks are its own */
    pthread_mutex_t lock;
    slab_block *block;
    size_t n, cap;
    weir_slabs_stats stats;
};

static size_t round_up(size_t bytes, size_t grain)
{
    return (bytes + grain - 1) / grain * grain;
}

/* Room for two more blocks, so that neither a region nor a cut can fail later. */
static bool make_room(weir_slabs *s)
{
    if (s->n + 2 <= s->cap) return true;
    size_t cap = 2 * s->cap + 8;
    slab_block *more = weir_realloc(s->block, cap, sizeof *more);
    if (!more) return false;
    s->block = more;
    s->cap = cap;
    return true;
}

static void insert(weir_slabs *s, size_t at, slab_block block)
{
    memmove(&s->block[at + 1], &s->block[at], (s->n - at) * sizeof block);
    s->block[at] = block;
    s->n++;
}

static void take_out(weir_slabs *s, size_t at)
{
    s->n--;
    memmove(&s->block[at], &s->block[at + 1], (s->n - at) * sizeof *s->block);
}

static bool ends_region(const weir_slabs *s, size_t at)
{
    return at + 1 == s->n || s->block[at + 1].first;
}

/* s->n if there is none. */
static size_t smallest_that_suffices(const weir_slabs *s, size_t bytes)
{
    size_t best = s->n;
    for (size_t i = 0; i < s->n; i++) {
        const slab_block *b = &s->block[i];
        if (!b->used && b->bytes >= bytes && (best == s->n || b->bytes < s->block[best].bytes))
            best = i;
    }
    return best;
}

/* all: what was reserved too. */
static void unmap_unused(weir_slabs *s, bool all)
{
    for (size_t i = s->n; i-- > 0;) {
        slab_block b = s->block[i];
        if (b.used || !b.first || !ends_region(s, i) || (b.reserved && !all)) continue;
        weir_big_free(b.p, b.bytes, 1);
        s->stats.mapped -= b.bytes;
        s->stats.unmaps++;
        take_out(s, i);
    }
}

static bool map_region(weir_slabs *s, size_t bytes)
{
    bytes = round_up(bytes, REGION_GRAIN);
    char *p = weir_big_alloc(bytes, 1);
    if (!p) return false;
    insert(s, s->n, (slab_block){.p = p, .bytes = bytes, .first = true});
    s->stats.mapped += bytes;
    s->stats.maps++;
    return true;
}

static void *take_block(weir_slabs *s, size_t bytes)
{
    if (!make_room(s)) return NULL;
    size_t at = smallest_that_suffices(s, bytes);
    if (at == s->n) {
        unmap_unused(s, false);
        at = s->n;
        if (!map_region(s, bytes)) return NULL;
    }
    slab_block *b = &s->block[at];
    slab_block rest = {.p = b->p + bytes, .bytes = b->bytes - bytes};
    b->bytes = bytes;
    b->used = true;
    s->stats.used += bytes;
    char *p = b->p;
    if (rest.bytes > 0) insert(s, at + 1, rest);
    return p;
}

static void give_block(weir_slabs *s, const void *p)
{
    size_t at = 0;
    while (at < s->n && s->block[at].p != p) at++;
    if (at == s->n) return;
    s->block[at].used = false;
    s->stats.used -= s->block[at].bytes;
    if (!ends_region(s, at) && !s->block[at + 1].used) {
        s->block[at].bytes += s->block[at + 1].bytes;
        take_out(s, at + 1);
    }
    if (!s->block[at].first && !s->block[at - 1].used) {
        s->block[at - 1].bytes += s->block[at].bytes;
        take_out(s, at);
    }
}

static weir_err check_config(const weir_slabs_config *c, weir_errinfo *ei)
{
    if (c->reclaim > WEIR_RECLAIM_DETACHED)
        return weir_fail(ei, WEIR_E_USAGE, "there is no way %d to give back buffers",
                         (int)c->reclaim);
    if (c->reclaim != WEIR_RECLAIM_POOL && c->reserve > 0)
        return weir_fail(ei, WEIR_E_USAGE,
                         "%zu bytes to be kept for buffers that are unmapped when they are given "
                         "back: only a pool keeps them",
                         c->reserve);
    if (c->reclaim == WEIR_RECLAIM_POOL && c->waiting_max > 0)
        return weir_fail(ei, WEIR_E_USAGE,
                         "a limit on buffers that wait to be unmapped: a pool unmaps none");
    if (c->reclaim != WEIR_RECLAIM_SERIAL && c->gate)
        return weir_fail(ei, WEIR_E_USAGE,
                         "a gate for buffers: only one thread that unmaps them all asks it");
    return WEIR_OK;
}

/* With the lock, or before anybody else has s. A smaller one that was reserved before loses that, and so goes. */
static weir_err reserve_region(weir_slabs *s, size_t bytes, weir_errinfo *ei)
{
    for (size_t i = 0; i < s->n; i++) {
        size_t region = s->block[i].bytes;
        for (size_t k = i; s->block[i].reserved && !ends_region(s, k);)
            region += s->block[++k].bytes;
        if (s->block[i].reserved && region >= bytes) return WEIR_OK;
    }
    for (size_t i = 0; i < s->n; i++) s->block[i].reserved = false;
    unmap_unused(s, false);
    if (bytes > SIZE_MAX - REGION_GRAIN || !make_room(s) || !map_region(s, bytes))
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for buffers of %zu bytes", bytes);
    s->block[s->n - 1].reserved = true;
    return WEIR_OK;
}

weir_err weir_slabs_reserve(weir_slabs *s, size_t bytes, weir_errinfo *ei)
{
    if (s->reclaimer || bytes == 0) return WEIR_OK;
    pthread_mutex_lock(&s->lock);
    weir_err err = reserve_region(s, bytes, ei);
    pthread_mutex_unlock(&s->lock);
    return err;
}

weir_err weir_slabs_new(weir_slabs **out, const weir_slabs_config *c, weir_errinfo *ei)
{
    static const weir_slabs_config pool = {.reclaim = WEIR_RECLAIM_POOL};
    weir_err err = WEIR_OK;
    *out = NULL;
    if (!c) c = &pool;
    WEIR_TRY(check_config(c, ei));
    weir_slabs *s = weir_calloc(1, sizeof *s);
    if (!s) return weir_fail(ei, WEIR_E_NOMEM, "no memory for buffers");
    pthread_mutex_init(&s->lock, NULL);
    if (c->reserve > 0) err = reserve_region(s, c->reserve, ei);
    if (c->reclaim != WEIR_RECLAIM_POOL) err = weir_reclaimer_new(&s->reclaimer, c, ei);
    if (err == WEIR_OK)
        *out = s;
    else
        weir_slabs_free(s);
    return err;
}

void weir_slabs_free(weir_slabs *s)
{
    if (!s) return;
    weir_reclaimer_free(s->reclaimer);
    unmap_unused(s, true);
    pthread_mutex_destroy(&s->lock);
    weir_free(s->block);
    weir_free(s);
}

/* False: from the heap, or fresh, without slabs. */
static bool from_region(const weir_slabs *s, size_t bytes)
{
    return s && bytes >= WEIR_SLAB_BYTES;
}

void *weir_slab_take(weir_slabs *s, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes) || bytes > SIZE_MAX - REGION_GRAIN) return NULL;
    if (!from_region(s, bytes)) return weir_scratch_alloc(bytes);
    if (s->reclaimer) return weir_reclaimer_take(s->reclaimer, bytes);
    pthread_mutex_lock(&s->lock);
    void *p = take_block(s, round_up(bytes, GRAIN));
    pthread_mutex_unlock(&s->lock);
    return p;
}

void weir_slab_give(weir_slabs *s, void *p, size_t n, size_t size)
{
    size_t bytes = n * size;
    if (!p) return;
    if (!from_region(s, bytes)) {
        weir_scratch_free(p, bytes);
        return;
    }
    if (s->reclaimer) {
        weir_reclaimer_give(s->reclaimer, p, bytes);
        return;
    }
    pthread_mutex_lock(&s->lock);
    give_block(s, p);
    pthread_mutex_unlock(&s->lock);
}

void weir_slabs_count(const weir_slabs *s, weir_slabs_stats *out)
{
    weir_slabs *locked = (weir_slabs *)(uintptr_t)s;
    if (s->reclaimer) {
        weir_reclaimer_count(s->reclaimer, out);
        return;
    }
    pthread_mutex_lock(&locked->lock);
    *out = s->stats;
    pthread_mutex_unlock(&locked->lock);
}
