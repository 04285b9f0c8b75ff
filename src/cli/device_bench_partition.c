/* weir bench device: the device's part of one PoRep partition. The circuit and its witness are real; the key's points are known
 * multiples of the generator, so that each sum is a known multiple too: h and the other values come from the CPU. */
#include "base/alloc.h"
#include "base/clock.h"
#include "circuit/porep_circuit.h"
#include "cli/device_bench.h"
#include "cli/memory.h"
#include "compute/cpu_stages.h"
#include "curve/curve.h"
#include "field/fr.h"
#include "groth16/groth16.h"

#include <string.h>

typedef struct part_job {
    weir_device_bench *d;
    const weir_registered_porep *registered;
    unsigned challenges;
    weir_relation *rel;
    weir_porep_input *in;
    weir_porep_filler *filler;
    weir_witness *w;
    weir_key_points key;
    weir_session *session;
    weir_sums sums;
    weir_sums_stats stats;
    weir_fr want[3]; /* h + l, a, b_g1 */
    weir_fr want_b2;
} part_job;

/* ---- the key: point i of a section is a multiple picked by its number */

static weir_err read_g1(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g1_affine *out, weir_isa isa, weir_errinfo *ei)
{
    const part_job *j = ctx;
    (void)isa;
    (void)ei;
    for (size_t i = 0; i < n; i++)
        out[i] = j->d->points.g1[weir_device_pick((uint64_t)section, first + i)];
    return WEIR_OK;
}

static weir_err read_g2(void *ctx, weir_key_section section, uint64_t first, size_t n,
                        weir_g2_affine *out, weir_isa isa, weir_errinfo *ei)
{
    const part_job *j = ctx;
    (void)isa;
    (void)ei;
    for (size_t i = 0; i < n; i++)
        out[i] = j->d->points.g2[weir_device_pick((uint64_t)section, first + i)];
    return WEIR_OK;
}

/* ---- what the sums must be */

static bool scalar_at(void *ctx, uint64_t i, weir_fr *value)
{
    const weir_scalar *k = ctx;
    fr_from_scalar(value, &k[i]);
    return true;
}

static bool bit_at(void *ctx, uint64_t i, weir_fr *value)
{
    const uint64_t *bits = ctx;
    *value = fr_ONE;
    return bits[i / 64] >> (i % 64) & 1;
}

/* Over the points of a section that stand for a query. */
static void expect_section(part_job *j, weir_fr *out, const weir_cpu_query *q,
                           weir_key_section section)
{
    weir_device_expect(j->d, out, q->len, (uint64_t)section, bit_at, q->bits);
    for (uint64_t i = 0; i < q->dense; i++) {
        weir_fr v;
        fr_from_scalar(&v, &q->dense_value[i]);
        fr_mul(&v, &v,
               &j->d->points.multiple[weir_device_pick((uint64_t)section, q->dense_point[i])]);
        fr_add(out, out, &v);
    }
}

static weir_err expect_query(part_job *j, weir_fr *out, weir_query query, weir_key_section section,
                             weir_errinfo *ei)
{
    weir_cpu_query q;
    WEIR_TRY(weir_cpu_query_init(&q, j->w, query, &j->d->x, ei));
    expect_section(j, out, &q, section);
    weir_cpu_query_clear(&q, &j->d->x);
    return WEIR_OK;
}

static weir_err expect_h(part_job *j, weir_fr *out, weir_errinfo *ei)
{
    const weir_exec *x = &j->d->x;
    weir_ntt_plan *plan;
    weir_h_buffer h;
    weir_sums_stats stats;
    size_t n = (size_t)1 << j->rel->domain_log2;
    WEIR_TRY(weir_ntt_plan_new(&plan, j->rel->domain_log2, x, ei));
    weir_err err = weir_cpu_quotient(&h, plan, j->w, &stats, x, ei);
    weir_ntt_plan_free(plan);
    if (err != WEIR_OK) return err;
    weir_device_expect(j->d, out, n - 1, WEIR_KEY_H, scalar_at, h.scalar);
    weir_slab_give(x->slabs, h.fr, n, sizeof *h.fr);
    return WEIR_OK;
}

static weir_err expect_all(part_job *j, weir_errinfo *ei)
{
    weir_fr h;
    WEIR_TRY(weir_bench_step(j->d->b, "the CPU's answer"));
    WEIR_TRY(expect_h(j, &h, ei));
    WEIR_TRY(expect_query(j, &j->want[0], WEIR_QUERY_L, WEIR_KEY_L, ei));
    fr_add(&j->want[0], &j->want[0], &h);
    WEIR_TRY(expect_query(j, &j->want[1], WEIR_QUERY_A, WEIR_KEY_A, ei));
    WEIR_TRY(expect_query(j, &j->want[2], WEIR_QUERY_B, WEIR_KEY_B_G1, ei));
    return expect_query(j, &j->want_b2, WEIR_QUERY_B, WEIR_KEY_B_G2, ei);
}

