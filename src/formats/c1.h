/* The output of Commit Phase 1: reading and writing its four forms.
 *
 * Forms, recognised by content (docs/formats.md has the grammar):
 *   WEIR_C1_JSON     JSON of filecoin-proofs: {vanilla_proofs: [[...]], comm_r, comm_d, ...}
 *   WEIR_C1_API      JSON of filecoin-proofs-api: adds registered_proof, and the proofs stand under
 *                    the V1 name of their size
 *   WEIR_C1_OUTER    what Curio sends: {SectorNum, Phase1Out: base64 of one of the above,
 *                    SectorSize}
 *   WEIR_C1_BINCODE  bincode of the filecoin-proofs struct
 *
 * Only the second and third say the size of the sector, so the shape is deduced from the length of
 * the first path in tree D, and every other count must agree with it.
 */
#ifndef WEIR_FORMATS_C1_H
#define WEIR_FORMATS_C1_H

#include "base/err.h"
#include "base/file.h"
#include "circuit/porep.h"

#include <stddef.h>
#include <stdint.h>

typedef enum weir_c1_kind {
    WEIR_C1_JSON,
    WEIR_C1_API,
    WEIR_C1_OUTER,
    WEIR_C1_BINCODE
} weir_c1_kind;

typedef struct weir_c1_info {
    weir_c1_kind kind;
    weir_c1_kind inner;     /* kind, or for WEIR_C1_OUTER that of Phase1Out */
    uint64_t sector_number; /* WEIR_C1_OUTER; 0 otherwise */
    uint64_t sector_bytes; /* of the shape; in WEIR_C1_OUTER it has been compared with SectorSize */
} weir_c1_info;

/* What the caller expects. All zero: any sector size, with the counts that Filecoin has for it. */
typedef struct weir_c1_opts {
    const weir_porep_shape *shape; /* refuse another size */
    unsigned partitions;           /* exactly so many, in place of Filecoin's number */
    unsigned challenges;           /* per partition; the same */
    weir_c1_info *info;            /* filled in on success, if not NULL */
    weir_slabs *slabs;             /* of the input, as for weir_porep_input_new */
    weir_slabs *scratch;           /* of the decoded text of WEIR_C1_OUTER; NULL: fresh memory */
} weir_c1_opts;

/* Parses n bytes. *out is freed with weir_porep_input_free and keeps nothing of data. opts may be
 * NULL.
 * Checked: structure, every count against the shape, every node below r, every index below its
 * arity, every node number below the number of nodes, one challenge in all layers, SectorSize and
 * registered_proof against the shape. Not checked here: whether the hashes fit
 * (weir_porep_input_check and weir_porep_native_check do).
 * Thread: any.
 * Errors: WEIR_E_TRUNCATED, WEIR_E_FORMAT, WEIR_E_RANGE, WEIR_E_MISMATCH with byte offset and path
 * (offsets inside Phase1Out count decoded bytes); WEIR_E_UNSUPPORTED for an unknown registered
 * proof; WEIR_E_NOMEM.
 * Cost: 32 GiB, 39 MB of JSON: two passes, 0.25 s. Memory: the input struct (8 MiB at 32 GiB); for
 * WEIR_C1_OUTER also the decoded text, given back before the return. */
weir_err weir_c1_read(weir_porep_input **out, const uint8_t *data, size_t n,
                      const weir_c1_opts *opts, weir_errinfo *ei) WEIR_MUST_USE;

/* The most that reading n bytes takes, told without reading them: counts that they could have, by their number. */
typedef struct weir_c1_need {
    uint64_t input_bytes;   /* until the input is freed; 0: it cannot be such a document */
    uint64_t scratch_bytes; /* while it is read */
} weir_c1_need;
/* In: opts->shape. Cost: the bytes are searched for a word, 4 ms at 32 GiB. */
void weir_c1_most(weir_c1_need *out, const uint8_t *data, size_t n, const weir_c1_opts *opts);

/* Writes the whole document as Filecoin's own software would, including the redundant labelling
 * proofs, which are made from the columns. kind: one of the JSON kinds. info: its sector_number is
 * written in WEIR_C1_OUTER; otherwise it may be NULL. The caller commits the file.
 * Errors: WEIR_E_USAGE if kind needs a registered proof and the input has none; WEIR_E_IO (the file
 * is then discarded).
 * Cost: 0.1 s for 32 GiB in JSON. */
weir_err weir_c1_write_json(weir_outfile *out, const weir_porep_input *in, weir_c1_kind kind,
                            const weir_c1_info *info, weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_c1_write_bincode(weir_outfile *out, const weir_porep_input *in,
                               weir_errinfo *ei) WEIR_MUST_USE;

#endif
