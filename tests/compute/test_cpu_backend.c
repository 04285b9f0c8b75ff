/* The CPU backend on sections of several pieces, and its reader. Against the reference's sums: tests/groth16. */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "compute/cpu_stages.h"
#include "curve/curve.h"
#include "fake_key.h"
#include "field/fr.h"
#include "poly/ntt.h"
#include "test_cpu_backend.h"

/* Over 2^17 points in l: two pieces on one thread. 2^16 rows and more in the domain. */
enum { REPETITIONS = 44000 };

static int setup(void **state)
{
    tk_rng g = tk_rng_new();
    fake_key *k = malloc(sizeof *k);
    fake_key_init(k, &g, REPETITIONS, false);
    *state = k;
    return 0;
}

static int teardown(void **state)
{
    fake_key_clear(*state);
    free(*state);
    return 0;
}

/* ---- what the sums must be, as multiples of the generators */

/* sum over the section's points of value * multiple; the columns in order: ONE, then (bit, x, y) of each repetition */
static void expect_query(const fake_key *k, weir_key_section section, bool one, unsigned columns,
                         weir_fr *out)
{
    uint64_t point = 0;
    fr_set_zero(out);
    if (one) fr_from_u64(out, fake_multiple(section, point++));
    for (uint64_t aux = 0; aux < k->rel->aux; aux++) {
        weir_fr v, m;
        if (!((columns >> (aux % 3)) & 1)) continue;
        weir_witness_get(k->w, aux, &v);
        fr_from_u64(&m, fake_multiple(section, point++));
        fr_mul(&v, &v, &m);
        fr_add(out, out, &v);
    }
    assert_int_equal(point, k->points.count[section]);
}

static void expect_h(const fake_key *k, const weir_scalar *h, weir_fr *out)
{
    fr_set_zero(out);
    for (uint64_t i = 0; i < k->points.count[WEIR_KEY_H]; i++) {
        weir_fr v, m;
        fr_from_scalar(&v, &h[i]);
        fr_from_u64(&m, fake_multiple(WEIR_KEY_H, i));
        fr_mul(&v, &v, &m);
        fr_add(out, out, &v);
    }
}

static bool is_multiple_g1(const weir_g1 *p, const weir_fr *k)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    weir_scalar s;
    weir_g1 two[2] = {*p};
    weir_g1_affine a[2];
    weir_fp tmp[2];
    fr_to_scalar(&s, k);
    ops->g1_mul(&two[1], weir_g1_generator(), &s);
    ops->g1s_to_affine(a, two, 2, tmp);
    return memcmp(&a[0], &a[1], sizeof a[0]) == 0;
}

static bool is_multiple_g2(const weir_g2 *p, const weir_fr *k)
{
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    weir_scalar s;
    weir_g2 two[2] = {*p};
    weir_g2_affine a[2];
    weir_fp2 tmp[2];
    fr_to_scalar(&s, k);
    ops->g2_mul(&two[1], weir_g2_generator(), &s);
    ops->g2s_to_affine(a, two, 2, tmp);
    return memcmp(&a[0], &a[1], sizeof a[0]) == 0;
}

static weir_h_buffer quotient(const fake_key *k, const weir_exec *x)
{
    weir_errinfo ei = {0};
    weir_ntt_plan *plan;
    weir_h_buffer h;
    weir_sums_stats stats;
    assert_int_equal(weir_ntt_plan_new(&plan, k->rel->domain_log2, x, &ei), WEIR_OK);
    assert_int_equal(weir_cpu_quotient(&h, plan, k->w, &stats, x, &ei), WEIR_OK);
    weir_ntt_plan_free(plan);
    return h;
}

