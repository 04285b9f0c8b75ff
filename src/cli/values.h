/* The values that options and small text files carry. Errors: WEIR_E_USAGE with the option's
 * name. */
#ifndef WEIR_CLI_VALUES_H
#define WEIR_CLI_VALUES_H

#include "base/err.h"
#include "circuit/porep.h"

#include <stddef.h>
#include <stdint.h>

/* A whole number lo .. hi, decimal. */
weir_err weir_value_u64(uint64_t *out, const char *option, const char *text, uint64_t lo,
                        uint64_t hi, weir_errinfo *ei) WEIR_MUST_USE;
/* A number of bytes: "16GiB", "500MiB", "2.5GiB", "123". */
weir_err weir_value_bytes(uint64_t *out, const char *option, const char *text,
                          weir_errinfo *ei) WEIR_MUST_USE;
/* Seconds, "12" or "12.5", to a nanosecond; at most 10^9. */
weir_err weir_value_seconds(uint64_t *out_ns, const char *option, const char *text,
                            weir_errinfo *ei) WEIR_MUST_USE;
/* Exactly n bytes from 2n hexadecimal digits, "0x" in front allowed. */
weir_err weir_value_hex(uint8_t *out, size_t n, const char *option, const char *text,
                        weir_errinfo *ei) WEIR_MUST_USE;
/* A sector size: "2KiB", "32GiB", or a number of bytes. */
weir_err weir_value_sector_size(const weir_porep_shape **out, const char *option, const char *text,
                                weir_errinfo *ei) WEIR_MUST_USE;
/* A circuit whose keys can be made: "porep-2KiB", capitals or not. Errors: also WEIR_E_UNSUPPORTED for
 * Filecoin's other circuits. */
weir_err weir_value_circuit(const weir_porep_shape **out, const char *option, const char *text,
                            weir_errinfo *ei) WEIR_MUST_USE;
/* A registered seal proof, by name or number. */
weir_err weir_value_registered(const weir_registered_porep **out, const char *option,
                               const char *text, weir_errinfo *ei) WEIR_MUST_USE;

/* 2n digits and a zero byte. */
void weir_hex_print(char *out, const uint8_t *bytes, size_t n);
/* "44.1 GiB"; out has room for 24 characters. */
void weir_bytes_print(char out[24], uint64_t bytes);

#endif
