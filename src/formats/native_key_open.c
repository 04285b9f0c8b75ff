/* Opening a native key file: all but the points. */
#include "base/alloc.h"
#include "formats/native_state.h"
#include "formats/params.h"
#include "hash/sha256.h"

#include <inttypes.h>
#include <string.h>

/* ---- structure */

/* The first section that does not lie in the file whole. */
static const char *cut_section(const weir_native_key *k)
{
    const weir_native_layout *l = &k->layout;
    uint64_t size = k->file.size_bytes;
    if (l->vk + l->vk_bytes > size) return "vk";
    if (l->table + l->table_bytes > size) return "digests";
    for (int a = 0; a < WEIR_KEY_ARRAYS; a++)
        if (l->array[a] + l->array_bytes[a] > size) return weir_native_array_names[a];
    return "the zeros at the end";
}

static weir_err check_size(const weir_native_key *k, weir_errinfo *ei)
{
    uint64_t size = k->file.size_bytes, want = k->layout.file_bytes;
    if (size < want)
        return weir_fail(ei, WEIR_E_TRUNCATED,
                         "byte %" PRIu64
                         ", section %s: the file ends here, and should have %" PRIu64
                         " bytes; it was cut, copy it again or import the .params file again",
                         size, cut_section(k), want);
    if (size > want)
        return weir_fail(ei, WEIR_E_FORMAT,
                         "byte %" PRIu64 ": %" PRIu64
                         " bytes follow the end; remove them or import "
                         "the .params file again",
                         want, size - want);
    return WEIR_OK;
}

static weir_err read_header(weir_native_key *k, weir_native_digests *d, weir_errinfo *ei)
{
    uint8_t page[WEIR_NATIVE_PAGE] = {0};
    uint64_t file_bytes, size = k->file.size_bytes;
    size_t n = size < sizeof page ? (size_t)size : sizeof page;
    WEIR_TRY(weir_readfile_at(&k->file, 0, page, n, ei));
    if (n < sizeof page && (n == 0 || weir_native_key_begins(page, n)))
        return weir_fail(
            ei, WEIR_E_TRUNCATED,
            "byte %zu, header: the file ends here; it was cut, import the .params file "
            "again",
            n);
    WEIR_TRY(weir_native_header_decode(&k->header, d, &file_bytes, page, ei));
    weir_native_layout_of(&k->layout, &k->header);
    return check_size(k, ei);
}

static weir_err check_digest(const uint8_t want[WEIR_NATIVE_DIGEST_BYTES], const void *bytes,
                             uint64_t n, uint64_t at, const char *section, weir_errinfo *ei)
{
    uint8_t digest[WEIR_NATIVE_DIGEST_BYTES];
    weir_sha256_hash(digest, bytes, n);
    if (memcmp(digest, want, sizeof digest) == 0) return WEIR_OK;
    return weir_fail(ei, WEIR_E_MISMATCH,
                     "bytes %" PRIu64 " to %" PRIu64 ", section %s: not what the header's SHA-256 "
                     "says; the file is damaged, import the .params file again",
                     at, at + n - 1, section);
}

static weir_err check_gap(const weir_native_key *k, uint64_t from, uint64_t to, const char *section,
                          weir_errinfo *ei)
{
    uint8_t gap[WEIR_NATIVE_PAGE];
    WEIR_TRY(weir_readfile_at(&k->file, from, gap, to - from, ei));
    for (uint64_t i = 0; i < to - from; i++)
        if (gap[i])
            return weir_fail(ei, WEIR_E_FORMAT,
                             "byte %" PRIu64 ", behind section %s: not zero; the file is damaged, "
                             "import the .params file again",
                             from + i, section);
    return WEIR_OK;
}

/* The zeros up to the next page, behind each section. */
static weir_err check_gaps(const weir_native_key *k, weir_errinfo *ei)
{
    const weir_native_layout *l = &k->layout;
    WEIR_TRY(check_gap(k, l->vk + l->vk_bytes, l->table, "vk", ei));
    WEIR_TRY(check_gap(k, l->table + l->table_bytes, l->array[0], "digests", ei));
    for (int a = 0; a < WEIR_KEY_ARRAYS; a++) {
        uint64_t next = a + 1 < WEIR_KEY_ARRAYS ? l->array[a + 1] : l->file_bytes;
        WEIR_TRY(
            check_gap(k, l->array[a] + l->array_bytes[a], next, weir_native_array_names[a], ei));
    }
    return WEIR_OK;
}

static weir_err read_small_sections(weir_native_key *k, const weir_native_digests *d,
                                    weir_errinfo *ei)
{
    const weir_native_layout *l = &k->layout;
    uint64_t blocks = l->table_bytes / WEIR_NATIVE_DIGEST_BYTES;
    WEIR_TRY(weir_readfile_map(&k->map, &k->file, ei));
    k->table = weir_malloc(l->table_bytes, 1);
    k->compared = weir_calloc((blocks + 63) / 64, sizeof *k->compared);
    if (!k->table || !k->compared)
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for %" PRIu64 " digests", blocks);
    WEIR_TRY(check_digest(d->vk, k->map.data + l->vk, l->vk_bytes, l->vk, "vk", ei));
    WEIR_TRY(weir_readfile_at(&k->file, l->table, k->table, l->table_bytes, ei));
    WEIR_TRY(check_digest(d->table, k->table, l->table_bytes, l->table, "digests", ei));
    return check_gaps(k, ei);
}

