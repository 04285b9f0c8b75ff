/* The kernels in phases that sort the entries of a group of windows by bucket and put the pieces in order of length; words in
 * gpu_msm_plan.h. C and C++ (CUDA) both include this header. Nothing here knows the curve.
 *
 * Two passes of a counting sort by parts of the bucket's number, upper bits first. In each, a block counts its part in
 * shared memory, sums over the blocks tell where each of its counters starts, and the block reads its part again and
 * places it. A bin that holds more than others is cut into more tiles, so skewed digits cost no more than random ones but
 * for threads that add to one counter. The order of entries within a bucket is not defined.
 * COUNT recodes each scalar once a group and leaves its digits in the place of the sorted entries, which is free until the
 * last kernel writes them. What is read once is asked for so that it leaves the caches first: they are for the places that
 * are written, a few bytes at a time, until a sector of 32 bytes is full.
 * Bytes moved: 32 a scalar and group; an entry 4 written, 4 read, 8 written, 16 read, 4 written.
 * Source: counting sort by digits, Knuth, TAOCP 3, 5.2.5, with the histograms of Satish, Harris and Garland, "Designing
 * efficient sorting algorithms for manycore GPUs", IPDPS 2009.
 */
#ifndef WEIR_GPU_SORT_H
#define WEIR_GPU_SORT_H

#include "gpu/gpu_digits.h"
#include "gpu/gpu_msm_plan.h"
#include "gpu/gpu_phase.h"
#include "gpu/gpu_scan.h"

/* Threads of a block; buckets that a block of LENGTHS and ORDER looks at. */
enum {
    DSORT_RANGE_THREADS = 1024,
    DSORT_THREADS = 512,
    DSORT_TILE_THREADS = 1024,
    DSORT_STARTS_THREADS = 1024,
    DSORT_KEYS_THREADS = 256,
    DSORT_ORDER_BUCKETS = 4096,
    DSORT_AT_ONCE = 4 /* words that a thread asks for before it uses the first */
};

/* A kernel whose argument is a weir_dmsm and that has a fixed number of phases, all with a barrier between. */
#define DMSM_KERNEL(NAME, COUNT)                                                                   \
    typedef weir_dmsm NAME##_args;                                                                 \
    WEIR_HD int NAME##_phases(const weir_dmsm *a, uint32_t threads)                                \
    {                                                                                              \
        (void)a;                                                                                   \
        (void)threads;                                                                             \
        return COUNT;                                                                              \
    }                                                                                              \
    WEIR_HD bool NAME##_warp_only(int k, const weir_dmsm *a, uint32_t threads)                     \
    {                                                                                              \
        (void)k;                                                                                   \
        (void)a;                                                                                   \
        (void)threads;                                                                             \
        return false;                                                                              \
    }

typedef struct dmsm_nothing {
    char none;
} dmsm_nothing;

WEIR_HD uint32_t dsort_bins(const weir_dmsm *a)
{
    return 1u << a->bin_bits;
}
WEIR_HD uint32_t dsort_keys(const weir_dmsm *a)
{
    return 1u << a->key_bits;
}
/* Where the counts of a range begin, or of a tile: a row for each, bins or keys long. */
WEIR_HD size_t dsort_range_row(const weir_dmsm *a, uint32_t w, uint32_t range)
{
    return ((size_t)w * a->ranges + range) << a->bin_bits;
}
WEIR_HD size_t dsort_tile_row(const weir_dmsm *a, uint32_t w, uint32_t tile)
{
    return ((size_t)w * a->tiles + tile) << a->key_bits;
}
WEIR_HD void dsort_zero(uint32_t *counters, uint32_t n, const weir_dpos *at)
{
    for (uint32_t i = at->thread; i < n; i += at->threads) counters[i] = 0;
}

/* ---- entries into bins: a block takes a range of points, in COUNT with all windows of the group, in PLACE with one */

typedef struct dsort_range_shared {
    uint32_t counter[WEIR_DMSM_COUNTERS]; /* a window: bins */
} dsort_range_shared;

/* The digits of the group's windows. */
WEIR_HD void dsort_digits(weir_ddigits *d, const weir_dmsm *a, uint32_t point)
{
    uint32_t k[WEIR_DFR_N];
    memory_once_4(k, a->scalars[point].l);
    memory_once_4(k + 4, a->scalars[point].l + 4);
    ddigits_recode(d, k, a->plus, a->minus);
    ddigits_skip(d, a->first, a->c);
}

