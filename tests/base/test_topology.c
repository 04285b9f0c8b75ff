/* The machine and who runs where: synthetic machines, the rules P1 to P4 on random ones, restriction, what cannot be read. */
#include "base/alloc.h"
#include "base/pool.h"
#include "base/topology.h"
#include "testkit.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PUS = 512, MACHINES = 400 };

static weir_topology *machine_of(const char *text, const uint32_t *os, uint32_t n)
{
    weir_topology *t;
    weir_errinfo ei = {0};
    assert_int_equal(weir_topology_synthetic(&t, text, os, n, &ei), WEIR_OK);
    return t;
}

static weir_topology *machine(const char *text)
{
    weir_topology *t = machine_of(text, NULL, 0);
    if (t->why.code != WEIR_OK) fail_msg("%s", t->why.text);
    return t;
}

/* Indexes are dense and in order, sums are right. */
static void check_facts(const weir_topology *t)
{
    uint32_t l3_pus = 0, l3_cores = 0, node_pus = 0, cores = 0;
    assert_true(t->pus > 0 && t->cores > 0 && t->l3s > 0 && t->nodes > 0);
    for (uint32_t i = 0; i < t->l3s; i++) {
        assert_true(t->l3[i].cores > 0 && t->l3[i].cores <= t->l3[i].pus);
        l3_pus += t->l3[i].pus;
        l3_cores += t->l3[i].cores;
    }
    for (uint32_t i = 0; i < t->nodes; i++) node_pus += t->numa[i].pus;
    for (uint32_t i = 0; i < t->pus; i++) {
        const weir_pu *pu = &t->pu[i];
        assert_true(pu->l3 < t->l3s && pu->node < t->nodes);
        if (i > 0) assert_true(pu->core >= t->pu[i - 1].core && pu->l3 >= t->pu[i - 1].l3);
        if (i == 0 || pu->core != t->pu[i - 1].core) assert_int_equal(pu->core, cores++);
    }
    assert_int_equal(l3_pus, t->pus);
    assert_int_equal(node_pus, t->pus);
    assert_int_equal(l3_cores, t->cores);
    assert_int_equal(cores, t->cores);
}

static void test_machines(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t pus, cores, l3s, nodes, msm, fill;
        const char *line;
    } want[] = {
        {"PU:1", 1, 1, 1, 1, 1, 1, "1 thread on 1 core, 1 L3 of unknown size, 1 NUMA node"},
        {"Core:2 PU:1", 2, 2, 1, 1, 2, 2,
         "2 threads on 2 cores, 1 L3 of unknown size, 1 NUMA node"},
        {"L3Cache:1(size=33554432) Core:8 PU:2", 16, 8, 1, 1, 16, 8,
         "16 threads on 8 cores, 1 L3 of 32 MiB, 1 NUMA node"},
        {"L3Cache:12(size=33554432) Core:8 PU:1", 96, 96, 12, 1, 32, 32,
         "96 threads on 96 cores, 12 L3 of 32 MiB, 1 NUMA node"},
        {"NUMANode:2 L3Cache:4(size=16777216) Core:8 PU:2", 128, 64, 8, 2, 64, 64,
         "128 threads on 64 cores, 8 L3 of 16 MiB, 2 NUMA nodes"},
        {"NUMANode:2 Core:8 PU:2", 32, 16, 2, 2, 32, 16,
         "32 threads on 16 cores, 2 L3 of unknown size, 2 NUMA nodes"},
        {"L3Cache:5(size=1048576) Core:2 PU:2", 20, 10, 5, 1, 16, 4,
         "20 threads on 10 cores, 5 L3 of 1 MiB, 1 NUMA node"},
    };
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        char line[200];
        weir_topology *t = machine(want[i].text);
        check_facts(t);
        assert_int_equal(t->pus, want[i].pus);
        assert_int_equal(t->cores, want[i].cores);
        assert_int_equal(t->l3s, want[i].l3s);
        assert_int_equal(t->nodes, want[i].nodes);
        assert_int_equal(weir_topology_default_msm_threads(t), want[i].msm);
        assert_int_equal(weir_topology_default_fill_threads(t), want[i].fill);
        weir_topology_print(line, sizeof line, t);
        assert_string_equal(line, want[i].line);
        memset(line, 'x', sizeof line);
        weir_topology_print(line, 10, t);
        assert_int_equal(strlen(line), 9);
        weir_topology_free(t);
    }
    weir_topology_free(NULL);
}

