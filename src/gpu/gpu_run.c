/* One run: a packed witness goes up, the sums come back. */
#include "base/clock.h"
#include "gpu/gpu_gather.h"
#include "gpu/gpu_kinds.h"
#include "gpu/gpu_msm_kernels.h"
#include "gpu/gpu_work.h"

#include <string.h>

/* Borders of stages, as marks from WEIR_GPU_MARK_TIME on. */
enum { AT_START, AT_ROWS, AT_QUOTIENT, AT_H, AT_L, AT_A, AT_B1, AT_B2, BORDERS };

typedef weir_gpu_work run;

static weir_err border(run *r, int which)
{
    return r->d->mark(r->d->ctx, WEIR_GPU_WORK, WEIR_GPU_MARK_TIME + which, r->ei);
}

static weir_err upload_witness(run *r, const weir_witness *w)
{
    const weir_gpu_layout *l = &r->s->l;
    unsigned char *staged = r->s->pinned + l->pinned_witness;
    const uint64_t begin = weir_now_ns();
    weir_gpu_witness_pack(staged, w, r->x);
    WEIR_TRY(r->d->upload(r->d->ctx, WEIR_GPU_WORK, gpu_work_at(r, l->witness), staged,
                          l->witness_bytes, r->ei));
    weir_exec_transferred(r->x, begin, weir_now_ns());
    return WEIR_OK;
}

/* ---- values */

/* Dense values first .. first + n - 1 of a query, as scalars. */
static weir_err scalars(run *r, weir_query query, uint64_t first, uint64_t n, uint64_t to)
{
    const weir_gpu_layout *l = &r->s->l;
    dscalar_args a = {.from = r->s->rows.inputs,
                      .index = (const uint32_t *)gpu_work_at(r, l->source[query]) + first,
                      .out = gpu_work_at(r, to),
                      .n = (uint32_t)n};
    return weir_gpu_work_launch(r, WEIR_GPU_SCALARS, dgather_blocks(a.n), 0, &a);
}

/* The values of points first .. first + n - 1 of h and the dense part of l, where the vectors are not on the device. */
static weir_err small_h_values(run *r, uint64_t first, uint64_t n)
{
    const weir_gpu_layout *l = &r->s->l;
    uint64_t of_h = l->n - 1 > first ? l->n - 1 - first : 0;
    if (of_h > n) of_h = n;
    if (of_h > 0)
        WEIR_TRY(r->d->upload(r->d->ctx, WEIR_GPU_WORK, gpu_work_at(r, l->scalars),
                              r->s->pinned + l->pinned_vector[0] + first * sizeof(weir_dfr),
                              of_h * sizeof(weir_dfr), r->ei));
    if (n == of_h) return WEIR_OK;
    return scalars(r, WEIR_QUERY_L, first + of_h - (l->n - 1), n - of_h,
                   l->scalars + of_h * sizeof(weir_dfr));
}

/* Puts the values of a dense piece somewhere. h's last coefficient is zero and has no point: where the vectors are on the device, the
 * dense values of l stand from its place on. */
static weir_err dense_values(run *r, weir_gpu_array array, uint64_t first, uint64_t n,
                             uint64_t *values)
{
    const weir_gpu_layout *l = &r->s->l;
    *values = l->scalars;
    if (array != WEIR_GPU_H_L) return scalars(r, l->array[array].query, first, n, l->scalars);
    if (l->plan == WEIR_GPU_SMALL) return small_h_values(r, first, n);
    *values = l->a + first * sizeof(weir_dfr);
    return WEIR_OK;
}

static weir_err bits(run *r, weir_query query, uint64_t points)
{
    const weir_gpu_layout *l = &r->s->l;
    dgather_args a = r->s->gather[query];
    a.out = gpu_work_at(r, l->bits);
    WEIR_TRY(r->d->clear(r->d->ctx, WEIR_GPU_WORK, a.out, weir_gpu_bits_bytes(points), r->ei));
    return weir_gpu_work_launch(r, WEIR_GPU_GATHER, dgather_blocks(dgather_work(&a)), 0, &a);
}

/* ---- sums */

