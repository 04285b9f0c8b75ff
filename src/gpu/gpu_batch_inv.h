/* Block-wide inversion and the kernel that inverts arrays, for Fp, Fp2 and Fr (contracts in gpu_block_inv.inc.h and
 * gpu_batch_inv.inc.h). C and C++ (CUDA) both include this header. */
#ifndef WEIR_GPU_BATCH_INV_H
#define WEIR_GPU_BATCH_INV_H

#include "gpu/gpu_fp2.h"
#include "gpu/gpu_fr.h"
#include "gpu/gpu_phase.h"

/* Elements a thread, so that the block's tree and inversion are a small share; threads a block at most. */
enum { BATCH_INV_EACH = 16, BATCH_INV_THREADS_MAX = 256 };

#define B_(name) dfp_##name
#define F_(name) dfp_##name
#define B_FIELD  weir_dfp
#include "gpu/gpu_block_inv.inc.h"
/* after its building block */
#include "gpu/gpu_batch_inv.inc.h"
#undef B_
#undef F_
#undef B_FIELD

#define B_(name) dfp2_##name
#define F_(name) dfp2_##name
#define B_FIELD  weir_dfp2
#include "gpu/gpu_block_inv.inc.h"
/* after its building block */
#include "gpu/gpu_batch_inv.inc.h"
#undef B_
#undef F_
#undef B_FIELD

#define B_(name) dfr_##name
#define F_(name) dfr_##name
#define B_FIELD  weir_dfr
#include "gpu/gpu_block_inv.inc.h"
/* after its building block */
#include "gpu/gpu_batch_inv.inc.h"
#undef B_
#undef F_
#undef B_FIELD

#endif
