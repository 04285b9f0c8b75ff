#include "gpu/gpu_sum_plan.h"

#include <string.h>

enum { ROW_POINTS = 64 * WEIR_DSUM_ROW_WORDS, LIST_ROWS = WEIR_DSUM_LIST_THREADS / 32, LINE = 256 };

static uint32_t ceil_div(uint64_t a, uint64_t b)
{
    return (uint32_t)((a + b - 1) / b);
}
static uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}
static uint32_t max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint64_t take(uint64_t *total, uint64_t bytes)
{
    uint64_t at = *total;
    *total += (bytes + LINE - 1) / LINE * LINE;
    return at;
}

void weir_dsum_plan_make(weir_dsum_plan *p, const weir_dmsm_sizes *sizes, uint32_t n,
                         uint32_t blocks, uint32_t chunk)
{
    weir_dsum *a = &p->shape;
    memset(p, 0, sizeof *p);
    p->n = n;
    a->n = n;
    a->rows = ceil_div(n, ROW_POINTS);
    a->blocks = max_u32(1, min_u32(blocks, ceil_div(n, WEIR_DSUM_THREADS)));
    a->chunk_rows = ceil_div(chunk ? chunk : (uint32_t)WEIR_DSUM_CHUNK, ROW_POINTS);
    a->chunk_rows = max_u32(1, min_u32(a->chunk_rows, a->rows));
    p->chunks = max_u32(1, ceil_div(a->rows, a->chunk_rows));
    p->row_count = take(&p->total_bytes, a->rows * sizeof(uint32_t));
    p->state = take(&p->total_bytes, sizeof(weir_dsum_state));
    p->list = take(&p->total_bytes, (uint64_t)a->chunk_rows * ROW_POINTS * sizeof(uint32_t));
    p->partial = take(&p->total_bytes, (uint64_t)a->blocks * (WEIR_DSUM_THREADS + 1) * sizes->xyzz);
}

/* COUNT, LIST and ADD of each chunk, JOIN twice. */
uint32_t weir_dsum_steps(const weir_dsum_plan *p)
{
    return 1 + 2 * p->chunks + 2;
}

static void set_step(weir_dsum_step *s, enum weir_dsum_kernel kernel, uint32_t blocks,
                     uint32_t threads)
{
    s->kernel = kernel;
    s->blocks = max_u32(1, blocks);
    s->threads = threads;
}

void weir_dsum_step_make(weir_dsum_step *s, const weir_dsum_plan *p, uint32_t i, void *arena,
                         const void *points, const uint64_t *bits, void *out)
{
    weir_dsum *a = &s->args;
    unsigned char *base = arena;
    *a = p->shape;
    a->points = points;
    a->bits = bits;
    a->out = out;
    a->row_count = (uint32_t *)(void *)(base + p->row_count);
    a->state = (weir_dsum_state *)(void *)(base + p->state);
    a->list = (uint32_t *)(void *)(base + p->list);
    a->partial = base + p->partial;
    if (i == 0) {
        set_step(s, WEIR_DSUM_COUNT, ceil_div(a->rows, WEIR_DSUM_THREADS), WEIR_DSUM_THREADS);
    } else if (i > 2 * p->chunks) {
        a->level = i - 1 - 2 * p->chunks;
        set_step(s, WEIR_DSUM_JOIN, a->level == 0 ? a->blocks : 1, WEIR_DSUM_THREADS);
    } else {
        a->first_row = (i - 1) / 2 * a->chunk_rows;
        if (i % 2)
            set_step(s, WEIR_DSUM_LIST,
                     ceil_div(min_u32(a->chunk_rows, a->rows - a->first_row), LIST_ROWS),
                     WEIR_DSUM_LIST_THREADS);
        else
            set_step(s, WEIR_DSUM_ADD, a->blocks, WEIR_DSUM_THREADS);
    }
}