/* h solves (A z)(B z) - (C z) = h t at a random point, with the rows' polynomials evaluated by Lagrange's formula. */
static void quotient_at_a_point(void **state)
{
    const fake_key *k = *state;
    tk_rng g = tk_rng_new();
    const weir_exec x = {.pool = tk_pool(2), .isa = weir_isa_best()};
    size_t n = (size_t)1 << k->rel->domain_log2;
    weir_h_buffer h = quotient(k, &x);
    weir_fr *rows = malloc(k->rel->rows * sizeof *rows), *weight = malloc(n * sizeof *weight),
            *tmp = malloc(n * sizeof *tmp);
    weir_fr p, t, w, wi = fr_ONE, n_inv, value[3], sum;
    tk_fr(&g, &p);
    fr_root_of_unity(&w, k->rel->domain_log2);
    for (size_t i = 0; i < n; i++) {
        fr_sub(&weight[i], &p, &wi);
        fr_mul(&wi, &wi, &w);
    }
    frs_inv(weight, n, tmp);
    fr_pow_u64(&t, &p, n);
    fr_sub(&t, &t, &fr_ONE);
    fr_from_u64(&n_inv, n);
    weir_fr_inv(&n_inv, &n_inv);
    for (unsigned m = 0; m < 3; m++) {
        weir_relation_eval(k->w, m, 0, k->rel->rows, rows, x.isa);
        fr_set_zero(&value[m]);
        for (size_t i = 0; i < k->rel->rows; i++) {
            weir_fr term;
            fr_mul(&term, &rows[i], &weight[i]);
            fr_mul(&term, &term, &wi); /* wi: w^i, since w^n = 1 */
            fr_add(&value[m], &value[m], &term);
            fr_mul(&wi, &wi, &w);
        }
        wi = fr_ONE;
        fr_mul(&value[m], &value[m], &t);
        fr_mul(&value[m], &value[m], &n_inv);
    }
    fr_set_zero(&sum);
    for (size_t i = n; i-- > 0;) {
        weir_fr c;
        fr_from_scalar(&c, &h.scalar[i]);
        fr_mul(&sum, &sum, &p);
        fr_add(&sum, &sum, &c);
    }
    fr_mul(&sum, &sum, &t);
    fr_mul(&value[0], &value[0], &value[1]);
    fr_sub(&value[0], &value[0], &value[2]);
    assert_true(fr_eq(&sum, &value[0]));
    weir_slab_give(NULL, h.fr, n, sizeof *h.fr);
    free(rows);
    free(weight);
    free(tmp);
}

static void expect_sums(const fake_key *k, const weir_sums *got, const weir_scalar *h)
{
    weir_fr want;
    expect_h(k, h, &want);
    assert_true(is_multiple_g1(&got->h, &want));
    expect_query(k, WEIR_KEY_L, false, 7, &want);
    assert_true(is_multiple_g1(&got->l, &want));
    expect_query(k, WEIR_KEY_A, true, 1, &want);
    assert_true(is_multiple_g1(&got->a, &want));
    expect_query(k, WEIR_KEY_B_G1, false, 2, &want);
    assert_true(is_multiple_g1(&got->b1, &want));
    expect_query(k, WEIR_KEY_B_G2, false, 2, &want);
    assert_true(is_multiple_g2(&got->b2, &want));
}

/* In l: bit and y, and x of its kind; in a: ONE and bit; in b, twice: x. */
static void run_and_compare(const fake_key *k, uint64_t reps, bool dense_x, const weir_exec *x)
{
    const weir_backend *cpu = weir_cpu_backend();
    size_t n = (size_t)1 << k->rel->domain_log2;
    weir_errinfo ei = {0};
    weir_session *session;
    weir_sums got;
    weir_sums_stats stats;
    weir_h_buffer h = quotient(k, x);
    assert_int_equal(
        cpu->begin(cpu, &session, k->rel, &k->points, WEIR_TERMS_ALL, UINT64_MAX, x, &ei), WEIR_OK);
    for (int again = 0; again < (reps > 1000 ? 1 : 2); again++) {
        assert_int_equal(cpu->run(session, &got, k->w, &stats, x, &ei), WEIR_OK);
        expect_sums(k, &got, h.scalar);
        assert_int_equal(stats.bit_points, (dense_x ? 2 : 5) * reps);
        assert_int_equal(stats.dense_points, (dense_x ? 4 : 1) * reps + 1);
        assert_true(stats.h_ns > 0 && stats.l_ns > 0 && stats.ntt_ns > 0 && stats.eval_ns > 0);
    }
    cpu->end(session);
    weir_slab_give(NULL, h.fr, n, sizeof *h.fr);
}

static void sums(void **state)
{
    for (unsigned threads = 0; threads <= 3; threads += 3) {
        const weir_exec x = {.pool = threads ? tk_pool(threads) : NULL, .isa = weir_isa_best()};
        run_and_compare(*state, REPETITIONS, false, &x);
    }
}

/* A small circuit with dense columns in both groups, on every path; then h in pieces of any size. */
static void pieces_and_paths(void **state)
{
    (void)state;
    tk_rng g = tk_rng_new();
    for (weir_isa isa = 0; tk_next_isa(&isa); isa++) {
        weir_errinfo ei = {0};
        const weir_exec x = {.pool = tk_pool(2), .isa = isa};
        static const size_t pieces[] = {1, 64, 100, 511, 512, 1000};
        fake_key k;
        fake_key_init(&k, &g, 300, true);
        run_and_compare(&k, 300, true, &x);
        size_t n = (size_t)1 << k.rel->domain_log2;
        assert_int_equal(n, 512);
        weir_h_buffer h = quotient(&k, &x);
        weir_key_reader reader;
        weir_fr want;
        expect_h(&k, h.scalar, &want);
        assert_int_equal(weir_key_reader_init(&reader, &k.points, &x, &ei), WEIR_OK);
        for (unsigned i = 0; i < sizeof pieces / sizeof *pieces; i++) {
            weir_g1 got;
            assert_int_equal(weir_cpu_sum_h(&got, &reader, h.scalar, pieces[i], &ei), WEIR_OK);
            assert_true(is_multiple_g1(&got, &want));
        }
        weir_key_reader_clear(&reader);
        weir_slab_give(NULL, h.fr, n, sizeof *h.fr);
        fake_key_clear(&k);
    }
}

