#include "hash/poseidon.h"

#include "base/alloc.h"
#include "field/fr.h"
#include "hash/poseidon_constants.h"

/* Number of partial rounds by arity, for 128 bits of security with x^5 and a margin of 7.5 %
 * (2019/458, table of instances; the same numbers in neptune's specification). 0: not supported. */
static unsigned partial_rounds(unsigned arity)
{
    switch (arity) {
    case 1:
    case 2:
        return 55;
    case 4:
        return 56;
    case 8:
    case 11:
        return 57;
    case 16:
        return 59;
    default:
        return 0;
    }
}

/* One piece of memory: the struct, then all constants. */
static weir_poseidon *allocate(unsigned arity, unsigned rp)
{
    const size_t w = arity + 1;
    const size_t keys = WEIR_POSEIDON_FULL_ROUNDS * w + rp, square = w * w;
    const size_t elems = keys + 2 * square + rp * w + rp * (w - 1);
    const size_t blocks =
        rp / WEIR_POSEIDON_BLOCK * weir_poseidon_block_elems((unsigned)w, WEIR_POSEIDON_BLOCK) +
        weir_poseidon_block_elems((unsigned)w, rp % WEIR_POSEIDON_BLOCK);
    const size_t x8_elems = keys + 1 + 2 * square + blocks;
    _Static_assert(sizeof(weir_poseidon) % _Alignof(weir_fr) == 0, "constants follow the struct");
    weir_poseidon *p =
        weir_malloc(1, sizeof *p + elems * sizeof(weir_fr) + x8_elems * sizeof(weir_fr52));
    if (!p) return NULL;
    weir_fr *at = (weir_fr *)(void *)(p + 1);
    p->arity = arity;
    p->width = (unsigned)w;
    p->partial_rounds = rp;
    p->round_keys = at;
    p->mds = p->round_keys + keys;
    p->pre_sparse = p->mds + square;
    p->sparse_w_hat = p->pre_sparse + square;
    p->sparse_v_rest = p->sparse_w_hat + rp * w;
    p->x8_keys = (weir_fr52 *)(void *)(at + elems);
    p->x8_mds = p->x8_keys + keys + 1;
    p->x8_pre_sparse = p->x8_mds + square;
    p->x8_blocks = p->x8_pre_sparse + square;
    return p;
}

weir_err weir_poseidon_new(weir_poseidon **out, unsigned arity, const weir_fr *tag,
                           weir_errinfo *ei)
{
    *out = NULL;
    const unsigned rp = partial_rounds(arity);
    if (rp == 0)
        return weir_fail(ei, WEIR_E_UNSUPPORTED,
                         "no Poseidon of arity %u; there are 1, 2, 4, 8, 11, 16", arity);
    weir_poseidon *p = allocate(arity, rp);
    if (!p) return weir_fail(ei, WEIR_E_NOMEM, "no memory for Poseidon of arity %u", arity);
    if (tag)
        p->tag = *tag;
    else
        fr_from_u64(&p->tag, (UINT64_C(1) << arity) - 1);
    weir_err err = weir_poseidon_constants(p, ei);
    if (err != WEIR_OK) {
        weir_free(p);
        return err;
    }
    *out = p;
    return WEIR_OK;
}

void weir_poseidon_free(weir_poseidon *p)
{
    weir_free(p);
}

unsigned weir_poseidon_trace_len(const weir_poseidon *p)
{
    const unsigned full = WEIR_POSEIDON_FULL_ROUNDS * p->width;
    return 3 * (full + p->partial_rounds - 1) + full + p->partial_rounds - p->arity;
}

const weir_poseidon_ops *weir_poseidon_ops_get(weir_isa isa)
{
    return WEIR_ISA_PICK_IFMA(isa, weir_poseidon_ops);
}
