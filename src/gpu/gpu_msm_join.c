#include "gpu/gpu_msm_join.h"

#include <string.h>

void weir_dmsm_join_g1(weir_g1 *out, const weir_g1 *sums, uint32_t windows, uint32_t c,
                       const weir_curve_ops *ops)
{
    weir_g1 sum;
    memset(&sum, 0, sizeof sum);
    for (uint32_t w = windows; w-- > 0;) {
        for (uint32_t i = 0; i < c && w + 1 < windows; i++) ops->g1_add(&sum, &sum, &sum);
        ops->g1_add(&sum, &sum, &sums[w]);
    }
    *out = sum;
}

void weir_dmsm_join_g2(weir_g2 *out, const weir_g2 *sums, uint32_t windows, uint32_t c,
                       const weir_curve_ops *ops)
{
    weir_g2 sum;
    memset(&sum, 0, sizeof sum);
    for (uint32_t w = windows; w-- > 0;) {
        for (uint32_t i = 0; i < c && w + 1 < windows; i++) ops->g2_add(&sum, &sum, &sum);
        ops->g2_add(&sum, &sum, &sums[w]);
    }
    *out = sum;
}
