#include "bench/chain.h"

#include "bench/rand.h"
#include "field/fr.h"
#include "relation/cs.h"

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

weir_err weir_bench_chain_key(weir_bench_chain *c, const weir_exec *x, weir_errinfo *ei)
{
    weir_secrets secrets;
    weir_secrets_from_seed(&secrets, 1);
    return weir_memory_key_make(&c->key, c->rel, &secrets, x, ei);
}

void weir_bench_chain_clear(weir_bench_chain *c)
{
    weir_memory_key_clear(&c->key);
    weir_witness_free(c->w);
    weir_relation_free(c->rel);
}
