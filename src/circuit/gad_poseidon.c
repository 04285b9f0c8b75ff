/* Poseidon as rows: neptune's legacy circuit. Between S-boxes the state is a list of sums; mixing only rewrites the sums
 * and costs no row. The columns come out in the order of weir_poseidon_ops.trace. */
#include "circuit/gadget.h"

typedef struct state {
    weir_cs *cs;
    const weir_poseidon *p;
    const weir_fr *key; /* next round key */
    weir_lc cur[WEIR_POSEIDON_MAX_WIDTH], next[WEIR_POSEIDON_MAX_WIDTH];
} state;

/* base | base | q;  q | q | q4;  base | q4 | o - key.  base = col + pre * ONE; key may be NULL. Leaves element i = o. */
static void quintic(state *s, unsigned i, weir_col col, const weir_fr *pre, const weir_fr *key)
{
    weir_cs *cs = s->cs;
    const weir_fr *one = &weir_cs_k(cs)->one;
    weir_lc *lc[3] = {weir_cs_a(cs), weir_cs_b(cs), weir_cs_c(cs)};
    weir_col q = weir_cs_alloc(cs);
    for (unsigned m = 0; m < 2; m++) {
        weir_lc_add(cs, lc[m], col, one);
        if (pre) weir_lc_add(cs, lc[m], WEIR_COL_ONE, pre);
    }
    weir_lc_add(cs, lc[2], q, one);
    weir_cs_end_row(cs);
    weir_col q4 = weir_cs_alloc(cs);
    weir_lc_add(cs, lc[0], q, one);
    weir_lc_add(cs, lc[1], q, one);
    weir_lc_add(cs, lc[2], q4, one);
    weir_cs_end_row(cs);
    weir_col o = weir_cs_alloc(cs);
    weir_lc_add(cs, lc[0], col, one);
    if (pre) weir_lc_add(cs, lc[0], WEIR_COL_ONE, pre);
    weir_lc_add(cs, lc[1], q4, one);
    weir_lc_add(cs, lc[2], o, one);
    if (key) {
        weir_fr minus;
        fr_neg(&minus, key);
        weir_lc_add(cs, lc[2], WEIR_COL_ONE, &minus);
    }
    weir_cs_end_row(cs);
    weir_lc_reset(&s->cur[i]);
    weir_lc_add(cs, &s->cur[i], o, one);
}

/* sum | ONE | l: gives the sum a column. */
static weir_col materialize(state *s, unsigned i)
{
    weir_cs *cs = s->cs;
    const weir_fr *one = &weir_cs_k(cs)->one;
    weir_col l = weir_cs_alloc(cs);
    weir_lc_add_lc(cs, weir_cs_a(cs), &s->cur[i], one);
    weir_lc_add(cs, weir_cs_b(cs), WEIR_COL_ONE, one);
    weir_lc_add(cs, weir_cs_c(cs), l, one);
    weir_cs_end_row(cs);
    return l;
}

static void sbox(state *s, unsigned i, const weir_fr *key)
{
    quintic(s, i, materialize(s, i), NULL, key);
}

static void swap_states(state *s)
{
    for (unsigned j = 0; j < s->p->width; j++) {
        weir_lc t = s->cur[j];
        s->cur[j] = s->next[j];
        s->next[j] = t;
    }
}

/* next_j = sum_i cur_i M[i][j] */
static void mix(state *s, const weir_fr *m)
{
    unsigned t = s->p->width;
    for (unsigned j = 0; j < t; j++) {
        weir_lc_reset(&s->next[j]);
        for (unsigned i = 0; i < t; i++)
            weir_lc_add_lc(s->cs, &s->next[j], &s->cur[i], &m[i * t + j]);
        weir_lc_normalize(&s->next[j]);
    }
    swap_states(s);
}

/* next_0 = sum_i w_hat[i] cur_i;  cur_j += v_rest[j-1] cur_0 for j > 0 */
static void mix_sparse(state *s, const weir_fr *w_hat, const weir_fr *v_rest)
{
    unsigned t = s->p->width;
    weir_lc_reset(&s->next[0]);
    for (unsigned i = 0; i < t; i++) weir_lc_add_lc(s->cs, &s->next[0], &s->cur[i], &w_hat[i]);
    weir_lc_normalize(&s->next[0]);
    for (unsigned j = 1; j < t; j++) weir_lc_add_lc(s->cs, &s->cur[j], &s->cur[0], &v_rest[j - 1]);
    weir_lc tmp = s->cur[0];
    s->cur[0] = s->next[0];
    s->next[0] = tmp;
}

/* Element 0 is the tag, so its S-box is a constant; the others are columns already. */
static void first_round(state *s, const weir_col *preimage)
{
    unsigned t = s->p->width;
    const weir_fr *pre = s->p->round_keys, *post = pre + t;
    weir_lc_add(s->cs, &s->cur[0], WEIR_COL_ONE, &s->p->first);
    for (unsigned i = 1; i < t; i++) quintic(s, i, preimage[i - 1], &pre[i], &post[i]);
    s->key = post + t;
    mix(s, s->p->mds);
}

static void full_round(state *s, const weir_fr *matrix, bool keys)
{
    unsigned t = s->p->width;
    for (unsigned i = 0; i < t; i++) sbox(s, i, keys ? s->key + i : NULL);
    if (keys) s->key += t;
    mix(s, matrix);
}

weir_col weir_gad_poseidon(weir_cs *cs, const weir_poseidon *p, const weir_col *preimage)
{
    unsigned t = p->width, half = WEIR_POSEIDON_FULL_ROUNDS / 2;
    state s = {.cs = cs, .p = p};
    for (unsigned i = 0; i < t; i++) {
        weir_lc_init(&s.cur[i]);
        weir_lc_init(&s.next[i]);
    }
    first_round(&s, preimage);
    for (unsigned r = 1; r < half; r++)
        full_round(&s, r + 1 == half ? p->pre_sparse : p->mds, true);
    for (unsigned r = 0; r < p->partial_rounds; r++) {
        sbox(&s, 0, s.key++);
        mix_sparse(&s, p->sparse_w_hat + r * t, p->sparse_v_rest + r * (t - 1));
    }
    for (unsigned r = 0; r < half; r++) full_round(&s, p->mds, r + 1 < half);
    weir_col out = materialize(&s, 1);
    for (unsigned i = 0; i < t; i++) {
        weir_lc_free(&s.cur[i]);
        weir_lc_free(&s.next[i]);
    }
    return out;
}
