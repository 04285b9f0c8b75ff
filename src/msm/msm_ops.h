/* What the files compiled per instruction path export; the entry functions in msm.c pick a table by exec->isa. */
#ifndef WEIR_MSM_OPS_H
#define WEIR_MSM_OPS_H

#include "msm/msm.h"

#include <stdbool.h>

/* Stops the tasks of a loop. Once a task has been skipped the results are void, even if the caller takes the
 * wish to stop back, so that is remembered here. */
typedef struct weir_msm_stop {
    const weir_exec *x;
    int skipped;
} weir_msm_stop;

/* True if this task is to be left out. Thread: any. */
static inline bool weir_msm_stop_task(weir_msm_stop *s)
{
    if (!weir_exec_cancelled(s->x)) return false;
    __atomic_store_n(&s->skipped, 1, __ATOMIC_RELAXED);
    return true;
}

/* True if any task was left out, or is to be from now on. Thread: the one that runs the loops. */
static inline bool weir_msm_stopped(weir_msm_stop *s)
{
    return weir_msm_stop_task(s) || __atomic_load_n(&s->skipped, __ATOMIC_RELAXED) != 0;
}

/* window = 0: the cost model's choice. Functions as in msm.h. */
typedef struct weir_msm_g1_ops {
    weir_err (*msm)(weir_g1 *out, const weir_g1_affine *points, const weir_scalar *scalars,
                    size_t n, unsigned window, const weir_exec *x, weir_errinfo *ei);
    weir_err (*sum_bits)(weir_g1 *out, const weir_g1_affine *points, const uint64_t *bits, size_t n,
                         const weir_exec *x, weir_errinfo *ei);
    weir_err (*fixed_new)(weir_fixed_g1 **out, const weir_g1_affine *base, unsigned window,
                          const weir_exec *x, weir_errinfo *ei);
    weir_err (*fixed_mul)(const weir_fixed_g1 *t, weir_g1_affine *out, const weir_scalar *k,
                          size_t n, const weir_exec *x, weir_errinfo *ei);
    weir_err (*shifted_new)(weir_shifted_g1 **out, const weir_g1_affine *points, size_t n,
                            weir_errinfo *ei);
    weir_err (*shifted_msm)(weir_g1 *out, const weir_shifted_g1 *t, const weir_scalar *k,
                            weir_errinfo *ei);
} weir_msm_g1_ops;

typedef struct weir_msm_g2_ops {
    weir_err (*msm)(weir_g2 *out, const weir_g2_affine *points, const weir_scalar *scalars,
                    size_t n, unsigned window, const weir_exec *x, weir_errinfo *ei);
    weir_err (*sum_bits)(weir_g2 *out, const weir_g2_affine *points, const uint64_t *bits, size_t n,
                         const weir_exec *x, weir_errinfo *ei);
    weir_err (*fixed_new)(weir_fixed_g2 **out, const weir_g2_affine *base, unsigned window,
                          const weir_exec *x, weir_errinfo *ei);
    weir_err (*fixed_mul)(const weir_fixed_g2 *t, weir_g2_affine *out, const weir_scalar *k,
                          size_t n, const weir_exec *x, weir_errinfo *ei);
} weir_msm_g2_ops;

WEIR_ISA_DECLARE(weir_msm_g1_ops, weir_msm_g1_ops);
WEIR_ISA_DECLARE(weir_msm_g2_ops, weir_msm_g2_ops);

struct weir_fixed_g1 {
    unsigned window, windows;
    size_t multiples;      /* 2^(window-1): 1, 2, ... times the window's base */
    weir_g1_affine *table; /* windows * multiples */
};
struct weir_shifted_g1 {
    size_t n;
    unsigned windows;
    weir_g1_affine *table; /* window by window, n points each */
};
struct weir_fixed_g2 {
    unsigned window, windows;
    size_t multiples;
    weir_g2_affine *table;
};

#endif
