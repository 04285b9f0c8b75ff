/* What all jobs of one circuit share. */
#include "base/alloc.h"
#include "base/clock.h"
#include "engine/proof_state.h"

#include <stdio.h>

static bool is_aside(const weir_proof_kind *k, uint32_t device)
{
    return k->config.aside >> device & 1;
}

static weir_err reserve(weir_proof_kind *k, const weir_bytes *need, uint32_t device,
                        weir_errinfo *ei)
{
    weir_budget *b = k->config.engine ? weir_engine_budget(k->config.engine) : NULL;
    weir_bytes left;
    char what[48];
    if (!b) return WEIR_OK;
    if (is_aside(k, device) ? weir_budget_reserve(b, need) : weir_budget_reserve_lasting(b, need))
        return WEIR_OK;
    snprintf(what, sizeof what, "a session on device %u", device);
    WEIR_TRY(weir_budget_fits(b, need, what, ei));
    weir_budget_left(b, &left);
    return weir_fail(ei, WEIR_E_NOMEM,
                     "%s needs %llu bytes of host memory and %llu of the device's, and of those "
                     "that may be used %llu and %llu are left",
                     what, (unsigned long long)need->host, (unsigned long long)need->device[device],
                     (unsigned long long)left.host, (unsigned long long)left.device[device]);
}

static void give_back(weir_proof_kind *k, const weir_bytes *need, uint32_t device)
{
    if (!k->config.engine) return;
    weir_budget *b = weir_engine_budget(k->config.engine);
    if (is_aside(k, device))
        weir_budget_give_back(b, need);
    else
        weir_budget_give_back_lasting(b, need);
}

/* What the CPU takes in each run of a lasting session. */
static weir_err reserve_slabs(weir_proof_kind *k, uint32_t device, const weir_need *need,
                              weir_errinfo *ei)
{
    if (!k->config.engine || is_aside(k, device) || k->config.backend[device] != weir_cpu_backend())
        return WEIR_OK;
    return weir_engine_reserve_slabs(k->config.engine, device, need->host_bytes, ei);
}

weir_err proof_session_open(weir_proof_kind *k, proof_session *s, uint32_t device,
                            const weir_exec *x, weir_errinfo *ei)
{
    const weir_backend *b = k->config.backend[device];
    uint64_t budget = k->config.budget_bytes[device];
    weir_need need;
    *s = (proof_session){0};
    WEIR_TRY(weir_backend_clip(b, &budget, ei));
    WEIR_TRY(b->bytes(b, &need, k->config.rel, WEIR_TERMS_ALL, budget, x, ei));
    s->bytes.host = need.host_bytes;
    s->bytes.pinned = need.pinned_bytes;
    if (b != weir_cpu_backend()) s->bytes.device[device] = need.device_bytes; /* else the host's */
    WEIR_TRY(reserve(k, &s->bytes, device, ei));
    weir_err err = reserve_slabs(k, device, &need, ei);
    if (err == WEIR_OK)
        err = b->begin(b, &s->session, k->config.rel, &k->config.key->points, WEIR_TERMS_ALL,
                       budget, x, ei);
    if (err != WEIR_OK) give_back(k, &s->bytes, device);
    return err;
}

void proof_session_close(weir_proof_kind *k, proof_session *s, uint32_t device)
{
    if (!s->session) return;
    k->config.backend[device]->end(s->session);
    give_back(k, &s->bytes, device);
    s->session = NULL;
}

/* ---- keys that come and go
 *
 * What a session takes of the host stays reserved from the start, so that no proof fails because jobs have that memory when its key is to
 * come back. */

static weir_err need_of(const weir_proof_kind *k, weir_need *out, uint32_t device,
                        const weir_exec *x, weir_errinfo *ei)
{
    const weir_backend *b = k->config.backend[device];
    return b->bytes(b, out, k->config.rel, WEIR_TERMS_ALL, k->config.budget_bytes[device], x, ei);
}

static weir_err key_bytes(void *ctx, uint32_t place, weir_bytes *out, const weir_exec *x,
                          weir_errinfo *ei)
{
    weir_need need;
    WEIR_TRY(need_of(ctx, &need, place, x, ei));
    out->device[place] = need.device_bytes;
    return WEIR_OK;
}

static weir_err begin_cached(weir_proof_kind *k, uint32_t device, const weir_exec *x,
                             weir_errinfo *ei)
{
    const weir_backend *b = k->config.backend[device];
    proof_session *s = &k->session[device];
    *s = (proof_session){0};
    WEIR_TRY(key_bytes(k, device, &s->bytes, x, ei));
    WEIR_TRY(reserve(k, &s->bytes, device, ei));
    weir_err err = b->begin(b, &s->session, k->config.rel, &k->config.key->points, WEIR_TERMS_ALL,
                            k->config.budget_bytes[device], x, ei);
    if (err != WEIR_OK) give_back(k, &s->bytes, device);
    return err;
}

