/* A way of working of the engine: what weir bench engine takes as options, and weir bench sweep as lists. */
#ifndef WEIR_CLI_ENGINE_WAY_H
#define WEIR_CLI_ENGINE_WAY_H

#include "base/err.h"
#include "base/slabs.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct engine_way {
    char name[80];
    uint32_t jobs, concurrency;
    uint32_t workers; /* partitions at once, where the device is the CPU; else filled at once */
    uint32_t fill_threads, msm_threads;
    weir_reclaim reclaim;
    bool gate, g2_cpu, tails_cpu;
} engine_way;

/* What can be set, by the option's name. */
enum { ENGINE_WAY_SWITCHES = 9 };
typedef struct engine_way_switch {
    const char *option;
    weir_err (*set)(engine_way *w, const char *option, const char *text, weir_errinfo *ei);
} engine_way_switch;
extern const engine_way_switch engine_way_switches[ENGINE_WAY_SWITCHES];

/* Errors: WEIR_E_USAGE with option and text. */
weir_err engine_way_set(engine_way *w, int which, const char *text, weir_errinfo *ei) WEIR_MUST_USE;

/* "pool", "serial", "detached" */
extern const char *const engine_reclaim_names[3];

#endif
