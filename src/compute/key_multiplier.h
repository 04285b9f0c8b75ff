/* Who multiplies the generators by a key's exponents, when a key is made: a table of functions, so that a device may do it. */
#ifndef WEIR_COMPUTE_KEY_MULTIPLIER_H
#define WEIR_COMPUTE_KEY_MULTIPLIER_H

#include "base/err.h"
#include "curve/types.h"

#include <stddef.h>

/* out[i] = k[i] times the generator, affine. In: 0 < k[i], below the group's order. Thread: one call at a time. Errors: WEIR_E_NOMEM,
 * WEIR_E_DEVICE. */
typedef struct weir_key_multiplier {
    void *ctx;
    weir_err (*g1)(void *ctx, weir_g1_affine *out, const weir_scalar *k, size_t n,
                   weir_errinfo *ei);
    weir_err (*g2)(void *ctx, weir_g2_affine *out, const weir_scalar *k, size_t n,
                   weir_errinfo *ei);
} weir_key_multiplier;

#endif
