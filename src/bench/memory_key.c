#include "bench/memory_key.h"

#include "base/alloc.h"

#include <string.h>

uint64_t weir_memory_key_bytes(const weir_relation *rel)
{
    uint64_t count[WEIR_KEY_SECTIONS], bytes = 0;
    weir_key_points_expected(count, rel);
    for (int s = 0; s < WEIR_KEY_B_G2; s++) bytes += count[s] * sizeof(weir_g1_affine);
    return bytes + count[WEIR_KEY_B_G2] * sizeof(weir_g2_affine);
}

/* ---- in */

static weir_err sink_begin(void *ctx, const weir_vk *vk, const uint64_t count[WEIR_KEY_SECTIONS],
                           weir_errinfo *ei)
{
    weir_memory_key *k = ctx;
    weir_g1_affine *ic = weir_malloc(vk->n_ic, sizeof *ic);
    bool good = ic != NULL;
    k->vk = *vk;
    k->vk.ic = ic;
    if (ic) memcpy(ic, vk->ic, vk->n_ic * sizeof *ic);
    memcpy(k->key.points.count, count, sizeof k->key.points.count);
    for (int s = 0; s < WEIR_KEY_B_G2; s++) {
        k->g1[s] = weir_big_alloc(count[s], sizeof *k->g1[s]);
        good = good && k->g1[s];
    }
    k->g2 = weir_big_alloc(count[WEIR_KEY_B_G2], sizeof *k->g2);
    if (good && k->g2) return WEIR_OK;
    return weir_fail(ei, WEIR_E_NOMEM, "no memory for the key");
}

static weir_err sink_g1(void *ctx, weir_key_section section, const weir_g1_affine *points, size_t n,
                        weir_errinfo *ei)
{
    weir_memory_key *k = ctx;
    (void)ei;
    memcpy(k->g1[section] + k->_filled[section], points, n * sizeof *points);
    k->_filled[section] += n;
    return WEIR_OK;
}

static weir_err sink_g2(void *ctx, weir_key_section section, const weir_g2_affine *points, size_t n,
                        weir_errinfo *ei)
{
    weir_memory_key *k = ctx;
    (void)ei;
    memcpy(k->g2 + k->_filled[section], points, n * sizeof *points);
    k->_filled[section] += n;
    return WEIR_OK;
}

/* ---- out */

static weir_err read_g1(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g1_affine *out, weir_isa isa, weir_errinfo *ei)
{
    const weir_memory_key *k = ctx;
    (void)isa, (void)ei;
    memcpy(out, k->g1[section] + first, n * sizeof *out);
    return WEIR_OK;
}

static weir_err read_g2(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g2_affine *out, weir_isa isa, weir_errinfo *ei)
{
    const weir_memory_key *k = ctx;
    (void)section, (void)isa, (void)ei;
    memcpy(out, k->g2 + first, n * sizeof *out);
    return WEIR_OK;
}

weir_err weir_memory_key_make(weir_memory_key *k, const weir_relation *rel,
                              const weir_secrets *secrets, const weir_exec *x, weir_errinfo *ei)
{
    const weir_key_sink sink = {.ctx = k, .begin = sink_begin, .g1 = sink_g1, .g2 = sink_g2};
    k->key.vk = &k->vk;
    k->key.points.ctx = k;
    k->key.points.read_g1 = read_g1;
    k->key.points.read_g2 = read_g2;
    return weir_key_make(rel, secrets, NULL, &sink, x, ei);
}

void weir_memory_key_clear(weir_memory_key *k)
{
    const uint64_t *count = k->key.points.count;
    for (int s = 0; s < WEIR_KEY_B_G2; s++) weir_big_free(k->g1[s], count[s], sizeof *k->g1[s]);
    weir_big_free(k->g2, count[WEIR_KEY_B_G2], sizeof *k->g2);
    weir_free(k->vk.ic);
}
