#include "gpu/gpu_msm_plan.h"

#include "field/params_bls12_381.h"
#include "gpu/gpu_sort.h"

#include <string.h>

const weir_dmsm_sizes weir_dmsm_sizes_g1 = {sizeof(weir_dg1_affine), sizeof(weir_dg1_xyzz), 1};
const weir_dmsm_sizes weir_dmsm_sizes_g2 = {sizeof(weir_dg2_affine), sizeof(weir_dg2_xyzz), 3};

enum {
    SCALAR_BITS = 255,
    GROUP_ENTRIES = 1 << 29, /* additions of one step in G1: 0.2 s at 2.7 G/s */
    RANGES_MAX = 264,        /* two blocks on each of 132 multiprocessors */
    RANGE_MIN = 1024,
    TILE_MIN = 4096,
    SEGMENT = 32,
    BLOCK = 128, /* threads of kernels that add points */
    LINE = 256
};

static uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}
static uint32_t max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}
static uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}
static uint32_t ceil_div(uint64_t a, uint64_t b)
{
    return (uint32_t)((a + b - 1) / b);
}
static uint32_t windows_of(uint32_t c)
{
    return ceil_div(SCALAR_BITS, c);
}

/* ---- the shape */

/* Work of a window in tenths of a mixed addition: an entry, with its share of the sort; a bucket: two additions of XYZZ
 * points, 14 products to 9, and its share of pieces and folds. */
static uint32_t best_window(uint32_t n)
{
    uint32_t best = WEIR_DMSM_MIN_WINDOW;
    uint64_t best_cost = UINT64_MAX;
    for (uint32_t c = WEIR_DMSM_MIN_WINDOW; c <= WEIR_DMSM_MAX_WINDOW; c++) {
        uint64_t cost = windows_of(c) * (11 * (uint64_t)n + (45ull << (c - 1)));
        if (cost < best_cost) {
            best_cost = cost;
            best = c;
        }
    }
    return best;
}

