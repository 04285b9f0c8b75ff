/* The seam to a device: what takes a packed witness and a key and gives the five sums of a Groth16 proof.
 *
 * A backend is a constant table of functions. A session ties it to one relation and one key, so that what can be kept
 * between proofs (a transform plan, a key in device memory) is made once:
 *
 *     can ─► begin ─► run, run, ... ─► end
 *
 * A session may be asked for some of the sums alone (weir_term), so that two devices can share a proof
 * (hybrid_backend.h).
 *
 * Every backend gives the same points for the same witness and key; the CPU's is the reference. Blinding, alpha, beta
 * and verification are not its business (groth16/prove.c).
 */
#ifndef WEIR_COMPUTE_COMPUTE_H
#define WEIR_COMPUTE_COMPUTE_H

#include "base/err.h"
#include "base/exec.h"
#include "compute/key_points.h"
#include "curve/types.h"
#include "relation/relation.h"

#include <stdint.h>

/* The parts of a proof's sums. Bits: over the points whose column is a bit column, dense: over those of inputs and dense columns. A set of terms is
 * an or of these. */
typedef enum weir_term {
    WEIR_TERM_H = 1,
    WEIR_TERM_L_BITS = 2,
    WEIR_TERM_L_DENSE = 4,
    WEIR_TERM_A_BITS = 8,
    WEIR_TERM_A_DENSE = 16,
    WEIR_TERM_B1_BITS = 32,
    WEIR_TERM_B1_DENSE = 64,
    WEIR_TERM_B2_BITS = 128,
    WEIR_TERM_B2_DENSE = 256
} weir_term;
/* G2: the whole sum over b in G2. Tails: the dense parts in G1. */
#define WEIR_TERMS_ALL   ((uint32_t)511)
#define WEIR_TERMS_G2    ((uint32_t)(WEIR_TERM_B2_BITS | WEIR_TERM_B2_DENSE))
#define WEIR_TERMS_TAILS ((uint32_t)(WEIR_TERM_L_DENSE | WEIR_TERM_A_DENSE | WEIR_TERM_B1_DENSE))

/* z = inputs with ONE, then auxiliary columns; h_j = coefficients of (A z)(B z) - (C z) over x^n - 1. A proof needs h + l alone,
 * so a backend may count terms of l under h. */
typedef struct weir_sums {
    weir_g1 h;  /* sum h_j H_j */
    weir_g1 l;  /* sum over auxiliary columns of z_i L_i */
    weir_g1 a;  /* sum z_i A_i over the a query */
    weir_g1 b1; /* sum z_i B_i over the b query, in G1 */
    weir_g2 b2; /* and in G2 */
} weir_sums;

/* Time by stage, of the host's clock or the device's. up_bytes, down_bytes: that went to a device and came back. bit_points, dense_points: how many points of l, a, b_g1 and b_g2 were summed by their bit and how
 * many by a scalar (h, all scalars, not counted). */
typedef struct weir_sums_stats {
    uint64_t eval_ns, ntt_ns, h_ns, l_ns, a_ns, b1_ns, b2_ns;
    uint64_t up_bytes, down_bytes;
    uint64_t bit_points, dense_points;
} weir_sums_stats;

/* One backend's state for one relation and key. Each backend defines its own. */
typedef struct weir_session weir_session;

/* Peak bytes of one session with one run in it, beside witness, relation and what stands behind the key. */
typedef struct weir_need {
    const char *plan;      /* a word for how it would be done */
    uint64_t host_bytes;   /* pinned ones among them */
    uint64_t pinned_bytes; /* host memory that cannot be swapped out */
    uint64_t device_bytes;
} weir_need;

/* terms: what a session adds up; a sum without any of its terms is infinity, one with some of them their sum. Each backend says which sets it
 * knows; all know WEIR_TERMS_ALL. WEIR_E_USAGE for others.
 * budget_bytes: of the device's memory, the CPU's device being the host; UINT64_MAX: what is free now. */
typedef struct weir_backend {
    const char *name;
    void *device; /* the backend's own */
    /* May the key, of this shape, serve the relation here within a budget? Errors: WEIR_E_MISMATCH; WEIR_E_NOMEM with both
     * figures. */
    weir_err (*can)(const struct weir_backend *b, const weir_relation *rel,
                    const weir_key_points *key, uint32_t terms, uint64_t budget_bytes,
                    const weir_exec *x, weir_errinfo *ei);
    /* What begin would take if budget_bytes were free, which nobody looks at unless it is UINT64_MAX. Errors: WEIR_E_NOMEM with both
     * figures. */
    weir_err (*bytes)(const struct weir_backend *b, weir_need *out, const weir_relation *rel,
                      uint32_t terms, uint64_t budget_bytes, const weir_exec *x, weir_errinfo *ei);
    /* What sessions could take of the device's memory now. NULL: nothing but the host's bounds it. Errors: WEIR_E_DEVICE. */
    weir_err (*free_bytes)(const struct weir_backend *b, uint64_t *out, weir_errinfo *ei);
    /* Keeps: rel until end, and the key where the backend has no copy of it. Errors: WEIR_E_MISMATCH, WEIR_E_NOMEM; those of
     * the key's reader; WEIR_E_CANCELLED; WEIR_E_DEVICE. */
    weir_err (*begin)(const struct weir_backend *b, weir_session **out, const weir_relation *rel,
                      const weir_key_points *key, uint32_t terms, uint64_t budget_bytes,
                      const weir_exec *x, weir_errinfo *ei);
    /* In: a filled witness of the session's relation that satisfies it (else the sums are of no use; nothing here
     * notices). stats may be NULL. Thread: one run at a time in a session. Errors: those of the key's reader;
     * WEIR_E_NOMEM; WEIR_E_CANCELLED; WEIR_E_DEVICE. The session may be used again after an error. */
    weir_err (*run)(weir_session *session, weir_sums *out, const weir_witness *w,
                    weir_sums_stats *stats, const weir_exec *x, weir_errinfo *ei);
    /* NULL is allowed. */
    void (*end)(weir_session *session);
} weir_backend;

/* Of *budget_bytes so much as is free. Errors: WEIR_E_DEVICE. */
weir_err weir_backend_clip(const weir_backend *b, uint64_t *budget_bytes,
                           weir_errinfo *ei) WEIR_MUST_USE;

/* The processor itself, for any set of terms. Cost of a run: six transforms, one multi-scalar multiplication of the domain's size, and per
 * section an addition a set bit and a multi-scalar multiplication over the dense columns. */
const weir_backend *weir_cpu_backend(void);

#endif
