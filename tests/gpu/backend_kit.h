/* Cases of random circuits for the backend on a fake device: shared by its tests. */
#ifndef WEIR_TEST_BACKEND_KIT_H
#define WEIR_TEST_BACKEND_KIT_H

#include "backend_cases.h"
#include "fake_device.h"

#include "gpu/gpu_backend.h"
#include "gpu/gpu_layout.h"
#include "testkit.h"

/* Above what a session may take, so that a plan's figure is its budget. */
#define ROOM (WEIR_GPU_MARGIN_BYTES + ((uint64_t)1 << 30))

static inline void fake_compare(const backend_case *c, uint64_t budget, int lazy)
{
    backend_kit k;
    fake_device d;
    weir_backend b;
    weir_errinfo ei = {0};
    if (backend_kit_init(&k, c, tk_pool(2), &ei) != WEIR_OK) fail_msg("%s", ei.text);
    assert_int_equal(k.rel->rows, c->rows);
    fake_device_init(&d, ROOM, lazy);
    weir_gpu_backend_init(&b, &d.driver);
    if (backend_compare(&k, &b, budget, 2, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    assert_int_equal(fake_device_held(&d), 0);
    fake_device_clear(&d);
    backend_kit_clear(&k);
}

static inline backend_case random_case(tk_rng *g, uint64_t rows)
{
    return (backend_case){.seed = tk_u64(g),
                          .rows = rows,
                          .inputs = 1 + tk_below(g, rows < 5 ? rows : 5),
                          .repeat = tk_below(g, 4),
                          .percent_bits = (unsigned)tk_below(g, 101),
                          .percent_ones = (unsigned)tk_below(g, 101)};
}

#endif