/* How many values of a mixed piece are general, once that is known. */
static uint32_t *piece_count(const weir_session *s, const weir_gpu_points *a, uint32_t piece)
{
    return (uint32_t *)(void *)(s->pinned + s->l.pinned_counts) + a->counts + piece;
}

/* index: NULL, or the point of each value. */
static weir_err sum_dense(run *r, const weir_gpu_points *a, uint64_t n, const void *from,
                          const void *values, const uint32_t *index, void *out, uint64_t arena)
{
    weir_dmsm_plan plan;
    weir_gpu_dense_plan(&plan, a, n);
    unsigned kernels = a->g2 ? WEIR_GPU_DMSM_G2 : WEIR_GPU_DMSM_G1;
    for (uint32_t i = 0; i < weir_dmsm_steps(&plan); i++) {
        weir_dmsm_step s;
        weir_dmsm_step_make(&s, &plan, i, gpu_work_at(r, arena), from, values, out);
        s.args.index = index;
        WEIR_TRY(weir_gpu_work_launch(r, kernels + s.kernel, s.blocks, s.threads, &s.args));
    }
    return WEIR_OK;
}

static weir_err sum_bits(run *r, const weir_gpu_points *a, uint64_t points, const void *from,
                         const void *values, void *out)
{
    unsigned kernels = a->g2 ? WEIR_GPU_DSUM_G2 : WEIR_GPU_DSUM_G1;
    weir_dsum_plan plan;
    weir_gpu_bits_plan(&plan, r->d, a, points);
    for (uint32_t i = 0; i < weir_dsum_steps(&plan); i++) {
        weir_dsum_step s;
        weir_dsum_step_make(&s, &plan, i, gpu_work_at(r, r->s->l.arena), from, values, out);
        WEIR_TRY(weir_gpu_work_launch(r, kernels + s.kernel, s.blocks, s.threads, &s.args));
    }
    return WEIR_OK;
}

/* The values of a mixed piece by kind; tells how many are general. */
static weir_err find_kinds(run *r, uint64_t points, const void *values, uint32_t *count)
{
    const weir_gpu_driver *d = r->d;
    const weir_gpu_layout *l = &r->s->l;
    const dkinds_args a = {.in = values,
                           .n = (uint32_t)points,
                           .ones = gpu_work_at(r, l->bits),
                           .out = gpu_work_at(r, l->general),
                           .index = gpu_work_at(r, l->index),
                           .count = gpu_work_at(r, l->count)};
    WEIR_TRY(d->clear(d->ctx, WEIR_GPU_WORK, a.ones, weir_gpu_bits_bytes(points), r->ei));
    WEIR_TRY(d->clear(d->ctx, WEIR_GPU_WORK, a.count, sizeof *a.count, r->ei));
    WEIR_TRY(weir_gpu_work_launch(
        r, WEIR_GPU_KINDS, (uint32_t)((points + DKINDS_THREADS - 1) / DKINDS_THREADS), 0, &a));
    WEIR_TRY(d->download(d->ctx, WEIR_GPU_WORK, count, a.count, sizeof *count, r->ei));
    WEIR_TRY(d->mark(d->ctx, WEIR_GPU_WORK, WEIR_GPU_MARK_COUNT, r->ei));
    return d->wait(d->ctx, WEIR_GPU_MARK_COUNT, r->ei);
}

/* Ones by their bits, general values densely; everything densely if the plan for these takes more scratch than there is. */
static weir_err sum_mixed(run *r, const weir_gpu_points *a, uint32_t piece, const void *from,
                          const void *values, unsigned char *out)
{
    const weir_gpu_layout *l = &r->s->l;
    uint64_t points = weir_gpu_piece_points(a, piece);
    uint32_t *count = piece_count(r->s, a, piece);
    unsigned char *windows = out + (a->g2 ? sizeof(weir_g2) : sizeof(weir_g1));
    weir_dmsm_plan plan;
    WEIR_TRY(find_kinds(r, points, values, count));
    weir_gpu_dense_plan(&plan, a, *count);
    if (plan.total_bytes > l->arena_bytes) {
        *count = (uint32_t)points;
        WEIR_TRY(r->d->clear(r->d->ctx, WEIR_GPU_WORK, gpu_work_at(r, l->bits),
                             weir_gpu_bits_bytes(points), r->ei));
    }
    WEIR_TRY(sum_bits(r, a, points, from, gpu_work_at(r, l->bits), out));
    if (*count == points) return sum_dense(r, a, points, from, values, NULL, windows, l->arena);
    return sum_dense(r, a, *count, from, gpu_work_at(r, l->general), gpu_work_at(r, l->index),
                     windows, l->arena);
}

