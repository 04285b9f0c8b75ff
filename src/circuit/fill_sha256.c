/* The columns of SHA-256. Every gate's new column holds "value xor negated" of its result word, whichever of the gate's
 * special cases made it; so a gate needs its result, which of its bits are columns at all, and which are negated. */
#include "base/bytes.h"
#include "circuit/fill.h"
#include "hash/sha256.h"

#include <string.h>

typedef weir_fill_word word;

/* Writes the columns of one compression, all of them bits, by whole words: what is under way stays in a register, as a load
 * that overlaps the store before it would wait for that store. */
typedef struct emitter {
    uint8_t *at;   /* 64-bit aligned */
    uint64_t word; /* its n < 64 lowest bits are set, the others zero */
    unsigned n;
} emitter;

static inline emitter emitter_at(const weir_packer *p)
{
    emitter e = {.at = p->bits + p->pos / 64 * 8, .n = p->pos % 64};
    memcpy(&e.word, e.at, 8);
    e.word &= ((uint64_t)1 << e.n) - 1;
    return e;
}

/* Moves the packer behind what was emitted. The last word may hold bits of another stretch already. */
static inline void emitter_end(const emitter *e, weir_packer *p)
{
    uint64_t w;
    p->pos = (uint64_t)(e->at - p->bits) * 8 + e->n;
    if (e->n == 0) return;
    memcpy(&w, e->at, 8);
    w |= e->word;
    memcpy(e->at, &w, 8);
}

/* The n <= 64 bits of v < 2^n. */
static inline void emit_bits(emitter *e, uint64_t v, unsigned n)
{
    e->word |= v << e->n;
    e->n += n;
    if (e->n < 64) return;
    memcpy(e->at, &e->word, 8);
    e->at += 8;
    e->n -= 64;
    e->word = e->n ? v >> (n - e->n) : 0;
}

/* Writes the bits of v where m is set, lowest first. */
static inline void emit(emitter *e, uint32_t v, uint32_t m)
{
    if ((m & (m + 1)) == 0) { /* all, none, or a run from bit 0: the usual cases */
        emit_bits(e, v & m, (unsigned)__builtin_ctzll((uint64_t)m + 1));
        return;
    }
    for (; m; m &= m - 1) emit_bits(e, (v & m & -m) != 0, 1);
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
static inline word xor2(emitter *e, word x, word y)
{
    word r = {x.v ^ y.v, x.konst & y.konst, 0};
    r.negated = (x.negated ^ y.negated ^ (x.konst & x.v) ^ (y.konst & y.v)) & ~r.konst;
    emit(e, r.v ^ r.negated, ~(x.konst | y.konst));
    return r;
}

static inline word sigma(emitter *e, word w, unsigned k1, unsigned k2, unsigned k3, bool shift)
{
    word r = xor2(e, rotr(w, k1), rotr(w, k2));
    return xor2(e, r, shift ? shr(w, k3) : rotr(w, k3));
}

/* In the rounds a word is wholly constant or wholly columns, and an older word is constant when a younger one is. */
static inline word choose(emitter *e, word g1, word g2, word g3)
{
    uint32_t v = (g1.v & g2.v) ^ (~g1.v & g3.v);
    if (g2.konst) return (word){v, g1.konst, 0}; /* no column: f and g are constants */
    /* g constant: and(e, f) where it is 0, not and(e, not f) where it is 1 */
    emit(e, g3.konst ? v ^ g3.v : v, 0xffffffffu);
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

static inline word majority(emitter *e, word a, word b, word c)
{
    uint32_t v = (a.v & b.v) ^ (a.v & c.v) ^ (b.v & c.v);
    if (b.konst) return (word){v, a.konst, 0}; /* b and c are constants */
    if (c.konst) {                             /* and(a, b), or not and(not a, not b) */
        emit(e, v ^ c.v, 0xffffffffu);
        return (word){v, 0, c.v};
    }
    emit_bits(e, spread(v) | spread(b.v & c.v) << 1, 64); /* each maj is followed by its b and c */
    return (word){v, 0, 0};
}

/* The exact sum of n words; konst: all of them are constants. */
typedef struct sum {
    uint64_t v;
    uint32_t konst;
    unsigned n;
} sum;

enum { MAX_OPERANDS = 8 };

static inline sum sum_with(sum s, word w)
{
    return (sum){s.v + w.v, s.konst & w.konst, s.n + 1};
}

static inline sum sum_of(word w)
{
    return (sum){w.v, w.konst, 1};
}

static inline word add_up(emitter *e, sum s)
{
    /* columns of the exact sum of n words: 33 for 2, 34 for 3 and 4, 35 for 5 to 8 */
    static const uint8_t width[MAX_OPERANDS + 1] = {0, 32, 33, 34, 34, 35, 35, 35, 35};
    if (s.konst == 0xffffffffu) return weir_fill_word_const((uint32_t)s.v);
    emit_bits(e, s.v, width[s.n]);
    return weir_fill_word_of((uint32_t)s.v);
}

/* da, de: the sums that become the next a and e; none before the first round. */
typedef struct rounds {
    word a, b, c, d, e, f, g, h;
    sum da, de;
} rounds;

static inline void one_round(emitter *e, rounds *s, word w, uint32_t k)
{
    if (s->de.n) s->e = add_up(e, s->de);
    word s1 = sigma(e, s->e, 6, 11, 25, false);
    word ch = choose(e, s->e, s->f, s->g);
    if (s->da.n) s->a = add_up(e, s->da);
    word s0 = sigma(e, s->a, 2, 13, 22, false);
    word maj = majority(e, s->a, s->b, s->c);
    sum t = sum_with(sum_with(sum_of(s->h), s1), ch);
    t = sum_with(sum_with(t, weir_fill_word_const(k)), w);
    s->h = s->g;
    s->g = s->f;
    s->f = s->e;
    s->de = sum_with(t, s->d);
    s->d = s->c;
    s->c = s->b;
    s->b = s->a;
    s->da = sum_with(sum_with(t, s0), maj);
}

__attribute__((flatten)) void weir_fill_sha256_block(weir_filler *f, weir_fill_word state[8],
                                                     const weir_fill_word block[16])
{
    word w[64];
    emitter e = emitter_at(&f->p);
    memcpy(w, block, 16 * sizeof *w);
    for (unsigned i = 16; i < 64; i++) {
        word s0 = sigma(&e, w[i - 15], 7, 18, 3, true);
        word s1 = sigma(&e, w[i - 2], 17, 19, 10, true);
        sum t = sum_with(sum_with(sum_of(w[i - 16]), s0), w[i - 7]);
        w[i] = add_up(&e, sum_with(t, s1));
    }
    rounds s = {.a = state[0],
                .b = state[1],
                .c = state[2],
                .d = state[3],
                .e = state[4],
                .f = state[5],
                .g = state[6],
                .h = state[7]};
    for (unsigned i = 0; i < 64; i++) one_round(&e, &s, w[i], weir_sha256_k[i]);
    const sum end[8] = {s.da, sum_of(s.b), sum_of(s.c), sum_of(s.d),
                        s.de, sum_of(s.f), sum_of(s.g), sum_of(s.h)};
    for (unsigned i = 0; i < 8; i++) state[i] = add_up(&e, sum_with(end[i], state[i]));
    emitter_end(&e, &f->p);
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
