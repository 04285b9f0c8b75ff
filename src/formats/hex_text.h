/* Hexadecimal text in JSON files. Internal to formats. Thread: any. */
#ifndef WEIR_FORMATS_HEX_TEXT_H
#define WEIR_FORMATS_HEX_TEXT_H

#include "field/types.h"

#include <stdbool.h>
#include <stdint.h>

/* Exactly 64 digits, either case, with or without 0x: 32 bytes in their order. */
bool weir_hex_to_bytes32(uint8_t out[32], const char *text);
/* 0x and 1 to 64 digits: a number, most significant digit first. Not compared with r. */
bool weir_hex_to_scalar(weir_scalar *out, const char *text);
/* 64 digits, lower case, and a zero byte. */
void weir_hex_from_bytes32(char text[65], const uint8_t in[32]);

#endif
