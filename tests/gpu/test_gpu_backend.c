/* The GPU backend on a device of host memory that runs the kernels' twins: the same sums as the CPU under every plan, memory
 * within its budget, every call of the device failing in turn. */
#include "backend_kit.h"

#include "compute/known_answer.h"

#include <stdlib.h>
#include <string.h>

/* The smallest budget that a case can do with. */
static uint64_t least_budget(const weir_backend *b, const backend_kit *k)
{
    uint64_t lo = 0, hi = (uint64_t)1 << 30;
    weir_need need;
    while (hi - lo > 1) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (b->bytes(b, &need, k->rel, WEIR_TERMS_ALL, mid, &k->x, NULL) == WEIR_OK)
            hi = mid;
        else
            lo = mid;
    }
    return hi;
}

/* All sizes: test_gpu_backend_sizes. */
static void test_some_sizes(void **state)
{
    (void)state;
    static const unsigned rows[] = {1, 2, 3, 4, 5, 8, 9, 31, 64, 65, 127, 129};
    tk_rng g = tk_rng_new();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        backend_case c = random_case(&g, rows[i]);
        fake_compare(&c, UINT64_MAX, (int)tk_below(&g, 3) - 1);
    }
}

static void test_special_scalars(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (int kind = BACKEND_ZERO; kind <= BACKEND_MIXED; kind++)
        for (unsigned bits = 0; bits <= 30; bits += 30) {
            backend_case c = random_case(&g, 120 + tk_below(&g, 20));
            c.dense = (backend_dense)kind;
            c.percent_bits = bits; /* 0: kinds are found on the device */
            fake_compare(&c, UINT64_MAX, kind % 2 ? WEIR_GPU_COPY : WEIR_GPU_WORK);
        }
}

/* The least budget under which this plan is taken; 0: there is none. */
static uint64_t least_of_plan(const weir_gpu_driver *d, const backend_kit *k, weir_gpu_plan plan)
{
    weir_gpu_layout l;
    uint64_t budget = (uint64_t)1 << 30, least = 0;
    while (weir_gpu_layout_make(&l, k->rel, d, WEIR_TERMS_ALL, budget, NULL) == WEIR_OK) {
        assert_true(l.device_bytes <= budget);
        if (l.plan == plan) least = l.device_bytes;
        budget = l.device_bytes - 1;
    }
    return least;
}

