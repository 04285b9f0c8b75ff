/* Proof bytes: what is accepted has one encoding, on every instruction path. */
#include "formats/proof_bytes.h"
#include "fuzz_common.h"

enum { MAX_PROOFS = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weir_proof proofs[MAX_PROOFS], other[MAX_PROOFS];
    uint8_t again[MAX_PROOFS * WEIR_PROOF_BYTES];
    size_t n = size / WEIR_PROOF_BYTES < MAX_PROOFS ? size / WEIR_PROOF_BYTES : MAX_PROOFS;
    weir_errinfo ei = {0};
    weir_err err = weir_proofs_decode(proofs, data, size, n, WEIR_ISA_PORTABLE, &ei);
    if (weir_isa_supported(WEIR_ISA_ADX))
        must(weir_proofs_decode(other, data, size, n, WEIR_ISA_ADX, NULL) == err,
             "one answer on every path");
    if (!answered(err, &ei)) return 0;
    must(n * WEIR_PROOF_BYTES == size, "the number of proofs gives the size");
    weir_proofs_encode(again, proofs, n, WEIR_ISA_PORTABLE);
    must(memcmp(again, data, size) == 0, "a proof has one encoding");
    return 0;
}