/* ---- the plan */

static uint32_t domains_of(const weir_pu_set *set, const weir_topology *t)
{
    uint8_t seen[MAX_PUS] = {0};
    uint32_t n = 0;
    assert_true(t->l3s <= MAX_PUS);
    for (uint32_t i = 0; i < set->n; i++) {
        n += !seen[set->pu[i].l3];
        seen[set->pu[i].l3] = 1;
    }
    return n;
}

static int descending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

/* Domains that n threads need where domain d has room[d] free PUs. */
static uint32_t fewest_domains(const uint32_t *room, uint32_t domains, uint32_t n)
{
    uint32_t sorted[MAX_PUS], k = 0;
    memcpy(sorted, room, domains * sizeof *room);
    qsort(sorted, domains, sizeof *sorted, descending);
    for (uint32_t sum = 0; sum < n; k++) sum += sorted[k];
    return k;
}

typedef struct tally {
    uint32_t load[MAX_PUS], mine[MAX_PUS], crowd[MAX_PUS], room[MAX_PUS], total;
} tally;

static uint32_t index_of(const weir_topology *t, const weir_pu *pu)
{
    for (uint32_t i = 0; i < t->pus; i++)
        if (memcmp(&t->pu[i], pu, sizeof *pu) == 0) return i;
    fail_msg("PU %u is not of this machine", pu->os);
    return 0;
}

static void check_use(tally *y, const weir_topology *t, const weir_pu_set *set)
{
    y->total += set->n;
    if (y->total <= t->pus)
        assert_int_equal(domains_of(set, t), fewest_domains(y->room, t->l3s, set->n));
    memset(y->mine, 0, sizeof y->mine);
    for (uint32_t i = 0; i < set->n; i++) {
        uint32_t pu = index_of(t, &set->pu[i]);
        if (y->load[pu]++ == 0) y->room[set->pu[i].l3]--;
        y->crowd[set->pu[i].core]++;
        y->mine[pu]++;
    }
    for (uint32_t i = 0; i < t->pus; i++)
        assert_in_range(y->mine[i], set->n / t->pus, (set->n + t->pus - 1) / t->pus);
}

/* No second hardware thread is in use in a domain where a core is idle. */
static void check_cores(const tally *y, const weir_topology *t)
{
    for (uint32_t d = 0; d < t->l3s; d++) {
        uint32_t least = UINT32_MAX, most = 0;
        for (uint32_t i = 0; i < t->pus; i++) {
            uint32_t crowd = y->crowd[t->pu[i].core];
            if (t->pu[i].l3 != d) continue;
            if (crowd < least) least = crowd;
            if (crowd > most) most = crowd;
        }
        if (most >= 2) assert_true(least >= 1);
    }
}

static void check_plan(const weir_topology *t, const uint32_t *threads)
{
    weir_placement p;
    weir_errinfo ei = {0};
    static tally y;
    uint32_t least = UINT32_MAX, most = 0;
    memset(&y, 0, sizeof y);
    for (uint32_t d = 0; d < t->l3s; d++) y.room[d] = t->l3[d].pus;
    assert_int_equal(weir_topology_plan(&p, t, threads, &ei), WEIR_OK);
    for (int use = 0; use < WEIR_USE_COUNT; use++) {
        if (threads[use]) assert_int_equal(p.use[use].n, threads[use]);
        check_use(&y, t, &p.use[use]);
    }
    for (uint32_t i = 0; i < t->pus; i++) {
        if (y.load[i] < least) least = y.load[i];
        if (y.load[i] > most) most = y.load[i];
    }
    assert_true(most - least <= 1); /* so no PU has two threads as long as there are enough */
    if (y.total <= t->pus) check_cores(&y, t);
    weir_placement_clear(&p);
}

