/* The Groth16 verifying key. Its file form is read and written by formats/params.h. */
#ifndef WEIR_GROTH16_VK_H
#define WEIR_GROTH16_VK_H

#include "base/alloc.h"
#include "curve/types.h"

#include <stdint.h>

/* All points are affine and, when the key comes from a reader, on the curve, in the subgroup and
 * not infinity. ic has one point for the constant one and one for each public input: n_ic = inputs
 * + 1. beta_g1 and delta_g1 are used by the prover only, but they are part of the file. */
typedef struct weir_vk {
    weir_g1_affine alpha_g1, beta_g1, delta_g1;
    weir_g2_affine beta_g2, gamma_g2, delta_g2;
    weir_g1_affine *ic;
    uint32_t n_ic;
} weir_vk;

/* A key made on the heap, with ic a heap array of its own. NULL is allowed. */
static inline void weir_vk_free(weir_vk *vk)
{
    if (!vk) return;
    weir_free(vk->ic);
    weir_free(vk);
}

#endif
