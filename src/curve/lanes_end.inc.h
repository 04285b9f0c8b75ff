/* Takes back the names of ec_g1.inc.h or ec_g2.inc.h and of the templates for lanes. */
#undef V_
#undef N_
#undef V_FIELD
#undef L_AFF
#undef L_JAC
#undef E_X8_FROM_BE
#undef E_X8_ADD_B
#undef E_X8_ROOT
#undef E_X8_IN_SUBGROUP
#undef E_DECODE
#undef E_DECOMPRESS
#include "curve/ec_end.inc.h"
