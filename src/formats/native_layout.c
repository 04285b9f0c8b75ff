/* The header of a native key file, and where its sections are. */
#include "formats/native_layout.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "formats/params.h"
#include "hash/sha256.h"

#include <inttypes.h>
#include <stdio.h>

const char *const weir_native_array_names[WEIR_KEY_ARRAYS] = {
    "h",         "l_bits",     "l_dense",   "a_bits",     "a_dense",
    "b_g1_bits", "b_g1_dense", "b_g2_bits", "b_g2_dense",
};

/* No .params begins like this: its first byte is below 0x1b. The line feed shows a transfer as text. */
static const uint8_t magic[WEIR_NATIVE_MAGIC_BYTES] = {'w', 'e', 'i', 'r', 'k', 'e', 'y', '\n'};

/* Byte offsets in the header. Between SOURCE's end and DIGEST there are zeros. */
enum {
    AT_VERSION = 8,
    AT_BLOCK_POINTS = 12,
    AT_FILE_BYTES = 16,
    AT_CIRCUIT = 24,
    AT_ROWS = 56,
    AT_INPUTS = 64,
    AT_AUX = 72,
    AT_DOMAIN = 80,
    AT_COUNTS = 88,
    AT_ORDER = 160,
    AT_VK_DIGEST = 192,
    AT_TABLE_DIGEST = 224,
    AT_SOURCE_BYTES = 256,
    AT_SOURCE = 264,
    AT_END = 328,
    AT_DIGEST = WEIR_NATIVE_PAGE - WEIR_NATIVE_DIGEST_BYTES
};

/* ---- layout */

static uint64_t next_page(uint64_t at)
{
    return (at + WEIR_NATIVE_PAGE - 1) / WEIR_NATIVE_PAGE * WEIR_NATIVE_PAGE;
}

void weir_native_layout_of(weir_native_layout *l, const weir_native_header *h)
{
    uint64_t blocks = 0, at;
    l->vk = WEIR_NATIVE_PAGE;
    l->vk_bytes = weir_vk_bytes((uint32_t)h->inputs);
    for (int a = 0; a < WEIR_KEY_ARRAYS; a++) {
        l->block[a] = blocks;
        blocks += weir_native_blocks(h->count[a]);
    }
    l->table = next_page(l->vk + l->vk_bytes);
    l->table_bytes = blocks * WEIR_NATIVE_DIGEST_BYTES;
    at = next_page(l->table + l->table_bytes);
    for (int a = 0; a < WEIR_KEY_ARRAYS; a++) {
        l->array[a] = at;
        l->array_bytes[a] = h->count[a] * weir_native_point_bytes((weir_key_array)a);
        at = next_page(at + l->array_bytes[a]);
    }
    l->file_bytes = at;
}

uint64_t weir_native_key_bytes(const weir_native_header *h)
{
    weir_native_layout l;
    weir_native_layout_of(&l, h);
    return l.file_bytes;
}

uint64_t weir_native_points(const weir_native_header *h, weir_key_section section)
{
    uint64_t dense = h->count[weir_native_dense(section)];
    return weir_native_has_bits(section) ? dense + h->count[weir_native_bits(section)] : dense;
}

/* ---- the header of a relation */

/* Adds one query to the digest: both counts as u64, then the dense points as u32, all little-endian. */
static weir_err add_order(weir_sha256 *s, const weir_relation *rel, weir_query q, uint64_t bits,
                          uint64_t dense, weir_errinfo *ei)
{
    uint8_t counts[16];
    if (bits + dense > UINT32_MAX)
        return weir_fail(ei, WEIR_E_RANGE,
                         "a query of %" PRIu64 " points, where 2^32 - 1 are the most",
                         bits + dense);
    uint32_t *list = weir_malloc(dense, sizeof *list);
    if (!list) return weir_fail(ei, WEIR_E_NOMEM, "no memory for the order of the key's points");
    weir_query_dense_points(rel, q, list, NULL);
    weir_store_le64(counts, bits);
    weir_store_le64(counts + 8, dense);
    weir_sha256_update(s, counts, sizeof counts);
    weir_sha256_update(s, list, dense * sizeof *list);
    weir_free(list);
    return WEIR_OK;
}

