/* Writing .params, section by section. */
#include "base/alloc.h"
#include "base/bytes.h"
#include "formats/params_internal.h"

#include <inttypes.h>

/* Points encoded at once: 96 KiB of bytes in G2, which stay in the second-level cache. */
enum { CHUNK_POINTS = 512 };

struct weir_params_writer {
    weir_outfile file;
    weir_isa isa;
    bool begun, failed, committed;
    unsigned open; /* sections whose count has been written; the last of them takes points */
    uint64_t count[WEIR_KEY_SECTIONS];
    uint64_t written[WEIR_KEY_SECTIONS];
    char *name;
    uint8_t bytes[CHUNK_POINTS * WEIR_G2_BYTES];
};

weir_err weir_params_writer_open(weir_params_writer **out, const char *path, weir_isa isa,
                                 weir_errinfo *ei)
{
    *out = NULL;
    weir_params_writer *w = weir_calloc(1, sizeof *w);
    if (!w) return weir_fail(ei, WEIR_E_NOMEM, "%s: no memory to write it", path);
    w->isa = isa;
    w->name = weir_strdup(path);
    weir_err err = w->name ? weir_outfile_open(&w->file, path, ei)
                           : weir_fail(ei, WEIR_E_NOMEM, "%s: no memory to write it", path);
    if (err != WEIR_OK) {
        weir_params_writer_close(w);
        return err;
    }
    *out = w;
    return WEIR_OK;
}

void weir_params_writer_close(weir_params_writer *w)
{
    if (!w) return;
    weir_outfile_discard(&w->file);
    weir_free(w->name);
    weir_free(w);
}

static weir_err misuse(weir_params_writer *w, const char *what, weir_errinfo *ei)
{
    w->failed = true;
    return weir_fail(ei, WEIR_E_USAGE, "%s: %s", w->name, what);
}

static weir_err write_bytes(weir_params_writer *w, const void *bytes, size_t n, weir_errinfo *ei)
{
    weir_err err = weir_outfile_write(&w->file, bytes, n, ei);
    w->failed = err != WEIR_OK;
    return err;
}

weir_err weir_params_writer_begin(weir_params_writer *w, const weir_vk *vk,
                                  const uint64_t count[WEIR_KEY_SECTIONS], weir_errinfo *ei)
{
    if (w->begun || w->failed) return misuse(w, "the verifying key is written once, first", ei);
    for (weir_key_section i = 0; i < WEIR_KEY_SECTIONS; i++) {
        if (count[i] <= UINT32_MAX) continue;
        w->failed = true;
        return weir_fail(ei, WEIR_E_RANGE,
                         "%s: section %s has %" PRIu64 " points, but the format counts in 32 bits",
                         w->name, weir_params_section_name[i], count[i]);
    }
    for (weir_key_section i = 0; i < WEIR_KEY_SECTIONS; i++) w->count[i] = count[i];
    size_t n = weir_vk_bytes(vk->n_ic);
    uint8_t *bytes = weir_malloc(n, 1);
    if (!bytes) {
        w->failed = true;
        return weir_fail(ei, WEIR_E_NOMEM, "%s: no memory for a verifying key of %zu bytes",
                         w->name, n);
    }
    weir_vk_encode(bytes, vk, w->isa);
    w->begun = true;
    weir_err err = write_bytes(w, bytes, n, ei);
    weir_free(bytes);
    return err;
}

/* Writes the counts of all sections up to and with `last`; those before it must be complete. */
static weir_err open_sections(weir_params_writer *w, unsigned last, weir_errinfo *ei)
{
    while (w->open <= last) {
        if (w->open && w->written[w->open - 1] != w->count[w->open - 1])
            return misuse(w, "points of a section before the one in front of it is complete", ei);
        uint8_t be[4];
        weir_store_be32(be, (uint32_t)w->count[w->open]);
        WEIR_TRY(write_bytes(w, be, 4, ei));
        w->open++;
    }
    return WEIR_OK;
}