WEIR_HD uint32_t dsort_next(weir_ddigits *d, const weir_dmsm *a, uint32_t w)
{
    return ddigits_next(d, a->c, a->first + w + 1 == a->windows);
}

WEIR_HD uint32_t dsort_range_end(const weir_dmsm *a, uint32_t range)
{
    uint64_t end = ((uint64_t)range + 1) * a->range;
    return end < a->n ? (uint32_t)end : a->n;
}

WEIR_HD void dsort_count_range(const weir_dmsm *a, dsort_range_shared *s, const weir_dpos *at)
{
    uint32_t end = dsort_range_end(a, at->block);
    WEIR_NO_UNROLL
    for (uint32_t i = at->block * a->range + at->thread; i < end; i += at->threads) {
        weir_ddigits d;
        dsort_digits(&d, a, i);
        WEIR_NO_UNROLL
        for (uint32_t w = 0; w < a->group; w++) {
            uint32_t digit = dsort_next(&d, a, w);
            a->entries[w * a->n + i] = digit;
            if (digit == 0) continue;
            uint32_t bin = ((digit >> 1) - 1) >> a->key_bits;
            atomic_add_u32(&s->counter[(w << a->bin_bits) + bin], 1);
        }
    }
}

DMSM_KERNEL(dmsm_count, 3)
typedef dsort_range_shared dmsm_count_shared;
typedef dmsm_nothing dmsm_count_own;

WEIR_HD void dmsm_count_phase(int k, const weir_dmsm *a, dsort_range_shared *s, dmsm_nothing *own,
                              const weir_dpos *at)
{
    uint32_t n = a->group << a->bin_bits;
    (void)own;
    if (k == 0) {
        dsort_zero(s->counter, n, at);
    } else if (k == 1) {
        dsort_count_range(a, s, at);
    } else {
        for (uint32_t i = at->thread; i < n; i += at->threads) {
            uint32_t w = i >> a->bin_bits, bin = i & (dsort_bins(a) - 1);
            a->bin_count[dsort_range_row(a, w, at->block) + bin] = s->counter[i];
        }
    }
}

/* Turns counts, `rows` of them `stride` apart, into the sums before each; gives the sum of all. */
WEIR_HD uint32_t dsort_prefix(uint32_t *count, uint32_t rows, size_t stride)
{
    enum { AT_ONCE = 8 };
    uint32_t sum = 0;
    WEIR_NO_UNROLL
    for (uint32_t r = 0; r < rows; r += AT_ONCE) {
        uint32_t x[AT_ONCE];
        WEIR_UNROLL
        for (uint32_t i = 0; i < AT_ONCE; i++) x[i] = r + i < rows ? count[(r + i) * stride] : 0;
        WEIR_UNROLL
        for (uint32_t i = 0; i < AT_ONCE; i++) {
            if (r + i < rows) count[(r + i) * stride] = sum;
            sum += x[i];
        }
    }
    return sum;
}

/* A block for each window, a thread for each bin: sums over the ranges; then over the bins, of entries and of tiles. */
enum { DSORT_STARTS_PHASES = 2 * BLOCK_SCAN_PHASES };

typedef struct dmsm_starts_shared {
    block_scan_shared scan;
} dmsm_starts_shared;
typedef struct dmsm_starts_own {
    block_scan_own scan;
} dmsm_starts_own;
typedef weir_dmsm dmsm_starts_args;

WEIR_HD int dmsm_starts_phases(const weir_dmsm *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    return DSORT_STARTS_PHASES;
}
WEIR_HD bool dmsm_starts_warp_only(int k, const weir_dmsm *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    return block_scan_warp_only(k % BLOCK_SCAN_PHASES);
}

/* start[bin] = the sum before it, start[bins] that of all. */
WEIR_HD void dsort_write_start(uint32_t *start, const weir_dmsm *a, const block_scan_own *scan,
                               const weir_dpos *at)
{
    uint32_t *window = start + (size_t)at->block * (dsort_bins(a) + 1);
    if (at->thread < dsort_bins(a)) window[at->thread] = scan->before;
    if (at->thread == 0) window[dsort_bins(a)] = scan->total;
}

