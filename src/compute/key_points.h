/* The points of a proving key as a device sees them: five sections of a known length and a way to read them.
 *
 * Where they come from (a mapped file, memory, a test) is the business of the one who fills this in.
 */
#ifndef WEIR_COMPUTE_KEY_POINTS_H
#define WEIR_COMPUTE_KEY_POINTS_H

#include "base/err.h"
#include "base/exec.h"
#include "base/isa.h"
#include "curve/types.h"
#include "relation/relation.h"

#include <stddef.h>
#include <stdint.h>

/* In the order of bellperson's file. All are in G1 but the last. */
typedef enum weir_key_section {
    WEIR_KEY_H,    /* tau^j t(tau) / delta, j = 0 .. n-2 */
    WEIR_KEY_L,    /* (beta u_i + alpha v_i + w_i)(tau) / delta for every auxiliary column */
    WEIR_KEY_A,    /* u_i(tau) for all inputs, then for the auxiliary columns that occur in A */
    WEIR_KEY_B_G1, /* v_i(tau) for the inputs that occur in B, then for such auxiliary columns */
    WEIR_KEY_B_G2, /* the same in G2 */
    WEIR_KEY_SECTIONS
} weir_key_section;

/* "h", "l", "a", "b_g1", "b_g2" */
extern const char *const weir_key_section_names[WEIR_KEY_SECTIONS];

/* The same points as backends keep them: h, then of each other section those of bit columns, and those of inputs and dense columns. Both
 * keep the section's order. */
typedef enum weir_key_array {
    WEIR_KEY_ARRAY_H,
    WEIR_KEY_ARRAY_L_BITS,
    WEIR_KEY_ARRAY_L_DENSE,
    WEIR_KEY_ARRAY_A_BITS,
    WEIR_KEY_ARRAY_A_DENSE,
    WEIR_KEY_ARRAY_B1_BITS,
    WEIR_KEY_ARRAY_B1_DENSE,
    WEIR_KEY_ARRAY_B2_BITS, /* in G2, like the next */
    WEIR_KEY_ARRAY_B2_DENSE,
    WEIR_KEY_ARRAYS
} weir_key_array;

/* Bytes of one point of an array. */
static inline size_t weir_key_array_point_bytes(weir_key_array array)
{
    return array >= WEIR_KEY_ARRAY_B2_BITS ? sizeof(weir_g2_affine) : sizeof(weir_g1_affine);
}

/* Arrays are read in whole blocks of so many points, but for an array's last one. */
enum { WEIR_KEY_BLOCK_POINTS = 1 << 14 };

/* A source of key points. read_g1 and read_g2 decode points first .. first+n-1 of a section, checking encoding and
 * curve equation; errors name file, section, point and byte offset. In: first + n <= count[section]; read_g2 is asked
 * for WEIR_KEY_B_G2 only, read_g1 for the others. Thread: any number of calls at once. */
typedef struct weir_key_points {
    uint64_t count[WEIR_KEY_SECTIONS];
    void *ctx;
    weir_err (*read_g1)(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g1_affine *out, weir_isa isa, weir_errinfo *ei);
    weir_err (*read_g2)(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g2_affine *out, weir_isa isa, weir_errinfo *ei);
    /* Points first .. first+n-1 of an array, as weir_g1_affine or weir_g2_affine, first and n in whole blocks; NULL: the source
     * keeps no arrays. Checks what keeps them whole (a checksum of each block). Thread: as above. */
    weir_err (*read_array)(void *ctx, weir_key_array array, uint64_t first, size_t n, void *out,
                           weir_errinfo *ei);
    /* The multiples of the generator that points first .. first+n-1 of a section are, below the group's order and not 0; NULL:
     * nobody knows them, as it must be for a key that is in use. Thread: one at a time. */
    weir_err (*read_scalars)(void *ctx, weir_key_section section, uint64_t first, size_t n,
                             weir_scalar *out, const weir_exec *x, weir_errinfo *ei);
} weir_key_points;

/* How many points each section of a key for this relation has. */
void weir_key_points_expected(uint64_t count[WEIR_KEY_SECTIONS], const weir_relation *rel);

/* Has the key these numbers? Errors: WEIR_E_MISMATCH with section and both numbers. */
weir_err weir_key_points_fit(const weir_key_points *key, const weir_relation *rel,
                             weir_errinfo *ei) WEIR_MUST_USE;

#endif
