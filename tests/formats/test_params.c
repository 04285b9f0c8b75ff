/* Key files: the small reference keys read, written again byte for byte, cut, and damaged. */
#include "base/alloc.h"
#include "base/bytes.h"
#include "formats/params.h"
#include "formats_common.h"

enum { CHECK_ALL = WEIR_CHECK_CURVE | WEIR_CHECK_SUBGROUP | WEIR_CHECK_NOT_INFINITY };

static weir_params *open_bytes(const uint8_t *data, size_t n)
{
    weir_errinfo ei = {0};
    weir_params *p;
    if (weir_params_open_memory(&p, data, n, "memory", &ei) != WEIR_OK) fail_msg("%s", ei.text);
    return p;
}

static void refuse_bytes(const uint8_t *data, size_t n, weir_err want, const char *says)
{
    weir_errinfo ei = {0};
    weir_params *p = (weir_params *)&ei;
    weir_err err = weir_params_open_memory(&p, data, n, "memory", &ei);
    if (err != want || !strstr(ei.text, says))
        fail_msg("%s \"%s\", wanted \"%s\"", weir_err_name(err), ei.text, says);
    assert_null(p);
    assert_non_null(strstr(ei.text, "memory: "));
}

static void sections_of_the_small_key(void **state)
{
    (void)state;
    size_t n, m;
    uint8_t *data = tk_vector("groth16-small/mini.params", &n),
            *vk = tk_vector("groth16-small/mini.vk", &m);
    json_t *mini = tk_json("groth16-small/mini.json"), *lists = tk_get(mini, "params");
    weir_params *p = open_bytes(data, n);
    assert_int_equal(p->vk_bytes, m);
    assert_memory_equal(data, vk, m);
    assert_int_equal(p->n_ic, json_array_size(tk_get(mini, "inputs_with_one")));
    static const char *const names[WEIR_KEY_SECTIONS] = {"h", "l", "a", "b_g1", "b_g2"};
    uint64_t end = m;
    for (int s = 0; s < WEIR_KEY_SECTIONS; s++) {
        json_t *list = tk_get(lists, names[s]);
        size_t point = s == WEIR_KEY_B_G2 ? 192 : 96;
        assert_int_equal(p->section[s].count, json_array_size(list));
        assert_int_equal(p->section[s].offset, end + 4);
        for (size_t i = 0; i < p->section[s].count; i++) {
            uint8_t want[192];
            tk_hex_bytes(json_string_value(json_array_get(list, i)), want, point);
            assert_memory_equal(data + p->section[s].offset + i * point, want, point);
        }
        end += 4 + point * p->section[s].count;
    }
    assert_int_equal(end, n);
    weir_params_close(p);
    json_decref(mini);
    free(data);
    free(vk);
}

