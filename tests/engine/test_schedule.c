/* The scheduler on snapshots: who comes first, what waits, what is paused; then whole days of random jobs on a clock of numbers. */
#include "engine/schedule.h"
#include "testkit.h"

#include <stdio.h>
#include <string.h>

#define S(n) ((uint64_t)(n)*1000000000u)

enum { JOBS = 64, PARTS = 640 };

/* A snapshot under construction. */
typedef struct scene {
    weir_sched_job job[JOBS];
    weir_sched_part part[PARTS];
    weir_sched_snapshot s;
} scene;

static void scene_init(scene *c, uint32_t devices)
{
    memset(c, 0, sizeof *c);
    c->s = (weir_sched_snapshot){.now_ns = S(1000),
                                 .age_ns = S(3600),
                                 .job = c->job,
                                 .part = c->part,
                                 .devices_up = (1u << devices) - 1,
                                 .ahead = 2,
                                 .fill_workers = 1,
                                 .bytes_free = 1000};
}

static uint32_t add_job(scene *c, weir_job_class class, uint64_t submitted)
{
    uint32_t j = c->s.jobs++;
    c->job[j] = (weir_sched_job){
        .id = j, .job_class = class, .submitted_ns = submitted, .deadline_ns = UINT64_MAX};
    return j;
}

static uint32_t add_part(scene *c, uint32_t job, weir_part_state state)
{
    uint32_t i = c->s.parts++, number = 0;
    for (uint32_t k = 0; k < i; k++) number += c->part[k].job == job;
    c->part[i] = (weir_sched_part){
        .job = job, .number = number, .state = state, .bytes = 100, .devices = UINT32_MAX};
    return i;
}

static void run_on(scene *c, uint32_t part, uint32_t device)
{
    c->part[part].state = WEIR_PART_DEVICE;
    c->part[part].device = device;
    c->s.devices_busy |= 1u << device;
}

static void expect(const scene *c, weir_sched_verb verb, uint32_t part, uint32_t device)
{
    weir_sched_decision d = weir_schedule(&c->s);
    assert_int_equal(d.verb, verb);
    if (verb == WEIR_SCHED_WAIT) return;
    assert_int_equal(d.part, part);
    if (verb != WEIR_SCHED_FILL) assert_int_equal(d.device, device);
}

/* ---- order */

static void test_order(void **state)
{
    (void)state;
    scene c;
    scene_init(&c, 1);
    uint32_t low = add_job(&c, WEIR_CLASS_LOW, S(1)), old = add_job(&c, WEIR_CLASS_NORMAL, S(10)),
             young = add_job(&c, WEIR_CLASS_NORMAL, S(20)),
             high = add_job(&c, WEIR_CLASS_HIGH, S(900)),
             critical = add_job(&c, WEIR_CLASS_CRITICAL, S(999));
    uint32_t p[6] = {add_part(&c, critical, WEIR_PART_WAIT), add_part(&c, high, WEIR_PART_WAIT),
                     add_part(&c, old, WEIR_PART_WAIT),      add_part(&c, old, WEIR_PART_WAIT),
                     add_part(&c, young, WEIR_PART_WAIT),    add_part(&c, low, WEIR_PART_WAIT)};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) assert_int_equal(weir_sched_before(&c.s, p[i], p[k]), i < k);
    /* deadlines among equals, not beyond their class */
    c.job[young].deadline_ns = S(5000);
    assert_true(weir_sched_before(&c.s, p[4], p[2]));
    c.job[low].deadline_ns = S(1001);
    assert_false(weir_sched_before(&c.s, p[5], p[2]));
    /* one class an hour, up to high */
    c.s.now_ns = S(1) + S(3600);
    assert_int_equal(weir_sched_class(&c.s, &c.job[low]), WEIR_CLASS_NORMAL);
    /* its own deadline, four ages after it came, in the end stands before that of others */
    c.job[high].deadline_ns = S(200000);
    c.s.now_ns = S(1) + S(360000);
    assert_true(weir_sched_before(&c.s, p[5], p[1]));
    assert_int_equal(weir_sched_class(&c.s, &c.job[low]), WEIR_CLASS_HIGH);
    assert_int_equal(weir_sched_class(&c.s, &c.job[critical]), WEIR_CLASS_CRITICAL);
    assert_true(weir_sched_before(&c.s, p[0], p[5]));
}

