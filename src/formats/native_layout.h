/* What the reader and the writer of native key files share. Internal to formats. */
#ifndef WEIR_FORMATS_NATIVE_LAYOUT_H
#define WEIR_FORMATS_NATIVE_LAYOUT_H

#include "curve/curve.h"
#include "formats/native_key.h"

enum {
    WEIR_NATIVE_VERSION = 1,
    WEIR_NATIVE_PAGE = 4096, /* every section begins at a multiple; the header has one */
    WEIR_NATIVE_MAGIC_BYTES = 8,
    WEIR_NATIVE_DIGEST_BYTES = 32 /* SHA-256 */
};

/* Where the sections are: header, verifying key, table of digests, arrays, each at the next page. */
typedef struct weir_native_layout {
    uint64_t vk, vk_bytes;
    uint64_t table, table_bytes; /* a digest for each block, array after array */
    uint64_t array[WEIR_KEY_ARRAYS], array_bytes[WEIR_KEY_ARRAYS];
    uint64_t block[WEIR_KEY_ARRAYS]; /* the array's first digest in the table */
    uint64_t file_bytes;
} weir_native_layout;

/* In: counts and inputs below 2^32. */
void weir_native_layout_of(weir_native_layout *out, const weir_native_header *h);

/* Digests that the header has of other sections. */
typedef struct weir_native_digests {
    uint8_t vk[WEIR_NATIVE_DIGEST_BYTES], table[WEIR_NATIVE_DIGEST_BYTES];
} weir_native_digests;

void weir_native_header_encode(uint8_t page[WEIR_NATIVE_PAGE], const weir_native_header *h,
                               const weir_native_digests *d);
/* Checks magic, version, digest, and that the numbers can be those of a key. file_bytes: what the header says of the file's size.
 * Errors: those of weir_native_key_open, with byte offset and without the file's name. */
weir_err weir_native_header_decode(weir_native_header *h, weir_native_digests *d,
                                   uint64_t *file_bytes, const uint8_t page[WEIR_NATIVE_PAGE],
                                   weir_errinfo *ei) WEIR_MUST_USE;

/* ---- sections of a .params and their arrays */

static inline bool weir_native_has_bits(weir_key_section s)
{
    return s != WEIR_KEY_H;
}
/* In: has_bits. */
static inline weir_key_array weir_native_bits(weir_key_section s)
{
    return (weir_key_array)(2 * s - 1);
}
static inline weir_key_array weir_native_dense(weir_key_section s)
{
    return (weir_key_array)(2 * s);
}
/* In: has_bits. */
static inline weir_query weir_native_query(weir_key_section s)
{
    return s == WEIR_KEY_L ? WEIR_QUERY_L : s == WEIR_KEY_A ? WEIR_QUERY_A : WEIR_QUERY_B;
}
static inline size_t weir_native_point_bytes(weir_key_array a)
{
    return a >= WEIR_KEY_ARRAY_B2_BITS ? sizeof(weir_g2_affine) : sizeof(weir_g1_affine);
}
static inline uint64_t weir_native_blocks(uint64_t points)
{
    return (points + WEIR_KEY_BLOCK_POINTS - 1) / WEIR_KEY_BLOCK_POINTS;
}

#endif
