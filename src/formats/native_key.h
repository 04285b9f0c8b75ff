/* weir's own key file: the points of a .params as backends keep them, checked once (docs/formats.md).
 *
 * Points are in Montgomery form, little-endian, as weir_g1_affine and weir_g2_affine; those of bit columns stand apart from those of
 * inputs and dense columns. Each block of WEIR_KEY_BLOCK_POINTS points of an array has a SHA-256 in the file. Curve, subgroup and the
 * source's digest were checked when the file was made; a reader checks that its bytes are still those that were written.
 */
#ifndef WEIR_FORMATS_NATIVE_KEY_H
#define WEIR_FORMATS_NATIVE_KEY_H

#include "base/err.h"
#include "base/exec.h"
#include "groth16/groth16.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WEIR_NATIVE_CIRCUIT_BYTES = 32,
    WEIR_NATIVE_ORDER_BYTES = 32,
    WEIR_SOURCE_DIGEST_BYTES = 64 /* BLAKE2b-512; parameters.json has the first 16 */
};

/* What the file says of itself. */
typedef struct weir_native_header {
    char circuit[WEIR_NATIVE_CIRCUIT_BYTES]; /* "porep-32GiB"; "" for a relation without a name */
    uint64_t rows, inputs, aux; /* of the relation; inputs with ONE, a point of ic each */
    uint32_t domain_log2;
    uint64_t count[WEIR_KEY_ARRAYS];          /* points */
    uint8_t order[WEIR_NATIVE_ORDER_BYTES];   /* which points of each query are dense */
    uint64_t source_bytes;                    /* of the .params it was made of; 0: of none */
    uint8_t source[WEIR_SOURCE_DIGEST_BYTES]; /* and its digest; zeros */
} weir_native_header;

/* "h", "l_bits", "l_dense", "a_bits", ..., "b_g2_dense" */
extern const char *const weir_native_array_names[WEIR_KEY_ARRAYS];

/* What a key of this relation has in its header but for the source. circuit is cut to its room; NULL: "". Errors: WEIR_E_NOMEM
 * (4 bytes for each dense point of a query, for the call); WEIR_E_RANGE for a query of 2^32 points. */
weir_err weir_native_header_of(weir_native_header *out, const weir_relation *rel,
                               const char *circuit, weir_errinfo *ei) WEIR_MUST_USE;
/* Size of the file with this header. */
uint64_t weir_native_key_bytes(const weir_native_header *h);
uint64_t weir_native_points(const weir_native_header *h, weir_key_section section);

/* ---- reading */

/* Read only after fit; shared by threads. */
typedef struct weir_native_key weir_native_key;

/* Do these n bytes, the first of a file, say that it is a native key? 8 are enough. */
bool weir_native_key_begins(const uint8_t *bytes, uint64_t n);

/* Opens and maps the file, and checks header, verifying key's digest, table of digests, the size to the byte and the zeros between the
 * sections; no point of the arrays is looked at. Errors: WEIR_E_IO, WEIR_E_TRUNCATED, WEIR_E_FORMAT, WEIR_E_UNSUPPORTED (another
 * version), WEIR_E_MISMATCH (a digest) with file, section and byte offset; WEIR_E_NOMEM. Cost: 32 bytes of memory a
 * block. */
weir_err weir_native_key_open(weir_native_key **out, const char *path,
                              weir_errinfo *ei) WEIR_MUST_USE;
void weir_native_key_close(weir_native_key *k); /* NULL is allowed */

const weir_native_header *weir_native_key_header(const weir_native_key *k);
const char *weir_native_key_name(const weir_native_key *k);
/* The verifying key as bytes of a .vk. */
const uint8_t *weir_native_key_vk(const weir_native_key *k, uint64_t *bytes);
/* With all checks of weir_vk_read. */
weir_err weir_native_key_read_vk(weir_vk **out, const weir_native_key *k, weir_isa isa,
                                 weir_errinfo *ei) WEIR_MUST_USE;

