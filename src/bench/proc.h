/* What the system counted for this process, to see what a way of working costs beside time. */
#ifndef WEIR_BENCH_PROC_H
#define WEIR_BENCH_PROC_H

#include <stdint.h>

#define WEIR_PROC_UNKNOWN UINT64_MAX

/* Since the start of the process, but for tlb_shootdowns: those of the whole machine, since it started, as interrupts on all
 * processors; WEIR_PROC_UNKNOWN where /proc/interrupts does not tell. */
typedef struct weir_proc {
    uint64_t cpu_ns;
    uint64_t minor_faults, major_faults;
    uint64_t switches, preempted; /* context switches: all, and those that were forced */
    uint64_t tlb_shootdowns;
} weir_proc;

void weir_proc_read(weir_proc *out);
/* after - before, member by member. */
weir_proc weir_proc_since(const weir_proc *before, const weir_proc *after);
/* The sum of the numbers of line "TLB:" in a text of /proc/interrupts. */
uint64_t weir_proc_tlb_of(const char *interrupts);

#endif
