#include "msm_twin.h"

#include "gpu/gpu_msm.h"
#include "gpu/gpu_sum.h"

#include <stdlib.h>
#include <string.h>

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void fill_order(uint32_t *order, uint32_t threads, twin_order how)
{
    for (uint32_t i = 0; i < threads; i++)
        order[i] = how.kind == TWIN_DESCENDING ? threads - 1 - i : i;
    for (uint32_t i = threads; how.kind == TWIN_SHUFFLED && i > 1; i--) {
        uint32_t j = (uint32_t)(next(&how.seed) % i), t = order[i - 1];
        order[i - 1] = order[j];
        order[j] = t;
    }
}

/* A function run_NAME(args, blocks, threads, order) that brings the memory of a block. */
#define RUNNER(NAME)                                                                               \
    WEIR_HOST_RUN(host_##NAME, NAME)                                                               \
    static bool run_##NAME(const NAME##_args *a, uint32_t blocks, uint32_t threads,                \
                           twin_order how)                                                         \
    {                                                                                              \
        NAME##_shared *s = malloc(sizeof *s);                                                      \
        NAME##_own *own = aligned_alloc(16, (threads * sizeof *own + 15) / 16 * 16);               \
        uint32_t *order = malloc(threads * sizeof *order);                                         \
        bool ok = s && own && order;                                                               \
        if (ok) {                                                                                  \
            fill_order(order, threads, how);                                                       \
            host_##NAME(a, s, own, blocks, threads, order);                                        \
        }                                                                                          \
        free(order);                                                                               \
        free(own);                                                                                 \
        free(s);                                                                                   \
        return ok;                                                                                 \
    }
RUNNER(dmsm_count)
RUNNER(dmsm_starts)
RUNNER(dmsm_place)
RUNNER(dmsm_tile_count)
RUNNER(dmsm_tile_starts)
RUNNER(dmsm_tile_place)
RUNNER(dmsm_lengths)
RUNNER(dmsm_order)
RUNNER(dsum_count)
RUNNER(dsum_list)
#define GROUP_RUNNERS(g)                                                                           \
    RUNNER(g##_msm_accumulate)                                                                     \
    RUNNER(g##_msm_join)                                                                           \
    RUNNER(g##_msm_join_end)                                                                       \
    RUNNER(g##_msm_segments)                                                                       \
    RUNNER(g##_msm_fold)                                                                           \
    RUNNER(g##_msm_finish)                                                                         \
    RUNNER(g##_sum_add)                                                                            \
    RUNNER(g##_sum_join)
GROUP_RUNNERS(dg1)
GROUP_RUNNERS(dg2)

typedef bool step_fn(const weir_dmsm *a, uint32_t blocks, uint32_t threads, twin_order how);

#define GROUP_STEPS(g)                                                                             \
    run_dmsm_count, run_dmsm_starts, run_dmsm_place, run_dmsm_tile_count, run_dmsm_tile_starts,    \
        run_dmsm_tile_place, run_dmsm_lengths, run_dmsm_order, run_##g##_msm_accumulate,           \
        run_##g##_msm_join, run_##g##_msm_join_end, run_##g##_msm_segments, run_##g##_msm_fold,    \
        run_##g##_msm_finish

bool twin_dmsm_step(const weir_dmsm_step *s, bool g2, twin_order order)
{
    static step_fn *const table[2][WEIR_DMSM_KERNELS] = {{GROUP_STEPS(dg1)}, {GROUP_STEPS(dg2)}};
    return table[g2][s->kernel](&s->args, s->blocks, s->threads, order);
}

bool twin_dmsm(const weir_dmsm_plan *p, bool g2, const void *points, const void *scalars, void *out,
               twin_order order)
{
    bool ok = true;
    unsigned char *arena = aligned_alloc(256, p->total_bytes + 256);
    if (!arena) return false;
    memset(arena, 0xa5, p->total_bytes);
    memset(arena + p->total_bytes, 0x5a, 256);
    for (uint32_t i = 0; ok && i < weir_dmsm_steps(p); i++) {
        weir_dmsm_step s;
        weir_dmsm_step_make(&s, p, i, arena, points, scalars, out);
        ok = twin_dmsm_step(&s, g2, order);
    }
    for (int i = 0; i < 256; i++) ok = ok && arena[p->total_bytes + i] == 0x5a;
    free(arena);
    return ok;
}

typedef bool sum_step_fn(const weir_dsum *a, uint32_t blocks, uint32_t threads, twin_order how);

bool twin_dsum_step(const weir_dsum_step *s, bool g2, twin_order order)
{
    static sum_step_fn *const table[2][WEIR_DSUM_KERNELS] = {
        {run_dsum_count, run_dsum_list, run_dg1_sum_add, run_dg1_sum_join},
        {run_dsum_count, run_dsum_list, run_dg2_sum_add, run_dg2_sum_join}};
    return table[g2][s->kernel](&s->args, s->blocks, s->threads, order);
}

bool twin_dsum(const weir_dsum_plan *p, bool g2, const void *points, const uint64_t *bits,
               void *out, twin_order order)
{
    bool ok = true;
    unsigned char *arena = aligned_alloc(256, p->total_bytes + 256);
    if (!arena) return false;
    memset(arena, 0xa5, p->total_bytes);
    memset(arena + p->total_bytes, 0x5a, 256);
    for (uint32_t i = 0; ok && i < weir_dsum_steps(p); i++) {
        weir_dsum_step s;
        weir_dsum_step_make(&s, p, i, arena, points, bits, out);
        ok = twin_dsum_step(&s, g2, order);
    }
    for (int i = 0; i < 256; i++) ok = ok && arena[p->total_bytes + i] == 0x5a;
    free(arena);
    return ok;
}
