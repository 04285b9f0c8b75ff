/* A device of scripted times behind compute's seam, for benches and tests of the engine alone.
 *
 * It sleeps through its steps and then gives sums from which a true proof is assembled: it knows the exponents of the verifying key
 * and takes the public inputs of the very witness it was given. Damage changes the sums, so that the proof is a wrong one; who
 * verifies it finds out. It may pause between steps, and may be told to fail.
 */
#ifndef WEIR_BENCH_FAKE_DEVICE_H
#define WEIR_BENCH_FAKE_DEVICE_H

#include "bench/known_vk.h"
#include "compute/compute.h"
#include "groth16/groth16.h"

/* Memory that sessions of several fake devices share, as those of several circuits share one GPU's. */
typedef struct weir_fake_memory {
    uint64_t bytes, session_bytes;       /* in all; of a session */
    volatile uint64_t used, most, begun; /* counted */
} weir_fake_memory;

typedef struct weir_fake_device {
    const weir_known_vk *vk;
    weir_fake_memory *memory; /* NULL: sessions take none */
    uint64_t begin_us;        /* of a session */
    uint32_t steps;
    uint64_t step_us, upload_us;             /* upload: before the steps */
    uint32_t damaged_per_mille;              /* of runs, by chance */
    uint32_t failing_per_mille;              /* of runs: WEIR_E_DEVICE */
    uint64_t seed;                           /* of the chances */
    volatile uint64_t runs, damaged, failed; /* counted */
} weir_fake_device;

/* b: "fake", on d. Keeps d. Sessions may be used side by side with others of the same device. */
void weir_fake_backend_init(weir_backend *b, weir_fake_device *d);

/* A key of the relation's counts that no one can read: the fake device needs none. vk stays the caller's. */
void weir_fake_key(weir_pkey *key, const weir_relation *rel, const weir_vk *vk);

#endif
