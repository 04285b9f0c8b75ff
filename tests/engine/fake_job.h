/* Jobs of scripted length whose stages can be told to fail: for tests of the engine. */
#ifndef WEIR_TEST_FAKE_JOB_H
#define WEIR_TEST_FAKE_JOB_H

#include "engine/engine.h"

#include <stdatomic.h>

enum { FAKE_PARTS = 32 };

/* What all jobs of a test share: damage by chance, and what was seen. */
typedef struct fake_world {
    atomic_ullong seed;
    unsigned damaged_percent; /* of partitions whose device's work is bad the first time */
    uint32_t dead_device;     /* every run there fails; UINT32_MAX: none */
    atomic_uint on_device[WEIR_ENGINE_MAX_DEVICES], most_on_device, releases, wrong;
    atomic_ullong damaged;
    weir_engine *asked; /* by release, which must not be called with its lock held; may be NULL */
} fake_world;

typedef struct fake_job {
    fake_world *world;
    uint32_t parts, devices, aside, steps;
    uint64_t step_us, fill_us, finish_us, parse_us, upload_us, beside_us, bytes, input_bytes,
        scratch_bytes;
    weir_err parse_err, fill_err, finish_err, join_err; /* WEIR_OK: none */
    atomic_uint fills[FAKE_PARTS], runs[FAKE_PARTS], finishes[FAKE_PARTS], released[FAKE_PARTS];
    atomic_uint parses, joins, ends;
    bool never_good;
    bool bad[FAKE_PARTS]; /* what the device left does not verify */
} fake_job;

extern const weir_job_ops fake_job_ops;

#endif
