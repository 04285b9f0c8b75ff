/* Rows of a relation as the kernel of src/gpu evaluates them, on the host, against src/relation: random relations of all
 * segments, in natural order and in that of a domain, and the circuit of a 2 KiB PoRep. */
#include "gpu_kit.h"
#include "ntt_twin.h"
#include "relation_twin.h"

#include <stdlib.h>

/* A relation on the host's device, and what its rows are. */
typedef struct packed {
    twin_relation r;
    drel_args a;
    weir_fr *want[2];
} packed;

#define MUST(x)                                                                                    \
    do {                                                                                           \
        weir_errinfo ei = {0};                                                                     \
        if ((x) != WEIR_OK) fail_msg("%s", ei.text);                                               \
    } while (0)

static void *aligned(uint64_t bytes)
{
    void *p = aligned_alloc(16, bytes + 16);
    assert_non_null(p);
    return p;
}

static void evaluate(packed *p)
{
    const weir_relation *rel = p->r.rel;
    assert_true(weir_gpu_relation_fits(rel));
    weir_gpu_relation_at(&p->a, rel, p->r.relation, p->r.witness);
    for (unsigned m = WEIR_A; m <= WEIR_B; m++) {
        p->want[m] = calloc(rel->rows, sizeof *p->want[m]);
        assert_non_null(p->want[m]);
        weir_relation_eval(p->r.w, m, 0, rel->rows, p->want[m], weir_isa_best());
    }
}

static void packed_free(packed *p)
{
    free(p->want[0]);
    free(p->want[1]);
    twin_relation_free(&p->r);
}

/* A row past the end is zero. */
static void check_value(const packed *p, unsigned m, uint64_t row, const weir_dfr *got)
{
    const weir_fr zero = {{0}};
    kit_same(got, row < p->r.rel->rows ? &p->want[m][row] : &zero);
}

static void check_rows(tk_rng *g, packed *p, uint64_t lo, uint64_t hi)
{
    weir_dfr *out = aligned(2 * (hi - lo + 1) * sizeof *out);
    weir_dfr *b = out + (hi - lo) + 1;
    memset(out, 0xff, 2 * (hi - lo + 1) * sizeof *out);
    uint32_t blocks = weir_gpu_relation_rows(&p->a, (uint32_t)lo, (uint32_t)hi, out, b);
    assert_true(twin_relation_run(&p->a, blocks, tk_u64(g)));
    for (uint64_t i = lo; i < hi; i++) {
        check_value(p, 0, i, &out[i - lo]);
        check_value(p, 1, i, &b[i - lo]);
    }
    assert_int_equal(out[hi - lo].l[0] & b[hi - lo].l[7], 0xffffffffu);
    free(out);
}

static void check_domain(tk_rng *g, packed *p, unsigned log2_n, uint32_t parts)
{
    uint64_t n = (uint64_t)1 << log2_n;
    weir_dfr *a = aligned(n * sizeof *a), *b = aligned(n * sizeof *b);
    memset(a, 0xff, n * sizeof *a);
    memset(b, 0xff, n * sizeof *b);
    for (uint32_t i = 0; i < parts; i++) {
        uint32_t blocks = weir_gpu_relation_domain(&p->a, log2_n, i, parts, a, b);
        assert_true(twin_relation_run(&p->a, blocks, tk_below(g, 3)));
    }
    for (uint64_t i = 0; i < n; i++) {
        check_value(p, 0, i, &a[twin_reversed(i, log2_n)]);
        check_value(p, 1, i, &b[twin_reversed(i, log2_n)]);
    }
    free(b);
    free(a);
}

/* The pieces of the bit-reversed order one after another. */
static void check_pieces(tk_rng *g, packed *p, unsigned log2_n, unsigned pieces_log2)
{
    uint64_t n = (uint64_t)1 << log2_n, each = n >> pieces_log2;
    weir_dfr *a = aligned(n * sizeof *a), *b = aligned(n * sizeof *b);
    memset(a, 0xff, n * sizeof *a);
    memset(b, 0xff, n * sizeof *b);
    for (uint32_t i = 0; i < 1u << pieces_log2; i++) {
        uint32_t blocks =
            weir_gpu_relation_piece(&p->a, log2_n, pieces_log2, i, a + i * each, b + i * each);
        assert_true(twin_relation_run(&p->a, blocks, tk_below(g, 3)));
    }
    for (uint64_t i = 0; i < n; i++) {
        check_value(p, 0, i, &a[twin_reversed(i, log2_n)]);
        check_value(p, 1, i, &b[twin_reversed(i, log2_n)]);
    }
    free(b);
    free(a);
}

static void check_shape(tk_rng *g, const twin_shape *shape)
{
    packed p;
    MUST(twin_relation_random(&p.r, shape, &ei));
    evaluate(&p);
    uint64_t rows = p.r.rel->rows;
    check_rows(g, &p, 0, rows);
    for (unsigned i = 0; i < 10; i++) {
        uint64_t lo = tk_below(g, rows);
        check_rows(g, &p, lo, lo + tk_below(g, rows - lo + 1));
    }
    check_domain(g, &p, p.r.rel->domain_log2, 1);
    check_domain(g, &p, p.r.rel->domain_log2 + 1, 3);
    for (unsigned pieces = 0; pieces < 4 && pieces < p.r.rel->domain_log2; pieces++)
        check_pieces(g, &p, p.r.rel->domain_log2, pieces);
    packed_free(&p);
}

static void test_random(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (unsigned i = 0; i < 30; i++) {
        twin_shape s = {.seed = tk_u64(&g),
                        .repeat = i % 3 ? 1 + tk_below(&g, 9) : 0,
                        .epilogue = i % 2,
                        .rows = {1 + (unsigned)tk_below(&g, 60), (unsigned)tk_below(&g, 120),
                                 (unsigned)tk_below(&g, 60)},
                        .longest = i % 5 ? 60 : 900};
        check_shape(&g, &s);
    }
}

/* The smallest ones: a row or two, a domain of two elements. */
static void test_small(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (unsigned rows = 1; rows <= 5; rows++) {
        twin_shape s = {.seed = tk_u64(&g), .rows = {rows}, .longest = 5};
        check_shape(&g, &s);
    }
}

/* A circuit's own rows: packings of many bits, Poseidon, copies. Ranges at the borders of repetitions and at random. */
static void test_porep(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    packed p;
    MUST(twin_relation_porep(&p.r, "2KiB", tk_u64(&g), &ei));
    evaluate(&p);
    const weir_relation *rel = p.r.rel;
    assert_true(p.r.relation_bytes < rel->bytes);
    const weir_segment *s = &rel->segment[1];
    for (uint64_t rep = 0; rep < s->count; rep++)
        check_rows(&g, &p, s->row_base + rep * s->rows - 300, s->row_base + rep * s->rows + 400);
    check_rows(&g, &p, rel->rows - rel->inputs - 500, rel->rows);
    for (unsigned i = 0; i < 40; i++) {
        uint64_t lo = tk_below(&g, rel->rows - 2000);
        check_rows(&g, &p, lo, lo + tk_below(&g, 2000));
    }
    packed_free(&p);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_porep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
