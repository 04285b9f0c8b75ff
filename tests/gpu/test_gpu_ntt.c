/* Transforms of src/gpu on the host, launch by launch, against src/poly: every size, both ways, both sides, each kind of table
 * and split; and the quotient. */
#include "gpu_kit.h"
#include "ntt_twin.h"

#include "base/exec.h"
#include "field/fr.h"
#include "poly/ntt.h"

#include <stdlib.h>

/* A plan with its table, and the processor's plan of the same size. */
typedef struct both {
    weir_gpu_ntt_plan plan;
    weir_dfr *table;
    weir_ntt_plan *cpu;
    weir_exec x;
    void *scratch;
    size_t n;
} both;

static both both_new(unsigned log2_n, unsigned last_levels, unsigned lo_log2)
{
    both b = {.x = {.isa = weir_isa_best()}, .n = (size_t)1 << log2_n};
    weir_errinfo ei;
    weir_gpu_ntt_plan_init(&b.plan, log2_n, last_levels, lo_log2);
    b.table = calloc(weir_gpu_ntt_table_len(&b.plan), sizeof *b.table);
    assert_non_null(b.table);
    weir_gpu_ntt_table_fill(&b.plan, b.table);
    weir_gpu_ntt_table_at(&b.plan, b.table);
    assert_int_equal(weir_ntt_plan_new(&b.cpu, log2_n, &b.x, &ei), WEIR_OK);
    b.scratch = malloc(weir_ntt_scratch_bytes(b.cpu) + 1);
    return b;
}

static void both_free(both *b)
{
    free(b->scratch);
    weir_ntt_plan_free(b->cpu);
    free(b->table);
}

static weir_fr *random_vector(tk_rng *g, size_t n)
{
    weir_fr *a = calloc(n, sizeof *a);
    assert_non_null(a);
    for (size_t i = 0; i < n; i++) {
        weir_dfr unused;
        if (tk_below(g, 8) == 0)
            kit_fr(g, &a[i], &unused);
        else
            tk_fr(g, &a[i]);
    }
    return a;
}

/* As kernels hold it; reversed: element i goes to the place of i with its bits reversed. */
static weir_dfr *to_device(const weir_fr *a, unsigned log2_n, bool reversed)
{
    size_t n = (size_t)1 << log2_n;
    weir_dfr *d = calloc(n, sizeof *d);
    assert_non_null(d);
    for (size_t i = 0; i < n; i++) kit_fr_in(&d[reversed ? twin_reversed(i, log2_n) : i], &a[i]);
    return d;
}

static void check_same(const weir_dfr *d, const weir_fr *want, unsigned log2_n, bool reversed)
{
    for (size_t i = 0; i < (size_t)1 << log2_n; i++)
        kit_same(&d[reversed ? twin_reversed(i, log2_n) : i], &want[i]);
}

static void shift_of(weir_fr *shift, unsigned log2_n)
{
    fr_root_of_unity(shift, log2_n + 1);
}

static void check_transforms(tk_rng *g, const both *b, dntt_side side)
{
    weir_gpu_ntt_launch list[WEIR_GPU_NTT_PASSES];
    unsigned k = b->plan.log2_n;
    weir_fr *a = random_vector(g, b->n), shift;
    weir_dfr *d = to_device(a, k, false);
    shift_of(&shift, k);
    unsigned n = weir_gpu_ntt_forward(list, &b->plan, d, side);
    assert_int_equal(n, b->plan.passes);
    assert_true(twin_ntt_run(list, n, tk_u64(g)));
    weir_fr *want = calloc(b->n, sizeof *want);
    assert_non_null(want);
    memcpy(want, a, b->n * sizeof *a);
    if (side == DNTT_COSET)
        weir_ntt_coset_forward(b->cpu, want, &shift, b->scratch, &b->x);
    else
        weir_ntt_forward(b->cpu, want, b->scratch, &b->x);
    check_same(d, want, k, true);
    n = weir_gpu_ntt_inverse(list, &b->plan, d, side);
    assert_int_equal(n, b->plan.passes);
    assert_true(twin_ntt_run(list, n, tk_below(g, 3)));
    check_same(d, a, k, false);
    free(want);
    free(d);
    free(a);
}

