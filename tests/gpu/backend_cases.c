#include "backend_cases.h"

#include "msm_host.h"

#include "curve/curve.h"
#include "field/fr.h"
#include "msm/msm.h"
#include "relation/cs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void random_fr(uint64_t *state, weir_fr *r)
{
    for (int i = 0; i < 4; i++) r->l[i] = next(state);
    r->l[3] >>= 2; /* below 2^254 */
}

/* ---- the circuit */

enum { RECENT = 64 };

/* Columns that rows may name: those of the last rows. */
typedef struct columns {
    weir_col col[RECENT];
    unsigned n;
} columns;

typedef struct shape {
    const backend_case *c;
    uint64_t state;
} shape;

static void add_column(columns *c, weir_col col)
{
    c->col[c->n++ % RECENT] = col;
}

static weir_col any_column(uint64_t *state, const columns *c)
{
    unsigned have = c->n < RECENT ? c->n : RECENT;
    return have == 0 || next(state) % 8 == 0 ? WEIR_COL_ONE : c->col[next(state) % have];
}

/* Terms in A and B; none in C, which no backend evaluates. Some columns occur in neither. */
static void random_row(shape *s, weir_cs *cs, columns *c)
{
    weir_lc *lc[2] = {weir_cs_a(cs), weir_cs_b(cs)};
    add_column(c, next(&s->state) % 100 < s->c->percent_bits ? weir_cs_alloc_bit(cs)
                                                             : weir_cs_alloc(cs));
    for (int m = 0; m < 2; m++)
        for (uint64_t t = next(&s->state) % 4; t > 0; t--) {
            weir_fr k;
            fr_from_u64(&k, 1 + next(&s->state) % 3);
            if (next(&s->state) % 2) fr_neg(&k, &k);
            weir_lc_add(cs, lc[m], any_column(&s->state, c), &k);
        }
    weir_cs_end_row(cs);
}

static void random_rows(shape *s, weir_cs *cs, columns *c, uint64_t rows)
{
    for (uint64_t i = 0; i < rows; i++) random_row(s, cs, c);
}

/* Inputs and a third of the rows first, the rest in the period if there is one; what does not divide, after it. */
static weir_err build(void *ctx, weir_cs *cs, weir_errinfo *ei)
{
    shape s = *(const shape *)ctx;
    columns c = {.n = 0};
    (void)ei;
    for (uint64_t i = 1; i < s.c->inputs; i++) add_column(&c, weir_cs_input(cs));
    uint64_t rows = s.c->rows - s.c->inputs, first = s.c->repeat ? rows / 3 : rows;
    random_rows(&s, cs, &c, first);
    if (!s.c->repeat) return WEIR_OK;
    uint64_t period = (rows - first) / s.c->repeat;
    unsigned before = c.n < RECENT ? c.n : RECENT;
    if (period > 0) {
        weir_cs_period(cs, s.c->repeat);
        random_rows(&s, cs, &c, period);
        c.n = before; /* a later row names no column of one repetition */
        memset(&c, 0, sizeof c);
    }
    weir_cs_epilogue(cs);
    random_rows(&s, cs, &c, rows - first - period * s.c->repeat);
    return WEIR_OK;
}

static void dense_value(const backend_case *c, uint64_t *state, weir_fr *out)
{
    uint64_t kind = c->dense == BACKEND_MIXED ? next(state) % 3 : 2;
    random_fr(state, out);
    if (c->dense == BACKEND_ZERO || kind == 0) fr_set_zero(out);
    if (c->dense == BACKEND_ONE || c->dense == BACKEND_MINUS_ONE || kind == 1) *out = fr_ONE;
    if (c->dense == BACKEND_MINUS_ONE) fr_neg(out, out);
}

/* Bits column by column, since those of dense columns and spare ones must stay zero. */
static void fill(backend_kit *k, const backend_case *c)
{
    uint64_t state = c->seed ^ 0x5555;
    for (uint64_t i = 1; i < k->rel->inputs; i++) dense_value(c, &state, &k->w->inputs[i]);
    k->w->inputs[0] = fr_ONE;
    for (uint64_t i = 0; i < k->rel->aux; i++) {
        weir_fr v;
        fr_from_u64(&v, next(&state) % 100 < c->percent_ones);
        (void)weir_witness_set(k->w, i, &v);
    }
    for (uint64_t i = 0; i < k->rel->dense; i++) dense_value(c, &state, &k->w->dense[i]);
}

