/* Bincode of Commit Phase 1: the test walks the file by its own reading of the format, collects
 * where every number and every node stands, and damages each of them. */
#include "base/alloc.h"
#include "base/bytes.h"
#include "formats_common.h"

typedef enum item_kind {
    LENGTH,
    TAG,
    INDEX,
    NODE_NUMBER,
    LAYER,
    CHALLENGE,
    NODE,
    FREE_BYTES
} item_kind;

typedef struct item {
    item_kind kind;
    size_t at;
} item;

typedef struct walk {
    const uint8_t *data;
    size_t pos, n;
    item items[20000];
} walk;

static void note(walk *w, item_kind kind, size_t bytes)
{
    assert_true(w->n < sizeof w->items / sizeof w->items[0]);
    w->items[w->n++] = (item){kind, w->pos};
    w->pos += bytes;
}

static uint64_t length(walk *w)
{
    note(w, LENGTH, 8);
    return weir_load_le64(w->data + w->pos - 8);
}

static void nodes(walk *w, uint64_t n)
{
    while (n--) note(w, NODE, 32);
}

static void merkle(walk *w)
{
    uint32_t tag = weir_load_le32(w->data + w->pos);
    note(w, TAG, 4);
    if (tag == 0) nodes(w, 2);
    for (uint32_t part = 0; part <= tag; part++) {
        for (uint64_t levels = length(w); levels; levels--) {
            nodes(w, length(w));
            note(w, INDEX, 8);
        }
    }
    if (tag) nodes(w, 2);
}

static void column(walk *w)
{
    note(w, NODE_NUMBER, 4);
    nodes(w, length(w));
    merkle(w);
}

static void label(walk *w)
{
    nodes(w, length(w));
    note(w, LAYER, 4);
    note(w, CHALLENGE, 8);
}

static void walk_file(walk *w, const uint8_t *data, size_t n)
{
    w->data = data;
    w->pos = w->n = 0;
    for (uint64_t partitions = length(w); partitions; partitions--) {
        for (uint64_t challenges = length(w); challenges; challenges--) {
            merkle(w);
            merkle(w);
            column(w);
            for (int group = 0; group < 2; group++)
                for (uint64_t k = length(w); k; k--) column(w);
            for (uint64_t layers = length(w); layers; layers--) label(w);
            label(w);
        }
    }
    nodes(w, 3);
    note(w, FREE_BYTES, 64);
    assert_int_equal(w->pos, n);
}

static void must_fail(const uint8_t *data, size_t n, size_t at, weir_err want, const char *what)
{
    weir_errinfo ei = {0};
    weir_porep_input *in;
    weir_err err = weir_c1_read(&in, data, n, NULL, &ei);
    char place[32];
    snprintf(place, sizeof place, "byte %zu: ", at);
    bool placed = at == SIZE_MAX || strstr(ei.text, place);
    if (err == WEIR_OK || (want != WEIR_OK && err != want) || !placed)
        fail_msg("%s at %zu: %s \"%s\"", what, at, weir_err_name(err), ei.text);
    assert_null(in);
}

static void wrong_length(uint8_t *data, size_t n, size_t at)
{
    uint64_t right = weir_load_le64(data + at);
    const uint64_t wrong[] = {right + 1,         right - 1,         0,
                              UINT32_MAX,        UINT64_C(1) << 32, UINT64_C(1) << 58,
                              UINT64_C(1) << 63, UINT64_MAX,        right + (UINT64_C(1) << 32)};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (wrong[i] == right) continue;
        weir_store_le64(data + at, wrong[i]);
        /* The first lengths tell the size of the sector, so a wrong one may be seen elsewhere. */
        must_fail(data, n, at < 100 ? SIZE_MAX : at, at < 100 ? WEIR_OK : WEIR_E_MISMATCH,
                  "length");
    }
    weir_store_le64(data + at, right);
}

