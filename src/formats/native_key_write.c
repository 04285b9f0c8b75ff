/* Writing a native key file.
 *
 * Points come section by section in the query's order and go to the two arrays of the section through a block each: when a block is
 * full it is hashed and written at its place.
 */
#include "base/alloc.h"
#include "base/file.h"
#include "formats/native_layout.h"
#include "formats/params_internal.h"
#include "hash/sha256.h"

#include <inttypes.h>
#include <string.h>

/* An array that is being written. */
typedef struct stream {
    weir_key_array array;
    uint64_t done;  /* points in the file */
    uint32_t n;     /* points in the block */
    uint8_t *block; /* room for WEIR_KEY_BLOCK_POINTS of G2 */
} stream;

struct weir_native_writer {
    weir_outfile file;
    const weir_relation *rel;
    weir_isa isa;
    bool begun, failed, committed;
    weir_native_header header;
    weir_native_layout layout;
    weir_native_digests digests;
    unsigned open; /* sections begun; the last of them takes points */
    uint64_t written[WEIR_KEY_SECTIONS];
    stream bits, dense;
    uint32_t *list; /* of the open section's dense points; kept for b_g2 */
    weir_query listed;
    uint64_t next; /* of the list */
    uint8_t *table;
    char *name;
};

static weir_err open_all(weir_native_writer *w, const char *path, const char *circuit,
                         weir_errinfo *ei)
{
    enum { BLOCK_BYTES = WEIR_KEY_BLOCK_POINTS * sizeof(weir_g2_affine) };
    weir_err err = weir_native_header_of(&w->header, w->rel, circuit, ei);
    if (err != WEIR_OK) {
        weir_errinfo_prefix(ei, "%s: ", path);
        return err;
    }
    weir_native_layout_of(&w->layout, &w->header);
    w->name = weir_strdup(path);
    w->bits.block = weir_malloc(BLOCK_BYTES, 1);
    w->dense.block = weir_malloc(BLOCK_BYTES, 1);
    w->table = weir_calloc(w->layout.table_bytes, 1);
    if (!w->name || !w->bits.block || !w->dense.block || !w->table)
        return weir_fail(ei, WEIR_E_NOMEM, "%s: no memory to write it", path);
    return weir_outfile_open(&w->file, path, ei);
}

weir_err weir_native_writer_open(weir_native_writer **out, const char *path,
                                 const weir_relation *rel, const char *circuit, weir_isa isa,
                                 weir_errinfo *ei)
{
    *out = NULL;
    weir_native_writer *w = weir_calloc(1, sizeof *w);
    if (!w) return weir_fail(ei, WEIR_E_NOMEM, "%s: no memory to write it", path);
    w->rel = rel;
    w->isa = isa;
    weir_err err = open_all(w, path, circuit, ei);
    if (err != WEIR_OK) {
        weir_native_writer_close(w);
        return err;
    }
    *out = w;
    return WEIR_OK;
}

void weir_native_writer_close(weir_native_writer *w)
{
    if (!w) return;
    weir_outfile_discard(&w->file);
    weir_free(w->bits.block);
    weir_free(w->dense.block);
    weir_free(w->table);
    weir_free(w->list);
    weir_free(w->name);
    weir_free(w);
}

static weir_err misuse(weir_native_writer *w, const char *what, weir_errinfo *ei)
{
    w->failed = true;
    return weir_fail(ei, WEIR_E_USAGE, "%s: %s", w->name, what);
}

static weir_err put_bytes(weir_native_writer *w, uint64_t at, const void *bytes, size_t n,
                          weir_errinfo *ei)
{
    weir_err err = weir_outfile_write_at(&w->file, at, bytes, n, ei);
    if (err != WEIR_OK) w->failed = true;
    return err;
}

/* ---- the verifying key */

static weir_err write_vk(weir_native_writer *w, const weir_vk *vk, weir_errinfo *ei)
{
    uint8_t *bytes = weir_malloc(w->layout.vk_bytes, 1);
    if (!bytes) {
        w->failed = true;
        return weir_fail(ei, WEIR_E_NOMEM, "%s: no memory for a verifying key of %" PRIu64 " bytes",
                         w->name, w->layout.vk_bytes);
    }
    weir_vk_encode(bytes, vk, w->isa);
    weir_sha256_hash(w->digests.vk, bytes, w->layout.vk_bytes);
    weir_err err = put_bytes(w, w->layout.vk, bytes, w->layout.vk_bytes, ei);
    weir_free(bytes);
    return err;
}

