/* Relations against a plain model: random shapes of all three segments, written out row by row without any sharing. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "field/fr.h"
#include "relation/cs.h"

#include "testkit.h"

/* ---- a random shape: columns made at random moments, rows of random terms */

enum { MAX_TERMS = 5, MAX_COLS = 400 };

typedef struct plan {
    uint64_t seed;
    uint64_t repeat; /* of the period; 0: none */
    bool epilogue;
    unsigned rows[3];
    bool wrong_second_run; /* makes another row when it is run again */
    unsigned runs;
} plan;

typedef struct columns {
    weir_col col[MAX_COLS];
    unsigned n;
} columns;

static weir_col add_column(tk_rng *g, weir_cs *cs, columns *c)
{
    unsigned kind = (unsigned)tk_below(g, 8);
    weir_col col = kind < 4   ? weir_cs_alloc_bit(cs)
                   : kind < 7 ? weir_cs_alloc(cs)
                              : weir_cs_input(cs);
    c->col[c->n++] = col;
    return col;
}

static void random_coef(tk_rng *g, weir_fr *k)
{
    unsigned kind = (unsigned)tk_below(g, 4);
    if (kind < 2) fr_from_u64(k, tk_below(g, 3)); /* zero and repeats happen */
    if (kind == 2) fr_neg(k, &fr_ONE);
    if (kind == 3) fr_from_u64(k, tk_u64(g) % 1000);
}

static void random_row(tk_rng *g, weir_cs *cs, const columns *c)
{
    weir_lc *lc[3] = {weir_cs_a(cs), weir_cs_b(cs), weir_cs_c(cs)};
    for (unsigned m = 0; m < 3; m++) {
        unsigned n = (unsigned)tk_below(g, tk_below(g, 20) ? MAX_TERMS : 60);
        for (unsigned t = 0; t < n; t++) {
            weir_fr k;
            random_coef(g, &k);
            weir_lc_add(cs, lc[m], tk_below(g, 10) ? c->col[tk_below(g, c->n)] : WEIR_COL_ONE, &k);
        }
    }
    weir_cs_end_row(cs);
}

static void random_part(tk_rng *g, weir_cs *cs, columns *c, unsigned rows)
{
    for (unsigned i = 0; i < rows; i++) {
        add_column(g, cs, c);
        if (tk_below(g, 2)) add_column(g, cs, c);
        random_row(g, cs, c);
    }
}

static weir_err random_shape(void *ctx, weir_cs *cs, weir_errinfo *ei)
{
    (void)ei;
    plan *p = ctx;
    tk_rng g = {p->seed};
    columns c = {.n = 0};
    random_part(&g, cs, &c, p->rows[0]);
    unsigned prologue = c.n;
    if (p->repeat) {
        weir_cs_period(cs, p->repeat);
        random_part(&g, cs, &c, p->rows[1]);
        c.n = prologue;
    }
    if (p->epilogue) {
        weir_cs_epilogue(cs);
        random_part(&g, cs, &c, p->rows[2]);
    }
    if (p->wrong_second_run && p->runs++) random_row(&g, cs, &c);
    return WEIR_OK;
}

/* ---- the model: the relation expanded, read back through the public structs */

static uint64_t global_aux(const weir_relation *rel, const weir_segment *s, uint64_t rep,
                           weir_col col, bool *input)
{
    uint32_t i = weir_col_index(col);
    *input = false;
    switch (weir_col_class(col)) {
    case WEIR_COL_INPUT:
        *input = true;
        return i;
    case WEIR_COL_LOCAL_INPUT:
        *input = true;
        return s->input_base + rep * s->inputs + i;
    case WEIR_COL_PROLOGUE_BIT:
        return i;
    case WEIR_COL_PROLOGUE_DENSE:
        return rel->segment[0].dense_col[i];
    case WEIR_COL_LOCAL_BIT:
        return s->aux_base + rep * s->aux + i;
    default:
        return s->aux_base + rep * s->aux + s->dense_col[i];
    }
}

typedef void (*term_fn)(void *ctx, uint64_t row, bool input, uint64_t index, const weir_fr *coef);

static void each_term(const weir_relation *rel, unsigned m, term_fn fn, void *ctx)
{
    uint64_t row = 0;
    for (unsigned k = 0; k < rel->segments; k++) {
        const weir_segment *s = &rel->segment[k];
        for (uint64_t rep = 0; rep < s->count; rep++)
            for (uint32_t i = 0; i < s->rows; i++, row++)
                for (uint32_t t = s->m[m].start[i]; t < s->m[m].start[i + 1]; t++) {
                    bool input;
                    uint64_t index = global_aux(rel, s, rep, s->m[m].col[t], &input);
                    fn(ctx, row, input, index, &rel->coef[s->m[m].coef[t]]);
                }
    }
    for (uint64_t i = 0; m == WEIR_A && i < rel->inputs; i++) fn(ctx, row + i, true, i, &fr_ONE);
}

