/* The columns of SHA-256. Every gate's new column holds "value xor negated" of its result word, whichever of the gate's
 * special cases made it; so a gate needs its result, which of its bits are columns at all, and which are negated. */
#include "base/bytes.h"
#include "circuit/fill.h"
#include "hash/sha256.h"

#include <string.h>

typedef weir_fill_word word;

/* Writes the bits of v where m is set, lowest first. */
static inline void emit(weir_filler *f, uint32_t v, uint32_t m)
{
    if ((m & (m + 1)) == 0) { /* all, none, or a run from bit 0: the usual cases */
        pack_bits(&f->p, v & m, (unsigned)__builtin_popcount(m));
        return;
    }
    for (; m; m &= m - 1) pack_bits(&f->p, (v & m & -m) != 0, 1);
}

static inline uint32_t rotr32(uint32_t v, unsigned k)
{
    return v >> k | v << (32 - k);
}

static inline word rotr(word w, unsigned k)
{
    return (word){rotr32(w.v, k), rotr32(w.konst, k), rotr32(w.negated, k)};
}

static inline word shr(word w, unsigned k)
{
    return (word){w.v >> k, w.konst >> k | ~(0xffffffffu >> k), w.negated >> k};
}

/* A constant one negates the other side; two columns give a new one. */
static inline word xor2(weir_filler *f, word x, word y)
{
    word r = {x.v ^ y.v, x.konst & y.konst, 0};
    r.negated = (x.negated ^ y.negated ^ (x.konst & x.v) ^ (y.konst & y.v)) & ~r.konst;
    emit(f, r.v ^ r.negated, ~(x.konst | y.konst));
    return r;
}

static inline word sigma(weir_filler *f, word w, unsigned k1, unsigned k2, unsigned k3, bool shift)
{
    word r = xor2(f, rotr(w, k1), rotr(w, k2));
    return xor2(f, r, shift ? shr(w, k3) : rotr(w, k3));
}

/* In the rounds a word is wholly constant or wholly columns, and an older word is constant when a younger one is. */
static inline word choose(weir_filler *f, word e, word g2, word g3)
{
    uint32_t v = (e.v & g2.v) ^ (~e.v & g3.v);
    if (g2.konst) return (word){v, e.konst, 0}; /* no column: f and g are constants */
    /* g constant: and(e, f) where it is 0, not and(e, not f) where it is 1 */
    emit(f, g3.konst ? v ^ g3.v : v, 0xffffffffu);
    return (word){v, 0, g3.konst & g3.v};
}

/* Bit i of v moves to bit 2i. */
static inline uint64_t spread(uint32_t v)
{
    uint64_t x = v;
    x = (x | x << 16) & 0x0000ffff0000ffffu;
    x = (x | x << 8) & 0x00ff00ff00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
    x = (x | x << 2) & 0x3333333333333333u;
    return (x | x << 1) & 0x5555555555555555u;
}

static inline word majority(weir_filler *f, word a, word b, word c)
{
    uint32_t v = (a.v & b.v) ^ (a.v & c.v) ^ (b.v & c.v);
    if (b.konst) return (word){v, a.konst, 0}; /* b and c are constants */
    if (c.konst) {                             /* and(a, b), or not and(not a, not b) */
        emit(f, v ^ c.v, 0xffffffffu);
        return (word){v, 0, c.v};
    }
    pack_u64(&f->p, spread(v) | spread(b.v & c.v) << 1); /* each maj is followed by its b and c */
    return (word){v, 0, 0};
}

enum { MAX_OPERANDS = 8 };

static inline word add_many(weir_filler *f, const word *op, unsigned n)
{
    /* columns of the exact sum of n words: 33 for 2, 34 for 3 and 4, 35 for 5 to 8 */
    static const uint8_t width[MAX_OPERANDS + 1] = {0, 32, 33, 34, 34, 35, 35, 35, 35};
    uint64_t sum = 0;
    uint32_t konst = 0xffffffffu;
    for (unsigned i = 0; i < n; i++) {
        sum += op[i].v;
        konst &= op[i].konst;
    }
    if (konst == 0xffffffffu) return weir_fill_word_const((uint32_t)sum);
    pack_bits(&f->p, sum, width[n]);
    return weir_fill_word_of((uint32_t)sum);
}

static inline word add2(weir_filler *f, word x, word y)
{
    word op[2] = {x, y};
    return add_many(f, op, 2);
}

typedef struct deferred {
    unsigned n;
    word op[MAX_OPERANDS];
} deferred;

typedef struct rounds {
    word a, b, c, d, e, f, g, h;
    deferred da, de;
} rounds;