/* Of two bad points the first is named, whichever thread meets which. */
static void first_bad_point(void **state)
{
    fake_key *k = *state;
    weir_g1_affine *out = malloc(k->points.count[WEIR_KEY_L] * sizeof *out);
    k->bad_section = WEIR_KEY_L;
    for (unsigned threads = 1; threads <= 3; threads++) {
        const weir_exec x = {.pool = tk_pool(threads), .isa = weir_isa_best()};
        weir_key_reader reader;
        weir_errinfo ei = {0};
        assert_int_equal(weir_key_reader_init(&reader, &k->points, &x, &ei), WEIR_OK);
        for (unsigned i = 0; i < 20; i++) {
            k->bad_point[0] = 131999 - 4096 * i;
            k->bad_point[1] = 40000 + 4096 * i;
            assert_int_equal(
                weir_key_reader_g1(&reader, WEIR_KEY_L, 0, k->points.count[WEIR_KEY_L], out, &ei),
                WEIR_E_ENCODING);
            char want[32];
            uint64_t first = k->bad_point[0] < k->bad_point[1] ? k->bad_point[0] : k->bad_point[1];
            snprintf(want, sizeof want, "point %llu", (unsigned long long)first);
            assert_string_equal(ei.text, want);
            /* a range without bad points is read as if nothing had been */
            assert_int_equal(weir_key_reader_g1(&reader, WEIR_KEY_L, 1000, 9000, out, &ei),
                             WEIR_OK);
            assert_memory_equal(&out[8999], &k->g1[fake_multiple(WEIR_KEY_L, 9999) - 1],
                                sizeof *out);
        }
        weir_key_reader_clear(&reader);
    }
    k->bad_section = WEIR_KEY_SECTIONS;
    free(out);
}

/* Points picked from a section: alone, as runs, over several tasks; no others are asked for, so a bad one beside them is not met. */
static void picked_points(void **state)
{
    enum { LEN = 130000 };
    fake_key *k = *state;
    tk_rng g = tk_rng_new();
    uint32_t *point = malloc(LEN * sizeof *point);
    weir_g1_affine *out = malloc(LEN * sizeof *out);
    for (unsigned threads = 1; threads <= 3; threads++) {
        const weir_exec x = {.pool = tk_pool(threads), .isa = weir_isa_best()};
        weir_key_reader reader;
        weir_errinfo ei = {0};
        size_t n = 0;
        for (uint64_t i = tk_below(&g, 5); i < LEN; i += tk_below(&g, 3) ? 1 : 2 + tk_below(&g, 9))
            if (i != 70000) point[n++] = (uint32_t)i;
        assert_int_equal(weir_key_reader_init(&reader, &k->points, &x, &ei), WEIR_OK);
        k->bad_section = WEIR_KEY_L;
        k->bad_point[0] = k->bad_point[1] = 70000;
        assert_int_equal(weir_key_reader_picked_g1(&reader, WEIR_KEY_L, point, n, out, &ei),
                         WEIR_OK);
        for (size_t i = 0; i < n; i++)
            assert_memory_equal(&out[i], &k->g1[fake_multiple(WEIR_KEY_L, point[i]) - 1],
                                sizeof *out);
        k->bad_point[0] = point[n - 1];
        k->bad_point[1] = point[n / 2];
        assert_int_equal(weir_key_reader_picked_g1(&reader, WEIR_KEY_L, point, n, out, &ei),
                         WEIR_E_ENCODING);
        char want[32];
        snprintf(want, sizeof want, "point %u", point[n / 2]);
        assert_string_equal(ei.text, want);
        assert_int_equal(weir_key_reader_picked_g1(&reader, WEIR_KEY_L, point, 0, out, &ei),
                         WEIR_OK);
        k->bad_section = WEIR_KEY_SECTIONS;
        weir_key_reader_clear(&reader);
    }
    free(point);
    free(out);
}

/* The same, with the threads' order fixed: the thread that has the first piece waits until the other one has the second,
 * and that one waits there until the first thread has met the bad point of piece 5. So the thread that started first
 * meets the later point. */
typedef struct choreography {
    atomic_int second_begun, later_met;
} choreography;

