/* The kernels of dense sums that add points, for G1 and G2 (gpu_msm.inc.h). C and C++ (CUDA) both include this header. */
#ifndef WEIR_GPU_MSM_H
#define WEIR_GPU_MSM_H

#include "gpu/gpu_ec_call.h"
#include "gpu/gpu_sort.h"

/* A kernel of one phase: G_(NAME_thread)(a, i) is the work of thread i of the grid. */
#define DMSM_STEP(NAME)                                                                            \
    typedef weir_dmsm G_(NAME##_args);                                                             \
    typedef dmsm_nothing G_(NAME##_shared);                                                        \
    typedef dmsm_nothing G_(NAME##_own);                                                           \
    WEIR_HD int G_(NAME##_phases)(const weir_dmsm *a, uint32_t threads)                            \
    {                                                                                              \
        (void)a;                                                                                   \
        (void)threads;                                                                             \
        return 1;                                                                                  \
    }                                                                                              \
    WEIR_HD bool G_(NAME##_warp_only)(int k, const weir_dmsm *a, uint32_t threads)                 \
    {                                                                                              \
        (void)k;                                                                                   \
        (void)a;                                                                                   \
        (void)threads;                                                                             \
        return false;                                                                              \
    }                                                                                              \
    WEIR_HD void G_(NAME##_phase)(int k, const weir_dmsm *a, dmsm_nothing *s, dmsm_nothing *own,   \
                                  const weir_dpos *at)                                             \
    {                                                                                              \
        (void)k;                                                                                   \
        (void)s;                                                                                   \
        (void)own;                                                                                 \
        G_(NAME##_thread)(a, dpos_global(at));                                                     \
    }

#define G_(name) dg1_##name
#define F_(name) dfp_##name
#define G_FIELD  weir_dfp
#define G_AFF    weir_dg1_affine
#define G_XYZZ   weir_dg1_xyzz
#include "gpu/gpu_msm.inc.h"
#undef G_
#undef F_
#undef G_FIELD
#undef G_AFF
#undef G_XYZZ

#define G_(name) dg2_##name
#define F_(name) dfp2_##name
#define G_FIELD  weir_dfp2
#define G_AFF    weir_dg2_affine
#define G_XYZZ   weir_dg2_xyzz
#include "gpu/gpu_msm.inc.h"
#undef G_
#undef F_
#undef G_FIELD
#undef G_AFF
#undef G_XYZZ

#undef DMSM_STEP

#endif
