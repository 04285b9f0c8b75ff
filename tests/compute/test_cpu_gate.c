/* The CPU backend at the bandwidth gate: it waits its turn, stands still while the gate is closed, closes it for the dense sum in G2,
 * and comes to the same results. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/gate.h"
#include "compute/cpu_stages.h"
#include "curve/curve.h"
#include "fake_key.h"

/* A domain of 2^17 for rows and transforms alone; few columns, some dense in b, for whole runs. */
enum { LARGE = 70000, SMALL = 500 };

typedef struct keys {
    fake_key large, small;
} keys;

static int setup(void **state)
{
    tk_rng g = tk_rng_new();
    keys *k = malloc(sizeof *k);
    fake_key_init(&k->large, &g, LARGE, true);
    fake_key_init(&k->small, &g, SMALL, true);
    *state = k;
    return 0;
}

static int teardown(void **state)
{
    keys *k = *state;
    fake_key_clear(&k->large);
    fake_key_clear(&k->small);
    free(k);
    return 0;
}

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

static void until_asked(weir_gate *g, uint64_t entered)
{
    while (count(g).entered < entered) usleep(1000);
    usleep(20000);
}

/* ---- rows and transforms */

typedef struct quotient {
    const fake_key *k;
    weir_exec x;
    weir_h_buffer h;
    weir_err err;
    int done;
    pthread_t thread;
} quotient;

static void *run_quotient(void *ctx)
{
    quotient *q = ctx;
    weir_ntt_plan *plan;
    weir_sums_stats stats;
    q->err = weir_ntt_plan_new(&plan, q->k->rel->domain_log2, &q->x, NULL);
    if (q->err == WEIR_OK) {
        q->err = weir_cpu_quotient(&q->h, plan, q->k->w, &stats, &q->x, NULL);
        weir_ntt_plan_free(plan);
    }
    __atomic_store_n(&q->done, 1, __ATOMIC_RELEASE);
    return NULL;
}

static void start(quotient *q, const fake_key *k, weir_gate *g)
{
    *q = (quotient){.k = k, .x = {.isa = weir_isa_best(), .gate = g}};
    assert_int_equal(pthread_create(&q->thread, NULL, run_quotient, q), 0);
}

static size_t domain(const quotient *q)
{
    return (size_t)1 << q->k->rel->domain_log2;
}

static void end(quotient *q, const quotient *want)
{
    size_t n = domain(q);
    assert_int_equal(q->err, WEIR_OK);
    if (want) assert_memory_equal(q->h.fr, want->h.fr, n * sizeof *q->h.fr);
    weir_slab_give(NULL, q->h.fr, n, sizeof *q->h.fr);
}

static void without_gate(quotient *q, const fake_key *k)
{
    *q = (quotient){.k = k, .x = {.isa = weir_isa_best()}};
    run_quotient(q);
    assert_int_equal(q->err, WEIR_OK);
}

/* Two side by side with one credit take turns, range by range. */
static void take_turns(void **state)
{
    const keys *k = *state;
    quotient want, q[2];
    without_gate(&want, &k->large);
    weir_gate *g = new_gate(1);
    weir_gate_close(g);
    for (int i = 0; i < 2; i++) start(&q[i], &k->large, g);
    until_asked(g, 2);
    weir_gate_open(g);
    for (int i = 0; i < 2; i++) pthread_join(q[i].thread, NULL);
    weir_gate_stats t = count(g);
    assert_true(t.waited > 2); /* more than the two that found it closed */
    assert_true(t.waited_ns > 0 && t.waited <= t.entered);
    for (int i = 0; i < 2; i++) end(&q[i], &want);
    end(&want, NULL);
    weir_gate_free(g);
}

static void stands_still_while_closed(void **state)
{
    const keys *k = *state;
    quotient want, q;
    without_gate(&want, &k->large);
    weir_gate *g = new_gate(4);
    weir_gate_close(g);
    start(&q, &k->large, g);
    until_asked(g, 1);
    usleep(100000);
    assert_int_equal(count(g).entered, 1); /* still at its first range */
    assert_false(__atomic_load_n(&q.done, __ATOMIC_ACQUIRE));
    weir_gate_open(g);
    pthread_join(q.thread, NULL);
    assert_true(count(g).entered > 10); /* rows, orders, passes, scalars */
    end(&q, &want);
    end(&want, NULL);
    weir_gate_free(g);
}

/* ---- a whole run */