/* ---- the key */

static weir_err read_g1(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g1_affine *out, weir_isa isa, weir_errinfo *ei)
{
    const backend_kit *k = ctx;
    (void)isa;
    (void)ei;
    memcpy(out, (const weir_g1_affine *)k->points[section] + first, n * sizeof *out);
    return WEIR_OK;
}

static weir_err read_g2(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g2_affine *out, weir_isa isa, weir_errinfo *ei)
{
    const backend_kit *k = ctx;
    (void)isa;
    (void)ei;
    memcpy(out, (const weir_g2_affine *)k->points[section] + first, n * sizeof *out);
    return WEIR_OK;
}

/* Exponent i of a section: random bits, and small numbers among them. */
static weir_err read_scalars(void *ctx, weir_key_section section, uint64_t first, size_t n,
                             weir_scalar *out, const weir_exec *x, weir_errinfo *ei)
{
    const backend_kit *k = ctx;
    (void)x;
    (void)ei;
    for (size_t i = 0; i < n; i++) {
        uint64_t state = k->exponents + ((uint64_t)section << 60) + (first + i) * 0x10001;
        weir_fr v;
        random_fr(&state, &v);
        fr_to_scalar(&out[i], &v);
        if ((first + i) % 7 == 0) out[i] = (weir_scalar){{1 + next(&state) % 9}};
    }
    return WEIR_OK;
}

/* The section's points, those of bits apart from the others, all of them for each call: tests are small. */
static weir_err pick(unsigned char *out, const backend_kit *k, weir_key_section section,
                     weir_query query, bool dense, size_t each)
{
    const unsigned char *from = k->points[section];
    uint64_t bits, listed, d = 0;
    weir_query_count(k->rel, query, &bits, &listed);
    uint32_t *list = calloc(listed + 1, sizeof *list);
    if (!list) return WEIR_E_NOMEM;
    weir_query_dense_points(k->rel, query, list, NULL);
    for (uint64_t i = 0; i < k->key.count[section]; i++) {
        bool is_dense = d < listed && list[d] == i;
        d += is_dense;
        if (is_dense != dense) continue;
        memcpy(out, from + i * each, each);
        out += each;
    }
    free(list);
    return WEIR_OK;
}

static weir_err read_array(void *ctx, weir_key_array array, uint64_t first, size_t n, void *out,
                           weir_errinfo *ei)
{
    static const weir_key_section sections[] = {WEIR_KEY_L, WEIR_KEY_A, WEIR_KEY_B_G1,
                                                WEIR_KEY_B_G2};
    static const weir_query queries[] = {WEIR_QUERY_L, WEIR_QUERY_A, WEIR_QUERY_B, WEIR_QUERY_B};
    const backend_kit *k = ctx;
    size_t each = weir_key_array_point_bytes(array);
    int which = ((int)array - 1) / 2;
    if (array == WEIR_KEY_ARRAY_H) {
        memcpy(out, (const unsigned char *)k->points[WEIR_KEY_H] + first * each, n * each);
        return WEIR_OK;
    }
    unsigned char *all = calloc(k->key.count[sections[which]] + 1, each);
    weir_err err =
        all ? pick(all, k, sections[which], queries[which], array % 2 == 0, each) : WEIR_E_NOMEM;
    if (err == WEIR_OK)
        memcpy(out, all + first * each, n * each);
    else
        err = weir_fail(ei, err, "no memory to read a key");
    free(all);
    return err;
}

