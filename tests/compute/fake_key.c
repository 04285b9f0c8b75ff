#include "fake_key.h"

#include <string.h>

#include "curve/curve.h"
#include "field/fp2.h"
#include "field/fr.h"
#include "relation/cs.h"

typedef struct shape_ctx {
    uint64_t count;
    bool dense_x;
} shape_ctx;

static weir_err shape(void *ctx, weir_cs *cs, weir_errinfo *ei)
{
    (void)ei;
    const weir_fr *one = &weir_cs_k(cs)->one;
    const shape_ctx *c = ctx;
    weir_cs_period(cs, c->count);
    weir_col bit = weir_cs_alloc_bit(cs);
    weir_col x = c->dense_x ? weir_cs_alloc(cs) : weir_cs_alloc_bit(cs), y = weir_cs_alloc(cs);
    weir_lc_add(cs, weir_cs_a(cs), bit, one);
    weir_lc_add(cs, weir_cs_b(cs), x, one);
    weir_lc_add(cs, weir_cs_c(cs), y, one);
    weir_cs_end_row(cs);
    return WEIR_OK;
}

static void fill(fake_key *k, tk_rng *g, const shape_ctx *c)
{
    for (uint64_t rep = 0; rep < c->count; rep++) {
        weir_packer p = weir_witness_packer(k->w, 1, rep);
        uint64_t bit = tk_below(g, 2);
        weir_fr x, zero = {{0}};
        pack_bits(&p, bit, 1);
        if (c->dense_x) {
            tk_fr(g, &x);
            pack_dense(&p, &x);
        } else {
            uint64_t v = tk_below(g, 2);
            fr_from_u64(&x, v);
            pack_bits(&p, v, 1);
        }
        pack_dense(&p, bit ? &x : &zero);
        assert_true(weir_witness_packer_done(k->w, 1, rep, &p));
    }
}

unsigned fake_multiple(weir_key_section section, uint64_t i)
{
    return (unsigned)((7 * i + i / 1000 + 13 * (unsigned)section) % FAKE_MULTIPLES) + 1;
}

static weir_err check(const fake_key *k, weir_key_section section, uint64_t first, size_t n,
                      weir_errinfo *ei)
{
    if (first > k->points.count[section] || n > k->points.count[section] - first)
        return weir_fail(ei, WEIR_E_INTERNAL, "points that are not there");
    for (int i = 0; i < 2; i++)
        if (section == k->bad_section && k->bad_point[i] >= first && k->bad_point[i] - first < n)
            return weir_fail(ei, WEIR_E_ENCODING, "point %llu",
                             (unsigned long long)k->bad_point[i]);
    return WEIR_OK;
}

static weir_err read_g1(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g1_affine *out, weir_isa isa, weir_errinfo *ei)
{
    (void)isa;
    const fake_key *k = ctx;
    WEIR_TRY(check(k, section, first, n, ei));
    if (section == WEIR_KEY_B_G2)
        return weir_fail(ei, WEIR_E_INTERNAL, "a section of G2 read in G1");
    for (size_t i = 0; i < n; i++) out[i] = k->g1[fake_multiple(section, first + i) - 1];
    return WEIR_OK;
}

static weir_err read_g2(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g2_affine *out, weir_isa isa, weir_errinfo *ei)
{
    (void)isa;
    const fake_key *k = ctx;
    WEIR_TRY(check(k, section, first, n, ei));
    if (section != WEIR_KEY_B_G2)
        return weir_fail(ei, WEIR_E_INTERNAL, "a section of G1 read in G2");
    for (size_t i = 0; i < n; i++) out[i] = k->g2[fake_multiple(section, first + i) - 1];
    return WEIR_OK;
}

static void multiples(fake_key *k)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    weir_g1 p1 = {weir_g1_generator()->x, weir_g1_generator()->y, fp_ONE}, g1 = p1;
    weir_g2 p2 = {weir_g2_generator()->x, weir_g2_generator()->y, fp2_ONE}, g2 = p2;
    for (int i = 0; i < FAKE_MULTIPLES; i++) {
        weir_fp t1;
        weir_fp2 t2;
        ops->g1s_to_affine(&k->g1[i], &p1, 1, &t1);
        ops->g2s_to_affine(&k->g2[i], &p2, 1, &t2);
        ops->g1_add(&p1, &p1, &g1);
        ops->g2_add(&p2, &p2, &g2);
    }
}

void fake_key_init(fake_key *k, tk_rng *g, uint64_t count, bool dense_x)
{
    shape_ctx c = {count, dense_x};
    weir_errinfo ei = {0};
    *k = (fake_key){.bad_section = WEIR_KEY_SECTIONS};
    assert_int_equal(weir_relation_build(&k->rel, shape, &c, &ei), WEIR_OK);
    assert_int_equal(weir_witness_new(&k->w, k->rel, NULL, &ei), WEIR_OK);
    fill(k, g, &c);
    multiples(k);
    k->points = (weir_key_points){.ctx = k, .read_g1 = read_g1, .read_g2 = read_g2};
    weir_key_points_expected(k->points.count, k->rel);
}

void fake_key_clear(fake_key *k)
{
    weir_witness_free(k->w);
    weir_relation_free(k->rel);
}
