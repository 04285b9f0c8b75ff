/* What the benches time: loops give what they must on every path, inputs are what they say, and checks see a wrong result. */
#include <string.h>

#include "testkit.h"

#include "base/alloc.h"
#include "bench/chain.h"
#include "bench/curve_loops.h"
#include "bench/engine_load.h"
#include "bench/field_loops.h"
#include "bench/porep_proofs.h"
#include "bench/rand.h"
#include "bench/sums.h"
#include "curve/curve.h"
#include "field/fp.h"
#include "field/fr.h"

static void random_numbers(void **state)
{
    (void)state;
    weir_bench_rand g = {7}, h = {7};
    weir_fp fp[100];
    weir_fr fr[100];
    weir_scalar s[100];
    unsigned top = 0;
    weir_bench_rand_fps(&g, fp, 100);
    weir_bench_rand_frs(&g, fr, 100);
    weir_bench_rand_scalars(&g, s, 100);
    for (int i = 0; i < 100; i++) {
        assert_true(fp_is_reduced(&fp[i]) && fr_is_reduced(&fr[i]) && scalar_is_reduced(&s[i]));
        top |= (unsigned)(s[i].l[3] >> 62);
    }
    assert_int_equal(top, 1); /* the top bit below r is used */
    /* splitmix64 from 7, twice the same */
    g.state = 7;
    assert_int_equal(weir_bench_rand_u64(&g), weir_bench_rand_u64(&h));
    assert_int_not_equal(weir_bench_rand_u64(&g), 0);
}

/* ---- field loops: also those of eight lanes on paths without the instructions, by their twin */

static void fp_loops(void **state)
{
    (void)state;
    weir_bench_rand g = {tk_rng_new().state};
    weir_fp a[WEIR_BENCH_ELEMENTS], b[WEIR_BENCH_ELEMENTS], r[WEIR_BENCH_ELEMENTS],
        want[WEIR_BENCH_ELEMENTS];
    weir_bench_rand_fps(&g, a, WEIR_BENCH_ELEMENTS);
    weir_bench_rand_fps(&g, b, WEIR_BENCH_ELEMENTS);
    for (weir_isa isa = 0; tk_next_path(&isa); isa++)
        for (int k = 0; k < WEIR_BENCH_LOOPS; k++)
            for (size_t rounds = 1; rounds <= 3; rounds += 2) {
                const weir_bench_loop *l = &weir_bench_loops[k];
                memset(r, 0xff, sizeof r);
                weir_bench_field_ops_get(isa)->fp[k](r, a, b, rounds);
                weir_bench_fp_expect(want, a, b, l, rounds);
                assert_memory_equal(r, want, weir_bench_loop_results(l) * sizeof r[0]);
            }
}

static void fr_loops(void **state)
{
    (void)state;
    weir_bench_rand g = {tk_rng_new().state};
    weir_fr a[WEIR_BENCH_ELEMENTS], b[WEIR_BENCH_ELEMENTS], r[WEIR_BENCH_ELEMENTS],
        want[WEIR_BENCH_ELEMENTS];
    weir_bench_rand_frs(&g, a, WEIR_BENCH_ELEMENTS);
    weir_bench_rand_frs(&g, b, WEIR_BENCH_ELEMENTS);
    for (weir_isa isa = 0; tk_next_path(&isa); isa++)
        for (int k = 0; k < WEIR_BENCH_LOOPS; k++)
            for (size_t rounds = 1; rounds <= 3; rounds += 2) {
                const weir_bench_loop *l = &weir_bench_loops[k];
                memset(r, 0xff, sizeof r);
                weir_bench_field_ops_get(isa)->fr[k](r, a, b, rounds);
                weir_bench_fr_expect(want, a, b, l, rounds);
                assert_memory_equal(r, want, weir_bench_loop_results(l) * sizeof r[0]);
            }
}