/* ---- devices */

static void test_devices(void **state)
{
    (void)state;
    scene c;
    scene_init(&c, 2);
    uint32_t a = add_job(&c, WEIR_CLASS_NORMAL, S(1)), b = add_job(&c, WEIR_CLASS_NORMAL, S(2));
    uint32_t a0 = add_part(&c, a, WEIR_PART_READY), a1 = add_part(&c, a, WEIR_PART_READY),
             b0 = add_part(&c, b, WEIR_PART_READY);
    expect(&c, WEIR_SCHED_RUN, a0, 0);
    run_on(&c, a0, 0);
    expect(&c, WEIR_SCHED_RUN, a1, 1); /* partitions of one job spread over idle devices */
    run_on(&c, a1, 1);
    expect(&c, WEIR_SCHED_WAIT, 0, 0);
    c.s.devices_up &= ~1u; /* lost: nothing more goes there */
    c.s.devices_busy = 0;
    c.part[a1].state = WEIR_PART_FINISH;
    expect(&c, WEIR_SCHED_RUN, b0, 1);
    c.part[b0].devices = 1; /* it erred on device 1, and 0 is lost */
    expect(&c, WEIR_SCHED_WAIT, 0, 0);
}

static void test_critical(void **state)
{
    (void)state;
    scene c;
    scene_init(&c, 2);
    uint32_t old = add_job(&c, WEIR_CLASS_NORMAL, S(1)), high = add_job(&c, WEIR_CLASS_HIGH, S(5)),
             now = add_job(&c, WEIR_CLASS_CRITICAL, S(999));
    uint32_t p = add_part(&c, old, WEIR_PART_READY), h = add_part(&c, high, WEIR_PART_READY),
             w = add_part(&c, now, WEIR_PART_READY);
    run_on(&c, p, 1);
    run_on(&c, h, 0);
    expect(&c, WEIR_SCHED_PAUSE, p, 1); /* the less urgent one */
    c.part[p].paused = true;            /* on its way: once is enough */
    expect(&c, WEIR_SCHED_WAIT, 0, 0);
    c.s.devices_busy &= ~2u; /* its step is over */
    expect(&c, WEIR_SCHED_RUN, w, 1);
    run_on(&c, w, 1);
    expect(&c, WEIR_SCHED_WAIT, 0, 0);
    c.part[w].state = WEIR_PART_FINISH;
    c.s.devices_busy &= ~2u;
    expect(&c, WEIR_SCHED_RESUME, p, 1);
    /* while one is paused nothing but critical ones passes it */
    uint32_t eager = add_job(&c, WEIR_CLASS_NORMAL, S(1));
    c.job[eager].deadline_ns = S(1001);
    uint32_t q = add_part(&c, eager, WEIR_PART_READY);
    expect(&c, WEIR_SCHED_RESUME, p, 1);
    c.part[q].state = WEIR_PART_DONE;
    /* critical ones do not pause each other */
    c.part[p].paused = false;
    run_on(&c, p, 1);
    c.job[old].job_class = c.job[high].job_class = WEIR_CLASS_CRITICAL;
    add_part(&c, now, WEIR_PART_READY);
    expect(&c, WEIR_SCHED_WAIT, 0, 0);
}

