/* Slow big integers for the tests: limb by limb, bit by bit, without 128-bit products and without Montgomery form, so
 * that they share nothing with what they check. Numbers are n limbs of 64 bits, least significant first. */
#ifndef WEIR_TESTS_FIELD_ORACLE_H
#define WEIR_TESTS_FIELD_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ORACLE_MAX 6

/* -1, 0, 1 */
int big_cmp(const uint64_t *a, const uint64_t *b, size_t n);
/* Return the carry or borrow. Alias: any. */
bool big_add(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n);
bool big_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n);
/* r (2n limbs) = a * b, schoolbook on 32-bit digits. r is no input. */
void big_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n);
/* r (n limbs) = x mod m by shifting and subtracting. In: the top bit of m is 0, xn <= 2 * ORACLE_MAX. */
void big_mod(uint64_t *r, const uint64_t *x, size_t xn, const uint64_t *m, size_t n);

/* r = a op b mod m; a, b < m. Alias: any. */
void big_add_mod(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m, size_t n);
void big_sub_mod(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m, size_t n);
void big_mul_mod(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m, size_t n);
/* r = a * 2^(64 n) mod m: Montgomery form of a. */
void big_mont(uint64_t *r, const uint64_t *a, const uint64_t *m, size_t n);

#endif
