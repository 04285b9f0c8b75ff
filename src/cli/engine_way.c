#include "cli/engine_way.h"

#include "cli/values.h"
#include "engine/engine.h"

#include <string.h>

const char *const engine_reclaim_names[3] = {"pool", "serial", "detached"};

static weir_err number(uint32_t *out, const char *option, const char *text, uint64_t most,
                       weir_errinfo *ei)
{
    uint64_t n;
    WEIR_TRY(weir_value_u64(&n, option, text, 1, most, ei));
    *out = (uint32_t)n;
    return WEIR_OK;
}

static weir_err set_jobs(engine_way *w, const char *option, const char *text, weir_errinfo *ei)
{
    return number(&w->jobs, option, text, 100000, ei);
}
static weir_err set_concurrency(engine_way *w, const char *option, const char *text,
                                weir_errinfo *ei)
{
    return number(&w->concurrency, option, text, 1000, ei);
}
static weir_err set_workers(engine_way *w, const char *option, const char *text, weir_errinfo *ei)
{
    return number(&w->workers, option, text, WEIR_ENGINE_MAX_DEVICES, ei);
}
static weir_err set_fill(engine_way *w, const char *option, const char *text, weir_errinfo *ei)
{
    return number(&w->fill_threads, option, text, WEIR_POOL_MAX_THREADS, ei);
}
static weir_err set_msm(engine_way *w, const char *option, const char *text, weir_errinfo *ei)
{
    return number(&w->msm_threads, option, text, WEIR_POOL_MAX_THREADS, ei);
}

static weir_err set_reclaim(engine_way *w, const char *option, const char *text, weir_errinfo *ei)
{
    for (int i = 0; i < 3; i++) {
        w->reclaim = (weir_reclaim)i;
        if (strcmp(engine_reclaim_names[i], text) == 0) return WEIR_OK;
    }
    return weir_fail(ei, WEIR_E_USAGE, "--%s: there is no '%s'; take pool, serial or detached",
                     option, text);
}

/* The first word stands for true. */
static weir_err one_of_two(bool *out, const char *option, const char *text, const char *yes,
                           const char *no, weir_errinfo *ei)
{
    *out = strcmp(text, yes) == 0;
    if (*out || strcmp(text, no) == 0) return WEIR_OK;
    return weir_fail(ei, WEIR_E_USAGE, "--%s: there is no '%s'; take %s or %s", option, text, yes,
                     no);
}

static weir_err set_gate(engine_way *w, const char *option, const char *text, weir_errinfo *ei)
{
    return one_of_two(&w->gate, option, text, "on", "off", ei);
}
static weir_err set_g2(engine_way *w, const char *option, const char *text, weir_errinfo *ei)
{
    return one_of_two(&w->g2_cpu, option, text, "cpu", "device", ei);
}
static weir_err set_tails(engine_way *w, const char *option, const char *text, weir_errinfo *ei)
{
    return one_of_two(&w->tails_cpu, option, text, "cpu", "device", ei);
}

const engine_way_switch engine_way_switches[ENGINE_WAY_SWITCHES] = {
    {"count", set_jobs},      {"concurrency", set_concurrency},
    {"workers", set_workers}, {"fill-threads", set_fill},
    {"msm-threads", set_msm}, {"reclaim", set_reclaim},
    {"gate", set_gate},       {"g2", set_g2},
    {"tails", set_tails}};

weir_err engine_way_set(engine_way *w, int which, const char *text, weir_errinfo *ei)
{
    const engine_way_switch *s = &engine_way_switches[which];
    return s->set(w, s->option, text, ei);
}