/* A critical partition does not pause one of its own group, nor passes it. */
static void test_groups(void **state)
{
    (void)state;
    scene c;
    scene_init(&c, 2);
    uint32_t old = add_job(&c, WEIR_CLASS_NORMAL, S(1)), high = add_job(&c, WEIR_CLASS_HIGH, S(5)),
             now = add_job(&c, WEIR_CLASS_CRITICAL, S(999));
    uint32_t p = add_part(&c, old, WEIR_PART_READY), h = add_part(&c, high, WEIR_PART_READY),
             w = add_part(&c, now, WEIR_PART_READY);
    c.part[p].group = c.part[w].group = 7;
    run_on(&c, h, 0);
    run_on(&c, p, 1);
    expect(&c, WEIR_SCHED_PAUSE, h, 0); /* the more urgent one, since the other is of its group */
    c.part[h].group = 7;
    expect(&c, WEIR_SCHED_WAIT, 0, 0);
    c.part[w].group = 8;
    expect(&c, WEIR_SCHED_PAUSE, p, 1);
    c.part[p].paused = true;
    c.s.devices_busy &= ~2u;
    expect(&c, WEIR_SCHED_RUN, w, 1);
    c.part[w].group = 7; /* comes only now: the paused one goes on first */
    expect(&c, WEIR_SCHED_RESUME, p, 1);
}

/* ---- filling */

static void test_filling(void **state)
{
    (void)state;
    scene c;
    scene_init(&c, 1);
    uint32_t a = add_job(&c, WEIR_CLASS_NORMAL, S(1)), b = add_job(&c, WEIR_CLASS_NORMAL, S(2));
    uint32_t a0 = add_part(&c, a, WEIR_PART_WAIT), a1 = add_part(&c, a, WEIR_PART_WAIT),
             b0 = add_part(&c, b, WEIR_PART_WAIT);
    expect(&c, WEIR_SCHED_FILL, a0, 0);
    c.s.fill_workers = 0;
    expect(&c, WEIR_SCHED_WAIT, 0, 0);
    c.s.fill_workers = 3;
    /* what does not fit lets none pass, but a critical one that fits */
    c.part[a0].bytes = 1001;
    expect(&c, WEIR_SCHED_WAIT, 0, 0);
    uint32_t now = add_part(&c, add_job(&c, WEIR_CLASS_CRITICAL, S(3)), WEIR_PART_WAIT);
    expect(&c, WEIR_SCHED_FILL, now, 0);
    /* all are busy: the spare one is for critical ones that fit, and for nothing else */
    c.s.fill_workers = 0;
    expect(&c, WEIR_SCHED_WAIT, 0, 0);
    c.s.fill_spare = 1;
    expect(&c, WEIR_SCHED_FILL, now, 0);
    c.part[now].bytes = 1001;
    expect(&c, WEIR_SCHED_WAIT, 0, 0);
    c.part[now].state = WEIR_PART_DONE;
    c.part[a0].bytes = 100;
    expect(&c, WEIR_SCHED_WAIT, 0, 0);
    c.s.fill_workers = 3;
    c.s.fill_spare = 0;
    c.part[a0].bytes = 1000;
    expect(&c, WEIR_SCHED_FILL, a0, 0);
    /* no more than two ahead of a device */
    c.part[a0].state = WEIR_PART_FILL;
    run_on(&c, b0, 0);
    expect(&c, WEIR_SCHED_FILL, a1, 0);
    /* one whose witness is on its way to the device counts */
    c.part[b0].sending = true;
    expect(&c, WEIR_SCHED_WAIT, 0, 0);
    c.part[a0].state = WEIR_PART_DONE;
    expect(&c, WEIR_SCHED_FILL, a1, 0);
    c.s.ahead = 1;
    expect(&c, WEIR_SCHED_WAIT, 0, 0);
    c.part[b0].sending = false;
    expect(&c, WEIR_SCHED_FILL, a1, 0);
    c.part[a0].state = WEIR_PART_FILL;
    c.s.ahead = 2;
    c.part[a1].state = WEIR_PART_READY;
    add_part(&c, b, WEIR_PART_WAIT);
    expect(&c, WEIR_SCHED_WAIT, 0, 0);
    now = add_part(&c, add_job(&c, WEIR_CLASS_CRITICAL, S(4)), WEIR_PART_WAIT);
    expect(&c, WEIR_SCHED_FILL, now, 0);
}

