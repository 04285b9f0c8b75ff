/* SHA-256 as rows. Words are 32 Booleans, least significant first. Sums of words are checked in bulk: MultiEq packs the
 * equalities of several additions into one row as digits of a large number, so its rows appear between later ones. */
#include "circuit/gadget.h"
#include "hash/sha256.h"

#include <string.h>

typedef struct word {
    weir_bool b[32];
} word;

typedef struct multi_eq {
    unsigned used; /* bits of the packed number so far */
    weir_lc left, right;
} multi_eq;

/* A field element holds this many bits without wrapping. */
enum { CAPACITY = 254, MAX_OPERANDS = 8 };

/* left | ONE | right */
static void multi_eq_row(weir_cs *cs, multi_eq *me)
{
    const weir_cs_consts *k = weir_cs_k(cs);
    weir_lc_add_lc(cs, weir_cs_a(cs), &me->left, &k->one);
    weir_lc_add(cs, weir_cs_b(cs), WEIR_COL_ONE, &k->one);
    weir_lc_add_lc(cs, weir_cs_c(cs), &me->right, &k->one);
    weir_cs_end_row(cs);
    weir_lc_reset(&me->left);
    weir_lc_reset(&me->right);
    me->used = 0;
}

static word word_const(uint32_t v)
{
    word w;
    for (unsigned i = 0; i < 32; i++) w.b[i] = weir_bool_const((v >> i) & 1);
    return w;
}

static word word_rotr(const word *w, unsigned k)
{
    word r;
    for (unsigned i = 0; i < 32; i++) r.b[i] = w->b[(i + k) % 32];
    return r;
}

static word word_shr(const word *w, unsigned k)
{
    word r;
    for (unsigned i = 0; i < 32; i++) r.b[i] = i + k < 32 ? w->b[i + k] : weir_bool_const(false);
    return r;
}

static word word_xor(weir_cs *cs, const word *x, const word *y)
{
    word r;
    for (unsigned i = 0; i < 32; i++) r.b[i] = weir_gad_xor(cs, x->b[i], y->b[i]);
    return r;
}

/* rotr k1 xor rotr k2 xor rotr (or shr) k3 */
static word sigma(weir_cs *cs, const word *w, unsigned k1, unsigned k2, unsigned k3, bool shift)
{
    word x = word_rotr(w, k1), y = word_rotr(w, k2);
    word r = word_xor(cs, &x, &y);
    word z = shift ? word_shr(w, k3) : word_rotr(w, k3);
    return word_xor(cs, &r, &z);
}

static bool const_sum(const word *const *op, unsigned n, uint32_t *sum)
{
    *sum = 0;
    for (unsigned j = 0; j < n; j++) {
        for (unsigned i = 0; i < 32; i++) {
            if (!weir_bool_is_const(op[j]->b[i])) return false;
            *sum += (uint32_t)(op[j]->b[i].kind == WEIR_TRUE) << i;
        }
    }
    return true;
}

/* Bits of n * (2^32 - 1). */
static unsigned sum_bits(unsigned n)
{
    return n == 1 ? 32 : 32 + (32 - (unsigned)__builtin_clz(n - 1));
}

/* The sum of n words: the exact sum's bits are new columns; their equality goes to me. */
static word add_many(weir_cs *cs, multi_eq *me, const word *const *op, unsigned n)
{
    uint32_t sum;
    if (const_sum(op, n, &sum)) return word_const(sum);
    unsigned w = sum_bits(n);
    weir_bool bits[32 + MAX_OPERANDS];
    weir_gad_bits(cs, bits, w);
    if (me->used + w >= CAPACITY) multi_eq_row(cs, me);
    for (unsigned j = 0; j < n; j++)
        for (unsigned i = 0; i < 32; i++)
            weir_lc_add_bool(cs, &me->left, op[j]->b[i], me->used + i);
    for (unsigned i = 0; i < w; i++) weir_lc_add_bool(cs, &me->right, bits[i], me->used + i);
    me->used += w;
    word r;
    memcpy(r.b, bits, sizeof r.b);
    return r;
}

static word add2(weir_cs *cs, multi_eq *me, const word *x, const word *y)
{
    const word *op[2] = {x, y};
    return add_many(cs, me, op, 2);
}

/* A sum that is not made yet: bellperson adds up a and e only when they are used. n = 0: value is there. */
typedef struct deferred {
    unsigned n;
    word op[MAX_OPERANDS];
} deferred;

/* The deferred sum and, optionally, one more word. */
static word deferred_sum(weir_cs *cs, multi_eq *me, const deferred *d, const word *more)
{
    const word *op[MAX_OPERANDS];
    unsigned n = 0;
    for (; n < d->n; n++) op[n] = &d->op[n];
    if (more) op[n++] = more;
    return add_many(cs, me, op, n);
}