/* Every point decoded with all checks and written again, in pieces of `piece` points. */
static uint8_t *rewritten(const weir_params *p, weir_isa isa, size_t piece, size_t *n)
{
    weir_errinfo ei = {0};
    weir_vk *vk;
    weir_params_writer *w;
    weir_key_points points;
    weir_key_sink sink;
    if (weir_params_read_vk(&vk, p, isa, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    weir_params_points(&points, p);
    assert_int_equal(weir_params_writer_open(&w, temp_name(), isa, &ei), WEIR_OK);
    weir_params_writer_sink(&sink, w);
    assert_int_equal(sink.begin(sink.ctx, vk, points.count, &ei), WEIR_OK);
    for (weir_key_section s = 0; s < WEIR_KEY_SECTIONS; s++) {
        for (uint64_t i = 0; i < points.count[s]; i += piece) {
            size_t k = points.count[s] - i < piece ? points.count[s] - i : piece;
            weir_g1_affine *g1 = malloc(k * sizeof *g1);
            weir_g2_affine *g2 = malloc(k * sizeof *g2);
            if (s == WEIR_KEY_B_G2) {
                if (weir_params_decode_g2(g2, p, s, i, k, CHECK_ALL, isa, &ei) != WEIR_OK)
                    fail_msg("%s", ei.text);
                assert_int_equal(points.read_g2(points.ctx, s, i, k, g2, isa, &ei), WEIR_OK);
                assert_int_equal(sink.g2(sink.ctx, s, g2, k, &ei), WEIR_OK);
            } else {
                if (weir_params_decode_g1(g1, p, s, i, k, CHECK_ALL, isa, &ei) != WEIR_OK)
                    fail_msg("%s", ei.text);
                assert_int_equal(points.read_g1(points.ctx, s, i, k, g1, isa, &ei), WEIR_OK);
                assert_int_equal(sink.g1(sink.ctx, s, g1, k, &ei), WEIR_OK);
            }
            free(g1);
            free(g2);
        }
    }
    if (weir_params_writer_commit(w, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    weir_params_writer_close(w);
    weir_vk_free(vk);
    return read_and_remove(temp_name(), n);
}

static void written_again(void **state)
{
    (void)state;
    size_t n, m;
    uint8_t *data = tk_vector("groth16-small/mini.params", &n);
    weir_params *p = open_bytes(data, n);
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        static const size_t pieces[] = {1, 4, 1000};
        for (int i = 0; i < 3; i++) {
            uint8_t *again = rewritten(p, isa, pieces[i], &m);
            assert_int_equal(m, n);
            assert_memory_equal(again, data, n);
            free(again);
        }
    }
    weir_params_close(p);
    free(data);
}

static void verifying_keys(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        uint32_t n_ic;
    } keys[] = {{"groth16-small/mini.vk", 3},
                {"groth16-small/sha-block.vk", 3},
                {"porep-2k-5/params.vk", 40}};
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        for (int i = 0; i < 3; i++) {
            size_t n, m;
            weir_errinfo ei = {0};
            uint8_t *data = tk_vector(keys[i].path, &n);
            weir_vk *vk;
            if (weir_vk_read(&vk, data, n, isa, &ei) != WEIR_OK) fail_msg("%s", ei.text);
            assert_int_equal(vk->n_ic, keys[i].n_ic);
            assert_int_equal(weir_vk_bytes(vk->n_ic), n);
            assert_int_equal(weir_vk_write(temp_name(), vk, isa, &ei), WEIR_OK);
            weir_vk *from_file;
            assert_int_equal(weir_vk_open(&from_file, temp_name(), isa, &ei), WEIR_OK);
            assert_memory_equal(from_file->ic, vk->ic, vk->n_ic * sizeof *vk->ic);
            weir_vk_free(from_file);
            uint8_t *again = read_and_remove(temp_name(), &m);
            assert_int_equal(m, n);
            assert_memory_equal(again, data, n);
            free(again);
            weir_vk_free(vk);
            free(data);
        }
    }
    weir_vk *vk;
    weir_errinfo ei = {0};
    assert_int_equal(weir_vk_open(&vk, "no/such/file.vk", WEIR_ISA_PORTABLE, &ei), WEIR_E_IO);
    assert_null(vk);
}

static void cut_at_every_byte(void **state)
{
    (void)state;
    size_t n;
    uint8_t *data = tk_vector("groth16-small/mini.params", &n);
    for (size_t cut = 0; cut < n; cut++) {
        uint8_t *exact = malloc(cut ? cut : 1);
        memcpy(exact, data, cut);
        refuse_bytes(exact, cut, WEIR_E_TRUNCATED, "byte ");
        free(exact);
    }
    uint8_t *more = calloc(n + 1, 1);
    memcpy(more, data, n);
    refuse_bytes(more, n + 1, WEIR_E_FORMAT, "1 bytes follow the end of section b_g2");
    free(more);
    free(data);
}

static void vk_cut_at_every_byte(void **state)
{
    (void)state;
    size_t n;
    uint8_t *data = tk_vector("groth16-small/mini.vk", &n);
    weir_vk *vk;
    weir_errinfo ei = {0};
    for (size_t cut = 0; cut < n; cut += cut % 96 < 3 || cut % 96 > 93 ? 1 : 5) {
        assert_int_equal(weir_vk_read(&vk, data, cut, weir_isa_best(), &ei), WEIR_E_TRUNCATED);
        assert_null(vk);
    }
    uint8_t *more = calloc(n + 1, 1);
    memcpy(more, data, n);
    assert_int_equal(weir_vk_read(&vk, more, n + 1, weir_isa_best(), &ei), WEIR_E_FORMAT);
    assert_non_null(strstr(ei.text, "1 bytes follow the end of the verifying key"));
    free(more);
    free(data);
}

static void wrong_counts(void **state)
{
    (void)state;
    size_t n;
    uint8_t *data = tk_vector("groth16-small/mini.params", &n);
    weir_params *p = open_bytes(data, n);
    uint64_t at[6] = {WEIR_VK_FIXED_BYTES};
    for (int s = 0; s < WEIR_KEY_SECTIONS; s++) at[s + 1] = p->section[s].offset - 4;
    for (int i = 0; i < 6; i++) {
        uint32_t right = weir_load_be32(data + at[i]);
        const uint32_t wrong[] = {
            right + 1,       right - 1,        0,        UINT32_MAX,
            UINT32_MAX / 96, UINT32_MAX / 192, 1u << 31, __builtin_bswap32(right)};
        for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
            weir_errinfo ei = {0};
            weir_params *bad;
            weir_store_be32(data + at[i], wrong[k]);
            if (weir_params_open_memory(&bad, data, n, "x", &ei) == WEIR_OK)
                fail_msg("count %d as %u", i, wrong[k]);
            assert_null(bad);
        }
        weir_store_be32(data + at[i], right);
    }
    weir_store_be32(data + at[1], UINT32_MAX);
    refuse_bytes(data, n, WEIR_E_TRUNCATED, "4294967295 items of h, 96 bytes each, cannot fit");
    weir_params_close(p);
    free(data);
}

