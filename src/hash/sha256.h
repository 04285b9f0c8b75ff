/* SHA-256 (FIPS 180-4). Uses SHA-NI where the processor has it: 35 ns a block, else 570.
 * Two messages at once take 26 ns a block each. Size: below 2^61 bytes. Thread: any. */
#ifndef WEIR_HASH_SHA256_H
#define WEIR_HASH_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct weir_sha256 {
    uint32_t state[8];
    uint64_t bytes;
    uint8_t block[64];
} weir_sha256;

void weir_sha256_init(weir_sha256 *s);
void weir_sha256_update(weir_sha256 *s, const void *data, size_t n);
void weir_sha256_final(weir_sha256 *s, uint8_t out[32]);
/* All three in one. */
void weir_sha256_hash(uint8_t out[32], const void *data, size_t n);

/* Two messages of the same length at once. out[i] may not lie in data. */
void weir_sha256_hash2(uint8_t *const out[2], const void *const data[2], size_t n);

/* The round constants and the initial state, for the circuit. Said to be hidden, so that position-independent code reads them in
 * place and not through a table of addresses. */
extern const uint32_t weir_sha256_k[64] __attribute__((visibility("hidden")));
extern const uint32_t weir_sha256_iv[8] __attribute__((visibility("hidden")));

/* n blocks of 64 bytes into the state. Bodies, for tests and benches; NULL if the processor lacks
 * it. */
typedef void (*weir_sha256_compress_fn)(uint32_t state[8], const uint8_t *blocks, size_t n);
void weir_sha256_compress_portable(uint32_t state[8], const uint8_t *blocks, size_t n);
weir_sha256_compress_fn weir_sha256_compress_shani(void);
/* The best of them. */
void weir_sha256_compress(uint32_t state[8], const uint8_t *blocks, size_t n);

/* n blocks of each of two messages, interleaved where there is SHA-NI, else one after the other. */
typedef void (*weir_sha256_compress2_fn)(uint32_t state[2][8], const uint8_t *const blocks[2],
                                         size_t n);
void weir_sha256_compress2_portable(uint32_t state[2][8], const uint8_t *const blocks[2], size_t n);
weir_sha256_compress2_fn weir_sha256_compress2_shani(void);
void weir_sha256_compress2(uint32_t state[2][8], const uint8_t *const blocks[2], size_t n);

#endif
