/* Batches of affine additions and sums of runs of points, an include-template.
 *
 * Before including, define
 *   K_(name)   the prefix of what is made here, for example msm_g1_##name
 *   E_(name)   the prefix of the curve's formulas (g1_, g2_)
 *   F_(name)   the prefix of the coordinate field (fp_, fp2_); F_INV its inversion
 *   K_FIELD, K_AFF, K_JAC   types of a coordinate, an affine point, a Jacobian point
 *   K_SIZES    the curve's weir_msm_sizes
 *
 * A batch is a list of independent additions *a += *b. The denominators of all slopes are inverted together
 * (Montgomery's trick), so that an addition costs 5M + 1S and a share of one inversion:
 *   down the list: d_i = x_b - x_a, prefix_i = d_0 ... d_(i-1)                   1M
 *   up the list:   1/d_i = (1/(d_0 ... d_i)) prefix_i, then drop d_i               2M
 *                  slope = (y_b - y_a)/d_i, x = slope^2 - x_a - x_b, y = slope (x_a - x) - y_a   2M + 1S
 * Rules: no a of a batch is another a or any b of it; a b may occur many times.
 * Special cases cost no inversion and drop out on the way down: infinity on a side copies the other, opposite
 * points give infinity. A doubling stays, with d = 2 y_a and the numerator 3 x_a^2. No point of order two exists
 * on these curves (both cofactors are odd), so d is never 0.
 */

#define K_PAIR K_(pair)
typedef struct K_PAIR {
    K_AFF *a;
    const K_AFF *b;
} K_PAIR;

_Static_assert(sizeof(K_PAIR) == 2 * sizeof(void *), "msm_plan.c counts on it");

/* The arrays of one worker; see weir_msm_worker_layout. */
#define K_BATCH K_(batch)
typedef struct K_BATCH {
    K_AFF *points;
    K_PAIR *pairs;
    K_FIELD *prefix;
    uint32_t *run_start, *run_id;
    size_t n, capacity; /* pairs */
    unsigned char *memory;
    const weir_msm_worker_layout *layout;
    const uint32_t
        *soon; /* entries that this thread is likely to sum after these; n_soon may be 0 */
    size_t n_soon;
} K_BATCH;

static void K_(batch_init)(K_BATCH *t, unsigned char *memory, const weir_msm_worker_layout *w)
{
    t->points = (K_AFF *)(void *)(memory + w->points);
    t->pairs = (K_PAIR *)(void *)(memory + w->pairs);
    t->prefix = (K_FIELD *)(void *)(memory + w->prefix);
    t->run_start = (uint32_t *)(void *)(memory + w->run_start);
    t->run_id = (uint32_t *)(void *)(memory + w->run_id);
    t->n = 0;
    t->capacity = w->pair_count;
    t->memory = memory;
    t->layout = w;
    t->soon = NULL;
    t->n_soon = 0;
}

static inline bool K_(is_infinity)(const K_AFF *p)
{
    return F_(is_zero)(&p->x) && F_(is_zero)(&p->y);
}

/* The denominator for a += b when x_a = x_b, neither infinity. False: the sum is infinity, and is set. */
static __attribute__((noinline)) bool K_(same_x)(K_FIELD *d, K_AFF *a, const K_AFF *b)
{
    if (F_(eq)(&a->y, &b->y)) {
        F_(dbl)(d, &a->y);
        return true;
    }
    F_(set_zero)(&a->x);
    F_(set_zero)(&a->y);
    return false;
}

/* False: the pair is dealt with. */
static inline bool K_(denominator)(K_FIELD *d, K_AFF *a, const K_AFF *b)
{
    if (__builtin_expect(K_(is_infinity)(b), 0)) return false;
    if (__builtin_expect(K_(is_infinity)(a), 0)) {
        *a = *b;
        return false;
    }
    F_(sub)(d, &b->x, &a->x);
    if (__builtin_expect(F_(is_zero)(d), 0)) return K_(same_x)(d, a, b);
    return true;
}

/* a += b, given the inverse of the denominator. */
static inline void K_(finish)(K_AFF *a, const K_AFF *b, const K_FIELD *inverse, bool doubling)
{
    K_FIELD slope, x, t;
    if (__builtin_expect(doubling, 0)) {
        F_(sqr)(&slope, &a->x);
        F_(dbl)(&t, &slope);
        F_(add)(&slope, &slope, &t);
    } else {
        F_(sub)(&slope, &b->y, &a->y);
    }
    F_(mul)(&slope, &slope, inverse);
    F_(sqr)(&x, &slope);
    F_(sub)(&x, &x, &a->x);
    F_(sub)(&x, &x, &b->x);
    F_(sub)(&t, &a->x, &x);
    F_(mul)(&t, &t, &slope);
    F_(sub)(&a->y, &t, &a->y);
    a->x = x;
}

