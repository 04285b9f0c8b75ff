/* A key from known secrets: the exponents of its points first, the points when somebody asks for them.
 *
 * No point may be infinity, since bellperson's readers refuse it: a column for which one would be is an error. */
#include "base/alloc.h"
#include "curve/curve.h"
#include "groth16/groth16.h"
#include "groth16/keymake_points.h"
#include "msm/msm.h"

#include <stdatomic.h>
#include <string.h>

enum {
    CHUNK = 1 << 16, /* points made at once: 6 MB in G1, and enough tasks for 64 threads */
    SCALARS_A_TASK = 4096
};

struct weir_key_maker {
    const weir_relation *rel;
    weir_key_columns c;
    weir_key_query query[2];
    weir_fixed_g1 *g1; /* multiples of the generators */
    weir_fixed_g2 *g2;
    weir_vk vk;
    uint64_t count[WEIR_KEY_SECTIONS];
};

/* ---- exponents */

typedef struct scalars_job {
    const weir_key_maker *m;
    weir_key_section section;
    uint64_t first;
    size_t n;
    weir_scalar *out;
    weir_isa isa;
    _Atomic size_t
        failed; /* the first task that did; relaxed: the pool's end orders the final read */
} scalars_job;

static weir_err some_scalars(const scalars_job *j, size_t task, weir_errinfo *ei)
{
    size_t lo = task * SCALARS_A_TASK;
    size_t n = j->n - lo < SCALARS_A_TASK ? j->n - lo : SCALARS_A_TASK;
    return weir_key_scalars(j->out + lo, &j->m->c, j->m->rel, j->m->query, j->section,
                            j->first + lo, n, j->isa, ei);
}

static void scalars_task(void *ctx, size_t task, unsigned worker)
{
    (void)worker;
    scalars_job *j = ctx;
    if (some_scalars(j, task, NULL) == WEIR_OK) return;
    size_t seen = atomic_load_explicit(&j->failed, memory_order_relaxed);
    while (task < seen &&
           !atomic_compare_exchange_weak_explicit(&j->failed, &seen, task, memory_order_relaxed,
                                                  memory_order_relaxed)) {}
}

/* A task that failed is done again for its message. */
static weir_err read_scalars(void *ctx, weir_key_section section, uint64_t first, size_t n,
                             weir_scalar *out, const weir_exec *x, weir_errinfo *ei)
{
    scalars_job j = {
        .m = ctx, .section = section, .first = first, .n = n, .out = out, .isa = x->isa};
    atomic_init(&j.failed, SIZE_MAX);
    weir_pool_run(x->pool, (n + SCALARS_A_TASK - 1) / SCALARS_A_TASK, scalars_task, &j);
    size_t failed = atomic_load_explicit(&j.failed, memory_order_relaxed);
    return failed == SIZE_MAX ? WEIR_OK : some_scalars(&j, failed, ei);
}

/* ---- points, on the calling thread */

static weir_err scalars_of(weir_scalar **out, void *ctx, weir_key_section section, uint64_t first,
                           size_t n, const weir_exec *x, weir_errinfo *ei)
{
    *out = weir_malloc(n, sizeof **out);
    if (!*out) return weir_fail(ei, WEIR_E_NOMEM, "no memory for %zu exponents of a key", n);
    return read_scalars(ctx, section, first, n, *out, x, ei);
}

static void scalars_done(weir_scalar *k, size_t n)
{
    if (k) weir_wipe(k, n * sizeof *k);
    weir_free(k);
}

static weir_err read_g1(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g1_affine *out, weir_isa isa, weir_errinfo *ei)
{
    const weir_key_maker *m = ctx;
    const weir_exec alone = {.isa = isa};
    weir_scalar *k;
    weir_err err = scalars_of(&k, ctx, section, first, n, &alone, ei);
    if (err == WEIR_OK) err = weir_fixed_g1_mul(m->g1, out, k, n, &alone, ei);
    scalars_done(k, n);
    return err;
}

static weir_err read_g2(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g2_affine *out, weir_isa isa, weir_errinfo *ei)
{
    const weir_key_maker *m = ctx;
    const weir_exec alone = {.isa = isa};
    weir_scalar *k;
    weir_err err = scalars_of(&k, ctx, section, first, n, &alone, ei);
    if (err == WEIR_OK) err = weir_fixed_g2_mul(m->g2, out, k, n, &alone, ei);
    scalars_done(k, n);
    return err;
}

