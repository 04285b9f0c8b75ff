/* BLAKE2b (RFC 7693) by libsodium. Thread: any. Cost: 1.6 ns a byte. Lengths outside of the stated
 * ranges are mistakes of the caller (assertion). */
#ifndef WEIR_HASH_BLAKE2B_H
#define WEIR_HASH_BLAKE2B_H

#include <stddef.h>
#include <stdint.h>

/* out_bytes 16..64; key may be NULL with key_bytes 0, else up to 64 bytes. */
void weir_blake2b(uint8_t *out, size_t out_bytes, const void *data, size_t n, const void *key,
                  size_t key_bytes);

/* Streamed, without a key: digests of key files. */
typedef struct weir_blake2b_stream {
    _Alignas(64) uint8_t _state[384];
} weir_blake2b_stream;
/* out_bytes 16..64, the same number at both. */
void weir_blake2b_init(weir_blake2b_stream *s, size_t out_bytes);
void weir_blake2b_update(weir_blake2b_stream *s, const void *data, size_t n);
void weir_blake2b_final(weir_blake2b_stream *s, uint8_t *out, size_t out_bytes);

#endif
