/* The thread beside: jobs in the order in which they came, results visible, several callers at once. */
#include "base/alloc.h"
#include "base/side.h"
#include "testkit.h"

#include <pthread.h>

enum { JOBS = 1000, CALLERS = 4 };

/* Plain memory: one thread writes it, the one that waits reads it. */
typedef struct list {
    int done[CALLERS * JOBS];
    int n;
} list;

typedef struct step {
    weir_side_job job;
    list *l;
    int number;
} step;

static void append(void *ctx)
{
    step *s = ctx;
    s->l->done[s->l->n++] = s->number;
}

static void test_order(void **state)
{
    (void)state;
    static list l;
    static step steps[JOBS];
    weir_side *s;
    weir_errinfo ei = {0};
    l.n = 0;
    assert_int_equal(weir_side_new(&s, &ei), WEIR_OK);
    for (int i = 0; i < JOBS; i++) {
        steps[i] = (step){.job = {.fn = append, .ctx = &steps[i]}, .l = &l, .number = i};
        weir_side_put(s, &steps[i].job);
        if (i % 3 == 0) weir_side_wait(s, &steps[i].job);
        if (i % 3 == 0) assert_int_equal(l.n, i + 1);
    }
    for (int i = 0; i < JOBS; i++)
        if (i % 3) weir_side_wait(s, &steps[i].job);
    for (int i = 0; i < JOBS; i++) assert_int_equal(l.done[i], i);
    weir_side_free(s);
}

typedef struct caller {
    weir_side *side;
    list *l;
    pthread_t thread;
} caller;

/* Counts by itself too: what the side thread added must be seen each time. */
static void *call(void *arg)
{
    caller *c = arg;
    for (int i = 0; i < JOBS; i++) {
        step one = {.l = c->l};
        one.job = (weir_side_job){.fn = append, .ctx = &one};
        weir_side_put(c->side, &one.job);
        weir_side_wait(c->side, &one.job);
    }
    return NULL;
}

static void test_callers(void **state)
{
    (void)state;
    static list l;
    caller c[CALLERS];
    weir_side *s;
    weir_errinfo ei = {0};
    l.n = 0;
    assert_int_equal(weir_side_new(&s, &ei), WEIR_OK);
    for (int i = 0; i < CALLERS; i++) {
        c[i] = (caller){.side = s, .l = &l};
        assert_int_equal(pthread_create(&c[i].thread, NULL, call, &c[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++) pthread_join(c[i].thread, NULL);
    assert_int_equal(l.n, CALLERS * JOBS);
    weir_side_free(s);
}

static void test_no_memory(void **state)
{
    (void)state;
    weir_side *s;
    weir_errinfo ei = {0};
    weir_alloc_fail_nth(1, 0);
    assert_int_equal(weir_side_new(&s, &ei), WEIR_E_NOMEM);
    assert_null(s);
    weir_alloc_fail_nth(0, 0);
    weir_side_free(NULL);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_callers),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
