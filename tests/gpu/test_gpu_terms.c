/* The GPU backend for some of a proof's sums, on a fake device: with the CPU's sums of the other terms it gives all, under every plan;
 * what is left out takes no memory and no transfers; and both behind one seam (compute/hybrid_backend.h), every call failing in turn. */
#include "backend_kit.h"

#include "compute/hybrid_backend.h"

#include <string.h>

static const uint32_t sets[] = {WEIR_TERMS_ALL & ~WEIR_TERMS_G2, WEIR_TERMS_ALL & ~WEIR_TERMS_TAILS,
                                WEIR_TERMS_ALL & ~WEIR_TERMS_G2 & ~WEIR_TERMS_TAILS};
enum { SETS = sizeof sets / sizeof sets[0] };

static void must(weir_err err, const weir_errinfo *ei)
{
    if (err != WEIR_OK) fail_msg("%s", ei->text);
}

/* The device with its terms beside the CPU with the others, as a hybrid. */
static void compare_hybrid(const backend_kit *k, uint32_t terms, uint64_t budget, int lazy,
                           unsigned runs)
{
    fake_device d;
    weir_backend gpu, both;
    weir_hybrid h;
    weir_errinfo ei = {0};
    const weir_exec cpu = {.pool = tk_pool(3), .isa = weir_isa_best()};
    fake_device_init(&d, ROOM, lazy);
    weir_gpu_backend_init(&gpu, &d.driver);
    must(weir_hybrid_init(&both, &h, &gpu, &cpu, WEIR_TERMS_ALL & ~terms, &ei), &ei);
    must(backend_compare(k, &both, budget, runs, &ei), &ei);
    weir_hybrid_clear(&h);
    assert_true(budget == UINT64_MAX || d.peak <= budget);
    assert_int_equal(fake_device_held(&d), 0);
    fake_device_clear(&d);
}

/* Apart: the sums of absent terms are infinity. */
static void compare_apart(const backend_kit *k, uint32_t terms, int lazy)
{
    fake_device d;
    weir_backend gpu;
    weir_errinfo ei = {0};
    fake_device_init(&d, ROOM, lazy);
    weir_gpu_backend_init(&gpu, &d.driver);
    must(backend_compare_terms(k, &gpu, terms, UINT64_MAX, 1, &ei), &ei);
    fake_device_clear(&d);
}

static void compare_sets(const backend_case *c, int lazy)
{
    backend_kit k;
    weir_errinfo ei = {0};
    must(backend_kit_init(&k, c, tk_pool(2), &ei), &ei);
    for (int i = 0; i < SETS; i++) {
        compare_apart(&k, sets[i], lazy);
        compare_hybrid(&k, sets[i], UINT64_MAX, lazy, 2);
    }
    backend_kit_clear(&k);
}

static void test_sizes(void **state)
{
    (void)state;
    static const unsigned rows[] = {1, 2, 3, 5, 33, 127};
    tk_rng g = tk_rng_new();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        backend_case c = random_case(&g, rows[i]);
        compare_sets(&c, (int)tk_below(&g, 3) - 1);
    }
}

/* Without any bit column kinds are found on the device; without any dense one there are no tails but the inputs. */
static void test_shares_of_bits(void **state)
{
    (void)state;
    static const unsigned percent[] = {0, 1, 50, 100};
    tk_rng g = tk_rng_new();
    for (int i = 0; i < 4; i++) {
        backend_case c = random_case(&g, 130 + tk_below(&g, 20));
        c.percent_bits = percent[i];
        c.dense = i == 0 ? BACKEND_MIXED : BACKEND_RANDOM;
        compare_sets(&c, WEIR_GPU_WORK);
    }
}

/* The least budget under which this plan is taken; 0: there is none. */
static uint64_t least_of_plan(const backend_kit *k, uint32_t terms, weir_gpu_plan plan)
{
    fake_device d;
    weir_gpu_layout l;
    uint64_t budget = (uint64_t)1 << 30, least = 0;
    fake_device_init(&d, ROOM, -1);
    while (weir_gpu_layout_make(&l, k->rel, &d.driver, terms, budget, NULL) == WEIR_OK) {
        if (l.plan == plan) least = l.device_bytes;
        budget = l.device_bytes - 1;
    }
    fake_device_clear(&d);
    return least;
}