/* Nothing is filled for a device that stands aside, until it is the last one. */
static void test_aside(void **state)
{
    (void)state;
    scene c;
    scene_init(&c, 2);
    c.s.devices_aside = 2;
    uint32_t a = add_job(&c, WEIR_CLASS_NORMAL, S(1));
    uint32_t a0 = add_part(&c, a, WEIR_PART_WAIT), a1 = add_part(&c, a, WEIR_PART_FILL);
    c.part[add_part(&c, a, WEIR_PART_FILL)].devices = 1;
    run_on(&c, add_part(&c, a, WEIR_PART_WAIT), 0);
    expect(&c, WEIR_SCHED_WAIT, 0, 0); /* two are ahead of device 0 */
    c.part[a1].state = WEIR_PART_DONE;
    expect(&c, WEIR_SCHED_FILL, a0, 0);
    scene_init(&c, 2);
    c.s.devices_aside = c.s.devices_up = 2;
    a0 = add_part(&c, add_job(&c, WEIR_CLASS_NORMAL, S(1)), WEIR_PART_WAIT);
    expect(&c, WEIR_SCHED_FILL, a0, 0);
    c.part[a0].state = WEIR_PART_READY;
    expect(&c, WEIR_SCHED_RUN, a0, 1);
}

/* ---- a simulation: jobs come by chance; what the decisions say is done on a clock of numbers */

enum { FILL_NS = 300, STEP_NS = 100, STEPS = 10, FINISH_NS = 50, DEVICES = 3, MEMORY = 1200 };

typedef struct world {
    scene c;
    uint64_t until[PARTS]; /* when the stage ends, or the step */
    unsigned steps[PARTS];
    bool pause[PARTS];      /* asked for */
    uint64_t started[JOBS]; /* when the job's first partition got to a device */
    uint32_t workers;
} world;

static void must_move(world *w, uint32_t i, weir_part_state to)
{
    assert_true(weir_part_may_move(w->c.part[i].state, to));
    w->c.part[i].state = to;
}

static void carry_out(world *w, const weir_sched_decision *d)
{
    weir_sched_part *p = &w->c.part[d->part];
    weir_sched_snapshot *s = &w->c.s;
    switch (d->verb) {
    case WEIR_SCHED_FILL:
        assert_true(p->bytes <= s->bytes_free && s->fill_workers > 0);
        s->bytes_free -= p->bytes;
        s->fill_workers--;
        must_move(w, d->part, WEIR_PART_FILL);
        w->until[d->part] = s->now_ns + FILL_NS;
        break;
    case WEIR_SCHED_RUN:
        assert_false(s->devices_busy >> d->device & 1);
        must_move(w, d->part, WEIR_PART_DEVICE);
        p->device = d->device;
        if (w->started[p->job] == 0) w->started[p->job] = s->now_ns;
        w->until[d->part] = s->now_ns + STEP_NS;
        s->devices_busy |= 1u << d->device;
        break;
    case WEIR_SCHED_RESUME:
        assert_true(p->paused && p->device == d->device);
        p->paused = w->pause[d->part] = false;
        w->until[d->part] = s->now_ns + STEP_NS;
        s->devices_busy |= 1u << d->device;
        break;
    default:
        assert_int_equal(d->verb, WEIR_SCHED_PAUSE);
        assert_false(p->paused);
        for (uint32_t i = 0; i < s->parts; i++) /* never two on one device */
            assert_false(w->c.part[i].state == WEIR_PART_DEVICE && w->c.part[i].paused &&
                         w->c.part[i].device == p->device);
        p->paused = w->pause[d->part] = true; /* the device stays busy until the step is over */
    }
}

static void end_step(world *w, uint32_t i)
{
    weir_sched_part *p = &w->c.part[i];
    weir_sched_snapshot *s = &w->c.s;
    if (++w->steps[i] == STEPS) {
        s->devices_busy &= ~(1u << p->device);
        p->paused = false;
        must_move(w, i, WEIR_PART_FINISH);
        w->until[i] = s->now_ns + FINISH_NS;
    } else if (w->pause[i]) {
        s->devices_busy &= ~(1u << p->device);
        w->until[i] = UINT64_MAX;
        w->pause[i] = false;
    } else {
        w->until[i] = s->now_ns + STEP_NS;
    }
}

