/* The thread pool: every task once, results visible, reuse, 1 to 8 threads, placement, refusal of what cannot be. */
#include "base/alloc.h"
#include "base/pool.h"
#include "testkit.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct job {
    unsigned *hits;       /* plain memory, one a task: the caller must see it afterwards */
    atomic_uint *workers; /* tasks of each worker */
    atomic_uint bad_worker;
    unsigned threads;
    unsigned spin; /* uneven work: task i turns i % spin times */
} job;

static void count_task(void *ctx, size_t task, unsigned worker)
{
    job *j = ctx;
    volatile unsigned turns = 0;
    for (unsigned i = 0; j->spin && i < 50 * (task % j->spin); i++) turns = turns + 1;
    j->hits[task]++;
    if (worker >= j->threads)
        atomic_fetch_add(&j->bad_worker, 1);
    else
        atomic_fetch_add(&j->workers[worker], 1);
}

static void check_loop(weir_pool *pool, size_t n, unsigned spin)
{
    unsigned hits[1000] = {0};
    atomic_uint workers[64] = {0};
    job j = {.hits = hits, .workers = workers, .threads = weir_pool_threads(pool), .spin = spin};
    weir_pool_run(pool, n, count_task, &j);
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++) assert_int_equal(hits[i], 1);
    for (size_t i = n; i < 1000; i++) assert_int_equal(hits[i], 0);
    for (size_t i = 0; i < 64; i++) sum += workers[i];
    assert_int_equal(sum, n);
    assert_int_equal(j.bad_worker, 0);
}

static void test_every_task_once(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 8; threads++) {
        weir_pool *pool;
        weir_errinfo ei = {0};
        assert_int_equal(weir_pool_new(&pool, threads, &ei), WEIR_OK);
        assert_int_equal(weir_pool_threads(pool), threads);
        for (size_t n = 0; n < 20; n++) check_loop(pool, n, 0);
        for (int round = 0; round < 50; round++) check_loop(pool, 1000, round % 2 ? 40 : 0);
        weir_pool_free(pool);
    }
}

static void test_no_pool(void **state)
{
    (void)state;
    assert_int_equal(weir_pool_threads(NULL), 1);
    check_loop(NULL, 0, 0);
    check_loop(NULL, 1, 0);
    check_loop(NULL, 777, 0);
    weir_pool_free(NULL);
}

static void order_task(void *ctx, size_t task, unsigned worker)
{
    size_t *next = ctx;
    assert_int_equal(worker, 0);
    assert_int_equal(task, *next);
    (*next)++;
}

static void test_one_thread_keeps_order(void **state)
{
    (void)state;
    size_t next = 0;
    weir_pool_run(NULL, 100, order_task, &next);
    assert_int_equal(next, 100);
    next = 0;
    weir_pool_run(tk_pool(1), 100, order_task, &next);
    assert_int_equal(next, 100);
}

/* Each loop reads what the loop before wrote, in another order. */
typedef struct chain {
    uint64_t *from, *to;
    size_t n;
} chain;

static void chain_task(void *ctx, size_t task, unsigned worker)
{
    (void)worker;
    chain *c = ctx;
    c->to[task] = c->from[(task * 7 + 3) % c->n] + task;
}

static void test_results_visible(void **state)
{
    (void)state;
    enum { N = 500, LOOPS = 300 };
    static uint64_t want[2][N], got[2][N];
    memset(want, 0, sizeof want);
    memset(got, 0, sizeof got);
    for (int l = 0; l < LOOPS; l++) {
        chain w = {want[l % 2], want[1 - l % 2], N}, g = {got[l % 2], got[1 - l % 2], N};
        for (size_t i = 0; i < N; i++) chain_task(&w, i, 0);
        weir_pool_run(tk_pool(4), N, chain_task, &g);
    }
    assert_memory_equal(want, got, sizeof want);
}

/* All threads must be inside the loop at once, or this never ends. */
static void meet_task(void *ctx, size_t task, unsigned worker)
{
    (void)task;
    (void)worker;
    atomic_uint *here = ctx;
    atomic_fetch_add(here, 1);
    while (atomic_load(here) < 4) continue;
}

static void test_threads_work_together(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        atomic_uint here = 0;
        weir_pool_run(tk_pool(4), 4, meet_task, &here);
        assert_int_equal(here, 4);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    weir_pool *pool = (weir_pool *)1;
    weir_errinfo ei = {0};
    assert_int_equal(weir_pool_new(&pool, WEIR_POOL_MAX_THREADS + 1, &ei), WEIR_E_USAGE);
    assert_null(pool);
    assert_non_null(strstr(ei.text, "4097"));
    for (uint64_t nth = 1; nth <= 2; nth++) {
        pool = (weir_pool *)1;
        weir_alloc_fail_nth(nth, 0);
        assert_int_equal(weir_pool_new(&pool, 3, &ei), WEIR_E_NOMEM);
        assert_null(pool);
        assert_int_equal(ei.code, WEIR_E_NOMEM);
    }
    weir_alloc_fail_nth(3, 0);
    assert_int_equal(weir_pool_new(&pool, 3, &ei), WEIR_OK);
    weir_alloc_fail_nth(0, 0);
    weir_pool_free(pool);
    /* 0: as many as there are processors for this process */
    assert_int_equal(weir_pool_new(&pool, 0, &ei), WEIR_OK);
    assert_true(weir_pool_threads(pool) >= 1);
    check_loop(pool, 100, 0);
    weir_pool_free(pool);
}

