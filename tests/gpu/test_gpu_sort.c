/* Sorting for dense sums on a device, run on the host: digits against those of the CPU, buckets and pieces against a plain
 * count. Lists of set bits for sums over bits against a plain loop. */
#include "msm_twin.h"

#include "field/params_bls12_381.h"
#include "msm/msm_digits.h"
#include "testkit.h"

#include <stdlib.h>
#include <string.h>

typedef struct sorted {
    weir_dmsm_plan plan;
    weir_scalar *k;
    unsigned char *arena;
    uint32_t *digits; /* of one window: (magnitude << 1) | sign */
    uint32_t *seen;
} sorted;

static void sorted_init(sorted *s, uint32_t n, uint32_t c, uint32_t group)
{
    weir_dmsm_plan_make(&s->plan, &weir_dmsm_sizes_g1, n, c, group);
    s->k = calloc(n + 1, sizeof *s->k);
    s->arena = aligned_alloc(256, s->plan.total_bytes + 256);
    s->digits = calloc(n + 1, sizeof *s->digits);
    s->seen = calloc(n + 1, sizeof *s->seen);
    assert_true(s->k && s->arena && s->digits && s->seen);
    memset(s->arena, 0xa5, s->plan.total_bytes);
}

/* Larger ranges than the plan's, so that a thread has several points of one. */
static void sorted_ranges(sorted *s, uint32_t range)
{
    weir_dmsm *a = &s->plan.shape;
    if (range <= a->range) return;
    a->range = range;
    a->ranges = (a->n + range - 1) / range;
}

static void sorted_clear(sorted *s)
{
    free(s->k);
    free(s->arena);
    free(s->digits);
    free(s->seen);
}

static void digits_of_window(sorted *s, uint32_t w)
{
    weir_msm_recode t;
    weir_msm_recode_init(&t, s->plan.c);
    assert_int_equal(t.windows, s->plan.windows);
    for (uint32_t i = 0; i < s->plan.n; i++) {
        weir_msm_recoded r;
        weir_msm_recode_scalar(&r, &t, &s->k[i]);
        s->digits[i] = weir_msm_digit(&r, &t, w);
    }
}

/* Every point with a digit stands once, in the bucket of the digit, with its sign. */
static void check_window(sorted *s, const weir_dmsm *a, uint32_t w)
{
    const uint32_t *start = a->bucket_start + (size_t)w * (a->buckets + 1);
    const uint32_t *entries = a->entries + (size_t)w * a->n;
    uint32_t count = 0;
    digits_of_window(s, a->first + w);
    memset(s->seen, 0, a->n * sizeof *s->seen);
    for (uint32_t i = 0; i < a->n; i++) count += s->digits[i] != 0;
    assert_int_equal(start[0], 0);
    assert_int_equal(start[a->buckets], count);
    for (uint32_t b = 0; b < a->buckets; b++) {
        assert_true(start[b] <= start[b + 1]);
        for (uint32_t i = start[b]; i < start[b + 1]; i++) {
            uint32_t point = entries[i] & 0x7fffffff, sign = entries[i] >> 31;
            assert_true(point < a->n);
            assert_int_equal(s->digits[point], (b + 1) << 1 | sign);
            assert_int_equal(s->seen[point]++, 0);
        }
    }
}

/* Pieces stand in order of length and cover the entries of each bucket once; extras tell their bucket. */
static void check_pieces(const weir_dmsm *a)
{
    const weir_dmsm_counters *c = a->counters;
    uint32_t all = a->group * a->buckets, extras = 0, pieces = 0;
    uint32_t *covered = calloc(all + 1, sizeof *covered);
    assert_non_null(covered);
    assert_true(c->extras <= a->extras);
    for (uint32_t i = 0; i < c->pieces; i++) {
        const weir_dpiece *p = &a->pieces[i];
        assert_true(p->length >= 1 && p->length <= a->piece);
        assert_true(i == 0 || p->length <= a->pieces[i - 1].length);
        uint32_t extra = p->target - all, bucket = p->target, number = 0, start;
        if (p->target >= all) {
            assert_true(extra < c->extras);
            bucket = a->extra[extra].bucket;
            number = a->extra[extra].number + 1;
            assert_true(number <= a->extra[extra].count);
            assert_true(extra + 1 == number || a->extra[extra - number + 1].bucket == bucket);
        }
        uint32_t length = dsort_bucket(a, bucket, &start);
        assert_int_equal(p->start, start + number * a->piece);
        assert_true(p->length == a->piece || number * a->piece + p->length == length);
        covered[bucket] += p->length;
    }
    for (uint32_t b = 0; b < all; b++) {
        uint32_t start, length = dsort_bucket(a, b, &start);
        assert_int_equal(covered[b], length);
        pieces += (length + a->piece - 1) / a->piece;
        extras += length ? (length - 1) / a->piece : 0;
    }
    assert_int_equal(c->pieces, pieces);
    assert_int_equal(c->extras, extras);
    free(covered);
}

