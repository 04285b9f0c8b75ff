#include "base/topology.h"

#include "base/alloc.h"

#include <errno.h>
#include <hwloc.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What is being read: the facts, and hwloc's objects that were counted last. PUs come in the order of the tree, so those of one
 * core, and the cores of one cache, come one after another. */
typedef struct reading {
    weir_topology *t;
    hwloc_topology_t hw;
    const uint32_t *os; /* rising; NULL: all PUs may be used */
    uint32_t n;
    hwloc_obj_t core, l3, *node;
} reading;

static bool may_use(const reading *r, uint32_t os)
{
    uint32_t lo = 0, hi = r->n;
    if (os >= WEIR_MAX_PUS) return false;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (r->os[mid] < os)
            lo = mid + 1;
        else
            hi = mid;
    }
    return !r->os || (lo < r->n && r->os[lo] == os);
}

/* Room for as many of each as there are PUs. */
static bool make_room(weir_topology *t, uint32_t pus)
{
    t->pu = weir_calloc(pus, sizeof *t->pu);
    t->l3 = weir_calloc(pus, sizeof *t->l3);
    t->numa = weir_calloc(pus, sizeof *t->numa);
    return t->pu && t->l3 && t->numa;
}

/* ---- without hwloc */

static void one_domain(weir_topology *t, const uint32_t *os, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) t->pu[i] = (weir_pu){.os = os ? os[i] : i, .core = i};
    t->l3[0] = (weir_l3){.pus = n, .cores = n};
    t->numa[0] = (weir_numa){.pus = n};
    t->pus = t->cores = n;
    t->l3s = t->nodes = 1;
}

/* ---- with it */

static hwloc_obj_t node_of(const reading *r, hwloc_obj_t pu)
{
    int os = pu->nodeset ? hwloc_bitmap_first(pu->nodeset) : -1;
    return os < 0 ? NULL : hwloc_get_numanode_obj_by_os_index(r->hw, (unsigned)os);
}

/* The index of the PU's node, which may be a new one. */
static uint32_t count_node(reading *r, hwloc_obj_t pu)
{
    weir_topology *t = r->t;
    hwloc_obj_t node = node_of(r, pu);
    uint32_t i = 0;
    while (i < t->nodes && r->node[i] != node) i++;
    if (i == t->nodes) {
        r->node[i] = node;
        t->numa[i].bytes = node ? node->attr->numanode.local_memory : 0;
        t->nodes++;
    }
    t->numa[i].pus++;
    return i;
}

static void count_pu(reading *r, hwloc_obj_t pu)
{
    weir_topology *t = r->t;
    hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(r->hw, HWLOC_OBJ_CORE, pu);
    hwloc_obj_t l3 = hwloc_get_ancestor_obj_by_type(r->hw, HWLOC_OBJ_L3CACHE, pu);
    hwloc_obj_t domain = l3 ? l3 : node_of(r, pu);
    if (t->pus == 0 || domain != r->l3) t->l3[t->l3s++].bytes = l3 ? l3->attr->cache.size : 0;
    weir_l3 *into = &t->l3[t->l3s - 1];
    if (t->pus == 0 || !core || core != r->core) {
        t->cores++;
        into->cores++;
    }
    into->pus++;
    r->core = core;
    r->l3 = domain;
    t->pu[t->pus++] = (weir_pu){
        .os = pu->os_index, .core = t->cores - 1, .l3 = t->l3s - 1, .node = count_node(r, pu)};
}

/* In: r->hw was initialized. */
static weir_err load(hwloc_topology_t hw, const char *synthetic, weir_errinfo *ei)
{
    if (synthetic && hwloc_topology_set_synthetic(hw, synthetic) != 0)
        return weir_fail(ei, WEIR_E_FORMAT, "hwloc takes no machine '%s'", synthetic);
    if (hwloc_topology_load(hw) != 0)
        return weir_fail(ei, WEIR_E_IO,
                         "hwloc cannot read this machine (%s); 'lstopo' may show why, and "
                         "threads are not placed meanwhile",
                         strerror(errno));
    return WEIR_OK;
}

