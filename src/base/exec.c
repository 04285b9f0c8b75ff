#include "base/exec.h"

uint32_t weir_exec_range_begin(const weir_exec *x)
{
    if (!x->gate) return 0;
    const weir_watch *watch = x->watch;
    weir_gate_wait wait;
    uint32_t credits = weir_gate_enter_unless(x->gate, weir_pool_threads(x->pool),
                                              watch ? watch->cancel : NULL, &wait);
    if (wait.begin_ns != 0 && watch && watch->waited)
        watch->waited(watch->ctx, wait.begin_ns, wait.end_ns);
    return credits;
}

void weir_exec_range_end(const weir_exec *x, uint32_t credits)
{
    if (x->gate) weir_gate_leave(x->gate, credits);
}

/* A part of a loop whose tasks keep their numbers. */
typedef struct range {
    weir_task_fn fn;
    void *ctx;
    size_t first;
} range;

static void range_task(void *ctx, size_t task, unsigned worker)
{
    const range *r = ctx;
    r->fn(r->ctx, r->first + task, worker);
}

void weir_exec_run(const weir_exec *x, size_t n, size_t tasks, weir_task_fn fn, void *ctx)
{
    if (!x->gate) {
        weir_pool_run(x->pool, n, fn, ctx);
        return;
    }
    size_t most = tasks * weir_pool_threads(x->pool);
    range r = {.fn = fn, .ctx = ctx};
    for (; r.first < n; r.first += most) {
        uint32_t credits = weir_exec_range_begin(x);
        weir_pool_run(x->pool, n - r.first < most ? n - r.first : most, range_task, &r);
        weir_exec_range_end(x, credits);
    }
}

void weir_exec_gate_close(const weir_exec *x, weir_exec *inside)
{
    *inside = *x;
    inside->gate = NULL;
    if (x->gate) weir_gate_close(x->gate);
}

void weir_exec_gate_open(const weir_exec *x)
{
    if (x->gate) weir_gate_open(x->gate);
}