/* Files whose sizes add up but whose counts cannot belong to a key. */
static void impossible_counts(void **state)
{
    (void)state;
    static const struct {
        uint32_t ic, count[5];
        weir_err err;
        const char *says;
    } cases[] = {
        {1, {1, 0, 0, 0, 0}, WEIR_OK, ""},
        {1, {7, 3, 4, 4, 4}, WEIR_OK, ""},
        {0, {1, 0, 0, 0, 0}, WEIR_E_FORMAT, "without ic"},
        {1, {0, 0, 0, 0, 0}, WEIR_E_MISMATCH, "section h has 0 points"},
        {1, {6, 3, 4, 4, 4}, WEIR_E_MISMATCH, "one less than a power of two"},
        {1, {8, 3, 4, 4, 4}, WEIR_E_MISMATCH, "one less than a power of two"},
        {1,
         {7, 3, 5, 4, 4},
         WEIR_E_MISMATCH,
         "section a has 5 points, but ic and l together have 4"},
        {1, {7, 3, 4, 5, 5}, WEIR_E_MISMATCH, "section b_g1 has 5 points"},
        {1, {7, 3, 4, 4, 3}, WEIR_E_MISMATCH, "b_g2 has 3 points, but b_g1 has 4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t *data = calloc(1, 8192);
        size_t n = WEIR_VK_FIXED_BYTES;
        weir_store_be32(data + n, cases[i].ic);
        n += 4 + 96 * cases[i].ic;
        for (int s = 0; s < 5; s++) {
            weir_store_be32(data + n, cases[i].count[s]);
            n += 4 + (s == 4 ? 192 : 96) * cases[i].count[s];
        }
        assert_true(n < 8192);
        if (cases[i].err == WEIR_OK)
            weir_params_close(open_bytes(data, n));
        else
            refuse_bytes(data, n, cases[i].err, cases[i].says);
        free(data);
    }
}

/* A point on the curve but outside the subgroup, uncompressed. */
static void point_outside_subgroup(uint8_t out[96])
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    uint8_t compressed[48] = {0x80};
    for (uint8_t x = 1; x; x++) {
        weir_g1_affine p;
        compressed[47] = x;
        if (ops->g1_decompress(&p, compressed, 0) != WEIR_OK || ops->g1_in_subgroup(&p)) continue;
        ops->g1s_encode(out, &p, 1);
        return;
    }
    fail_msg("no such point");
}

