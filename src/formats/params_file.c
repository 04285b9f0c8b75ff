/* Reading .params. */
#include "base/alloc.h"
#include "formats/params_internal.h"
#include "formats/reader.h"

#include <inttypes.h>

static weir_err check_counts(const weir_params *p, weir_errinfo *ei)
{
    const weir_params_section *s = p->section;
    uint64_t h = s[WEIR_KEY_H].count, variables = p->n_ic + s[WEIR_KEY_L].count;
    if (h == 0 || (h & (h + 1))) {
        return weir_fail(ei, WEIR_E_MISMATCH,
                         "byte %" PRIu64 ": section h has %" PRIu64
                         " points, which is not one less than a power of two",
                         s[WEIR_KEY_H].offset - 4, h);
    }
    if (s[WEIR_KEY_B_G1].count != s[WEIR_KEY_B_G2].count) {
        return weir_fail(
            ei, WEIR_E_MISMATCH,
            "byte %" PRIu64 ": section b_g2 has %" PRIu64 " points, but b_g1 has %" PRIu64,
            s[WEIR_KEY_B_G2].offset - 4, s[WEIR_KEY_B_G2].count, s[WEIR_KEY_B_G1].count);
    }
    for (weir_key_section i = WEIR_KEY_A; i <= WEIR_KEY_B_G1; i++) {
        if (s[i].count <= variables) continue;
        return weir_fail(ei, WEIR_E_MISMATCH,
                         "byte %" PRIu64 ": section %s has %" PRIu64
                         " points, but ic and l together have %" PRIu64,
                         s[i].offset - 4, weir_params_section_name[i], s[i].count, variables);
    }
    return WEIR_OK;
}

static weir_err find_sections(weir_params *p, weir_errinfo *ei)
{
    weir_reader r;
    const uint8_t *skipped;
    weir_reader_init(&r, p->data, p->size_bytes, ei);
    WEIR_TRY(weir_reader_bytes(&r, &skipped, WEIR_VK_FIXED_BYTES, "the verifying key"));
    WEIR_TRY(weir_reader_u32be(&r, &p->n_ic, "number of ic points"));
    WEIR_TRY(weir_reader_check_count(&r, p->n_ic, WEIR_G1_BYTES, "ic"));
    if (p->n_ic == 0)
        return weir_reader_fail(&r, WEIR_VK_FIXED_BYTES, WEIR_E_FORMAT, "a key without ic points");
    p->vk_bytes = weir_vk_bytes(p->n_ic);
    WEIR_TRY(weir_reader_bytes(&r, &skipped, p->vk_bytes - r.pos, "ic"));
    for (weir_key_section i = 0; i < WEIR_KEY_SECTIONS; i++) {
        const char *name = weir_params_section_name[i];
        uint32_t count;
        uint64_t point = weir_params_point_bytes(i);
        WEIR_TRY(weir_reader_u32be(&r, &count, name));
        WEIR_TRY(weir_reader_check_count(&r, count, point, name));
        p->section[i] = (weir_params_section){.offset = r.pos, .count = count};
        WEIR_TRY(weir_reader_bytes(&r, &skipped, count * point, name));
    }
    WEIR_TRY(weir_reader_end(&r, "section b_g2"));
    return check_counts(p, ei);
}

static weir_err new_params(weir_params **out, const char *name, weir_errinfo *ei)
{
    weir_params *p = weir_calloc(1, sizeof *p);
    if (p) p->name = weir_strdup(name);
    if (!p || !p->name) {
        weir_free(p);
        return weir_fail(ei, WEIR_E_NOMEM, "%s: no memory for its description", name);
    }
    *out = p;
    return WEIR_OK;
}

/* Ends both kinds of open: on failure everything is given back. */
static weir_err finish_open(weir_params **out, weir_params *p, weir_errinfo *ei)
{
    weir_err err = find_sections(p, ei);
    if (err == WEIR_OK) {
        *out = p;
        return WEIR_OK;
    }
    weir_errinfo_prefix(ei, "%s: ", p->name);
    weir_params_close(p);
    return err;
}

weir_err weir_params_open(weir_params **out, const char *path, weir_errinfo *ei)
{
    weir_params *p;
    *out = NULL;
    WEIR_TRY(new_params(&p, path, ei));
    weir_err err = weir_mapfile_open(&p->_file, path, ei);
    if (err != WEIR_OK) {
        weir_params_close(p);
        return err;
    }
    p->data = p->_file.data;
    p->size_bytes = p->_file.size_bytes;
    return finish_open(out, p, ei);
}

