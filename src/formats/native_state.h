/* An open native key file. Internal to formats. */
#ifndef WEIR_FORMATS_NATIVE_STATE_H
#define WEIR_FORMATS_NATIVE_STATE_H

#include "base/file.h"
#include "formats/native_layout.h"

/* The dense points of one query, rising. */
typedef struct weir_native_list {
    uint32_t *point; /* NULL before fit */
    uint64_t n;
} weir_native_list;

struct weir_native_key {
    weir_native_header header;
    weir_native_layout layout;
    weir_native_list list[3]; /* by weir_query */
    uint8_t *table;
    /* bit i: block i of the table was compared with its digest. Set by atomic operations, in no order with anything: a bit that is not
     * seen costs one more comparison. */
    uint64_t *compared;
    weir_readfile file;
    weir_mapfile map;
    char *name;
};

/* Points of the array in its block `block`. */
uint32_t weir_native_block_points(const weir_native_key *k, weir_key_array array, uint64_t block);
/* Is this the block? Errors: WEIR_E_MISMATCH with file, array, block and bytes. */
weir_err weir_native_compare(const weir_native_key *k, weir_key_array array, uint64_t block,
                             const void *bytes, weir_errinfo *ei) WEIR_MUST_USE;
/* Where the mapped points of an array begin. */
const uint8_t *weir_native_mapped(const weir_native_key *k, weir_key_array array);
/* Points first .. first + n - 1 are to be read from the mapping: compares their blocks, unless that was done. */
weir_err weir_native_touch(const weir_native_key *k, weir_key_array array, uint64_t first,
                           uint64_t n, weir_errinfo *ei) WEIR_MUST_USE;

#endif
