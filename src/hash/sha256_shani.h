/* The SHA-NI bodies. Only for sha256.c, which asks the processor first. */
#ifndef WEIR_HASH_SHA256_SHANI_H
#define WEIR_HASH_SHA256_SHANI_H

#include <stddef.h>
#include <stdint.h>

void weir_sha256_compress_shani_body(uint32_t state[8], const uint8_t *blocks, size_t n);
void weir_sha256_compress2_shani_body(uint32_t state[2][8], const uint8_t *const blocks[2],
                                      size_t n);

#endif
