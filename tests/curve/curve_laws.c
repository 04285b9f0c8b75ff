#include "curve_laws.h"

#include "curve_kit.h"

/* names of a group, template, end of names */
#include "curve/ec_g1.inc.h"
#define L_RANDOM_FIELD tk_fp
#define L_RANDOM_POINT ck_g1_any_order
#include "curve_laws.inc.h"
#undef L_RANDOM_FIELD
#undef L_RANDOM_POINT
#include "curve/ec_end.inc.h"

static void random_fp2(tk_rng *g, weir_fp2 *r)
{
    tk_fp(g, &r->c0);
    tk_fp(g, &r->c1);
}

#include "curve/ec_g2.inc.h"
#define L_RANDOM_FIELD random_fp2
#define L_RANDOM_POINT ck_g2_any_order
#include "curve_laws.inc.h"
#undef L_RANDOM_FIELD
#undef L_RANDOM_POINT
#include "curve/ec_end.inc.h"

const curve_laws WEIR_ISA_NAME(curve_laws) = {g1_laws, g2_laws};
