/* Plans, and the passes over memory. The method is in docs/ntt.md: a polynomial is reduced modulo
 * x^n - g^n, then modulo the two factors x^(n/2) -+ g^(n/2) and so on down to x - g w^i; what is
 * left are the values. */
#include "poly/ntt.h"

#include "base/alloc.h"
#include "field/fr.h"
#include "poly/ntt_plan.h"

#include <string.h>

/* Sizes in levels and elements of 32 bytes. A chunk of the last pass (512 KiB) and the table (256
 * KiB) lie together in a second-level cache of 1 MiB. Tiles of the other passes have runs of at
 * least 128 bytes. */
enum { CHUNK_LEVELS = 14, STRIDED_LEVELS_MAX = 13, TILE_LOG2 = 14, WIDTH_LOG2_MIN = 2 };

_Static_assert(CHUNK_LEVELS + (WEIR_NTT_MAX_PASSES - 1) * STRIDED_LEVELS_MAX >= WEIR_NTT_MAX_LOG2,
               "passes for the largest size");

/* ---- plan */

static unsigned chunk_levels(unsigned log2_n)
{
    return log2_n < CHUNK_LEVELS ? log2_n : CHUNK_LEVELS;
}

/* The last pass takes what fits; the levels above it are shared out evenly. */
static void split_passes(weir_ntt_plan *plan)
{
    const unsigned last = chunk_levels(plan->log2_n), above = plan->log2_n - last;
    const unsigned strided = (above + STRIDED_LEVELS_MAX - 1) / STRIDED_LEVELS_MAX;
    unsigned level = 0;
    for (unsigned p = 0; p < strided; p++) {
        const unsigned levels = (above - level) / (strided - p);
        const unsigned below = plan->log2_n - level - levels;
        unsigned width = levels + WIDTH_LOG2_MIN < TILE_LOG2 ? TILE_LOG2 - levels : WIDTH_LOG2_MIN;
        if (width > below) width = below;
        plan->pass[p] =
            (weir_ntt_pass){.first = level, .levels = levels, .width = (size_t)1 << width};
        level += levels;
    }
    plan->pass[strided] = (weir_ntt_pass){.first = level, .levels = last, .width = 1};
    plan->passes = strided + 1;
}

/* No pass has more levels than the last one, so its last level needs the most twiddles. */
static size_t table_size(unsigned log2_n)
{
    const unsigned levels = chunk_levels(log2_n);
    return levels ? (size_t)1 << (levels - 1) : 1;
}

static void fill_tables(weir_ntt_plan *plan)
{
    fr_root_of_unity(&plan->root[WEIR_NTT_MAX_LOG2], WEIR_NTT_MAX_LOG2);
    weir_fr_inv(&plan->root_inv[WEIR_NTT_MAX_LOG2], &plan->root[WEIR_NTT_MAX_LOG2]);
    for (unsigned i = WEIR_NTT_MAX_LOG2; i > 0; i--) {
        fr_sqr(&plan->root[i - 1], &plan->root[i]);
        fr_sqr(&plan->root_inv[i - 1], &plan->root_inv[i]);
    }
    /* Bit t of m stands for 2^-(t+1) of a half turn: a root of order 2^(t+2). */
    const size_t size = table_size(plan->log2_n);
    plan->table[0] = fr_ONE;
    for (unsigned t = 0; (size_t)1 << t < size; t++)
        for (size_t m = 0; m < (size_t)1 << t; m++)
            fr_mul(&plan->table[m + ((size_t)1 << t)], &plan->table[m], &plan->root[t + 2]);
}

uint64_t weir_ntt_plan_bytes(unsigned log2_n)
{
    return sizeof(weir_ntt_plan) + table_size(log2_n) * sizeof(weir_fr);
}

weir_err weir_ntt_plan_new(weir_ntt_plan **out, unsigned log2_n, const weir_exec *x,
                           weir_errinfo *ei)
{
    *out = NULL;
    if (log2_n > WEIR_NTT_MAX_LOG2)
        return weir_fail(ei, WEIR_E_UNSUPPORTED,
                         "a transform of 2^%u elements: the field has roots of unity up to 2^%d",
                         log2_n, WEIR_NTT_MAX_LOG2);
    weir_ntt_plan *plan = weir_malloc(1, weir_ntt_plan_bytes(log2_n));
    if (!plan)
        return weir_fail(ei, WEIR_E_NOMEM, "no memory for the plan of a transform of 2^%u elements",
                         log2_n);
    plan->log2_n = log2_n;
    plan->threads = weir_pool_threads(x->pool);
    split_passes(plan);
    fill_tables(plan);
    *out = plan;
    return WEIR_OK;
}

void weir_ntt_plan_free(weir_ntt_plan *plan)
{
    weir_free(plan);
}

static size_t tile_elems(const weir_ntt_pass *pass)
{
    return pass->width << pass->levels;
}

static size_t largest_tile(const weir_ntt_plan *plan)
{
    size_t most = 0;
    for (unsigned p = 0; p + 1 < plan->passes; p++)
        if (tile_elems(&plan->pass[p]) > most) most = tile_elems(&plan->pass[p]);
    return most;
}

