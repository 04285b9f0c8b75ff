/* Properties that hold in any prime field, run for Fp and Fr on every path. */
#ifndef WEIR_TESTS_FIELD_PRIME_PROPS_H
#define WEIR_TESTS_FIELD_PRIME_PROPS_H

#include "field_path.h"
#include "testkit.h"

/* What a property needs to know of a field; each property's *state points to one. */
typedef struct prime_field {
    const prime_path *(*path)(weir_isa isa);
    /* random element; special elements (0, 1, 2, -1, single bits, ...), at most max, as limbs one after another */
    void (*random)(tk_rng *g, uint64_t *out);
    size_t (*specials)(uint64_t *out, size_t max);
} prime_field;

void props_constants(void **state); /* modulus, one, r2 fit together */
void props_oracle(
    void **state); /* every operation equals slow integers, special x special and random */
void props_paths_equal(void **state); /* all paths give the same limbs */
void props_alias(void **state);       /* every way to let arguments be the same object */
void props_laws(void **state);        /* ring laws, negation, inverse */
void props_compare(void **state);     /* is_zero, eq, is_reduced, cmov, set */
void props_inverse(void **state);     /* equals Fermat; x * 1/x = 1; 0 gives 0 */
void props_batch_inverse(void **state);
void props_pow(void **state);
void props_bytes(void **state); /* round trip, byte order, refusal of numbers from the modulus up */

#define PRIME_TEST(property, field)                                                                \
    {                                                                                              \
#property, props_##property, NULL, NULL, (void *)(uintptr_t)(field)                        \
    }
#define PRIME_TESTS(field)                                                                         \
    PRIME_TEST(constants, field), PRIME_TEST(oracle, field), PRIME_TEST(paths_equal, field),       \
        PRIME_TEST(alias, field), PRIME_TEST(laws, field), PRIME_TEST(compare, field),             \
        PRIME_TEST(inverse, field), PRIME_TEST(batch_inverse, field), PRIME_TEST(pow, field),      \
        PRIME_TEST(bytes, field)

/* Compares limbs and says where they differ. */
void assert_limbs(const uint64_t *got, const uint64_t *want, size_t n, const char *what);

/* The special values of the test kit and some more: R^2, the two values around modulus / 2, limbs of all ones and of
 * all zeros in every mixture. In: out has room for PRIME_SPECIALS_MAX elements of PRIME_MAX limbs each, every one at
 * out + i * limbs. */
#define PRIME_SPECIALS_MAX 200
size_t prime_specials(const prime_field *f, const prime_path *p, uint64_t *out);

#endif
