/* From the witness to h: rows of the relation, and the transforms of the quotient; whole vectors on the device, or in pieces. */
#include "gpu/gpu_work.h"

typedef weir_gpu_work work;

static weir_err launch_list(work *r, const weir_gpu_ntt_launch *list, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        WEIR_TRY(weir_gpu_work_launch(r, WEIR_GPU_NTT, list[i].blocks, 0, &list[i].a));
    return WEIR_OK;
}

/* ---- on whole vectors */

/* Rows of one part take some ten milliseconds at most. */
static uint32_t row_parts(const weir_gpu_layout *l)
{
    return l->n > 1u << 26 ? (uint32_t)(l->n >> 26) : 1;
}

static weir_err rows(work *r)
{
    const weir_gpu_layout *l = &r->s->l;
    uint32_t parts = row_parts(l);
    for (uint32_t part = 0; part < parts; part++) {
        drel_args a = r->s->rows;
        uint32_t blocks = weir_gpu_relation_domain(&a, l->ntt.log2_n, part, parts,
                                                   gpu_work_at(r, l->a), gpu_work_at(r, l->b));
        WEIR_TRY(weir_gpu_work_launch(r, WEIR_GPU_ROWS, blocks, 0, &a));
    }
    return WEIR_OK;
}

static weir_err quotient(work *r)
{
    const weir_gpu_layout *l = &r->s->l;
    weir_gpu_ntt_launch list[WEIR_GPU_QUOTIENT_LAUNCHES];
    unsigned n = weir_gpu_quotient(list, &l->ntt, gpu_work_at(r, l->a), gpu_work_at(r, l->b),
                                   gpu_work_at(r, l->tmp));
    return launch_list(r, list, n);
}

/* ---- in pieces: one piece or slab at a time is on the device, the vectors are in pinned memory */

enum { A, B, TMP, VECTORS };

/* The piece or slab that is on the device, and what works on it. */
typedef struct share {
    weir_gpu_ntt_cut cut;
    weir_gpu_ntt_launch list[WEIR_GPU_QUOTIENT_LAUNCHES];
    uint64_t place[VECTORS]; /* byte offsets on the device */
    weir_dfr *v[VECTORS];    /* and addresses there */
} share;

/* `bytes` of a vector: from byte `on` of its place on the device, from byte `of` of the whole one. */
static weir_err move(work *r, const share *s, int v, uint64_t on, uint64_t of, uint64_t bytes,
                     bool up)
{
    void *device = gpu_work_at(r, s->place[v] + on);
    void *host = r->s->pinned + r->s->l.pinned_vector[v] + of;
    if (up) return r->d->upload(r->d->ctx, WEIR_GPU_WORK, device, host, bytes, r->ei);
    return r->d->download(r->d->ctx, WEIR_GPU_WORK, host, device, bytes, r->ei);
}

static weir_err move_piece(work *r, const share *s, int v, uint32_t p, bool up)
{
    uint64_t bytes = r->s->l.vector * sizeof(weir_dfr);
    return move(r, s, v, 0, p * bytes, bytes, up);
}

static weir_err move_slab(work *r, const share *s, int v, uint32_t q, bool up)
{
    uint64_t bytes = r->s->l.vector * sizeof(weir_dfr), row = bytes >> s->cut.pieces_log2;
    for (uint64_t p = 0; p < (uint64_t)1 << s->cut.pieces_log2; p++)
        WEIR_TRY(move(r, s, v, p * row, p * bytes + q * row, row, up));
    return WEIR_OK;
}

static weir_err round_back(work *r, share *s, uint32_t p)
{
    drel_args a = r->s->rows;
    uint32_t blocks =
        weir_gpu_relation_piece(&a, r->s->l.ntt.log2_n, s->cut.pieces_log2, p, s->v[A], s->v[B]);
    WEIR_TRY(weir_gpu_work_launch(r, WEIR_GPU_ROWS, blocks, 0, &a));
    unsigned n = weir_gpu_quotient_pieces_back(s->list, &s->cut, p, s->v[A], s->v[B], s->v[TMP]);
    WEIR_TRY(launch_list(r, s->list, n));
    for (int v = 0; v < VECTORS; v++) WEIR_TRY(move_piece(r, s, v, p, false));
    return WEIR_OK;
}

static weir_err round_turn(work *r, share *s, uint32_t q)
{
    for (int v = 0; v < VECTORS; v++) WEIR_TRY(move_slab(r, s, v, q, true));
    unsigned n = weir_gpu_quotient_slabs_turn(s->list, &s->cut, s->v[A], s->v[B], s->v[TMP]);
    WEIR_TRY(launch_list(r, s->list, n));
    for (int v = 0; v < VECTORS; v++) WEIR_TRY(move_slab(r, s, v, q, false));
    return WEIR_OK;
}

static weir_err round_coset(work *r, share *s, uint32_t p)
{
    WEIR_TRY(move_piece(r, s, A, p, true));
    WEIR_TRY(move_piece(r, s, B, p, true));
    unsigned n = weir_gpu_quotient_pieces_coset(s->list, &s->cut, p, s->v[A], s->v[B]);
    WEIR_TRY(launch_list(r, s->list, n));
    return move_piece(r, s, A, p, false);
}

static weir_err round_end(work *r, share *s, uint32_t q)
{
    WEIR_TRY(move_slab(r, s, A, q, true));
    WEIR_TRY(move_slab(r, s, TMP, q, true));
    unsigned n = weir_gpu_quotient_slabs_end(s->list, &s->cut, s->v[A], s->v[TMP]);
    WEIR_TRY(launch_list(r, s->list, n));
    return move_slab(r, s, A, q, false);
}

static weir_err small_quotient(work *r)
{
    static weir_err (*const round[])(work *, share *, uint32_t) = {round_back, round_turn,
                                                                   round_coset, round_end};
    const weir_gpu_layout *l = &r->s->l;
    share s = {.place = {l->a, l->b, l->tmp}};
    for (int v = 0; v < VECTORS; v++) s.v[v] = gpu_work_at(r, s.place[v]);
    weir_gpu_ntt_cut_init(&s.cut, &l->ntt, l->piece_log2);
    for (size_t k = 0; k < sizeof round / sizeof round[0]; k++)
        for (uint32_t i = 0; i < 1u << s.cut.pieces_log2; i++) WEIR_TRY(round[k](r, &s, i));
    return WEIR_OK;
}

/* A domain of one point has no h. */
weir_err weir_gpu_make_h(work *r, int rows_done)
{
    bool some = r->s->l.n > 1, small = r->s->l.plan == WEIR_GPU_SMALL;
    if (some && !small) WEIR_TRY(rows(r));
    WEIR_TRY(r->d->mark(r->d->ctx, WEIR_GPU_WORK, rows_done, r->ei));
    if (!some) return WEIR_OK;
    return small ? small_quotient(r) : quotient(r);
}