WEIR_HD void dmsm_starts_phase(int k, const weir_dmsm *a, dmsm_starts_shared *s,
                               dmsm_starts_own *own, const weir_dpos *at)
{
    bool has_bin = at->thread < dsort_bins(a);
    if (k == 0) {
        uint32_t *count = a->bin_count + dsort_range_row(a, at->block, 0) + at->thread;
        own->scan.value = has_bin ? dsort_prefix(count, a->ranges, dsort_bins(a)) : 0;
        if (at->block == 0)
            dsort_zero((uint32_t *)a->counters, sizeof *a->counters / sizeof(uint32_t), at);
    }
    if (k == BLOCK_SCAN_PHASES) own->scan.value = (own->scan.value + a->tile - 1) / a->tile;
    block_scan_phase(k % BLOCK_SCAN_PHASES, &s->scan, &own->scan, at);
    if (k == BLOCK_SCAN_PHASES - 1) dsort_write_start(a->bin_start, a, &own->scan, at);
    if (k == DSORT_STARTS_PHASES - 1) dsort_write_start(a->tile_start, a, &own->scan, at);
}

/* PLACE: all ranges of the first window, then of the next, so that 264 ranges of 1,024 bins write to no more than 9 MB of
 * sectors at a time. A range goes by chunks, which are put in order of bins in shared memory first, so that neighbours in a
 * warp write to neighbours.
 *
 * In a chunk: digits to shared memory and their ranks in their bins; a scan over the bins, a thread for each; the digits' order;
 * entries to memory. */
enum {
    DSORT_STAGE_EACH = 5,
    DSORT_STAGE = DSORT_STAGE_EACH * DSORT_RANGE_THREADS, /* points of a chunk */
    DSORT_STAGE_ORDER = 1 + BLOCK_SCAN_PHASES,
    DSORT_STAGE_WRITE,
    DSORT_STAGE_PHASES
};

typedef struct dmsm_place_shared {
    uint32_t
        count[WEIR_DMSM_BINS_MAX];     /* of the chunk; after the scan what stands before the bin */
    uint32_t base[WEIR_DMSM_BINS_MAX]; /* where the bin's next entry goes */
    uint32_t delta[WEIR_DMSM_BINS_MAX]; /* the place in `keyed` of a place in `order` */
    uint32_t digit[DSORT_STAGE];
    uint16_t order[DSORT_STAGE]; /* numbers of points in the chunk */
    block_scan_shared scan;
} dmsm_place_shared;
typedef struct dmsm_place_own {
    uint32_t rank[DSORT_STAGE_EACH];
    block_scan_own scan;
} dmsm_place_own;
typedef weir_dmsm dmsm_place_args;

/* The start, and each chunk. In: blocks of DSORT_RANGE_THREADS. */
WEIR_HD int dmsm_place_phases(const weir_dmsm *a, uint32_t threads)
{
    (void)threads;
    return 1 + (int)((a->range + DSORT_STAGE - 1) / DSORT_STAGE) * DSORT_STAGE_PHASES;
}
WEIR_HD bool dmsm_place_warp_only(int k, const weir_dmsm *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    k = (k - 1) % DSORT_STAGE_PHASES - 1;
    return k >= 0 && k < BLOCK_SCAN_PHASES && block_scan_warp_only(k);
}

WEIR_HD uint32_t dsort_place_window(const weir_dmsm *a, const weir_dpos *at)
{
    return at->block / a->ranges;
}

WEIR_HD uint32_t dsort_bin(const weir_dmsm *a, uint32_t digit)
{
    return ((digit >> 1) - 1) >> a->key_bits;
}

/* first: the chunk's first point. */
WEIR_HD void dsort_stage_digits(const weir_dmsm *a, dmsm_place_shared *s, dmsm_place_own *own,
                                uint32_t first, const weir_dpos *at)
{
    uint32_t end = dsort_range_end(a, at->block % a->ranges);
    const uint32_t *digits = a->entries + (size_t)dsort_place_window(a, at) * a->n;
    uint32_t digit[DSORT_STAGE_EACH];
    WEIR_UNROLL
    for (uint32_t j = 0; j < DSORT_STAGE_EACH; j++) {
        uint32_t i = j * DSORT_RANGE_THREADS + at->thread;
        digit[j] = first < end && i < end - first ? memory_once_u32(&digits[first + i]) : 0;
    }
    WEIR_UNROLL
    for (uint32_t j = 0; j < DSORT_STAGE_EACH; j++) {
        s->digit[j * DSORT_RANGE_THREADS + at->thread] = digit[j];
        own->rank[j] = 0;
        if (digit[j]) own->rank[j] = atomic_add_u32(&s->count[dsort_bin(a, digit[j])], 1);
    }
}