static void check_sort(sorted *s, twin_order order)
{
    uint32_t per = weir_dmsm_steps(&s->plan) / s->plan.groups, windows = 0;
    for (uint32_t g = 0; g < s->plan.groups; g++) {
        weir_dmsm_step step;
        for (uint32_t i = 0; i < WEIR_DMSM_ACCUMULATE; i++) {
            weir_dmsm_step_make(&step, &s->plan, g * per + i, s->arena, NULL, s->k, NULL);
            assert_int_equal(step.kernel, i);
            assert_true(twin_dmsm_step(&step, false, order));
        }
        assert_int_equal(step.args.first, windows);
        for (uint32_t w = 0; w < step.args.group; w++) check_window(s, &step.args, w);
        check_pieces(&step.args);
        windows += step.args.group;
    }
    assert_int_equal(windows, s->plan.windows);
}

/* kind: 0 random; 1 all equal; 2 few values; 3 special values; 4 mostly zero */
static void fill(tk_rng *g, weir_scalar *k, uint32_t n, int kind)
{
    static const uint64_t r[4] = WEIR_FR_MODULUS;
    weir_scalar one;
    tk_scalar(g, &one);
    for (uint32_t i = 0; i < n; i++) {
        tk_scalar(g, &k[i]);
        if (kind == 1) k[i] = one;
        if (kind == 2) k[i] = (weir_scalar){{tk_below(g, 3)}};
        if (kind == 4 && tk_below(g, 20)) k[i] = (weir_scalar){{0}};
        if (kind == 3) {
            uint64_t j = tk_below(g, 6);
            k[i] = (weir_scalar){{j}};
            if (j > 2) /* r - 1, r - 2, r - 3 */
                k[i] = (weir_scalar){{r[0] - j + 2, r[1], r[2], r[3]}};
        }
    }
}

enum { KINDS = 5 };

static void test_small(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (uint32_t n = 1; n <= 300; n += 1 + (uint32_t)tk_below(&g, 12))
        for (int kind = 0; kind < KINDS; kind++) {
            sorted s;
            uint32_t c = 2 + (uint32_t)tk_below(&g, 9);
            sorted_init(&s, n, c, (uint32_t)tk_below(&g, 20));
            fill(&g, s.k, n, kind);
            check_sort(&s, (twin_order){(int)tk_below(&g, 3), tk_u64(&g)});
            sorted_clear(&s);
        }
}

/* Several ranges and tiles, many bins. */
static void test_large(void **state)
{
    (void)state;
    static const struct {
        uint32_t n, c, group;
    } cases[] = {{1024, 12, 0},   {4096, 3, 0},   {20001, 8, 5}, {20001, 16, 4},
                 {50000, 13, 20}, {60000, 16, 1}, {3000, 20, 2}};
    tk_rng g = tk_rng_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int kind = 0; kind < KINDS; kind++) {
            if (cases[i].c > 16 && kind > 1) continue;
            sorted s;
            sorted_init(&s, cases[i].n, cases[i].c, cases[i].group);
            sorted_ranges(&s, (uint32_t)tk_below(&g, 12000));
            fill(&g, s.k, cases[i].n, kind);
            check_sort(&s, (twin_order){(int)tk_below(&g, 3), tk_u64(&g)});
            sorted_clear(&s);
        }
}

/* Plans of real sizes: offsets ascend, bytes are in proportion, grids are not empty. */
static void test_plans(void **state)
{
    (void)state;
    weir_dmsm_plan p;
    for (uint32_t log = 0; log <= 27; log++)
        for (uint32_t c = 0; c <= WEIR_DMSM_MAX_WINDOW; c = c ? c + 1 : WEIR_DMSM_MIN_WINDOW) {
            weir_dmsm_plan_make(&p, log % 2 ? &weir_dmsm_sizes_g2 : &weir_dmsm_sizes_g1, 1u << log,
                                c, 0);
            assert_true(p.group >= 1 && p.group * p.groups >= p.windows);
            assert_true((p.groups - 1) * p.group < p.windows);
            assert_true(p.group << p.shape.bin_bits <= WEIR_DMSM_COUNTERS);
            assert_true(1u << p.shape.key_bits <= WEIR_DMSM_KEYS_MAX);
            assert_true(p.keyed + 8ull * p.group * p.n <= p.key_count);
            assert_true(p.sums + ((uint64_t)p.group << (p.c - 1)) * p.xyzz_bytes <= p.pairs[0]);
            assert_true(p.pairs[1] < p.total_bytes);
            for (uint32_t i = 0; i < weir_dmsm_steps(&p); i++) {
                weir_dmsm_step s;
                weir_dmsm_step_make(&s, &p, i, NULL, NULL, NULL, NULL);
                assert_true(s.blocks > 0 && s.threads % 32 == 0);
            }
        }
    weir_dmsm_plan_make(&p, &weir_dmsm_sizes_g1, 0, 0, 0);
    assert_int_equal(weir_dmsm_steps(&p), 0);
    assert_int_equal(p.total_bytes, 0);
}

