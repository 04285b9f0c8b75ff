/* What the CPU backend does with field elements itself, once for each instruction path. */
#ifndef WEIR_COMPUTE_CPU_PATH_H
#define WEIR_COMPUTE_CPU_PATH_H

#include "base/isa.h"
#include "field/types.h"

#include <stddef.h>

typedef struct weir_cpu_ops {
    /* Montgomery form to standard form. Alias: out may be the same memory as in. Cost: a product an element. */
    void (*to_scalars)(weir_scalar *out, const weir_fr *in, size_t n);
} weir_cpu_ops;

WEIR_ISA_DECLARE(weir_cpu_ops, weir_cpu_ops);

#endif