static weir_err key_bring(void *ctx, uint32_t place, const weir_exec *x, weir_errinfo *ei)
{
    weir_proof_kind *k = ctx;
    weir_exec loading = *x;
    weir_pool *pool = NULL;
    const uint64_t begin = weir_now_ns();
    if (k->config.load_threads > 0) {
        WEIR_TRY(weir_pool_new(&pool, k->config.load_threads, ei));
        loading.pool = pool;
    }
    weir_err err = begin_cached(k, place, &loading, ei);
    weir_pool_free(pool);
    weir_exec_transferred(x, begin, weir_now_ns());
    return err;
}

static void key_drop(void *ctx, uint32_t place)
{
    weir_proof_kind *k = ctx;
    proof_session_close(k, &k->session[place], place);
}

static const weir_key_ops key_ops = {key_bytes, key_bring, key_drop};

static weir_err add_cached(weir_proof_kind *k, uint32_t device, weir_errinfo *ei)
{
    const weir_exec *x = &k->config.exec;
    weir_bytes keep = {0};
    weir_need need;
    if (k->key == 0) WEIR_TRY(weir_key_cache_add(k->config.cache, &k->key, &key_ops, k, ei));
    WEIR_TRY(need_of(k, &need, device, x, ei));
    keep.host = need.host_bytes;
    keep.pinned = need.pinned_bytes;
    WEIR_TRY(reserve(k, &keep, device, ei));
    k->kept[device] = keep;
    k->cached |= (uint32_t)1 << device;
    return weir_key_cache_prefetch(k->config.cache, k->key, device, x, ei);
}

static void remove_cached(weir_proof_kind *k)
{
    if (k->key == 0) return;
    weir_key_cache_remove(k->config.cache, k->key);
    for (uint32_t d = 0; d < WEIR_ENGINE_MAX_DEVICES; d++)
        if (k->cached >> d & 1) give_back(k, &k->kept[d], d);
}

weir_err proof_session_take(weir_proof_kind *k, weir_session **out, uint32_t device,
                            const weir_exec *x, weir_errinfo *ei)
{
    if (k->cached >> device & 1)
        WEIR_TRY(weir_key_cache_take(k->config.cache, k->key, device, x, ei));
    *out = k->session[device].session;
    return WEIR_OK;
}

void proof_session_give(weir_proof_kind *k, uint32_t device)
{
    if (k->cached >> device & 1) weir_key_cache_give(k->config.cache, k->key, device);
}

uint32_t weir_proof_kind_cold(const weir_proof_kind *k)
{
    uint32_t cold = 0;
    for (uint32_t d = 0; d < WEIR_ENGINE_MAX_DEVICES && k->cached >> d; d++)
        if ((k->cached >> d & 1) && !weir_key_cache_is_at(k->config.cache, k->key, d))
            cold |= (uint32_t)1 << d;
    return cold;
}

/* ---- a kind */

static weir_err open_device(weir_proof_kind *k, uint32_t device, weir_errinfo *ei)
{
    const weir_proof_kind_config *c = &k->config;
    uint32_t bit = (uint32_t)1 << device;
    if (!c->backend[device]) return WEIR_OK;
    if (is_aside(k, device)) {
        k->aside |= bit;
        return WEIR_OK;
    }
    k->devices |= bit;
    if (c->cache && c->backend[device] != weir_cpu_backend()) return add_cached(k, device, ei);
    return proof_session_open(k, &k->session[device], device, &c->exec, ei);
}

weir_err weir_proof_kind_new(weir_proof_kind **out, const weir_proof_kind_config *config,
                             weir_errinfo *ei)
{
    *out = NULL;
    WEIR_TRY(weir_pkey_fits(config->key, config->rel, ei));
    weir_proof_kind *k = weir_calloc(1, sizeof *k);
    if (!k) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a kind of proofs");
    k->config = *config;
    weir_err err = WEIR_OK;
    for (uint32_t d = 0; d < WEIR_ENGINE_MAX_DEVICES && err == WEIR_OK; d++)
        err = open_device(k, d, ei);
    if (err == WEIR_OK)
        *out = k;
    else
        weir_proof_kind_free(k);
    return err;
}

void weir_proof_kind_free(weir_proof_kind *k)
{
    if (!k) return;
    remove_cached(k);
    for (uint32_t d = 0; d < WEIR_ENGINE_MAX_DEVICES; d++)
        proof_session_close(k, &k->session[d], d);
    weir_free(k);
}

uint64_t weir_proof_kind_part_bytes(const weir_proof_kind *k)
{
    return weir_witness_bytes(k->config.rel);
}
