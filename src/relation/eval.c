#include "relation/relation_ops.h"

#include <stdatomic.h>

static const weir_relation_ops *ops(weir_isa isa)
{
    return WEIR_ISA_PICK(isa, weir_relation_ops);
}

void weir_relation_eval(const weir_witness *w, unsigned m, uint64_t lo, uint64_t hi, weir_fr *out,
                        weir_isa isa)
{
    ops(isa)->eval(w, m, lo, hi, out);
}

void weir_query_gather(const weir_witness *w, weir_query q, uint64_t *bits, uint32_t *dense_point,
                       weir_scalar *dense_value, uint64_t *n, weir_isa isa)
{
    ops(isa)->gather(w, q, bits, dense_point, dense_value, n);
}

uint64_t weir_query_len(const weir_relation *rel, weir_query q)
{
    switch (q) {
    case WEIR_QUERY_L:
        return rel->aux;
    case WEIR_QUERY_A:
        return rel->inputs + rel->aux_in[0];
    case WEIR_QUERY_B:
        break;
    }
    return rel->inputs_in_b + rel->aux_in[1];
}

/* ---- check: ranges of rows over the pool; the lowest bad row wins, and ranges above it are skipped */

enum { CHECK_RANGE = 1 << 16 };

typedef struct check {
    const weir_witness *w;
    const weir_exec *x;
    _Atomic uint64_t
        bad; /* relaxed: it only rules out work, and the pool's end orders the final read */
} check;

static void check_range(void *ctx, size_t task, unsigned worker)
{
    (void)worker;
    check *c = ctx;
    uint64_t rows = c->w->rel->rows;
    uint64_t lo = (uint64_t)task * CHECK_RANGE,
             hi = lo + CHECK_RANGE < rows ? lo + CHECK_RANGE : rows;
    if (lo >= atomic_load_explicit(&c->bad, memory_order_relaxed) || weir_exec_cancelled(c->x))
        return;
    uint64_t bad = ops(c->x->isa)->first_bad(c->w, lo, hi);
    if (bad == hi) return;
    uint64_t seen = atomic_load_explicit(&c->bad, memory_order_relaxed);
    while (bad < seen && !atomic_compare_exchange_weak_explicit(
                             &c->bad, &seen, bad, memory_order_relaxed, memory_order_relaxed)) {}
}

uint64_t weir_relation_check(const weir_witness *w, const weir_exec *x)
{
    check c = {.w = w, .x = x};
    atomic_init(&c.bad, w->rel->rows);
    weir_pool_run(x->pool, (w->rel->rows + CHECK_RANGE - 1) / CHECK_RANGE, check_range, &c);
    return atomic_load_explicit(&c.bad, memory_order_relaxed);
}
