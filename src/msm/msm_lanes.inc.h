/* Sums of many runs of points, eight at a time, an include-template on top of msm_batch.inc.h and the vector field of
 * msm_batch_x8.inc.h.
 *
 * A run is cut into pieces of neighbouring entries. Eight pieces of nearly the same length are a column: lane k sums
 * piece k as a tree, all lanes in step, so that points are brought into vector form once, at the bottom, and taken out of
 * it once, at the top. The points of a column's lanes lie in slots, one for each place of the pieces; a tree adds slots at
 * distance 1, then 2, 4 and so on, in place. One level of the trees of all columns is one batch of items, slot[a] += slot[b]:
 *   chain     products of all dx = x_b - x_a (two chains of even and odd items, whose products run interleaved), inverted
 *   finish    slot[a] = a + b, from the end of the chains to their start
 * In a lane that has no b, dx is one and a is kept. A pair that the formula cannot add (equal x) is added in
 * scalar form and becomes such a lane. Infinity, as a point or as a sum, is written as a point that is not infinity (the curve's
 * generator) and noted with the piece, from whose sum it is taken at the end; so no level sees infinity.
 * Repairs are slow. Where they are many (most points equal, say), the trees are given up, and the caller takes the scalar way.
 *
 * Bounds (multiples of p, mont52.inc.h): slots < 2, but on the first level x < 2^32 and y, which is lazy, within
 * 2^32; dx < 2^33, dy < 2^34; products < 2, slope < 4.
 */

enum {
    K_(SOON) =
        4, /* entries of the next call fetched a pair of products; in all levels about as many as it has */
    K_(AHEAD) = 16,      /* slots whose points are fetched ahead */
    K_(PIECE) = 64,      /* most entries of a piece */
    K_(LANES_MIN) = 256, /* fewer entries are summed without trees: each level has an inversion */
    K_(MAX_REPAIRS) = 96 /* in one call; a repair costs as much as 40 additions */
};

#define K_VEC K_(vec)
typedef struct K_VEC {
    V_FIELD x, y;
} K_VEC;

/* slot[a] += slot[b]. No a is the a or b of another item, but the b of item 2 i may be the a of item 2 i + 1. */
typedef struct K_(item) {
    uint32_t a, b, column;
    uint32_t lanes; /* bit k: lane k has a b */
} K_(item);

_Static_assert(sizeof(K_(item)) == WEIR_MSM_ITEM_BYTES, "msm_plan.c counts on it");

#define K_LANES K_(trees)
typedef struct K_LANES {
    K_VEC *slot;
    V_FIELD *prefix;
    K_(item) * item;
    uint32_t *piece_start, *piece_length,
        *piece_minus;               /* by piece; minus: generators to take off */
    uint32_t *order;                /* piece in lane k of column c: order[8 c + k] */
    uint32_t *column_slot, *length; /* where a column starts; length[8 c + k] */
    size_t pieces, columns, items, repairs;
    uint32_t stride; /* distance of the slots that are left */
    const K_AFF *points;
    const uint32_t *index; /* entry: number of a point, and its sign in the top bit */
    const uint32_t *soon;  /* n_soon entries that this thread is likely to sum next */
    size_t n_soon;
} K_LANES;

