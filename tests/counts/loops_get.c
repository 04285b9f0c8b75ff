#include "loops.h"

const count_loops *count_loops_get(weir_isa isa)
{
    return WEIR_ISA_PICK(isa, count_loops);
}