/* Where piece i's points are. One that is streamed was asked for by fetch_piece before. */
static const void *piece_points(const run *r, const weir_gpu_points *a, uint32_t i)
{
    uint64_t each = a->g2 ? sizeof(weir_dg2_affine) : sizeof(weir_dg1_affine);
    if (r->s->l.plan == WEIR_GPU_RESIDENT) return gpu_work_at(r, a->at + i * a->piece * each);
    return gpu_work_at(r, r->s->l.buffer[r->uploads % 2]);
}

/* Sends piece i on its way to the buffer of upload number `number`, as soon as that is free. */
static weir_err fetch_piece(run *r, const weir_gpu_points *a, uint32_t i, uint32_t number)
{
    const weir_gpu_driver *d = r->d;
    uint64_t each = a->g2 ? sizeof(weir_dg2_affine) : sizeof(weir_dg1_affine);
    int side = (int)(number % 2);
    if (number >= 2) WEIR_TRY(d->follow(d->ctx, WEIR_GPU_COPY, WEIR_GPU_MARK_SUMMED + side, r->ei));
    WEIR_TRY(d->upload(d->ctx, WEIR_GPU_COPY, gpu_work_at(r, r->s->l.buffer[side]),
                       r->s->pinned + a->at + i * a->piece * each,
                       weir_gpu_piece_points(a, i) * each, r->ei));
    return d->mark(d->ctx, WEIR_GPU_COPY, WEIR_GPU_MARK_LOADED + side, r->ei);
}

/* The piece after (array, i) in the order of the run; array -1: the first. False: there is none. */
static bool next_piece(const weir_gpu_layout *l, int *array, uint32_t *i)
{
    if (*array >= 0 && ++*i < l->array[*array].pieces) return true;
    for (*i = 0, ++*array; *array < WEIR_GPU_ARRAYS; ++*array)
        if (l->array[*array].pieces > 0) return true;
    return false;
}

/* The first piece comes while the quotient is made. */
static weir_err begin_pieces(run *r)
{
    const weir_gpu_layout *l = &r->s->l;
    int array = -1;
    uint32_t i = 0;
    if (l->plan == WEIR_GPU_RESIDENT || !next_piece(l, &array, &i)) return WEIR_OK;
    return fetch_piece(r, &l->array[array], i, 0);
}

/* Before piece (array, i) is summed: it is there, and the next one is on its way. */
static weir_err begin_piece(run *r, int array, uint32_t i)
{
    const weir_gpu_layout *l = &r->s->l;
    if (l->plan == WEIR_GPU_RESIDENT) return WEIR_OK;
    WEIR_TRY(r->d->follow(r->d->ctx, WEIR_GPU_WORK, WEIR_GPU_MARK_LOADED + (int)(r->uploads % 2),
                          r->ei));
    if (next_piece(l, &array, &i)) return fetch_piece(r, &l->array[array], i, r->uploads + 1);
    return WEIR_OK;
}

static weir_err end_piece(run *r)
{
    if (r->s->l.plan == WEIR_GPU_RESIDENT) return WEIR_OK;
    int side = (int)(r->uploads++ % 2);
    return r->d->mark(r->d->ctx, WEIR_GPU_WORK, WEIR_GPU_MARK_SUMMED + side, r->ei);
}

static weir_err sum_piece(run *r, weir_gpu_array array, uint32_t i)
{
    const weir_gpu_layout *l = &r->s->l;
    const weir_gpu_points *a = &l->array[array];
    uint64_t points = weir_gpu_piece_points(a, i), first = i * a->piece, values;
    unsigned char *out = gpu_work_at(r, l->out + a->sums + i * a->sums_each);
    const void *from = piece_points(r, a, i);
    if (!a->dense)
        return sum_bits(r, a, points, from, gpu_work_at(r, l->bits + first / 64 * sizeof(uint64_t)),
                        out);
    WEIR_TRY(dense_values(r, array, first, points, &values));
    if (a->mixed) return sum_mixed(r, a, i, from, gpu_work_at(r, values), out);
    bool in_place = array == WEIR_GPU_H_L && l->plan != WEIR_GPU_SMALL;
    return sum_dense(r, a, points, from, gpu_work_at(r, values), NULL, out,
                     in_place ? l->arena_h : l->arena);
}