weir_err weir_native_header_of(weir_native_header *h, const weir_relation *rel, const char *circuit,
                               weir_errinfo *ei)
{
    weir_sha256 order;
    *h = (weir_native_header){
        .rows = rel->rows, .inputs = rel->inputs, .aux = rel->aux, .domain_log2 = rel->domain_log2};
    if (circuit) snprintf(h->circuit, sizeof h->circuit, "%s", circuit);
    h->count[WEIR_KEY_ARRAY_H] = ((uint64_t)1 << rel->domain_log2) - 1;
    weir_sha256_init(&order);
    for (weir_key_section s = WEIR_KEY_L; s <= WEIR_KEY_B_G1; s++) {
        uint64_t *bits = &h->count[weir_native_bits(s)], *dense = &h->count[weir_native_dense(s)];
        weir_query_count(rel, weir_native_query(s), bits, dense);
        WEIR_TRY(add_order(&order, rel, weir_native_query(s), *bits, *dense, ei));
    }
    h->count[WEIR_KEY_ARRAY_B2_BITS] = h->count[WEIR_KEY_ARRAY_B1_BITS];
    h->count[WEIR_KEY_ARRAY_B2_DENSE] = h->count[WEIR_KEY_ARRAY_B1_DENSE];
    weir_sha256_final(&order, h->order);
    return WEIR_OK;
}

/* ---- bytes */

void weir_native_header_encode(uint8_t page[WEIR_NATIVE_PAGE], const weir_native_header *h,
                               const weir_native_digests *d)
{
    memset(page, 0, WEIR_NATIVE_PAGE);
    memcpy(page, magic, sizeof magic);
    weir_store_le32(page + AT_VERSION, WEIR_NATIVE_VERSION);
    weir_store_le32(page + AT_BLOCK_POINTS, WEIR_KEY_BLOCK_POINTS);
    weir_store_le64(page + AT_FILE_BYTES, weir_native_key_bytes(h));
    memcpy(page + AT_CIRCUIT, h->circuit, sizeof h->circuit);
    weir_store_le64(page + AT_ROWS, h->rows);
    weir_store_le64(page + AT_INPUTS, h->inputs);
    weir_store_le64(page + AT_AUX, h->aux);
    weir_store_le32(page + AT_DOMAIN, h->domain_log2);
    for (int a = 0; a < WEIR_KEY_ARRAYS; a++)
        weir_store_le64(page + AT_COUNTS + 8 * a, h->count[a]);
    memcpy(page + AT_ORDER, h->order, sizeof h->order);
    memcpy(page + AT_VK_DIGEST, d->vk, sizeof d->vk);
    memcpy(page + AT_TABLE_DIGEST, d->table, sizeof d->table);
    weir_store_le64(page + AT_SOURCE_BYTES, h->source_bytes);
    memcpy(page + AT_SOURCE, h->source, sizeof h->source);
    weir_sha256_hash(page + AT_DIGEST, page, AT_DIGEST);
}

