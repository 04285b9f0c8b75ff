/* The engine's workers on machines that are not there: each worker's threads in one L3 domain where there is room. */
#include "engine/engine_state.h"
#include "testkit.h"

static weir_engine engine_on(const weir_topology *t, uint32_t devices, uint32_t cpu_devices,
                             uint32_t device_threads, uint32_t fill_threads)
{
    return (weir_engine){.config = {.devices = devices,
                                    .cpu_devices = cpu_devices,
                                    .device_threads = device_threads,
                                    .fill_workers = 1,
                                    .fill_threads = fill_threads,
                                    .topology = t}};
}

static bool in_one_domain(const weir_pu_set *s)
{
    for (uint32_t i = 1; i < s->n; i++)
        if (s->pu[i].l3 != s->pu[0].l3) return false;
    return true;
}

static void test_domains(void **state)
{
    (void)state;
    weir_topology *t;
    weir_errinfo ei = {0};
    assert_int_equal(weir_topology_synthetic(&t, "NUMANode:2 L3Cache:2 Core:8 PU:1", NULL, 0, &ei),
                     WEIR_OK);
    /* two devices of the processor with 8 threads each, filling with 4 */
    weir_engine e = engine_on(t, 2, 3, 8, 4);
    assert_int_equal(engine_place_all(&e, &ei), WEIR_OK);
    weir_pu_set a = engine_place_of(&e, ROLE_DEVICE, 0, 0),
                b = engine_place_of(&e, ROLE_DEVICE, 0, 1),
                f = engine_place_of(&e, ROLE_FILL, 0, 0);
    assert_int_equal(a.n, 8);
    assert_int_equal(b.n, 8);
    assert_int_equal(f.n, 4);
    assert_true(in_one_domain(&a) && in_one_domain(&b) && in_one_domain(&f));
    assert_true(a.pu[0].l3 != b.pu[0].l3 && f.pu[0].l3 != a.pu[0].l3 && f.pu[0].l3 != b.pu[0].l3);
    /* the second thread of a device has the places of the first */
    weir_pu_set beside = engine_place_of(&e, ROLE_DEVICE, 1, 1);
    assert_ptr_equal(beside.pu, b.pu);
    weir_placement_clear(&e.placement);
    /* a GPU, and the processor for repairs: other uses */
    e = engine_on(t, 2, 2, 2, 4);
    assert_int_equal(engine_place_all(&e, &ei), WEIR_OK);
    a = engine_place_of(&e, ROLE_DEVICE, 0, 0);
    b = engine_place_of(&e, ROLE_DEVICE, 0, 1);
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t k = 0; k < 2; k++) assert_int_not_equal(a.pu[i].os, b.pu[k].os);
    weir_placement_clear(&e.placement);
    /* no machine: anywhere */
    e = engine_on(NULL, 1, 1, 2, 2);
    assert_int_equal(engine_place_all(&e, &ei), WEIR_OK);
    assert_int_equal(engine_place_of(&e, ROLE_FILL, 0, 0).n, 0);
    weir_topology_free(t);
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_domains)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