/* The name in front of a message that has none yet. */
static void add_name(const weir_native_key *k, weir_errinfo *ei)
{
    size_t n = strlen(k->name);
    if (!ei || (strncmp(ei->text, k->name, n) == 0 && ei->text[n] == ':')) return;
    weir_errinfo_prefix(ei, "%s: ", k->name);
}

weir_err weir_native_key_open(weir_native_key **out, const char *path, weir_errinfo *ei)
{
    weir_native_digests d;
    *out = NULL;
    weir_native_key *k = weir_calloc(1, sizeof *k);
    if (k) k->name = weir_strdup(path);
    if (!k || !k->name) {
        weir_free(k);
        return weir_fail(ei, WEIR_E_NOMEM, "%s: no memory for its description", path);
    }
    weir_err err = weir_readfile_open(&k->file, path, ei);
    if (err == WEIR_OK) err = read_header(k, &d, ei);
    if (err == WEIR_OK) err = read_small_sections(k, &d, ei);
    if (err != WEIR_OK) {
        add_name(k, ei);
        weir_native_key_close(k);
        return err;
    }
    *out = k;
    return WEIR_OK;
}

void weir_native_key_close(weir_native_key *k)
{
    if (!k) return;
    for (int q = 0; q < 3; q++) weir_free(k->list[q].point);
    weir_mapfile_close(&k->map);
    weir_readfile_close(&k->file);
    weir_free(k->table);
    weir_free(k->compared);
    weir_free(k->name);
    weir_free(k);
}

/* ---- what it says */

const weir_native_header *weir_native_key_header(const weir_native_key *k)
{
    return &k->header;
}

const char *weir_native_key_name(const weir_native_key *k)
{
    return k->name;
}

const uint8_t *weir_native_key_vk(const weir_native_key *k, uint64_t *bytes)
{
    *bytes = k->layout.vk_bytes;
    return k->map.data + k->layout.vk;
}

weir_err weir_native_key_read_vk(weir_vk **out, const weir_native_key *k, weir_isa isa,
                                 weir_errinfo *ei)
{
    uint64_t n;
    const uint8_t *bytes = weir_native_key_vk(k, &n);
    weir_err err = weir_vk_read(out, bytes, n, isa, ei);
    if (err != WEIR_OK) weir_errinfo_prefix(ei, "%s: section vk, ", k->name);
    return err;
}

/* ---- its relation */

static weir_err compare_counts(const weir_native_key *k, const weir_native_header *want,
                               weir_errinfo *ei)
{
    const weir_native_header *have = &k->header;
    const struct {
        const char *name;
        uint64_t have, want;
    } number[] = {{"rows", have->rows, want->rows},
                  {"inputs", have->inputs, want->inputs},
                  {"auxiliary columns", have->aux, want->aux}};
    for (unsigned i = 0; i < sizeof number / sizeof number[0]; i++)
        if (number[i].have != number[i].want)
            return weir_fail(ei, WEIR_E_MISMATCH,
                             "%s: made for a circuit (%s) with %" PRIu64
                             " %s, and this one has %" PRIu64 "; take the key of this circuit",
                             k->name, have->circuit[0] ? have->circuit : "without a name",
                             number[i].have, number[i].name, number[i].want);
    for (int a = 0; a < WEIR_KEY_ARRAYS; a++)
        if (have->count[a] != want->count[a])
            return weir_fail(ei, WEIR_E_MISMATCH,
                             "%s: section %s has %" PRIu64
                             " points, and this circuit needs %" PRIu64
                             "; import the .params file again with this weir",
                             k->name, weir_native_array_names[a], have->count[a], want->count[a]);
    return WEIR_OK;
}

static weir_err make_lists(weir_native_key *k, const weir_relation *rel, weir_errinfo *ei)
{
    for (weir_key_section s = WEIR_KEY_L; s <= WEIR_KEY_B_G1; s++) {
        weir_native_list *l = &k->list[weir_native_query(s)];
        l->n = k->header.count[weir_native_dense(s)];
        l->point = weir_malloc(l->n, sizeof *l->point);
        if (!l->point)
            return weir_fail(ei, WEIR_E_NOMEM, "%s: no memory for the order of its points",
                             k->name);
        weir_query_dense_points(rel, weir_native_query(s), l->point, NULL);
    }
    return WEIR_OK;
}

weir_err weir_native_key_fit(weir_native_key *k, const weir_relation *rel, weir_errinfo *ei)
{
    weir_native_header want;
    WEIR_TRY(weir_native_header_of(&want, rel, NULL, ei));
    WEIR_TRY(compare_counts(k, &want, ei));
    if (memcmp(want.order, k->header.order, sizeof want.order) != 0)
        return weir_fail(ei, WEIR_E_MISMATCH,
                         "%s: its points stand in another order than this circuit's; import the "
                         ".params file again with this weir",
                         k->name);
    return k->list[0].point ? WEIR_OK : make_lists(k, rel, ei);
}

uint64_t weir_native_key_held(const weir_native_key *k)
{
    uint64_t bytes = sizeof *k + k->layout.table_bytes;
    for (int q = 0; q < 3; q++) bytes += k->list[q].n * sizeof *k->list[q].point;
    return bytes;
}
