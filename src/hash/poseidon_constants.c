/* The constants of Poseidon from first principles: nothing is tabulated.
 *
 * 1. Round constants: the Grain LFSR of Grassi et al. 2019/458, appendix E.
 * 2. MDS matrix: the Cauchy matrix 1 / (x_i + y_j) with x_i = i, y_j = width + j (section 2.3).
 * 3. Compressed round constants: a key that is added after the mixing of a round is moved back
 *    through the inverse matrix to just after the S-boxes; in partial rounds all of it but element
 *    0 moves on to the round before.
 * 4. Sparse matrices: M = M' M'' with M'' sparse; M' leaves element 0 alone, so it commutes with
 *    the partial S-box and joins the matrix of the round before (appendix B).
 * mv(X, v) below is the matrix times a column vector; M is symmetric, so for M itself this is also
 * the mixing step.
 */
#include "hash/poseidon_constants.h"

#include "base/alloc.h"
#include "field/fr.h"

enum { MAX = WEIR_POSEIDON_MAX_WIDTH, HALF = WEIR_POSEIDON_FULL_ROUNDS / 2 };

typedef struct matrix {
    weir_fr e[MAX][MAX];
} matrix;

/* ---- round constants */

/* Eighty bits, the oldest lowest. */
typedef struct grain {
    unsigned __int128 bits;
} grain;

static unsigned grain_step(grain *g)
{
    unsigned __int128 s = g->bits;
    unsigned b = (unsigned)(s >> 62 ^ s >> 51 ^ s >> 38 ^ s >> 23 ^ s >> 13 ^ s) & 1;
    g->bits = s >> 1 | (unsigned __int128)b << 79;
    return b;
}

/* The self-shrinking output: of each pair of steps the second counts if the first is one. */
static unsigned grain_bit(grain *g)
{
    while (!grain_step(g)) (void)grain_step(g);
    return grain_step(g);
}

static void grain_init(grain *g, unsigned width, unsigned partial_rounds)
{
    /* value, bits: a prime field; the S-box number that neptune uses; bits of r; shape; thirty ones
     * */
    const unsigned fields[7][2] = {{1, 2},
                                   {1, 4},
                                   {WEIR_FR_BITS, 12},
                                   {width, 12},
                                   {WEIR_POSEIDON_FULL_ROUNDS, 10},
                                   {partial_rounds, 10},
                                   {(1u << 30) - 1, 30}};
    unsigned at = 0;
    g->bits = 0;
    for (int i = 0; i < 7; i++)
        for (unsigned k = fields[i][1]; k-- > 0; at++)
            g->bits |= (unsigned __int128)((fields[i][0] >> k) & 1) << at;
    for (int i = 0; i < 160; i++) (void)grain_step(g);
}

/* A number of 255 bits, most significant first; those not below r are thrown away. */
static void grain_element(grain *g, weir_fr *r)
{
    weir_scalar s;
    do {
        s = (weir_scalar){{0}};
        for (unsigned k = WEIR_FR_BITS; k-- > 0;) s.l[k / 64] |= (uint64_t)grain_bit(g) << (k % 64);
    } while (!scalar_is_reduced(&s));
    fr_from_scalar(r, &s);
}

/* ---- matrices */

/* out = x v; out may not be v. */
static void mv(weir_fr *out, const matrix *x, const weir_fr *v, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        weir_fr acc = {{0}}, t;
        for (unsigned j = 0; j < n; j++) {
            fr_mul(&t, &x->e[i][j], &v[j]);
            fr_add(&acc, &acc, &t);
        }
        out[i] = acc;
    }
}

/* row[0..n) = row * k */
static void scale_row(weir_fr *row, const weir_fr *k, unsigned n)
{
    for (unsigned j = 0; j < n; j++) fr_mul(&row[j], &row[j], k);
}

/* row -= k * other */
static void eliminate_row(weir_fr *row, const weir_fr *k, const weir_fr *other, unsigned n)
{
    for (unsigned j = 0; j < n; j++) {
        weir_fr t;
        fr_mul(&t, k, &other[j]);
        fr_sub(&row[j], &row[j], &t);
    }
}

