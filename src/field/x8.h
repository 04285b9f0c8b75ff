/* Vectors of eight 64-bit lanes and the 52-bit multiply-add of AVX-512 IFMA.
 *
 * One source for both twins: on the ifma path the multiply-adds and the moves between layouts are instructions;
 * elsewhere they are plain C on each lane, so that tests run the same formulas on any machine.
 */
#ifndef WEIR_FIELD_X8_H
#define WEIR_FIELD_X8_H

#include <stdint.h>

#ifdef WEIR_ISA_IS_ifma
#include <immintrin.h>
#endif

typedef uint64_t weir_v8 __attribute__((vector_size(64)));
typedef int64_t weir_v8s __attribute__((vector_size(64)));

#define WEIR_MASK52 (((uint64_t)1 << 52) - 1)
/* The twin is not inlined: unrolled by lanes it would be a hundred times the code, and only tests run it. */
#ifdef WEIR_ISA_IS_ifma
#define V8_INLINE static inline __attribute__((always_inline))
#else
#define V8_INLINE static __attribute__((noinline, unused))
#endif

/* In formulas values are passed by address: without the instructions a compiler may pass a vector in other ways in
 * different files. Everything here is inlined, so the copies cost nothing. */
#define v8_set(v) ((weir_v8){(v), (v), (v), (v), (v), (v), (v), (v)})

/* Arithmetic shift: limbs may be negative while a borrow is under way. */
#define v8_sra52(v) ((weir_v8)((weir_v8s)(v) >> 52))

/* *acc += the low (high) 52 bits of the product of the low 52 bits of a and b. */
V8_INLINE void v8_madd52lo(weir_v8 *acc, const weir_v8 *a, const weir_v8 *b)
{
#ifdef WEIR_ISA_IS_ifma
    *acc = (weir_v8)_mm512_madd52lo_epu64((__m512i)*acc, (__m512i)*a, (__m512i)*b);
#else
    for (int k = 0; k < 8; k++) {
        unsigned __int128 p = (unsigned __int128)((*a)[k] & WEIR_MASK52) * ((*b)[k] & WEIR_MASK52);
        (*acc)[k] += (uint64_t)p & WEIR_MASK52;
    }
#endif
}

V8_INLINE void v8_madd52hi(weir_v8 *acc, const weir_v8 *a, const weir_v8 *b)
{
#ifdef WEIR_ISA_IS_ifma
    *acc = (weir_v8)_mm512_madd52hi_epu64((__m512i)*acc, (__m512i)*a, (__m512i)*b);
#else
    for (int k = 0; k < 8; k++) {
        unsigned __int128 p = (unsigned __int128)((*a)[k] & WEIR_MASK52) * ((*b)[k] & WEIR_MASK52);
        (*acc)[k] += (uint64_t)(p >> 52);
    }
#endif
}

/* r[k] = mask lane all ones ? a[k] : b[k] */
#define v8_select(mask, a, b) (((a) & (mask)) | ((b) & ~(mask)))

/* (*r)[k] = (*a)[(k + n) mod 8] */
V8_INLINE void v8_rotate(weir_v8 *r, const weir_v8 *a, int n)
{
    weir_v8 lane = {0, 1, 2, 3, 4, 5, 6, 7}, t = *a;
#ifdef WEIR_ISA_IS_ifma
    *r = (weir_v8)_mm512_permutexvar_epi64((__m512i)(lane + (uint64_t)n), (__m512i)t);
#else
    for (int k = 0; k < 8; k++) (*r)[k] = t[(lane[k] + (uint64_t)n) & 7];
#endif
}

#ifdef WEIR_ISA_IS_ifma
/* Turns eight rows of eight into eight columns. */
V8_INLINE void v8_transpose(weir_v8 r[8])
{
    __m512i a[8], b[8];
#pragma GCC unroll 8
    for (int i = 0; i < 4; i++) {
        a[2 * i] = _mm512_unpacklo_epi64((__m512i)r[2 * i], (__m512i)r[2 * i + 1]);
        a[2 * i + 1] = _mm512_unpackhi_epi64((__m512i)r[2 * i], (__m512i)r[2 * i + 1]);
    }
#pragma GCC unroll 8
    for (int i = 0; i < 2; i++) {
#pragma GCC unroll 8
        for (int j = 0; j < 2; j++) {
            b[4 * i + j] = _mm512_shuffle_i64x2(a[4 * i + j], a[4 * i + 2 + j], 0x88);
            b[4 * i + 2 + j] = _mm512_shuffle_i64x2(a[4 * i + j], a[4 * i + 2 + j], 0xdd);
        }
    }
#pragma GCC unroll 8
    for (int j = 0; j < 4; j++) {
        r[j] = (weir_v8)_mm512_shuffle_i64x2(b[j], b[4 + j], 0x88);
        r[4 + j] = (weir_v8)_mm512_shuffle_i64x2(b[j], b[4 + j], 0xdd);
    }
}
#endif

/* words[i][k] = word i of the n <= 8 words at p[k]. Reads nothing beyond them. */
V8_INLINE void v8_gather_rows(weir_v8 words[8], const uint64_t *const p[8], int n)
{
#ifdef WEIR_ISA_IS_ifma
#pragma GCC unroll 8
    for (int k = 0; k < 8; k++)
        words[k] = (weir_v8)_mm512_maskz_loadu_epi64((__mmask8)((1 << n) - 1), p[k]);
    v8_transpose(words);
#else
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 8; k++) words[i][k] = p[k][i];
#endif
}

/* The same from bytes, eight to a word, least significant first, wherever they start. */
V8_INLINE void v8_gather_bytes(weir_v8 words[8], const uint8_t *const p[8], int n)
{
#ifdef WEIR_ISA_IS_ifma
#pragma GCC unroll 8
    for (int k = 0; k < 8; k++)
        words[k] = (weir_v8)_mm512_maskz_loadu_epi64((__mmask8)((1 << n) - 1), p[k]);
    v8_transpose(words);
#else
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 8; k++) {
            uint64_t word;
            __builtin_memcpy(&word, p[k] + 8 * i, 8);
            words[i][k] = word;
        }
#endif
}

/* The bytes of every lane in the other order. */
V8_INLINE void v8_swap_bytes(weir_v8 *v)
{
    const weir_v8 odd = v8_set((uint64_t)0x00ff00ff00ff00ff),
                  pairs = v8_set((uint64_t)0x0000ffff0000ffff);
    weir_v8 t = ((*v >> 8) & odd) | ((*v & odd) << 8);
    t = ((t >> 16) & pairs) | ((t & pairs) << 16);
    *v = (t >> 32) | (t << 32);
}

/* The reverse of gather_rows. words is used up. */
V8_INLINE void v8_scatter_rows(uint64_t *const p[8], weir_v8 words[8], int n)
{
#ifdef WEIR_ISA_IS_ifma
    v8_transpose(words);
#pragma GCC unroll 8
    for (int k = 0; k < 8; k++)
        _mm512_mask_storeu_epi64(p[k], (__mmask8)((1 << n) - 1), (__m512i)words[k]);
#else
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 8; k++) p[k][i] = words[i][k];
#endif
}

#endif
