/* Native key files: written, read, damaged, cut, and never there in part. */
#include "base/alloc.h"
#include "base/bytes.h"
#include "formats/native_layout.h"
#include "formats_common.h"
#include "hash/sha256.h"
#include "native_kit.h"

#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void same_points(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (unsigned i = 0; i < 12; i++) {
        native_case c;
        weir_errinfo ei = {0};
        weir_key_points points;
        static const size_t pieces[] = {1, 3, 1000};
        native_case_init(&c, &g, 1 + i % 3);
        if (native_write(&c, pieces[i / 3 % 3], &ei) != WEIR_OK) fail_msg("%s", ei.text);
        weir_native_key *k = native_open(c.rel);
        weir_native_key_points(&points, k);
        native_compare(&points, c.rel, &c.mem, &g);
        const weir_native_header *h = weir_native_key_header(k);
        assert_string_equal(h->circuit, "test-circuit");
        assert_int_equal(h->rows, c.rel->rows);
        assert_int_equal(h->inputs, c.rel->inputs);
        assert_int_equal(h->aux, c.rel->aux);
        assert_int_equal(h->source_bytes, 0);
        assert_string_equal(weir_native_key_name(k), native_name());
        weir_native_key_close(k);
        assert_int_equal(native_files(), 1);
        native_case_clear(&c);
    }
    native_clean();
}

/* The file is the same, however the points came. */
static void one_encoding(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    native_case c;
    weir_errinfo ei = {0};
    size_t n, m;
    native_case_init(&c, &g, 3);
    assert_int_equal(native_write(&c, 1000, &ei), WEIR_OK);
    uint8_t *bytes = native_bytes(native_name(), &n);
    assert_int_equal(native_write(&c, 7, &ei), WEIR_OK);
    uint8_t *again = native_bytes(native_name(), &m);
    assert_int_equal(n, m);
    assert_memory_equal(bytes, again, n);
    free(again);
    weir_native_header h;
    assert_int_equal(weir_native_header_of(&h, c.rel, "test-circuit", &ei), WEIR_OK);
    assert_int_equal(weir_native_key_bytes(&h), n);
    free(bytes);
    native_case_clear(&c);
    native_clean();
}

static void same_verifying_key(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    native_case c;
    weir_errinfo ei = {0};
    weir_vk *vk;
    size_t n, vk_bytes;
    uint64_t m;
    native_case_init(&c, &g, 3);
    assert_int_equal(native_write(&c, 1000, &ei), WEIR_OK);
    weir_native_key *k = native_open(c.rel);
    uint8_t *params = tk_mem_key_params(&c.mem, &n, &vk_bytes);
    const uint8_t *bytes = weir_native_key_vk(k, &m);
    assert_int_equal(m, vk_bytes);
    assert_memory_equal(bytes, params, vk_bytes);
    assert_int_equal(weir_native_key_read_vk(&vk, k, weir_isa_best(), &ei), WEIR_OK);
    assert_int_equal(vk->n_ic, c.mem.vk.n_ic);
    weir_vk_free(vk);
    free(params);
    weir_native_key_close(k);
    native_case_clear(&c);
    native_clean();
}

static void same_proofs(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (unsigned i = 0; i < 6; i++) {
        const weir_exec x = {.pool = tk_pool(2), .isa = weir_isa_best()};
        native_case c;
        weir_errinfo ei = {0};
        weir_params *params;
        weir_proof p[2];
        weir_blinding bl;
        tk_scalar(&g, &bl.r);
        tk_scalar(&g, &bl.s);
        native_case_init(&c, &g, 1 + i % 3);
        native_write_params(&c);
        assert_int_equal(native_write(&c, 100, &ei), WEIR_OK);
        assert_int_equal(weir_params_open(&params, native_params_name(), &ei), WEIR_OK);
        weir_native_key *k = native_open(c.rel);
        weir_pkey key[2] = {{.vk = &c.mem.vk}, {.vk = &c.mem.vk}};
        weir_params_points(&key[0].points, params);
        weir_native_key_points(&key[1].points, k);
        for (int j = 0; j < 2; j++) {
            if (weir_prove(&p[j], c.w, &key[j], &bl, NULL, &x, &ei) != WEIR_OK)
                fail_msg("%s", ei.text);
        }
        assert_memory_equal(&p[0], &p[1], sizeof p[0]);
        weir_native_key_close(k);
        weir_params_close(params);
        native_case_clear(&c);
    }
    native_clean();
}