typedef struct model {
    const weir_witness *w;
    weir_fr *rows;         /* row sums */
    const weir_fr *weight; /* for columns */
    weir_fr *columns;
    uint8_t *present; /* columns that occur, inputs first */
} model;

static void model_term(void *ctx, uint64_t row, bool input, uint64_t index, const weir_fr *coef)
{
    model *m = ctx;
    const weir_relation *rel = m->w->rel;
    weir_fr v, t;
    if (input)
        v = m->w->inputs[index];
    else
        weir_witness_get(m->w, index, &v);
    fr_mul(&t, coef, &v);
    fr_add(&m->rows[row], &m->rows[row], &t);
    uint64_t col = input ? index : rel->inputs + index;
    fr_mul(&t, coef, &m->weight[row]);
    fr_add(&m->columns[col], &m->columns[col], &t);
    m->present[col] = 1;
}

static void random_witness(tk_rng *g, weir_witness *w)
{
    for (uint64_t i = 1; i < w->rel->inputs; i++) tk_fr(g, &w->inputs[i]);
    for (uint64_t i = 0; i < w->rel->aux; i++) {
        weir_fr v, back;
        tk_fr(g, &v);
        if (!weir_witness_set(w, i, &v)) {
            fr_from_u64(&v, tk_below(g, 2));
            assert_true(weir_witness_set(w, i, &v));
        }
        weir_witness_get(w, i, &back);
        assert_true(fr_eq(&v, &back));
    }
}

static void check_matrix(tk_rng *g, weir_witness *w, unsigned m, weir_isa isa, uint8_t *present)
{
    const weir_relation *rel = w->rel;
    uint64_t cols = rel->inputs + rel->aux;
    weir_fr *rows = calloc(rel->rows, sizeof *rows), *got = calloc(rel->rows, sizeof *got);
    weir_fr *weight = calloc(rel->rows, sizeof *weight), *want = calloc(cols, sizeof *want),
            *sums = calloc(3 * cols, sizeof *sums);
    for (uint64_t i = 0; i < rel->rows; i++) tk_fr(g, &weight[i]);
    model md = {.w = w, .rows = rows, .weight = weight, .columns = want, .present = present};
    each_term(rel, m, model_term, &md);
    weir_relation_eval(w, m, 0, rel->rows, got, isa);
    assert_memory_equal(got, rows, rel->rows * sizeof *rows);
    for (unsigned i = 0; i < 20; i++) {
        uint64_t lo = tk_below(g, rel->rows), hi = lo + tk_below(g, rel->rows - lo + 1);
        memset(got, 0xff, rel->rows * sizeof *got);
        weir_relation_eval(w, m, lo, hi, got, isa);
        assert_memory_equal(got, rows + lo, (hi - lo) * sizeof *rows);
    }
    weir_fr *const out[3] = {sums, sums + cols, sums + 2 * cols};
    const weir_exec x = {.pool = tk_pool(3), .isa = isa};
    assert_int_equal(weir_relation_columns(rel, weight, out, &x, NULL), WEIR_OK);
    assert_memory_equal(out[m], want, cols * sizeof *want);
    free(rows);
    free(got);
    free(weight);
    free(want);
    free(sums);
}

/* The same n dense points as weir_query_gather's, and where their values are. */
static void check_groups(const weir_witness *w, weir_query q, const uint32_t *dense_point,
                         const weir_scalar *dense_value, uint64_t n)
{
    const weir_relation *rel = w->rel;
    uint64_t bits, dense;
    weir_query_count(rel, q, &bits, &dense);
    assert_int_equal(dense, n);
    assert_int_equal(bits + dense, weir_query_len(rel, q));
    uint32_t *point = calloc(n + 1, sizeof *point), *source = calloc(n + 1, sizeof *source);
    weir_query_dense_points(rel, q, point, NULL);
    assert_memory_equal(point, dense_point, n * sizeof *point);
    memset(point, 0, n * sizeof *point);
    weir_query_dense_points(rel, q, point, source);
    assert_memory_equal(point, dense_point, n * sizeof *point);
    for (uint64_t i = 0; i < n; i++) {
        weir_scalar s;
        fr_to_scalar(&s, source[i] < rel->inputs ? &w->inputs[source[i]]
                                                 : &w->dense[source[i] - rel->inputs]);
        assert_memory_equal(&s, &dense_value[i], sizeof s);
    }
    free(point);
    free(source);
}