static void end_stage(world *w, uint32_t i)
{
    weir_sched_part *p = &w->c.part[i];
    weir_sched_snapshot *s = &w->c.s;
    if (p->state == WEIR_PART_FILL) {
        s->fill_workers++;
        must_move(w, i, WEIR_PART_READY);
        w->until[i] = UINT64_MAX;
    } else if (p->state == WEIR_PART_DEVICE) {
        end_step(w, i);
    } else {
        must_move(w, i, WEIR_PART_DONE);
        s->bytes_free += p->bytes;
        w->until[i] = UINT64_MAX;
    }
}

static void add_random_job(world *w, tk_rng *g)
{
    uint32_t j = add_job(&w->c, (weir_job_class)tk_below(g, WEIR_CLASSES), w->c.s.now_ns);
    uint64_t n = w->c.job[j].job_class == WEIR_CLASS_CRITICAL ? 1 : 1 + tk_below(g, 10);
    for (uint64_t k = 0; k < n && w->c.s.parts < PARTS; k++) {
        uint32_t i = add_part(&w->c, j, WEIR_PART_WAIT);
        w->c.part[i].bytes = 50 + tk_below(g, 250);
        w->until[i] = UINT64_MAX;
    }
}

static void simulate(tk_rng *g)
{
    static world w;
    memset(&w, 0, sizeof w);
    scene_init(&w.c, DEVICES);
    weir_sched_snapshot *s = &w.c.s;
    s->now_ns = 1;
    s->age_ns = 5000;
    s->bytes_free = MEMORY;
    s->fill_workers = 2;
    uint64_t next_job = 1;
    for (;;) {
        while (s->jobs < JOBS && next_job <= s->now_ns) {
            add_random_job(&w, g);
            next_job += tk_below(g, 1500);
        }
        for (uint32_t i = 0; i < s->parts; i++)
            if (w.until[i] <= s->now_ns) end_stage(&w, i);
        for (weir_sched_decision d = weir_schedule(s); d.verb != WEIR_SCHED_WAIT;
             d = weir_schedule(s))
            carry_out(&w, &d);
        uint64_t next = s->jobs < JOBS ? next_job : UINT64_MAX;
        for (uint32_t i = 0; i < s->parts; i++)
            if (w.until[i] < next) next = w.until[i];
        if (next == UINT64_MAX) break;
        s->now_ns = next;
    }
    for (uint32_t i = 0; i < s->parts; i++) assert_int_equal(w.c.part[i].state, WEIR_PART_DONE);
    assert_int_equal(s->bytes_free, MEMORY);
    assert_int_equal(s->devices_busy, 0);
    /* a critical job's only delays are a worker's filling, its own, the step in progress, and critical ones before it */
    for (uint32_t j = 0; j < s->jobs; j++) {
        if (w.c.job[j].job_class != WEIR_CLASS_CRITICAL) continue;
        uint64_t others = 0, late = w.started[j] - w.c.job[j].submitted_ns;
        for (uint32_t k = 0; k < s->jobs; k++)
            others += k != j && w.c.job[k].job_class == WEIR_CLASS_CRITICAL;
        assert_true(late <= (others + 2) * (FILL_NS + STEPS * STEP_NS + FINISH_NS) * 2);
    }
}

static void test_simulation(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (int i = 0; i < 200; i++) simulate(&g);
}

/* ---- the tables of moves */

