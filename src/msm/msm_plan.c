#include "msm/msm_plan.h"

#include "curve/types.h"
#include "msm/msm_digits.h"

/* A chunk shares the inversions of its levels, a dozen times the products of one addition each, and what it touches should stay in
 * the second-level cache: with trees in lanes 0.5 MB in G1 for 3,072 points and 0.7 MB in G2 for 2,048, and the points of the next
 * chunk beside them. */
const weir_msm_sizes weir_msm_sizes_g1 = {sizeof(weir_g1_affine), sizeof(weir_g1), sizeof(weir_fp),
                                          3072};
const weir_msm_sizes weir_msm_sizes_g2 = {sizeof(weir_g2_affine), sizeof(weir_g2), sizeof(weir_fp2),
                                          2048};

enum {
    GROUP_ENTRIES = 1 << 22, /* digits of one group: 32 MB of entries and indices */
    GROUP_BUCKETS = 1 << 19, /* buckets of one group: 50 MB in G1 */
    TASKS_PER_THREAD = 4,    /* so that threads end together */
    SMALLEST_RANGE = 1024,
    SORT_LOW = 8, /* a part of 256 buckets: its counters and entries are in the first-level cache */
    SMALLEST_CHUNK = 512, /* below it the shared inversion is a quarter of the work */
    PAIR_BYTES = 2 * sizeof(void *),
    LINE = 64
};

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}
static size_t max_size(size_t a, size_t b)
{
    return a > b ? a : b;
}
static size_t ceil_div(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

/* Takes `bytes` from the scratch and gives where they start, on a cache line of their own. */
static size_t take(size_t *total, size_t bytes)
{
    size_t at = *total;
    *total += (bytes + LINE - 1) / LINE * LINE;
    return at;
}

/* Work of one window, in tenths of an affine addition: each point is added to its bucket or becomes its first point, and
 * each bucket to the running sum and the running sum to the total (n + B additions in all, since the first
 * point of a bucket is a copy); the Jacobian sums of segments and the cache misses of the sort come on top. */
static uint64_t window_cost(size_t n, unsigned c)
{
    uint64_t buckets = (uint64_t)1 << (c - 1);
    return 11 * (uint64_t)n + 14 * buckets;
}

static unsigned best_window(size_t n)
{
    unsigned best = WEIR_MSM_MIN_WINDOW;
    uint64_t best_cost = UINT64_MAX;
    for (unsigned c = WEIR_MSM_MIN_WINDOW; c <= WEIR_MSM_MAX_WINDOW; c++) {
        uint64_t cost = weir_msm_windows(c) * window_cost(n, c);
        if (cost < best_cost) {
            best_cost = cost;
            best = c;
        }
    }
    return best;
}

unsigned weir_msm_fixed_window(size_t n)
{
    unsigned best = WEIR_MSM_MIN_WINDOW;
    uint64_t best_cost = UINT64_MAX;
    /* 15 bits: 17 windows of 16,384 points, 27 MB in G1: what a third-level cache holds. */
    for (unsigned c = WEIR_MSM_MIN_WINDOW; c <= 15; c++) {
        uint64_t cost = weir_msm_windows(c) * ((uint64_t)n + ((uint64_t)1 << (c - 1)));
        if (cost < best_cost) {
            best_cost = cost;
            best = c;
        }
    }
    return best;
}

/* Trees over `points` entries in pieces of at most 64. With pieces in order of length, the longest of a column is no longer
 * than any of the column before, so all columns together are at most points / 8 + 64 entries deep, and each has a slot. 16 slots
 * more: those that a sum over bits keeps. A level has at most half as many items. */
static void lanes_layout(weir_msm_lanes_layout *l, size_t *total, size_t points,
                         const weir_msm_sizes *sizes)
{
    const size_t vector = sizes->coordinate / 6 * 64, columns = points / 8 + 1;
    const size_t slots = points / 8 + 64 + 16, items = slots / 2, words = 8 * columns + 1;
    l->slot = take(total, slots * 2 * vector);
    l->prefix = take(total, items * vector);
    l->item = take(total, items * WEIR_MSM_ITEM_BYTES);
    l->piece_start = take(total, words * sizeof(uint32_t));
    l->piece_length = take(total, words * sizeof(uint32_t));
    l->piece_minus = take(total, words * sizeof(uint32_t));
    l->order = take(total, words * sizeof(uint32_t));
    l->column_slot = take(total, columns * sizeof(uint32_t));
    l->length = take(total, words * sizeof(uint32_t));
    l->first = take(total, words * sizeof(uint32_t));
}

void weir_msm_worker_layout_make(weir_msm_worker_layout *w, size_t points,
                                 const weir_msm_sizes *sizes)
{
    size_t total = 0, pairs = ceil_div(points, 2);
    w->pair_count = pairs;
    w->points = take(&total, points * sizes->affine);
    w->pairs = take(&total, pairs * PAIR_BYTES);
    /* the vector path keeps eight words of 64 bits where the scalar path has six */
    w->prefix = take(&total, pairs * sizes->coordinate / 6 * 8);
    w->run_start = take(&total, (points + 1) * sizeof(uint32_t));
    w->run_id = take(&total, points * sizeof(uint32_t));
    lanes_layout(&w->lanes, &total, points, sizes);
    w->bytes = total;
}

/* The length of segments balances the shared inversions (one for each step along a segment: 60 products and
 * more) with the Jacobian additions that join segments (38 products each). A power of two. */
static size_t segment_length(size_t buckets_at_once, size_t buckets, unsigned threads)
{
    size_t length = 4;
    while (length < 128 && length * length * 4 * threads < buckets_at_once) length *= 2;
    return min_size(length, buckets);
}

/* Bits between the number of a point and the sign. */
static size_t spare_bits(size_t n)
{
    size_t bits = WEIR_MSM_SIGN_SHIFT;
    for (n -= 1; n > 0; n >>= 1) bits--;
    return bits;
}

static void place(weir_msm_plan *p, const weir_msm_sizes *sizes)
{
    size_t total = 0, entries = p->n * p->group, ids = p->group * p->buckets;
    size_t all_segments = p->windows * p->segments;
    size_t parts = ids >> p->sort_low, pieces = parts + entries / WEIR_MSM_SORT_PIECE;
    p->entries = take(&total, entries * sizeof(uint32_t));
    p->index = take(&total, entries * sizeof(uint32_t));
    p->starts = take(&total, (ids + 1) * sizeof(uint32_t));
    p->counts = take(&total, p->ranges * parts * sizeof(uint32_t));
    p->block_sums = take(&total, p->blocks * sizeof(uint32_t));
    p->part_starts = take(&total, (parts + 1) * sizeof(uint32_t));
    p->part_pieces = take(&total, (parts + 1) * sizeof(uint32_t));
    p->piece_part = take(&total, pieces * sizeof(uint32_t));
    p->piece_counts = take(&total, (pieces << p->sort_low) * sizeof(uint32_t));
    p->bucket_points = take(&total, ids * sizes->affine);
    p->partial_points = take(&total, 2 * p->max_chunks * sizes->affine);
    p->partial_ids = take(&total, 2 * p->max_chunks * sizeof(uint32_t));
    p->partial_starts = take(&total, (2 * p->max_chunks + 1) * sizeof(uint32_t));
    p->segment_sums = take(&total, all_segments * sizes->affine);
    p->segment_weighted = take(&total, all_segments * sizes->affine);
    p->window_sums = take(&total, p->windows * sizes->jacobian);
    p->workers = take(&total, p->threads * p->worker.bytes);
    p->total_bytes = total;
}

void weir_msm_plan_make(weir_msm_plan *p, size_t n, unsigned threads, const weir_msm_sizes *sizes,
                        unsigned window)
{
    *p = (weir_msm_plan){.n = n, .threads = threads};
    if (n == 0 || (n < WEIR_MSM_NAIVE_BELOW && window == 0)) return;
    p->window = window ? window : best_window(n);
    p->windows = weir_msm_windows(p->window);
    p->buckets = (size_t)1 << (p->window - 1);
    size_t group = min_size(GROUP_ENTRIES / n, GROUP_BUCKETS / p->buckets);
    p->group = (unsigned)min_size(p->windows, max_size(1, group));
    size_t entries = n * p->group, ids = p->group * p->buckets;

    size_t tasks = threads == 1 ? 1 : (size_t)threads * TASKS_PER_THREAD;
    p->ranges = threads == 1 ? 1 : min_size(2 * (size_t)threads, max_size(1, n / SMALLEST_RANGE));
    p->sort_low = (unsigned)min_size(min_size(p->window - 1, SORT_LOW), spare_bits(n));
    p->chunk = min_size(sizes->chunk_max, max_size(SMALLEST_CHUNK, ceil_div(entries, tasks)));
    p->chunk = min_size(p->chunk, max_size(4, entries));
    p->max_chunks = ceil_div(entries, p->chunk);
    p->segment = segment_length(ids, p->buckets, threads);
    p->segments = p->buckets / p->segment;
    /* A task of segments keeps three points for each in the worker's array of points, and adds two pairs. */
    size_t most = max_size(1, p->chunk / 4), all = p->group * p->segments;
    p->segments_per_task = ceil_div(all, max_size(threads, ceil_div(all, most)));
    size_t parts = ids >> p->sort_low;
    p->block = max_size(256, ceil_div(parts, tasks));
    p->blocks = ceil_div(parts, p->block);
    weir_msm_worker_layout_make(&p->worker, p->chunk, sizes);
    place(p, sizes);
}
