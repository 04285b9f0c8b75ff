/* Inversion in Fp and Fr by division steps.
 *
 * Idea: a division step takes (delta, f, g), f odd, to
 *     (1 - delta, g, (g - f) / 2)                  if delta > 0 and g is odd,
 *     (1 + delta, f, (g + (g mod 2) f) / 2)        otherwise,
 * and from f = modulus, g = a it reaches g = 0, f = +-gcd = +-1. What a step does depends on delta and on low bits
 * only, so 62 of them are found from one word of f and g as a 2x2 integer matrix, which is then applied once to the
 * long f, g and, modulo the modulus, to d, e with d a = f c and e a = g c, where c is a constant of our choice.
 * With c = R^2 the last d is +-R^2 / a, which for a = x R is +-R / x: Montgomery in, Montgomery out, without a product.
 *
 * Source: D. J. Bernstein, B.-Y. Yang, "Fast constant-time gcd computation and modular inversion", TCHES 2019(3),
 * sections 8 to 11. Runs of steps are taken at once where the form of the next ones is known; that and the stop at
 * g = 0 make it faster and variable in time.
 *
 * Contract: In: a < modulus. Out: r < modulus, 1/a in Montgomery form; 0 gives 0. Alias: r may be a.
 * Thread: any. CT: not constant time, not for secrets that an attacker may time.
 * Cost: 13 or 14 batches of 62 steps for a random element of Fp, 9 for Fr (at most 18 and 12 for any): the time of
 * about 65 products of Fp, 40 for Fr. One body for every path.
 */
#ifndef WEIR_FIELD_INVERSE_H
#define WEIR_FIELD_INVERSE_H

#include "field/types.h"

void weir_fp_inv(weir_fp *r, const weir_fp *a);
void weir_fr_inv(weir_fr *r, const weir_fr *a);

#endif