typedef struct damage {
    const char *name;
    weir_err err;
    uint8_t bytes[96]; /* replaces a G1 point */
} damage;

static void make_damages(damage d[5], const uint8_t good[96])
{
    static const uint8_t p_be[48] = {0x1a, 0x01, 0x11, 0xea, 0x39, 0x7f, 0xe6, 0x9a, 0x4b, 0x1b,
                                     0xa7, 0xb6, 0x43, 0x4b, 0xac, 0xd7, 0x64, 0x77, 0x4b, 0x84,
                                     0xf3, 0x85, 0x12, 0xbf, 0x67, 0x30, 0xd2, 0xa0, 0xf6, 0xb0,
                                     0xf6, 0x24, 0x1e, 0xab, 0xff, 0xfe, 0xb1, 0x53, 0xff, 0xff,
                                     0xb9, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xaa, 0xab};
    for (int i = 0; i < 5; i++) memcpy(d[i].bytes, good, 96);
    d[0] = (damage){.name = "not on the curve", .err = WEIR_E_NOT_ON_CURVE};
    memcpy(d[0].bytes, good, 96);
    d[0].bytes[95] ^= 1;
    d[1] = (damage){.name = "coordinate p", .err = WEIR_E_ENCODING};
    memcpy(d[1].bytes, p_be, 48);
    d[2] = (damage){.name = "compressed flag", .err = WEIR_E_ENCODING};
    memcpy(d[2].bytes, good, 96);
    d[2].bytes[0] |= 0x80;
    d[3] = (damage){.name = "infinity", .err = WEIR_E_INFINITY, .bytes = {0x40}};
    d[4] = (damage){.name = "subgroup", .err = WEIR_E_NOT_IN_SUBGROUP};
    point_outside_subgroup(d[4].bytes);
}

static void damaged_points(void **state)
{
    (void)state;
    size_t n;
    uint8_t *data = tk_vector("groth16-small/mini.params", &n);
    weir_params *p = open_bytes(data, n);
    uint64_t l = p->section[WEIR_KEY_L].offset + 96 * 5;
    damage d[5];
    make_damages(d, data + l);
    uint8_t saved[96];
    memcpy(saved, data + l, 96);
    char place[80];
    snprintf(place, sizeof place, "memory: byte %" PRIu64 ", section l, point 5: ", l);
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        for (int i = 0; i < 5; i++) {
            weir_errinfo ei = {0};
            weir_g1_affine out[16];
            weir_key_points points;
            weir_params_points(&points, p);
            memcpy(data + l, d[i].bytes, 96);
            assert_int_equal(weir_params_decode_g1(out, p, WEIR_KEY_L, 2, 6, CHECK_ALL, isa, &ei),
                             d[i].err);
            if (strncmp(ei.text, place, strlen(place)) != 0) fail_msg("%s: %s", d[i].name, ei.text);
            /* The subgroup is not checked on use. */
            weir_err on_use = i == 4 ? WEIR_OK : d[i].err;
            assert_int_equal(points.read_g1(points.ctx, WEIR_KEY_L, 2, 6, out, isa, &ei), on_use);
            memcpy(data + l, saved, 96);
            assert_int_equal(weir_params_decode_g1(out, p, WEIR_KEY_L, 2, 6, CHECK_ALL, isa, &ei),
                             WEIR_OK);
        }
        weir_errinfo ei = {0};
        weir_g2_affine g2[2];
        uint64_t b = p->section[WEIR_KEY_B_G2].offset + 192;
        data[b + 191] ^= 1;
        assert_int_equal(weir_params_decode_g2(g2, p, WEIR_KEY_B_G2, 0, 2, CHECK_ALL, isa, &ei),
                         WEIR_E_NOT_ON_CURVE);
        assert_non_null(strstr(ei.text, "section b_g2, point 1: "));
        data[b + 191] ^= 1;
    }
    weir_params_close(p);
    free(data);
}