static weir_err multiply(const backend_kit *k, weir_key_section section, const weir_scalar *scalar,
                         weir_errinfo *ei)
{
    uint64_t n = k->key.count[section];
    weir_fixed_g1 *g1 = NULL;
    weir_fixed_g2 *g2 = NULL;
    weir_err err;
    if (section == WEIR_KEY_B_G2) {
        err = weir_fixed_g2_new(&g2, weir_g2_generator(), n, &k->x, ei);
        if (err == WEIR_OK) err = weir_fixed_g2_mul(g2, k->points[section], scalar, n, &k->x, ei);
    } else {
        err = weir_fixed_g1_new(&g1, weir_g1_generator(), n, &k->x, ei);
        if (err == WEIR_OK) err = weir_fixed_g1_mul(g1, k->points[section], scalar, n, &k->x, ei);
    }
    weir_fixed_g1_free(g1);
    weir_fixed_g2_free(g2);
    return err;
}

static weir_err make_points(backend_kit *k, weir_key_section section, weir_errinfo *ei)
{
    uint64_t n = k->key.count[section];
    weir_scalar *scalar = calloc(n, sizeof *scalar);
    if (!scalar) return weir_fail(ei, WEIR_E_NOMEM, "no host memory for a key");
    weir_err err = read_scalars(k, section, 0, n, scalar, &k->x, ei);
    if (err == WEIR_OK) err = multiply(k, section, scalar, ei);
    free(scalar);
    return err;
}

static weir_err make_key(backend_kit *k, const backend_case *c, weir_errinfo *ei)
{
    uint64_t seed = c->seed;
    k->key = (weir_key_points){.ctx = k, .read_g1 = read_g1, .read_g2 = read_g2};
    if (c->made) k->key.read_scalars = read_scalars;
    if (c->arrays) k->key.read_array = read_array;
    k->exponents = seed;
    weir_key_points_expected(k->key.count, k->rel);
    for (int i = 0; i < WEIR_KEY_SECTIONS; i++) {
        bool g2 = i == WEIR_KEY_B_G2;
        size_t each = g2 ? sizeof(weir_g2_affine) : sizeof(weir_g1_affine);
        k->points[i] = calloc(k->key.count[i] + 1, each);
        if (!k->points[i]) return weir_fail(ei, WEIR_E_NOMEM, "no host memory for a key");
        if (k->key.count[i] && c->made)
            WEIR_TRY(make_points(k, (weir_key_section)i, ei));
        else if (k->key.count[i])
            WEIR_TRY(
                host_points(g2, k->points[i], k->key.count[i], seed + (unsigned)i, k->x.pool, ei));
    }
    return WEIR_OK;
}

static weir_err cpu_sums(const backend_kit *k, uint32_t terms, weir_sums *out, weir_errinfo *ei)
{
    const weir_backend *cpu = weir_cpu_backend();
    weir_session *s;
    WEIR_TRY(cpu->begin(cpu, &s, k->rel, &k->key, terms, UINT64_MAX, &k->x, ei));
    weir_err err = cpu->run(s, out, k->w, NULL, &k->x, ei);
    cpu->end(s);
    return err;
}

weir_err backend_kit_init(backend_kit *k, const backend_case *c, weir_pool *pool, weir_errinfo *ei)
{
    shape s = {.c = c, .state = c->seed};
    memset(k, 0, sizeof *k);
    k->x = (weir_exec){.pool = pool, .isa = weir_isa_best()};
    WEIR_TRY(weir_relation_build(&k->rel, build, &s, ei));
    WEIR_TRY(weir_witness_new(&k->w, k->rel, NULL, ei));
    fill(k, c);
    WEIR_TRY(make_key(k, c, ei));
    return cpu_sums(k, WEIR_TERMS_ALL, &k->want, ei);
}

void backend_kit_clear(backend_kit *k)
{
    for (int i = 0; i < WEIR_KEY_SECTIONS; i++) free(k->points[i]);
    weir_witness_free(k->w);
    weir_relation_free(k->rel);
}

/* ---- comparison */

static bool same_g1(const weir_g1 *a, const weir_g1 *b)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    weir_g1 in[2] = {*a, *b};
    weir_g1_affine p[2];
    weir_fp scratch[2];
    ops->g1s_to_affine(p, in, 2, scratch);
    return memcmp(&p[0], &p[1], sizeof p[0]) == 0;
}

