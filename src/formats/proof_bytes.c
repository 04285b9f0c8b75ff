#include "formats/proof_bytes.h"

#include "curve/curve.h"

enum {
    AT_B = WEIR_G1_COMPRESSED_BYTES,
    AT_C = AT_B + WEIR_G2_COMPRESSED_BYTES,
    ALL_CHECKS = WEIR_CHECK_CURVE | WEIR_CHECK_SUBGROUP | WEIR_CHECK_NOT_INFINITY
};
_Static_assert(AT_C + WEIR_G1_COMPRESSED_BYTES == WEIR_PROOF_BYTES, "layout of a proof");

void weir_proofs_encode(uint8_t *bytes, const weir_proof *proofs, size_t n, weir_isa isa)
{
    const weir_curve_ops *ops = weir_curve_ops_get(isa);
    for (size_t i = 0; i < n; i++, bytes += WEIR_PROOF_BYTES) {
        ops->g1_compress(bytes, &proofs[i].a);
        ops->g2_compress(bytes + AT_B, &proofs[i].b);
        ops->g1_compress(bytes + AT_C, &proofs[i].c);
    }
}

static weir_err bad_element(size_t proof, char element, size_t at, weir_err err, weir_errinfo *ei)
{
    return weir_fail(
        ei, err, "proof %zu, element %c (byte %zu): %s; the proof is damaged or was made wrongly",
        proof, element, proof * WEIR_PROOF_BYTES + at, weir_err_text(err));
}

weir_err weir_proofs_decode(weir_proof *proofs, const uint8_t *bytes, size_t n_bytes, size_t n,
                            weir_isa isa, weir_errinfo *ei)
{
    size_t need;
    if (__builtin_mul_overflow(n, (size_t)WEIR_PROOF_BYTES, &need) || n_bytes != need) {
        return weir_fail(ei, n_bytes / WEIR_PROOF_BYTES < n ? WEIR_E_TRUNCATED : WEIR_E_FORMAT,
                         "the proof data has %zu bytes, but %zu proofs of %d bytes are expected",
                         n_bytes, n, (int)WEIR_PROOF_BYTES);
    }
    const weir_curve_ops *ops = weir_curve_ops_get(isa);
    for (size_t i = 0; i < n; i++, bytes += WEIR_PROOF_BYTES) {
        weir_err err = ops->g1_decompress(&proofs[i].a, bytes, ALL_CHECKS);
        if (err != WEIR_OK) return bad_element(i, 'A', 0, err, ei);
        err = ops->g2_decompress(&proofs[i].b, bytes + AT_B, ALL_CHECKS);
        if (err != WEIR_OK) return bad_element(i, 'B', AT_B, err, ei);
        err = ops->g1_decompress(&proofs[i].c, bytes + AT_C, ALL_CHECKS);
        if (err != WEIR_OK) return bad_element(i, 'C', AT_C, err, ei);
    }
    return WEIR_OK;
}
