#include "compute/known_answer.h"

#include "base/alloc.h"
#include "curve/curve.h"
#include "field/fr.h"
#include "msm/msm.h"
#include "relation/cs.h"

#include <string.h>

/* A period of PERIOD rows, repeated, after a prologue of as many: 3,000 rows in all. */
enum { PERIOD = 150, REPETITIONS = 19, EDGES = 16 };

typedef struct answer {
    weir_relation *rel;
    weir_witness *w;
    weir_key_points key;
    weir_g1_affine *g1[WEIR_KEY_B_G2];
    weir_g2_affine *g2;
    weir_fr edge[EDGES];
} answer;

/* The same numbers each time. splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void next_fr(uint64_t *state, weir_fr *r)
{
    for (int i = 0; i < 4; i++) r->l[i] = next(state);
    r->l[3] >>= 2; /* below 2^254 */
}

/* 0, 1, 2, -1, -2, 1/2 and 2^k - 1, 2^k for the borders of limbs, all as values and again as Montgomery words. */
static void make_edges(weir_fr *edge)
{
    static const unsigned border[] = {32, 64, 128, 224};
    weir_fr two;
    fr_set_zero(&edge[0]);
    edge[1] = fr_ONE;
    fr_from_u64(&two, 2);
    edge[2] = two;
    fr_neg(&edge[3], &edge[1]);
    fr_neg(&edge[4], &two);
    weir_fr_inv(&edge[5], &two);
    for (unsigned i = 0; i < 4; i++) {
        fr_pow_u64(&edge[6 + 2 * i], &two, border[i]);
        fr_sub(&edge[7 + 2 * i], &edge[6 + 2 * i], &fr_ONE);
    }
    edge[14] = (weir_fr){{1}}; /* the word 1: 1/R */
    edge[15] = (weir_fr){{~(uint64_t)0, ~(uint64_t)0, ~(uint64_t)0, 0}};
}

/* ---- the circuit: each row makes a column, a bit or dense, and names some of the last ones */

enum { RECENT = 32 };

static weir_err part(answer *a, weir_cs *cs, uint64_t *state)
{
    weir_col col[RECENT];
    for (unsigned i = 0; i < PERIOD; i++) {
        weir_lc *lc[2] = {weir_cs_a(cs), weir_cs_b(cs)};
        uint64_t kind = next(state) % 16;
        col[i % RECENT] = kind < 10   ? weir_cs_alloc_bit(cs)
                          : kind < 15 ? weir_cs_alloc(cs)
                                      : weir_cs_input(cs);
        unsigned have = i < RECENT ? i + 1 : RECENT;
        for (int m = 0; m < 2; m++)
            for (uint64_t t = next(state) % 5; t > 0; t--) {
                weir_fr k;
                next_fr(state, &k);
                if (next(state) % 2) k = a->edge[1 + next(state) % (EDGES - 1)];
                weir_lc_add(cs, lc[m], next(state) % 8 ? col[next(state) % have] : WEIR_COL_ONE,
                            &k);
            }
        weir_cs_end_row(cs);
    }
    return WEIR_OK;
}

static weir_err shape(void *ctx, weir_cs *cs, weir_errinfo *ei)
{
    uint64_t state = 1;
    (void)ei;
    WEIR_TRY(part(ctx, cs, &state));
    weir_cs_period(cs, REPETITIONS);
    return part(ctx, cs, &state);
}

static void fill(answer *a)
{
    uint64_t state = 2;
    for (uint64_t i = 0; i < a->rel->aux; i++) {
        weir_fr bit;
        fr_from_u64(&bit, next(&state) & 1);
        (void)weir_witness_set(a->w, i, &bit);
    }
    weir_fr *value[2] = {a->w->inputs, a->w->dense};
    uint64_t n[2] = {a->rel->inputs, a->rel->dense};
    for (int k = 0; k < 2; k++)
        for (uint64_t i = 0; i < n[k]; i++) {
            next_fr(&state, &value[k][i]);
            if (next(&state) % 4 == 0) value[k][i] = a->edge[next(&state) % EDGES];
        }
    a->w->inputs[0] = fr_ONE;
}

/* ---- the key: multiples of the generator, some of them zero, the one before or its opposite */

static void next_multiples(weir_scalar *k, uint64_t n, uint64_t *state)
{
    weir_fr f = fr_ONE;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t kind = next(state) % 32;
        if (kind == 1) fr_neg(&f, &f);
        if (kind > 2) next_fr(state, &f);
        fr_to_scalar(&k[i], &f);
        if (kind == 0) k[i] = (weir_scalar){{0}};
    }
}

static weir_err read_g1(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g1_affine *out, weir_isa isa, weir_errinfo *ei)
{
    const answer *a = ctx;
    (void)isa;
    (void)ei;
    memcpy(out, a->g1[section] + first, n * sizeof *out);
    return WEIR_OK;
}

static weir_err read_g2(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g2_affine *out, weir_isa isa, weir_errinfo *ei)
{
    const answer *a = ctx;
    (void)section;
    (void)isa;
    (void)ei;
    memcpy(out, a->g2 + first, n * sizeof *out);
    return WEIR_OK;
}