uint64_t weir_ntt_scratch_bytes(const weir_ntt_plan *plan)
{
    return (uint64_t)plan->threads * largest_tile(plan) * sizeof(weir_fr);
}

/* ---- one pass */

typedef struct pass_job {
    const weir_ntt_plan *plan;
    const weir_ntt_pass *pass;
    const weir_ntt_ops *ops;
    const weir_ntt_extra *extra;
    weir_fr *a, *scratch;
    bool inverse, turn;       /* turn: the inverse without a shift, then forward with it */
    bool first_run, last_run; /* factor belongs to the first pass run, minuend to the last */
    size_t tiles, tile_elems;
    /* shift^(n / 2^l) and its inverse; a pass needs those of its last level */
    weir_fr power[WEIR_NTT_MAX_LOG2 + 1], power_inv[WEIR_NTT_MAX_LOG2 + 1];
} pass_job;

/* base[i] of a block (docs/ntt.md): computed for the pass's last level, squared from there up.
 * Returns false if all are one. */
static bool block_base(const pass_job *job, weir_fr *base, uint64_t block, bool inverse,
                       bool shifted)
{
    const weir_ntt_pass *pass = job->pass;
    const unsigned end = pass->first + pass->levels;
    if (pass->levels == 0 || (block == 0 && !shifted)) return false;
    const weir_fr *root = inverse ? job->plan->root_inv : job->plan->root;
    weir_fr power = shifted ? (inverse ? job->power_inv : job->power)[end] : fr_ONE;
    uint64_t e = weir_ntt_reverse_bits(block, pass->first);
    for (unsigned t = 0; e; t++, e >>= 1)
        if (e & 1) fr_mul(&power, &power, &root[end - t]);
    for (unsigned i = pass->levels; i-- > 0;) {
        base[i] = power;
        fr_sqr(&power, &power);
    }
    return true;
}

static void run_forward(const pass_job *job, weir_fr *tile, uint64_t block)
{
    weir_fr base[CHUNK_LEVELS];
    const bool based = block_base(job, base, block, false, job->extra->shift != NULL);
    job->ops->forward(tile, job->pass->levels, job->pass->width, based ? base : NULL,
                      job->plan->table);
}

static void run_inverse(const pass_job *job, weir_fr *tile, uint64_t block, bool shifted,
                        const weir_fr *scale)
{
    weir_fr base[CHUNK_LEVELS];
    const bool based = block_base(job, base, block, true, shifted);
    job->ops->inverse(tile, job->pass->levels, job->pass->width, based ? base : NULL,
                      job->plan->table, scale);
}

static void run_kernel(const pass_job *job, weir_fr *tile, uint64_t block)
{
    if (job->turn)
        run_inverse(job, tile, block, false, NULL);
    else if (job->inverse)
        run_inverse(job, tile, block, job->extra->shift != NULL,
                    job->last_run ? job->extra->scale : NULL);
    if (!job->inverse) run_forward(job, tile, block);
}

/* A chunk of the last pass: block number and tile number are the same. */
static void run_chunk(const pass_job *job, size_t index)
{
    const size_t at = index * job->tile_elems;
    const weir_ntt_extra *e = job->extra;
    const int factors = job->first_run && e->factor[0] ? 2 : 0;
    for (int k = 0; e->finish_factors && k < factors; k++)
        run_forward(job, e->factor[k] + at, index);
    if (factors) job->ops->mul(job->a + at, e->factor[0] + at, e->factor[1] + at, job->tile_elems);
    run_kernel(job, job->a + at, index);
    for (int k = 0; e->invert_factors && k < factors; k++)
        run_inverse(job, e->factor[k] + at, index, false, NULL);
    if (job->last_run && e->minuend)
        job->ops->sub(job->a + at, e->minuend + at, job->a + at, job->tile_elems);
}

static void run_tile(const pass_job *job, size_t index, weir_fr *buffer)
{
    const weir_ntt_pass *pass = job->pass;
    const unsigned below = job->plan->log2_n - pass->first - pass->levels;
    const size_t stride = (size_t)1 << below, groups = stride / pass->width;
    const size_t block = index / groups, column = index % groups * pass->width;
    const size_t at = (block << (below + pass->levels)) + column, rows = (size_t)1 << pass->levels;
    for (size_t r = 0; r < rows; r++)
        memcpy(buffer + r * pass->width, job->a + at + r * stride, pass->width * sizeof(weir_fr));
    run_kernel(job, buffer, block);
    const weir_fr *minuend = job->last_run ? job->extra->minuend : NULL;
    for (size_t r = 0; r < rows; r++) {
        weir_fr *out = job->a + at + r * stride;
        if (minuend)
            job->ops->sub(out, minuend + at + r * stride, buffer + r * pass->width, pass->width);
        else
            memcpy(out, buffer + r * pass->width, pass->width * sizeof(weir_fr));
    }
}

static void run_one(const pass_job *job, size_t index, unsigned buffer)
{
    if (job->pass == &job->plan->pass[job->plan->passes - 1])
        run_chunk(job, index);
    else
        run_tile(job, index, job->scratch + buffer * largest_tile(job->plan));
}

