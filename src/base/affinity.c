#include "base/affinity.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

/* The kernel's bit mask; the one type holds CPU_SETSIZE of them. */
typedef struct pu_mask {
    cpu_set_t part[WEIR_MAX_PUS / CPU_SETSIZE];
} pu_mask;

uint32_t weir_allowed_pus(uint32_t *os)
{
    pu_mask mask;
    uint32_t n = 0;
    memset(&mask, 0, sizeof mask);
    if (sched_getaffinity(0, sizeof mask, mask.part) == 0)
        for (uint32_t i = 0; i < WEIR_MAX_PUS; i++)
            if (CPU_ISSET_S(i, sizeof mask, mask.part)) os[n++] = i;
    if (n > 0) return n;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (online > WEIR_MAX_PUS) online = WEIR_MAX_PUS;
    do os[n] = n;
    while (++n < online);
    return n;
}

static void add(pu_mask *mask, const weir_pu *pu)
{
    if (pu->os < WEIR_MAX_PUS) CPU_SET_S(pu->os, sizeof *mask, mask->part);
}

bool weir_bind_thread(pthread_t thread, const weir_pu_set *set, uint32_t i)
{
    pu_mask mask;
    if (set->n == 0) return false;
    memset(&mask, 0, sizeof mask);
    const weir_pu *home = &set->pu[i % set->n];
    for (uint32_t k = 0; k < set->n; k++)
        if (set->pu[k].l3 == home->l3) add(&mask, &set->pu[k]);
    return pthread_setaffinity_np(thread, sizeof mask, mask.part) == 0;
}

bool weir_bind_self(const weir_pu_set *set)
{
    pu_mask mask;
    if (set->n == 0) return false;
    memset(&mask, 0, sizeof mask);
    for (uint32_t k = 0; k < set->n; k++) add(&mask, &set->pu[k]);
    return pthread_setaffinity_np(pthread_self(), sizeof mask, mask.part) == 0;
}
