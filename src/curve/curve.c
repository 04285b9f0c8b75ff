#include "curve/curve.h"

#include "curve/params_curve.h"

const weir_curve_ops *weir_curve_ops_get(weir_isa isa)
{
    return WEIR_ISA_PICK_IFMA(isa, weir_curve_ops);
}

const weir_g1_affine *weir_g1_generator(void)
{
    static const weir_g1_affine g = {WEIR_G1_GEN_X, WEIR_G1_GEN_Y};
    return &g;
}

const weir_g2_affine *weir_g2_generator(void)
{
    static const weir_g2_affine g = {WEIR_G2_GEN_X, WEIR_G2_GEN_Y};
    return &g;
}