static void swap_rows(weir_fr *a, weir_fr *b, unsigned n)
{
    for (unsigned j = 0; j < n; j++) {
        weir_fr t = a[j];
        a[j] = b[j];
        b[j] = t;
    }
}

/* out = x^-1 by Gauss and Jordan; false if x is singular. */
static bool invert(matrix *out, const matrix *x, unsigned n)
{
    matrix a = *x;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) out->e[i][j] = i == j ? fr_ONE : (weir_fr){{0}};
    for (unsigned c = 0; c < n; c++) {
        unsigned pivot = c;
        while (pivot < n && fr_is_zero(&a.e[pivot][c])) pivot++;
        if (pivot == n) return false;
        if (pivot != c) {
            swap_rows(a.e[pivot], a.e[c], n);
            swap_rows(out->e[pivot], out->e[c], n);
        }
        weir_fr k;
        weir_fr_inv(&k, &a.e[c][c]);
        scale_row(a.e[c], &k, n);
        scale_row(out->e[c], &k, n);
        for (unsigned i = 0; i < n; i++) {
            if (i == c) continue;
            k = a.e[i][c];
            eliminate_row(a.e[i], &k, a.e[c], n);
            eliminate_row(out->e[i], &k, out->e[c], n);
        }
    }
    return true;
}

static void cauchy(matrix *m, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) {
            weir_fr x;
            fr_from_u64(&x, i + n + j);
            weir_fr_inv(&m->e[i][j], &x);
        }
}

static void store(weir_fr *out, const matrix *m, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) out[i * n + j] = m->e[i][j];
}

/* ---- compressed round constants */

/* raw: (8 + R_P) rows of w. keys: 8 w + R_P. inv = M^-1. */
static void compress_keys(weir_fr *keys, const weir_fr *raw, const matrix *inv, unsigned w,
                          unsigned rp)
{
    for (unsigned j = 0; j < w; j++) keys[j] = raw[j];
    for (unsigned i = 1; i < HALF; i++) mv(keys + i * w, inv, raw + i * w, w);
    weir_fr acc[MAX], x[MAX];
    weir_fr *partial = keys + (HALF + 1) * w;
    for (unsigned j = 0; j < w; j++) acc[j] = raw[(HALF + rp) * w + j];
    for (unsigned i = 0; i < rp; i++) {
        const weir_fr *before = raw + (HALF + rp - i - 1) * w;
        mv(x, inv, acc, w);
        partial[rp - 1 - i] = x[0];
        acc[0] = before[0];
        for (unsigned j = 1; j < w; j++) fr_add(&acc[j], &before[j], &x[j]);
    }
    mv(keys + HALF * w, inv, acc, w);
    for (unsigned i = 1; i < HALF; i++)
        mv(partial + rp + (i - 1) * w, inv, raw + (HALF + rp + i) * w, w);
}

/* ---- sparse matrices */

/* cur = m P with P = 1 in the corner and cur without its first row and column elsewhere. */
static void absorb(matrix *cur, const matrix *m, unsigned w)
{
    matrix next;
    for (unsigned i = 0; i < w; i++) {
        next.e[i][0] = m->e[i][0];
        for (unsigned j = 1; j < w; j++) {
            weir_fr acc = {{0}}, t;
            for (unsigned k = 1; k < w; k++) {
                fr_mul(&t, &m->e[i][k], &cur->e[k][j]);
                fr_add(&acc, &acc, &t);
            }
            next.e[i][j] = acc;
        }
    }
    *cur = next;
}

/* Splits the partial rounds' matrices from the last round to the first. */
static bool factor_sparse(weir_poseidon *p, const matrix *m)
{
    const unsigned w = p->width;
    matrix cur = *m, hat, inv;
    for (unsigned r = p->partial_rounds; r-- > 0;) {
        weir_fr *w_hat = p->sparse_w_hat + r * w, *v_rest = p->sparse_v_rest + r * (w - 1);
        weir_fr column[MAX];
        for (unsigned i = 1; i < w; i++) {
            column[i - 1] = cur.e[i][0];
            v_rest[i - 1] = cur.e[0][i];
            for (unsigned j = 1; j < w; j++) hat.e[i - 1][j - 1] = cur.e[i][j];
        }
        if (!invert(&inv, &hat, w - 1)) return false;
        w_hat[0] = cur.e[0][0];
        mv(w_hat + 1, &inv, column, w - 1);
        absorb(&cur, m, w);
    }
    store(p->pre_sparse, &cur, w);
    return true;
}