/* What the loops are measured against, by other means: a b^n, a^(2^n), a + n b. */
static void expectations(void **state)
{
    (void)state;
    weir_bench_rand g = {3};
    weir_fr a[WEIR_BENCH_ELEMENTS], b[WEIR_BENCH_ELEMENTS], r[WEIR_BENCH_ELEMENTS], want, n;
    weir_bench_rand_frs(&g, a, WEIR_BENCH_ELEMENTS);
    weir_bench_rand_frs(&g, b, WEIR_BENCH_ELEMENTS);
    weir_bench_loop l = {WEIR_BENCH_mul, 8, 2};
    assert_int_equal(weir_bench_loop_results(&l), 16);
    weir_bench_fr_expect(r, a, b, &l, 3);
    fr_pow_u64(&want, &b[15], 3 * WEIR_BENCH_ELEMENTS / 16);
    fr_mul(&want, &want, &a[15]);
    assert_true(fr_eq(&want, &r[15]));
    l = (weir_bench_loop){WEIR_BENCH_sqr, 8, 1};
    weir_bench_fr_expect(r, a, b, &l, 1);
    fr_pow_u64(&want, &a[7], 1u << (WEIR_BENCH_ELEMENTS / 8));
    assert_true(fr_eq(&want, &r[7]));
    l = (weir_bench_loop){WEIR_BENCH_add, 1, 1};
    weir_bench_fr_expect(r, a, b, &l, 2);
    fr_from_u64(&n, 2 * WEIR_BENCH_ELEMENTS);
    fr_mul(&want, &n, &b[0]);
    fr_add(&want, &want, &a[0]);
    assert_true(fr_eq(&want, &r[0]));
    l = (weir_bench_loop){WEIR_BENCH_mul, 8, 0};
    assert_int_equal(weir_bench_loop_results(&l), WEIR_BENCH_ELEMENTS);
}

static void inversions(void **state)
{
    (void)state;
    weir_bench_rand g = {4};
    weir_fp a[20], b[20], tmp[20], t;
    weir_fr c[20], d[20], tmp_r[20], u;
    weir_bench_rand_fps(&g, a, 20);
    weir_bench_rand_frs(&g, c, 20);
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        memcpy(b, a, sizeof b);
        memcpy(d, c, sizeof d);
        weir_bench_field_ops_get(isa)->fps_inv(b, 20, tmp);
        weir_bench_field_ops_get(isa)->frs_inv(d, 20, tmp_r);
        for (int i = 0; i < 20; i++) {
            fp_mul(&t, &a[i], &b[i]);
            fr_mul(&u, &c[i], &d[i]);
            assert_true(fp_eq(&t, &fp_ONE) && fr_eq(&u, &fr_ONE));
        }
    }
}

/* ---- sums */

static void sum_case(bool g2, weir_bench_sum_kind kind, size_t n, unsigned window, unsigned threads)
{
    weir_errinfo ei = {0};
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_exec x = {.isa = isa, .pool = tk_pool(threads)};
        weir_bench_sum b = {.kind = kind, .g2 = g2, .window = window, .n = n};
        bool right = false;
        assert_int_equal(weir_bench_sum_init(&b, &x, &ei), WEIR_OK);
        assert_int_equal(weir_bench_sum_run(&b, &x, &ei), WEIR_OK);
        assert_int_equal(weir_bench_sum_check(&right, &b, &x, &ei), WEIR_OK);
        assert_true(right);
        /* another number than the one that was used, and the result is wrong */
        if (kind == WEIR_BENCH_BITS)
            b.bits[0] ^= 1;
        else
            b.k[n - 1].l[0] ^= 1;
        assert_int_equal(weir_bench_sum_check(&right, &b, &x, &ei), WEIR_OK);
        assert_false(right);
        assert_true(weir_bench_sum_bytes(g2, n, &x) > n * 160);
        weir_bench_sum_clear(&b);
    }
}

static void sums(void **state)
{
    (void)state;
    for (int g2 = 0; g2 < 2; g2++) {
        sum_case(g2, WEIR_BENCH_DENSE, 1, 0, 1);
        sum_case(g2, WEIR_BENCH_DENSE, 100, 0, 2);
        sum_case(g2, WEIR_BENCH_DENSE, 65, 5, 1);
        sum_case(g2, WEIR_BENCH_BITS, 130, 0, 2);
        sum_case(g2, WEIR_BENCH_FIXED, 64, 0, 1);
        sum_case(g2, WEIR_BENCH_FIXED, 20, 3, 2);
    }
}

