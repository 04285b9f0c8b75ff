/* Formulas of G1: y^2 = x^3 + 4 over Fp. Contract in ec.inc.h; for files compiled per instruction path. */
#ifndef WEIR_CURVE_G1_H
#define WEIR_CURVE_G1_H

#include "curve/curve.h"
#include "field/fp.h"

/* The names, the template, the end of the names: the order counts. */
/* clang-format off */
#include "curve/ec_g1.inc.h"
#include "curve/ec.inc.h"
#include "curve/ec_end.inc.h"
/* clang-format on */

#endif
