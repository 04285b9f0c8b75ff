/* A relation and its packed witness as the kernel of gpu_relation.h reads them. C and C++ (CUDA) both include this header.
 *
 * Both are one stretch of memory each, packed on the host and copied as a whole: the relation once, the witness for each
 * proof. Nothing here calls CUDA; pointers into the device's memory are kept and not followed.
 */
#ifndef WEIR_GPU_RELATION_PLAN_H
#define WEIR_GPU_RELATION_PLAN_H

#include "gpu/gpu_relation.h"

#ifdef __cplusplus
extern "C" {
#endif
#include "relation/relation.h"

/* True if the kernel's counters hold it: a domain of at most 2^28. */
bool weir_gpu_relation_fits(const weir_relation *rel);
/* Bytes on the device: 6 a stored term of A and B, 4 a stored row of each, 32 a coefficient. */
uint64_t weir_gpu_relation_bytes(const weir_relation *rel);
/* out: that many bytes, aligned to 16. */
void weir_gpu_relation_pack(void *out, const weir_relation *rel);

/* The same of the witness: 32 an input and a dense element, 8 a word of bits. */
uint64_t weir_gpu_witness_bytes(const weir_relation *rel);
/* On x's pool. */
void weir_gpu_witness_pack(void *out, const weir_witness *w, const weir_exec *x);

/* Arguments for a relation and a witness packed at these places, aligned to 16. Still to be said: which rows. */
void weir_gpu_relation_at(drel_args *a, const weir_relation *rel, const void *relation,
                          const void *witness);
/* Rows lo .. hi - 1 to out_a[0 ..] and out_b[0 ..]. Returns the number of blocks of DREL_ROWS threads. */
uint32_t weir_gpu_relation_rows(drel_args *a, uint32_t lo, uint32_t hi, weir_dfr *out_a,
                                weir_dfr *out_b);
/* Part `part` of `parts` of the values on a domain of 2^log2_n >= rows elements, in bit-reversed order, zeros above the rows:
 * what weir_gpu_quotient takes. out_a, out_b: 2^log2_n elements each. Returns the number of blocks, 0 for an empty part. */
uint32_t weir_gpu_relation_domain(drel_args *a, unsigned log2_n, uint32_t part, uint32_t parts,
                                  weir_dfr *out_a, weir_dfr *out_b);
/* The same, piece by piece: values `piece` 2^(log2_n - pieces_log2) and up of that order to out_a[0 ..], out_b[0 ..]. Returns the
 * number of blocks. In: pieces_log2 < log2_n. */
uint32_t weir_gpu_relation_piece(drel_args *a, unsigned log2_n, unsigned pieces_log2,
                                 uint32_t piece, weir_dfr *out_a, weir_dfr *out_b);

#ifdef __cplusplus
}
#endif

#endif
