/* The loops of curve_loops.h, once for each instruction path. The formulas are functions, so no call can be left out. */
#include "bench/curve_loops.h"
#include "curve/g1.h"
#include "curve/g2.h"

static void add_g1(weir_g1 *acc, const weir_g1 *p, size_t n)
{
    for (size_t i = 0; i < n; i++) g1_add(acc, acc, &p[i]);
}

static void add_g2(weir_g2 *acc, const weir_g2 *p, size_t n)
{
    for (size_t i = 0; i < n; i++) g2_add(acc, acc, &p[i]);
}

static void add_affine_g1(weir_g1 *acc, const weir_g1_affine *p, size_t n)
{
    for (size_t i = 0; i < n; i++) g1_madd(acc, acc, &p[i]);
}

static void add_affine_g2(weir_g2 *acc, const weir_g2_affine *p, size_t n)
{
    for (size_t i = 0; i < n; i++) g2_madd(acc, acc, &p[i]);
}

static void double_g1(weir_g1 *acc, size_t n)
{
    for (size_t i = 0; i < n; i++) g1_dbl(acc, acc);
}

static void double_g2(weir_g2 *acc, size_t n)
{
    for (size_t i = 0; i < n; i++) g2_dbl(acc, acc);
}

const weir_bench_curve_ops WEIR_ISA_NAME(weir_bench_curve_ops) = {
    .g1_add = add_g1,
    .g2_add = add_g2,
    .g1_add_affine = add_affine_g1,
    .g2_add_affine = add_affine_g2,
    .g1_double = double_g1,
    .g2_double = double_g2,
};
