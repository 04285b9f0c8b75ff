/* Bit reversal in place, by tiles: an index is (high, middle, low) with BITS bits of high and of
 * low, and goes to (low reversed, middle reversed, high reversed). All elements of one middle value
 * form a tile of runs of 2^BITS elements, so both sides move whole cache lines. Source: Carter and
 * Gatlin, "Towards an optimal bit-reversal permutation program", 1998. */
#include "poly/ntt_plan.h"

#include <string.h>

enum { BITS = 4, SIDE = 1 << BITS, MIDDLES_PER_TASK = 64 };
/* Tasks of a thread between two looks at the gate: some 10 ms. */
enum { ORDER_TASKS = 64 };

typedef struct order_job {
    weir_fr *a;
    unsigned log2_n;
    uint64_t middles;
} order_job;

typedef struct tile {
    weir_fr e[SIDE][SIDE];
} tile;

static weir_fr *run_at(const order_job *job, uint64_t high, uint64_t middle)
{
    return job->a + (high << (job->log2_n - BITS)) + (middle << BITS);
}

static void load(const order_job *job, tile *t, uint64_t middle)
{
    for (unsigned h = 0; h < SIDE; h++) memcpy(t->e[h], run_at(job, h, middle), sizeof t->e[h]);
}

/* Writes t, turned, to where it goes. */
static void store(const order_job *job, const tile *t, uint64_t middle)
{
    for (unsigned h = 0; h < SIDE; h++) {
        weir_fr *out = run_at(job, h, middle);
        const uint64_t column = weir_ntt_reverse_bits(h, BITS);
        for (unsigned l = 0; l < SIDE; l++) out[l] = t->e[weir_ntt_reverse_bits(l, BITS)][column];
    }
}

static void order_task(void *ctx, size_t task, unsigned worker)
{
    const order_job *job = ctx;
    const unsigned bits = job->log2_n - 2 * BITS;
    const uint64_t from = (uint64_t)task * MIDDLES_PER_TASK;
    const uint64_t to =
        from + MIDDLES_PER_TASK < job->middles ? from + MIDDLES_PER_TASK : job->middles;
    tile here, there;
    (void)worker;
    for (uint64_t m = from; m < to; m++) {
        const uint64_t r = weir_ntt_reverse_bits(m, bits);
        if (r < m) continue; /* that pair is the task of r */
        load(job, &here, m);
        if (r != m) {
            load(job, &there, r);
            store(job, &there, m);
        }
        store(job, &here, r);
    }
}

static void reverse_small(weir_fr *a, unsigned log2_n)
{
    for (uint64_t i = 0; i < (uint64_t)1 << log2_n; i++) {
        const uint64_t r = weir_ntt_reverse_bits(i, log2_n);
        if (r <= i) continue;
        weir_fr t = a[i];
        a[i] = a[r];
        a[r] = t;
    }
}

void weir_ntt_reverse_order(weir_fr *a, unsigned log2_n, const weir_exec *x)
{
    if (log2_n < 2 * BITS) {
        reverse_small(a, log2_n);
        return;
    }
    order_job job = {.a = a, .log2_n = log2_n, .middles = (uint64_t)1 << (log2_n - 2 * BITS)};
    weir_exec_run(x, (size_t)((job.middles + MIDDLES_PER_TASK - 1) / MIDDLES_PER_TASK), ORDER_TASKS,
                  order_task, &job);
}
