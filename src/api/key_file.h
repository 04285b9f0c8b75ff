/* Key files as the commands take them. */
#ifndef WEIR_API_KEY_FILE_H
#define WEIR_API_KEY_FILE_H

#include "api/circuits.h"
#include "circuit/porep.h"
#include "formats/native_key.h"
#include "formats/params.h"

/* A proving key: the file, its verifying key, and both as the prover sees them. */
typedef struct weir_key_file {
    weir_params *params;     /* one of the two */
    weir_native_key *native; /* weir's own */
    weir_vk *vk;
    weir_pkey pkey; /* points into these */
} weir_key_file;

/* Does this file begin as a native key does? Errors: WEIR_E_IO. */
weir_err weir_key_file_is_native(bool *native, const char *path, weir_errinfo *ei) WEIR_MUST_USE;

/* A .params or a native key, told by how it begins. vk_path: NULL, or a .vk that must be the one in it. Refuses keys that anyone
 * can forge for. Errors: those of the readers; WEIR_E_MISMATCH. Close also after an error. */
weir_err weir_key_file_open(weir_key_file *out, const char *path, const char *vk_path, weir_isa isa,
                            weir_errinfo *ei) WEIR_MUST_USE;
void weir_key_file_close(weir_key_file *k);

const char *weir_key_file_name(const weir_key_file *k);
uint64_t weir_key_file_size(const weir_key_file *k);
/* Memory held; mapped files are not counted. */
uint64_t weir_key_file_held(const weir_key_file *k);

/* Is it a key of this relation? Once, before its points are read. Errors: WEIR_E_MISMATCH; WEIR_E_NOMEM. */
weir_err weir_key_file_fit(weir_key_file *k, const weir_relation *rel,
                           weir_errinfo *ei) WEIR_MUST_USE;

/* The key's counts, to be looked up in api/circuits.h. In: params or native is open. */
void weir_key_file_counts(uint64_t count[WEIR_CIRCUIT_COUNTS], const weir_key_file *k);
/* Fails early, before the relation is built, if the key is that of another circuit, and says of
 * which. */
weir_err weir_key_file_is_porep(const weir_key_file *k, const weir_porep_shape *shape,
                                weir_errinfo *ei) WEIR_MUST_USE;

/* Digest as in parameters.json: the first 32 hexadecimal digits of BLAKE2b-512. progress: stage
 * "digest". Errors: WEIR_E_CANCELLED. */
enum { WEIR_KEY_DIGEST_BYTES = 16 };
weir_err weir_key_file_digest(uint8_t out[WEIR_KEY_DIGEST_BYTES], const uint8_t *data, uint64_t n,
                              const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;

#endif
