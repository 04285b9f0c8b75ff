/* Sums of many runs of points, eight at a time, an include-template on top of msm_batch.inc.h and the vector field of
 * msm_batch_x8.inc.h.
 *
 * A run is cut into pieces of neighbouring entries. Eight pieces of nearly the same length are a column: lane k sums
 * piece k as a tree, all lanes in step, so that points are brought into vector form once, at the bottom, and taken out of
 * it once, at the top. One level of the trees of all columns is one batch:
 *   prepare   item i takes two points a, b: dx = x_b - x_a, dy = y_b - y_a, and slot[out] = a
 *   chain     products of all dx (two chains of even and odd items, whose products run interleaved), 16 lanes inverted
 *   finish    slot[out] = a + b, from the end of the chains to their start
 * In a lane that has no b, dx is one and a is kept. A pair that the formula cannot add (equal x, infinity) is added in
 * scalar form and becomes such a lane. Infinity as a sum is written as a point that is not infinity (the curve's
 * generator) and noted with the piece, from whose sum it is taken at the end; so no level sees infinity but the first.
 * Repairs are slow. Where they are many (most points equal, say), the trees are given up, and the caller takes the scalar way.
 *
 * Bounds (multiples of p, mont52.inc.h): slots < 2, but at the bottom, before finish, x < 2^32 and y, which is lazy, within
 * 2^32; dx < 2^33, dy < 2^34; products < 2, slope < 4.
 */

enum {
    K_(SOON) = 8,        /* entries of the next call fetched a pair of items; in all levels about as many as it has */
    K_(AHEAD) = 12,       /* items whose points are fetched ahead */
    K_(PIECE) = 64,      /* most entries of a piece */
    K_(LANES_MIN) = 256, /* fewer entries are summed without trees: each level has an inversion */
    K_(MAX_REPAIRS) = 96 /* in one call; a repair costs as much as 40 additions */
};

#define K_VEC K_(vec)
typedef struct K_VEC {
    V_FIELD x, y;
} K_VEC;

typedef struct K_(item) {
    uint32_t out, a, b; /* slots; at the bottom a is the first of two places in the pieces, b is not used */
    uint32_t column;
    uint32_t lanes; /* bit k: lane k has a b */
} K_(item);

_Static_assert(sizeof(K_(item)) == WEIR_MSM_ITEM_BYTES, "msm_plan.c counts on it");

#define K_LANES K_(trees)
typedef struct K_LANES {
    K_VEC *slot;
    V_FIELD *dx, *dy, *prefix;
    K_(item) * item;
    uint32_t *piece_start, *piece_length, *piece_minus; /* by piece; minus: generators to take off */
    uint32_t *order;                                    /* piece in lane k of column c: order[8 c + k] */
    uint32_t *column_slot, *length;                     /* where a column starts; length[8 c + k] */
    size_t pieces, columns, items, repairs;
    const K_AFF *points;
    const uint32_t *index; /* entry: number of a point, and its sign in the top bit */
    const uint32_t *soon;  /* n_soon entries that this thread is likely to sum next */
    size_t n_soon;
} K_LANES;

static void K_(lanes_init)(K_LANES *t, unsigned char *memory, const weir_msm_worker_layout *w)
{
    const weir_msm_lanes_layout *l = &w->lanes;
    t->slot = (K_VEC *)(void *)(memory + l->slot);
    t->dx = (V_FIELD *)(void *)(memory + l->dx);
    t->dy = (V_FIELD *)(void *)(memory + l->dy);
    t->prefix = (V_FIELD *)(void *)(memory + l->prefix);
    t->item = (K_(item) *)(void *)(memory + l->item);
    t->piece_start = (uint32_t *)(void *)(memory + l->piece_start);
    t->piece_length = (uint32_t *)(void *)(memory + l->piece_length);
    t->piece_minus = (uint32_t *)(void *)(memory + l->piece_minus);
    t->order = (uint32_t *)(void *)(memory + l->order);
    t->column_slot = (uint32_t *)(void *)(memory + l->column_slot);
    t->length = (uint32_t *)(void *)(memory + l->length);
}

