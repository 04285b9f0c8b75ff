#include "native_kit.h"

#include "formats/native_layout.h"
#include "formats_common.h"

#include <dirent.h>

static void random_secrets(tk_rng *g, weir_secrets *s)
{
    tk_scalar(g, &s->alpha);
    tk_scalar(g, &s->beta);
    tk_scalar(g, &s->gamma);
    tk_scalar(g, &s->delta);
    tk_scalar(g, &s->tau);
}

void native_case_init(native_case *c, tk_rng *g, unsigned segments)
{
    const rc_options o = {.segments = segments, .percent_a = 60, .percent_b = 40};
    const weir_exec x = {.isa = weir_isa_best()};
    weir_errinfo ei = {0};
    weir_secrets s;
    random_secrets(g, &s);
    do {
        c->circuit = rc_make(g, &o);
        assert_int_equal(weir_relation_build(&c->rel, rc_shape, c->circuit, &ei), WEIR_OK);
        if (c->rel->domain_log2 > 1) break; /* a .params has a point of h at least */
        weir_relation_free(c->rel);
        rc_free(c->circuit);
    } while (true);
    assert_int_equal(weir_witness_new(&c->w, c->rel, NULL, &ei), WEIR_OK);
    rc_fill(c->circuit, c->w);
    tk_mem_key_make(&c->mem, c->rel, &s, &x);
    c->pkey = tk_mem_key_pkey(&c->mem);
}

void native_case_clear(native_case *c)
{
    tk_mem_key_clear(&c->mem);
    weir_witness_free(c->w);
    weir_relation_free(c->rel);
    rc_free(c->circuit);
}

/* ---- files */

const char *native_name(void)
{
    static char name[64];
    if (!name[0]) snprintf(name, sizeof name, "native-test-%ld", (long)getpid());
    return name;
}

const char *native_params_name(void)
{
    return temp_name();
}

static unsigned each_file(bool remove)
{
    unsigned n = 0;
    DIR *d = opendir(".");
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        if (strncmp(e->d_name, native_name(), strlen(native_name())) != 0) continue;
        n++;
        if (remove) unlink(e->d_name);
    }
    closedir(d);
    return n;
}

unsigned native_files(void)
{
    return each_file(false);
}

void native_clean(void)
{
    each_file(true);
    unlink(native_params_name());
}

uint8_t *native_bytes(const char *path, size_t *n)
{
    weir_errinfo ei = {0};
    weir_mapfile file;
    assert_int_equal(weir_mapfile_open(&file, path, &ei), WEIR_OK);
    uint8_t *copy = malloc(file.size_bytes + 1);
    memcpy(copy, file.data, file.size_bytes);
    *n = file.size_bytes;
    weir_mapfile_close(&file);
    return copy;
}