static void schedule(weir_cs *cs, multi_eq *me, word w[64], const weir_bool block[512])
{
    for (unsigned i = 0; i < 16; i++)
        for (unsigned j = 0; j < 32; j++) w[i].b[j] = block[32 * i + 31 - j];
    for (unsigned i = 16; i < 64; i++) {
        word s0 = sigma(cs, &w[i - 15], 7, 18, 3, true);
        word s1 = sigma(cs, &w[i - 2], 17, 19, 10, true);
        const word *op[4] = {&w[i - 16], &s0, &w[i - 7], &s1};
        w[i] = add_many(cs, me, op, 4);
    }
}

/* The working variables between rounds. a and e hold their value only once their sum has been made. */
typedef struct rounds {
    word a, b, c, d, e, f, g, h;
    deferred da, de;
} rounds;

static void one_round(weir_cs *cs, multi_eq *me, rounds *s, const word *w, uint32_t k)
{
    if (s->de.n) s->e = deferred_sum(cs, me, &s->de, NULL);
    word s1 = sigma(cs, &s->e, 6, 11, 25, false), ch, maj;
    for (unsigned j = 0; j < 32; j++) ch.b[j] = weir_gad_ch(cs, s->e.b[j], s->f.b[j], s->g.b[j]);
    if (s->da.n) s->a = deferred_sum(cs, me, &s->da, NULL);
    word s0 = sigma(cs, &s->a, 2, 13, 22, false);
    for (unsigned j = 0; j < 32; j++) maj.b[j] = weir_gad_maj(cs, s->a.b[j], s->b.b[j], s->c.b[j]);
    deferred temp1 = {.n = 5, .op = {s->h, s1, ch, word_const(k), *w}};
    s->h = s->g;
    s->g = s->f;
    s->f = s->e;
    s->de = temp1;
    s->de.op[s->de.n++] = s->d;
    s->d = s->c;
    s->c = s->b;
    s->b = s->a;
    s->da = temp1;
    s->da.op[s->da.n++] = s0;
    s->da.op[s->da.n++] = maj;
}

static void compress(weir_cs *cs, word state[8], const weir_bool block[512])
{
    multi_eq me = {0};
    weir_lc_init(&me.left);
    weir_lc_init(&me.right);
    word w[64];
    schedule(cs, &me, w, block);
    rounds s = {.a = state[0],
                .b = state[1],
                .c = state[2],
                .d = state[3],
                .e = state[4],
                .f = state[5],
                .g = state[6],
                .h = state[7]};
    for (unsigned i = 0; i < 64; i++) one_round(cs, &me, &s, &w[i], weir_sha256_k[i]);
    /* a and e of the last round were never made: they go straight into the sums with the old state. After the last
     * round b..d and f..h hold what the standard calls b..d and f..h. */
    state[0] = deferred_sum(cs, &me, &s.da, &state[0]);
    state[1] = add2(cs, &me, &state[1], &s.b);
    state[2] = add2(cs, &me, &state[2], &s.c);
    state[3] = add2(cs, &me, &state[3], &s.d);
    state[4] = deferred_sum(cs, &me, &s.de, &state[4]);
    state[5] = add2(cs, &me, &state[5], &s.f);
    state[6] = add2(cs, &me, &state[6], &s.g);
    state[7] = add2(cs, &me, &state[7], &s.h);
    if (me.used) multi_eq_row(cs, &me);
    weir_lc_free(&me.left);
    weir_lc_free(&me.right);
}

/* Bit i of the padded message of n bits. */
static weir_bool padded(const weir_bool *bits, unsigned n, unsigned total, unsigned i)
{
    if (i < n) return bits[i];
    if (i == n) return weir_bool_const(true);
    if (i < total - 64) return weir_bool_const(false);
    return weir_bool_const(((uint64_t)n >> (total - 1 - i)) & 1);
}

void weir_gad_sha256(weir_cs *cs, weir_bool out[256], const weir_bool *bits, unsigned n)
{
    word state[8];
    for (unsigned i = 0; i < 8; i++) state[i] = word_const(weir_sha256_iv[i]);
    unsigned total = (n + 1 + 64 + 511) / 512 * 512;
    for (unsigned at = 0; at < total; at += 512) {
        weir_bool block[512];
        for (unsigned i = 0; i < 512; i++) block[i] = padded(bits, n, total, at + i);
        compress(cs, state, block);
    }
    for (unsigned i = 0; i < 256; i++) out[i] = state[i / 32].b[31 - i % 32];
}

weir_col weir_gad_sha_hash2(weir_cs *cs, weir_col left, weir_col right)
{
    weir_bool l[255], r[255], message[512], digest[256], value[256];
    weir_gad_bits255(cs, l, left);
    weir_gad_bits255(cs, r, right);
    weir_gad_reverse_bytes(message, l, 255);
    weir_gad_reverse_bytes(message + 256, r, 255);
    weir_gad_sha256(cs, digest, message, 512);
    weir_gad_reverse_bytes(value, digest, 256);
    return weir_gad_pack(cs, value, 254);
}