/* The points of a query in order: the value of each column that has one. */
static void check_query(const weir_witness *w, weir_query q, const uint8_t *present, weir_isa isa)
{
    const weir_relation *rel = w->rel;
    uint64_t len = weir_query_len(rel, q), n, point = 0, d = 0;
    uint64_t *bits = calloc((len + 63) / 64 + 1, 8);
    uint32_t *dp = calloc(rel->inputs + rel->dense + 1, sizeof *dp);
    weir_scalar *dv = calloc(rel->inputs + rel->dense + 1, sizeof *dv);
    weir_query_gather(w, q, bits, dp, dv, &n, isa);
    for (uint64_t i = 0; i < rel->inputs + rel->aux; i++) {
        bool input = i < rel->inputs;
        if (q == WEIR_QUERY_L ? input : !present[i]) continue;
        weir_fr v;
        weir_scalar s;
        if (input)
            v = w->inputs[i];
        else
            weir_witness_get(w, i - rel->inputs, &v);
        fr_to_scalar(&s, &v);
        if (d < n && dp[d] == point) {
            assert_memory_equal(&dv[d], &s, sizeof s);
            assert_int_equal(bits[point / 64] >> (point % 64) & 1, 0);
            d++;
        } else {
            assert_int_equal(s.l[1] | s.l[2] | s.l[3], 0);
            assert_int_equal(bits[point / 64] >> (point % 64) & 1, s.l[0]);
        }
        point++;
    }
    assert_int_equal(point, len);
    assert_int_equal(d, n);
    check_groups(w, q, dp, dv, n);
    free(bits);
    free(dp);
    free(dv);
}

static weir_relation *build(plan *p)
{
    weir_relation *rel;
    weir_errinfo ei = {0};
    if (weir_relation_build(&rel, random_shape, p, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    return rel;
}

static void equals_the_model(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (unsigned i = 0; i < 30; i++) {
        plan p = {.seed = tk_u64(&g), .repeat = tk_below(&g, 5), .epilogue = tk_below(&g, 2)};
        for (unsigned k = 0; k < 3; k++) p.rows[k] = (unsigned)tk_below(&g, 80) + (k == 0);
        weir_relation *rel = build(&p);
        weir_witness *w;
        weir_errinfo ei = {0};
        assert_int_equal(weir_witness_new(&w, rel, NULL, &ei), WEIR_OK);
        random_witness(&g, w);
        for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
            uint8_t *present[3];
            for (unsigned m = 0; m < 3; m++) {
                present[m] = calloc(rel->inputs + rel->aux, 1);
                check_matrix(&g, w, m, isa, present[m]);
            }
            check_query(w, WEIR_QUERY_L, present[0], isa);
            check_query(w, WEIR_QUERY_A, present[0], isa);
            check_query(w, WEIR_QUERY_B, present[1], isa);
            for (uint64_t a = 0; a < rel->aux; a++)
                for (unsigned m = 0; m < 2; m++)
                    assert_int_equal(weir_relation_in(rel, m, a), present[m][rel->inputs + a]);
            for (unsigned m = 0; m < 3; m++) free(present[m]);
        }
        weir_witness_free(w);
        weir_relation_free(rel);
    }
}

/* ---- a relation that can hold: x_i * x_i = x_{i+1} in every repetition */

static weir_err squares_shape(void *ctx, weir_cs *cs, weir_errinfo *ei)
{
    (void)ei;
    unsigned steps = *(unsigned *)ctx;
    weir_cs_period(cs, 7);
    weir_col x = weir_cs_alloc(cs);
    for (unsigned i = 0; i < steps; i++) {
        weir_col y = weir_cs_alloc(cs);
        weir_lc_add(cs, weir_cs_a(cs), x, &fr_ONE);
        weir_lc_add(cs, weir_cs_b(cs), x, &fr_ONE);
        weir_lc_add(cs, weir_cs_c(cs), y, &fr_ONE);
        weir_cs_end_row(cs);
        x = y;
    }
    return WEIR_OK;
}

static void the_first_bad_row_is_named(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    unsigned steps = 30000; /* several ranges of the check */
    weir_relation *rel;
    weir_witness *w;
    weir_errinfo ei = {0};
    assert_int_equal(weir_relation_build(&rel, squares_shape, &steps, &ei), WEIR_OK);
    assert_int_equal(weir_witness_new(&w, rel, NULL, &ei), WEIR_OK);
    for (uint64_t rep = 0; rep < 7; rep++) {
        weir_packer p = weir_witness_packer(w, 1, rep);
        weir_fr x;
        tk_fr(&g, &x);
        for (unsigned i = 0; i <= steps; i++) {
            assert_false(weir_witness_packer_done(w, 1, rep, &p));
            pack_dense(&p, &x);
            fr_sqr(&x, &x);
        }
        assert_true(weir_witness_packer_done(w, 1, rep, &p));
    }
    for (unsigned threads = 1; threads <= 3; threads++) {
        weir_exec x = {.pool = tk_pool(threads), .isa = weir_isa_best()};
        assert_int_equal(weir_relation_check(w, &x), rel->rows);
        for (unsigned i = 0; i < 5; i++) {
            uint64_t rep = tk_below(&g, 7), step = tk_below(&g, steps);
            uint64_t aux = rep * (steps + 1) + step + 1;
            weir_fr old, bad;
            weir_witness_get(w, aux, &old);
            fr_add(&bad, &old, &fr_ONE);
            assert_true(weir_witness_set(w, aux, &bad));
            assert_int_equal(weir_relation_check(w, &x), rep * steps + step);
            assert_true(weir_witness_set(w, aux, &old));
        }
    }
    weir_witness_reset(w);
    for (uint64_t i = 0; i < rel->dense; i++) assert_true(fr_is_zero(&w->dense[i]));
    assert_true(fr_eq(&w->inputs[0], &fr_ONE));
    weir_witness_free(w);
    weir_relation_free(rel);
}

/* Repetitions next to each other may be written by different threads: no write of one may touch the other. */
static void repetitions_do_not_share_words(void **state)
{
    (void)state;
    for (unsigned bits = 1; bits <= 130; bits++) {
        weir_segment s = {.aux = bits, .words = (bits + 63) / 64 + 1};
        uint64_t mem[8] = {0};
        mem[s.words] = 0x5555;
        weir_packer p = {.bits = (uint8_t *)mem};
        for (unsigned i = 0; i < bits; i++) pack_bits(&p, 1, 1);
        assert_true(((p.pos - 1) >> 3) + 8 <= 8u * s.words);
        assert_int_equal(mem[s.words], 0x5555);
    }
}

static void failures_are_reported(void **state)
{
    (void)state;
    weir_errinfo ei = {0};
    weir_relation *rel;
    plan p = {.seed = 1, .rows = {5, 0, 0}, .wrong_second_run = true};
    assert_int_equal(weir_relation_build(&rel, random_shape, &p, &ei), WEIR_E_INTERNAL);
    assert_null(rel);
    for (uint64_t nth = 1; nth < 200; nth++) {
        plan q = {.seed = 2, .rows = {5, 5, 5}, .repeat = 2, .epilogue = true};
        weir_alloc_fail_nth(nth, 0);
        weir_err err = weir_relation_build(&rel, random_shape, &q, &ei);
        bool fired = err != WEIR_OK;
        weir_alloc_fail_nth(0, 0);
        if (!fired) {
            weir_relation_free(rel);
            break;
        }
        assert_int_equal(err, WEIR_E_NOMEM);
        assert_null(rel);
        assert_true(nth < 199);
    }
}

/* ---- memory from slabs */

static bool all_zero(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i]) return false;
    return true;
}

