/* What a session keeps on its device, put there once. */
#include "base/alloc.h"
#include "compute/key_reader.h"
#include "gpu/gpu_session.h"

#include <string.h>

enum {
    STAGE_BYTES = 16 << 20, /* at most */
    CHUNK_POINTS = 1 << 18, /* decoded at once: 64 tasks of the reader */
    /* beside the stages, whatever the key comes from: a chunk takes half of it, exponents and places less */
    SOURCE_BYTES = 2 * WEIR_GPU_ARRAY_STAGE_BYTES
};

/* ---- a stream of bytes to one place, on the device through two staging buffers, or in pinned memory */

typedef struct sink {
    const weir_gpu_driver *driver;
    unsigned char *to; /* NULL: nowhere */
    bool direct;       /* `to` is host memory */
    unsigned char *stage[2];
    uint64_t stage_bytes;
    int mark; /* of the first of its buffers */
    unsigned turn;
    bool marked[2];
    uint64_t filled;
} sink;

static weir_err sink_flush(sink *s, weir_errinfo *ei)
{
    const weir_gpu_driver *d = s->driver;
    if (s->filled == 0) return WEIR_OK;
    WEIR_TRY(d->upload(d->ctx, WEIR_GPU_COPY, s->to, s->stage[s->turn], s->filled, ei));
    WEIR_TRY(d->mark(d->ctx, WEIR_GPU_COPY, s->mark + (int)s->turn, ei));
    s->marked[s->turn] = true;
    s->to += s->filled;
    s->filled = 0;
    s->turn ^= 1;
    if (s->marked[s->turn]) WEIR_TRY(d->wait(d->ctx, s->mark + (int)s->turn, ei));
    return WEIR_OK;
}

static weir_err sink_put(sink *s, const void *from, uint64_t bytes, weir_errinfo *ei)
{
    const unsigned char *p = from;
    if (!s->to) return WEIR_OK;
    if (s->direct) {
        memcpy(s->to, p, bytes);
        s->to += bytes;
        return WEIR_OK;
    }
    while (bytes > 0) {
        uint64_t room = s->stage_bytes - s->filled, n = bytes < room ? bytes : room;
        memcpy(s->stage[s->turn] + s->filled, p, n);
        s->filled += n;
        p += n;
        bytes -= n;
        if (s->filled == s->stage_bytes) WEIR_TRY(sink_flush(s, ei));
    }
    return WEIR_OK;
}

/* ---- the loader */

typedef struct loader {
    weir_session *s;
    const weir_exec *x;
    weir_key_reader reader;
    weir_gpu_query query[3];
    unsigned char *stages; /* four, pinned */
    uint64_t stage_bytes;
    void *chunk; /* decoded points */
    size_t chunk_points;
    sink bits, dense;
    uint64_t done, all; /* points */
} loader;

static void sink_to(sink *s, loader *l, int number, void *to, bool direct)
{
    s->driver = l->s->driver;
    s->to = to;
    s->direct = direct;
    s->mark = WEIR_GPU_MARK_STAGE + 2 * number;
    s->stage_bytes = l->stage_bytes;
    for (int i = 0; i < 2; i++)
        s->stage[i] = l->stages + (uint64_t)(2 * number + i) * l->stage_bytes;
}

static void sink_to_array(sink *s, loader *l, int number, weir_gpu_array array)
{
    bool direct = l->s->l.plan != WEIR_GPU_RESIDENT;
    unsigned char *block = direct ? l->s->pinned : l->s->device;
    bool wanted = l->s->l.array[array].points > 0;
    sink_to(s, l, number, wanted ? block + l->s->l.array[array].at : NULL, direct);
}

/* `bytes` of host memory to one place on the device. */
static weir_err put_block(loader *l, uint64_t at, const void *from, uint64_t bytes,
                          weir_errinfo *ei)
{
    sink_to(&l->bits, l, 0, l->s->device + at, false);
    WEIR_TRY(sink_put(&l->bits, from, bytes, ei));
    return sink_flush(&l->bits, ei);
}

static weir_err put_relation(loader *l, weir_errinfo *ei)
{
    const weir_relation *rel = l->s->rel;
    uint64_t bytes = weir_gpu_relation_bytes(rel);
    void *packed = weir_slab_take(l->x->slabs, bytes, 1);
    if (!packed) return weir_fail(ei, WEIR_E_NOMEM, "no memory to pack the circuit");
    weir_gpu_relation_pack(packed, rel);
    weir_err err = put_block(l, l->s->l.relation, packed, bytes, ei);
    weir_slab_give(l->x->slabs, packed, bytes, 1);
    return err;
}

