/* G1, G2 and the pairing of BLS12-381: the operations that other modules call, one table for each
 * instruction path (see base/isa.h). Inline formulas for hot loops are in curve/g1.h and curve/g2.h.
 *
 * Encodings (uncompressed 96/192 bytes, compressed 48/96) are those of bellperson and blst: big-endian, in G2
 * c1 before c0; flag bits of the first byte 0x80 compressed, 0x40 infinity, 0x20 "y is the larger of y, -y".
 *
 * Outcomes of decoding, always distinct: WEIR_E_ENCODING (flag bits, coordinate not below p, infinity with other
 * bits set), WEIR_E_NOT_ON_CURVE, WEIR_E_NOT_IN_SUBGROUP, WEIR_E_INFINITY (only where the caller forbids it).
 * What is accepted is what blst accepts, with two consequences that surprise:
 * - g1s_decode and g2s_decode read 96 (192) bytes whose flag 0x80 is set as one compressed point and do not look
 *   at the second half;
 * - the two points of G1 with x = 0 (on the curve, of order 3) are WEIR_E_NOT_IN_SUBGROUP as soon as the curve
 *   equation is checked, and always when compressed. blst's "unchecked" decoding is WEIR_CHECK_CURVE here.
 * Zero bytes without the infinity flag are WEIR_E_NOT_ON_CURVE, whatever is checked. A refused point leaves its
 * place in out as it was.
 * Thread: any. Nothing allocates. Variable time, except where a name ends in _ct.
 */
#ifndef WEIR_CURVE_CURVE_H
#define WEIR_CURVE_CURVE_H

#include "base/err.h"
#include "base/isa.h"
#include "curve/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a decoder checks beyond the encoding itself. Bits. */
enum {
    WEIR_CHECK_CURVE = 1,       /* the curve equation */
    WEIR_CHECK_SUBGROUP = 2,    /* order r (implies the curve equation); by endomorphism */
    WEIR_CHECK_NOT_INFINITY = 4 /* infinity is refused */
};

enum {
    WEIR_G1_BYTES = 96,
    WEIR_G1_COMPRESSED_BYTES = 48,
    WEIR_G2_BYTES = 192,
    WEIR_G2_COMPRESSED_BYTES = 96
};

/* The scalar a + lambda b, lambda = -x^2 mod r the eigenvalue of phi(x, y) = (beta x, y) on G1; a and b are l[0] and l[1],
 * numbers of two words, least significant first. Pairs below 2^64 are different scalars: for two of them the integer
 * (a - a') - x^2 (b - b') is below r, and 0 only if both differences are, since x^2 is above 2^64. */
typedef struct weir_split {
    uint64_t l[2][2];
} weir_split;

/* Coefficients of the Miller loop's lines for one fixed G2 point, 19,592 bytes: 63 doublings and 5 additions, which
 * is what the 64 bits of |x| = 0xd201000000010000 take, six of them set. */
enum { WEIR_G2_LINES = 68 };
typedef struct weir_g2_lines {
    weir_fp2 c[WEIR_G2_LINES][3];
    bool infinity;
} weir_g2_lines;

