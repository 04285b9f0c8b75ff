/* Dense sums and sums over bits by the kernels' own source, run on the host step by step. Plain C. */
#ifndef WEIR_TEST_MSM_TWIN_H
#define WEIR_TEST_MSM_TWIN_H

#include "gpu/gpu_msm_plan.h"
#include "gpu/gpu_sort.h"
#include "gpu/gpu_sum_plan.h"

#include <stdbool.h>

/* In what order the threads of a block run: ascending, descending, or shuffled by seed. */
typedef struct twin_order {
    enum { TWIN_ASCENDING, TWIN_DESCENDING, TWIN_SHUFFLED } kind;
    uint64_t seed;
} twin_order;

/* Runs one step of a dense sum in G1 or G2; arrays of its arguments are host memory. False: no memory. */
bool twin_dmsm_step(const weir_dmsm_step *s, bool g2, twin_order order);

/* All steps, in an arena of their own. out: `windows` Jacobian points. */
bool twin_dmsm(const weir_dmsm_plan *p, bool g2, const void *points, const void *scalars, void *out,
               twin_order order);

/* One step of a sum over bits. */
bool twin_dsum_step(const weir_dsum_step *s, bool g2, twin_order order);

/* All steps of a sum over bits, in an arena of their own. out: one Jacobian point. */
bool twin_dsum(const weir_dsum_plan *p, bool g2, const void *points, const uint64_t *bits,
               void *out, twin_order order);

#endif