/* A plan at its least. */
static void check_plan(const backend_kit *k, weir_gpu_plan plan, int lazy, unsigned runs)
{
    fake_device d;
    weir_backend b;
    weir_gpu_layout l;
    weir_errinfo ei = {0};
    fake_device_init(&d, ROOM, lazy);
    weir_gpu_backend_init(&b, &d.driver);
    uint64_t least = least_of_plan(&d.driver, k, plan);
    assert_true(least > 0);
    assert_int_equal(weir_gpu_layout_make(&l, k->rel, &d.driver, WEIR_TERMS_ALL, least, &ei),
                     WEIR_OK);
    assert_int_equal(l.plan, plan);
    assert_true(l.array[WEIR_GPU_H_L].pieces > 2);
    assert_true(plan != WEIR_GPU_SMALL || l.vector < l.n);
    if (backend_compare(k, &b, least, runs, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    assert_true(d.peak <= least);
    assert_int_equal(fake_device_held(&d), 0);
    fake_device_clear(&d);
}

/* Circuits with bits and circuits without, whose kinds are found on the device; large enough for vectors to be what takes memory. */
static void test_plans(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (int mixed = 0; mixed < 2; mixed++) {
        backend_case c = random_case(&g, 8300 + tk_below(&g, 200));
        backend_kit k;
        weir_errinfo ei = {0};
        c.percent_bits = mixed ? 0 : 90;
        c.dense = mixed ? BACKEND_MIXED : BACKEND_RANDOM;
        if (backend_kit_init(&k, &c, tk_pool(2), &ei) != WEIR_OK) fail_msg("%s", ei.text);
        check_plan(&k, WEIR_GPU_SMALL, WEIR_GPU_WORK, mixed ? 1 : 2);
        for (int lazy = 0; !mixed && lazy < WEIR_GPU_QUEUES; lazy++)
            check_plan(&k, WEIR_GPU_STREAMED, lazy, 1);
        backend_kit_clear(&k);
    }
}

/* A key that is made on the device or through it in pinned memory, also where sums are left to others and where the device has no room
 * for tables. */
static void source_case(tk_rng *g, bool made, uint64_t rows, uint32_t terms, weir_gpu_plan plan,
                        int lazy)
{
    backend_case c = random_case(g, rows);
    backend_kit k;
    fake_device d;
    weir_backend b;
    weir_errinfo ei = {0};
    c.made = made;
    c.arrays = !made;
    c.percent_bits = 60;
    if (backend_kit_init(&k, &c, tk_pool(2), &ei) != WEIR_OK) fail_msg("%s", ei.text);
    fake_device_init(&d, ROOM, lazy);
    weir_gpu_backend_init(&b, &d.driver);
    uint64_t budget = plan == WEIR_GPU_RESIDENT ? UINT64_MAX : least_of_plan(&d.driver, &k, plan);
    assert_true(budget > 0);
    if (backend_compare_terms(&k, &b, terms, budget, 2, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    assert_true(d.peak <= budget);
    assert_int_equal(fake_device_held(&d), 0);
    fake_device_clear(&d);
    backend_kit_clear(&k);
}

static void test_made(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    source_case(&g, true, 1, WEIR_TERMS_ALL, WEIR_GPU_RESIDENT, -1);
    source_case(&g, true, 40, WEIR_TERMS_ALL, WEIR_GPU_RESIDENT, WEIR_GPU_COPY);
    source_case(&g, true, 700, WEIR_TERMS_ALL, WEIR_GPU_RESIDENT, WEIR_GPU_WORK);
    source_case(&g, true, 100, WEIR_TERMS_ALL & ~WEIR_TERMS_G2, WEIR_GPU_RESIDENT, WEIR_GPU_WORK);
    source_case(&g, true, 100, WEIR_TERMS_ALL & ~WEIR_TERMS_TAILS, WEIR_GPU_RESIDENT, -1);
    source_case(&g, true, 1100, WEIR_TERMS_ALL, WEIR_GPU_STREAMED, WEIR_GPU_COPY);
}

/* A key that is kept as arrays. */
static void test_arrays(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    source_case(&g, false, 1, WEIR_TERMS_ALL, WEIR_GPU_RESIDENT, -1);
    source_case(&g, false, 300, WEIR_TERMS_ALL, WEIR_GPU_RESIDENT, WEIR_GPU_COPY);
    source_case(&g, false, 100, WEIR_TERMS_ALL & ~WEIR_TERMS_G2, WEIR_GPU_RESIDENT, WEIR_GPU_WORK);
    source_case(&g, false, 100, WEIR_TERMS_ALL & ~WEIR_TERMS_TAILS, WEIR_GPU_RESIDENT, -1);
    source_case(&g, false, 1100, WEIR_TERMS_ALL, WEIR_GPU_STREAMED, WEIR_GPU_COPY);
}

static void test_budget(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    backend_case c = random_case(&g, 700);
    backend_kit k;
    fake_device d;
    weir_backend b;
    weir_session *s;
    weir_need need;
    weir_errinfo ei = {0};
    if (backend_kit_init(&k, &c, NULL, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    fake_device_init(&d, ROOM, -1);
    weir_gpu_backend_init(&b, &d.driver);
    assert_string_equal(b.name, "gpu");
    assert_int_equal(b.bytes(&b, &need, k.rel, WEIR_TERMS_ALL, UINT64_MAX, &k.x, &ei), WEIR_OK);
    assert_string_equal(need.plan, "resident");
    assert_int_equal(b.can(&b, k.rel, &k.key, WEIR_TERMS_ALL, need.device_bytes, &k.x, &ei),
                     WEIR_OK);
    uint64_t resident = need.device_bytes;
    assert_int_equal(b.bytes(&b, &need, k.rel, WEIR_TERMS_ALL, resident - 1, &k.x, &ei), WEIR_OK);
    assert_string_equal(need.plan, "streamed");
    assert_true(need.device_bytes < resident && need.pinned_bytes > 0);
    uint64_t least = least_budget(&b, &k);
    assert_int_equal(b.can(&b, k.rel, &k.key, WEIR_TERMS_ALL, least - 1, &k.x, &ei), WEIR_E_NOMEM);
    assert_non_null(strstr(ei.text, "budget"));
    assert_int_equal(b.begin(&b, &s, k.rel, &k.key, WEIR_TERMS_ALL, least - 1, &k.x, &ei),
                     WEIR_E_NOMEM);
    assert_null(s);
    weir_key_points other = k.key;
    other.count[WEIR_KEY_A]++;
    assert_int_equal(b.can(&b, k.rel, &other, WEIR_TERMS_ALL, UINT64_MAX, &k.x, &ei),
                     WEIR_E_MISMATCH);
    assert_int_equal(b.begin(&b, &s, k.rel, &other, WEIR_TERMS_ALL, UINT64_MAX, &k.x, &ei),
                     WEIR_E_MISMATCH);
    /* what is free counts, not what the device has */
    d.memory = WEIR_GPU_MARGIN_BYTES + resident - 1;
    assert_int_equal(b.bytes(&b, &need, k.rel, WEIR_TERMS_ALL, UINT64_MAX, &k.x, &ei), WEIR_OK);
    assert_string_equal(need.plan, "streamed");
    d.memory = WEIR_GPU_MARGIN_BYTES / 2;
    assert_int_equal(b.bytes(&b, &need, k.rel, WEIR_TERMS_ALL, UINT64_MAX, &k.x, &ei),
                     WEIR_E_NOMEM);
    b.end(NULL);
    fake_device_clear(&d);
    backend_kit_clear(&k);
}

/* Every call in turn fails: an error with its text, nothing held, and where the session began the next run is right. */
static void fail_each(const backend_kit *k, uint64_t budget, weir_err with)
{
    fake_device d;
    weir_backend b;
    weir_errinfo ei;
    for (uint64_t nth = 1;; nth++) {
        weir_session *s;
        weir_sums got;
        fake_device_init(&d, ROOM, WEIR_GPU_COPY);
        weir_gpu_backend_init(&b, &d.driver);
        d.fail_with = with;
        d.fail_at = nth;
        ei.text[0] = '\0';
        weir_err err = b.begin(&b, &s, k->rel, &k->key, WEIR_TERMS_ALL, budget, &k->x, &ei);
        bool failed = err != WEIR_OK;
        if (err == WEIR_OK) {
            err = b.run(s, &got, k->w, NULL, &k->x, &ei);
            failed = d.calls >= nth; /* what fails at the end, in wiping, is nobody's error */
            if (failed && err != WEIR_OK) {
                weir_errinfo again;
                if (b.run(s, &got, k->w, NULL, &k->x, &again) != WEIR_OK)
                    fail_msg("%s", again.text);
            }
            if (backend_same_sums(k, &got, &ei) != WEIR_OK) fail_msg("%s", ei.text);
            b.end(s);
        }
        assert_int_equal(err, failed ? with : WEIR_OK);
        if (failed) assert_non_null(strstr(ei.text, "the device fails"));
        assert_int_equal(fake_device_held(&d), 0);
        fake_device_clear(&d);
        if (!failed) break;
    }
}

/* The same for loading alone. */
static void fail_begin(const backend_kit *k)
{
    weir_err err = WEIR_E_DEVICE;
    for (uint64_t nth = 1; err != WEIR_OK; nth++) {
        fake_device d;
        weir_backend b;
        weir_session *s;
        weir_errinfo ei = {0};
        fake_device_init(&d, ROOM, WEIR_GPU_WORK);
        weir_gpu_backend_init(&b, &d.driver);
        d.fail_at = nth;
        err = b.begin(&b, &s, k->rel, &k->key, WEIR_TERMS_ALL, UINT64_MAX, &k->x, &ei);
        assert_true(err == WEIR_OK || err == WEIR_E_DEVICE);
        if (err == WEIR_OK) b.end(s);
        assert_int_equal(fake_device_held(&d), 0);
        fake_device_clear(&d);
    }
}

static void test_failing_calls(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    backend_case c = random_case(&g, 24);
    backend_kit k;
    weir_errinfo ei = {0};
    c.percent_bits = 50;
    if (backend_kit_init(&k, &c, NULL, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    fail_each(&k, UINT64_MAX, WEIR_E_DEVICE);
    backend_kit_clear(&k);
    c = random_case(&g, 30);
    c.made = true;
    if (backend_kit_init(&k, &c, tk_pool(2), &ei) != WEIR_OK) fail_msg("%s", ei.text);
    fail_begin(&k);
    backend_kit_clear(&k);
}

/* Memory that is not given: the figure, or a smaller plan and the same sums. */
static void test_no_memory(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    backend_case c = random_case(&g, 4200);
    backend_kit k;
    c.percent_bits = 80;
    weir_errinfo ei = {0};
    if (backend_kit_init(&k, &c, NULL, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    for (uint64_t nth = 1; nth <= 6; nth++) {
        fake_device d;
        weir_backend b;
        weir_session *s;
        weir_sums got;
        fake_device_init(&d, ROOM, -1);
        weir_gpu_backend_init(&b, &d.driver);
        d.fail_with = WEIR_E_NOMEM;
        d.fail_at = nth;
        weir_err err = b.begin(&b, &s, k.rel, &k.key, WEIR_TERMS_ALL, UINT64_MAX, &k.x, &ei);
        if (nth == 2) { /* the block on the device */
            assert_int_equal(err, WEIR_OK);
            assert_int_equal(b.run(s, &got, k.w, NULL, &k.x, &ei), WEIR_OK);
            if (backend_same_sums(&k, &got, &ei) != WEIR_OK) fail_msg("%s", ei.text);
            b.end(s);
        } else {
            assert_int_equal(err, WEIR_E_NOMEM);
            assert_null(s);
        }
        if (nth == 3) assert_non_null(strstr(ei.text, "bytes of pinned host memory"));
        assert_int_equal(fake_device_held(&d), 0);
        fake_device_clear(&d);
    }
    backend_kit_clear(&k);
}

/* A key whose reader fails, a witness of another circuit, a wish to stop. */
static weir_err bad_read(void *ctx, weir_key_section section, uint64_t first, size_t n,
                         weir_g2_affine *out, weir_isa isa, weir_errinfo *ei)
{
    (void)ctx, (void)section, (void)first, (void)n, (void)out, (void)isa;
    return weir_fail(ei, WEIR_E_NOT_ON_CURVE, "a bad point");
}

static void count_transfer(void *ctx, uint64_t begin_ns, uint64_t end_ns)
{
    assert_true(begin_ns > 0 && begin_ns <= end_ns);
    ++*(unsigned *)ctx;
}

static void test_refusals(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    backend_case c = random_case(&g, 40), other_case = random_case(&g, 41);
    backend_kit k, other;
    fake_device d;
    weir_backend b;
    weir_session *s;
    weir_sums got;
    weir_errinfo ei = {0};
    volatile int cancel = 1;
    unsigned transfers = 0;
    const weir_watch watch = {.cancel = &cancel},
                     counts = {.ctx = &transfers, .transferred = count_transfer};
    c.percent_bits = 50;
    if (backend_kit_init(&k, &c, NULL, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    if (backend_kit_init(&other, &other_case, NULL, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    fake_device_init(&d, ROOM, -1);
    weir_gpu_backend_init(&b, &d.driver);
    weir_key_points bad = k.key;
    bad.read_g2 = bad_read;
    if (k.key.count[WEIR_KEY_B_G2] > 0)
        assert_int_equal(b.begin(&b, &s, k.rel, &bad, WEIR_TERMS_ALL, UINT64_MAX, &k.x, &ei),
                         WEIR_E_NOT_ON_CURVE);
    weir_exec stopped = k.x;
    stopped.watch = &watch;
    assert_int_equal(b.begin(&b, &s, k.rel, &k.key, WEIR_TERMS_ALL, UINT64_MAX, &stopped, &ei),
                     WEIR_E_CANCELLED);
    assert_int_equal(fake_device_held(&d), 0);
    assert_int_equal(b.begin(&b, &s, k.rel, &k.key, WEIR_TERMS_ALL, UINT64_MAX, &k.x, &ei),
                     WEIR_OK);
    assert_int_equal(b.run(s, &got, other.w, NULL, &k.x, &ei), WEIR_E_MISMATCH);
    assert_int_equal(b.run(s, &got, k.w, NULL, &stopped, &ei), WEIR_E_CANCELLED);
    weir_exec watched = k.x;
    watched.watch = &counts;
    assert_int_equal(b.run(s, &got, k.w, NULL, &watched, &ei), WEIR_OK);
    assert_int_equal(transfers, 1); /* the witness goes up */
    if (backend_same_sums(&k, &got, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    b.end(s);
    assert_int_equal(fake_device_held(&d), 0);
    fake_device_clear(&d);
    backend_kit_clear(&k);
    backend_kit_clear(&other);
}

/* ---- the known-answer test: a sound device passes; one wrong bit in what comes back is found and named */

static weir_err flipped_download(void *ctx, int queue, void *host, const void *from, uint64_t bytes,
                                 weir_errinfo *ei)
{
    fake_device *d = ctx;
    unsigned char *p = (unsigned char *)(uintptr_t)from;
    p[d->calls % bytes] ^= 1;
    weir_err err = d->download(ctx, queue, host, from, bytes, ei);
    p[d->calls % bytes] ^= 1;
    return err;
}

static void test_known_answer(void **state)
{
    (void)state;
    fake_device d;
    weir_backend b;
    weir_errinfo ei = {0};
    const weir_exec x = {.pool = tk_pool(2), .isa = weir_isa_best()};
    fake_device_init(&d, ROOM, -1);
    weir_gpu_backend_init(&b, &d.driver);
    if (weir_backend_known_answer(&b, &x, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    d.download = d.driver.download;
    d.driver.download = flipped_download;
    assert_int_equal(weir_backend_known_answer(&b, &x, &ei), WEIR_E_DEVICE);
    assert_non_null(strstr(ei.text, "known-answer test: the sum"));
    assert_int_equal(fake_device_held(&d), 0);
    fake_device_clear(&d);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_some_sizes),    cmocka_unit_test(test_special_scalars),
        cmocka_unit_test(test_made),          cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_plans),         cmocka_unit_test(test_budget),
        cmocka_unit_test(test_failing_calls), cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_refusals),      cmocka_unit_test(test_known_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