static weir_err sum_array(run *r, weir_gpu_array array)
{
    for (uint32_t i = 0; i < r->s->l.array[array].pieces; i++) {
        WEIR_TRY(begin_piece(r, array, i));
        WEIR_TRY(sum_piece(r, array, i));
        WEIR_TRY(end_piece(r));
    }
    return WEIR_OK;
}

static weir_err sum_h(run *r)
{
    const weir_gpu_layout *l = &r->s->l;
    if (l->plan != WEIR_GPU_SMALL && l->dense[WEIR_QUERY_L] > 0)
        WEIR_TRY(scalars(r, WEIR_QUERY_L, 0, l->dense[WEIR_QUERY_L],
                         l->a + (l->n - 1) * sizeof(weir_dfr)));
    WEIR_TRY(sum_array(r, WEIR_GPU_H_L));
    return border(r, AT_H);
}

static weir_err sum_l(run *r)
{
    WEIR_TRY(bits(r, WEIR_QUERY_L, r->s->l.array[WEIR_GPU_L_BITS].points));
    WEIR_TRY(sum_array(r, WEIR_GPU_L_BITS));
    return border(r, AT_L);
}

static weir_err sum_a(run *r)
{
    WEIR_TRY(bits(r, WEIR_QUERY_A, r->s->l.array[WEIR_GPU_A_BITS].points));
    WEIR_TRY(sum_array(r, WEIR_GPU_A_BITS));
    WEIR_TRY(sum_array(r, WEIR_GPU_A_DENSE));
    return border(r, AT_A);
}

/* The same values in both groups. Where an array is mixed there are no points of bits, whose place its ones take. */
static weir_err sum_b(run *r)
{
    WEIR_TRY(bits(r, WEIR_QUERY_B, r->s->l.array[WEIR_GPU_B1_BITS].points));
    WEIR_TRY(sum_array(r, WEIR_GPU_B1_BITS));
    WEIR_TRY(sum_array(r, WEIR_GPU_B1_DENSE));
    WEIR_TRY(border(r, AT_B1));
    WEIR_TRY(sum_array(r, WEIR_GPU_B2_BITS));
    WEIR_TRY(sum_array(r, WEIR_GPU_B2_DENSE));
    return border(r, AT_B2);
}

/* ---- results */

/* What a piece left: the sum over ones if it is mixed, and windows. */
typedef struct piece_sums {
    const unsigned char *ones, *windows;
    weir_dmsm_plan plan;
} piece_sums;

static void find_sums(piece_sums *p, const run *r, const weir_gpu_points *a, uint32_t i)
{
    const unsigned char *from = r->s->pinned + r->s->l.pinned_out + a->sums + i * a->sums_each;
    *p = (piece_sums){.windows = from, .plan = {.windows = 1}};
    if (!a->dense) return;
    weir_gpu_dense_plan(&p->plan, a,
                        a->mixed ? *piece_count(r->s, a, i) : weir_gpu_piece_points(a, i));
    if (!a->mixed) return;
    p->ones = from;
    p->windows = from + (a->g2 ? sizeof(weir_g2) : sizeof(weir_g1));
}

static void add_array_g1(const run *r, weir_g1 *sum, weir_gpu_array array)
{
    const weir_gpu_points *a = &r->s->l.array[array];
    for (uint32_t i = 0; i < a->pieces; i++) {
        piece_sums p;
        find_sums(&p, r, a, i);
        if (p.ones)
            weir_gpu_add_windows_g1(sum, (const weir_g1 *)(const void *)p.ones, 1, 0, r->x->isa);
        weir_gpu_add_windows_g1(sum, (const weir_g1 *)(const void *)p.windows, p.plan.windows,
                                p.plan.c, r->x->isa);
    }
}