static weir_err run(const fake_key *k, weir_sums *out, const weir_exec *x)
{
    const weir_backend *cpu = weir_cpu_backend();
    weir_session *session;
    WEIR_TRY(cpu->begin(cpu, &session, k->rel, &k->points, WEIR_TERMS_ALL, UINT64_MAX, x, NULL));
    weir_err err = cpu->run(session, out, k->w, NULL, x, NULL);
    cpu->end(session);
    return err;
}

/* Nobody holds it, nobody holds a credit. */
static void assert_open(weir_gate *g, uint32_t credits)
{
    weir_gate_wait wait;
    int give_up = 1;
    assert_int_equal(weir_gate_enter_unless(g, credits, &give_up, &wait), credits);
    weir_gate_leave(g, credits);
}

static void same_sums(const weir_sums *a, const weir_sums *b)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    const weir_g1 p[8] = {a->h, b->h, a->l, b->l, a->a, b->a, a->b1, b->b1};
    const weir_g2 q[2] = {a->b2, b->b2};
    weir_g1_affine pa[8];
    weir_g2_affine qa[2];
    weir_fp tmp[8];
    weir_fp2 tmp2[2];
    ops->g1s_to_affine(pa, p, 8, tmp);
    ops->g2s_to_affine(qa, q, 2, tmp2);
    for (int i = 0; i < 8; i += 2) assert_memory_equal(&pa[i], &pa[i + 1], sizeof *pa);
    assert_memory_equal(&qa[0], &qa[1], sizeof *qa);
}

static void same_with_gate(void **state)
{
    const keys *k = *state;
    weir_sums want, got;
    weir_exec x = {.pool = tk_pool(2), .isa = weir_isa_best()};
    assert_int_equal(run(&k->small, &want, &x), WEIR_OK);
    for (uint32_t credits = 1; credits <= 4; credits += 3) {
        x.gate = new_gate(credits);
        assert_int_equal(run(&k->small, &got, &x), WEIR_OK);
        same_sums(&want, &got);
        assert_int_equal(count(x.gate).closed, 1); /* the dense sum in G2 */
        assert_int_equal(count(x.gate).waited, 0);
        assert_true(count(x.gate).entered > 20);
        assert_open(x.gate, credits);
        weir_gate_free(x.gate);
    }
}

/* ---- the gate opens after errors too */

typedef struct stopper {
    weir_gate *g;
    int cancel;
    bool saw_closed;
} stopper;

/* Cancels in the first group of windows of the sum that closed the gate. */
static void stop_in_g2(void *ctx, const char *stage, uint64_t done, uint64_t total)
{
    stopper *s = ctx;
    (void)done;
    (void)total;
    if (strcmp(stage, "msm") != 0 || count(s->g).closed == 0) return;
    weir_gate_stats t = count(s->g);
    s->saw_closed = t.closed_ns == 0; /* not yet opened again */
    s->cancel = 1;
}

static void opens_when_cancelled(void **state)
{
    const keys *k = *state;
    weir_sums got;
    stopper s = {.g = new_gate(2)};
    const weir_watch watch = {.progress = stop_in_g2, .ctx = &s, .cancel = &s.cancel};
    const weir_exec x = {.pool = tk_pool(2), .isa = weir_isa_best(), .watch = &watch, .gate = s.g};
    assert_int_equal(run(&k->small, &got, &x), WEIR_E_CANCELLED);
    assert_true(s.saw_closed);
    assert_int_equal(count(s.g).closed, 1);
    assert_open(s.g, 2);
    weir_gate_free(s.g);
}

/* Every request that fails, on the way to the end: credits are back and the gate is open. */
static void opens_without_memory(void **state)
{
    const keys *k = *state;
    weir_sums got;
    weir_gate *g = new_gate(1);
    const weir_exec x = {.isa = weir_isa_best(), .gate = g};
    weir_err err = WEIR_E_NOMEM;
    uint64_t nth = 1, after_close = 0;
    for (; err != WEIR_OK; nth++) {
        uint64_t closed = count(g).closed;
        weir_alloc_fail_nth(nth, 0);
        err = run(&k->small, &got, &x);
        weir_alloc_fail_nth(0, 0);
        assert_true(err == WEIR_OK || err == WEIR_E_NOMEM);
        if (err != WEIR_OK && count(g).closed > closed) after_close++;
        assert_open(g, 1);
    }
    assert_true(nth > 10);
    assert_true(after_close > 0);
    weir_gate_free(g);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(take_turns),           cmocka_unit_test(stands_still_while_closed),
        cmocka_unit_test(same_with_gate),       cmocka_unit_test(opens_when_cancelled),
        cmocka_unit_test(opens_without_memory),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
