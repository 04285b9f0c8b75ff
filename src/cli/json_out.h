/* Writes one JSON document to a stream, piece by piece. Errors of the stream are the caller's to
 * look at (ferror). */
#ifndef WEIR_CLI_JSON_OUT_H
#define WEIR_CLI_JSON_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct weir_json_out {
    FILE *_out;
    unsigned _depth;
    bool _first; /* nothing was written yet in the open object or array */
} weir_json_out;

void weir_json_out_init(weir_json_out *j, FILE *out);
/* key: NULL inside an array and at the top. */
void weir_json_out_object(weir_json_out *j, const char *key);
void weir_json_out_array(weir_json_out *j, const char *key);
void weir_json_out_end_object(weir_json_out *j);
void weir_json_out_end_array(weir_json_out *j);
/* Bytes that are not UTF-8 come out as U+FFFD. value may be NULL: null. */
void weir_json_out_string(weir_json_out *j, const char *key, const char *value);
void weir_json_out_u64(weir_json_out *j, const char *key, uint64_t value);
/* With three decimals. In: finite. */
void weir_json_out_seconds(weir_json_out *j, const char *key, uint64_t ns);
/* With six decimals. In: finite. */
void weir_json_out_number(weir_json_out *j, const char *key, double value);
void weir_json_out_bool(weir_json_out *j, const char *key, bool value);
/* Lower-case hexadecimal digits in a string. */
void weir_json_out_hex(weir_json_out *j, const char *key, const uint8_t *bytes, size_t n);

#endif
