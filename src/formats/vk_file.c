/* The verifying key's file. */
#include "base/alloc.h"
#include "base/bytes.h"
#include "formats/params_internal.h"
#include "formats/reader.h"

#include <inttypes.h>

enum { ALL_CHECKS = WEIR_CHECK_CURVE | WEIR_CHECK_SUBGROUP | WEIR_CHECK_NOT_INFINITY };

static weir_err read_g1s(weir_reader *r, weir_g1_affine *out, size_t n, const char *name,
                         bool numbered, weir_isa isa)
{
    const uint8_t *bytes;
    uint64_t start = r->pos;
    size_t bad = 0;
    WEIR_TRY(weir_reader_bytes(r, &bytes, (uint64_t)n * WEIR_G1_BYTES, name));
    weir_err err = weir_params_g1s(out, bytes, n, ALL_CHECKS, isa, &bad);
    if (err == WEIR_OK) return WEIR_OK;
    char number[24] = "";
    if (numbered) snprintf(number, sizeof number, "[%zu]", bad);
    return weir_reader_fail(r, start + bad * WEIR_G1_BYTES, err,
                            "%s%s: %s; the key is damaged, fetch it again", name, number,
                            weir_err_text(err));
}

static weir_err read_g1(weir_reader *r, weir_g1_affine *out, const char *name, weir_isa isa)
{
    return read_g1s(r, out, 1, name, false, isa);
}

static weir_err read_g2(weir_reader *r, weir_g2_affine *out, const char *name, weir_isa isa)
{
    const uint8_t *bytes;
    size_t bad;
    WEIR_TRY(weir_reader_bytes(r, &bytes, WEIR_G2_BYTES, name));
    weir_err err = weir_params_g2s(out, bytes, 1, ALL_CHECKS, isa, &bad);
    if (err == WEIR_OK) return WEIR_OK;
    return weir_reader_fail(r, r->pos - WEIR_G2_BYTES, err,
                            "%s: %s; the key is damaged, fetch it again", name, weir_err_text(err));
}

static weir_err read_points(weir_vk *vk, weir_reader *r, weir_isa isa)
{
    WEIR_TRY(read_g1(r, &vk->alpha_g1, "alpha_g1", isa));
    WEIR_TRY(read_g1(r, &vk->beta_g1, "beta_g1", isa));
    WEIR_TRY(read_g2(r, &vk->beta_g2, "beta_g2", isa));
    WEIR_TRY(read_g2(r, &vk->gamma_g2, "gamma_g2", isa));
    WEIR_TRY(read_g1(r, &vk->delta_g1, "delta_g1", isa));
    WEIR_TRY(read_g2(r, &vk->delta_g2, "delta_g2", isa));
    WEIR_TRY(weir_reader_u32be(r, &vk->n_ic, "number of ic points"));
    if (vk->n_ic == 0) {
        return weir_reader_fail(r, r->pos - 4, WEIR_E_FORMAT,
                                "a key without ic points; the constant one needs a point at least");
    }
    WEIR_TRY(weir_reader_check_count(r, vk->n_ic, WEIR_G1_BYTES, "ic"));
    vk->ic = weir_malloc(vk->n_ic, sizeof *vk->ic);
    if (!vk->ic)
        return weir_fail(r->ei, WEIR_E_NOMEM, "no memory for %" PRIu32 " ic points", vk->n_ic);
    WEIR_TRY(read_g1s(r, vk->ic, vk->n_ic, "ic", true, isa));
    return weir_reader_end(r, "the verifying key");
}

weir_err weir_vk_read(weir_vk **out, const uint8_t *data, uint64_t n, weir_isa isa,
                      weir_errinfo *ei)
{
    *out = NULL;
    weir_vk *vk = weir_calloc(1, sizeof *vk);
    if (!vk) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a verifying key");
    weir_reader r;
    weir_reader_init(&r, data, n, ei);
    weir_err err = read_points(vk, &r, isa);
    if (err != WEIR_OK) {
        weir_vk_free(vk);
        return err;
    }
    *out = vk;
    return WEIR_OK;
}

weir_err weir_vk_open(weir_vk **out, const char *path, weir_isa isa, weir_errinfo *ei)
{
    weir_mapfile file;
    *out = NULL;
    WEIR_TRY(weir_mapfile_open(&file, path, ei));
    weir_err err = weir_vk_read(out, file.data, file.size_bytes, isa, ei);
    weir_mapfile_close(&file);
    if (err != WEIR_OK) weir_errinfo_prefix(ei, "%s: ", path);
    return err;
}

static void put_g1s(uint8_t **to, const weir_g1_affine *p, size_t n, const weir_curve_ops *ops)
{
    ops->g1s_encode(*to, p, n);
    *to += n * WEIR_G1_BYTES;
}

static void put_g2(uint8_t **to, const weir_g2_affine *p, const weir_curve_ops *ops)
{
    ops->g2s_encode(*to, p, 1);
    *to += WEIR_G2_BYTES;
}

void weir_vk_encode(uint8_t *bytes, const weir_vk *vk, weir_isa isa)
{
    const weir_curve_ops *ops = weir_curve_ops_get(isa);
    put_g1s(&bytes, &vk->alpha_g1, 1, ops);
    put_g1s(&bytes, &vk->beta_g1, 1, ops);
    put_g2(&bytes, &vk->beta_g2, ops);
    put_g2(&bytes, &vk->gamma_g2, ops);
    put_g1s(&bytes, &vk->delta_g1, 1, ops);
    put_g2(&bytes, &vk->delta_g2, ops);
    weir_store_be32(bytes, vk->n_ic);
    bytes += 4;
    put_g1s(&bytes, vk->ic, vk->n_ic, ops);
}

weir_err weir_vk_write(const char *path, const weir_vk *vk, weir_isa isa, weir_errinfo *ei)
{
    size_t n = weir_vk_bytes(vk->n_ic);
    uint8_t *bytes = weir_malloc(n, 1);
    if (!bytes) return weir_fail(ei, WEIR_E_NOMEM, "%s: no memory for %zu bytes", path, n);
    weir_vk_encode(bytes, vk, isa);
    weir_err err = weir_file_write(path, bytes, n, ei);
    weir_free(bytes);
    return err;
}
