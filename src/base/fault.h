/* The first thing that goes wrong in a loop of tasks on many threads, whatever their number.
 *
 * Each thread keeps the first fault that it met in a weir_fault of its own and skips what it takes later. Tasks are taken in rising
 * order, so the first bad one is always tried by somebody. */
#ifndef WEIR_BASE_FAULT_H
#define WEIR_BASE_FAULT_H

#include "base/err.h"

#include <stddef.h>

typedef struct weir_fault {
    weir_errinfo info;
    weir_err err; /* WEIR_OK: nothing */
    size_t task;
} weir_fault;

/* Of n threads' faults that of the lowest task, or WEIR_OK. In: the loop has ended. */
weir_err weir_fault_first(const weir_fault *fault, unsigned n, weir_errinfo *ei) WEIR_MUST_USE;

#endif
