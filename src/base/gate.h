/* The bandwidth gate: work that is bound by memory asks for credits between ranges, so that what runs beside it is not slowed down.
 *
 * A stage asks for as many credits as it has threads at work, and gives them back after each range (some milliseconds). A sum on
 * the CPU that must not be slowed (in G2, or a tail) closes the gate: who holds credits goes on to the end of its range, nobody gets new
 * ones until it opens again. Those who wait get credits in the order in which they came. Switched off, it lets all through and counts
 * them all the same. Who holds credits, or has closed the gate, must not ask: nobody would be left to let it in.
 * Thread: any. Routines below the engine use it through base/exec.h.
 */
#ifndef WEIR_BASE_GATE_H
#define WEIR_BASE_GATE_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct weir_gate weir_gate;

/* credits: at least 1. on: false lets all through. Errors: WEIR_E_NOMEM. */
weir_err weir_gate_new(weir_gate **out, uint32_t credits, bool on, weir_errinfo *ei) WEIR_MUST_USE;
/* In: nobody holds credits. NULL is allowed. */
void weir_gate_free(weir_gate *g);

/* Waits, asleep, until n credits are there and the gate is open; n above all there are is taken for all. Returns how many it got. */
uint32_t weir_gate_enter(weir_gate *g, uint32_t n);
/* As many as enter returned; 0 is nothing. */
void weir_gate_leave(weir_gate *g, uint32_t n);

/* When somebody began and ended to wait, in the clock of weir_now_ns; 0 and 0: it did not have to. */
typedef struct weir_gate_wait {
    uint64_t begin_ns, end_ns;
} weir_gate_wait;

/* The same, but gives up with 0 credits once *cancel is not zero, within some milliseconds. cancel NULL: never. wait may be NULL. */
uint32_t weir_gate_enter_unless(weir_gate *g, uint32_t n, const volatile int *cancel,
                                weir_gate_wait *wait);

/* May be closed by several at once; it opens when all have opened it. */
void weir_gate_close(weir_gate *g);
void weir_gate_open(weir_gate *g);

/* Times it was asked; of these with a wait, cancelled ones too; all waits together; times it was closed, and how long. */
typedef struct weir_gate_stats {
    uint64_t entered, waited, waited_ns;
    uint64_t closed, closed_ns;
} weir_gate_stats;
void weir_gate_count(weir_gate *g, weir_gate_stats *out);

#endif
