/* Base64, RFC 4648 section 4: standard alphabet, padded, no white space.
 *
 * Strict: every byte string has exactly one text. Thread: any. Nothing allocates.
 */
#ifndef WEIR_FORMATS_BASE64_H
#define WEIR_FORMATS_BASE64_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Most bytes that n characters can hold; the size of the buffer for decoding. */
static inline size_t weir_base64_max_bytes(size_t n)
{
    return n / 4 * 3;
}
/* Characters for n bytes, padding included. In: n below 2^61. */
static inline size_t weir_base64_chars(size_t n)
{
    return (n + 2) / 3 * 4;
}

/* out: weir_base64_max_bytes(n) bytes; *n_out: bytes written.
 * Alias: out may be text (decoding in place).
 * Errors: WEIR_E_FORMAT with the number of the character (from 0): a character outside the
 * alphabet, padding not at the end, length not a multiple of 4, left-over bits that are not zero.
 * Cost: about 1 GB of text a second. */
weir_err weir_base64_decode(uint8_t *out, size_t *n_out, const uint8_t *text, size_t n,
                            weir_errinfo *ei) WEIR_MUST_USE;

/* text: weir_base64_chars(n) characters, no terminating zero. */
void weir_base64_encode(char *text, const uint8_t *in, size_t n);

#endif