static void curve_loops(void **state)
{
    (void)state;
    const weir_curve_ops *ops = weir_curve_ops_get(WEIR_ISA_PORTABLE);
    weir_g1 p[2], acc[2];
    weir_g2 q[2], acc2[2];
    weir_g1_affine flat[2];
    weir_g2_affine flat2[2];
    weir_fp tmp[2];
    weir_fp2 tmp2[2];
    weir_scalar k[2] = {{{5}}, {{7}}}, want = {{(5 + 2 * (5 + 7)) * 8}};
    for (int i = 0; i < 2; i++) {
        ops->g1_mul(&p[i], weir_g1_generator(), &k[i]);
        ops->g2_mul(&q[i], weir_g2_generator(), &k[i]);
    }
    ops->g1s_to_affine(flat, p, 2, tmp);
    ops->g2s_to_affine(flat2, q, 2, tmp2);
    for (weir_isa isa = 0; tk_next_path(&isa); isa++) {
        const weir_bench_curve_ops *l = weir_bench_curve_ops_get(isa);
        weir_g1_affine out[2];
        weir_g2_affine out2[2];
        acc[0] = p[0];
        l->g1_add(&acc[0], p, 2);
        l->g1_add_affine(&acc[0], flat, 2);
        l->g1_double(&acc[0], 3);
        ops->g1_mul(&acc[1], weir_g1_generator(), &want);
        ops->g1s_to_affine(out, acc, 2, tmp);
        assert_memory_equal(&out[0], &out[1], sizeof out[0]);
        acc2[0] = q[0];
        l->g2_add(&acc2[0], q, 2);
        l->g2_add_affine(&acc2[0], flat2, 2);
        l->g2_double(&acc2[0], 3);
        ops->g2_mul(&acc2[1], weir_g2_generator(), &want);
        ops->g2s_to_affine(out2, acc2, 2, tmp2);
        assert_memory_equal(&out2[0], &out2[1], sizeof out2[0]);
    }
}

/* ---- proofs without a circuit, and the chain of squares */

static void porep_proofs(void **state)
{
    (void)state;
    weir_errinfo ei = {0};
    const weir_exec x = {.isa = weir_isa_best()};
    const weir_registered_porep *r = weir_registered_porep_by_name("StackedDrg32GiBV1_1");
    weir_bench_proofs b = {.n = 0};
    weir_pvk *pvk;
    bool valid;
    assert_int_equal(weir_bench_proofs_init(&b, r, &x, &ei), WEIR_OK);
    assert_int_equal(b.n, 10);
    assert_int_equal(b.n_inputs, 327);
    assert_int_equal(b.known.vk.n_ic, 328);
    assert_false(weir_vk_is_insecure(&b.known.vk));
    assert_int_equal(weir_pvk_new(&pvk, &b.known.vk, x.isa, &ei), WEIR_OK);
    for (size_t k = 0; k < b.n; k++) {
        const weir_fr *inputs = b.inputs + k * b.n_inputs;
        const weir_fr *other = b.inputs + (k + 1) % b.n * b.n_inputs;
        assert_int_equal(weir_verify(&valid, pvk, &b.proofs[k], inputs, b.n_inputs, &x, &ei),
                         WEIR_OK);
        assert_true(valid);
        assert_int_equal(weir_verify(&valid, pvk, &b.proofs[k], other, b.n_inputs, &x, &ei),
                         WEIR_OK);
        assert_false(valid);
    }
    weir_pvk_free(pvk);
    weir_bench_proofs_clear(&b);
}

