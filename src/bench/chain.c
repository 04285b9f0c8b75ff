#include "bench/chain.h"

#include "base/alloc.h"
#include "bench/rand.h"
#include "field/fr.h"
#include "relation/cs.h"

#include <string.h>

enum { INPUT_ROWS = 2 }; /* of ONE and of the last value */

static uint64_t squares(unsigned log2_rows)
{
    return (UINT64_C(1) << log2_rows) - INPUT_ROWS;
}

uint64_t weir_bench_chain_bytes(unsigned log2_rows)
{
    const uint64_t terms = 3 * (sizeof(weir_col) + sizeof(uint16_t) + sizeof(uint32_t));
    const uint64_t points = 4 * sizeof(weir_g1_affine) + sizeof(weir_g2_affine);
    return (terms + sizeof(weir_fr) + points) << log2_rows;
}

/* ---- relation and witness */

/* ctx: how many squares */
static weir_err shape(void *ctx, weir_cs *cs, weir_errinfo *ei)
{
    (void)ei;
    const uint64_t n = *(const uint64_t *)ctx;
    const weir_fr *one = &weir_cs_k(cs)->one;
    weir_col x = weir_cs_alloc(cs);
    for (uint64_t i = 0; i < n; i++) {
        weir_col next = i + 1 < n ? weir_cs_alloc(cs) : weir_cs_input(cs);
        weir_lc_add(cs, weir_cs_a(cs), x, one);
        weir_lc_add(cs, weir_cs_b(cs), x, one);
        weir_lc_add(cs, weir_cs_c(cs), next, one);
        weir_cs_end_row(cs);
        x = next;
    }
    return WEIR_OK;
}

static void fill(weir_witness *w, uint64_t n)
{
    weir_bench_rand g = {1};
    weir_packer p = weir_witness_packer(w, 0, 0);
    weir_fr x;
    weir_bench_rand_frs(&g, &x, 1);
    for (uint64_t i = 0; i < n; i++) {
        pack_dense(&p, &x);
        fr_sqr(&x, &x);
    }
    pack_input(&p, &x);
}

weir_err weir_bench_chain_init(weir_bench_chain *c, unsigned log2_rows, weir_errinfo *ei)
{
    uint64_t n = squares(log2_rows);
    WEIR_TRY(weir_relation_build(&c->rel, shape, &n, ei));
    WEIR_TRY(weir_witness_new(&c->w, c->rel, NULL, ei));
    fill(c->w, n);
    return WEIR_OK;
}

/* ---- the key in memory */

static weir_err sink_begin(void *ctx, const weir_vk *vk, const uint64_t count[WEIR_KEY_SECTIONS],
                           weir_errinfo *ei)
{
    weir_bench_chain *c = ctx;
    weir_g1_affine *ic = weir_malloc(vk->n_ic, sizeof *ic);
    bool good = ic != NULL;
    c->vk = *vk;
    c->vk.ic = ic;
    if (ic) memcpy(ic, vk->ic, vk->n_ic * sizeof *ic);
    memcpy(c->key.points.count, count, sizeof c->key.points.count);
    for (int s = 0; s < WEIR_KEY_B_G2; s++) {
        c->g1[s] = weir_big_alloc(count[s], sizeof *c->g1[s]);
        good = good && c->g1[s];
    }
    c->g2 = weir_big_alloc(count[WEIR_KEY_B_G2], sizeof *c->g2);
    if (good && c->g2) return WEIR_OK;
    return weir_fail(ei, WEIR_E_NOMEM, "no memory for the key");
}

static weir_err sink_g1(void *ctx, weir_key_section section, const weir_g1_affine *points, size_t n,
                        weir_errinfo *ei)
{
    (void)ei;
    weir_bench_chain *c = ctx;
    memcpy(c->g1[section] + c->_filled[section], points, n * sizeof *points);
    c->_filled[section] += n;
    return WEIR_OK;
}

static weir_err sink_g2(void *ctx, weir_key_section section, const weir_g2_affine *points, size_t n,
                        weir_errinfo *ei)
{
    (void)ei;
    weir_bench_chain *c = ctx;
    memcpy(c->g2 + c->_filled[section], points, n * sizeof *points);
    c->_filled[section] += n;
    return WEIR_OK;
}

static weir_err read_g1(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g1_affine *out, weir_isa isa, weir_errinfo *ei)
{
    (void)isa, (void)ei;
    const weir_bench_chain *c = ctx;
    memcpy(out, c->g1[section] + first, n * sizeof *out);
    return WEIR_OK;
}

static weir_err read_g2(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g2_affine *out, weir_isa isa, weir_errinfo *ei)
{
    (void)section, (void)isa, (void)ei;
    const weir_bench_chain *c = ctx;
    memcpy(out, c->g2 + first, n * sizeof *out);
    return WEIR_OK;
}

weir_err weir_bench_chain_key(weir_bench_chain *c, const weir_exec *x, weir_errinfo *ei)
{
    weir_secrets secrets;
    const weir_key_sink sink = {.ctx = c, .begin = sink_begin, .g1 = sink_g1, .g2 = sink_g2};
    weir_secrets_from_seed(&secrets, 1);
    c->key.vk = &c->vk;
    c->key.points.ctx = c;
    c->key.points.read_g1 = read_g1;
    c->key.points.read_g2 = read_g2;
    return weir_key_make(c->rel, &secrets, &sink, x, ei);
}

void weir_bench_chain_clear(weir_bench_chain *c)
{
    const uint64_t *count = c->key.points.count;
    for (int s = 0; s < WEIR_KEY_B_G2; s++) weir_big_free(c->g1[s], count[s], sizeof *c->g1[s]);
    weir_big_free(c->g2, count[WEIR_KEY_B_G2], sizeof *c->g2);
    weir_free(c->vk.ic);
    weir_witness_free(c->w);
    weir_relation_free(c->rel);
}