void native_put(const char *path, const uint8_t *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

/* ---- writing */

weir_err native_feed(const weir_key_sink *sink, const tk_mem_key *mem, size_t piece,
                     weir_errinfo *ei)
{
    WEIR_TRY(sink->begin(sink->ctx, &mem->vk, mem->count, ei));
    for (weir_key_section s = 0; s < WEIR_KEY_SECTIONS; s++)
        for (uint64_t i = 0; i < mem->count[s]; i += piece) {
            size_t n = mem->count[s] - i < piece ? mem->count[s] - i : piece;
            WEIR_TRY(s == WEIR_KEY_B_G2 ? sink->g2(sink->ctx, s, mem->g2 + i, n, ei)
                                        : sink->g1(sink->ctx, s, mem->g1[s] + i, n, ei));
        }
    return WEIR_OK;
}

weir_err native_write(const native_case *c, size_t piece, weir_errinfo *ei)
{
    weir_native_writer *w;
    weir_key_sink sink;
    WEIR_TRY(
        weir_native_writer_open(&w, native_name(), c->rel, "test-circuit", weir_isa_best(), ei));
    weir_native_writer_sink(&sink, w);
    weir_err err = native_feed(&sink, &c->mem, piece, ei);
    if (err == WEIR_OK) err = weir_native_writer_commit(w, ei);
    weir_native_writer_close(w);
    return err;
}

void native_write_params(const native_case *c)
{
    size_t n, vk;
    uint8_t *bytes = tk_mem_key_params(&c->mem, &n, &vk);
    native_put(native_params_name(), bytes, n);
    free(bytes);
}

/* ---- reading */

weir_err native_try(const weir_relation *rel, weir_errinfo *ei)
{
    const weir_exec x = {.isa = weir_isa_best()};
    weir_native_key *k;
    weir_err err = weir_native_key_open(&k, native_name(), ei);
    assert_true((err == WEIR_OK) == (k != NULL));
    if (err == WEIR_OK && rel) err = weir_native_key_fit(k, rel, ei);
    if (err == WEIR_OK) err = weir_native_key_verify(k, &x, ei);
    weir_native_key_close(k);
    return err;
}

void native_refuse(const weir_relation *rel, weir_err want, const char *says)
{
    weir_errinfo ei = {0};
    weir_err err = native_try(rel, &ei);
    if (err != want || !strstr(ei.text, says))
        fail_msg("%s \"%s\", wanted %s \"%s\"", weir_err_name(err), ei.text, weir_err_name(want),
                 says);
    assert_int_equal(strncmp(ei.text, native_name(), strlen(native_name())), 0);
}

weir_native_key *native_open(const weir_relation *rel)
{
    weir_errinfo ei = {0};
    weir_native_key *k;
    if (weir_native_key_open(&k, native_name(), &ei) != WEIR_OK ||
        weir_native_key_fit(k, rel, &ei) != WEIR_OK)
        fail_msg("%s", ei.text);
    return k;
}

/* ---- the same points */

static const uint8_t *mem_point(const tk_mem_key *mem, weir_key_section s, uint64_t i)
{
    return s == WEIR_KEY_B_G2 ? (const uint8_t *)(mem->g2 + i) : (const uint8_t *)(mem->g1[s] + i);
}

static void compare_range(const weir_key_points *have, const tk_mem_key *mem, weir_key_section s,
                          uint64_t first, size_t n)
{
    size_t each = s == WEIR_KEY_B_G2 ? sizeof(weir_g2_affine) : sizeof(weir_g1_affine);
    weir_errinfo ei = {0};
    void *out = malloc(n * each + 1);
    weir_err err = s == WEIR_KEY_B_G2
                       ? have->read_g2(have->ctx, s, first, n, out, weir_isa_best(), &ei)
                       : have->read_g1(have->ctx, s, first, n, out, weir_isa_best(), &ei);
    if (err != WEIR_OK) fail_msg("%s", ei.text);
    assert_memory_equal(out, mem_point(mem, s, first), n * each);
    free(out);
}

/* Point i of the section, taken out of its array. */
static void compare_point(const weir_native_header *h, uint8_t *const array[WEIR_KEY_ARRAYS],
                          const tk_mem_key *mem, weir_key_section s, uint64_t i, bool dense,
                          uint64_t at)
{
    weir_key_array a = dense ? weir_native_dense(s) : weir_native_bits(s);
    size_t each = weir_native_point_bytes(a);
    assert_true(at < h->count[a]);
    assert_memory_equal(array[a] + at * each, mem_point(mem, s, i), each);
}

static void compare_arrays(const weir_key_points *have, const weir_relation *rel,
                           const tk_mem_key *mem)
{
    weir_errinfo ei = {0};
    weir_native_header h;
    uint8_t *array[WEIR_KEY_ARRAYS];
    assert_int_equal(weir_native_header_of(&h, rel, NULL, &ei), WEIR_OK);
    for (weir_key_array a = 0; a < WEIR_KEY_ARRAYS; a++) {
        array[a] = malloc(h.count[a] * weir_native_point_bytes(a) + 1);
        if (have->read_array(have->ctx, a, 0, h.count[a], array[a], &ei) != WEIR_OK)
            fail_msg("%s", ei.text);
    }
    for (weir_key_section s = 0; s < WEIR_KEY_SECTIONS; s++) {
        uint64_t dense = h.count[weir_native_dense(s)], d = 0;
        uint32_t *list = malloc((dense + 1) * sizeof *list);
        if (s != WEIR_KEY_H) weir_query_dense_points(rel, weir_native_query(s), list, NULL);
        for (uint64_t i = 0; i < mem->count[s]; i++) {
            bool is_dense = s == WEIR_KEY_H || (d < dense && list[d] == i);
            compare_point(&h, array, mem, s, i, is_dense, is_dense ? d : i - d);
            d += is_dense;
        }
        assert_int_equal(d, dense);
        free(list);
    }
    for (int a = 0; a < WEIR_KEY_ARRAYS; a++) free(array[a]);
}

void native_compare(const weir_key_points *have, const weir_relation *rel, const tk_mem_key *mem,
                    tk_rng *g)
{
    for (weir_key_section s = 0; s < WEIR_KEY_SECTIONS; s++) {
        uint64_t count = mem->count[s];
        assert_int_equal(have->count[s], count);
        compare_range(have, mem, s, 0, count);
        compare_range(have, mem, s, count, 0);
        for (int i = 0; i < 30; i++) {
            uint64_t first = tk_below(g, count + 1);
            compare_range(have, mem, s, first, tk_below(g, count - first + 1));
        }
        for (uint64_t i = 0; i < count && i < 300; i++) compare_range(have, mem, s, i, 1);
    }
    compare_arrays(have, rel, mem);
}