/* Up to 2 nodes of 4 domains of 8 cores of 2 PUs; of three machines in four only some PUs may be used. */
static weir_topology *random_machine(tk_rng *g)
{
    char text[100];
    uint32_t os[MAX_PUS], n = 0, pus = 1, part[4];
    for (int i = 0; i < 4; i++) {
        static const uint32_t most[4] = {2, 4, 8, 2};
        part[i] = 1 + (uint32_t)tk_below(g, most[i]);
        pus *= part[i];
    }
    snprintf(text, sizeof text, "NUMANode:%u L3Cache:%u Core:%u PU:%u", part[0], part[1], part[2],
             part[3]);
    uint64_t keep = 1 + tk_below(g, 4); /* quarters */
    for (uint32_t i = 0; i < pus; i++)
        if (keep == 4 || tk_below(g, 4) < keep) os[n++] = i;
    weir_topology *t = machine_of(text, os, n);
    assert_int_equal(t->why.code, WEIR_OK);
    assert_int_equal(t->pus, n ? n : pus);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = 0;
        while (k < n && os[k] != t->pu[i].os) k++;
        assert_true(k < n);
    }
    return t;
}

static void test_random_plans(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (int m = 0; m < MACHINES; m++) {
        weir_topology *t = random_machine(&g);
        check_facts(t);
        for (int round = 0; round < 8; round++) {
            uint32_t threads[WEIR_USE_COUNT];
            uint64_t most = round < 5 ? t->pus / 4 : 2 * t->pus; /* enough PUs, and not */
            for (int use = 0; use < WEIR_USE_COUNT; use++)
                threads[use] = 1 + (uint32_t)tk_below(&g, most ? most : 1);
            if (round == 7) memset(threads, 0, sizeof threads);
            check_plan(t, threads);
        }
        weir_topology_free(t);
    }
}

static void plan_of(weir_placement *p, const weir_topology *t, uint32_t msm, uint32_t fill,
                    uint32_t device)
{
    const uint32_t threads[WEIR_USE_COUNT] = {msm, fill, device, 1};
    weir_errinfo ei = {0};
    assert_int_equal(weir_topology_plan(p, t, threads, &ei), WEIR_OK);
}

/* Cases whose answer one sees. */
static void test_known_plans(void **state)
{
    (void)state;
    weir_placement p;
    weir_topology *t = machine("NUMANode:2 L3Cache:4 Core:8 PU:2");
    plan_of(&p, t, 0, 0, 0);
    for (uint32_t i = 1; i < 64; i++) { /* four domains, and of one node */
        assert_int_equal(p.use[WEIR_USE_MSM].pu[i].node, p.use[WEIR_USE_MSM].pu[0].node);
        assert_int_not_equal(p.use[WEIR_USE_FILL].pu[i].node, p.use[WEIR_USE_MSM].pu[0].node);
    }
    assert_int_equal(domains_of(&p.use[WEIR_USE_MSM], t), 4);
    weir_placement_clear(&p);
    /* a domain with idle cores before second hardware threads */
    plan_of(&p, t, 8, 8, 1);
    for (int use = 0; use < 2; use++)
        for (uint32_t i = 1; i < 8; i++)
            assert_int_equal(p.use[use].pu[i].core, p.use[use].pu[0].core + i);
    assert_int_not_equal(p.use[0].pu[0].l3, p.use[1].pu[0].l3);
    weir_placement_clear(&p);
    weir_topology_free(t);
    /* one PU has all, as often as is asked for */
    t = machine("PU:1");
    plan_of(&p, t, 3, 1, 1);
    assert_int_equal(p.use[WEIR_USE_MSM].n, 3);
    assert_int_equal(p.use[WEIR_USE_MSM].pu[2].os, 0);
    weir_placement_clear(&p);
    const uint32_t too_many[WEIR_USE_COUNT] = {1, WEIR_POOL_MAX_THREADS + 1, 1, 1};
    weir_errinfo ei = {0};
    assert_int_equal(weir_topology_plan(&p, t, too_many, &ei), WEIR_E_USAGE);
    assert_non_null(strstr(ei.text, "fill"));
    assert_null(p.use[0].pu);
    weir_topology_free(t);
}

