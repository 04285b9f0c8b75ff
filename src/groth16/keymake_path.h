/* Field work of key making, once for each instruction path. */
#ifndef WEIR_GROTH16_KEYMAKE_PATH_H
#define WEIR_GROTH16_KEYMAKE_PATH_H

#include "base/isa.h"
#include "field/types.h"

#include <stddef.h>
#include <stdint.h>

/* Constants of one key, derived from its secrets. */
typedef struct weir_key_scales {
    weir_fr alpha, beta, tau;
    weir_fr inv_gamma, inv_delta;
    weir_fr t;        /* t(tau) = tau^n - 1, not zero */
    weir_fr t_over_n; /* t(tau) / n */
    weir_fr omega;    /* root of unity of order n */
} weir_key_scales;

typedef struct weir_keymake_ops {
    /* out[i] = L_{lo+i}(tau) = t(tau)/n w^j / (tau - w^j), j = lo + i. tmp: n elements of scratch. Cost: 6 products each. */
    void (*lagrange)(weir_fr *out, const weir_key_scales *k, uint64_t lo, size_t n, weir_fr *tmp);
    /* out[i] = tau^(lo+i) t(tau) / delta */
    void (*h_scalars)(weir_scalar *out, const weir_key_scales *k, uint64_t lo, size_t n);
    /* out[i] = (beta u[i] + alpha v[i] + w[i]) * scale */
    void (*combine)(weir_scalar *out, const weir_key_scales *k, const weir_fr *u, const weir_fr *v,
                    const weir_fr *w, const weir_fr *scale, size_t n);
} weir_keymake_ops;

WEIR_ISA_DECLARE(weir_keymake_ops, weir_keymake_ops);

#endif