static void damaged_verifying_key(void **state)
{
    (void)state;
    size_t n;
    uint8_t *data = tk_vector("groth16-small/mini.vk", &n);
    static const struct {
        size_t at;
        const char *name;
    } points[] = {{0, "byte 0: alpha_g1: "},
                  {96, "byte 96: beta_g1: "},
                  {576, "byte 576: delta_g1: "},
                  {868 + 96, "byte 964: ic[1]: "}};
    for (int k = 0; k < 4; k++) {
        damage d[5];
        uint8_t saved[96];
        memcpy(saved, data + points[k].at, 96);
        make_damages(d, saved);
        for (int i = 0; i < 5; i++) {
            weir_errinfo ei = {0};
            weir_vk *vk;
            memcpy(data + points[k].at, d[i].bytes, 96);
            weir_err err = weir_vk_read(&vk, data, n, weir_isa_best(), &ei);
            if (err != d[i].err || !strstr(ei.text, points[k].name))
                fail_msg("%s: %s", d[i].name, ei.text);
            assert_null(vk);
        }
        memcpy(data + points[k].at, saved, 96);
    }
    static const size_t g2[] = {192, 384, 672};
    static const char *const names[] = {"beta_g2", "gamma_g2", "delta_g2"};
    for (int k = 0; k < 3; k++) {
        weir_errinfo ei = {0};
        weir_vk *vk;
        data[g2[k] + 100] ^= 1;
        assert_int_equal(weir_vk_read(&vk, data, n, weir_isa_best(), &ei), WEIR_E_NOT_ON_CURVE);
        assert_non_null(strstr(ei.text, names[k]));
        data[g2[k] + 100] ^= 1;
    }
    static const uint32_t counts[] = {0, 2, 4, UINT32_MAX, 1u << 31};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        weir_vk *vk;
        weir_store_be32(data + WEIR_VK_FIXED_BYTES, counts[i]);
        assert_int_equal(weir_vk_read(&vk, data, n, weir_isa_best(), NULL),
                         counts[i] < 3 ? WEIR_E_FORMAT : WEIR_E_TRUNCATED);
    }
    free(data);
}

static void ranges_of_sections(void **state)
{
    (void)state;
    size_t n;
    uint8_t *data = tk_vector("groth16-small/mini.params", &n);
    weir_params *p = open_bytes(data, n);
    weir_errinfo ei = {0};
    weir_g1_affine g1;
    weir_g2_affine g2;
    uint64_t count = p->section[WEIR_KEY_A].count;
    weir_isa isa = weir_isa_best();
    assert_int_equal(weir_params_decode_g1(&g1, p, WEIR_KEY_A, count - 1, 1, CHECK_ALL, isa, &ei),
                     WEIR_OK);
    assert_int_equal(weir_params_decode_g1(&g1, p, WEIR_KEY_A, count, 0, CHECK_ALL, isa, &ei),
                     WEIR_OK);
    assert_int_equal(weir_params_decode_g1(&g1, p, WEIR_KEY_A, count, 1, CHECK_ALL, isa, &ei),
                     WEIR_E_RANGE);
    assert_int_equal(weir_params_decode_g1(&g1, p, WEIR_KEY_A, UINT64_MAX, 1, CHECK_ALL, isa, &ei),
                     WEIR_E_RANGE);
    assert_int_equal(weir_params_decode_g1(&g1, p, WEIR_KEY_A, 1, SIZE_MAX, CHECK_ALL, isa, &ei),
                     WEIR_E_RANGE);
    assert_int_equal(weir_params_decode_g1(&g1, p, WEIR_KEY_B_G2, 0, 1, CHECK_ALL, isa, &ei),
                     WEIR_E_USAGE);
    assert_int_equal(weir_params_decode_g2(&g2, p, WEIR_KEY_B_G1, 0, 1, CHECK_ALL, isa, &ei),
                     WEIR_E_USAGE);
    weir_params_close(p);
    free(data);
}

