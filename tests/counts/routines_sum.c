/* Transforms and sums of many points, on one thread. */
#include "field/fr.h"
#include "msm/msm.h"
#include "poly/ntt.h"
#include "routines.h"

enum {
    NTT_LOG2 = 10,
    NTT_N = 1 << NTT_LOG2,
    MSM_G1_N = 1 << 10,
    MSM_G2_N = 1 << 8,
    BITS_G1_N = 1 << 12,
    BITS_G2_N = 1 << 10
};

/* ---- transforms */

typedef struct ntt_state {
    weir_exec x;
    weir_errinfo ei;
    weir_ntt_plan *plan;
    weir_fr *a, *b, *tmp; /* NTT_N each */
} ntt_state;

static void prepare_ntt(void *state, weir_isa isa)
{
    ntt_state *s = state;
    stream g = {3};
    s->x.isa = isa;
    must_ok(weir_ntt_plan_new(&s->plan, NTT_LOG2, &s->x, &s->ei), &s->ei);
    must(weir_ntt_scratch_bytes(s->plan) == 0, "a small transform needs scratch");
    s->a = pages(3 * NTT_N, sizeof *s->a);
    s->b = s->a + NTT_N;
    s->tmp = s->b + NTT_N;
    for (int i = 0; i < 2 * NTT_N; i++) stream_fr(&g, &s->a[i]);
}

static void release_ntt(void *state)
{
    ntt_state *s = state;
    pages_free(s->a, 3 * NTT_N, sizeof *s->a);
    weir_ntt_plan_free(s->plan);
}

static void run_ntt_forward(void *state)
{
    ntt_state *s = state;
    weir_ntt_forward(s->plan, s->a, NULL, &s->x);
}

static void run_ntt_inverse(void *state)
{
    ntt_state *s = state;
    weir_ntt_inverse(s->plan, s->a, NULL, &s->x);
}

static void run_quotient(void *state)
{
    ntt_state *s = state;
    weir_quotient(s->plan, s->a, s->b, s->tmp, NULL, &s->x);
}

/* ---- sums */

typedef struct sum_state {
    weir_exec x;
    weir_errinfo ei;
    weir_g1_affine *p;
    weir_g2_affine *q;
    weir_scalar k[MSM_G1_N];
    uint64_t bits[BITS_G1_N / 64];
    weir_g1 g1;
    weir_g2 g2;
} sum_state;

static void prepare_scalars(sum_state *s, weir_isa isa)
{
    stream g = {4};
    s->x.isa = isa;
    for (int i = 0; i < MSM_G1_N; i++) stream_scalar(&g, &s->k[i]);
    for (int i = 0; i < BITS_G1_N / 64; i++) s->bits[i] = stream_u64(&g);
}

static void prepare_g1(void *state, weir_isa isa)
{
    sum_state *s = state;
    prepare_scalars(s, isa);
    s->p = pages(BITS_G1_N, sizeof *s->p);
    powers_g1(s->p, BITS_G1_N, isa);
}

static void prepare_g2(void *state, weir_isa isa)
{
    sum_state *s = state;
    prepare_scalars(s, isa);
    s->q = pages(BITS_G2_N, sizeof *s->q);
    powers_g2(s->q, BITS_G2_N, isa);
}

static void release_g1(void *state)
{
    sum_state *s = state;
    pages_free(s->p, BITS_G1_N, sizeof *s->p);
}

static void release_g2(void *state)
{
    sum_state *s = state;
    pages_free(s->q, BITS_G2_N, sizeof *s->q);
}

static void run_msm_g1(void *state)
{
    sum_state *s = state;
    must_ok(weir_msm_g1(&s->g1, s->p, s->k, MSM_G1_N, &s->x, &s->ei), &s->ei);
}

static void run_msm_g2(void *state)
{
    sum_state *s = state;
    must_ok(weir_msm_g2(&s->g2, s->q, s->k, MSM_G2_N, &s->x, &s->ei), &s->ei);
}

static void run_bits_g1(void *state)
{
    sum_state *s = state;
    must_ok(weir_sum_bits_g1(&s->g1, s->p, s->bits, BITS_G1_N, &s->x, &s->ei), &s->ei);
}

static void run_bits_g2(void *state)
{
    sum_state *s = state;
    must_ok(weir_sum_bits_g2(&s->g2, s->q, s->bits, BITS_G2_N, &s->x, &s->ei), &s->ei);
}

routine_group sum_routines(void)
{
    enum { NTT_BYTES = sizeof(ntt_state), BYTES = sizeof(sum_state) };
    static const routine list[] = {
        {"ntt_forward_1024", ON_EACH, NTT_BYTES, prepare_ntt, run_ntt_forward, release_ntt},
        {"ntt_inverse_1024", ON_EACH, NTT_BYTES, prepare_ntt, run_ntt_inverse, release_ntt},
        {"quotient_1024", ON_EACH, NTT_BYTES, prepare_ntt, run_quotient, release_ntt},
        {"msm_g1_1024", ON_EACH, BYTES, prepare_g1, run_msm_g1, release_g1},
        {"msm_g2_256", ON_EACH, BYTES, prepare_g2, run_msm_g2, release_g2},
        {"sum_bits_g1_4096", ON_EACH, BYTES, prepare_g1, run_bits_g1, release_g1},
        {"sum_bits_g2_1024", ON_EACH, BYTES, prepare_g2, run_bits_g2, release_g2},
    };
    return (routine_group){list, sizeof list / sizeof *list};
}