weir_err weir_native_writer_begin(weir_native_writer *w, const weir_vk *vk,
                                  const uint64_t count[WEIR_KEY_SECTIONS], weir_errinfo *ei)
{
    if (w->begun || w->failed) return misuse(w, "the verifying key is written once, first", ei);
    w->failed = true; /* until the counts are right */
    if (vk->n_ic != w->header.inputs)
        return weir_fail(ei, WEIR_E_MISMATCH,
                         "%s: a key with %" PRIu32 " points of ic for a circuit with %" PRIu64
                         " inputs",
                         w->name, vk->n_ic, w->header.inputs);
    for (weir_key_section s = 0; s < WEIR_KEY_SECTIONS; s++) {
        uint64_t want = weir_native_points(&w->header, s);
        if (count[s] == want) continue;
        return weir_fail(ei, WEIR_E_MISMATCH,
                         "%s: a key with %" PRIu64
                         " points in section %s, where the circuit needs %" PRIu64,
                         w->name, count[s], weir_params_section_name[s], want);
    }
    w->failed = false;
    w->begun = true;
    /* the size is fixed first: the last section need not end at a page */
    WEIR_TRY(put_bytes(w, w->layout.file_bytes - 1, "", 1, ei));
    return write_vk(w, vk, ei);
}

/* ---- points */

static weir_err flush(weir_native_writer *w, stream *s, weir_errinfo *ei)
{
    size_t each = weir_native_point_bytes(s->array), bytes = s->n * each;
    uint64_t block = w->layout.block[s->array] + s->done / WEIR_KEY_BLOCK_POINTS;
    if (s->n == 0) return WEIR_OK;
    weir_sha256_hash(w->table + block * WEIR_NATIVE_DIGEST_BYTES, s->block, bytes);
    WEIR_TRY(put_bytes(w, w->layout.array[s->array] + s->done * each, s->block, bytes, ei));
    s->done += s->n;
    s->n = 0;
    return WEIR_OK;
}

static weir_err put_run(weir_native_writer *w, stream *s, const uint8_t *points, uint64_t n,
                        weir_errinfo *ei)
{
    size_t each = weir_native_point_bytes(s->array);
    while (n > 0) {
        uint64_t room = WEIR_KEY_BLOCK_POINTS - s->n, m = n < room ? n : room;
        memcpy(s->block + s->n * each, points, m * each);
        s->n += (uint32_t)m;
        points += m * each;
        n -= m;
        if (s->n == WEIR_KEY_BLOCK_POINTS) WEIR_TRY(flush(w, s, ei));
    }
    return WEIR_OK;
}

/* Points first .. first + n - 1 of a section to its arrays. */
static weir_err split(weir_native_writer *w, weir_key_section section, uint64_t first,
                      const uint8_t *points, uint64_t n, weir_errinfo *ei)
{
    size_t each = weir_native_point_bytes(w->dense.array);
    uint64_t dense = w->header.count[w->dense.array];
    if (!weir_native_has_bits(section)) return put_run(w, &w->dense, points, n, ei);
    for (uint64_t at = first, end = first + n, to; at < end; at = to) {
        uint64_t next = w->next < dense ? w->list[w->next] : UINT64_MAX;
        bool is_dense = next == at;
        if (is_dense)
            for (to = at; to < end && w->next < dense && w->list[w->next] == to; to++) w->next++;
        else
            to = next < end ? next : end;
        WEIR_TRY(
            put_run(w, is_dense ? &w->dense : &w->bits, points + (at - first) * each, to - at, ei));
    }
    return WEIR_OK;
}

/* The list of a section's dense points; b_g2 takes that of b_g1. */
static weir_err make_list(weir_native_writer *w, weir_key_section section, weir_errinfo *ei)
{
    weir_query q = weir_native_query(section);
    w->next = 0;
    if (w->list && w->listed == q) return WEIR_OK;
    weir_free(w->list);
    w->list = weir_malloc(w->header.count[weir_native_dense(section)], sizeof *w->list);
    if (!w->list) {
        w->failed = true;
        return weir_fail(ei, WEIR_E_NOMEM, "%s: no memory for the order of section %s", w->name,
                         weir_params_section_name[section]);
    }
    weir_query_dense_points(w->rel, q, w->list, NULL);
    w->listed = q;
    return WEIR_OK;
}

static weir_err begin_section(weir_native_writer *w, weir_key_section section, weir_errinfo *ei)
{
    if (weir_native_has_bits(section)) {
        WEIR_TRY(make_list(w, section, ei));
        w->bits = (stream){.array = weir_native_bits(section), .block = w->bits.block};
    }
    w->dense = (stream){.array = weir_native_dense(section), .block = w->dense.block};
    return WEIR_OK;
}

