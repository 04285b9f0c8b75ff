/* Rows of a relation as the kernel of src/gpu evaluates them, on the host, against src/relation: random relations of all
 * segments, in natural order and in that of a domain, and the circuit of a 2 KiB PoRep. */
#include "gpu_kit.h"
#include "ntt_twin.h"

#include "gpu/gpu_relation_plan.h"

#include "circuit/porep_circuit.h"
#include "field/fr.h"
#include "relation/cs.h"

#include <stdlib.h>

/* ---- random relations */

enum { MAX_COLS = 400 };

typedef struct plan {
    uint64_t seed, repeat; /* repeat 0: no period */
    bool epilogue;
    unsigned rows[3], longest;
} plan;

typedef struct columns {
    weir_col col[MAX_COLS];
    unsigned n;
} columns;

static void add_column(tk_rng *g, weir_cs *cs, columns *c)
{
    unsigned kind = (unsigned)tk_below(g, 8);
    if (c->n == MAX_COLS) return;
    c->col[c->n++] = kind < 4   ? weir_cs_alloc_bit(cs)
                     : kind < 7 ? weir_cs_alloc(cs)
                                : weir_cs_input(cs);
}

static void random_row(tk_rng *g, weir_cs *cs, const columns *c, unsigned longest)
{
    weir_lc *lc[3] = {weir_cs_a(cs), weir_cs_b(cs), weir_cs_c(cs)};
    for (unsigned m = 0; m < 3; m++) {
        unsigned n = (unsigned)tk_below(g, tk_below(g, 20) ? 5 : longest);
        for (unsigned t = 0; t < n; t++) {
            weir_fr k;
            fr_from_u64(&k, 1 + tk_below(g, tk_below(g, 2) ? 1 : 50));
            if (tk_below(g, 2)) fr_neg(&k, &k);
            weir_lc_add(cs, lc[m], tk_below(g, 10) ? c->col[tk_below(g, c->n)] : WEIR_COL_ONE, &k);
        }
    }
    weir_cs_end_row(cs);
}

static void random_part(tk_rng *g, weir_cs *cs, columns *c, unsigned rows, unsigned longest)
{
    for (unsigned i = 0; i < rows; i++) {
        add_column(g, cs, c);
        random_row(g, cs, c, longest);
    }
}

static weir_err random_shape(void *ctx, weir_cs *cs, weir_errinfo *ei)
{
    (void)ei;
    const plan *p = ctx;
    tk_rng g = {p->seed};
    columns c = {.n = 0};
    random_part(&g, cs, &c, p->rows[0], p->longest);
    unsigned prologue = c.n;
    if (p->repeat) {
        weir_cs_period(cs, p->repeat);
        random_part(&g, cs, &c, p->rows[1], p->longest);
        c.n = prologue;
    }
    if (p->epilogue) {
        weir_cs_epilogue(cs);
        random_part(&g, cs, &c, p->rows[2], p->longest);
    }
    return WEIR_OK;
}

/* ---- a relation with a witness, packed */

typedef struct packed {
    weir_relation *rel;
    weir_witness *w;
    void *relation, *witness;
    drel_args a;
    weir_fr *want[2];
} packed;

static void *aligned(uint64_t bytes)
{
    void *p = aligned_alloc(16, bytes + 16);
    assert_non_null(p);
    return p;
}

/* Values of no meaning in every column: rows need not hold. Takes rel. */
static packed packed_new(tk_rng *g, weir_relation *rel)
{
    packed p = {.rel = rel};
    weir_errinfo ei = {0};
    assert_int_equal(weir_witness_new(&p.w, rel, &ei), WEIR_OK);
    for (uint64_t i = 0; i < rel->inputs; i++) tk_fr(g, &p.w->inputs[i]);
    for (uint64_t i = 0; i < rel->dense; i++) tk_fr(g, &p.w->dense[i]);
    for (uint64_t i = 0; i < rel->words; i++) p.w->bits[i] = tk_u64(g);
    assert_true(weir_gpu_relation_fits(rel));
    p.relation = aligned(weir_gpu_relation_bytes(rel));
    p.witness = aligned(weir_gpu_witness_bytes(rel));
    weir_gpu_relation_pack(p.relation, rel);
    weir_gpu_witness_pack(p.witness, p.w);
    weir_gpu_relation_at(&p.a, rel, p.relation, p.witness);
    for (unsigned m = WEIR_A; m <= WEIR_B; m++) {
        p.want[m] = calloc(rel->rows, sizeof *p.want[m]);
        assert_non_null(p.want[m]);
        weir_relation_eval(p.w, m, 0, rel->rows, p.want[m], weir_isa_best());
    }
    return p;
}

static void packed_free(packed *p)
{
    free(p->want[0]);
    free(p->want[1]);
    free(p->witness);
    free(p->relation);
    weir_witness_free(p->w);
    weir_relation_free(p->rel);
}

/* A row past the end is zero. */
static void check_value(const packed *p, unsigned m, uint64_t row, const weir_dfr *got)
{
    const weir_fr zero = {{0}};
    kit_same(got, row < p->rel->rows ? &p->want[m][row] : &zero);
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

static void check_plan(tk_rng *g, plan *p)
{
    weir_relation *rel;
    weir_errinfo ei = {0};
    assert_int_equal(weir_relation_build(&rel, random_shape, p, &ei), WEIR_OK);
    packed q = packed_new(g, rel);
    check_rows(g, &q, 0, rel->rows);
    for (unsigned i = 0; i < 10; i++) {
        uint64_t lo = tk_below(g, rel->rows);
        check_rows(g, &q, lo, lo + tk_below(g, rel->rows - lo + 1));
    }
    check_domain(g, &q, rel->domain_log2, 1);
    check_domain(g, &q, rel->domain_log2 + 1, 3);
    packed_free(&q);
}

static void test_random(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (unsigned i = 0; i < 30; i++) {
        plan p = {.seed = tk_u64(&g),
                  .repeat = i % 3 ? 1 + tk_below(&g, 9) : 0,
                  .epilogue = i % 2,
                  .rows = {1 + (unsigned)tk_below(&g, 60), (unsigned)tk_below(&g, 120),
                           (unsigned)tk_below(&g, 60)},
                  .longest = i % 5 ? 60 : 900};
        check_plan(&g, &p);
    }
}

/* The smallest ones: a row or two, a domain of one or two elements. */
static void test_small(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (unsigned rows = 1; rows <= 5; rows++) {
        plan p = {.seed = tk_u64(&g), .rows = {rows}, .longest = 5};
        check_plan(&g, &p);
    }
}

/* A circuit's own rows: packings of many bits, Poseidon, copies. Ranges at the borders of repetitions and at random. */
static void test_porep(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    weir_relation *rel;
    weir_errinfo ei = {0};
    const weir_porep_shape *shape = weir_porep_shape_by_name("2KiB");
    assert_int_equal(weir_porep_relation(&rel, shape, 0, &ei), WEIR_OK);
    packed p = packed_new(&g, rel);
    uint64_t stored = weir_gpu_relation_bytes(rel);
    assert_true(stored < rel->bytes);
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