static inline void one_round(weir_filler *f, rounds *s, word w, uint32_t k)
{
    if (s->de.n) s->e = add_many(f, s->de.op, s->de.n);
    word s1 = sigma(f, s->e, 6, 11, 25, false);
    word ch = choose(f, s->e, s->f, s->g);
    if (s->da.n) s->a = add_many(f, s->da.op, s->da.n);
    word s0 = sigma(f, s->a, 2, 13, 22, false);
    word maj = majority(f, s->a, s->b, s->c);
    deferred t = {.n = 5, .op = {s->h, s1, ch, weir_fill_word_const(k), w}};
    s->h = s->g;
    s->g = s->f;
    s->f = s->e;
    s->de = t;
    s->de.op[s->de.n++] = s->d;
    s->d = s->c;
    s->c = s->b;
    s->b = s->a;
    s->da = t;
    s->da.op[s->da.n++] = s0;
    s->da.op[s->da.n++] = maj;
}

static inline word finish(weir_filler *f, deferred *d, word state)
{
    d->op[d->n++] = state;
    return add_many(f, d->op, d->n);
}

void weir_fill_sha256_block(weir_filler *f, weir_fill_word state[8], const weir_fill_word block[16])
{
    word w[64];
    memcpy(w, block, 16 * sizeof *w);
    for (unsigned i = 16; i < 64; i++) {
        word s0 = sigma(f, w[i - 15], 7, 18, 3, true);
        word s1 = sigma(f, w[i - 2], 17, 19, 10, true);
        word op[4] = {w[i - 16], s0, w[i - 7], s1};
        w[i] = add_many(f, op, 4);
    }
    rounds s = {.a = state[0],
                .b = state[1],
                .c = state[2],
                .d = state[3],
                .e = state[4],
                .f = state[5],
                .g = state[6],
                .h = state[7]};
    for (unsigned i = 0; i < 64; i++) one_round(f, &s, w[i], weir_sha256_k[i]);
    state[0] = finish(f, &s.da, state[0]);
    state[1] = add2(f, state[1], s.b);
    state[2] = add2(f, state[2], s.c);
    state[3] = add2(f, state[3], s.d);
    state[4] = finish(f, &s.de, state[4]);
    state[5] = add2(f, state[5], s.f);
    state[6] = add2(f, state[6], s.g);
    state[7] = add2(f, state[7], s.h);
    f->sha256_compressions++;
}

/* Word i of the padded message of n words. */
static word padded(const word *words, unsigned n, unsigned total, unsigned i)
{
    if (i < n) return words[i];
    if (i == n) return weir_fill_word_const(0x80000000u);
    return weir_fill_word_const(i + 1 == total ? 32 * n : 0);
}

void weir_fill_sha256(weir_filler *f, uint8_t digest[32], const weir_fill_word *words, unsigned n)
{
    word state[8];
    for (unsigned i = 0; i < 8; i++) state[i] = weir_fill_word_const(weir_sha256_iv[i]);
    unsigned total = (n + 3 + 15) / 16 * 16;
    for (unsigned at = 0; at < total; at += 16) {
        word block[16];
        for (unsigned i = 0; i < 16; i++) block[i] = padded(words, n, total, at + i);
        weir_fill_sha256_block(f, state, block);
    }
    for (unsigned i = 0; i < 8; i++) weir_store_be32(digest + 4 * i, state[i].v);
}

void weir_fill_words_of_number(weir_fill_word out[8], const weir_scalar *s)
{
    for (unsigned i = 0; i < 8; i++) {
        uint32_t little = (uint32_t)(s->l[i / 2] >> (32 * (i % 2)));
        out[i] = weir_fill_word_of(__builtin_bswap32(little));
    }
    out[7].konst = 0x80; /* bit 255: the top bit of the last byte */
}

void weir_fill_pack254(weir_filler *f, weir_num *out, const uint8_t digest[32])
{
    scalar_from_le(&out->s, digest);
    out->s.l[3] &= 0x3fffffffffffffffu;
    fr_from_scalar(&out->m, &out->s);
    weir_fill_alloc(f, &out->m);
}

void weir_fill_sha_hash2(weir_filler *f, weir_num *out, const weir_num *left, const weir_num *right)
{
    word words[16];
    uint8_t digest[32];
    weir_fill_bits255(f, &left->s);
    weir_fill_bits255(f, &right->s);
    weir_fill_words_of_number(words, &left->s);
    weir_fill_words_of_number(words + 8, &right->s);
    weir_fill_sha256(f, digest, words, 16);
    weir_fill_pack254(f, out, digest);
}
