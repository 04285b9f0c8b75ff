#include "field_path.h"

const field_path *field_path_get(weir_isa isa)
{
    return WEIR_ISA_PICK(isa, field_path);
}
