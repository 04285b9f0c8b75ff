/* Who runs where: a pure function of the facts. P1 to P4 stand in the header.
 *
 * A use takes its PUs domain by domain, only such that the fewest uses have (P1). The domain with the most of them comes first,
 * until one has all that are still wanted; no other order needs fewer domains (P2). */
#include "base/alloc.h"
#include "base/pool.h"
#include "base/topology.h"

#include <stdbool.h>
#include <string.h>

enum { MSM_DOMAINS = 4 };

const char *weir_use_name(weir_use use)
{
    static const char *const names[WEIR_USE_COUNT] = {"msm", "fill", "device", "finish"};
    return names[use];
}

/* ---- defaults */

/* The PUs of the n-th to m-th largest domain. A machine has a few dozen. */
static uint32_t pus_of_largest(const weir_topology *t, uint32_t from, uint32_t to)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < t->l3s; i++) {
        uint32_t larger = 0;
        for (uint32_t k = 0; k < t->l3s; k++)
            larger += t->l3[k].pus > t->l3[i].pus || (t->l3[k].pus == t->l3[i].pus && k < i);
        if (larger >= from && larger < to) sum += t->l3[i].pus;
    }
    return sum;
}

static uint32_t at_most_a_pool(uint32_t n)
{
    return n < WEIR_POOL_MAX_THREADS ? n : WEIR_POOL_MAX_THREADS;
}

uint32_t weir_topology_default_msm_threads(const weir_topology *t)
{
    return at_most_a_pool(pus_of_largest(t, 0, MSM_DOMAINS));
}

uint32_t weir_topology_default_fill_threads(const weir_topology *t)
{
    uint32_t left = pus_of_largest(t, MSM_DOMAINS, 2 * MSM_DOMAINS);
    return at_most_a_pool(left > 0 ? left : t->cores);
}

static uint32_t default_threads(const weir_topology *t, weir_use use)
{
    if (use == WEIR_USE_MSM) return weir_topology_default_msm_threads(t);
    if (use == WEIR_USE_FILL) return weir_topology_default_fill_threads(t);
    return 1;
}

/* ---- the plan in work */

/* How much of a domain, or a node, the use in work could take, and whether it has something there. */
typedef struct offer {
    uint32_t pus, cores; /* cores: that nobody works on */
    bool held;
} offer;

typedef struct planner {
    const weir_topology *t;
    uint32_t *load;       /* of a PU: threads of all uses */
    uint32_t *mine;       /* of a PU: threads of the use in work */
    uint32_t *crowd;      /* of a core: threads of all uses */
    offer *l3, *node;     /* at the level in work */
    uint32_t *l3_node;    /* the node of a domain's first PU */
    uint32_t *l3_first;   /* the domain's PUs: l3_first[d] .. l3_first[d+1]-1 */
    uint32_t level, turn; /* PUs with this load, of which the use has this many times */
} planner;

static bool offered(const planner *p, uint32_t pu)
{
    return p->load[pu] == p->level && p->mine[pu] == p->turn;
}

/* The PUs to choose from next: those that the use has least often (P4), and of these those of the fewest threads (P1). */
static void find_level(planner *p)
{
    p->turn = p->level = UINT32_MAX;
    for (uint32_t i = 0; i < p->t->pus; i++) {
        if (p->mine[i] > p->turn || (p->mine[i] == p->turn && p->load[i] >= p->level)) continue;
        p->turn = p->mine[i];
        p->level = p->load[i];
    }
}

static void count_offers(planner *p)
{
    const weir_topology *t = p->t;
    memset(p->l3, 0, t->l3s * sizeof *p->l3);
    memset(p->node, 0, t->nodes * sizeof *p->node);
    for (uint32_t i = 0; i < t->pus; i++) {
        const weir_pu *pu = &t->pu[i];
        offer *d = &p->l3[pu->l3], *n = &p->node[pu->node];
        bool first_of_core = i == 0 || t->pu[i - 1].core != pu->core;
        d->cores += first_of_core && p->crowd[pu->core] == 0;
        d->pus += offered(p, i);
        n->pus += offered(p, i);
        if (p->mine[i] > 0) d->held = n->held = true;
    }
}