/* ---- damage */

typedef struct sections {
    uint8_t *bytes;
    size_t n;
    weir_native_layout l;
} sections;

static void sections_read(sections *s, const native_case *c)
{
    weir_errinfo ei = {0};
    weir_native_header h;
    if (native_write(c, 1000, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    s->bytes = native_bytes(native_name(), &s->n);
    assert_int_equal(weir_native_header_of(&h, c->rel, "test-circuit", &ei), WEIR_OK);
    weir_native_layout_of(&s->l, &h);
    assert_int_equal(s->l.file_bytes, s->n);
}

static void every_header_byte(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    native_case c;
    sections s;
    native_case_init(&c, &g, 3);
    sections_read(&s, &c);
    for (size_t at = 0; at < WEIR_NATIVE_PAGE; at += at < 400 || at > 4050 ? 1 : 37) {
        weir_errinfo ei = {0};
        uint8_t right = s.bytes[at];
        s.bytes[at] ^= (uint8_t)(1u << tk_below(&g, 8));
        native_put(native_name(), s.bytes, s.n);
        s.bytes[at] = right;
        weir_err err = native_try(c.rel, &ei), want = at < 8    ? WEIR_E_FORMAT
                                                      : at < 12 ? WEIR_E_UNSUPPORTED
                                                                : WEIR_E_MISMATCH;
        if (err != want || !strstr(ei.text, "header: ") || !strstr(ei.text, "import"))
            fail_msg("byte %zu: %s", at, ei.text);
    }
    free(s.bytes);
    native_case_clear(&c);
    native_clean();
}

/* One bit of the file is flipped: the message has the section, and a range of bytes that has this one. */
static void expect_found(sections *s, const native_case *c, uint64_t at, unsigned bit,
                         const char *section)
{
    weir_errinfo ei = {0};
    uint64_t lo, hi;
    s->bytes[at] ^= (uint8_t)(1u << bit);
    native_put(native_name(), s->bytes, s->n);
    weir_err err = native_try(c->rel, &ei);
    s->bytes[at] ^= (uint8_t)(1u << bit);
    char words[40];
    snprintf(words, sizeof words, "section %s", section);
    const char *range = strstr(ei.text, "bytes ");
    if (err == WEIR_OK || !strstr(ei.text, words)) fail_msg("byte %" PRIu64 ": %s", at, ei.text);
    if (!range) {
        assert_int_equal(err, WEIR_E_FORMAT); /* a byte that should be zero */
        range = strstr(ei.text, "byte ");
        assert_int_equal(sscanf(range, "byte %" SCNu64, &lo), 1);
        assert_int_equal(lo, at);
        return;
    }
    assert_int_equal(err, WEIR_E_MISMATCH);
    assert_int_equal(sscanf(range, "bytes %" SCNu64 " to %" SCNu64, &lo, &hi), 2);
    assert_true(lo <= at && at <= hi);
}

static void a_bit_of_each_section(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    native_case c;
    sections s;
    native_case_init(&c, &g, 3);
    sections_read(&s, &c);
    for (int i = 0; i < 8; i++) {
        unsigned bit = (unsigned)tk_below(&g, 8);
        expect_found(&s, &c, s.l.vk + tk_below(&g, s.l.vk_bytes), bit, "vk");
        expect_found(&s, &c, s.l.table + tk_below(&g, s.l.table_bytes), bit, "digests");
        if (s.l.table > s.l.vk + s.l.vk_bytes) expect_found(&s, &c, s.l.table - 1, bit, "vk");
        expect_found(&s, &c, s.l.array[0] - 1, bit, "digests");
        for (int a = 0; a < WEIR_KEY_ARRAYS; a++) {
            uint64_t n = s.l.array_bytes[a], at = s.l.array[a];
            uint64_t end = a + 1 < WEIR_KEY_ARRAYS ? s.l.array[a + 1] : s.l.file_bytes;
            const char *name = weir_native_array_names[a];
            if (n)
                expect_found(&s, &c,
                             at + (i == 0   ? 0
                                   : i == 1 ? n - 1
                                            : tk_below(&g, n)),
                             bit, name);
            if (at + n < end) expect_found(&s, &c, at + n, bit, name);
        }
    }
    native_put(native_name(), s.bytes, s.n);
    weir_errinfo ei = {0};
    assert_int_equal(native_try(c.rel, &ei), WEIR_OK);
    free(s.bytes);
    native_case_clear(&c);
    native_clean();
}

/* Whoever reads points by any way meets the damage. */
static void damage_met_by_readers(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    native_case c;
    sections s;
    native_case_init(&c, &g, 3);
    sections_read(&s, &c);
    for (weir_key_array a = 0; a < WEIR_KEY_ARRAYS; a++) {
        weir_key_section section = (weir_key_section)((a + 1) / 2);
        size_t each = weir_native_point_bytes(a), n = s.l.array_bytes[a] / each;
        weir_errinfo ei = {0};
        weir_key_points p;
        if (n == 0) continue;
        s.bytes[s.l.array[a] + tk_below(&g, n * each)] ^= 4;
        native_put(native_name(), s.bytes, s.n);
        weir_native_key *k = native_open(c.rel);
        weir_native_key_points(&p, k);
        void *out = malloc((c.mem.count[section] + 1) * sizeof(weir_g2_affine));
        for (int again = 0; again < 2; again++) {
            assert_int_equal(p.read_array(p.ctx, a, 0, n, out, &ei), WEIR_E_MISMATCH);
            assert_non_null(strstr(ei.text, weir_native_array_names[a]));
            assert_non_null(strstr(ei.text, "block 0"));
            weir_err err =
                section == WEIR_KEY_B_G2
                    ? p.read_g2(p.ctx, section, 0, p.count[section], out, weir_isa_best(), &ei)
                    : p.read_g1(p.ctx, section, 0, p.count[section], out, weir_isa_best(), &ei);
            assert_int_equal(err, WEIR_E_MISMATCH);
        }
        free(out);
        weir_native_key_close(k);
        free(s.bytes);
        sections_read(&s, &c);
    }
    free(s.bytes);
    native_case_clear(&c);
    native_clean();
}

static void cut_and_longer(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    native_case c;
    sections s;
    native_case_init(&c, &g, 3);
    sections_read(&s, &c);
    const uint64_t step = 1021;
    for (uint64_t cut = 0; cut < s.n; cut += cut % WEIR_NATIVE_PAGE < 9 ? 1 : step) {
        native_put(native_name(), s.bytes, cut);
        if (cut > 0 && cut < 8)
            native_refuse(c.rel, WEIR_E_FORMAT, "not a native key");
        else
            native_refuse(c.rel, WEIR_E_TRUNCATED, cut < WEIR_NATIVE_PAGE ? "header" : "section ");
    }
    for (int a = 0; a < WEIR_KEY_ARRAYS; a++) {
        if (s.l.array_bytes[a] == 0) continue;
        char says[60];
        native_put(native_name(), s.bytes, s.l.array[a] + s.l.array_bytes[a] - 1);
        snprintf(says, sizeof says, "section %s: the file ends here", weir_native_array_names[a]);
        native_refuse(c.rel, WEIR_E_TRUNCATED, says);
    }
    native_put(native_name(), s.bytes, s.n - 1);
    assert_int_equal(native_try(c.rel, NULL), WEIR_E_TRUNCATED);
    uint8_t *more = calloc(s.n + 1, 1);
    memcpy(more, s.bytes, s.n);
    native_put(native_name(), more, s.n + 1);
    native_refuse(c.rel, WEIR_E_FORMAT, "1 bytes follow the end");
    free(more);
    free(s.bytes);
    native_case_clear(&c);
    native_clean();
}

/* ---- headers that somebody made on purpose: the digest is right, the numbers cannot be */

static void put_sealed(const sections *s, const uint8_t *page)
{
    uint8_t *bytes = malloc(s->n);
    memcpy(bytes, s->bytes, s->n);
    memcpy(bytes, page, WEIR_NATIVE_PAGE);
    weir_sha256_hash(bytes + WEIR_NATIVE_PAGE - 32, bytes, WEIR_NATIVE_PAGE - 32);
    native_put(native_name(), bytes, s->n);
    free(bytes);
}

static void impossible_headers(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    native_case c;
    sections s;
    native_case_init(&c, &g, 3);
    sections_read(&s, &c);
    /* 64-bit fields: size, rows, inputs, aux, nine counts */
    static const size_t at[] = {16, 56, 64, 72, 88, 96, 104, 112, 120, 128, 136, 144, 152};
    static const uint64_t huge[] = {0,
                                    1,
                                    UINT64_MAX,
                                    UINT64_MAX / 96,
                                    UINT64_MAX / 192 + 2,
                                    UINT32_MAX,
                                    UINT64_C(1) << 32,
                                    UINT64_C(1) << 63,
                                    UINT64_C(1) << 58};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
        for (size_t j = 0; j < sizeof huge / sizeof huge[0] + 2; j++) {
            uint8_t page[WEIR_NATIVE_PAGE];
            memcpy(page, s.bytes, sizeof page);
            uint64_t was = weir_load_le64(page + at[i]);
            uint64_t v = j < sizeof huge / sizeof huge[0] ? huge[j] : j % 2 ? was + 1 : was - 1;
            weir_store_le64(page + at[i], v);
            put_sealed(&s, page);
            weir_errinfo ei = {0};
            weir_err err = native_try(c.rel, &ei);
            if (v == was ? err != WEIR_OK : err == WEIR_OK)
                fail_msg("byte %zu as %" PRIu64 ": %s", at[i], v, ei.text);
        }
    static const struct {
        size_t at;
        uint8_t v;
        const char *says;
    } odd[] = {{12, 1, "blocks of another size"},
               {24, 0x1f, "name is no text"},
               {40, 'x', "name is no text"},
               {55, 1, "name is no text"},
               {80, 33, "domain"},
               {83, 1, "domain"},
               {84, 1, "not zero"},
               {328, 1, "not zero"},
               {4063, 1, "byte 4063, header: not zero"}};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        uint8_t page[WEIR_NATIVE_PAGE];
        memcpy(page, s.bytes, sizeof page);
        page[odd[i].at] = odd[i].v;
        put_sealed(&s, page);
        native_refuse(c.rel, WEIR_E_FORMAT, odd[i].says);
    }
    free(s.bytes);
    native_case_clear(&c);
    native_clean();
}

static void another_circuit(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    native_case c, other;
    sections s;
    weir_errinfo ei = {0};
    native_case_init(&c, &g, 3);
    native_case_init(&other, &g, 2);
    sections_read(&s, &c);
    native_refuse(other.rel, WEIR_E_MISMATCH, "test-circuit");
    /* the same counts in another order */
    s.bytes[160] ^= 1;
    put_sealed(&s, s.bytes);
    native_refuse(c.rel, WEIR_E_MISMATCH, "in another order");
    native_refuse(c.rel, WEIR_E_MISMATCH, "import");
    assert_int_equal(native_try(NULL, &ei),
                     WEIR_OK); /* without a circuit nothing is wrong with it */
    weir_native_key *k;
    weir_key_points p;
    weir_g1_affine g1;
    assert_int_equal(weir_native_key_open(&k, native_name(), &ei), WEIR_OK);
    weir_native_key_points(&p, k);
    assert_int_equal(p.read_g1(p.ctx, WEIR_KEY_H, 0, 1, &g1, weir_isa_best(), &ei), WEIR_E_USAGE);
    weir_native_key_close(k);
    free(s.bytes);
    native_case_clear(&c);
    native_case_clear(&other);
    native_clean();
}

static void ranges(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    native_case c;
    weir_errinfo ei = {0};
    weir_key_points p;
    weir_g1_affine g1;
    weir_g2_affine g2;
    weir_isa isa = weir_isa_best();
    native_case_init(&c, &g, 3);
    assert_int_equal(native_write(&c, 1000, &ei), WEIR_OK);
    weir_native_key *k = native_open(c.rel);
    weir_native_key_points(&p, k);
    uint64_t n = p.count[WEIR_KEY_A];
    assert_int_equal(p.read_g1(p.ctx, WEIR_KEY_A, n, 0, &g1, isa, &ei), WEIR_OK);
    assert_int_equal(p.read_g1(p.ctx, WEIR_KEY_A, n, 1, &g1, isa, &ei), WEIR_E_RANGE);
    assert_int_equal(p.read_g1(p.ctx, WEIR_KEY_A, 1, SIZE_MAX, &g1, isa, &ei), WEIR_E_RANGE);
    assert_int_equal(p.read_g1(p.ctx, WEIR_KEY_B_G2, 0, 1, &g1, isa, &ei), WEIR_E_USAGE);
    assert_int_equal(p.read_g2(p.ctx, WEIR_KEY_B_G1, 0, 1, &g2, isa, &ei), WEIR_E_USAGE);
    uint64_t h = p.count[WEIR_KEY_H];
    assert_int_equal(p.read_array(p.ctx, WEIR_KEY_ARRAY_H, h, 0, &g1, &ei),
                     h % WEIR_KEY_BLOCK_POINTS ? WEIR_E_USAGE : WEIR_OK);
    assert_int_equal(p.read_array(p.ctx, WEIR_KEY_ARRAY_H, 0, h + 1, &g1, &ei), WEIR_E_RANGE);
    assert_int_equal(p.read_array(p.ctx, WEIR_KEY_ARRAY_H, 1, 1, &g1, &ei), WEIR_E_USAGE);
    assert_int_equal(p.read_array(p.ctx, WEIR_KEY_ARRAY_H, 0, 1, &g1, &ei), WEIR_E_USAGE);
    assert_int_equal(p.read_array(p.ctx, WEIR_KEY_ARRAY_H, UINT64_MAX, 1, &g1, &ei), WEIR_E_RANGE);
    assert_int_equal(p.read_array(p.ctx, WEIR_KEY_ARRAYS, 0, 0, &g1, &ei), WEIR_E_USAGE);
    weir_native_key_close(k);
    native_case_clear(&c);
    native_clean();
    assert_int_equal(weir_native_key_open(&k, native_name(), &ei), WEIR_E_IO);
    assert_null(k);
}

/* ---- nothing in part */

static void writer_misused(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    native_case c;
    native_case_init(&c, &g, 3);
    weir_g1_affine *h = c.mem.g1[WEIR_KEY_H];
    uint64_t n = c.mem.count[WEIR_KEY_H];
    for (int trial = 0; trial < 9; trial++) {
        weir_errinfo ei = {0};
        weir_native_writer *w;
        uint64_t count[WEIR_KEY_SECTIONS];
        weir_vk vk = c.mem.vk;
        memcpy(count, c.mem.count, sizeof count);
        assert_int_equal(
            weir_native_writer_open(&w, native_name(), c.rel, NULL, weir_isa_best(), &ei), WEIR_OK);
        if (trial == 0)
            assert_int_equal(weir_native_writer_g1(w, WEIR_KEY_H, h, 1, &ei), WEIR_E_USAGE);
        if (trial == 1) count[WEIR_KEY_L]++;
        if (trial == 2) vk.n_ic--;
        if (trial > 0)
            assert_int_equal(weir_native_writer_begin(w, &vk, count, &ei),
                             trial < 3 ? WEIR_E_MISMATCH : WEIR_OK);
        if (trial == 3)
            assert_int_equal(weir_native_writer_begin(w, &vk, count, &ei), WEIR_E_USAGE);
        if (trial == 4)
            assert_int_equal(weir_native_writer_g1(w, WEIR_KEY_L, h, 1, &ei), WEIR_E_USAGE);
        if (trial >= 5) assert_int_equal(weir_native_writer_g1(w, WEIR_KEY_H, h, n, &ei), WEIR_OK);
        if (trial == 5)
            assert_int_equal(weir_native_writer_g1(w, WEIR_KEY_H, h, 1, &ei), WEIR_E_USAGE);
        if (trial == 6)
            assert_int_equal(weir_native_writer_g1(w, WEIR_KEY_B_G2, h, 1, &ei), WEIR_E_USAGE);
        if (trial == 7)
            assert_int_equal(weir_native_writer_g2(w, WEIR_KEY_B_G1, c.mem.g2, 1, &ei),
                             WEIR_E_USAGE);
        weir_err err = weir_native_writer_commit(w, &ei);
        assert_int_equal(err, trial == 8 ? WEIR_E_MISMATCH : WEIR_E_USAGE);
        if (trial == 8) assert_non_null(strstr(ei.text, "section l has 0 points"));
        weir_native_writer_close(w);
        assert_int_equal(native_files(), 0);
    }
    native_case_clear(&c);
}

/* Each request for memory and each write refused in turn: nothing stays, and what was there is whole. */
static void writer_without_room(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    native_case c;
    weir_errinfo ei = {0};
    weir_err err;
    native_case_init(&c, &g, 3);
    for (uint64_t nth = 1;; nth++) {
        weir_alloc_fail_nth(nth, 0);
        err = native_write(&c, 1000, &ei);
        weir_alloc_fail_nth(0, 0);
        if (err == WEIR_OK) break; /* the last one is for the sync of the folder */
        assert_int_equal(err, WEIR_E_NOMEM);
        assert_non_null(strstr(ei.text, native_name()));
        assert_int_equal(native_files(), 0);
    }
    size_t n, m;
    uint8_t *old = native_bytes(native_name(), &n);
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    for (size_t limit = 0; limit < n; limit += 4096) {
        small.rlim_cur = limit;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        err = native_write(&c, 1000, &ei);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(err, WEIR_E_IO);
        assert_int_equal(native_files(), 1);
        uint8_t *now = native_bytes(native_name(), &m);
        assert_int_equal(n, m);
        assert_memory_equal(now, old, n);
        free(now);
    }
    signal(SIGXFSZ, handler);
    native_clean();
    free(old);
    native_case_clear(&c);
}

static void name_taken_by_a_folder(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    native_case c;
    weir_errinfo ei = {0};
    weir_native_writer *w;
    weir_key_sink sink;
    native_case_init(&c, &g, 1);
    assert_int_equal(weir_native_writer_open(&w, native_name(), c.rel, "x", weir_isa_best(), &ei),
                     WEIR_OK);
    weir_native_writer_sink(&sink, w);
    assert_int_equal(native_feed(&sink, &c.mem, 50, &ei), WEIR_OK);
    assert_int_equal(mkdir(native_name(), 0700), 0);
    assert_int_equal(weir_native_writer_commit(w, &ei), WEIR_E_IO);
    weir_native_writer_close(w);
    assert_int_equal(native_files(), 1);
    assert_int_equal(rmdir(native_name()), 0);
    native_case_clear(&c);
}

/* A child writes the file and is killed where it makes its call number `at` of the system. False: it had ended before; *traced
 * false: this system does not let it be watched. */
static bool killed_at_call(const native_case *c, unsigned at, bool *traced)
{
    int status;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(2);
        raise(SIGSTOP);
        _exit(native_write(c, 40, NULL) == WEIR_OK ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    *traced = WIFSTOPPED(status);
    for (unsigned i = 0; WIFSTOPPED(status) && i < at; i++) {
        if (ptrace(PTRACE_SYSCALL, pid, NULL, NULL) != 0) break;
        assert_int_equal(waitpid(pid, &status, 0), pid);
    }
    if (WIFEXITED(status)) {
        if (*traced) assert_int_equal(WEXITSTATUS(status), 0);
        return false;
    }
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return true;
}

static void killed_at_any_moment(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    native_case c;
    weir_errinfo ei = {0};
    bool traced, whole = false;
    unsigned at = 0;
    native_case_init(&c, &g, 2);
    for (; killed_at_call(&c, at, &traced); at++) {
        if (access(native_name(), F_OK) == 0) {
            whole = true;
            if (native_try(c.rel, &ei) != WEIR_OK) fail_msg("killed at call %u: %s", at, ei.text);
        } else {
            assert_false(whole); /* once it is there it stays there */
        }
        if (!whole) native_clean();
    }
    native_clean();
    native_case_clear(&c);
    if (!traced) skip();
    print_message("killed at %u places\n", at);
    assert_true(whole && at > 20);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_points),
        cmocka_unit_test(one_encoding),
        cmocka_unit_test(same_verifying_key),
        cmocka_unit_test(same_proofs),
        cmocka_unit_test(every_header_byte),
        cmocka_unit_test(a_bit_of_each_section),
        cmocka_unit_test(damage_met_by_readers),
        cmocka_unit_test(cut_and_longer),
        cmocka_unit_test(impossible_headers),
        cmocka_unit_test(another_circuit),
        cmocka_unit_test(ranges),
        cmocka_unit_test(writer_misused),
        cmocka_unit_test(writer_without_room),
        cmocka_unit_test(name_taken_by_a_folder),
        cmocka_unit_test(killed_at_any_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
