/* Inverses of an array, a kernel in phases (gpu_phase.h) and an include-template after gpu_block_inv.inc.h, whose
 * macros it uses and leaves.
 *
 * Each block takes a piece of BATCH_INV_EACH * threads elements, each thread every threads-th of the piece. Zeros stay
 * zero. out and in may not overlap: out holds the prefix products in between.
 * Cost: 6 products an element of which 3 in the thread, and a share of the block's inversions. Out: below 2p.
 */

typedef struct B_(batch_inv_args) {
    B_FIELD *out;
    const B_FIELD *in;
    uint64_t n;
} B_(batch_inv_args);

typedef struct B_(batch_inv_shared) {
    B_FIELD tree[2 * BATCH_INV_THREADS_MAX];
} B_(batch_inv_shared);

typedef struct B_(batch_inv_own) {
    B_FIELD
    acc; /* the product of the thread's elements, later the inverse of the first i of them */
} B_(batch_inv_own);

WEIR_HD int B_(batch_inv_phases)(const B_(batch_inv_args) * a, uint32_t threads)
{
    (void)a;
    return B_(block_inv_phases)(threads);
}

WEIR_HD bool B_(batch_inv_warp_only)(int k, const B_(batch_inv_args) * a, uint32_t threads)
{
    (void)k;
    (void)a;
    (void)threads;
    return false;
}

WEIR_HD uint64_t B_(batch_inv_index)(const weir_dpos *at, uint32_t i)
{
    return (uint64_t)at->block * BATCH_INV_EACH * at->threads + (uint64_t)i * at->threads +
           at->thread;
}

/* acc = the product of the thread's elements; out = what it was before each. */
WEIR_HD void B_(batch_inv_down)(const B_(batch_inv_args) * a, B_FIELD *acc, const weir_dpos *at)
{
    F_(set_one)(acc);
    WEIR_NO_UNROLL
    for (uint32_t i = 0; i < BATCH_INV_EACH; i++) {
        uint64_t at_i = B_(batch_inv_index)(at, i);
        if (at_i >= a->n) return;
        B_FIELD x = a->in[at_i];
        a->out[at_i] = *acc;
        if (!F_(is_zero)(&x)) F_(mul)(acc, acc, &x);
    }
}

/* In: acc = the inverse of the product. */
WEIR_HD void B_(batch_inv_up)(const B_(batch_inv_args) * a, B_FIELD *acc, const weir_dpos *at)
{
    WEIR_NO_UNROLL
    for (uint32_t i = BATCH_INV_EACH; i-- > 0;) {
        uint64_t at_i = B_(batch_inv_index)(at, i);
        if (at_i >= a->n) continue;
        B_FIELD x = a->in[at_i], before = a->out[at_i], inverse;
        if (F_(is_zero)(&x)) {
            F_(set_zero)(&inverse);
        } else {
            F_(mul)(&inverse, acc, &before);
            F_(mul)(acc, acc, &x);
        }
        a->out[at_i] = inverse;
    }
}

WEIR_HD void B_(batch_inv_phase)(int k, const B_(batch_inv_args) * a, B_(batch_inv_shared) * s,
                                 B_(batch_inv_own) * own, const weir_dpos *at)
{
    if (k == 0) B_(batch_inv_down)(a, &own->acc, at);
    B_(block_inv_phase)(k, s->tree, &own->acc, at);
    if (k + 1 == B_(block_inv_phases)(at->threads)) B_(batch_inv_up)(a, &own->acc, at);
}