static void tile_task(void *ctx, size_t task, unsigned worker)
{
    run_one(ctx, task, worker);
}

/* Every plan->threads-th tile. */
static void lane_task(void *ctx, size_t lane, unsigned worker)
{
    const pass_job *job = ctx;
    (void)worker;
    for (size_t i = lane; i < job->tiles; i += job->plan->threads) run_one(job, i, (unsigned)lane);
}

/* Scratch has a tile for each thread of the plan's pool. A larger pool gets as many tasks as there
 * are tiles in scratch. */
static void run_pass(pass_job *job, unsigned pass, const weir_exec *x)
{
    job->pass = &job->plan->pass[pass];
    job->tile_elems = tile_elems(job->pass);
    job->tiles = ((size_t)1 << job->plan->log2_n) / job->tile_elems;
    if (weir_pool_threads(x->pool) <= job->plan->threads)
        weir_exec_run(x, job->tiles, WEIR_NTT_RANGE_TILES, tile_task, job);
    else
        weir_exec_run(x, job->plan->threads, 1, lane_task, job);
}

/* ---- transforms */

static void fill_powers(pass_job *job, const weir_fr *shift)
{
    const unsigned log2_n = job->plan->log2_n;
    job->power[log2_n] = *shift;
    weir_fr_inv(&job->power_inv[log2_n], shift);
    for (unsigned l = log2_n; l > 0; l--) {
        fr_sqr(&job->power[l - 1], &job->power[l]);
        fr_sqr(&job->power_inv[l - 1], &job->power_inv[l]);
    }
}

static pass_job new_job(const weir_ntt_plan *plan, weir_fr *a, const weir_ntt_extra *extra,
                        void *scratch, const weir_exec *x)
{
    pass_job job = {
        .plan = plan, .ops = weir_ntt_ops_get(x->isa), .extra = extra, .a = a, .scratch = scratch};
    if (extra->shift) fill_powers(&job, extra->shift);
    return job;
}

static void run_passes(const weir_ntt_plan *plan, weir_fr *a, const weir_ntt_extra *extra,
                       bool inverse, void *scratch, const weir_exec *x)
{
    pass_job job = new_job(plan, a, extra, scratch, x);
    job.inverse = inverse;
    for (unsigned p = 0; p < plan->passes; p++) {
        job.first_run = p == 0;
        job.last_run = p + 1 == plan->passes;
        run_pass(&job, inverse ? plan->passes - 1 - p : p, x);
    }
}

void weir_ntt_turn(const weir_ntt_plan *plan, weir_fr *a, const weir_fr *shift, void *scratch,
                   const weir_exec *x)
{
    const weir_ntt_extra extra = {.shift = shift}, none = {0};
    const unsigned above = plan->passes - 1;
    pass_job up = new_job(plan, a, &none, scratch, x), down = new_job(plan, a, &extra, scratch, x);
    up.inverse = true;
    for (unsigned p = above; p-- > 1;) run_pass(&up, p, x);
    for (unsigned p = 0; p < above; p++) {
        down.turn = p == 0;
        run_pass(&down, p, x);
    }
}

void weir_ntt_to_reversed(const weir_ntt_plan *plan, weir_fr *a, const weir_ntt_extra *extra,
                          void *scratch, const weir_exec *x)
{
    run_passes(plan, a, extra, false, scratch, x);
}

void weir_ntt_from_reversed(const weir_ntt_plan *plan, weir_fr *a, const weir_ntt_extra *extra,
                            void *scratch, const weir_exec *x)
{
    run_passes(plan, a, extra, true, scratch, x);
}

void weir_ntt_coset_forward(const weir_ntt_plan *plan, weir_fr *a, const weir_fr *shift,
                            void *scratch, const weir_exec *x)
{
    const weir_ntt_extra extra = {.shift = shift};
    weir_ntt_to_reversed(plan, a, &extra, scratch, x);
    weir_ntt_reverse_order(a, plan->log2_n, x);
}

void weir_ntt_coset_inverse(const weir_ntt_plan *plan, weir_fr *a, const weir_fr *shift,
                            void *scratch, const weir_exec *x)
{
    weir_fr n_inv;
    fr_from_u64(&n_inv, UINT64_C(1) << plan->log2_n);
    weir_fr_inv(&n_inv, &n_inv);
    const weir_ntt_extra extra = {.shift = shift, .scale = &n_inv};
    weir_ntt_reverse_order(a, plan->log2_n, x);
    weir_ntt_from_reversed(plan, a, &extra, scratch, x);
}

void weir_ntt_forward(const weir_ntt_plan *plan, weir_fr *a, void *scratch, const weir_exec *x)
{
    weir_ntt_coset_forward(plan, a, NULL, scratch, x);
}

void weir_ntt_inverse(const weir_ntt_plan *plan, weir_fr *a, void *scratch, const weir_exec *x)
{
    weir_ntt_coset_inverse(plan, a, NULL, scratch, x);
}

const weir_ntt_ops *weir_ntt_ops_get(weir_isa isa)
{
    return WEIR_ISA_PICK_IFMA(isa, weir_ntt_ops);
}
