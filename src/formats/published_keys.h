/* Filecoin's published proving keys and their digests. Source: parameters.json of rust-fil-proofs. */
#ifndef WEIR_FORMATS_PUBLISHED_KEYS_H
#define WEIR_FORMATS_PUBLISHED_KEYS_H

#include <stddef.h>
#include <stdint.h>

enum { WEIR_PUBLISHED_DIGEST_BYTES = 16 }; /* the first ones of BLAKE2b-512 of the .params file */

typedef struct weir_published_key {
    const char *name; /* of the file, without its ending */
    uint8_t digest[WEIR_PUBLISHED_DIGEST_BYTES];
    uint64_t sector_bytes;
} weir_published_key;

/* The published key of this name (api/circuits.h has the names of circuits' keys), or with this digest; NULL: there is none. */
const weir_published_key *weir_published_by_name(const char *name);
const weir_published_key *
weir_published_by_digest(const uint8_t digest[WEIR_PUBLISHED_DIGEST_BYTES]);

#endif