static void damage(uint8_t *data, size_t n, const item *it, uint32_t sector_nodes)
{
    static const uint8_t r_le[32] = {0x01, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff,
                                     0xfe, 0x5b, 0xfe, 0xff, 0x02, 0xa4, 0xbd, 0x53,
                                     0x05, 0xd8, 0xa1, 0x09, 0x08, 0xd8, 0x39, 0x33,
                                     0x48, 0x7d, 0x9d, 0x29, 0x53, 0xa7, 0xed, 0x73};
    uint8_t saved[64];
    size_t size = it->kind == FREE_BYTES ? 64 : 32;
    if (it->at + size > n) size = n - it->at;
    memcpy(saved, data + it->at, size);
    switch (it->kind) {
    case LENGTH:
        wrong_length(data, n, it->at);
        break;
    case TAG:
        for (uint32_t tag = 0; tag < 5; tag++) {
            if (tag == weir_load_le32(saved)) continue;
            weir_store_le32(data + it->at, tag == 4 ? UINT32_MAX : tag);
            must_fail(data, n, it->at, it->at < 100 ? WEIR_E_FORMAT : WEIR_E_MISMATCH, "tag");
        }
        break;
    case INDEX:
        weir_store_le64(data + it->at, UINT64_MAX);
        must_fail(data, n, it->at, WEIR_E_RANGE, "index");
        weir_store_le64(data + it->at, 8);
        must_fail(data, n, it->at, WEIR_E_RANGE, "index");
        weir_store_le64(data + it->at, weir_load_le64(saved) + 256); /* equal in one byte */
        must_fail(data, n, it->at, WEIR_E_RANGE, "index");
        break;
    case NODE_NUMBER:
        weir_store_le32(data + it->at, UINT32_MAX);
        must_fail(data, n, it->at, WEIR_E_RANGE, "node number");
        weir_store_le32(data + it->at, sector_nodes);
        must_fail(data, n, it->at, WEIR_E_RANGE, "node number");
        break;
    case LAYER:
        weir_store_le32(data + it->at, weir_load_le32(saved) + 1);
        must_fail(data, n, it->at, WEIR_E_MISMATCH, "layer");
        break;
    case CHALLENGE:
        weir_store_le64(data + it->at, UINT64_MAX);
        must_fail(data, n, it->at, WEIR_E_RANGE, "challenge");
        weir_store_le64(data + it->at, sector_nodes);
        must_fail(data, n, it->at, WEIR_E_RANGE, "challenge");
        break;
    case NODE:
        memcpy(data + it->at, r_le, 32);
        must_fail(data, n, it->at, WEIR_E_RANGE, "node");
        data[it->at]--; /* r - 1 is below r, 0 in the lowest byte */
        weir_porep_input_free(read_c1(data, n, NULL));
        break;
    case FREE_BYTES:
        memset(data + it->at, 0xff, 64);
        weir_porep_input_free(read_c1(data, n, NULL));
    }
    memcpy(data + it->at, saved, size);
}

static void every_item(const char *path, uint32_t sector_nodes)
{
    size_t n;
    uint8_t *data = tk_vector(path, &n);
    walk *w = malloc(sizeof *w);
    assert_non_null(w);
    walk_file(w, data, n);
    for (size_t i = 0; i < w->n; i++) damage(data, n, &w->items[i], sector_nodes);
    weir_porep_input_free(read_c1(data, n, NULL)); /* all damage was mended */
    free(w);
    free(data);
}

static void every_item_of_2k(void **state)
{
    (void)state;
    every_item("porep-2k-5/c1.bincode", 64);
}

static void every_item_of_32k(void **state)
{
    (void)state;
    every_item("porep-32k-5/c1.bincode", 1024);
}

