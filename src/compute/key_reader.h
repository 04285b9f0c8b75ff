/* Reads ranges of key points on all threads of a pool. For backends. */
#ifndef WEIR_COMPUTE_KEY_READER_H
#define WEIR_COMPUTE_KEY_READER_H

#include "base/exec.h"
#include "base/fault.h"
#include "compute/key_points.h"

typedef struct weir_key_reader {
    const weir_key_points *key;
    const weir_exec *x;
    weir_fault *_faults; /* one for each thread of the pool */
} weir_key_reader;

/* Errors: WEIR_E_NOMEM. */
weir_err weir_key_reader_init(weir_key_reader *r, const weir_key_points *key, const weir_exec *x,
                              weir_errinfo *ei) WEIR_MUST_USE;
void weir_key_reader_clear(weir_key_reader *r);
uint64_t weir_key_reader_bytes(const weir_exec *x);

/* Points first .. first+n-1 of a section. Errors: of several bad points the first one is reported, whatever the number
 * of threads; WEIR_E_CANCELLED. */
weir_err weir_key_reader_g1(weir_key_reader *r, weir_key_section section, uint64_t first, size_t n,
                            weir_g1_affine *out, weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_key_reader_g2(weir_key_reader *r, weir_key_section section, uint64_t first, size_t n,
                            weir_g2_affine *out, weir_errinfo *ei) WEIR_MUST_USE;

/* Points first .. first+n-1 of an array, in whole blocks as read_array. In: the key has read_array. Errors: as above, by block. */
weir_err weir_key_reader_array(weir_key_reader *r, weir_key_array array, uint64_t first, size_t n,
                               void *out, weir_errinfo *ei) WEIR_MUST_USE;

/* out[i] = point[i] of a section, for n points in rising order; neighbours are read together. Errors: as above. Cost: that of the
 * points, and a call of the key's reader for each run of neighbours. */
weir_err weir_key_reader_picked_g1(weir_key_reader *r, weir_key_section section,
                                   const uint32_t *point, size_t n, weir_g1_affine *out,
                                   weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_key_reader_picked_g2(weir_key_reader *r, weir_key_section section,
                                   const uint32_t *point, size_t n, weir_g2_affine *out,
                                   weir_errinfo *ei) WEIR_MUST_USE;

#endif
