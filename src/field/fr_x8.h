/* Fr, eight elements at once; contract and bounds in mont52.inc.h. R = 2^260, SHIFT = 4. */
#ifndef WEIR_FIELD_FR_X8_H
#define WEIR_FIELD_FR_X8_H

#include "field/params_bls12_381.h"
#include "field/types.h"
#include "field/x8.h"

typedef struct weir_fr_x8 {
    weir_v8 l[5];
} weir_fr_x8;

#define X_(name)     fr_x8_##name
#define X_T          weir_fr_x8
#define X_N          5
#define X_WORDS      4
#define X_MODULUS    WEIR_FR_MODULUS_52_LIMBS
#define X_ONE        WEIR_FR_ONE_52_LIMBS
#define X_N0         WEIR_FR_N0_52
#define X_RECIPROCAL WEIR_FR_RECIPROCAL_52
#include "field/mont52.inc.h"
#undef X_
#undef X_T
#undef X_N
#undef X_WORDS
#undef X_MODULUS
#undef X_ONE
#undef X_N0
#undef X_RECIPROCAL

#ifdef WEIR_ISA_IS_ifma
/* The words of eight elements that stand one after another: lane k of w[i] is word i of element (0 2 1 3 4 6 5 7)[k]. */
V8_INLINE void fr_x8_run_words(weir_v8 w[4], const weir_fr *a)
{
    __m512i z[4], lo[2], hi[2];
#pragma GCC unroll 8
    for (int i = 0; i < 4; i++) z[i] = _mm512_loadu_si512(a + 2 * i);
#pragma GCC unroll 8
    for (int i = 0; i < 2; i++) {
        lo[i] = _mm512_unpacklo_epi64(z[2 * i], z[2 * i + 1]);
        hi[i] = _mm512_unpackhi_epi64(z[2 * i], z[2 * i + 1]);
    }
    w[0] = (weir_v8)_mm512_shuffle_i64x2(lo[0], lo[1], 0x88);
    w[1] = (weir_v8)_mm512_shuffle_i64x2(hi[0], hi[1], 0x88);
    w[2] = (weir_v8)_mm512_shuffle_i64x2(lo[0], lo[1], 0xdd);
    w[3] = (weir_v8)_mm512_shuffle_i64x2(hi[0], hi[1], 0xdd);
}

/* The reverse: word pairs (0, 2) and (1, 3) lane by lane. */
V8_INLINE void fr_x8_words_run(weir_fr *a, const weir_v8 w[4])
{
    __m512i even[2] = {_mm512_shuffle_i64x2((__m512i)w[0], (__m512i)w[2], 0x44),
                       _mm512_shuffle_i64x2((__m512i)w[0], (__m512i)w[2], 0xee)};
    __m512i odd[2] = {_mm512_shuffle_i64x2((__m512i)w[1], (__m512i)w[3], 0x44),
                      _mm512_shuffle_i64x2((__m512i)w[1], (__m512i)w[3], 0xee)};
#pragma GCC unroll 8
    for (int i = 0; i < 2; i++) {
        even[i] = _mm512_shuffle_i64x2(even[i], even[i], 0xd8);
        odd[i] = _mm512_shuffle_i64x2(odd[i], odd[i], 0xd8);
    }
#pragma GCC unroll 8
    for (int i = 0; i < 2; i++) {
        _mm512_storeu_si512(a + 4 * i, _mm512_unpacklo_epi64(even[i], odd[i]));
        _mm512_storeu_si512(a + 4 * i + 2, _mm512_unpackhi_epi64(even[i], odd[i]));
    }
}
#endif

/* Eight elements that stand one after another, and one element in all lanes. Lanes come in any fixed order: what is done
 * between a load_run and a store_run must treat all lanes alike. Bounds as for load and store. */
V8_INLINE void fr_x8_load_run(weir_fr_x8 *r, const weir_fr *a)
{
#ifdef WEIR_ISA_IS_ifma
    weir_v8 w[4];
    fr_x8_run_words(w, a);
    fr_x8_from_words(r, w);
#else
    const uint64_t *p[8];
    for (int k = 0; k < 8; k++) p[k] = a[k].l;
    fr_x8_load(r, p);
#endif
}

V8_INLINE void fr_x8_store_run(weir_fr *a, const weir_fr_x8 *v)
{
#ifdef WEIR_ISA_IS_ifma
    weir_v8 w[8];
    fr_x8_to_words(w, v);
    fr_x8_words_run(a, w);
#else
    uint64_t *p[8];
    for (int k = 0; k < 8; k++) p[k] = a[k].l;
    fr_x8_store(p, v);
#endif
}

V8_INLINE void fr_x8_broadcast(weir_fr_x8 *r, const weir_fr *a)
{
    const uint64_t *p[8];
#pragma GCC unroll 8
    for (int k = 0; k < 8; k++) p[k] = a->l;
    fr_x8_load(r, p);
}

#endif