static void test_plans(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (int mixed = 0; mixed < 2; mixed++) {
        backend_case c = random_case(&g, 8300 + tk_below(&g, 200));
        backend_kit k;
        weir_errinfo ei = {0};
        c.percent_bits = mixed ? 0 : 70;
        c.dense = mixed ? BACKEND_MIXED : BACKEND_RANDOM;
        must(backend_kit_init(&k, &c, tk_pool(2), &ei), &ei);
        for (int i = 0; i < SETS; i++) {
            uint64_t small = least_of_plan(&k, sets[i], WEIR_GPU_SMALL);
            uint64_t streamed = least_of_plan(&k, sets[i], WEIR_GPU_STREAMED);
            assert_true(small > 0 && (mixed || streamed > 0));
            /* in turn, since each takes seconds */
            if (mixed != i % 2) compare_hybrid(&k, sets[i], small, WEIR_GPU_COPY, 1);
            if (!mixed && i % 2 == 0) compare_hybrid(&k, sets[i], streamed, WEIR_GPU_WORK, 1);
        }
        backend_kit_clear(&k);
    }
}

/* ---- memory and transfers */

/* Bytes that went up for one session and one run of it. */
static uint64_t uploaded(const backend_kit *k, uint32_t terms)
{
    fake_device d;
    weir_backend b;
    weir_errinfo ei = {0};
    fake_device_init(&d, ROOM, -1);
    weir_gpu_backend_init(&b, &d.driver);
    must(backend_compare_terms(k, &b, terms, UINT64_MAX, 1, &ei), &ei);
    uint64_t bytes = d.driver.up_bytes;
    fake_device_clear(&d);
    return bytes;
}

static void test_bytes(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    backend_case c = random_case(&g, 1500);
    backend_kit k;
    fake_device d;
    weir_backend gpu, both;
    weir_hybrid h;
    weir_need all, some, cpu_need, need;
    weir_errinfo ei = {0};
    const weir_exec cpu = {.isa = weir_isa_best()};
    const weir_backend *c_b = weir_cpu_backend();
    c.percent_bits = 60;
    must(backend_kit_init(&k, &c, tk_pool(2), &ei), &ei);
    fake_device_init(&d, ROOM, -1);
    weir_gpu_backend_init(&gpu, &d.driver);
    must(gpu.bytes(&gpu, &all, k.rel, WEIR_TERMS_ALL, UINT64_MAX, &k.x, &ei), &ei);
    uint64_t sent = uploaded(&k, WEIR_TERMS_ALL);
    uint64_t g2 = k.key.count[WEIR_KEY_B_G2] * sizeof(weir_g2_affine);
    uint64_t tails = (k.rel->dense + k.rel->inputs) * sizeof(weir_g1_affine);
    assert_true(g2 > 0 && tails > 0);
    for (int i = 0; i < SETS; i++) {
        bool no_g2 = !(sets[i] & WEIR_TERMS_G2), no_tails = !(sets[i] & WEIR_TERMS_TAILS);
        uint64_t less = (no_g2 ? g2 : 0) + (no_tails ? tails : 0);
        must(gpu.bytes(&gpu, &some, k.rel, sets[i], UINT64_MAX, &k.x, &ei), &ei);
        assert_string_equal(some.plan, "resident");
        assert_true(some.device_bytes + less <= all.device_bytes + 4096);
        assert_true(uploaded(&k, sets[i]) + less <= sent);
        /* the hybrid: both needs, and the device's budget */
        uint32_t cpu_terms = WEIR_TERMS_ALL & ~sets[i];
        must(c_b->bytes(c_b, &cpu_need, k.rel, cpu_terms, UINT64_MAX, &cpu, &ei), &ei);
        must(weir_hybrid_init(&both, &h, &gpu, &cpu, cpu_terms, &ei), &ei);
        must(both.bytes(&both, &need, k.rel, WEIR_TERMS_ALL, UINT64_MAX, &k.x, &ei), &ei);
        assert_int_equal(need.device_bytes, some.device_bytes);
        assert_int_equal(need.pinned_bytes, some.pinned_bytes);
        assert_true(need.host_bytes >= some.host_bytes + cpu_need.host_bytes);
        must(both.can(&both, k.rel, &k.key, WEIR_TERMS_ALL, some.device_bytes, &k.x, &ei), &ei);
        assert_int_equal(both.bytes(&both, &need, k.rel, WEIR_TERMS_ALL, 1000, &k.x, &ei),
                         WEIR_E_NOMEM);
        weir_hybrid_clear(&h);
    }
    fake_device_clear(&d);
    backend_kit_clear(&k);
}

