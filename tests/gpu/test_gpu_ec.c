/* Points of kernels, compiled for the host, against curve/g1.h and curve/g2.h. */
#include "gpu_kit.h"

#include "curve/g1.h"
#include "curve/g2.h"

static void random_fp(tk_rng *g, weir_fp *r)
{
    do tk_fp(g, r);
    while (fp_is_zero(r));
}
static void random_fp2(tk_rng *g, weir_fp2 *r)
{
    random_fp(g, &r->c0);
    random_fp(g, &r->c1);
}
static void fp2_in(weir_dfp2 *r, const weir_fp2 *a)
{
    kit_fp_in(&r->c0, &a->c0);
    kit_fp_in(&r->c1, &a->c1);
}
static void fp2_lift(tk_rng *g, weir_dfp2 *a)
{
    kit_fp_lift(g, &a->c0);
    kit_fp_lift(g, &a->c1);
}

#define T_(name)    t1_##name
#define E_(name)    g1_##name
#define F_(name)    fp_##name
#define G_(name)    dg1_##name
#define GF_(name)   dfp_##name
#define E_AFF       weir_g1_affine
#define E_JAC       weir_g1
#define F_FIELD     weir_fp
#define G_AFF       weir_dg1_affine
#define G_XYZZ      weir_dg1_xyzz
#define G_FIELD     weir_dfp
#define T_IN        kit_fp_in
#define T_LIFT      kit_fp_lift
#define T_IS        kit_fp_is
#define T_RANDOM    random_fp
#define T_GENERATOR weir_g1_generator()
#include "test_gpu_ec.inc.h"
#undef T_
#undef E_
#undef F_
#undef G_
#undef GF_
#undef E_AFF
#undef E_JAC
#undef F_FIELD
#undef G_AFF
#undef G_XYZZ
#undef G_FIELD
#undef T_IN
#undef T_LIFT
#undef T_IS
#undef T_RANDOM
#undef T_GENERATOR

#define T_(name)    t2_##name
#define E_(name)    g2_##name
#define F_(name)    fp2_##name
#define G_(name)    dg2_##name
#define GF_(name)   dfp2_##name
#define E_AFF       weir_g2_affine
#define E_JAC       weir_g2
#define F_FIELD     weir_fp2
#define G_AFF       weir_dg2_affine
#define G_XYZZ      weir_dg2_xyzz
#define G_FIELD     weir_dfp2
#define T_IN        fp2_in
#define T_LIFT      fp2_lift
#define T_IS        kit_fp2_is
#define T_RANDOM    random_fp2
#define T_GENERATOR weir_g2_generator()
#include "test_gpu_ec.inc.h"

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(t1_test_xyzz),         cmocka_unit_test(t1_test_chain),
        cmocka_unit_test(t1_test_affine_pairs), cmocka_unit_test(t2_test_xyzz),
        cmocka_unit_test(t2_test_chain),        cmocka_unit_test(t2_test_affine_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