/* The constants of the recoding: half a window in each window but the last; r + 1 + that. */
static void recode_constants(weir_dmsm *a)
{
    static const uint64_t r[4] = WEIR_FR_MODULUS;
    memset(a->plus, 0, sizeof a->plus);
    for (uint32_t w = 0; w + 1 < a->windows; w++) {
        uint32_t bit = a->c * w + a->c - 1;
        a->plus[bit / 32] |= 1u << (bit % 32);
    }
    uint64_t carry = 1;
    for (int i = 0; i < 8; i++) {
        carry += (uint64_t)(uint32_t)(r[i / 2] >> (32 * (i % 2))) + a->plus[i];
        a->minus[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* Twice the mean length, so that of random digits hardly a bucket has a second piece. A power of two. */
static uint32_t piece_length(uint32_t n, uint32_t buckets)
{
    uint32_t piece = WEIR_DMSM_PIECE_MIN;
    while (piece < WEIR_DMSM_PIECE_MAX && piece < 2 * (n / buckets)) piece *= 2;
    return piece;
}

static uint32_t tile_length(uint32_t n, uint32_t bins)
{
    uint32_t tile = TILE_MIN;
    while (tile < 2 * (n / bins)) tile *= 2;
    return tile;
}

static uint32_t group_of(const weir_dmsm_plan *p, const weir_dmsm_sizes *sizes, uint32_t group)
{
    uint32_t bins = 1u << p->shape.bin_bits;
    uint64_t most = group ? group : max_u32(1, GROUP_ENTRIES / sizes->weight / p->n);
    most = min_u64(most, p->windows);
    most = min_u64(most, WEIR_DMSM_COUNTERS / bins);
    most = min_u64(most, ((uint64_t)UINT32_MAX - p->n) / max_u32(p->n, 2 * p->shape.buckets));
    return ceil_div(p->windows, ceil_div(p->windows, max_u32(1, (uint32_t)most)));
}

static void make_shape(weir_dmsm_plan *p, const weir_dmsm_sizes *sizes, uint32_t group)
{
    weir_dmsm *a = &p->shape;
    a->n = p->n;
    a->c = p->c;
    a->windows = p->windows;
    a->buckets = 1u << (p->c - 1);
    a->bin_bits = min_u32(10, (p->c - 1) / 2);
    a->key_bits = p->c - 1 - a->bin_bits;
    recode_constants(a);
    p->group = group_of(p, sizes, group);
    p->groups = ceil_div(p->windows, p->group);
    a->range = max_u32(RANGE_MIN, ceil_div(p->n, RANGES_MAX));
    a->ranges = ceil_div(p->n, a->range);
    a->tile = tile_length(p->n, 1u << a->bin_bits);
    a->tiles = (1u << a->bin_bits) + p->n / a->tile;
    a->piece = piece_length(p->n, a->buckets);
    a->extras = p->group * (p->n / a->piece);
    p->pieces =
        (uint32_t)min_u64((uint64_t)p->group * a->buckets + a->extras, (uint64_t)p->group * p->n);
    a->segment = min_u32(SEGMENT, a->buckets);
    a->segments = a->buckets / a->segment;
    p->join_levels = 0;
    for (uint64_t reach = 1; reach < a->extras; reach *= WEIR_DMSM_JOIN) p->join_levels++;
    p->fold_levels = 0;
    for (uint32_t left = a->segments; left > 1; left = ceil_div(left, WEIR_DMSM_FOLD))
        p->fold_levels++;
}

/* ---- memory */

static uint64_t take(uint64_t *total, uint64_t bytes)
{
    uint64_t at = *total;
    *total += (bytes + LINE - 1) / LINE * LINE;
    return at;
}

static void place(weir_dmsm_plan *p)
{
    const weir_dmsm *a = &p->shape;
    const uint64_t g = p->group, bins = 1u << a->bin_bits, keys = 1u << a->key_bits;
    const uint64_t word = sizeof(uint32_t);
    uint64_t total = 0;
    p->bucket_start = take(&total, g * (a->buckets + 1) * word);
    p->entries = take(&total, g * p->n * word);
    p->counters = take(&total, sizeof(weir_dmsm_counters));
    /* the sort alone */
    uint64_t sort = total;
    p->bin_start = take(&sort, g * (bins + 1) * word);
    p->tile_start = take(&sort, g * (bins + 1) * word);
    p->bin_count = take(&sort, g * a->ranges * bins * word);
    p->keyed = take(&sort, g * p->n * sizeof(uint64_t));
    p->key_count = take(&sort, g * a->tiles * keys * word);
    /* what comes after it */
    uint64_t after = total;
    p->pieces_at = take(&after, p->pieces * sizeof(weir_dpiece));
    p->extra = take(&after, a->extras * sizeof(weir_dextra));
    p->sums = take(&after, (g * a->buckets + a->extras) * p->xyzz_bytes);
    p->pairs[0] = take(&after, 2 * g * a->segments * p->xyzz_bytes);
    p->pairs[1] = take(&after, 2 * g * ceil_div(a->segments, WEIR_DMSM_FOLD) * p->xyzz_bytes);
    p->total_bytes = sort > after ? sort : after;
}

void weir_dmsm_plan_make(weir_dmsm_plan *p, const weir_dmsm_sizes *sizes, uint32_t n, uint32_t c,
                         uint32_t group)
{
    memset(p, 0, sizeof *p);
    p->n = n;
    p->affine_bytes = sizes->affine;
    p->xyzz_bytes = sizes->xyzz;
    if (n == 0) return;
    p->c = c ? c : best_window(n);
    p->windows = windows_of(p->c);
    make_shape(p, sizes, group);
    place(p);
}

/* ---- steps */

/* Steps of a group, in order: the fixed ones before the joins, the joins, two fixed ones, the folds, the end. */
enum { STEPS_BEFORE_JOIN = WEIR_DMSM_JOIN_LEVEL };

static uint32_t steps_of_group(const weir_dmsm_plan *p)
{
    return STEPS_BEFORE_JOIN + p->join_levels + 2 + p->fold_levels + 1;
}

uint32_t weir_dmsm_steps(const weir_dmsm_plan *p)
{
    return p->n == 0 ? 0 : p->groups * steps_of_group(p);
}

static void set_pointers(weir_dmsm *a, const weir_dmsm_plan *p, unsigned char *arena)
{
    a->bin_count = (uint32_t *)(void *)(arena + p->bin_count);
    a->bin_start = (uint32_t *)(void *)(arena + p->bin_start);
    a->tile_start = (uint32_t *)(void *)(arena + p->tile_start);
    a->keyed = (uint64_t *)(void *)(arena + p->keyed);
    a->key_count = (uint32_t *)(void *)(arena + p->key_count);
    a->bucket_start = (uint32_t *)(void *)(arena + p->bucket_start);
    a->entries = (uint32_t *)(void *)(arena + p->entries);
    a->counters = (weir_dmsm_counters *)(void *)(arena + p->counters);
    a->pieces = (weir_dpiece *)(void *)(arena + p->pieces_at);
    a->extra = (weir_dextra *)(void *)(arena + p->extra);
    a->sums = arena + p->sums;
    a->pairs[0] = arena + p->pairs[0];
    a->pairs[1] = arena + p->pairs[1];
}

static void grid(weir_dmsm_step *s, uint64_t blocks, uint32_t threads)
{
    s->blocks = (uint32_t)blocks;
    s->threads = threads;
}

/* A thread for each of n pieces of work. */
static void grid_of(weir_dmsm_step *s, uint64_t n)
{
    grid(s, max_u32(1, ceil_div(n, BLOCK)), BLOCK);
}

static void sort_grid(weir_dmsm_step *s)
{
    const weir_dmsm *a = &s->args;
    switch (s->kernel) {
    case WEIR_DMSM_COUNT:
        grid(s, a->ranges, DSORT_RANGE_THREADS);
        break;
    case WEIR_DMSM_PLACE:
        grid(s, (uint64_t)a->ranges * a->group, DSORT_RANGE_THREADS);
        break;
    case WEIR_DMSM_STARTS:
        grid(s, a->group, DSORT_STARTS_THREADS);
        break;
    case WEIR_DMSM_TILE_STARTS:
        grid(s, (uint64_t)a->group << a->bin_bits, DSORT_KEYS_THREADS);
        break;
    case WEIR_DMSM_LENGTHS:
    case WEIR_DMSM_ORDER:
        grid(s, ceil_div((uint64_t)a->group * a->buckets, DSORT_ORDER_BUCKETS), DSORT_THREADS);
        break;
    default:
        grid(s, (uint64_t)a->group * a->tiles, DSORT_TILE_THREADS);
        break;
    }
}

static void set_join(weir_dmsm_step *s, uint32_t level)
{
    s->args.level_in = 1;
    for (uint32_t i = 0; i < level; i++) s->args.level_in *= WEIR_DMSM_JOIN;
    grid_of(s, ceil_div(s->args.extras, (uint64_t)s->args.level_in * WEIR_DMSM_JOIN));
}

static void set_fold(weir_dmsm_step *s, uint32_t level)
{
    weir_dmsm *a = &s->args;
    a->level_in = a->segments;
    for (uint32_t length = a->segment; length > 1; length /= 2) a->shift++;
    for (uint32_t i = 0; i < level; i++) {
        a->level_in = ceil_div(a->level_in, WEIR_DMSM_FOLD);
        for (uint32_t f = WEIR_DMSM_FOLD; f > 1; f /= 2) a->shift++;
    }
    a->level_out = ceil_div(a->level_in, WEIR_DMSM_FOLD);
    a->side = level % 2;
    grid_of(s, (uint64_t)a->group * a->level_out);
}

void weir_dmsm_step_make(weir_dmsm_step *s, const weir_dmsm_plan *p, uint32_t i, void *arena,
                         const void *points, const void *scalars, void *out)
{
    uint32_t per = steps_of_group(p), k = i % per;
    weir_dmsm *a = &s->args;
    *a = p->shape;
    set_pointers(a, p, arena);
    a->points = points;
    a->scalars = (const weir_dfr *)scalars;
    a->out = out;
    a->first = i / per * p->group;
    a->group = min_u32(p->group, p->windows - a->first);
    if (k < STEPS_BEFORE_JOIN) {
        s->kernel = (enum weir_dmsm_kernel)k;
        if (s->kernel == WEIR_DMSM_ACCUMULATE)
            grid_of(s, p->pieces);
        else
            sort_grid(s);
        return;
    }
    k -= STEPS_BEFORE_JOIN;
    if (k < p->join_levels) {
        s->kernel = WEIR_DMSM_JOIN_LEVEL;
        set_join(s, k);
        return;
    }
    k -= p->join_levels;
    if (k < 2) {
        s->kernel = k == 0 ? WEIR_DMSM_JOIN_END : WEIR_DMSM_SEGMENTS;
        grid_of(s, k == 0 ? a->extras : (uint64_t)a->group * a->segments);
    } else if (k < 2 + p->fold_levels) {
        s->kernel = WEIR_DMSM_FOLD_LEVEL;
        set_fold(s, k - 2);
    } else {
        s->kernel = WEIR_DMSM_FINISH;
        a->side = p->fold_levels % 2;
        grid_of(s, a->group);
    }
}
