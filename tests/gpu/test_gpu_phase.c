/* Kernels in phases, run by the host loop of gpu_phase.h with the threads in several orders: block-wide sums and the
 * inversion of arrays. */
#include "gpu_kit.h"

#include "gpu/bench_phases.h"
#include "gpu/gpu_batch_inv.h"

#include "field/fp2.h"
#include "field/fr.h"

#include <stdlib.h>

WEIR_HOST_RUN(run_scan, bench_scan)

enum { ORDERS = 3 };

/* Ascending, descending, at random. */
static uint32_t *make_order(tk_rng *g, uint32_t threads, int kind)
{
    uint32_t *order = calloc(threads, sizeof *order);
    assert_non_null(order);
    for (uint32_t i = 0; i < threads; i++) order[i] = kind == 1 ? threads - 1 - i : i;
    for (uint32_t i = threads; kind == 2 && i > 1; i--) {
        uint32_t j = (uint32_t)tk_below(g, i), t = order[i - 1];
        order[i - 1] = order[j];
        order[j] = t;
    }
    return order;
}

static void check_scan(tk_rng *g, uint32_t blocks, uint32_t threads, int kind)
{
    uint32_t n = blocks * threads, *data = calloc(3 * (size_t)n, sizeof *data);
    bench_scan_shared *s = calloc(1, sizeof *s);
    bench_scan_own *own = calloc(threads, sizeof *own);
    uint32_t *order = make_order(g, threads, kind);
    assert_true(data && s && own);
    for (uint32_t i = 0; i < n; i++)
        data[i] = tk_below(g, 3) ? (uint32_t)tk_below(g, 100) : (uint32_t)tk_u64(g);
    bench_scan_args a = {data, data + n, data + 2 * n};
    run_scan(&a, s, own, blocks, threads, order);
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t sum = 0;
        for (uint32_t t = 0; t < threads; t++) {
            assert_int_equal(a.before[b * threads + t], sum);
            sum += data[b * threads + t];
        }
        for (uint32_t t = 0; t < threads; t++) assert_int_equal(a.total[b * threads + t], sum);
    }
    free(order);
    free(own);
    free(s);
    free(data);
}

static void test_scan(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    static const uint32_t sizes[] = {32, 64, 96, 256, 992, 1024};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int kind = 0; kind < ORDERS; kind++) check_scan(&g, 3, sizes[i], kind);
}

/* ---- inversion of arrays of n elements */

#define BATCH_TEST(NAME, FIELD, f, RANDOM, CHECK)                                                  \
    WEIR_HOST_RUN(run_##f, f##_batch_inv)                                                          \
    static void NAME(tk_rng *g, uint64_t n, uint32_t threads, int kind)                            \
    {                                                                                              \
        uint32_t piece = BATCH_INV_EACH * threads, blocks = (uint32_t)((n + piece - 1) / piece);   \
        FIELD *in = calloc(n, sizeof *in), *out = calloc(n, sizeof *out);                          \
        f##_batch_inv_shared *s = calloc(1, sizeof *s);                                            \
        f##_batch_inv_own *own = calloc(threads, sizeof *own);                                     \
        uint32_t *order = make_order(g, threads, kind);                                            \
        assert_true(in &&out &&s &&own);                                                           \
        for (uint64_t i = 0; i < n; i++) RANDOM(g, &in[i]);                                        \
        const f##_batch_inv_args a = {out, in, n};                                                 \
        run_##f(&a, s, own, blocks, threads, order);                                               \
        for (uint64_t i = 0; i < n; i++) CHECK(&in[i], &out[i]);                                   \
        free(order);                                                                               \
        free(own);                                                                                 \
        free(s);                                                                                   \
        free(out);                                                                                 \
        free(in);                                                                                  \
    }

static void random_fp(tk_rng *g, weir_dfp *r)
{
    weir_fp h;
    kit_fp(g, &h, r);
}
static void random_fp2(tk_rng *g, weir_dfp2 *r)
{
    weir_fp2 h;
    kit_fp2(g, &h, r);
}
static void random_fr(tk_rng *g, weir_dfr *r)
{
    weir_fr h;
    kit_fr(g, &h, r);
}
static void check_fp(const weir_dfp *in, const weir_dfp *out)
{
    weir_fp a, want;
    kit_fp_out(&a, in);
    weir_fp_inv(&want, &a);
    kit_fp_is(out, &want);
}
static void check_fp2(const weir_dfp2 *in, const weir_dfp2 *out)
{
    weir_fp2 a, want;
    kit_fp_out(&a.c0, &in->c0);
    kit_fp_out(&a.c1, &in->c1);
    fp2_inv(&want, &a);
    kit_fp2_is(out, &want);
}
static void check_fr(const weir_dfr *in, const weir_dfr *out)
{
    weir_fr a, want;
    kit_fr_out(&a, in);
    weir_fr_inv(&want, &a);
    kit_same(out, &want);
}

BATCH_TEST(batch_fp, weir_dfp, dfp, random_fp, check_fp)
BATCH_TEST(batch_fp2, weir_dfp2, dfp2, random_fp2, check_fp2)
BATCH_TEST(batch_fr, weir_dfr, dfr, random_fr, check_fr)

static void test_batch_inv(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    static const uint64_t counts[] = {1, 31, 511, 512, 513, 5000, 12345};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        for (uint32_t threads = 32; threads <= BATCH_INV_THREADS_MAX; threads *= 2) {
            int kind = (int)tk_below(&g, ORDERS);
            batch_fp(&g, counts[i], threads, kind);
            batch_fp2(&g, counts[i] / 4 + 1, threads, kind);
            batch_fr(&g, counts[i], threads, kind);
        }
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scan),
        cmocka_unit_test(test_batch_inv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