/* Is it a key of this relation, in its counts and in which points are dense? Then points can be read in the query's order. Errors:
 * WEIR_E_MISMATCH; WEIR_E_NOMEM. Once, before other threads use k. Cost: 4 bytes for each dense point of the three queries: 20 MB at
 * 32 GiB. */
weir_err weir_native_key_fit(weir_native_key *k, const weir_relation *rel,
                             weir_errinfo *ei) WEIR_MUST_USE;
/* Memory held, mapped files not counted. */
uint64_t weir_native_key_held(const weir_native_key *k);

/* The key as a prover reads it. read_array: whole blocks, from the file into the caller's memory, each compared with its digest each
 * time. read_g1, read_g2: any points in the section's order, from the mapped file, after fit; a block is compared with its digest
 * before the first of its points is given out, and then not again until k is closed (the kernel may drop its pages and read them
 * again). Keeps: k. */
void weir_native_key_points(weir_key_points *out, const weir_native_key *k);

/* read_array by itself. In: first a multiple of WEIR_KEY_BLOCK_POINTS, n too or up to the array's end. Thread: any number of calls
 * at once. Errors: WEIR_E_USAGE, WEIR_E_RANGE; WEIR_E_IO; WEIR_E_MISMATCH with array, block and bytes. */
weir_err weir_native_key_read(const weir_native_key *k, weir_key_array array, uint64_t first,
                              size_t n, void *out, weir_errinfo *ei) WEIR_MUST_USE;
/* Byte of the file at which a point begins. */
uint64_t weir_native_key_offset(const weir_native_key *k, weir_key_array array, uint64_t point);
/* Compares every block with its digest, on all threads. Errors: as above, of several bad blocks the first; WEIR_E_CANCELLED. Progress:
 * "digests", in bytes. */
weir_err weir_native_key_verify(const weir_native_key *k, const weir_exec *x,
                                weir_errinfo *ei) WEIR_MUST_USE;

/* ---- writing */

typedef struct weir_native_writer weir_native_writer;

/* A file under construction; nothing appears under its name before commit. The arguments after path: as weir_native_header_of. Keeps:
 * rel, until close. Cost: 6 MiB, a list of a query's dense points (4 bytes each), 32 bytes a block. */
weir_err weir_native_writer_open(weir_native_writer **out, const char *path,
                                 const weir_relation *rel, const char *circuit, weir_isa isa,
                                 weir_errinfo *ei) WEIR_MUST_USE;
/* Writes the verifying key. Once, first. Errors: WEIR_E_MISMATCH for counts that are not the relation's. */
weir_err weir_native_writer_begin(weir_native_writer *w, const weir_vk *vk,
                                  const uint64_t count[WEIR_KEY_SECTIONS],
                                  weir_errinfo *ei) WEIR_MUST_USE;
/* Appends points. Sections come in the order of a .params file, each complete before the next (those with count 0 need no call).
 * Errors: WEIR_E_USAGE out of order or too many; WEIR_E_IO; WEIR_E_NOMEM. After an error only close is allowed. */
weir_err weir_native_writer_g1(weir_native_writer *w, weir_key_section section,
                               const weir_g1_affine *points, size_t n,
                               weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_native_writer_g2(weir_native_writer *w, weir_key_section section,
                               const weir_g2_affine *points, size_t n,
                               weir_errinfo *ei) WEIR_MUST_USE;
/* The same as functions of a key maker. Keeps: w. */
void weir_native_writer_sink(weir_key_sink *out, weir_native_writer *w);
/* Says what it was made of. Before commit; without it, of nothing. */
void weir_native_writer_source(weir_native_writer *w, uint64_t bytes,
                               const uint8_t digest[WEIR_SOURCE_DIGEST_BYTES]);
/* Writes digests and header, syncs and gives the file its name, if all sections are complete. Errors: WEIR_E_MISMATCH naming the
 * first section that is not; WEIR_E_IO. */
weir_err weir_native_writer_commit(weir_native_writer *w, weir_errinfo *ei) WEIR_MUST_USE;
/* Frees; drops the file if it was not committed. NULL is allowed. */
void weir_native_writer_close(weir_native_writer *w);

#endif
