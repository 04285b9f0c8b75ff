/* What a session holds, and where: every byte is known before anything is allocated.
 *
 * Device memory is one block. It has a part that stays (relation, order of the points, twiddles, key) and a part that each proof
 * uses anew: the packed witness, and the vectors of the quotient, on which everything later is laid when they are done with:
 *
 *     a (n, and the dense columns of L after it) | b | tmp       the quotient; h ends in a, and is one sum with the dense part of L
 *     a                                          | arena         that sum
 *     bits, scalars | buckets                                    the other sums
 *
 * Plans
 *   resident   the key lies on the device
 *   streamed   the key lies in pinned host memory and goes through two buffers, a piece in one while the other is summed
 *   small      so do the vectors: the quotient works on pieces of them (gpu_ntt_plan.h), and a piece of h goes up when it is summed
 */
#ifndef WEIR_GPU_LAYOUT_H
#define WEIR_GPU_LAYOUT_H

#include "compute/compute.h"
#include "gpu/gpu_driver.h"
#include "gpu/gpu_msm_plan.h"
#include "gpu/gpu_ntt_plan.h"
#include "relation/relation.h"

typedef enum weir_gpu_plan {
    WEIR_GPU_RESIDENT,
    WEIR_GPU_STREAMED,
    WEIR_GPU_SMALL,
    WEIR_GPU_PLANS
} weir_gpu_plan;
extern const char *const weir_gpu_plan_names[WEIR_GPU_PLANS];

/* The key's points as the device uses them. */
typedef enum weir_gpu_array {
    WEIR_GPU_H_L, /* section h, then the dense columns of section l: one dense sum */
    WEIR_GPU_L_BITS,
    WEIR_GPU_A_BITS,
    WEIR_GPU_A_DENSE,
    WEIR_GPU_B1_BITS,
    WEIR_GPU_B1_DENSE,
    WEIR_GPU_B2_BITS,
    WEIR_GPU_B2_DENSE,
    WEIR_GPU_ARRAYS
} weir_gpu_array;

typedef struct weir_gpu_points {
    bool g2, dense;
    bool mixed;       /* dense, and zeros and ones among the values are looked for (gpu_kinds.h) */
    weir_query query; /* of the values; h's own come from the quotient */
    uint64_t points, bytes;
    uint64_t
        piece; /* points that are summed at once, a multiple of 64 but for the last; all, if the key is resident */
    uint32_t pieces; /* none if there are no points */
    uint64_t at;     /* byte offset of the points: in the device's block, or in the pinned key */
    uint64_t sums;   /* byte offset of the results in `out`: of a piece one after another */
    uint64_t
        sums_each; /* bytes of one piece's results; of a mixed one the sum over ones comes first */
    uint64_t
        counts; /* mixed: place of the first piece's count of general values in the pinned counts */
} weir_gpu_points;

typedef struct weir_gpu_layout {
    weir_gpu_plan plan;
    uint32_t terms;      /* of the sums; arrays of others have no points */
    uint64_t n;          /* of the domain */
    uint64_t vector;     /* elements of a, b, tmp on the device: n, or of a piece */
    unsigned piece_log2; /* of a piece; log2 n */
    weir_gpu_points array[WEIR_GPU_ARRAYS];
    uint64_t words[3],
        dense[3]; /* by weir_query: of masks, of the list; none where no term takes the list */
    /* byte offsets in the device's block */
    uint64_t relation, table, mask[3], rank[3], source[3];
    uint64_t out, buffer[2], witness, a, b, tmp, arena_h, bits, scalars, arena;
    uint64_t count, general,
        index; /* of a mixed piece: how many general values, these, and their points */
    uint64_t arena_bytes, out_bytes, witness_bytes, buffer_bytes, table_bytes;
    uint64_t device_bytes;
    /* in pinned host memory: the key and the vectors a, b, tmp if they are not on the device, then the witness on its way, results,
     * counts */
    uint64_t pinned_vector[3], pinned_witness, pinned_out, pinned_counts, counts, pinned_bytes;
    weir_gpu_ntt_plan ntt; /* pointers: none yet */
} weir_gpu_layout;

/* The first plan that fits budget_bytes of device memory. Errors: WEIR_E_NOMEM with what the smallest plan needs;
 * WEIR_E_RANGE: a circuit that no device holds; WEIR_E_USAGE: terms other than all, all without WEIR_TERMS_G2, without
 * WEIR_TERMS_TAILS, or without both. */
weir_err weir_gpu_layout_make(weir_gpu_layout *l, const weir_relation *rel,
                              const weir_gpu_driver *driver, uint32_t terms, uint64_t budget_bytes,
                              weir_errinfo *ei);

/* Windows of a dense sum at most. */
enum { WEIR_GPU_WINDOWS_MAX = 128 };
/* Bytes of a bitmap: a word more, since a thread may look at one word past the last. */
static inline uint64_t weir_gpu_bits_bytes(uint64_t points)
{
    return points / 64 * 8 + 16;
}

/* Points of piece i of an array. */
uint64_t weir_gpu_piece_points(const weir_gpu_points *a, uint32_t i);
/* The plan of a dense sum of that many points of the array. */
void weir_gpu_dense_plan(weir_dmsm_plan *p, const weir_gpu_points *a, uint64_t points);
/* The plan of a sum over bits of that many points of the array. */
void weir_gpu_bits_plan(weir_dsum_plan *p, const weir_gpu_driver *driver, const weir_gpu_points *a,
                        uint64_t points);

#endif