static void check_quotient(tk_rng *g, const both *b)
{
    weir_gpu_ntt_launch list[WEIR_GPU_QUOTIENT_LAUNCHES];
    unsigned k = b->plan.log2_n;
    weir_fr *u = random_vector(g, b->n), *v = random_vector(g, b->n);
    weir_fr *tmp = calloc(b->n, sizeof *tmp);
    weir_dfr *du = to_device(u, k, true), *dv = to_device(v, k, true);
    weir_dfr *dt = calloc(b->n, sizeof *dt);
    assert_true(tmp && dt);
    unsigned n = weir_gpu_quotient(list, &b->plan, du, dv, dt);
    assert_int_equal(n, b->plan.passes == 1 ? 4 : b->plan.passes == 2 ? 10 : 16);
    assert_true(twin_ntt_run(list, n, tk_u64(g)));
    weir_quotient(b->cpu, u, v, tmp, b->scratch, &b->x);
    for (size_t i = 0; i < b->n; i++) {
        weir_scalar s;
        fr_to_scalar(&s, &u[i]);
        kit_same(&du[i], &s);
    }
    free(dt);
    free(dv);
    free(du);
    free(tmp);
    free(v);
    free(u);
}

static void check_both_ways(tk_rng *g, const both *b)
{
    check_transforms(g, b, DNTT_PLAIN);
    check_transforms(g, b, DNTT_COSET);
    check_quotient(g, b);
}

static void check_all(tk_rng *g, unsigned log2_n, unsigned last_levels, unsigned lo_log2)
{
    both b = both_new(log2_n, last_levels, lo_log2);
    check_both_ways(g, &b);
    both_free(&b);
}

static void test_sizes(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (unsigned k = 1; k <= 14; k++)
        for (unsigned i = 0; i < (k < 13 ? 2 : 1); i++) check_all(&g, k, 0, (k + i) % 2 ? k : 0);
    check_all(&g, 13, 0, 12);
    check_all(&g, 16, 0, 0);
}

/* Splits that the library chooses for other sizes only. Three passes: the middle one is neither at the top nor at the bottom. */
static void test_splits(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    static const unsigned levels[][WEIR_GPU_NTT_PASSES] = {
        {2, 2, 9}, {1, 2, 10}, {1, 1, 11}, {2, 4, 9}};
    for (unsigned i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        unsigned k = levels[i][0] + levels[i][1] + levels[i][2];
        both b = both_new(k, 0, i % 2 ? 12 : 0);
        b.plan.passes = WEIR_GPU_NTT_PASSES;
        for (unsigned p = 0, first = 0; p < WEIR_GPU_NTT_PASSES; first += levels[i][p++])
            b.plan.pass[p] = (weir_gpu_ntt_pass){first, levels[i][p]};
        check_both_ways(&g, &b);
        both_free(&b);
    }
    for (unsigned k = 12; k <= 14; k++) check_all(&g, k, k - 3, 0);
    /* as many strided levels as there are: 7, 8 and 9 above 9 */
    for (unsigned k = 16; k <= 18; k++) {
        both b = both_new(k, 9, k == 17 ? k : 0);
        check_transforms(&g, &b, k % 2 ? DNTT_COSET : DNTT_PLAIN);
        both_free(&b);
    }
}

/* A slab of a vector to where it lies by itself, or back. */
static void move_slab(weir_dfr *slab, weir_dfr *v, unsigned log2_n, unsigned pieces_log2,
                      uint32_t q, bool back)
{
    size_t each = (size_t)1 << (log2_n - pieces_log2), row = each >> pieces_log2;
    for (size_t p = 0; p < (size_t)1 << pieces_log2; p++) {
        weir_dfr *at = v + p * each + q * row, *of = slab + p * row;
        memcpy(back ? at : of, back ? of : at, row * sizeof *at);
    }
}