/* Makes `section` the open one; those before it must be complete. */
static weir_err open_section(weir_native_writer *w, weir_key_section section, weir_errinfo *ei)
{
    for (; w->open <= section; w->open++) {
        weir_key_section before = (weir_key_section)(w->open - 1);
        if (w->open > 0 && w->written[before] != weir_native_points(&w->header, before))
            return misuse(w, "points of a section before the one in front of it is complete", ei);
        WEIR_TRY(begin_section(w, (weir_key_section)w->open, ei));
    }
    if (section + 1u != w->open) return misuse(w, "points of a section that has been left", ei);
    return WEIR_OK;
}

static weir_err put_points(weir_native_writer *w, weir_key_section section, const void *points,
                           size_t n, weir_errinfo *ei)
{
    if (!w->begun || w->failed || w->committed)
        return misuse(w, "points before the verifying key or after an error", ei);
    if (n == 0) return WEIR_OK;
    WEIR_TRY(open_section(w, section, ei));
    uint64_t first = w->written[section], count = weir_native_points(&w->header, section);
    if (n > count - first) return misuse(w, "more points of a section than its count says", ei);
    WEIR_TRY(split(w, section, first, points, n, ei));
    w->written[section] += n;
    if (w->written[section] < count) return WEIR_OK;
    if (weir_native_has_bits(section)) WEIR_TRY(flush(w, &w->bits, ei));
    return flush(w, &w->dense, ei);
}

weir_err weir_native_writer_g1(weir_native_writer *w, weir_key_section section,
                               const weir_g1_affine *points, size_t n, weir_errinfo *ei)
{
    if (section >= WEIR_KEY_B_G2) return misuse(w, "not a section of G1 points", ei);
    return put_points(w, section, points, n, ei);
}

weir_err weir_native_writer_g2(weir_native_writer *w, weir_key_section section,
                               const weir_g2_affine *points, size_t n, weir_errinfo *ei)
{
    if (section != WEIR_KEY_B_G2) return misuse(w, "not a section of G2 points", ei);
    return put_points(w, section, points, n, ei);
}

/* ---- the end */

void weir_native_writer_source(weir_native_writer *w, uint64_t bytes,
                               const uint8_t digest[WEIR_SOURCE_DIGEST_BYTES])
{
    w->header.source_bytes = bytes;
    memcpy(w->header.source, digest, WEIR_SOURCE_DIGEST_BYTES);
}

static weir_err check_complete(weir_native_writer *w, weir_errinfo *ei)
{
    for (weir_key_section s = 0; s < WEIR_KEY_SECTIONS; s++) {
        uint64_t count = weir_native_points(&w->header, s);
        if (w->written[s] == count) continue;
        w->failed = true;
        return weir_fail(ei, WEIR_E_MISMATCH,
                         "%s: section %s has %" PRIu64 " points of %" PRIu64
                         "; the file is not written",
                         w->name, weir_params_section_name[s], w->written[s], count);
    }
    return WEIR_OK;
}

weir_err weir_native_writer_commit(weir_native_writer *w, weir_errinfo *ei)
{
    uint8_t page[WEIR_NATIVE_PAGE];
    if (!w->begun || w->failed || w->committed)
        return misuse(w, "nothing that could be committed", ei);
    WEIR_TRY(check_complete(w, ei));
    weir_sha256_hash(w->digests.table, w->table, w->layout.table_bytes);
    WEIR_TRY(put_bytes(w, w->layout.table, w->table, w->layout.table_bytes, ei));
    weir_native_header_encode(page, &w->header, &w->digests);
    WEIR_TRY(put_bytes(w, 0, page, sizeof page, ei));
    w->committed = true;
    return weir_outfile_commit(&w->file, ei);
}

/* ---- as a sink */

static weir_err sink_begin(void *ctx, const weir_vk *vk, const uint64_t count[WEIR_KEY_SECTIONS],
                           weir_errinfo *ei)
{
    return weir_native_writer_begin(ctx, vk, count, ei);
}

static weir_err sink_g1(void *ctx, weir_key_section section, const weir_g1_affine *points, size_t n,
                        weir_errinfo *ei)
{
    return weir_native_writer_g1(ctx, section, points, n, ei);
}

static weir_err sink_g2(void *ctx, weir_key_section section, const weir_g2_affine *points, size_t n,
                        weir_errinfo *ei)
{
    return weir_native_writer_g2(ctx, section, points, n, ei);
}

void weir_native_writer_sink(weir_key_sink *out, weir_native_writer *w)
{
    *out = (weir_key_sink){.ctx = w, .begin = sink_begin, .g1 = sink_g1, .g2 = sink_g2};
}
