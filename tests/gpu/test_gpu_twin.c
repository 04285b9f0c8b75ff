/* The host's side of device_check: every operation runs on its own inputs within its bounds (carry chains assert
 * them), and the kernels in phases give inverses and sums. */
#include "device_twin.h"
#include "gpu_kit.h"

#include "gpu/bench_ops.h"

#include <stdlib.h>

static void test_operations(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    enum { THREADS = 256, ROUNDS = 5 };
#define NAME(name, IN, OUT, per, text) #name,
    static const char *const names[] = {WEIR_BENCH_OPS(NAME)};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const twin_op *op = twin_find(names[i]);
        assert_non_null(op);
        void *in = calloc(THREADS, op->in_bytes), *out = calloc(THREADS, op->out_bytes);
        assert_true(in && out);
        op->fill(in, THREADS, tk_u64(&g), true);
        op->run(out, in, THREADS, ROUNDS);
        free(out);
        free(in);
    }
    assert_null(twin_find("none"));
}

static void test_inverses(void **state)
{
    (void)state;
    enum { N = 3000, THREADS = 64, BLOCKS = 3 };
    weir_dfp *a = calloc(2 * N, sizeof *a), one, t;
    weir_dfr *b = calloc(2 * N, sizeof *b), one_r, u;
    assert_true(a && b);
    dfp_set_one(&one);
    dfr_set_one(&one_r);
    twin_fill_fp(a, N, 1);
    twin_fill_fr(b, N, 2);
    assert_true(twin_fp_batch_inv(a + N, a, N, BLOCKS, THREADS));
    assert_true(twin_fr_batch_inv(b + N, b, N, BLOCKS, THREADS));
    for (int i = 0; i < N; i++) {
        dfp_mul(&t, &a[i], &a[N + i]);
        assert_true(dfp_is_zero(&a[i]) ? dfp_is_zero(&a[N + i]) : dfp_eq(&t, &one));
        dfr_mul(&u, &b[i], &b[N + i]);
        assert_true(dfr_is_zero(&b[i]) ? dfr_is_zero(&b[N + i]) : dfr_eq(&u, &one_r));
    }
    free(b);
    free(a);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_operations),
                                       cmocka_unit_test(test_inverses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
