/* Segments of buckets, eight at a time, on the levels of msm_lanes.inc.h; an include-template for msm_dense.inc.h.
 *
 * Eight segments are a column of three slots: weighted sums, running sums, buckets. A step is one level of two items for each
 * column, weighted += running and running += bucket, so a bucket is brought into vector form once and the sums stay in it.
 * Running sums begin at a point R and weighted ones at 3 R, so that segments without points are no special case; at the end
 * these have R and (length + 4) R too much, which a window takes off once. Where a bucket is infinity or a sum meets an equal
 * x, the segments of the task are summed one by one.
 */

enum {
    K_(SEGMENTS_MIN) = 64 /* fewer in a task are summed one by one: each step has an inversion */
};

static void K_(multiple)(K_JAC *out, const K_AFF *p, uint64_t k)
{
    K_JAC sum;
    E_(set_infinity)(&sum);
    for (int bit = 64; bit-- > 0;) {
        E_(dbl)(&sum, &sum);
        if (k >> bit & 1) E_(madd)(&sum, &sum, p);
    }
    *out = sum;
}

/* R = 2^100 times the generator: no small multiple of it, which inputs may well be. */
static void K_(shift_segments)(K_JOB *j)
{
    const uint64_t length = j->p.segment, segments = j->p.segments;
    K_JAC r;
    K_AFF minus;
    if (j->p.segments_per_task < K_(SEGMENTS_MIN)) return;
    E_(from_affine)(&r, K_GENERATOR());
    for (int i = 0; i < 100; i++) E_(dbl)(&r, &r);
    E_(to_affine)(&j->shift[0], &r);
    K_(multiple)(&r, &j->shift[0], 3);
    E_(to_affine)(&j->shift[1], &r);
    minus = j->shift[0];
    F_(neg)(&minus.y, &minus.y);
    K_(multiple)
    (&j->unshift, &minus, segments * (length + 4) + length * (segments * (segments - 1) / 2));
    j->shifted = true;
}

static void K_(fill_slot)(K_VEC *s, const K_AFF *p)
{
    K_(set_lanes)(&s->x, 0xff, &p->x);
    K_(set_lanes)(&s->y, 0xff, &p->y);
}

/* Loads a bucket for each of the lanes below n, the `step`th of its segment. Gives the lanes that have one; *special: one of
 * them has x = 0. */
static inline uint32_t K_(load_buckets)(K_VEC *s, const K_JOB *j, size_t segment, size_t n,
                                        size_t step, bool *special)
{
    const uint64_t *x[8], *y[8];
    uint32_t lanes = 0;
    weir_v8 zero;
    for (size_t k = 0; k < 8; k++) {
        const size_t id = (segment + (k < n ? k : 0)) * j->p.segment + step;
        const bool has = k < n && j->starts[id] != j->starts[id + 1];
        const K_AFF *p = has ? &j->buckets[id] : &j->shift[0];
        if (step > 0) K_(prefetch)(&j->buckets[id - 1]);
        x[k] = (const uint64_t *)(const void *)&p->x;
        y[k] = (const uint64_t *)(const void *)&p->y;
        lanes |= (uint32_t)has << k;
    }
    V_(load)(&s->x, x);
    V_(load)(&s->y, y);
    V_(zero_lanes)(&zero, &s->x);
    if (K_(mask_lanes)(&zero)) *special = true;
    return lanes;
}

/* False: a special case. */
static bool K_(segments_step)(K_LANES *t, const K_JOB *j, size_t first, size_t m, size_t step)
{
    bool special = false;
    t->items = 0;
    for (uint32_t c = 0; c < t->columns; c++) {
        uint32_t slot = 3 * c;
        uint32_t lanes =
            K_(load_buckets)(&t->slot[slot + 2], j, first + 8 * c, m - 8 * c, step, &special);
        t->item[t->items++] = (K_(item)){slot, slot + 1, 0, 0xff};
        t->item[t->items++] = (K_(item)){slot + 1, slot + 2, 0, lanes};
    }
    if (special) return false;
    K_(add_level)(t);
    return t->repairs == 0;
}

/* False: a special case, nothing of use is written. */
static bool K_(segments_by_lanes)(K_BATCH *b, const K_JOB *j, size_t first, size_t m)
{
    K_AFF *running = b->points, *weighted = running + 2 * m;
    K_LANES t = {.columns = (m + 7) / 8};
    K_(lanes_init)(&t, b->memory, b->layout);
    for (uint32_t k = 0; k < 8; k++) t.order[k] = t.piece_minus[k] = 0;
    for (size_t c = 0; c < t.columns; c++) {
        K_(fill_slot)(&t.slot[3 * c], &j->shift[1]);
        K_(fill_slot)(&t.slot[3 * c + 1], &j->shift[0]);
    }
    for (size_t step = j->p.segment; step-- > 0;)
        if (!K_(segments_step)(&t, j, first, m, step)) return false;
    t.items = 0;
    for (uint32_t c = 0; c < t.columns; c++)
        t.item[t.items++] = (K_(item)){3 * c, 3 * c + 1, 0, 0xff};
    K_(add_level)(&t);
    for (size_t c = 0; c < t.columns; c++)
        for (size_t k = 0; k < 8 && 8 * c + k < m; k++) {
            K_(get_lane)(&weighted[8 * c + k], &t.slot[3 * c], (unsigned)k);
            K_(get_lane)(&running[8 * c + k], &t.slot[3 * c + 1], (unsigned)k);
        }
    return t.repairs == 0;
}

/* What segments_by_lanes leaves, where it was given up. */
static void K_(shift_sums)(K_BATCH *b, const K_JOB *j, size_t m)
{
    K_AFF *running = b->points, *weighted = running + 2 * m;
    K_JAC sum;
    K_AFF all;
    K_(multiple)(&sum, &j->shift[0], j->p.segment + 4);
    E_(to_affine)(&all, &sum);
    for (size_t i = 0; i < m; i++) {
        K_(push)(b, &running[i], &j->shift[0]);
        K_(push)(b, &weighted[i], &all);
    }
    K_(flush)(b);
}

static void K_(segment_sums)(K_BATCH *b, const K_JOB *j, size_t first, size_t m)
{
    if (j->shifted && K_(segments_by_lanes)(b, j, first, m)) return;
    K_(segments_one_by_one)(b, j, first, m);
    if (j->shifted) K_(shift_sums)(b, j, m);
}
