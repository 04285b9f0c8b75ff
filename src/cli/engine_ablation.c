/* The three interventions of memory-bandwidth-aware scheduling, one after the other. */
#include "cli/engine_bench.h"

static uint32_t share(uint32_t of, uint32_t parts)
{
    return of / parts > 0 ? of / parts : 1;
}

void engine_ablation_make(engine_way ways[ENGINE_ABLATION_WAYS], const engine_bench *b,
                          const engine_way *given)
{
    static const char *const names[ENGINE_ABLATION_WAYS] = {"none of the three", "1: memory pooled",
                                                "1, 2: threads sized", "1, 2, 3: gate on"};
    for (unsigned i = 0; i < ENGINE_ABLATION_WAYS; i++) {
        engine_way *w = &ways[i];
        *w = *given;
        snprintf(w->name, sizeof w->name, "%s", names[i]);
        w->reclaim = i >= 1 ? WEIR_RECLAIM_POOL : WEIR_RECLAIM_DETACHED;
        w->msm_threads = i >= 2 ? share(b->cpus, w->workers) : b->cpus;
        w->fill_threads = i >= 2 ? share(b->cpus, 4) : b->cpus;
        w->gate = i >= 3;
    }
}

weir_err engine_ablation_check(const engine_way *w, const engine_figures *f, weir_errinfo *ei)
{
    if (!(f[0].unmaps > 0) || !(f[0].threads > 0))
        return weir_fail(ei, WEIR_E_USAGE,
                         "detached reclaim unmapped nothing: the circuit is too small");
    if (f[1].unmaps > 0.01 || f[1].threads > 0)
        return weir_fail(ei, WEIR_E_INTERNAL, "pooled memory was unmapped %.2f times a proof",
                         f[1].unmaps);
    if (w[2].msm_threads == w[1].msm_threads && w[2].fill_threads == w[1].fill_threads)
        return weir_fail(ei, WEIR_E_USAGE,
                         "sized pools are as wide as before: take --workers 2 or more");
    if (f[2].gate_waits > 0 || !(f[3].gate_waits > 0))
        return weir_fail(ei, WEIR_E_USAGE,
                         "nobody waited at the gate: only one thing at a time was bound by memory; "
                         "more of them are there with --device cpu and more --workers");
    return WEIR_OK;
}
