/* Compiled once for each path; see field_path.h. */
#include "field_path.h"

#include "field/fp.h"
#include "field/fp2.h"
#include "field/fr.h"

/* ---- Fp */
#define P_(name)  fp_##name
#define P_W(name) wrap_fp_##name
#define P_T       weir_fp
#include "prime_path.inc.h"

static void fp_inv_(uint64_t *r, const uint64_t *a)
{
    weir_fp_inv((weir_fp *)r, (const weir_fp *)a);
}
static void fps_inv_(uint64_t *a, size_t n, uint64_t *t)
{
    fps_inv((weir_fp *)a, n, (weir_fp *)t);
}
static void fp_from_limbs_(uint64_t *r, const uint64_t *s)
{
    fp_from_limbs((weir_fp *)r, s);
}
static void fp_to_limbs_(uint64_t *s, const uint64_t *a)
{
    fp_to_limbs(s, (const weir_fp *)a);
}
static void fp_from_u64_(uint64_t *r, uint64_t v)
{
    fp_from_u64((weir_fp *)r, v);
}
static bool fp_from_be_(uint64_t *r, const uint8_t *b)
{
    return fp_from_be((weir_fp *)r, b);
}
static void fp_to_be_(uint8_t *b, const uint64_t *a)
{
    fp_to_be(b, (const weir_fp *)a);
}

static const uint64_t fp_r2[] = WEIR_FP_R2;
static const prime_path fp_path = {
    P_COMMON,
    .name = "fp",
    .limbs = 6,
    .bytes = 48,
    .big_endian = true,
    .r2 = fp_r2,
    .inv = fp_inv_,
    .invs = fps_inv_,
    .from_limbs = fp_from_limbs_,
    .to_limbs = fp_to_limbs_,
    .from_u64 = fp_from_u64_,
    .from_bytes = fp_from_be_,
    .to_bytes = fp_to_be_,
};
#undef P_
#undef P_W
#undef P_T
#undef P_COMMON

/* ---- Fr */
#define P_(name)  fr_##name
#define P_W(name) wrap_fr_##name
#define P_T       weir_fr
#include "prime_path.inc.h"

static void fr_inv_(uint64_t *r, const uint64_t *a)
{
    weir_fr_inv((weir_fr *)r, (const weir_fr *)a);
}
static void frs_inv_(uint64_t *a, size_t n, uint64_t *t)
{
    frs_inv((weir_fr *)a, n, (weir_fr *)t);
}
static void fr_from_limbs_(uint64_t *r, const uint64_t *s)
{
    fr_from_scalar((weir_fr *)r, (const weir_scalar *)s);
}
static void fr_to_limbs_(uint64_t *s, const uint64_t *a)
{
    fr_to_scalar((weir_scalar *)s, (const weir_fr *)a);
}
static void fr_from_u64_(uint64_t *r, uint64_t v)
{
    fr_from_u64((weir_fr *)r, v);
}
static bool fr_from_le_(uint64_t *r, const uint8_t *b)
{
    return fr_from_le((weir_fr *)r, b);
}
static void fr_to_le_(uint8_t *b, const uint64_t *a)
{
    fr_to_le(b, (const weir_fr *)a);
}

static const uint64_t fr_r2[] = WEIR_FR_R2;
static const prime_path fr_path = {
    P_COMMON,
    .name = "fr",
    .limbs = 4,
    .bytes = 32,
    .big_endian = false,
    .r2 = fr_r2,
    .inv = fr_inv_,
    .invs = frs_inv_,
    .from_limbs = fr_from_limbs_,
    .to_limbs = fr_to_limbs_,
    .from_u64 = fr_from_u64_,
    .from_bytes = fr_from_le_,
    .to_bytes = fr_to_le_,
};

/* ---- Fp2 */
static const fp2_path fp2_path_table = {
    .is_zero = fp2_is_zero,
    .eq = fp2_eq,
    .set_zero = fp2_set_zero,
    .set_one = fp2_set_one,
    .cmov = fp2_cmov,
    .add = fp2_add,
    .sub = fp2_sub,
    .mul = fp2_mul,
    .dbl = fp2_dbl,
    .neg = fp2_neg,
    .conj = fp2_conj,
    .sqr = fp2_sqr,
    .mul_xi = fp2_mul_xi,
    .inv = fp2_inv,
    .mul_fp = fp2_mul_fp,
    .invs = fp2s_inv,
    .sqrt = fp2_sqrt,
    .is_larger_half = fp2_is_larger_half,
};

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)
const field_path WEIR_ISA_NAME(field_path) = {
    .isa = TEXT(WEIR_ISA),
    .fp = &fp_path,
    .fr = &fr_path,
    .fp2 = &fp2_path_table,
    .fp_sqrt = fp_sqrt,
    .fp_is_larger_half = fp_is_larger_half,
    .fr_pow_u64 = fr_pow_u64,
    .fr_root_of_unity = fr_root_of_unity,
    .scalar_is_reduced = scalar_is_reduced,
};