static weir_err read_in_step(void *ctx, weir_key_section section, uint64_t first, size_t n,
                             weir_g1_affine *out, weir_isa isa, weir_errinfo *ei)
{
    (void)section, (void)isa;
    choreography *c = ctx;
    memset(out, 0, n * sizeof *out);
    switch (first / 4096) {
    case 0:
        while (!atomic_load(&c->second_begun)) sched_yield();
        return WEIR_OK;
    case 1:
        atomic_store(&c->second_begun, 1);
        while (!atomic_load(&c->later_met)) sched_yield();
        return weir_fail(ei, WEIR_E_NOT_ON_CURVE, "earlier");
    case 5:
        atomic_store(&c->later_met, 1);
        return weir_fail(ei, WEIR_E_ENCODING, "later");
    default:
        return WEIR_OK;
    }
}

static void first_bad_point_in_step(void **state)
{
    (void)state;
    const weir_exec x = {.pool = tk_pool(2), .isa = weir_isa_best()};
    weir_g1_affine *out = malloc((6 << 12) * sizeof *out);
    for (int i = 0; i < 20; i++) {
        choreography c;
        weir_errinfo ei = {0};
        weir_key_reader reader;
        atomic_init(&c.second_begun, 0);
        atomic_init(&c.later_met, 0);
        const weir_key_points key = {
            .count[WEIR_KEY_L] = 6 << 12, .ctx = &c, .read_g1 = read_in_step};
        assert_int_equal(weir_key_reader_init(&reader, &key, &x, &ei), WEIR_OK);
        assert_int_equal(weir_key_reader_g1(&reader, WEIR_KEY_L, 0, 6 << 12, out, &ei),
                         WEIR_E_NOT_ON_CURVE);
        assert_string_equal(ei.text, "earlier");
        weir_key_reader_clear(&reader);
    }
    free(out);
}

static void budget_and_shape(void **state)
{
    const fake_key *k = *state;
    const weir_backend *cpu = weir_cpu_backend();
    const weir_exec x = {.isa = weir_isa_best()};
    weir_errinfo ei = {0};
    weir_session *session;
    weir_need need;
    assert_int_equal(cpu->bytes(cpu, &need, k->rel, WEIR_TERMS_ALL, UINT64_MAX, &x, &ei), WEIR_OK);
    uint64_t bytes = need.host_bytes;
    assert_int_equal(cpu->bytes(cpu, &need, k->rel, WEIR_TERMS_ALL, bytes - 1, &x, &ei),
                     WEIR_E_NOMEM);
    assert_string_equal(cpu->name, "cpu");
    assert_true(bytes > 3 * sizeof(weir_fr) << k->rel->domain_log2);
    assert_int_equal(cpu->can(cpu, k->rel, &k->points, WEIR_TERMS_ALL, bytes, &x, &ei), WEIR_OK);
    assert_int_equal(cpu->can(cpu, k->rel, &k->points, WEIR_TERMS_ALL, bytes - 1, &x, &ei),
                     WEIR_E_NOMEM);
    weir_key_points other = k->points;
    other.count[WEIR_KEY_A]++;
    assert_int_equal(cpu->can(cpu, k->rel, &other, WEIR_TERMS_ALL, bytes, &x, &ei),
                     WEIR_E_MISMATCH);
    assert_int_equal(cpu->begin(cpu, &session, k->rel, &other, WEIR_TERMS_ALL, UINT64_MAX, &x, &ei),
                     WEIR_E_MISMATCH);
    assert_null(session);
    cpu->end(NULL);
}

static void other_witness(void **state)
{
    const fake_key *k = *state;
    const weir_backend *cpu = weir_cpu_backend();
    const weir_exec x = {.isa = weir_isa_best()};
    weir_errinfo ei = {0};
    tk_rng g = tk_rng_new();
    fake_key small;
    weir_session *session;
    weir_sums out;
    fake_key_init(&small, &g, 10, true);
    assert_int_equal(
        cpu->begin(cpu, &session, small.rel, &small.points, WEIR_TERMS_ALL, UINT64_MAX, &x, &ei),
        WEIR_OK);
    assert_int_equal(cpu->run(session, &out, k->w, NULL, &x, &ei), WEIR_E_MISMATCH);
    assert_int_equal(cpu->run(session, &out, small.w, NULL, &x, &ei), WEIR_OK);
    cpu->end(session);
    fake_key_clear(&small);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cpu_peak_memory), /* first: the child starts with little memory */
        cmocka_unit_test(quotient_at_a_point), cmocka_unit_test(sums),
        cmocka_unit_test(pieces_and_paths),    cmocka_unit_test(first_bad_point),
        cmocka_unit_test(picked_points),       cmocka_unit_test(first_bad_point_in_step),
        cmocka_unit_test(budget_and_shape),    cmocka_unit_test(other_witness),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
