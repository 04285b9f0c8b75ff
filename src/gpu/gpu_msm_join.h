/* The end of a dense sum, on the host: the sums of windows that a device left, joined by doublings. */
#ifndef WEIR_GPU_MSM_JOIN_H
#define WEIR_GPU_MSM_JOIN_H

#include "curve/curve.h"
#include "curve/types.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* *out = the sum of 2^(c w) sums[w] over w < windows, for plan.windows and plan.c of a weir_dmsm_plan and what FINISH left in its
 * `out`. windows = 0: infinity. out may be one of sums. Thread: any. Cost: (windows - 1) c doublings, 0.1 ms in G1. */
void weir_dmsm_join_g1(weir_g1 *out, const weir_g1 *sums, uint32_t windows, uint32_t c,
                       const weir_curve_ops *ops);
void weir_dmsm_join_g2(weir_g2 *out, const weir_g2 *sums, uint32_t windows, uint32_t c,
                       const weir_curve_ops *ops);

#ifdef __cplusplus
}
#endif

#endif