/* WEIR_E_NOMEM alone is an error to the caller. */
static weir_err count_all(reading *r, weir_errinfo *ei)
{
    int found = hwloc_get_nbobjs_by_type(r->hw, HWLOC_OBJ_PU);
    uint32_t max = found > 0 ? (uint32_t)found : 0;
    r->node = weir_calloc(max, sizeof *r->node);
    if (!r->node || !make_room(r->t, max))
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for the %u PUs of this machine", max);
    for (uint32_t i = 0; i < max; i++) {
        hwloc_obj_t pu = hwloc_get_obj_by_type(r->hw, HWLOC_OBJ_PU, i);
        if (may_use(r, pu->os_index)) count_pu(r, pu);
    }
    if (r->t->pus == 0)
        return weir_fail(ei, WEIR_E_IO,
                         "hwloc sees %u PUs on this machine and none that this process may use; "
                         "'lstopo' may show why, and threads are not placed meanwhile",
                         max);
    return WEIR_OK;
}

static weir_err read_machine(reading *r, const char *synthetic, weir_errinfo *ei)
{
    if (hwloc_topology_init(&r->hw) != 0)
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for hwloc's view of the machine");
    weir_err err = load(r->hw, synthetic, ei);
    if (err == WEIR_OK) err = count_all(r, ei);
    weir_free(r->node);
    hwloc_topology_destroy(r->hw);
    return err;
}

static void drop_facts(weir_topology *t)
{
    weir_free(t->pu);
    weir_free(t->l3);
    weir_free(t->numa);
    t->pu = NULL;
    t->l3 = NULL;
    t->numa = NULL;
}

/* os NULL: all. */
static weir_err read_or_guess(weir_topology **out, const char *synthetic, const uint32_t *os,
                              uint32_t n, weir_errinfo *ei)
{
    weir_topology *t = weir_calloc(1, sizeof *t);
    *out = NULL;
    if (!t) return weir_fail(ei, WEIR_E_NOMEM, "no memory for the facts of this machine");
    reading r = {.t = t, .os = os, .n = n};
    weir_err err = read_machine(&r, synthetic, &t->why);
    if (err != WEIR_OK && err != WEIR_E_NOMEM) {
        const uint32_t guess = os ? n : 1;
        drop_facts(t);
        if (make_room(t, guess)) {
            one_domain(t, os, guess);
            err = WEIR_OK;
        } else {
            err = weir_fail(&t->why, WEIR_E_NOMEM, "no memory for %u PUs", guess);
        }
    }
    if (err != WEIR_OK) {
        weir_fail(ei, err, "%s", t->why.text);
        weir_topology_free(t);
        return err;
    }
    *out = t;
    return WEIR_OK;
}

weir_err weir_topology_new(weir_topology **out, weir_errinfo *ei)
{
    uint32_t *os = weir_malloc(WEIR_MAX_PUS, sizeof *os);
    *out = NULL;
    if (!os) return weir_fail(ei, WEIR_E_NOMEM, "no memory for the PUs of this machine");
    weir_err err = read_or_guess(out, NULL, os, weir_allowed_pus(os), ei);
    weir_free(os);
    return err;
}

weir_err weir_topology_synthetic(weir_topology **out, const char *text, const uint32_t *os,
                                 uint32_t n, weir_errinfo *ei)
{
    return read_or_guess(out, text, n > 0 ? os : NULL, n, ei);
}

void weir_topology_free(weir_topology *t)
{
    if (!t) return;
    drop_facts(t);
    weir_free(t);
}

/* ---- for people */

static const char *plural(uint32_t n)
{
    return n == 1 ? "" : "s";
}

/* "32 MiB", "16 to 32 MiB" */
static void print_sizes(char *out, size_t bytes, const weir_topology *t)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (uint32_t i = 0; i < t->l3s; i++) {
        uint64_t mib = t->l3[i].bytes >> 20;
        if (mib < least) least = mib;
        if (mib > most) most = mib;
    }
    if (most == 0)
        snprintf(out, bytes, "unknown size");
    else if (least == most)
        snprintf(out, bytes, "%" PRIu64 " MiB", most);
    else
        snprintf(out, bytes, "%" PRIu64 " to %" PRIu64 " MiB", least, most);
}

void weir_topology_print(char *out, size_t bytes, const weir_topology *t)
{
    char sizes[64];
    if (t->why.code != WEIR_OK) {
        snprintf(out, bytes, "%u thread%s, cores and caches unknown", t->pus, plural(t->pus));
        return;
    }
    print_sizes(sizes, sizeof sizes, t);
    snprintf(out, bytes, "%u thread%s on %u core%s, %u L3 of %s, %u NUMA node%s", t->pus,
             plural(t->pus), t->cores, plural(t->cores), t->l3s, sizes, t->nodes, plural(t->nodes));
}
