#include "compute/cpu_path.h"

#include "field/fr.h"

static void to_scalars(weir_scalar *out, const weir_fr *in, size_t n)
{
    for (size_t i = 0; i < n; i++) fr_to_scalar(&out[i], &in[i]);
}

const weir_cpu_ops WEIR_ISA_NAME(weir_cpu_ops) = {.to_scalars = to_scalars};