WEIR_HD void dsort_stage_order(const weir_dmsm *a, dmsm_place_shared *s, const dmsm_place_own *own,
                               const weir_dpos *at)
{
    WEIR_UNROLL
    for (uint32_t j = 0; j < DSORT_STAGE_EACH; j++) {
        uint32_t i = j * DSORT_RANGE_THREADS + at->thread, digit = s->digit[i];
        if (digit) s->order[s->count[dsort_bin(a, digit)] + own->rank[j]] = (uint16_t)i;
    }
}

WEIR_HD void dsort_stage_write(const weir_dmsm *a, const dmsm_place_shared *s, uint32_t total,
                               uint32_t first, const weir_dpos *at)
{
    WEIR_UNROLL
    for (uint32_t j = 0; j < DSORT_STAGE_EACH; j++) {
        uint32_t place = j * DSORT_RANGE_THREADS + at->thread;
        if (place >= total) continue;
        uint32_t i = s->order[place], digit = s->digit[i], bucket = (digit >> 1) - 1;
        a->keyed[s->delta[bucket >> a->key_bits] + place] =
            (uint64_t)(bucket & (dsort_keys(a) - 1)) << 32 | (digit & 1) << 31 | (first + i);
    }
}

/* The end of the scan: a thread for each bin. */
WEIR_HD void dsort_stage_starts(const weir_dmsm *a, dmsm_place_shared *s,
                                const block_scan_own *scan, const weir_dpos *at)
{
    uint32_t bin = at->thread;
    if (bin >= dsort_bins(a)) return;
    s->delta[bin] = s->base[bin] - scan->before;
    s->base[bin] += s->count[bin];
    s->count[bin] = scan->before;
}

WEIR_HD void dsort_stage_begin(const weir_dmsm *a, dmsm_place_shared *s, const weir_dpos *at)
{
    uint32_t w = dsort_place_window(a, at), bin = at->thread;
    if (bin >= dsort_bins(a)) return;
    s->count[bin] = 0;
    s->base[bin] = w * a->n + a->bin_start[(size_t)w * (dsort_bins(a) + 1) + bin] +
                   a->bin_count[dsort_range_row(a, w, at->block % a->ranges) + bin];
}

WEIR_HD void dmsm_place_phase(int k, const weir_dmsm *a, dmsm_place_shared *s, dmsm_place_own *own,
                              const weir_dpos *at)
{
    if (k == 0) {
        dsort_stage_begin(a, s, at);
        return;
    }
    uint32_t chunk = (uint32_t)(k - 1) / DSORT_STAGE_PHASES;
    uint32_t first = at->block % a->ranges * a->range + chunk * DSORT_STAGE;
    k = (k - 1) % DSORT_STAGE_PHASES;
    if (k == 0) {
        dsort_stage_digits(a, s, own, first, at);
    } else if (k < DSORT_STAGE_ORDER) {
        if (k == 1) own->scan.value = at->thread < dsort_bins(a) ? s->count[at->thread] : 0;
        block_scan_phase(k - 1, &s->scan, &own->scan, at);
        if (k == BLOCK_SCAN_PHASES) dsort_stage_starts(a, s, &own->scan, at);
    } else if (k == DSORT_STAGE_ORDER) {
        dsort_stage_order(a, s, own, at);
    } else {
        dsort_stage_write(a, s, own->scan.total, first, at);
        if (at->thread < dsort_bins(a)) s->count[at->thread] = 0;
    }
}

/* ---- bins into buckets: a block takes a tile */

typedef struct dsort_tile_shared {
    uint32_t counter[WEIR_DMSM_KEYS_MAX];
    uint32_t bin, start, end; /* of the tile */
} dsort_tile_shared;

