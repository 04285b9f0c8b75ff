/* A key from known secrets, section after section in the file's order.
 *
 * Scalars come in chunks: worked out from the columns' polynomials, multiplied by the generator, handed to the sink.
 * No point may be infinity, since bellperson's readers refuse it: a column for which one would be is an error. */
#include "base/alloc.h"
#include "curve/curve.h"
#include "field/fr.h"
#include "groth16/groth16.h"
#include "groth16/keymake_columns.h"
#include "groth16/keymake_path.h"
#include "msm/msm.h"

#include <string.h>

/* Scalars of a chunk: 6 MB of points in G1, and enough tasks for 64 threads. */
enum { CHUNK = 1 << 16 };
/* Scalars that one task works out. */
enum { SCALARS_A_TASK = 4096 };

typedef struct key_maker {
    const weir_relation *rel;
    const weir_key_sink *sink;
    const weir_exec *x;
    const weir_keymake_ops *ops;
    weir_key_columns c;
    uint64_t count[WEIR_KEY_SECTIONS];
    weir_fixed_g1 *g1; /* multiples of the generators */
    weir_fixed_g2 *g2;
    weir_scalar *k; /* a chunk */
    weir_g1_affine *p1;
    weir_g2_affine *p2;
} key_maker;

static const char NO_POINT[] = "%s column %llu would have the point at infinity in section %s: %s";

/* ---- chunks */

/* The first n scalars of the chunk, as points of a section. `done`: points of the section before them. */
static weir_err emit(key_maker *m, weir_key_section section, uint64_t done, size_t n,
                     weir_errinfo *ei)
{
    const weir_key_sink *sink = m->sink;
    if (section == WEIR_KEY_B_G2) {
        WEIR_TRY(weir_fixed_g2_mul(m->g2, m->p2, m->k, n, m->x, ei));
        WEIR_TRY(sink->g2(sink->ctx, section, m->p2, n, ei));
    } else {
        WEIR_TRY(weir_fixed_g1_mul(m->g1, m->p1, m->k, n, m->x, ei));
        WEIR_TRY(sink->g1(sink->ctx, section, m->p1, n, ei));
    }
    weir_exec_progress(m->x, weir_key_section_names[section], done + n, m->count[section]);
    if (weir_exec_cancelled(m->x))
        return weir_fail(ei, WEIR_E_CANCELLED, "key making was cancelled in section %s",
                         weir_key_section_names[section]);
    return WEIR_OK;
}

/* Scalars first .. first + n - 1 of h, or the combination of that many columns. */
typedef struct scalars_job {
    const key_maker *m;
    uint64_t first; /* power of tau, or column */
    size_t n;
    const weir_fr *scale; /* NULL: h */
} scalars_job;

static void scalars_task(void *ctx, size_t task, unsigned worker)
{
    (void)worker;
    const scalars_job *job = ctx;
    const key_maker *m = job->m;
    size_t lo = task * SCALARS_A_TASK;
    size_t n = job->n - lo < SCALARS_A_TASK ? job->n - lo : SCALARS_A_TASK;
    uint64_t at = job->first + lo;
    if (job->scale)
        m->ops->combine(m->k + lo, &m->c.scales, m->c.u + at, m->c.v + at, m->c.w + at, job->scale,
                        n);
    else
        m->ops->h_scalars(m->k + lo, &m->c.scales, at, n);
}

static void fill_scalars(key_maker *m, uint64_t first, size_t n, const weir_fr *scale)
{
    scalars_job job = {.m = m, .first = first, .n = n, .scale = scale};
    weir_pool_run(m->x->pool, (n + SCALARS_A_TASK - 1) / SCALARS_A_TASK, scalars_task, &job);
}

static size_t chunk_size(uint64_t left)
{
    return left < CHUNK ? (size_t)left : CHUNK;
}

/* The first zero among the chunk's scalars, or n. */
static size_t first_zero(const weir_scalar *k, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(k[i].l[0] | k[i].l[1] | k[i].l[2] | k[i].l[3])) return i;
    return n;
}

/* ---- verifying key */

