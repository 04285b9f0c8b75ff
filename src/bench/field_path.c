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

/* Sums of low halves of products, sixteen independent ones: each waits four cycles for the one before. */
static uint64_t multiply_adds(uint64_t a, uint64_t b, size_t rounds)
{
    enum { CHAINS = 16 };
    weir_v8 acc[CHAINS], x = v8_set(a), y = v8_set(b), sum = v8_set((uint64_t)0);
#pragma GCC unroll 16
    for (int i = 0; i < CHAINS; i++) acc[i] = v8_set((uint64_t)i);
    for (size_t k = 0; k < rounds * WEIR_BENCH_ELEMENTS / CHAINS; k++) {
#pragma GCC unroll 16
        for (int i = 0; i < CHAINS; i++) v8_madd52lo(&acc[i], &x, &y);
#ifdef WEIR_ISA_IS_ifma
        __asm__ volatile("" : "+v"(x)); /* the product is not taken out of the loop */
#endif
    }
#pragma GCC unroll 16
    for (int i = 0; i < CHAINS; i++) sum += acc[i];
    return sum[0];
}

#define FP(op, lanes, chains) loop_fp_##op##_##lanes##_##chains,
#define FR(op, lanes, chains) loop_fr_##op##_##lanes##_##chains,
const weir_bench_field_ops WEIR_ISA_NAME(weir_bench_field_ops) = {
    .fp = {WEIR_BENCH_LOOP_LIST(FP)},
    .fr = {WEIR_BENCH_LOOP_LIST(FR)},
    .fps_inv = batch_fp,
    .frs_inv = batch_fr,
    .multiply_adds = multiply_adds,
};
