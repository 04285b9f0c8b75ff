/* A session of the GPU backend: the parts that its files share. Private to the backend. */
#ifndef WEIR_GPU_SESSION_H
#define WEIR_GPU_SESSION_H

#include "compute/compute.h"
#include "compute/key_reader.h"
#include "gpu/gpu_driver.h"
#include "gpu/gpu_layout.h"
#include "gpu/gpu_multiples.h"
#include "gpu/gpu_query.h"
#include "gpu/gpu_relation_plan.h"

struct weir_session {
    const weir_relation *rel;
    const weir_gpu_driver *driver;
    weir_gpu_layout l;
    unsigned char *device, *pinned; /* one block each */
    drel_args rows;                 /* the relation and the witness at their places */
    dgather_args gather[3];         /* by weir_query */
};

/* Marks. Loading uses the first ones; a run all of them. */
enum {
    WEIR_GPU_MARK_STAGE = 0,   /* 4: a staging buffer is free again */
    WEIR_GPU_MARK_STEP = 4,    /* 4, in turn: the host never runs far ahead of the device */
    WEIR_GPU_MARK_LOADED = 8,  /* 2: a piece lies in its buffer */
    WEIR_GPU_MARK_SUMMED = 10, /* 2: a buffer is free again */
    WEIR_GPU_MARK_COUNT = 12,  /* a count has come back */
    WEIR_GPU_MARK_TIME = 13    /* the borders of stages */
};

/* Puts what stays on the device there: relation, order of points, twiddles, key. Host memory beside the pinned block: the
 * packed relation, lists of dense points, a chunk of decoded points, staging: weir_gpu_load_bytes. Errors: those of the key's
 * reader, WEIR_E_NOMEM, WEIR_E_CANCELLED, WEIR_E_DEVICE; the queues are empty then. */
weir_err weir_gpu_load(weir_session *s, const weir_key_points *key, const weir_exec *x,
                       weir_errinfo *ei) WEIR_MUST_USE;

/* Bytes of the host that loading takes for a time. */
uint64_t weir_gpu_load_bytes(const weir_gpu_layout *l, const weir_relation *rel);

/* A stage of arrays: 32 blocks in G1, 16 in G2. Two are taken. */
enum { WEIR_GPU_ARRAY_STAGE_BYTES = 32 * WEIR_KEY_BLOCK_POINTS * (int)sizeof(weir_g1_affine) };

/* A part of loading: the points of a key that is kept as arrays. The queues are empty afterwards. */
weir_err weir_gpu_load_arrays(weir_session *s, const weir_gpu_query query[3],
                              weir_key_reader *reader, weir_errinfo *ei) WEIR_MUST_USE;

/* A part of loading: the points of a key whose exponents are known, made in the part of the device's block that runs use. False: that is
 * too small. The queues are empty after load_made. */
bool weir_gpu_made_plan(weir_gpu_multiples plan[2], const weir_gpu_layout *l,
                        const weir_gpu_driver *driver, const uint64_t count[WEIR_KEY_SECTIONS]);
weir_err weir_gpu_load_made(weir_session *s, const weir_gpu_multiples plan[2],
                            const weir_gpu_query query[3], const weir_key_points *key,
                            const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;

/* compute.h's run. */
weir_err weir_gpu_run(weir_session *s, weir_sums *out, const weir_witness *w,
                      weir_sums_stats *stats, const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;

/* ---- results (gpu_join.c) */

/* sum += the sum of `windows` windows of c bits, lowest first: Jacobian points as the kernels leave them. */
void weir_gpu_add_windows_g1(weir_g1 *sum, const weir_g1 *window, unsigned windows, unsigned c,
                             weir_isa isa);
void weir_gpu_add_windows_g2(weir_g2 *sum, const weir_g2 *window, unsigned windows, unsigned c,
                             weir_isa isa);

#endif
