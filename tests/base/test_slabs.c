/* Buffers that are used again: no overlap, no new memory in the steady state, what is held stays near what was in use. */
#include "base/alloc.h"
#include "base/pool.h"
#include "base/slabs.h"
#include "testkit.h"

#include <string.h>

enum { MIB = 1 << 20, BLOCKS = 12 };

static weir_slabs *new_slabs(size_t reserve)
{
    weir_slabs *s;
    weir_errinfo ei = {0};
    assert_int_equal(weir_slabs_new(&s, &(weir_slabs_config){.reserve = reserve}, &ei), WEIR_OK);
    return s;
}

static weir_slabs_stats count(const weir_slabs *s)
{
    weir_slabs_stats t;
    weir_slabs_count(s, &t);
    return t;
}

static void test_small_and_none(void **state)
{
    (void)state;
    weir_slabs *s = new_slabs(0);
    char *a = weir_slab_take(s, 1, 1000), *b = weir_slab_take(NULL, 20, MIB),
         *c = weir_slab_take(s, 0, 8);
    assert_true(a && b && c);
    memset(a, 1, 1000);
    memset(b, 1, 20 * MIB);
    assert_int_equal(count(s).mapped, 0);
    assert_null(weir_slab_take(s, SIZE_MAX / 2, 4));
    assert_null(weir_slab_take(s, SIZE_MAX - 10, 1));
    weir_slab_give(s, a, 1, 1000);
    weir_slab_give(NULL, b, 20, MIB);
    weir_slab_give(s, c, 0, 8);
    weir_slab_give(s, NULL, 20, MIB);
    weir_slabs_free(s);
    weir_slabs_free(NULL);
}

static void test_used_again(void **state)
{
    (void)state;
    weir_slabs *s = new_slabs(0);
    char *first = weir_slab_take(s, 32, MIB);
    weir_slab_give(s, first, 32, MIB);
    for (int i = 0; i < 10; i++) {
        char *p = weir_slab_take(s, 32, MIB);
        assert_ptr_equal(p, first);
        weir_slab_give(s, p, 32, MIB);
    }
    assert_int_equal(count(s).maps, 1);
    /* a larger one takes its place */
    char *large = weir_slab_take(s, 64, MIB);
    assert_int_equal(count(s).mapped, 64 * MIB);
    assert_int_equal(count(s).unmaps, 1);
    weir_slab_give(s, large, 64, MIB);
    assert_int_equal(count(s).used, 0);
    weir_slabs_free(s);
}

static void test_reserve(void **state)
{
    (void)state;
    weir_slabs *s = new_slabs(100 * (size_t)MIB);
    for (int round = 0; round < 3; round++) {
        void *a = weir_slab_take(s, 50, MIB), *b = weir_slab_take(s, 30, MIB),
             *c = weir_slab_take(s, 20, MIB);
        assert_true(a && b && c);
        weir_slab_give(s, round == 1 ? b : a, round == 1 ? 30 : 50, MIB);
        weir_slab_give(s, round == 1 ? a : b, round == 1 ? 50 : 30, MIB);
        void *d = weir_slab_take(s, 80, MIB);
        weir_slab_give(s, c, 20, MIB);
        weir_slab_give(s, d, 80, MIB);
    }
    assert_int_equal(count(s).maps, 1);
    assert_int_equal(count(s).unmaps, 0);
    assert_int_equal(count(s).mapped, 100 * MIB);
    /* what was reserved stays even where something larger is asked for */
    void *large = weir_slab_take(s, 200, MIB);
    assert_int_equal(count(s).mapped, 300 * MIB);
    weir_slab_give(s, large, 200, MIB);
    weir_slabs_free(s);
}

