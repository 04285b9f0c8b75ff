/* The inner parts of inversion: batches of steps against single steps of the definition, and the linear maps at the
 * ends of their ranges, which whole inversions hardly ever reach. Includes the source to see its static functions;
 * inversions as such are in prime_props.c. */
#include "field/inverse.c"

#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "prime_props.h"

/* The division step as the paper defines it, on words that wrap: exact in as many low bits as steps are left. */
static int64_t single_steps(steps *t, int64_t delta, uint64_t f, uint64_t g)
{
    int64_t u = 1, v = 0, q = 0, r = 1;
    for (int i = 0; i < STEPS; i++) {
        if (delta > 0 && (g & 1)) {
            uint64_t f0 = f;
            int64_t u0 = u, v0 = v;
            delta = 1 - delta;
            f = g;
            g = (g - f0) / 2;
            u = 2 * q;
            v = 2 * r;
            q -= u0;
            r -= v0;
        } else {
            delta = 1 + delta;
            if (g & 1) {
                g += f;
                q += u;
                r += v;
            }
            g /= 2;
            u *= 2;
            v *= 2;
        }
    }
    *t = (steps){u, v, q, r};
    return delta;
}

static void check_steps(int64_t delta, uint64_t f, uint64_t g)
{
    steps want, got;
    int64_t end = single_steps(&want, delta, f | 1, g);
    assert_int_equal(find_steps(&got, -delta, f | 1, g), -end);
    assert_true(got.u == want.u && got.v == want.v && got.q == want.q && got.r == want.r);
    const uint64_t limit = UINT64_C(1) << 62;
    assert_true((uint64_t)llabs(got.u) + (uint64_t)llabs(got.v) <= limit);
    assert_true((uint64_t)llabs(got.q) + (uint64_t)llabs(got.r) <= limit);
}

static void test_find_steps(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (int i = 0; i < 20000; i++) {
        int64_t delta = (int64_t)tk_below(&g, 41) - 20;
        check_steps(delta, tk_u64(&g), tk_u64(&g));
        check_steps(1, tk_u64(&g), tk_u64(&g) << tk_below(&g, 64));
    }
    for (int64_t delta = -70; delta <= 70; delta++) {
        for (unsigned bit = 0; bit < 64; bit++) {
            check_steps(delta, tk_u64(&g), (uint64_t)1 << bit);
            check_steps(delta, 1, (uint64_t)1 << bit);
            check_steps(delta, UINT64_MAX, UINT64_MAX << bit);
        }
        check_steps(delta, tk_u64(&g), 0);
        uint64_t f = tk_u64(&g) | 1;
        check_steps(delta, f, f);
        check_steps(delta, f, 0 - f);
    }
}

/* u, v with |u| + |v| <= 2^62: the corners, the edges and the inside. */
static void pick_row(int64_t *u, int64_t *v, tk_rng *g)
{
    const int64_t all = INT64_C(1) << 62;
    int64_t sum = tk_below(g, 2) ? all : (int64_t)tk_below(g, (uint64_t)all + 1), x;
    switch (tk_below(g, 5)) {
    case 0:
        x = 0;
        break;
    case 1:
        x = sum;
        break;
    case 2:
        x = sum / 2;
        break;
    case 3:
        x = sum ? 1 : 0;
        break;
    default:
        x = (int64_t)tk_below(g, (uint64_t)sum + 1);
    }
    *u = tk_below(g, 2) ? x : -x;
    *v = tk_below(g, 2) ? sum - x : x - sum;
    if (tk_below(g, 2)) {
        int64_t t = *u;
        *u = *v;
        *v = t;
    }
}

#define FP_PATH (field_path_get(WEIR_ISA_PORTABLE)->fp)
#define FR_PATH (field_path_get(WEIR_ISA_PORTABLE)->fr)

#define C_(name) fp_##name
#define C_N      6
#define C_L      7
#define C_FIELD  FP_PATH
#include "inverse_check.inc.h"
#undef C_
#undef C_N
#undef C_L
#undef C_FIELD

#define C_(name) fr_##name
#define C_N      4
#define C_L      5
#define C_FIELD  FR_PATH
#include "inverse_check.inc.h"

static void test_apply_mod(void **state)
{
    (void)state;
    fp_check_apply_mod();
    fr_check_apply_mod();
}

static void test_split(void **state)
{
    (void)state;
    fp_check_split();
    fr_check_split();
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find_steps),
        cmocka_unit_test(test_apply_mod),
        cmocka_unit_test(test_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
