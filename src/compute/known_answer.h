/* A backend against the CPU's answer, before it is trusted. */
#ifndef WEIR_COMPUTE_KNOWN_ANSWER_H
#define WEIR_COMPUTE_KNOWN_ANSWER_H

#include "compute/compute.h"

/* Runs a small circuit with a key of its own on the backend and compares all sums with the CPU's: rows with constants and products at
 * the edges of the field (0, 1, -1, powers of two and their neighbours), transforms of several passes (a domain of 2^12),
 * dense sums and sums over bits in both groups, of points among which are infinity, equal and opposite ones. Rows, values and points
 * are the same each time. Twice in one session, since the first run may find memory zeroed.
 * Errors: WEIR_E_DEVICE with the name of the sum that is wrong; those of the backend; WEIR_E_NOMEM. Cost: about 0.2 s of the CPU. */
weir_err weir_backend_known_answer(const weir_backend *b, const weir_exec *x,
                                   weir_errinfo *ei) WEIR_MUST_USE;

#endif