/* Does n additions, one by one but for the inversion. prefix: room for n. */
static void K_(additions)(K_PAIR *pairs, size_t n, K_FIELD *prefix)
{
    K_FIELD product, d, inverse;
    size_t m = 0;
    F_(set_one)(&product);
    for (size_t i = 0; i < n; i++) {
        K_PAIR p = pairs[i];
        if (!K_(denominator)(&d, p.a, p.b)) continue;
        pairs[m] = p;
        prefix[m++] = product;
        F_(mul)(&product, &product, &d);
    }
    if (m == 0) return;
    F_INV(&product, &product);
    while (m-- > 0) {
        K_PAIR p = pairs[m];
        F_(sub)(&d, &p.b->x, &p.a->x);
        bool doubling = F_(is_zero)(&d);
        if (__builtin_expect(doubling, 0)) F_(dbl)(&d, &p.a->y);
        F_(mul)(&inverse, &product, &prefix[m]);
        F_(mul)(&product, &product, &d);
        K_(finish)(p.a, p.b, &inverse, doubling);
    }
}

#ifdef WEIR_ISA_IS_ifma
#include "msm/msm_batch_x8.inc.h"
#endif

/* Does all additions of the list and empties it. */
static void K_(flush)(K_BATCH *t)
{
    size_t n = t->n;
    t->n = 0;
#ifdef WEIR_ISA_IS_ifma
    if (n >= WEIR_MSM_X8_MIN) n = K_(x8_flush)(t->pairs, n, (V_FIELD *)(void *)t->prefix);
#endif
    K_(additions)(t->pairs, n, t->prefix);
}

static inline void K_(push)(K_BATCH *t, K_AFF *a, const K_AFF *b)
{
    t->pairs[t->n++] = (K_PAIR){a, b};
    if (t->n == t->capacity) K_(flush)(t);
}

/* Run r is points[start[r]] .. points[start[r + 1] - 1], not empty; its sum goes to its first place. Level by
 * level, neighbours at distance 1, 2, 4 ... are added in pairs; the others become undefined. */
static void K_(sum_runs)(K_BATCH *t, K_AFF *points, const uint32_t *start, size_t runs)
{
    size_t longest = 0;
    for (size_t r = 0; r < runs; r++)
        if (start[r + 1] - start[r] > longest) longest = start[r + 1] - start[r];
    for (size_t stride = 1; stride < longest; stride *= 2) {
        for (size_t r = 0; r < runs; r++) {
            size_t end = start[r + 1];
            for (size_t i = start[r]; i + stride < end; i += 2 * stride)
                K_(push)(t, &points[i], &points[i + stride]);
        }
        K_(flush)(t);
    }
}

/* r = negative ? -p : p */
static inline void K_(copy_signed)(K_AFF *r, const K_AFF *p, bool negative)
{
    K_FIELD minus;
    F_(neg)(&minus, &p->y);
    r->x = p->x;
    r->y = p->y;
    F_(cmov)(&r->y, &minus, negative);
}

/* All lines of a point that begins at a multiple of 32 bytes, as those of an array do. */
static inline void K_(prefetch)(const K_AFF *p)
{
    for (size_t at = 0; at + 32 < sizeof *p; at += 64) __builtin_prefetch((const char *)p + at);
    __builtin_prefetch((const char *)(p + 1) - 1);
}

#ifdef WEIR_ISA_IS_ifma
#include "msm/msm_lanes.inc.h"
#endif

enum { K_(PREFETCH_AHEAD) = 64 };

static void K_(gather)(K_AFF *out, const K_AFF *points, const uint32_t *index, size_t n)
{
    const uint32_t mask = ((uint32_t)1 << WEIR_MSM_SIGN_SHIFT) - 1;
    for (size_t i = 0; i < n; i++) {
        size_t ahead = i + K_(PREFETCH_AHEAD);
        if (ahead < n) K_(prefetch)(&points[index[ahead] & mask]);
        K_(copy_signed)(&out[i], &points[index[i] & mask], index[i] >> WEIR_MSM_SIGN_SHIFT);
    }
}

/* The sum of each of the first runs in run_start, over `entries` entries of index, goes to points[run_start[r]]; an entry is
 * the number of a point, and its sign in the top bit. run_start may change with that. */
static void K_(run_sums)(K_BATCH *t, const K_AFF *points, const uint32_t *index, size_t entries,
                         size_t runs)
{
#ifdef WEIR_ISA_IS_ifma
    if (entries >= K_(LANES_MIN) && K_(runs_by_lanes)(t, points, index, runs)) return;
#endif
    K_(gather)(t->points, points, index, entries);
    K_(sum_runs)(t, t->points, t->run_start, runs);
}