static void test_moves(void **state)
{
    (void)state;
    unsigned jobs = 0, parts = 0;
    for (int a = 0; a < WEIR_JOB_STATES; a++)
        for (int b = 0; b < WEIR_JOB_STATES; b++)
            jobs += weir_job_may_move((weir_job_state)a, (weir_job_state)b);
    for (int a = 0; a < WEIR_PART_STATES; a++)
        for (int b = 0; b < WEIR_PART_STATES; b++)
            parts += weir_part_may_move((weir_part_state)a, (weir_part_state)b);
    assert_int_equal(jobs, 3 + 3 * 2);
    assert_int_equal(parts, 5 + 2 + 5);
    assert_false(weir_part_may_move(WEIR_PART_DONE, WEIR_PART_DROPPED));
    assert_false(weir_part_may_move(WEIR_PART_WAIT, WEIR_PART_READY));
    assert_true(weir_part_may_move(WEIR_PART_FINISH, WEIR_PART_READY));
    assert_false(weir_job_may_move(WEIR_JOB_DONE, WEIR_JOB_FAILED));
}

/* A critical partition whose key is not on a device keeps none waiting for it there. */
static void test_cold(void **state)
{
    (void)state;
    scene c;
    scene_init(&c, 2);
    uint32_t a = add_job(&c, WEIR_CLASS_NORMAL, S(1));
    uint32_t a0 = add_part(&c, a, WEIR_PART_READY), a1 = add_part(&c, a, WEIR_PART_READY);
    run_on(&c, a0, 0);
    run_on(&c, a1, 1);
    uint32_t now = add_part(&c, add_job(&c, WEIR_CLASS_CRITICAL, S(2)), WEIR_PART_READY);
    c.part[now].cold = 3;
    expect(&c, WEIR_SCHED_WAIT, 0, 0);
    c.part[now].cold = 2;
    expect(&c, WEIR_SCHED_PAUSE, a0, 0);
    c.part[now].cold = 1;
    expect(&c, WEIR_SCHED_PAUSE, a1, 1);
    /* it went while the other was on its way to pause: that one goes on */
    c.part[a1].paused = true;
    c.s.devices_busy = 1;
    c.part[now].cold = 3;
    expect(&c, WEIR_SCHED_RESUME, a1, 1);
    c.part[now].cold = 1;
    expect(&c, WEIR_SCHED_RUN, now, 1);
    /* a device that is idle brings it */
    c.part[a1].state = WEIR_PART_FINISH;
    c.part[a1].paused = false;
    c.part[now].cold = 3;
    expect(&c, WEIR_SCHED_RUN, now, 1);
}

/* None ahead: filled is what an idle device will take, and nothing while it works. */
static void test_none_ahead(void **state)
{
    (void)state;
    scene c;
    scene_init(&c, 1);
    c.s.ahead = 0;
    uint32_t a = add_job(&c, WEIR_CLASS_NORMAL, S(1));
    uint32_t a0 = add_part(&c, a, WEIR_PART_WAIT), a1 = add_part(&c, a, WEIR_PART_WAIT);
    expect(&c, WEIR_SCHED_FILL, a0, 0);
    c.part[a0].state = WEIR_PART_FILL;
    c.s.fill_workers = 2;
    expect(&c, WEIR_SCHED_WAIT, 0, 0);
    c.part[a0].state = WEIR_PART_READY;
    expect(&c, WEIR_SCHED_RUN, a0, 0);
    run_on(&c, a0, 0);
    expect(&c, WEIR_SCHED_WAIT, 0, 0);
    uint32_t now = add_part(&c, add_job(&c, WEIR_CLASS_CRITICAL, S(2)), WEIR_PART_WAIT);
    expect(&c, WEIR_SCHED_FILL, now, 0);
    c.part[now].state = WEIR_PART_DONE;
    c.part[a0].state = WEIR_PART_FINISH;
    c.s.devices_busy = 0;
    expect(&c, WEIR_SCHED_FILL, a1, 0);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),      cmocka_unit_test(test_devices),
        cmocka_unit_test(test_critical),   cmocka_unit_test(test_groups),
        cmocka_unit_test(test_none_ahead), cmocka_unit_test(test_cold),
        cmocka_unit_test(test_filling),    cmocka_unit_test(test_aside),
        cmocka_unit_test(test_moves),      cmocka_unit_test(test_simulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
