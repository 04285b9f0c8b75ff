#include "lanes_path.h"

#include "curve/lanes_points.inc.h"
#include "curve/pairing_lanes.inc.h"

const lanes_path WEIR_ISA_NAME(lanes_path) = {
    .g1s_decode = g1_s_x8_decode,
    .g2s_decode = g2_s_x8_decode,
    .g1s_decompress = g1_s_x8_decompress,
    .g2s_decompress = g2_s_x8_decompress,
    .g1s_mul_split = g1_s_x8_mul_split,
    .g1s_double = g1_s_x8_double,
    .g2s_prepare = lanes_g2s_prepare,
    .miller = lanes_miller,
    .final_exp = lanes_final_exp,
};