void weir_key_maker_points(weir_key_points *out, weir_key_maker *m)
{
    *out = (weir_key_points){
        .ctx = m, .read_g1 = read_g1, .read_g2 = read_g2, .read_scalars = read_scalars};
    memcpy(out->count, m->count, sizeof out->count);
}

const weir_vk *weir_key_maker_vk(const weir_key_maker *m)
{
    return &m->vk;
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

static weir_err make_ic(weir_key_maker *m, weir_scalar *k, const weir_exec *x, weir_errinfo *ei)
{
    for (uint64_t first = 0; first < m->vk.n_ic; first += CHUNK) {
        size_t n = m->vk.n_ic - first < CHUNK ? (size_t)(m->vk.n_ic - first) : CHUNK;
        WEIR_TRY(weir_key_ic_scalars(k, &m->c, m->rel, first, n, x->isa, ei));
        WEIR_TRY(weir_fixed_g1_mul(m->g1, m->vk.ic + first, k, n, x, ei));
    }
    return WEIR_OK;
}

static weir_err make_vk(weir_key_maker *m, const weir_secrets *s, const weir_exec *x,
                        weir_errinfo *ei)
{
    weir_vk *vk = &m->vk;
    size_t room = m->rel->inputs < CHUNK ? (size_t)m->rel->inputs : CHUNK;
    weir_scalar *k = weir_malloc(room, sizeof *k);
    vk->n_ic = (uint32_t)m->rel->inputs;
    vk->ic = weir_calloc(vk->n_ic, sizeof *vk->ic);
    weir_err err = WEIR_OK;
    if (!vk->ic || !k)
        err = weir_fail(ei, WEIR_E_NOMEM, "no memory for %u points of the verifying key", vk->n_ic);
    else
        err = make_ic(m, k, x, ei);
    scalars_done(k, room);
    vk_point_g1(&vk->alpha_g1, &s->alpha, x->isa);
    vk_point_g1(&vk->beta_g1, &s->beta, x->isa);
    vk_point_g1(&vk->delta_g1, &s->delta, x->isa);
    vk_point_g2(&vk->beta_g2, &s->beta, x->isa);
    vk_point_g2(&vk->gamma_g2, &s->gamma, x->isa);
    vk_point_g2(&vk->delta_g2, &s->delta, x->isa);
    return err;
}

/* ---- the maker */

static weir_err maker_init(weir_key_maker *m, const weir_relation *rel, const weir_secrets *s,
                           const weir_exec *x, weir_errinfo *ei)
{
    uint64_t g1_points = rel->inputs;
    m->rel = rel;
    weir_key_points_expected(m->count, rel);
    for (int i = WEIR_KEY_H; i < WEIR_KEY_B_G2; i++) g1_points += m->count[i];
    for (unsigned i = 0; i < 2; i++) WEIR_TRY(weir_key_query_init(&m->query[i], rel, i, ei));
    WEIR_TRY(weir_key_columns_init(&m->c, rel, s, x, ei));
    WEIR_TRY(weir_fixed_g1_new(&m->g1, weir_g1_generator(), g1_points, x, ei));
    WEIR_TRY(weir_fixed_g2_new(&m->g2, weir_g2_generator(), m->count[WEIR_KEY_B_G2], x, ei));
    return make_vk(m, s, x, ei);
}

weir_err weir_key_maker_new(weir_key_maker **out, const weir_relation *rel,
                            const weir_secrets *secrets, const weir_exec *x, weir_errinfo *ei)
{
    weir_key_maker *m = weir_calloc(1, sizeof *m);
    *out = NULL;
    if (!m) return weir_fail(ei, WEIR_E_NOMEM, "no memory for key making");
    weir_err err = maker_init(m, rel, secrets, x, ei);
    if (err == WEIR_OK)
        *out = m;
    else
        weir_key_maker_free(m);
    return err;
}

void weir_key_maker_free(weir_key_maker *m)
{
    if (!m) return;
    for (int i = 0; i < 2; i++) weir_key_query_clear(&m->query[i]);
    weir_key_columns_clear(&m->c);
    weir_fixed_g1_free(m->g1);
    weir_fixed_g2_free(m->g2);
    weir_free(m->vk.ic);
    weir_free(m);
}

/* ---- section after section, in the file's order */

/* The CPU's multiplier. */
typedef struct fixed_tables {
    const weir_key_maker *m;
    const weir_exec *x;
} fixed_tables;

static weir_err fixed_g1(void *ctx, weir_g1_affine *out, const weir_scalar *k, size_t n,
                         weir_errinfo *ei)
{
    const fixed_tables *t = ctx;
    return weir_fixed_g1_mul(t->m->g1, out, k, n, t->x, ei);
}

static weir_err fixed_g2(void *ctx, weir_g2_affine *out, const weir_scalar *k, size_t n,
                         weir_errinfo *ei)
{
    const fixed_tables *t = ctx;
    return weir_fixed_g2_mul(t->m->g2, out, k, n, t->x, ei);
}

typedef struct emitter {
    weir_key_maker *m;
    weir_key_multiplier multiplier;
    const weir_key_sink *sink;
    const weir_exec *x;
    weir_scalar *k; /* a chunk */
    weir_g1_affine *p1;
    weir_g2_affine *p2;
} emitter;

static weir_err emit_chunk(emitter *e, weir_key_section section, uint64_t first, size_t n,
                           weir_errinfo *ei)
{
    const weir_key_sink *sink = e->sink;
    const weir_key_multiplier *by = &e->multiplier;
    WEIR_TRY(read_scalars(e->m, section, first, n, e->k, e->x, ei));
    if (section == WEIR_KEY_B_G2) {
        WEIR_TRY(by->g2(by->ctx, e->p2, e->k, n, ei));
        return sink->g2(sink->ctx, section, e->p2, n, ei);
    }
    WEIR_TRY(by->g1(by->ctx, e->p1, e->k, n, ei));
    return sink->g1(sink->ctx, section, e->p1, n, ei);
}

static weir_err emit_section(emitter *e, weir_key_section section, weir_errinfo *ei)
{
    uint64_t count = e->m->count[section];
    for (uint64_t first = 0; first < count; first += CHUNK) {
        size_t n = count - first < CHUNK ? (size_t)(count - first) : CHUNK;
        WEIR_TRY(emit_chunk(e, section, first, n, ei));
        weir_exec_progress(e->x, weir_key_section_names[section], first + n, count);
        if (weir_exec_cancelled(e->x))
            return weir_fail(ei, WEIR_E_CANCELLED, "key making was cancelled in section %s",
                             weir_key_section_names[section]);
    }
    return WEIR_OK;
}

static weir_err emit_all(emitter *e, weir_errinfo *ei)
{
    e->k = weir_big_alloc(CHUNK, sizeof *e->k);
    e->p1 = weir_big_alloc(CHUNK, sizeof *e->p1);
    e->p2 = weir_big_alloc(CHUNK, sizeof *e->p2);
    if (!e->k || !e->p1 || !e->p2) return weir_fail(ei, WEIR_E_NOMEM, "no memory for key making");
    WEIR_TRY(e->sink->begin(e->sink->ctx, &e->m->vk, e->m->count, ei));
    for (int i = 0; i < WEIR_KEY_SECTIONS; i++) WEIR_TRY(emit_section(e, (weir_key_section)i, ei));
    return WEIR_OK;
}

weir_err weir_key_make(const weir_relation *rel, const weir_secrets *secrets,
                       const weir_key_multiplier *multiplier, const weir_key_sink *sink,
                       const weir_exec *x, weir_errinfo *ei)
{
    emitter e = {.sink = sink, .x = x};
    weir_err err = weir_key_maker_new(&e.m, rel, secrets, x, ei);
    fixed_tables tables = {.m = e.m, .x = x};
    const weir_key_multiplier cpu = {.ctx = &tables, .g1 = fixed_g1, .g2 = fixed_g2};
    e.multiplier = multiplier ? *multiplier : cpu;
    if (err == WEIR_OK) err = emit_all(&e, ei);
    if (e.k) weir_wipe(e.k, CHUNK * sizeof *e.k);
    weir_big_free(e.k, CHUNK, sizeof *e.k);
    weir_big_free(e.p1, CHUNK, sizeof *e.p1);
    weir_big_free(e.p2, CHUNK, sizeof *e.p2);
    weir_key_maker_free(e.m);
    return err;
}
