/* A native key of several blocks an array: read by many threads, damaged in one block, imported in bounded memory. */
#include "base/alloc.h"
#include "circuit/porep_circuit.h"
#include "compute/key_reader.h"
#include "fake_key.h"
#include "formats/key_import.h"
#include "formats/native_layout.h"
#include "formats_common.h"
#include "native_kit.h"

#include <sys/resource.h>
#include <sys/wait.h>

enum { COUNT = 20000 }; /* h has two blocks, l five, the last of them short */

static weir_vk any_vk(weir_g1_affine *ic)
{
    const weir_g1_affine *g1 = weir_g1_generator();
    const weir_g2_affine *g2 = weir_g2_generator();
    *ic = *g1;
    return (weir_vk){.alpha_g1 = *g1,
                     .beta_g1 = *g1,
                     .delta_g1 = *g1,
                     .beta_g2 = *g2,
                     .gamma_g2 = *g2,
                     .delta_g2 = *g2,
                     .ic = ic,
                     .n_ic = 1};
}

static void feed(const weir_key_sink *sink, fake_key *f)
{
    enum { PIECE = 7000 };
    weir_errinfo ei = {0};
    weir_g1_affine ic;
    weir_vk vk = any_vk(&ic);
    weir_g2_affine *p = malloc(PIECE * sizeof *p);
    weir_key_points *k = &f->points;
    weir_isa isa = weir_isa_best();
    if (sink->begin(sink->ctx, &vk, k->count, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    for (weir_key_section s = 0; s < WEIR_KEY_SECTIONS; s++)
        for (uint64_t i = 0; i < k->count[s]; i += PIECE) {
            size_t n = k->count[s] - i < PIECE ? k->count[s] - i : PIECE;
            void *at = p;
            if (s == WEIR_KEY_B_G2) {
                assert_int_equal(k->read_g2(k->ctx, s, i, n, at, isa, &ei), WEIR_OK);
                assert_int_equal(sink->g2(sink->ctx, s, at, n, &ei), WEIR_OK);
            } else {
                assert_int_equal(k->read_g1(k->ctx, s, i, n, at, isa, &ei), WEIR_OK);
                assert_int_equal(sink->g1(sink->ctx, s, at, n, &ei), WEIR_OK);
            }
        }
    free(p);
}

static int set_up(void **state)
{
    static fake_key f;
    tk_rng g = tk_rng_new();
    weir_errinfo ei = {0};
    weir_native_writer *w;
    weir_params_writer *pw;
    weir_key_sink sink;
    fake_key_init(&f, &g, COUNT, false);
    assert_int_equal(weir_native_writer_open(&w, native_name(), f.rel, NULL, weir_isa_best(), &ei),
                     WEIR_OK);
    weir_native_writer_sink(&sink, w);
    feed(&sink, &f);
    if (weir_native_writer_commit(w, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    weir_native_writer_close(w);
    assert_int_equal(weir_params_writer_open(&pw, native_params_name(), weir_isa_best(), &ei),
                     WEIR_OK);
    weir_params_writer_sink(&sink, pw);
    feed(&sink, &f);
    assert_int_equal(weir_params_writer_commit(pw, &ei), WEIR_OK);
    weir_params_writer_close(pw);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fake_key_clear(*state);
    native_clean();
    return 0;
}

static void expect_points(const fake_key *f, weir_key_section s, uint64_t first, size_t n,
                          const void *out)
{
    for (size_t i = 0; i < n; i++) {
        unsigned m = fake_multiple(s, first + i) - 1;
        if (s == WEIR_KEY_B_G2)
            assert_memory_equal((const weir_g2_affine *)out + i, &f->g2[m], sizeof f->g2[m]);
        else
            assert_memory_equal((const weir_g1_affine *)out + i, &f->g1[m], sizeof f->g1[m]);
    }
}

/* As backends do it. */
static void read_by_threads(void **state)
{
    const fake_key *f = *state;
    tk_rng g = tk_rng_new();
    const weir_exec x = {.isa = weir_isa_best(), .pool = tk_pool(4)};
    weir_errinfo ei = {0};
    weir_key_points points;
    weir_key_reader r;
    weir_native_key *k = native_open(f->rel);
    weir_native_key_points(&points, k);
    assert_int_equal(weir_key_reader_init(&r, &points, &x, &ei), WEIR_OK);
    for (weir_key_section s = 0; s < WEIR_KEY_SECTIONS; s++) {
        size_t n = points.count[s];
        weir_g2_affine *out = malloc(n * sizeof *out);
        void *p = out;
        uint64_t first = tk_below(&g, n);
        assert_int_equal(n, f->points.count[s]);
        for (int i = 0; i < 2; i++, first = 0) {
            if (s == WEIR_KEY_B_G2)
                assert_int_equal(weir_key_reader_g2(&r, s, first, n - first, p, &ei), WEIR_OK);
            else
                assert_int_equal(weir_key_reader_g1(&r, s, first, n - first, p, &ei), WEIR_OK);
            expect_points(f, s, first, n - first, p);
        }
        free(out);
    }
    weir_key_reader_clear(&r);
    weir_native_key_close(k);
}

static void read_in_blocks(void **state)
{
    const fake_key *f = *state;
    const weir_exec x = {.isa = weir_isa_best(), .pool = tk_pool(4)};
    weir_errinfo ei = {0};
    weir_key_points points;
    weir_key_reader r;
    weir_native_key *k = native_open(f->rel);
    const weir_native_header *h = weir_native_key_header(k);
    weir_native_key_points(&points, k);
    assert_int_equal(weir_key_reader_init(&r, &points, &x, &ei), WEIR_OK);
    assert_int_equal(weir_native_blocks(h->count[WEIR_KEY_ARRAY_L_BITS]), 3);
    for (weir_key_array a = 0; a < WEIR_KEY_ARRAYS; a++) {
        size_t each = weir_native_point_bytes(a), n = h->count[a];
        uint8_t *whole = malloc(n * each + 1), *part = malloc(WEIR_KEY_BLOCK_POINTS * each);
        assert_int_equal(weir_native_key_read(k, a, 0, n, whole, &ei), WEIR_OK);
        for (size_t i = 0; i < n; i += WEIR_KEY_BLOCK_POINTS) {
            size_t m = n - i < WEIR_KEY_BLOCK_POINTS ? n - i : WEIR_KEY_BLOCK_POINTS;
            assert_int_equal(weir_native_key_read(k, a, i, m, part, &ei), WEIR_OK);
            assert_memory_equal(part, whole + i * each, m * each);
        }
        /* and by many threads, as a device's loader has them */
        uint8_t *side_by_side = malloc(n * each + 1);
        assert_int_equal(weir_key_reader_array(&r, a, 0, n, side_by_side, &ei), WEIR_OK);
        assert_memory_equal(side_by_side, whole, n * each);
        free(side_by_side);
        free(whole);
        free(part);
    }
    weir_key_reader_clear(&r);
    weir_native_key_close(k);
}

static void one_block_is_damaged(void **state)
{
    const fake_key *f = *state;
    const weir_exec x = {.isa = weir_isa_best(), .pool = tk_pool(3)};
    weir_errinfo ei = {0};
    weir_native_layout l;
    weir_g1_affine *out = malloc(2 * WEIR_KEY_BLOCK_POINTS * sizeof *out);
    weir_native_key *k = native_open(f->rel);
    weir_native_layout_of(&l, weir_native_key_header(k));
    weir_native_key_close(k);
    uint64_t block = l.array[WEIR_KEY_ARRAY_H] + WEIR_KEY_BLOCK_POINTS * sizeof *out;
    uint64_t at = block + 1000;
    FILE *file = fopen(native_name(), "r+b");
    assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
    int c = fgetc(file);
    assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
    fputc(c ^ 16, file);
    fflush(file);
    char says[100];
    snprintf(says, sizeof says, "section h, block 1, bytes %" PRIu64 " to %" PRIu64 ": ", block,
             l.array[WEIR_KEY_ARRAY_H] + l.array_bytes[WEIR_KEY_ARRAY_H] - 1);
    k = native_open(f->rel);
    weir_key_points p;
    weir_native_key_points(&p, k);
    enum { BLOCK = WEIR_KEY_BLOCK_POINTS };
    /* the block before is good */
    assert_int_equal(p.read_g1(p.ctx, WEIR_KEY_H, 5, BLOCK - 5, out, x.isa, &ei), WEIR_OK);
    assert_int_equal(p.read_array(p.ctx, WEIR_KEY_ARRAY_H, 0, BLOCK, out, &ei), WEIR_OK);
    assert_int_equal(p.read_g1(p.ctx, WEIR_KEY_H, 5, BLOCK - 4, out, x.isa, &ei), WEIR_E_MISMATCH);
    assert_non_null(strstr(ei.text, says));
    ei.text[0] = 0;
    assert_int_equal(p.read_array(p.ctx, WEIR_KEY_ARRAY_H, 0, 2 * BLOCK - 1, out, &ei),
                     WEIR_E_MISMATCH);
    assert_non_null(strstr(ei.text, says));
    ei.text[0] = 0;
    assert_int_equal(weir_native_key_verify(k, &x, &ei), WEIR_E_MISMATCH);
    assert_non_null(strstr(ei.text, says));
    assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
    fputc(c, file);
    fclose(file);
    assert_int_equal(weir_native_key_verify(k, &x, &ei), WEIR_OK);
    weir_native_key_close(k);
    free(out);
}

static void verifying_is_stopped(void **state)
{
    const fake_key *f = *state;
    volatile int cancel = 1;
    const weir_watch watch = {.cancel = &cancel};
    const weir_exec x = {.isa = weir_isa_best(), .watch = &watch};
    weir_errinfo ei = {0};
    weir_native_key *k = native_open(f->rel);
    assert_int_equal(weir_native_key_verify(k, &x, &ei), WEIR_E_CANCELLED);
    weir_native_key_close(k);
}

/* The arrays of a real circuit: together the points of its .params, the dense ones those that a witness has. */
static void porep_2kib(void **state)
{
    (void)state;
    static const uint64_t points[WEIR_KEY_SECTIONS] = {4194303, 2685673, 2674948, 685522, 685522};
    weir_errinfo ei = {0};
    weir_relation *rel;
    weir_witness *w;
    weir_native_header h;
    assert_int_equal(weir_porep_relation(&rel, weir_porep_shape_by_name("2KiB"), 0, &ei), WEIR_OK);
    assert_int_equal(weir_native_header_of(&h, rel, "porep-2KiB", &ei), WEIR_OK);
    assert_int_equal(weir_witness_new(&w, rel, NULL, &ei), WEIR_OK);
    for (weir_key_section s = 0; s < WEIR_KEY_SECTIONS; s++)
        assert_int_equal(weir_native_points(&h, s), points[s]);
    for (weir_key_section s = WEIR_KEY_L; s <= WEIR_KEY_B_G1; s++) {
        weir_query q = weir_native_query(s);
        uint64_t cap = rel->inputs + rel->dense, n, dense = h.count[weir_native_dense(s)];
        uint64_t *bits = malloc((points[s] + 63) / 64 * sizeof *bits);
        uint32_t *want = malloc(cap * sizeof *want), *have = malloc(dense * sizeof *have);
        weir_scalar *value = malloc(cap * sizeof *value);
        weir_query_gather(w, q, bits, want, value, &n, weir_isa_best());
        weir_query_dense_points(rel, q, have, NULL);
        assert_int_equal(n, dense);
        assert_memory_equal(have, want, n * sizeof *have);
        free(bits);
        free(want);
        free(have);
        free(value);
    }
    weir_witness_free(w);
    weir_relation_free(rel);
}

/* ---- memory of an import */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { MEMORY_IS_OURS = 0 };
#else
enum { MEMORY_IS_OURS = 1 };
#endif

static weir_err take_g1(void *ctx, const weir_g1_affine *p, size_t n, size_t *bad, weir_errinfo *ei)
{
    (void)ctx, (void)p, (void)n, (void)bad, (void)ei;
    return WEIR_OK;
}

static weir_err take_g2(void *ctx, const weir_g2_affine *p, size_t n, size_t *bad, weir_errinfo *ei)
{
    (void)ctx, (void)p, (void)n, (void)bad, (void)ei;
    return WEIR_OK;
}

/* The growth in bytes; UINT64_MAX after an error. */
static uint64_t import_growth(const fake_key *f)
{
    const weir_point_check all = {.g1 = take_g1, .g2 = take_g2};
    const weir_exec x = {.isa = weir_isa_best()};
    weir_params *params;
    uint8_t source[WEIR_SOURCE_DIGEST_BYTES];
    char name[80];
    snprintf(name, sizeof name, "%s-imported", native_name());
    uint64_t before = weir_peak_rss_bytes();
    if (weir_params_open(&params, native_params_name(), NULL) != WEIR_OK) return UINT64_MAX;
    const weir_key_import job = {.params = params, .rel = f->rel, .out_path = name, .check = &all};
    if (weir_key_import_run(source, &job, &x, NULL) != WEIR_OK) return UINT64_MAX;
    return weir_peak_rss_bytes() - before;
}

static void bounded_memory(void **state)
{
    const fake_key *f = *state;
    uint64_t grown = 0;
    int fd[2], status;
    if (!MEMORY_IS_OURS) skip();
    assert_int_equal(pipe(fd), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        grown = import_growth(f);
        _exit(write(fd[1], &grown, sizeof grown) == sizeof grown ? 0 : 1);
    }
    assert_int_equal(read(fd[0], &grown, sizeof grown), sizeof grown);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    print_message("grown by %" PRIu64 " bytes\n", grown);
    assert_true(grown < (36u << 20));
    /* and it is the key that the writer made */
    char name[80];
    size_t n, m;
    snprintf(name, sizeof name, "%s-imported", native_name());
    uint8_t *a = native_bytes(native_name(), &n), *b = native_bytes(name, &m);
    assert_int_equal(n, m);
    assert_memory_equal(a + WEIR_NATIVE_PAGE, b + WEIR_NATIVE_PAGE, n - WEIR_NATIVE_PAGE);
    free(a);
    free(b);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_by_threads),      cmocka_unit_test(read_in_blocks),
        cmocka_unit_test(one_block_is_damaged), cmocka_unit_test(verifying_is_stopped),
        cmocka_unit_test(porep_2kib),           cmocka_unit_test(bounded_memory),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
