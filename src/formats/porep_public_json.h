/* What a verifier of a seal is told: the JSON file of `weir verify porep --public`.
 *
 *     {"registered_proof": "StackedDrg32GiBV1_1", "prover_id": HEX, "sector_id": 1234,
 *      "ticket": HEX, "seed": HEX, "comm_d": HEX, "comm_r": HEX}
 *
 * HEX: a string of exactly 64 hexadecimal digits, with or without 0x: the 32 bytes in their order
 * (comm_d and comm_r as they stand in Commit Phase 1 output, so least significant byte first).
 */
#ifndef WEIR_FORMATS_POREP_PUBLIC_JSON_H
#define WEIR_FORMATS_POREP_PUBLIC_JSON_H

#include "base/err.h"
#include "base/file.h"
#include "circuit/porep.h"

#include <stddef.h>
#include <stdint.h>

typedef struct weir_porep_public_values {
    const weir_registered_porep *registered;
    uint8_t prover_id[32], ticket[32], seed[32];
    uint64_t sector_id;
    weir_node comm_d, comm_r;
} weir_porep_public_values;

/* Strict: every field must be there once, no other may. Errors: WEIR_E_FORMAT with byte offset and
 * the field's name, WEIR_E_RANGE for comm_d or comm_r not below r, WEIR_E_UNSUPPORTED for an
 * unknown registered proof. Allocates nothing. */
weir_err weir_porep_public_read(weir_porep_public_values *out, const uint8_t *data, size_t n,
                                weir_errinfo *ei) WEIR_MUST_USE;
weir_err weir_porep_public_write(weir_outfile *out, const weir_porep_public_values *v,
                                 weir_errinfo *ei) WEIR_MUST_USE;

/* What the circuit's public inputs are made from; the replica id is worked out. */
void weir_porep_public_from_values(weir_porep_public *out, const weir_porep_public_values *v);

#endif
