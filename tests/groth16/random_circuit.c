#include "random_circuit.h"

#include "field/fr.h"
#include "relation/cs.h"

#include <stdlib.h>
#include <string.h>

static bool chance(tk_rng *g, unsigned percent)
{
    return tk_below(g, 100) < percent;
}

/* ---- numbering: where a term's column lies in the whole */

static unsigned input_base(const rc_circuit *c, unsigned seg)
{
    unsigned at = 1;
    for (unsigned s = 0; s < seg; s++) at += c->segment[s].count * c->segment[s].inputs;
    return at;
}

static unsigned aux_base(const rc_circuit *c, unsigned seg)
{
    unsigned at = 0;
    for (unsigned s = 0; s < seg; s++) at += c->segment[s].count * c->segment[s].aux;
    return at;
}

/* Inputs first, then auxiliary columns. */
static unsigned column(const rc_circuit *c, unsigned seg, unsigned rep, const rc_term *t)
{
    const rc_segment *s = &c->segment[seg];
    switch (t->kind) {
    case RC_ONE:
        return 0;
    case RC_PROLOGUE_INPUT:
        return 1 + t->index;
    case RC_PROLOGUE_AUX:
        return c->inputs + t->index;
    case RC_LOCAL_INPUT:
        return input_base(c, seg) + rep * s->inputs + t->index;
    case RC_LOCAL_AUX:
        break;
    }
    return c->inputs + aux_base(c, seg) + rep * s->aux + t->index;
}

static weir_fr *value(const rc_circuit *c, unsigned seg, unsigned rep, const rc_term *t)
{
    unsigned col = column(c, seg, rep, t);
    return col < c->inputs ? &c->input_value[col] : &c->aux_value[col - c->inputs];
}

/* ---- making */

static void random_coef(tk_rng *g, weir_fr *k)
{
    switch (tk_below(g, 4)) {
    case 0:
        *k = fr_ONE;
        break;
    case 1:
        fr_neg(k, &fr_ONE);
        break;
    case 2:
        fr_from_u64(k, 1 + tk_below(g, 8));
        break;
    default:
        do {
            tk_fr(g, k);
        } while (fr_is_zero(k));
    }
}

static void add_term(tk_rng *g, rc_lc *lc, rc_kind kind, unsigned index)
{
    if (lc->n == RC_TERMS) return;
    for (unsigned i = 0; i < lc->n; i++)
        if (lc->term[i].kind == kind && lc->term[i].index == index) return;
    rc_term *t = &lc->term[lc->n++];
    *t = (rc_term){.kind = kind, .index = index};
    random_coef(g, &t->coef);
}

static rc_term local_term(const rc_segment *s, unsigned slot)
{
    return slot < s->inputs ? (rc_term){.kind = RC_LOCAL_INPUT, .index = slot}
                            : (rc_term){.kind = RC_LOCAL_AUX, .index = slot - s->inputs};
}

/* Adds column `slot` (inputs, then aux) of segment `from` to matrix m of a row in segment `seg`, if it may stand there.
 * A column that a later row defines may not, since its value is not known yet. */
static void try_slot(rc_circuit *c, tk_rng *g, unsigned seg, unsigned from, unsigned slot,
                     unsigned m, rc_lc *lc)
{
    rc_segment *s = &c->segment[from];
    if (!((s->in[slot] >> m) & 1) || lc->n + 1 >= RC_TERMS) return;
    if (s->defined[slot] && !s->used[slot]) return;
    rc_term t = local_term(s, slot);
    if (from == 0) t.kind = t.kind == RC_LOCAL_INPUT ? RC_PROLOGUE_INPUT : RC_PROLOGUE_AUX;
    (void)seg;
    add_term(g, lc, t.kind, t.index);
    s->used[slot] = true;
}

static void random_lc(rc_circuit *c, tk_rng *g, unsigned seg, unsigned m, rc_lc *lc)
{
    unsigned want = (unsigned)tk_below(g, 5);
    if (chance(g, 30)) add_term(g, lc, RC_ONE, 0);
    for (unsigned i = 0; i < want; i++) {
        unsigned from = seg > 0 && chance(g, 25) ? 0 : seg;
        const rc_segment *s = &c->segment[from];
        if (s->inputs + s->aux == 0) continue;
        try_slot(c, g, seg, from, (unsigned)tk_below(g, s->inputs + s->aux), m, lc);
    }
}

/* Columns that nothing has used go into the segment's last rows, several to a row. */
static void use_the_rest(rc_circuit *c, tk_rng *g, unsigned seg, rc_row *row)
{
    rc_segment *s = &c->segment[seg];
    for (unsigned slot = s->inputs; slot < s->inputs + s->aux; slot++)
        for (unsigned m = 0; m < 3 && !s->used[slot]; m++)
            try_slot(c, g, seg, seg, slot, m, &row->m[m]);
}

