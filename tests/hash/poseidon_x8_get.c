#include "poseidon_x8_path.h"

const poseidon_x8_path *poseidon_x8_path_get(weir_isa isa)
{
    return WEIR_ISA_PICK_IFMA(isa, poseidon_x8_path);
}
