/* For tests and benches: the same routines with the window forced. */
#ifndef WEIR_MSM_INTERNAL_H
#define WEIR_MSM_INTERNAL_H

#include "msm/msm.h"
#include "msm/msm_plan.h"

/* window: WEIR_MSM_MIN_WINDOW .. WEIR_MSM_MAX_WINDOW. Anything else: WEIR_E_RANGE. Few points too go through
 * the buckets. */
weir_err weir_msm_g1_window(weir_g1 *out, const weir_g1_affine *points, const weir_scalar *scalars,
                            size_t n, unsigned window, const weir_exec *x,
                            weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_msm_g2_window(weir_g2 *out, const weir_g2_affine *points, const weir_scalar *scalars,
                            size_t n, unsigned window, const weir_exec *x,
                            weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_fixed_g1_new_window(weir_fixed_g1 **out, const weir_g1_affine *base, unsigned window,
                                  const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_fixed_g2_new_window(weir_fixed_g2 **out, const weir_g2_affine *base, unsigned window,
                                  const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;

#endif