static void cut_at_every_byte(void **state)
{
    (void)state;
    size_t n;
    uint8_t *data = tk_vector("porep-2k-5/c1.bincode", &n);
    for (size_t cut = 0; cut < n; cut++) {
        uint8_t *exact = malloc(cut ? cut : 1); /* so that a sanitizer sees a read behind the end */
        memcpy(exact, data, cut);
        weir_porep_input *in;
        weir_err err = weir_c1_read(&in, exact, cut, NULL, NULL);
        assert_int_equal(err, cut == 0 || cut >= 8 ? WEIR_E_TRUNCATED : WEIR_E_FORMAT);
        assert_null(in);
        free(exact);
    }
    uint8_t *more = malloc(n + 1);
    memcpy(more, data, n);
    more[n] = 0;
    refuse_c1(more, n + 1, WEIR_E_FORMAT, "1 bytes follow the end");
    free(more);
    free(data);
}

/* A short file that speaks of the largest output: refused before any memory is asked for. */
static void no_memory_for_a_claim(void **state)
{
    (void)state;
    uint8_t data[200] = {126};
    data[8] = 18;
    data[84] = 31; /* levels of tree D: 64 GiB */
    weir_errinfo ei = {0};
    weir_porep_input *in;
    weir_alloc_fail_nth(1, 1);
    weir_err err = weir_c1_read(&in, data, sizeof data, NULL, &ei);
    weir_alloc_fail_nth(0, 0);
    assert_int_equal(err, WEIR_E_TRUNCATED);
    assert_non_null(strstr(ei.text, "a 64GiB output with 126 x 18 challenges takes"));
}

static void challenges_that_disagree(void **state)
{
    (void)state;
    size_t n;
    uint8_t *data = tk_vector("porep-2k-5/c1.bincode", &n);
    walk *w = malloc(sizeof *w);
    walk_file(w, data, n);
    unsigned seen = 0;
    for (size_t i = 0; i < w->n; i++) {
        if (w->items[i].kind != CHALLENGE) continue;
        size_t at = w->items[i].at;
        data[at] ^= 1;
        /* Two layers and the encoding proof: the first is what the others are compared with. */
        must_fail(data, n, seen % 3 ? at : SIZE_MAX, WEIR_E_MISMATCH, "challenge");
        data[at] ^= 1;
        seen++;
    }
    assert_int_equal(seen, 6);
    free(w);
    free(data);
}

static void place_in_words(void **state)
{
    (void)state;
    size_t n;
    uint8_t *data = tk_vector("porep-2k-15/c1.bincode", &n);
    walk *w = malloc(sizeof *w);
    walk_file(w, data, n);
    size_t layers = 0, at = 0;
    for (size_t i = 0; i < w->n; i++)
        if (w->items[i].kind == LAYER && layers++ == (7 * 2 + 1) * 3 + 1) at = w->items[i].at;
    data[at] = 9;
    refuse_c1(data, n, WEIR_E_MISMATCH,
              "partition 7, challenge 1, labeling_proofs and encoding_proof, byte ");
    free(w);
    free(data);
}

static void no_memory(void **state)
{
    (void)state;
    static const char *const files[] = {"porep-2k-5/c1.bincode", "porep-2k-5/c1.json",
                                        "porep-2k-5/c1-outer.json"};
    for (int i = 0; i < 3; i++) {
        size_t n;
        uint8_t *data = tk_vector(files[i], &n);
        unsigned failures = 0;
        for (uint64_t nth = 1;; nth++) {
            weir_porep_input *in;
            weir_errinfo ei = {0};
            weir_alloc_fail_nth(nth, 0);
            weir_err err = weir_c1_read(&in, data, n, NULL, &ei);
            weir_alloc_fail_nth(0, 0);
            if (err == WEIR_OK) {
                weir_porep_input_free(in);
                break;
            }
            assert_int_equal(err, WEIR_E_NOMEM);
            assert_null(in);
            failures++;
        }
        assert_true(failures >= 1);
        free(data);
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_of_2k),
        cmocka_unit_test(every_item_of_32k),
        cmocka_unit_test(cut_at_every_byte),
        cmocka_unit_test(no_memory_for_a_claim),
        cmocka_unit_test(challenges_that_disagree),
        cmocka_unit_test(place_in_words),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
