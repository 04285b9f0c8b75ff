#include "curve_laws.h"

const curve_laws *curve_laws_get(weir_isa isa)
{
    return WEIR_ISA_PICK(isa, curve_laws);
}