/* Random takes and gives: every block keeps what was written at both its ends. */
static void test_no_overlap(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    weir_slabs *s = new_slabs(0);
    struct {
        char *p;
        size_t bytes;
    } block[BLOCKS] = {{0}};
    uint64_t most = 0;
    for (int step = 0; step < 2000; step++) {
        unsigned i = (unsigned)(tk_u64(&g) % BLOCKS);
        if (block[i].p) {
            assert_int_equal(block[i].p[0], (char)i);
            assert_int_equal(block[i].p[block[i].bytes - 1], (char)i);
            weir_slab_give(s, block[i].p, block[i].bytes, 1);
            block[i].p = NULL;
        } else {
            block[i].bytes = WEIR_SLAB_BYTES + tk_u64(&g) % (48 * (size_t)MIB);
            block[i].p = weir_slab_take(s, block[i].bytes, 1);
            assert_non_null(block[i].p);
            assert_int_equal((uintptr_t)block[i].p % 4096, 0);
            block[i].p[0] = block[i].p[block[i].bytes - 1] = (char)i;
        }
        weir_slabs_stats t = count(s);
        if (t.used > most) most = t.used;
        assert_true(t.used <= t.mapped);
    }
    for (unsigned i = 0; i < BLOCKS; i++) weir_slab_give(s, block[i].p, block[i].bytes, 1);
    assert_int_equal(count(s).used, 0);
    assert_true(count(s).mapped <= 2 * most);
    weir_slabs_free(s);
}

static void test_no_memory(void **state)
{
    (void)state;
    weir_slabs *s;
    weir_errinfo ei = {0};
    const weir_slabs_config c = {.reserve = 32 * (size_t)MIB};
    for (uint64_t nth = 1; nth <= 3; nth++) {
        weir_alloc_fail_nth(nth, 0);
        assert_int_equal(weir_slabs_new(&s, &c, &ei), WEIR_E_NOMEM);
        weir_alloc_fail_nth(0, 0);
        assert_null(s);
    }
    s = new_slabs(0);
    for (uint64_t nth = 1; nth <= 2; nth++) {
        weir_alloc_fail_nth(nth, 0);
        assert_null(weir_slab_take(s, 32, MIB));
        weir_alloc_fail_nth(0, 0);
        assert_int_equal(count(s).used, 0);
    }
    void *p = weir_slab_take(s, 32, MIB);
    assert_non_null(p);
    weir_slab_give(s, p, 32, MIB);
    weir_slabs_free(s);
}

static void take_task(void *ctx, size_t task, unsigned worker)
{
    (void)worker;
    weir_slabs *s = ctx;
    size_t bytes = WEIR_SLAB_BYTES + task % 5 * MIB;
    char *p = weir_slab_take(s, bytes, 1);
    assert_non_null(p);
    p[0] = (char)task;
    p[bytes - 1] = (char)task;
    assert_int_equal(p[0], (char)task);
    weir_slab_give(s, p, bytes, 1);
}

static void test_threads(void **state)
{
    (void)state;
    weir_slabs *s = new_slabs(0);
    weir_pool_run(tk_pool(4), 500, take_task, s);
    assert_int_equal(count(s).used, 0);
    weir_slabs_free(s);
}

/* What is reserved later: one region for all, however small the pieces; a larger one takes its place. */
static void test_reserve_later(void **state)
{
    (void)state;
    weir_errinfo ei = {0};
    weir_slabs *s = new_slabs(0);
    assert_int_equal(weir_slabs_reserve(s, 40 * (size_t)MIB, &ei), WEIR_OK);
    assert_int_equal(weir_slabs_reserve(s, 10 * (size_t)MIB, &ei), WEIR_OK); /* is there */
    assert_int_equal(count(s).mapped, 40 * MIB);
    for (int round = 0; round < 3; round++) {
        void *p[20];
        for (int i = 0; i < 20; i++) assert_non_null(p[i] = weir_slab_take(s, 2, MIB));
        for (int i = 0; i < 20; i++) weir_slab_give(s, p[round == 1 ? 19 - i : i], 2, MIB);
    }
    assert_int_equal(count(s).maps, 1);
    assert_int_equal(weir_slabs_reserve(s, 64 * (size_t)MIB, &ei), WEIR_OK);
    assert_int_equal(count(s).mapped, 64 * MIB);
    weir_slabs_free(s);
    const weir_slabs_config c = {.reclaim = WEIR_RECLAIM_DETACHED};
    assert_int_equal(weir_slabs_new(&s, &c, &ei), WEIR_OK);
    assert_int_equal(weir_slabs_reserve(s, 64 * (size_t)MIB, &ei), WEIR_OK);
    assert_int_equal(count(s).mapped, 0);
    weir_slabs_free(s);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reserve_later),    cmocka_unit_test(test_small_and_none),
        cmocka_unit_test(test_used_again), cmocka_unit_test(test_reserve),
        cmocka_unit_test(test_no_overlap), cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
