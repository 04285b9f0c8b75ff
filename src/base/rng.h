/* Random bytes from the operating system, for blinding and batch coefficients. */
#ifndef WEIR_BASE_RNG_H
#define WEIR_BASE_RNG_H

#include "base/err.h"

#include <stddef.h>

/* Blocks: until the kernel's generator is seeded (early in boot). Errors: WEIR_E_IO; nothing weaker is
 * ever used in its place. */
weir_err weir_rng_bytes(void *out, size_t n, weir_errinfo *ei) WEIR_MUST_USE;

#endif