static void mapped_file(void **state)
{
    (void)state;
    size_t n;
    weir_errinfo ei = {0};
    weir_params *p;
    uint8_t *data = tk_vector("groth16-small/mini.params", &n);
    assert_int_equal(weir_file_write(temp_name(), data, n, &ei), WEIR_OK);
    assert_int_equal(weir_params_open(&p, temp_name(), &ei), WEIR_OK);
    assert_int_equal(p->size_bytes, n);
    weir_params_close(p);
    assert_int_equal(weir_file_write(temp_name(), data, n - 1, &ei), WEIR_OK);
    assert_int_equal(weir_params_open(&p, temp_name(), &ei), WEIR_E_TRUNCATED);
    assert_non_null(strstr(ei.text, temp_name()));
    assert_int_equal(weir_file_write(temp_name(), data, 0, &ei), WEIR_OK);
    assert_int_equal(weir_params_open(&p, temp_name(), &ei), WEIR_E_TRUNCATED);
    unlink(temp_name());
    assert_int_equal(weir_params_open(&p, temp_name(), &ei), WEIR_E_IO);
    assert_null(p);
    for (uint64_t nth = 1; nth <= 2; nth++) {
        weir_alloc_fail_nth(nth, 0);
        assert_int_equal(weir_params_open_memory(&p, data, n, "x", &ei), WEIR_E_NOMEM);
        weir_alloc_fail_nth(0, 0);
    }
    free(data);
}

