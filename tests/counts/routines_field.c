/* Chains of 64 field operations, and eight inversions: their time depends on the element. */
#include "field/inverse.h"
#include "loops.h"
#include "routines.h"

enum { N = 64, INVERSIONS = 8 };

typedef struct field_state {
    const count_loops *loops;
    weir_fp fp, fps[N];
    weir_fp2 fp2, fp2s[N];
    weir_fr fr, frs[N];
} field_state;

static void prepare(void *state, weir_isa isa)
{
    field_state *s = state;
    stream g = {1};
    s->loops = count_loops_get(isa);
    stream_fp(&g, &s->fp);
    stream_fp(&g, &s->fp2.c0);
    stream_fp(&g, &s->fp2.c1);
    stream_fr(&g, &s->fr);
    for (int i = 0; i < N; i++) {
        stream_fp(&g, &s->fps[i]);
        stream_fp(&g, &s->fp2s[i].c0);
        stream_fp(&g, &s->fp2s[i].c1);
        stream_fr(&g, &s->frs[i]);
    }
}

static void run_fp_mul(void *state)
{
    field_state *s = state;
    s->loops->fp_mul(&s->fp, s->fps, N);
}

static void run_fp_sqr(void *state)
{
    field_state *s = state;
    s->loops->fp_sqr(&s->fp, N);
}

static void run_fp_inv(void *state)
{
    field_state *s = state;
    for (int i = 0; i < INVERSIONS; i++) weir_fp_inv(&s->fps[i], &s->fps[i]);
}

static void run_fp2_mul(void *state)
{
    field_state *s = state;
    s->loops->fp2_mul(&s->fp2, s->fp2s, N);
}

static void run_fp2_sqr(void *state)
{
    field_state *s = state;
    s->loops->fp2_sqr(&s->fp2, N);
}

static void run_fr_mul(void *state)
{
    field_state *s = state;
    s->loops->fr_mul(&s->fr, s->frs, N);
}

static void run_fr_sqr(void *state)
{
    field_state *s = state;
    s->loops->fr_sqr(&s->fr, N);
}

static void run_fr_inv(void *state)
{
    field_state *s = state;
    for (int i = 0; i < INVERSIONS; i++) weir_fr_inv(&s->frs[i], &s->frs[i]);
}

routine_group field_routines(void)
{
    enum { BYTES = sizeof(field_state) };
    static const routine list[] = {
        {"fp_mul_64", ON_EACH, BYTES, prepare, run_fp_mul, NULL},
        {"fp_sqr_64", ON_EACH, BYTES, prepare, run_fp_sqr, NULL},
        {"fp_inv_8", ON_ONE, BYTES, prepare, run_fp_inv, NULL},
        {"fp2_mul_64", ON_EACH, BYTES, prepare, run_fp2_mul, NULL},
        {"fp2_sqr_64", ON_EACH, BYTES, prepare, run_fp2_sqr, NULL},
        {"fr_mul_64", ON_EACH, BYTES, prepare, run_fr_mul, NULL},
        {"fr_sqr_64", ON_EACH, BYTES, prepare, run_fr_sqr, NULL},
        {"fr_inv_8", ON_ONE, BYTES, prepare, run_fr_inv, NULL},
    };
    return (routine_group){list, sizeof list / sizeof *list};
}
