/* Formulas of G2: y^2 = x^3 + 4(1 + u) over Fp2. Contract in ec.inc.h; for files compiled per instruction path. */
#ifndef WEIR_CURVE_G2_H
#define WEIR_CURVE_G2_H

#include "curve/curve.h"
#include "field/fp2.h"

/* The names, the template, the end of the names: the order counts. */
/* clang-format off */
#include "curve/ec_g2.inc.h"
#include "curve/ec.inc.h"
#include "curve/ec_end.inc.h"
/* clang-format on */

#endif
