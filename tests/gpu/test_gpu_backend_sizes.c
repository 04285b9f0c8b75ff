/* The GPU backend on a fake device against the CPU: circuits of every number of rows to 300, and all shares of bits and ones. */
#include "backend_kit.h"

static void test_every_size(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (uint64_t rows = 1; rows <= 300; rows++) {
        backend_case c = random_case(&g, rows);
        fake_compare(&c, UINT64_MAX, (int)tk_below(&g, 3) - 1);
    }
}

static void test_densities(void **state)
{
    (void)state;
    static const unsigned percent[] = {0, 1, 50, 99, 100};
    tk_rng g = tk_rng_new();
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            backend_case c = random_case(&g, 130 + tk_below(&g, 20));
            c.percent_bits = percent[i];
            c.percent_ones = percent[j];
            fake_compare(&c, UINT64_MAX, WEIR_GPU_WORK);
        }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_size),
        cmocka_unit_test(test_densities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