static bool same_g2(const weir_g2 *a, const weir_g2 *b)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    weir_g2 in[2] = {*a, *b};
    weir_g2_affine p[2];
    weir_fp2 scratch[2];
    ops->g2s_to_affine(p, in, 2, scratch);
    return memcmp(&p[0], &p[1], sizeof p[0]) == 0;
}

weir_err backend_same_sums(const backend_kit *k, const weir_sums *got, weir_errinfo *ei)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    weir_g1 want_hl, got_hl;
    ops->g1_add(&want_hl, &k->want.h, &k->want.l);
    ops->g1_add(&got_hl, &got->h, &got->l);
    const char *wrong = !same_g1(&want_hl, &got_hl)       ? "h + l"
                        : !same_g1(&k->want.a, &got->a)   ? "a"
                        : !same_g1(&k->want.b1, &got->b1) ? "b_g1"
                        : !same_g2(&k->want.b2, &got->b2) ? "b_g2"
                                                          : NULL;
    if (!wrong) return WEIR_OK;
    return weir_fail(ei, WEIR_E_INTERNAL, "%llu rows: the sum %s is another point than the CPU's",
                     (unsigned long long)k->rel->rows, wrong);
}

/* The sums that the terms leave out. */
static bool others_are_zero(const weir_sums *s, uint32_t terms)
{
    static const weir_g1 zero1;
    static const weir_g2 zero2;
    const weir_g1 *sum[] = {&s->l, &s->a, &s->b1};
    const uint32_t of[] = {WEIR_TERM_L_BITS | WEIR_TERM_L_DENSE,
                           WEIR_TERM_A_BITS | WEIR_TERM_A_DENSE,
                           WEIR_TERM_B1_BITS | WEIR_TERM_B1_DENSE};
    for (int i = 0; i < 3; i++)
        if (!(terms & of[i]) && !same_g1(sum[i], &zero1)) return false;
    return (terms & WEIR_TERMS_G2) || same_g2(&s->b2, &zero2);
}

static weir_err compare_shared(const backend_kit *k, const weir_sums *got, const weir_sums *rest,
                               uint32_t terms, weir_errinfo *ei)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    weir_sums all = *got;
    if (!others_are_zero(got, terms) || !others_are_zero(rest, WEIR_TERMS_ALL & ~terms))
        return weir_fail(ei, WEIR_E_INTERNAL, "terms %#x: more was summed", (unsigned)terms);
    ops->g1_add(&all.h, &got->h, &rest->h);
    ops->g1_add(&all.l, &got->l, &rest->l);
    ops->g1_add(&all.a, &got->a, &rest->a);
    ops->g1_add(&all.b1, &got->b1, &rest->b1);
    ops->g2_add(&all.b2, &got->b2, &rest->b2);
    weir_err err = backend_same_sums(k, &all, ei);
    if (err != WEIR_OK) weir_errinfo_prefix(ei, "terms %#x: ", (unsigned)terms);
    return err;
}

weir_err backend_compare_terms(const backend_kit *k, const weir_backend *b, uint32_t terms,
                               uint64_t budget_bytes, unsigned runs, weir_errinfo *ei)
{
    weir_session *s;
    weir_sums rest, got;
    weir_sums_stats stats;
    weir_err err = WEIR_OK;
    WEIR_TRY(cpu_sums(k, WEIR_TERMS_ALL & ~terms, &rest, ei));
    WEIR_TRY(b->begin(b, &s, k->rel, &k->key, terms, budget_bytes, &k->x, ei));
    for (unsigned i = 0; i < runs && err == WEIR_OK; i++) {
        err = b->run(s, &got, k->w, &stats, &k->x, ei);
        if (err == WEIR_OK) err = compare_shared(k, &got, &rest, terms, ei);
    }
    b->end(s);
    return err;
}

weir_err backend_compare(const backend_kit *k, const weir_backend *b, uint64_t budget_bytes,
                         unsigned runs, weir_errinfo *ei)
{
    return backend_compare_terms(k, b, WEIR_TERMS_ALL, budget_bytes, runs, ei);
}