static weir_err put_table(loader *l, weir_errinfo *ei)
{
    weir_gpu_layout *g = &l->s->l;
    weir_dfr *table = weir_slab_take(l->x->slabs, g->table_bytes, 1);
    if (!table) return weir_fail(ei, WEIR_E_NOMEM, "no memory for the twiddles of a transform");
    weir_gpu_ntt_table_fill(&g->ntt, table);
    weir_err err = put_block(l, g->table, table, g->table_bytes, ei);
    weir_slab_give(l->x->slabs, table, g->table_bytes, 1);
    weir_gpu_ntt_table_at(&g->ntt, (const weir_dfr *)(l->s->device + g->table));
    return err;
}

/* The masks, ranks and list of one query, and the kernel's argument with their places. */
static weir_err put_query(loader *l, weir_query query, weir_errinfo *ei)
{
    const weir_gpu_layout *g = &l->s->l;
    weir_gpu_query *q = &l->query[query];
    dgather_args *a = &l->s->gather[query];
    WEIR_TRY(weir_gpu_query_init(q, l->s->rel, query, ei));
    WEIR_TRY(put_block(l, g->mask[query], q->mask, q->words * sizeof *q->mask, ei));
    WEIR_TRY(put_block(l, g->rank[query], q->rank, q->words * sizeof *q->rank, ei));
    WEIR_TRY(put_block(l, g->source[query], q->source, g->dense[query] * sizeof *q->source, ei));
    *a = q->gather;
    for (unsigned k = 0; k < a->segments; k++) {
        uint64_t first = (uint64_t)(q->gather.segment[k].mask - q->mask);
        a->segment[k].mask = (const uint64_t *)(void *)(l->s->device + g->mask[query]) + first;
        a->segment[k].rank = (const uint32_t *)(void *)(l->s->device + g->rank[query]) + first;
    }
    a->bits = (const uint64_t *)(const void *)l->s->rows.bits;
    return WEIR_OK;
}

/* ---- the key */

static weir_err read_chunk(loader *l, weir_key_section section, uint64_t first, size_t n,
                           weir_errinfo *ei)
{
    return section == WEIR_KEY_B_G2
               ? weir_key_reader_g2(&l->reader, section, first, n, l->chunk, ei)
               : weir_key_reader_g1(&l->reader, section, first, n, l->chunk, ei);
}

/* Points first .. first + n - 1 of a section to its two arrays; *d: the next of the query's dense points. */
static weir_err split_chunk(loader *l, const weir_gpu_query *q, uint64_t *d, uint64_t first,
                            size_t n, size_t each, weir_errinfo *ei)
{
    const unsigned char *p = l->chunk;
    uint64_t at = first, end = first + n;
    while (at < end) {
        uint64_t next = *d < q->dense_points ? q->dense_point[*d] : UINT64_MAX;
        if (next == at) {
            WEIR_TRY(sink_put(&l->dense, p + (at - first) * each, each, ei));
            (*d)++;
            at++;
        } else {
            uint64_t to = next < end ? next : end;
            WEIR_TRY(sink_put(&l->bits, p + (at - first) * each, (to - at) * each, ei));
            at = to;
        }
    }
    return WEIR_OK;
}

/* Of all sections only b in G2 may be without any term. */
static bool section_needed(const loader *l, int section)
{
    return section != WEIR_KEY_B_G2 || (l->s->l.terms & WEIR_TERMS_G2) != 0;
}

/* q NULL: all points are dense. */
static weir_err put_section(loader *l, weir_key_section section, const weir_gpu_query *q,
                            weir_errinfo *ei)
{
    size_t each = section == WEIR_KEY_B_G2 ? sizeof(weir_g2_affine) : sizeof(weir_g1_affine);
    uint64_t count = l->reader.key->count[section], d = 0;
    for (uint64_t first = 0; first < count; first += l->chunk_points) {
        size_t n = count - first < l->chunk_points ? (size_t)(count - first) : l->chunk_points;
        WEIR_TRY(read_chunk(l, section, first, n, ei));
        if (q)
            WEIR_TRY(split_chunk(l, q, &d, first, n, each, ei));
        else
            WEIR_TRY(sink_put(&l->dense, l->chunk, n * each, ei));
        l->done += n;
        weir_exec_progress(l->x, "key to the GPU", l->done, l->all);
    }
    return WEIR_OK;
}

static weir_err put_pair(loader *l, weir_key_section section, weir_query query, weir_gpu_array bits,
                         weir_gpu_array dense, weir_errinfo *ei)
{
    if (!section_needed(l, section)) return WEIR_OK;
    sink_to_array(&l->bits, l, 0, bits);
    sink_to_array(&l->dense, l, 1, dense);
    WEIR_TRY(put_section(l, section, &l->query[query], ei));
    WEIR_TRY(sink_flush(&l->bits, ei));
    return sink_flush(&l->dense, ei);
}

