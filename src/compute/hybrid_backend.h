/* A device and the processor behind one seam: some terms of each proof are added up on the CPU while the device adds up the others.
 *
 * Each session is a session of the device and one of the CPU, of terms that make up the whole together. A run gives the CPU's part to the
 * hybrid's own thread, does the device's part on the calling thread, waits for both and adds their sums and statistics (times of a stage
 * that both had a part in add up, though they ran side by side).
 */
#ifndef WEIR_COMPUTE_HYBRID_BACKEND_H
#define WEIR_COMPUTE_HYBRID_BACKEND_H

#include "base/side.h"
#include "compute/compute.h"

typedef struct weir_hybrid {
    const weir_backend *_device;
    weir_exec _cpu;
    uint32_t _cpu_terms;
    weir_side *_side;
} weir_hybrid;

/* b: "hybrid", over h. cpu_terms: those of the CPU's part, if the session has them; the device must know the rest (of WEIR_TERMS_ALL: a GPU knows the
 * complements of WEIR_TERMS_G2, WEIR_TERMS_TAILS, and both). cpu: pool, isa and slabs of the CPU's part; its watch is not looked at.
 * The pool is for the hybrid alone: while a run is under way nobody else may use it, the caller's weir_exec least of all.
 * Keeps: h, device, and what cpu points to, until cleared.
 *
 * Of the backend: budget_bytes is the device's. bytes: what the device needs, and the CPU's part in host_bytes. A wish to stop ends both parts, and so
 * does an error of one: run returns the error that came first. Progress and pausing concern the device's part. Runs of several sessions
 * at once: as the device allows it; their CPU parts go one after the other.
 * Errors: WEIR_E_USAGE (terms beyond WEIR_TERMS_ALL), WEIR_E_NOMEM. Cost: starts a thread, which waits between runs. */
weir_err weir_hybrid_init(weir_backend *b, weir_hybrid *h, const weir_backend *device,
                          const weir_exec *cpu, uint32_t cpu_terms, weir_errinfo *ei) WEIR_MUST_USE;
/* In: every session has ended. Does nothing to one that is all zero. */
void weir_hybrid_clear(weir_hybrid *h);

#endif