/* What a key maker must not do: the file must not appear. */
static void incomplete_or_out_of_order(void **state)
{
    (void)state;
    size_t n;
    uint8_t *data = tk_vector("groth16-small/mini.vk", &n);
    weir_vk *vk;
    weir_isa isa = weir_isa_best();
    weir_g1_affine g1[3] = {*weir_g1_generator(), *weir_g1_generator(), *weir_g1_generator()};
    weir_g2_affine g2 = *weir_g2_generator();
    assert_int_equal(weir_vk_read(&vk, data, n, isa, NULL), WEIR_OK);
    static const uint64_t counts[WEIR_KEY_SECTIONS] = {3, 0, 2, 1, 1};
    for (int trial = 0; trial < 10; trial++) {
        weir_errinfo ei = {0};
        weir_params_writer *w;
        assert_int_equal(weir_params_writer_open(&w, temp_name(), isa, &ei), WEIR_OK);
        if (trial == 0)
            assert_int_equal(weir_params_writer_g1(w, WEIR_KEY_H, g1, 1, &ei), WEIR_E_USAGE);
        if (trial == 1) {
            const uint64_t huge[WEIR_KEY_SECTIONS] = {UINT64_C(1) << 32, 0, 0, 0, 0};
            assert_int_equal(weir_params_writer_begin(w, vk, huge, &ei), WEIR_E_RANGE);
        } else if (trial) {
            assert_int_equal(weir_params_writer_begin(w, vk, counts, &ei), WEIR_OK);
        }
        if (trial == 2)
            assert_int_equal(weir_params_writer_begin(w, vk, counts, &ei), WEIR_E_USAGE);
        if (trial == 3)
            assert_int_equal(weir_params_writer_g1(w, WEIR_KEY_A, g1, 1, &ei), WEIR_E_USAGE);
        if (trial >= 4) assert_int_equal(weir_params_writer_g1(w, WEIR_KEY_H, g1, 3, &ei), WEIR_OK);
        if (trial == 4)
            assert_int_equal(weir_params_writer_g1(w, WEIR_KEY_H, g1, 1, &ei), WEIR_E_USAGE);
        if (trial == 5)
            assert_int_equal(weir_params_writer_g1(w, WEIR_KEY_L, g1, 1, &ei), WEIR_E_USAGE);
        if (trial >= 6) assert_int_equal(weir_params_writer_g1(w, WEIR_KEY_A, g1, 2, &ei), WEIR_OK);
        if (trial == 6)
            assert_int_equal(weir_params_writer_g1(w, WEIR_KEY_H, g1, 1, &ei), WEIR_E_USAGE);
        if (trial == 7)
            assert_int_equal(weir_params_writer_g1(w, WEIR_KEY_B_G2, g1, 1, &ei), WEIR_E_USAGE);
        if (trial == 8)
            assert_int_equal(weir_params_writer_g2(w, WEIR_KEY_B_G1, &g2, 1, &ei), WEIR_E_USAGE);
        if (trial == 9)
            assert_int_equal(weir_params_writer_g1(w, WEIR_KEY_B_G1, g1, 1, &ei), WEIR_OK);
        weir_err err = weir_params_writer_commit(w, &ei);
        assert_int_equal(err, trial == 9 ? WEIR_E_MISMATCH : WEIR_E_USAGE);
        if (trial == 9) assert_non_null(strstr(ei.text, "section b_g2 has 0 points of 1"));
        weir_params_writer_close(w);
        assert_int_not_equal(access(temp_name(), F_OK), 0);
    }
    weir_vk_free(vk);
    free(data);
}

/* Sections of no points have their counts in the file, at the end too. */
static void empty_sections(void **state)
{
    (void)state;
    size_t n;
    weir_errinfo ei = {0};
    uint8_t *data = tk_vector("groth16-small/mini.vk", &n);
    weir_vk *vk;
    weir_isa isa = weir_isa_best();
    assert_int_equal(weir_vk_read(&vk, data, n, isa, NULL), WEIR_OK);
    static const uint64_t counts[WEIR_KEY_SECTIONS] = {1, 0, 0, 0, 0};
    weir_params_writer *w;
    assert_int_equal(weir_params_writer_open(&w, temp_name(), isa, &ei), WEIR_OK);
    assert_int_equal(weir_params_writer_begin(w, vk, counts, &ei), WEIR_OK);
    assert_int_equal(weir_params_writer_g1(w, WEIR_KEY_H, weir_g1_generator(), 1, &ei), WEIR_OK);
    assert_int_equal(weir_params_writer_commit(w, &ei), WEIR_OK);
    weir_params_writer_close(w);
    size_t m;
    uint8_t *again = read_and_remove(temp_name(), &m);
    assert_int_equal(m, n + 5 * 4 + 96);
    weir_params_close(open_bytes(again, m));
    weir_vk_free(vk);
    free(again);
    free(data);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_of_the_small_key),
        cmocka_unit_test(written_again),
        cmocka_unit_test(verifying_keys),
        cmocka_unit_test(cut_at_every_byte),
        cmocka_unit_test(vk_cut_at_every_byte),
        cmocka_unit_test(wrong_counts),
        cmocka_unit_test(impossible_counts),
        cmocka_unit_test(damaged_points),
        cmocka_unit_test(damaged_verifying_key),
        cmocka_unit_test(ranges_of_sections),
        cmocka_unit_test(mapped_file),
        cmocka_unit_test(incomplete_or_out_of_order),
        cmocka_unit_test(empty_sections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