/* Window and number of the block's tile. */
WEIR_HD uint32_t dsort_tile_window(const weir_dmsm *a, const weir_dpos *at)
{
    return at->block / a->tiles;
}

/* The thread that looks at the bin of the block's tile writes down where it is. */
WEIR_HD void dsort_find_tile(const weir_dmsm *a, dsort_tile_shared *s, const weir_dpos *at)
{
    uint32_t w = dsort_tile_window(a, at), i = at->block % a->tiles;
    const uint32_t *tiles = a->tile_start + (size_t)w * (dsort_bins(a) + 1);
    const uint32_t *starts = a->bin_start + (size_t)w * (dsort_bins(a) + 1);
    for (uint32_t bin = at->thread; bin < dsort_bins(a); bin += at->threads) {
        if (i < tiles[bin] || i >= tiles[bin + 1]) continue;
        uint32_t start = starts[bin] + (i - tiles[bin]) * a->tile, end = starts[bin + 1];
        s->bin = bin;
        s->start = start;
        s->end = end - start > a->tile ? start + a->tile : end;
    }
}

/* True if the block has a tile: all threads know it without looking at shared memory. */
WEIR_HD bool dsort_has_tile(const weir_dmsm *a, const weir_dpos *at)
{
    uint32_t w = dsort_tile_window(a, at), bins = dsort_bins(a);
    return at->block % a->tiles < a->tile_start[(size_t)w * (bins + 1) + bins];
}

/* Beyond the end what no entry is: its key would be above all keys. */
#define DSORT_NO_ENTRY UINT64_MAX
WEIR_HD uint64_t dsort_read_keyed(const uint64_t *keyed, uint32_t i, uint32_t end)
{
    return i < end ? memory_once_u64(&keyed[i]) : DSORT_NO_ENTRY;
}

WEIR_HD void dsort_count_tile(const weir_dmsm *a, dsort_tile_shared *s, const weir_dpos *at)
{
    const uint64_t *keyed = a->keyed + (size_t)dsort_tile_window(a, at) * a->n;
    WEIR_NO_UNROLL
    for (uint32_t i = s->start + at->thread; i < s->end; i += DSORT_AT_ONCE * at->threads) {
        uint64_t x[DSORT_AT_ONCE];
        WEIR_UNROLL
        for (uint32_t j = 0; j < DSORT_AT_ONCE; j++)
            x[j] = dsort_read_keyed(keyed, i + j * at->threads, s->end);
        WEIR_UNROLL
        for (uint32_t j = 0; j < DSORT_AT_ONCE; j++)
            if (x[j] != DSORT_NO_ENTRY) atomic_add_u32(&s->counter[x[j] >> 32], 1);
    }
}

DMSM_KERNEL(dmsm_tile_count, 3)
typedef dsort_tile_shared dmsm_tile_count_shared;
typedef dmsm_nothing dmsm_tile_count_own;

WEIR_HD void dmsm_tile_count_phase(int k, const weir_dmsm *a, dsort_tile_shared *s,
                                   dmsm_nothing *own, const weir_dpos *at)
{
    (void)own;
    if (!dsort_has_tile(a, at)) return;
    if (k == 0) {
        dsort_zero(s->counter, dsort_keys(a), at);
        dsort_find_tile(a, s, at);
    } else if (k == 1) {
        dsort_count_tile(a, s, at);
    } else {
        uint32_t *to = a->key_count + dsort_tile_row(a, 0, at->block);
        for (uint32_t i = at->thread; i < dsort_keys(a); i += at->threads) to[i] = s->counter[i];
    }
}

/* A block for each bin: sums over its tiles, then over its keys. */
enum { DSORT_KEY_PHASES = 1 + BLOCK_SCAN_PHASES };

typedef struct dmsm_tile_starts_shared {
    block_scan_shared scan;
    uint32_t total[WEIR_DMSM_KEYS_MAX];
} dmsm_tile_starts_shared;
typedef struct dmsm_tile_starts_own {
    block_scan_own scan;
} dmsm_tile_starts_own;
typedef weir_dmsm dmsm_tile_starts_args;

WEIR_HD int dmsm_tile_starts_phases(const weir_dmsm *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    return DSORT_KEY_PHASES;
}
WEIR_HD bool dmsm_tile_starts_warp_only(int k, const weir_dmsm *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    return k > 0 && block_scan_warp_only(k - 1);
}

