#include "engine/budget.h"

#include "base/alloc.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct weir_budget {
    pthread_mutex_t lock;
    weir_bytes limit, now, most, lasting;
};

/* The kinds one after another, with their names. */
enum { KINDS = 2 + WEIR_BUDGET_DEVICES };

static uint64_t *kind(weir_bytes *b, int k)
{
    return k == 0 ? &b->host : k == 1 ? &b->pinned : &b->device[k - 2];
}

static uint64_t kind_of(const weir_bytes *b, int k)
{
    return k == 0 ? b->host : k == 1 ? b->pinned : b->device[k - 2];
}

weir_err weir_budget_new(weir_budget **out, const weir_bytes *limit, weir_errinfo *ei)
{
    weir_budget *b = weir_calloc(1, sizeof *b);
    *out = NULL;
    if (!b) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a budget");
    pthread_mutex_init(&b->lock, NULL);
    b->limit = *limit;
    *out = b;
    return WEIR_OK;
}

void weir_budget_free(weir_budget *b)
{
    if (!b) return;
    pthread_mutex_destroy(&b->lock);
    weir_free(b);
}

static weir_budget *unlocked(const weir_budget *b)
{
    return (weir_budget *)(uintptr_t)b;
}

weir_err weir_budget_fits(const weir_budget *b, const weir_bytes *need, const char *what,
                          weir_errinfo *ei)
{
    pthread_mutex_lock(&unlocked(b)->lock);
    const weir_bytes lasting = b->lasting;
    pthread_mutex_unlock(&unlocked(b)->lock);
    for (int k = 0; k < KINDS; k++) {
        uint64_t wants = kind_of(need, k), may = kind_of(&b->limit, k) - kind_of(&lasting, k);
        char memory[40];
        if (wants <= may) continue;
        if (k < 2)
            snprintf(memory, sizeof memory, "%s memory", k == 0 ? "host" : "pinned host");
        else
            snprintf(memory, sizeof memory, "memory of device %d", k - 2);
        return weir_fail(ei, WEIR_E_NOMEM, "%s needs %llu bytes of %s, and %llu may be used", what,
                         (unsigned long long)wants, memory, (unsigned long long)may);
    }
    return WEIR_OK;
}

static void add(weir_bytes *to, const weir_bytes *bytes)
{
    for (int k = 0; k < KINDS; k++) *kind(to, k) += kind_of(bytes, k);
}

static void subtract(weir_bytes *from, const weir_bytes *bytes)
{
    for (int k = 0; k < KINDS; k++) *kind(from, k) -= kind_of(bytes, k);
}

static bool reserve(weir_budget *b, const weir_bytes *need, bool lasts)
{
    bool fits = true;
    pthread_mutex_lock(&b->lock);
    for (int k = 0; k < KINDS; k++)
        fits = fits && kind_of(need, k) <= kind_of(&b->limit, k) - kind_of(&b->now, k);
    if (fits) add(&b->now, need);
    if (fits && lasts) add(&b->lasting, need);
    for (int k = 0; k < KINDS; k++)
        if (kind_of(&b->now, k) > kind_of(&b->most, k)) *kind(&b->most, k) = kind_of(&b->now, k);
    pthread_mutex_unlock(&b->lock);
    return fits;
}

static void give_back(weir_budget *b, const weir_bytes *bytes, bool lasts)
{
    pthread_mutex_lock(&b->lock);
    subtract(&b->now, bytes);
    if (lasts) subtract(&b->lasting, bytes);
    pthread_mutex_unlock(&b->lock);
}

bool weir_budget_reserve(weir_budget *b, const weir_bytes *need)
{
    return reserve(b, need, false);
}

bool weir_budget_reserve_lasting(weir_budget *b, const weir_bytes *need)
{
    return reserve(b, need, true);
}

void weir_budget_give_back(weir_budget *b, const weir_bytes *bytes)
{
    give_back(b, bytes, false);
}

void weir_budget_give_back_lasting(weir_budget *b, const weir_bytes *bytes)
{
    give_back(b, bytes, true);
}

void weir_budget_used(const weir_budget *b, weir_bytes *now, weir_bytes *most)
{
    pthread_mutex_lock(&unlocked(b)->lock);
    if (now) *now = b->now;
    if (most) *most = b->most;
    pthread_mutex_unlock(&unlocked(b)->lock);
}

void weir_budget_left(const weir_budget *b, weir_bytes *left)
{
    pthread_mutex_lock(&unlocked(b)->lock);
    for (int k = 0; k < KINDS; k++) *kind(left, k) = kind_of(&b->limit, k) - kind_of(&b->now, k);
    pthread_mutex_unlock(&unlocked(b)->lock);
}
