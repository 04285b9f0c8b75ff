/* What the readers and the writer of key files share. Internal to formats. */
#ifndef WEIR_FORMATS_PARAMS_INTERNAL_H
#define WEIR_FORMATS_PARAMS_INTERNAL_H

#include "formats/params.h"

static const char *const weir_params_section_name[WEIR_KEY_SECTIONS] = {"h", "l", "a", "b_g1",
                                                                        "b_g2"};

static inline uint64_t weir_params_point_bytes(weir_key_section s)
{
    return s == WEIR_KEY_B_G2 ? WEIR_G2_BYTES : WEIR_G1_BYTES;
}

/* Curve decoding reads bytes whose compression flag is set as a compressed point and ignores their
 * second half, as bellperson does. In a key that is damage: every point has one encoding here. */
static inline bool weir_params_flagged(const uint8_t *bytes, size_t n, size_t point_bytes,
                                       size_t *bad)
{
    for (*bad = 0; *bad < n; ++*bad)
        if (bytes[*bad * point_bytes] & 0x80) return true;
    return false;
}

static inline weir_err weir_params_g1s(weir_g1_affine *out, const uint8_t *bytes, size_t n,
                                       unsigned checks, weir_isa isa, size_t *bad)
{
    if (weir_params_flagged(bytes, n, WEIR_G1_BYTES, bad)) return WEIR_E_ENCODING;
    return weir_curve_ops_get(isa)->g1s_decode(out, bytes, n, checks, bad);
}

static inline weir_err weir_params_g2s(weir_g2_affine *out, const uint8_t *bytes, size_t n,
                                       unsigned checks, weir_isa isa, size_t *bad)
{
    if (weir_params_flagged(bytes, n, WEIR_G2_BYTES, bad)) return WEIR_E_ENCODING;
    return weir_curve_ops_get(isa)->g2s_decode(out, bytes, n, checks, bad);
}

#endif
