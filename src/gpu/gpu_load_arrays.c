/* A key that is kept as arrays: blocks go from where they are kept to pinned memory, checked on the way, on all threads; and from there to
 * the device while the next ones are read, or they are where they belong. */
#include "gpu/gpu_session.h"

typedef struct arrays {
    weir_session *s;
    weir_key_reader *reader;
    unsigned char *stage[2];
    unsigned turn;
    bool marked[2];
    uint64_t done, all; /* bytes */
} arrays;

/* Where a key's array lies in the session's. */
static unsigned char *place_of(const weir_session *s, weir_key_array array)
{
    static const weir_gpu_array to[WEIR_KEY_ARRAYS] = {
        [WEIR_KEY_ARRAY_H] = WEIR_GPU_H_L,
        [WEIR_KEY_ARRAY_L_BITS] = WEIR_GPU_L_BITS,
        [WEIR_KEY_ARRAY_L_DENSE] = WEIR_GPU_H_L,
        [WEIR_KEY_ARRAY_A_BITS] = WEIR_GPU_A_BITS,
        [WEIR_KEY_ARRAY_A_DENSE] = WEIR_GPU_A_DENSE,
        [WEIR_KEY_ARRAY_B1_BITS] = WEIR_GPU_B1_BITS,
        [WEIR_KEY_ARRAY_B1_DENSE] = WEIR_GPU_B1_DENSE,
        [WEIR_KEY_ARRAY_B2_BITS] = WEIR_GPU_B2_BITS,
        [WEIR_KEY_ARRAY_B2_DENSE] = WEIR_GPU_B2_DENSE};
    const weir_gpu_points *a = &s->l.array[to[array]];
    unsigned char *block = s->l.plan == WEIR_GPU_RESIDENT ? s->device : s->pinned;
    if (a->points == 0) return NULL;
    if (array != WEIR_KEY_ARRAY_L_DENSE) return block + a->at;
    if (!(s->l.terms & WEIR_TERM_L_DENSE)) return NULL;
    return block + a->at + (s->l.n - 1) * sizeof(weir_g1_affine);
}

static uint64_t points_of(const weir_gpu_query query[3], const weir_key_points *key,
                          weir_key_array array)
{
    const weir_gpu_query *q = &query[array < WEIR_KEY_ARRAY_A_BITS    ? WEIR_QUERY_L
                                     : array < WEIR_KEY_ARRAY_B1_BITS ? WEIR_QUERY_A
                                                                      : WEIR_QUERY_B];
    if (array == WEIR_KEY_ARRAY_H) return key->count[WEIR_KEY_H];
    return array % 2 ? q->bit_points : q->dense_points;
}

/* n points to the device, through a stage. */
static weir_err put_staged(arrays *a, weir_key_array array, uint64_t first, size_t n, void *to,
                           weir_errinfo *ei)
{
    const weir_gpu_driver *d = a->s->driver;
    unsigned turn = a->turn;
    int mark = WEIR_GPU_MARK_STEP + (int)turn;
    if (a->marked[turn]) WEIR_TRY(d->wait(d->ctx, mark, ei));
    WEIR_TRY(weir_key_reader_array(a->reader, array, first, n, a->stage[turn], ei));
    WEIR_TRY(d->upload(d->ctx, WEIR_GPU_COPY, to, a->stage[turn],
                       n * weir_key_array_point_bytes(array), ei));
    a->marked[turn] = true;
    a->turn ^= 1;
    return d->mark(d->ctx, WEIR_GPU_COPY, mark, ei);
}

static size_t stage_points(weir_key_array array)
{
    return WEIR_GPU_ARRAY_STAGE_BYTES / weir_key_array_point_bytes(array);
}

static weir_err put_array(arrays *a, weir_key_array array, uint64_t points, weir_errinfo *ei)
{
    const size_t each = weir_key_array_point_bytes(array), most = stage_points(array);
    unsigned char *to = place_of(a->s, array);
    for (uint64_t first = 0; to && first < points; first += most) {
        size_t n = points - first < most ? (size_t)(points - first) : most;
        if (a->s->l.plan == WEIR_GPU_RESIDENT)
            WEIR_TRY(put_staged(a, array, first, n, to + first * each, ei));
        else
            WEIR_TRY(weir_key_reader_array(a->reader, array, first, n, to + first * each, ei));
        a->done += n * each;
        weir_exec_progress(a->reader->x, "key to the GPU", a->done, a->all);
    }
    return WEIR_OK;
}

/* The most that a stage takes of this key; 0 if arrays go straight to their places. */
static uint64_t stage_bytes(const weir_session *s, const weir_gpu_query query[3],
                            const weir_key_points *key)
{
    uint64_t most = 0;
    for (int i = 0; i < WEIR_KEY_ARRAYS && s->l.plan == WEIR_GPU_RESIDENT; i++) {
        uint64_t points = points_of(query, key, (weir_key_array)i),
                 room = stage_points((weir_key_array)i);
        uint64_t bytes =
            (points < room ? points : room) * weir_key_array_point_bytes((weir_key_array)i);
        if (bytes > most) most = bytes;
    }
    return (most + 4095) / 4096 * 4096;
}

weir_err weir_gpu_load_arrays(weir_session *s, const weir_gpu_query query[3],
                              weir_key_reader *reader, weir_errinfo *ei)
{
    const weir_gpu_driver *d = s->driver;
    arrays a = {.s = s, .reader = reader};
    uint64_t bytes = stage_bytes(s, query, reader->key);
    void *stages = NULL;
    weir_errinfo second;
    weir_err err = bytes ? d->pin(d->ctx, &stages, 2 * bytes, ei) : WEIR_OK;
    if (err != WEIR_OK) return err;
    a.stage[0] = stages;
    a.stage[1] = bytes ? a.stage[0] + bytes : NULL;
    for (int i = 0; i < WEIR_KEY_ARRAYS; i++)
        if (place_of(s, (weir_key_array)i))
            a.all += points_of(query, reader->key, (weir_key_array)i) *
                     weir_key_array_point_bytes((weir_key_array)i);
    for (int i = 0; i < WEIR_KEY_ARRAYS && err == WEIR_OK; i++)
        err =
            put_array(&a, (weir_key_array)i, points_of(query, reader->key, (weir_key_array)i), ei);
    weir_err end = d->drain(d->ctx, err == WEIR_OK ? ei : &second);
    if (stages) d->unpin(d->ctx, stages);
    return err == WEIR_OK ? end : err;
}