/* The lanes of a set as a vector of masks. */
V8_INLINE void K_(lane_mask)(weir_v8 *mask, uint32_t lanes)
{
    const weir_v8 bit = {1, 2, 4, 8, 16, 32, 64, 128};
    *mask = (weir_v8)((v8_set((uint64_t)lanes) & bit) != 0);
}

static inline uint32_t K_(mask_lanes)(const weir_v8 *mask)
{
    uint32_t lanes = 0;
    for (int k = 0; k < 8; k++) lanes |= (uint32_t)((*mask)[k] & 1) << k;
    return lanes;
}

/* ---- special pairs, in scalar form */

static void K_(vec_store)(K_FIELD out[8], const V_FIELD *v)
{
    V_FIELD t = *v;
    uint64_t *p[8];
    for (int k = 0; k < 8; k++) p[k] = (uint64_t *)(void *)&out[k];
    V_(settle)(&t, 34);
    V_(store)(p, &t);
}

static void K_(set_lane)(V_FIELD *v, unsigned lane, const K_FIELD *value)
{
    const uint64_t *p[8];
    V_FIELD all;
    weir_v8 mask;
    for (int k = 0; k < 8; k++) p[k] = (const uint64_t *)(const void *)value;
    V_(load)(&all, p);
    V_(settle)(&all, 1);
    K_(lane_mask)(&mask, 1u << lane);
    V_(select)(v, &mask, &all, v);
}

/* a + b of item i in one lane, both read back from what prepare left; the lane then has no b. */
static __attribute__((noinline)) void K_(repair)(K_LANES *t, size_t i, unsigned lane)
{
    K_(item) *it = &t->item[i];
    K_VEC *s = &t->slot[it->out];
    K_FIELD x[8], y[8], dx[8], dy[8];
    K_AFF a, b;
    K_JAC sum;
    t->repairs++;
    K_(vec_store)(x, &s->x);
    K_(vec_store)(y, &s->y);
    a = (K_AFF){.x = x[lane], .y = y[lane]};
    E_(from_affine)(&sum, &a);
    if (it->lanes >> lane & 1) {
        K_(vec_store)(dx, &t->dx[i]);
        K_(vec_store)(dy, &t->dy[i]);
        F_(add)(&b.x, &a.x, &dx[lane]);
        F_(add)(&b.y, &a.y, &dy[lane]);
        E_(madd)(&sum, &sum, &b);
    }
    if (E_(is_infinity)(&sum)) {
        a = *K_GENERATOR();
        t->piece_minus[t->order[8 * it->column + lane]]++;
    } else {
        E_(to_affine)(&a, &sum);
    }
    K_(set_lane)(&s->x, lane, &a.x);
    K_(set_lane)(&s->y, lane, &a.y);
    it->lanes &= ~(1u << lane);
}

/* dx = 1 in lanes without b. */
V8_INLINE void K_(idle_lanes)(V_FIELD *dx, uint32_t lanes)
{
    weir_v8 mask;
    V_FIELD one;
    if (lanes == 0xff) return;
    K_(lane_mask)(&mask, lanes);
    V_(set_one)(&one);
    V_(select)(dx, &mask, dx, &one);
}

/* Finds the pairs of equal x: dx is a multiple of p in their lane. */
static __attribute__((noinline)) void K_(repair_level)(K_LANES *t)
{
    for (size_t i = 0; i < t->items; i++) {
        K_FIELD dx[8];
        K_(vec_store)(dx, &t->dx[i]);
        for (unsigned k = 0; k < 8; k++)
            if ((t->item[i].lanes >> k & 1) && F_(is_zero)(&dx[k])) K_(repair)(t, i, k);
        K_(idle_lanes)(&t->dx[i], t->item[i].lanes);
    }
}

/* ---- one level */

/* Asks for the points of the next entries to come, for the second-level cache: while products are made the memory has nothing
 * else to do. */
static inline void K_(fetch_soon)(K_LANES *t, size_t entries)
{
    const uint32_t mask = ((uint32_t)1 << WEIR_MSM_SIGN_SHIFT) - 1;
    if (entries > t->n_soon) entries = t->n_soon;
    if (entries == 0) return;
    for (size_t i = 0; i < entries; i++) {
        const char *p = (const char *)&t->points[t->soon[i] & mask];
        for (size_t at = 0; at < sizeof *t->points; at += 64) __builtin_prefetch(p + at, 0, 2);
        __builtin_prefetch(p + sizeof *t->points - 1, 0, 2);
    }
    t->soon += entries;
    t->n_soon -= entries;
}