/* 1: a is more; -1: b is; 0: neither. */
static int more(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

/* Whether domain a is to be taken before b, where `need` are wanted. Both offer something. */
static bool before(const planner *p, uint32_t a, uint32_t b, uint32_t need)
{
    const offer *x = &p->l3[a], *y = &p->l3[b];
    const offer *xn = &p->node[p->l3_node[a]], *yn = &p->node[p->l3_node[b]];
    const bool fits = x->pus >= need;
    int sign = more(x->held, y->held);
    if (!sign) sign = more(fits, y->pus >= need);
    if (!sign && !fits) sign = more(x->pus, y->pus);
    if (!sign && fits)
        sign = more(x->cores < need ? x->cores : need, y->cores < need ? y->cores : need);
    if (!sign) sign = more(xn->held, yn->held);
    if (!sign) sign = fits ? more(y->pus, x->pus) : more(x->cores, y->cores);
    if (!sign) sign = more(xn->pus, yn->pus);
    return sign > 0;
}

static uint32_t choose_domain(const planner *p, uint32_t need)
{
    uint32_t best = p->t->l3s;
    for (uint32_t d = 0; d < p->t->l3s; d++)
        if (p->l3[d].pus > 0 && (best == p->t->l3s || before(p, d, best, need))) best = d;
    return best;
}

/* The offered PU of the domain on the core with the fewest threads (P3). */
static uint32_t choose_pu(const planner *p, uint32_t domain)
{
    const weir_topology *t = p->t;
    uint32_t best = t->pus;
    for (uint32_t i = p->l3_first[domain]; i < p->l3_first[domain + 1]; i++)
        if (offered(p, i) &&
            (best == t->pus || p->crowd[t->pu[i].core] < p->crowd[t->pu[best].core]))
            best = i;
    return best;
}

static void place(planner *p, weir_pu_set *set, uint32_t threads)
{
    memset(p->mine, 0, p->t->pus * sizeof *p->mine);
    while (set->n < threads) {
        const uint32_t need = threads - set->n;
        find_level(p);
        count_offers(p);
        const uint32_t domain = choose_domain(p, need);
        uint32_t take = p->l3[domain].pus < need ? p->l3[domain].pus : need;
        for (; take > 0; take--) {
            const uint32_t pu = choose_pu(p, domain);
            p->load[pu]++;
            p->mine[pu]++;
            p->crowd[p->t->pu[pu].core]++;
            set->pu[set->n++] = p->t->pu[pu];
        }
    }
}

/* ---- beginning and end */

static void find_domains(planner *p)
{
    const weir_topology *t = p->t;
    for (uint32_t i = t->pus; i-- > 0;) {
        p->l3_first[t->pu[i].l3] = i;
        p->l3_node[t->pu[i].l3] = t->pu[i].node;
    }
    p->l3_first[t->l3s] = t->pus;
}

static bool begin(planner *p, const weir_topology *t)
{
    *p = (planner){.t = t};
    p->load = weir_calloc(t->pus, sizeof *p->load);
    p->mine = weir_calloc(t->pus, sizeof *p->mine);
    p->crowd = weir_calloc(t->cores, sizeof *p->crowd);
    p->l3 = weir_calloc(t->l3s, sizeof *p->l3);
    p->node = weir_calloc(t->nodes, sizeof *p->node);
    p->l3_node = weir_calloc(t->l3s, sizeof *p->l3_node);
    p->l3_first = weir_calloc((size_t)t->l3s + 1, sizeof *p->l3_first);
    if (!p->load || !p->mine || !p->crowd || !p->l3 || !p->node || !p->l3_node || !p->l3_first)
        return false;
    find_domains(p);
    return true;
}

static void end(planner *p)
{
    weir_free(p->load);
    weir_free(p->mine);
    weir_free(p->crowd);
    weir_free(p->l3);
    weir_free(p->node);
    weir_free(p->l3_node);
    weir_free(p->l3_first);
}

static bool place_all(planner *p, weir_placement *out, const uint32_t *threads)
{
    for (int use = 0; use < WEIR_USE_COUNT; use++) {
        uint32_t n = threads[use] ? threads[use] : default_threads(p->t, (weir_use)use);
        weir_pu_set *set = &out->use[use];
        set->pu = weir_calloc(n, sizeof *set->pu);
        if (!set->pu) return false;
        place(p, set, n);
    }
    return true;
}

weir_err weir_topology_plan(weir_placement *out, const weir_topology *t,
                            const uint32_t threads[WEIR_USE_COUNT], weir_errinfo *ei)
{
    planner p;
    memset(out, 0, sizeof *out);
    for (int use = 0; use < WEIR_USE_COUNT; use++)
        if (threads[use] > WEIR_POOL_MAX_THREADS)
            return weir_fail(ei, WEIR_E_USAGE, "%u threads asked for (%s); at most %u are possible",
                             threads[use], weir_use_name((weir_use)use), WEIR_POOL_MAX_THREADS);
    bool done = begin(&p, t) && place_all(&p, out, threads);
    end(&p);
    if (done) return WEIR_OK;
    weir_placement_clear(out);
    return weir_fail(ei, WEIR_E_NOMEM, "no memory for the placement of threads on %u PUs", t->pus);
}

void weir_placement_clear(weir_placement *p)
{
    for (int use = 0; use < WEIR_USE_COUNT; use++) weir_free(p->use[use].pu);
    memset(p, 0, sizeof *p);
}
