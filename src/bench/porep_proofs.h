/* Proofs of a PoRep's shape without a circuit, so that a verifier can be timed with a key of 328 points and true public inputs. */
#ifndef WEIR_BENCH_POREP_PROOFS_H
#define WEIR_BENCH_POREP_PROOFS_H

#include "base/err.h"
#include "base/exec.h"
#include "bench/known_vk.h"
#include "circuit/porep.h"
#include "groth16/proof.h"

#include <stddef.h>

typedef struct weir_bench_proofs {
    weir_porep_public pub; /* of a sector that never was */
    weir_known_vk known;
    size_t n;        /* partitions */
    size_t n_inputs; /* of one, without ONE */
    weir_fr *inputs; /* n * n_inputs */
    weir_proof *proofs;
} weir_bench_proofs;

/* Key, inputs and one proof for each partition. Keeps: r. Errors: WEIR_E_NOMEM, WEIR_E_CANCELLED. After an error too the
 * struct (zeroed before) must be cleared. */
weir_err weir_bench_proofs_init(weir_bench_proofs *b, const weir_registered_porep *r,
                                const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;
void weir_bench_proofs_clear(weir_bench_proofs *b);

#endif
