#include "lanes_path.h"

const lanes_path *lanes_path_get(weir_isa isa)
{
    return WEIR_ISA_PICK_IFMA(isa, lanes_path);
}
