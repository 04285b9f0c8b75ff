#include "relation_twin.h"

#include "circuit/porep_circuit.h"
#include "field/fr.h"
#include "relation/cs.h"

#include <stdlib.h>
#include <string.h>

/* splitmix64, as in the test kit, which needs more libraries than a device machine may have. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint64_t below(uint64_t *state, uint64_t n)
{
    return next(state) % n;
}

static void random_fr(uint64_t *state, weir_fr *r)
{
    for (int i = 0; i < 4; i++) r->l[i] = next(state);
    r->l[3] >>= 2; /* below 2^254 */
}

/* ---- random shapes */

enum { MAX_COLS = 400 };

typedef struct columns {
    weir_col col[MAX_COLS];
    unsigned n;
} columns;

static void add_column(uint64_t *g, weir_cs *cs, columns *c)
{
    uint64_t kind = below(g, 8);
    if (c->n == MAX_COLS) return;
    c->col[c->n++] = kind < 4   ? weir_cs_alloc_bit(cs)
                     : kind < 7 ? weir_cs_alloc(cs)
                                : weir_cs_input(cs);
}

/* Coefficients 1 and -1 are half of them. */
static void random_row(uint64_t *g, weir_cs *cs, const columns *c, unsigned longest)
{
    weir_lc *lc[3] = {weir_cs_a(cs), weir_cs_b(cs), weir_cs_c(cs)};
    for (unsigned m = 0; m < 3; m++) {
        uint64_t n = below(g, below(g, 20) ? 5 : longest);
        for (uint64_t t = 0; t < n; t++) {
            weir_fr k;
            fr_from_u64(&k, 1 + below(g, below(g, 2) ? 1 : 50));
            if (below(g, 2)) fr_neg(&k, &k);
            weir_lc_add(cs, lc[m], below(g, 10) ? c->col[below(g, c->n)] : WEIR_COL_ONE, &k);
        }
    }
    weir_cs_end_row(cs);
}

static void random_part(uint64_t *g, weir_cs *cs, columns *c, unsigned rows, unsigned longest)
{
    for (unsigned i = 0; i < rows; i++) {
        add_column(g, cs, c);
        random_row(g, cs, c, longest);
    }
}

static weir_err random_shape(void *ctx, weir_cs *cs, weir_errinfo *ei)
{
    (void)ei;
    const twin_shape *p = ctx;
    uint64_t g = p->seed;
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

/* ---- packing */

static weir_err fill_and_pack(twin_relation *r, uint64_t seed, weir_errinfo *ei)
{
    WEIR_TRY(weir_witness_new(&r->w, r->rel, NULL, ei));
    for (uint64_t i = 0; i < r->rel->inputs; i++) random_fr(&seed, &r->w->inputs[i]);
    for (uint64_t i = 0; i < r->rel->dense; i++) random_fr(&seed, &r->w->dense[i]);
    for (uint64_t i = 0; i < r->rel->words; i++) r->w->bits[i] = next(&seed);
    r->relation_bytes = weir_gpu_relation_bytes(r->rel);
    r->witness_bytes = weir_gpu_witness_bytes(r->rel);
    r->relation = aligned_alloc(16, r->relation_bytes);
    r->witness = aligned_alloc(16, r->witness_bytes);
    if (!r->relation || !r->witness) return weir_fail(ei, WEIR_E_NOMEM, "no memory for a relation");
    weir_gpu_relation_pack(r->relation, r->rel);
    weir_gpu_witness_pack(r->witness, r->w, &(weir_exec){.isa = weir_isa_best()});
    return WEIR_OK;
}

weir_err twin_relation_random(twin_relation *r, const twin_shape *shape, weir_errinfo *ei)
{
    twin_shape s = *shape;
    memset(r, 0, sizeof *r);
    WEIR_TRY(weir_relation_build(&r->rel, random_shape, &s, ei));
    return fill_and_pack(r, shape->seed, ei);
}

weir_err twin_relation_porep(twin_relation *r, const char *sector, uint64_t seed, weir_errinfo *ei)
{
    const weir_porep_shape *shape = weir_porep_shape_by_name(sector);
    memset(r, 0, sizeof *r);
    if (!shape) return weir_fail(ei, WEIR_E_USAGE, "no sector size %s", sector);
    WEIR_TRY(weir_porep_relation(&r->rel, shape, 0, ei));
    return fill_and_pack(r, seed, ei);
}

void twin_relation_free(twin_relation *r)
{
    free(r->witness);
    free(r->relation);
    weir_witness_free(r->w);
    weir_relation_free(r->rel);
}