static weir_err make_g1(answer *a, weir_scalar *k, uint64_t *state, const weir_exec *x,
                        weir_errinfo *ei)
{
    weir_fixed_g1 *t;
    weir_err err = WEIR_OK;
    WEIR_TRY(weir_fixed_g1_new(&t, weir_g1_generator(), 4096, x, ei));
    for (int s = 0; s < WEIR_KEY_B_G2 && err == WEIR_OK; s++) {
        uint64_t n = a->key.count[s];
        a->g1[s] = weir_malloc(n, sizeof *a->g1[s]);
        next_multiples(k, n, state);
        err = a->g1[s] ? weir_fixed_g1_mul(t, a->g1[s], k, n, x, ei)
                       : weir_fail(ei, WEIR_E_NOMEM, "no memory for a known answer");
    }
    weir_fixed_g1_free(t);
    return err;
}

static weir_err make_g2(answer *a, weir_scalar *k, uint64_t *state, const weir_exec *x,
                        weir_errinfo *ei)
{
    weir_fixed_g2 *t;
    uint64_t n = a->key.count[WEIR_KEY_B_G2];
    WEIR_TRY(weir_fixed_g2_new(&t, weir_g2_generator(), n, x, ei));
    a->g2 = weir_malloc(n, sizeof *a->g2);
    next_multiples(k, n, state);
    weir_err err = a->g2 ? weir_fixed_g2_mul(t, a->g2, k, n, x, ei)
                         : weir_fail(ei, WEIR_E_NOMEM, "no memory for a known answer");
    weir_fixed_g2_free(t);
    return err;
}

static weir_err make_key(answer *a, const weir_exec *x, weir_errinfo *ei)
{
    uint64_t state = 3, most = 0;
    a->key = (weir_key_points){.ctx = a, .read_g1 = read_g1, .read_g2 = read_g2};
    weir_key_points_expected(a->key.count, a->rel);
    for (int s = 0; s < WEIR_KEY_SECTIONS; s++)
        if (a->key.count[s] > most) most = a->key.count[s];
    weir_scalar *k = weir_malloc(most, sizeof *k);
    if (!k) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a known answer");
    weir_err err = make_g1(a, k, &state, x, ei);
    if (err == WEIR_OK) err = make_g2(a, k, &state, x, ei);
    weir_free(k);
    return err;
}

/* ---- comparison */

static bool same_g1(const weir_g1 *a, const weir_g1 *b, weir_isa isa)
{
    weir_g1 in[2] = {*a, *b};
    weir_g1_affine p[2];
    weir_fp scratch[2];
    weir_curve_ops_get(isa)->g1s_to_affine(p, in, 2, scratch);
    return memcmp(&p[0], &p[1], sizeof p[0]) == 0;
}

static bool same_g2(const weir_g2 *a, const weir_g2 *b, weir_isa isa)
{
    weir_g2 in[2] = {*a, *b};
    weir_g2_affine p[2];
    weir_fp2 scratch[2];
    weir_curve_ops_get(isa)->g2s_to_affine(p, in, 2, scratch);
    return memcmp(&p[0], &p[1], sizeof p[0]) == 0;
}

/* The name of a sum that differs; NULL: none. */
static const char *difference(const weir_sums *a, const weir_sums *b, weir_isa isa)
{
    const weir_curve_ops *ops = weir_curve_ops_get(isa);
    weir_g1 hl[2];
    ops->g1_add(&hl[0], &a->h, &a->l);
    ops->g1_add(&hl[1], &b->h, &b->l);
    if (!same_g1(&a->a, &b->a, isa)) return "over a";
    if (!same_g1(&a->b1, &b->b1, isa)) return "over b in G1";
    if (!same_g2(&a->b2, &b->b2, isa)) return "over b in G2";
    return same_g1(&hl[0], &hl[1], isa) ? NULL : "over h and l";
}

static weir_err sums_of(const weir_backend *b, answer *a, weir_sums *out, unsigned runs,
                        const weir_exec *x, weir_errinfo *ei)
{
    weir_session *s;
    weir_err err = WEIR_OK;
    WEIR_TRY(b->begin(b, &s, a->rel, &a->key, WEIR_TERMS_ALL, UINT64_MAX, x, ei));
    for (unsigned i = 0; i < runs && err == WEIR_OK; i++)
        err = b->run(s, &out[i], a->w, NULL, x, ei);
    b->end(s);
    return err;
}

static weir_err compare(const weir_backend *b, answer *a, const weir_exec *x, weir_errinfo *ei)
{
    weir_sums want, got[2];
    WEIR_TRY(weir_relation_build(&a->rel, shape, a, ei));
    WEIR_TRY(weir_witness_new(&a->w, a->rel, x->slabs, ei));
    fill(a);
    WEIR_TRY(make_key(a, x, ei));
    WEIR_TRY(sums_of(weir_cpu_backend(), a, &want, 1, x, ei));
    WEIR_TRY(sums_of(b, a, got, 2, x, ei));
    for (int i = 0; i < 2; i++) {
        const char *wrong = difference(&want, &got[i], x->isa);
        if (wrong)
            return weir_fail(
                ei, WEIR_E_DEVICE,
                "the %s fails its known-answer test: the sum %s is wrong in run %d; it is "
                "not used (its memory, clocks or power may be at fault)",
                b->name, wrong, i + 1);
    }
    return WEIR_OK;
}

/* Nobody watches: these are no stages of a proof. */
weir_err weir_backend_known_answer(const weir_backend *b, const weir_exec *x, weir_errinfo *ei)
{
    answer a = {.rel = NULL};
    weir_exec quiet = *x;
    quiet.watch = NULL;
    make_edges(a.edge);
    weir_err err = compare(b, &a, &quiet, ei);
    for (int s = 0; s < WEIR_KEY_B_G2; s++) weir_free(a.g1[s]);
    weir_free(a.g2);
    weir_witness_free(a.w);
    weir_relation_free(a.rel);
    return err;
}