/* The dense elements take the block that somebody left full, and leave it wiped. */
static void witness_from_slabs(void **state)
{
    (void)state;
    unsigned steps = 90000; /* 20 MB: more than the heap is asked for */
    weir_relation *rel;
    weir_slabs *slabs;
    weir_slabs_stats t;
    weir_witness *w;
    weir_errinfo ei = {0};
    assert_int_equal(weir_relation_build(&rel, squares_shape, &steps, &ei), WEIR_OK);
    assert_int_equal(weir_slabs_new(&slabs, NULL, &ei), WEIR_OK);
    size_t bytes = rel->dense * sizeof(weir_fr);
    uint8_t *left = weir_slab_take(slabs, bytes, 1);
    memset(left, 0xff, bytes);
    weir_slab_give(slabs, left, bytes, 1);
    assert_int_equal(weir_witness_new(&w, rel, slabs, &ei), WEIR_OK);
    assert_ptr_equal(w->dense, left);
    assert_true(all_zero(left, bytes));
    assert_true(all_zero((const uint8_t *)w->bits, rel->words * 8));
    assert_true(fr_eq(&w->inputs[0], &fr_ONE));
    memset(w->dense, 0xff, bytes);
    weir_witness_free(w);
    weir_slabs_count(slabs, &t);
    assert_int_equal(t.used, 0);
    assert_int_equal(t.maps, 1);
    assert_true(all_zero(left, bytes)); /* the pool keeps it mapped */
    for (uint64_t nth = 1; nth <= 3; nth++) {
        weir_alloc_fail_nth(nth, 0);
        assert_int_equal(weir_witness_new(&w, rel, slabs, &ei), WEIR_E_NOMEM);
        weir_alloc_fail_nth(0, 0);
        assert_null(w);
        weir_slabs_count(slabs, &t);
        assert_int_equal(t.used, 0);
    }
    weir_slabs_free(slabs);
    weir_relation_free(rel);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_model),      cmocka_unit_test(the_first_bad_row_is_named),
        cmocka_unit_test(witness_from_slabs),    cmocka_unit_test(repetitions_do_not_share_words),
        cmocka_unit_test(failures_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