static void add_array_g2(const run *r, weir_g2 *sum, weir_gpu_array array)
{
    const weir_gpu_points *a = &r->s->l.array[array];
    for (uint32_t i = 0; i < a->pieces; i++) {
        piece_sums p;
        find_sums(&p, r, a, i);
        if (p.ones)
            weir_gpu_add_windows_g2(sum, (const weir_g2 *)(const void *)p.ones, 1, 0, r->x->isa);
        weir_gpu_add_windows_g2(sum, (const weir_g2 *)(const void *)p.windows, p.plan.windows,
                                p.plan.c, r->x->isa);
    }
}

static void join(const run *r, weir_sums *out)
{
    memset(out, 0, sizeof *out);
    add_array_g1(r, &out->h, WEIR_GPU_H_L);
    add_array_g1(r, &out->l, WEIR_GPU_L_BITS);
    add_array_g1(r, &out->a, WEIR_GPU_A_BITS);
    add_array_g1(r, &out->a, WEIR_GPU_A_DENSE);
    add_array_g1(r, &out->b1, WEIR_GPU_B1_BITS);
    add_array_g1(r, &out->b1, WEIR_GPU_B1_DENSE);
    add_array_g2(r, &out->b2, WEIR_GPU_B2_BITS);
    add_array_g2(r, &out->b2, WEIR_GPU_B2_DENSE);
}

static weir_err tell_times(const run *r, weir_sums_stats *stats)
{
    uint64_t *const to[BORDERS - 1] = {&stats->eval_ns, &stats->ntt_ns, &stats->h_ns, &stats->l_ns,
                                       &stats->a_ns,    &stats->b1_ns,  &stats->b2_ns};
    const weir_gpu_points *a = r->s->l.array;
    for (int i = 0; i + 1 < BORDERS; i++) {
        *to[i] = 0;
        if (r->paused) continue;
        WEIR_TRY(r->d->elapsed(r->d->ctx, to[i], WEIR_GPU_MARK_TIME + i, WEIR_GPU_MARK_TIME + i + 1,
                               r->ei));
    }
    stats->bit_points = stats->dense_points = 0;
    for (int i = 0; i < WEIR_GPU_ARRAYS; i++)
        *(a[i].dense ? &stats->dense_points : &stats->bit_points) += a[i].points;
    stats->dense_points -= r->s->l.n - 1;
    return WEIR_OK;
}

static weir_err work(run *r, weir_sums *out, const weir_witness *w, weir_sums_stats *stats)
{
    const weir_gpu_layout *l = &r->s->l;
    WEIR_TRY(border(r, AT_START));
    WEIR_TRY(begin_pieces(r));
    WEIR_TRY(upload_witness(r, w));
    WEIR_TRY(weir_gpu_make_h(r, WEIR_GPU_MARK_TIME + AT_ROWS));
    WEIR_TRY(border(r, AT_QUOTIENT));
    WEIR_TRY(sum_h(r));
    WEIR_TRY(sum_l(r));
    WEIR_TRY(sum_a(r));
    WEIR_TRY(sum_b(r));
    WEIR_TRY(r->d->download(r->d->ctx, WEIR_GPU_WORK, r->s->pinned + l->pinned_out,
                            gpu_work_at(r, l->out), l->out_bytes, r->ei));
    WEIR_TRY(r->d->drain(r->d->ctx, r->ei));
    join(r, out);
    return stats ? tell_times(r, stats) : WEIR_OK;
}

/* After an error the queues are emptied, so that the session may be used again. */
weir_err weir_gpu_run(weir_session *s, weir_sums *out, const weir_witness *w,
                      weir_sums_stats *stats, const weir_exec *x, weir_errinfo *ei)
{
    run r = {.s = s, .d = s->driver, .x = x, .ei = ei};
    weir_errinfo second;
    if (w->rel != s->rel)
        return weir_fail(ei, WEIR_E_MISMATCH,
                         "the witness belongs to another circuit than the session");
    uint64_t up = s->driver->up_bytes, down = s->driver->down_bytes;
    weir_err err = work(&r, out, w, stats);
    if (stats) stats->up_bytes = s->driver->up_bytes - up;
    if (stats) stats->down_bytes = s->driver->down_bytes - down;
    if (err != WEIR_OK && !r.drained) (void)s->driver->drain(s->driver->ctx, &second);
    return err;
}