/* Keys that a thread sums over: neighbours. */
WEIR_HD uint32_t dsort_keys_each(const weir_dmsm *a, const weir_dpos *at)
{
    return (dsort_keys(a) + at->threads - 1) / at->threads;
}

WEIR_HD void dsort_sum_tiles(const weir_dmsm *a, dmsm_tile_starts_shared *s, uint32_t w,
                             uint32_t bin, const weir_dpos *at)
{
    const uint32_t *tiles = a->tile_start + (size_t)w * (dsort_bins(a) + 1);
    uint32_t first = tiles[bin], rows = tiles[bin + 1] - first;
    uint32_t *count = a->key_count + dsort_tile_row(a, w, first);
    for (uint32_t key = at->thread; key < dsort_keys(a); key += at->threads)
        s->total[key] = dsort_prefix(count + key, rows, dsort_keys(a));
}

WEIR_HD void dsort_write_buckets(const weir_dmsm *a, const dmsm_tile_starts_shared *s, uint32_t w,
                                 uint32_t bin, uint32_t before, const weir_dpos *at)
{
    const uint32_t *starts = a->bin_start + (size_t)w * (dsort_bins(a) + 1);
    uint32_t *to = a->bucket_start + (size_t)w * (a->buckets + 1);
    uint32_t each = dsort_keys_each(a, at), first = at->thread * each, sum = starts[bin] + before;
    for (uint32_t key = first; key < first + each && key < dsort_keys(a); key++) {
        to[(bin << a->key_bits) + key] = sum;
        sum += s->total[key];
    }
    if (bin + 1 == dsort_bins(a) && at->thread == 0) to[a->buckets] = starts[bin + 1];
}

WEIR_HD void dmsm_tile_starts_phase(int k, const weir_dmsm *a, dmsm_tile_starts_shared *s,
                                    dmsm_tile_starts_own *own, const weir_dpos *at)
{
    uint32_t w = at->block >> a->bin_bits, bin = at->block & (dsort_bins(a) - 1);
    if (k == 0) {
        dsort_sum_tiles(a, s, w, bin, at);
        return;
    }
    if (k == 1) {
        uint32_t each = dsort_keys_each(a, at), first = at->thread * each;
        own->scan.value = 0;
        for (uint32_t key = first; key < first + each && key < dsort_keys(a); key++)
            own->scan.value += s->total[key];
    }
    block_scan_phase(k - 1, &s->scan, &own->scan, at);
    if (k == DSORT_KEY_PHASES - 1) dsort_write_buckets(a, s, w, bin, own->scan.before, at);
}

WEIR_HD void dsort_place_tile(const weir_dmsm *a, dsort_tile_shared *s, const weir_dpos *at)
{
    const uint64_t *keyed = a->keyed + (size_t)dsort_tile_window(a, at) * a->n;
    WEIR_NO_UNROLL
    for (uint32_t i = s->start + at->thread; i < s->end; i += DSORT_AT_ONCE * at->threads) {
        uint64_t x[DSORT_AT_ONCE];
        WEIR_UNROLL
        for (uint32_t j = 0; j < DSORT_AT_ONCE; j++)
            x[j] = dsort_read_keyed(keyed, i + j * at->threads, s->end);
        WEIR_UNROLL
        for (uint32_t j = 0; j < DSORT_AT_ONCE; j++)
            if (x[j] != DSORT_NO_ENTRY)
                a->entries[atomic_add_u32(&s->counter[x[j] >> 32], 1)] = (uint32_t)x[j];
    }
}

DMSM_KERNEL(dmsm_tile_place, 3)
typedef dsort_tile_shared dmsm_tile_place_shared;
typedef dmsm_nothing dmsm_tile_place_own;

WEIR_HD void dmsm_tile_place_phase(int k, const weir_dmsm *a, dsort_tile_shared *s,
                                   dmsm_nothing *own, const weir_dpos *at)
{
    (void)own;
    if (!dsort_has_tile(a, at)) return;
    if (k == 0) {
        dsort_find_tile(a, s, at);
    } else if (k == 1) {
        uint32_t w = dsort_tile_window(a, at);
        const uint32_t *before = a->key_count + dsort_tile_row(a, 0, at->block);
        const uint32_t *start =
            a->bucket_start + (size_t)w * (a->buckets + 1) + (s->bin << a->key_bits);
        for (uint32_t i = at->thread; i < dsort_keys(a); i += at->threads)
            s->counter[i] = w * a->n + start[i] + before[i];
    } else {
        dsort_place_tile(a, s, at);
    }
}

