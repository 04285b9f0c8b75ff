/* Compiled once for each path; see loops.h. */
#include "loops.h"

#include "curve/g1.h"
#include "curve/g2.h"
#include "field/fr.h"

#define CHAIN(name, T, U)                                                                          \
    static void name##_chain(T *r, const U *b, size_t n)                                           \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) name(r, r, &b[i]);                                          \
    }
#define SQUARES(name, T)                                                                           \
    static void name##_chain(T *r, size_t n)                                                       \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) name(r, r);                                                 \
    }
CHAIN(fp_mul, weir_fp, weir_fp)
CHAIN(fp2_mul, weir_fp2, weir_fp2)
CHAIN(fr_mul, weir_fr, weir_fr)
CHAIN(g1_madd, weir_g1, weir_g1_affine)
CHAIN(g2_madd, weir_g2, weir_g2_affine)
SQUARES(fp_sqr, weir_fp)
SQUARES(fp2_sqr, weir_fp2)
SQUARES(fr_sqr, weir_fr)

const count_loops WEIR_ISA_NAME(count_loops) = {
    .fp_mul = fp_mul_chain,
    .fp_sqr = fp_sqr_chain,
    .fp2_mul = fp2_mul_chain,
    .fp2_sqr = fp2_sqr_chain,
    .fr_mul = fr_mul_chain,
    .fr_sqr = fr_sqr_chain,
    .g1_madd = g1_madd_chain,
    .g2_madd = g2_madd_chain,
};