/* ---- the same for eight lanes */

static void x8_transposed(weir_fr52 *out, const weir_fr *m, unsigned w)
{
    for (unsigned j = 0; j < w; j++)
        for (unsigned i = 0; i < w; i++) fr_to_fr52(out++, &m[i * w + j]);
}

/* Of the block of partial rounds first .. first + k - 1. With s_j the elements at the block's start
 * and y_q the S-box outputs, element j before round r's mixing is s_j + sum over q < r of v_j(q)
 * y_q. So the new element 0 is sum_j w_hat_j(r) s_j + sum over q < r of (w_hat(r) . v(q)) y_q +
 * w_hat_0(r) y_r. */
static weir_fr52 *x8_block(weir_fr52 *out, const weir_poseidon *p, unsigned first, unsigned k)
{
    const unsigned w = p->width;
    const weir_fr *w_hat = p->sparse_w_hat + first * w, *v = p->sparse_v_rest + first * (w - 1);
    for (unsigned r = 0; r < k; r++, w_hat += w) {
        for (unsigned j = 1; j < w; j++) fr_to_fr52(out++, &w_hat[j]);
        for (unsigned q = 0; q < r; q++) {
            weir_fr acc = {{0}}, t;
            for (unsigned j = 1; j < w; j++) {
                fr_mul(&t, &w_hat[j], &v[q * (w - 1) + j - 1]);
                fr_add(&acc, &acc, &t);
            }
            fr_to_fr52(out++, &acc);
        }
        fr_to_fr52(out++, &w_hat[0]);
    }
    for (unsigned j = 1; j < w; j++)
        for (unsigned q = 0; q < k; q++) fr_to_fr52(out++, &v[q * (w - 1) + j - 1]);
    return out;
}

static void x8_constants(weir_poseidon *p)
{
    const unsigned w = p->width, rp = p->partial_rounds, keys = WEIR_POSEIDON_FULL_ROUNDS * w + rp;
    for (unsigned i = 0; i < keys; i++) fr_to_fr52(&p->x8_keys[i], &p->round_keys[i]);
    fr_to_fr52(&p->x8_keys[keys], &p->first);
    x8_transposed(p->x8_mds, p->mds, w);
    x8_transposed(p->x8_pre_sparse, p->pre_sparse, w);
    weir_fr52 *at = p->x8_blocks;
    for (unsigned r = 0; r < rp; r += WEIR_POSEIDON_BLOCK)
        at = x8_block(at, p, r, rp - r < WEIR_POSEIDON_BLOCK ? rp - r : WEIR_POSEIDON_BLOCK);
}

weir_err weir_poseidon_constants(weir_poseidon *p, weir_errinfo *ei)
{
    const unsigned w = p->width, rp = p->partial_rounds, rounds = WEIR_POSEIDON_FULL_ROUNDS + rp;
    weir_fr *raw = weir_malloc((size_t)rounds * w, sizeof *raw);
    if (!raw) return weir_fail(ei, WEIR_E_NOMEM, "no memory for the Poseidon round constants");
    grain g;
    grain_init(&g, w, rp);
    for (unsigned i = 0; i < rounds * w; i++) grain_element(&g, &raw[i]);

    matrix m, inv;
    cauchy(&m, w);
    store(p->mds, &m, w);
    bool ok = invert(&inv, &m, w);
    if (ok) {
        compress_keys(p->round_keys, raw, &inv, w, rp);
        ok = factor_sparse(p, &m);
    }
    weir_free(raw);
    if (!ok) return weir_fail(ei, WEIR_E_INTERNAL, "a Poseidon matrix of width %u is singular", w);

    weir_fr t, t2;
    fr_add(&t, &p->tag, &p->round_keys[0]);
    fr_sqr(&t2, &t);
    fr_sqr(&t2, &t2);
    fr_mul(&t, &t, &t2);
    fr_add(&p->first, &t, &p->round_keys[w]);
    x8_constants(p);
    return WEIR_OK;
}