/* ---- pieces in order of length: a block takes neighbouring buckets of the group */

/* Extras that one thread writes; buckets with more are put down and written by the whole block, as many as fit. */
enum { DSORT_EXTRAS_EACH = 512, DSORT_LONG_MAX = 32 };

/* count: pieces of each length; in ORDER then where the next one goes. */
typedef struct dsort_length_shared {
    uint32_t count[WEIR_DMSM_PIECE_MAX + 1];
    uint32_t long_count, long_bucket[DSORT_LONG_MAX], long_extra[DSORT_LONG_MAX];
    block_scan_shared scan;
} dsort_length_shared;
typedef struct dsort_length_own {
    block_scan_own scan;
} dsort_length_own;

/* Where bucket i of the group starts in `entries`, and how many it has. */
WEIR_HD uint32_t dsort_bucket(const weir_dmsm *a, uint32_t i, uint32_t *start)
{
    uint32_t w = i / a->buckets, bucket = i % a->buckets;
    const uint32_t *starts = a->bucket_start + (size_t)w * (a->buckets + 1) + bucket;
    *start = w * a->n + starts[0];
    return starts[1] - starts[0];
}

WEIR_HD void dsort_count_lengths(const weir_dmsm *a, dsort_length_shared *s, const weir_dpos *at)
{
    uint32_t all = a->group * a->buckets, first = at->block * DSORT_ORDER_BUCKETS, start;
    uint32_t end = all - first > DSORT_ORDER_BUCKETS ? first + DSORT_ORDER_BUCKETS : all;
    for (uint32_t i = first + at->thread; i < end; i += at->threads) {
        uint32_t length = dsort_bucket(a, i, &start);
        if (length == 0) continue;
        uint32_t whole = (length - 1) / a->piece;
        atomic_add_u32(&s->count[length - whole * a->piece], 1);
        if (whole > 0) atomic_add_u32(&s->count[a->piece], whole);
    }
}

DMSM_KERNEL(dmsm_lengths, 3)
typedef dsort_length_shared dmsm_lengths_shared;
typedef dsort_length_own dmsm_lengths_own;

WEIR_HD void dmsm_lengths_phase(int k, const weir_dmsm *a, dsort_length_shared *s,
                                dsort_length_own *own, const weir_dpos *at)
{
    (void)own;
    if (k == 0) {
        dsort_zero(s->count, a->piece + 1, at);
    } else if (k == 1) {
        dsort_count_lengths(a, s, at);
    } else {
        for (uint32_t i = 1 + at->thread; i <= a->piece; i += at->threads)
            if (s->count[i]) atomic_add_u32(&a->counters->length_count[i], s->count[i]);
    }
}

WEIR_HD void dsort_write_piece(const weir_dmsm *a, dsort_length_shared *s, uint32_t start,
                               uint32_t length, uint32_t target)
{
    weir_dpiece *p = &a->pieces[atomic_add_u32(&s->count[length], 1)];
    p->start = start;
    p->length = length;
    p->target = target;
    p->unused = 0;
}

/* Extra j of the `count` that bucket i has, which are written from `extra` on. */
WEIR_HD void dsort_write_extra(const weir_dmsm *a, dsort_length_shared *s, uint32_t i,
                               uint32_t extra, uint32_t j, uint32_t count)
{
    weir_dextra *e = &a->extra[extra + j];
    uint32_t start, length = dsort_bucket(a, i, &start), at = (j + 1) * a->piece;
    e->bucket = i;
    e->number = j;
    e->count = count;
    e->unused = 0;
    dsort_write_piece(a, s, start + at, length - at < a->piece ? length - at : a->piece,
                      a->group * a->buckets + extra + j);
}