/* product[c] = product of dx over the items 2 j + c; prefix[i] = of those before item i. */
static void K_(chain)(K_LANES *t, V_FIELD product[2])
{
    size_t i = 0;
    V_(set_one)(&product[0]);
    V_(set_one)(&product[1]);
    for (; i + 1 < t->items; i += 2) {
        t->prefix[i] = product[0];
        t->prefix[i + 1] = product[1];
        K_(fetch_soon)(t, K_(SOON));
        V_MUL2(&product[0], &product[0], &t->dx[i], &product[1], &product[1], &t->dx[i + 1], 33);
    }
    if (i < t->items) {
        t->prefix[i] = product[0];
        V_MUL(&product[0], &product[0], &t->dx[i], 33);
    }
}

/* Inverts the lanes of both. False: one of them is zero, and nothing has changed. */
static bool K_(invert_lanes)(V_FIELD product[2])
{
    K_FIELD lane[16], scratch[16];
    const uint64_t *from[8];
    for (int c = 0; c < 2; c++) K_(vec_store)(lane + 8 * c, &product[c]);
    for (int k = 0; k < 16; k++)
        if (F_(is_zero)(&lane[k])) return false;
    F_INVS(lane, 16, scratch);
    for (int c = 0; c < 2; c++) {
        for (int k = 0; k < 8; k++) from[k] = (const uint64_t *)(const void *)&lane[8 * c + k];
        V_(load)(&product[c], from);
        V_(settle)(&product[c], 1);
    }
    return true;
}

/* v = old in lanes without b. */
V8_INLINE void K_(keep_idle)(V_FIELD *v, const V_FIELD *old, uint32_t lanes)
{
    weir_v8 mask;
    if (lanes == 0xff) return;
    K_(lane_mask)(&mask, lanes);
    V_(select)(v, &mask, v, old);
}

/* x = slope^2 - 2 x_a - dx, y = slope (x_a - x) - y_a, for n = 1 or 2 items. */
V8_INLINE void K_(add_pairs)(K_LANES *t, size_t i, V_FIELD *inverse, int n)
{
    V_FIELD slope[2], x[2], y[2];
    K_VEC *s[2];
#pragma GCC unroll 2
    for (int c = 0; c < n; c++) s[c] = &t->slot[t->item[i + c].out];
    if (n == 2) {
        V_MUL2(&slope[0], &inverse[0], &t->dy[i], &slope[1], &inverse[1], &t->dy[i + 1], 34);
        V_SQR2(&x[0], &slope[0], &x[1], &slope[1]);
    } else {
        V_MUL(&slope[0], &inverse[0], &t->dy[i], 34);
        V_SQR(&x[0], &slope[0]);
    }
#pragma GCC unroll 2
    for (int c = 0; c < n; c++) {
        V_(lazy_sub)(&x[c], &x[c], &t->dx[i + c]);
        V_(lazy_sub)(&x[c], &x[c], &s[c]->x);
        V_(lazy_sub)(&x[c], &x[c], &s[c]->x);
        K_(keep_idle)(&x[c], &s[c]->x, t->item[i + c].lanes);
        V_(settle)(&x[c], 34);
        V_(sub)(&y[c], &s[c]->x, &x[c], 1);
    }
    if (n == 2)
        V_MUL2(&y[0], &slope[0], &y[0], &y[1], &slope[1], &y[1], 33);
    else
        V_MUL(&y[0], &slope[0], &y[0], 33);
#pragma GCC unroll 2
    for (int c = 0; c < n; c++) {
        V_(lazy_sub)(&y[c], &y[c], &s[c]->y);
        K_(keep_idle)(&y[c], &s[c]->y, t->item[i + c].lanes);
        V_(settle)(&y[c], 32);
        s[c]->x = x[c];
        s[c]->y = y[c];
    }
}

