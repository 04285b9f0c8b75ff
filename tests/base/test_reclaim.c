/* Buffers that are unmapped when they are given back: contents, counters, the limit, the gate, and threads that do not start. */
#include "base/alloc.h"
#include "base/pool.h"
#include "base/slabs.h"
#include "testkit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { MIB = 1 << 20 };

static const weir_reclaim modes[2] = {WEIR_RECLAIM_SERIAL, WEIR_RECLAIM_DETACHED};

static weir_slabs *new_slabs(weir_slabs_config c)
{
    weir_slabs *s;
    weir_errinfo ei = {0};
    assert_int_equal(weir_slabs_new(&s, &c, &ei), WEIR_OK);
    return s;
}

static weir_slabs_stats count(const weir_slabs *s)
{
    weir_slabs_stats t;
    weir_slabs_count(s, &t);
    return t;
}

static void until_reclaimed(const weir_slabs *s, uint64_t blocks)
{
    while (count(s).reclaimed < blocks) usleep(1000);
}

static void test_counters(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        weir_slabs *s = new_slabs((weir_slabs_config){.reclaim = modes[m]});
        char *a = weir_slab_take(s, 32, MIB), *b = weir_slab_take(s, 20, MIB),
             *small = weir_slab_take(s, 1, 1000);
        assert_true(a && b && small);
        assert_int_equal(a[0] | a[32 * MIB - 1], 0);
        memset(a, 1, 32 * MIB);
        memset(b, 2, 20 * MIB);
        assert_int_equal(count(s).mapped, 52 * MIB);
        assert_int_equal(count(s).used, 52 * MIB);
        assert_int_equal(count(s).maps, 2);
        weir_slab_give(s, a, 32, MIB);
        assert_int_equal(count(s).used, 20 * MIB);
        until_reclaimed(s, 1);
        assert_int_equal(count(s).mapped, 20 * MIB);
        assert_int_equal(count(s).queued_most, 1);
        assert_int_equal(b[0], 2);
        assert_int_equal(b[20 * MIB - 1], 2);
        weir_slab_give(s, b, 20, MIB);
        weir_slab_give(s, small, 1, 1000);
        weir_slab_give(s, NULL, 32, MIB);
        until_reclaimed(s, 2);
        weir_slabs_stats t = count(s);
        assert_int_equal(t.mapped, 0);
        assert_int_equal(t.used, 0);
        assert_int_equal(t.unmaps, 2);
        assert_int_equal(t.threads, modes[m] == WEIR_RECLAIM_SERIAL ? 1 : 2);
        weir_slabs_free(s);
    }
}

/* ---- many threads: every block keeps what was written at its ends */

static void take_task(void *ctx, size_t task, unsigned worker)
{
    (void)worker;
    weir_slabs *s = ctx;
    size_t bytes = 16 * (size_t)MIB + task % 5 * MIB;
    char *p = weir_slab_take(s, bytes, 1);
    assert_non_null(p);
    p[0] = p[bytes - 1] = (char)(task | 1);
    usleep(100);
    assert_int_equal(p[0], (char)(task | 1));
    assert_int_equal(p[bytes - 1], (char)(task | 1));
    weir_slab_give(s, p, bytes, 1);
}

static void test_threads(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++)
        for (uint64_t limit = 0; limit <= 40; limit += 40) {
            weir_slabs *s =
                new_slabs((weir_slabs_config){.reclaim = modes[m], .waiting_max = limit * MIB});
            weir_pool_run(tk_pool(4), 60, take_task, s);
            assert_int_equal(count(s).used, 0);
            until_reclaimed(s, 60);
            assert_int_equal(count(s).mapped, 0);
            assert_true(count(s).queued_most >= 1);
            if (limit) assert_true(count(s).queued_most <= 2); /* two of 16 MiB, or of 20 */
            weir_slabs_free(s);
        }
}

/* All that was given back is unmapped when free returns, however much it was. */
static void test_free_waits(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        void *p[16];
        weir_slabs *s = new_slabs((weir_slabs_config){.reclaim = modes[m]});
        for (int i = 0; i < 16; i++) {
            p[i] = weir_slab_take(s, 16, MIB);
            memset(p[i], i, 16 * MIB);
        }
        for (int i = 0; i < 16; i++) weir_slab_give(s, p[i], 16, MIB);
        weir_slabs_free(s);
    }
}

/* ---- the gate */

static weir_gate *closed_gate(void)
{
    weir_gate *g;
    weir_errinfo ei = {0};
    assert_int_equal(weir_gate_new(&g, 1, true, &ei), WEIR_OK);
    weir_gate_close(g);
    return g;
}

static uint64_t asked(weir_gate *g)
{
    weir_gate_stats t;
    weir_gate_count(g, &t);
    return t.entered;
}

static void give_blocks(weir_slabs *s, unsigned n)
{
    for (unsigned i = 0; i < n; i++) weir_slab_give(s, weir_slab_take(s, 16, MIB), 16, MIB);
}