static void vk_point_g1(weir_g1_affine *out, const weir_scalar *k, weir_isa isa)
{
    const weir_curve_ops *ops = weir_curve_ops_get(isa);
    weir_g1 p;
    weir_fp tmp;
    ops->g1_mul_ct(&p, weir_g1_generator(), k);
    ops->g1s_to_affine(out, &p, 1, &tmp);
}

static void vk_point_g2(weir_g2_affine *out, const weir_scalar *k, weir_isa isa)
{
    const weir_curve_ops *ops = weir_curve_ops_get(isa);
    weir_g2 p;
    weir_fp2 tmp;
    ops->g2_mul_ct(&p, weir_g2_generator(), k);
    ops->g2s_to_affine(out, &p, 1, &tmp);
}

static weir_err fill_ic(key_maker *m, weir_g1_affine *ic, weir_errinfo *ei)
{
    uint64_t inputs = m->rel->inputs;
    for (uint64_t first = 0; first < inputs; first += CHUNK) {
        size_t n = chunk_size(inputs - first);
        fill_scalars(m, first, n, &m->c.scales.inv_gamma);
        size_t zero = first_zero(m->k, n);
        if (zero < n)
            return weir_fail(ei, WEIR_E_INFINITY, NO_POINT, "input",
                             (unsigned long long)(first + zero), "ic",
                             "its polynomials cancel at tau; take another tau");
        WEIR_TRY(weir_fixed_g1_mul(m->g1, ic + first, m->k, n, m->x, ei));
    }
    return WEIR_OK;
}

static weir_err emit_vk(key_maker *m, const weir_secrets *s, weir_errinfo *ei)
{
    weir_isa isa = m->x->isa;
    weir_vk vk = {.n_ic = (uint32_t)m->rel->inputs};
    vk.ic = weir_calloc(vk.n_ic, sizeof *vk.ic);
    if (!vk.ic)
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for %u points of the verifying key", vk.n_ic);
    weir_err err = fill_ic(m, vk.ic, ei);
    if (err == WEIR_OK) {
        vk_point_g1(&vk.alpha_g1, &s->alpha, isa);
        vk_point_g1(&vk.beta_g1, &s->beta, isa);
        vk_point_g1(&vk.delta_g1, &s->delta, isa);
        vk_point_g2(&vk.beta_g2, &s->beta, isa);
        vk_point_g2(&vk.gamma_g2, &s->gamma, isa);
        vk_point_g2(&vk.delta_g2, &s->delta, isa);
        err = m->sink->begin(m->sink->ctx, &vk, m->count, ei);
    }
    weir_free(vk.ic);
    return err;
}

/* ---- sections */

static weir_err emit_h(key_maker *m, weir_errinfo *ei)
{
    uint64_t count = m->count[WEIR_KEY_H];
    for (uint64_t first = 0; first < count; first += CHUNK) {
        size_t n = chunk_size(count - first);
        fill_scalars(m, first, n, NULL);
        WEIR_TRY(emit(m, WEIR_KEY_H, first, n, ei));
    }
    return WEIR_OK;
}

static weir_err emit_l(key_maker *m, weir_errinfo *ei)
{
    uint64_t count = m->count[WEIR_KEY_L];
    for (uint64_t first = 0; first < count; first += CHUNK) {
        size_t n = chunk_size(count - first);
        fill_scalars(m, m->rel->inputs + first, n, &m->c.scales.inv_delta);
        size_t zero = first_zero(m->k, n);
        if (zero < n)
            return weir_fail(ei, WEIR_E_INFINITY, NO_POINT, "auxiliary",
                             (unsigned long long)(first + zero), "l",
                             "no row holds it, or its polynomials cancel at tau");
        WEIR_TRY(emit(m, WEIR_KEY_L, first, n, ei));
    }
    return WEIR_OK;
}

/* Input i of the whole relation, ONE included, occurs in B. */
static bool input_in_b(const weir_relation *rel, uint64_t i)
{
    if (i == 0) return rel->one_in_b;
    unsigned k = rel->segments - 1;
    while (k > 0 && i < rel->segment[k].input_base) k--;
    const weir_segment *s = &rel->segment[k];
    uint64_t local = (i - s->input_base) % s->inputs;
    return (s->input_density_b[local / 64] >> (local % 64)) & 1;
}

