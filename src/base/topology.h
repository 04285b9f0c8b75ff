/* The machine as far as this process may use it, and who of the program runs where on it.
 *
 * What is read are facts; the plan is a pure function of them, so it is tested on machines that are not there. hwloc reads
 * the machine; where it cannot, all PUs count as cores of one L3 domain, and everything works as without placement. */
#ifndef WEIR_BASE_TOPOLOGY_H
#define WEIR_BASE_TOPOLOGY_H

#include "base/affinity.h"
#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* PUs that share an L3 cache; where none is told of, the PUs of a NUMA node. */
typedef struct weir_l3 {
    uint64_t bytes; /* of the cache; 0: not known */
    uint32_t pus, cores;
} weir_l3;

typedef struct weir_numa {
    uint64_t bytes; /* of the node's memory; 0: not known */
    uint32_t pus;
} weir_numa;

/* Read only once made; any number of threads. Only what this process may use is counted. */
typedef struct weir_topology {
    uint32_t pus, cores, l3s, nodes; /* each at least 1 */
    weir_pu *pu;                     /* by core, so by L3 domain too */
    weir_l3 *l3;
    weir_numa *numa; /* those that PUs belong to */
    weir_errinfo
        why; /* code WEIR_OK: the machine was read; else why not, and the facts are those without hwloc */
} weir_topology;

/* Reads this machine within the affinity of the calling thread. That it cannot be read is no error (see `why`).
 * Thread: any; the calling one is moved from PU to PU meanwhile, so the places of others are not disturbed. Cost: some
 * milliseconds. Errors: WEIR_E_NOMEM. */
weir_err weir_topology_new(weir_topology **out, weir_errinfo *ei) WEIR_MUST_USE;
/* A machine of hwloc's synthetic kind ("NUMANode:2 L3Cache:4 Core:8 PU:2"), of which the PUs os[0..n-1] may be used; n = 0:
 * all. A text that hwloc does not take gives a machine of those PUs (n = 0: of one) and says so in `why`. Errors: WEIR_E_NOMEM. */
weir_err weir_topology_synthetic(weir_topology **out, const char *text, const uint32_t *os,
                                 uint32_t n, weir_errinfo *ei) WEIR_MUST_USE;
void weir_topology_free(weir_topology *t);

/* One line for people without its end: "16 threads on 8 cores, 1 L3 of 32 MiB, 1 NUMA node". Cut if it is too long. */
void weir_topology_print(char *out, size_t bytes, const weir_topology *t);

/* ---- who runs where (topology_plan.c) */

/* In the order in which they take their PUs: who needs the caches most comes first. */
typedef enum weir_use {
    WEIR_USE_MSM,    /* sums over points on processors */
    WEIR_USE_FILL,   /* witnesses */
    WEIR_USE_DEVICE, /* the threads that feed devices */
    WEIR_USE_FINISH, /* assembling and verifying */
    WEIR_USE_COUNT
} weir_use;

const char *weir_use_name(weir_use use);

/* Threads for sums: the PUs of the largest L3 domains, four at most. More only press on the memory that others need. */
uint32_t weir_topology_default_msm_threads(const weir_topology *t);
/* Threads for witnesses: the PUs that the former leave, those of the largest L3 domains, four at most; where they leave none,
 * one for each core. */
uint32_t weir_topology_default_fill_threads(const weir_topology *t);

typedef struct weir_placement {
    weir_pu_set use[WEIR_USE_COUNT]; /* sizes are the numbers of threads */
} weir_placement;

/* PUs for threads[use] threads of each use; 0 stands for the default, which is 1 for devices and finishing. Each use, in their
 * order,
 *   P1  gets PUs that no use has, as long as there are any;
 *   P2  among these lies in as few L3 domains as is possible, in few NUMA nodes where there is a choice;
 *   P3  in a domain takes cores that nobody works on before second hardware threads;
 *   P4  gets no PU twice unless it has more threads than there are PUs.
 * Where PUs are short, those that the fewest uses have come first.
 * Errors: WEIR_E_USAGE (more than WEIR_POOL_MAX_THREADS), WEIR_E_NOMEM. Nothing is held then. */
weir_err weir_topology_plan(weir_placement *out, const weir_topology *t,
                            const uint32_t threads[WEIR_USE_COUNT], weir_errinfo *ei) WEIR_MUST_USE;
void weir_placement_clear(weir_placement *p);

#endif
