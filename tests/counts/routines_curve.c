/* Points, their encodings, the pairing. */
#include "curve/curve.h"
#include "loops.h"
#include "routines.h"

enum { N = 16 };

typedef struct curve_state {
    const count_loops *loops;
    const weir_curve_ops *ops;
    weir_g1 p, ps[N];
    weir_g2 q, qs[N];
    weir_g1_affine pa[N];
    weir_g2_affine qa[N];
    weir_scalar k;
    uint8_t p_bytes[48], q_bytes[96];
    weir_g2_lines lines;
    weir_fp12 f;
} curve_state;

static void prepare(void *state, weir_isa isa)
{
    curve_state *s = state;
    stream g = {2};
    s->loops = count_loops_get(isa);
    s->ops = weir_curve_ops_get(isa);
    stream_scalar(&g, &s->k);
    s->ops->g1_mul(&s->p, weir_g1_generator(), &s->k);
    s->ops->g2_mul(&s->q, weir_g2_generator(), &s->k);
    s->ps[0] = s->p;
    s->qs[0] = s->q;
    for (int i = 1; i < N; i++) {
        s->ops->g1_add(&s->ps[i], &s->ps[i - 1], &s->ps[i - 1]);
        s->ops->g2_add(&s->qs[i], &s->qs[i - 1], &s->qs[i - 1]);
    }
    s->p = s->ps[N - 1];
    s->q = s->qs[N - 1];
    powers_g1(s->pa, N, isa);
    powers_g2(s->qa, N, isa);
    s->ops->g1_compress(s->p_bytes, &s->pa[N - 1]);
    s->ops->g2_compress(s->q_bytes, &s->qa[N - 1]);
}

static void prepare_pairing(void *state, weir_isa isa)
{
    curve_state *s = state;
    const weir_g2_lines *lines = &s->lines;
    prepare(state, isa);
    s->ops->g2_prepare(&s->lines, &s->qa[N - 1]);
    s->ops->miller(&s->f, &s->pa[N - 1], &lines, 1);
}

/* The last of them is p itself: 15 additions and a doubling. */
static void run_g1_add(void *state)
{
    curve_state *s = state;
    for (int i = 0; i < N; i++) s->ops->g1_add(&s->ps[i], &s->ps[i], &s->p);
}

static void run_g2_add(void *state)
{
    curve_state *s = state;
    for (int i = 0; i < N; i++) s->ops->g2_add(&s->qs[i], &s->qs[i], &s->q);
}

static void run_g1_madd(void *state)
{
    curve_state *s = state;
    s->loops->g1_madd(&s->p, s->pa, N);
}

static void run_g2_madd(void *state)
{
    curve_state *s = state;
    s->loops->g2_madd(&s->q, s->qa, N);
}

static void run_g1_mul(void *state)
{
    curve_state *s = state;
    s->ops->g1_mul(&s->p, &s->pa[1], &s->k);
}

static void run_g2_mul(void *state)
{
    curve_state *s = state;
    s->ops->g2_mul(&s->q, &s->qa[1], &s->k);
}

static void run_g1_decompress(void *state)
{
    curve_state *s = state;
    weir_err err = s->ops->g1_decompress(&s->pa[0], s->p_bytes, WEIR_CHECK_SUBGROUP);
    must(err == WEIR_OK, "a point of G1 was refused");
}

static void run_g2_decompress(void *state)
{
    curve_state *s = state;
    weir_err err = s->ops->g2_decompress(&s->qa[0], s->q_bytes, WEIR_CHECK_SUBGROUP);
    must(err == WEIR_OK, "a point of G2 was refused");
}

static void run_g2_prepare(void *state)
{
    curve_state *s = state;
    s->ops->g2_prepare(&s->lines, &s->qa[N - 1]);
}

static void run_miller(void *state)
{
    curve_state *s = state;
    const weir_g2_lines *lines = &s->lines;
    s->ops->miller(&s->f, &s->pa[N - 1], &lines, 1);
}

static void run_final_exp(void *state)
{
    curve_state *s = state;
    s->ops->final_exp(&s->f, &s->f);
}

routine_group curve_routines(void)
{
    enum { BYTES = sizeof(curve_state) };
    static const routine list[] = {
        {"g1_add_16", ON_EACH, BYTES, prepare, run_g1_add, NULL},
        {"g2_add_16", ON_EACH, BYTES, prepare, run_g2_add, NULL},
        {"g1_madd_16", ON_EACH, BYTES, prepare, run_g1_madd, NULL},
        {"g2_madd_16", ON_EACH, BYTES, prepare, run_g2_madd, NULL},
        {"g1_mul", ON_EACH, BYTES, prepare, run_g1_mul, NULL},
        {"g2_mul", ON_EACH, BYTES, prepare, run_g2_mul, NULL},
        {"g1_decompress", ON_EACH, BYTES, prepare, run_g1_decompress, NULL},
        {"g2_decompress", ON_EACH, BYTES, prepare, run_g2_decompress, NULL},
        {"g2_prepare", ON_EACH, BYTES, prepare, run_g2_prepare, NULL},
        {"miller", ON_EACH, BYTES, prepare_pairing, run_miller, NULL},
        {"final_exp", ON_EACH, BYTES, prepare_pairing, run_final_exp, NULL},
    };
    return (routine_group){list, sizeof list / sizeof *list};
}
