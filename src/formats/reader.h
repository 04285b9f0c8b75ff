/* A bounded cursor over bytes: every read is checked against the end, and every error says at which
 * byte.
 *
 * Reads name what they read, so that the message can say what is missing. A failed read leaves the
 * position where the item began. Nothing allocates. Thread: one reader, one thread.
 */
#ifndef WEIR_FORMATS_READER_H
#define WEIR_FORMATS_READER_H

#include "base/err.h"

#include <stdint.h>

typedef struct weir_reader {
    const uint8_t *data;
    uint64_t n, pos; /* pos <= n */
    weir_errinfo *ei;
} weir_reader;

/* Keeps: data and ei, as long as the reader is used. ei may be NULL. */
void weir_reader_init(weir_reader *r, const uint8_t *data, uint64_t n, weir_errinfo *ei);
static inline uint64_t weir_reader_left(const weir_reader *r)
{
    return r->n - r->pos;
}

/* Errors of all reads: WEIR_E_TRUNCATED. */
weir_err weir_reader_bytes(weir_reader *r, const uint8_t **bytes, uint64_t n,
                           const char *what) WEIR_MUST_USE;
weir_err weir_reader_u8(weir_reader *r, uint8_t *v, const char *what) WEIR_MUST_USE;
weir_err weir_reader_u32le(weir_reader *r, uint32_t *v, const char *what) WEIR_MUST_USE;
weir_err weir_reader_u32be(weir_reader *r, uint32_t *v, const char *what) WEIR_MUST_USE;
weir_err weir_reader_u64le(weir_reader *r, uint64_t *v, const char *what) WEIR_MUST_USE;
weir_err weir_reader_u64be(weir_reader *r, uint64_t *v, const char *what) WEIR_MUST_USE;

/* A list: a count from the input and items of item_bytes each. The items must be there. Errors:
 * WEIR_E_TRUNCATED with both figures. Safe for any count. */
weir_err weir_reader_check_count(const weir_reader *r, uint64_t count, uint64_t item_bytes,
                                 const char *what) WEIR_MUST_USE;

/* Nothing may follow. Errors: WEIR_E_FORMAT. */
weir_err weir_reader_end(const weir_reader *r, const char *what) WEIR_MUST_USE;

/* Writes "byte POS: " and the message. */
weir_err weir_reader_fail(const weir_reader *r, uint64_t pos, weir_err err, const char *fmt, ...)
    WEIR_PRINTF(4, 5);

#endif