static void test_waits_at_gate(void **state)
{
    (void)state;
    weir_gate *g = closed_gate();
    weir_slabs *s = new_slabs((weir_slabs_config){.reclaim = WEIR_RECLAIM_SERIAL, .gate = g});
    give_blocks(s, 3);
    while (asked(g) == 0) usleep(1000);
    usleep(20000);
    assert_int_equal(count(s).reclaimed, 0);
    assert_int_equal(count(s).mapped, 48 * MIB);
    assert_int_equal(count(s).queued_most, 3);
    weir_gate_open(g);
    until_reclaimed(s, 3);
    assert_int_equal(count(s).mapped, 0);
    assert_int_equal(asked(g), 3);
    assert_int_equal(weir_gate_enter(g, 1), 1); /* all came back */
    weir_gate_leave(g, 1);
    weir_slabs_free(s);
    weir_gate_free(g);
}

/* Who closed the gate gives blocks back beyond the limit, and ends the slabs: nobody is left to open it. */
static void test_stronger_than_gate(void **state)
{
    (void)state;
    weir_gate *g = closed_gate();
    weir_slabs *s = new_slabs(
        (weir_slabs_config){.reclaim = WEIR_RECLAIM_SERIAL, .gate = g, .waiting_max = 33 * MIB});
    give_blocks(s, 6);
    assert_true(count(s).reclaimed >= 4);
    assert_int_equal(count(s).queued_most, 2);
    void *large = weir_slab_take(s, 64, MIB); /* goes alone */
    weir_slab_give(s, large, 64, MIB);
    assert_true(count(s).reclaimed >= 6);
    weir_slabs_free(s);
    weir_gate_open(g);
    weir_gate_free(g);
}

/* ---- what fails */

/* New threads get this stack; 0: as before. No machine has room for a stack of 2^46 bytes. */
static void set_stack(size_t bytes)
{
    static size_t before;
    pthread_attr_t attr;
    assert_int_equal(pthread_getattr_default_np(&attr), 0);
    if (!before) pthread_attr_getstacksize(&attr, &before);
    assert_int_equal(pthread_attr_setstacksize(&attr, bytes ? bytes : before), 0);
    assert_int_equal(pthread_setattr_default_np(&attr), 0);
    pthread_attr_destroy(&attr);
}

static void test_no_thread(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        set_stack((size_t)1 << 46);
        weir_slabs *s = new_slabs((weir_slabs_config){.reclaim = modes[m], .waiting_max = 1});
        give_blocks(s, 2);
        weir_slabs_stats t = count(s);
        set_stack(0);
        assert_int_equal(t.threads, 0);
        assert_int_equal(t.mapped, 0);
        assert_int_equal(t.unmaps, 2);
        assert_int_equal(t.reclaimed, 0);
        weir_slabs_free(s);
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        const weir_slabs_config c = {.reclaim = modes[m]};
        weir_slabs *s;
        for (uint64_t nth = 1; nth <= 2; nth++) {
            weir_alloc_fail_nth(nth, 0);
            assert_int_equal(weir_slabs_new(&s, &c, NULL), WEIR_E_NOMEM);
            weir_alloc_fail_nth(0, 0);
            assert_null(s);
        }
        s = new_slabs(c);
        weir_alloc_fail_nth(1, 0);
        assert_null(weir_slab_take(s, 32, MIB));
        weir_alloc_fail_nth(0, 0);
        assert_int_equal(count(s).maps, 0);
        void *p = weir_slab_take(s, 32, MIB);
        weir_alloc_fail_nth(1, 1);
        weir_slab_give(s, p, 32, MIB); /* giving takes none */
        weir_alloc_fail_nth(0, 0);
        weir_slabs_free(s);
    }
}

static void test_usage(void **state)
{
    (void)state;
    weir_gate *g = closed_gate();
    const weir_slabs_config bad[] = {
        {.reclaim = (weir_reclaim)3},
        {.reclaim = WEIR_RECLAIM_SERIAL, .reserve = MIB},
        {.reclaim = WEIR_RECLAIM_DETACHED, .reserve = MIB},
        {.reclaim = WEIR_RECLAIM_POOL, .waiting_max = MIB},
        {.reclaim = WEIR_RECLAIM_POOL, .gate = g},
        {.reclaim = WEIR_RECLAIM_DETACHED, .gate = g},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        weir_slabs *s;
        weir_errinfo ei = {0};
        assert_int_equal(weir_slabs_new(&s, &bad[i], &ei), WEIR_E_USAGE);
        assert_null(s);
        assert_true(strlen(ei.text) > 20);
    }
    weir_gate_open(g);
    weir_gate_free(g);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counters),           cmocka_unit_test(test_threads),
        cmocka_unit_test(test_free_waits),         cmocka_unit_test(test_waits_at_gate),
        cmocka_unit_test(test_stronger_than_gate), cmocka_unit_test(test_no_thread),
        cmocka_unit_test(test_no_memory),          cmocka_unit_test(test_usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