static void make_rows(rc_circuit *c, tk_rng *g, unsigned seg, const unsigned *definer)
{
    rc_segment *s = &c->segment[seg];
    for (unsigned i = 0; i < s->rows; i++) {
        rc_row *row = &s->row[i];
        for (unsigned m = 0; m < 3; m++) random_lc(c, g, seg, m, &row->m[m]);
        if (2 * i >= s->rows) use_the_rest(c, g, seg, row);
        rc_term t = local_term(s, definer[i]);
        if (seg == 0) t.kind = t.kind == RC_LOCAL_INPUT ? RC_PROLOGUE_INPUT : RC_PROLOGUE_AUX;
        if (row->m[2].n == RC_TERMS) row->m[2].n--;
        random_coef(g, &t.coef);
        row->m[2].term[row->m[2].n++] = t;
        s->used[definer[i]] = true;
    }
}

/* Free columns and one defined column a row, in random order. */
static void make_segment(rc_circuit *c, tk_rng *g, unsigned seg, const rc_options *o)
{
    rc_segment *s = &c->segment[seg];
    unsigned free_aux = o->public_only || o->no_rows ? 0 : (unsigned)tk_below(g, 10);
    unsigned free_inputs = (unsigned)tk_below(g, 3), defined_inputs = 0;
    s->count = seg == 1 ? 1 + (unsigned)tk_below(g, 4) : 1;
    /* two rows for each free column, so that those that no row took at first find a place */
    s->rows = o->no_rows ? 0 : 2 + (unsigned)tk_below(g, 6) + 2 * free_aux;
    for (unsigned i = 0; i < s->rows; i++) defined_inputs += o->public_only || chance(g, 10);
    s->inputs = free_inputs + defined_inputs;
    s->aux = free_aux + s->rows - defined_inputs;
    unsigned slots = s->inputs + s->aux, d = 0;
    unsigned *definer = calloc(s->rows + 1, sizeof *definer);
    s->bit = calloc(s->aux + 1, sizeof *s->bit);
    s->in = calloc(slots + 1, sizeof *s->in);
    s->defined = calloc(slots + 1, sizeof *s->defined);
    s->used = calloc(slots + 1, sizeof *s->used);
    s->row = calloc(s->rows + 1, sizeof *s->row);
    for (unsigned i = free_inputs; i < s->inputs; i++) definer[d++] = i;
    for (unsigned left = s->rows - defined_inputs; left > 0;) {
        unsigned slot = s->inputs + (unsigned)tk_below(g, s->aux);
        if (s->defined[slot]) continue;
        s->defined[slot] = true;
        definer[d++] = slot;
        left--;
    }
    for (unsigned i = free_inputs; i < s->inputs; i++) s->defined[i] = true;
    for (unsigned i = s->rows; i-- > 1;) {
        unsigned j = (unsigned)tk_below(g, i + 1), t = definer[i];
        definer[i] = definer[j];
        definer[j] = t;
    }
    for (unsigned i = 0; i < slots; i++) {
        bool aux = i >= s->inputs;
        s->in[i] = (uint8_t)(chance(g, aux ? o->percent_a : 30) |
                             chance(g, aux ? o->percent_b : 30) << 1 | chance(g, 50) << 2);
        if (s->in[i] == 0) s->in[i] = 4;
        if (aux) s->bit[i - s->inputs] = !s->defined[i] && chance(g, 60);
    }
    make_rows(c, g, seg, definer);
    free(definer);
}

static void lc_value(const rc_circuit *c, unsigned seg, unsigned rep, const rc_lc *lc, unsigned n,
                     weir_fr *out)
{
    fr_set_zero(out);
    for (unsigned i = 0; i < n; i++) {
        weir_fr t;
        fr_mul(&t, &lc->term[i].coef, value(c, seg, rep, &lc->term[i]));
        fr_add(out, out, &t);
    }
}

/* Free columns at random, defined ones from their rows: (a b - rest of C) / coefficient. */
static void make_values(rc_circuit *c, tk_rng *g)
{
    for (unsigned seg = 0; seg < c->segments; seg++)
        for (unsigned rep = 0; rep < c->segment[seg].count; rep++) {
            const rc_segment *s = &c->segment[seg];
            for (unsigned slot = 0; slot < s->inputs + s->aux; slot++) {
                rc_term t = local_term(s, slot);
                weir_fr *v = value(c, seg, rep, &t);
                if (slot >= s->inputs && s->bit[slot - s->inputs])
                    fr_from_u64(v, tk_below(g, 2));
                else if (chance(g, 20))
                    fr_from_u64(v, tk_below(g, 2));
                else
                    tk_fr(g, v);
            }
            for (unsigned i = 0; i < s->rows; i++) {
                const rc_row *row = &s->row[i];
                const rc_term *out = &row->m[2].term[row->m[2].n - 1];
                weir_fr a, b, rest, inv;
                lc_value(c, seg, rep, &row->m[0], row->m[0].n, &a);
                lc_value(c, seg, rep, &row->m[1], row->m[1].n, &b);
                lc_value(c, seg, rep, &row->m[2], row->m[2].n - 1, &rest);
                fr_mul(&a, &a, &b);
                fr_sub(&a, &a, &rest);
                weir_fr_inv(&inv, &out->coef);
                fr_mul(value(c, seg, rep, out), &a, &inv);
            }
        }
}

