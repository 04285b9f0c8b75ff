/* The arithmetic of the transforms, once for each instruction path. Only for poly/.
 *
 * A tile is a matrix of 2^levels rows and `width` columns, row by row. Level i (0 is the top)
 * splits the tile into 2^i blocks of rows; block m has one twiddle s(i, m) = base[i] * table[m],
 * see docs/ntt.md. base = NULL means ones.
 */
#ifndef WEIR_POLY_NTT_PATH_H
#define WEIR_POLY_NTT_PATH_H

#include "base/isa.h"
#include "field/types.h"

#include <stddef.h>

typedef struct weir_ntt_ops {
    /* Levels 0, 1 ... levels - 1: (u, v) <- (u + s v, u - s v). */
    void (*forward)(weir_fr *tile, unsigned levels, size_t width, const weir_fr *base,
                    const weir_fr *table);
    /* Levels levels - 1 ... 1, 0: (u, v) <- (u + v, (u - v) / s). base_inv holds the inverses of
     * base. What level 0 leaves is multiplied by *scale (NULL: one). */
    void (*inverse)(weir_fr *tile, unsigned levels, size_t width, const weir_fr *base_inv,
                    const weir_fr *table, const weir_fr *scale);
    /* r[i] = a[i] b[i]; r[i] = a[i] - b[i]. Alias: r may be a or b. */
    void (*mul)(weir_fr *r, const weir_fr *a, const weir_fr *b, size_t n);
    void (*sub)(weir_fr *r, const weir_fr *a, const weir_fr *b, size_t n);
} weir_ntt_ops;

WEIR_ISA_DECLARE(weir_ntt_ops, weir_ntt_ops);
const weir_ntt_ops *weir_ntt_ops_get(weir_isa isa);

#endif
