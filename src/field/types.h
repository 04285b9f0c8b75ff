/* Types of field elements. C and C++ (CUDA) may both include this header.
 *
 * weir_fp, weir_fr: Montgomery form, limbs least significant first, always fully reduced (< modulus).
 * weir_scalar: an integer below r in standard form, four limbs; on disk and in C1 files this is 32 bytes
 * little-endian. The two are different types, so there is no flag that says which form a value has.
 */
#ifndef WEIR_FIELD_TYPES_H
#define WEIR_FIELD_TYPES_H

#include <stdint.h>

typedef struct weir_fp {
    uint64_t l[6];
} weir_fp;

typedef struct weir_fr {
    uint64_t l[4];
} weir_fr;

typedef struct weir_scalar {
    uint64_t l[4];
} weir_scalar;

/* An element of Fr in five limbs of 52 bits: x 2^260 mod r, fully reduced. Constants of the vector form (fr_x8.h) are kept
 * so, one number for all lanes. */
typedef struct weir_fr52 {
    uint64_t l[5];
} weir_fr52;

/* c0 + c1 u with u^2 = -1 */
typedef struct weir_fp2 {
    weir_fp c0, c1;
} weir_fp2;

/* c0 + c1 v + c2 v^2 with v^3 = 1 + u */
typedef struct weir_fp6 {
    weir_fp2 c0, c1, c2;
} weir_fp6;

/* c0 + c1 w with w^2 = v */
typedef struct weir_fp12 {
    weir_fp6 c0, c1;
} weir_fp12;

#endif