rc_circuit *rc_make(tk_rng *g, const rc_options *o)
{
    rc_circuit *c = calloc(1, sizeof *c);
    c->segments = o->segments;
    c->inputs = 1;
    for (unsigned seg = 0; seg < c->segments; seg++) {
        make_segment(c, g, seg, o);
        c->inputs += c->segment[seg].count * c->segment[seg].inputs;
        c->aux += c->segment[seg].count * c->segment[seg].aux;
    }
    c->input_value = calloc(c->inputs, sizeof *c->input_value);
    c->aux_value = calloc(c->aux + 1, sizeof *c->aux_value);
    c->input_value[0] = fr_ONE;
    make_values(c, g);
    return c;
}

void rc_free(rc_circuit *c)
{
    for (unsigned seg = 0; seg < c->segments; seg++) {
        rc_segment *s = &c->segment[seg];
        free(s->bit);
        free(s->in);
        free(s->defined);
        free(s->used);
        free(s->row);
    }
    free(c->input_value);
    free(c->aux_value);
    free(c);
}

/* ---- use */

weir_err rc_shape(void *ctx, weir_cs *cs, weir_errinfo *ei)
{
    (void)ei;
    const rc_circuit *c = ctx;
    weir_col *col[2][2] = {{0}}; /* [prologue, this segment][input, aux] */
    for (unsigned seg = 0; seg < c->segments; seg++) {
        const rc_segment *s = &c->segment[seg];
        if (seg == 1) weir_cs_period(cs, s->count);
        if (seg == 2) weir_cs_epilogue(cs);
        unsigned own = seg > 0;
        free(col[own][0]);
        free(col[own][1]);
        col[own][0] = calloc(s->inputs + 1, sizeof(weir_col));
        col[own][1] = calloc(s->aux + 1, sizeof(weir_col));
        for (unsigned i = 0; i < s->inputs; i++) col[own][0][i] = weir_cs_input(cs);
        for (unsigned i = 0; i < s->aux; i++)
            col[own][1][i] = s->bit[i] ? weir_cs_alloc_bit(cs) : weir_cs_alloc(cs);
        for (unsigned r = 0; r < s->rows; r++) {
            weir_lc *lc[3] = {weir_cs_a(cs), weir_cs_b(cs), weir_cs_c(cs)};
            for (unsigned m = 0; m < 3; m++)
                for (unsigned i = 0; i < s->row[r].m[m].n; i++) {
                    const rc_term *t = &s->row[r].m[m].term[i];
                    bool local = t->kind == RC_LOCAL_INPUT || t->kind == RC_LOCAL_AUX;
                    bool aux = t->kind == RC_PROLOGUE_AUX || t->kind == RC_LOCAL_AUX;
                    weir_col at =
                        t->kind == RC_ONE ? WEIR_COL_ONE : col[local && own][aux][t->index];
                    weir_lc_add(cs, lc[m], at, &t->coef);
                }
            weir_cs_end_row(cs);
        }
    }
    for (int i = 0; i < 4; i++) free(col[i / 2][i % 2]);
    return WEIR_OK;
}

void rc_fill(const rc_circuit *c, weir_witness *w)
{
    weir_witness_reset(w);
    for (unsigned seg = 0; seg < c->segments; seg++)
        for (unsigned rep = 0; rep < c->segment[seg].count; rep++) {
            const rc_segment *s = &c->segment[seg];
            weir_packer p = weir_witness_packer(w, seg, rep);
            for (unsigned slot = 0; slot < s->inputs + s->aux; slot++) {
                rc_term t = local_term(s, slot);
                const weir_fr *v = value(c, seg, rep, &t);
                if (slot < s->inputs)
                    pack_input(&p, v);
                else if (s->bit[slot - s->inputs])
                    pack_bits(&p, fr_eq(v, &fr_ONE), 1);
                else
                    pack_dense(&p, v);
            }
            assert_true(weir_witness_packer_done(w, seg, rep, &p));
        }
}

void rc_expand(const rc_circuit *c, rc_term_fn fn, void *ctx)
{
    unsigned row = 0;
    for (unsigned seg = 0; seg < c->segments; seg++)
        for (unsigned rep = 0; rep < c->segment[seg].count; rep++)
            for (unsigned r = 0; r < c->segment[seg].rows; r++, row++)
                for (unsigned m = 0; m < 3; m++) {
                    const rc_lc *lc = &c->segment[seg].row[r].m[m];
                    for (unsigned i = 0; i < lc->n; i++)
                        fn(ctx, row, m, column(c, seg, rep, &lc->term[i]), &lc->term[i].coef);
                }
    for (unsigned i = 0; i < c->inputs; i++) fn(ctx, row + i, WEIR_A, i, &fr_ONE);
}
