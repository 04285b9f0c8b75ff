/* The loops of field_loops.h, once for each instruction path. */
#include "bench/field_loops.h"
#include "field/fp.h"
#include "field/fp_x8.h"
#include "field/fr.h"
#include "field/fr_x8.h"

enum { VECTORS = WEIR_BENCH_ELEMENTS / 8 };

/* For the compiler: the memory at p is read and written here, so no round can be left out. */
#define KEEP(p) __asm__ volatile("" : : "r"(p) : "memory")

#define L_(name) loop_fp_##name
#define P_(name) fp_##name
#define X_(name) fp_x8_##name
#define L_T      weir_fp
#define L_X8     weir_fp_x8
#include "bench/field_loops.inc.h"
#undef L_
#undef P_
#undef X_
#undef L_T
#undef L_X8

#define L_(name) loop_fr_##name
#define P_(name) fr_##name
#define X_(name) fr_x8_##name
#define L_T      weir_fr
#define L_X8     weir_fr_x8
#include "bench/field_loops.inc.h"

static void batch_fp(weir_fp *a, size_t n, weir_fp *tmp)
{
    fps_inv(a, n, tmp);
}

static void batch_fr(weir_fr *a, size_t n, weir_fr *tmp)
{
    frs_inv(a, n, tmp);
}

#define FP(op, lanes, chains) loop_fp_##op##_##lanes##_##chains,
#define FR(op, lanes, chains) loop_fr_##op##_##lanes##_##chains,
const weir_bench_field_ops WEIR_ISA_NAME(weir_bench_field_ops) = {
    .fp = {WEIR_BENCH_LOOP_LIST(FP)},
    .fr = {WEIR_BENCH_LOOP_LIST(FR)},
    .fps_inv = batch_fp,
    .frs_inv = batch_fr,
};
