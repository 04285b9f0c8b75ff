/* What curve does eight lanes wide, one table for each path: on ifma the instructions, elsewhere the plain C twin. */
#ifndef WEIR_TEST_LANES_PATH_H
#define WEIR_TEST_LANES_PATH_H

#include "curve/curve.h"

/* Members as in weir_curve_ops. */
typedef struct lanes_path {
    weir_err (*g1s_decode)(weir_g1_affine *out, const uint8_t *bytes, size_t n, unsigned checks,
                           size_t *bad);
    weir_err (*g2s_decode)(weir_g2_affine *out, const uint8_t *bytes, size_t n, unsigned checks,
                           size_t *bad);
    void (*g1s_decompress)(weir_g1_affine *const *out, const uint8_t *const *bytes, size_t n,
                           unsigned checks, weir_err *err);
    void (*g2s_decompress)(weir_g2_affine *const *out, const uint8_t *const *bytes, size_t n,
                           unsigned checks, weir_err *err);
    void (*g1s_mul_split)(weir_g1 *out, const weir_g1_affine *p, const weir_split *k, size_t n);
    void (*g1s_double)(weir_g1 *p, size_t n, unsigned times);
    void (*g2s_prepare)(weir_g2_lines *out, const weir_g2_affine *q, size_t n);
    void (*miller)(weir_fp12 *f, const weir_g1_affine *p, const weir_g2_lines *const *q, size_t n);
    void (*final_exp)(weir_fp12 *out, const weir_fp12 *f);
} lanes_path;

WEIR_ISA_DECLARE(lanes_path, lanes_path);
const lanes_path *lanes_path_get(weir_isa isa);

#endif