static void chain(void **state)
{
    (void)state;
    weir_errinfo ei = {0};
    const weir_exec x = {.isa = weir_isa_best(), .pool = tk_pool(2)};
    for (unsigned log2 = WEIR_BENCH_CHAIN_MIN_LOG2; log2 <= 9; log2++) {
        weir_bench_chain c = {.rel = NULL};
        weir_blinding r;
        weir_proof proof;
        weir_pvk *pvk;
        bool valid;
        assert_int_equal(weir_bench_chain_init(&c, log2, &ei), WEIR_OK);
        assert_int_equal(c.rel->rows, 1u << log2);
        assert_int_equal(c.rel->domain_log2, log2);
        assert_int_equal(c.rel->dense, c.rel->aux);
        assert_int_equal(c.rel->inputs, 2);
        assert_int_equal(weir_relation_check(c.w, &x), c.rel->rows);
        assert_int_equal(weir_bench_chain_key(&c, &x, &ei), WEIR_OK);
        assert_int_equal(weir_pkey_fits(&c.key.key, c.rel, &ei), WEIR_OK);
        assert_int_equal(weir_blinding_fresh(&r, &ei), WEIR_OK);
        assert_int_equal(weir_prove(&proof, c.w, &c.key.key, &r, NULL, &x, &ei), WEIR_OK);
        assert_int_equal(weir_pvk_new(&pvk, &c.key.vk, x.isa, &ei), WEIR_OK);
        assert_int_equal(weir_verify(&valid, pvk, &proof, &c.w->inputs[1], 1, &x, &ei), WEIR_OK);
        assert_true(valid);
        weir_pvk_free(pvk);
        weir_bench_chain_clear(&c);
    }
}

/* Every request for memory refused once: an error, and nothing is lost or freed twice. */
static void no_memory(void **state)
{
    (void)state;
    const weir_exec x = {.isa = weir_isa_best()};
    const weir_registered_porep *r = weir_registered_porep_by_name("StackedDrg2KiBV1_1");
    weir_err err = WEIR_E_NOMEM;
    for (uint64_t n = 1; err != WEIR_OK; n++) {
        weir_errinfo ei = {0};
        weir_bench_chain c = {.rel = NULL};
        weir_bench_proofs p = {.n = 0};
        weir_bench_sum s = {.kind = WEIR_BENCH_DENSE, .n = 40};
        weir_alloc_fail_nth(n, 0);
        err = weir_bench_chain_init(&c, 3, &ei);
        if (err == WEIR_OK) err = weir_bench_chain_key(&c, &x, &ei);
        if (err == WEIR_OK) err = weir_bench_proofs_init(&p, r, &x, &ei);
        if (err == WEIR_OK) err = weir_bench_sum_init(&s, &x, &ei);
        weir_alloc_fail_nth(0, 0);
        assert_true(err == WEIR_OK || err == WEIR_E_NOMEM);
        assert_true(err == WEIR_OK || ei.text[0]);
        weir_bench_chain_clear(&c);
        weir_bench_proofs_clear(&p);
        weir_bench_sum_clear(&s);
    }
}

/* Times of two runs together are those of one run, in order. */
static void loads_are_added(void **state)
{
    (void)state;
    static const double a[3] = {1, 4, 9}, b[2] = {2, 16}, all[5] = {1, 2, 4, 9, 16};
    weir_load_result r[2] = {{.jobs = 1, .partitions = 3, .wall_ns = 10},
                             {.jobs = 1, .partitions = 2, .wall_ns = 5}};
    weir_errinfo ei = {0};
    for (int k = 0; k < 2; k++) {
        r[k].job_ns = weir_calloc(1, sizeof *r[k].job_ns);
        r[k].job_ns[0] = k == 0 ? 10 : 5;
        for (int i = 0; i < WEIR_LOAD_STAGES; i++) {
            r[k].stage_ns[i] = weir_calloc(r[k].partitions, sizeof *a);
            memcpy(r[k].stage_ns[i], k == 0 ? a : b, r[k].partitions * sizeof *a);
        }
    }
    assert_int_equal(weir_load_result_add(&r[0], &r[1], &ei), WEIR_OK);
    assert_true(r[0].jobs == 2 && r[0].partitions == 5 && r[0].wall_ns == 15);
    assert_true(r[0].job_ns[0] == 5 && r[0].job_ns[1] == 10);
    for (int i = 0; i < WEIR_LOAD_STAGES; i++)
        assert_memory_equal(r[0].stage_ns[i], all, sizeof all);
    weir_load_result_clear(&r[0]);
    weir_load_result_clear(&r[1]);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_are_added),
        cmocka_unit_test(random_numbers),
        cmocka_unit_test(fp_loops),
        cmocka_unit_test(fr_loops),
        cmocka_unit_test(expectations),
        cmocka_unit_test(inversions),
        cmocka_unit_test(sums),
        cmocka_unit_test(curve_loops),
        cmocka_unit_test(porep_proofs),
        cmocka_unit_test(chain),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