/* slot[out] = a + b for all items, given the inverses of both chains. */
static void K_(finish_level)(K_LANES *t, V_FIELD product[2])
{
    size_t i = t->items;
    V_FIELD inverse[2];
    if (i & 1) {
        i--;
        V_MUL(&inverse[0], &product[0], &t->prefix[i], 1);
        V_MUL(&product[0], &product[0], &t->dx[i], 33);
        K_(add_pairs)(t, i, inverse, 1);
    }
    while (i > 0) {
        i -= 2;
        K_(fetch_soon)(t, 2 * K_(SOON));
        V_MUL2(&inverse[0], &product[0], &t->prefix[i], &inverse[1], &product[1],
               &t->prefix[i + 1], 1);
        V_MUL2(&product[0], &product[0], &t->dx[i], &product[1], &product[1], &t->dx[i + 1], 33);
        K_(add_pairs)(t, i, inverse, 2);
    }
}

/* What prepare left in items, dx, dy and slots is added. */
static void K_(add_level)(K_LANES *t)
{
    V_FIELD product[2];
    if (t->items == 0) return;
    K_(chain)(t, product);
    while (!K_(invert_lanes)(product)) {
        K_(repair_level)(t);
        K_(chain)(t, product);
    }
    K_(finish_level)(t, product);
}

/* ---- the bottom */

static inline const K_AFF *K_(entry_point)(const K_LANES *t, uint32_t at, uint32_t *negative)
{
    const uint32_t mask = ((uint32_t)1 << WEIR_MSM_SIGN_SHIFT) - 1;
    *negative = t->index[at] >> WEIR_MSM_SIGN_SHIFT;
    return &t->points[t->index[at] & mask];
}

/* The entries of an item: lane k's first and second. A lane that has run out repeats its last. */
V8_INLINE void K_(item_entries)(uint32_t at[2][8], const K_LANES *t, const K_(item) * it)
{
#pragma GCC unroll 8
    for (int k = 0; k < 8; k++) {
        uint32_t last = t->length[8 * it->column + k];
        uint32_t start = t->piece_start[t->order[8 * it->column + k]];
        last -= last != 0;
        at[0][k] = start + (it->a < last ? it->a : last);
        at[1][k] = start + (it->a + 1 < last ? it->a + 1 : last);
    }
}

static inline void K_(fetch_item)(const K_LANES *t, size_t i)
{
    uint32_t at[2][8], negative;
    if (i >= t->items) return;
    K_(item_entries)(at, t, &t->item[i]);
    for (int k = 0; k < 8; k++)
        for (int p = 0; p < 2; p++) K_(prefetch)(K_(entry_point)(t, at[p][k], &negative));
}

V8_INLINE void K_(load_points)(V_FIELD *x, V_FIELD *y, const K_LANES *t, const uint32_t at[8])
{
    const uint64_t *px[8], *py[8];
    uint64_t minus[8];
    weir_v8 negative;
#pragma GCC unroll 8
    for (int k = 0; k < 8; k++) {
        uint32_t sign;
        const K_AFF *p = K_(entry_point)(t, at[k], &sign);
        px[k] = (const uint64_t *)(const void *)&p->x;
        py[k] = (const uint64_t *)(const void *)&p->y;
        minus[k] = 0 - (uint64_t)sign;
    }
    V_(load)(x, px);
    V_(load)(y, py);
    memcpy(&negative, minus, sizeof negative);
    V_(lazy_negate)(y, &negative);
}

/* Items without any b are made too: their points must be brought in. */
static void K_(bottom_items)(K_LANES *t)
{
    uint32_t slot = 0;
    t->items = 0;
    for (uint32_t c = 0; c < t->columns; c++) {
        const uint32_t *length = &t->length[8 * c];
        t->column_slot[c] = slot;
        for (uint32_t a = 0; a < length[0]; a += 2) {
            uint32_t lanes = 0;
            for (int k = 0; k < 8; k++) lanes |= (uint32_t)(a + 1 < length[k]) << k;
            t->item[t->items++] = (K_(item)){.out = slot++, .a = a, .column = c, .lanes = lanes};
        }
    }
}