static bool sums_are_right(const part_job *j)
{
    weir_isa isa = j->d->x.isa;
    weir_g1 hl;
    weir_curve_ops_get(isa)->g1_add(&hl, &j->sums.h, &j->sums.l);
    return weir_device_is_g1(&hl, &j->want[0], isa) &&
           weir_device_is_g1(&j->sums.a, &j->want[1], isa) &&
           weir_device_is_g1(&j->sums.b1, &j->want[2], isa) &&
           weir_device_is_g2(&j->sums.b2, &j->want_b2, isa);
}

/* ---- circuit, witness, session */

static weir_err prepare(part_job *j, weir_errinfo *ei)
{
    const weir_exec *x = &j->d->x;
    weir_sample_opts so = {
        .registered = j->registered, .seed = 1, .partitions = 1, .challenges = j->challenges};
    weir_sample_sector sector;
    weir_fill_stats stats;
    WEIR_TRY(weir_bench_step(j->d->b, "building the circuit"));
    WEIR_TRY(weir_porep_relation(&j->rel, j->registered->shape, j->challenges, ei));
    WEIR_TRY(weir_memory_fits(weir_prove_bytes(j->rel, x), "the CPU's answer", ei));
    WEIR_TRY(weir_porep_sample(&j->in, &sector, &so, ei));
    WEIR_TRY(weir_porep_filler_new(&j->filler, j->registered->shape, ei));
    WEIR_TRY(weir_witness_new(&j->w, j->rel, NULL, ei));
    WEIR_TRY(weir_porep_fill(j->w, j->filler, j->in, 0, &stats, x, ei));
    WEIR_TRY(expect_all(j, ei));
    j->key = (weir_key_points){.ctx = j, .read_g1 = read_g1, .read_g2 = read_g2};
    weir_key_points_expected(j->key.count, j->rel);
    WEIR_TRY(weir_bench_step(j->d->b, "key to the GPU"));
    return j->d->backend->begin(j->d->backend, &j->session, j->rel, &j->key, WEIR_TERMS_ALL,
                                j->d->budget_bytes, x, ei);
}

static void clear(part_job *j)
{
    j->d->backend->end(j->session);
    weir_witness_free(j->w);
    weir_porep_filler_free(j->filler);
    weir_porep_input_free(j->in);
    weir_relation_free(j->rel);
}

/* ---- rows: the whole, and its stages */

enum { STAGES = 7 };
static const char *const stage_names[STAGES] = {"  rows",    "  a, b to h", "  sum h, and dense l",
                                                "  sum l",   "  sum a",     "  sum b_g1",
                                                "  sum b_g2"};

static void keep_stages(double stage[STAGES][WEIR_BENCH_MAX_RUNS], unsigned run,
                        const weir_sums_stats *s)
{
    const uint64_t ns[STAGES] = {s->eval_ns, s->ntt_ns, s->h_ns, s->l_ns,
                                 s->a_ns,    s->b1_ns,  s->b2_ns};
    for (int i = 0; i < STAGES; i++) stage[i][run] = (double)ns[i];
}

static weir_err time_runs(part_job *j, const char *size, weir_errinfo *ei)
{
    weir_bench_run *b = j->d->b;
    double(*stage)[WEIR_BENCH_MAX_RUNS] = weir_calloc(STAGES, sizeof *stage);
    weir_bench_row row = {
        .what = "partition, upload to points", .size = size, .path = "gpu", .device = true};
    weir_err err = WEIR_OK;
    if (!stage) return weir_fail(ei, WEIR_E_NOMEM, "no memory");
    for (unsigned i = 0; i < b->runs; i++) {
        uint64_t t0 = weir_now_ns();
        WEIR_TRY_GOTO(j->d->backend->run(j->session, &j->sums, j->w, &j->stats, &j->d->x, ei));
        b->wall_ns[i] = (double)(weir_now_ns() - t0);
        keep_stages(stage, i, &j->stats);
        if (!sums_are_right(j)) {
            err =
                weir_fail(ei, WEIR_E_INTERNAL, "partition, %s: a sum is wrong in run %u", size, i);
            goto out;
        }
    }
    weir_bench_tell(b, &row, NULL, b->wall_ns, b->runs);
    for (int i = 0; i < STAGES; i++) {
        row.what = stage_names[i];
        weir_bench_tell(b, &row, NULL, stage[i], b->runs);
    }
out:
    weir_free(stage);
    return err;
}

weir_err weir_device_bench_partition(weir_device_bench *d, const weir_registered_porep *registered,
                                     unsigned challenges, weir_errinfo *ei)
{
    char size[40];
    part_job j = {.d = d, .registered = registered, .challenges = challenges};
    weir_err err = prepare(&j, ei);
    if (err == WEIR_OK) {
        snprintf(size, sizeof size, "2^%u", j.rel->domain_log2);
        err = time_runs(&j, size, ei);
    }
    clear(&j);
    return err;
}
