/* A pull reader for JSON (RFC 8259) over a byte range: the caller asks for the value that it
 * expects and gets it, or an error with the byte offset and the path, such as "byte 5120,
 * vanilla_proofs[0][3].comm_d_proofs: ...".
 *
 * No tree is built and nothing is allocated. Strict: UTF-8 is checked, numbers and escapes are
 * those of the RFC, nesting is bounded, nothing may follow the document. After an error the reader
 * must not be used.
 *
 * The order of calls, for an object (an array is the same with weir_json_array and weir_json_item):
 *
 *     WEIR_TRY(weir_json_object(&j));
 *     for (;;) {
 *         WEIR_TRY(weir_json_key(&j, &key));
 *         if (!key) break;
 *         ... read or skip exactly one value ...
 *     }
 *
 * A copy of the struct, taken where a value begins, is a place to come back to.
 * Thread: one reader, one thread.
 */
#ifndef WEIR_FORMATS_JSON_PULL_H
#define WEIR_FORMATS_JSON_PULL_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WEIR_JSON_MAX_DEPTH = 64, /* Filecoin's files need 14 */
    WEIR_JSON_MAX_KEY = 63    /* longer keys are legal, but equal to none that we know */
};

typedef enum weir_json_kind {
    WEIR_JSON_OBJECT,
    WEIR_JSON_ARRAY,
    WEIR_JSON_STRING,
    WEIR_JSON_NUMBER,
    WEIR_JSON_TRUE,
    WEIR_JSON_FALSE,
    WEIR_JSON_NULL
} weir_json_kind;

/* The place in one object or array, kept for the path. */
typedef struct weir_json_frame {
    const uint8_t *_key; /* text of the current key, as it stands between the quotes */
    size_t _key_len;
    uint64_t _index; /* items begun */
    bool _array;
} weir_json_frame;

typedef struct weir_json {
    const uint8_t *_base, *_p, *_end;
    const uint8_t *_at; /* where the last token began: the place that errors name */
    weir_errinfo *_ei;
    unsigned _depth;
    weir_json_frame _frame[WEIR_JSON_MAX_DEPTH];
    char _key[WEIR_JSON_MAX_KEY + 1];
} weir_json;

/* The text of a string between its quotes, checked but not unescaped. */
typedef struct weir_json_raw {
    const uint8_t *text;
    size_t n;
    bool escaped; /* a backslash occurs */
} weir_json_raw;

/* Keeps: data and ei. ei may be NULL. */
void weir_json_init(weir_json *j, const uint8_t *data, size_t n, weir_errinfo *ei);
/* Only white space may follow the document. Errors: WEIR_E_FORMAT. */
weir_err weir_json_end(weir_json *j) WEIR_MUST_USE;

/* Errors of all reads: WEIR_E_TRUNCATED at the end of the data, WEIR_E_FORMAT otherwise. */

/* What comes next, without reading it. */
weir_err weir_json_peek(weir_json *j, weir_json_kind *kind) WEIR_MUST_USE;
weir_err weir_json_object(weir_json *j) WEIR_MUST_USE;
/* The next key, NULL at the end of the object. It stays valid until the next call. A key that is
 * longer than WEIR_JSON_MAX_KEY bytes or that holds a zero byte reads as "". */
weir_err weir_json_key(weir_json *j, const char **key) WEIR_MUST_USE;
weir_err weir_json_array(weir_json *j) WEIR_MUST_USE;
weir_err weir_json_item(weir_json *j, bool *more) WEIR_MUST_USE;
/* An integer 0 .. 2^64 - 1 without fraction or exponent. Errors: also WEIR_E_RANGE. */
weir_err weir_json_u64(weir_json *j, uint64_t *v) WEIR_MUST_USE;
/* An array of exactly 32 integers 0..255. */
weir_err weir_json_bytes32(weir_json *j, uint8_t out[32]) WEIR_MUST_USE;
weir_err weir_json_raw_string(weir_json *j, weir_json_raw *raw) WEIR_MUST_USE;
/* A string of at most size - 1 bytes without zero bytes, to a C string. */
weir_err weir_json_string(weir_json *j, char *out, size_t size) WEIR_MUST_USE;
/* One value of any kind, checked like all others. */
weir_err weir_json_skip(weir_json *j) WEIR_MUST_USE;

/* Unescapes to out (raw->n bytes suffice); the number of bytes written. */
size_t weir_json_unescape(uint8_t *out, const weir_json_raw *raw);

/* The keys of one object that the caller knows; see weir_json_field. At most 32. */
typedef struct weir_json_fields {
    const char *const *names; /* ends with NULL */
    uint32_t required;        /* bit i: names[i] must be there */
    bool strict;              /* an unknown key is an error, not skipped */
    uint32_t seen;            /* bit i: names[i] was there; start with 0 */
} weir_json_fields;

/* The next known key of an object: *which is its number in names, -1 at the end of the object.
 * Unknown keys are skipped with their values. Errors: a known key that comes twice; at the end, a
 * required key that was not there. */
weir_err weir_json_field(weir_json *j, weir_json_fields *f, int *which) WEIR_MUST_USE;

/* Byte offset of the next unread byte. */
static inline uint64_t weir_json_offset(const weir_json *j)
{
    return (uint64_t)(j->_p - j->_base);
}

/* Writes "byte N, PATH: " and the message; N is where the last token began. */
weir_err weir_json_fail(const weir_json *j, weir_err err, const char *fmt, ...) WEIR_PRINTF(3, 4);

#endif