bool weir_native_key_begins(const uint8_t *bytes, uint64_t n)
{
    return n >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

/* What comes before any field is believed. */
static weir_err check_whole(const uint8_t *page, weir_errinfo *ei)
{
    uint8_t digest[WEIR_NATIVE_DIGEST_BYTES];
    uint32_t version = weir_load_le32(page + AT_VERSION);
    if (!weir_native_key_begins(page, WEIR_NATIVE_PAGE))
        return weir_fail(
            ei, WEIR_E_FORMAT,
            "byte 0, header: not a native key of weir ('weir key import' makes one of a "
            ".params file)");
    if (version != WEIR_NATIVE_VERSION)
        return weir_fail(ei, WEIR_E_UNSUPPORTED,
                         "byte %d, header: a native key of version %" PRIu32
                         ", and this weir knows version %d; import the .params file again",
                         AT_VERSION, version, WEIR_NATIVE_VERSION);
    weir_sha256_hash(digest, page, AT_DIGEST);
    if (memcmp(digest, page + AT_DIGEST, sizeof digest) == 0) return WEIR_OK;
    return weir_fail(ei, WEIR_E_MISMATCH,
                     "bytes 0 to %d, header: not what its SHA-256 at byte %d says; the file is "
                     "damaged, import the .params file again",
                     AT_DIGEST - 1, AT_DIGEST);
}

static weir_err bad_field(int at, const char *what, weir_errinfo *ei)
{
    return weir_fail(ei, WEIR_E_FORMAT, "byte %d, header: %s; the file was not made by weir", at,
                     what);
}

/* Printable, then zeros to the end. */
static bool is_name(const char *name, size_t n)
{
    size_t i = 0, zeros;
    while (i < n && name[i] > ' ' && name[i] <= '~') i++;
    for (zeros = i; zeros < n && name[zeros] == 0;) zeros++;
    return i < n && zeros == n;
}

static weir_err check_counts(const weir_native_header *h, weir_errinfo *ei)
{
    const uint64_t *n = h->count, variables = h->inputs + h->aux;
    for (int a = 0; a < WEIR_KEY_ARRAYS; a++)
        if (n[a] > UINT32_MAX) return bad_field(AT_COUNTS + 8 * a, "2^32 points or more", ei);
    if (n[WEIR_KEY_ARRAY_H] != ((uint64_t)1 << h->domain_log2) - 1)
        return bad_field(AT_COUNTS, "the points of h do not go with the domain", ei);
    if (weir_native_points(h, WEIR_KEY_L) != h->aux)
        return bad_field(AT_COUNTS + 8 * WEIR_KEY_ARRAY_L_BITS,
                         "not a point of l for each auxiliary column", ei);
    for (weir_key_section s = WEIR_KEY_A; s <= WEIR_KEY_B_G1; s++)
        if (weir_native_points(h, s) > variables)
            return bad_field(AT_COUNTS + 8 * (int)weir_native_bits(s),
                             "more points than there are variables", ei);
    for (int a = WEIR_KEY_ARRAY_B1_BITS; a <= WEIR_KEY_ARRAY_B1_DENSE; a++)
        if (n[a] != n[a + 2])
            return bad_field(AT_COUNTS + 8 * (a + 2), "b_g2 has not as many points as b_g1", ei);
    return WEIR_OK;
}

static weir_err check_fields(const weir_native_header *h, const uint8_t *page, weir_errinfo *ei)
{
    if (weir_load_le32(page + AT_BLOCK_POINTS) != WEIR_KEY_BLOCK_POINTS)
        return bad_field(AT_BLOCK_POINTS, "blocks of another size", ei);
    if (!is_name(h->circuit, sizeof h->circuit))
        return bad_field(AT_CIRCUIT, "the circuit's name is no text", ei);
    if (h->inputs == 0 || h->inputs > UINT32_MAX)
        return bad_field(AT_INPUTS, "the number of inputs cannot be", ei);
    if (h->aux > UINT32_MAX) return bad_field(AT_AUX, "2^32 columns or more", ei);
    if (h->domain_log2 > 32 || h->rows > (uint64_t)1 << h->domain_log2)
        return bad_field(AT_DOMAIN, "the domain does not go with the rows", ei);
    for (int at = AT_DOMAIN + 4; at < AT_DIGEST; at++) {
        if (at == AT_COUNTS) at = AT_END;
        if (page[at]) return bad_field(at, "not zero where nothing is", ei);
    }
    return check_counts(h, ei);
}

weir_err weir_native_header_decode(weir_native_header *h, weir_native_digests *d,
                                   uint64_t *file_bytes, const uint8_t page[WEIR_NATIVE_PAGE],
                                   weir_errinfo *ei)
{
    *h = (weir_native_header){0};
    WEIR_TRY(check_whole(page, ei));
    *file_bytes = weir_load_le64(page + AT_FILE_BYTES);
    memcpy(h->circuit, page + AT_CIRCUIT, sizeof h->circuit);
    h->rows = weir_load_le64(page + AT_ROWS);
    h->inputs = weir_load_le64(page + AT_INPUTS);
    h->aux = weir_load_le64(page + AT_AUX);
    h->domain_log2 = weir_load_le32(page + AT_DOMAIN);
    for (int a = 0; a < WEIR_KEY_ARRAYS; a++)
        h->count[a] = weir_load_le64(page + AT_COUNTS + 8 * a);
    memcpy(h->order, page + AT_ORDER, sizeof h->order);
    memcpy(d->vk, page + AT_VK_DIGEST, sizeof d->vk);
    memcpy(d->table, page + AT_TABLE_DIGEST, sizeof d->table);
    h->source_bytes = weir_load_le64(page + AT_SOURCE_BYTES);
    memcpy(h->source, page + AT_SOURCE, sizeof h->source);
    WEIR_TRY(check_fields(h, page, ei));
    if (*file_bytes != weir_native_key_bytes(h))
        return bad_field(AT_FILE_BYTES, "the size does not go with the counts", ei);
    return WEIR_OK;
}