/* ---- this machine */

static void test_this_machine(void **state)
{
    (void)state;
    cpu_set_t before, one;
    uint32_t *os = weir_malloc(WEIR_MAX_PUS, sizeof *os);
    weir_topology *t;
    weir_errinfo ei = {0};
    uint32_t n = weir_allowed_pus(os);
    assert_true(n >= 1);
    assert_int_equal(weir_topology_new(&t, &ei), WEIR_OK);
    check_facts(t);
    assert_in_range(t->pus, 1, n);
    weir_topology_free(t);
    /* the last one alone */
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    CPU_SET(os[n - 1], &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    uint32_t last = os[n - 1];
    assert_int_equal(weir_allowed_pus(os), 1);
    assert_int_equal(weir_topology_new(&t, &ei), WEIR_OK);
    assert_int_equal(t->pus, 1);
    assert_int_equal(t->pu[0].os, last);
    check_facts(t);
    weir_topology_free(t);
    cpu_set_t after; /* reading did not move this thread for good */
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&one, &after));
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    weir_free(os);
}

static void test_unreadable(void **state)
{
    (void)state;
    static const uint32_t os[3] = {2, 5, 700};
    static const char *const bad[] = {"Core:", "no machine", "PU:2 Core:2"};
    char line[100];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        weir_topology *t = machine_of(bad[i], os, 3);
        assert_int_equal(t->why.code, WEIR_E_FORMAT);
        assert_non_null(strstr(t->why.text, bad[i]));
        check_facts(t);
        assert_int_equal(t->pus, 3);
        assert_int_equal(t->l3s, 1);
        assert_int_equal(t->pu[2].os, 700);
        weir_topology_print(line, sizeof line, t);
        assert_string_equal(line, "3 threads, cores and caches unknown");
        check_plan(t, (uint32_t[]){2, 2, 1, 1});
        weir_topology_free(t);
    }
    /* read, but nothing of it may be used */
    weir_topology *t = machine_of("Core:2 PU:1", os, 3);
    assert_int_equal(t->why.code, WEIR_E_IO);
    assert_non_null(strstr(t->why.text, "2 PUs"));
    assert_int_equal(t->pus, 3);
    weir_topology_free(t);
}

static void test_no_memory(void **state)
{
    (void)state;
    const uint32_t threads[WEIR_USE_COUNT] = {0};
    static const char *const text[] = {"L3Cache:2 Core:2 PU:2", "no machine"};
    weir_errinfo ei;
    for (int i = 0; i < 2; i++) {
        weir_err err = WEIR_E_NOMEM;
        uint64_t nth = 0;
        while (err == WEIR_E_NOMEM) {
            weir_topology *t = (weir_topology *)1;
            ei = (weir_errinfo){0};
            weir_alloc_fail_nth(++nth, 0);
            err = weir_topology_synthetic(&t, text[i], NULL, 0, &ei);
            weir_alloc_fail_nth(0, 0);
            assert_int_equal(ei.code, err);
            if (err == WEIR_E_NOMEM) assert_null(t);
            if (err == WEIR_OK) weir_topology_free(t);
        }
        assert_int_equal(err, WEIR_OK);
        assert_int_equal(nth, i == 0 ? 6 : 5);
    }
    weir_topology *t = machine(text[0]);
    for (uint64_t nth = 1; nth <= 11; nth++) {
        weir_placement p;
        weir_alloc_fail_nth(nth, 0);
        assert_int_equal(weir_topology_plan(&p, t, threads, &ei), WEIR_E_NOMEM);
        weir_alloc_fail_nth(0, 0);
        for (int use = 0; use < WEIR_USE_COUNT; use++) assert_null(p.use[use].pu);
    }
    weir_topology_free(t);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machines),    cmocka_unit_test(test_random_plans),
        cmocka_unit_test(test_known_plans), cmocka_unit_test(test_this_machine),
        cmocka_unit_test(test_unreadable),  cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
