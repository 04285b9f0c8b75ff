/* The host's part of a sum: windows joined by doublings. */
#include "curve/curve.h"
#include "gpu/gpu_msm_join.h"
#include "gpu/gpu_session.h"

void weir_gpu_add_windows_g1(weir_g1 *sum, const weir_g1 *window, unsigned windows, unsigned c,
                             weir_isa isa)
{
    const weir_curve_ops *ops = weir_curve_ops_get(isa);
    weir_g1 p;
    weir_dmsm_join_g1(&p, window, windows, c, ops);
    ops->g1_add(sum, sum, &p);
}

void weir_gpu_add_windows_g2(weir_g2 *sum, const weir_g2 *window, unsigned windows, unsigned c,
                             weir_isa isa)
{
    const weir_curve_ops *ops = weir_curve_ops_get(isa);
    weir_g2 p;
    weir_dmsm_join_g2(&p, window, windows, c, ops);
    ops->g2_add(sum, sum, &p);
}