/* Checks that n points of the section may come now. */
static weir_err expect(weir_params_writer *w, weir_key_section section, size_t n, weir_errinfo *ei)
{
    if (!w->begun || w->failed || w->committed)
        return misuse(w, "points before the verifying key or after an error", ei);
    if (n == 0) return WEIR_OK;
    WEIR_TRY(open_sections(w, section, ei));
    if (section + 1u != w->open) return misuse(w, "points of a section that has been left", ei);
    if (n > w->count[section] - w->written[section])
        return misuse(w, "more points of a section than its count says", ei);
    w->written[section] += n;
    return WEIR_OK;
}

weir_err weir_params_writer_g1(weir_params_writer *w, weir_key_section section,
                               const weir_g1_affine *points, size_t n, weir_errinfo *ei)
{
    if (section >= WEIR_KEY_B_G2) return misuse(w, "not a section of G1 points", ei);
    WEIR_TRY(expect(w, section, n, ei));
    const weir_curve_ops *ops = weir_curve_ops_get(w->isa);
    for (size_t i = 0; i < n; i += CHUNK_POINTS) {
        size_t m = n - i < CHUNK_POINTS ? n - i : CHUNK_POINTS;
        ops->g1s_encode(w->bytes, points + i, m);
        WEIR_TRY(write_bytes(w, w->bytes, m * WEIR_G1_BYTES, ei));
    }
    return WEIR_OK;
}

weir_err weir_params_writer_g2(weir_params_writer *w, weir_key_section section,
                               const weir_g2_affine *points, size_t n, weir_errinfo *ei)
{
    if (section != WEIR_KEY_B_G2) return misuse(w, "not a section of G2 points", ei);
    WEIR_TRY(expect(w, section, n, ei));
    const weir_curve_ops *ops = weir_curve_ops_get(w->isa);
    for (size_t i = 0; i < n; i += CHUNK_POINTS) {
        size_t m = n - i < CHUNK_POINTS ? n - i : CHUNK_POINTS;
        ops->g2s_encode(w->bytes, points + i, m);
        WEIR_TRY(write_bytes(w, w->bytes, m * WEIR_G2_BYTES, ei));
    }
    return WEIR_OK;
}

weir_err weir_params_writer_commit(weir_params_writer *w, weir_errinfo *ei)
{
    if (!w->begun || w->failed || w->committed)
        return misuse(w, "nothing that could be committed", ei);
    for (weir_key_section i = 0; i < WEIR_KEY_SECTIONS; i++) {
        if (w->written[i] == w->count[i]) continue;
        w->failed = true;
        return weir_fail(ei, WEIR_E_MISMATCH,
                         "%s: section %s has %" PRIu64 " points of %" PRIu64
                         "; the file is not written",
                         w->name, weir_params_section_name[i], w->written[i], w->count[i]);
    }
    WEIR_TRY(open_sections(w, WEIR_KEY_SECTIONS - 1, ei));
    w->committed = true;
    return weir_outfile_commit(&w->file, ei);
}

static weir_err sink_begin(void *ctx, const weir_vk *vk, const uint64_t count[WEIR_KEY_SECTIONS],
                           weir_errinfo *ei)
{
    return weir_params_writer_begin(ctx, vk, count, ei);
}

static weir_err sink_g1(void *ctx, weir_key_section section, const weir_g1_affine *points, size_t n,
                        weir_errinfo *ei)
{
    return weir_params_writer_g1(ctx, section, points, n, ei);
}

static weir_err sink_g2(void *ctx, weir_key_section section, const weir_g2_affine *points, size_t n,
                        weir_errinfo *ei)
{
    return weir_params_writer_g2(ctx, section, points, n, ei);
}

void weir_params_writer_sink(weir_key_sink *out, weir_params_writer *w)
{
    *out = (weir_key_sink){.ctx = w, .begin = sink_begin, .g1 = sink_g1, .g2 = sink_g2};
}
