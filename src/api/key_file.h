/* Key files as the commands take them. */
#ifndef WEIR_API_KEY_FILE_H
#define WEIR_API_KEY_FILE_H

#include "api/circuits.h"
#include "circuit/porep.h"
#include "formats/params.h"

/* A proving key: the mapped file, its verifying key, and both as the prover sees them. */
typedef struct weir_key_file {
    weir_params *params;
    weir_vk *vk;
    weir_pkey pkey; /* points into the two */
} weir_key_file;

/* vk_path: NULL, or a .vk that must be the one in front of the .params. Refuses keys that anyone
 * can forge for. Errors: those of the readers; WEIR_E_MISMATCH. Close also after an error. */
weir_err weir_key_file_open(weir_key_file *out, const char *path, const char *vk_path, weir_isa isa,
                            weir_errinfo *ei) WEIR_MUST_USE;
void weir_key_file_close(weir_key_file *k);

/* The key's counts, to be looked up in api/circuits.h. */
void weir_key_file_counts(uint64_t count[WEIR_CIRCUIT_COUNTS], const weir_params *p);
/* Fails early, before the relation is built, if the key is that of another circuit, and says of
 * which. */
weir_err weir_key_file_is_porep(const weir_params *p, const weir_porep_shape *shape,
                                weir_errinfo *ei) WEIR_MUST_USE;

/* Digest as in parameters.json: the first 32 hexadecimal digits of BLAKE2b-512. progress: stage
 * "digest". Errors: WEIR_E_CANCELLED. */
enum { WEIR_KEY_DIGEST_BYTES = 16 };
weir_err weir_key_file_digest(uint8_t out[WEIR_KEY_DIGEST_BYTES], const uint8_t *data, uint64_t n,
                              const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;

#endif
