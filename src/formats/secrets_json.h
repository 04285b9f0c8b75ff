/* The secrets of a test key, from JSON: `weir key make --secrets`.
 *
 *     {"alpha": "0x...", "beta": "0x...", "gamma": "0x...", "delta": "0x...", "tau": "0x..."}
 *
 * at the top level or as the value of "toxic"; other keys are skipped. Numbers have 1 to 64
 * hexadecimal digits after 0x, most significant first, and are below r and not zero.
 */
#ifndef WEIR_FORMATS_SECRETS_JSON_H
#define WEIR_FORMATS_SECRETS_JSON_H

#include "base/err.h"
#include "groth16/groth16.h"

#include <stddef.h>
#include <stdint.h>

/* Errors: WEIR_E_FORMAT, WEIR_E_RANGE with byte offset and field; *out is then wiped. Allocates
 * nothing. */
weir_err weir_secrets_read(weir_secrets *out, const uint8_t *data, size_t n,
                           weir_errinfo *ei) WEIR_MUST_USE;

#endif
