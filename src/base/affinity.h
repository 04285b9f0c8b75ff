/* Processing units (PUs: the hardware threads of processors) and which of them threads run on. */
#ifndef WEIR_BASE_AFFINITY_H
#define WEIR_BASE_AFFINITY_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* As many as the kernel knows on any architecture; PUs with higher numbers are not used. */
enum { WEIR_MAX_PUS = 8192 };

typedef struct weir_pu {
    uint32_t os;             /* its number in the system */
    uint32_t core, l3, node; /* indexes in a weir_topology: its core, L3 domain, NUMA node */
} weir_pu;

/* PUs for the threads of one pool, one entry a thread. A PU may stand in it more than once. */
typedef struct weir_pu_set {
    weir_pu *pu;
    uint32_t n;
} weir_pu_set;

/* The system's numbers of the PUs that the calling thread may run on (so within the control group's cpuset), rising, to
 * os[0 .. WEIR_MAX_PUS-1]; how many. At least 1: where the system does not tell, 0, 1, ... for all that are online. */
uint32_t weir_allowed_pus(uint32_t *os);

/* Lets the thread run only on those PUs of the set that share an L3 domain with entry i mod n: it keeps its cache, and the
 * kernel still moves it out of the way of other programs. False: the system does not allow it (containers may forbid it), or the
 * set is empty; the thread then runs where it did. Thread: any. */
bool weir_bind_thread(pthread_t thread, const weir_pu_set *set, uint32_t i);
/* The calling thread, to all PUs of the set. */
bool weir_bind_self(const weir_pu_set *set);

#endif
