/* Filecoin's key files: .params (proving key) and .vk (verifying key).
 *
 * .vk:     alpha_g1, beta_g1, beta_g2, gamma_g2, delta_g1, delta_g2, u32 big-endian count of ic,
 *          ic points.
 * .params: the bytes of the .vk, then five sections h, l, a, b_g1, b_g2, each a u32 big-endian
 *          count and its points.
 *
 * Points are uncompressed (96 bytes in G1, 192 in G2). There is no header, padding or checksum; so
 * a reader that knows the six counts knows the size of the file to the byte, and it is compared.
 *
 * Points of the sections are decoded when they are used (a 32 GiB key has 460 million of them).
 */
#ifndef WEIR_FORMATS_PARAMS_H
#define WEIR_FORMATS_PARAMS_H

#include "base/err.h"
#include "base/file.h"
#include "base/isa.h"
#include "curve/curve.h"
#include "groth16/groth16.h"

#include <stddef.h>
#include <stdint.h>

/* ---- verifying key */

enum {
    WEIR_VK_FIXED_BYTES = 3 * WEIR_G1_BYTES + 3 * WEIR_G2_BYTES
}; /* in front of the count of ic */

static inline uint64_t weir_vk_bytes(uint32_t n_ic)
{
    return WEIR_VK_FIXED_BYTES + 4 + (uint64_t)WEIR_G1_BYTES * n_ic;
}

/* Decodes a .vk of exactly n bytes. Every point is checked: curve, subgroup, not infinity. *out:
 * weir_vk_free.
 * Errors: WEIR_E_TRUNCATED, WEIR_E_FORMAT (bytes left over, no ic), the point errors of
 * curve/curve.h, each with the byte offset and the name of the point (from ic[0] on); WEIR_E_NOMEM.
 * Cost: 0.05 ms (ADX) or 0.15 ms (portable) a point. */
weir_err weir_vk_read(weir_vk **out, const uint8_t *data, uint64_t n, weir_isa isa,
                      weir_errinfo *ei) WEIR_MUST_USE;
/* The same from a file; errors begin with its name. */
weir_err weir_vk_open(weir_vk **out, const char *path, weir_isa isa,
                      weir_errinfo *ei) WEIR_MUST_USE;
/* bytes: weir_vk_bytes(vk->n_ic) bytes. */
void weir_vk_encode(uint8_t *bytes, const weir_vk *vk, weir_isa isa);
/* Writes the file whole or not at all. */
weir_err weir_vk_write(const char *path, const weir_vk *vk, weir_isa isa,
                       weir_errinfo *ei) WEIR_MUST_USE;

/* ---- proving key */

typedef struct weir_params_section {
    uint64_t offset; /* of the first point */
    uint64_t count;  /* points */
} weir_params_section;

/* Read only after open; shared by threads. */
typedef struct weir_params {
    const uint8_t *data;
    uint64_t size_bytes;
    uint64_t vk_bytes; /* the verifying key is bytes 0 .. vk_bytes */
    uint32_t n_ic;
    weir_params_section section[WEIR_KEY_SECTIONS];
    char *name; /* for messages */
    weir_mapfile _file;
} weir_params;

/* Maps the file and checks its structure: each section against the size of the file, nothing left
 * over, h one less than a power of two, as many points in b_g1 as in b_g2, no more in a and b than
 * there are variables.
 * Errors: WEIR_E_IO, WEIR_E_TRUNCATED, WEIR_E_FORMAT, WEIR_E_MISMATCH with file, section and byte
 * offset; WEIR_E_NOMEM. */
weir_err weir_params_open(weir_params **out, const char *path, weir_errinfo *ei) WEIR_MUST_USE;
/* The same over memory that stays the caller's. Keeps: data. name: for messages, copied. */
weir_err weir_params_open_memory(weir_params **out, const uint8_t *data, uint64_t n,
                                 const char *name, weir_errinfo *ei) WEIR_MUST_USE;
void weir_params_close(weir_params *p);

/* The verifying key in front, with all checks of weir_vk_read. */
weir_err weir_params_read_vk(weir_vk **out, const weir_params *p, weir_isa isa,
                             weir_errinfo *ei) WEIR_MUST_USE;

/* Points first .. first + n - 1 of a section. checks: bits of curve/curve.h.
 * Thread: any number of calls at once.
 * Errors: WEIR_E_RANGE if the section has not so many points; the point errors, with file, section,
 * number of the point and byte offset. */
weir_err weir_params_decode_g1(weir_g1_affine *out, const weir_params *p, weir_key_section section,
                               uint64_t first, size_t n, unsigned checks, weir_isa isa,
                               weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_params_decode_g2(weir_g2_affine *out, const weir_params *p, weir_key_section section,
                               uint64_t first, size_t n, unsigned checks, weir_isa isa,
                               weir_errinfo *ei) WEIR_MUST_USE;

/* The key as the prover reads it: curve equation and infinity are checked on every read, the
 * subgroup is not. Keeps: p, until the points are no longer used. */
void weir_params_points(weir_key_points *out, const weir_params *p);

/* ---- writing */

typedef struct weir_params_writer weir_params_writer;

/* A file under construction; nothing appears under its name before commit. */
weir_err weir_params_writer_open(weir_params_writer **out, const char *path, weir_isa isa,
                                 weir_errinfo *ei) WEIR_MUST_USE;
/* Writes the verifying key and fixes the counts. Once, first. Errors: WEIR_E_RANGE for a count
 * above 2^32 - 1. */
weir_err weir_params_writer_begin(weir_params_writer *w, const weir_vk *vk,
                                  const uint64_t count[WEIR_KEY_SECTIONS],
                                  weir_errinfo *ei) WEIR_MUST_USE;
/* Appends points. Sections come in the order of the file, each complete before the next (those with
 * count 0 need no call). Errors: WEIR_E_USAGE out of order or too many; WEIR_E_IO. After an error
 * only close is allowed. */
weir_err weir_params_writer_g1(weir_params_writer *w, weir_key_section section,
                               const weir_g1_affine *points, size_t n,
                               weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_params_writer_g2(weir_params_writer *w, weir_key_section section,
                               const weir_g2_affine *points, size_t n,
                               weir_errinfo *ei) WEIR_MUST_USE;
/* The same as functions of a key maker. Keeps: w. */
void weir_params_writer_sink(weir_key_sink *out, weir_params_writer *w);
/* Syncs and gives the file its name, if all sections are complete. Errors: WEIR_E_MISMATCH naming
 * the first section that is not; WEIR_E_IO. */
weir_err weir_params_writer_commit(weir_params_writer *w, weir_errinfo *ei) WEIR_MUST_USE;
/* Frees; drops the file if it was not committed. NULL is allowed. */
void weir_params_writer_close(weir_params_writer *w);

#endif