static void K_(lanes_init)(K_LANES *t, unsigned char *memory, const weir_msm_worker_layout *w)
{
    const weir_msm_lanes_layout *l = &w->lanes;
    t->slot = (K_VEC *)(void *)(memory + l->slot);
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

static inline bool K_(any_lane)(const weir_v8 *mask)
{
    uint64_t any = 0;
    for (int k = 0; k < 8; k++) any |= (*mask)[k];
    return any != 0;
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

static void K_(set_lanes)(V_FIELD *v, uint32_t lanes, const K_FIELD *value)
{
    const uint64_t *p[8];
    V_FIELD all;
    weir_v8 mask;
    for (int k = 0; k < 8; k++) p[k] = (const uint64_t *)(const void *)value;
    V_(load)(&all, p);
    V_(settle)(&all, 1);
    K_(lane_mask)(&mask, lanes);
    V_(select)(v, &mask, &all, v);
}

/* Lane `lane` of a slot. */
static void K_(get_lane)(K_AFF *out, const K_VEC *s, unsigned lane)
{
    K_FIELD x[8], y[8];
    K_(vec_store)(x, &s->x);
    K_(vec_store)(y, &s->y);
    *out = (K_AFF){.x = x[lane], .y = y[lane]};
}

/* Sets one lane of a slot in a column to a point, which may be infinity. */
static void K_(put_lane)(K_LANES *t, uint32_t slot, uint32_t column, unsigned lane, K_AFF p)
{
    t->repairs++;
    if (K_(is_infinity)(&p)) {
        p = *K_GENERATOR();
        t->piece_minus[t->order[8 * column + lane]]++;
    }
    K_(set_lanes)(&t->slot[slot].x, 1u << lane, &p.x);
    K_(set_lanes)(&t->slot[slot].y, 1u << lane, &p.y);
}

/* a + b of an item in one lane, which then has no b. */
static __attribute__((noinline)) void K_(repair)(K_LANES *t, K_(item) * it, unsigned lane)
{
    K_AFF a, b;
    K_JAC sum;
    K_(get_lane)(&a, &t->slot[it->a], lane);
    K_(get_lane)(&b, &t->slot[it->b], lane);
    E_(from_affine)(&sum, &a);
    E_(madd)(&sum, &sum, &b);
    E_(to_affine)(&a, &sum);
    K_(put_lane)(t, it->a, it->column, lane, a);
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

V8_INLINE void K_(item_dx)(V_FIELD *dx, const K_LANES *t, const K_(item) * it)
{
    V_(sub)(dx, &t->slot[it->b].x, &t->slot[it->a].x, 32);
    K_(idle_lanes)(dx, it->lanes);
}

/* Finds the pairs of equal x: dx is a multiple of p in their lane. */
static __attribute__((noinline)) void K_(repair_level)(K_LANES *t)
{
    for (size_t i = 0; i < t->items; i++) {
        V_FIELD v;
        K_FIELD dx[8];
        K_(item_dx)(&v, t, &t->item[i]);
        K_(vec_store)(dx, &v);
        for (unsigned k = 0; k < 8; k++)
            if (F_(is_zero)(&dx[k])) K_(repair)(t, &t->item[i], k);
    }
}

/* ---- one level */

/* Asks for the points of the next entries to come, for the second-level cache: while products are made the memory has nothing
 * else to do. A few at a time: a request waits for one of a dozen buffers, and what comes behind waits with it. */
static inline void K_(fetch_soon)(K_LANES *t)
{
    const uint32_t mask = ((uint32_t)1 << WEIR_MSM_SIGN_SHIFT) - 1;
    if (t->n_soon < K_(SOON)) return;
    for (size_t i = 0; i < K_(SOON); i++) {
        const char *p = (const char *)&t->points[t->soon[i] & mask];
        for (size_t at = 0; at + 32 < sizeof *t->points; at += 64) __builtin_prefetch(p + at, 0, 2);
        __builtin_prefetch(p + sizeof *t->points - 1, 0, 2);
    }
    t->soon += K_(SOON);
    t->n_soon -= K_(SOON);
}

/* product[c] = product of dx over the items 2 j + c; prefix[i] = of those before item i. */
static void K_(chain)(K_LANES *t, V_FIELD product[2])
{
    V_FIELD dx[2];
    size_t i = 0;
    V_(set_one)(&product[0]);
    V_(set_one)(&product[1]);
    for (; i + 1 < t->items; i += 2) {
        t->prefix[i] = product[0];
        t->prefix[i + 1] = product[1];
        K_(fetch_soon)(t);
        K_(item_dx)(&dx[0], t, &t->item[i]);
        K_(item_dx)(&dx[1], t, &t->item[i + 1]);
        V_MUL2(&product[0], &product[0], &dx[0], &product[1], &product[1], &dx[1], 33);
    }
    if (i < t->items) {
        t->prefix[i] = product[0];
        K_(item_dx)(&dx[0], t, &t->item[i]);
        V_MUL(&product[0], &product[0], &dx[0], 33);
    }
}

/* Inverts the lanes of both. False: one of them is zero, and nothing has changed.
 * With P_k the product of both in lane k, others_k = P_(k+1) ... P_(k+7), lane numbers modulo 8, made of products of 1, 2, 4 and 6
 * lanes; so others_k P_k is the same in all lanes, and one scalar inversion does. */
static bool K_(invert_lanes)(V_FIELD product[2])
{
    V_FIELD all, one, two, four, others, t;
    K_FIELD lane[8];
    const uint64_t *from[8];
    V_MUL(&all, &product[0], &product[1], 1);
    V_(rotate)(&one, &all, 1);
    V_(rotate)(&t, &one, 1);
    V_MUL(&two, &one, &t, 1);
    V_(rotate)(&t, &two, 2);
    V_MUL(&four, &two, &t, 1);
    V_(rotate)(&t, &two, 4);
    V_MUL(&others, &four, &t, 1);
    V_(rotate)(&t, &one, 6);
    V_MUL(&others, &others, &t, 1);
    V_MUL(&all, &all, &others, 1);
    K_(vec_store)(lane, &all);
    if (F_(is_zero)(&lane[0])) return false;
    F_INV(&lane[0], &lane[0]);
    for (int k = 0; k < 8; k++) from[k] = (const uint64_t *)(const void *)&lane[0];
    V_(load)(&all, from);
    V_MUL(&all, &others, &all, 32);
    t = product[0];
    V_MUL2(&product[0], &all, &product[1], &product[1], &all, &t, 1);
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

/* x = slope^2 - x_a - x_b, y = slope (x_a - x) - y_a, for n = 1 or 2 items. All is read before anything is written. */
V8_INLINE void K_(add_pairs)(K_LANES *t, size_t i, V_FIELD *inverse, int n)
{
    V_FIELD slope[2], x[2], y[2];
    K_VEC *a[2];
    const K_VEC *b[2];
#pragma GCC unroll 2
    for (int c = 0; c < n; c++) {
        a[c] = &t->slot[t->item[i + c].a];
        b[c] = &t->slot[t->item[i + c].b];
        V_(lazy_sub)(&y[c], &b[c]->y, &a[c]->y);
        V_(lift)(&y[c], 33);
    }
    K_(fetch_soon)(t);
    if (n == 2) {
        V_MUL2(&slope[0], &inverse[0], &y[0], &slope[1], &inverse[1], &y[1], 34);
        K_(fetch_soon)(t);
        V_SQR2(&x[0], &slope[0], &x[1], &slope[1]);
    } else {
        V_MUL(&slope[0], &inverse[0], &y[0], 34);
        V_SQR(&x[0], &slope[0]);
    }
#pragma GCC unroll 2
    for (int c = 0; c < n; c++) {
        V_(lazy_sub)(&x[c], &x[c], &a[c]->x);
        V_(lazy_sub)(&x[c], &x[c], &b[c]->x);
        K_(keep_idle)(&x[c], &a[c]->x, t->item[i + c].lanes);
        V_(settle)(&x[c], 33);
        V_(sub)(&y[c], &a[c]->x, &x[c], 1);
    }
    K_(fetch_soon)(t);
    if (n == 2)
        V_MUL2(&y[0], &slope[0], &y[0], &y[1], &slope[1], &y[1], 33);
    else
        V_MUL(&y[0], &slope[0], &y[0], 33);
#pragma GCC unroll 2
    for (int c = 0; c < n; c++) {
        V_(lazy_sub)(&y[c], &y[c], &a[c]->y);
        K_(keep_idle)(&y[c], &a[c]->y, t->item[i + c].lanes);
        V_(settle)(&y[c], 32);
        a[c]->x = x[c];
        a[c]->y = y[c];
    }
}

/* slot[a] += slot[b] for all items, given the inverses of both chains. */
static void K_(finish_level)(K_LANES *t, V_FIELD product[2])
{
    size_t i = t->items;
    V_FIELD inverse[2], dx[2];
    if (i & 1) {
        i--;
        K_(item_dx)(&dx[0], t, &t->item[i]);
        V_MUL(&inverse[0], &product[0], &t->prefix[i], 1);
        V_MUL(&product[0], &product[0], &dx[0], 33);
        K_(add_pairs)(t, i, inverse, 1);
    }
    while (i > 0) {
        i -= 2;
        K_(item_dx)(&dx[0], t, &t->item[i]);
        K_(item_dx)(&dx[1], t, &t->item[i + 1]);
        K_(fetch_soon)(t);
        V_MUL2(&inverse[0], &product[0], &t->prefix[i], &inverse[1], &product[1], &t->prefix[i + 1],
               1);
        K_(fetch_soon)(t);
        V_MUL2(&product[0], &product[0], &dx[0], &product[1], &product[1], &dx[1], 33);
        K_(add_pairs)(t, i, inverse, 2);
    }
}

/* All items are added. */
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

/* ---- points into slots */

/* What a slot takes: the points, and all ones where a point is taken with the other sign. */
typedef struct K_(source) {
    weir_v8 negative;
    const K_AFF *point[8];
} K_(source);

/* A slot of a column, and where its lanes begin and end. A lane that has run out repeats its last entry. */
typedef struct K_(cursor) {
    size_t column;
    uint32_t depth, start[8], last[8];
} K_(cursor);

static inline void K_(enter_column)(K_(cursor) * c, const K_LANES *t)
{
    c->depth = 0;
    if (c->column >= t->columns) return;
    for (int k = 0; k < 8; k++) {
        uint32_t length = t->length[8 * c->column + k];
        c->start[k] = t->piece_start[t->order[8 * c->column + k]];
        c->last[k] = length ? length - 1 : 0;
    }
}

/* Asks for the points of the cursor's slot, keeps where they are and goes on. */
static inline void K_(fetch_slot)(K_(source) * s, K_(cursor) * c, const K_LANES *t)
{
    const uint32_t mask = ((uint32_t)1 << WEIR_MSM_SIGN_SHIFT) - 1;
    uint64_t minus[8];
    if (c->column >= t->columns) return;
#pragma GCC unroll 8
    for (int k = 0; k < 8; k++) {
        uint32_t depth = c->depth < c->last[k] ? c->depth : c->last[k];
        uint32_t entry = t->index[c->start[k] + depth];
        s->point[k] = &t->points[entry & mask];
        minus[k] = 0 - (uint64_t)(entry >> WEIR_MSM_SIGN_SHIFT);
        K_(prefetch)(s->point[k]);
    }
    memcpy(&s->negative, minus, sizeof minus);
    if (++c->depth < t->length[8 * c->column]) return;
    c->column++;
    K_(enter_column)(c, t);
}

/* Gives the lanes whose x is 0: all of infinity are among them. */
V8_INLINE uint32_t K_(load_slot)(K_VEC *s, const K_(source) * from)
{
    const uint64_t *x[8], *y[8];
    weir_v8 zero;
#pragma GCC unroll 8
    for (int k = 0; k < 8; k++) {
        x[k] = (const uint64_t *)(const void *)&from->point[k]->x;
        y[k] = (const uint64_t *)(const void *)&from->point[k]->y;
    }
    V_(load)(&s->x, x);
    V_(load)(&s->y, y);
    V_(lazy_negate)(&s->y, &from->negative);
    V_(zero_lanes)(&zero, &s->x);
    return K_(any_lane)(&zero) ? K_(mask_lanes)(&zero) : 0;
}

static __attribute__((noinline)) void K_(put_infinities)(K_LANES *t, uint32_t slot, uint32_t column,
                                                         uint32_t lanes)
{
    for (unsigned k = 0; k < 8; k++) {
        K_AFF p;
        if (!(lanes >> k & 1) || slot - t->column_slot[column] >= t->length[8 * column + k])
            continue;
        K_(get_lane)(&p, &t->slot[slot], k);
        if (K_(is_infinity)(&p)) K_(put_lane)(t, slot, column, k, p);
    }
}

static void K_(load_points)(K_LANES *t)
{
    K_(source) source[K_(AHEAD)];
    uint32_t slot = 0;
    K_(cursor) ahead = {.column = 0};
    K_(enter_column)(&ahead, t);
    for (int i = 0; i < K_(AHEAD); i++) K_(fetch_slot)(&source[i], &ahead, t);
    for (uint32_t c = 0; c < t->columns; c++) {
        t->column_slot[c] = slot;
        for (uint32_t end = slot + t->length[8 * c]; slot < end; slot++) {
            K_(source) *here = &source[slot % K_(AHEAD)];
            uint32_t zero = K_(load_slot)(&t->slot[slot], here);
            if (__builtin_expect(zero != 0, 0)) K_(put_infinities)(t, slot, c, zero);
            K_(fetch_slot)(here, &ahead, t);
        }
    }
}

/* ---- levels */

static void K_(level_items)(K_LANES *t)
{
    t->items = 0;
    for (uint32_t c = 0; c < t->columns; c++) {
        const uint32_t *length = &t->length[8 * c], base = t->column_slot[c];
        for (uint32_t a = 0; a + t->stride < length[0]; a += 2 * t->stride) {
            uint32_t lanes = 0, b = a + t->stride;
            for (int k = 0; k < 8; k++) lanes |= (uint32_t)(b < length[k]) << k;
            t->item[t->items++] = (K_(item)){base + a, base + b, c, lanes};
        }
    }
}

static void K_(add_slots)(K_LANES *t)
{
    K_(level_items)(t);
    K_(add_level)(t);
}

/* Adds slots, level by level, until every column has at most `keep`, `stride` apart. False: given up. */
static bool K_(sum_slots)(K_LANES *t, uint32_t keep)
{
    uint32_t longest = 0;
    for (size_t c = 0; c < t->columns; c++)
        if (t->length[8 * c] > longest) longest = t->length[8 * c];
    for (t->stride = 1; (longest + t->stride - 1) / t->stride > keep; t->stride *= 2) {
        K_(add_slots)(t);
        if (t->repairs > K_(MAX_REPAIRS)) return false;
    }
    return true;
}

/* Sums every column down to at most `keep` slots. False: given up. */
static bool K_(sum_columns)(K_LANES *t, uint32_t keep)
{
    t->repairs = 0;
    K_(load_points)(t);
    return t->repairs <= K_(MAX_REPAIRS) && K_(sum_slots)(t, keep);
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