weir_err weir_params_open_memory(weir_params **out, const uint8_t *data, uint64_t n,
                                 const char *name, weir_errinfo *ei)
{
    weir_params *p;
    *out = NULL;
    WEIR_TRY(new_params(&p, name, ei));
    p->data = data;
    p->size_bytes = n;
    return finish_open(out, p, ei);
}

void weir_params_close(weir_params *p)
{
    if (!p) return;
    weir_mapfile_close(&p->_file);
    weir_free(p->name);
    weir_free(p);
}

weir_err weir_params_read_vk(weir_vk **out, const weir_params *p, weir_isa isa, weir_errinfo *ei)
{
    weir_err err = weir_vk_read(out, p->data, p->vk_bytes, isa, ei);
    if (err != WEIR_OK) weir_errinfo_prefix(ei, "%s: ", p->name);
    return err;
}

static weir_err check_range(const weir_params *p, weir_key_section section, uint64_t first,
                            size_t n, weir_errinfo *ei)
{
    uint64_t count = p->section[section].count;
    if (first <= count && n <= count - first) return WEIR_OK;
    return weir_fail(ei, WEIR_E_RANGE,
                     "%s: section %s: points %" PRIu64
                     " and the %zu from there are wanted, but it has %" PRIu64,
                     p->name, weir_params_section_name[section], first, n, count);
}

static weir_err bad_point(const weir_params *p, weir_key_section section, uint64_t number,
                          weir_err err, weir_errinfo *ei)
{
    uint64_t at = p->section[section].offset + number * weir_params_point_bytes(section);
    return weir_fail(ei, err,
                     "%s: byte %" PRIu64 ", section %s, point %" PRIu64
                     ": %s; the key is damaged, fetch it again",
                     p->name, at, weir_params_section_name[section], number, weir_err_text(err));
}

weir_err weir_params_decode_g1(weir_g1_affine *out, const weir_params *p, weir_key_section section,
                               uint64_t first, size_t n, unsigned checks, weir_isa isa,
                               weir_errinfo *ei)
{
    if (section >= WEIR_KEY_B_G2)
        return weir_fail(ei, WEIR_E_USAGE, "%s: not a section of G1 points", p->name);
    WEIR_TRY(check_range(p, section, first, n, ei));
    const uint8_t *bytes = p->data + p->section[section].offset + first * WEIR_G1_BYTES;
    size_t bad = 0;
    weir_err err = weir_params_g1s(out, bytes, n, checks, isa, &bad);
    return err == WEIR_OK ? WEIR_OK : bad_point(p, section, first + bad, err, ei);
}

weir_err weir_params_decode_g2(weir_g2_affine *out, const weir_params *p, weir_key_section section,
                               uint64_t first, size_t n, unsigned checks, weir_isa isa,
                               weir_errinfo *ei)
{
    if (section != WEIR_KEY_B_G2)
        return weir_fail(ei, WEIR_E_USAGE, "%s: not a section of G2 points", p->name);
    WEIR_TRY(check_range(p, section, first, n, ei));
    const uint8_t *bytes = p->data + p->section[section].offset + first * WEIR_G2_BYTES;
    size_t bad = 0;
    weir_err err = weir_params_g2s(out, bytes, n, checks, isa, &bad);
    return err == WEIR_OK ? WEIR_OK : bad_point(p, section, first + bad, err, ei);
}

/* What is checked of a key on every use: 5 products a point in G1. The subgroup would cost 400
 * times as much. */
enum { USE_CHECKS = WEIR_CHECK_CURVE | WEIR_CHECK_NOT_INFINITY };

static weir_err read_g1(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g1_affine *out, weir_isa isa, weir_errinfo *ei)
{
    return weir_params_decode_g1(out, ctx, section, first, n, USE_CHECKS, isa, ei);
}

static weir_err read_g2(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g2_affine *out, weir_isa isa, weir_errinfo *ei)
{
    return weir_params_decode_g2(out, ctx, section, first, n, USE_CHECKS, isa, ei);
}

void weir_params_points(weir_key_points *out, const weir_params *p)
{
    *out = (weir_key_points){.ctx = (void *)(uintptr_t)p, .read_g1 = read_g1, .read_g2 = read_g2};
    for (weir_key_section i = 0; i < WEIR_KEY_SECTIONS; i++) out->count[i] = p->section[i].count;
}
