/* Is every point what a key may hold? A table of functions, so that the work may be done elsewhere than on the CPU. */
#ifndef WEIR_CURVE_POINT_CHECK_H
#define WEIR_CURVE_POINT_CHECK_H

#include "base/err.h"
#include "base/exec.h"
#include "curve/types.h"

#include <stddef.h>
#include <stdint.h>

/* Checks n points: coordinates below p, on the curve, in the subgroup, not infinity. Errors: WEIR_E_ENCODING,
 * WEIR_E_NOT_ON_CURVE, WEIR_E_NOT_IN_SUBGROUP, WEIR_E_INFINITY, and *bad is then the number of the first point that fails and ei is
 * left alone; WEIR_E_CANCELLED, and what a device may say, with a sentence. Thread: one call at a time. */
typedef struct weir_point_check {
    void *ctx;
    weir_err (*g1)(void *ctx, const weir_g1_affine *points, size_t n, size_t *bad,
                   weir_errinfo *ei);
    weir_err (*g2)(void *ctx, const weir_g2_affine *points, size_t n, size_t *bad,
                   weir_errinfo *ei);
} weir_point_check;

/* Is err one of those that *bad goes with? */
bool weir_point_check_found(weir_err err);

/* On all threads of x's pool, eight at a time where the path has that. Keeps: x. Cost: about 1,030 products in Fp a point in G1,
 * 1,200 in G2; 12 KB of stack a thread. */
void weir_point_check_cpu(weir_point_check *out, const weir_exec *x);

/* What checking so many points will take, from a sample of a few milliseconds. Errors: those of the check. */
weir_err weir_point_check_estimate(uint64_t *ns, const weir_point_check *check, uint64_t g1_points,
                                   uint64_t g2_points, weir_errinfo *ei) WEIR_MUST_USE;

#endif