/* The pieces of bucket i: the first makes the bucket's sum, the others are extras. */
WEIR_HD void dsort_write_pieces(const weir_dmsm *a, dsort_length_shared *s, uint32_t i)
{
    uint32_t start, length = dsort_bucket(a, i, &start);
    if (length == 0) return;
    uint32_t extras = (length - 1) / a->piece;
    dsort_write_piece(a, s, start, extras > 0 ? a->piece : length, i);
    if (extras == 0) return;
    uint32_t extra = atomic_add_u32(&a->counters->extras, extras);
    if (extras > DSORT_EXTRAS_EACH) {
        uint32_t slot = atomic_add_u32(&s->long_count, 1);
        if (slot < DSORT_LONG_MAX) {
            s->long_bucket[slot] = i;
            s->long_extra[slot] = extra;
            return;
        }
    }
    WEIR_NO_UNROLL
    for (uint32_t j = 0; j < extras; j++) dsort_write_extra(a, s, i, extra, j, extras);
}

WEIR_HD void dsort_write_long(const weir_dmsm *a, dsort_length_shared *s, const weir_dpos *at)
{
    WEIR_NO_UNROLL
    for (uint32_t k = 0; k < s->long_count && k < DSORT_LONG_MAX; k++) {
        uint32_t start, i = s->long_bucket[k];
        uint32_t extras = (dsort_bucket(a, i, &start) - 1) / a->piece;
        WEIR_NO_UNROLL
        for (uint32_t j = at->thread; j < extras; j += at->threads)
            dsort_write_extra(a, s, i, s->long_extra[k], j, extras);
    }
}

/* Counters to zero and counted again, as in LENGTHS; the scan over lengths from the longest down, a thread for each; where
 * the block's pieces of each length go; the pieces; those of long buckets. */
enum { DSORT_ORDER_SCAN = 2, DSORT_ORDER_PHASES = DSORT_ORDER_SCAN + BLOCK_SCAN_PHASES + 2 };

typedef weir_dmsm dmsm_order_args;
typedef dsort_length_shared dmsm_order_shared;
typedef dsort_length_own dmsm_order_own;

WEIR_HD int dmsm_order_phases(const weir_dmsm *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    return DSORT_ORDER_PHASES;
}
WEIR_HD bool dmsm_order_warp_only(int k, const weir_dmsm *a, uint32_t threads)
{
    (void)a;
    (void)threads;
    k -= DSORT_ORDER_SCAN;
    return k > 0 && k < BLOCK_SCAN_PHASES && block_scan_warp_only(k);
}

/* s->count[length]: from the number of the block's pieces to the place of the first. */
WEIR_HD void dsort_take_places(const weir_dmsm *a, dsort_length_shared *s,
                               const block_scan_own *scan, uint32_t length, const weir_dpos *at)
{
    if (at->block == 0 && at->thread == 0) a->counters->pieces = scan->total;
    if (length == 0) return;
    uint32_t mine = s->count[length];
    if (mine > 0)
        s->count[length] = scan->before + atomic_add_u32(&a->counters->length_taken[length], mine);
}

WEIR_HD void dmsm_order_phase(int k, const weir_dmsm *a, dsort_length_shared *s,
                              dsort_length_own *own, const weir_dpos *at)
{
    if (k < DSORT_ORDER_SCAN) {
        if (k == 0) {
            dsort_zero(s->count, a->piece + 1, at);
            dsort_zero(&s->long_count, 1, at);
        } else {
            dsort_count_lengths(a, s, at);
        }
        return;
    }
    k -= DSORT_ORDER_SCAN;
    if (k < BLOCK_SCAN_PHASES) {
        uint32_t length = at->thread < a->piece ? a->piece - at->thread : 0;
        if (k == 0) own->scan.value = length ? a->counters->length_count[length] : 0;
        block_scan_phase(k, &s->scan, &own->scan, at);
        if (k == BLOCK_SCAN_END) dsort_take_places(a, s, &own->scan, length, at);
        return;
    }
    if (k > BLOCK_SCAN_PHASES) {
        dsort_write_long(a, s, at);
        return;
    }
    uint32_t all = a->group * a->buckets, first = at->block * DSORT_ORDER_BUCKETS;
    uint32_t end = all - first > DSORT_ORDER_BUCKETS ? first + DSORT_ORDER_BUCKETS : all;
    for (uint32_t i = first + at->thread; i < end; i += at->threads) dsort_write_pieces(a, s, i);
}

#endif
