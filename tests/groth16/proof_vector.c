#include "proof_vector.h"

#include "curve/curve.h"

#include <stdlib.h>

void tk_secrets(json_t *obj, weir_secrets *out)
{
    json_t *toxic = tk_get(obj, "toxic");
    tk_hex_scalar(tk_str(toxic, "alpha"), &out->alpha);
    tk_hex_scalar(tk_str(toxic, "beta"), &out->beta);
    tk_hex_scalar(tk_str(toxic, "gamma"), &out->gamma);
    tk_hex_scalar(tk_str(toxic, "delta"), &out->delta);
    tk_hex_scalar(tk_str(toxic, "tau"), &out->tau);
}

void tk_blinding(json_t *obj, weir_blinding *out)
{
    tk_hex_scalar(tk_str(obj, "r"), &out->r);
    tk_hex_scalar(tk_str(obj, "s"), &out->s);
}

weir_fr *tk_inputs(json_t *array, size_t *n)
{
    *n = json_array_size(array);
    weir_fr *out = malloc((*n + 1) * sizeof *out);
    for (size_t i = 0; i < *n; i++) tk_hex_fr(json_string_value(json_array_get(array, i)), &out[i]);
    return out;
}

void tk_proof_from_hex(const char *hex, weir_proof *out)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    const unsigned checks = WEIR_CHECK_SUBGROUP | WEIR_CHECK_NOT_INFINITY;
    uint8_t b[WEIR_PROOF_BYTES];
    tk_hex_bytes(hex, b, sizeof b);
    assert_int_equal(ops->g1_decompress(&out->a, b, checks), WEIR_OK);
    assert_int_equal(ops->g2_decompress(&out->b, b + 48, checks), WEIR_OK);
    assert_int_equal(ops->g1_decompress(&out->c, b + 144, checks), WEIR_OK);
}

void tk_proof_bytes(const weir_proof *p, uint8_t out[WEIR_PROOF_BYTES])
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    ops->g1_compress(out, &p->a);
    ops->g2_compress(out + 48, &p->b);
    ops->g1_compress(out + 144, &p->c);
}

void tk_assert_proof(const weir_proof *p, const char *hex)
{
    uint8_t want[WEIR_PROOF_BYTES], got[WEIR_PROOF_BYTES];
    tk_hex_bytes(hex, want, sizeof want);
    tk_proof_bytes(p, got);
    assert_memory_equal(got, want, sizeof want);
}