static void test_refused_terms(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    backend_case c = random_case(&g, 20);
    backend_kit k;
    fake_device d;
    weir_backend gpu, both;
    weir_hybrid h;
    weir_session *s;
    weir_need need;
    weir_errinfo ei = {0};
    must(backend_kit_init(&k, &c, NULL, &ei), &ei);
    fake_device_init(&d, ROOM, -1);
    weir_gpu_backend_init(&gpu, &d.driver);
    unsigned known = 0;
    for (uint32_t terms = 0; terms <= 2 * WEIR_TERMS_ALL; terms++) {
        weir_err err = gpu.bytes(&gpu, &need, k.rel, terms, UINT64_MAX, &k.x, &ei);
        known += err == WEIR_OK;
        if (err == WEIR_OK) continue;
        assert_int_equal(err, WEIR_E_USAGE);
        assert_non_null(strstr(ei.text, "a GPU adds up all"));
        assert_int_equal(gpu.begin(&gpu, &s, k.rel, &k.key, terms, UINT64_MAX, &k.x, &ei),
                         WEIR_E_USAGE);
        assert_null(s);
    }
    assert_int_equal(known, SETS + 1);
    must(weir_hybrid_init(&both, &h, &gpu, &k.x, WEIR_TERM_H, &ei), &ei);
    assert_int_equal(both.begin(&both, &s, k.rel, &k.key, WEIR_TERMS_ALL, UINT64_MAX, &k.x, &ei),
                     WEIR_E_USAGE);
    assert_null(s);
    weir_hybrid_clear(&h);
    assert_int_equal(weir_hybrid_init(&both, &h, &gpu, &k.x, WEIR_TERMS_ALL + 1, &ei),
                     WEIR_E_USAGE);
    weir_hybrid_clear(&h);
    assert_int_equal(fake_device_held(&d), 0);
    fake_device_clear(&d);
    backend_kit_clear(&k);
}

/* ---- every call of the device failing in turn: one error, nothing held, the session right afterwards */

static bool fail_once(const backend_kit *k, uint32_t cpu_terms, uint64_t nth)
{
    fake_device d;
    weir_backend gpu, both;
    weir_hybrid h;
    weir_session *s;
    weir_sums got;
    weir_errinfo ei = {0};
    const weir_exec cpu = {.pool = tk_pool(3), .isa = weir_isa_best()};
    fake_device_init(&d, ROOM, WEIR_GPU_COPY);
    d.fail_at = nth;
    weir_gpu_backend_init(&gpu, &d.driver);
    must(weir_hybrid_init(&both, &h, &gpu, &cpu, cpu_terms, &ei), &ei);
    weir_err err = both.begin(&both, &s, k->rel, &k->key, WEIR_TERMS_ALL, UINT64_MAX, &k->x, &ei);
    bool failed = err != WEIR_OK;
    if (err == WEIR_OK) {
        weir_errinfo again = {0};
        err = both.run(s, &got, k->w, NULL, &k->x, &ei);
        failed = d.calls >= nth; /* what fails at the end, in wiping, is nobody's error */
        if (err != WEIR_OK) must(both.run(s, &got, k->w, NULL, &k->x, &again), &again);
        must(backend_same_sums(k, &got, &again), &again);
        both.end(s);
    }
    assert_int_equal(err, failed ? WEIR_E_DEVICE : WEIR_OK);
    if (failed) assert_non_null(strstr(ei.text, "the device fails"));
    weir_hybrid_clear(&h);
    assert_int_equal(fake_device_held(&d), 0);
    fake_device_clear(&d);
    return failed;
}

static void test_failing_calls(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    backend_case c = random_case(&g, 24);
    backend_kit k;
    weir_errinfo ei = {0};
    c.percent_bits = 50;
    must(backend_kit_init(&k, &c, NULL, &ei), &ei);
    for (uint64_t nth = 1; fail_once(&k, WEIR_TERMS_G2 | WEIR_TERMS_TAILS, nth); nth++) {}
    backend_kit_clear(&k);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),         cmocka_unit_test(test_shares_of_bits),
        cmocka_unit_test(test_plans),         cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_refused_terms), cmocka_unit_test(test_failing_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