/* The dense columns of l follow the points of h. */
static weir_err put_h_and_l(loader *l, weir_errinfo *ei)
{
    sink_to_array(&l->bits, l, 0, WEIR_GPU_L_BITS);
    sink_to_array(&l->dense, l, 1, WEIR_GPU_H_L);
    WEIR_TRY(put_section(l, WEIR_KEY_H, NULL, ei));
    if (!(l->s->l.terms & WEIR_TERM_L_DENSE)) {
        WEIR_TRY(sink_flush(&l->dense, ei));
        l->dense.to = NULL;
    }
    WEIR_TRY(put_section(l, WEIR_KEY_L, &l->query[WEIR_QUERY_L], ei));
    WEIR_TRY(sink_flush(&l->bits, ei));
    return sink_flush(&l->dense, ei);
}

static weir_err put_key(loader *l, weir_errinfo *ei)
{
    const weir_key_points *key = l->reader.key;
    weir_gpu_multiples plan[2];
    if (key->read_array) return weir_gpu_load_arrays(l->s, l->query, &l->reader, ei);
    if (key->read_scalars && weir_gpu_made_plan(plan, &l->s->l, l->s->driver, key->count))
        return weir_gpu_load_made(l->s, plan, l->query, key, l->x, ei);
    l->chunk = weir_slab_take(l->x->slabs, l->chunk_points, sizeof(weir_g2_affine));
    if (!l->chunk) return weir_fail(ei, WEIR_E_NOMEM, "no memory to read the key");
    WEIR_TRY(put_h_and_l(l, ei));
    WEIR_TRY(put_pair(l, WEIR_KEY_A, WEIR_QUERY_A, WEIR_GPU_A_BITS, WEIR_GPU_A_DENSE, ei));
    WEIR_TRY(put_pair(l, WEIR_KEY_B_G1, WEIR_QUERY_B, WEIR_GPU_B1_BITS, WEIR_GPU_B1_DENSE, ei));
    return put_pair(l, WEIR_KEY_B_G2, WEIR_QUERY_B, WEIR_GPU_B2_BITS, WEIR_GPU_B2_DENSE, ei);
}

static weir_err put_all(loader *l, weir_errinfo *ei)
{
    WEIR_TRY(put_relation(l, ei));
    WEIR_TRY(put_table(l, ei));
    for (int q = 0; q < 3; q++) WEIR_TRY(put_query(l, (weir_query)q, ei));
    return put_key(l, ei);
}

/* Small circuits need small buffers. */
static uint64_t stage_bytes(const weir_gpu_layout *l, size_t points)
{
    uint64_t bytes = points * sizeof(weir_g2_affine);
    if (bytes < l->table_bytes) bytes = l->table_bytes;
    return bytes < STAGE_BYTES ? (bytes + 4095) / 4096 * 4096 : STAGE_BYTES;
}

static weir_err loader_new(loader *l, const weir_key_points *key, weir_errinfo *ei)
{
    const weir_gpu_driver *d = l->s->driver;
    void *stages;
    l->chunk_points = 1;
    for (int i = 0; i < WEIR_KEY_SECTIONS; i++) {
        if (!section_needed(l, i)) continue;
        l->all += key->count[i];
        if (key->count[i] > l->chunk_points) l->chunk_points = key->count[i];
    }
    if (l->chunk_points > CHUNK_POINTS) l->chunk_points = CHUNK_POINTS;
    l->stage_bytes = stage_bytes(&l->s->l, l->chunk_points);
    WEIR_TRY(weir_key_reader_init(&l->reader, key, l->x, ei));
    WEIR_TRY(d->pin(d->ctx, &stages, 4 * l->stage_bytes, ei));
    l->stages = stages;
    return WEIR_OK;
}

static void loader_clear(loader *l)
{
    const weir_gpu_driver *d = l->s->driver;
    weir_slab_give(l->x->slabs, l->chunk, l->chunk_points, sizeof(weir_g2_affine));
    if (l->stages) d->unpin(d->ctx, l->stages);
    for (int q = 0; q < 3; q++) weir_gpu_query_clear(&l->query[q]);
    weir_key_reader_clear(&l->reader);
}

uint64_t weir_gpu_load_bytes(const weir_gpu_layout *l, const weir_relation *rel)
{
    uint64_t bytes = 4 * (uint64_t)STAGE_BYTES + SOURCE_BYTES;
    for (int q = 0; q < 3; q++) {
        uint64_t bit_points, dense_points, words;
        weir_gpu_query_count(rel, (weir_query)q, &bit_points, &dense_points, &words);
        bytes +=
            words * (sizeof(uint64_t) + sizeof(uint32_t)) + dense_points * 2 * sizeof(uint32_t);
    }
    return bytes + weir_gpu_relation_bytes(rel) + l->table_bytes;
}

weir_err weir_gpu_load(weir_session *s, const weir_key_points *key, const weir_exec *x,
                       weir_errinfo *ei)
{
    loader l = {.s = s, .x = x};
    weir_errinfo second;
    weir_err err = loader_new(&l, key, ei);
    if (err == WEIR_OK) err = put_all(&l, ei);
    weir_err end = s->driver->drain(s->driver->ctx, err == WEIR_OK ? ei : &second);
    loader_clear(&l);
    return err == WEIR_OK ? end : err;
}
