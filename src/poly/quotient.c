#include "field/fr.h"
#include "poly/ntt_plan.h"

/* With c the polynomial of values a o b and a b = lo + hi x^n:
 *   C = a b mod (x^n - 1) = lo + hi    from the values a o b on the domain;
 *   D = a b mod (x^n - t) = lo + t hi  from the values on the coset, t = shift^n;
 *   h = (a b - c) / (x^n - 1) = hi, as c = C: so h = (C - D) / (1 - t).
 * Values stay in bit-reversed order between an inverse and the pointwise products, and passes that
 * meet at the same chunk or tile are one: the first of all three inverses, the last of one inverse
 * and the first forward, the last two forward and the first of the inverse. The inverses of
 * a and b leave out their division by n; the last scale makes up for it: D comes out as n^3 D, C as
 * n C. */
void weir_quotient_shifted(const weir_ntt_plan *plan, weir_fr *a, weir_fr *b, weir_fr *tmp,
                           const weir_fr *shift, void *scratch, const weir_exec *x)
{
    weir_fr n_inv, t, scale_c, scale_d;
    fr_from_u64(&n_inv, UINT64_C(1) << plan->log2_n);
    weir_fr_inv(&n_inv, &n_inv);
    fr_pow_u64(&t, shift, UINT64_C(1) << plan->log2_n);
    fr_sub(&t, &fr_ONE, &t);
    weir_fr_inv(&t, &t);
    fr_mul(&scale_c, &t, &n_inv);
    fr_mul(&scale_d, &scale_c, &n_inv);
    fr_mul(&scale_d, &scale_d, &n_inv);

    const weir_ntt_extra make_c = {.scale = &scale_c, .factor = {a, b}, .invert_factors = true};
    const weir_ntt_extra make_h = {.shift = shift,
                                   .scale = &scale_d,
                                   .factor = {a, b},
                                   .finish_factors = true,
                                   .minuend = tmp};
    weir_ntt_reverse_order(a, plan->log2_n, x);
    weir_ntt_reverse_order(b, plan->log2_n, x);
    weir_ntt_from_reversed(plan, tmp, &make_c, scratch, x);
    weir_ntt_turn(plan, a, shift, scratch, x);
    weir_ntt_turn(plan, b, shift, scratch, x);
    weir_ntt_from_reversed(plan, a, &make_h, scratch, x);
}

void weir_quotient(const weir_ntt_plan *plan, weir_fr *a, weir_fr *b, weir_fr *tmp, void *scratch,
                   const weir_exec *x)
{
    /* The root of order 2n gives t = -1. The largest domain has none: any shift outside it will do.
     * */
    weir_fr shift;
    if (plan->log2_n < WEIR_NTT_MAX_LOG2)
        shift = plan->root[plan->log2_n + 1];
    else
        shift = (weir_fr){WEIR_FR_GENERATOR};
    weir_quotient_shifted(plan, a, b, tmp, &shift, scratch, x);
}
