/* A task of a sum over bits on the trees of msm_lanes.inc.h, an include-template.
 *
 * The selected points are taken chunk by chunk as one column of eight pieces, which is summed down to KEPT slots; those
 * are added, slot by slot, to the ones kept from the chunks before. So the small batches at the top come once a task.
 */

enum { K_(KEPT) = 16 /* slots, and so eight times as many points */ };

#define K_BITS_SUM K_(bits_sum)
typedef struct K_BITS_SUM {
    K_LANES t;
    uint32_t *index; /* the next chunk: n numbers of points, counted from t.points */
    size_t n, chunk;
    uint32_t kept[8]; /* slots of each lane */
    K_JAC rest;       /* chunks that were given up */
} K_BITS_SUM;

/* A chunk takes slots from 0 to chunk / 8. */
static uint32_t K_(kept_slot)(const K_BITS_SUM *s)
{
    return (uint32_t)(s->chunk / 8 + 1);
}

static void K_(bits_column)(K_BITS_SUM *s)
{
    uint32_t at = 0;
    for (uint32_t k = 0; k < 8; k++) {
        s->t.length[k] = ((uint32_t)s->n + 7 - k) / 8;
        s->t.piece_start[k] = s->t.length[k] ? at : 0; /* an empty lane reads its first entry too */
        at += s->t.length[k];
    }
}

/* Adds the chunk's slots to those kept, as a level of its own. No later chunk has more of them than the first. */
static void K_(bits_keep)(K_BITS_SUM *s)
{
    K_LANES *t = &s->t;
    const uint32_t base = K_(kept_slot)(s), stride = t->stride;
    const bool first = s->kept[0] == 0;
    uint32_t left[8];
    for (int k = 0; k < 8; k++) left[k] = (t->length[k] + stride - 1) / stride;
    if (first) memcpy(s->kept, left, sizeof left);
    t->items = 0;
    for (uint32_t i = 0; i < left[0]; i++) {
        uint32_t lanes = 0;
        if (first) t->slot[base + i] = t->slot[i * stride];
        for (int k = 0; k < 8; k++) lanes |= (uint32_t)(i < left[k]) << k;
        t->item[t->items++] = (K_(item)){base + i, i * stride, 0, lanes};
    }
    if (!first) K_(add_level)(t);
}

static void K_(bits_chunk)(K_BITS_SUM *s)
{
    uint32_t minus[8];
    if (s->n == 0) return;
    memcpy(minus, s->t.piece_minus, sizeof minus);
    K_(bits_column)(s);
    if (K_(sum_columns)(&s->t, s->kept[0] ? s->kept[0] : K_(KEPT))) {
        K_(bits_keep)(s);
    } else {
        memcpy(s->t.piece_minus, minus, sizeof minus);
        for (size_t i = 0; i < s->n; i++) E_(madd)(&s->rest, &s->rest, &s->t.points[s->index[i]]);
    }
    s->n = 0;
}

/* What is kept and what was given up, together. */
static void K_(bits_end)(K_AFF *out, K_BITS_SUM *s)
{
    K_LANES *t = &s->t;
    K_AFF lane[8];
    t->repairs = 0;
    memcpy(t->length, s->kept, sizeof s->kept);
    t->column_slot[0] = K_(kept_slot)(s);
    for (t->stride = 1; t->stride < t->length[0]; t->stride *= 2) K_(add_slots)(t);
    memset(lane, 0, sizeof lane);
    if (t->length[0]) K_(take_sums)(t, lane);
    for (int k = 0; k < 8; k++) E_(madd)(&s->rest, &s->rest, &lane[k]);
    E_(to_affine)(out, &s->rest);
}

static void K_(bits_range)(K_AFF *out, K_BATCH *b, const K_BITS_JOB *j, size_t lo, size_t hi)
{
    K_BITS_SUM s = {.index = b->run_id, .chunk = K_SIZES.chunk_max};
    K_(lanes_init)(&s.t, b->memory, b->layout);
    s.t.points = j->points + 64 * lo;
    s.t.index = s.index;
    s.t.columns = 1;
    s.t.pieces = 8;
    E_(set_infinity)(&s.rest);
    for (uint32_t k = 0; k < 8; k++) {
        s.t.order[k] = k;
        s.t.piece_minus[k] = 0;
    }
    for (size_t w = lo; w < hi; w++)
        for (uint64_t bits = K_(word)(j, w); bits; bits &= bits - 1) {
            s.index[s.n++] = (uint32_t)(64 * (w - lo)) + (uint32_t)__builtin_ctzll(bits);
            if (s.n == s.chunk) K_(bits_chunk)(&s);
        }
    K_(bits_chunk)(&s);
    K_(bits_end)(out, &s);
}
