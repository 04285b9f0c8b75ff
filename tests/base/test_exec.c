/* Work at the gate: how many credits, which ranges, who is told of waits, cancelled while waiting, closed for others. */
#include "base/exec.h"
#include "testkit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { TASKS = 1000 };

static weir_gate *new_gate(uint32_t credits)
{
    weir_gate *g;
    weir_errinfo ei = {0};
    assert_int_equal(weir_gate_new(&g, credits, true, &ei), WEIR_OK);
    return g;
}

static weir_gate_stats count(weir_gate *g)
{
    weir_gate_stats t;
    weir_gate_count(g, &t);
    return t;
}

typedef struct marks {
    atomic_uint done[TASKS];
    atomic_uint wrong_worker;
    unsigned threads;
} marks;

static void mark_task(void *ctx, size_t task, unsigned worker)
{
    marks *m = ctx;
    atomic_fetch_add(&m->done[task], 1);
    if (worker >= m->threads) atomic_fetch_add(&m->wrong_worker, 1);
}

/* Every task once, with its own number. */
static void run_all(const weir_exec *x, size_t n, size_t tasks)
{
    marks m = {.threads = weir_pool_threads(x->pool)};
    weir_exec_run(x, n, tasks, mark_task, &m);
    for (size_t i = 0; i < TASKS; i++) assert_int_equal(m.done[i], i < n ? 1 : 0);
    assert_int_equal(m.wrong_worker, 0);
}

static void test_no_gate(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads <= 3; threads += 3) {
        weir_exec x = {.pool = threads ? tk_pool(threads) : NULL}, inside;
        uint32_t credits = weir_exec_range_begin(&x);
        assert_int_equal(credits, 0);
        weir_exec_range_end(&x, credits);
        run_all(&x, TASKS, 1);
        weir_exec_gate_close(&x, &inside);
        assert_ptr_equal(inside.pool, x.pool);
        assert_null(inside.gate);
        weir_exec_gate_open(&x);
    }
}

static void test_credits(void **state)
{
    (void)state;
    weir_gate *g = new_gate(5);
    const weir_exec one = {.gate = g}, three = {.pool = tk_pool(3), .gate = g},
                    eight = {.pool = tk_pool(8), .gate = g};
    uint32_t a = weir_exec_range_begin(&one), b = weir_exec_range_begin(&three);
    assert_int_equal(a, 1);
    assert_int_equal(b, 3);
    weir_exec_range_end(&one, a);
    weir_exec_range_end(&three, b);
    a = weir_exec_range_begin(&eight);
    assert_int_equal(a, 5);
    weir_exec_range_end(&eight, a);
    assert_int_equal(count(g).waited, 0);
    weir_gate_free(g);
}

static void test_ranges(void **state)
{
    (void)state;
    static const size_t n[] = {0, 1, 14, 15, 16, 299, TASKS};
    for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
        weir_gate *g = new_gate(4);
        const weir_exec x = {.pool = tk_pool(3), .gate = g}, alone = {.gate = g};
        run_all(&x, n[i], 5);
        assert_int_equal(count(g).entered, (n[i] + 14) / 15);
        run_all(&alone, n[i], 7);
        assert_int_equal(count(g).entered, (n[i] + 14) / 15 + (n[i] + 6) / 7);
        assert_int_equal(weir_gate_enter(g, 4), 4); /* all came back, or this would not return */
        weir_gate_leave(g, 4);
        weir_gate_free(g);
    }
}

/* ---- one that waits at a closed gate */

typedef struct visitor {
    weir_watch watch;
    weir_exec x;
    int cancel;
    uint32_t credits;
    unsigned told;
    uint64_t begin_ns, end_ns;
    pthread_t thread;
} visitor;

static void on_waited(void *ctx, uint64_t begin_ns, uint64_t end_ns)
{
    visitor *v = ctx;
    v->told++;
    v->begin_ns = begin_ns;
    v->end_ns = end_ns;
}

static void *visit(void *ctx)
{
    visitor *v = ctx;
    v->credits = weir_exec_range_begin(&v->x);
    weir_exec_range_end(&v->x, v->credits);
    return NULL;
}

static void start_and_wait(visitor *v, weir_gate *g)
{
    *v = (visitor){.watch = {.ctx = v, .cancel = &v->cancel, .waited = on_waited}};
    v->x = (weir_exec){.gate = g, .watch = &v->watch};
    uint64_t before = count(g).entered;
    assert_int_equal(pthread_create(&v->thread, NULL, visit, v), 0);
    while (count(g).entered == before) usleep(1000);
    usleep(10000);
}

static void test_told_of_waits(void **state)
{
    (void)state;
    weir_gate *g = new_gate(2);
    weir_exec x = {.pool = tk_pool(2), .gate = g}, inside;
    visitor v;
    weir_exec_gate_close(&x, &inside);
    start_and_wait(&v, g);
    run_all(&inside, TASKS, 1); /* who closed it works on */
    assert_int_equal(count(g).closed, 1);
    weir_exec_gate_open(&x);
    pthread_join(v.thread, NULL);
    assert_int_equal(v.credits, 1);
    assert_int_equal(v.told, 1);
    assert_true(v.begin_ns > 0 && v.end_ns - v.begin_ns >= 10000000);
    /* without a wait nobody is told */
    visit(&v);
    assert_int_equal(v.told, 1);
    weir_gate_free(g);
}

static void test_cancelled(void **state)
{
    (void)state;
    weir_gate *g = new_gate(2);
    visitor v;
    weir_gate_close(g);
    start_and_wait(&v, g);
    __atomic_store_n(&v.cancel, 1, __ATOMIC_RELAXED);
    pthread_join(v.thread, NULL);
    assert_int_equal(v.credits, 0);
    assert_int_equal(v.told, 1);
    weir_gate_open(g);
    assert_int_equal(weir_gate_enter(g, 2), 2);
    weir_gate_leave(g, 2);
    weir_gate_free(g);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_gate),   cmocka_unit_test(test_credits),
        cmocka_unit_test(test_ranges),    cmocka_unit_test(test_told_of_waits),
        cmocka_unit_test(test_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
