/* Every call of a GPU failing in turn, alone or with all after it, while a CPU stands aside: the GPU's backend on a device of host
 * memory. Every job ends, with a right proof or with a text. */
#include "fake_device.h"

#include "gpu/gpu_backend.h"
#include "proof_rig.h"
#include "testkit.h"

#include <string.h>

#define ROOM (WEIR_GPU_MARGIN_BYTES + ((uint64_t)1 << 30))

static weir_bench_circuit circuit;

enum { STRIDE = RIG_SLOW ? 5 : 1, COLD_STRIDE = RIG_SLOW ? 11 : 5 };

/* What became of a job while the nth call failed: DONE on one of the two, or failed. */
typedef struct outcome {
    bool begun, reached;
    bool on_gpu, on_cpu, failed;
} outcome;

static void run_job(proof_rig *r, uint64_t seed, outcome *o)
{
    static rig_job job;
    weir_errinfo ei = {0};
    weir_device_report before, after;
    weir_engine_device(r->e, 1, &before);
    if (rig_job_submit(&job, r, seed, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    weir_job_report rep = rig_job_ended(&job, r);
    weir_engine_device(r->e, 1, &after);
    o->failed = rep.state == WEIR_JOB_FAILED;
    o->on_cpu = rep.state == WEIR_JOB_DONE && after.runs > before.runs;
    o->on_gpu = rep.state == WEIR_JOB_DONE && after.runs == before.runs;
    proof_rig_no_bytes_held(r);
    rig_job_clear(&job, r); /* verifies its bytes */
}

/* nth: counted from the first call of the session's beginning. on: all after it fail too. */
static outcome with_nth_failing(uint64_t nth, bool on, bool cold)
{
    static fake_device d;
    weir_backend gpu;
    proof_rig r;
    weir_errinfo ei = {0};
    outcome o = {0};
    fake_device_init(&d, ROOM, WEIR_GPU_COPY);
    d.fail_at = nth;
    d.fail_on = on;
    weir_gpu_backend_init(&gpu, &d.driver);
    const proof_rig_setup s = {.circuit = &circuit,
                               .backend = {&gpu, weir_cpu_backend()},
                               .devices = 2,
                               .aside = 2,
                               .attempts = 2,
                               .device_threads = 1,
                               .cold = cold};
    weir_err err = proof_rig_open(&r, &s, &ei);
    o.begun = err == WEIR_OK;
    if (!o.begun) {
        assert_int_equal(err, WEIR_E_DEVICE);
        assert_non_null(strstr(ei.text, "the device fails"));
    }
    if (o.begun) run_job(&r, nth, &o);
    o.reached = d.calls >= nth;
    proof_rig_close(&r);
    assert_int_equal(fake_device_held(&d), 0);
    fake_device_clear(&d);
    return o;
}

static void fail_once(bool cold)
{
    const uint64_t step = cold ? COLD_STRIDE : STRIDE;
    uint64_t nth = 1, begin = 0;
    for (;; nth += step) {
        outcome o = with_nth_failing(nth, false, cold);
        begin += !o.begun;
        if (!o.begun) continue;
        assert_true(o.on_gpu); /* the second attempt */
        if (!o.reached) break;
    }
    printf("%lu calls, %lu of them before the job\n", (unsigned long)nth - 1,
           (unsigned long)(begin * step));
    assert_true(begin > 3 && nth > step * begin + 30);
}

/* From the nth call on nothing works: the CPU does what the GPU cannot. */
static void fail_for_good(bool cold)
{
    const uint64_t step = cold ? COLD_STRIDE : STRIDE;
    unsigned on_cpu = 0;
    for (uint64_t nth = 1;; nth += step) {
        outcome o = with_nth_failing(nth, true, cold);
        if (!o.begun) continue;
        assert_true(o.on_gpu || o.on_cpu);
        if (!o.reached) break;
        on_cpu += o.on_cpu;
    }
    assert_true(on_cpu > 30 / step);
}

static void test_once(void **state)
{
    (void)state;
    fail_once(false);
}

static void test_for_good(void **state)
{
    (void)state;
    fail_for_good(false);
}

/* The key has to come back first. */
static void test_cold_once(void **state)
{
    (void)state;
    fail_once(true);
}

static void test_cold_for_good(void **state)
{
    (void)state;
    fail_for_good(true);
}

static int open_circuit(void **state)
{
    weir_errinfo ei = {0};
    const weir_exec x = {.isa = weir_isa_best()};
    (void)state;
    if (weir_bench_circuit_mixed(&circuit, 3, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    if (weir_bench_circuit_key(&circuit, true, &x, &ei) != WEIR_OK) fail_msg("%s", ei.text);
    return 0;
}

static int close_circuit(void **state)
{
    (void)state;
    weir_bench_circuit_clear(&circuit);
    return 0;
}

int main(int argc, char **argv)
{
    tk_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_once),
        cmocka_unit_test(test_for_good),
        cmocka_unit_test(test_cold_once),
        cmocka_unit_test(test_cold_for_good),
    };
    return cmocka_run_group_tests(tests, open_circuit, close_circuit);
}
