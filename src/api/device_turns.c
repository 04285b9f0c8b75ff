#include "api/device_turns.h"

#include "base/alloc.h"

struct weir_session {
    weir_turns *turns;
    weir_session *inner; /* the backend's own, of another struct of this name */
};

static void turn_take(weir_turns *t)
{
    pthread_mutex_lock(&t->_lock);
    uint64_t mine = t->_next++;
    while (t->_now != mine) pthread_cond_wait(&t->_passed, &t->_lock);
    pthread_mutex_unlock(&t->_lock);
}

static void turn_give(weir_turns *t)
{
    pthread_mutex_lock(&t->_lock);
    t->_now++;
    pthread_cond_broadcast(&t->_passed);
    pthread_mutex_unlock(&t->_lock);
}

static weir_turns *turns_of(const weir_backend *b)
{
    return b->device;
}

/* ---- the watch of a run: its own, and the turn is given up in a pause */

typedef struct run_watch {
    weir_turns *turns;
    const weir_watch *watch;
} run_watch;

static void watch_progress(void *ctx, const char *stage, uint64_t done, uint64_t total)
{
    const run_watch *r = ctx;
    if (r->watch->progress) r->watch->progress(r->watch->ctx, stage, done, total);
}

static bool watch_pause_wanted(void *ctx)
{
    const run_watch *r = ctx;
    return r->watch->pause_wanted(r->watch->ctx);
}

static void watch_pause(void *ctx)
{
    const run_watch *r = ctx;
    turn_give(r->turns);
    r->watch->pause(r->watch->ctx);
    turn_take(r->turns);
}

static void watch_waited(void *ctx, uint64_t begin_ns, uint64_t end_ns)
{
    const run_watch *r = ctx;
    if (r->watch->waited) r->watch->waited(r->watch->ctx, begin_ns, end_ns);
}

static void watch_transferred(void *ctx, uint64_t begin_ns, uint64_t end_ns)
{
    const run_watch *r = ctx;
    if (r->watch->transferred) r->watch->transferred(r->watch->ctx, begin_ns, end_ns);
}

/* ---- the table */

static weir_err turns_can(const weir_backend *b, const weir_relation *rel,
                          const weir_key_points *key, uint32_t terms, uint64_t budget_bytes,
                          const weir_exec *x, weir_errinfo *ei)
{
    weir_turns *t = turns_of(b);
    turn_take(t);
    weir_err err = t->_inner->can(t->_inner, rel, key, terms, budget_bytes, x, ei);
    turn_give(t);
    return err;
}

static weir_err turns_bytes(const weir_backend *b, weir_need *out, const weir_relation *rel,
                            uint32_t terms, uint64_t budget_bytes, const weir_exec *x,
                            weir_errinfo *ei)
{
    weir_turns *t = turns_of(b);
    turn_take(t);
    weir_err err = t->_inner->bytes(t->_inner, out, rel, terms, budget_bytes, x, ei);
    turn_give(t);
    return err;
}

static weir_err turns_free_bytes(const weir_backend *b, uint64_t *out, weir_errinfo *ei)
{
    weir_turns *t = turns_of(b);
    *out = UINT64_MAX;
    turn_take(t);
    weir_err err = weir_backend_clip(t->_inner, out, ei);
    turn_give(t);
    return err;
}

static weir_err turns_begin(const weir_backend *b, weir_session **out, const weir_relation *rel,
                            const weir_key_points *key, uint32_t terms, uint64_t budget_bytes,
                            const weir_exec *x, weir_errinfo *ei)
{
    weir_turns *t = turns_of(b);
    weir_session *s = weir_calloc(1, sizeof *s);
    *out = NULL;
    if (!s) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a session");
    s->turns = t;
    turn_take(t);
    weir_err err = t->_inner->begin(t->_inner, &s->inner, rel, key, terms, budget_bytes, x, ei);
    turn_give(t);
    if (err == WEIR_OK)
        *out = s;
    else
        weir_free(s);
    return err;
}

static weir_err turns_run(weir_session *s, weir_sums *out, const weir_witness *w,
                          weir_sums_stats *stats, const weir_exec *x, weir_errinfo *ei)
{
    run_watch r = {s->turns, x->watch};
    weir_exec inside = *x;
    weir_watch watch = {0};
    if (x->watch) {
        watch = (weir_watch){.progress = watch_progress,
                             .ctx = &r,
                             .cancel = x->watch->cancel,
                             .outer = x->watch->outer,
                             .waited = watch_waited,
                             .transferred = watch_transferred};
        if (x->watch->pause_wanted) watch.pause_wanted = watch_pause_wanted;
        if (x->watch->pause) watch.pause = watch_pause;
        inside.watch = &watch;
    }
    turn_take(s->turns);
    weir_err err = s->turns->_inner->run(s->inner, out, w, stats, &inside, ei);
    turn_give(s->turns);
    return err;
}

static void turns_end(weir_session *s)
{
    if (!s) return;
    turn_take(s->turns);
    s->turns->_inner->end(s->inner);
    turn_give(s->turns);
    weir_free(s);
}

void weir_turns_init(weir_turns *t, const weir_backend *inner)
{
    *t = (weir_turns){.table = {.name = inner->name,
                                .device = t,
                                .can = turns_can,
                                .bytes = turns_bytes,
                                .free_bytes = turns_free_bytes,
                                .begin = turns_begin,
                                .run = turns_run,
                                .end = turns_end},
                      ._inner = inner};
    pthread_mutex_init(&t->_lock, NULL);
    pthread_cond_init(&t->_passed, NULL);
}

void weir_turns_clear(weir_turns *t)
{
    if (!t->_inner) return;
    pthread_cond_destroy(&t->_passed);
    pthread_mutex_destroy(&t->_lock);
    t->_inner = NULL;
}