static void K_(prepare_bottom)(K_LANES *t)
{
    K_(bottom_items)(t);
    for (size_t i = 0; i < K_(AHEAD); i++) K_(fetch_item)(t, i);
    for (size_t i = 0; i < t->items; i++) {
        K_(item) *it = &t->item[i];
        K_VEC *s = &t->slot[it->out];
        V_FIELD bx, by;
        weir_v8 zero_a, zero_b;
        uint32_t at[2][8];
        K_(fetch_item)(t, i + K_(AHEAD));
        K_(item_entries)(at, t, it);
        K_(load_points)(&s->x, &s->y, t, at[0]);
        K_(load_points)(&bx, &by, t, at[1]);
        V_(zero_lanes)(&zero_a, &s->x);
        V_(zero_lanes)(&zero_b, &bx);
        V_(sub)(&t->dx[i], &bx, &s->x, 32);
        V_(lazy_sub)(&t->dy[i], &by, &s->y);
        V_(lift)(&t->dy[i], 33);
        zero_a |= zero_b;
        uint32_t special = K_(mask_lanes)(&zero_a);
        if (__builtin_expect(special != 0, 0))
            for (unsigned k = 0; k < 8; k++)
                if ((special >> k & 1) && it->a < t->length[8 * it->column + k])
                    K_(repair)(t, i, k);
        K_(idle_lanes)(&t->dx[i], it->lanes);
    }
}

/* ---- the levels above */

static void K_(halve_lengths)(K_LANES *t)
{
    for (size_t i = 0; i < 8 * t->columns; i++) t->length[i] = (t->length[i] + 1) / 2;
}

static void K_(level_items)(K_LANES *t)
{
    t->items = 0;
    for (uint32_t c = 0; c < t->columns; c++) {
        const uint32_t *length = &t->length[8 * c], base = t->column_slot[c];
        for (uint32_t a = 0; a + 1 < length[0]; a += 2) {
            uint32_t lanes = 0;
            for (int k = 0; k < 8; k++) lanes |= (uint32_t)(a + 1 < length[k]) << k;
            t->item[t->items++] = (K_(item)){base + a / 2, base + a, base + a + 1, c, lanes};
        }
    }
}

/* From the first item to the last: slot `out` of one is never read by a later one. */
static void K_(prepare_items)(K_LANES *t)
{
    for (size_t i = 0; i < t->items; i++) {
        const K_(item) *it = &t->item[i];
        const K_VEC *a = &t->slot[it->a], *b = &t->slot[it->b];
        V_(sub)(&t->dx[i], &b->x, &a->x, 1);
        V_(sub)(&t->dy[i], &b->y, &a->y, 1);
        K_(idle_lanes)(&t->dx[i], it->lanes);
        if (it->out != it->a) t->slot[it->out] = *a;
    }
}

/* The last slot of an odd column goes up as it is. */
static void K_(prepare_level)(K_LANES *t)
{
    K_(level_items)(t);
    K_(prepare_items)(t);
    for (size_t c = 0; c < t->columns; c++) {
        uint32_t length = t->length[8 * c];
        K_VEC *slot = &t->slot[t->column_slot[c]];
        if (length > 1 && (length & 1)) slot[length / 2] = slot[length - 1];
    }
}

static uint32_t K_(longest)(const K_LANES *t)
{
    uint32_t longest = 0;
    for (size_t c = 0; c < t->columns; c++)
        if (t->length[8 * c] > longest) longest = t->length[8 * c];
    return longest;
}

/* One level: neighbouring slots of every column are added. */
static void K_(add_slots)(K_LANES *t)
{
    K_(prepare_level)(t);
    K_(add_level)(t);
    K_(halve_lengths)(t);
}

/* Adds slots until every column has at most `keep`. False: given up. */
static bool K_(sum_slots)(K_LANES *t, uint32_t keep)
{
    while (K_(longest)(t) > keep) {
        K_(add_slots)(t);
        if (t->repairs > K_(MAX_REPAIRS)) return false;
    }
    return true;
}

/* Sums every column down to at most `keep` slots. False: given up. */
static bool K_(sum_columns)(K_LANES *t, uint32_t keep)
{
    t->repairs = 0;
    K_(prepare_bottom)(t);
    if (t->repairs > K_(MAX_REPAIRS)) return false;
    K_(add_level)(t);
    K_(halve_lengths)(t);
    return K_(sum_slots)(t, keep);
}

