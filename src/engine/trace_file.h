/* Traces in files.
 *
 * All numbers little-endian:
 *
 *     0   8  "weirtrce"
 *     8   4  version, 1
 *     12  4  kinds: how many names of kinds follow
 *     16  4  lanes: how many names of lanes follow
 *     20  4  zero
 *     24  8  spans
 *     32  8  spans that were lost before they could be written
 *     40     names of kinds, then of lanes: a byte that is the length, 1 to 255, and so many characters, printable ASCII
 *            spans, 32 bytes each: begin and end (8 each, nanoseconds of the writer's clock, below 2^63), lane, job, partition (4
 *            each; 2^32 - 1: none), kind (4, its place among the names)
 *            the SHA-256 of all before
 *
 * Kinds go by their names, so that a program with more kinds reads what one with fewer has written.
 */
#ifndef WEIR_ENGINE_TRACE_FILE_H
#define WEIR_ENGINE_TRACE_FILE_H

#include "engine/trace.h"

#include <stddef.h>

enum { WEIR_TRACE_MAX_LANES = 1024 };

/* Whole or not at all. Characters of names that are no printable ASCII become '?'. Errors: WEIR_E_IO, WEIR_E_NOMEM; WEIR_E_RANGE: more
 * than WEIR_TRACE_MAX_LANES lanes. Blocks: until the bytes are on the disk. */
weir_err weir_spans_save(const weir_spans *s, const char *path, weir_errinfo *ei) WEIR_MUST_USE;

/* To be cleared. Trusts nothing: what is loaded has lanes and kinds that exist, begin <= end, and is in order. Errors: WEIR_E_IO,
 * WEIR_E_NOMEM; for bad data WEIR_E_FORMAT, WEIR_E_TRUNCATED, WEIR_E_RANGE, WEIR_E_UNSUPPORTED (newer version, kind not known), with file
 * and byte; out is then empty. */
weir_err weir_spans_load(weir_spans *out, const char *path, weir_errinfo *ei) WEIR_MUST_USE;
/* The same from memory; nothing of it is kept. */
weir_err weir_spans_decode(weir_spans *out, const uint8_t *data, size_t n,
                           weir_errinfo *ei) WEIR_MUST_USE;

#endif