/* Where each worker was allowed to run, and what it is called. */
typedef struct where {
    cpu_set_t set[4];
    char name[4][16];
    atomic_uint here;
} where;

static void where_task(void *ctx, size_t task, unsigned worker)
{
    (void)task;
    where *w = ctx;
    assert_int_equal(sched_getaffinity(0, sizeof w->set[worker], &w->set[worker]), 0);
    pthread_getname_np(pthread_self(), w->name[worker], sizeof w->name[worker]);
    atomic_fetch_add(&w->here, 1);
    while (atomic_load(&w->here) < 4) continue; /* all four take one task */
}

static void check_where(where *w, weir_pool *pool, const cpu_set_t *want, const char *name)
{
    cpu_set_t mine;
    assert_int_equal(sched_getaffinity(0, sizeof mine, &mine), 0);
    memset(w, 0, sizeof *w);
    weir_pool_run(pool, 4, where_task, w);
    assert_true(CPU_EQUAL(&w->set[0], &mine));
    for (unsigned i = 1; i < 4; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s %u", name, i);
        assert_true(CPU_EQUAL(&w->set[i], &want[i]));
        assert_string_equal(w->name[i], text);
    }
    check_loop(pool, 500, 10);
    weir_pool_free(pool);
}

static void test_placed(void **state)
{
    (void)state;
    static uint32_t os[WEIR_MAX_PUS];
    uint32_t n = weir_allowed_pus(os);
    cpu_set_t want[4], all;
    weir_pool *pool;
    weir_errinfo ei = {0};
    where w;
    /* two domains of two entries: the first PU and the last */
    weir_pu pu[4] = {
        {.os = os[0]}, {.os = os[n - 1], .l3 = 1}, {.os = os[0]}, {.os = os[n - 1], .l3 = 1}};
    weir_pu_set set = {pu, 4};
    for (unsigned i = 0; i < 4; i++) {
        CPU_ZERO(&want[i]);
        CPU_SET(pu[i].os, &want[i]);
    }
    assert_int_equal(weir_pool_new_on(&pool, "weir msm", 0, &set, &ei), WEIR_OK);
    assert_int_equal(weir_pool_threads(pool), 4);
    assert_int_equal(weir_pool_bound(pool), 3);
    check_where(&w, pool, want, "weir msm");
    /* of one domain: all its PUs, for more threads than entries */
    for (unsigned i = 0; i < 4; i++) {
        pu[i].l3 = 7;
        CPU_SET(os[0], &want[i]);
        CPU_SET(os[n - 1], &want[i]);
    }
    set.n = 2;
    assert_int_equal(weir_pool_new_on(&pool, "weir fill", 4, &set, &ei), WEIR_OK);
    assert_int_equal(weir_pool_bound(pool), 3);
    check_where(&w, pool, want, "weir fill");
    /* PUs that are not there: works where it may */
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    for (unsigned i = 0; i < 4; i++) {
        pu[i].os = i % 2 ? WEIR_MAX_PUS - 1 : WEIR_MAX_PUS;
        want[i] = all;
    }
    assert_int_equal(weir_pool_new_on(&pool, "weir x", 4, &set, &ei), WEIR_OK);
    assert_int_equal(weir_pool_bound(pool), 0);
    check_where(&w, pool, want, "weir x");
    set.n = 0;
    assert_int_equal(weir_pool_new_on(&pool, "weir x", 4, &set, &ei), WEIR_E_USAGE);
    assert_null(pool);
    assert_non_null(strstr(ei.text, "weir x"));
    assert_false(weir_bind_self(&set));
}

static void *bind_main(void *arg)
{
    const weir_pu_set *set = arg;
    cpu_set_t got;
    assert_true(weir_bind_self(set));
    assert_int_equal(sched_getaffinity(0, sizeof got, &got), 0);
    assert_true(CPU_ISSET(set->pu[0].os, &got) && CPU_ISSET(set->pu[1].os, &got));
    assert_in_range(CPU_COUNT(&got), 1, 2);
    return NULL;
}

static void test_bind_self(void **state)
{
    (void)state;
    static uint32_t os[WEIR_MAX_PUS];
    uint32_t n = weir_allowed_pus(os);
    weir_pu pu[2] = {{.os = os[0]}, {.os = os[n - 1], .l3 = 1}};
    weir_pu_set set = {pu, 2};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, bind_main, &set), 0);
    pthread_join(thread, NULL);
    assert_int_equal(weir_allowed_pus(os), n);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_task_once),
        cmocka_unit_test(test_no_pool),
        cmocka_unit_test(test_one_thread_keeps_order),
        cmocka_unit_test(test_results_visible),
        cmocka_unit_test(test_threads_work_together),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_placed),
        cmocka_unit_test(test_bind_self),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
