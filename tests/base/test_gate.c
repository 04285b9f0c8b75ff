/* The bandwidth gate: never more credits than there are, in order, closed and open, giving up, off. */
#include "base/clock.h"
#include "base/gate.h"
#include "base/pool.h"
#include "testkit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { CREDITS = 5 };

static weir_gate *new_gate(uint32_t credits, bool on)
{
    weir_gate *g;
    weir_errinfo ei = {0};
    assert_int_equal(weir_gate_new(&g, credits, on, &ei), WEIR_OK);
    return g;
}

typedef struct crowd {
    weir_gate *g;
    atomic_uint inside, over;
} crowd;

static void enter_task(void *ctx, size_t task, unsigned worker)
{
    crowd *c = ctx;
    (void)worker;
    uint32_t n = weir_gate_enter(c->g, 1 + task % 7); /* 6 and 7 are taken for all 5 */
    if (atomic_fetch_add(&c->inside, n) + n > CREDITS) atomic_fetch_add(&c->over, 1);
    atomic_fetch_sub(&c->inside, n);
    weir_gate_leave(c->g, n);
}

static void test_credits(void **state)
{
    (void)state;
    crowd c = {.g = new_gate(CREDITS, true)};
    weir_gate_stats t;
    weir_pool_run(tk_pool(4), 20000, enter_task, &c);
    weir_gate_count(c.g, &t);
    assert_int_equal(c.over, 0);
    assert_int_equal(c.inside, 0);
    assert_int_equal(t.entered, 20000);
    assert_int_equal(weir_gate_enter(c.g, 100), CREDITS);
    weir_gate_leave(c.g, CREDITS);
    weir_gate_free(c.g);
    weir_gate_free(NULL);
}

/* ---- one thread that waits */

typedef struct waiter {
    weir_gate *g;
    uint32_t n;
    atomic_int in;
    pthread_t thread;
} waiter;

static void *wait_inside(void *ctx)
{
    waiter *w = ctx;
    w->n = weir_gate_enter(w->g, w->n);
    w->in = 1;
    return NULL;
}

static void start(waiter *w, weir_gate *g, uint32_t n)
{
    w->g = g;
    w->n = n;
    w->in = 0;
    assert_int_equal(pthread_create(&w->thread, NULL, wait_inside, w), 0);
}

/* Until the gate has been asked so many times. */
static void until_asked(weir_gate *g, uint64_t entered)
{
    weir_gate_stats t;
    do {
        usleep(1000);
        weir_gate_count(g, &t);
    } while (t.entered < entered);
    usleep(10000);
}

static void test_order(void **state)
{
    (void)state;
    weir_gate *g = new_gate(CREDITS, true);
    waiter all, one;
    assert_int_equal(weir_gate_enter(g, 3), 3);
    start(&all, g, CREDITS);
    until_asked(g, 2);
    start(&one, g, 1); /* two are free, but it came later */
    until_asked(g, 3);
    assert_false(all.in || one.in);
    weir_gate_leave(g, 3);
    pthread_join(all.thread, NULL);
    usleep(10000);
    assert_true(all.in && !one.in);
    weir_gate_leave(g, all.n);
    pthread_join(one.thread, NULL);
    weir_gate_leave(g, one.n);
    weir_gate_stats t;
    weir_gate_count(g, &t);
    assert_int_equal(t.waited, 2);
    assert_true(t.waited_ns > 0);
    weir_gate_free(g);
}

static void test_closed(void **state)
{
    (void)state;
    weir_gate *g = new_gate(CREDITS, true);
    waiter w;
    assert_int_equal(weir_gate_enter(g, 2), 2);
    weir_gate_close(g);
    weir_gate_close(g);
    weir_gate_leave(g, 2); /* who is inside may end */
    start(&w, g, 1);
    until_asked(g, 2);
    weir_gate_open(g);
    usleep(10000);
    assert_false(w.in); /* somebody else still holds it closed */
    weir_gate_open(g);
    pthread_join(w.thread, NULL);
    assert_true(w.in);
    weir_gate_leave(g, 1);
    weir_gate_stats t;
    weir_gate_count(g, &t);
    assert_int_equal(t.closed, 2);
    assert_true(t.closed_ns >= 10000000);
    weir_gate_free(g);
}

/* ---- giving up */

typedef struct quitter {
    weir_gate *g;
    int cancel;
    uint32_t n;
    weir_gate_wait wait;
    pthread_t thread;
} quitter;

static void *wait_or_quit(void *ctx)
{
    quitter *q = ctx;
    q->n = weir_gate_enter_unless(q->g, 2, &q->cancel, &q->wait);
    return NULL;
}

/* The one in the middle leaves; those around it keep their places. */
static void test_gives_up(void **state)
{
    (void)state;
    weir_gate *g = new_gate(CREDITS, true);
    waiter first, last;
    quitter q = {.g = g};
    weir_gate_close(g);
    start(&first, g, CREDITS);
    until_asked(g, 1);
    assert_int_equal(pthread_create(&q.thread, NULL, wait_or_quit, &q), 0);
    until_asked(g, 2);
    start(&last, g, CREDITS);
    until_asked(g, 3);
    __atomic_store_n(&q.cancel, 1, __ATOMIC_RELAXED);
    pthread_join(q.thread, NULL);
    assert_int_equal(q.n, 0);
    assert_true(q.wait.end_ns > q.wait.begin_ns && q.wait.begin_ns > 0);
    weir_gate_leave(g, 0);
    weir_gate_open(g);
    pthread_join(first.thread, NULL);
    usleep(10000);
    assert_false(last.in);
    weir_gate_leave(g, first.n);
    pthread_join(last.thread, NULL);
    weir_gate_leave(g, last.n);
    /* who need not wait gets in even so */
    assert_int_equal(weir_gate_enter_unless(g, 2, &q.cancel, &q.wait), 2);
    assert_int_equal(q.wait.begin_ns, 0);
    assert_int_equal(q.wait.end_ns, 0);
    weir_gate_leave(g, 2);
    weir_gate_free(g);
}

static void test_off(void **state)
{
    (void)state;
    weir_gate *g = new_gate(CREDITS, false);
    weir_gate_stats t;
    weir_gate_close(g);
    for (int i = 0; i < 10; i++) assert_int_equal(weir_gate_enter(g, 4), 4);
    for (int i = 0; i < 10; i++) weir_gate_leave(g, 4);
    weir_gate_open(g);
    weir_gate_count(g, &t);
    assert_int_equal(t.entered, 10);
    assert_int_equal(t.waited, 0);
    weir_gate_free(g);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_credits), cmocka_unit_test(test_order),
        cmocka_unit_test(test_closed),  cmocka_unit_test(test_gives_up),
        cmocka_unit_test(test_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
