/* SHA-256 with the SHA extensions of x86. The instructions keep the state as two vectors, (a b e f)
 * and (c d g h), most significant word first; SHA256RNDS2 does two rounds, SHA256MSG1 and MSG2 make
 * four new message words. Source: Intel's description of the extensions (2013). */
#include "hash/sha256_shani.h"

#include "hash/sha256.h"

#include <immintrin.h>

static inline __m128i load(const void *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

/* Message words t..t+3 from the sixteen before them, oldest first. */
static inline __m128i schedule(__m128i w0, __m128i w1, __m128i w2, __m128i w3)
{
    __m128i t = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4));
    return _mm_sha256msg2_epu32(t, w3);
}

/* The state between blocks: two vectors, words named from the highest down. */
typedef struct state2 {
    __m128i abef, cdgh;
} state2;

static inline state2 load_state(const uint32_t state[8])
{
    __m128i cdab = _mm_shuffle_epi32(load(state), 0xb1);
    __m128i efgh = _mm_shuffle_epi32(load(state + 4), 0x1b);
    return (state2){_mm_alignr_epi8(cdab, efgh, 8), _mm_blend_epi16(efgh, cdab, 0xf0)};
}

static inline void store_state(uint32_t state[8], state2 s)
{
    __m128i feba = _mm_shuffle_epi32(s.abef, 0x1b);
    __m128i dchg = _mm_shuffle_epi32(s.cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

static inline void load_words(__m128i w[4], const uint8_t *block)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    for (int i = 0; i < 4; i++) w[i] = _mm_shuffle_epi8(load(block + 16 * i), swap);
}

/* Rounds 4i to 4i + 3. */
static inline __attribute__((always_inline)) void four_rounds(state2 *s, __m128i w[4], int i)
{
    __m128i k = _mm_add_epi32(w[i & 3], load(weir_sha256_k + 4 * i));
    s->cdgh = _mm_sha256rnds2_epu32(s->cdgh, s->abef, k);
    s->abef = _mm_sha256rnds2_epu32(s->abef, s->cdgh, _mm_shuffle_epi32(k, 0x0e));
    if (i < 12) w[i & 3] = schedule(w[i & 3], w[(i + 1) & 3], w[(i + 2) & 3], w[(i + 3) & 3]);
}

static inline void add_state(state2 *s, state2 before)
{
    s->abef = _mm_add_epi32(s->abef, before.abef);
    s->cdgh = _mm_add_epi32(s->cdgh, before.cdgh);
}

void weir_sha256_compress_shani_body(uint32_t state[8], const uint8_t *blocks, size_t n)
{
    state2 s = load_state(state);
    for (; n; n--, blocks += 64) {
        const state2 before = s;
        __m128i w[4];
        load_words(w, blocks);
#pragma GCC unroll 16
        for (int i = 0; i < 16; i++) four_rounds(&s, w, i);
        add_state(&s, before);
    }
    store_state(state, s);
}

/* A round waits for the one before; those of another message fill the wait. */
void weir_sha256_compress2_shani_body(uint32_t state[2][8], const uint8_t *const blocks[2],
                                      size_t n)
{
    state2 s = load_state(state[0]), t = load_state(state[1]);
    for (size_t b = 0; b < n; b++) {
        const state2 s0 = s, t0 = t;
        __m128i v[4], w[4];
        load_words(v, blocks[0] + 64 * b);
        load_words(w, blocks[1] + 64 * b);
#pragma GCC unroll 16
        for (int i = 0; i < 16; i++) {
            four_rounds(&s, v, i);
            four_rounds(&t, w, i);
        }
        add_state(&s, s0);
        add_state(&t, t0);
    }
    store_state(state[0], s);
    store_state(state[1], t);
}
