#include "mem_key.h"

#include "base/bytes.h"
#include "curve/curve.h"
#include "testkit.h"

#include <stdlib.h>
#include <string.h>

void tk_mem_key_init(tk_mem_key *k)
{
    *k = (tk_mem_key){.sink_room = UINT64_MAX, .bad_section = WEIR_KEY_SECTIONS};
}

void tk_mem_key_clear(tk_mem_key *k)
{
    free(k->vk.ic);
    for (int s = 0; s < WEIR_KEY_B_G2; s++) free(k->g1[s]);
    free(k->g2);
    tk_mem_key_init(k);
}

static weir_err sink_begin(void *ctx, const weir_vk *vk, const uint64_t count[WEIR_KEY_SECTIONS],
                           weir_errinfo *ei)
{
    (void)ei;
    tk_mem_key *k = ctx;
    assert_null(k->vk.ic);
    k->vk = *vk;
    k->vk.ic = malloc(vk->n_ic * sizeof *k->vk.ic);
    memcpy(k->vk.ic, vk->ic, vk->n_ic * sizeof *k->vk.ic);
    for (int s = 0; s < WEIR_KEY_SECTIONS; s++) {
        k->count[s] = count[s];
        if (s < WEIR_KEY_B_G2) k->g1[s] = malloc(count[s] * sizeof *k->g1[s] + 1);
    }
    k->g2 = malloc(count[WEIR_KEY_B_G2] * sizeof *k->g2 + 1);
    return WEIR_OK;
}

/* Sections come in order, each complete before the next. */
static weir_err sink_check(tk_mem_key *k, weir_key_section section, size_t n, weir_errinfo *ei)
{
    assert_non_null(k->vk.ic);
    assert_true(n > 0 && n <= k->count[section] - k->filled[section]);
    for (int s = 0; s < WEIR_KEY_SECTIONS; s++)
        assert_true(s < (int)section ? k->filled[s] == k->count[s]
                                     : s == (int)section || k->filled[s] == 0);
    if (n > k->sink_room) return weir_fail(ei, WEIR_E_IO, "the sink is full");
    k->sink_room -= n;
    return WEIR_OK;
}

static weir_err sink_g1(void *ctx, weir_key_section section, const weir_g1_affine *points, size_t n,
                        weir_errinfo *ei)
{
    tk_mem_key *k = ctx;
    assert_true(section < WEIR_KEY_B_G2);
    WEIR_TRY(sink_check(k, section, n, ei));
    memcpy(k->g1[section] + k->filled[section], points, n * sizeof *points);
    k->filled[section] += n;
    return WEIR_OK;
}

static weir_err sink_g2(void *ctx, weir_key_section section, const weir_g2_affine *points, size_t n,
                        weir_errinfo *ei)
{
    tk_mem_key *k = ctx;
    assert_int_equal(section, WEIR_KEY_B_G2);
    WEIR_TRY(sink_check(k, section, n, ei));
    memcpy(k->g2 + k->filled[section], points, n * sizeof *points);
    k->filled[section] += n;
    return WEIR_OK;
}

weir_key_sink tk_mem_key_sink(tk_mem_key *k)
{
    return (weir_key_sink){.ctx = k, .begin = sink_begin, .g1 = sink_g1, .g2 = sink_g2};
}

static weir_err read_check(const tk_mem_key *k, weir_key_section section, uint64_t first, size_t n,
                           weir_errinfo *ei)
{
    if (first > k->count[section] || n > k->count[section] - first)
        return weir_fail(ei, WEIR_E_INTERNAL, "the reader was asked for points that are not there");
    for (int i = 0; i < 2; i++) {
        uint64_t bad = k->bad_point[i];
        if (section == k->bad_section && bad >= first && bad - first < n)
            return weir_fail(ei, WEIR_E_NOT_ON_CURVE, "section %s point %llu",
                             weir_key_section_names[section], (unsigned long long)bad);
    }
    return WEIR_OK;
}

static weir_err read_g1(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g1_affine *out, weir_isa isa, weir_errinfo *ei)
{
    (void)isa;
    const tk_mem_key *k = ctx;
    WEIR_TRY(read_check(k, section, first, n, ei));
    memcpy(out, k->g1[section] + first, n * sizeof *out);
    return WEIR_OK;
}

static weir_err read_g2(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g2_affine *out, weir_isa isa, weir_errinfo *ei)
{
    (void)isa;
    const tk_mem_key *k = ctx;
    WEIR_TRY(read_check(k, section, first, n, ei));
    memcpy(out, k->g2 + first, n * sizeof *out);
    return WEIR_OK;
}

weir_pkey tk_mem_key_pkey(tk_mem_key *k)
{
    weir_pkey key = {.vk = &k->vk, .points = {.ctx = k, .read_g1 = read_g1, .read_g2 = read_g2}};
    memcpy(key.points.count, k->count, sizeof k->count);
    return key;
}

void tk_mem_key_make(tk_mem_key *k, const weir_relation *rel, const weir_secrets *s,
                     const weir_exec *x)
{
    weir_errinfo ei = {0};
    tk_mem_key_init(k);
    weir_key_sink sink = tk_mem_key_sink(k);
    if (weir_key_make(rel, s, NULL, &sink, x, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    for (int i = 0; i < WEIR_KEY_SECTIONS; i++) assert_int_equal(k->filled[i], k->count[i]);
}

static uint8_t *put_g1(uint8_t *at, const weir_g1_affine *p, size_t n)
{
    weir_curve_ops_get(WEIR_ISA_PORTABLE)->g1s_encode(at, p, n);
    return at + n * WEIR_G1_BYTES;
}

static uint8_t *put_g2(uint8_t *at, const weir_g2_affine *p, size_t n)
{
    weir_curve_ops_get(WEIR_ISA_PORTABLE)->g2s_encode(at, p, n);
    return at + n * WEIR_G2_BYTES;
}

static uint8_t *put_count(uint8_t *at, uint64_t n)
{
    weir_store_be32(at, (uint32_t)n);
    return at + 4;
}

uint8_t *tk_mem_key_params(const tk_mem_key *k, size_t *n, size_t *vk_bytes)
{
    size_t size = 3 * WEIR_G1_BYTES + 3 * WEIR_G2_BYTES + 4 + k->vk.n_ic * WEIR_G1_BYTES;
    *vk_bytes = size;
    for (int s = 0; s < WEIR_KEY_SECTIONS; s++)
        size += 4 + k->count[s] * (s == WEIR_KEY_B_G2 ? WEIR_G2_BYTES : WEIR_G1_BYTES);
    uint8_t *bytes = malloc(size), *at = bytes;
    at = put_g1(at, &k->vk.alpha_g1, 1);
    at = put_g1(at, &k->vk.beta_g1, 1);
    at = put_g2(at, &k->vk.beta_g2, 1);
    at = put_g2(at, &k->vk.gamma_g2, 1);
    at = put_g1(at, &k->vk.delta_g1, 1);
    at = put_g2(at, &k->vk.delta_g2, 1);
    at = put_g1(put_count(at, k->vk.n_ic), k->vk.ic, k->vk.n_ic);
    for (int s = 0; s < WEIR_KEY_B_G2; s++)
        at = put_g1(put_count(at, k->count[s]), k->g1[s], k->count[s]);
    at = put_g2(put_count(at, k->count[WEIR_KEY_B_G2]), k->g2, k->count[WEIR_KEY_B_G2]);
    assert_ptr_equal(at, bytes + size);
    *n = size;
    return bytes;
}