typedef struct weir_curve_ops {
    /* n points from n * 96 (192) bytes; on ifma eight at a time. Stops at the first bad point and sets *bad to its number, else leaves it.
     * Cost in G1, products in Fp: 2 for the encoding, 3 more for the curve, about 1,030 more for the subgroup; in
     * G2 4, 7 and about 1,200. */
    weir_err (*g1s_decode)(weir_g1_affine *out, const uint8_t *bytes, size_t n, unsigned checks,
                           size_t *bad);
    weir_err (*g2s_decode)(weir_g2_affine *out, const uint8_t *bytes, size_t n, unsigned checks,
                           size_t *bad);
    void (*g1s_encode)(uint8_t *bytes, const weir_g1_affine *in, size_t n);
    void (*g2s_encode)(uint8_t *bytes, const weir_g2_affine *in, size_t n);
    /* One compressed point; a square root each. The curve equation holds by construction. Cost: about 480 products
     * in G1, 960 in G2. */
    weir_err (*g1_decompress)(weir_g1_affine *out, const uint8_t bytes[48], unsigned checks);
    weir_err (*g2_decompress)(weir_g2_affine *out, const uint8_t bytes[96], unsigned checks);
    /* *out[i] from the compressed point at bytes[i], and err[i], for i < n: the same answers as one by one. On ifma eight
     * at a time. */
    void (*g1s_decompress)(weir_g1_affine *const *out, const uint8_t *const *bytes, size_t n,
                           unsigned checks, weir_err *err);
    void (*g2s_decompress)(weir_g2_affine *const *out, const uint8_t *const *bytes, size_t n,
                           unsigned checks, weir_err *err);
    void (*g1_compress)(uint8_t bytes[48], const weir_g1_affine *in);
    void (*g2_compress)(uint8_t bytes[96], const weir_g2_affine *in);
    bool (*g1_on_curve)(const weir_g1_affine *p); /* infinity counts as on the curve */
    bool (*g2_on_curve)(const weir_g2_affine *p);
    /* In: p on the curve. Infinity is inside. */
    bool (*g1_in_subgroup)(const weir_g1_affine *p);
    bool (*g2_in_subgroup)(const weir_g2_affine *p);
    /* out may be one of the inputs; all special cases handled. */
    void (*g1_add)(weir_g1 *out, const weir_g1 *a, const weir_g1 *b);
    void (*g2_add)(weir_g2 *out, const weir_g2 *a, const weir_g2 *b);
    /* p: any point of the curve or infinity. k: any 256-bit integer, here and below. */
    void (*g1_mul)(weir_g1 *out, const weir_g1_affine *p, const weir_scalar *k);
    void (*g2_mul)(weir_g2 *out, const weir_g2_affine *p, const weir_scalar *k);
    /* out[i] = k[i] p[i] = a p[i] + b phi(p[i]). In: p of order r or infinity. Cost for a, b < 2^64, products in Fp: about
     * 950 each; on ifma about 1,060 for eight at a time. */
    void (*g1s_mul_split)(weir_g1 *out, const weir_g1_affine *p, const weir_split *k, size_t n);
    /* For secret scalars: fixed sequence of operations and of addresses. Whether p is infinity may show. About 3,000
     * products in the coordinate field. */
    void (*g1_mul_ct)(weir_g1 *out, const weir_g1_affine *p, const weir_scalar *k);
    void (*g2_mul_ct)(weir_g2 *out, const weir_g2_affine *p, const weir_scalar *k);
    /* p[i] = 2^times p[i]; on ifma eight at a time. */
    void (*g1s_double)(weir_g1 *p, size_t n, unsigned times);
    /* n points to affine with one inversion and 7 products a point. scratch: n elements. No overlap. */
    void (*g1s_to_affine)(weir_g1_affine *out, const weir_g1 *in, size_t n, weir_fp *scratch);
    void (*g2s_to_affine)(weir_g2_affine *out, const weir_g2 *in, size_t n, weir_fp2 *scratch);
    /* Pairing. Source: optimal ate, Vercauteren 2010; final exponentiation after Hayashida, Hayasaka, Teruya 2020.
     * q: of order r, or infinity. Cost: about 1,500 products in Fp. */
    void (*g2_prepare)(weir_g2_lines *out, const weir_g2_affine *q);
    /* The same of n points; on ifma eight at a time. */
    void (*g2s_prepare)(weir_g2_lines *out, const weir_g2_affine *q, size_t n);
    /* *f = product over i of the Miller loops of (p[i], q[i]); infinity in either place contributes 1. Any n, the
     * pairs share the squarings. Cost: about 2,200 + 2,900 n products in Fp. */
    void (*miller)(weir_fp12 *f, const weir_g1_affine *p, const weir_g2_lines *const *q, size_t n);
    /* f^(3 (p^12 - 1) / r): blst's value, the cube of the reduced ate pairing. In: f not 0. About 7,600 products. */
    void (*final_exp)(weir_fp12 *out, const weir_fp12 *f);
    void (*fp12_mul)(weir_fp12 *r, const weir_fp12 *a, const weir_fp12 *b);
    /* In: a in the cyclotomic subgroup, as every result of final_exp. */
    void (*fp12_pow)(weir_fp12 *r, const weir_fp12 *a, const weir_scalar *k);
    bool (*fp12_is_one)(const weir_fp12 *a);
} weir_curve_ops;

WEIR_ISA_DECLARE(weir_curve_ops, weir_curve_ops);
const weir_curve_ops *weir_curve_ops_get(weir_isa isa);

/* The standard generators. */
const weir_g1_affine *weir_g1_generator(void);
const weir_g2_affine *weir_g2_generator(void);

static inline bool g1_affine_is_infinity(const weir_g1_affine *p)
{
    uint64_t t = 0;
    for (int i = 0; i < 6; i++) t |= p->x.l[i] | p->y.l[i];
    return t == 0;
}
static inline bool g2_affine_is_infinity(const weir_g2_affine *p)
{
    uint64_t t = 0;
    for (int i = 0; i < 6; i++) t |= p->x.c0.l[i] | p->x.c1.l[i] | p->y.c0.l[i] | p->y.c1.l[i];
    return t == 0;
}

#endif