/* ---- lists of set bits */

/* The list of a chunk of rows is what a loop over the bits finds. */
static void check_list(const weir_dsum *a, const uint64_t *bits)
{
    uint64_t first = (uint64_t)a->first_row * 2048, end = first + (uint64_t)a->chunk_rows * 2048;
    uint32_t count = 0;
    for (uint64_t i = first; i < end && i < a->n; i++)
        if (bits[i / 64] >> i % 64 & 1) assert_int_equal(a->list[count++], i);
    assert_int_equal(a->state->count, count);
    assert_int_equal(a->state->taken, 0);
}

static void check_lists(tk_rng *g, const uint64_t *bits, uint32_t n, uint32_t chunk)
{
    weir_dsum_plan p;
    weir_dsum_plan_make(&p, &weir_dmsm_sizes_g1, n, 1, chunk);
    unsigned char *arena = aligned_alloc(256, p.total_bytes + 256);
    assert_non_null(arena);
    memset(arena, 0xa5, p.total_bytes);
    for (uint32_t i = 0; i < weir_dsum_steps(&p); i++) {
        weir_dsum_step s;
        weir_dsum_step_make(&s, &p, i, arena, NULL, bits, NULL);
        if (s.kernel != WEIR_DSUM_COUNT && s.kernel != WEIR_DSUM_LIST) continue;
        assert_true(twin_dsum_step(&s, false, (twin_order){(int)tk_below(g, 3), tk_u64(g)}));
        if (s.kernel == WEIR_DSUM_LIST) check_list(&s.args, bits);
    }
    free(arena);
}

static void test_lists(void **state)
{
    (void)state;
    enum { N = 300011, WORDS = N / 64 + 1 };
    static const uint32_t sizes[] = {0, 1, 63, 64, 2047, 2048, 2049, 16384, 16385, N};
    static const uint32_t percent[] = {0, 1, 50, 100};
    tk_rng g = tk_rng_new();
    uint64_t *bits = calloc(WORDS, sizeof *bits);
    assert_non_null(bits);
    for (size_t j = 0; j < sizeof percent / sizeof percent[0]; j++) {
        for (uint32_t i = 0; i < WORDS * 64; i++)
            bits[i / 64] = bits[i / 64] << 1 | (tk_below(&g, 100) < percent[j]);
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            check_lists(&g, bits, sizes[i], 0);
            check_lists(&g, bits, sizes[i], 1 + (uint32_t)tk_below(&g, 60000));
        }
    }
    free(bits);
}

/* Plans of all sizes: chunks cover the rows, parts of the arena ascend, no grid is empty. */
static void test_sum_plans(void **state)
{
    (void)state;
    for (uint32_t log = 0; log <= 30; log++)
        for (uint32_t n = (1u << log) - 1; n <= (1u << log); n++) {
            weir_dsum_plan p;
            weir_dsum_plan_make(&p, log % 2 ? &weir_dmsm_sizes_g2 : &weir_dmsm_sizes_g1, n, 396, 0);
            uint64_t rows = (uint64_t)p.chunks * p.shape.chunk_rows, lists = 0, adds = 0;
            assert_true(rows >= p.shape.rows && rows < (uint64_t)p.shape.rows + p.chunks * 8193u);
            assert_true(p.row_count + 4ull * p.shape.rows <= p.state && p.state < p.list);
            assert_true(p.list + 4ull * 2048 * p.shape.chunk_rows <= p.partial);
            assert_true(p.total_bytes <
                        (64u << 20) + 4ull * p.shape.rows + 396ull * 129 * 384 + 4096);
            for (uint32_t i = 0; i < weir_dsum_steps(&p); i++) {
                weir_dsum_step s;
                weir_dsum_step_make(&s, &p, i, NULL, NULL, NULL, NULL);
                assert_true(s.blocks > 0 && s.threads % 32 == 0);
                if (s.kernel == WEIR_DSUM_LIST) lists += s.blocks;
                adds += s.kernel == WEIR_DSUM_ADD;
            }
            assert_true(lists * 8 >= p.shape.rows);
            assert_int_equal(adds, p.chunks);
        }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),     cmocka_unit_test(test_large),
        cmocka_unit_test(test_plans),     cmocka_unit_test(test_lists),
        cmocka_unit_test(test_sum_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
