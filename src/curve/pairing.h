/* The entries of weir_curve_ops that pairing.c fills, under the names of one instruction path. For ISA files;
 * elsewhere it declares nothing. */
#ifndef WEIR_CURVE_PAIRING_H
#define WEIR_CURVE_PAIRING_H

#include "curve/curve.h"

#ifdef WEIR_ISA

void WEIR_ISA_NAME(weir_g2_prepare)(weir_g2_lines *out, const weir_g2_affine *q);
void WEIR_ISA_NAME(weir_g2s_prepare)(weir_g2_lines *out, const weir_g2_affine *q, size_t n);
void WEIR_ISA_NAME(weir_miller)(weir_fp12 *f, const weir_g1_affine *p,
                                const weir_g2_lines *const *q, size_t n);
void WEIR_ISA_NAME(weir_final_exp)(weir_fp12 *out, const weir_fp12 *f);
void WEIR_ISA_NAME(weir_fp12_mul)(weir_fp12 *r, const weir_fp12 *a, const weir_fp12 *b);
void WEIR_ISA_NAME(weir_fp12_pow)(weir_fp12 *r, const weir_fp12 *a, const weir_scalar *k);
bool WEIR_ISA_NAME(weir_fp12_is_one)(const weir_fp12 *a);

#endif

#endif
