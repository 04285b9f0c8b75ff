/* From a .params file to a native key: read once, every point checked, the digest compared, and only then given its name. */
#ifndef WEIR_FORMATS_KEY_IMPORT_H
#define WEIR_FORMATS_KEY_IMPORT_H

#include "curve/point_check.h"
#include "formats/native_key.h"
#include "formats/params.h"

typedef struct weir_key_import {
    const weir_params *params; /* the open file; it is opened once more by its name */
    const weir_relation *rel;
    const char *circuit;  /* for the header */
    const char *out_path; /* of the native key */
    /* BLAKE2b-512 of the file must begin with these bytes; NULL: it is taken as it is */
    const uint8_t *digest;
    size_t digest_bytes;
    const weir_point_check *check;
} weir_key_import;

/* Threads: the caller's, those of x's pool, and two more, of which one reads and hashes the next piece while this one is checked, and one writes
 * the one before.
 * Progress: "points", in bytes of the file. Errors: WEIR_E_MISMATCH (counts that are not the relation's: at once, before there is an output; the digest: at the
 * end), the point errors with file, section, point and byte offset, WEIR_E_IO, WEIR_E_NOMEM, WEIR_E_CANCELLED, those of the check. Then
 * no output appears, and what stood under its name stays.
 * Cost: that of the check, 1.6 ns a byte for the digest. Memory: under 64 MiB, 4 bytes for each dense point of a query, 32 bytes a
 * block; the mapped file is hardly touched. source: the digest of the file, also after a wrong one; zeros before its end. */
weir_err weir_key_import_run(uint8_t source[WEIR_SOURCE_DIGEST_BYTES], const weir_key_import *job,
                             const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;

#endif
