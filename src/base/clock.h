/* Time. */
#ifndef WEIR_BASE_CLOCK_H
#define WEIR_BASE_CLOCK_H

#include <stdint.h>

/* Monotonic, in nanoseconds from some fixed point. */
uint64_t weir_now_ns(void);
/* CPU time of this process (all threads), in nanoseconds: the figure to trust on a shared machine. */
uint64_t weir_cpu_ns(void);
/* CPU time of the calling thread, in nanoseconds. */
uint64_t weir_thread_cpu_ns(void);

#endif
