/* What all jobs of one circuit share. */
#include "base/alloc.h"
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

weir_err weir_proof_kind_new(weir_proof_kind **out, const weir_proof_kind_config *config,
                             weir_errinfo *ei)
{
    *out = NULL;
    WEIR_TRY(weir_pkey_fits(config->key, config->rel, ei));
    weir_proof_kind *k = weir_calloc(1, sizeof *k);
    if (!k) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a kind of proofs");
    k->config = *config;
    weir_err err = WEIR_OK;
    for (uint32_t d = 0; d < WEIR_ENGINE_MAX_DEVICES && err == WEIR_OK; d++) {
        if (!config->backend[d]) continue;
        if (is_aside(k, d))
            k->aside |= (uint32_t)1 << d;
        else
            err = proof_session_open(k, &k->session[d], d, &config->exec, ei);
        if (!is_aside(k, d)) k->devices |= (uint32_t)1 << d;
    }
    if (err == WEIR_OK)
        *out = k;
    else
        weir_proof_kind_free(k);
    return err;
}

void weir_proof_kind_free(weir_proof_kind *k)
{
    if (!k) return;
    for (uint32_t d = 0; d < WEIR_ENGINE_MAX_DEVICES; d++)
        proof_session_close(k, &k->session[d], d);
    weir_free(k);
}

uint64_t weir_proof_kind_part_bytes(const weir_proof_kind *k)
{
    return weir_witness_bytes(k->config.rel);
}
