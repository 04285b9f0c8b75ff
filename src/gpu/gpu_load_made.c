/* A key whose exponents are known is made where it is to lie: on the device, or through it in pinned host memory, into which kernels
 * write. */
#include "base/alloc.h"
#include "gpu/gpu_multiples.h"
#include "gpu/gpu_points.h"
#include "gpu/gpu_session.h"

/* Where the points of one section go: bit columns' to one array, the others' to another. NULL: nowhere. */
typedef struct target {
    unsigned char *bits, *dense;
    const weir_gpu_query *query; /* NULL: all are dense, and none is left out */
} target;

typedef struct maker {
    weir_session *s;
    const weir_key_points *key;
    const weir_exec *x;
    weir_gpu_multiples m;
    uint64_t done, all; /* points */
} maker;

static unsigned char *array_at(const weir_session *s, weir_gpu_array array)
{
    unsigned char *block = s->l.plan == WEIR_GPU_RESIDENT ? s->device : s->pinned;
    return s->l.array[array].points > 0 ? block + s->l.array[array].at : NULL;
}

static target target_of(const maker *k, const weir_gpu_query query[3], weir_key_section section)
{
    const weir_session *s = k->s;
    bool l_dense = (s->l.terms & WEIR_TERM_L_DENSE) != 0;
    switch (section) {
    case WEIR_KEY_H:
        return (target){.dense = array_at(s, WEIR_GPU_H_L)};
    case WEIR_KEY_L:
        return (target){.bits = array_at(s, WEIR_GPU_L_BITS),
                        .dense = l_dense ? array_at(s, WEIR_GPU_H_L) +
                                               k->key->count[WEIR_KEY_H] * sizeof(weir_g1_affine)
                                         : NULL,
                        .query = &query[WEIR_QUERY_L]};
    case WEIR_KEY_A:
        return (target){array_at(s, WEIR_GPU_A_BITS), array_at(s, WEIR_GPU_A_DENSE),
                        &query[WEIR_QUERY_A]};
    case WEIR_KEY_B_G1:
        return (target){array_at(s, WEIR_GPU_B1_BITS), array_at(s, WEIR_GPU_B1_DENSE),
                        &query[WEIR_QUERY_B]};
    default:
        return (target){array_at(s, WEIR_GPU_B2_BITS), array_at(s, WEIR_GPU_B2_DENSE),
                        &query[WEIR_QUERY_B]};
    }
}

/* Of points first .. first + n - 1 those that go somewhere move together, each with its place. *d: the query's dense points before. */
static uint32_t place_chunk(const target *t, weir_scalar *scalars, uint32_t *place, uint64_t first,
                            uint32_t n, uint64_t *d)
{
    const weir_gpu_query *q = t->query;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t point = first + i;
        bool dense = *d < q->dense_points && q->dense_point[*d] == point;
        if (dense ? t->dense != NULL : t->bits != NULL) {
            place[kept] = dense ? DFIXED_SECOND + (uint32_t)*d : (uint32_t)(point - *d);
            scalars[kept++] = scalars[i];
        }
        *d += dense;
    }
    return kept;
}

static weir_err make_chunk(maker *k, const target *t, weir_key_section section, uint64_t first,
                           uint32_t n, uint64_t *d, weir_errinfo *ei)
{
    weir_scalar *scalars;
    uint32_t *place;
    WEIR_TRY(weir_gpu_multiples_room(&k->m, &scalars, &place, ei));
    WEIR_TRY(k->key->read_scalars(k->key->ctx, section, first, n, scalars, k->x, ei));
    if (!t->query) {
        void *const row[2] = {t->dense + first * sizeof(weir_g1_affine), NULL};
        return weir_gpu_multiples_put(&k->m, n, false, row, ei);
    }
    void *const out[2] = {t->bits, t->dense};
    uint32_t kept = place_chunk(t, scalars, place, first, n, d);
    return kept > 0 ? weir_gpu_multiples_put(&k->m, kept, true, out, ei) : WEIR_OK;
}

static weir_err make_section(maker *k, const target *t, weir_key_section section, weir_errinfo *ei)
{
    uint64_t count = k->key->count[section], d = 0;
    for (uint64_t first = 0; first < count; first += k->m.chunk) {
        uint32_t n = count - first < k->m.chunk ? (uint32_t)(count - first) : k->m.chunk;
        WEIR_TRY(make_chunk(k, t, section, first, n, &d, ei));
        k->done += n;
        weir_exec_progress(k->x, "key to the GPU", k->done, k->all);
        if (weir_exec_cancelled(k->x))
            return weir_fail(ei, WEIR_E_CANCELLED, "making a key was cancelled in section %s",
                             weir_key_section_names[section]);
    }
    return WEIR_OK;
}

/* Sections first .. last - 1, all in one group. pinned: room for the multiples. */
static weir_err make_group(maker *k, const weir_gpu_multiples *plan, const weir_gpu_query query[3],
                           int first, int last, void *pinned, weir_errinfo *ei)
{
    const weir_gpu_driver *d = k->s->driver;
    k->m = *plan;
    WEIR_TRY(weir_gpu_multiples_begin(&k->m, k->s->device + k->s->l.out, pinned, k->x, ei));
    for (int section = first; section < last; section++) {
        target t = target_of(k, query, (weir_key_section)section);
        if (t.bits || t.dense) WEIR_TRY(make_section(k, &t, (weir_key_section)section, ei));
    }
    return d->drain(d->ctx, ei);
}

static uint64_t most_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

bool weir_gpu_made_plan(weir_gpu_multiples plan[2], const weir_gpu_layout *l,
                        const weir_gpu_driver *driver, const uint64_t count[WEIR_KEY_SECTIONS])
{
    uint64_t g1 = 0, free_bytes = l->device_bytes - l->out;
    for (int i = WEIR_KEY_H; i < WEIR_KEY_B_G2; i++) g1 += count[i];
    return weir_gpu_multiples_plan(&plan[0], driver, false, g1, free_bytes, WEIR_GPU_MARK_STEP) &&
           weir_gpu_multiples_plan(&plan[1], driver, true, count[WEIR_KEY_B_G2], free_bytes,
                                   WEIR_GPU_MARK_STEP);
}

weir_err weir_gpu_load_made(weir_session *s, const weir_gpu_multiples plan[2],
                            const weir_gpu_query query[3], const weir_key_points *key,
                            const weir_exec *x, weir_errinfo *ei)
{
    const weir_gpu_driver *d = s->driver;
    maker k = {.s = s, .key = key, .x = x};
    void *pinned;
    uint64_t pinned_bytes = most_of(plan[0].pinned_bytes, plan[1].pinned_bytes);
    weir_errinfo second;
    for (int i = 0; i < WEIR_KEY_SECTIONS; i++) k.all += key->count[i];
    WEIR_TRY(d->pin(d->ctx, &pinned, pinned_bytes, ei));
    weir_err err = make_group(&k, &plan[0], query, WEIR_KEY_H, WEIR_KEY_B_G2, pinned, ei);
    if (err == WEIR_OK)
        err = make_group(&k, &plan[1], query, WEIR_KEY_B_G2, WEIR_KEY_SECTIONS, pinned, ei);
    weir_err end = d->drain(d->ctx, err == WEIR_OK ? ei : &second);
    weir_wipe(pinned, pinned_bytes);
    d->unpin(d->ctx, pinned);
    return err == WEIR_OK ? end : err;
}
