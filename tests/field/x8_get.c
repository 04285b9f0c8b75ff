#include "x8_path.h"

const x8_path *x8_path_get(weir_isa isa)
{
    return WEIR_ISA_PICK_IFMA(isa, x8_path);
}