/* The four rounds, with one piece or slab at a time in memory of its own. */
static void run_rounds(tk_rng *g, const weir_gpu_ntt_cut *cut, weir_dfr *v[3])
{
    weir_gpu_ntt_launch list[WEIR_GPU_QUOTIENT_LAUNCHES];
    unsigned k = cut->whole->log2_n, s = cut->pieces_log2;
    size_t each = (size_t)1 << (k - s);
    weir_dfr *x[3];
    for (int i = 0; i < 3; i++) x[i] = calloc(each, sizeof *x[i]);
    for (int round = 0; round < 4; round++)
        for (uint32_t p = 0; p < 1u << s; p++) {
            unsigned n = round == 0 ? weir_gpu_quotient_pieces_back(list, cut, p, x[0], x[1], x[2])
                         : round == 1 ? weir_gpu_quotient_slabs_turn(list, cut, x[0], x[1], x[2])
                         : round == 2 ? weir_gpu_quotient_pieces_coset(list, cut, p, x[0], x[1])
                                      : weir_gpu_quotient_slabs_end(list, cut, x[0], x[2]);
            assert_true(n <= WEIR_GPU_QUOTIENT_LAUNCHES);
            for (int back = 0; back < 2; back++) {
                for (int i = 0; i < 3; i++) {
                    if (round % 2)
                        move_slab(x[i], v[i], k, s, p, back);
                    else
                        memcpy(back ? v[i] + p * each : x[i], back ? x[i] : v[i] + p * each,
                               each * sizeof *x[i]);
                }
                if (!back) assert_true(twin_ntt_run(list, n, tk_below(g, 3)));
            }
        }
    for (int i = 0; i < 3; i++) free(x[i]);
}

static void check_cut(tk_rng *g, unsigned log2_n, unsigned piece_log2, unsigned lo_log2)
{
    both b = both_new(log2_n, 0, lo_log2);
    weir_fr *u = random_vector(g, b.n), *w = random_vector(g, b.n);
    weir_fr *tmp = calloc(b.n, sizeof *tmp);
    weir_dfr *v[3] = {to_device(u, log2_n, true), to_device(w, log2_n, true),
                      calloc(b.n, sizeof **v)};
    weir_gpu_ntt_cut cut;
    weir_gpu_ntt_cut_init(&cut, &b.plan, piece_log2);
    run_rounds(g, &cut, v);
    weir_quotient(b.cpu, u, w, tmp, b.scratch, &b.x);
    for (size_t i = 0; i < b.n; i++) {
        weir_scalar s;
        fr_to_scalar(&s, &u[i]);
        kit_same(&v[0][i], &s);
    }
    for (int i = 0; i < 3; i++) free(v[i]);
    free(tmp);
    free(w);
    free(u);
    both_free(&b);
}

static void test_cuts(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (unsigned k = 12; k <= 14; k++)
        for (unsigned m = 11; m < k; m++) check_cut(&g, k, m, (k + m) % 2 ? 0 : k);
    check_cut(&g, 16, 12, 0);
}

/* The split of the sizes that no test can run: levels add up, tiles have rows of 128 bytes, twiddles are compact. */
static void test_plans(void **state)
{
    (void)state;
    for (unsigned k = 1; k <= DNTT_LOG2_MAX; k++) {
        weir_gpu_ntt_plan p;
        weir_gpu_ntt_plan_init(&p, k, 0, 0);
        unsigned level = 0;
        for (unsigned i = 0; i < p.passes; i++) {
            assert_int_equal(p.pass[i].first, level);
            assert_true(p.pass[i].levels >= 1);
            assert_true(i + 1 == p.passes || p.pass[i].levels <= DNTT_STRIDED_LEVELS);
            level += p.pass[i].levels;
        }
        assert_int_equal(level, k);
        assert_int_equal(p.passes, k <= 11 ? 1 : k <= 20 ? 2 : 3);
        assert_true(weir_gpu_ntt_table_len(&p) <= 2 << WEIR_GPU_NTT_LO_LOG2);
        weir_gpu_ntt_plan_init(&p, k, 0, k);
        assert_true(weir_gpu_ntt_table_len(&p) == (uint64_t)1 << (k < 11 ? 11 : k));
    }
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_splits),
        cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