/* Does column i (inputs first) have a point in the section a (m = WEIR_A) or b (WEIR_B)? */
static bool in_query(const weir_relation *rel, unsigned m, uint64_t i)
{
    if (i >= rel->inputs) return weir_relation_in(rel, m == WEIR_A ? 0 : 1, i - rel->inputs);
    return m == WEIR_A || input_in_b(rel, i);
}

/* Sections a and b: the columns' polynomials themselves. */
static weir_err emit_query(key_maker *m, weir_key_section section, unsigned matrix,
                           const weir_fr *value, weir_errinfo *ei)
{
    const weir_relation *rel = m->rel;
    const char *name = weir_key_section_names[section];
    uint64_t done = 0;
    size_t n = 0;
    for (uint64_t i = 0; i < m->c.n; i++) {
        if (in_query(rel, matrix, i)) {
            bool input = i < rel->inputs;
            if (fr_is_zero(&value[i]))
                return weir_fail(ei, WEIR_E_INFINITY, NO_POINT, input ? "input" : "auxiliary",
                                 (unsigned long long)(input ? i : i - rel->inputs), name,
                                 "its polynomial is zero at tau; take another tau");
            fr_to_scalar(&m->k[n++], &value[i]);
        }
        if (n == CHUNK || (n > 0 && i + 1 == m->c.n)) {
            WEIR_TRY(emit(m, section, done, n, ei));
            done += n;
            n = 0;
        }
    }
    if (done != m->count[section])
        return weir_fail(ei, WEIR_E_INTERNAL, "section %s has %llu points in place of %llu", name,
                         (unsigned long long)done, (unsigned long long)m->count[section]);
    return WEIR_OK;
}

/* ---- all of it */

static weir_err maker_init(key_maker *m, const weir_secrets *secrets, weir_errinfo *ei)
{
    uint64_t g1_points = m->rel->inputs;
    weir_key_points_expected(m->count, m->rel);
    for (int s = WEIR_KEY_H; s < WEIR_KEY_B_G2; s++) g1_points += m->count[s];
    m->k = weir_big_alloc(CHUNK, sizeof *m->k);
    m->p1 = weir_big_alloc(CHUNK, sizeof *m->p1);
    m->p2 = weir_big_alloc(CHUNK, sizeof *m->p2);
    if (!m->k || !m->p1 || !m->p2) return weir_fail(ei, WEIR_E_NOMEM, "no memory for key making");
    WEIR_TRY(weir_key_columns_init(&m->c, m->rel, secrets, m->x, ei));
    WEIR_TRY(weir_fixed_g1_new(&m->g1, weir_g1_generator(), g1_points, m->x, ei));
    return weir_fixed_g2_new(&m->g2, weir_g2_generator(), m->count[WEIR_KEY_B_G2], m->x, ei);
}

static void maker_clear(key_maker *m)
{
    if (m->k) weir_wipe(m->k, CHUNK * sizeof *m->k);
    weir_big_free(m->k, CHUNK, sizeof *m->k);
    weir_big_free(m->p1, CHUNK, sizeof *m->p1);
    weir_big_free(m->p2, CHUNK, sizeof *m->p2);
    weir_fixed_g1_free(m->g1);
    weir_fixed_g2_free(m->g2);
    weir_key_columns_clear(&m->c);
}

weir_err weir_key_make(const weir_relation *rel, const weir_secrets *secrets,
                       const weir_key_sink *sink, const weir_exec *x, weir_errinfo *ei)
{
    key_maker m = {
        .rel = rel, .sink = sink, .x = x, .ops = WEIR_ISA_PICK(x->isa, weir_keymake_ops)};
    weir_err err = maker_init(&m, secrets, ei);
    if (err != WEIR_OK) goto out;
    WEIR_TRY_GOTO(emit_vk(&m, secrets, ei));
    WEIR_TRY_GOTO(emit_h(&m, ei));
    WEIR_TRY_GOTO(emit_l(&m, ei));
    WEIR_TRY_GOTO(emit_query(&m, WEIR_KEY_A, WEIR_A, m.c.u, ei));
    WEIR_TRY_GOTO(emit_query(&m, WEIR_KEY_B_G1, WEIR_B, m.c.v, ei));
    err = emit_query(&m, WEIR_KEY_B_G2, WEIR_B, m.c.v, ei);
out:
    maker_clear(&m);
    return err;
}
