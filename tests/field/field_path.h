/* The field functions of one instruction path as a table. They are static inline, so this is the only way for a test
 * to call the bodies of more than one path. */
#ifndef WEIR_TESTS_FIELD_PATH_H
#define WEIR_TESTS_FIELD_PATH_H

#include "base/isa.h"
#include "field/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRIME_MAX 6 /* limbs */

/* A prime field through plain limb arrays, so that one set of properties serves Fp and Fr. */
typedef struct prime_path {
    const char *name;
    size_t limbs, bytes;
    bool big_endian; /* of from_bytes, to_bytes */
    const uint64_t *modulus, *one, *r2;
    bool (*is_reduced)(const uint64_t *a);
    bool (*is_zero)(const uint64_t *a);
    bool (*eq)(const uint64_t *a, const uint64_t *b);
    void (*set_zero)(uint64_t *r);
    void (*set_one)(uint64_t *r);
    void (*cmov)(uint64_t *r, const uint64_t *a, bool take);
    void (*add)(uint64_t *r, const uint64_t *a, const uint64_t *b);
    void (*sub)(uint64_t *r, const uint64_t *a, const uint64_t *b);
    void (*mul)(uint64_t *r, const uint64_t *a, const uint64_t *b);
    void (*dbl)(uint64_t *r, const uint64_t *a);
    void (*neg)(uint64_t *r, const uint64_t *a);
    void (*sqr)(uint64_t *r, const uint64_t *a);
    void (*inv)(uint64_t *r, const uint64_t *a);
    void (*pow)(uint64_t *r, const uint64_t *a, const uint64_t *e, size_t n);
    void (*invs)(uint64_t *a, size_t n, uint64_t *tmp);
    void (*from_limbs)(uint64_t *r, const uint64_t *standard);
    void (*to_limbs)(uint64_t *standard, const uint64_t *a);
    void (*from_u64)(uint64_t *r, uint64_t v);
    bool (*from_bytes)(uint64_t *r, const uint8_t *bytes);
    void (*to_bytes)(uint8_t *bytes, const uint64_t *a);
} prime_path;

typedef struct fp2_path {
    bool (*is_zero)(const weir_fp2 *a);
    bool (*eq)(const weir_fp2 *a, const weir_fp2 *b);
    void (*set_zero)(weir_fp2 *r);
    void (*set_one)(weir_fp2 *r);
    void (*cmov)(weir_fp2 *r, const weir_fp2 *a, bool take);
    void (*add)(weir_fp2 *r, const weir_fp2 *a, const weir_fp2 *b);
    void (*sub)(weir_fp2 *r, const weir_fp2 *a, const weir_fp2 *b);
    void (*mul)(weir_fp2 *r, const weir_fp2 *a, const weir_fp2 *b);
    void (*dbl)(weir_fp2 *r, const weir_fp2 *a);
    void (*neg)(weir_fp2 *r, const weir_fp2 *a);
    void (*conj)(weir_fp2 *r, const weir_fp2 *a);
    void (*sqr)(weir_fp2 *r, const weir_fp2 *a);
    void (*mul_xi)(weir_fp2 *r, const weir_fp2 *a);
    void (*inv)(weir_fp2 *r, const weir_fp2 *a);
    void (*mul_fp)(weir_fp2 *r, const weir_fp2 *a, const weir_fp *b);
    void (*invs)(weir_fp2 *a, size_t n, weir_fp2 *tmp);
    bool (*sqrt)(weir_fp2 *r, const weir_fp2 *a);
    bool (*is_larger_half)(const weir_fp2 *a);
} fp2_path;

typedef struct field_path {
    const char *isa; /* the path that this table was compiled for */
    const prime_path *fp, *fr;
    const fp2_path *fp2;
    bool (*fp_sqrt)(weir_fp *r, const weir_fp *a);
    bool (*fp_is_larger_half)(const weir_fp *a);
    void (*fr_pow_u64)(weir_fr *r, const weir_fr *a, uint64_t e);
    void (*fr_root_of_unity)(weir_fr *r, unsigned log2_order);
    bool (*scalar_is_reduced)(const weir_scalar *s);
} field_path;

WEIR_ISA_DECLARE(field_path, field_path);
const field_path *field_path_get(weir_isa isa);

#endif
