/* Which processing units the engine's threads run on. */
#include "engine/engine_state.h"

static uint32_t count_devices(const weir_engine_config *c, bool cpu)
{
    uint32_t n = 0;
    for (uint32_t d = 0; d < c->devices; d++) n += (c->cpu_devices >> d & 1) == cpu;
    return n;
}

static uint32_t at_least_one(uint32_t n)
{
    return n > 0 ? n : 1;
}

weir_err engine_place_all(weir_engine *e, weir_errinfo *ei)
{
    const weir_engine_config *c = &e->config;
    const uint32_t threads[WEIR_USE_COUNT] = {
        [WEIR_USE_MSM] = at_least_one(count_devices(c, true) * c->device_threads),
        [WEIR_USE_FILL] = c->fill_workers * c->fill_threads,
        [WEIR_USE_DEVICE] = at_least_one(count_devices(c, false) * c->device_threads),
        [WEIR_USE_FINISH] = 1};
    if (!c->topology) return WEIR_OK;
    return weir_topology_plan(&e->placement, c->topology, threads, ei);
}

/* Of the devices of one sort, which one is it? */
static uint32_t place_of_device(const weir_engine_config *c, uint32_t device)
{
    uint32_t place = 0;
    for (uint32_t d = 0; d < device; d++)
        place += (c->cpu_devices >> d & 1) == (c->cpu_devices >> device & 1);
    return place;
}

weir_pu_set engine_place_of(const weir_engine *e, engine_role role, uint32_t number,
                            uint32_t device)
{
    const weir_engine_config *c = &e->config;
    weir_use use = WEIR_USE_FINISH;
    uint32_t first = 0, n = 1;
    if (role == ROLE_FILL || role == ROLE_FRONT) { /* what is read here is filled from here */
        use = WEIR_USE_FILL;
        n = c->fill_threads;
        first = number % c->fill_workers * n; /* a spare worker has a usual one's */
    } else if (role == ROLE_DEVICE) {
        use = c->cpu_devices >> device & 1 ? WEIR_USE_MSM : WEIR_USE_DEVICE;
        n = c->device_threads;
        first = place_of_device(c, device) * n;
    }
    if (!c->topology) return (weir_pu_set){0};
    return (weir_pu_set){e->placement.use[use].pu + first, n};
}