/* The sums of all columns, which have one slot each, to out[piece]. */
static void K_(take_sums)(K_LANES *t, K_AFF *out)
{
    for (size_t c = 0; c < t->columns; c++) {
        K_FIELD x[8], y[8];
        K_(vec_store)(x, &t->slot[t->column_slot[c]].x);
        K_(vec_store)(y, &t->slot[t->column_slot[c]].y);
        for (int k = 0; k < 8; k++)
            if (t->length[8 * c + k]) out[t->order[8 * c + k]] = (K_AFF){.x = x[k], .y = y[k]};
    }
    for (size_t p = 0; p < t->pieces; p++) {
        K_JAC sum;
        K_AFF minus = *K_GENERATOR();
        if (__builtin_expect(t->piece_minus[p] == 0, 1)) continue;
        F_(neg)(&minus.y, &minus.y);
        E_(from_affine)(&sum, &out[p]);
        for (; t->piece_minus[p]; t->piece_minus[p]--) E_(madd)(&sum, &sum, &minus);
        E_(to_affine)(&out[p], &sum);
    }
}

/* ---- runs */

/* Cuts the runs into pieces. first[r] = the first piece of run r; first[runs] = all. */
static void K_(cut_runs)(K_LANES *t, uint32_t *first, const uint32_t *start, size_t runs)
{
    t->pieces = 0;
    for (size_t r = 0; r < runs; r++) {
        uint32_t at = start[r], left = start[r + 1] - at;
        first[r] = (uint32_t)t->pieces;
        for (uint32_t parts = (left + K_(PIECE) - 1) / K_(PIECE); parts > 0; parts--) {
            uint32_t n = left / parts;
            t->piece_start[t->pieces] = at;
            t->piece_minus[t->pieces] = 0;
            t->piece_length[t->pieces++] = n;
            at += n;
            left -= n;
        }
    }
    first[runs] = (uint32_t)t->pieces;
}

/* Puts the pieces into columns, the longest first. */
static void K_(make_columns)(K_LANES *t)
{
    uint32_t next[K_(PIECE) + 2] = {0};
    for (size_t p = 0; p < t->pieces; p++) next[K_(PIECE) - t->piece_length[p] + 1]++;
    for (int i = 0; i < K_(PIECE); i++) next[i + 1] += next[i];
    for (size_t p = 0; p < t->pieces; p++) {
        uint32_t at = next[K_(PIECE) - t->piece_length[p]]++;
        t->order[at] = (uint32_t)p;
        t->length[at] = t->piece_length[p];
    }
    t->columns = (t->pieces + 7) / 8;
    for (size_t at = t->pieces; at < 8 * t->columns; at++) {
        t->order[at] = 0;
        t->length[at] = 0;
    }
}

/* out[first[r]] .. out[first[r + 1] - 1] = sums of the pieces of run r, which is entries start[r] .. start[r + 1] - 1.
 * False: given up. */
static bool K_(sum_pieces)(K_LANES *t, K_AFF *out, uint32_t *first, const uint32_t *start,
                           size_t runs)
{
    K_(cut_runs)(t, first, start, runs);
    K_(make_columns)(t);
    if (!K_(sum_columns)(t, 1)) return false;
    K_(take_sums)(t, out);
    return true;
}

/* The sum of each run to points[run_start[r]], where the run's entries start at run_start[r]. False: given up, and
 * nothing has changed. */
static bool K_(runs_by_lanes)(K_BATCH *b, const K_AFF *points, const uint32_t *index, size_t runs)
{
    K_LANES t = {.points = points, .index = index, .soon = b->soon, .n_soon = b->n_soon};
    uint32_t *first = (uint32_t *)(void *)(b->memory + b->layout->lanes.first);
    K_(lanes_init)(&t, b->memory, b->layout);
    if (!K_(sum_pieces)(&t, b->points, first, b->run_start, runs)) return false;
    memcpy(b->run_start, first, (runs + 1) * sizeof *first);
    K_(sum_runs)(b, b->points, b->run_start, runs);
    return true;
}
