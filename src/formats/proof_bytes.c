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

/* Proofs whose elements are decoded together. */
enum { GROUP = 16 };

/* Decodes the elements of n <= GROUP proofs; the first bad one in the file's order is reported. */
static weir_err decode_group(weir_proof *proofs, const uint8_t *bytes, size_t first, size_t n,
                             const weir_curve_ops *ops, weir_errinfo *ei)
{
    weir_g1_affine *ac[2 * GROUP] = {0};
    weir_g2_affine *b[GROUP] = {0};
    const uint8_t *ac_bytes[2 * GROUP] = {0}, *b_bytes[GROUP] = {0};
    weir_err ac_err[2 * GROUP], b_err[GROUP];
    for (size_t i = 0; i < n; i++) {
        const uint8_t *at = bytes + i * WEIR_PROOF_BYTES;
        ac[2 * i] = &proofs[i].a;
        ac[2 * i + 1] = &proofs[i].c;
        b[i] = &proofs[i].b;
        ac_bytes[2 * i] = at;
        ac_bytes[2 * i + 1] = at + AT_C;
        b_bytes[i] = at + AT_B;
    }
    ops->g1s_decompress(ac, ac_bytes, 2 * n, ALL_CHECKS, ac_err);
    ops->g2s_decompress(b, b_bytes, n, ALL_CHECKS, b_err);
    for (size_t i = 0; i < n; i++) {
        if (ac_err[2 * i] != WEIR_OK) return bad_element(first + i, 'A', 0, ac_err[2 * i], ei);
        if (b_err[i] != WEIR_OK) return bad_element(first + i, 'B', AT_B, b_err[i], ei);
        if (ac_err[2 * i + 1] != WEIR_OK)
            return bad_element(first + i, 'C', AT_C, ac_err[2 * i + 1], ei);
    }
    return WEIR_OK;
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
    for (size_t i = 0; i < n; i += GROUP)
        WEIR_TRY(decode_group(proofs + i, bytes + i * WEIR_PROOF_BYTES, i,
                              n - i < GROUP ? n - i : GROUP, ops, ei));
    return WEIR_OK;
}
